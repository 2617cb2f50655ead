"""Two runs on one stage: what travels of the second one."""

from typing import NamedTuple

import streamlit as st

from svmviz.player import forkwire, wire
from svmviz.race.card import OPENING, SOURCES, Card, fitting
from svmviz.race.lanes import lane_of
from svmviz.record.trace import Trace
from svmviz.run.recipe import Recipe
from svmviz.run.state import Visit
from svmviz.ui import beside, traces
from svmviz.ui.address import passing
from svmviz.ui.background import place
from svmviz.ui.compiling import needed
from svmviz.ui.stage import computed


class Second(NamedTuple):
    recipe: Recipe
    packed: wire.Packed
    message: bytes  # goes behind that of the first


def trace(recipe: Recipe) -> Trace:
    """That of a run which was just shown: it is kept for a while."""
    store = traces.kept(recipe)
    with place():
        return store.put(recipe.key(), traces.found(recipe, store))


def second(visit: Visit) -> Second:
    """B, of which the controls are."""
    if needed(visit.recipe.solver):  # a recorded opening is no trace
        st.rerun()
    other = visit.turnable
    packed = computed(other)
    sent = wire.encode(packed, id=other.key(), query=other.query(), final=True, view=None, knob=None)
    return Second(other, packed, forkwire.beside(visit.recipe, visit.fork, sent, trace(visit.recipe), trace(other)))


def follow(other: Second) -> None:
    """Send the optima of B, where they are not there in time."""
    recipe, packed, _ = other
    if packed.header.get("later"):
        beside.send("fork", recipe, beside.answered("optima", recipe, packed.header["n"]) | {"second": True})


def races(visit: Visit) -> bool:
    """Whether the two can be lanes of a race: it is run on data that anybody has, as they are, or on the visitor's own."""
    recipe = visit.recipe
    return (bool(recipe.own) or recipe.data in SOURCES) and not recipe.edits


def lanes(visit: Visit) -> Card:
    """Both as lanes of a race, each with its parameters from the first step on; λ and kernel are those of A."""
    recipe = visit.recipe
    now = recipe.current
    problem = {"lam": now.get("lam", OPENING.lam), "kernel": now.get("kernel")}
    base = Recipe(recipe.data, recipe.data_params, params=problem, own=recipe.own, plane=recipe.plane).checked()
    both = (lane_of(one.solver, one.current, **problem) for one in (recipe, visit.turnable))
    return Card(fitting(base), tuple(dict.fromkeys(both)))


def raced(visit: Visit) -> None:
    """Go to the race if that was asked for."""
    if st.session_state.pop("fork_raced", False) and visit.fork and races(visit):
        query = lanes(visit).query()
        passing("stage", query)
        st.switch_page("pages/race.py", query_params=query)
