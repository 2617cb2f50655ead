"""The exact optimum of the SVM objective, with a certificate: the reference that every solver is
measured against.

Primal and dual in the scale of `record.solver`, with C = 1 / (lam n) and w = sum_i alpha_i y_i
phi(x_i):

    P(w, b)  = lam/2 |w|² + 1/n sum_i max(0, 1 - y_i (<w, phi(x_i)> + b)) D(alpha) = lam (sum_i
    alpha_i - 1/2 |w|²),   0 <= alpha_i <= C,   and  sum_i alpha_i y_i = 0  if there is a bias b.

P >= D, with equality at the optimum alone: P - D bounds the error of both, whatever method found
them. In terms of coef_i = y_i alpha_i signs vanish:  D / lam = <y, coef> - 1/2 coef' K coef,  of
gradient  y - f  with  f = K coef; coef_i lies between 0 and y_i C; a bias asks for  sum_i coef_i =
0.

Two methods take turns. `ascend`, sequential minimal optimisation (Platt 1998; choice of the pair
after Fan, Chen and Lin 2005), is cheap and finds out which coefficients are at a bound, but creeps
along narrow ridges. `climb`, Newton's method on the face of the others, goes straight to the top of
the face, exactly, but must be told the face.

Without a bias nothing couples the coefficients. They then get a companion: the origin of feature
space, a point with K = 0, label 0 and an unbounded coefficient, which balances any sum and costs
nothing. One method thus serves both.
"""

import math

import numpy as np

from svmviz.data.problem import Problem
from svmviz.maths import kernels
from svmviz.maths.losses import HINGE, Loss
from svmviz.maths.machine.jit import jit
from svmviz.theory import smooth
from svmviz.theory.certificate import (
    Optimum,
    certified,
    gram,
    in_features,
    offset,
    responses,
    stretched,
)
from svmviz.work import limits, memo

EXACT = 1e-12  # a gap that calls for no further work,
ENOUGH = 1e-10  # and one that is worth improving only until rounding errors forbid it
FINE = 1e-7  # of P: a certified error that is worth another way to look,
TRIFLE = 1e-14  # unless it is nothing beside P(0) = 1
ROUNDS, PASSES = (
    50,
    60,
)  # turns of both methods; passes over sets that are too large to be solved at once
RIDGES = (
    1e-13,
    1e-10,
    1e-7,
    1e-4,
)  # relative: a trace of curvature where there is none; more if rounding spoils a step
WORKING = 2000  # examples that are solved at once, with their Gram matrix in memory (32 MB)


@memo.lately
@limits.ONE_THREAD
@np.errstate(
    all="ignore"
)  # kernel values may be as large as they like: what is not finite is no optimum
def optimum(
    problem: Problem,
    lam: float,
    kernel: kernels.Kernel | None = None,
    bias: bool = False,
    loss: Loss | None = None,
) -> Optimum:
    """The exact minimiser of P; without a kernel the linear one, without `bias` b = 0. With another
    loss than the hinge see `smooth`.

    The work is bounded: where rounding errors, sheer size or a limit (`limits`) forbid an exact
    answer, `within` says so, and `exact` is False.

    >>> from svmviz.data.problem import make_problem
    >>> best = optimum(make_problem([[-3.0], [-1.0], [2.0]], [-1, -1, 1]), lam=0.1, bias=True)
    >>> print(
    ...     best.w.round(4),
    ...     round(best.b, 4),
    ...     best.alpha.round(4),
    ...     round(best.primal, 4),
    ...     abs(best.gap) < 1e-12,
    ... )
    [0.6667] -0.3333 [0.     0.2222 0.2222] 0.0222 True
    """
    if not (math.isfinite(lam) and lam > 0):
        raise ValueError(f"lam must be positive, got {lam}")
    X, y = problem
    kernel = kernels.linear() if kernel is None else kernel
    if loss is not None and loss.kind != HINGE:
        if bias:
            raise ValueError(
                f"with a bias there is an exact optimum for the hinge only, got the {loss} loss"
            )
        return smooth.optimum(problem, lam, kernel, loss)
    C = 1 / (lam * y.size)
    lo, hi = np.minimum(0.0, y * C), np.maximum(0.0, y * C)
    if y.size <= WORKING:
        K = gram(kernel, X, more=not bias)
        coef = maximise(K, y, lo, hi, np.zeros(y.size), lam, bias)
    else:
        K, coef = None, maximise_in_parts(kernel, X, y, lo, hi, lam, bias)
    best = certified(kernel, problem, lam, coef, bias, K=K)
    if not best.within <= 1:  # or not a number
        best = certified(kernel, problem, lam, np.zeros(y.size), bias)
    for closer in (stretched, in_features):
        if best.within > max(FINE * best.primal, TRIFLE):
            best = min(
                [best, *closer(kernel, problem, lam, bias, best)], key=lambda found: found.within
            )
    return best


def shares(lo, hi, coef, residual):
    """What each example adds to (P - D) / lam: its residual y - f - b times the room to follow it,
    never negative.
    """
    return np.where(residual > 0, residual * (hi - coef), residual * (lo - coef))


def maximise(K, target, lo, hi, coef, lam, bias, exact=EXACT):
    """Maximise <target, coef> - 1/2 coef' K coef within [lo, hi]; a bias keeps the sum that `coef`
    starts with.
    """
    n = coef.size
    if not bias:  # the origin of feature space joins in
        far = 2 * (hi - lo).sum()
        K = np.pad(K, (0, 1)) if len(K) == n else K  # where there is no room for it yet
        target, coef = np.append(target, 0.0), np.append(coef, 0.0)
        lo, hi = np.append(lo, -far), np.append(hi, far)
    coef, best, smallest = coef.copy(), coef, math.inf
    for k in range(ROUNDS):
        grad = target - K @ coef  # afresh, as updates gather rounding errors
        gap = lam * shares(lo, hi, coef, grad - offset(lo, hi, coef, grad, bias)).sum()
        stuck = gap >= smallest
        if not stuck:
            best, smallest = coef.copy(), gap
        if smallest <= (ENOUGH if stuck else exact) or limits.over():
            break
        tol = 0.1 ** (k + 1)
        ascend(K, lo, hi, coef, grad, tol, max(8 * n >> k // 2, 30))
        face = movable(lo, hi, coef, grad - offset(lo, hi, coef, grad, bias), tol)
        for _ in range(
            min(10 << k, n)
        ):  # the better the face is known, the less to look for it, the more to climb it
            if climb(K, lo, hi, coef, grad, face) or limits.over():
                break
    return best[:n]


def maximise_in_parts(kernel, X, y, lo, hi, lam, bias):
    """The same for many examples: again and again those that matter most are solved, with all
    others held fixed.
    """
    coef, residual = guess(kernel, X, y, lo, hi, lam, bias)
    f, gap, k = responses(kernel, X, coef), 1.0, WORKING // 4
    for _ in range(PASSES):
        near = np.argsort(np.abs(residual))[: 2 * k]  # to the margin: these may yet be free
        order = np.argsort(np.copysign(shares(lo, hi, coef, residual), residual))
        part = np.union1d(
            near, np.concatenate([order[:k], order[-k:]])
        )  # both ends: a sum needs a counterweight
        K, old, change = gram(kernel, X[part]), coef[part], np.zeros(y.size)
        coef[part] = maximise(
            K,
            (y - f)[part] + K @ old,
            lo[part],
            hi[part],
            old,
            lam,
            bias,
            max(EXACT / 2, gap / 100),
        )
        change[part] = coef[part] - old
        f += responses(kernel, X, change)
        residual = y - f - offset(lo, hi, coef, y - f, bias)
        gap = lam * shares(lo, hi, coef, residual).sum()
        if gap <= EXACT or limits.over():
            break
    return coef


def guess(kernel, X, y, lo, hi, lam, bias):
    """Coefficients at the bounds where the optimum of a random sample would have them, and its
    residuals.
    """
    sample, coef = np.random.default_rng(0).choice(y.size, WORKING, replace=False), np.zeros(y.size)
    best = optimum.__wrapped__(
        Problem(X[sample], y[sample]), lam, kernel, bias
    )  # nobody will ask for this one again
    coef[sample] = best.coef
    residual = y - responses(kernel, X, coef) - best.b
    coef = np.where(residual > 0, hi, lo)
    if bias:  # the examples nearest to the margin change sides until the sum is 0
        order, total = np.argsort(np.abs(residual)), coef.sum()
        moved = np.clip(
            np.cumsum((np.where(total > 0, lo, hi) - coef)[order]), -abs(total), abs(total)
        )
        coef[order] = np.clip(coef[order] + np.diff(moved, prepend=0.0), lo[order], hi[order])
    return coef, residual


@jit
def ascend(K, lo, hi, coef, grad, tol, steps):
    """Up to `steps` times raise one coefficient and lower another as much, until no two gradients
    differ by `tol`.
    """
    for _ in range(steps):
        i, lowest = -1, np.inf
        for k in range(coef.size):
            if coef[k] < hi[k] and (i < 0 or grad[k] > grad[i]):
                i = k
            if coef[k] > lo[k]:
                lowest = min(lowest, grad[k])
        if i < 0 or grad[i] - lowest <= tol:
            return
        j, best, move = -1, 0.0, 0.0
        for k in range(coef.size):
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
        for k in range(coef.size):
            grad[k] -= move * (K[i, k] - K[j, k])


def movable(lo, hi, coef, residual, tol):
    """The face to climb: what is free, and up to 50 coefficients that are pulled off a bound by
    more than `tol`.
    """
    face = (coef > lo) & (coef < hi)
    pull = np.where(face | (np.abs(residual) <= tol), 0.0, shares(lo, hi, coef, residual))
    hardest = np.argsort(pull)[-50:]
    face[hardest] |= pull[hardest] > 0
    return face


def climb(K, lo, hi, coef, grad, face) -> bool:
    """One Newton step on the face, which loses what meets a bound; True on top of the face or if
    nothing leads up.
    """
    free = np.flatnonzero(face)
    if free.size < 2:
        return True
    old, lo, hi, H, g = coef[free], lo[free], hi[free], K[np.ix_(free, free)], grad[free]
    # The pivot p balances the others, which keeps the sum: in feature space all are seen from
    # phi(x_p).
    p = np.argmin(
        np.where((old > lo) & (old < hi), H.diagonal(), np.inf)
    )  # the shortest costs least precision
    floor = H[p, p] or RIDGES[0] * H.diagonal().max() or 1.0
    H, g = H - H[p] - H[:, [p]] + H[p, p], g - g[p]
    scale = 1 / np.sqrt(
        np.maximum(H.diagonal(), floor)
    )  # to a unit diagonal, lest the ridge drown short vectors
    for ridge in RIDGES:
        d = scale * np.linalg.solve(
            scale * H * scale[:, None] + ridge * np.eye(free.size), scale * g
        )
        d[p] -= d.sum()
        room = np.where(d > 0, hi, lo) - old
        if not room.all():  # pulled off a bound by itself, but not in company
            face[free[room == 0]] = False
            return False
        step, top = follow(d, room, H, g, p, lo[p] - old[p], hi[p] - old[p], np.abs(old).max())
        if step is not None:
            coef[free] = np.where(step == room, np.where(d > 0, hi, lo), old + step)
            face[free] = (coef[free] > lo) & (coef[free] < hi)
            grad -= step @ K[free]
            return top
    return True


def follow(d, room, H, g, p, low, high, size):
    """The step along d, bent at every bound that it meets, for as long as it leads up; and whether
    it is all of d.
    """
    reach = np.full(d.size, np.inf)
    np.divide(room, d, out=reach, where=np.abs(d) > 1e-200)  # the t at which t d meets a bound
    t, best, way = min(1.0, reach.min()), 0.0, None
    while True:
        step = np.where(reach <= t, room, t * d)
        step[p] = 0.0
        gain, balance = g @ step - step @ H @ step / 2, -step.sum()
        step[p] = min(max(balance, low), high)
        if not (
            gain > best
            and abs(step[p] - balance) <= 1e-13 * min(high - low, size + np.abs(step).max())
        ):
            return way, False
        if t == 1.0:
            return step, True
        t, best, way = min(1.0, 2 * t), gain, step
