"""All rows of a sweep, cell by cell: means, their standard errors, which cell is best and which are
as good.

A cell's value is the mean over folds of the mean over seeds. Folds are the same for every seed, so
two seeds of a fold share all that this fold's rows have of luck, and k folds times s seeds are not
k s independent fits: the standard error is that of the k folds, each averaged over its seeds,
divided by √k. (Folds share training rows as well; no estimate from one cross- validation can make
up for that.) Where a share of the rows is held out there is one part only: then the error's is √(p
(1 - p) / tested), and of other measures that of the seeds, if there are several.
"""

import numpy as np

from svmviz.explore.rows import DIVERGED, FINE, MEASURES, OPTIMUM, REFUSED, UNSETTLED, Rows
from svmviz.explore.spec import Spec
from svmviz.solvers import SOLVERS
from svmviz.work.words import fill

STORED = tuple(name for name in MEASURES if name != "suboptimality")


class Table:
    """What is known of each cell of `cells`, in that order; of a grid these are all cells. Rows are
    added as they come.

    A cell counts when all of its rows are there. One of which most rows diverged, or have not
    settled, is told apart and is never the best.
    """

    def __init__(self, spec: Spec, rows: Rows | None = None):
        self.spec, self.cells = spec, np.sort(spec.cells)
        shape = len(self.cells), spec.splits, len(spec.seeds)
        self.seeds = np.sort(np.array(spec.seeds))
        self.values = {name: np.full(shape, np.nan) for name in STORED}
        self.statuses, self.there = np.zeros(shape, np.int8), np.zeros(shape, bool)
        self.tested, self.steps = np.zeros(shape[:2], int), np.zeros(shape[0], int)
        self.optima = np.full(shape[:2], np.nan)
        self.solved = np.zeros(shape[:2], bool)  # whether the optimum was looked for
        self.reasons: dict[int, str] = {}
        self.fits = 0  # that have come
        if rows is not None:
            self.add(rows)

    def add(self, rows: Rows) -> None:
        """Rows that have come. Of successive halving a later round takes the place of the ones
        before.
        """
        table = rows.table
        best = table["seed"] == OPTIMUM
        at = np.searchsorted(self.cells, table["cell"][best]), table["fold"][best]
        self.optima[at], self.solved[at], self.fits = (
            table["primal"][best],
            True,
            self.fits + int((~best).sum()),
        )
        for steps in np.unique(table["steps"][~best]) if len(self.spec.rungs) > 1 else [None]:
            self._fits(table[~best] if steps is None else table[~best & (table["steps"] == steps)])
        refused = table[table["status"] == REFUSED]
        self.reasons |= {
            cell: rows.reasons.get(key, "")
            for key, cell in zip(refused["key"].tolist(), refused["cell"].tolist(), strict=True)
        }

    def _fits(self, fits: np.ndarray) -> None:
        place = np.searchsorted(self.cells, fits["cell"])
        if len(self.spec.rungs) > 1:
            newer = np.unique(place[fits["steps"] > self.steps[place]])
            self.there[newer] = False
            self.steps[newer] = fits["steps"][:1]
            fits, place = (found[fits["steps"] == self.steps[place]] for found in (fits, place))
        at = place, fits["fold"], np.searchsorted(self.seeds, fits["seed"])
        for name, values in self.values.items():
            values[at] = fits[name]
        self.statuses[at], self.there[at], self.tested[at[:2]] = (
            fits["status"],
            True,
            fits["tested"],
        )

    @property
    def complete(self) -> np.ndarray:
        """(cells,) Whether all rows are there."""
        return self.there.all(axis=(1, 2))

    @property
    def finished(self) -> np.ndarray:
        """(cells,) Whether nothing is left to do for them, be it an optimum."""
        return self.complete & self.solved.all(axis=1) if self.spec.optimum else self.complete

    @property
    def status(self) -> np.ndarray:
        """(cells,) `FINE`; `REFUSED`, where any fit was; `DIVERGED`, where most did; `UNSETTLED`,
        where most did or ended with P(w) > P(0).
        """
        diverged, unsettled = self.statuses == DIVERGED, self.statuses == UNSETTLED
        return np.select(
            [
                (self.statuses == REFUSED).any(axis=(1, 2)),
                diverged.mean(axis=(1, 2)) > 0.5,
                (diverged | unsettled).mean(axis=(1, 2)) > 0.5,
            ],
            [REFUSED, DIVERGED, UNSETTLED],
            FINE,
        )

    def reason(self, cell: int) -> str:
        """Why a cell has no good number, in a sentence; nothing where it has."""
        k = int(np.searchsorted(self.cells, cell))
        if self.status[k] == REFUSED:
            return self.reasons.get(cell, "")
        if self.status[k] == FINE:
            return ""
        P = float(self.mean("primal")[k])
        said = fill("P(w) = {P:.3g}", {"P": P}) if np.isfinite(P) else "P(w) is no number"
        end = (
            "it has diverged"
            if self.status[k] == DIVERGED
            else "more than w = 0 has: it has not settled"
        )
        return f"{said} after {self.spec.steps(cell)} steps, {end}"

    def measure(self, name: str) -> np.ndarray:
        """(cells, folds, seeds) One of `MEASURES`."""
        return (
            self.values["primal"] - self.optima[:, :, None]
            if name == "suboptimality"
            else self.values[name]
        )

    def mean(self, name: str = "error") -> np.ndarray:
        """(cells,) NaN where rows are missing, or there is no such number."""
        return np.where(self.complete, self.measure(name).mean(axis=2).mean(axis=1), np.nan)

    def error_of_mean(self, name: str = "error") -> np.ndarray:
        """(cells,) The standard error of the mean; see above."""
        folds = self.measure(name).mean(axis=2)  # (cells, folds)
        if folds.shape[1] > 1:
            found = folds.std(axis=1, ddof=1) / np.sqrt(folds.shape[1])
        elif name == "error" and not SOLVERS[self.spec.recipe.solver].space.real:
            found = np.sqrt(folds[:, 0] * (1 - folds[:, 0]) / np.maximum(1, self.tested[:, 0]))
        elif len(self.seeds) > 1:
            found = self.measure(name)[:, 0].std(axis=1, ddof=1) / np.sqrt(len(self.seeds))
        else:
            found = np.full(len(folds), np.nan)
        return np.where(self.complete, found, np.nan)

    @property
    def candidates(self) -> np.ndarray:
        """(cells,) Those that may be best: complete, not refused, settled; of successive halving in
        the last round yet.
        """
        last = self.steps == self.steps.max(initial=0) if len(self.spec.rungs) > 1 else True
        return self.complete & (self.status == FINE) & np.isfinite(self.mean()) & last

    @property
    def best(self) -> int | None:
        """The cell of the lowest error; of several the one with fewer vectors, then the first."""
        return self._first(self.candidates, self.mean(), self.mean("vectors"))

    @property
    def within(self) -> np.ndarray:
        """(cells,) Those that are no worse than the best by more than its standard error."""
        if self.best is None:
            return np.zeros(len(self.cells), bool)
        k, mean = np.searchsorted(self.cells, self.best), self.mean()
        return self.candidates & (mean <= mean[k] + np.nan_to_num(self.error_of_mean()[k]))

    @property
    def sparsest(self) -> int | None:
        """The cell with the fewest vectors among those; of several the one of the lower error, then
        the first.
        """
        return self._first(self.within, self.mean("vectors"), self.mean())

    def front(self, cost: str = "vectors") -> list[int]:
        """The cells that no other beats in error and in this cost, the cheapest first."""
        error, spent, found, lowest = self.mean(), self.mean(cost), [], np.inf
        places = np.flatnonzero(self.candidates & np.isfinite(spent))
        for k in places[np.lexsort((error[places], spent[places]))].tolist():
            if error[k] < lowest:
                lowest = error[k]
                found.append(int(self.cells[k]))
        return found

    def _first(self, among: np.ndarray, *ranks: np.ndarray) -> int | None:
        places = np.flatnonzero(among)
        if not places.size:
            return None
        order = np.lexsort((self.cells[places], *(rank[places] for rank in reversed(ranks))))
        return int(self.cells[places[order[0]]])
