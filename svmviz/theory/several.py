"""The exact optimum of  P(W) = λ/2 |W|² + 1/n Σ loss(f(x_i), y_i)  with a score per class
(`contest`), with a certificate.

The dual has a point a_i of the simplex of all classes for each example, W = 1/(λn) Σ (e_y - a_i) ⊗
phi(x_i), and

    D(a) = 1/n Σ_i conj(a_i) - λ/2 |W|²,    conj(a) = Σ_r a_r δ(r, y)  for the hinge,  - Σ_r a_r log
    a_r  for the log-loss.

P >= D: whatever found a, P - D of the W that it makes bounds the error of both. The hinge is solved
by ascent over one example at a time, whose best a_i is a projection onto the simplex; the log-loss
by a quasi-Newton method for W in features that have the Gram matrix, after which a_i are the
probabilities.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.special import entr, logsumexp, softmax

from svmviz.data.problem import Problem
from svmviz.maths import contest, kernels
from svmviz.maths.losses import HINGE, Loss
from svmviz.maths.machine.jit import jit
from svmviz.theory import reference
from svmviz.theory.certificate import Optimum, gram
from svmviz.work import limits, memo

EXACT, ENOUGH = (
    1e-12,
    1e-8,
)  # a gap that calls for no further work; of P, one that is worth no more patience
PASSES, ROUNDS = 50, 400  # over all examples between two looks at the gap, and looks
PATIENCE = 40  # looks
ROUNDED = 4 * np.finfo(float).eps
FLAT = 1e-14  # of the largest: an eigenvalue that is none


@jit
def ascend(K, delta, C, a, f, order, passes):
    """Give example after example the best a for what the others have; the scores f (n, classes)
    follow
    """
    n, classes = a.shape
    target, ordered = np.empty(classes), np.empty(classes)
    for _ in range(passes):
        moved = 0.0
        for i in order:
            unit = K[i, i] * C
            if unit <= 0.0:
                continue
            for r in range(classes):
                target[r] = (
                    a[i, r] + (delta[i, r] + f[i, r]) / unit
                )  # f holds C (1[r = y] - a_r) K_ii already
                ordered[r] = target[r]
            ordered.sort()
            total, level = 0.0, 0.0
            for q in range(classes):  # the level above which the parts of target sum to 1
                total += ordered[classes - 1 - q]
                cut = (total - 1.0) / (q + 1)
                if q == 0 or ordered[classes - 1 - q] > cut:
                    level = cut
            for r in range(classes):
                by = max(0.0, target[r] - level) - a[i, r]
                if by != 0.0:
                    a[i, r] += by
                    moved = max(moved, abs(by))
                    for j in range(n):
                        f[j, r] -= C * by * K[i, j]
        if moved < 1e-15:
            return


class Dual(NamedTuple):
    """The problem in terms of a."""

    K: np.ndarray  # (n, n)
    y: np.ndarray  # (n,) whole numbers
    lam: float
    loss: Loss
    costs: np.ndarray  # (classes, classes)

    def coef(self, a: np.ndarray) -> np.ndarray:
        return (np.eye(len(self.costs))[self.y] - a) / (self.lam * self.y.size)

    def worth(self, a: np.ndarray) -> Optimum:
        """What a proves, of the W that it makes."""
        coef, n = self.coef(a), self.y.size
        f = self.K @ coef
        squared, behind = max(0.0, float((coef * f).sum())), f - f[np.arange(n), self.y, None]
        if self.loss.kind == HINGE:
            mean, conj = (
                (behind + self.costs[self.y]).max(axis=1).mean(),
                (a * self.costs[self.y]).sum() / n,
            )
        else:
            mean, conj = logsumexp(behind, axis=1).mean(), entr(a).sum() / n
        primal, dual = self.lam / 2 * squared + mean, conj - self.lam / 2 * squared
        sizes = np.abs(self.K) @ np.abs(
            coef
        )  # what rounding may have done to f, and so to P and to D
        rounding = ROUNDED * (
            sizes.max(axis=1).mean() + self.lam * float((np.abs(coef) * sizes).sum())
        )
        return Optimum(
            primal, dual, primal - dual, rounding, math.sqrt(squared), mean, 0.0, coef, coef, None
        )


@memo.lately
@limits.ONE_THREAD
@np.errstate(all="ignore")
def optimum(
    problem: Problem, lam: float, kernel: kernels.Kernel | None, loss: Loss, costs: str = ""
) -> Optimum:
    """The exact minimiser of P, as far as `within` says, for costs as `contest` reads them; `coef`
    has a column for each class.

    >>> from svmviz.data.many_classes import ring
    >>> best = optimum(ring(n=30), 0.1, None, Loss(HINGE, 1.0))
    >>> round(float(best.primal), 6), bool(best.exact), best.coef.shape
    (0.14014, True, (30, 3))
    """
    if (
        problem.classes == 2 and loss.kind == HINGE and not costs
    ):  # W = (-w/2, w/2) of the SVM of λ/2
        best = reference.optimum(problem, lam / 2, kernel)
        coef = np.column_stack([-best.coef, best.coef]) / 2
        return best._replace(norm=best.norm / math.sqrt(2.0), coef=coef, alpha=coef, w=None)
    y = (problem.y > 0 if problem.classes == 2 else problem.y).astype(int)
    dual = Dual(
        gram(kernel or kernels.linear(), problem.X),
        y,
        lam,
        loss,
        contest.read(costs if loss.kind == HINGE else "", problem.classes),
    )
    return by_ascent(dual) if loss.kind == HINGE else by_probabilities(dual)


def by_ascent(dual: Dual) -> Optimum:
    """The hinge: from a = e_y, which is W = 0, upwards."""
    K, y, n = dual.K, dual.y, dual.y.size
    a, rng, best = np.eye(len(dual.costs))[y], np.random.default_rng(0), None
    for k in range(ROUNDS):
        ascend(
            K, dual.costs[y], 1.0 / (dual.lam * n), a, K @ dual.coef(a), rng.permutation(n), PASSES
        )
        found = dual.worth(a)
        best = found if best is None or found.within < best.within else best
        if best.gap <= (EXACT if k < PATIENCE else ENOUGH * best.primal) or limits.over():
            break
    assert best is not None  # there is a round
    return best


def by_probabilities(dual: Dual) -> Optimum:
    """The log-loss: P is smooth in W, and its slope is 0 where a are the probabilities."""
    from scipy.optimize import minimize  # a quarter of a second, which a first picture does without

    values, vectors = np.linalg.eigh(dual.K)
    keep = values > FLAT * values[-1]
    Z, n, classes = vectors[:, keep] * np.sqrt(values[keep]), dual.y.size, len(dual.costs)
    true = np.eye(classes)[dual.y]

    def primal(w):
        if limits.over():
            raise StopIteration
        W = w.reshape(-1, classes)
        f = Z @ W
        last[:] = f
        value = dual.lam / 2 * (w @ w) + (logsumexp(f, axis=1) - f[true > 0]).mean()
        return value, (dual.lam * W + Z.T @ (softmax(f, axis=1) - true) / n).ravel()

    last = np.zeros((n, classes))
    try:
        found = minimize(
            primal,
            np.zeros(Z.shape[1] * classes),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 20_000, "maxfun": 40_000, "ftol": 0.0, "gtol": 1e-13, "maxcor": 30},
        )
        last[:] = Z @ found.x.reshape(-1, classes)
    except StopIteration:
        pass
    return dual.worth(softmax(last, axis=1))
