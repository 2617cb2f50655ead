"""Which task comes next: a data structure without threads and without a clock, told of every row
that arrives.

Of a grid the ends and the middle of every axis come first, then the other cells outwards from the
best so far; what was drawn by chance comes in the order in which it was drawn; of successive
halving a round begins when the one before is complete. The same rows in the same order give the
same tasks in the same order.
"""

import itertools
from collections import deque
from collections.abc import Collection

import numpy as np

from svmviz.explore.faults import GRID, HALVING
from svmviz.explore.rows import OPTIMUM, Keys, Rows, Task
from svmviz.explore.spec import Spec


class Plan:
    """The tasks of a sweep that are not `done` yet."""

    def __init__(self, spec: Spec, done: Collection[bytes] = ()):
        self.spec, self.keys, self.done = spec, Keys(spec), done
        self.opened: deque[Task] = deque()  # of cells that have begun
        self.best, self.rung = -1, 0
        first, rest = coarse(spec) if spec.search == GRID else ([], spec.cells.tolist())
        self.waiting, self.coarse = deque(first + rest), len(first)
        self.scores, self.told = Scores(spec, spec.cells), []
        self.missing = len(spec.cells)  # cells of this round without all of their rows

    def take(self, most: int) -> list[Task]:
        """So many tasks at most; none where all are under way or done, or the next depend on what
        is under way.
        """
        while len(self.opened) < most and (self.waiting or self.climbed()):
            self.opened.extend(
                task for task in self.tasks(self.next()) if task.key not in self.done
            )
        return [self.opened.popleft() for _ in range(min(most, len(self.opened)))]

    def tasks(self, cell: int) -> list[Task]:
        """Of a cell in this round; an optimum is the same in all of them."""
        found = list(
            self.keys.tasks(
                cell, self.spec.rungs[self.rung][1] if self.spec.search == HALVING else None
            )
        )
        return [task for task in found if self.rung == 0 or task.seed != OPTIMUM]

    def next(self) -> int:
        """The cell that begins now."""
        if self.coarse > 0:
            self.coarse -= 1
        elif self.spec.search == GRID and self.best != self.scores.best:
            self.best = self.scores.best
            self.waiting = deque(outwards(self.spec, np.array(self.waiting), self.best))
        return self.waiting.popleft()

    def tell(self, rows: Rows) -> None:
        """These have arrived. Of successive halving all are kept: of what was known before some
        belong to later rounds.
        """
        if self.spec.search == HALVING:
            self.told.append(rows.table)
        self.count(rows.table)

    def count(self, table: np.ndarray) -> None:
        fits = table[table["seed"] != OPTIMUM]
        if self.spec.search == HALVING:
            fits = fits[
                (fits["steps"] == self.spec.rungs[self.rung][1])
                & np.isin(fits["cell"], self.scores.cells)
            ]
        self.missing -= self.scores.add(fits)

    def climbed(self) -> bool:
        """Whether another round began, with the better cells of this one."""
        if self.spec.search != HALVING or self.missing or self.rung + 1 == len(self.spec.rungs):
            return False
        taken = self.scores.better(self.spec.rungs[self.rung + 1][0])
        self.rung += 1
        self.waiting, self.missing, self.scores = (
            deque(taken.tolist()),
            len(taken),
            Scores(self.spec, taken),
        )
        for table in self.told:
            self.count(table)
        return True


class Scores:
    """The mean error of every cell of a round, once all of its rows are there."""

    def __init__(self, spec: Spec, cells: np.ndarray):
        self.cells, self.seeds, self.each = (
            cells,
            {seed: k for k, seed in enumerate(spec.seeds)},
            spec.splits * len(spec.seeds),
        )
        self.place = {cell: k for k, cell in enumerate(cells.tolist())}
        self.counts, self.vectors = np.zeros((2, len(cells)), int)
        self.errors = np.zeros((len(cells), spec.splits, len(spec.seeds)))
        self.lowest, self.best = (np.inf, np.inf), -1

    def add(self, fits: np.ndarray) -> int:
        """How many cells these rows made complete."""
        complete = 0
        columns = (fits[name].tolist() for name in ("cell", "fold", "seed", "error", "vectors"))
        for cell, fold, seed, error, vectors in zip(*columns, strict=True):
            k = self.place[cell]
            self.errors[k, fold, self.seeds[seed]] = error
            self.vectors[k] += vectors if vectors == vectors else 0
            self.counts[k] += 1
            if self.counts[k] == self.each:
                complete += 1
                rank = (
                    float(self.errors[k].mean()),
                    int(self.vectors[k]),
                )  # ties go to fewer vectors
                if rank < self.lowest:
                    self.lowest, self.best = rank, cell
        return complete

    def better(self, many: int) -> np.ndarray:
        """So many cells of this round, as scikit-learn takes them: those that were refused come
        last.
        """
        scores = 1.0 - self.errors.mean(axis=2).mean(axis=1)
        order = np.roll(np.argsort(scores), np.count_nonzero(np.isnan(scores)))
        return self.cells[order[-many:]]


def coarse(spec: Spec) -> tuple[list[int], list[int]]:
    """The cells of a grid at the ends and in the middle of every axis, and the others.

    >>> from svmviz.explore.axes import Axis
    >>> from svmviz.run.recipe import Recipe
    >>> coarse(Spec(Recipe(), (Axis("lam", 0.01, 1.0, 6),)).checked())
    ([0, 2, 5], [1, 3, 4])
    """
    few = [sorted({0, (size - 1) // 2, size - 1}) for size in spec.shape]
    first = [int(np.ravel_multi_index(place, spec.shape)) for place in itertools.product(*few)]
    return first, np.setdiff1d(spec.cells, first).tolist()


def outwards(spec: Spec, cells: np.ndarray, best: int) -> list[int]:
    """Cells in the order of their distance from the best one, on the grid."""
    if best < 0 or not cells.size:
        return cells.tolist()
    places = np.stack(np.unravel_index(cells, spec.shape))
    apart = ((places - np.array(spec.place(best))[:, None]) ** 2).sum(axis=0)
    return cells[np.lexsort((cells, apart))].tolist()
