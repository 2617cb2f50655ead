"""A visitor's own files, kept for his tab: a page that is loaded anew, or whose connection was lost, is another session, and
finds them again by a key that nobody can guess and that only this tab holds (`sessionStorage`: in no link and in no cookie).

They are in memory only, for some minutes after the session has ended, and no more of them than there is room for: whoever
looked longest ago goes first.
"""

import hashlib
import secrets
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import scipy.sparse as sp
import streamlit as st

from svmviz.datasets import Dataset

AFTER = 15 * 60.0  # seconds that files are kept when their session has ended
ROOM, MOST = 256 * 2**20, 64  # bytes of all files, and tabs
KEPT = "own", "whole", "stream.brought"  # what of a session is kept: files for the Playground, for a stream, and which of them

TAB = """
const NAME = "svmviz.tab";
const stored = () => { try { return sessionStorage.getItem(NAME) ?? ""; } catch { return ""; } };
export default function ({ data, setTriggerValue }) {
  if (data.keep) try { sessionStorage.setItem(NAME, data.keep); } catch { /* then it is gone with the page */ }
  const key = stored();
  if (!data.ask || globalThis.svmvizAsked === data.ask || !(key || data.must)) return;
  globalThis.svmvizAsked = data.ask;
  setTriggerValue("held", { key });
}
"""


class Lease:
    """Held by a session: when that is gone, so is this."""


class Shelf:
    """What was put down, by a digest of its key."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, room: int = ROOM, most: int = MOST):
        self.clock, self.room, self.most = clock, room, most
        self.lock, self.places = threading.RLock(), OrderedDict()  # finalizers may come in the midst of anything

    def put(self, key: str, things: dict[str, Any], lease: Lease) -> None:
        """Keep these under the key for as long as the lease lasts, and a while after."""
        name = digest(key)
        with self.lock:
            self.places.pop(name, None)
            self.places[name] = {"things": things, "size": size(things), "lease": weakref.ref(lease), "ended": None}
            self.sweep()
        weakref.finalize(lease, self.left, name).atexit = False

    def get(self, key: str, lease: Lease) -> dict[str, Any] | None:
        """What lies there, from now on for this lease."""
        with self.lock:
            self.sweep()
            place = self.places.get(digest(key))
            if place is not None:
                self.put(key, place["things"], lease)
            return place and place["things"]

    def left(self, name: str) -> None:
        """A session has ended; if it was the one that looked last, the time runs."""
        with self.lock:
            place = self.places.get(name)
            if place is not None and place["lease"]() is None:
                place["ended"] = self.clock()

    def sweep(self) -> None:
        now = self.clock()
        for name in [n for n, place in self.places.items() if place["ended"] is not None and now - place["ended"] > AFTER]:
            del self.places[name]
        while len(self.places) > self.most or sum(place["size"] for place in self.places.values()) > self.room:
            self.places.popitem(last=False)


def digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


def size(things: dict[str, Any]) -> int:
    """Bytes of all data sets among them."""
    sets = [item for part in things.values() if isinstance(part, dict) for item in part.values() if isinstance(item, Dataset)]
    tables = [problem.X for item in sets for problem in (item.problem(), item.test) if problem is not None]
    return sum(sum(part.nbytes for part in ((X.data, X.indices, X.indptr) if sp.issparse(X) else (X,))) for X in tables)


@st.cache_resource(show_spinner=False)
def shelf() -> Shelf:
    return Shelf()


def keep() -> None:
    """Put the files of this session down, under the key of its tab."""
    state = st.session_state
    state.setdefault("tab_key", secrets.token_urlsafe(32))
    state.tab_lease = Lease()
    shelf().put(state.tab_key, {name: state[name] for name in KEPT if name in state}, state.tab_lease)


def reclaim(page: str) -> None:
    """Tell the tab its key, or ask it for the one that it holds: first of all where a link names a file that this session does
    not have, and then the page waits for the answer."""
    state, named = st.session_state, st.query_params.get("data", "")
    must = named.startswith("upload:") and named not in state.get("own", {}) and "tab_key" not in state
    waits = "tab_asked" not in state and (must or page in ("data", "stream")) and not state.get("own")
    if not (waits or "tab_key" in state):
        return
    ask = state.setdefault("tab_nonce", secrets.token_urlsafe(8)) if waits else ""
    with st.container(key="beside-tab"):
        st.components.v2.component("svmviz_tab", html="", css="", js=TAB)(
            key="tab", data={"keep": state.get("tab_key", ""), "ask": ask, "must": must}, on_held_change=_held)
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
    lease = Lease()
    things = shelf().get(key[:100], lease)
    if things:
        state.tab_key, state.tab_lease = key, lease
        state.update(things)
        state.pop("recipe", None)  # to be read again from the link, which names the file
        state.pop("card", None)
