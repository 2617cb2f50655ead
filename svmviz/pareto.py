"""Small norm against small loss: the two ways through that trade-off, and how to change from one to the other.

The regularised problem weighs the two by λ. The slack-constrained one (SBP, problem 2.3) asks for the largest margin after
an average slack of ν, over |w| <= 1. If w solves the first, then w / |w| solves the second for  ν = L(w) / |w|,  with value
1 / |w| (Lemma 2.1): every point of the Pareto front has both a λ and a ν.

Where ν is smaller than any λ > 0 would give, the data cannot be separated: then the best margin is  ν / min L,  and the ball
is no constraint. The value is certified whichever way it was found: for every p >= 0 with Σ p = 1 (and Σ p y = 0 with a bias)

    max f  <=  |Σ p_i y_i phi(x_i)| + n ν max p.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from svmviz import limits, parts, recall, reference
from svmviz.core import Problem
from svmviz.water import water_level, water_level_with_bias

EXACT, TRIES = 1e-11, 60
LEAST = 1e-9  # of the largest λ
ROUNDING = 1e-11


class Point(NamedTuple):
    """A point of the front: the optimum for one λ."""

    lam: float
    nu: float
    norm: float  # |w|
    hinge: float  # mean hinge loss
    coef: np.ndarray
    f: np.ndarray  # (n,) responses, without b
    b: float


class Slack(NamedTuple):
    """The maximiser of f over |w| <= 1, and the proof that it is."""

    level: float  # f(w)
    gap: float  # by how much the maximum may exceed it
    norm: float
    lam: float  # the regularised problem with the same direction; 0 where none has it
    b: float
    coef: np.ndarray
    w: np.ndarray | None  # (d,) where the kernel is linear


class Space(NamedTuple):
    """The vectors phi(x_i): their inner products, and themselves where the kernel is linear, as those cancel less."""

    K: np.ndarray
    X: np.ndarray | None

    def responses(self, coef) -> tuple[np.ndarray, float]:
        """<w, phi(x_i)> for every i, and |w|"""
        if self.X is None:
            f = self.K @ coef
            return f, math.sqrt(max(0.0, coef @ f))
        w = self.X.T @ coef
        return self.X @ w, float(np.linalg.norm(w))


def space(problem: Problem, kernel: parts.Kernel | None) -> Space:
    kernel = kernel or parts.linear()
    return Space(reference.gram(kernel, problem.X), problem.X if kernel.kind == parts.LINEAR else None)


def solve(phi: Space, y, lam: float, bias: bool, near: Point | None = None) -> Point:
    """The optimum for λ, from a neighbour on the front if there is one."""
    C = 1 / (lam * y.size)
    lo, hi = np.minimum(0.0, y * C), np.maximum(0.0, y * C)
    start = np.zeros(y.size) if near is None else near.coef * min(1.0, near.lam / lam)  # shrunk, it stays feasible
    coef = reference.maximise(phi.K, y, lo, hi, np.clip(start, lo, hi), lam, bias)
    f, norm = phi.responses(coef)
    b = reference.offset(lo, hi, coef, y - f, bias)
    hinge = float(np.maximum(0.0, 1 - y * (f + b)).mean())
    return Point(lam, hinge / norm if norm > 0 else math.inf, norm, hinge, coef, f, float(b))


@recall.lately
@reference.ONE_THREAD
def slack_optimum(problem: Problem, nu: float, kernel: parts.Kernel | None = None, bias: bool = False) -> Slack:
    """The exact optimum of the slack-constrained problem, to 1e-10; where a limit (`limits`) came before, `gap` says so.

    >>> from svmviz.core import make_problem
    >>> best = slack_optimum(make_problem([[-2.0], [-1.0], [1.0]], [-1, -1, 1]), nu=0.1)
    >>> round(best.level, 6), bool(best.gap < 1e-10)
    (1.15, True)
    """
    if not (math.isfinite(nu) and nu >= 0):
        raise ValueError(f"nu must be at least 0, got {nu}")
    y, phi = problem.y, space(problem, kernel)
    mean = phi.responses(y / y.size)[1]
    high = max((nu + mean) * mean, LEAST)  # exact if everything is under water, too large else
    best, upper, point, lam, ends = None, math.inf, None, high, {}
    for _ in range(TRIES):
        before, point = point, solve(phi, y, lam, bias, point)
        found = candidate(y, nu, bias, point)
        if best is None or found.level > best.level + EXACT / 10:  # else keep the larger λ: its coefficients cancel less
            best = found
        for alpha in (np.abs(point.coef), limit(y, bias, before, point)):
            upper = min(upper, promise(phi, y, nu, alpha))
        if upper - best.level <= EXACT or lam <= LEAST * high or limits.over():
            break
        ends[point.nu > nu] = (math.log(lam), math.log(max(point.nu, 1e-300)) - math.log(max(nu, 1e-300)))
        lam = between(ends) if len(ends) == 2 else lam / 10 if point.nu > nu else lam * 10
    w = None if phi.X is None else phi.X.T @ best.coef
    return best._replace(gap=upper - best.level, w=w)


def between(ends) -> float:
    """The next λ: where the line through both ends crosses, kept away from them."""
    (a, fa), (b, fb) = ends[False], ends[True]
    u = min(max(fa / (fa - fb), 0.02), 0.98) if math.isfinite(fa - fb) and fa != fb else 0.5
    return math.exp(a + u * (b - a))


def candidate(y, nu, bias, point: Point) -> Slack:
    """The best multiple of a point of the front: on the ball, or inside it if there is too little slack for that."""
    found = []
    for s in {0.0, 1 / point.norm, min(1 / point.norm, nu / max(point.hinge, 1e-300))} if point.norm > 0 else {0.0}:
        c, volume = y * point.f * s, nu * y.size
        gamma, b = water_level_with_bias(c, y, volume) if bias else (water_level(c, volume), 0.0)
        lam = point.lam if s * point.norm > 1 - 1e-9 else 0.0
        found.append(Slack(gamma, math.inf, s * point.norm, lam, b, s * point.coef, None))
    return max(found, key=lambda slack: slack.level)


def promise(phi: Space, y, nu, alpha) -> float:
    """What f cannot exceed, by the p proportional to alpha."""
    total = alpha.sum()
    if not total > 0:
        return math.inf
    p = alpha / total
    return phi.responses(y * p)[1] + nu * y.size * p.max()


def limit(y, bias: bool, before: Point | None, point: Point) -> np.ndarray:
    """The direction of alpha as λ goes to 0: on one face λ alpha is a straight line in λ, through two points here. Nothing if
    they lie on different faces, which shows in a sign or a sum."""
    if before is None or before.lam == point.lam:
        return np.zeros(y.size)
    a, b = (y * p.coef * p.lam for p in (before, point))
    alpha = (b * before.lam - a * point.lam) / (before.lam - point.lam)
    small = ROUNDING * np.abs(alpha).max()
    if alpha.min() < -small or (bias and abs(y @ np.maximum(0.0, alpha)) > small):
        return np.zeros(y.size)
    return np.maximum(0.0, alpha)


def nu_from_lam(problem: Problem, lam: float, kernel: parts.Kernel | None = None, bias: bool = False) -> float:
    """ν = L(w*) / |w*|, as in Section 5 of the paper."""
    best = reference.optimum(problem, lam, kernel, bias)
    if best.norm == 0:
        raise ValueError(f"w = 0 is the optimum for lam = {lam}, and has no nu")
    return best.hinge / best.norm


def lam_from_nu(problem: Problem, nu: float, kernel: parts.Kernel | None = None, bias: bool = False) -> float:
    """The λ whose optimum has this ν = L / |w|; 0 where ν is smaller than any λ gives."""
    high = slack_optimum(problem, nu, kernel, bias)
    if high.norm < 1 - 1e-9 or nu == 0:
        return 0.0
    phi = space(problem, kernel)

    def excess(log_lam):
        return math.log(solve(phi, problem.y, math.exp(log_lam), bias).nu / nu)

    low = up = math.log(high.lam)
    while excess(low) > 0:
        low -= 1.0
    while excess(up) < 0:
        up += 1.0
    return math.exp(brentq(excess, low, up, xtol=1e-12)) if low < up else math.exp(low)


@reference.ONE_THREAD
def front(problem: Problem, kernel: parts.Kernel | None = None, bias: bool = False, lams=None) -> list[Point]:
    """Points of the Pareto front from short w to long, as many as a limit allows; 25 values of λ from 10 to 1e-5 by default."""
    phi, points = space(problem, kernel), []
    for lam in np.geomspace(10, 1e-5, 25) if lams is None else lams:
        point = solve(phi, problem.y, float(lam), bias, points[-1] if points else None)
        if limits.over():  # what was found in haste lies above the front
            break
        points.append(point)
    return points
