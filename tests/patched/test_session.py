"""What `svmviz.patched.session` needs of Streamlit, and what it mends."""

import inspect

import pytest
import streamlit
from streamlit.runtime.scriptrunner import RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState

from svmviz.patched import session

CHANGED = f"Streamlit {streamlit.__version__} is not as svmviz/patched/session.py needs it:"


def test_streamlit_still_copies_the_state_for_each_lookup():
    source = inspect.getsource(SessionState)
    assert "def filtered_state(self) -> dict" in source, f"{CHANGED} no property filtered_state"
    assert isinstance(session.COPY(SessionState()), dict), f"{CHANGED} it is no copy any more"


def test_streamlit_still_lets_a_click_be_overtaken():
    source = inspect.getsource(SafeSessionState)
    body = source.partition("def on_script_will_rerun")[2].partition("    def ")[0]
    steps = "self._yield_callback()", "with self._lock:", "self._state.on_script_will_rerun("
    places = [body.find(step) for step in steps]
    assert -1 not in places and places == sorted(places), f"{CHANGED} clicks are answered otherwise"


def test_lookup_answers_as_the_copy_does():
    state = SessionState()
    state["a"], state["b"] = 1, None
    found, copy = session.Lookup(state), session.COPY(state)
    assert dict(found) == copy == {"a": 1, "b": None} and len(found) == 2
    assert "b" in found and found["b"] is None and "c" not in found


def test_click_is_answered_before_another_run_overtakes(monkeypatch):
    """Streamlit ends a run wherever it looks into the state of a session that has been told
    something newer, even before a click was answered, which the next run does not know of.
    """

    def overtake():
        raise RerunException(RerunData())

    session.install()
    state = SafeSessionState(SessionState(), overtake)
    monkeypatch.setattr(
        SessionState,
        "on_script_will_rerun",
        lambda _, told, **also: state.__setitem__("heard", (told, also)),
    )
    state.on_script_will_rerun("a click", is_history_navigation=False)
    assert state._state["heard"] == ("a click", {"is_history_navigation": False})
    with pytest.raises(RerunException):  # from here on it may be
        state["heard"]
