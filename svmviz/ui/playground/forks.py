"""Two runs on one stage: what travels of the second one."""

from functools import partial
from typing import NamedTuple

import streamlit as st

from svmviz.player.wire import fork as forkwire
from svmviz.player.wire import run
from svmviz.run.fork import Fork
from svmviz.run.recipe import Recipe
from svmviz.run.visit.state import Visit
from svmviz.ui.jobs import traces
from svmviz.ui.jobs.compiling import needed
from svmviz.ui.jobs.scope import scope_of
from svmviz.ui.playground import beside
from svmviz.ui.playground.stage import computed
from svmviz.ui.shell.menu import is_installed
from svmviz.ui.visit.address import passing


class Second(NamedTuple):
    recipe: Recipe
    packed: run.Packed
    message: bytes  # goes behind that of the first


def told(recipe: Recipe, fork: Fork, other: bytes) -> bytes:
    """What goes behind the message of the first."""
    return forkwire.beside(
        recipe, fork, other, traces.found(recipe), traces.found(fork.branch(recipe))
    )


def second(visit: Visit) -> Second:
    """B, of which the controls are."""
    if needed(visit.recipe.solver):  # a recorded opening is no trace
        st.rerun()
    other = visit.turnable
    packed = computed(other)
    sent = run.encode(packed, id=other.key(), query=other.query(), final=True, view=None, knob=None)
    both = visit.recipe.key(), other.key(), str(visit.fork)
    task = partial(told, visit.recipe, visit.fork, sent)
    quick = visit.recipe.quick() and other.quick()
    return Second(other, packed, scope_of(other).find("fork", "forks", both, task, quick))


def follow(other: Second) -> None:
    """Send the optima of B, where they are not there in time."""
    recipe, packed, _ = other
    if packed.header.get("later"):
        beside.send(
            "fork", recipe, beside.answered("optima", recipe, packed.header["n"]) | {"second": True}
        )


def races(visit: Visit) -> bool:
    """Whether the two can be lanes of a race."""
    if not is_installed("race"):
        return False
    from svmviz.race import card  # only where there are two

    return card.admits(visit.recipe) and card.admits(visit.turnable)


def raced(visit: Visit) -> None:
    """Go to the race if that was asked for."""
    if st.session_state.pop("fork_raced", False) and visit.fork and races(visit):
        from svmviz.race import card

        both = card.against(visit.recipe, visit.turnable)
        query = both.query() | both.look
        passing("stage", query)
        st.switch_page("pages/race.py", query_params=query)
