"""Scopes: whose results are found again by whom."""

from functools import partial

import pytest
import streamlit as st

from svmviz.run.recipe import SOURCES, Recipe
from svmviz.ui.jobs import background
from svmviz.ui.jobs.scope import MOST, PRIVATE, SHARED, scope_of
from svmviz.ui.jobs.workers import Lost
from tests.ui.here import here  # noqa: F401  a fixture
from tests.ui.test_pages import app  # noqa: F401  a fixture


@pytest.fixture
def visit(monkeypatch, here):  # noqa: F811
    """A visitor's session, in place of Streamlit's, and his jobs in threads."""
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(background, "visitor", lambda: "me")
    SHARED.store("runs").clear()
    yield
    SHARED.store("runs").clear()


def test_results_on_own_data_are_in_the_session_and_nowhere_else(visit):
    own = Recipe("upload:mine", own=SOURCES["moons"])
    assert scope_of(own) is PRIVATE and scope_of(Recipe()) is SHARED
    assert PRIVATE.find("run", "runs", "key", partial(str, "mine"), quick=False) == "mine"
    assert st.session_state["stores"]["runs"].get("key") == "mine"
    assert SHARED.store("runs").get("key") is None
    assert (PRIVATE.visitor, SHARED.visitor) == ("me", "")


def test_a_quick_task_and_a_job_leave_the_same_in_the_store(visit):
    for quick in (True, False):
        task = partial(str, f"quick is {quick}")
        assert SHARED.find("run", "runs", quick, task, quick) == f"quick is {quick}"
        assert SHARED.find("run", "runs", quick, partial(pytest.fail, "asked twice"), quick)
    assert not st.session_state["jobs"]


def test_each_gives_what_is_kept_first_and_keeps_the_rest(visit):
    SHARED.store("runs").put("b", "kept")
    tasks = {name: partial(str, name.upper()) for name in "abc"}
    found = [one for one in SHARED.each("runs", tasks, at_once=1) if one]
    assert found == [("b", "kept"), ("a", "A"), ("c", "C")]
    assert SHARED.store("runs").get("c") == "C"


def test_every_store_is_bounded():
    assert all(0 <= most < float("inf") for bounds in MOST.values() for most in bounds)


def test_a_run_that_is_lost_is_said_below_a_page_on_which_nothing_turns(app, monkeypatch):  # noqa: F811
    def lost(job):
        raise Lost("its process has ended")

    monkeypatch.setattr(background, "waited", lost)
    monkeypatch.setattr(Recipe, "quick", lambda recipe: False)
    app.query_params.update({"data": "moons", "n": "77", "T": "31"})
    app.run()
    assert [error.value for error in app.error] == [
        "This computation was lost: its process has ended. Nothing else is lost with it."
    ]
    assert not app.exception and not app.get("spinner")
    assert "Again" in [button.label for button in app.button]
    monkeypatch.undo()
    next(button for button in app.button if button.label == "Again").click().run()
    assert not app.error and not app.exception
