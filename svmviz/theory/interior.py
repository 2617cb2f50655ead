"""The optimum of the SVM objective where data are badly scaled: in features instead of
coefficients.

With long rows w = Σ coef_j phi(x_j) is a small difference of large sums: a polynomial of degree 3
on pixels from 0 to 255 needs coefficients to 20 digits, and there are 16. Where phi has few
components, as those of the linear and of a polynomial kernel in few dimensions, w itself has no
such trouble. So here w and the weights a = alpha / C of the examples are found side by side, each
feature in its own unit, by an interior-point method (Mehrotra 1992) for

    min  1/2 Σ_j ridge_j u_j² + Σ_i ξ_i   with   <A_i, u> + ξ_i - z_i = 1,  ξ, z >= 0,     A_ij =
    y_i phi_j(x_i) / unit_j,

which is n P. Its dual is  Σ a - 1/2 Σ_j (A'a)_j² / ridge_j  over  0 <= a <= 1. A bias is one more
feature, of ridge 0.
"""

import math
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from scipy.linalg import lu_factor, lu_solve

from svmviz.maths import kernels
from svmviz.work import limits

MOST, CELLS = (
    300,
    2_000_000,
)  # features, and numbers in all: solving for so many takes a second at most
ROUNDS, PATIENCE = 100, 10  # iterations in all, and without any progress
EXACT = 1e-13  # of the objective: a gap that calls for no further work
RIDGE = 1e-14  # of the diagonal, against directions that rounding has made
SHARE = 0.995  # of the way to the nearest bound
UNIT = (
    8 * np.finfo(float).eps
)  # what a sum in floating point may be wrong by, in parts of the sum of all sizes


class Fit(NamedTuple):
    """The minimiser in features, the maximiser in weights, and what rounding may have done to their
    difference.
    """

    primal: float
    dual: float
    rounding: float
    norm: float  # |w|
    hinge: float
    b: float
    w: np.ndarray  # (features,)
    a: np.ndarray  # (n,) alpha / C

    @property
    def within(self) -> float:
        return self.primal - self.dual + self.rounding


def components(kernel: kernels.Kernel, d: int) -> float:
    """How many components phi(x) has"""
    return {
        kernels.LINEAR: d,
        kernels.POLY: math.comb(d + kernel.degree, d) + (kernel.plus > 0),
    }.get(kernel.kind, math.inf)


def features(kernel: kernels.Kernel, X) -> np.ndarray:
    """phi(x) of a linear or a polynomial kernel, with <phi(x), phi(z)> = K(x, z)

    >>> features(kernels.poly(2, 1.0, 1.0), np.array([[3.0]])).round(
    ...     3
    ... )  # (1 + x z)² = 1 + 2 x z + x² z²
    array([[1.   , 4.243, 9.   ]])
    """
    X = X if isinstance(X, np.ndarray) else X.toarray()
    if kernel.kind == kernels.LINEAR:
        return X
    parted = np.column_stack(
        [np.full(len(X), math.sqrt(kernel.coef0)), math.sqrt(kernel.gamma) * X]
    )
    chosen = np.array(list(combinations_with_replacement(range(X.shape[1] + 1), kernel.degree)))
    constant = [np.full(len(X), math.sqrt(kernel.plus))] if kernel.plus else []
    return np.column_stack(
        [*(math.sqrt(arrangements(row)) * parted[:, row].prod(axis=1) for row in chosen), *constant]
    )


def arrangements(row) -> int:
    """In how many orders these numbers can stand"""
    return math.factorial(len(row)) // math.prod(math.factorial(int(k)) for k in np.bincount(row))


def solve(phi: np.ndarray, y: np.ndarray, lam: float, bias: bool) -> Fit | None:
    """The best pair of w and a on the way to the optimum; None where nothing finite was found."""
    unit = np.abs(phi).max(axis=0)
    used = unit > 0
    A, ridge = y[:, None] * phi[:, used] / unit[used], lam * y.size / unit[used] / unit[used]
    if bias:
        A, ridge = np.column_stack([A, y]), np.append(ridge, 0.0)
    best, since = None, 0
    with np.errstate(all="ignore"):  # what is not finite is no progress, and ends the search
        for u, a in iterates(A, ridge):
            found, since = certificate(A, ridge, u, a), since + 1
            if math.isfinite(found.within) and (best is None or found.within < best.within):
                best, since = found, 0
            if (
                since > PATIENCE
                or (best is not None and best.within <= EXACT * best.primal)
                or limits.over()
            ):
                break
    if best is None:
        return None
    w = np.zeros(used.size)
    w[used] = best.w[: used.sum()] / unit[used]
    b = float(best.w[-1]) if bias else 0.0
    return best._replace(b=b, w=w, norm=float(np.linalg.norm(w)))


def certificate(A, ridge, u, a) -> Fit:
    """P and D of this pair, whatever it is: P >= D up to rounding. The trivial a = 0 stands in for
    one that is worse.
    """
    n, free = len(A), ridge == 0
    short, doubt = 1 - A @ u, UNIT * (1 + np.abs(A) @ np.abs(u))
    square, hinge = u @ (ridge * u), np.maximum(0.0, short).sum()
    a = np.clip(a, 0.0, 1.0)
    pull, unsure = A.T @ a, UNIT * (np.abs(A).T @ a)
    loose = (
        2 * np.abs(u[free]) @ (np.abs(pull) + unsure)[free]
    )  # a bias asks for a pull of 0; the best one is about this one
    pull, unsure, ridge = pull[~free], unsure[~free], ridge[~free]
    dual = a.sum() - pull @ (pull / ridge) / 2
    wrong = (np.abs(pull) + unsure) @ (unsure / ridge) + loose + UNIT * a.sum()
    if not dual - wrong > 0:
        a, dual, wrong = np.zeros(n), 0.0, 0.0
    rounding = doubt[short + doubt > 0].sum() + UNIT * square + wrong
    return Fit(
        float(square / 2 + hinge) / n,
        float(dual) / n,
        float(rounding) / n,
        math.nan,
        float(hinge) / n,
        0.0,
        u.copy(),
        a,
    )


class Newton:
    """Newton's equations at one iterate, factored once: where to go so that a z and (1 - a) ξ
    change as is asked for.
    """

    def __init__(self, A, ridge, u, a, q, z, xi):
        self.A, self.ridge, self.a, self.q, self.z, self.xi = A, ridge, a, q, z, xi
        self.away, self.lack, self.weight = (
            ridge * u - A.T @ a,
            A @ u + xi - z - 1,
            1 / (xi / q + z / a),
        )
        M = (A.T * self.weight) @ A
        M[np.diag_indices_from(M)] += ridge
        self.scale = 1 / np.sqrt(M.diagonal())  # to a unit diagonal
        M *= self.scale * self.scale[:, None]
        M[np.diag_indices_from(M)] += RIDGE
        self.factors = lu_factor(M, check_finite=False) if np.isfinite(M).all() else None

    def solve(self, right):
        """(A' diag(weight) A + diag(ridge)) x = right, and once more for what is left"""
        x = self.scale * lu_solve(self.factors, self.scale * right, check_finite=False)
        left = right - self.ridge * x - self.A.T @ (self.weight * (self.A @ x))
        return x + self.scale * lu_solve(self.factors, self.scale * left, check_finite=False)

    def towards(self, for_z, for_xi):
        """The changes of u, a, z and ξ"""
        ask = for_z / self.a - for_xi / self.q - self.lack
        du = self.solve(self.A.T @ (self.weight * ask) - self.away)
        da = self.weight * (ask - self.A @ du)
        return du, da, (for_z - self.z * da) / self.a, (for_xi + self.xi * da) / self.q


def iterates(A, ridge):
    """Mehrotra's predictor and corrector: pairs (u, a), ever closer to the optimum."""
    n = len(A)
    u, a, q, z, xi = (
        np.zeros(ridge.size),
        np.full(n, 0.5),
        np.full(n, 0.5),
        np.ones(n),
        np.ones(n),
    )  # q = 1 - a
    for _ in range(ROUNDS):
        newton = Newton(A, ridge, u, a, q, z, xi)
        if newton.factors is None:
            return
        _, da, dz, dxi = newton.towards(-a * z, -q * xi)
        t = min(1.0, reach((a, da), (q, -da), (z, dz), (xi, dxi)))
        now, ahead = a @ z + q @ xi, (a + t * da) @ (z + t * dz) + (q - t * da) @ (xi + t * dxi)
        aim = now / (2 * n) * (ahead / now) ** 3
        du, da, dz, dxi = newton.towards(aim - a * z - da * dz, aim - q * xi + da * dxi)
        t = min(1.0, SHARE * reach((a, da), (q, -da), (z, dz), (xi, dxi)))
        u, a, z, xi = u + t * du, a + t * da, z + t * dz, xi + t * dxi
        q = np.where(a > 0.5, q - t * da, 1 - a)  # near 0 its digits are its own
        yield u, a


def reach(*ways) -> float:
    """How far all of these can go before one of them is 0, at most twice the way"""
    return min((-(v / dv))[dv < 0].min(initial=2.0) for v, dv in ways)
