"""Pegasos without a record: against NumPy, against the recorded run, and cut in two."""

import numpy as np
import pytest
import scipy.sparse as sp

from svmviz.data.problem import Problem, make_problem
from svmviz.estimators.train import LATE, Task, linear, pegasos, recorded, train
from svmviz.maths import sampling
from svmviz.solvers import SOLVERS

PEGASOS = SOLVERS["pegasos"]
CONSTANT = {"intercept": "constant feature", "constant": 2.0}
FORMS = {
    "dense": lambda X: X,
    "CSR": sp.csr_array,
    "dense float32": lambda X: X.astype(np.float32),
    "CSR float32": lambda X: sp.csr_array(X.astype(np.float32)),
}
GIVEN = [
    {},
    {"k": 3},
    CONSTANT,
    {"loss": "logistic"},
    {"loss": "smoothed hinge", "k": 2, **CONSTANT},
    {"sampling": "new permutation"},
    {"sampling": "fixed permutation", "k": 7},
    {"sampling": "multi-set", "k": 4},
]
ITERATES = ["last", "average", "random", LATE]


def data(n=50, d=21, seed=3):
    rng = np.random.default_rng(seed)
    X = (
        np.round(rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6), 2)
        .astype(np.float32)
        .astype(np.float64)
    )
    X[7] = 0.0
    return X, np.where(X @ rng.normal(size=d) + rng.normal(size=n) > 0, 1.0, -1.0)


def task(X, y, steps=400, seed=5, iterate="last", weights=None, state=None, watch=None, **given):
    params = PEGASOS.check({"lam": 0.05} | given) | {"iterate": iterate}
    return Task(Problem(X, y), params, steps, seed, weights, state=state, watch=watch)


def oracle(X, y, order, lam, iterate, seed=5):
    """Fig. 2 of the paper, for the hinge: the iterate as coefficients of all examples."""
    coef, seen = np.zeros(len(y)), []
    for t, batch in enumerate(order, start=1):
        seen.append(coef)
        margins = y[batch] * (X[batch] @ (X.T @ coef))
        coef = (1 - 1 / t) * coef
        np.add.at(coef, batch, (margins < 1) * y[batch] / (lam * t * len(batch)))
    chosen = {
        "last": [coef],
        "average": seen,
        LATE: seen[len(order) // 2 :],
        "random": [seen[sampling.random_iterates(seed, len(order))[-1]]],
    }
    return np.mean(chosen[iterate], axis=0)


@pytest.mark.parametrize("iterate", ITERATES)
@pytest.mark.parametrize("form", FORMS)
def test_steps_are_the_papers(form, iterate):
    X, y = data()
    for steps, k, c, weights in (
        (400, 1, 0.0, None),
        (1, 1, 0.0, None),
        (201, 4, 0.0, None),
        (200, 1, 2.0, None),
        (200, 1, 0.0, np.arange(50.0)),
    ):
        given = {"k": k} | (CONSTANT if c else {})
        found = train(
            PEGASOS, task(FORMS[form](X), y, steps, iterate=iterate, weights=weights, **given)
        )
        order = (
            sampling.draw(50, steps, k, seed=5)
            if weights is None
            else sampling.weighted(weights, steps, k, 5)
        )
        coef = oracle(np.hstack([X, np.full((50, 1), c)]), y, order, 0.05, iterate)
        every = np.zeros(50)
        every[found.rows] = found.coef[:, 0]
        near = {"rtol": 1e-9, "atol": 1e-9 * max(abs(coef).max(), 1e-9)}
        np.testing.assert_allclose(every, coef, **near)
        np.testing.assert_allclose(found.w[:, 0], X.T @ coef, **near)
        np.testing.assert_allclose(found.b, c * c * coef.sum(), **near)
        assert found.vectors is None and found.steps == steps and found.converged is None


@pytest.mark.parametrize("iterate", ITERATES[:3])
@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_it_is_the_recorded_run(given, iterate, monkeypatch):
    monkeypatch.setattr(linear, "STRETCH", 60)
    X, y = data()
    for weights in (None, np.arange(50.0)) if given.get("sampling") is None else (None,):
        wanted = task(sp.csr_array(X), y, iterate=iterate, weights=weights, **given)
        mine, other = pegasos.train(PEGASOS, wanted), recorded.train(PEGASOS, wanted)
        assert (
            np.array_equal(mine.rows, other.rows)
            and mine.costs == other.costs
            and mine.steps == other.steps
        )
        np.testing.assert_allclose(
            mine.coef, other.coef, rtol=1e-9, atol=1e-9 * abs(other.coef).max()
        )
        np.testing.assert_allclose(mine.w, other.vectors.T @ other.coef, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(mine.b, other.b, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_two_tasks_are_one_longer_run(given):
    X, y = data()
    for iterate in ("last", "average", LATE):
        whole = train(PEGASOS, task(X, y, 500, iterate=iterate, **given))
        half = train(PEGASOS, task(X, y, 230, iterate=iterate, **given))
        kept = half.state.v.copy()
        both = train(PEGASOS, task(X, y, 270, iterate=iterate, state=half.state, **given))
        assert np.array_equal(both.state.v, whole.state.v) and both.state.t == 500
        assert np.array_equal(both.state.coef[:, 0], whole.state.coef[:, 0])
        np.testing.assert_allclose(both.w, whole.w, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(both.b, whole.b, rtol=1e-10, atol=1e-12)
        assert (
            both.steps == 270
            and half.costs["features_read"] + both.costs["features_read"]
            == whole.costs["features_read"]
        )
        assert np.array_equal(half.state.v, kept)  # it can be gone on from once more


def test_a_late_average_goes_on_with_the_mean_that_is_under_way():
    X, y = data()
    half = train(PEGASOS, task(X, y, 300, iterate=LATE))
    more = train(PEGASOS, task(X, y, 50, iterate=LATE, state=half.state))
    assert more.state.begun == 150
    seen = [train(PEGASOS, task(X, y, t)).w for t in range(150, 350)]
    np.testing.assert_allclose(more.w, np.mean(seen, axis=0), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    "given", [{"project": True}, {"kernel": "rbf(gamma=0.3)", **CONSTANT}, {}], ids=str
)
@pytest.mark.parametrize("steps", [1, 45, 46])
def test_recorded_runs_have_a_late_average_too(given, steps, monkeypatch):
    monkeypatch.setattr(recorded, "STRETCH", 10)
    X, y = data()
    found = recorded.train(PEGASOS, task(X, y, steps, iterate=LATE, **given))
    trace, every = PEGASOS.trace(make_problem(X, y), steps, 5, lam=0.05, **given), np.zeros(50)
    every[found.rows] = found.coef[:, 0]
    seen = [trace.at(t).coef.ravel() for t in range(steps // 2, steps)]
    np.testing.assert_allclose(every, np.mean(seen, axis=0), rtol=1e-9, atol=1e-12)


def test_other_examples_go_on_from_the_same_w():
    (X, y), (Z, z) = data(), data(30, seed=4)
    first = train(PEGASOS, task(X, y, 200, iterate="average"))
    then = train(PEGASOS, task(Z, z, 100, iterate="average", state=first.state))
    order = np.concatenate(
        [sampling.draw(50, 200, seed=5), 50 + sampling.Chance(5).examples(30, 200, 300)]
    )
    coef = oracle(np.vstack([X, Z]), np.concatenate([y, z]), order, 0.05, "average")
    np.testing.assert_allclose(then.w[:, 0], np.vstack([X, Z]).T @ coef, rtol=1e-9, atol=1e-12)
    assert then.rows.max() < 30


def test_columns_may_be_named_by_long_numbers_and_somebody_may_watch(monkeypatch):
    monkeypatch.setattr(linear, "STRETCH", 150)
    X, y = data()
    long, seen = sp.csr_array(X), []
    long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
    found = train(PEGASOS, task(long, y, watch=lambda t, stands: seen.append(t)))
    assert np.array_equal(found.w, train(PEGASOS, task(sp.csr_array(X), y)).w) and seen == [
        150,
        300,
        400,
    ]
    assert linear.read(long).data is long.data and np.shares_memory(
        linear.read(long).indices, long.indices
    )


def test_the_late_average_is_closer_than_the_average_of_all():
    X, y = data(400, 10)
    problem = make_problem(X, y)
    best = PEGASOS.optimum(problem, PEGASOS.check({"lam": 1e-3})).primal

    def primal(iterate):
        w = train(PEGASOS, task(X, y, 20_000, iterate=iterate, lam=1e-3)).w[:, 0]
        return 0.0005 * w @ w + np.maximum(0, 1 - y * (X @ w)).mean()

    assert best - 1e-9 <= primal(LATE) <= 1.05 * best < primal("average")
