"""Dual coordinate ascent without a record: against NumPy, the recorded run, exact optima and
LIBLINEAR's, and cut in two.
"""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.svm import LinearSVC

from svmviz.data.problem import Problem, make_problem
from svmviz.estimators.train import Task, linear, recorded, sdca, train
from svmviz.maths import sampling
from svmviz.solvers import SOLVERS
from svmviz.theory import reference
from tests.train.test_pegasos import CONSTANT, FORMS, data

SDCA = SOLVERS["sdca"]
LOSSES = [
    {},
    {"loss": "squared hinge"},
    {"loss": "smoothed hinge", "smoothing": 0.5},
    {"loss": "logistic"},
]
GIVEN = [*LOSSES, CONSTANT, {"sampling": "new permutation"}, {"loss": "squared hinge", **CONSTANT}]


def task(X, y, steps=400, seed=5, tol=None, state=None, watch=None, **given):
    return Task(
        Problem(X, y),
        SDCA.check({"lam": 0.05} | given),
        steps,
        seed,
        tol=tol,
        state=state,
        watch=watch,
    )


def oracle(X, y, order, C):
    """Algorithm 1 of Hsieh et al. for the hinge: all coefficients."""
    alpha, K = np.zeros(len(y)), X @ X.T
    for i in order.ravel():
        margin = y[i] * (K[i] @ (y * alpha))
        alpha[i] = C if K[i, i] == 0 else np.clip(alpha[i] + (1 - margin) / K[i, i], 0, C)
    return y * alpha


@pytest.mark.parametrize("form", FORMS)
def test_steps_are_the_papers(form):
    X, y = data()
    for c in (0.0, 2.0):
        found = train(SDCA, task(FORMS[form](X), y, **CONSTANT if c else {}))
        coef = oracle(np.hstack([X, np.full((50, 1), c)]), y, sampling.draw(50, 400, seed=5), 0.4)
        every = np.zeros(50)
        every[found.rows] = found.coef[:, 0]
        np.testing.assert_allclose(every, coef, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(found.w[:, 0], X.T @ coef, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(found.b, c * c * coef.sum(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_it_is_the_recorded_run(given, monkeypatch):
    monkeypatch.setattr(linear, "STRETCH", 60)
    X, y = data()
    mine, other = (
        trained(SDCA, task(sp.csr_array(X), y, **given)) for trained in (sdca.train, recorded.train)
    )
    assert mine.costs == other.costs and mine.steps == other.steps == 400
    every = np.zeros((2, 50))
    every[0, mine.rows], every[1, other.rows] = (
        mine.coef[:, 0],
        other.coef[:, 0],
    )  # the recorded run leaves rounding for 0
    np.testing.assert_allclose(*every, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(mine.w, other.vectors.T @ other.coef, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(mine.b, other.b, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("form", ["dense", "CSR"])
@pytest.mark.parametrize(
    "given", [*LOSSES, CONSTANT, {"lam": 1e-3}, {"lam": 1e-3, "loss": "squared hinge"}], ids=str
)
def test_with_a_tolerance_it_ends_at_the_exact_optimum(given, form):
    X, y = data(120)
    found = train(SDCA, task(FORMS[form](X), y, 10_000_000, tol=1e-9, **given))
    best = SDCA.optimum(make_problem(X, y), SDCA.check({"lam": 0.05} | given))
    assert found.converged and best.exact and found.steps < 10_000_000
    np.testing.assert_allclose(found.w[:, 0], best.w, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found.b, best.b, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(
        found.w[:, 0], X[found.rows].T @ found.coef[:, 0], rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("name", ["hinge", "squared hinge"])
def test_with_a_tolerance_it_ends_where_liblinear_does(name):
    X, y = data(300, seed=8)
    found = train(SDCA, task(sp.csr_array(X), y, 10_000_000, tol=1e-10, loss=name, lam=0.01))
    peer = LinearSVC(
        loss=name.replace(" ", "_"),
        C=1 / 3,
        fit_intercept=False,
        tol=1e-10,
        max_iter=1_000_000,
        dual=True,
    )
    np.testing.assert_allclose(found.w[:, 0], peer.fit(X, y).coef_[0], rtol=1e-6, atol=1e-7)


def test_steps_are_a_limit_that_is_said_to_have_ended_it():
    X, y = data()
    for steps in (1, 30, 77):
        found = train(SDCA, task(X, y, steps, tol=1e-12))
        assert found.steps == steps and found.converged is False and len(found.rows) <= steps
    assert train(SDCA, task(X, y, 77)).converged is None


@pytest.mark.parametrize("tol", [None, 1e-12])
@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_two_tasks_are_one_longer_run(given, tol, monkeypatch):
    X, y = data()
    whole = train(SDCA, task(X, y, 700, tol=tol, **given))
    monkeypatch.setattr(linear, "STRETCH", 90)
    half = train(SDCA, task(X, y, 230, tol=tol, **given))
    kept, seen = half.state.coef.copy(), []
    both = train(
        SDCA,
        task(X, y, 470, tol=tol, state=half.state, watch=lambda t, stands: seen.append(t), **given),
    )
    assert (
        np.array_equal(both.w, whole.w)
        and np.array_equal(both.coef, whole.coef)
        and both.b == whole.b
    )
    assert (
        both.steps == 470
        and both.state.t == seen[-1] == 700
        and np.array_equal(half.state.coef, kept)
    )
    assert half.costs["features_read"] + both.costs["features_read"] == whole.costs["features_read"]


def test_a_smaller_box_takes_what_fits():
    X, y = data()
    state = train(SDCA, task(X, y, lam=0.01, tol=1e-3)).state
    found = train(SDCA, task(X, y, 10_000_000, lam=0.1, tol=1e-9, state=state))
    best = reference.optimum(make_problem(X, y), 0.1)
    assert found.converged and np.abs(found.coef).max() <= 0.2
    np.testing.assert_allclose(found.w[:, 0], best.w, rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match="no start for 30 others"):
        train(SDCA, task(X[:30], y[:30], state=state))
