"""The address bar, and the history behind the browser's Back.

Streamlit adds an entry to the history whenever it writes the address. That is right where a visitor moved on: Back leads to
where they were. But a link that was just opened, or a page that was returned to, is only spelt out in full, and an entry for
that would have to be passed by a second press. There the player puts the full address in the place of the one that led here
(`spell` in web/stage/clock.js); as Streamlit goes on to send the old one, both stand for what is shown.
"""

from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from svmviz.maths.words import brief
from svmviz.run.link import UNKNOWN

# For a page without a player; once for each arrival, and not where the visitor has moved on.
SPELLER = """
export default function ({ data: { page, address, arrival } }) {
  if (globalThis.svmvizSpelt === arrival || !location.pathname.endsWith(`/${page}`)) return;
  globalThis.svmvizSpelt = arrival;
  history.replaceState(history.state, "", `${location.pathname}?${address}${location.hash}`);
}
"""
REMEMBERED = 50  # addresses of before, in a session


def doubled() -> list[str]:
    """A sentence for each part of the address that is there more than once, with different values."""
    parts = st.query_params
    twice = [key for key in parts if len(set(parts.get_all(key))) > 1]
    return [f"The link holds {brief(key)!r} more than once; the last one counts." for key in twice[:UNKNOWN]]


def led_elsewhere(page: str, returned: bool) -> bool:
    """Whether the address asks for something else than what is shown. One that we left behind asks for nothing, unless the
    visitor went back to it: a browser that has not followed yet sends it with whatever else it has to say."""
    state, query = st.session_state, st.query_params.to_dict()
    if not query or query in state.get(f"{page}.addresses", ()):
        return False
    return returned or went_back() or query not in state.get(f"{page}.left", ())


def went_back() -> bool:
    """Whether the visitor pressed Back, or Forward."""
    return getattr(get_script_run_ctx(), "is_history_navigation", False)


def arrived(page: str) -> None:
    """What is shown is what the address asks for, or what a visitor left who returned: it may be spelt out."""
    state = st.session_state
    state[f"{page}.addresses"], state[f"{page}.spelt"], state[f"{page}.spelling"] = [st.query_params.to_dict()], "", True
    state["arrival"] = state.get("arrival", 0) + 1


def spell(page: str, address: str) -> None:
    """Write this in place of the address that led to a page that has no player to do it."""
    if address:
        with st.container(key="beside-address"):
            st.components.v2.component("svmviz_address", html="", css="", js=SPELLER)(
                key=f"address.{page}", data={"page": page, "address": address, "arrival": st.session_state["arrival"]})


def passing(page: str, query: dict[str, str]) -> None:
    """On the way to another page with this query Streamlit writes it behind this one first, and Back leads there: what is shown
    here is what the visitor left."""
    st.session_state[f"{page}.addresses"] = [*st.session_state[f"{page}.addresses"], query]


def follow(page: str, query: dict[str, str]) -> str:
    """Let the address follow to what is shown; returns what the player shall write in place of the address that led here.

    As long as the browser sends another one it is written again: a run of the script that overtakes the one before drops what
    that had to say. It is written, too, where the browser sends it, but was told another one since: that is on its way. The
    browser adds no entry for an address where it is already."""
    state, now = st.session_state, st.query_params.to_dict()
    known, spelling = state.get(f"{page}.addresses", []), state.pop(f"{page}.spelling", False)
    moved = query not in known[:1]
    if moved:
        if spelling and not went_back() and query != now:
            state[f"{page}.addresses"], state[f"{page}.spelt"] = [query, now], urlencode(query)
        else:
            state[f"{page}.left"] = [*state.get(f"{page}.left", ()), *known][-REMEMBERED:]
            state[f"{page}.addresses"], state[f"{page}.spelt"] = [query], ""
    if (moved or query != now) and not state.get(f"{page}.spelt"):
        st.query_params.from_dict(query)
    return state.get(f"{page}.spelt", "")
