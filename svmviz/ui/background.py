"""What takes longer than a script should: jobs of this visitor's among those of all (`workers`), and what they found.

A page waits for its jobs while it listens: Streamlit interrupts a script wherever that looks into its state, so it does so
again and again. A job goes on through such an interruption; it ends when its visitor asks for something else, goes to another
page or has gone.
"""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any

import scipy.sparse as sp
import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from svmviz.maths import limits
from svmviz.player.compiling import cores
from svmviz.ui.workers import Job, Workers

ROOM = 400 * 2**20  # bytes of matrices that are kept
TICK = 0.05  # seconds after which a click is noticed at the latest


class Store:
    """The latest results by key, so many and at most `room` by what they weigh; whoever asks for one that is being computed
    waits for it."""

    def __init__(self, most: int, room: float = math.inf, weigh: Callable[[Any], float] = lambda result: 0):
        self.lock, self.results, self.working, self.most = threading.Lock(), OrderedDict(), {}, most
        self.room, self.weigh, self.weights = room, weigh, {}

    def __contains__(self, key: Hashable) -> bool:
        return key in self.results

    def get(self, key: Hashable) -> Any:
        """What is known, or None."""
        with self.lock:
            if key in self.results:
                self.results.move_to_end(key)
            return self.results.get(key)

    def put(self, key: Hashable, result: Any) -> Any:
        weight = self.weigh(result)
        if weight > self.room:
            return result
        with self.lock:
            self.results[key], self.weights[key] = result, weight
            self.results.move_to_end(key)
            while len(self.results) > self.most or sum(self.weights.values()) > self.room:
                del self.weights[self.results.popitem(last=False)[0]]
        return result

    def once(self, key: Hashable, task: Callable[[], Any], waiting: Callable[[], Any] = limits.over) -> Any:
        """The result of a task, from an earlier run if there was one; `waiting` is called while somebody else computes it."""
        if (known := self.get(key)) is not None:
            return known
        with self.lock:
            working = self.working.setdefault(key, threading.Lock())
        while not working.acquire(timeout=TICK):
            waiting()  # in a job, a pause: whoever computes it may need the place
        try:
            known = self.get(key)
            return self.put(key, task()) if known is None else known
        finally:
            working.release()
            with self.lock:
                self.working.pop(key, None)


@st.cache_resource(show_spinner=False)
def workers() -> Workers:
    """The one place where anything is computed."""
    return Workers(cores(), present)


@st.cache_resource(show_spinner=False)
def large() -> Store:
    """Gram matrices, of about 100 MB each, rows of data sets, and what was tuned on them."""
    return Store(100, ROOM, size)


def size(value: Any) -> float:
    """Bytes of all arrays in nested tuples."""
    if isinstance(value, tuple):
        return sum(map(size, value))
    parts = (value.data, value.indices, value.indptr) if sp.issparse(value) else (value,)
    return sum(getattr(part, "nbytes", 0) for part in parts)


def visitor() -> str:
    return get_script_run_ctx().session_id


def present(visitor: str) -> bool:
    """Whether somebody is there: his browser is connected."""
    return not runtime.exists() or runtime.get_instance().is_active_session(visitor)


def listen() -> None:
    """End this run of the script if the visitor has asked for another, or has gone: Streamlit sees to that wherever a script
    looks into its state."""
    st.session_state.get("jobs")


def place() -> AbstractContextManager[None]:
    """A place at once for the little that the script itself computes."""
    return workers().place(visitor(), True, listen)


def begin(name: str, key: Hashable, task: Callable[[], Any], seconds: float = math.inf, weight: int = 0) -> Job:
    """This visitor's job of a name: the one under way if it computes the same, else a new one in its place."""
    jobs, me = st.session_state.setdefault("jobs", {}), visitor()
    job = jobs.get(name)
    if job is None or job.key != key or not job.wanted:
        end(name)
        job = jobs[name] = workers().submit(key, me, task, seconds, weight)
    return job


def end(*names: str) -> None:
    """This visitor does not want these jobs any more, all of his if none is named."""
    jobs = st.session_state.get("jobs", {})
    for name in names or tuple(jobs):
        if name in jobs:
            workers().drop(jobs.pop(name), visitor())


def waited(job: Job) -> Any:
    """The result of a job; the script may be interrupted meanwhile, and finds the job again when it runs anew."""
    while not job.ended.wait(TICK):
        listen()
    return job.result()


def each(tasks: Mapping[Hashable, Callable[[], Any]], at_once: int | None = None) -> Iterator[tuple[Hashable, Any] | None]:
    """Key and result of every task as they come in, and None whenever it was time to listen. Who closes this early wants no
    more of them."""
    news, me, left, under_way = threading.Event(), visitor(), list(reversed(tasks.items())), {}
    most = at_once or workers().turns.places + 1  # one more, so that no place stays empty
    try:
        while left or under_way:
            while left and len(under_way) < most:
                key, task = left.pop()
                under_way[key] = workers().submit(key, me, task)
                under_way[key].tell(news)
            news.wait(TICK)
            news.clear()
            yield listen()
            for key in [key for key, job in under_way.items() if job.ended.is_set()]:
                yield key, under_way.pop(key).result()
    finally:
        for job in under_way.values():
            workers().drop(job, me)
