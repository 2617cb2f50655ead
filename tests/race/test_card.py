"""The race: matched regularisation, what a predictor is, equal cost, and the page as a script."""

import csv
import dataclasses
import io
import json
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from svmviz import race
from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.maths.water import water_level
from svmviz.player.wire import race as racewire
from svmviz.race import card as racecard
from svmviz.record import metrics
from svmviz.solvers import SOLVERS
from svmviz.theory import pareto, reference
from svmviz.ui.jobs.compiling import compilation
from svmviz.views import looks
from tests.tools.cases import together
from tests.tools.rotation import at_times
from tests.ui.here import here  # noqa: F401  a fixture

LAM, KERNEL = 0.02, kernels.rbf(2.0)
PROBLEM, TEST = plane.moons(n=60, noise=0.2), plane.moons(n=80, noise=0.2, seed=9)
BEST = reference.optimum(PROBLEM, LAM, KERNEL)
NU = BEST.hinge / BEST.norm
FIVE = ("pegasos", "sbp", "pegasos-average", "sbp-last", "pegasos-k10")
APP = str(Path(__file__).parents[2] / "app.py")


@pytest.fixture(scope="module")
def rivals():
    return {rival.key: rival for rival in race.line_up(PROBLEM, FIVE, LAM, KERNEL, length=300)}


@pytest.fixture(scope="module")
def runs(rivals):
    tasks = [(rival, seed) for seed in range(3) for rival in rivals.values()]
    found = {key: [] for key in rivals}
    for rival, _, result in race.results(PROBLEM, tasks, LAM, NU, TEST):
        found[rival.key].append(result)
    return found


@pytest.fixture(scope="module")
def tables(runs):
    return race.table.together(runs, BEST.primal)


def test_regularisation_is_matched():
    told = race.matched(PROBLEM, LAM, KERNEL)
    assert told["pegasos"]["lam"] == LAM and told["pegasos"]["kernel"] == KERNEL
    assert (
        told["sbp"]["nu"] == pytest.approx(BEST.hinge / BEST.norm, rel=1e-12)
        and not told["sbp"]["bias"]
    )
    assert pareto.slack_optimum(PROBLEM, told["sbp"]["nu"], KERNEL).level == pytest.approx(
        1 / BEST.norm, rel=1e-8
    )
    for key, given in told.items():
        assert set(given) <= {p.name for p in SOLVERS[key].params}


def test_every_solver_may_take_part_and_nobody_else():
    known = race.rivals()
    classify = {key for key, solver in SOLVERS.items() if not solver.space.real}
    assert classify <= set(known) and {e.solver for e in known.values()} == classify
    assert set(race.usual()) <= set(known) and len(race.usual()) <= race.MOST
    for rival in known.values():
        assert SOLVERS[rival.solver].check(rival.params)
    assert "10 of 5" in race.hindrance(known["pegasos-k10"], None, 5) and not race.hindrance(
        known["sbp"], KERNEL, 5
    )


@pytest.mark.parametrize("kernel", [None, KERNEL])
def test_everybody_who_can_run_is_measured(kernel):
    able = [
        key for key, rival in race.rivals().items() if not race.hindrance(rival, kernel, PROBLEM.n)
    ]
    best = reference.optimum(PROBLEM, LAM, kernel)
    for rival in race.line_up(PROBLEM, able, LAM, kernel, length=200):
        result = race.run(PROBLEM, rival, 0, LAM, best.hinge / best.norm, TEST)
        assert (
            not np.isnan(result.curves["error"]).any() and np.isfinite(result.curves["level"]).all()
        )
        approximate = (
            SOLVERS[rival.solver].space.features is not None
        )  # another feature space, another optimum
        assert approximate or np.nanmin(result.curves["primal"]) >= best.primal - 1e-9
        if SOLVERS[rival.solver].goal.dual:
            assert (result.curves["gap"] >= result.curves["primal"] - best.primal - 1e-9).all()
        assert set(result.costs) == set(race.table.AXES) - {"seconds"}


def test_equal_work_makes_the_length_of_a_rival(rivals):
    assert rivals["pegasos"].steps == rivals["sbp"].steps == 300
    assert rivals["pegasos-k10"].steps == 30, "ten examples a step"
    linear = {
        rival.key: rival.steps
        for rival in race.line_up(PROBLEM, ["pegasos", "sbp"], LAM, None, length=300)
    }
    assert linear["pegasos"] > 10 * linear["sbp"]


@pytest.mark.parametrize("iterate", ["last", "average"])
def test_sbp_is_measured_by_what_it_predicts_with(iterate):
    trace = SOLVERS["sbp"].trace(PROBLEM, 200, 3, nu=NU, kernel=KERNEL, iterate=iterate)
    times = np.arange(0, 201, 20)
    found = race.measure(trace, LAM, NU, times, TEST)
    K, seen = kernels.gram(KERNEL, PROBLEM.X), 0
    for k, t in enumerate(times):
        coef = trace.coef(t)
        c = PROBLEM.y * (K @ coef)
        gamma = water_level(c, NU * PROBLEM.n)
        if gamma > 0 and t:
            u, seen = coef / gamma, seen + 1
            P = LAM / 2 * u @ K @ u + np.maximum(0, 1 - PROBLEM.y * (K @ u)).mean()
            assert found["primal"][k] == pytest.approx(P, rel=1e-9) and P >= BEST.primal - 1e-12
            assert (
                found["level"][k] == pytest.approx(gamma, abs=1e-9)
                and gamma <= 1 / BEST.norm + 1e-9
            )
        elif not gamma > 0:
            assert np.isnan(found["primal"][k])
        f = kernels.gram(KERNEL, TEST.X, PROBLEM.X) @ coef
        assert found["error"][k] == ((f >= 0) != (TEST.y > 0)).mean()
    assert seen > 3


@pytest.mark.parametrize("kernel", [None, KERNEL])
def test_pegasos_is_measured_as_its_own_metrics_say(kernel):
    trace = SOLVERS["pegasos"].trace(PROBLEM, 150, 1, lam=LAM, kernel=kernel)
    times = np.array([0, 1, 7, 80, 150])
    found = race.measure(trace, LAM, NU, times)
    assert found["primal"] == pytest.approx(trace.metrics["primal"][times], rel=1e-9)
    assert (found["error"] == trace.metrics["error"][times]).all() and (
        found["n_sv"] == trace.metrics["n_sv"][times]
    ).all()
    assert np.isnan(found["gap"]).all()
    assert race.measure(trace, LAM, NU, times, TEST)["error"] == pytest.approx(
        metrics.error_on(trace, TEST, times)
    )
    norm, c = trace.metrics["norm"][80], PROBLEM.y * trace.f(80, PROBLEM.X)
    assert found["level"][3] == pytest.approx(water_level(c / max(1.0, norm), NU * PROBLEM.n))


def test_costs_rise_and_same_solver_same_seed_is_the_same_run(rivals, runs):
    for found in runs.values():
        for result in found:
            assert (
                all((np.diff(values) >= 0).all() for values in result.costs.values())
                and result.pace > 0
            )
    again = race.run(
        PROBLEM, rivals["pegasos"]._replace(key="another", title="another"), 2, LAM, NU, TEST
    )
    for name, values in runs["pegasos"][2].curves.items():
        np.testing.assert_array_equal(values, again.curves[name])
    assert (runs["pegasos"][0].curves["primal"] != runs["pegasos"][1].curves["primal"]).any()


def test_all_rivals_draw_from_the_same_stream(rivals):
    drawn = [race.start(PROBLEM, rivals[key], 5).drawn for key in ("pegasos", "pegasos-average")]
    assert (drawn[0] == drawn[1]).all()
    longer = race.start(PROBLEM, rivals["pegasos"]._replace(steps=500), 5).drawn
    assert (longer[:301] == drawn[0]).all(), "a longer run begins like a short one"


def test_the_median_is_read_at_equal_cost(runs, tables):
    assert list(tables) == list(race.table.AXES)
    for axis, table in tables.items():
        costs = [race.table.cost(found[0].pace, found[0], axis) for found in runs.values()]
        assert (np.diff(table.x) > 0).all() and table.x[-1] <= min(c[-1] for c in costs)
        assert len(table.x) <= race.table.STOPS + 1
    x, values = tables["kernel_evals"].x, tables["kernel_evals"].values["pegasos"]["error"]
    k = len(x) // 2
    by_hand = []
    for result in runs["pegasos"]:
        last = max(j for j, c in enumerate(result.costs["kernel_evals"]) if c <= x[k])
        by_hand.append(result.curves["error"][last])
    assert (
        values[1, k] == np.median(by_hand)
        and (values[0] <= values[1]).all()
        and (values[1] <= values[2]).all()
    )


def test_an_axis_is_offered_where_most_rivals_pay_and_holds_those_that_do():
    rivals = race.line_up(PROBLEM, ["pegasos", "sbp", "sbp-last"], LAM, None, length=50)
    runs = {rival.key: [race.run(PROBLEM, rival, 0, LAM, NU)] for rival in rivals}
    assert set(race.table.together(runs, 0.0)["kernel_evals"].values) == {"sbp", "sbp-last"}
    assert set(race.table.together(runs, 0.0)["features_read"].values) == set(runs)
    del runs["sbp-last"]
    assert "kernel_evals" not in race.table.together(runs, 0.0)
    assert "kernel_evals" not in race.table.to_csv(race.table.together(runs, 0.0), rivals)


@pytest.mark.parametrize(
    "costs, first, last",
    [
        ([[0, 1, 900], [0, 30, 1200]], 1, 900),
        ([[0, 1, 90_000], [0, 300, 120_000]], 300, 90_000),
        ([[0, 1, 50_000, 99_999], [0, 15_000, 15_000, 15_000]], 1, 99_999),
        ([[0, 600, 700]], 70, 700),
    ],
)
def test_from_where_rivals_have_begun_to_where_one_ends(costs, first, last):
    x = race.table.stops([np.array(c, float) for c in costs], 50, True)
    assert x[0] == first and x[-1] == last and (np.diff(x) > 0).all()


def test_what_has_no_value_yet_is_worse_than_any():
    def result(values):
        return race.Result(np.arange(3), {}, {"error": np.array(values)}, 1.0)

    costs = [np.array([0.0, 1.0, 2.0])] * 3
    runs = [result([np.nan, np.nan, 1.0]), result([np.nan, 2.0, 2.0]), result([np.nan, 3.0, 3.0])]
    low, middle, high = race.table.deciles(np.array([0.5, 1.0, 2.0]), costs, runs, "error", 0.0)
    assert np.isnan(middle[0]) and middle[1] == 3.0 and np.isnan(high[1]) and middle[2] == 2.0


def test_the_curves_as_csv(rivals, tables):
    rows = list(csv.DictReader(io.StringIO(race.table.to_csv(tables, list(rivals.values())))))
    assert len(rows) == sum(len(table.x) for table in tables.values()) * len(rivals)
    last = [row for row in rows if row["axis"] == "steps" and row["lane"] == "sbp"][-1]
    assert float(last["suboptimality_median"]) == pytest.approx(
        tables["steps"].values["sbp"]["suboptimality"][1, -1]
    )
    assert (
        last["gap_median"] == ""
        and float(last["cost"]) == tables["steps"].x[-1]
        and "optimum_within" not in last
    )
    rows = csv.DictReader(
        io.StringIO(race.table.to_csv(tables, list(rivals.values()), within=0.0031))
    )
    assert {row["optimum_within"] for row in rows} == {"0.0031"}


# The card -----------------------------------------------------------------------------------------


def test_a_card_survives_its_link():
    card = race.card.Card(race.card.OPENING.base, ("sbp", "pegasos"), 3, 700)
    read, messages = race.card.read(card.query() | {"t": "5"}, ("t",))
    assert read == card and not messages
    assert race.card.read({}) == (race.card.OPENING, [])


def test_a_lane_may_have_parameters_of_its_own():
    names = ("pegasos", "pegasos[lam=0.1;k=5]", "bsgd[B=5]", "pegasos[kernel=rbf(gamma=9.0)]")
    card, messages = race.card.read(race.card.OPENING.query() | {"lanes": ",".join(names)})
    assert card.rivals == names and not messages and race.card.read(card.query())[0] == card
    first, own, budget, narrow = race.line_up(PROBLEM, names, LAM, KERNEL, length=100)
    assert own.title == "Pegasos, λ = 0.1, k = 5" and (own.params["lam"], own.params["k"]) == (
        0.1,
        5,
    )
    assert first.params["lam"] == budget.params["lam"] == LAM and budget.params["B"] == 5
    assert len({*looks.together(names).values()}) == len(names)
    found = {
        rival.key: race.run(PROBLEM, rival, 0, LAM, NU, TEST) for rival in (first, own, narrow)
    }
    assert not np.isnan(found[own.key].curves["primal"]).any(), "all are measured by the same λ"
    there = found[narrow.key].curves
    assert np.isnan(there["primal"]).all() and not np.isnan(there["error"]).any(), (
        "another kernel has another P"
    )
    assert own.key in card.python() and card.recipe(own, 5).params["k"] == 5
    said = race.card.read({"lanes": "pegasos[speed=3],sbp[nu=-1],perceptron"})
    assert (
        said[0].rivals == ("perceptron",)
        and "reads bsgd[B=5" in said[1][0]
        and "nu must" in said[1][1]
    )


def test_a_bad_link_is_answered_in_words():
    card, messages = race.card.read(
        {"data": "moons", "lam": "abc", "lanes": "pegasos,horse", "seeds": "99", "n": "5000"}
    )
    words = " ".join(messages)
    assert all(part in words for part in ("'abc'", "'horse'", "[1, 20]", "lowered to 1000"))
    assert card.rivals == ("pegasos",) and card.seeds == 10 and card.base.data_params["n"] == 1000


@together("key", race.card.SOURCES)
def test_no_rival_sees_the_test_rows(key):
    card = race.card.read({"data": key, "lanes": "pegasos", "n": "60"})[0]
    train = {row.tobytes() for row in np.c_[card.problem.X, card.problem.y]}
    test = [row.tobytes() for row in np.c_[card.test.X, card.test.y]]
    assert len(test) > 50 and (card.problem.real or {*card.test.y} == {*card.problem.y})
    assert sum(row in train for row in test) <= 2, (
        "measured rows may repeat, but not the drawn ones"
    )


def test_data_on_which_there_is_no_race_are_replaced_and_that_is_said():
    card, messages = race.card.read({"data": "rare", "lam": "0.5"})
    assert card.base == race.card.OPENING.base
    assert any("no race on Rare groups, so it runs on Two moons." in words for words in messages)


def test_a_race_without_anything_to_win_is_refused():
    card = race.card.read({"data": "moons", "n": "60", "lam": "0.01", "lanes": "sbp"})[0]
    flat = plane.Dataset(
        "upload:x", "x", lambda: plane.make_problem([[0.0], [0.0]], [0, 1]), (), ""
    )
    base = race.card.Recipe("upload:x", {}, params=card.base.params, own=flat).checked()
    with pytest.raises(ValueError, match="nothing to race for"):
        _ = race.card.Card(base, ("sbp",)).nu


def test_the_script_prints_the_curves(capsys):
    card = race.card.Card(
        race.card.read({"data": "moons", "n": "40"})[0].base, ("pegasos", "sbp"), 2, 200
    )
    exec(card.python(), {})
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    runs = {
        rival.key: [
            race.run(card.problem, rival, s, card.lam, card.nu, card.test) for s in range(2)
        ]
        for rival in card.line_up()
    }
    table = race.table.together(runs, card.optimum.primal)["steps"]
    assert {row["optimum_within"] for row in rows} == {f"{card.optimum.within:.3g}"}
    mine = [
        float(row["error_median"])
        for row in rows
        if row["axis"] == "steps" and row["lane"] == "sbp"
    ]
    assert mine == pytest.approx(table.values["sbp"]["error"][1])


def test_a_rival_opens_as_the_same_run():
    card = race.card.Card(race.card.read({"data": "moons", "n": "40"})[0].base, ("sbp",), 1, 200)
    (rival,) = card.line_up()
    trace = card.recipe(rival, 90).trace()
    np.testing.assert_array_equal(trace.at(90).coef, race.start(card.problem, rival, 0).at(90).coef)


# The message to the player ------------------------------------------------------------------------


def test_rivals_look_different_and_can_be_read():
    def luminance(colour):
        kernels = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
        return sum(
            w * (v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4)
            for w, v in zip((0.2126, 0.7152, 0.0722), kernels, strict=True)
        )

    derived = [looks.derived(str(k)) for k in range(256)]
    for look in (*looks.LOOKS.values(), *looks.OVERFLOWS.values(), *derived):
        assert 1.05 / (luminance(look.light) + 0.05) > 4.5
        assert (luminance(look.dark) + 0.05) / (luminance("#0E1218") + 0.05) > 4.5
    assert len({*derived}) > 200


def test_look_of_an_unknown_solver_follows_from_its_key_alone():
    assert looks.look("norma2") == looks.derived("norma2") != looks.derived("norma3")


def test_a_race_travels_small(rivals, runs, tables):
    packed = {
        key: racewire.pack_rival(
            race.start(PROBLEM, rival, 0), race.card.OPENING.base.look(PROBLEM)
        )
        for key, rival in rivals.items()
    }
    assert all(len(data) < 6000 + 24 * rivals[key].steps for key, data in packed.items())
    pace = {key: r[0].pace for key, r in runs.items()}
    message = racewire.encode_race(list(rivals.values()), packed, tables, pace, 3, id="a")
    assert sum(map(len, packed.values())) < len(message) < 600_000 and b'"seeds":3' in message


# The page -----------------------------------------------------------------------------------------


@pytest.fixture
def app():
    compilation().join()
    app = AppTest.from_file(APP, default_timeout=60).run()
    app.switch_page("pages/race.py")
    app.query_params.clear()
    return app


def test_the_page_runs_all_seeds_and_says_how_it_matched(app):
    app.query_params.update(
        {"data": "moons", "n": "50", "lanes": "pegasos,sbp", "seeds": "2", "length": "100"}
    )
    app.run()
    assert not app.exception and not app.warning and len(app.get("bidi_component")) == 1
    assert b'"seeds":2' in app.get("bidi_component")[0].proto.bytes
    assert any(
        "Matched: λ = 0.002; ν = " in c.value and "C = 1/(λn) = 10" in c.value
        for c in app.sidebar.caption
    )


@at_times(3)
def test_the_page_answers_for_what_it_cannot_draw(app):
    app.query_params.update(
        {
            "data": "moons",
            "n": "50",
            "lanes": "pegasos",
            "seeds": "1",
            "length": "100",
            "x": "banana",
            "y": "beauty",
            "seed": "3",
            "T": "4",
        }
    )
    app.run()
    said = " ".join(words.value for words in app.warning)
    assert (
        "x was replaced by its default" in said
        and "y was replaced by its default" in said
        and "seed, T" in said
    )
    assert not app.session_state["race_view"].keys() & {"x", "y"}


@at_times(3)
def test_an_optimum_is_called_exact_only_where_that_is_proven(app, here, monkeypatch):  # noqa: F811
    app.query_params.update(
        {"data": "moons", "n": "50", "lanes": "pegasos,sbp", "seeds": "1", "length": "100"}
    )
    app.run()
    assert heading(app)["optimum"]["unproven"] == 0 and any(
        "from the exact optimum" in c.value for c in app.sidebar.caption
    )
    found = reference.optimum
    monkeypatch.setattr(reference, "optimum", lambda *given: found(*given)._replace(gap=0.0131))
    turn(app, 0.003)
    assert heading(app)["optimum"]["unproven"] == pytest.approx(0.0131)
    told = " ".join(words.value for words in (*app.caption, *app.markdown, *app.sidebar.caption))
    assert "from a w whose P is within 0.013 of the least" in told and "exact" not in told


def test_nobody_at_the_start_is_a_sentence(app):
    app.query_params.update(
        {"data": "moons", "n": "50", "lanes": "pegasos", "seeds": "1", "length": "100"}
    )
    app.run()
    app.sidebar.checkbox[0].uncheck().run()
    assert (
        not app.exception
        and any("Tick some solvers" in m.value for m in app.markdown)
        and not app.get("bidi_component")
    )
    app.sidebar.checkbox[1].check().run()
    assert app.session_state.card.rivals == ("sbp",) and len(app.get("bidi_component")) == 1


@at_times(3)
def test_until_the_new_race_is_there_the_old_one_says_whose_it_is(app, monkeypatch):
    app.query_params.update(
        {"data": "moons", "n": "50", "lanes": "pegasos,sbp", "seeds": "1", "length": "100"}
    )
    app.run()
    header = heading(app)
    assert header["stale"] is None and header["query"]["lam"] == "0.002"
    monkeypatch.setattr(
        "svmviz.ui.race.page.first_runs", lambda *_: st.stop()
    )  # as if it took long
    turn(app, 0.003)
    assert heading(app) == header | {
        "stale": {"was": "λ = 0.002", "now": "λ = 0.003"},
        "address": "",
    }
    monkeypatch.undo()
    app.run()
    assert heading(app)["stale"] is None and heading(app)["query"]["lam"] == "0.003"


@at_times(3)
def test_a_race_that_cannot_be_is_refused_and_nothing_stands_beside_the_words(app, monkeypatch):
    def nothing(card):
        raise ValueError("there is nothing to race for")

    app.query_params.update(
        {"data": "moons", "n": "50", "lanes": "pegasos", "seeds": "1", "length": "100"}
    )
    app.run()
    monkeypatch.setattr(racecard.Card, "nu", property(nothing))
    turn(app, 0.003)
    assert [e.value for e in app.sidebar.error] == [
        "there is nothing to race for\\."
    ] and not app.get("bidi_component")
    monkeypatch.undo()
    turn(app, 0.005)
    assert (
        not app.sidebar.error
        and heading(app)["stale"] is None
        and heading(app)["query"]["lam"] == "0.005"
    )


def turn(app, lam: float) -> None:
    slider = next(s for s in app.sidebar.select_slider if "regularisation" in s.label)
    slider.set_value(lam).run()


def heading(app) -> dict:
    """What the message to the player says first."""
    message = app.get("bidi_component")[0].proto.bytes
    return json.loads(message[4 : 4 + int.from_bytes(message[:4], "little")])


def test_cards_are_told_apart_in_words():
    card = racecard.OPENING
    other = dataclasses.replace(card, rivals=(*card.rivals[1:], "bsgd"), length=8000)
    was, now = card.beside(other)
    assert was == f"5000 steps, with {race.rivals()[card.rivals[0]].title}, without Budgeted SGD"
    assert now == f"8000 steps, without {race.rivals()[card.rivals[0]].title}, with Budgeted SGD"
    assert card.beside(card) == ("", "") == card.beside(dataclasses.replace(card, seeds=3))
    fewer = dataclasses.replace(
        card, base=dataclasses.replace(card.base, data_params=card.base.data_params | {"n": 100})
    )
    assert card.beside(fewer) == ("points = 300", "points = 100")


def test_the_rival_that_ends_the_axis_is_named(runs, tables):
    for axis, table in tables.items():
        ends = {
            key: race.table.cost(found[0].pace, found[0], axis)[-1] for key, found in runs.items()
        }
        assert ends[table.ends] == min(ends.values()) and table.x[-1] == ends[table.ends]


def test_no_two_rivals_look_alike():
    dealt = [looks.look(key) for key in {**SOLVERS, **race.everybody(), **looks.LOOKS}]
    for name in ("light", "dark", "shape"):
        assert len({getattr(each, name) for each in dealt}) == len(dealt), name
