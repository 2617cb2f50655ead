"""SMO to a tolerance: against exact optima and LIBSVM, with shrinking that takes place, and what
goes on from there.
"""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.svm import SVC

from svmviz.data import plane
from svmviz.data.problem import Problem
from svmviz.estimators.train import Task, smo, train
from svmviz.maths import kernels
from svmviz.maths.kernels import engine
from svmviz.solvers import SOLVERS
from svmviz.theory import reference

SMO = SOLVERS["smo"]


def task(problem, tol=None, steps=10**6, **given) -> Task:
    extra = {name: given.pop(name) for name in ("state", "megabytes", "watch") if name in given}
    return Task(problem, SMO.check(given), steps, tol=tol, **extra)


def dual(problem, found, lam) -> float:
    coef = found.coef[:, 0]
    X = problem.X[found.rows]
    f = engine.responses(kernels.rbf(2.0), X, coef[:, None], X)[:, 0]
    return lam * (np.abs(coef).sum() - 0.5 * coef @ f)


@pytest.fixture
def often(monkeypatch):
    """Somebody is left out every few steps, even if few can be."""
    monkeypatch.setattr(smo, "EVERY", 20)
    monkeypatch.setattr(smo, "WORTH", 0.999)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("megabytes", [0.0, 0.01, 200.0])
def test_it_ends_at_the_exact_optimum_although_some_are_left_out(often, bias, sparse, megabytes):
    problem, seen = plane.moons(n=400, noise=0.35, seed=1), []
    given = problem._replace(X=sp.csr_array(problem.X)) if sparse else problem
    found = train(
        SMO,
        task(
            given,
            tol=1e-6,
            lam=1e-3,
            kernel=kernels.rbf(2.0),
            bias=bias,
            megabytes=megabytes,
            watch=lambda t, facts: seen.append(facts["active"]),
        ),
    )
    best = reference.optimum(problem, 1e-3, kernels.rbf(2.0), bias)
    assert found.converged and min(seen) < 300 and seen[-1] == 400
    assert dual(problem, found, 1e-3) == pytest.approx(best.primal, rel=1e-6)
    assert found.b == pytest.approx(best.b if bias else 0.0, abs=1e-4)


def test_it_stops_where_libsvm_stops():
    X, y = plane.moons(n=1500, noise=0.3, seed=2)
    C = 10.0
    found = train(SMO, task(Problem(X, y), tol=1e-3, lam=1 / (C * 1500), kernel=kernels.rbf(2.0)))
    peer = SVC(C=C, gamma=2.0, tol=1e-3).fit(X, y)
    other = found._replace(rows=peer.support_, coef=peer.dual_coef_.T)
    assert dual(Problem(X, y), found, 1.0) == pytest.approx(
        dual(Problem(X, y), other, 1.0), rel=1e-5
    )
    assert found.b == pytest.approx(peer.intercept_[0], abs=2e-3)
    rises, falls = gradients(X, y, found, C)
    assert rises - falls <= 1e-3 + 1e-9  # the rule itself


def gradients(X, y, found, C) -> tuple[float, float]:
    """The largest gradient that can rise and the smallest that can fall, in NumPy"""
    g, coef = (
        y - kernels.responses(kernels.rbf(2.0), X[found.rows], found.coef[:, 0], X),
        np.zeros(y.size),
    )
    coef[found.rows] = found.coef[:, 0]
    lo, hi = np.where(y < 0, -C, 0.0), np.where(y > 0, C, 0.0)
    return g[coef < hi].max(), g[coef > lo].min()


def test_it_goes_on_in_a_smaller_box():
    problem, given = (
        plane.moons(n=300, noise=0.35, seed=4),
        {
            "kernel": kernels.rbf(2.0),
            "tol": 1e-6,
        },
    )
    wide, narrow = (
        train(SMO, task(problem, lam=1e-3, **given)),
        train(SMO, task(problem, lam=1e-2, **given)),
    )
    found = train(SMO, task(problem, lam=1e-2, state=wide.state, **given))
    assert dual(problem, found, 1e-2) == pytest.approx(dual(problem, narrow, 1e-2), rel=1e-6)
    assert abs(found.coef.sum()) < 1e-9


def test_who_stops_too_early_says_so_and_goes_on_later(often):
    problem = plane.moons(n=300, noise=0.35, seed=4)
    given = {"lam": 1e-3, "kernel": kernels.rbf(2.0)}
    early = train(SMO, task(problem, tol=1e-6, steps=150, **given))
    assert early.converged is False and early.steps == 150
    later = train(SMO, task(problem, tol=1e-6, state=early.state, **given))
    whole = train(SMO, task(problem, tol=1e-6, **given))
    assert later.converged and dual(problem, later, 1e-3) == pytest.approx(
        dual(problem, whole, 1e-3), rel=1e-8
    )
    assert later.steps < whole.steps


@pytest.mark.parametrize(
    "kernel", [None, kernels.poly(2, 0.5, 1.0), kernels.laplacian(1.0), kernels.imq(1.0)], ids=str
)
def test_other_kernels_end_at_their_optimum(often, kernel):
    problem = plane.blobs(n=200, noise=1.2, seed=5)
    found = train(SMO, task(problem, tol=1e-6, lam=0.01, kernel=kernel))
    best = reference.optimum(problem, 0.01, kernel, True)
    f = (
        kernels.responses(
            kernel or kernels.linear(), problem.X[found.rows], found.coef[:, 0], problem.X
        )
        + found.b
    )
    norm2 = found.coef[:, 0] @ (f[found.rows] - found.b)
    assert 0.005 * norm2 + np.maximum(0, 1 - problem.y * f).mean() == pytest.approx(
        best.primal, rel=1e-5
    )


def test_single_precision_ends_close_to_double():
    problem = plane.moons(n=500, noise=0.3, seed=6)
    given = {"tol": 1e-3, "lam": 1e-3, "kernel": kernels.rbf(2.0)}
    single = train(SMO, task(problem._replace(X=problem.X.astype(np.float32)), **given))
    double = train(SMO, task(problem, **given))
    assert single.vectors.dtype == np.float32 and double.vectors.dtype == np.float64
    assert dual(problem, single, 1e-3) == pytest.approx(dual(problem, double, 1e-3), rel=1e-4)
