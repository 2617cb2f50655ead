"""Figures that take seconds: their parts run in threads (compiled code frees the interpreter), and can be stopped.

One pool serves all visitors, so that many of them cannot ask for more than the machine has; results are kept for all.
"""

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any

import streamlit as st

KEPT = 1000  # results: arrays of a few hundred bytes
TICK = 0.25  # seconds after which a click on Stop is noticed at the latest


class Works:
    """The pool, and what it has computed, by key."""

    def __init__(self, kept: int = KEPT):
        self.pool = ThreadPoolExecutor(max_workers=min(4, os.cpu_count() or 1), thread_name_prefix="figure")
        self.lock, self.results, self.kept = threading.Lock(), OrderedDict(), kept

    def once(self, key: str, task: Callable[[], Any]) -> Any:
        """The result of a task, from an earlier run if there was one."""
        with self.lock:
            if key in self.results:
                self.results.move_to_end(key)
                return self.results[key]
        result = task()
        with self.lock:
            self.results[key] = result
            while len(self.results) > self.kept:
                self.results.popitem(last=False)
        return result


@st.cache_resource(show_spinner=False)
def works() -> Works:
    return Works()


@st.cache_resource(show_spinner=False)
def heavy() -> Works:
    """Gram matrices: two of them at most, of about 100 MB each."""
    return Works(kept=2)


def gathered(tasks: Mapping[str, Callable[[], Any]], text: str, place: Works | None = None) -> dict[str, Any]:
    """All results by key, with a bar. Streamlit interrupts a script at its next message, so one is sent at every tick; what
    has not begun by then is never begun."""
    place, bar = place or works(), st.progress(0.0, text)
    futures = {key: place.pool.submit(place.once, key, task) for key, task in tasks.items()}
    try:
        left = set(futures.values())
        while left:
            _, left = wait(left, TICK, FIRST_COMPLETED)
            bar.progress(1 - len(left) / len(futures), text)
        return {key: future.result() for key, future in futures.items()}
    finally:
        for future in futures.values():
            future.cancel()
        bar.empty()
