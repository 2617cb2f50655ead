"""A visitor's sweep: carried out beside the script, looked at again and again, kept for whoever
asks for the same rows.
"""

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Hashable

import streamlit as st

from svmviz import explore
from svmviz.explore import Rows, Spec, Table
from svmviz.explore import rows as store
from svmviz.ui.jobs.background import hands, present
from svmviz.ui.jobs.flows import ENDED, FAILED, RUNNING, STOPPED, Timed
from svmviz.work.backend import Backend, cores
from svmviz.work.processes import Local

ROOM, OWN_ROOM = (
    400_000,
    1_300_000,
)  # rows that are kept for all, and of one visitor's own data or files
AGAIN = 20.0  # seconds after which a cluster is looked for once more
CLUSTER = "SVMVIZ_DASK"  # the address of a scheduler, for all visitors of this server


class Kept:
    """Rows of sweeps, the latest by what they were computed from; at most so many in all."""

    def __init__(self, room: int):
        self.room, self.lock, self.parts = room, threading.Lock(), OrderedDict()

    def add(self, key: Hashable, rows: Rows) -> None:
        with self.lock:
            self.parts.setdefault(key, []).append(rows)
            self.parts.move_to_end(key)
            while len(self.parts) > 1 and sum(map(len, self)) > self.room:
                self.parts.popitem(last=False)

    def __iter__(self):
        return (rows for parts in self.parts.values() for rows in parts)

    def get(self, key: Hashable) -> Rows:
        """All rows of a key, each once."""
        with self.lock:
            parts = list(self.parts.get(key, ()))
        found = store.joined(parts)
        return Rows(found.table[list(found.places().values())], found.reasons)


@st.cache_resource(show_spinner=False)
def shared() -> Kept:
    return Kept(ROOM)


def kept(spec: Spec) -> Kept:
    """Where rows of this sweep are: those of a visitor's own data stay in the session, and go with
    it.
    """
    return (
        st.session_state.setdefault("explore.rows", Kept(OWN_ROOM)) if spec.recipe.own else shared()
    )


def source(spec: Spec) -> tuple:
    """What rows have in common that one sweep may have from another."""
    return (
        spec.data,
        spec.recipe.solver,
        spec.folds if spec.held_out is None else spec.held_out,
        spec.fold_seed,
    )


def known(spec: Spec) -> Rows:
    """The rows of a sweep that are there already; a file that was opened is looked at, too."""
    opened = st.session_state.get("explore.opened")
    parts = [kept(spec).get(source(spec)), *([opened.get(source(spec))] if opened else [])]
    return store.joined(parts).matching(spec)


class Sweeping(Timed):
    """A sweep of one visitor's, and the table of what has come in."""

    def __init__(self, spec: Spec, backend: Backend, visitor: str):
        self.spec, self.table, self.kept = spec, Table(spec), kept(spec)
        self.begun = self.latest = time.monotonic()
        self.stopped, self.parts, self.lock = False, 0, threading.Lock()
        there = known(spec)
        self.known, self.total = len(there), spec.tasks
        self.live = explore.Live(spec, backend, there, wanted=lambda: present(visitor))

    def look(self) -> Table:
        """The table with all that has come in by now."""
        with self.lock:
            rows, parts = self.live.since(self.parts)
            if len(rows):
                fresh = rows.table if self.parts or not self.known else rows.table[self.known :]
                if len(fresh):
                    self.kept.add(source(self.spec), Rows(fresh, rows.reasons))
                    self.latest = time.monotonic()
                self.table.add(rows)
            self.parts = parts
            return self.table

    @property
    def state(self) -> str:
        if self.live.running:
            return STOPPED if self.stopped else RUNNING
        return FAILED if self.live.error else STOPPED if self.stopped else ENDED

    @property
    def error(self) -> str:
        return str(self.live.error or "")

    @property
    def done(self) -> int:
        """Fits that are there."""
        return sum(len(part) for part in self.live.parts)

    @property
    def pace(self) -> float | None:
        """Seconds from one fit to the next, once some have come in."""
        new = self.done - self.known
        return self.seconds / new if new > 0 and self.seconds > 0 else None

    def stop(self) -> None:
        if self.running:
            self.stopped = True
            self.live.cancel()


@st.cache_resource(show_spinner=False)
def processes() -> Backend:
    """Those of this machine, which are started when somebody first comes to the page."""
    hands().warm()
    return Local(cores(), hands())


@st.cache_resource(show_spinner="Looking for the cluster …")
def connected() -> Backend:
    return explore.dask(os.environ[CLUSTER])


@st.cache_data(ttl=AGAIN, show_spinner=False)
def missing() -> str:
    """Why the cluster cannot be had, if so; asked for again after a while, as it takes seconds to
    find out.
    """
    try:
        return "" if connected().width else "the Dask cluster of this server has no workers left"
    except (ValueError, OSError) as error:
        connected.clear()
        return str(error)


def backend(where: str) -> Backend:
    """The cluster that this server was started with, or the processes of this machine; a
    `ValueError` says why not.
    """
    if where == "machine":
        return processes()
    if why := missing():
        raise ValueError(why)
    return connected()
