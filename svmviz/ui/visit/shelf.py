"""A visitor's own files, kept for his tab: a page that is loaded anew, or whose connection was
lost, is another session, and finds them again by a key that nobody can guess and that only this tab
holds (`sessionStorage`: in no link and in no cookie).

They are in memory only, for some minutes after the browser has gone, and no more of them than there
is room for: whoever looked longest ago goes first.
"""

import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

import streamlit as st

from svmviz.data.plane import Dataset
from svmviz.player.mount import program
from svmviz.run.link import PRIVATE
from svmviz.run.visit.events import Files, Forget
from svmviz.ui.jobs import background, traces
from svmviz.ui.jobs.flows import end_all
from svmviz.ui.visit.session import happened, visit
from svmviz.work.store import Store

AFTER, LOOK = (
    15 * 60.0,
    60.0,
)  # seconds that files are kept when nobody is there, and after which that is looked at
ROOM, MOST = 256 * 2**20, 64  # bytes of all files, and tabs
# What was made from files, perhaps.
MADE = (
    "stores",
    "race_shown",
    "race_ready",
    "flows",
    "stream.recipe",
    "explore.draft",
    "explore.shown",
)


class Shelf:
    """What was put down, by a digest of its key, and whose session looked at it last."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        present: Callable[[str], bool] = background.present,
        room: int = ROOM,
        most: int = MOST,
    ):
        self.clock, self.present = clock, present
        self.store = Store(most, room, lambda place: place["size"])
        self.lock, self.places, self.watched = self.store.lock, self.store.results, False

    def put(self, key: str, things: dict[str, Any], session: str) -> None:
        """Keep these under the key for as long as somebody is there, and a while after."""
        with self.lock:
            self.drop(key)
            self.sweep()
            place = {"things": things, "size": size(things), "session": session}
            self.store.put(digest(key), place | {"seen": self.clock()})
            self.watch()

    def get(self, key: str, session: str) -> dict[str, Any] | None:
        """What lies there, from now on for this session."""
        with self.lock:
            self.sweep()
            place = self.places.get(digest(key))
            if place is not None:
                self.put(key, place["things"], session)
            return place and place["things"]

    def holder(self, key: str) -> str | None:
        """The session that looked there last."""
        with self.lock:
            return self.places.get(digest(key), {}).get("session")

    def drop(self, key: str) -> None:
        self.store.drop(digest(key))

    def sweep(self) -> None:
        """Throw away what is too old."""
        now = self.clock()
        for name, place in list(self.places.items()):
            if self.present(place["session"]):
                place["seen"] = now
            elif now - place["seen"] > AFTER:
                self.store.drop(name)

    def watch(self) -> None:
        """Sweep again and again while anything lies here: the time is over also where nobody comes
        any more.
        """
        if self.places and not self.watched:
            self.watched, timer = True, threading.Timer(LOOK, self.look)
            timer.daemon = True
            timer.start()

    def look(self) -> None:
        with self.lock:
            self.watched = False
            self.sweep()
            self.watch()


def digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


def size(things: dict[str, Any]) -> int:
    """Return the bytes of the examples of all data sets among them."""
    items = [item for part in things.values() if isinstance(part, dict) for item in part.values()]
    sets = [item for item in items if isinstance(item, Dataset)]
    problems = [problem for item in sets for problem in (item.problem(), item.test)]
    return traces.size([problem.X for problem in problems if problem is not None])


@st.cache_resource(show_spinner=False)
def shelf() -> Shelf:
    return Shelf()


def keep() -> None:
    """Put the files of this session down, under the key of its tab. A tab that was duplicated holds
    the same key: whoever of the two brings a file after the other has looked gets one of his own.
    """
    state, me = st.session_state, background.visitor()
    if "tab_key" not in state or shelf().holder(state.tab_key) not in (None, me):
        state.tab_key = secrets.token_urlsafe(32)
    now = visit()
    things = {
        "own": now.own,
        "whole": now.whole,
        "stream.recipe": state.get("stream.recipe"),
    }  # which of them is streamed
    shelf().put(state.tab_key, things, me)


def forget() -> None:
    """Take the files of this tab away, and all that was computed from them."""
    state = st.session_state
    end_all()
    background.end()
    if "tab_key" in state:
        shelf().drop(state.tab_key)
    for name in MADE:
        state.pop(name, None)
    happened(Forget())
    if "card" in state and state.card.base.own:
        del state.card


def reclaim(page: str) -> None:
    """Tell the tab its key, or ask it for the one that it holds: first of all where a link names a
    file that this session does not have, and then the page waits for the answer.
    """
    state, named, now = st.session_state, st.query_params.get("data", ""), visit()
    must = (
        named.startswith(PRIVATE) and named not in {*now.own, *now.whole} and "tab_key" not in state
    )
    waits = "tab_asked" not in state and (must or page in ("data", "stream")) and not now.own
    if not (waits or "tab_key" in state):
        return
    ask = state.setdefault("tab_nonce", secrets.token_urlsafe(8)) if waits else ""
    with st.container(key="beside-tab"):
        st.components.v2.component("svmviz_tab", html="", css="", js=program("tab"))(
            key="tab",
            data={"keep": state.get("tab_key", ""), "ask": ask, "must": must},
            on_held_change=_held,
        )
    if waits and must:
        st.caption("Looking for your file …")
        st.stop()


def _held() -> None:
    """The tab has answered: its files are back, or there are none."""
    state = st.session_state
    state.tab_asked, answer = True, state.tab.held
    key = answer.get("key") if isinstance(answer, dict) else ""
    if not isinstance(key, str) or not key:
        return
    things = shelf().get(key[:100], background.visitor())
    if things:
        state.tab_key = key
        anew = st.query_params.get("data", "").startswith(
            PRIVATE
        )  # what is there was read without the file: it is read again
        happened(Files(things["own"], things["whole"], anew))
        if things["stream.recipe"]:
            state["stream.recipe"] = things["stream.recipe"]
        if anew:
            for name in ("card", "explore.draft"):
                state.pop(name, None)
