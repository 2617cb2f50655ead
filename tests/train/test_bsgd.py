"""Budgeted SGD without a record: the recorded run, and what a budget promises."""

import numpy as np
import pytest
import scipy.sparse as sp

from svmviz import make_multiclass_problem, make_problem
from svmviz.data import many_classes, plane
from svmviz.data.problem import Problem
from svmviz.estimators.train import Task, narrow, recorded, train
from svmviz.estimators.train.bsgd import fit, merging
from svmviz.maths import kernels, losses
from svmviz.run.streams import stream
from svmviz.solvers import SOLVERS
from svmviz.solvers.bsgd import learner
from svmviz.solvers.bsgd.maintenance import merge

BSGD = SOLVERS["bsgd"]
GAUSSIAN = {"kernel": kernels.rbf(3.0), "B": 20, "lam": 1e-3}
RUNS = {
    "merge": {},
    "bias": {"intercept": "constant feature", "constant": 0.7},
    "golden": {"search": "golden section"},
    "Norma": {"rule": "Norma", "lam": 0.5},
    "Perceptron": {"rule": "margin Perceptron"},
    "mistakes": {"rule": "margin Perceptron", "beta": 0.0},
    "logistic": {"loss": "logistic", "lam": 0.05},
    "smoothed": {"loss": "smoothed hinge", "lam": 0.05},
    "squared": {"loss": "squared hinge", "lam": 1.0},
    "with replacement": {"sampling": "with replacement"},
    "ball": {"rule": "margin Perceptron", "U": 5.0},
    "none": {"maintenance": "none"},
    "stop": {"maintenance": "stop"},
    "removal": {"maintenance": "remove smallest"},
    "chance": {"maintenance": "remove random"},
    "projection": {"maintenance": "project best"},
    "Forgetron": {
        "rule": "margin Perceptron",
        "maintenance": "remove oldest",
        "beta": 0.0,
        "forget": True,
    },
    "scores": {"multiclass": True},
    "linear": {"kernel": None, "maintenance": "remove smallest"},
}


def asked(problem, given, steps, **more):
    return Task(problem, BSGD.check(GAUSSIAN | given), steps, 5, **more)


def scores(found, task, Z):
    """f of what was learnt, with its bias."""
    return (
        stream.Model(found.vectors, found.coef, task.params["kernel"] or kernels.linear()).scores(Z)
        + found.b
    )


def close(a, b, within=1e-9):
    assert a == pytest.approx(b, rel=within, abs=within * abs(b).max())


def board(n=600, seed=1):
    return make_problem(*next(stream.checkerboard(n, seed=seed)))


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("given", RUNS.values(), ids=RUNS)
def test_it_learns_what_the_recorded_run_does(given, sparse):
    problem, Z = board(), board(100, 2).X
    problem = make_problem(sp.csr_array(problem.X), problem.y) if sparse else problem
    task = asked(problem, given, 1500)
    found, expected = train(BSGD, task), recorded.train(BSGD, task)
    close(scores(found, task, Z), scores(expected, task, Z))
    assert found.costs == expected.costs and found.steps == 1500
    assert task.params["maintenance"] == "none" or len(found.vectors) <= 20


def wide(n=400, d=40, seed=0):
    """Rows of few features that are not 0."""
    rng = np.random.default_rng(seed)
    X = (rng.random((n, d)) < 0.1) * rng.uniform(0.5, 1.5, (n, d))
    return make_problem(
        sp.csr_array(X), np.where(X[:, :8].sum(axis=1) + rng.normal(size=n) > 0.8, 1, -1)
    )


def test_sparse_rows_of_many_features_are_no_other_run():
    problem = wide()
    for given in (
        {"kernel": kernels.rbf(0.1)},
        {"kernel": kernels.rbf(0.1), "intercept": "constant feature"},
    ):
        task = asked(problem, given, 1200)
        found, expected = train(BSGD, task), recorded.train(BSGD, task)
        close(scores(found, task, problem.X), scores(expected, task, problem.X))
        dense = train(BSGD, task._replace(problem=make_problem(problem.X.toarray(), problem.y)))
        close(scores(dense, task, problem.X), scores(expected, task, problem.X))


@pytest.mark.parametrize(
    "given", [{}, {"intercept": "constant feature"}, {"rule": "Norma", "lam": 0.1}], ids=str
)
def test_with_the_hinge_every_digit_is_that_of_the_recorded_run(given):
    """Of rows that hold nothing but ones, and each twice, many are equally good partners: rounding
    decides.
    """
    rng = np.random.default_rng(0)
    X = np.repeat((rng.random((200, 40)) < 0.1).astype(float), 2, axis=0)
    y = np.where(X[:, :8].sum(axis=1) + rng.normal(size=400) > 0.8, 1, -1)
    task = asked(make_problem(sp.csr_array(X), y), {"kernel": kernels.rbf(0.1)} | given, 3000)
    found, expected = train(BSGD, task), recorded.train(BSGD, task)
    assert np.array_equal(found.vectors, expected.vectors) and np.array_equal(
        found.coef, expected.coef
    )


@pytest.mark.long
@pytest.mark.parametrize("problem", [board(), wide()], ids=["dense", "sparse"])
@pytest.mark.parametrize("given", [{}, {"maintenance": "remove smallest"}], ids=str)
def test_rows_of_single_precision_stay_so(problem, given, monkeypatch):
    single = Problem(problem.X.astype(np.float32), problem.y)
    rounded = Problem(single.X.astype(np.float64), problem.y)
    rows = fit.rows_of(single.X)
    assert rows.X.dtype == rows.data.dtype == np.float32
    held = single.X.data if sp.issparse(single.X) else single.X
    assert np.shares_memory(rows.data if sp.issparse(single.X) else rows.X, held)
    found, expected = (train(BSGD, asked(which, given, 800)) for which in (single, rounded))
    assert np.array_equal(found.vectors, expected.vectors) and np.array_equal(
        found.coef, expected.coef
    )


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"rule": "Norma", "lam": 0.5},
        {"maintenance": "remove smallest"},
        {"multiclass": True},
        {"maintenance": "none"},
        {"intercept": "constant feature"},
    ],
    ids=str,
)
def test_two_tasks_are_one_longer_run(given):
    problem, told = board(), []
    first = train(BSGD, asked(problem, given, 700))
    kept = first.coef.copy()
    task = asked(problem, given, 800, state=first.state, watch=lambda *so_far: told.append(so_far))
    second, whole = train(BSGD, task), train(BSGD, asked(problem, given, 1500))
    close(scores(second, task, problem.X), scores(whole, task, problem.X))
    assert told and told[-1][0] == 800 and told[-1][1]["n_sv"] == len(second.vectors)
    assert second.state.t == 1500 and np.array_equal(kept, first.coef)
    again = train(BSGD, asked(problem, given, 800, state=first.state))  # a state may be used twice
    assert np.array_equal(again.coef, second.coef)


def test_other_data_and_a_lower_budget_may_follow():
    first = train(BSGD, asked(board(), {}, 600))
    second = train(BSGD, asked(board(100, 3), {"B": 5}, 200, state=first.state))
    assert len(second.vectors) == 5 and second.state.t == 800
    with pytest.raises(ValueError, match="2 features and 1 scores"):
        train(BSGD, asked(wide(), {}, 10, state=first.state))


def test_several_classes_have_a_score_each():
    X, y = many_classes.pinwheel(n=150, classes=3)
    problem = make_multiclass_problem(X, y)
    task = asked(problem, {"multiclass": True}, 900)
    found, expected = train(BSGD, task), recorded.train(BSGD, task)
    assert found.coef.shape[1] == 3 and len(found.vectors) <= 20
    close(scores(found, task, problem.X), scores(expected, task, problem.X))


def test_weights_draw_examples():
    problem = board()
    weights = np.random.default_rng(0).random(problem.n) * (problem.X[:, 0] > 0)
    task = asked(problem, {"sampling": "with replacement"}, 900, weights=weights)
    close(
        scores(train(BSGD, task), task, problem.X),
        scores(recorded.train(BSGD, task), task, problem.X),
    )
    assert train(BSGD, task).vectors[:, 0].min() > 0


def test_features_of_any_size_are_no_other_run():
    """Where single precision cannot tell anything, nobody asks it."""
    X, y = plane.moons(n=200, noise=0.2, seed=0)
    for shift, gamma in ((0.0, 3.0), (1e4, 3.0), (1e6, 0.5)):
        task = asked(make_problem(X + shift, y), {"kernel": kernels.rbf(gamma)}, 600)
        found, expected = train(BSGD, task), recorded.train(BSGD, task)
        close(scores(found, task, X + shift), scores(expected, task, X + shift), 1e-7)


def test_a_merge_never_loses_less_than_its_bound():
    for r in np.linspace(0.01, 1.0, 34):
        for L in np.geomspace(1e-4, 60.0, 60):
            s = L / (1 + r)
            loss = merge.lost(r * r, r, 1.0, L, merge.exact(r * r, r, 1.0, L)) / r**2
            assert loss * (1 + 1e-9) >= -np.expm1(-2 * s) - 2 * s * np.exp(-2 * s)
            node = min(merging.NODES, 1 + int(merging.NODES * loss**0.5))
            assert merging.REACHES[node] >= s


@pytest.mark.parametrize(
    ("compute", "dtype", "whole", "far", "within"),
    [
        (narrow.exponentials, np.float32, np.int32, 80.0, narrow.ROUGH),
        (narrow.doubles, np.float64, np.int64, 700.0, 1e-13),
    ],
)
def test_exponentials(compute, dtype, whole, far, within):
    v = np.append(np.linspace(0.0, far, 100_001), [0.0, 1e-30, 1e6]).astype(dtype)
    out = v.copy()
    compute(out, np.zeros(v.size, whole), v.size, dtype(1.0))
    exact = np.exp(-v[:-1].astype(float))
    assert (abs(out[:-1] - exact) <= np.maximum(within * exact, 1e-12)).all() and 0 <= out[
        -1
    ] < 1e-37


@pytest.mark.parametrize("b", [1, 2, 3, 7, 64, 101])
def test_folded_sums_and_minima(b):
    v = np.random.default_rng(b).normal(size=b + 3)
    assert (
        narrow.total(v.copy(), b) == pytest.approx(v[:b].sum())
        and narrow.least(v.copy(), b) == v[:b].min()
    )
    assert narrow.total(v, 0) == 0.0


@pytest.mark.parametrize("features", [0, 3, 4, 9, 12])
def test_distances_read_the_features_that_are_there(features):
    rng = np.random.default_rng(0)
    V, x = rng.normal(size=(12, 30)).astype(np.float32), np.zeros(12, np.float32)
    at = rng.permutation(12)
    x[at[:features]] = rng.normal(size=features)
    out = np.empty(30, np.float32)
    narrow.squared_distances(V, (V * V).sum(axis=0), 30, x, at, features, out)
    exact = ((V.astype(float) - x[:, None]) ** 2).sum(axis=0)
    longest = max((V * V).sum(axis=0).max(), (x * x).sum())
    assert abs(out - exact).max() <= narrow.error(1.0, 12, longest)


def test_bends_are_where_slopes_change():
    for loss in (
        losses.hinge(),
        losses.squared_hinge(),
        losses.smoothed_hinge(0.5),
        losses.logistic(),
    ):
        rule = learner.Rule(learner.PEGASOS, 0.1, 1.0, 1.0, 0.0, False, loss)
        low, high = fit.bends(rule)
        shares = np.array(
            [learner.weight(rule, margin, -1) for margin in np.linspace(-50, 50, 2001)]
        )
        outside = np.linspace(-50, 50, 2001)
        assert np.unique(shares[outside < low]).size <= 1 and not shares[outside > high].any()
