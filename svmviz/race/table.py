"""The rivals of a race side by side, at equal cost.

Costs rise with every step, so each rival's progress is a function of any of them. All rivals are
read at the same costs: median and first and ninth decile over the seeds. Seconds are the wall time
of seed 0, spread over its steps in proportion to inner products and updates; other seeds are taken
to be as fast.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from svmviz.race.runs import Result, Rival, effort

STOPS = 120  # costs at which all rivals are read, evenly on a log scale
AXES = {
    "kernel_evals": "kernel evaluations",
    "inner_products": "inner products",
    "features_read": "features read",
    "examples": "examples",
    "epochs": "epochs",
    "steps": "updates",
    "seconds": "seconds",
}
METRICS = (
    "suboptimality",
    "error",
    "rmse",
    "level",
    "gap",
    "n_sv",
)  # what is drawn over them, where it is known; see chart.js
QUANTILES = 0.1, 0.5, 0.9


class Table(NamedTuple):
    """The rivals that pay on one cost axis."""

    x: np.ndarray  # (k,) costs
    ends: str  # the rival whose run ends first and ends the axis
    values: dict[
        str, dict[str, np.ndarray]
    ]  # rival -> metric -> (3, k): first decile, median, ninth


def together(
    runs: Mapping[str, Sequence[Result]], best: float, n_stops: int = STOPS
) -> dict[str, Table]:
    """The rivals on every axis on which more than half of them pay, up to the cost that all who pay
    reach with their first seed; `runs[rival]` holds a result for each seed, `best` is P*.
    """
    tables = {}
    for axis in AXES:
        costs = {
            key: [cost(found[0].pace, result, axis) for result in found]
            for key, found in runs.items()
        }
        paying = {key: found for key, found in costs.items() if found[0][-1] > 0}
        if 2 * len(paying) > len(runs):
            first = {key: found[0] for key, found in paying.items()}
            x = stops(list(first.values()), n_stops, whole=axis not in ("epochs", "seconds"))
            ends = min(goes_on(first), key=lambda key: first[key][-1])
            tables[axis] = Table(
                x,
                ends,
                {
                    key: {
                        name: deciles(x, paying[key], found, name, best) for name in measured(found)
                    }
                    for key, found in runs.items()
                    if key in paying
                },
            )
    return tables


def measured(runs: Sequence[Result]) -> tuple[str, ...]:
    """The metrics of a rival: what its runs left behind, with the suboptimality in place of P."""
    return tuple("suboptimality" if name == "primal" else name for name in runs[0].curves)


def cost(pace: float, result: Result, axis: str) -> np.ndarray:
    return (
        pace * effort(result.costs) if axis == "seconds" else np.asarray(result.costs[axis], float)
    )


def stops(costs: Sequence[np.ndarray], count: int, whole: bool) -> np.ndarray:
    """Costs of three digits from where the rivals have begun, and the one at which the first of
    them ends. A rival that came to rest, and costs nothing any more, ends nobody's race; one that
    begins late, in the last of three decades, holds nobody up.
    """
    last = min(c[-1] for c in goes_on(dict(enumerate(costs))).values())
    begun = [c[c > 0][0] for c in costs]
    first = max([c for c in begun if c <= last / 300] or [min(*begun, last / 10)])
    x = np.array([float(f"{v:.3g}") for v in np.geomspace(first, last, count + 1)[:-1]])
    x = np.maximum(1, np.rint(x)) if whole else x
    return np.unique(np.append(x[x < last], last))


def goes_on(costs: Mapping[Any, np.ndarray]) -> dict[Any, np.ndarray]:
    """Those that still pay at the end; all of them if nobody does."""
    return {key: c for key, c in costs.items() if c[-1] > c[-max(2, len(c) // 10)]} or dict(costs)


def deciles(x, costs, runs: Sequence[Result], name: str, best: float) -> np.ndarray:
    """What was last measured at or before each cost: first decile, median and ninth over the
    seeds.
    """
    rows = np.array(
        [
            values(result, name, best)[np.searchsorted(c, x, side="right") - 1]
            for c, result in zip(costs, runs, strict=True)
        ]
    )
    worst = np.where(
        np.isnan(rows), 1e300, rows
    )  # what has no value yet is worse than any; infinities would not average
    found = np.quantile(worst, QUANTILES, axis=0)
    return np.where(found > 1e200, np.nan, found)


def values(result: Result, name: str, best: float) -> np.ndarray:
    return result.curves["primal"] - best if name == "suboptimality" else result.curves[name]


def to_csv(
    tables: Mapping[str, Table], rivals: Sequence[Rival], within: float | None = None
) -> str:
    """One row per axis, cost and rival: the three deciles of every metric; and, where it is given,
    how far P* may be from the true minimum, which every suboptimality may be off by.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    metrics = next(
        (tuple(found) for table in tables.values() for found in table.values.values()), ()
    )
    writer.writerow(
        [
            "axis",
            "cost",
            "lane",
            *(f"{name}_{q}" for name in metrics for q in ("p10", "median", "p90")),
            *([] if within is None else ["optimum_within"]),
        ]
    )
    for axis, table in tables.items():
        for k, x in enumerate(table.x.tolist()):
            for rival in rivals:
                if rival.key not in table.values:
                    continue
                row = (table.values[rival.key][name][q, k] for name in metrics for q in range(3))
                writer.writerow(
                    [
                        axis,
                        f"{x:.12g}",
                        rival.key,
                        *("" if np.isnan(v) else f"{v:.10g}" for v in row),
                        *([] if within is None else [f"{within:.3g}"]),
                    ]
                )
    return out.getvalue()
