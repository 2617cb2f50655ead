"""What takes longer than a script should: jobs of this visitor's among those of all (`workers`),
and what they found.

A page waits for its jobs while it listens: Streamlit interrupts a script wherever that looks into
its state, so it does so again and again. A job goes on through such an interruption; it ends when
its visitor asks for something else, goes to another page or has gone. What takes milliseconds the
script computes itself (`place`).
"""

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from svmviz.ui.jobs.workers import Job, Lost, Workers
from svmviz.work.backend import cores
from svmviz.work.hands import Hands

TICK = 0.05  # seconds after which a click is noticed at the latest
SECONDS = 120.0  # of the processor that a job may use if nothing else is said
PLACES = threading.BoundedSemaphore(cores())  # for what scripts compute themselves


@st.cache_resource(show_spinner=False)
def hands() -> Hands:
    """The processes in which everything is computed that takes a while, sweeps as well."""
    return Hands(cores(), "svmviz.player.ready.warm:load", "svmviz.ui.jobs.traces:shared")


@st.cache_resource(show_spinner=False)
def workers() -> Workers:
    """Who is next."""
    return Workers(hands(), cores(), present)


def visitor() -> str:
    return get_script_run_ctx().session_id


def present(visitor: str) -> bool:
    """Whether somebody is there: his browser is connected."""
    return not runtime.exists() or runtime.get_instance().is_active_session(visitor)


def listen() -> None:
    """End this run of the script if the visitor has asked for another, or has gone: Streamlit sees
    to that wherever a script looks into its state.
    """
    st.session_state.get("jobs")


@contextmanager
def place(waiting: Callable[[], None] = listen) -> Iterator[None]:
    """A place for the little that the script itself computes; `waiting` is called again and again
    until there is one.
    """
    while not PLACES.acquire(timeout=TICK):
        waiting()
    try:
        yield
    finally:
        PLACES.release()


def well() -> None:
    """Returns once something small has been computed here and in a process; how many wait for their
    turn does not matter.
    """
    with place(lambda: None):
        hands().call(int)


def begin(
    name: str, key: Hashable, task: Callable[[], Any], seconds: float = SECONDS, **options
) -> Job:
    """This visitor's job of a name: the one under way if it computes the same, else a new one in
    its place.
    """
    jobs, me = st.session_state.setdefault("jobs", {}), visitor()
    job = jobs.get(name)
    if job is None or job.key != key or not job.wanted or isinstance(job.error, Lost):
        end(name)
        job = jobs[name] = workers().submit(key, me, task, seconds, **options)
    return job


def end(*names: str) -> None:
    """This visitor does not want these jobs any more, all of his if none is named."""
    jobs = st.session_state.get("jobs", {})
    for name in names or tuple(jobs):
        if name in jobs:
            workers().drop(jobs.pop(name), visitor())


def waited(job: Job) -> Any:
    """The result of a job; the script may be interrupted meanwhile, and finds the job again when it
    runs anew.
    """
    while not job.ended.wait(TICK):
        listen()
    return job.result()


@contextmanager
def surviving() -> Iterator[None]:
    """Say that a job was lost, and offer it again, below what the page has drawn so far. Around a
    script or a fragment: by then no spinner turns that could lie over the words.
    """
    try:
        yield
    except Lost as lost:
        st.error(f"This computation was lost: {lost}. Nothing else is lost with it.")
        st.button("Again", key="background.again", type="primary")
