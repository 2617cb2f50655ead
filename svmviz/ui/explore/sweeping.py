"""A visitor's sweep: carried out beside the script, looked at again and again, kept for whoever
asks for the same rows.
"""

import os
import threading
import time

import streamlit as st

from svmviz import explore
from svmviz.explore import Rows, Spec, Table
from svmviz.explore.rows import joined
from svmviz.ui.jobs.background import hands, present
from svmviz.ui.jobs.flows import ENDED, FAILED, RUNNING, STOPPED, Timed
from svmviz.ui.jobs.scope import PRIVATE, scope_of
from svmviz.work.backend import Backend, cores
from svmviz.work.processes import Local
from svmviz.work.store import Store

AGAIN = 20.0  # seconds after which a cluster is looked for once more
CLUSTER = "SVMVIZ_DASK"  # the address of a scheduler, for all visitors of this server


def source(spec: Spec) -> tuple:
    """What rows have in common that one sweep may have from another."""
    return (
        spec.data,
        spec.recipe.solver,
        spec.folds if spec.held_out is None else spec.held_out,
        spec.fold_seed,
    )


def add(store: Store, spec: Spec, rows: Rows) -> None:
    """Keep rows of a sweep beside those that are there."""
    with store.lock:
        store.put(source(spec), (*(store.get(source(spec)) or ()), rows))


def kept(spec: Spec, *stores: Store) -> Rows:
    """Return the rows of a sweep that these stores have, each row once."""
    parts = [rows for store in stores for rows in store.get(source(spec)) or ()]
    return joined(parts).matching(spec)


def known(spec: Spec) -> Rows:
    """Return the rows of a sweep that are there already, or in the file that was opened."""
    return kept(spec, scope_of(spec.recipe).store("rows"), PRIVATE.store("opened"))


class Sweeping(Timed):
    """A sweep of one visitor's, and the table of what has come in."""

    def __init__(self, spec: Spec, backend: Backend, visitor: str):
        self.spec, self.table, self.store = spec, Table(spec), scope_of(spec.recipe).store("rows")
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
                    add(self.store, self.spec, Rows(fresh, rows.reasons))
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
