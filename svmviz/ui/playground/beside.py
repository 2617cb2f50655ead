"""What takes longer than a first picture may: the exact optimum of many examples, a Pareto front,
runs of rivals.

The picture is there without them. The script goes on, waits for this visitor's jobs and sends what
they find in messages of its own, so that no run travels twice. What was found is kept for all
visitors, or for this one if the data are his own.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from svmviz.maths.kernels import grams
from svmviz.player import mount
from svmviz.player.wire import front, run
from svmviz.run import shown
from svmviz.run.recipe import STEPS, Recipe
from svmviz.solvers import SOLVERS
from svmviz.ui.jobs import background, traces
from svmviz.ui.jobs.compiling import arrived
from svmviz.ui.jobs.scope import scope_of
from svmviz.ui.visit.session import visit
from svmviz.work import limits

SECONDS = {
    "optima": 10.0,
    "front": 20.0,
    "rivals": 60.0,
}  # of the processor: then what was found must do
MATRICES = 4  # of all pairs of examples, that are held at a time where an optimum is looked for


def find(what: str, recipe: Recipe, seconds: float) -> dict[str, Any]:
    """What the player is told; `cut` is the time if that was not enough."""
    if what == "optima":
        problem, active = recipe.union()
        with grams.kept(not recipe.own, grams.LARGEST):
            found = shown.optima(SOLVERS[recipe.solver], problem, recipe.stretches(problem, active))
    elif what == "front":
        found = front.front(traces.found(recipe))
    else:
        from svmviz.papers.simba.rivals import (
            compared,  # of one paper, and only where it is asked for
        )

        found = compared(recipe, traces.found(recipe))
    return {what: found, "cut": seconds if limits.struck() else 0}


def wanted(recipe: Recipe, packed: run.Packed) -> list[str]:
    """What the visitor looks at and the first picture lacks."""
    now = visit()
    looks = {
        "optima": packed.header.get("later", False),
        "front": packed.header["fronts"] and "front" in (now.seen.get("y"), now.view.get("y")),
        "rivals": now.wanted == {"what": "rivals", "id": recipe.key()},
    }
    return [what for what in SECONDS if looks[what]]


def follow(recipe: Recipe, packed: run.Packed, asked: list[str] | None = None) -> None:
    """Begin what is wanted, end what is wanted no more, and send what comes in; `asked` by a page
    without the Playground's sidebar.
    """
    place, n = st.sidebar if asked is None else st, packed.header["n"]
    asked = wanted(recipe, packed) if asked is None else asked
    background.end(*(what for what in SECONDS if what not in asked))
    if asked:
        arrived(*([] if "rivals" in asked else [recipe.solver]))
    answers = {what: known_or_begun(what, recipe, n) for what in asked}
    for what, answer in answers.items():
        send(what, recipe, waited(answer), place)


def waited(answer: dict[str, Any] | background.Job) -> dict[str, Any]:
    return background.waited(answer) if isinstance(answer, background.Job) else answer


def answered(what: str, recipe: Recipe, n: int) -> dict[str, Any]:
    """What was found, as soon as it is."""
    return waited(known_or_begun(what, recipe, n))


def send(name: str, recipe: Recipe, found: dict[str, Any], place=st.sidebar) -> None:
    """Tell the stage, in a message of its own."""
    with place.container(key=f"beside-{name}"):
        mount.beside()(key=f"beside.{name}", data={"id": recipe.key()} | found)


def key(what: str, recipe: Recipe) -> tuple[str, ...]:
    """What tells it from all others: an optimum is the same for every seed, and for a run that goes
    on.
    """
    if what != "optima":
        return what, recipe.key()
    parts = (
        sum(t < recipe.steps for t, _ in recipe.changes),
        sum(edit.t < recipe.steps for edit in recipe.edits),
    )
    return what, replace(recipe, seed=0, steps=STEPS.high).key(), str(parts)


def known(what: str, recipe: Recipe) -> dict[str, Any] | None:
    """Return what was found before, if it is kept."""
    return scope_of(recipe).store("later").get(key(what, recipe))


def known_or_begun(what: str, recipe: Recipe, n: int) -> dict[str, Any] | background.Job:
    """Return what was found before, else the job that finds it."""
    return known(what, recipe) or scope_of(recipe).begin(
        what,
        "later",
        key(what, recipe),
        partial(find, what, recipe, SECONDS[what]),
        SECONDS[what],
        MATRICES * 8 * n * n,
    )
