"""SGD with a constant step, and the averaged Perceptron: the papers in ten lines, and what they
promise.
"""

import numpy as np
import pytest

from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.solvers import SOLVERS
from svmviz.theory import reference

SGD, AVERAGED, PERCEPTRON = (SOLVERS[key] for key in ("sgd", "averaged", "perceptron"))
PROBLEM = plane.moons(n=50, noise=0.2, seed=3)


def zhang(K, y, order, lam, eta):
    """w ← (1 - ηλ) w + η y φ(x) where the margin is below 1, on coefficients; the mean is that of
    the w before each step.
    """
    coef, total, passed = np.zeros(len(y)), np.zeros(len(y)), []
    for i in order:
        total += coef
        pays = y[i] * (K[i] @ coef) < 1
        coef = (1 - eta * lam) * coef
        coef[i] += eta * y[i] * pays
        passed.append(coef.copy())
    return np.array(passed), total / len(order)


@pytest.mark.parametrize("kernel", [None, kernels.rbf(2.0), kernels.poly(2, 0.5, 1.0)], ids=str)
@pytest.mark.parametrize("eta", [0.01, 0.5])
def test_it_is_the_papers_algorithm(kernel, eta):
    trace = SGD.trace(PROBLEM, 200, seed=4, lam=0.05, eta=eta, kernel=kernel)
    coef, mean = zhang(
        kernels.gram(kernel or kernels.linear(), PROBLEM.X), PROBLEM.y, trace.drawn[1:], 0.05, eta
    )
    for t in (1, 17, 200):
        assert trace.at(t).coef == pytest.approx(coef[t - 1], abs=1e-12)
    assert trace.coef(200, "average") == pytest.approx(mean, abs=1e-12)


def test_a_small_step_comes_close_and_a_large_one_swings_wider():
    best = reference.optimum(PROBLEM, 0.05).primal
    calm, wild = (SGD.trace(PROBLEM, 20_000, lam=0.05, eta=eta).metrics for eta in (0.001, 1.0))
    near, far = (found["primal"][-2000:].mean() - best for found in (calm, wild))
    assert 0 < near < 0.01 * best < far
    assert 0 <= wild["primal_average"][-1] - best < far / 3


def test_a_step_that_would_swing_beyond_0_is_refused():
    with pytest.raises(ValueError, match="ηλ must be below 1"):
        SGD.algorithm.refuse(SGD.check({"lam": 0.1, "eta": 10.0}))


@pytest.mark.parametrize("kernel", [None, kernels.rbf(2.0)], ids=str)
def test_the_averaged_perceptron_makes_the_perceptrons_steps_and_averages_what_it_passes(kernel):
    trace, plain = (
        solver.trace(PROBLEM, 120, seed=2, kernel=kernel) for solver in (AVERAGED, PERCEPTRON)
    )
    passed = np.array([plain.at(t).coef for t in range(1, 121)])
    for t in (1, 40, 120):
        assert np.array_equal(trace.at(t).coef, passed[t - 1])
        assert trace.coef(t) == pytest.approx(passed[:t].mean(axis=0), abs=1e-12)
    assert np.array_equal(trace.metrics["mistakes"], plain.metrics["mistakes"])


def test_on_average_it_errs_less_than_the_last_w():
    last, mean = np.mean(
        [
            [trace.metrics[name][-1] for name in ("error", "error_average")]
            for trace in (
                AVERAGED.trace(plane.blobs(n=200, noise=1.2, seed=k), 400, seed=k)
                for k in range(20)
            )
        ],
        axis=0,
    )
    assert mean < last
