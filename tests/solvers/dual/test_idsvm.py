"""IDSVM: the optimum of what has come after every step, whoever goes, and batch by batch."""

import numpy as np
import pytest

from svmviz.data import plane
from svmviz.estimators import IDSVMClassifier
from svmviz.maths import kernels
from svmviz.solvers import SOLVERS
from svmviz.solvers.idsvm import path
from svmviz.theory import reference
from tests.solvers.dual.test_path import come

IDSVM = SOLVERS["idsvm"]
PROBLEM = plane.moons(n=60, noise=0.25, seed=2)
KERNEL = kernels.rbf(2.0)


def best(rows, C: float, kernel=KERNEL) -> np.ndarray:
    """The exact decision values of all points after learning these rows."""
    some = PROBLEM._replace(X=PROBLEM.X[rows], y=PROBLEM.y[rows])
    alpha = reference.optimum(some, 1.0 / (C * len(rows)), kernel).alpha
    return kernels.gram(kernel, PROBLEM.X, some.X) @ (some.y * alpha)


def test_a_step_is_the_papers():
    trace = IDSVM.trace(PROBLEM, 60, seed=3, C=3.0, kernel=KERNEL)
    Q, alpha, sets = (
        kernels.gram(KERNEL, PROBLEM.X) * np.outer(PROBLEM.y, PROBLEM.y),
        np.zeros(60),
        {},
    )
    for t in range(1, 61):
        events = come(Q, np.full(60, 3.0), alpha, sets, int(trace.drawn[t]))
        assert trace.scalars["events"][t] == len(events)
        assert trace.at(t).alpha == pytest.approx(alpha, abs=1e-10)
        assert [trace.scalars[name][t] for name in ("n_rest", "n_margin", "n_error")] == [
            sum(s == which for s in sets.values()) for which in (path.REST, path.MARGIN, path.ERROR)
        ]
    assert abs(trace.metrics["gap"][1:]).max() < 1e-12


def test_who_is_taken_away_leaves_no_trace_and_another_box_or_kernel_is_solved_exactly():
    first = IDSVM.trace(PROBLEM, 40, seed=3, C=3.0, kernel=KERNEL)
    gone = np.flatnonzero(first.at(40).coef)[::2]
    stay = np.setdiff1d(np.arange(60), gone)
    trace = IDSVM.trace(
        PROBLEM,
        60,
        seed=3,
        C=3.0,
        kernel=KERNEL,
        active=[(40, stay)],
        changes=[(50, {"C": 0.4}), (55, {"kernel": kernels.poly(2, 1.0, 1.0)})],
    )
    for t in (41, 50, 51, 55, 56, 60):
        came = np.intersect1d(trace.drawn[1 : t + 1], stay)
        params = trace.params(t)
        assert trace.f(t, PROBLEM.X) == pytest.approx(
            best(came, params["C"], params["kernel"]), abs=1e-6
        )
        assert abs(trace.metrics["gap"][t]) < 1e-12
    assert not trace.at(60).coef[gone].any()
    assert (
        trace.entries[50]["gap"] > 0.01
        and "unlearnt" in trace.why(41)
        and "new box" in trace.why(51)
    )


def test_who_comes_again_changes_nothing():
    trace = IDSVM.trace(PROBLEM, 90, seed=1, C=3.0, kernel=KERNEL)
    assert (
        np.array_equal(trace.at(60).coef, trace.at(90).coef)
        and trace.column("kernel_evals")[61:].sum() == 0
    )
    assert trace.column("kernel_evals").sum() == 60 * 59 // 2 and "already" in trace.why(61)


def test_ends_of_boxes_are_met_to_the_last_digit():
    trace = IDSVM.trace(PROBLEM, 60, seed=3, C=0.3, kernel=KERNEL)
    for t in range(1, 61):
        alpha, own = trace.at(t).alpha, trace.scalars
        assert (alpha == 0.3).sum() >= own["n_error"][t] and (alpha == 0).sum() >= own["n_rest"][
            t
        ] + 60 - own["seen"][t]


def test_batches_lead_to_the_fit_of_all():
    X, y = PROBLEM
    whole = IDSVMClassifier(C=3.0, kernel=KERNEL).fit(X, y)
    parts = IDSVMClassifier(C=3.0, kernel=KERNEL)
    for some in np.array_split(np.arange(60), 4):
        parts.partial_fit(X[some], y[some], classes=[-1, 1])
        seen = np.arange(some[-1] + 1)
        assert parts.decision_function(X) == pytest.approx(best(seen, 3.0), abs=1e-6)
    assert parts.decision_function(X) == pytest.approx(whole.decision_function(X), abs=1e-9)


def test_why_after_the_first_point_speaks_of_one():
    trace = SOLVERS["idsvm"].trace(plane.blobs(n=20), 2)
    assert "w is the optimum of 1 point." in trace.why(
        1
    ) and "w is the optimum of 2 points." in trace.why(2)
