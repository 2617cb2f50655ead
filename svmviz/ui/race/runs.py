"""The runs of a race as they come in: carried out beside the script, kept for whoever asks for the
same.
"""

from collections.abc import Callable
from contextlib import closing
from functools import partial

import streamlit as st

from svmviz import race
from svmviz.player.wire.race import first_run
from svmviz.race.card import Card
from svmviz.solvers import SOLVERS
from svmviz.ui.jobs.scope import PRIVATE, scope_of


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
    return PRIVATE.store("races").find(card.key(), Raced)


def compute(card: Card, so_far: Raced, tasks: list[tuple[race.Rival, int]]) -> None:
    """Carry out what is missing, with a bar and a way out. Stopping is a click: Streamlit ends the
    script that it interrupts, and what has come in stays.
    """
    with st.container(key="race_progress", horizontal=True):
        bar = st.progress(0.0, f"0 of {len(tasks)} runs")
        st.button("Stop", key="race.stop", on_click=setattr, args=(so_far, "stopped", True))
    missing = {(card.key(), *measure(*task)): run(card, *task) for task in tasks}
    with closing(scope_of(card.base).each("race results", missing)) as found:
        for count, ((_, *name), result) in enumerate(filter(None, found), start=1):
            so_far.results[tuple(name)] = result
            bar.progress(count / len(tasks), f"{count} of {len(tasks)} runs")


def measure(rival: race.Rival, seed: int) -> tuple[str, int, int]:
    """The name of a run."""
    return rival.key, rival.steps, seed


def run(card: Card, rival: race.Rival, seed: int) -> Callable[[], race.Result]:
    return partial(race.run, card.problem, rival, seed, card.lam, card.nu, card.test)


def first_runs(card: Card, rivals, so_far: Raced) -> None:
    """Seed 0 of every rival, one after the other: its seconds are those that count."""
    timed = {measure(rival, 0): run(card, rival, 0) for rival in rivals}
    shown = {(rival.key, rival.steps): partial(first_run, card, rival) for rival in rivals}
    scope, link = scope_of(card.base), card.key()
    with st.spinner("Running seed 0 of every lane …"):
        for store, tasks, into in (
            ("race results", timed, so_far.results),
            ("race runs", shown, so_far.runs),
        ):
            missing = {(link, *name): task for name, task in tasks.items() if name not in into}
            with closing(scope.each(store, missing, at_once=1)) as found:
                into.update((key[1:], result) for key, result in filter(None, found))
