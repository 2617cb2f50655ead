"""Passive-Aggressive I: the paper in ten lines, and what a step promises."""

import numpy as np
import pytest

from svmviz.data import plane
from svmviz.data.problem import make_problem
from svmviz.maths import kernels
from svmviz.solvers import SOLVERS

PA1 = SOLVERS["pa1"]
PROBLEM = plane.moons(n=50, noise=0.2, seed=3)


def crammer(K, y, order, C):
    """w ← w + τ y φ(x), τ = min(C, loss / K(x, x)), on coefficients; the mean is that of the w
    before each step.
    """
    coef, total, passed = np.zeros(len(y)), np.zeros(len(y)), []
    for i in order:
        total += coef
        loss = max(0.0, 1 - y[i] * (K[i] @ coef))
        coef[i] += y[i] * min(C, loss / K[i, i]) if loss > 0 and K[i, i] > 0 else 0.0
        passed.append(coef.copy())
    return np.array(passed), total / len(order)


@pytest.mark.parametrize(
    "kernel", [None, kernels.rbf(2.0), kernels.poly(2, 0.5, 1.0), kernels.laplacian(1.0)], ids=str
)
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_it_is_the_papers_algorithm(kernel, C):
    trace = PA1.trace(PROBLEM, 200, seed=4, C=C, kernel=kernel)
    coef, mean = crammer(
        kernels.gram(kernel or kernels.linear(), PROBLEM.X), PROBLEM.y, trace.drawn[1:], C
    )
    for t in (1, 17, 200):
        assert trace.at(t).coef == pytest.approx(coef[t - 1], rel=1e-9, abs=1e-9)
    assert trace.coef(200, "average") == pytest.approx(mean, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("kernel", [None, kernels.rbf(2.0)], ids=str)
def test_a_step_brings_the_margin_to_1_or_goes_as_far_as_it_may(kernel):
    trace = PA1.trace(PROBLEM, 150, C=0.5, kernel=kernel)
    kinds = set()
    for t in range(1, 151):
        i, tau = int(trace.drawn[t]), trace.scalars["tau"][t]
        before, after = (PROBLEM.y[i] * trace.f(s, PROBLEM.X[i : i + 1])[0] for s in (t - 1, t))
        kind = "passive" if tau == 0 else "capped" if tau == 0.5 else "whole"
        assert before >= 1 - 1e-9 if kind == "passive" else before < after <= 1 + 1e-9
        assert kind != "whole" or after == pytest.approx(1.0, abs=1e-9)
        kinds.add(kind)
    assert kinds == {"passive", "capped", "whole"}


def test_a_row_of_zeros_changes_nothing_and_says_so():
    trace = PA1.trace(make_problem(np.array([[0.0, 0.0], [1.0, 2.0]]), [1, -1]), order=[0, 1, 0])
    assert trace.at(3).coef.tolist() == [0.0, -0.2]
    assert all(trace.why(t).endswith("τ y x is added to w, τ = 0.") for t in (1, 3))


def test_the_linear_kernel_takes_the_steps_of_none():
    plain, kernelised = (
        PA1.trace(PROBLEM, 100, seed=1, kernel=kernel) for kernel in (None, kernels.linear())
    )
    assert kernelised.at(100).coef == pytest.approx(plain.at(100).coef, abs=1e-9)
