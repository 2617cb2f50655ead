"""What to do when a budgeted learner has too many support vectors: remove one, project it on the
others, merge two.

`merge` and `radial` hold the mathematics of a pair, `inverse` that of projections, `model` the
vectors, `strategies` and `pairs` the choice. Here is what one may ask from outside.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from svmviz.maths import kernels
from svmviz.solvers.bsgd.maintenance import merge, radial
from svmviz.solvers.bsgd.maintenance.strategies import (
    EVENTS,
    MERGE,
    NAMES,
    NONE,
    PROJECT,
    PROJECT_BEST,
    STOP,
    Maintenance,
)

# cosine of coefficients up to which they are on no common side, to rounding of the player's numbers
ASKEW = 1e-6
SEARCHES = ("table", "golden section")
PAIRS = ("of the smallest", "all")
__all__ = [
    "EVENTS",
    "MERGE",
    "NAMES",
    "NONE",
    "PAIRS",
    "PROJECT",
    "PROJECT_BEST",
    "SEARCHES",
    "STOP",
    "Candidates",
    "Maintenance",
    "Merged",
    "candidates",
    "curve",
    "lookup",
    "maintenance",
    "merge_pair",
]


class Merged(NamedTuple):
    h: float
    z: np.ndarray  # (d,) h x_m + (1 - h) x_n
    a_z: float | np.ndarray
    degradation: float  # |Delta|² = |a_m phi(x_m) + a_n phi(x_n) - a_z phi(z)|²


class Candidates(NamedTuple):
    """Merging vector m with each of the others; n, h and degradation belong together and stand in
    the order of the vectors.
    """

    m: int
    n: np.ndarray  # (b - 1,) the others
    h: np.ndarray
    degradation: np.ndarray
    same_side: np.ndarray  # <a_m, a_n> > 0: the solver merges with no others

    @property
    def best(self) -> int:
        """The partner that the solver takes, or -1 where there is none."""
        allowed = np.where(self.same_side, self.degradation, np.inf)
        return int(self.n[allowed.argmin()]) if self.same_side.any() else -1


def reach(kind: int, gamma: float, x_m: np.ndarray, x_n: np.ndarray) -> float:
    """How far apart two vectors are to a radial kernel."""
    apart = abs(x_m - x_n) if kind == kernels.LAPLACIAN else (x_m - x_n) ** 2
    return float(gamma * apart.sum())


def merge_pair(
    x_m,
    x_n,
    a_m,
    a_n,
    gamma: float,
    search: str = SEARCHES[0],
    plus: float = 0.0,
    kind: int = kernels.RBF,
) -> Merged:
    """The vector z, its coefficients and what is lost when two support vectors become one, with the
    Gaussian kernel or another radial one (`kind`, see `radial`). `plus` is the square of a constant
    feature beside it.

    Coefficients are numbers, or one number per class. z is the best there is: on the segment if
    <a_m, a_n> >= 0, perhaps beyond the heavier vector if it is negative. Of two vectors in the same
    place z is x_n.

    >>> merged = merge_pair([0.0, 0.0], [1.0, 0.0], 1.0, 1.0, gamma=0.5)
    >>> print(merged.h, merged.z, round(merged.a_z, 4), round(merged.degradation, 6))
    0.5 [0.5 0. ] 1.765 0.097858
    >>> merge_pair([0.0], [1.0], 1.0, -2.0, gamma=0.5).h < 0
    True
    >>> merge_pair([0.0], [1.0], 1.0, 2.0, gamma=0.5, kind=kernels.LAPLACIAN).z  # the heavier one
    array([1.])
    """
    if search not in SEARCHES:
        raise ValueError(f"search must be one of {', '.join(SEARCHES)}, got {search!r}")
    if not (np.isfinite(gamma) and gamma > 0):
        raise ValueError(f"gamma must be positive, got {gamma}")
    x_m, x_n = (np.asarray(x, np.float64) for x in (x_m, x_n))
    one = np.ndim(a_m) == 0
    a_m, a_n = (np.atleast_1d(np.asarray(a, np.float64)) for a in (a_m, a_n))
    if x_m.shape != x_n.shape or x_m.ndim != 1 or a_m.shape != a_n.shape or a_m.ndim != 1:
        raise ValueError(
            "two vectors and two coefficients of the same shape are needed, got x of "
            f"{x_m.shape} and {x_n.shape}, a of {a_m.shape} and {a_n.shape}"
        )
    if not all(np.isfinite(given).all() for given in (x_m, x_n, a_m, a_n)):
        raise ValueError("vectors and coefficients must be finite")
    A, D, N, L = float(a_m @ a_m), float(a_m @ a_n), float(a_n @ a_n), reach(kind, gamma, x_m, x_n)
    lighter, heavier = min(A, N), max(A, N)
    if D < 0:
        h = radial.anywhere(kind, lighter, D, heavier, L)
    else:
        h = radial.best(kind, lighter, D, heavier, L, search == SEARCHES[0])
    h = 1.0 - h if A > N * (1.0 + merge.TIED) and L > 0 else h
    p, q = radial.shares(kind, L, h)
    a_z = (a_m * p + a_n * q + plus * (a_m + a_n)) / (1 + plus)
    return Merged(
        h,
        h * x_m + (1 - h) * x_n,
        float(a_z[0]) if one else a_z,
        radial.lost(kind, A, D, N, L, h, plus),
    )


def curve(x_m, x_n, a_m, a_n, gamma: float, h, kind: int = kernels.RBF) -> np.ndarray:
    """|Delta|² as a function of h, with the best coefficient for each: what the search looks at.

    >>> curve([0.0], [1.0], 1.0, 1.0, 0.5, [0.0, 0.5, 1.0]).round(4).tolist()
    [0.6321, 0.0979, 0.6321]
    """
    a_m, a_n = (np.atleast_1d(np.asarray(a, np.float64)) for a in (a_m, a_n))
    L = reach(kind, gamma, np.asarray(x_m, np.float64), np.asarray(x_n, np.float64))
    A, D, N = float(a_m @ a_m), float(a_m @ a_n), float(a_n @ a_n)
    return np.array([radial.lost(kind, A, D, N, L, float(value), 0.0) for value in np.ravel(h)])


def candidates(
    vectors, coef, gamma: float, m: int | None = None, plus: float = 0.0, kind: int = kernels.RBF
) -> Candidates:
    """What merging one support vector with each of the others would lose; by default the smallest
    one, the first of several.

    `coef` is one number per vector, or a row of numbers. The vectors of a step of a trace, as they
    were when the budget overflowed, are `trace.overflow(t)`.

    >>> found = candidates([[0.0], [0.1], [3.0]], [0.5, 1.0, 1.0], gamma=1.0)
    >>> found.m, found.n.tolist(), found.best, found.degradation.round(4).tolist()
    (0, [1, 2], 1, [0.0, 0.25])
    """
    vectors, coef = np.atleast_2d(np.asarray(vectors, np.float64)), np.asarray(coef, np.float64)
    coef = coef.reshape(len(vectors), -1)
    sizes = (coef**2).sum(axis=1)
    if m is None:
        m = int(np.flatnonzero(sizes <= sizes.min() * (1 + merge.EQUAL))[0])
    others = np.delete(np.arange(len(vectors)), m)
    found = [
        merge_pair(vectors[m], vectors[n], coef[m], coef[n], gamma, plus=plus, kind=kind)
        for n in others
    ]
    h = [merge.own_side(sizes[m], sizes[n], one.h) for n, one in zip(others, found, strict=True)]
    return Candidates(
        m,
        others,
        np.array(h),
        np.array([one.degradation for one in found]),
        coef[others] @ coef[m] > ASKEW * np.sqrt(sizes[others] * sizes[m]),
    )


@lru_cache(maxsize=1)
def lookup() -> np.ndarray:
    """The table of losses, computed once for all."""
    return merge.fill(np.empty((merge.COSINES, merge.RATIOS, merge.REACHES)))


def maintenance(
    name: str,
    B: int,
    search: str = SEARCHES[0],
    eps: float = 0.0,
    small_steps: bool = False,
    pairs: str = PAIRS[0],
) -> Maintenance:
    """A strategy by name.

    >>> maintenance("merge", 10, "golden section").kind == MERGE
    True
    """
    kind = NAMES.index(name)
    table = lookup() if kind == MERGE and search == SEARCHES[0] else np.empty((0, 0, 0))
    return Maintenance(kind, B, table, eps, small_steps, pairs == PAIRS[1])
