"""CHW and PST, SIMBA's baselines: Section 3 of its paper in ten lines each, and the optimum that
they come to.
"""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize

from svmviz.data import many_features, plane
from svmviz.data.problem import make_problem
from svmviz.solvers import SOLVERS
from svmviz.solvers.saddle import nearest

CHW, PST, SIMBA = (SOLVERS[key] for key in ("chw", "pst", "simba"))
PROBLEM, NU = many_features.direction(n=24, d=7, noise=0.1, seed=3), 0.2


def signed(problem):
    R = np.linalg.norm(problem.X, axis=1).max()
    return problem.y[:, None] * problem.X / R, R


def onto(point, volume):
    """The nearest ξ with 0 <= ξ <= 2 and Σ ξ <= volume, by halving what all are lowered by."""
    low, high = 0.0, max(point.max(), 1.0)
    for _ in range(200):
        by = (low + high) / 2
        low, high = (by, high) if np.clip(point - by, 0, 2).sum() > volume else (low, by)
    return (
        np.clip(point, 0, 2)
        if np.clip(point, 0, 2).sum() <= volume
        else np.clip(point - high, 0, 2)
    )


def clarkson(A, volume, rows, columns):
    n, (u, k, log_q) = len(A), (np.zeros(A.shape[1]), np.zeros(len(A)), np.zeros(len(A)))
    for t, (i, j) in enumerate(zip(rows, columns, strict=True), 1):
        p = np.exp(log_q - log_q.max())
        u, k[i], eta = u + A[i], k[i] + 1, np.sqrt(np.log(n) / t)
        w, xi = (
            u / max(np.sqrt(2 * t), np.linalg.norm(u)),
            onto(np.sqrt(2 * volume) * k / np.sqrt(2 * t), volume),
        )
        z = np.clip(eta * (A[:, j] * (w @ w) / w[j] + xi), -1, 1)
        log_q = log_q + np.log(1 - z + z**2)
        yield w, xi, p[i] / p.sum()


def plotkin(A, volume, steps):
    n, s = len(A), np.zeros(len(A))
    for t in range(1, steps + 1):
        p = np.exp(-np.sqrt(np.log(n) / t) * (s - s.min()))
        p /= p.sum()
        xi, w = np.zeros(n), A.T @ p
        xi[np.argsort(-p, kind="stable")] = np.clip(volume - 2 * np.arange(n), 0, 2)
        bound, w = np.linalg.norm(w) + p @ xi, w / np.linalg.norm(w)
        s = s + A @ w + xi
        yield w, xi, bound


@pytest.mark.parametrize("table", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_chw_is_a_gradient_step_for_w_and_for_the_slack(table):
    A, R = signed(PROBLEM)
    trace = CHW.trace(make_problem(table(PROBLEM.X), PROBLEM.y), 200, 4, nu=NU)
    found = list(
        clarkson(A, 24 * NU / R, trace.drawn[1:], trace.scalars["column"][1:].astype(int) - 1)
    )
    w, xi = (np.array([step[k] for step in found]) for k in (0, 1))
    for t in (1, 17, 200):
        assert PROBLEM.X.T @ trace.coef(t, "last") == pytest.approx(w[t - 1], abs=1e-11)
        assert PROBLEM.X.T @ trace.coef(t, "average") == pytest.approx(
            w[:t].mean(axis=0), abs=1e-11
        )
        assert trace.scalars["granted"][t] == pytest.approx(R * xi[t - 1].sum(), abs=1e-9)
        value = R * (A @ w[:t].mean(axis=0) + xi[:t].mean(axis=0)).min()
        assert trace.scalars["value_average"][t] == pytest.approx(value, abs=1e-9)
    assert trace.scalars["p"][1:] == pytest.approx([step[2] for step in found], rel=1e-9)
    assert trace.metrics["features_read"][-1] == 200 * (24 + 7)


def test_without_slack_chw_and_simba_are_one():
    order, columns = np.random.default_rng(0).integers(0, (24, 7), size=(150, 2)).T
    ours, theirs = (
        solver.trace(PROBLEM, order=order, columns=columns, nu=0.0) for solver in (CHW, SIMBA)
    )
    assert ours.at(150).coef == pytest.approx(theirs.at(150).coef, abs=1e-12)
    assert ours.scalars["p"] == pytest.approx(theirs.scalars["p"], rel=1e-6)
    assert ours.scalars["level_average"] == pytest.approx(
        theirs.scalars["level_average"], abs=1e-12
    )


@pytest.mark.parametrize("table", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_pst_answers_the_weights_exactly(table):
    A, R = signed(PROBLEM)
    trace = PST.trace(make_problem(table(PROBLEM.X), PROBLEM.y), 120, nu=NU)
    found = list(plotkin(A, 24 * NU / R, 120))
    for t in (1, 17, 120):
        assert PROBLEM.X.T @ trace.coef(t, "last") == pytest.approx(found[t - 1][0], abs=1e-9)
        assert trace.scalars["upper"][t] == pytest.approx(R * found[t - 1][2], abs=1e-9)
    assert trace.metrics["features_read"][-1] == 120 * 2 * 24 * 7


@pytest.mark.parametrize(
    "problem, nu", [(PROBLEM, NU), (plane.blobs(n=40, noise=1.0, seed=1), 0.1), (PROBLEM, 0.0)]
)
def test_both_come_to_the_optimum_and_what_pst_says_is_above_it(problem, nu):
    best = PST.optimum(problem, PST.check({"nu": nu}))
    assert best.gap <= 1e-9
    R = signed(problem)[1]
    for solver, steps, near in ((PST, 4000, 0.01), (CHW, 20_000, 0.03)):
        own = solver.trace(problem, steps, 1, nu=nu).scalars
        assert best.level - near * R <= own["level_average"][-1] <= best.level + 1e-9
        assert (
            best.level - 5 * near * R <= own["value_average"][-1] <= own["level_average"][-1] + 1e-9
        )
        if solver is PST:
            assert (own["upper"][1:] >= best.level - 1e-9).all() and own["upper"][
                -1
            ] <= best.level + 5 * near * R


@pytest.mark.parametrize("volume", [0.0, 0.3, 5.0, 17.0, 30.0])
def test_slack_is_brought_to_the_nearest_point_of_its_set(volume):
    rng = np.random.default_rng(1)
    for step in (0.1, 0.7, 3.0):
        k, xi = rng.integers(0, 6, 12).astype(float), np.empty(12)
        lowered, granted = nearest(k, step, volume, xi)
        assert xi == pytest.approx(onto(step * k, volume), abs=1e-9)
        assert granted == pytest.approx(xi.sum()) and granted <= volume + 1e-9 and lowered >= 0
    found = minimize(
        lambda x: ((x - step * k) ** 2).sum(),
        np.zeros(12),
        jac=lambda x: 2 * (x - step * k),
        bounds=[(0, 2)] * 12,
        constraints={"type": "ineq", "fun": lambda x: volume - x.sum()},
    )
    assert xi == pytest.approx(found.x, abs=1e-5)
