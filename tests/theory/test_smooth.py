"""Exact optima of other losses than the hinge: against scikit-learn and scipy, and against their
own proof.
"""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from svmviz.data import bundled, plane
from svmviz.data.problem import make_problem
from svmviz.maths import kernels, losses
from svmviz.maths.losses import CONJUGATE, VALUE, each
from svmviz.theory import reference
from svmviz.work import limits

LOSSES = [
    losses.squared_hinge(),
    losses.smoothed_hinge(0.5),
    losses.smoothed_hinge(0.01),
    losses.logistic(),
]
every = pytest.mark.parametrize("loss", LOSSES, ids=str)
MOONS, CANCER = plane.moons(n=120, seed=1), bundled.BUNDLED["cancer"].problem(n=100)
RNG = np.random.default_rng(0)
WIDE = make_problem(RNG.normal(size=(40, 90)), np.where(RNG.random(40) < 0.5, -1.0, 1.0))


def primal(problem, lam, loss, w) -> float:
    return lam / 2 * w @ w + each(VALUE, loss, problem.y * (problem.X @ w)).mean()


@every
@pytest.mark.parametrize(
    "kernel", [None, kernels.rbf(2.0), kernels.poly(3, 1.0, 1.0), kernels.laplacian(1.0)], ids=str
)
@pytest.mark.parametrize("lam", [1.0, 0.01, 1e-5])
def test_the_gap_is_closed(loss, kernel, lam):
    best = reference.optimum(MOONS, lam, kernel, loss=loss)
    assert best.exact and abs(best.gap) <= 1e-9 * best.primal
    assert best.alpha.min() >= 0 and best.alpha.max() <= loss.steepest / (lam * MOONS.n) * (
        1 + 1e-12
    )
    f = kernels.gram(kernel or kernels.linear(), MOONS.X) @ best.coef
    assert lam / 2 * best.coef @ f + each(VALUE, loss, MOONS.y * f).mean() == pytest.approx(
        best.primal, rel=1e-10
    )
    assert best.primal == pytest.approx(lam / 2 * best.norm**2 + best.hinge, rel=1e-12)


@every
@pytest.mark.parametrize(
    "problem", [CANCER, WIDE], ids=["30 features", "more features than examples"]
)
def test_by_features_by_coefficients_and_sparse_it_is_the_same(loss, problem):
    best = reference.optimum(problem, 0.02, loss=loss)
    again = reference.optimum(problem, 0.02, kernels.poly(1, 1.0, 0.0), loss=loss)
    sparse = reference.optimum(problem._replace(X=sp.csr_array(problem.X)), 0.02, loss=loss)
    for other in (again, sparse):
        assert other.exact and other.primal == pytest.approx(best.primal, rel=1e-10)
    assert sparse.w == pytest.approx(best.w, abs=1e-7)


@pytest.mark.parametrize("lam", [0.5, 0.01])
def test_logistic_regression_of_scikit_learn(lam):
    model = LogisticRegression(
        C=1 / (lam * CANCER.n), fit_intercept=False, tol=1e-12, max_iter=10_000
    ).fit(CANCER.X, CANCER.y)
    best = reference.optimum(CANCER, lam, loss=losses.logistic())
    assert best.w == pytest.approx(model.coef_[0], abs=1e-5)
    assert best.primal <= primal(CANCER, lam, losses.logistic(), model.coef_[0]) + 1e-13


@pytest.mark.parametrize("lam", [0.5, 0.01])
def test_the_l2_svm_of_liblinear(lam):
    model = LinearSVC(
        loss="squared_hinge",
        C=1 / (lam * CANCER.n),
        fit_intercept=False,
        tol=1e-10,
        max_iter=1_000_000,
    )
    w = model.fit(CANCER.X, CANCER.y).coef_[0]
    best = reference.optimum(CANCER, lam, loss=losses.squared_hinge())
    assert best.w == pytest.approx(w, abs=1e-5)
    assert best.primal <= primal(CANCER, lam, losses.squared_hinge(), w) + 1e-13


@every
def test_a_general_minimiser_finds_no_less(loss):
    def gradient(w):
        return (
            0.05 * w
            + CANCER.X.T
            @ (CANCER.y * each(losses.SLOPE, loss, CANCER.y * (CANCER.X @ w)))
            / CANCER.n
        )

    found = minimize(
        lambda w: primal(CANCER, 0.05, loss, w),
        np.zeros(CANCER.d),
        jac=gradient,
        method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 20_000, "maxfun": 50_000},
    )
    best = reference.optimum(CANCER, 0.05, loss=loss)
    assert best.primal <= found.fun + 1e-12 and best.primal == pytest.approx(found.fun, rel=1e-6)


@every
def test_any_coefficients_prove_less_and_any_w_costs_more(loss):
    lam, C, K = 0.03, 1 / (0.03 * MOONS.n), kernels.gram(kernels.rbf(1.0), MOONS.X)
    best = reference.optimum(MOONS, lam, kernels.rbf(1.0), loss=loss)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        a = rng.random(MOONS.n) * rng.choice([0.1, 1.0])
        coef = C * a * MOONS.y
        D = -each(CONJUGATE, loss, a).mean() - lam / 2 * coef @ K @ coef
        other = rng.normal(size=MOONS.n) * rng.choice([1e-3, 0.1])
        P = lam / 2 * other @ K @ other + each(VALUE, loss, MOONS.y * (K @ other)).mean()
        assert D <= best.dual + 1e-12 and best.primal <= P + 1e-12


def test_little_smoothing_comes_to_the_optimum_of_the_hinge():
    hinge = reference.optimum(MOONS, 0.01, kernels.rbf(2.0)).primal
    for s in (0.1, 0.01, 0.001):
        near = reference.optimum(
            MOONS, 0.01, kernels.rbf(2.0), loss=losses.smoothed_hinge(s)
        ).primal
        assert hinge - s / 2 <= near <= hinge + 1e-12


def test_the_hinge_by_its_name_is_the_optimum_without_one():
    one, other = reference.optimum(MOONS, 0.01), reference.optimum(MOONS, 0.01, loss=losses.hinge())
    assert one.primal == other.primal and np.array_equal(one.coef, other.coef)


@every
def test_numbers_beyond_measure_end_with_what_is_proved(loss):
    huge = MOONS._replace(X=1e60 * MOONS.X)
    best = reference.optimum(huge, 1e-6, kernels.poly(5, 1.0, 0.0), loss=loss)
    assert np.isfinite([best.primal, best.within]).all() and not best.exact


def test_what_cannot_be_asked_is_said():
    with pytest.raises(ValueError, match="hinge only"):
        reference.optimum(MOONS, 0.1, bias=True, loss=losses.logistic())
    with pytest.raises(ValueError, match="up to 2000 examples"):
        reference.optimum(
            plane.moons(n=2001, seed=0), 0.1, kernels.rbf(1.0), loss=losses.logistic()
        )
    assert reference.optimum(plane.moons(n=5000, seed=0), 0.1, loss=losses.logistic()).exact


def test_a_limit_ends_the_search():
    with limits.within(limits.Limit(0.0)):
        hasty = reference.optimum.__wrapped__(MOONS, 1e-4, kernels.rbf(1.0), loss=losses.logistic())
    assert hasty.within > 0 and np.isfinite(hasty.within)
