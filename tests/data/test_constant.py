"""A bias as a constant feature: the run is that of the problem with one feature more, whichever way
it is computed.
"""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import balanced_accuracy_score
from sklearn.svm import SVC, LinearSVC

from svmviz import estimators
from svmviz.data import plane
from svmviz.data.constant import CONSTANT, widened
from svmviz.maths import kernels
from svmviz.maths.losses import each, loss_of
from svmviz.run import shown
from svmviz.solvers import SOLVERS

KNOWING = {
    key: solver
    for key, solver in SOLVERS.items()  # Budgeted SGD has vectors of its own, and tests
    if any(p.name == "intercept" for p in solver.params)
    and solver.space.lifted
    and not solver.space.chained
}
WITH = {"intercept": CONSTANT, "constant": 0.7}


def classifier(key):
    return next(one for one in estimators.ESTIMATORS.values() if one.solver.key == key)


def moved(n=60, seed=3):
    """Two classes on one side of the origin, so that no boundary through it is any good."""
    problem = plane.blobs(n=n, noise=0.8, seed=seed)
    return problem._replace(X=problem.X + [4.0, 3.0])


@pytest.mark.parametrize("key", KNOWING)
def test_with_a_linear_kernel_it_is_a_column_more(key):
    solver, problem = KNOWING[key], moved()
    lifted = problem._replace(X=np.column_stack([problem.X, np.full(problem.n, 0.7)]))
    if solver.space.features is not None:
        pytest.skip("its features are its own")
    own = {"kernel": None}
    trace, other = (
        solver.trace(p, 200, 5, **own, **given) for p, given in ((problem, WITH), (lifted, {}))
    )
    for t in (0, 1, 37, 200):
        np.testing.assert_array_equal(trace.coef(t), other.coef(t))
        f = other.f(t, lifted.X)
        np.testing.assert_allclose(
            trace.f(t, problem.X), f, rtol=0, atol=1e-12 * (1 + np.abs(f).max())
        )
    for name in ("primal", "norm", "error"):
        np.testing.assert_allclose(trace.metrics[name], other.metrics[name], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("key", KNOWING)
def test_with_a_kernel_it_is_added_to_every_value(key):
    solver, problem = KNOWING[key], moved()
    if not any(p.name == "kernel" for p in solver.params):
        pytest.skip("it has no kernel")
    kernel = kernels.rbf(0.5)
    K = kernels.gram(kernel, problem.X) + 0.49
    trace = solver.trace(problem, 150, 5, kernel=kernel, **WITH)
    other = solver.trace(
        problem._replace(X=kernels.numbered(K)), 150, 5, kernel=kernels.precomputed()
    )
    np.testing.assert_allclose(trace.coef(150), other.coef(150), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(trace.f(150, problem.X), K @ other.coef(150), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(trace.metrics["primal"], other.metrics["primal"], rtol=1e-9)


@pytest.mark.parametrize("sparse", (False, True))
def test_what_it_costs_is_said_by_ten_lines(sparse):
    problem = moved()
    problem = problem._replace(X=sp.csr_array(problem.X)) if sparse else problem
    trace = SOLVERS["pegasos"].trace(problem, 80, 1, lam=0.05, **WITH)
    X, y, lam = np.column_stack([moved().X, np.full(problem.n, 0.7)]), problem.y, 0.05
    w = np.zeros(3)
    for t in range(1, 81):
        i, eta = trace.drawn[t], 1 / (lam * t)
        w = (1 - 1 / t) * w + (eta * y[i] * X[i] if y[i] * (w @ X[i]) < 1 else 0)
        P = lam / 2 * w @ w + np.maximum(0, 1 - y * (X @ w)).mean()
        assert trace.metrics["primal"][t] == pytest.approx(P, rel=1e-12)
    np.testing.assert_allclose(trace.f(80, np.zeros((1, 2))), 0.7 * w[2], rtol=1e-12)


@pytest.mark.parametrize("key", ("pegasos", "sdca", "fourier", "sgd"))
def test_the_optimum_is_that_of_the_problem_with_the_feature(key):
    solver, problem = KNOWING[key], moved()
    params = solver.check(WITH)
    best = solver.optimum(problem, params)
    Z = widened(
        problem.X if solver.space.features is None else solver.space.features(problem.X, params),
        0.7,
    )
    lam = params["lam"]
    peer = LinearSVC(
        C=1 / (lam * problem.n), loss="hinge", fit_intercept=False, tol=1e-9, max_iter=1_000_000
    ).fit(Z, problem.y)
    w = peer.coef_[0]
    P = lam / 2 * w @ w + each(0, loss_of(params), problem.y * (Z @ w)).mean()
    assert best.primal == pytest.approx(P, rel=1e-5)
    assert best.b == pytest.approx(0.7 * w[-1], rel=1e-2, abs=1e-3)


@pytest.mark.parametrize("key", [key for key, solver in KNOWING.items() if not solver.space.real])
def test_the_classifier_has_it_as_its_intercept(key):
    problem = moved(120)
    model = classifier(key)(steps=300, **WITH).fit(problem.X, problem.y)
    params = model.solver.check({p.name: getattr(model, p.name) for p in model.solver.params})
    trace = model.solver.trace(problem, 300, 0, **params)
    assert model.intercept_[0] != 0
    f = trace.f(300, problem.X)
    f = f if f.ndim == 1 else f[:, 1] - f[:, 0]
    np.testing.assert_allclose(model.decision_function(problem.X), f, rtol=1e-9, atol=1e-9)


def test_one_in_a_thousand_is_found():
    """Without a bias a rare class away from the origin is not; the constant feature finds it."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(5.0, 0.5, (5000, 2)), rng.normal(8.0, 0.3, (5, 2))])
    y = np.r_[np.zeros(5000), np.ones(5)]
    plain, lifted = (
        classifier("sdca")(lam=1e-4, steps=200_000, **given).fit(X, y)
        for given in ({}, {"intercept": CONSTANT, "constant": 10.0})
    )
    assert (
        balanced_accuracy_score(y, plain.predict(X))
        < 0.7
        < 0.99
        < balanced_accuracy_score(y, lifted.predict(X))
    )


@pytest.mark.parametrize(
    ("key", "given"), [("pegasos", {"intercept": "constant feature"}), ("bias", {})]
)
def test_two_problems_have_two_optima_and_both_are_sent(key, given):
    """Where b has a price, and where it has none: LIBLINEAR's on a wider X, and LIBSVM's."""
    problem, lam = moved(), 0.1
    solver = SOLVERS[key]
    best = shown.optimum(solver, problem, solver.check({"lam": lam} | given), np.arange(problem.n))
    C = 1 / (lam * problem.n)
    free = SVC(kernel="linear", C=C, tol=1e-10).fit(problem.X, problem.y)
    Z = np.hstack([problem.X, np.ones((problem.n, 1))])
    priced = (
        LinearSVC(C=C, loss="hinge", fit_intercept=False, tol=1e-9, max_iter=1_000_000)
        .fit(Z, problem.y)
        .coef_[0]
    )
    both = [(free.coef_[0], free.intercept_[0]), (priced[:2], priced[2])]
    own, other = both if key == "bias" else both[::-1]
    for found, (w, b) in ((best, own), (best["beside"], other)):
        assert found["w"] == pytest.approx(w, abs=1e-3) and found["b"] == pytest.approx(b, abs=1e-3)
    assert best["value"] != pytest.approx(best["beside"]["value"], rel=1e-3)
    plain = SOLVERS["pegasos"]
    assert (
        shown.optimum(plain, problem, plain.check({"lam": lam}), np.arange(problem.n))["beside"]
        is None
    )
