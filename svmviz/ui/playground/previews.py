"""While a slider is dragged: the run that it would make, where that costs next to nothing. The
slider itself says nothing until it is let go; the player reads the position of its thumb, and asks
by the class that Streamlit gives the slider's key.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import streamlit as st

from svmviz.data.params import Param, offered
from svmviz.patched.keys import key_class
from svmviz.player import mount
from svmviz.player.wire import run
from svmviz.run.visit.state import Visit
from svmviz.solvers import SOLVERS
from svmviz.ui.controls import widgets
from svmviz.ui.jobs.compiling import ready
from svmviz.ui.playground.stage import computed
from svmviz.ui.visit.session import widget_key


class Slider(NamedTuple):
    """A slider of the sidebar: `name` is the solver's parameter, of which `param` may be a part."""

    key: str
    param: Param
    value: float
    name: str

    def number(self, at: float) -> float:
        """Return the value that the slider has at a position of its thumb."""
        if not self.param.log:
            return self.param.check(at)
        shown = st.session_state.get(self.key, self.value)
        values = widgets.grid(self.param, shown, self.value)
        if at not in range(len(values)):
            raise ValueError(f"{self.param.title} has no position {at}")
        return values[int(at)]


def sliders(visit: Visit) -> Iterator[Slider]:
    """Yield the sliders of the solver as the sidebar draws them."""
    recipe = visit.recipe
    problem = widgets.problem_of(recipe, recipe.data_params)
    for param in SOLVERS[recipe.solver].params:
        key, value = widget_key(f"{recipe.solver}.{param.name}"), visit.held[param.name]
        if param.is_kernel:
            for part, number in widgets.kernel_params(value) if value else ():
                yield Slider(
                    widget_key(f"{key}.{value.kind}.{part.name}"), part, number, param.name
                )
        else:
            yield Slider(key, offered(param, problem) if problem else param, value, param.name)


def held(visit: Visit, knob: str, at: float) -> tuple[dict[str, Any], str]:
    """Return the parameter that the slider `knob` would set at this position, and its value in
    words; nothing if there is no such slider.
    """
    slider = next((one for one in sliders(visit) if key_class(one.key) == knob), None)
    if slider is None:
        return {}, ""
    _, param, _, name = slider
    number = slider.number(at)
    words = widgets.written(number)
    if param.name == name:
        return {name: number}, f"{param.symbol or param.title} = {words}"
    kernel = visit.held[name]._replace(**{param.name: number})
    return {name: kernel}, f"{param.title} {words}"


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
