"""What Streamlit's controls ask the state of a session.

Menus, sliders and fields only ask for the value of their own key, but Streamlit copies the whole state for each of them. That
takes a twelfth of a run of the script, and fails where a run that was overtaken still tidies up, because what is being copied
then changes. A lookup answers the same questions without a copy.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from streamlit.runtime.state.session_state import SessionState

COPY = SessionState.filtered_state.fget


class Lookup(Mapping[str, Any]):
    """A session's state by the keys that the script uses; copied only for who asks for all of them."""

    def __init__(self, state: SessionState):
        self.state = state

    def __getitem__(self, key: str) -> Any:
        return self.state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(COPY(self.state))

    def __len__(self) -> int:
        return len(COPY(self.state))


def install() -> None:
    """For all sessions of this process."""
    SessionState.filtered_state = property(Lookup)
