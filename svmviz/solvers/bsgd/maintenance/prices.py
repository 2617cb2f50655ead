"""What the maintenance of a step would have cost otherwise: with another partner, by removal."""

from typing import NamedTuple

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.solvers.bsgd import budget
from svmviz.solvers.bsgd.maintenance import strategies

WENT = strategies.REMOVED, strategies.PROJECTED, strategies.MERGED_TWO, strategies.ALONE


class Prices(NamedTuple):
    """|Delta|² of what was not done, and what was weighed; of a pair m comes first."""

    removal: float  # of the vector that went
    # of the next best partner, or of the lightest of the others where one was removed; None: nobody
    second: float | None
    own: float  # K(x, x) of the vector that went
    sizes: tuple[float, ...]  # |alpha| of it, and of a pair also that of n and of z
    shares: tuple[float, ...]  # K(x_m, z) and K(x_n, z) by K(z, z): what z takes over


def prices(trace, t: int) -> Prices | None:
    """Those of step t; None unless one vector went: of several only the last is on record, and who
    was there then is not.
    """
    own, used = (
        {name: column[t].item() for name, column in trace.scalars.items()},
        trace.scalars["n_sv"],
    )
    if own["event"] not in WENT or used[t - 1] + own["added"] - used[t] != 1:
        return None
    over, kernel = trace.overflow(t), trace.kernel(t)
    V, A, m = (
        over.vectors,
        over.coef.reshape(len(over.row), -1),
        int(np.flatnonzero(over.row == own["m"])[0]),
    )
    diagonal = kernels.diagonal(kernel, matrix.rows(V))
    cost, others, sizes, shares = (A**2).sum(axis=1) * diagonal, np.empty(0), [A[m]], ()
    if own["event"] == strategies.REMOVED:
        others = np.delete(cost, m)
    if own["event"] == strategies.MERGED_TWO:
        n, h = int(np.flatnonzero(over.row == own["n"])[0]), own["h"]
        found = budget.candidates(V, A, kernel.gamma, m, kernel.plus, kernel.kind)
        others = found.degradation[found.same_side & (found.n != n)]
        values = kernels.gram(kernel, (h * V[m] + (1.0 - h) * V[n])[None], V[[m, n]])[0] / (
            1.0 + kernel.plus
        )
        shares = tuple(values.tolist())
        sizes += [A[n], shares[0] * A[m] + shares[1] * A[n]]
    return Prices(
        float(cost[m]),
        float(others.min()) if others.size else None,
        float(diagonal[m]),
        tuple(float(np.sqrt(a @ a)) for a in sizes),
        shares,
    )
