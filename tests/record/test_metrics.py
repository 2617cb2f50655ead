"""What is measured of a run."""

import numpy as np
import pytest

from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.record import metrics
from svmviz.record.measure import hinges
from svmviz.solvers import SOLVERS


@pytest.mark.parametrize(
    "solver, params",
    [
        ("pegasos", {"kernel": kernels.rbf(2.0), "iterate": "average"}),
        ("pegasos", {}),
        ("sbp", {"kernel": kernels.rbf(2.0), "bias": True}),
        ("fourier", {"features": 20}),
    ],
    ids=str,
)
def test_the_error_on_other_rows_is_that_of_the_decision_values(solver, params):
    trace = SOLVERS[solver].trace(
        plane.moons(n=60, seed=1), steps=80, changes=[(40, {"iterate": "last"})], **params
    )
    test = plane.moons(n=90, seed=2)
    errors = metrics.error_on(trace, test)
    expected = [((trace.f(t, test.X) >= 0) != (test.y > 0)).mean() for t in range(81)]
    assert errors.tolist() == expected and metrics.error_on(trace, test, [3, 70]).tolist() == [
        expected[3],
        expected[70],
    ]


@pytest.mark.parametrize(
    "active",
    [np.arange(57), np.arange(57)[::-1].copy(), np.arange(0, 57, 2), np.arange(56)],
    ids=len,
)
def test_hinge_losses_are_added_one_by_one_in_the_order_of_the_points(active):
    rng = np.random.default_rng(0)
    y, f = np.sign(rng.normal(size=57)), rng.normal(size=57)
    f[5] = 0.0
    total, wrong = 0.0, 0
    for i in active:
        score = 0.3 * f[i] - 0.1
        total += max(0.0, 1.0 - y[i] * score)
        wrong += (score >= 0.0) != (y[i] > 0.0)
    assert hinges(y, active, f, -0.1, 0.3) == (total, wrong)
