"""The optima that a run on a stream tracks: P*_t at a few dozen t, each started from the one
before.

Coordinate ascent goes on until the duality gap, divided by C t, is below `CLOSE`: that is what the
dashed line may be wrong by, far less than a pixel. `reference` is exact to 1e-10, but would take
minutes for a whole curve.
"""

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.maths.dual import objectives, step
from svmviz.maths.machine.jit import jit

CLOSE = 1e-4
MANY = 2000  # examples; beyond, a page would wait too long
TIMES = 40
WORTH = 8.0  # of the mean gain in the pass before: less is left for later
WORK, LOOK = (
    1_000_000_000,
    8,
)  # multiplications for a whole curve, about half a second, and that take as long as to look at one


def tracked(trace) -> tuple[np.ndarray, np.ndarray]:
    """The optima along a run, computed when somebody first asks for them."""
    known = vars(trace)
    if "tracked" not in known:
        known["tracked"] = along(trace)
    return known["tracked"]


def along(trace) -> tuple[np.ndarray, np.ndarray]:
    """t, and P*_t / (C t) on the examples seen by then; nothing where there are too many of them,
    or closing the gap takes too long.
    """
    problem, steps = trace.problem, trace.steps
    if problem.n > MANY:
        return np.zeros(0, np.int64), np.zeros(0)
    times = np.unique(
        np.concatenate([np.arange(1, min(steps, 10) + 1), np.linspace(1, steps, TIMES).astype(int)])
    )
    order, found, before = arrivals(trace), np.empty(times.size), None
    sets = [seen(trace, order, t) for t in times.tolist()]
    together, place = np.concatenate(sets), np.empty(problem.n, np.int64)
    queue = together[
        np.sort(np.unique(together, return_index=True)[1])
    ]  # whoever comes first stands in front
    place[queue] = np.arange(queue.size)
    X, y, coef, f, left = (
        problem.X[queue],
        problem.y[queue],
        np.zeros(queue.size),
        np.zeros(queue.size),
        np.array([WORK]),
    )
    K = np.empty((0, 0))
    for k, t in enumerate(times.tolist()):
        kernel, C, rows = trace.kernel(t), trace.params(t)["C"], np.sort(place[sets[k]])
        known = (
            before[2][-1] + 1
            if before and before[:2] == (kernel, C) and np.isin(before[2], rows).all()
            else 0
        )
        if not before or before[0] != kernel:
            K = kernels.gram(kernel, X)
        if not known:
            coef[:] = 0.0
        reach = rows[-1] + 1
        f[known:reach] = matrix.product(K[known:reach, :known], coef[:known])
        found[k] = settle(K, y, rows, C, coef, f[:reach], left) / (C * rows.size)
        before = kernel, C, rows
    return times[np.isfinite(found)], found[np.isfinite(found)]


@jit
def settle(K, y, rows, C, coef, f, left):
    """Coordinate ascent on these rows until the gap is closed, those first that gain most; coef and
    f follow. Returns the middle of P and D, or NaN where `left`, the multiplications that may yet
    be made, has run out
    """
    least = 0.0
    while True:
        primal, dual = objectives(y, C, rows, rows.size, coef, f)
        if primal - dual <= 2.0 * CLOSE * C * rows.size:
            return 0.5 * (primal + dual)
        if left[0] <= 0:
            return np.nan
        left[0] -= LOOK * rows.size
        gained = 0.0
        for i in rows:
            alpha = abs(coef[i])
            a = step(alpha, y[i] * f[i], K[i, i], C) - alpha
            gain = a * (1.0 - y[i] * f[i] - 0.5 * a * K[i, i])
            if gain > least:
                gained += gain
                coef[i] += y[i] * a
                left[0] -= f.size
                for j in range(f.size):
                    f[j] += y[i] * a * K[i, j]
        least = WORTH * gained / rows.size


def arrivals(trace) -> np.ndarray:
    """The step in which each example arrived; 0: it was there, -1: it never did."""
    out = np.full(trace.problem.n, -1)
    for segment in trace.segments:
        new = np.flatnonzero(segment.record.own["arrived"] > 0)
        out[segment.record.drawn[new, 0]] = segment.start + 1 + new
    if trace.segments[0].params.get("algorithm") == "batch":
        out[trace.segments[0].active] = 0
    return out


def seen(trace, order: np.ndarray, t: int) -> np.ndarray:
    """The examples that have arrived by step t and still take part."""
    active = trace.segment(t).active
    if trace.segment(t).params.get("algorithm") == "batch":
        return active
    return active[(order[active] >= 0) & (order[active] <= t)]
