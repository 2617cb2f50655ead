"""Stochastic sub-gradient steps of any length, w ← (1 − η_t λ) w + η_t y x [y ⟨w, x⟩ < 1]: what
Norma and Zhang's SGD share with Pegasos (Section 7.6), which differ in η_t alone.
"""

import math

import numpy as np

from svmviz.data.problem import Problem
from svmviz.maths import matrix, sampling
from svmviz.maths.machine.jit import jit


def norma_p(T: int) -> float:
    """The best p of Norma by its own bound, as Section 7.6 has it.

    >>> round(norma_p(100), 4), round(norma_p(10**8), 4)
    (0.7159, 0.7071)
    """
    return 0.5 * math.sqrt(2.0 + 0.5 / math.sqrt(T))


def norma(lam: float, T: int) -> np.ndarray:
    """η_t = p/(λ √t) of T steps (Kivinen, Smola, Williamson 2002, Theorem 4)."""
    return norma_p(T) / (lam * np.sqrt(np.arange(1.0, T + 1)))


@jit
def descend(rows, y, lam, eta, order, looks, w, out):
    """w = a v, so that shrinking costs one multiplication; w after each of the steps `looks` goes
    into a row of `out`
    """
    a, seen = 1.0, 0
    for t in range(order.size):
        i = order[t]
        pays = y[i] * a * matrix.dot(rows, i, w) < 1.0
        a *= 1.0 - eta[t] * lam
        if a < 1e-100:
            w *= a
            a = 1.0
        if pays:
            matrix.axpy(rows, i, eta[t] * y[i] / a, w)
        if seen < looks.size and looks[seen] == t + 1:
            out[seen] = a * w
            seen += 1


def run(problem: Problem, lam: float, eta: np.ndarray, looks, seed: int = 0) -> np.ndarray:
    """(d, looks) w after each of these steps, on examples that are drawn with replacement."""
    order = sampling.draw(problem.n, eta.size, seed=seed)[:, 0]
    looks = np.asarray(looks, np.int64)
    out = np.empty((looks.size, problem.d))
    descend(
        matrix.rows(problem.X),
        problem.y,
        lam,
        eta,
        np.ascontiguousarray(order),
        looks,
        np.zeros(problem.d),
        out,
    )
    return np.ascontiguousarray(out.T)
