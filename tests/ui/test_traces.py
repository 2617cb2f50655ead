"""A run is carried out once, however much is asked of it; its trace is kept within bounds, and for nobody else."""

import numpy as np
import pytest

from svmviz.record import metrics
from svmviz.run.recipe import SOURCES, Recipe
from svmviz.run.visit import Visit
from svmviz.ui import beside, traces
from svmviz.ui.background import Store
from svmviz.ui.stage import runs
from tests.ui.test_pages import app  # noqa: F401  a fixture

RUN = Recipe("moons", {"n": 70, "noise": 0.3}, params={"lam": 0.05}, steps=60, seed=4).checked()


@pytest.fixture
def carried_out(monkeypatch):
    """The recipes whose solver has run, with nothing known before."""
    for kept in (runs, traces.shared, beside.kept):
        kept.clear()
    asked, trace = [], Recipe.trace
    monkeypatch.setattr(Recipe, "trace", lambda recipe: asked.append(recipe) or trace(recipe))
    return asked


def opened(app, recipe: Recipe, **view: str):  # noqa: F811
    app.query_params.clear()
    app.query_params.update(recipe.query() | view)
    app.run()
    assert not app.exception and not app.error


def test_a_run_its_front_and_its_table_are_one_run(app, carried_out):  # noqa: F811
    opened(app, RUN)
    opened(app, RUN, y="front")
    assert any("front" in element.proto.json for element in app.get("bidi_component"))
    store = traces.shared()
    assert metrics.to_csv(traces.found(RUN, store)) == metrics.to_csv(store.get(RUN.key()))
    assert carried_out == [RUN]
    assert traces.found(RUN, Store(1)).steps == 60 and len(carried_out) == 2, "what is not kept is carried out"


def test_of_a_visitors_own_data_nothing_is_kept_for_others(app, carried_out):  # noqa: F811
    own = SOURCES["moons"]
    app.session_state["visit"] = Visit(own={"upload:mine": own})
    opened(app, Recipe("upload:mine", RUN.data_params, params=RUN.params, own=own).checked(), y="front")
    assert len(carried_out) == 1 and not traces.shared().results and len(app.session_state["traces"].results) == 1


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
    assert store.once(9, lambda: np.zeros(101)).size == 101, "what is too large is computed all the same"
    assert list(store.results) == [2, 3, 1] and store.weights == {2: 30, 3: 20, 1: 10}
