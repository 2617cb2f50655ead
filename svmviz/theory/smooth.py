"""The exact optimum of P for a loss without a kink: Newton's method on P itself, certified by the
dual.

    P(w) = λ/2 |w|² + 1/n Σ loss(y_i <w, phi(x_i)>),    P'(w) = λ w + 1/n Σ slope_i y_i phi(x_i)

With w = Σ coef_j phi(x_j), and c_i the curvature of the loss at example i, the Newton step is
(Chapelle: "Training a support vector machine in the primal", Neural Computation 19, 2007)

    (λ I + diag(c) K / n) step = -(λ coef + slope y / n),

solved on the examples with c_i > 0 alone, as the others know theirs; a linear kernel in few
dimensions does the same with w. A line search keeps P falling. The answer are the coefficients
-slope_i y_i/(λn) that belong to the last w in the dual: at the optimum the same.
"""

from typing import Any

import numpy as np

from svmviz.data.problem import Problem
from svmviz.maths import kernels
from svmviz.maths.losses import CURVATURE, SLOPE, VALUE, Loss, each
from svmviz.theory.certificate import Optimum, certified, gram
from svmviz.work import limits

WORKING = 2000  # coefficients, or features, that are solved for at once
EXACT = 1e-12  # of P(0): a gap that is worth improving only until rounding errors forbid it
STEPS, HALVINGS, FALLS = 100, 60, 1e-4


def optimum(problem: Problem, lam: float, kernel: kernels.Kernel, loss: Loss) -> Optimum:
    """The minimiser of P with the proof that it is; `within` says where numbers are too large for
    it, or a limit came first.
    """
    linear = kernel.kind == kernels.LINEAR and problem.d < problem.n
    if (problem.d if linear else problem.n) > WORKING:
        raise ValueError(
            f"the exact optimum of the {loss} loss is found for up to {WORKING} examples, or"
            f" features where the kernel is linear, got {problem.n} and {problem.d}"
        )
    space = (
        Features(problem, lam, loss)
        if linear
        else Coefficients(problem, lam, loss, gram(kernel, problem.X))
    )
    best, v = certified(kernel, problem, lam, np.zeros(problem.n), False, loss=loss), space.origin()
    at_0 = best.primal
    for _ in range(STEPS):
        margin = problem.y * space.responses(v)
        down = each(SLOPE, loss, margin)
        found = certified(
            kernel, problem, lam, -down * problem.y / (lam * problem.n), False, loss=loss
        )
        closer = found.within < best.within  # never where it is no number
        best = found if closer else best
        if not closer and best.gap <= EXACT * at_0 or limits.over():
            break
        try:
            moved = searched(space, v, space.newton(v, down, each(CURVATURE, loss, margin)), down)
        except np.linalg.LinAlgError:
            break
        if moved is None:
            break
        v = moved
    return best


def searched(space, v, step, down):
    """v + t step for the first t = 1, 1/2, ... that lowers P by enough; None where none does."""
    value, fall = space.primal(v), space.fall(v, step, down)
    t = 1.0
    for _ in range(HALVINGS if fall < 0 else 0):
        if space.primal(v + t * step) <= value + FALLS * t * fall:
            return v + t * step
        t /= 2
    return None


class Features:
    """w itself, in fewer dimensions than there are examples."""

    def __init__(self, problem: Problem, lam: float, loss: Loss):
        self.X: Any = problem.X  # dense or sparse
        self.y, self.lam, self.loss = problem.y, lam, loss

    def origin(self) -> np.ndarray:
        return np.zeros(self.X.shape[1])

    def responses(self, w) -> np.ndarray:
        return self.X @ w

    def primal(self, w) -> float:
        return self.lam / 2 * (w @ w) + each(VALUE, self.loss, self.y * (self.X @ w)).mean()

    def gradient(self, w, down) -> np.ndarray:
        return self.lam * w + self.X.T @ (self.y * down) / self.y.size

    def fall(self, w, step, down) -> float:
        return float(self.gradient(w, down) @ step)

    def newton(self, w, down, bend) -> np.ndarray:
        bent = np.flatnonzero(bend)
        X = self.X[bent]
        H = (X.multiply(bend[bent, None]) if hasattr(X, "multiply") else X * bend[bent, None]).T @ X
        H = (H.toarray() if hasattr(H, "toarray") else H) / self.y.size
        H[np.diag_indices_from(H)] += self.lam
        return -np.linalg.solve(H, self.gradient(w, down))


class Coefficients:
    """w = Σ coef_j phi(x_j)."""

    def __init__(self, problem: Problem, lam: float, loss: Loss, K: np.ndarray):
        self.K, self.y, self.lam, self.loss = K, problem.y, lam, loss

    def origin(self) -> np.ndarray:
        return np.zeros(self.y.size)

    def responses(self, coef) -> np.ndarray:
        return self.K @ coef

    def primal(self, coef) -> float:
        f = self.K @ coef
        return self.lam / 2 * (coef @ f) + each(VALUE, self.loss, self.y * f).mean()

    def rest(self, coef, down) -> np.ndarray:
        """The coefficients of P'(w)"""
        return self.lam * coef + self.y * down / self.y.size

    def fall(self, coef, step, down) -> float:
        return float(self.rest(coef, down) @ (self.K @ step))

    def newton(self, coef, down, bend) -> np.ndarray:
        bent, rest = np.flatnonzero(bend), self.rest(coef, down)
        step = -rest / self.lam  # where the loss is straight, its slope is the coefficient
        if bent.size:
            straight = step.copy()
            straight[bent] = 0.0
            root = np.sqrt(
                bend[bent] / self.y.size
            )  # on either side of K: a symmetric system, of eigenvalues from λ on
            H = root[:, None] * self.K[np.ix_(bent, bent)] * root
            H[np.diag_indices_from(H)] += self.lam
            right = -(rest[bent] + root**2 * (self.K[bent] @ straight))
            step[bent] = root * np.linalg.solve(H, right / root)
        return step
