"""What follows the picture: exact optima of many examples, the same numbers as ever, with a
deadline, and nobody else's.
"""

import json
import struct
from dataclasses import replace

import pytest

from svmviz.player.wire import run
from svmviz.run import shown
from svmviz.run.recipe import Recipe
from svmviz.run.visit.after import Visit
from svmviz.solvers import SOLVERS
from svmviz.theory import reference
from svmviz.ui.jobs.scope import SHARED
from svmviz.ui.playground import beside
from tests.ui.test_pages import app  # noqa: F401  a fixture

MANY = Recipe("blobs", {"n": shown.AT_ONCE_UP_TO + 1}, params={"lam": 0.05}, steps=40).checked()


@pytest.fixture(autouse=True)
def nothing_known():
    SHARED.store("later").clear()


def opened(app, recipe: Recipe):  # noqa: F811
    """What the player has of a run: its header, and what came after it."""
    app.query_params.clear()
    app.query_params.update(recipe.query())
    app.run()
    assert not app.exception and not app.error
    payload, news = b"", {}
    for element in app.get("bidi_component"):
        payload, news = (
            (element.proto.bytes, news)
            if element.proto.bytes
            else (payload, json.loads(element.proto.json))
        )
    (length,) = struct.unpack_from("<I", payload)
    return json.loads(payload[4 : 4 + length]), news


def test_few_examples_have_their_optimum_with_the_picture_and_many_after_it(app):  # noqa: F811
    few = replace(MANY, data_params=MANY.data_params | {"n": 60})
    header, news = opened(app, few)
    assert header["segments"][0]["optimum"]["gap"] <= 1e-10 and not header.get("later") and not news
    assert (
        header["segments"][0]["optimum"]["b"] == 0.0
        and len(header["segments"][0]["optimum"]["w"]) == 2
    )
    header, news = opened(app, MANY)
    exact = reference.optimum(MANY.problem(), 0.05)
    assert header["later"] and header["segments"][0]["optimum"] is None
    assert (
        news["id"] == header["id"]
        and news["cut"] == 0
        and news["optima"][0]["value"] == exact.primal
    )


def test_a_run_that_grows_has_it_at_once(app):  # noqa: F811
    opened(app, MANY)
    header, news = opened(app, replace(MANY, steps=80))
    assert (
        header["T"] == 80
        and header["segments"][0]["optimum"]["gap"] <= 1e-10
        and not header["later"]
        and not news
    )


def test_what_was_not_found_in_time_says_how_far_it_came(app, monkeypatch):  # noqa: F811
    monkeypatch.setitem(beside.SECONDS, "optima", 1e-9)
    hard = replace(MANY, data_params=MANY.data_params | {"seed": 5})
    _, news = opened(app, hard)
    found, exact = news["optima"][0], reference.optimum(hard.problem(), 0.05)
    assert (
        news["cut"] == 1e-9
        and found["gap"] > 1e-3
        and found["value"] - found["gap"] <= exact.primal <= found["value"]
    )


def test_stretches_of_a_run_have_the_optima_that_its_trace_has():
    recipe = replace(
        MANY,
        data_params=MANY.data_params | {"n": 50},
        changes=((10, {"lam": 0.2}), (90, {"lam": 0.3})),
    )
    recipe = recipe.edited(20, [3], [(0.5, 0.5, -1)])
    problem, active = recipe.union()
    found = shown.optima(SOLVERS["pegasos"], problem, recipe.stretches(problem, active))
    assert (
        found == [segment["optimum"] for segment in run.pack(recipe.trace()).header["segments"]]
        and len(found) == 3
    )


def test_what_is_a_visitors_own_is_not_kept_for_others(app):  # noqa: F811
    app.session_state["visit"] = Visit(own={"upload:mine": MANY.source})
    header, news = opened(app, replace(MANY, data="upload:mine", own=MANY.source))
    assert (
        header["later"] and news["optima"][0]["gap"] <= 1e-10 and not SHARED.store("later").results
    )


def test_a_visitor_who_moves_on_wants_it_no_more(app):  # noqa: F811
    opened(app, MANY)
    assert app.session_state.jobs["optima"].ended.is_set()
    opened(app, replace(MANY, data_params=MANY.data_params | {"n": 60}))
    assert not app.session_state.jobs
