"""Computations that take minutes and show what they have: each belongs to one visitor, who runs one at a time.

They are jobs like all others (`workers`), which take turns in slices; the page looks again and again while it is shown.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

import streamlit as st

from svmviz.maths import limits
from svmviz.ui.background import visitor, workers
from svmviz.ui.workers import Cancelled, Workers

LOOK = 0.6  # seconds from one look of the page to the next
RUNNING, ENDED, STOPPED, FAILED = "running", "ended", "stopped", "failed"


class Flow:
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

    @property
    def running(self) -> bool:
        return self.state == RUNNING

    @property
    def seconds(self) -> float:
        """From the start to the latest result."""
        return self.latest - self.begun

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


def flows() -> dict[str, Flow]:
    return st.session_state.setdefault("flows", {})


def running(name: str) -> bool:
    return name in flows() and flows()[name].running


def begin(name: str, items: Iterator, what: Any) -> None:
    """Start a computation of this visitor's, and end every other."""
    end_all()
    flows()[name] = Flow(items, what, workers(), visitor())


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
    """Show a computation, again and again while it runs; nothing else on the page runs anew meanwhile."""
    flow = flows().get(name)
    if flow is None:
        return

    @st.fragment(run_every=LOOK if flow.running else None)
    def part():
        going = flow.running  # before it is shown: what comes in later is shown once more
        if going:
            st.button("Stop", key=f"{name}.stop", on_click=flow.stop)
        show(flow)
        if not going and st.session_state.get(f"{name}.shown") is not flow:
            st.session_state[f"{name}.shown"] = flow
            st.rerun()  # the rest of the page, without the timer

    part()
