"""NORMA: the paper in ten lines, and its exact optimum."""

import numpy as np
import pytest

from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.solvers import SOLVERS
from svmviz.theory import reference

NORMA = SOLVERS["norma"]
PROBLEM = plane.moons(n=50, noise=0.2, seed=3)


def kivinen(K, y, order, lam, eta, rho, constant, bias):
    """Return coefficients and b after each step, by Section III of the paper: all terms shrink by
    1 - η λ, and a term η σ y, σ = [y f(x) < ρ], comes with the example; b is raised by η σ y.
    """
    coef, b, passed = 0.0 * y, 0.0, []
    for t, i in enumerate(order, 1):
        rate = eta if constant else eta / np.sqrt(t)
        sigma = y[i] * (K[i] @ coef + b) < rho
        coef *= 1 - rate * lam
        coef[i] += rate * sigma * y[i]
        b += rate * sigma * y[i] * bias
        passed.append((coef.copy(), b))
    return passed


@pytest.mark.parametrize("kernel", [None, kernels.rbf(2.0)], ids=str)
@pytest.mark.parametrize("schedule", ["constant", "1/√t"])
@pytest.mark.parametrize(("bias", "rho"), [(True, 1.0), (False, 0.3), (True, 0.0)])
def test_steps_are_those_of_the_paper(kernel, schedule, bias, rho):
    given = {"lam": 0.05, "eta": 0.3, "rho": rho, "bias": bias}
    trace = NORMA.trace(PROBLEM, 200, seed=4, kernel=kernel, schedule=schedule, **given)
    K = kernels.gram(kernel or kernels.linear(), PROBLEM.X)
    passed = kivinen(K, PROBLEM.y, trace.drawn[1:], constant=schedule == "constant", **given)
    for t in (1, 17, 200):
        coef, b = passed[t - 1]
        assert trace.at(t).coef == pytest.approx(coef, rel=1e-9, abs=1e-9)
        assert trace.at(t).b == pytest.approx(b, rel=1e-9, abs=1e-9)
    mean = np.mean([0.0, *(b for _, b in passed[:-1])])
    assert trace.scalars["b_average"][200] == pytest.approx(mean, rel=1e-9, abs=1e-9)


def test_bias_goes_on_from_where_it_was_when_a_parameter_changes():
    changed = NORMA.trace(PROBLEM, 60, seed=1, changes=[(30, {"eta": 0.1})])
    same = NORMA.trace(PROBLEM, 60, seed=1)
    assert changed.at(30).b == same.at(30).b != 0.0
    assert abs(changed.at(31).b - changed.at(30).b) < 0.11 / np.sqrt(31)
    switched = NORMA.trace(PROBLEM, 60, seed=1, changes=[(30, {"bias": False})])
    assert switched.at(31).b == 0.0


@pytest.mark.parametrize("bias", [True, False])
def test_objective_comes_close_to_the_exact_optimum(bias):
    trace = NORMA.trace(PROBLEM, 6000, lam=0.1, eta=0.3, bias=bias)
    best = NORMA.optimum(PROBLEM, trace.params()).primal
    assert best == reference.optimum(PROBLEM, 0.1, bias=bias).primal
    assert best < trace.metrics["primal"][-1] < 1.1 * best


def test_soft_margin_of_another_width_has_no_optimum_of_p():
    assert NORMA.optimum(PROBLEM, NORMA.check({"rho": 0.5})) is None
