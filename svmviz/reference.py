"""The exact optimum of the SVM objective, with a certificate: the reference that every solver is measured against.

Primal, dual and the set of feasible alpha, all in the scale of `core` with C = 1 / (lam n), w = sum_i alpha_i y_i phi(x_i):

    P(w, b)  = lam/2 |w|² + 1/n sum_i max(0, 1 - y_i (<w, phi(x_i)> + b))
    D(alpha) = lam (sum_i alpha_i - 1/2 |w|²),   0 <= alpha_i <= C,   and  sum_i alpha_i y_i = 0  if there is a bias b.

P >= D everywhere, and P = D at the optimum alone, so that P - D bounds the error of either without any trust in the
method that found them. In the coefficients coef_i = y_i alpha_i all signs vanish: D / lam = <y, coef> - 1/2 coef' K coef
has the gradient  y - f,  f = K coef;  coef_i lies between 0 and y_i C; and a bias asks for sum_i coef_i = 0.

Two methods take turns, each doing what the other cannot:

1. `ascend`, sequential minimal optimisation (Platt 1998; second-order choice of the pair: Fan, Chen and Lin 2005), is
   cheap and finds out which coefficients are at a bound, but creeps along narrow valleys.
2. `climb`, Newton's method on the face of free coefficients, sees no valleys and ends on the top of the face, exactly,
   but must be told the face.

Without a bias nothing couples the coefficients. They then get a companion: the origin of feature space, a point with
K = 0, label 0 and an unbounded coefficient, which balances any sum and costs nothing. One method thus serves both.
"""

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from svmviz import parts
from svmviz.jit import jit

if TYPE_CHECKING:
    from svmviz.core import Problem

EXACT = 1e-12  # a gap that calls for no further work,
ENOUGH = 1e-10  # and one that is improved only as long as rounding errors allow
RIDGE = 1e-13  # relative; makes singular faces solvable: a direction without curvature becomes a long step
ROUNDS, CLIMBS = 100, 10  # of both methods, and Newton steps in each round
WORKING = 2000  # up to this many examples the Gram matrix is held as a whole (32 MB)
PASSES = 500  # over a larger set, WORKING examples at a time


class Optimum(NamedTuple):
    """The minimiser of P, the maximiser of D, and the proof that they are."""

    primal: float  # P(w, b)
    dual: float  # D(alpha)
    gap: float  # primal - dual: how far `primal` may lie above the true minimum
    norm: float  # |w|
    hinge: float  # mean hinge loss
    b: float  # 0 without a bias; the midpoint if a whole interval is optimal
    coef: np.ndarray  # (n,) w = sum_j coef_j phi(x_j)
    alpha: np.ndarray  # (n,) y_j coef_j, from 0 to C
    w: np.ndarray | None  # (d,) where the kernel is linear


def optimum(problem: "Problem", lam: float, kernel: parts.Kernel | None = None, bias: bool = False) -> Optimum:
    """The exact minimiser of P; without a kernel the linear one, without `bias` b = 0.

    The work is bounded: where rounding errors or size forbid an exact answer, `gap` says so.

    >>> from svmviz.core import make_problem
    >>> best = optimum(make_problem([[-3.0], [-1.0], [2.0]], [-1, -1, 1]), lam=0.1, bias=True)
    >>> print(best.w.round(6), round(best.b, 6), best.alpha.round(6), round(best.primal, 6), best.gap < 1e-12)
    [0.666667] -0.333333 [0.       0.222222 0.222222] 0.022222 True
    """
    if not (math.isfinite(lam) and lam > 0):
        raise ValueError(f"lam must be positive, got {lam}")
    X, y = problem
    kernel = parts.linear() if kernel is None else kernel
    C = 1 / (lam * y.size)
    lo, hi = np.minimum(0.0, y * C), np.maximum(0.0, y * C)
    if y.size <= WORKING:
        K = gram(kernel, X)
        coef = maximise(K, y, lo, hi, np.zeros(y.size), lam, bias)
        f = K @ coef
    else:
        coef = maximise_in_parts(kernel, X, y, lo, hi, lam, bias)
        f = responses(kernel, X, coef)
    w = X.T @ coef if kernel.kind == parts.LINEAR else None
    f, squared = (f, max(0.0, coef @ f)) if w is None else (X @ w, w @ w)
    b = offset(lo, hi, coef, y - f) if bias else 0.0
    alpha = np.abs(coef)
    hinge = np.maximum(0.0, 1 - y * (f + b)).mean()
    primal, dual = lam / 2 * squared + hinge, lam * (alpha.sum() - squared / 2)
    return Optimum(*map(float, (primal, dual, primal - dual, math.sqrt(squared), hinge, b)), coef, alpha, w)


def gram(kernel: parts.Kernel, X) -> np.ndarray:
    """K(x_i, x_j) of all pairs; the linear one as a product of matrices, which is faster in many dimensions."""
    if kernel.kind != parts.LINEAR:
        return parts.gram(kernel, X)
    K = X @ X.T
    return K if isinstance(K, np.ndarray) else K.toarray()


def responses(kernel: parts.Kernel, X, coef: np.ndarray) -> np.ndarray:
    """f(x_i) = sum_j coef_j K(x_i, x_j), without ever holding the whole Gram matrix."""
    if kernel.kind == parts.LINEAR:
        return X @ (X.T @ coef)
    used, f = np.flatnonzero(coef), np.zeros(coef.size)
    for start in range(0, used.size, 500):
        block = used[start : start + 500]
        f += parts.gram(kernel, X, X[block]) @ coef[block]
    return f


def offset(lo, hi, coef, grad) -> float:
    """The best b: no coefficient that can rise has a gradient above it, none that can fall has one below it."""
    rising, falling = grad[coef < hi].max(initial=-np.inf), grad[coef > lo].min(initial=np.inf)
    if math.isinf(falling) or math.isinf(rising):  # one class only: every b on its side of the margin is best
        return rising if math.isinf(falling) else falling
    return (rising + falling) / 2


def shares(lo, hi, coef, residual):
    """What each example adds to (P - D) / lam, from residual = y - f - b: pull times room to follow it, never negative."""
    return np.where(residual > 0, residual * (hi - coef), residual * (lo - coef))


def maximise(K, target, lo, hi, coef, lam, bias, exact=EXACT):
    """The coefficients within [lo, hi] that maximise <target, coef> - 1/2 coef' K coef, of the given sum if `bias`."""
    n = coef.size
    if not bias:  # the origin of feature space joins, see above
        far = 2 * (hi - lo).sum()
        K, target, coef = np.pad(K, (0, 1)), np.append(target, 0.0), np.append(coef, 0.0)
        lo, hi = np.append(lo, -far), np.append(hi, far)
    coef, best, smallest = coef.copy(), coef, math.inf
    for k in range(ROUNDS):
        grad = target - K @ coef  # afresh: updates gather rounding errors
        b = offset(lo, hi, coef, grad) if bias else 0.0
        gap = lam * shares(lo, hi, coef, grad - b).sum()
        if smallest <= min(gap, ENOUGH):
            break
        if gap < smallest:
            best, smallest = coef.copy(), gap
        if gap <= exact:
            break
        ascend(K, lo, hi, coef, grad, 0.1 ** (k + 1), 2 * n)
        for _ in range(CLIMBS):
            if climb(K, lo, hi, coef, grad):
                break
    return best[:n]


def maximise_in_parts(kernel, X, y, lo, hi, lam, bias):
    """The same for many examples: again and again the optimum over those that add most to the gap, the others fixed."""
    coef, f = np.zeros(y.size), np.zeros(y.size)
    for _ in range(PASSES):
        residual = y - f - (offset(lo, hi, coef, y - f) if bias else 0.0)
        share = shares(lo, hi, coef, residual)
        gap = lam * share.sum()
        if gap <= EXACT:
            break
        order = np.argsort(np.copysign(share, residual), kind="stable")  # both ends: a sum needs two sides to balance
        part = np.concatenate([order[: WORKING // 2], order[-(WORKING // 2) :]])
        K, old = gram(kernel, X[part]), coef[part]
        change = np.zeros(y.size)
        new = maximise(K, (y - f)[part] + K @ old, lo[part], hi[part], old, lam, bias, max(EXACT / 2, gap / 100))
        change[part] = new - old
        coef[part] = new
        f += responses(kernel, X, change)
    return coef


@jit
def ascend(K, lo, hi, coef, grad, tol, steps):
    """Up to `steps` times raise one coefficient and lower another by as much, until no pair pulls harder than `tol`."""
    n = coef.size
    for _ in range(steps):
        i, lowest = -1, np.inf
        for k in range(n):
            if coef[k] < hi[k] and (i < 0 or grad[k] > grad[i]):
                i = k
            if coef[k] > lo[k]:
                lowest = min(lowest, grad[k])
        if i < 0 or grad[i] - lowest <= tol:
            return
        j, best, move = -1, 0.0, 0.0
        for k in range(n):
            slope, room = grad[i] - grad[k], min(hi[i] - coef[i], coef[k] - lo[k])
            if slope > 0.0 and room > 0.0:
                curvature = K[i, i] + K[k, k] - 2.0 * K[i, k]
                t = slope / curvature if slope < room * curvature else room
                gain = t * (slope - 0.5 * t * curvature)
                if gain > best:
                    j, best, move = k, gain, t
        if j < 0:
            return
        coef[i] = hi[i] if move == hi[i] - coef[i] else min(coef[i] + move, hi[i])
        coef[j] = lo[j] if move == coef[j] - lo[j] else max(coef[j] - move, lo[j])
        for k in range(n):
            grad[k] -= move * (K[i, k] - K[j, k])


def climb(K, lo, hi, coef, grad) -> bool:
    """One Newton step on the face of free coefficients; True if it ended on the top of the face or found no way up.

    The sum stays, because one of them, the pivot p, balances the others: in feature space all are seen from phi(x_p).
    """
    free = np.flatnonzero((coef > lo) & (coef < hi))
    if free.size < 2:
        return True
    old, lo, hi = coef[free], lo[free], hi[free]
    p = np.argmax(np.minimum(hi - old, old - lo))  # the one with most room
    H = K[np.ix_(free, free)]
    floor = RIDGE * (H.diagonal().max() or 1.0)
    H, g = H - H[p] - H[:, [p]] + H[p, p], grad[free] - grad[free[p]]
    scale = 1 / np.sqrt(np.maximum(H.diagonal(), floor))  # to a unit diagonal: the ridge must not drown short points
    d = scale * np.linalg.solve(scale * H * scale[:, None] + RIDGE * np.eye(free.size), scale * g)
    d[p] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = np.where(d == 0, np.inf, np.where(d > 0, hi - old, lo - old) / d)  # the t at which a bound is met
    balance = d.sum()
    t = min(1.0, reach.min(), np.inf if balance == 0 else max((old[p] - lo[p]) / balance, (old[p] - hi[p]) / balance))
    best, top = 0.0, False
    while True:  # follow the direction, bent at every bound that is met, for as long as it leads up
        new = np.where(reach <= t, np.where(d > 0, hi, lo), old + t * d)
        step = new - old
        gain, balanced = g @ step - step @ H @ step / 2, old[p] - step.sum()
        new[p] = min(max(balanced, lo[p]), hi[p])
        if gain <= best or abs(new[p] - balanced) > RIDGE * (hi[p] - lo[p]):
            break
        best, top, change = gain, t == 1.0, new - old
        if top:
            break
        t = min(1.0, 2 * t)
    if best > 0.0:
        coef[free] = old + change
        grad -= change @ K[free]
    return top or best == 0.0
