"""The way back from the Playground to the page that sent the visitor there."""

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from svmviz.ui.shell.frame import plain

KEY = "way_back"


class WayBack(NamedTuple):
    """A link in the sidebar of the Playground: its page, its words, and what the page shows."""

    page: str
    label: str
    help: str
    query: Mapping[str, str]


def leave_word(way: WayBack) -> None:
    """Remember where the visitor comes from, as long as the visit."""
    st.session_state[KEY] = way


def offer_way_back() -> None:
    """Draw the link, if some page sent the visitor here."""
    way: WayBack | None = st.session_state.get(KEY)
    if way:
        st.page_link(
            f"pages/{way.page}.py",
            label=way.label,
            query_params=way.query,
            help=plain(way.help),
            icon=":material/arrow_back:",
        )
