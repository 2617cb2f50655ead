"""Rivals of Pegasos that have no stage: each against the paper in a few lines of NumPy, and against an exact optimum."""

import numpy as np
import pytest

from svmviz.data import plane
from svmviz.maths import sampling
from svmviz.papers import schedules
from svmviz.solvers import SOLVERS

PROBLEM = plane.blobs(n=60, noise=1.0, seed=1)
LAM, T = 0.05, 400


def by_hand(eta: np.ndarray, seed: int = 0) -> np.ndarray:
    """Section 7.6: w after the last step."""
    X, y, w = PROBLEM.X, PROBLEM.y, np.zeros(PROBLEM.d)
    for i, step in zip(sampling.draw(PROBLEM.n, eta.size, seed=seed)[:, 0], eta, strict=True):
        pays = y[i] * (w @ X[i]) < 1
        w = (1 - step * LAM) * w + step * y[i] * X[i] * pays
    return w


@pytest.mark.parametrize("eta", [schedules.norma(LAM, T), np.full(T, 0.3)], ids=["Norma", "Zhang"])
def test_steps_of_any_length_are_those_of_the_paper(eta):
    found = schedules.run(PROBLEM, LAM, eta, [1, T // 2, T])
    assert found.shape == (PROBLEM.d, 3)
    for column, steps in enumerate((1, T // 2, T)):
        assert found[:, column] == pytest.approx(by_hand(eta[:steps]), rel=1e-9)


def test_steps_that_shrink_like_one_over_t_are_pegasos_and_equal_ones_are_its_rival():
    pegasos = SOLVERS["pegasos"].trace(PROBLEM, T, 0, lam=LAM)
    assert schedules.run(PROBLEM, LAM, 1 / (LAM * np.arange(1.0, T + 1)), [T])[:, 0] == pytest.approx(pegasos.at(T).w, rel=1e-9)
    zhang = SOLVERS["sgd"].trace(PROBLEM, T, 0, lam=LAM, eta=0.3)
    assert schedules.run(PROBLEM, LAM, np.full(T, 0.3), [T])[:, 0] == pytest.approx(zhang.at(T).w, rel=1e-9)


def test_the_p_of_norma_minimises_its_bound():
    """Theorem 4 of Kivinen, Smola and Williamson is p + (2 + 1/(2√T))/(4p) or so in p: least where both terms are alike."""
    p = np.linspace(0.3, 1.2, 9001)
    for steps in (100, 10_000):
        assert schedules.norma_p(steps) == pytest.approx(p[np.argmin(p + (2 + 0.5 / np.sqrt(steps)) / (4 * p))], abs=1e-3)
        assert 0.7 < schedules.norma_p(steps) < 0.716
