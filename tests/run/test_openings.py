"""Where each solver is first met: a real event, soon there; and who is led there."""

from urllib.parse import parse_qsl

import numpy as np

from svmviz.run.link import VIEW_KEYS
from svmviz.run.recipe import SOURCES, from_query
from svmviz.run.view import OPENING, SHOWN, VIEW, arrive, opened, prepared
from svmviz.run.visit import events as e
from svmviz.run.visit.after import Visit, after
from svmviz.solvers import SOLVERS
from tests.tools.cases import together

OTHERS = [key for key in SOLVERS if key != "pegasos"]


@together("key", SOLVERS)
def test_an_opening_is_a_link_to_a_step_in_which_something_happens(key):
    solver = SOLVERS[key]
    assert from_query({"solver": key} | dict(parse_qsl(solver.uses.opening)), VIEW_KEYS)[1] == []
    recipe, view = opened(key)
    assert (
        recipe.solver == key and recipe == recipe.checked() and recipe.quick() and recipe.admitted()
    )
    trace, t = recipe.trace(), view["t"]
    assert 0 < t <= trace.steps - 2 * SHOWN
    said, ran = int(trace.column("why", first=1)[t]), int(trace.column("lines")[t])
    assert said > 1 and not said & 1, "the sentence of the start is the first one"
    assert any(
        line.beat == view["beat"] and ran >> bit & 1
        for bit, line in enumerate(solver.story.lines(trace.params(t)))
    )
    assert len(trace.why(t)) > 40 and any(c.isdecimal() for c in trace.why(t))


@together("key", SOLVERS)
def test_an_opening_comes_to_rest_where_something_happens_too(key):
    recipe, view = opened(key)
    trace, last = recipe.trace(), view["t"] + SHOWN
    ran = int(trace.column("lines")[last])
    assert any(
        line.beat == view["beat"] and ran >> bit & 1
        for bit, line in enumerate(SOLVERS[key].story.lines(trace.params(last)))
    )
    before, now = (trace.f(t, trace.problem.X, "last").ravel() for t in (last - 1, last))
    assert abs(before @ now) < (1 - 1e-9) * np.linalg.norm(before) * np.linalg.norm(now), (
        "w may not only shrink"
    )


def test_every_solver_has_its_own_moment():
    assert len({solver.uses.opening for solver in SOLVERS.values()}) == len(SOLVERS)
    assert all(recipe.data in SOURCES for recipe, _ in map(opened, SOLVERS))


@together("key", SOLVERS)
def test_a_link_that_names_just_the_solver_opens_there_and_one_with_more_does_not(key):
    recipe, view, said = arrive({"solver": key})
    assert (recipe, view, said) == (opened(key)[0], opened(key)[1] | {"play": SHOWN}, [])
    for more in ({"t": "4"}, {"data": "circles"}, {"seed": "0"}):
        other, seen, _ = arrive({"solver": key} | more)
        assert (
            other == from_query({"solver": key, **more}, VIEW_KEYS)[0]
            and not prepared(other)
            and "play" not in seen
        )
    assert arrive(recipe.query() | {"t": "2"})[1]["t"] == 2


def test_the_first_visit_is_met_as_ever():
    assert (
        arrive({}) == (OPENING, VIEW, [])
        and "play" not in VIEW
        and arrive({"t": "5"})[0] == OPENING
    )


@together("key", OTHERS)
def test_who_has_changed_nothing_is_led_from_opening_to_opening(key):
    visit = after(Visit(), e.Link({}))
    visit = after(
        after(visit, e.View({"t": 30, "serial": visit.view["serial"]})), e.More(visit.recipe.steps)
    )
    there = after(visit, e.Solver(key))
    assert there.recipe == opened(key)[0] and there.view["play"] == SHOWN
    assert (there.at, there.seen["beat"]) == (opened(key)[1]["t"], opened(key)[1]["beat"])
    assert after(there, e.Solver("pegasos")).recipe == OPENING


def changed(visit: Visit) -> list[Visit]:
    """What a visitor may do to what he sees."""
    recipe = visit.recipe
    return [
        after(visit, event)
        for event in (
            e.Data("circles"),
            e.Settings(recipe.data_params, recipe.seed + 1, recipe.steps),
            e.Settings(dict(recipe.data_params) | {"seed": 5}, recipe.seed, recipe.steps),
            e.Edit(recipe.key(), "draw", 3, (0,), ()),
            e.Knob({"lam": 0.2}),
            e.Link({"data": "moons", "T": "60", "t": "9"}),
        )
    ]


@together("key", OTHERS)
def test_what_somebody_has_made_his_own_stays(key):
    for visit in changed(after(Visit(), e.Link({}))):
        there = after(visit, e.Solver(key))
        assert (
            there.recipe.solver == key and there.recipe.data == visit.recipe.data and there.at == 0
        )
        assert (
            there.recipe.data_params == visit.recipe.data_params
            and there.recipe.seed == visit.recipe.seed
        )
        assert len(there.recipe.edits) == len(visit.recipe.edits) and not there.view.get("play")
        assert after(there, e.Solver("pegasos")).recipe.params == visit.recipe.current
        asked = after(there, e.Open(key))  # until he asks for it
        assert asked.recipe == opened(key)[0] and asked.view["play"] == SHOWN


def test_a_solver_that_was_turned_in_its_opening_is_found_so_again():
    visit = after(after(Visit(), e.Link({})), e.Solver("sdca"))
    turned = after(visit, e.Knob({"lam": 0.3}))
    there = after(turned, e.Solver("pegasos"))
    assert (
        there.recipe.params == dict(OPENING.params) | {"lam": 0.3}
        and there.recipe.data_params == visit.recipe.data_params
    )
    assert after(there, e.Solver("sdca")).recipe.params == turned.recipe.current


def test_an_opening_plays_once():
    visit = after(after(Visit(), e.Link({})), e.Solver("sbp"))
    assert visit.view["play"] and not after(visit, e.Returned()).view["play"]
    assert "play" not in visit.link() and "play" not in arrive(visit.link())[1]
