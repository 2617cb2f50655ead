"""Regression: the paper in ten lines, exact optima by other solvers, the theorem, the ball, and
what is refused.
"""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVR, LinearSVR
from sklearn.utils.estimator_checks import check_estimator

from svmviz import estimators
from svmviz.data import plane, targets
from svmviz.data.params import offered
from svmviz.data.problem import make_regression_problem
from svmviz.maths import kernels, losses
from svmviz.maths.dual import coordinate
from svmviz.maths.losses import SLOPE, VALUE, each
from svmviz.record import metrics
from svmviz.run.recipe import Recipe, from_query
from svmviz.solvers import SOLVERS
from svmviz.theory import regression
from tests.tools.variants import seldom

WAVE, HILLS = targets.sine(n=60, seed=1), targets.surface(n=50, seed=2)
PEGASOS, DUAL = SOLVERS["regression"], SOLVERS["svr"]
GIVEN = {"tube": {"epsilon": 0.2}, "squared": {"loss": "squared", "epsilon": 0.3}}
LOSSES = [losses.epsilon_insensitive(0.2), losses.squared(0.3)]
RBF, LAM = kernels.rbf(4.0), 0.5
every = pytest.mark.parametrize("params", GIVEN.values(), ids=GIVEN)
both = pytest.mark.parametrize("kernel", [None, RBF], ids=["linear", "rbf"])


def loss_of(params):
    return losses.loss_of(PEGASOS.check(params))


def primal(problem, K, lam, loss, coef):
    f = K @ coef
    return lam / 2 * coef @ f + each(VALUE, loss, f - problem.y).mean()


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_a_slope_is_a_sub_gradient_and_the_conjugate_its_dual(loss):
    rng = np.random.default_rng(0)
    r, other, a = rng.normal(0, 2, (3, 10_000))
    assert (
        each(VALUE, loss, other)
        >= each(VALUE, loss, r) + each(SLOPE, loss, r) * (other - r) - 1e-12
    ).all()
    assert each(VALUE, loss, r) == pytest.approx(
        np.maximum(0, abs(r) - 0.2) if loss.kind == losses.TUBE else r**2 / 2
    )
    assert (each(VALUE, loss, r) + each(losses.CONJUGATE, loss, a) >= -a * r - 1e-12).all()
    touching = -each(SLOPE, loss, r)
    assert each(VALUE, loss, r) + each(losses.CONJUGATE, loss, touching) == pytest.approx(
        -touching * r, abs=1e-12
    )
    assert (
        losses.slope(losses.epsilon_insensitive(0.25), 0.25) == 0.0
    )  # on the rim it costs nothing


def pegasos(problem, K, lam, loss, order, radius):
    """Figures 1 to 3 with residuals; the coefficients before each step, and after the last."""
    coef, found = np.zeros(problem.n), []
    for t, batch in enumerate(order, start=1):
        found.append(coef)
        slopes = each(SLOPE, loss, (K @ coef - problem.y)[batch])
        coef = (1 - 1 / t) * coef
        np.subtract.at(coef, batch, slopes / (lam * t * len(batch)))
        coef = min(1.0, radius / max(np.sqrt(max(0.0, coef @ K @ coef)), 1e-300)) * coef
    return [*found, coef]


@every
@pytest.mark.parametrize(
    "given",
    [{}, {"k": 4, "project": True}, {"kernel": RBF, "project": True, "k": 2}],
    ids=["one", "projected batches", "kernel"],
)
def test_pegasos_is_ten_lines(params, given):
    trace = PEGASOS.trace(WAVE, 80, 3, lam=LAM, **given, **params)
    K = kernels.gram(given.get("kernel") or kernels.linear(), WAVE.X)
    loss, order = loss_of(params), np.reshape(trace.drawn[1:], (80, -1))
    radius = (
        np.sqrt(each(VALUE, loss, -WAVE.y).mean() / LAM)
        if given.get("project") or loss.steepest > 1.0
        else np.inf
    )
    path = pegasos(WAVE, K, LAM, loss, order, radius)
    for t in (0, 1, 2, 40, 80):
        r = K @ path[t] - WAVE.y
        assert trace.at(t).coef == pytest.approx(path[t], rel=1e-9, abs=1e-12)
        assert trace.metrics["primal"][t] == pytest.approx(
            primal(WAVE, K, LAM, loss, path[t]), rel=1e-9
        )
        assert trace.metrics["rmse"][t] == pytest.approx(np.sqrt((r**2).mean()))
        assert trace.metrics["mae"][t] == pytest.approx(abs(r).mean())
        assert trace.metrics["error"][t] == (abs(r) > params["epsilon"]).mean()
    mean = np.mean(path[:80], axis=0)
    assert trace.metrics["primal_average"][80] == pytest.approx(
        primal(WAVE, K, LAM, loss, mean), rel=1e-9
    )
    assert trace.metrics["mae_average"][80] == pytest.approx(abs(K @ mean - WAVE.y).mean())
    fresh = targets.sine(n=30, seed=9)
    assert (
        metrics.error_on(trace, fresh)[80]
        == (abs(trace.f(80, fresh.X) - fresh.y) > params["epsilon"]).mean()
    )


def test_the_optimum_is_that_of_other_solvers():
    lam, n = 0.02, HILLS.n
    best = regression.optimum(HILLS, lam, loss=losses.epsilon_insensitive(0.1))
    other = (
        LinearSVR(epsilon=0.1, C=1 / (lam * n), fit_intercept=False, tol=1e-10, max_iter=1_000_000)
        .fit(*HILLS)
        .coef_
    )
    assert best.exact and best.w == pytest.approx(other, abs=1e-6)
    ridge = regression.optimum(WAVE, lam, RBF, loss=losses.squared())
    known = KernelRidge(alpha=lam * WAVE.n, kernel="rbf", gamma=4.0).fit(*WAVE).dual_coef_
    assert ridge.exact and ridge.coef == pytest.approx(known)
    curved = regression.optimum(WAVE, lam, RBF, loss=losses.epsilon_insensitive(0.1))
    biased = SVR(kernel="rbf", gamma=4.0, epsilon=0.1, C=1 / (lam * WAVE.n), tol=1e-8).fit(*WAVE)
    coef = np.zeros(WAVE.n)
    coef[biased.support_] = biased.dual_coef_[0]
    f = biased.predict(
        WAVE.X
    )  # with a bias that costs nothing its optimum is no higher, and near where b is small
    below = (
        lam / 2 * coef @ kernels.gram(RBF, WAVE.X) @ coef
        + each(VALUE, losses.epsilon_insensitive(0.1), f - WAVE.y).mean()
    )
    assert curved.exact and below <= curved.primal <= 1.05 * below


def test_nothing_depends_on_the_unit_of_the_target():
    """Targets, ε and 1/λ a thousand times as large: w is, too."""
    small, large = (
        regression.optimum(
            make_regression_problem(WAVE.X, unit * WAVE.y),
            0.01 / unit,
            RBF,
            losses.epsilon_insensitive(0.1 * unit),
        )
        for unit in (1.0, 1000.0)
    )
    assert (
        small.exact and large.exact and large.primal == pytest.approx(1000 * small.primal, rel=1e-9)
    )


def test_too_many_examples_have_no_exact_optimum():
    assert regression.optimum(targets.sine(n=1001), 0.1) is None


@every
@both
def test_dual_ascent_reaches_it(params, kernel):
    lam, loss = 0.02, loss_of(params)
    trace, best = (
        DUAL.trace(WAVE, 4000, 2, lam=lam, kernel=kernel, **params),
        regression.optimum(WAVE, lam, kernel, loss),
    )
    K, C = kernels.gram(kernel or kernels.linear(), WAVE.X), 1 / (lam * WAVE.n)
    for t in (0, 1, 17, 4000):
        coef = trace.at(t).coef
        share = np.clip(coef / C, -loss.steepest, loss.steepest)
        value = (
            share * WAVE.y - each(losses.CONJUGATE, loss, share)
        ).mean() - lam / 2 * coef @ K @ coef
        assert trace.metrics["dual"][t] == pytest.approx(value, abs=1e-12)
        assert trace.metrics["primal"][t] == pytest.approx(
            primal(WAVE, K, lam, loss, coef), abs=1e-12
        )
    assert (np.diff(trace.metrics["dual"]) >= -1e-13).all() and trace.metrics["gap"].min() >= -1e-13
    assert trace.metrics["gap"][-1] <= 2e-3 * trace.metrics["gap"][0]
    assert (
        trace.metrics["dual"].max() <= best.primal + 1e-12 <= trace.metrics["primal"].min() + 2e-12
    )


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_a_coordinate_step_is_the_best_there_is(loss):
    rng = np.random.default_rng(1)
    for coef, r, K, C in zip(
        rng.uniform(-1, 1, 300),
        rng.normal(0, 2, 300),
        rng.exponential(1, 300),
        rng.exponential(1, 300),
        strict=True,
    ):
        coef *= C

        def dual(new, coef=coef, r=r, K=K, C=C):
            return (
                -C * losses.conjugate(loss, losses.share(loss, new, C))
                - (new - coef) * r
                - (new - coef) ** 2 * K / 2
            )

        found = coordinate(loss, coef, r, K, C)
        most = C if loss.steepest == 1.0 else C * (1 + abs(r)) + abs(coef)
        best = minimize_scalar(
            lambda new: -dual(new), bounds=(-most, most), method="bounded", options={"xatol": 1e-12}
        )
        assert dual(found) >= -best.fun - 1e-9 * (1 + abs(r))
    assert (
        coordinate(losses.epsilon_insensitive(0.1), 0.0, -1.0, 0.0, 3.0) == 3.0
    )  # a row of zeros has no top


@every
@both
def test_pegasos_keeps_to_theorem_1(params, kernel):
    lam = 0.05
    trace = PEGASOS.trace(WAVE, 2000, 1, lam=lam, kernel=kernel, project=True, k=3, **params)
    bound, best = (
        trace.solver.goal.bound(trace),
        regression.optimum(WAVE, lam, kernel, loss_of(params)),
    )
    above = trace.metrics["primal_average"] - best.primal
    assert bound.holds and (above[bound.t] <= bound.value).all() and above[-1] < 0.02 * above[0]
    assert PEGASOS.goal.bound(PEGASOS.trace(WAVE, 9, lam=lam, **params)).holds, (
        "slopes without a bound have a ball unasked"
    )


def test_the_ball_is_that_of_the_loss():
    """One point, target 5, tube 0.1, λ = 0.1: w* = 4.9, beyond 1/√λ = 3.16."""
    one, loss = make_regression_problem([[1.0], [1.0]], [5.0, 5.0]), losses.epsilon_insensitive(0.1)
    best = regression.optimum(one, 0.1, loss=loss)
    assert best.w == pytest.approx([4.9]) and best.norm > 0.1**-0.5
    assert best.norm <= regression.radius(one, 0.1, loss) == pytest.approx(7.0)
    trace = PEGASOS.trace(one, 4000, lam=0.1, epsilon=0.1, project=True)
    assert trace.at(4000).w == pytest.approx([4.9], abs=0.02)


def test_who_tells_classes_apart_refuses_numbers():
    for key, solver in SOLVERS.items():
        if not solver.space.real:
            with pytest.raises(
                ValueError, match="tells classes apart, and the targets of this problem are numbers"
            ):
                solver.trace(WAVE, steps=3)
            assert not Recipe("sine", solver=key).checked().admitted()
    labels = PEGASOS.trace(
        plane.moons(n=30), steps=300, kernel=RBF, lam=0.001
    )  # labels are numbers, too
    assert labels.metrics["error"][-1] < labels.metrics["error"][0] == 1.0


def test_data_with_targets_bring_a_solver_that_fits_them():
    recipe = Recipe(params={"lam": 0.2}).checked().with_data("stairs")
    assert recipe.solver == "regression" and recipe.params["lam"] == 0.2 and recipe.admitted()
    assert recipe.with_solver("svr").with_data("diabetes").solver == "svr"
    found, messages = from_query(recipe.query())
    assert not messages and found.checked() == recipe
    script = {}
    exec(recipe.python().replace("print(", "print and ("), script)
    assert np.array_equal(script["trace"].at(120).coef, recipe.trace().at(120).coef)


@pytest.mark.parametrize("name", seldom(estimators.REGRESSORS))  # all have one base
@pytest.mark.filterwarnings("ignore")
def test_it_is_a_regressor_to_scikit_learn(name):
    check_estimator(getattr(estimators, name)(), on_skip=None)


@pytest.mark.parametrize(
    ("key", "given"),
    [
        ("regression", {"iterate": "average", "intercept": "constant feature"}),
        ("svr", {"kernel": "rbf(gamma=4.0)"}),
    ],
)
def test_a_regressor_is_the_run_that_the_app_shows(key, given):
    made = next(found for found in estimators.REGRESSORS.values() if found.solver.key == key)
    model, trace = (
        made(steps=170, random_state=5, **given).fit(*WAVE),
        SOLVERS[key].trace(WAVE, 170, 5, **given),
    )
    assert model.predict(WAVE.X) == pytest.approx(trace.f(170, WAVE.X), rel=1e-9, abs=1e-12)
    assert estimators.PegasosRegressor.__name__ == "PegasosRegressor" and model.n_iter_ == 170


def test_a_control_offers_tubes_as_wide_as_the_targets_span_and_none_without_a_tube():
    epsilon = next(p for p in PEGASOS.params if p.name == "epsilon")
    assert (
        offered(epsilon, WAVE).high == pytest.approx(np.ptp(WAVE.y), rel=0.05)
        and epsilon.check(1000) == 1000
    )
    assert epsilon.matters(PEGASOS.check({})) and not epsilon.matters(
        PEGASOS.check({"loss": "squared"})
    )
