"""Who may find again what was computed: all visitors, or one visitor where the data are his own."""

import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import streamlit as st

from svmviz.run.recipe import Recipe
from svmviz.ui.jobs import background
from svmviz.ui.jobs.background import SECONDS
from svmviz.ui.jobs.workers import Job
from svmviz.work.store import Store

# Results that are kept for all visitors, and for one visitor on his own data.
MOST = {
    "rows": (400_000, 1_300_000),  # of sweeps
    "runs": (128, 8),  # packed for the player
    "later": (128, 8),  # optima, fronts and rivals, which follow a run
    "forks": (16, 4),  # second runs, packed for the player
    "planes": (400, 24),  # of cells of Explore
    "race results": (2048, 0),
    "race runs": (96, 0),
    "races": (0, 3),  # what one visitor has of a race
    "opened": (0, 1),  # rows of a file of results
    "tables": (0, 1),  # of an upload, which may take as much memory as a hundred runs
    "problems": (0, 1),  # of an upload
}


class Scope(NamedTuple):
    """All visitors, or this visitor alone (`private`). It picks the stores of what is computed, and
    tells the jobs of one visitor from those that visitors share.
    """

    private: bool

    def store(self, name: str) -> Store:
        """Return the store of this name; a private one is in the session, and goes with it."""
        stores = st.session_state.setdefault("stores", {}) if self.private else shared()
        if name not in stores:
            stores[name] = made(name, self.private)
        return stores[name]

    @property
    def visitor(self) -> str:
        """Return the visitor whose jobs nobody shares, or "": a part of the keys of jobs."""
        return background.visitor() if self.private else ""

    def begin(
        self,
        slot: str,
        name: str,
        key: Hashable,
        task: Callable[[], Any],
        seconds: float = SECONDS,
        weight: int = 0,
    ) -> Job:
        """Begin the visitor's job in a slot; its result goes into the store `name`."""
        keep = partial(self.store(name).put, key)
        job_key = name, key, self.visitor
        return background.begin(slot, job_key, task, seconds, weight=weight, then=keep)

    def find(
        self, slot: str, name: str, key: Hashable, task: Callable[[], Any], quick: bool
    ) -> Any:
        """Return what is kept, else what the task returns: here and now if it is `quick`, else as
        a job, so that the visitor can change his mind.
        """
        store = self.store(name)
        if (known := store.get(key)) is None and quick:
            with background.place():
                return store.find(key, task)
        if known is None:
            known = background.waited(self.begin(slot, name, key, task))
            background.end(slot)
        return known

    def each(
        self, name: str, tasks: Mapping[Hashable, Callable[[], Any]], at_once: int | None = None
    ) -> Iterator[tuple[Hashable, Any] | None]:
        """Yield key and result of every task as they come in, those that the store `name` has
        first, and None whenever it was time to listen. Whoever closes this early wants no more.
        """
        store, known, under_way = self.store(name), {}, {}
        for key in tasks:
            if (result := store.get(key)) is not None:
                known[key] = result
        yield from known.items()
        news, visitor, workers = threading.Event(), background.visitor(), background.workers()
        left = [key for key in tasks if key not in known]
        try:
            while left or under_way:
                while left and len(under_way) < (at_once or workers.turns.processors):
                    key = left.pop(0)
                    job_key, keep = (name, key, self.visitor), partial(store.put, key)
                    job = workers.submit(job_key, visitor, tasks[key], SECONDS, then=keep)
                    job.tell(news)
                    under_way[key] = job
                news.wait(background.TICK)
                news.clear()
                yield background.listen()
                for key in [key for key, job in under_way.items() if job.ended.is_set()]:
                    yield key, under_way.pop(key).result()
        finally:
            for job in under_way.values():
                workers.drop(job, visitor)


SHARED, PRIVATE = Scope(False), Scope(True)


def scope_of(recipe: Recipe) -> Scope:
    """Return who may find what is computed from the data of a recipe."""
    return PRIVATE if recipe.own else SHARED


@cache
def shared() -> dict[str, Store]:
    """Return the stores of all visitors, by name."""
    return {name: made(name, False) for name in MOST}


def made(name: str, private: bool) -> Store:
    """Return an empty store. The rows of one sweep are kept, however many they are."""
    most = MOST[name][private]
    if name == "rows":
        return Store(room=most, weigh=lambda parts: min(most, sum(map(len, parts))))
    return Store(most)
