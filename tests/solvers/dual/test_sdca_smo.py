"""SDCA and SMO, the rivals that work on the dual: each step against NumPy, the end against exact
and foreign optima.
"""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel
from sklearn.svm import SVC, LinearSVC

import svmviz
from svmviz.data import edits, plane
from svmviz.maths import kernels
from svmviz.solvers import SOLVERS
from svmviz.theory import reference
from tests.tools.rotation import by_turns

SDCA, SMO = SOLVERS["sdca"], SOLVERS["smo"]
KERNELS = {
    "none": (None, linear_kernel),
    "linear": (kernels.linear(), linear_kernel),
    "Gaussian": (kernels.rbf(2.0), lambda X, Z: rbf_kernel(X, Z, gamma=2.0)),
}
SETS = {
    "moons": plane.moons(n=80, seed=1),
    "blobs": plane.blobs(n=80, noise=1.4, seed=2),
    "circles": plane.circles(n=80, seed=3),
}
runs = pytest.mark.parametrize(
    "solver, params",
    [(SDCA, {}), (SMO, {"bias": False}), (SMO, {"bias": True})],
    ids=["SDCA", "SMO", "SMO with bias"],
)


def data(n=40, d=4, seed=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.7)
    X[7] = 0.0  # a row without curvature
    return X, np.where(X @ rng.normal(size=d) + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)


def sdca(K, y, C, order):
    """Algorithm 1 of Hsieh et al. on the Gram matrix: all alpha."""
    alpha, seen = np.zeros(len(y)), [np.zeros(len(y))]
    for i in order:
        margin = y[i] * (K[i] @ (y * alpha))
        alpha = alpha.copy()
        alpha[i] = C if K[i, i] == 0 else np.clip(alpha[i] + (1 - margin) / K[i, i], 0, C)
        seen.append(alpha)
    return np.array(seen)


def smo(K, y, C, chosen, bias):
    """WSS 2 of Fan, Chen and Lin, or the best single coefficient, with every gradient computed
    afresh: all coefficients, b.

    After a step both of a pair have the same gradient, so that rounding decides between them: of
    equals the chosen are taken.
    """
    beta, seen, b, lo, hi = (
        np.zeros(len(y)),
        [np.zeros(len(y))],
        [0.0],
        np.minimum(0, y * C),
        np.maximum(0, y * C),
    )
    for i, *j in chosen:
        g, beta = y - K @ beta, beta.copy()
        if bias:
            kappa = np.maximum(K[i, i] + np.diag(K) - 2 * K[i], 1e-12)
            gains = np.where((beta > lo) & (g < g[i]), (g[i] - g) ** 2 / kappa, -1)
            assert (
                beta[i] < hi[i]
                and g[i] >= g[beta < hi].max() - 1e-12
                and gains[j[0]] >= gains.max() - 1e-12
            )
            move = min((g[i] - g[j[0]]) / kappa[j[0]], hi[i] - beta[i], beta[j[0]] - lo[j[0]])
            beta[j] -= move
        else:
            moves = np.clip(g / np.maximum(np.diag(K), 1e-12), lo - beta, hi - beta)
            gains, move = moves * (g - moves * np.diag(K) / 2), moves[i]
            assert gains[i] >= gains.max() - 1e-12
        beta[i] += move
        seen.append(beta)
        b.append(reference.offset(lo, hi, beta, y - K @ beta, bias))
    return np.array(seen), np.array(b)


def compare(trace, beta, b, K, lam):
    """Coefficients, metrics and decision values of every step against those of the coefficients
    `beta` and biases `b`.
    """
    y, f = trace.problem.y, beta @ K
    assert max(abs(trace.at(t).coef - beta[t]).max() for t in range(trace.steps + 1)) <= 1e-10
    primal = lam / 2 * (beta * f).sum(axis=1) + np.maximum(0, 1 - y * (f + b[:, None])).mean(axis=1)
    dual = lam * (beta @ y - (beta * f).sum(axis=1) / 2)
    for name, expected in {"primal": primal, "dual": dual, "gap": primal - dual}.items():
        assert abs(trace.metrics[name] - expected).max() <= 1e-10, name
    assert abs(trace.f(trace.steps, trace.problem.X) - f[-1] - b[-1]).max() <= 1e-10


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("form", ["dense", "CSR"])
def test_every_step_of_sdca_is_the_papers(form, name):
    (X, y), (kernel, oracle) = data(), KERNELS[name]
    problem = svmviz.make_problem(sp.csr_array(X) if form == "CSR" else X, y)
    trace = SDCA.trace(problem, steps=300, seed=5, lam=0.02, kernel=kernel)
    alpha = sdca(oracle(X, X), y, 1 / (0.02 * len(y)), trace.drawn[1:])
    compare(trace, y * alpha, np.zeros(301), oracle(X, X), 0.02)
    support = np.concatenate([[0], (alpha[:-1] != 0).sum(axis=1)]) * (kernel is not None)
    assert (np.diff(trace.metrics["kernel_evals"], prepend=0) == support).all()


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("form", ["dense", "CSR"])
def test_every_step_of_smo_is_the_papers(form, name, bias):
    (X, y), (kernel, oracle) = data(), KERNELS[name]
    problem = svmviz.make_problem(sp.csr_array(X) if form == "CSR" else X, y)
    trace = SMO.trace(problem, steps=40, lam=0.02, kernel=kernel, bias=bias)
    beta, b = smo(
        oracle(X, X), y, 1 / (0.02 * len(y)), trace.drawn[1:].reshape(40, -1).tolist(), bias
    )
    compare(trace, beta, b, oracle(X, X), 0.02)
    moving = np.abs(np.diff(beta, axis=0)).max(axis=1) > 0
    assert (np.diff(trace.metrics["kernel_evals"]) == moving * (2 if bias else 1) * len(y)).all()
    assert (trace.metrics["inner_products"] == trace.metrics["kernel_evals"]).all()


LINEAR_AND_GAUSSIAN = [None, kernels.rbf(2.0)]


def steps_of(solver) -> int:
    return 300_000 if solver is SDCA else 6000


def foreign(problem, lam, kernel, bias) -> float:
    """P at the optimum of scikit-learn's solvers."""
    C, (X, y) = 1 / (lam * problem.n), problem
    if bias:
        model = SVC(C=C, kernel="linear" if kernel is None else "rbf", gamma=2.0, tol=1e-10).fit(
            X, y
        )
        norm2 = (
            model.dual_coef_
            @ kernels.gram(kernel or kernels.linear(), model.support_vectors_)
            @ model.dual_coef_.T
        )
        return float(
            lam / 2 * norm2[0, 0] + np.maximum(0, 1 - y * model.decision_function(X)).mean()
        )
    model = LinearSVC(C=C, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=2_000_000).fit(
        X, y
    )
    return float(
        lam / 2 * (model.coef_**2).sum() + np.maximum(0, 1 - y * model.decision_function(X)).mean()
    )


@pytest.mark.parametrize(
    ("solver", "params", "name", "kernel"),
    [
        *itertools.product([SMO], [{"bias": False}, {"bias": True}], SETS, LINEAR_AND_GAUSSIAN),
        *by_turns(itertools.product([SDCA], [{}], SETS, LINEAR_AND_GAUSSIAN), 5),
    ],
)
def test_the_gap_closes_and_every_other_way_leads_to_the_same_optimum(solver, params, name, kernel):
    problem, bias = SETS[name], params.get("bias", False)
    trace = solver.trace(problem, steps=steps_of(solver), lam=0.02, kernel=kernel, **params)
    best, found = reference.optimum(problem, 0.02, kernel, bias), trace.metrics
    assert -1e-14 <= found["gap"][-1] <= 1e-8 and (found["gap"] >= -1e-14).all()
    assert found["primal"][-1] == pytest.approx(best.primal, abs=1e-8)
    if bias or kernel is None:
        assert found["primal"][-1] == pytest.approx(foreign(problem, 0.02, kernel, bias), rel=1e-6)
    if bias:
        assert trace.at(trace.steps).b == pytest.approx(best.b, abs=1e-6)


@pytest.mark.parametrize("kernel", [None, kernels.poly(2)], ids=["linear", "polynomial"])
@runs
def test_boxes_hold_and_the_dual_never_falls(solver, params, kernel):
    problem, C = plane.xor(n=60, seed=4), 1 / (0.05 * 60)
    trace = solver.trace(problem, steps=800, lam=0.05, kernel=kernel, **params)
    for t in range(801):
        alpha = trace.at(t).alpha
        assert alpha.min() >= 0 and alpha.max() <= C * (1 + 1e-15)
        assert not params.get("bias") or abs(alpha @ problem.y) <= 1e-12
    assert np.diff(trace.metrics["dual"]).min() >= -1e-15


def test_after_the_optimum_smo_stands_still_and_says_so():
    trace = SMO.trace(plane.blobs(n=40), steps=400, lam=0.1)
    still = trace.column("why") & 1 << 7 > 0
    first = int(np.argmax(still))
    assert (
        1 < first < 400
        and still[first:].all()
        and (trace.at(first - 1).coef == trace.at(400).coef).all()
    )
    assert trace.why(400).startswith("Optimal to 10⁻¹⁰") and trace.metrics["gap"][-1] <= 1e-10
    assert (trace.metrics["kernel_evals"][first:] == trace.metrics["kernel_evals"][first - 1]).all()


@runs
def test_a_smaller_box_scales_and_a_lost_support_vector_starts_anew(solver, params):
    base = plane.moons(n=40, seed=1)
    support = int(np.flatnonzero(solver.trace(base, steps=100, lam=0.02, **params).at(100).coef)[0])
    problem, active = edits.apply(base, [edits.edit(200, [support], [])])
    trace = solver.trace(
        problem, steps=20_000, lam=0.02, changes=[(100, {"lam": 0.2})], active=active, **params
    )
    assert np.flatnonzero(trace.column("factor", first=1.0) != 1).tolist()[
        0
    ] == 101 and "scaled by 0.100" in trace.why(101)
    assert trace.column("factor", first=1.0)[201] == 0 and "scaled by 0.000" in trace.why(201)
    rest = np.delete(np.arange(40), support)
    best = reference.optimum(
        svmviz.Problem(base.X[rest], base.y[rest]), 0.2, None, params.get("bias", False)
    )
    assert (trace.metrics["gap"][101:] >= -1e-14).all() and trace.metrics["primal"][
        -1
    ] == pytest.approx(best.primal, abs=1e-8)
    assert trace.at(20_000).alpha.max() <= 1 / (0.2 * 39) * (1 + 1e-15)


def test_turning_the_bias_on_starts_anew_where_the_classes_do_not_balance():
    trace = SMO.trace(
        plane.moons(n=40), steps=600, lam=0.05, bias=False, changes=[(50, {"bias": True})]
    )
    assert abs(trace.at(50).coef.sum()) > 1e-3 and abs(trace.at(51).coef.sum()) <= 1e-12
    assert (
        trace.metrics["gap"][-1] <= 1e-9 and len(trace.drawn[50]) == 1 and len(trace.drawn[51]) == 2
    )


def test_smo_takes_no_order():
    with pytest.raises(ValueError, match="takes no order"):
        SMO.trace(plane.moons(n=20), order=[1, 2, 3])
