"""Figures that take seconds: their parts run in threads (compiled code frees the interpreter), and can be stopped.

One pool serves all visitors, so that many of them cannot ask for more than the machine has; results are kept for all.
"""

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any

import streamlit as st

TICK = 0.25  # seconds after which a click on Stop is noticed at the latest


class Store:
    """The latest results by key; whoever asks for one that is being computed waits for it."""

    def __init__(self, most: int):
        self.lock, self.results, self.working, self.most = threading.Lock(), OrderedDict(), {}, most

    def __contains__(self, key: str) -> bool:
        return key in self.results

    def once(self, key: str, task: Callable[[], Any]) -> Any:
        """The result of a task, from an earlier run if there was one."""
        with self.lock:
            working = self.working.setdefault(key, threading.Lock())
        with working:
            with self.lock:
                known, result = key in self.results, self.results.get(key)
            if not known:
                result = task()
            with self.lock:
                self.working.pop(key, None)
                self.results[key] = result
                self.results.move_to_end(key)
                while len(self.results) > self.most:
                    self.results.popitem(last=False)
            return result


@st.cache_resource(show_spinner=False)
def pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(min(4, os.cpu_count() or 1), thread_name_prefix="figure")


@st.cache_resource(show_spinner=False)
def small() -> Store:
    """Curves, of a few hundred numbers each."""
    return Store(1000)


@st.cache_resource(show_spinner=False)
def large() -> Store:
    """Gram matrices, of about 100 MB each."""
    return Store(2)


def look() -> None:
    """Somebody is there: what this visitor has flowing (`flows`) goes on."""
    for flow in st.session_state.get("flows", {}).values():
        flow.looked = time.monotonic()


def gathered(tasks: Mapping[str, Callable[[], Any]], text: str, asked: str) -> dict[str, Any]:
    """All results by key; while they come in, with a bar and a button that takes back what was asked for. Streamlit interrupts
    a script at its next message, so one is sent at every tick; what has not begun by then is never begun."""
    store = small()
    if all(key in store for key in tasks):
        return {key: store.once(key, task) for key, task in tasks.items()}
    bar, stop = st.progress(0.0, text), st.empty()
    stop.button("Stop", key=f"{asked}.stop", on_click=st.session_state.__setitem__, args=(asked, False))
    futures = {key: pool().submit(store.once, key, task) for key, task in tasks.items()}
    try:
        left = set(futures.values())
        while left:
            _, left = wait(left, TICK, FIRST_COMPLETED)
            look()
            bar.progress(1 - len(left) / len(futures), text)
        found = {key: future.result() for key, future in futures.items()}
    finally:
        for future in futures.values():
            future.cancel()
    bar.empty()
    stop.empty()
    return found
