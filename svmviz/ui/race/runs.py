"""The runs of a race as they come in: carried out beside the script, kept for whoever asks for the
same.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from typing import Any

import streamlit as st

from svmviz import race
from svmviz.player.wire.race import first_run
from svmviz.race.card import Card
from svmviz.solvers import SOLVERS
from svmviz.ui.jobs.background import Store, each, visitor

KEPT = 3  # races in a session: a visitor goes back and forth between a few


@st.cache_resource(show_spinner=False)
def measured() -> Store:
    """What runs of races left behind lately, anybody's."""
    return Store(2048)


@st.cache_resource(show_spinner=False)
def played() -> Store:
    """Runs of races that were packed for the player lately."""
    return Store(96)


def arriving(
    card: Card, store: Store, tasks: Mapping[tuple, Callable[[], Any]], at_once: int | None = None
) -> Iterator[Any]:
    """Name and result of each task, what any visitor computed lately first, and None when it was
    time to listen. On data that only this visitor has, nothing is shared.
    """
    missing, own = {}, (visitor(),) if card.base.own else ()
    for name, task in tasks.items():
        key = (card.key(), *name, *own)
        if (known := None if own else store.get(key)) is not None:
            yield name, known
        else:
            missing[key] = name, task
    then = (lambda key, result: result) if own else store.put
    for found in each({key: task for key, (_, task) in missing.items()}, then, at_once):
        yield found and (missing[found[0]][0], found[1])


class Raced:
    """What has come in of one race so far, in one visitor's session."""

    def __init__(self):
        self.results: dict[tuple[str, int, int], race.Result] = {}
        self.runs: dict[tuple[str, int], bytes] = {}
        self.stopped = False

    def of(self, rival: race.Rival, seed: int) -> race.Result | None:
        """The result of a run; of a solver that leaves nothing to chance the first seed stands for
        all.
        """
        return self.results.get(
            (rival.key, rival.steps, seed if SOLVERS[rival.solver].algorithm.chance else 0)
        )

    def complete(self, rivals, seeds: int) -> int:
        """How many seeds all rivals have."""
        return next(
            (s for s in range(seeds) if any(self.of(rival, s) is None for rival in rivals)), seeds
        )

    def begun(self, rivals) -> bool:
        """Whether there is something to show of every rival."""
        return self.complete(rivals, 1) == 1 and all(
            (rival.key, rival.steps) in self.runs for rival in rivals
        )


def raced(card: Card) -> Raced:
    kept = st.session_state.setdefault("raced", {})
    found = kept.pop(card.key(), None) or Raced()
    kept[card.key()] = found
    while len(kept) > KEPT:
        kept.pop(next(iter(kept)))
    return found


def compute(card: Card, so_far: Raced, tasks: list[tuple[race.Rival, int]]) -> None:
    """Carry out what is missing, with a bar and a way out. Stopping is a click: Streamlit ends the
    script that it interrupts, and what has come in stays.
    """
    with st.container(key="race_progress", horizontal=True):
        bar = st.progress(0.0, f"0 of {len(tasks)} runs")
        st.button("Stop", key="race.stop", on_click=setattr, args=(so_far, "stopped", True))
    with closing(
        arriving(
            card,
            measured(),
            {measure(rival, seed): run(card, rival, seed) for rival, seed in tasks},
        )
    ) as found:
        for count, (name, result) in enumerate(filter(None, found), start=1):
            so_far.results[name] = result
            bar.progress(count / len(tasks), f"{count} of {len(tasks)} runs")


def measure(rival: race.Rival, seed: int) -> tuple[str, int, int]:
    """The name of a run."""
    return rival.key, rival.steps, seed


def run(card: Card, rival: race.Rival, seed: int) -> Callable[[], race.Result]:
    return partial(race.run, card.problem, rival, seed, card.lam, card.nu, card.test)


def first_runs(card: Card, rivals, so_far: Raced) -> None:
    """Seed 0 of every rival, one after the other: its seconds are those that count."""
    timed = {
        measure(rival, 0): run(card, rival, 0)
        for rival in rivals
        if measure(rival, 0) not in so_far.results
    }
    shown = {
        (rival.key, rival.steps): partial(first_run, card, rival)
        for rival in rivals
        if (rival.key, rival.steps) not in so_far.runs
    }
    with st.spinner("Running seed 0 of every lane …"):
        for store, tasks, into in (
            (measured(), timed, so_far.results),
            (played(), shown, so_far.runs),
        ):
            with closing(arriving(card, store, tasks, at_once=1)) as found:
                into.update(filter(None, found))
