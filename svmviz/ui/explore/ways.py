"""What the picture of Explore asks for: to start and to stop, and the ways from a cell to other
pages.
"""

from typing import Any

import streamlit as st

from svmviz.explore import Spec
from svmviz.race import card
from svmviz.run.recipe import STEPS, Recipe
from svmviz.ui.visit.address import leave

CELLS = {"open": ("cell",), "race": ("best", "cell")}  # that a way starts from


def identity(spec: Spec) -> str:
    """What tells a sweep from others, for the picture."""
    recipe = spec.recipe
    rest = hash((recipe.solver, spec.swept, repr(recipe.params), spec.seeds, spec.splits))
    return f"{spec.data.hex()[:16]} {rest}"


def races(spec: Spec) -> bool:
    """Whether cells can be lanes of a race, where all have as many steps as the same work
    allows.
    """
    return card.admits(spec.recipe) and any(axis.name != STEPS.name for axis in spec.axes)


def asked_for(name: str) -> None:
    """A button of the picture was pressed, or its key."""
    state = st.session_state
    asked, now = getattr(state.explore, name), state.get("explore.shown")
    if not asked or now is None:
        return
    if name == "go":
        state["explore.asked"] = True
    elif name == "stop" and now.work:
        now.work.stop()
    elif asked.get("id") == identity(now.spec) and (
        runs := runs_of(now.spec, asked, CELLS.get(name, ()))
    ):
        state["explore.cell"] = int(asked["cell"])  # for when the visitor returns
        if name == "open":
            leave("explore", "playground", runs[0].query() | {"t": str(runs[0].steps)})
        elif now.races:
            both = card.against(*runs)
            leave("explore", "race", both.query() | both.look)


def runs_of(spec: Spec, asked: dict[str, Any], names: tuple[str, ...]) -> list[Recipe]:
    """The runs of cells that the picture names; none where one of them is no cell."""
    cells = [int(asked.get(name, -1)) for name in names]
    return (
        [spec.recipe_of(cell) for cell in cells]
        if all(0 <= cell < spec.size for cell in cells)
        else []
    )
