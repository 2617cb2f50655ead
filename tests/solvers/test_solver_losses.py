"""Solvers on other losses than the hinge: their steps in a few lines of NumPy, their theorems, and
where they end.
"""

import math
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from svmviz.data import bundled, plane
from svmviz.estimators import DualCoordinateAscentClassifier, PegasosClassifier
from svmviz.maths import kernels, losses, sampling
from svmviz.maths.dual import coordinate
from svmviz.maths.losses import CONJUGATE, SLOPE, VALUE, each
from svmviz.record import metrics
from svmviz.run.recipe import Recipe, from_query
from svmviz.solvers import SOLVERS
from svmviz.solvers.sdca.story import WHY
from svmviz.theory import reference

GIVEN = {
    "squared hinge": {"loss": "squared hinge"},
    "smoothed hinge": {"loss": "smoothed hinge", "smoothing": 0.5},
    "logistic": {"loss": "logistic"},
}
every = pytest.mark.parametrize("params", GIVEN.values(), ids=GIVEN)
MOONS, CANCER = (
    plane.moons(n=40, seed=1),
    bundled.BUNDLED["cancer"].problem(n=80, scaling="unit ball"),
)
PEGASOS, SDCA, BSGD = (SOLVERS[key] for key in ("pegasos", "sdca", "bsgd"))


def primal(problem, K, lam, loss, coef) -> float:
    f = K @ coef
    return lam / 2 * coef @ f + each(VALUE, loss, problem.y * f).mean()


# Pegasos


def pegasos(problem, K, lam, loss, order, project):
    """Figures 1 to 3 of the paper with any loss; the coefficients before each step, and after the
    last.
    """
    coef, found = np.zeros(problem.n), []
    for t, batch in enumerate(order, start=1):
        found.append(coef)
        down = each(SLOPE, loss, problem.y[batch] * (K @ coef)[batch])
        coef = (1 - 1 / t) * coef
        np.subtract.at(coef, batch, down * problem.y[batch] / (lam * t * len(batch)))
        norm = math.sqrt(max(0.0, coef @ K @ coef))
        coef = min(1.0, 1 / (math.sqrt(lam) * norm)) * coef if project and norm > 0 else coef
    return [*found, coef]


@every
@pytest.mark.parametrize(
    "given",
    [{}, {"k": 4, "project": True}, {"kernel": kernels.rbf(2.0), "project": True, "k": 2}],
    ids=["one", "projected batches", "kernel"],
)
def test_pegasos_is_ten_lines(params, given):
    given = {"lam": 0.3} | given | params
    trace, K = (
        PEGASOS.trace(MOONS, 60, 3, **given),
        kernels.gram(given.get("kernel") or kernels.linear(), MOONS.X),
    )
    order, loss = np.reshape(trace.drawn[1:], (60, -1)), losses.loss_of(params)
    path = pegasos(MOONS, K, 0.3, loss, order, given.get("project", False) or loss.steepest > 1.0)
    for t in (0, 1, 2, 30, 60):
        assert trace.at(t).coef == pytest.approx(path[t], rel=1e-9, abs=1e-12)
        assert trace.metrics["primal"][t] == pytest.approx(
            primal(MOONS, K, 0.3, loss, path[t]), rel=1e-9
        )
        assert trace.metrics["hinge"][t] == pytest.approx(
            each(VALUE, loss, MOONS.y * (K @ path[t])).mean(), rel=1e-9
        )
    mean = np.mean(path[:60], axis=0)
    assert trace.metrics["primal_average"][60] == pytest.approx(
        primal(MOONS, K, 0.3, loss, mean), rel=1e-9
    )


@every
@pytest.mark.parametrize("project", [False, True])
@pytest.mark.parametrize("lam", [1.0, 0.05])
def test_theorem_1_holds_for_any_sequence(params, project, lam):
    loss, K = losses.loss_of(params), kernels.gram(kernels.linear(), MOONS.X)
    trace = PEGASOS.trace(MOONS, 300, 1, lam=lam, project=project, **params)
    bound, best = trace.solver.goal.bound(trace), reference.optimum(MOONS, lam, loss=loss)
    assert bound.holds
    if not bound.holds:
        assert bound.broken == "no slope of the loss exceeds 1"
        return
    path = np.array([trace.at(t - 1).coef for t in range(1, 301)])
    drawn, t = trace.drawn[1:], np.arange(1, 301)

    def cost(coef):
        f = coef @ K
        norm2 = np.maximum(0.0, (coef * f).sum(axis=-1))
        return lam / 2 * norm2 + each(VALUE, loss, (MOONS.y * f)[np.arange(300), drawn])

    regret = np.cumsum(cost(path) - cost(np.tile(best.coef, (300, 1)))) / t
    assert (regret[bound.t - 1] <= bound.value + 1e-12).all()


@every
def test_corollary_1_holds_with_all_the_data_in_every_step(params):
    trace = PEGASOS.trace(
        MOONS, 200, lam=0.2, k=MOONS.n, project=True, sampling=sampling.SCHEMES[1], **params
    )
    bound, best = (
        trace.solver.goal.bound(trace),
        reference.optimum(MOONS, 0.2, loss=losses.loss_of(params)),
    )
    assert bound.name == "Corollary 1" and bound.holds
    assert (trace.metrics["primal_average"][bound.t] - best.primal <= bound.value).all()
    assert best.norm <= 1 / math.sqrt(0.2)  # in the ball


# Dual coordinate ascent


@given(
    name=st.sampled_from(list(GIVEN)),
    a=st.floats(0, 1),
    m=st.floats(-20, 20),
    K=st.floats(0, 50),
    C=st.floats(1e-3, 100),
)
def test_a_coordinate_step_is_the_best_there_is(name, a, m, K, C):
    loss = losses.loss_of(GIVEN[name])

    def dual(new):
        return -losses.conjugate(loss, new) - (new - a) * m - (new - a) ** 2 * C * K / 2

    alpha = coordinate(loss, a * C, m, K, C)
    share = losses.share(loss, alpha, C)
    assert 0 <= share <= loss.steepest
    high = 1.0 if loss.steepest == 1.0 else 2.0 * (1 + abs(m)) + a
    found = minimize_scalar(
        lambda new: -dual(new), bounds=(0.0, high), method="bounded", options={"xatol": 1e-12}
    )
    assert dual(share) >= -found.fun - 1e-9 * (1 + abs(m) + C * K)


@given(m=st.floats(-700, 700), K=st.floats(0, 1e6), a=st.floats(0, 1))
@example(m=697.8275579464014, K=999999.0, a=0.8515135745846627)
def test_the_logistic_step_ends_where_the_slope_is(m, K, a):
    """At the top a is minus the slope at the margin that it brings about."""
    new = coordinate(losses.logistic(), a, m, K, 1.0)
    margin = m + (new - a) * K
    assert (
        new == pytest.approx(-losses.slope(losses.logistic(), margin), rel=1e-6, abs=1e-9)
        or K * abs(new - a) > 1e3
    )


@every
@pytest.mark.parametrize("kernel", [None, kernels.rbf(2.0)], ids=["linear", "rbf"])
def test_the_dual_rises_below_the_primal_to_the_optimum(params, kernel):
    loss, lam = losses.loss_of(params), 0.05
    trace, K = (
        SDCA.trace(MOONS, 1500, 2, lam=lam, kernel=kernel, **params),
        kernels.gram(kernel or kernels.linear(), MOONS.X),
    )
    dual, gap, C = trace.metrics["dual"], trace.metrics["gap"], 1 / (lam * MOONS.n)
    assert (np.diff(dual) >= -1e-13).all() and gap.min() >= -1e-13
    for t in (0, 1, 17, 1500):
        coef = trace.at(t).coef
        assert dual[t] == pytest.approx(
            -each(CONJUGATE, loss, np.abs(coef) / C).mean() - lam / 2 * coef @ K @ coef, abs=1e-12
        )
        assert trace.metrics["primal"][t] == pytest.approx(
            primal(MOONS, K, lam, loss, coef), abs=1e-12
        )
    best = reference.optimum(MOONS, lam, kernel, loss=loss)
    assert dual.max() <= best.primal + 1e-13 and gap[-1] <= 1e-6
    assert trace.metrics["primal"][-1] == pytest.approx(best.primal, abs=1e-6)


def test_another_loss_on_the_way_starts_from_what_its_box_allows():
    changes = [
        (100, {"loss": "squared hinge"}),
        (200, {"loss": "logistic"}),
        (300, {"loss": "hinge"}),
    ]
    trace = SDCA.trace(MOONS, 400, 2, lam=0.002, changes=changes)
    C = 1 / (0.002 * MOONS.n)
    assert np.abs(trace.at(200).coef).max() > C and np.abs(trace.at(201).coef).max() <= C * (
        1 + 1e-9
    )
    assert np.isfinite(trace.metrics["dual"]).all() and trace.metrics["gap"].min() >= -1e-12
    for start in (100, 200, 300):
        assert (np.diff(trace.metrics["dual"][start + 1 : start + 101]) >= -1e-13).all()
        entry = trace.entries[start]
        assert entry["gap"] >= -1e-12 and np.isfinite(entry["gap"])
    assert trace.entries[100]["gap"] != trace.metrics["gap"][100]


# Budgeted SGD


@every
@pytest.mark.parametrize("kernel", [None, kernels.rbf(2.0)], ids=["linear", "rbf"])
def test_without_a_budget_it_is_pegasos(params, kernel):
    one = BSGD.trace(
        MOONS,
        120,
        4,
        maintenance="none",
        kernel=kernel,
        lam=0.05,
        sampling=sampling.SCHEMES[0],
        **params,
    )
    other = PEGASOS.trace(MOONS, 120, 4, kernel=kernel, lam=0.05, **params)
    for name in ("primal", "hinge", "norm", "error"):
        assert one.metrics[name] == pytest.approx(other.metrics[name], rel=1e-9, abs=1e-10)


@every
@pytest.mark.parametrize("rule", ["Pegasos", "Norma"])
def test_its_theorems_hold(params, rule):
    """In the unit ball; P_t(w_t) is measured before each step."""
    lam, loss, T = 0.5, losses.loss_of(params), 150
    trace = BSGD.trace(
        CANCER, T, 1, rule=rule, lam=lam, eta=0.5, B=10, maintenance="project smallest", **params
    )
    bound, best = (
        trace.solver.goal.bound(trace),
        reference.optimum(CANCER, lam, kernels.rbf(1.0), loss=loss),
    )
    steep = [a for a in bound.assumptions if "slope" in a.text]
    assert [a.holds for a in steep] == [loss.steepest == 1.0]
    if loss.steepest > 1.0:
        return
    assert not any(a.needed and not a.holds for a in bound.assumptions)
    f = kernels.gram(kernels.rbf(1.0), CANCER.X) @ best.coef
    regret = []
    for t in range(1, T + 1):
        i = trace.drawn[t]
        own = losses.value(loss, CANCER.y[i] * float(trace.f(t - 1, CANCER.X[i : i + 1])[0]))
        mine = lam / 2 * trace.metrics["norm"][t - 1] ** 2 + own
        regret.append(mine - lam / 2 * best.norm**2 - losses.value(loss, CANCER.y[i] * f[i]))
    assert (np.cumsum(regret) / np.arange(1, T + 1) <= bound.value + 1e-9).all()


@pytest.mark.parametrize("given", [{"rule": "margin Perceptron"}, {"multiclass": True}], ids=str)
def test_where_the_loss_is_no_choice_it_does_nothing(given):
    one, other = (
        BSGD.trace(MOONS, 80, 1, B=6, **given, **more) for more in ({}, {"loss": "logistic"})
    )
    assert BSGD.loss(other.params()) == losses.hinge()
    for name in one.metrics:
        assert np.array_equal(one.metrics[name], other.metrics[name]), name


# Links, scripts, classifiers


def test_links_and_scripts_name_a_loss_only_where_it_is_another():
    plain = from_query({"solver": "sdca"})[0].checked()
    assert not {"loss", "smoothing"} & set(plain.query()) and "loss" not in plain.python()
    for query in ({"loss": "logistic"}, {"loss": "smoothed hinge", "smoothing": "0.3"}):
        recipe, messages = from_query({"solver": "sdca"} | query)
        assert not messages and {name: recipe.checked().query()[name] for name in query} == query
        assert from_query(recipe.checked().query())[0].checked() == recipe.checked()
        assert f"loss='{query['loss']}'" in recipe.checked().python()
    assert from_query({"loss": "absolute"})[1] == [
        "The link's loss was replaced by its default: loss must be one of hinge, squared hinge,"
        " smoothed hinge, logistic, got 'absolute'."
    ]
    assert (
        Recipe(solver="pegasos")
        .checked()
        .with_params(loss="logistic")
        .with_solver("sdca")
        .params["loss"]
        == "logistic"
    )


@every
@pytest.mark.parametrize("make", [PegasosClassifier, DualCoordinateAscentClassifier])
def test_classifiers_come_near_the_optimum(make, params):
    more = {"iterate": "average"} if make is PegasosClassifier else {}
    model = make(lam=0.05, steps=40_000, **more, **params).fit(CANCER.X, CANCER.y)
    best = reference.optimum(CANCER, 0.05, loss=losses.loss_of(params))
    w = model.coef_[0]
    found = 0.05 / 2 * w @ w + each(VALUE, losses.loss_of(params), CANCER.y * (CANCER.X @ w)).mean()
    assert (
        best.primal - 1e-12
        <= found
        <= best.primal * (1.01 if make is PegasosClassifier else 1 + 1e-9)
    )


@pytest.mark.parametrize(
    ("link", "t", "words"),
    [
        (
            "data=blobs&n=60&noise=0.3&solver=pegasos&lam=0.0001&loss=logistic&T=60&seed=4",
            6,
            "costs next to nothing",
        ),
        (
            "data=checkerboard&solver=bsgd&lam=0.001&B=20&kernel=rbf(gamma=3.0)&loss=logistic&T=60&seed=7",
            13,
            "worth no vector",
        ),
        (
            "data=blobs&n=60&noise=0.3&solver=pegasos&lam=0.0001&T=60&seed=4",
            6,
            "at least 1: it costs nothing",
        ),
    ],
)
def test_only_what_costs_nothing_is_said_to(link, t, words):
    assert words in from_query(dict(parse_qsl(link)))[0].trace().why(t)


def test_a_table_calls_a_loss_hinge_where_it_is_the_hinge():
    first = [
        metrics.to_csv(PEGASOS.trace(MOONS, 3, loss=loss)).partition("\n")[0].split(",")
        for loss in ("hinge", "logistic")
    ]
    assert "hinge_average" in first[0] and "loss_average" not in first[0]
    assert "loss_average" in first[1] and not any("hinge" in name for name in first[1])


# What they say


@pytest.mark.parametrize("solver", [PEGASOS, BSGD], ids=lambda solver: solver.key)
def test_where_the_slope_is_1_a_step_is_eta(solver):
    trace = solver.trace(MOONS, 60, 3, loss="smoothed hinge", smoothing=0.5)
    said = " ".join(trace.why(t) for t in range(1, 61))
    assert (
        re.search(r"of (weight )?η = ", said)
        and re.search(r"of (weight )?0\.\d+ η = ", said)
        and " 1 η" not in said
    )


@pytest.mark.parametrize(
    ("params", "most", "words"),
    [
        ({}, 1.0, "at most 1,"),
        ({"loss": "smoothed hinge", "smoothing": 0.3}, 0.7, "at most 1 − s = 0.7,"),
    ],
    ids=["hinge", "smoothed hinge"],
)
def test_an_alpha_that_stays_at_c_has_a_margin_where_the_loss_is_steepest(params, most, words):
    trace = SDCA.trace(plane.blobs(n=30, seed=1, noise=2.0), 400, 3, lam=0.1, **params)
    full = [t for t in range(1, 401) if trace.column("why")[t] & WHY.at_c]
    assert full and all(
        trace.segments[0].record.margin[t - 1, 0] <= most and words in trace.why(t) for t in full
    )
