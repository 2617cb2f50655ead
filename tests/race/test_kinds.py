"""Races of each kind of problem: real targets and several classes beside two, measured as three
lines of NumPy say.
"""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from svmviz import race
from svmviz.data import many_classes, plane, targets
from svmviz.data.problem import make_multiclass_problem, make_regression_problem
from svmviz.maths import kernels
from svmviz.player.wire import race as racewire
from svmviz.race import card as racecard
from svmviz.race import moving
from svmviz.race.kinds import CLASSES, KINDS, TARGETS, TWO
from svmviz.solvers import SOLVERS
from tests.race.test_card import app, heading  # noqa: F401  a fixture
from tests.tools.cases import together
from tests.tools.rotation import at_times

GAUSS = kernels.rbf(2.0)
COSTS = "0,1,4/1,0,1/2,1,0"
LINKS = {
    "targets": {
        "data": "sine",
        "n": "60",
        "lam": "0.02",
        "kernel": "rbf(gamma=2.0)",
        "epsilon": "0.2",
    },
    "squares": {
        "data": "surface",
        "n": "60",
        "lam": "0.02",
        "kernel": "rbf(gamma=2.0)",
        "loss": "squared",
    },
    "linear": {"data": "outliers", "n": "60", "lam": "0.02"},
    "classes": {"data": "ring", "n": "60", "lam": "0.02", "kernel": "rbf(gamma=2.0)"},
    "costs": {"data": "ring", "n": "60", "lam": "0.02", "costs": COSTS},
    "log-loss": {"data": "ring", "n": "60", "lam": "0.02", "loss": "logistic"},
}


def carded(name: str, **more) -> racecard.Card:
    found, messages = race.card.read(LINKS[name] | {"length": "200", "seeds": "1"} | more)
    assert not messages
    able = [
        key
        for key, rival in race.rivals(found.kind).items()
        if not race.hindrance(rival, found.kernel, found.problem.n, found.kind, found.terms)
    ]
    return replace(found, rivals=tuple(able))


def by_hand(card: racecard.Card, trace, t: int) -> float:
    """The objective by hand, of the w that predicts after step t."""
    problem, coef = (
        card.problem,
        trace.coef(t).reshape(-1, trace.scores),
    )  # examples, then vectors that were made
    f = trace.f(t, problem.X)
    norm2 = (coef * (kernels.gram(trace.kernel(t), trace.table[: len(coef)]) @ coef)).sum()
    if card.kind is TARGETS:
        r = f - problem.y
        cost = (
            r**2 / 2
            if card.terms["loss"] == "squared"
            else np.maximum(0, abs(r) - card.terms["epsilon"])
        )
    else:
        y, delta = problem.y.astype(int), 1 - np.eye(3)
        if card.terms["costs"]:
            delta = np.array([row.split(",") for row in COSTS.split("/")], float)
        behind = f - f[np.arange(y.size), y][:, None]
        logistic = card.terms["loss"] == "logistic"
        cost = np.log(np.exp(behind).sum(axis=1)) if logistic else (behind + delta[y]).max(axis=1)
    return card.lam / 2 * norm2 + cost.mean()


@pytest.mark.parametrize("name", LINKS)
def test_every_rival_is_measured_by_the_common_problem(name):
    card, times = carded(name), np.array([0, 1, 9, 40])
    assert len(card.rivals) >= 2 and card.optimum.exact
    for rival in card.line_up():
        rival = rival._replace(steps=40)
        trace = race.start(card.problem, rival, 3)
        found = race.measure(trace, card.lam, card.nu, times, card.test)
        f = [trace.f(t, card.test.X) for t in times]
        if card.kind is TARGETS:
            off = [np.sqrt(((at - card.test.y) ** 2).mean()) for at in f]
        else:
            off = [(at.argmax(axis=1) != card.test.y).mean() for at in f]
        if trace.solver.space.chained:
            assert np.isnan(found["primal"]).all()
            continue
        assert found[card.kind.yardstick.key] == pytest.approx(off)
        assert found["primal"] == pytest.approx([by_hand(card, trace, t) for t in times], rel=1e-9)
        assert (found["primal"] >= card.optimum.primal - 1e-9).all() and "level" not in found
        if trace.solver.goal.dual:
            assert (found["gap"] >= found["primal"] - card.optimum.primal - 1e-9).all()
            assert found["gap"] == pytest.approx(trace.metrics["gap"][times], rel=1e-9)
        else:
            assert np.isnan(found["gap"]).all()


def test_who_tags_sentences_is_compared_by_its_errors_and_has_fewer():
    card = race.card.read(
        {"data": "tagging", "n": "240", "seeds": "1", "length": "400", "lam": "0.05"}
    )[0]
    assert {"classes", "sequences"} <= {*card.rivals}
    runs = {
        rival.key: [race.run(card.problem, rival, 0, card.lam, card.nu, card.test)]
        for rival in card.line_up()
        if rival.key in ("classes", "sequences")
    }
    tables = race.table.together(runs, card.optimum.primal)
    ends = {key: found["error"][1, -1] for key, found in tables["examples"].values.items()}
    assert ends["sequences"] < ends["classes"] - 0.05, "neighbours tell what a point alone does not"
    rivals = [rival for rival in card.line_up() if rival.key in runs]
    packed = {
        rival.key: racewire.pack_rival(
            race.start(card.problem, rival, 0), card.base.look(card.problem)
        )
        for rival in rivals
    }
    message = racewire.encode_race(rivals, packed, tables, {key: 1.0 for key in runs}, 1)
    assert (
        b"examples.classes.suboptimality" in message
        and b"examples.sequences.suboptimality" not in message
    )
    assert b"examples.sequences.error" in message
    assert ",sequences,,,," in race.table.to_csv(tables, rivals), "no P, so no suboptimality"


@pytest.mark.parametrize(
    "data, kind",
    [
        (plane.moons(n=9), TWO),
        (targets.sine(n=9), TARGETS),
        (many_classes.ring(n=12), CLASSES),
        (make_regression_problem([[0.0], [1.0]], [-1.0, 1.0]), TARGETS),
    ],
)
def test_the_problem_says_of_what_kind_it_is(data, kind):
    assert race.kinds.of(data) is kind


@together("key", race.card.SOURCES)
def test_data_are_of_the_kind_that_their_name_says(key):
    for positive in {
        "",
        *next((p.options for p in race.card.SOURCES[key].params if p.name == "positive"), ()),
    }:
        query = {"data": key, "n": "30", "lanes": ""} | ({"positive": positive} if positive else {})
        card, messages = race.card.read(query)
        assert not messages and card.kind is race.kinds.of(card.problem)
        assert race.card.read(card.query()) == (card, [])


def test_own_data_are_of_their_own_kind():
    X = np.linspace(-1, 1, 20)[:, None]
    for problem, kind in (
        (make_regression_problem(X, X[:, 0]), TARGETS),
        (make_multiclass_problem(X, [0, 1, 2, 3] * 5), CLASSES),
    ):
        own = plane.Dataset("upload:x", "x", lambda problem=problem: problem, (), "", ("x",))
        card, messages = race.card.read({"data": "upload:x", "lam": "0.01"}, own={"upload:x": own})
        assert (
            not messages
            and card.kind is kind
            and card.test is None
            and card.rivals == race.usual(kind)
        )
        assert "training points" in card.tested_on and card.optimum_error >= 0 and card.line_up()


def test_nobody_takes_part_who_minimises_something_else():
    def hindered(name: str, rival: str) -> str:
        card = race.card.read(LINKS[name])[0]
        return race.hindrance(
            race.rivals(card.kind)[rival], card.kernel, card.problem.n, card.kind, card.terms
        )

    assert not hindered("classes", "bsgd")
    assert hindered("costs", "bsgd") == "minimises another P, with the usual costs"
    assert hindered("log-loss", "bsgd") == "minimises another P, with the usual loss"
    assert hindered("classes", "sequences") == "is linear" and hindered("costs", "classes") == ""
    assert not any(hindered(name, "svr") for name in ("targets", "squares", "linear"))
    tagger, ten = race.rivals(CLASSES)["sequences"], many_classes.ring(n=80, classes=10)
    assert race.hindrance(tagger, None, 80, CLASSES, {}, ten).startswith("knows up to 6 tags")


def test_a_lane_of_another_kind_is_answered_in_words():
    card, messages = race.card.read({"data": "sine", "n": "40", "lanes": "sbp,svr,horse"})
    assert (
        card.rivals == ("svr",)
        and "'sbp' is not for real targets" in messages[0]
        and "'horse' is not known" in messages[1]
    )


@pytest.mark.parametrize(
    "name, lanes",
    [
        ("targets", ("svr", "regression[k=5]", "regression[epsilon=0.5]")),
        ("classes", ("classes", "bsgd[B=5]", "classes[loss=logistic]")),
    ],
)
def test_lanes_of_each_kind_may_have_parameters_of_their_own(name, lanes):
    card, messages = race.card.read(
        LINKS[name] | {"length": "200", "seeds": "1", "lanes": ",".join(lanes)}
    )
    assert not messages and card.rivals == lanes and race.card.read(card.query())[0] == card
    first, own, other = (
        race.run(card.problem, rival, 0, card.lam, card.nu, card.test).curves
        for rival in card.line_up()
    )
    assert not np.isnan(first["primal"]).any() and not np.isnan(own["primal"]).any()
    assert np.isnan(other["primal"]).all() and not np.isnan(other[card.kind.yardstick.key]).any(), (
        "another loss has another P"
    )
    assert "level" not in other and moving.lanes_of(card, card.base) == lanes
    assert (
        "'sbp[nu=0.1]' is not for" in race.card.read(LINKS[name] | {"lanes": "sbp[nu=0.1]"})[1][0]
    )


def test_the_tagger_takes_part_on_its_own_data_wherever_one_comes_from():
    for data in ("moons", "ring"):
        card = race.card.read({"data": data, "kernel": "rbf(gamma=4.0)"})[0]
        there = moving.moved(card.base, "tagging")
        found = replace(card, base=there, rivals=moving.lanes_of(card, there))
        assert "sequences" in found.rivals and found.kernel is None
        assert not race.hindrance(
            race.rivals(CLASSES)["sequences"], found.kernel, found.problem.n, CLASSES, found.terms
        )
    chosen = replace(card, rivals=("classes",))
    assert moving.lanes_of(chosen, there) == ("classes",), "who was chosen stays"


def test_runs_become_lanes_beside_what_the_first_has():
    rows = racecard.Recipe("moons", {"n": 40}, "classes", {"lam": 0.1}).checked()
    card = racecard.against(rows, rows.with_params(k=5))
    assert card.kind is TWO and card.lam == 0.05 and card.rivals == ("classes", "classes[k=5]")
    assert race.card.read(card.query()) == (card, [])
    fourier = racecard.Recipe("moons", {"n": 40}, "fourier", {"gamma": 3.0}).checked()
    card = racecard.against(fourier, fourier.with_params(gamma=2.0))
    assert card.kernel == kernels.rbf(3.0) and card.rivals == ("fourier", "fourier[gamma=2.0]")
    assert racecard.admits(fourier) and not racecard.admits(replace(rows, solver="regression"))
    assert not racecard.admits(replace(rows, solver="bias")) and not racecard.admits(
        fourier.edited(0, [1], [])
    )


def test_from_kind_to_kind_stays_what_can():
    card = race.card.read({"data": "moons", "n": "40", "lam": "0.03", "kernel": "rbf(gamma=3.0)"})[
        0
    ]
    for data, kind in (("sine", TARGETS), ("ring", CLASSES), ("moons", TWO)):
        base = racecard.suited(
            racecard.Recipe(data, {}, card.base.solver, card.base.params).checked()
        )
        card = racecard.Card(base, moving.lanes_of(card, base))
        assert card.kind is kind and card.lam == 0.03 and card.kernel == kernels.rbf(3.0)
        assert (
            card.rivals == race.usual(kind, data)
            and card == race.card.read(card.query() | {"length": "5000"})[0]
        )
    assert (
        moving.lanes_of(replace(card, rivals=("svr", "svr[epsilon=0.3]")), card.base)
        == race.usual()
    )
    both = ("bsgd", "classes[k=5]")
    assert (
        moving.lanes_of(replace(card, rivals=both), race.card.read(LINKS["classes"])[0].base)
        == both
    )


@pytest.mark.parametrize("name", ["targets", "costs"])
def test_the_script_prints_the_curves_of_each_kind(name, capsys):
    card = carded(name)
    exec(card.python(), {})
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    runs = {
        rival.key: [race.run(card.problem, rival, 0, card.lam, card.nu, card.test)]
        for rival in card.line_up()
    }
    values = race.table.together(runs, card.optimum.primal)["steps"].values
    off = card.kind.yardstick.key
    for key in card.rivals:
        mine = [
            [
                float(row[f"{metric}_median"])
                for row in rows
                if row["axis"] == "steps" and row["lane"] == key
            ]
            for metric in (off, "suboptimality")
        ]
        assert mine == [
            pytest.approx(values[key][metric][1], rel=1e-8) for metric in (off, "suboptimality")
        ]
    assert (off == "rmse") == ("error_median" not in rows[0]) and "level_median" not in rows[0]


def test_a_wide_tube_holds_all_and_there_is_nothing_to_race_for():
    with pytest.raises(ValueError, match="lower λ or ε"):
        _ = race.card.read(LINKS["targets"] | {"epsilon": "50"})[0].optimum


def test_old_links_have_the_rivals_that_they_had():
    query = {
        "data": "iris",
        "n": "90",
        "positive": "virginica",
        "scaling": "none",
        "data_seed": "4",
        "lam": "0.01",
        "kernel": "rbf(gamma=0.5)",
        "lanes": "pegasos,sbp,classes,fourier",
        "seeds": "2",
        "length": "300",
    }
    card, messages = race.card.read(query)
    assert not messages and card.query() == query and card.kind is TWO
    pegasos, sbp, classes, fourier = card.line_up()
    assert (
        pegasos.params["lam"] == 0.01
        and classes.params["lam"] == 0.02
        and fourier.params["gamma"] == 0.5
    )
    assert sbp.params["nu"] == pytest.approx(card.nu) and pegasos.steps == sbp.steps == 300
    assert race.usual() == ("pegasos", "sbp", "sdca", "smo", "perceptron", "fourier")
    assert race.card.read({"data": "moons"})[0].lam == 0.002


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_whoever_may_take_part_can_work_there(kind):
    problem = {"two": plane.moons, "targets": targets.sine, "classes": many_classes.ring}[kind.key](
        n=12
    )
    for rival in race.rivals(kind).values():
        assert not SOLVERS[rival.solver].refusal(problem) and SOLVERS[rival.solver].check(
            rival.params
        )
    assert {*race.usual(kind)} <= {*race.rivals(kind)} and kind.solver == race.usual(kind)[0]


# The page -----------------------------------------------------------------------------------------


def boxes(page) -> dict[str, bool]:
    return {box.label: box.value for box in page.sidebar.checkbox}


def chosen(page, title: str) -> None:
    next(box for box in page.sidebar.selectbox if box.label == "data").set_value(title).run()


@at_times()
def test_the_page_goes_from_kind_to_kind(app):  # noqa: F811
    app.query_params.update(
        {
            "data": "sine",
            "n": "50",
            "seeds": "1",
            "length": "100",
            "kernel": "rbf(gamma=2.0)",
            "y": "rmse",
        }
    )
    app.run()
    assert (
        not app.exception
        and not app.warning
        and boxes(app)
        == {
            "Pegasos": True,
            "Dual ascent": True,
            "Pegasos, average": True,
            "Pegasos, k = 10": True,
        }
    )
    head = heading(app)
    assert (
        head["yardstick"]["short"] == "RMSE"
        and head["optimum"]["rmse"] > 0
        and head["query"]["epsilon"] == "0.1"
    )
    assert any(
        "Matched: λ = 0.01; C = 1/(λn) = 2. P* is that of the exact optimum" in c.value
        for c in app.sidebar.caption
    )
    assert "ε = 0.1" in head["about"] and "epsilon-insensitive loss" in head["about"]
    chosen(app, "ring")
    assert not app.exception and boxes(app) == {
        "Pegasos, classes": True,
        "Budgeted SGD": True,
        "Sentence tagger": False,
        "Pegasos, k = 10": True,
    }
    head = heading(app)
    assert head["yardstick"]["key"] == "error"
    assert head["query"]["kernel"] == "rbf(gamma=2.0)" and head["query"]["lam"] == "0.01"
    assert any("Sentence tagger is linear" in c.value for c in app.sidebar.caption)
    next(box for box in app.sidebar.selectbox if box.label.startswith("loss")).set_value(
        "logistic"
    ).run()
    assert any("Budgeted SGD minimises another P" in c.value for c in app.sidebar.caption)
    assert heading(app)["query"]["lanes"] == "classes,classes-k10"
    chosen(app, "moons")
    assert (
        not app.exception
        and app.session_state.card.rivals == race.usual()
        and "loss" not in heading(app)["query"]
    )
