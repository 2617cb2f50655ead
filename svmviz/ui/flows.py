"""Computations that take minutes and show what they have: each belongs to one visitor, who runs one at a time.

They are jobs like all others (`workers`), which take turns in slices; the page looks again and again while it is shown.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import streamlit as st

from svmviz.maths import limits
from svmviz.ui.background import visitor, workers
from svmviz.ui.workers import Cancelled, Workers

LOOK = 0.6  # seconds from one look of the page to the next
RUNNING, ENDED, STOPPED, FAILED = "running", "ended", "stopped", "failed"


class Timed:
    """A computation with a state, and the times of its start and of its latest result."""

    state: str
    begun: float
    latest: float

    @property
    def running(self) -> bool:
        return self.state == RUNNING

    @property
    def seconds(self) -> float:
        """From the start to the latest result."""
        return self.latest - self.begun


class Flow(Timed):
    """What an iterator has given so far. `found` only grows, and the iterator is let go when the run is over."""

    def __init__(self, items: Iterator, what: Any, of: Workers, visitor: str):
        self.items, self.what, self.of, self.visitor = items, what, of, visitor
        self.found: list = []
        self.outcome, self.error = RUNNING, ""
        self.begun = self.latest = time.monotonic()
        self.job = of.submit(self, visitor, self.run)

    @property
    def state(self) -> str:
        return STOPPED if self.outcome == RUNNING and not self.job.wanted else self.outcome

    def run(self) -> None:
        outcome = FAILED
        try:
            for item in self.items:
                self.found.append(item)
                self.latest = time.monotonic()
                limits.over()  # a pause
            outcome = ENDED
        except Cancelled:
            outcome = STOPPED
        except ValueError as error:
            self.error = str(error)
        finally:
            self.outcome, self.items = outcome, iter(())

    def stop(self) -> None:
        if self.running:
            self.of.drop(self.job, self.visitor)


class Gathering(Timed):
    """Tasks of one visitor's by name, as many at a time as there are places, and what they have found so far."""

    def __init__(self, tasks: Mapping[str, Callable[[], Any]], what: Any, of: Workers, visitor: str):
        self.names, self.left = tuple(tasks), deque(tasks.items())
        self.what, self.of, self.visitor = what, of, visitor
        self.found: dict[str, Any] = {}
        self.error, self.lock, self.jobs = "", threading.Lock(), set()
        self.begun = self.latest = time.monotonic()
        for _ in range(of.turns.places + 1):  # one more, so that no place stays empty
            self.go_on()

    def go_on(self) -> None:
        """Begin the next task, if there is one."""
        with self.lock:
            if self.left:
                name, task = self.left.popleft()
                self.jobs = {job for job in self.jobs if not job.ended.is_set()}
                self.jobs.add(self.of.submit((self, name), self.visitor, partial(self.run, name, task)))

    def run(self, name: str, task: Callable[[], Any]) -> None:
        try:
            self.found[name] = task()
        except Cancelled:
            raise
        except Exception as error:
            self.error = str(error) or type(error).__name__
            self.stop()
            raise
        self.latest = time.monotonic()
        self.go_on()

    @property
    def state(self) -> str:
        if self.error:
            return FAILED
        if len(self.found) == len(self.names):
            return ENDED
        return RUNNING if any(job.wanted and not job.ended.is_set() for job in tuple(self.jobs)) else STOPPED

    def stop(self) -> None:
        """What has been found stays."""
        with self.lock:
            self.left.clear()
            for job in self.jobs:
                self.of.drop(job, self.visitor)


def flows() -> dict[str, Flow | Gathering]:
    return st.session_state.setdefault("flows", {})


def running(name: str) -> bool:
    return name in flows() and flows()[name].running


def begin(name: str, items: Iterator, what: Any) -> None:
    """Start a computation of this visitor's, and end every other."""
    end_all()
    flows()[name] = Flow(items, what, workers(), visitor())


def gather(name: str, tasks: Mapping[str, Callable[[], Any]], what: Any) -> None:
    """The same for tasks that do not depend on each other."""
    end_all()
    flows()[name] = Gathering(tasks, what, workers(), visitor())


def offer(name: str, label: str, **options) -> None:
    """A button that asks for a computation."""
    st.button(label, key=f"{name}.go", on_click=st.session_state.__setitem__, args=(f"{name}.asked", True), **options)


def asked(name: str) -> bool:
    """Whether it was clicked. The page begins what was asked for with the values it now has; a callback would be given those of
    the page that was clicked, and a slider may have been moved since."""
    return st.session_state.pop(f"{name}.asked", False)


def end_all() -> None:
    """What has been found stays."""
    for flow in st.session_state.get("flows", {}).values():
        flow.stop()


def watched(name: str, show: Callable[[Flow], None]) -> None:
    """Show a computation, again and again while it runs, with a button that stops it."""
    flow = flows().get(name)

    def part():
        if flow.running:
            stopper(name, flow)
        show(flow)

    if flow is not None:
        looked_at(name, flow, part)


def stopper(name: str, flow: Flow | Gathering, **options) -> None:
    st.button("Stop", key=f"{name}.stop", on_click=flow.stop, **options)


def looked_at(name: str, flow: Flow | Gathering | None, show: Callable[[], None]) -> None:
    """A part of the page that is shown again and again while a computation runs; nothing else runs anew meanwhile."""
    @st.fragment(run_every=LOOK if flow and flow.running else None)
    def part():
        over = flow is not None and not flow.running  # before it is shown: what comes in later is shown once more
        show()
        if over and st.session_state.get(f"{name}.shown") is not flow:
            st.session_state[f"{name}.shown"] = flow
            st.rerun()  # the rest of the page, without the timer

    part()
