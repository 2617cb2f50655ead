"""Computations that take minutes and show what they have: each belongs to one visitor, who runs one
at a time.

They are jobs like all others (`workers`); the page looks again and again while it is shown.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from svmviz.ui.jobs.background import surviving, visitor, workers
from svmviz.ui.jobs.workers import Cancelled, Job, Workers
from svmviz.work.hands import tell

LOOK = 0.6  # seconds from one look of the page to the next
RUNNING, ENDED, STOPPED, FAILED = "running", "ended", "stopped", "failed"


class Timed:
    """A computation with a state, and the times of its start and of its latest result."""

    state: str
    begun: float
    latest: float
    seen = False  # whether the page has shown all of it

    @property
    def running(self) -> bool:
        return self.state == RUNNING

    @property
    def seconds(self) -> float:
        """From the start to the latest result."""
        return self.latest - self.begun


class Jobs(Timed):
    """Jobs of one visitor for one purpose. What they have found stays when they are stopped."""

    names: tuple[str, ...] = ()  # of what is to be found, where that is known
    found: list | dict[str, Any]

    def __init__(self, what: Any, of: Workers, visitor: str):
        self.what, self.of, self.visitor = what, of, visitor
        self.lock, self.left = threading.Lock(), deque()  # tasks that no job has begun
        self.jobs: list[Job] = []  # under way, and failed
        self.begun = self.latest = time.monotonic()

    def submit(self, key: Hashable, task: Callable[[], Any], **heard: Callable) -> Job:
        job = self.of.submit(key, self.visitor, task, long=True, **heard)
        self.jobs.append(job)
        return job

    @property
    def failed(self) -> Job | None:
        """The first job that was refused or lost, else the first that was dropped."""
        failed = [job for job in tuple(self.jobs) if job.ended.is_set() and job.error]
        return min(failed, key=lambda job: isinstance(job.error, Cancelled), default=None)

    @property
    def state(self) -> str:
        with self.lock:  # not while the next is on its way from `left` to `jobs`
            if failed := self.failed:
                return STOPPED if isinstance(failed.error, Cancelled) else FAILED
            if self.left or not all(job.ended.is_set() for job in self.jobs):
                return RUNNING
            return ENDED if len(self.found) >= len(self.names) else STOPPED

    @property
    def error(self) -> str:
        if self.state != FAILED:
            return ""
        return str(self.failed.error) or type(self.failed.error).__name__

    def stop(self) -> None:
        with self.lock:
            self.left.clear()
            jobs = tuple(self.jobs)
        for job in jobs:
            self.of.drop(job, self.visitor)


class Flow(Jobs):
    """What an iterator has given so far, and when. `found` only grows."""

    def __init__(self, items: Callable[[], Iterable], what: Any, of: Workers, visitor: str):
        super().__init__(what, of, visitor)
        self.found: list = []
        self.job = self.submit(self, partial(each_told, items), told=self.hear)

    def hear(self, item: Any) -> None:
        self.found.append(item)
        self.latest = time.monotonic()


def each_told(items: Callable[[], Iterable]) -> None:
    """Tell all that there is, one by one; in a process of its own."""
    for item in items():
        tell(item)


class Gathering(Jobs):
    """Tasks of one visitor's by name, as many at a time as there are processors, and what they have
    found so far. Each is a function of what those that are `shared` have found, which come first.
    """

    def __init__(
        self,
        tasks: Mapping[str, Callable[[Mapping[str, Any]], Any]],
        what: Any,
        of: Workers,
        visitor: str,
        shared: Collection[str] = (),
    ):
        super().__init__(what, of, visitor)
        self.names, self.shared = tuple(tasks), shared
        self.found: dict[str, Any] = {}
        self.left.extend(tasks.items())
        self.set()

    def set(self) -> None:
        """Begin the next tasks: at first, and whenever one has ended."""
        with self.lock:
            known = {name: self.found[name] for name in self.shared if name in self.found}
            self.jobs = [job for job in self.jobs if not job.ended.is_set() or job.error]
            begun, ready, failed = [], len(known) == len(self.shared), self.failed
            while (
                self.left
                and not failed
                and len(self.jobs) < self.of.turns.processors
                and (ready or self.left[0][0] in self.shared)
            ):
                name, task = self.left.popleft()
                task, then = partial(task, known), partial(self.hear, name)
                begun.append(self.submit((self, name), task, then=then))
        for job in begun:
            job.tell(self)
        if failed:
            self.stop()

    def hear(self, name: str, result: Any) -> None:
        self.found[name] = result
        self.latest = time.monotonic()


def flows() -> dict[str, Flow | Gathering]:
    return st.session_state.setdefault("flows", {})


def running(name: str) -> bool:
    return name in flows() and flows()[name].running


def begin(name: str, items: Callable[[], Iterable], what: Any) -> None:
    """Start a computation of this visitor's, and end every other."""
    end_all()
    flows()[name] = Flow(items, what, workers(), visitor())


def gather(
    name: str,
    tasks: Mapping[str, Callable[[Mapping[str, Any]], Any]],
    what: Any,
    shared: Collection[str],
) -> None:
    """The same for tasks that depend on few others or none."""
    end_all()
    flows()[name] = Gathering(tasks, what, workers(), visitor(), shared)


def offer(name: str, label: str, **options) -> None:
    """A button that asks for a computation."""
    st.button(
        label,
        key=f"{name}.go",
        on_click=st.session_state.__setitem__,
        args=(f"{name}.asked", True),
        **options,
    )


def asked(name: str) -> bool:
    """Whether it was clicked. The page begins what was asked for with the values it now has; a
    callback would be given those of the page that was clicked, and a slider may have been moved
    since.
    """
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
        looked_at(flow, part)


def stopper(name: str, flow: Flow | Gathering, **options) -> None:
    st.button("Stop", key=f"{name}.stop", on_click=flow.stop, **options)


def looked_at(flow: Timed | None, show: Callable[[], None], look: float = LOOK) -> None:
    """Show a part of the page again and again while a computation runs; nothing else runs anew
    meanwhile, and the whole page does once it is over.
    """

    @st.fragment(run_every=look if flow and flow.running else None)
    def part():
        # before it is shown: what comes in later is shown once more
        over = flow is not None and not flow.running
        with surviving():
            show()
        if over and not flow.seen:
            flow.seen = True
            st.rerun()  # the rest of the page, without the timer

    part()
