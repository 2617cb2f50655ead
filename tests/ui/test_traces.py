"""A run is carried out once, however much is asked of it; its trace is kept within bounds, and for
nobody else.
"""

import pytest

from svmviz.record import metrics
from svmviz.run.recipe import SOURCES, Recipe
from svmviz.run.visit.after import Visit
from svmviz.ui.jobs import traces
from svmviz.ui.jobs.scope import SHARED
from svmviz.ui.playground.stage import table_of
from tests.ui.test_pages import app  # noqa: F401  a fixture

RUN = Recipe("moons", {"n": 70, "noise": 0.3}, params={"lam": 0.05}, steps=60, seed=4).checked()


@pytest.fixture
def carried_out(monkeypatch):
    """The recipes whose solver has run, with nothing known before."""
    for store in (SHARED.store("runs"), SHARED.store("later"), traces.shared()):
        store.clear()
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
    traces.shared().clear()
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
        and not SHARED.store("later").results
        and not SHARED.store("runs").results
    )


def test_weight_counts_what_a_trace_has_computed_by_now():
    trace = RUN.trace()
    empty = traces.weight(trace)
    trace.metrics  # noqa: B018  computed now
    assert traces.weight(trace) > empty + 8 * 8 * 61 and empty > trace.problem.X.nbytes
