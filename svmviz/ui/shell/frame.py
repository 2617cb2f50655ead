"""Around every page: its settings, its look, and what is compiled behind it."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from svmviz.patched import session
from svmviz.player import WEB
from svmviz.player.files.scripts import SHELL, compact
from svmviz.run.link import Reader
from svmviz.ui.jobs import background
from svmviz.ui.jobs.compiling import compilation
from svmviz.ui.jobs.flows import end_all
from svmviz.ui.visit import hall
from svmviz.ui.visit.shelf import reclaim

session.install()
JOINER = "\u2060"  # takes no room and allows no break
FIRST = "playground"  # the page at the address without a path
LEFT = "left_with"  # the link with which a visitor went on to the Playground
MEANT = frozenset({"data", "solver"})  # what links to it have


@cache
def look() -> str:
    """Return the style of the page, which goes along with every run of the script."""
    return f"<style>{compact(*SHELL)}</style>"


def shell() -> None:
    st.set_page_config(
        "svmviz", page_icon=str(WEB / "icon.svg"), layout="wide", initial_sidebar_state="auto"
    )
    st.html(look())
    hall.around()
    compilation()
    by_name()


def by_name() -> None:
    """Streamlit knows the first page without its name only, and says of /playground that it was not
    found: it is.
    """
    pages = get_script_run_ctx().pages_manager
    if pages.intended_page_name == FIRST:
        pages.set_script_intent(pages.intended_page_script_hash or "", "")


def plain(text: str) -> str:
    """Text of anybody's, safe for Markdown: no pictures, links, icons, emphasis or HTML come out of
    it.

    Addresses, icons and arrows are looked for in what the escapes have left, so something must
    stand inside them.
    """
    joined = re.sub(
        r"(?<=[:@])(?=[\w/])|(?<=[<>=~-])(?=[<>=~-])|(?<=www)(?=\.)",
        JOINER,
        text,
        flags=re.IGNORECASE,
    )
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|<>~:$^=&])", r"\\\1", joined)


def on_phone() -> bool:
    """By the word that browsers agreed upon; asked once a visit, as Streamlit reads all headers
    anew for it.
    """
    if "phone" not in st.session_state:
        st.session_state.phone = "Mobi" in st.context.headers.get("User-Agent", "")
    return st.session_state.phone


def answer(
    messages: Iterable[str], controls: bool = True, back: Callable[[], Any] | None = None
) -> None:
    """What was wrong with a link or a change, or what it forgot, and a way `back`: above the
    controls, or above the page where these are hidden at first.
    """
    with st.sidebar if controls and not on_phone() else st.container(key="answers"):
        for message in messages:
            st.warning(plain(message))
        if back:
            st.button("Undo this change", on_click=back, key="answers.back", width="stretch")


def unasked(controls: bool = True) -> None:
    """What a link to a page says that has no settings: nothing that is meant. Streamlit writes
    links to the first page without its path, so that in a new tab they lead to the page they stand
    on: these go on to the Playground, once.
    """
    query = st.query_params.to_dict()
    if query and query == st.session_state.get(LEFT):
        # it was written here on the way to the Playground, and Back led to it
        st.query_params.clear()
    elif MEANT <= query.keys():
        to_playground(query)
    else:
        answer(Reader(query).answer(), controls)


def to_playground(query: dict[str, str]) -> None:
    st.session_state[LEFT] = query
    st.switch_page("pages/playground.py", query_params=query)


def guard(page: str) -> bool:
    """On a fresh server the first deep link runs the page file without app.py, because of
    Streamlit's old use of the folder name pages/. Turn that off and start again. Says whether the
    visitor came from another page.
    """
    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()
    returned = st.session_state.get("page", page) != page
    if returned:
        end_all()
        background.end()
    st.session_state.page = page
    reclaim(page)
    return returned
