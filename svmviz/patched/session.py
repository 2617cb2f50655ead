"""Streamlit's session state, mended in two places where one run of a script overtakes another.

**Lookup.** Menus, sliders and fields only ask for the value of their own key, but Streamlit copies
the whole state of the session for each of them. The copies take a twelfth of a run of the script,
and fail where a run that was overtaken still tidies up, because the state then changes. A lookup
answers the same questions without a copy.

**Answered clicks.** What a visitor asked for by a click is told to the next run only, which answers
it in a callback before anything else. If something newer has come by then, Streamlit ends that run
before or within the callback, and the click is lost: a slider that was moved shows its new value
over the old run. So a run is not overtaken until what it was told has been answered. (With
Streamlit's `fastReruns` it might not even have begun; .streamlit/config.toml turns those off.)

Needs, of Streamlit 1.67: the property `SessionState.filtered_state`, which returns a dict, and the
method `SafeSessionState.on_script_will_rerun`, which calls `_yield_callback` before `_state`'s
method of the same name under `_lock`.
Without it: the app works, but quick clicks are now and then lost or end in an error.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState

COPY = SessionState.filtered_state.fget


class Lookup(Mapping[str, Any]):
    """A session's state by the keys that the script uses, copied only to list all of them."""

    def __init__(self, state: SessionState):
        self.state = state

    def __getitem__(self, key: str) -> Any:
        return self.state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(COPY(self.state))

    def __len__(self) -> int:
        return len(COPY(self.state))


def answered(state: SafeSessionState, *told: Any, **also: Any) -> None:
    """Take over what a run of the script was told and call everything that answers it."""
    overtake = state._yield_callback
    with state._lock:
        object.__setattr__(state, "_yield_callback", lambda: None)
        try:
            state._state.on_script_will_rerun(*told, **also)
        finally:
            object.__setattr__(state, "_yield_callback", overtake)


def install() -> None:
    """Mend the state of all sessions of this process."""
    SessionState.filtered_state = property(Lookup)
    SafeSessionState.on_script_will_rerun = answered
