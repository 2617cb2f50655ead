"""A run is carried out once, however much is asked of it; its trace is kept within bounds, and for
nobody else.
"""

import numpy as np
import pytest

from svmviz.record import metrics
from svmviz.run.recipe import SOURCES, Recipe
from svmviz.run.visit.after import Visit
from svmviz.ui.jobs import traces
from svmviz.ui.jobs.background import Store
from svmviz.ui.playground import beside
from svmviz.ui.playground.stage import runs, table_of
from tests.ui.test_pages import app  # noqa: F401  a fixture

RUN = Recipe("moons", {"n": 70, "noise": 0.3}, params={"lam": 0.05}, steps=60, seed=4).checked()


@pytest.fixture
def carried_out(monkeypatch):
    """The recipes whose solver has run, with nothing known before."""
    for kept in (runs(), traces.shared(), beside.kept()):
        kept.results.clear()
        kept.weights.clear()
    asked, trace = [], Recipe.trace
    monkeypatch.setattr(Recipe, "trace", lambda recipe: asked.append(recipe) or trace(recipe))
    return asked


def opened(app, recipe: Recipe, **view: str):  # noqa: F811
    app.query_params.clear()
    app.query_params.update(recipe.query() | view)
    app.run()
    assert not app.exception and not app.error


def test_a_run_and_its_table_are_one_run(app, carried_out):  # noqa: F811
    opened(app, RUN)
    assert table_of(RUN) == metrics.to_csv(traces.shared().get(RUN.key())) and carried_out == [RUN]
    opened(app, RUN, y="front")
    assert any("front" in element.proto.json for element in app.get("bidi_component"))
    traces.shared().results.clear()
    assert traces.found(RUN).steps == 60 and len(carried_out) == 2, (
        "what is not kept is carried out"
    )


def test_of_a_visitors_own_data_nothing_is_kept(app, carried_out):  # noqa: F811
    own = SOURCES["moons"]
    app.session_state["visit"] = Visit(own={"upload:mine": own})
    opened(
        app, Recipe("upload:mine", RUN.data_params, params=RUN.params, own=own).checked(), y="front"
    )
    assert (
        len(carried_out) == 1
        and not traces.shared().results
        and not beside.kept().results
        and not runs().results
    )


def test_what_is_kept_weighs_no_more_than_there_is_room_for():
    trace = RUN.trace()
    empty = traces.weight(trace)
    trace.metrics  # noqa: B018  computed now
    assert traces.weight(trace) > empty + 8 * 8 * 61 and empty > trace.problem.X.nbytes
    store = Store(10, 100, lambda array: array.size)
    for key, size in enumerate([40, 50, 30, 20]):
        store.put(key, np.zeros(size))
    assert list(store.results) == [1, 2, 3] and sum(store.weights.values()) == 100
    store.put(1, np.zeros(10))
    assert store.put(9, np.zeros(101)).size == 101, "what is too large is not kept"
    assert (
        store.get(2).size == 30
        and list(store.results) == [3, 1, 2]
        and store.weights == {2: 30, 3: 20, 1: 10}
    )
    few = Store(2)
    for name in "abca":
        few.put(name, name.upper())
    assert (
        "b" not in few
        and few.get("a") == "A"
        and few.get("b") is None
        and list(few.results) == ["c", "a"]
    )
