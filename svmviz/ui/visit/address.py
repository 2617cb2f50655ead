"""The address bar (`run.address`): what Streamlit says of it, and what is written into it. The
words that say how a stage is shown are carried along: the browser reads them, and writes them again
where they have changed.
"""

from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from svmviz.player.mount import program
from svmviz.run.link import HALL, UNKNOWN
from svmviz.run.visit.address import Address
from svmviz.run.visit.events import Addressed, Arrived
from svmviz.ui.visit.session import happened, visit
from svmviz.work.words import brief

LEAVING = "leaving"  # where in the session it stands which page the visitor goes to


def asked() -> dict[str, str]:
    """What the address asks a page for."""
    return {name: word for name, word in st.query_params.to_dict().items() if name not in HALL}


def carried() -> dict[str, str]:
    """How it wants the stage to be shown."""
    return {name: word for name, word in st.query_params.to_dict().items() if name in HALL}


def doubled() -> list[str]:
    """A sentence for each part of the address that is there more than once, with different
    values.
    """
    parts = st.query_params
    twice = [key for key in parts if len(set(parts.get_all(key))) > 1]
    return [
        f"The link holds {brief(key)!r} more than once; the last one counts."
        for key in twice[:UNKNOWN]
    ]


def of(page: str) -> Address:
    return visit().addresses.get(page, Address())


def led_elsewhere(page: str, returned: bool) -> bool:
    """Whether the address asks for something else than what is shown."""
    return of(page).elsewhere(asked(), returned, went_back())


def went_back() -> bool:
    """Whether the visitor pressed Back, or Forward."""
    return getattr(get_script_run_ctx(), "is_history_navigation", False)


def arrived(page: str) -> None:
    """What is shown is what the address asks for, or what a visitor left who returned: it may be
    spelt out.
    """
    happened(Arrived(page, asked()))


def spell(page: str, address: str) -> None:
    """Write this in place of the address that led to a page that has no player to do it."""
    if address:
        with st.container(key="beside-address"):
            st.components.v2.component("svmviz_address", html="", css="", js=program("speller"))(
                key=f"address.{page}",
                data={"page": page, "address": address, "arrival": visit().arrivals},
            )


def passing(page: str, query: dict[str, str]) -> None:
    """The visitor goes to another page with this query."""
    happened(Addressed(page, of(page).passing(query)))


def leave(page: str, other: str, query: dict[str, str]) -> None:
    """Have the visitor of a page go to another one with this query: the page leads there by
    `follow_leave`, as a callback cannot.
    """
    st.session_state[LEAVING] = f"pages/{other}.py", query
    passing(page, query)


def follow_leave(returned: bool) -> None:
    """Go where the visitor asked to go. If this run of the script is cut short on the way, the next
    one goes; a visitor who has `returned` has been there.
    """
    if returned:
        st.session_state.pop(LEAVING, None)
    elif LEAVING in st.session_state:
        page, query = st.session_state[LEAVING]
        st.switch_page(page, query_params=query)


def follow(page: str, query: dict[str, str]) -> str:
    """Let the address follow to what is shown; returns what the player shall write in place of the
    address that led here.
    """
    address, write = of(page).followed(query, asked(), went_back())
    happened(Addressed(page, address))
    if write:
        st.query_params.from_dict(query | carried())
    return "&".join(filter(None, (address.spelt, urlencode(carried())))) if address.spelt else ""
