"""While a slider is dragged: the run that it would make, where that costs next to nothing. The
slider itself says nothing until it is let go; the player reads off it where it stands, and asks by
the class that Streamlit gives its key.
"""

import re
from collections.abc import Iterator
from typing import Any

import streamlit as st

from svmviz.data.params import Param
from svmviz.player import mount
from svmviz.player.wire import run
from svmviz.run.visit.state import Visit
from svmviz.solvers import SOLVERS
from svmviz.ui.controls import widgets
from svmviz.ui.jobs.compiling import ready
from svmviz.ui.playground.stage import computed
from svmviz.ui.visit.session import widget_key


def sliders(visit: Visit) -> Iterator[tuple[str, Param, Any, str]]:
    """The key of every slider of the solver, what it declares, its value, and the parameter that it
    is a part of.
    """
    solver, has = visit.recipe.solver, visit.held
    for param in SOLVERS[solver].params:
        key, value = widget_key(f"{solver}.{param.name}"), has[param.name]
        if param.is_kernel and value is not None:
            for part in widgets.KERNEL_PARAMS:
                yield (
                    widget_key(f"{key}.{value.kind}.{part.name}"),
                    part,
                    getattr(value, part.name),
                    param.name,
                )
        else:
            yield key, param, value, param.name


def held(visit: Visit, knob: str, at: str) -> tuple[dict[str, Any], str]:
    """What a slider stands for that reads `at`, and in words; nothing if it is none of these."""
    for key, param, value, name in sliders(visit):
        if f"st-key-{re.sub('[^a-zA-Z0-9_-]', '-', key)}" != knob:
            continue
        found = (
            [v for v in widgets.grid(param, value) if widgets.written(v) == at]
            if param.log
            else [param.check(at)]
        )
        if found and name == param.name:
            return {name: found[0]}, f"{param.symbol or param.title} = {widgets.written(found[0])}"
        if found:
            return {
                name: visit.held[name]._replace(**{param.name: found[0]})
            }, f"{param.title} {at}"
    return {}, ""


def send(visit: Visit) -> None:
    """Answer, if the player has asked of the run that it shows."""
    asked, recipe = getattr(st.session_state.get("stage"), "preview", None), visit.recipe
    if not asked or asked["id"] != recipe.key() or not visit.glimpses or not ready(recipe.solver):
        return
    try:
        new, words = held(visit, asked["knob"], asked["at"])
        other = recipe.changed(min(int(asked["t"]), recipe.steps), new)
        packed = computed(other) if new else None
    except ValueError:  # the slider will say why when it is let go
        return
    if packed:
        with st.sidebar.container(key="beside-preview"):
            mount.glimpse()(
                key="beside.preview",
                data=run.encode(
                    packed,
                    id=other.key(),
                    query=other.query(),
                    view=None,
                    knob=None,
                    final=True,
                    preview={"of": recipe.key(), "serial": asked["serial"], "words": words},
                ),
            )
