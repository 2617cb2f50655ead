"""A linear SVM by cutting planes, as SVM-Perf does it: Joachims, "Training linear SVMs in linear
time", KDD 2006.

The mean loss R(w) lies above all its tangents, ⟨a, w⟩ + b with a = −1/n Σ c_i y_i x_i and b = 1/n Σ
c_i, where c_i says whether example i pays. Each round minimises λ/2 ‖w‖² plus the highest of the
planes so far, a quadratic problem with a variable for each of them, and adds the tangent at that w:
one pass over the data. The minimum is a bound from below on P*.
"""

from typing import NamedTuple

import numpy as np

from svmviz.data.problem import Problem
from svmviz.maths import matrix
from svmviz.theory import reference


class Run(NamedTuple):
    w: np.ndarray  # (d, rounds), that of each round
    primal: np.ndarray  # P of each
    below: np.ndarray  # what P* is at least, by then


def run(problem: Problem, lam: float, rounds: int, enough: float = 1e-9) -> Run:
    """Until a round's P is within `enough` of what is possible, or as many rounds as may be."""
    X, y = problem
    planes, offsets = [np.zeros(problem.d)], [0.0]  # R is never below 0
    weights, inner = np.ones(1), np.zeros((1, 1))
    found, primal, below = [], [], []
    for _ in range(rounds):
        w = -matrix.combined(np.array(planes), weights) / lam
        margins = y * matrix.product(X, w)
        pays = margins < 1.0
        norm = lam / 2 * float(matrix.inner(w, w))
        found.append(w)
        primal.append(norm + float(np.maximum(0.0, 1.0 - margins).mean()))
        below.append(float(weights @ offsets) - norm)
        if min(primal) - below[-1] <= enough:
            break
        planes.append(matrix.combined(X, np.where(pays, -y / y.size, 0.0)))
        offsets.append(float(pays.mean()))
        cross = matrix.product(np.array(planes), planes[-1])
        inner = np.block([[inner, cross[:-1, None]], [cross[None, :-1], cross[-1]]])
        weights = heaviest(inner / lam, np.array(offsets), np.append(weights, 0.0))
    return Run(np.column_stack(found), np.array(primal), np.array(below))


def heaviest(K: np.ndarray, offsets: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Weights of planes, of sum 1, that maximise ⟨offsets, weights⟩ − 1/2 weights' K weights."""
    return reference.maximise(
        K, offsets, np.zeros(start.size), np.ones(start.size), start, 1.0, True
    )
