"""What coefficients are worth as an answer to the regularised problem, proved by them alone, and
two ways to better them.

Notation and problem are those of `reference`. P - D is computed in floating point, and so it may be
wrong itself: by little on ordinary data, by everything where rows are long and λ is small.
`rounding` bounds that.
"""

import math
from typing import NamedTuple

import numpy as np

from svmviz.data.problem import Problem
from svmviz.maths import kernels, losses
from svmviz.maths.kernels import grams
from svmviz.maths.matrix import rows
from svmviz.theory import interior

EXACT = 1e-6  # of P: an error up to which an optimum may be called exact,
NOTHING = 1e-12  # or of anything: P is 1 at w = 0


class Optimum(NamedTuple):
    """The minimiser of P, the maximiser of D, and the proof that they are."""

    primal: float  # P(w, b)
    dual: float  # D(alpha)
    gap: float  # primal - dual: by how much `primal` may exceed the true minimum,
    rounding: float  # and what errors of rounding may have done to that
    norm: float  # |w|
    hinge: float  # mean loss, whichever it is
    b: float  # 0 without a bias; the midpoint if a whole interval is optimal
    coef: np.ndarray  # (n,) w = sum_j coef_j phi(x_j)
    alpha: np.ndarray  # (n,) y_j coef_j, from 0 to C; the squared hinge knows no C
    w: np.ndarray | None  # (d,) where the kernel is linear
    lifted: np.ndarray | None = (
        None  # w in `interior.features`, where it was found there and `coef` is too coarse for it
    )

    @property
    def within(self) -> float:
        """How far the true minimum may be."""
        return max(0.0, self.gap) + self.rounding

    @property
    def exact(self) -> bool:
        return self.within <= max(EXACT * self.primal, NOTHING)

    @property
    def unproven(self) -> float:
        """How far the true minimum may be, where that is too far to be called exact; else 0."""
        return 0.0 if self.exact else self.within


def named(unproven: float) -> str:
    """What an optimum may be called, by what is unproven of it.

    >>> named(0.0), named(0.00312)
    ('the exact optimum', 'a w whose P is within 0.0031 of the least')
    """
    return f"a w whose P is within {unproven:.2g} of the least" if unproven else "the exact optimum"


def certified(
    kernel: kernels.Kernel,
    problem: Problem,
    lam,
    coef,
    bias,
    b=None,
    loss: losses.Loss | None = None,
    K: np.ndarray | None = None,
) -> Optimum:
    """What these coefficients are worth, with the best b for them if none is given: the proof rests
    on them alone. Kernel values need not be computed again where `gram` found them, K.
    """
    (X, y), C, f = problem, 1 / (lam * problem.n), responses(kernel, problem.X, coef, K)
    w = X.T @ coef if kernel.kind == kernels.LINEAR else None
    squared = max(0.0, coef @ f) if w is None else w @ w
    b = (
        offset(np.minimum(0.0, y * C), np.maximum(0.0, y * C), coef, y - f, bias)
        if b is None
        else b
    )
    loss = loss or losses.hinge()
    alpha, margin, doubt = np.abs(coef), y * (f + b), doubts(kernel, X, coef, b)
    cost = losses.each(losses.VALUE, loss, margin).mean()
    steep = -losses.each(losses.SLOPE, loss, margin - doubt)  # as steep as it can be
    rounding = (steep * doubt)[steep > 0].sum() / y.size + lam * (
        doubt @ alpha + 2 * abs(b * coef.sum())
    )
    primal, dual = lam / 2 * squared + cost, lam * (alpha.sum() - squared / 2)
    if loss.kind != losses.HINGE:
        dual = -losses.each(losses.CONJUGATE, loss, alpha / C).mean() - lam / 2 * squared
    return Optimum(
        float(primal),
        float(dual),
        float(primal - dual),
        float(rounding),
        math.sqrt(squared),
        float(cost),
        float(b),
        coef,
        alpha,
        w,
    )


def doubts(kernel: kernels.Kernel, X, coef, b) -> np.ndarray:
    """By how much rounding may have changed f(x_i) + b: it knows sizes only, and |K(x, z)| <=
    |phi(x)| |phi(z)|.
    """
    length, used = np.sqrt(kernels.diagonal(kernel, rows(X))), coef != 0
    spread = length * (length[used] @ np.abs(coef[used])) if used.any() else np.zeros(coef.size)
    return kernel.degree * interior.UNIT * (1 + abs(b) + spread)


def stretched(kernel, problem: Problem, lam, bias, best: Optimum) -> list[Optimum]:
    """The same w, longer by what separates all examples whatever rounding does, if little is enough
    for that: a loss of 1e-12 is much where λ is so small, or rows so long, that P is as small.
    """
    margin = problem.y * (responses(kernel, problem.X, best.coef) + best.b)
    least = float((margin - 2 * doubts(kernel, problem.X, best.coef, best.b)).min())
    s = (1 + interior.UNIT) / least if least > 0.99 else math.inf
    if not best.alpha.max() * s <= 1 / (lam * problem.n):
        return []
    return [certified(kernel, problem, lam, s * best.coef, bias, s * best.b)]


def in_features(kernel, problem: Problem, lam, bias, best: Optimum) -> list[Optimum]:
    """The optimum found again where w is a sum of few features, and need not be one of many long
    rows.
    """
    many = interior.components(kernel, problem.d)
    if many > interior.MOST or many * problem.n > interior.CELLS:
        return []
    fit = interior.solve(interior.features(kernel, problem.X), problem.y, lam, bias)
    if fit is None:
        return []
    alpha, w = fit.a / (lam * problem.n), fit.w if kernel.kind == kernels.LINEAR else None
    return [
        Optimum(
            fit.primal,
            fit.dual,
            fit.primal - fit.dual,
            fit.rounding,
            fit.norm,
            fit.hinge,
            fit.b,
            problem.y * alpha,
            alpha,
            w,
            fit.w,
        )
    ]


def decision(problem: Problem, kernel: kernels.Kernel | None, best: Optimum, Z) -> np.ndarray:
    """f(z) + b of the optimum for other rows"""
    kernel = kernel or kernels.linear()
    if best.lifted is not None:
        return interior.features(kernel, Z) @ best.lifted + best.b
    return kernels.gram(kernel, Z, problem.X) @ best.coef + best.b


def gram(kernel: kernels.Kernel, X, more: int = 0) -> np.ndarray:
    """K(x_i, x_j) of all pairs; the linear one as a product of matrices, which is faster in many
    dimensions. Below and beside them so many `more` rows and columns of 0.
    """
    if (known := grams.table(kernel, X)) is not None:
        K = known[:, 1:]
    else:
        K = X @ X.T if kernel.kind == kernels.LINEAR else kernels.gram(kernel, X)
        K = K if isinstance(K, np.ndarray) else K.toarray()
    return K if known is None and not more else np.pad(K, (0, more))


def responses(
    kernel: kernels.Kernel, X, coef: np.ndarray, K: np.ndarray | None = None
) -> np.ndarray:
    """f(x_i) = sum_j coef_j K(x_i, x_j), without the whole Gram matrix in memory unless it is there
    already.
    """
    if kernel.kind == kernels.LINEAR:
        return X @ (X.T @ coef)
    used, f = np.flatnonzero(coef), np.zeros(coef.size)
    for block in np.split(used, range(500, used.size, 500)):
        part = (
            kernels.gram(kernel, X, X[block])
            if K is None
            else np.take(K, block, axis=1)[: coef.size]
        )
        f += part @ coef[block]
    return f


def offset(lo, hi, coef, grad, bias) -> float:
    """The best b: gradients of what can rise lie below it, of what can fall above it; the midpoint
    of all such b.
    """
    if not bias:
        return 0.0
    ends = grad[coef < hi].max(initial=-np.inf), grad[coef > lo].min(initial=np.inf)
    finite = [end for end in ends if math.isfinite(end)]  # a single class has but one end
    return sum(finite) / max(1, len(finite))
