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

from svmviz import parts, reference
from svmviz.core import Problem
from svmviz.water import water_level, water_level_with_bias

EXACT, TRIES = 1e-11, 60
LEAST = 1e-9  # of the largest λ


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


def solve(K, y, lam: float, bias: bool, near: Point | None = None) -> Point:
    """The optimum for λ, from a neighbour on the front if there is one."""
    C = 1 / (lam * y.size)
    lo, hi = np.minimum(0.0, y * C), np.maximum(0.0, y * C)
    start = np.zeros(y.size) if near is None else near.coef * min(1.0, near.lam / lam)  # shrunk, it stays feasible
    coef = reference.maximise(K, y, lo, hi, np.clip(start, lo, hi), lam, bias)
    f = K @ coef
    b = reference.offset(lo, hi, coef, y - f, bias)
    norm, hinge = math.sqrt(max(0.0, coef @ f)), float(np.maximum(0.0, 1 - y * (f + b)).mean())
    return Point(lam, hinge / norm if norm > 0 else math.inf, norm, hinge, coef, f, float(b))


@reference.ONE_THREAD
def slack_optimum(problem: Problem, nu: float, kernel: parts.Kernel | None = None, bias: bool = False) -> Slack:
    """The exact optimum of the slack-constrained problem.

    >>> from svmviz.core import make_problem
    >>> best = slack_optimum(make_problem([[-2.0], [-1.0], [1.0]], [-1, -1, 1]), nu=0.1)
    >>> round(best.level, 6), best.gap < 1e-10
    (1.15, True)
    """
    if not (math.isfinite(nu) and nu >= 0):
        raise ValueError(f"nu must be at least 0, got {nu}")
    X, y = problem
    kernel = kernel or parts.linear()
    K = reference.gram(kernel, X)
    mean = math.sqrt(max(0.0, y @ K @ y)) / y.size
    high = max((nu + mean) * mean, LEAST)  # exact if everything is under water, too large else
    best, upper, point, lam, ends = None, math.inf, None, high, {}
    for _ in range(TRIES):
        before, point = point, solve(K, y, lam, bias, point)
        found = candidate(y, nu, bias, point)
        best = found if best is None or found.level > best.level else best
        for alpha in (np.abs(point.coef), limit(y, before, point)):
            upper = min(upper, promise(K, y, nu, alpha))
        if upper - best.level <= EXACT or lam <= LEAST * high:
            break
        ends[point.nu > nu] = (math.log(lam), math.log(max(point.nu, 1e-300)) - math.log(max(nu, 1e-300)))
        lam = between(ends) if len(ends) == 2 else lam / 10 if point.nu > nu else lam * 10
    w = X.T @ best.coef if kernel.kind == parts.LINEAR else None
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


def promise(K, y, nu, alpha) -> float:
    """What f cannot exceed, by the p proportional to alpha."""
    total = alpha.sum()
    if not total > 0:
        return math.inf
    p = alpha / total
    return math.sqrt(max(0.0, (y * p) @ K @ (y * p))) + nu * y.size * p.max()


def limit(y, before: Point | None, point: Point) -> np.ndarray:
    """The direction of alpha as λ goes to 0: on one face λ alpha is a straight line in λ, through two points here."""
    if before is None or before.lam == point.lam:
        return np.zeros(y.size)
    a, b = (y * p.coef * p.lam for p in (before, point))
    return np.maximum(0.0, (b * before.lam - a * point.lam) / (before.lam - point.lam))


def nu_from_lam(problem: Problem, lam: float, kernel: parts.Kernel | None = None, bias: bool = False) -> float:
    """ν = L(w*) / |w*|, as in Section 5 of the paper."""
    best = reference.optimum(problem, lam, kernel, bias)
    if best.norm == 0:
        raise ValueError(f"w = 0 is the optimum for lam = {lam}, and has no nu")
    return best.hinge / best.norm


def lam_from_nu(problem: Problem, nu: float, kernel: parts.Kernel | None = None, bias: bool = False) -> float:
    """The λ whose optimum points the same way; 0 where ν is smaller than any λ gives."""
    return slack_optimum(problem, nu, kernel, bias).lam


@reference.ONE_THREAD
def front(problem: Problem, kernel: parts.Kernel | None = None, bias: bool = False, lams=None) -> list[Point]:
    """Points of the Pareto front from short w to long; 25 values of λ from 10 to 1e-5 by default."""
    K, points = reference.gram(kernel or parts.linear(), problem.X), []
    for lam in np.geomspace(10, 1e-5, 25) if lams is None else lams:
        points.append(solve(K, problem.y, float(lam), bias, points[-1] if points else None))
    return points
