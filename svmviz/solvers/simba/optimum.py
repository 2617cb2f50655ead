"""The exact optimum of SIMBA's problem, which unlike SBP's bounds the slack of a point and the
bias,

    max γ   over  |w| <= 1,  |b| <= 1,  0 <= ξ_i <= 2     with  c_i + ξ_i >= γ,  Σ ξ_i <= n ν,

where c_i = y_i (<w, x_i> + b) and the longest row has length 1 (problem 3 of the paper).

Where neither bound is met it is SBP's optimum. If there is slack for everybody it is the widest
margin, plus 2. If the ball is no constraint it is a linear programme. Else γ is the root of V(γ) =
ν, with V(γ) the least mean of max(0, γ - c_i) over the ball where all c_i >= γ - 2: convex, so
Newton's method finds it. And V is an SVM's: every example stands in it twice, once asked for γ at
the price of its slack, once for γ - 2 at nearly any price, and λ is such that |w| = 1.

Whichever way it was found, it is certified: for every p >= 0 with Σ p = 1

    max f  <=  |Σ p_i y_i x_i| + |Σ p_i y_i| (with a bias) + max { <p, ξ> : 0 <= ξ <= 2, Σ ξ <= n ν
    }.
"""

import math
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.data.projection import dense
from svmviz.solvers.simba.judge import judge
from svmviz.solvers.simba.start import radius
from svmviz.solvers.simba.weights import SLACK_PER_POINT
from svmviz.theory import pareto, reference
from svmviz.work import limits, memo

EXACT = 1e-10  # a gap that calls for no further work, of the longest row
FIRM = 100.0  # the price of a margin below γ - 2, where slack costs 1/n
LEAST = 1e-6  # λ: below, the ball is no constraint
ROUNDS, TRIES = 25, 40  # values of γ, and of λ for each
UP_TO = 500  # examples: each stands twice in a dense matrix


class Best(NamedTuple):
    """The maximiser, and the proof that it is."""

    level: float  # f(w)
    gap: float  # by how much the maximum may exceed it
    norm: float  # |w|
    b: float
    w: np.ndarray
    rounding: float = 0.0
    unit: float = 1.0  # the longest row

    within, exact = pareto.Slack.within, pareto.Slack.exact


class Search:
    """What is known so far: the best w, and what no w can exceed."""

    def __init__(self, X, y, nu: float, bias: bool):
        self.X, self.y, self.volume, self.bias = X, y, min(nu, SLACK_PER_POINT) * y.size, bias
        self.level, self.upper, self.b, self.w = -math.inf, math.inf, 0.0, np.zeros(X.shape[1])

    def vector(self, coef) -> np.ndarray:
        """w of coefficients with which every example stands twice"""
        n = self.y.size
        return self.X.T @ (coef[:n] + coef[n : 2 * n])

    def weigh(self, w) -> None:
        """Keep w, or what of it lies in the ball, if it is better than all before."""
        w = w / max(1.0, np.linalg.norm(w))
        level, b = judge(
            self.y * (self.X @ w), self.y, self.volume, self.bias, *np.zeros((2, self.y.size))
        )
        if level > self.level:
            self.level, self.b, self.w = level, b, w

    def certify(self, p) -> None:
        """Bound the maximum by weights p of the examples."""
        p = np.maximum(0.0, p)
        if not p.sum() > 0:
            return
        p = p / p.sum()
        full, largest = int(self.volume / SLACK_PER_POINT), np.append(np.sort(p)[::-1], 0.0)
        slack = (
            SLACK_PER_POINT * largest[:full].sum()
            + (self.volume - SLACK_PER_POINT * full) * largest[full]
        )
        pull = np.linalg.norm(self.X.T @ (p * self.y)) + (abs(p @ self.y) if self.bias else 0.0)
        self.upper = min(self.upper, pull + slack)

    @property
    def gap(self) -> float:
        return max(0.0, self.upper - self.level)


@memo.lately
@limits.ONE_THREAD
def optimum(problem, nu: float, bias: bool = False) -> Best:
    """The exact optimum in the units of the data; the gap is infinite where there are too many
    examples to look for it.

    >>> from svmviz.data.problem import make_problem
    >>> best = optimum(
    ...     make_problem([[1.0], [1.0], [-1.0], [-1.0], [1.0]], [1, 1, -1, -1, -1]), nu=0.8
    ... )
    >>> print(
    ...     round(best.level, 6), best.w.round(6), bool(best.gap < 1e-9)
    ... )  # a longer w would need more than 2 for the last
    1.25 [0.75] True
    """
    free, R = pareto.slack_optimum(problem, nu, None, bias), radius(problem.X)
    lowest = float((problem.y * (problem.X @ free.w + free.b)).min())
    if free.level - lowest <= (SLACK_PER_POINT + 1e-9) * R and abs(free.b) <= (1 + 1e-9) * R:
        return Best(free.level, free.gap, free.norm, free.b, free.w, free.rounding, R)
    if problem.n > UP_TO:
        return Best(free.level, math.inf, free.norm, free.b, free.w, free.rounding, R)
    search = Search(dense(problem.X) / R, problem.y, nu / R, bias)
    hard = pareto.slack_optimum(problem, 0.0, None, bias)
    for w in (free.w, hard.w):
        search.weigh(w)
    search.certify(np.abs(hard.coef))
    for way in (
        (inside, on_the_ball) if problem.d < problem.n else (on_the_ball, inside)
    ):  # many features: w wants to be long
        if search.gap > EXACT and not limits.over():
            way(search)
    return Best(
        *map(float, (R * search.level, R * search.gap, np.linalg.norm(search.w), R * search.b)),
        search.w,
        unit=R,
    )


def inside(search: Search) -> None:
    """The linear programme without the ball: in w, b, γ, ξ."""
    from scipy.optimize import linprog  # a quarter of a second, which a first picture does without

    X, y = search.X, search.y
    n, d = X.shape
    signed = sp.csr_array(y[:, None] * X)
    ask = sp.hstack([-signed, -y[:, None], np.ones((n, 1)), -sp.eye_array(n)])
    spent = sp.csr_array(np.r_[np.zeros(d + 2), np.ones(n)][None])
    edge = (-1, 1) if search.bias else (0, 0)
    bounds = [*[(-1, 1)] * d, edge, (None, None), *[(0, SLACK_PER_POINT)] * n]
    found = linprog(
        -np.eye(1, d + 2 + n, d + 1).ravel(),
        sp.vstack([ask, spent]),
        np.r_[np.zeros(n), search.volume],
        bounds=bounds,
        method="highs",
        options={"time_limit": limits.left()},
    )
    if found.status == 0:
        search.weigh(found.x[:d])
        search.certify(-found.ineqlin.marginals[:n])


def on_the_ball(search: Search) -> None:
    """Newton's method for V(γ) = ν, from the best level so far."""
    X, y, n = search.X, search.y, search.y.size
    ends = [1.0, -1.0] if search.bias else []  # the bounds of b: two points at the origin
    K, labels = np.pad(np.tile(X @ X.T, (2, 2)), (0, len(ends))), np.r_[y, y, ends]
    prices, gamma, lam = (
        labels * np.r_[np.full(n, 1 / n), np.full(labels.size - n, FIRM)],
        search.level,
        0.1,
    )
    for _ in range(ROUNDS):
        target = np.r_[gamma * y, (gamma - SLACK_PER_POINT) * y, np.negative(ends)]
        coef, b, lam = fitted(search, K, prices, target, lam)
        slope = lam * np.abs(coef[: 2 * n]).sum()  # of V
        if search.gap <= EXACT or not slope > 0:
            return
        short = gamma - y * (X @ search.vector(coef) + b)
        V = np.maximum(0.0, short).mean() + FIRM * (
            np.maximum(0.0, short - SLACK_PER_POINT).sum() + max(0.0, abs(b) - 1)
        )
        before, gamma = gamma, min(gamma - (V - search.volume / n) / slope, search.upper)
        if abs(gamma - before) <= 1e-15 or limits.over():
            return


def fitted(search: Search, K, prices, target, lam: float) -> tuple[np.ndarray, float, float]:
    """Coefficients, b and λ of the SVM whose w lies on the ball, or inside it for the least λ."""
    known = {}
    for _ in range(TRIES):
        lo, hi = np.minimum(0.0, prices / lam), np.maximum(0.0, prices / lam)
        coef, used = (
            reference.maximise(K, target, lo, hi, np.zeros(prices.size), lam, search.bias),
            lam,
        )
        w = search.vector(coef)
        search.weigh(w)
        search.certify(
            np.abs(coef[: search.y.size]) + np.abs(coef[search.y.size : 2 * search.y.size])
        )
        norm = max(float(np.linalg.norm(w)), 1e-300)
        if (
            search.gap <= EXACT
            or abs(norm - 1) <= 1e-13
            or (lam <= LEAST and norm < 1)
            or limits.over()
        ):
            break
        known[norm < 1] = (math.log(lam), math.log(norm))
        lam = (
            pareto.between(known)
            if len(known) == 2
            else max(lam / 3, LEAST)
            if norm < 1
            else 3 * lam
        )
    return coef, reference.offset(lo, hi, coef, target - K @ coef, search.bias), used
