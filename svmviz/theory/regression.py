"""The exact optimum of a regression, with a certificate.

    P(w) = λ/2 |w|² + 1/n Σ loss(f(x_i) - y_i),    D(coef) = 1/n Σ (a_i y_i - conjugate(a_i)) - λ/2
    |w|²,    coef_i = C a_i

with C = 1/(λn). The squared loss asks for one system of equations, (K + λn I) coef = y. With a tube
every example stands twice in the problem of `reference`: once with the target y - ε and a
coefficient in [0, C], once with y + ε and one in [-C, 0], and the sum of both is coef_i. Targets
are divided by the largest first, λ and ε with them, so that nothing depends on their unit.
"""

import math

import numpy as np

from svmviz.data.problem import Problem
from svmviz.maths import kernels, losses
from svmviz.maths.losses import CONJUGATE, SQUARE, VALUE, Loss
from svmviz.theory.certificate import Optimum, doubts, gram, responses
from svmviz.theory.reference import maximise
from svmviz.work import limits, memo

MOST = 1000  # examples: as many as are solved at once, twice


def optimum(
    problem: Problem, lam: float, kernel: kernels.Kernel | None = None, loss: Loss | None = None
) -> Optimum | None:
    """The minimiser of P with the proof that it is; None where there are too many examples.

    >>> from svmviz.data.problem import make_regression_problem
    >>> best = optimum(
    ...     make_regression_problem([[1.0], [2.0]], [1.0, 2.0]),
    ...     lam=0.1,
    ...     loss=losses.epsilon_insensitive(0.25),
    ... )
    >>> print(best.w.round(4), round(best.primal, 4), abs(best.gap) < 1e-12)
    [0.875] 0.0383 True
    """
    if not (math.isfinite(lam) and lam > 0):
        raise ValueError(f"lam must be positive, got {lam}")
    return (
        None
        if problem.n > MOST
        else exact(problem, lam, kernel or kernels.linear(), loss or losses.epsilon_insensitive())
    )


@memo.lately
@limits.ONE_THREAD
@np.errstate(all="ignore")
def exact(problem: Problem, lam: float, kernel: kernels.Kernel, loss: Loss) -> Optimum:
    """The minimiser of P, or w = 0 where numbers are too large for one."""
    found = certified(
        kernel, problem, lam, solved(gram(kernel, problem.X), problem.y, lam, loss), loss
    )
    return (
        found
        if found.within <= found.primal
        else certified(kernel, problem, lam, np.zeros(problem.n), loss)
    )


def solved(K: np.ndarray, y: np.ndarray, lam: float, loss: Loss) -> np.ndarray:
    """The coefficients, as well as they can be computed."""
    n, unit = y.size, float(np.abs(y).max()) or 1.0
    if loss.kind == SQUARE:
        return np.linalg.solve(K + lam * n * np.eye(n), y)
    y, epsilon, lam = y / unit, loss.s / unit, lam * unit
    C, none = 1 / (lam * n), np.zeros(n)
    coef = maximise(
        np.tile(K, (2, 2)),
        np.concatenate([y - epsilon, y + epsilon]),
        np.concatenate([none, none - C]),
        np.concatenate([none + C, none]),
        np.zeros(2 * n),
        lam,
        bias=False,
    )
    return unit * (coef[:n] + coef[n:])


def certified(
    kernel: kernels.Kernel, problem: Problem, lam: float, coef: np.ndarray, loss: Loss
) -> Optimum:
    """What these coefficients are worth: the proof rests on them alone."""
    (X, y), C, f = problem, 1 / (lam * problem.n), responses(kernel, problem.X, coef)
    w = X.T @ coef if kernel.kind == kernels.LINEAR else None
    squared = max(0.0, coef @ f) if w is None else w @ w
    doubt, share = doubts(kernel, X, coef, 0.0), coef / C
    if loss.kind != SQUARE:
        share = np.clip(share, -1.0, 1.0)
    cost = losses.each(VALUE, loss, f - y).mean()
    steep = np.minimum(loss.steepest, np.abs(f - y) + doubt)
    primal, dual = (
        lam / 2 * squared + cost,
        (share * y - losses.each(CONJUGATE, loss, share)).mean() - lam / 2 * squared,
    )
    rounding = (steep * doubt).mean() + lam * (doubt @ np.abs(coef))
    return Optimum(
        float(primal),
        float(dual),
        float(primal - dual),
        float(rounding),
        math.sqrt(squared),
        float(cost),
        0.0,
        coef,
        coef,
        w,
    )


def radius(problem: Problem, lam: float, loss: Loss) -> float:
    """Of a ball that w* lies in. -λw* is a slope of the mean loss there, so that by convexity
    λ|w*|² is at most the mean loss of f = 0. The 1/√λ of the paper is that of the hinge, which
    costs 1 there.
    """
    return math.sqrt(float(losses.each(VALUE, loss, -problem.y).mean()) / lam)
