"""What is measured of a run."""

import pytest

from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.record import metrics
from svmviz.solvers import SOLVERS


@pytest.mark.parametrize("solver, params", [("pegasos", {"kernel": kernels.rbf(2.0), "iterate": "average"}), ("pegasos", {}),
                                            ("sbp", {"kernel": kernels.rbf(2.0), "bias": True}),
                                            ("fourier", {"features": 20})], ids=str)
def test_the_error_on_other_rows_is_that_of_the_decision_values(solver, params):
    trace = SOLVERS[solver].trace(plane.moons(n=60, seed=1), steps=80, changes=[(40, {"iterate": "last"})], **params)
    test = plane.moons(n=90, seed=2)
    errors = metrics.error_on(trace, test)
    expected = [((trace.f(t, test.X) >= 0) != (test.y > 0)).mean() for t in range(81)]
    assert errors.tolist() == expected and metrics.error_on(trace, test, [3, 70]).tolist() == [expected[3], expected[70]]
