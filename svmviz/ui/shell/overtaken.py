"""Two places where Streamlit loses its footing when one run of a script overtakes another, mended
for all sessions.

Menus, sliders and fields only ask for the value of their own key, but Streamlit copies the whole
state of the session for each of them. That takes a twelfth of a run of the script, and fails where
a run that was overtaken still tidies up, because what is being copied then changes. A lookup
answers the same questions without a copy.

What a visitor asked for by a click is told to the next run only, which answers it in a callback
before anything else. But if something newer has come by then, Streamlit ends that run before or
within the callback, and the click is lost: a slider that was moved shows its new value over the old
run. So a run is not overtaken until what it was told has been answered. (With Streamlit's
`fastReruns` it might not even have begun; .streamlit/config.toml turns those off.)
"""

from collections.abc import Iterator, Mapping
from typing import Any

from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState

COPY = SessionState.filtered_state.fget


class Lookup(Mapping[str, Any]):
    """A session's state by the keys that the script uses; copied only for who asks for all of
    them.
    """

    def __init__(self, state: SessionState):
        self.state = state

    def __getitem__(self, key: str) -> Any:
        return self.state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(COPY(self.state))

    def __len__(self) -> int:
        return len(COPY(self.state))


def answered(state: SafeSessionState, *told: Any, **also: Any) -> None:
    """Take over what a run of the script was told and call what answers it, all of it."""
    overtake = state._yield_callback
    with state._lock:
        object.__setattr__(state, "_yield_callback", lambda: None)
        try:
            state._state.on_script_will_rerun(*told, **also)
        finally:
            object.__setattr__(state, "_yield_callback", overtake)


def install() -> None:
    """For all sessions of this process."""
    SessionState.filtered_state = property(Lookup)
    SafeSessionState.on_script_will_rerun = answered
