"""What the player of p has seen in runs of SIMBA: the clipped estimates of all margins, step by
step.
"""

import numpy as np

from svmviz.record.trace import Trace
from svmviz.solvers.simba.deck import GRID

FULL = 2.0  # the most slack on one row


def estimates(traces: list[Trace]) -> np.ndarray:
    """(runs, T, n) v of line 10 of Algorithm 1, of runs with constant steps on one problem, without
    bias, in units in which the longest row has length 1. They are not recorded: rows and columns
    that were drawn say all.
    """
    problem, params = traces[0].problem, traces[0].params()
    n, T, each = problem.n, params["horizon"], np.arange(len(traces))
    lengths = np.linalg.norm(problem.X, axis=1)
    X, R = problem.y[:, None] * problem.X / lengths.max(), lengths.max()
    rows, columns = (
        np.array([table(trace)[1:] for trace in traces])
        for table in (
            lambda trace: trace.drawn,
            lambda trace: trace.scalars["column"].astype(int) - 1,
        )
    )
    u = np.cumsum(X[rows], axis=1)
    w = u / np.maximum(np.sqrt(2 * T), np.linalg.norm(u, axis=2, keepdims=True))
    chosen = np.take_along_axis(w, columns[..., None], axis=2)[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.where(
            chosen == 0, 0.0, (w**2).sum(axis=2) / chosen
        )  # w = 0 has no column to draw
    v = X.T[columns] * scale[..., None]
    eta, keys, shares = (
        np.sqrt(np.log(n) / T),
        np.zeros((len(traces), n)),
        slacks(n, n * params["nu"] / R),
    )
    for t in range(v.shape[1]):
        heaviest = np.argsort(-keys, axis=1, kind="stable")
        v[each[:, None], t, heaviest] += shares
        np.clip(v[:, t], -1 / eta, 1 / eta, out=v[:, t])
        z = eta * v[:, t]
        keys += np.rint(GRID * np.log(1 - z + z**2))
    return v


def slacks(n: int, volume: float) -> np.ndarray:
    """Of n rows, the heaviest first: 2 on each until the volume is spent, and what is left over on
    the next.

    >>> slacks(4, 3.5)
    array([2. , 1.5, 0. , 0. ])
    """
    return np.clip(volume - FULL * np.arange(n), 0.0, FULL)
