"""Small norm against small loss: the two ways through that trade-off, and how to change from one to
the other.

The regularised problem weighs the two by λ. The slack-constrained one (SBP, problem 2.3) asks for
the largest margin after an average slack of ν, over |w| <= 1. If w solves the first, then w / |w|
solves the second for  ν = L(w) / |w|,  with value 1 / |w| (Lemma 2.1): every point of the Pareto
front has both a λ and a ν.

Where ν is smaller than any λ > 0 would give, the data cannot be separated: then the best margin is
ν / min L,  and the ball is no constraint. The value is certified whichever way it was found: for
every p >= 0 with Σ p = 1 (and Σ p y = 0 with a bias)

    max f  <=  |Σ p_i y_i phi(x_i)| + n ν max p.

All this is found with the longest phi(x_i) about 1 and then given in the units of the data. Where
coefficients are too coarse, because ν is small or rows are long, it is looked for once more in
features (`interior`).
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from svmviz.data.problem import Problem
from svmviz.maths import kernels, losses
from svmviz.maths.water import water_level, water_level_with_bias
from svmviz.theory import certificate, interior, reference
from svmviz.work import limits, memo

EXACT, TRIES = 1e-11, 60
LEAST = 1e-9  # of the largest λ
FINE = 1e-7  # of the level: a certified error that is worth another way to look,
WORK = 2_000_000  # if a step of it takes no more multiplications
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
    w: np.ndarray | None = None  # where it was found without coefficients


class Slack(NamedTuple):
    """The maximiser of f over |w| <= 1, and the proof that it is."""

    level: float  # f(w)
    gap: float  # by how much the maximum may exceed it
    norm: float
    lam: float  # the regularised problem with the same direction; 0 where none has it
    b: float
    coef: np.ndarray
    w: np.ndarray | None  # (d,) where the kernel is linear
    rounding: float = 0.0  # what errors of rounding may have done to that
    unit: float = 1.0  # about the longest phi(x_i)

    @property
    def within(self) -> float:
        """How far the true maximum may be."""
        return max(0.0, self.gap) + self.rounding

    @property
    def exact(self) -> bool:
        return self.within <= max(certificate.EXACT * abs(self.level), interior.UNIT * self.unit)


class Space(NamedTuple):
    """The vectors phi(x_i): their inner products, and themselves where the kernel is linear, as
    those cancel less.
    """

    K: np.ndarray
    X: Any  # (n, features), dense or sparse, or None
    degree: int = 1  # of a polynomial: a small error in <x, z> is so many times larger in K(x, z)

    def responses(self, coef) -> tuple[np.ndarray, float]:
        """<w, phi(x_i)> for every i, and |w|"""
        if self.X is None:
            f = self.K @ coef
            return f, math.sqrt(max(0.0, coef @ f))
        w = self.X.T @ coef
        return self.X @ w, float(np.linalg.norm(w))

    def longest(self, coef) -> float:
        """What |w| cannot exceed, whatever rounding did, if no phi(x_i) is much longer than 1"""
        norm, doubt = self.responses(coef)[1], 2 * self.degree * np.finfo(float).eps
        total = np.abs(coef).sum()
        return norm + doubt * total if self.X is not None else math.sqrt(norm**2 + doubt * total**2)

    def shrunk(self, unit: float) -> "Space":
        return self._replace(K=self.K / unit / unit, X=None if self.X is None else self.X / unit)


def space(problem: Problem, kernel: kernels.Kernel | None) -> Space:
    kernel = kernel or kernels.linear()
    return Space(
        reference.gram(kernel, problem.X),
        problem.X if kernel.kind == kernels.LINEAR else None,
        kernel.degree,
    )


def solve(phi: Space, y, lam: float, bias: bool, near: Point | None = None) -> Point:
    """The optimum for λ, from a neighbour on the front if there is one."""
    C = 1 / (lam * y.size)
    lo, hi = np.minimum(0.0, y * C), np.maximum(0.0, y * C)
    start = (
        np.zeros(y.size) if near is None else near.coef * min(1.0, near.lam / lam)
    )  # shrunk, it stays feasible
    coef = reference.maximise(phi.K, y, lo, hi, np.clip(start, lo, hi), lam, bias)
    f, norm = phi.responses(coef)
    if not np.isfinite(f).all():
        return origin(y, lam)
    b = reference.offset(lo, hi, coef, y - f, bias)
    hinge = float(losses.hinges(y * (f + b)).mean())
    return Point(lam, hinge / norm if norm > 0 else math.inf, norm, hinge, coef, f, float(b))


def origin(y, lam: float) -> Point:
    """w = 0, where numbers are too large to find another"""
    return Point(lam, math.inf, 0.0, 1.0, np.zeros(y.size), np.zeros(y.size), 0.0)


def solve_in_features(phi: Space, y, lam: float, bias: bool, near: Point | None = None) -> Point:
    """The same, with w a sum of features"""
    fit = interior.solve(phi.X, y, lam, bias)
    if fit is None:
        return origin(y, lam)
    nu = fit.hinge / fit.norm if fit.norm > 0 else math.inf
    return Point(
        lam, nu, fit.norm, fit.hinge, y * fit.a / (lam * y.size), phi.X @ fit.w, fit.b, fit.w
    )


def size(phi: Space) -> float:
    """The power of two next to the longest phi(x_i), so that dividing by it changes no digit; 1
    where there is none
    """
    longest = math.sqrt(max(0.0, phi.K.diagonal().max()))
    return 2.0 ** round(math.log2(longest)) if 0 < longest < math.inf else 1.0


def better(one: Slack, other: Slack) -> Slack:
    """The one that is surely higher, below the lower of both bounds"""
    best = max(one, other, key=lambda slack: slack.level - slack.rounding)
    return best._replace(gap=min(one.level + one.gap, other.level + other.gap) - best.level)


class Way(NamedTuple):
    """How points of the front are found, and how far that carries."""

    solve: Callable[..., Point]
    least: float  # λ, of the largest
    stride: float  # from one λ to the next, until the right one lies between two
    exact: Callable[[float], float]  # (level) -> a gap that calls for no further work


BY_COEFFICIENTS = Way(solve, LEAST, 10.0, lambda level: EXACT)
IN_FEATURES = Way(solve_in_features, 1e-40, 1000.0, lambda level: 1e-10 * abs(level))


def search(phi: Space, y, nu, bias, way: Way) -> Slack:
    """Look for the λ whose optimum has this ν, and certify the best that was met on the way."""
    mean = phi.responses(y / y.size)[1]
    high = max((nu + mean) * mean, LEAST)  # exact if everything is under water, too large else
    best, upper, point, lam, ends = None, math.inf, None, high, {}
    for _ in range(TRIES):
        before, point = point, way.solve(phi, y, lam, bias, point)
        found = candidate(y, nu, bias, point)
        found = found._replace(rounding=doubt(phi, point, found))
        tie = EXACT / 10 * min(1.0, abs(found.level))
        if (
            best is None or found.level - found.rounding > best.level - best.rounding + tie
        ):  # else keep the larger λ
            best = found
        for alpha in (np.abs(point.coef), limit(y, bias, before, point)):
            upper = min(upper, promise(phi, y, nu, alpha))
        if upper - best.level <= way.exact(best.level) or lam <= way.least * high or limits.over():
            break
        ends[point.nu > nu] = (
            math.log(lam),
            math.log(max(point.nu, 1e-300)) - math.log(max(nu, 1e-300)),
        )
        lam = (
            between(ends)
            if len(ends) == 2
            else lam / way.stride
            if point.nu > nu
            else lam * way.stride
        )
    assert best is not None  # there is at least one try
    return best._replace(gap=upper - best.level)


@memo.lately
@limits.ONE_THREAD
@np.errstate(
    all="ignore"
)  # kernel values may be as large as they like: what is not finite is no optimum
def slack_optimum(
    problem: Problem, nu: float, kernel: kernels.Kernel | None = None, bias: bool = False
) -> Slack:
    """The exact optimum of the slack-constrained problem, to 1e-10 of the longest phi(x_i); where
    rounding or a limit (`limits`) forbids that, `within` says so, and `exact` is False.

    >>> from svmviz.data.problem import make_problem
    >>> best = slack_optimum(make_problem([[-2.0], [-1.0], [1.0]], [-1, -1, 1]), nu=0.1)
    >>> round(best.level, 6), bool(best.gap < 1e-10)
    (1.15, True)
    """
    if not (math.isfinite(nu) and nu >= 0):
        raise ValueError(f"nu must be at least 0, got {nu}")
    y, kernel, phi = problem.y, kernel or kernels.linear(), space(problem, kernel)
    unit = size(phi)
    phi = phi.shrunk(unit)
    best = search(phi, y, nu / unit, bias, BY_COEFFICIENTS)
    many = interior.components(kernel, problem.d)
    if (
        best.within > max(FINE * abs(best.level), interior.UNIT)
        and many**2 * problem.n <= WORK
        and not limits.over()
    ):
        features = phi._replace(X=interior.features(kernel, problem.X) / unit)
        best = better(best, search(features, y, nu / unit, bias, IN_FEATURES))
    w = (
        (phi.X.T @ best.coef if best.w is None else best.w)
        if kernel.kind == kernels.LINEAR
        else None
    )
    return best._replace(
        level=unit * best.level,
        gap=unit * best.gap,
        lam=unit * best.lam * unit,
        b=unit * best.b,
        coef=best.coef / unit,
        w=w,
        rounding=unit * best.rounding,
        unit=unit,
    )


def between(ends) -> float:
    """The next λ: where the line through both ends crosses, kept away from them."""
    (a, fa), (b, fb) = ends[False], ends[True]
    u = min(max(fa / (fa - fb), 0.02), 0.98) if math.isfinite(fa - fb) and fa != fb else 0.5
    return math.exp(a + u * (b - a))


def candidate(y, nu, bias, point: Point) -> Slack:
    """The best multiple of a point of the front: on the ball, or inside it if there is too little
    slack for that.
    """
    found = []
    for s in (
        {0.0, 1 / point.norm, min(1 / point.norm, nu / max(point.hinge, 1e-300))}
        if point.norm > 0
        else {0.0}
    ):
        c, volume = y * point.f * s, nu * y.size
        gamma, b = water_level_with_bias(c, y, volume) if bias else (water_level(c, volume), 0.0)
        lam = point.lam if s * point.norm > 1 - 1e-9 else 0.0
        w = None if point.w is None else s * point.w
        found.append(Slack(gamma, math.inf, s * point.norm, lam, b, s * point.coef, w))
    return max(found, key=lambda slack: slack.level)


def promise(phi: Space, y, nu, alpha) -> float:
    """What f cannot exceed, by the p proportional to alpha."""
    total = alpha.sum()
    if not total > 0:
        return math.inf
    p = alpha / total
    return phi.longest(y * p) + nu * y.size * p.max()


def doubt(phi: Space, point: Point, found: Slack) -> float:
    """By how much rounding may have raised the level of this multiple of a point, if no phi(x_i) is
    much longer than 1
    """
    if not found.norm > 0:
        return 0.0
    s = found.norm / point.norm
    if point.w is not None:
        return interior.UNIT * s * float((np.abs(phi.X) @ np.abs(point.w)).max())
    longer = phi.longest(point.coef) / point.norm - 1
    return 2 * phi.degree * interior.UNIT * s * float(np.abs(point.coef).sum()) + abs(
        found.level
    ) * min(1.0, longer)


def limit(y, bias: bool, before: Point | None, point: Point) -> np.ndarray:
    """The direction of alpha as λ goes to 0: on one face λ alpha is a straight line in λ, through
    two points here. Nothing if they lie on different faces, which shows in a sign or a sum.
    """
    if before is None or before.lam == point.lam:
        return np.zeros(y.size)
    a, b = (y * p.coef * p.lam for p in (before, point))
    alpha = (b * before.lam - a * point.lam) / (before.lam - point.lam)
    small = ROUNDING * np.abs(alpha).max()
    if alpha.min() < -small or (bias and abs(y @ np.maximum(0.0, alpha)) > small):
        return np.zeros(y.size)
    return np.maximum(0.0, alpha)


def nu_from_lam(
    problem: Problem, lam: float, kernel: kernels.Kernel | None = None, bias: bool = False
) -> float:
    """ν = L(w*) / |w*|, as in Section 5 of the paper."""
    best = reference.optimum(problem, lam, kernel, bias)
    if best.norm == 0:
        raise ValueError(f"w = 0 is the optimum for lam = {lam}, and has no nu")
    return best.hinge / best.norm


def lam_from_nu(
    problem: Problem, nu: float, kernel: kernels.Kernel | None = None, bias: bool = False
) -> float:
    """The λ whose optimum has this ν = L / |w|; 0 where ν is smaller than any λ gives."""
    from scipy.optimize import brentq  # a quarter of a second, which a first picture does without

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


@limits.ONE_THREAD
def front(
    problem: Problem, kernel: kernels.Kernel | None = None, bias: bool = False, lams=None
) -> list[Point]:
    """Points of the Pareto front from short w to long, as many as a limit allows; 25 values of λ
    from 10 to 1e-5 by default.
    """
    phi, points = space(problem, kernel), []
    for lam in np.geomspace(10, 1e-5, 25) if lams is None else lams:
        point = solve(phi, problem.y, float(lam), bias, points[-1] if points else None)
        if limits.over():  # what was found in haste lies above the front
            break
        points.append(point)
    return points
