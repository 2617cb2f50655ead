"""The sidebar: each parameter's declaration becomes its control."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NoReturn

import numpy as np
import streamlit as st

from svmviz.data.params import Param, offered
from svmviz.data.problem import Problem
from svmviz.maths import kernels
from svmviz.record import solver as core
from svmviz.record.symbols import explained
from svmviz.run.fork import worded
from svmviz.run.recipe import SEED, SOURCES, STEPS, Recipe
from svmviz.run.view import opened
from svmviz.run.visit.after import Visit
from svmviz.run.visit.events import (
    Data,
    Knob,
    Open,
    Preset,
    Restart,
    Restarting,
    Settings,
    Solver,
    Undo,
)
from svmviz.run.visit.switching import able
from svmviz.solvers import SOLVERS
from svmviz.ui.controls.costs import class_names, costs_widget
from svmviz.ui.controls.plane import plane_widget
from svmviz.ui.visit.hall import group
from svmviz.ui.visit.session import happened, visit, widget_key
from svmviz.work.words import count

# keeps a name together and does not stretch: the one other space sets its value to the right
NBSP = "\u202f\u202f"
TREATMENTS = {
    "none": "as measured, not scaled",
    "standardise": "standardised",
    "unit ball": "scaled into the unit ball",
}
CUSTOM = "set by hand"  # parameters that have no name of their own
SHORT = 12  # letters of an option that fit beside the name of their menu
KERNEL_PARAMS = (
    Param(
        "gamma",
        "",
        1.0,
        0.01,
        100.0,
        "Width of the kernel: larger is narrower.",
        log=True,
        title="kernel width",
    ),
    Param("degree", "", 3, 1, 6, "Degree of the polynomial.", title="degree"),
    Param("coef0", "", 1.0, 0.0, 10.0, "Constant of the polynomial kernel.", title="constant"),
)


def choose() -> Visit:
    """The sidebar. Data, seed and steps make a new recipe at once; a solver parameter holds from
    where the player is.
    """
    now = visit()
    recipe = now.turnable
    with group("data"):
        st.markdown("#### Data")
        sources = SOURCES | now.own
        data = menu("data", sources, recipe.data, "data")
        if data != recipe.data:
            anew(Data(data))
        values = {
            p.name: widget(p, recipe.data_params[p.name], f"data.{data}")
            for p in sources[data].params
        }
        source = sources[data]
        treatment = source.treatment or TREATMENTS[values["scaling"]]
        features = values.get("d", len(source.names))
        st.caption(
            f"{source.about}  \n{features} feature{'' if features == 1 else 's'}, {treatment}."
        )
        plane = (
            plane_widget(source.names, recipe.plane, f"plane.{data}")
            if len(source.names) > 2
            else ""
        )
    with group("solver"):
        st.markdown("#### Solver")
        solver = menu("solver", SOLVERS, recipe.solver, "solver")
        if solver != recipe.solver:
            anew(Solver(solver))
    problem = problem_of(recipe, values)
    classes, refusal = (problem.classes, refused(problem, data, solver)) if problem else (2, "")
    if refusal:
        st.warning(refusal)
    with group("knobs"):
        above = st.container()
        if now.fork:
            st.caption(f"Parameters of **B** after step {count(now.fork.t)}; **A** keeps its own.")
        held = now.held
        wanted = dict(held)
        for param in SOLVERS[solver].params:
            if param.name == "multiclass" and classes > 2:  # no choice there
                continue
            if param.text and param.matters(wanted):
                wanted[param.name] = costs_widget(
                    param, held[param.name], class_names(source, classes), solver
                )
            elif param.matters(
                wanted
            ):  # one that does nothing here keeps its value, and its place in the link
                told = replace(
                    param, help=explained(SOLVERS[solver].story.symbols, param.symbol, param.help)
                )
                wanted[param.name] = widget(
                    offered(told, problem) if problem else told, held[param.name], solver
                )
            first_has(now, param, wanted[param.name])
    with group("run"):
        st.markdown("#### Run")
        seed = widget(SEED, recipe.seed, "run")
        steps = widget(STEPS, recipe.steps, f"run.{now.lengths}")
    settled = happened(Settings(values, seed, steps, plane))
    if settled.generation != now.generation:
        st.rerun()
    if settled.restarting:  # with what was moved just before the click, too
        anew(Restart(wanted))
    turned = happened(Knob({name: value for name, value in wanted.items() if value != held[name]}))
    if (turned.generation, turned.messages) != (
        now.generation,
        now.messages,
    ):  # what is said stands above the controls
        st.rerun()
    with above:  # what the parameters make, once they are known
        suggest(turned)
    if turned.recipe.changes and not turned.fork:
        left, right = st.columns(2)
        left.button(
            "Restart",
            on_click=happened,
            args=(Restarting(),),
            width="stretch",
            help="Run from the first step with the present parameters.",
        )
        right.button("Undo", on_click=undo, width="stretch", help="Take the latest change back.")
    return turned


def menu(label: str, items: Mapping[str, Any], key: str, name: str) -> str:
    """Draw a menu of items by their titles, below a heading that says its label; return the key of
    the chosen item.
    """
    return st.selectbox(
        label,
        list(items),
        list(items).index(key),
        format_func=lambda key: items[key].title,
        key=widget_key(name),
        label_visibility="collapsed",
    )


def undo() -> None:
    happened(Undo())


def first_has(now: Visit, param: Param, value) -> None:
    """Below a control of the second of two runs: what the first has, if that is something else."""
    if now.fork and (other := now.recipe.current[param.name]) != value:
        st.caption(f"A has {worded(param, other)}.")


def anew(event) -> NoReturn:
    """Show what this leads to with controls of its own: those on screen belong to the recipe
    before, and what they would be set to next would be lost.
    """
    happened(event)
    st.rerun()


def problem_of(recipe: Recipe, values: dict) -> Problem | None:
    """The data that the sidebar shows, where there can be such."""
    try:
        return replace(recipe, data_params=values, edits=()).problem()
    except ValueError:  # the stage will say why
        return None


def refused(problem: Problem, data: str, solver: str) -> str:
    """What speaks against this solver on these data, and for which others."""
    refusal = SOLVERS[solver].refusal(problem)
    others = " or ".join(other.title for other in able(data, problem).values())
    return f"{refusal}. {others} can work on these data." if refusal else ""


def suggest(now: Visit) -> None:
    """Where the solver shows what it is for, if the visitor asks; and the well-known algorithms
    among its parameters.
    """
    recipe = now.turnable
    solver = SOLVERS[recipe.solver]
    there, _ = opened(recipe.solver)
    if recipe.data != there.data:
        st.button(
            f"Show it on: {there.source.title}",
            on_click=happened,
            args=(Open(recipe.solver),),
            width="stretch",
            key=widget_key("opening"),
            help="Data and parameters where one soon sees what it does.",
        )
    preset_menu(solver, now.held, lambda new: happened(Preset(new)))


def preset_menu(
    solver: core.Solver, params: Mapping[str, Any], take: Callable[[dict], None], group: str = ""
) -> None:
    """The well-known algorithms among a solver's parameters, by name; what one sets is given to
    `take`.
    """
    if not solver.uses.presets:
        return
    name = solver.preset_of(params) or CUSTOM
    key = widget_key(f"{group}preset.{name}")  # another menu once a parameter was turned by hand

    def chosen() -> None:
        """A menu that has gone while a run of the script was overtaken may say once more what it
        stood for: no choice.
        """
        if (wanted := st.session_state[key]) not in (CUSTOM, name):
            take(solver.preset(wanted))

    with stacked(key):
        st.selectbox(
            "preset",
            [*([CUSTOM] if name == CUSTOM else []), *solver.uses.presets],
            key=key,
            on_change=chosen,
            index=0 if name == CUSTOM else list(solver.uses.presets).index(name),
            help="Algorithms of the paper by name: each sets the parameters that make it.",
        )


def stacked(key: str):
    """A place for a control that is too wide to stand beside its name."""
    return st.container(key=f"stacked-{key}")


def widget(param: Param, value, group: str):
    """The control that a parameter's declaration asks for. It is told its value in every run: the
    script may run again before the browser has seen it, and then nobody else knows.
    """
    key = widget_key(f"{group}.{param.name}")
    shown = st.session_state.get(key, value)
    label = f"{param.title} {param.symbol}".strip()
    figure = (
        f"{label.replace(' ', NBSP)} {written(shown)}" if isinstance(shown, int | float) else label
    )
    if param.is_kernel:
        return kernel_widget(param, value, key)
    if param.buttons:
        return button_widget(param, value, key)
    if param.options and max(map(len, param.options)) > SHORT:
        with stacked(key):
            return st.selectbox(
                label, param.options, param.options.index(value), key=key, help=param.help
            )
    if param.options:
        return st.selectbox(
            label, param.options, param.options.index(value), key=key, help=param.help
        )
    if isinstance(param.default, bool):
        return st.toggle(label, value, key=key, help=param.help)
    if param.name.endswith("seed"):
        return st.number_input(label, param.low, param.high, value, key=key, help=param.help)
    if param.log:
        return st.select_slider(
            figure, grid(param, shown, value), value, key=key, help=param.help, format_func=written
        )
    step = 1 if isinstance(param.default, int) else notch((param.high - param.low) / 60)
    return st.slider(figure, param.low, param.high, value, step=step, key=key, help=param.help)


def written(value: float) -> str:
    """A number beside its control: what :g would write as 1e+07 has its thousands apart."""
    return count(value) if value >= 10_000 and value == int(value) else f"{value:g}"


def button_widget(param: Param, value: str, key: str) -> str:
    """The first words of the options as buttons, then the rest of those that share one."""
    kinds: dict[str, list[str]] = {}
    for option in param.options:
        kinds.setdefault(option.split()[0], []).append(option)
    first = value.split()[0]
    with stacked(key):
        kind = (
            st.segmented_control(
                param.title, list(kinds), default=first, key=key, help=param.help, width="stretch"
            )
            or first
        )
        if len(kinds[kind]) == 1:
            return kinds[kind][0]
        start = value if kind == first else kinds[kind][0]
        return (
            st.segmented_control(
                f"{kind} the",
                kinds[kind],
                default=start,
                key=f"{key}.{kind}",
                width="stretch",
                format_func=lambda option: option.split(maxsplit=1)[1],
            )
            or start
        )


def notch(width: float) -> float:
    """The next of 0.01, 0.05, 0.1, 0.5, ... that is at least as wide."""
    power = 10.0 ** np.floor(np.log10(width))
    return float(next(f"{m * power:.1g}" for m in (1, 5, 10) if m * power >= width))


def grid(param: Param, *values) -> list:
    """Round numbers from low to high on a log scale, and the present values wherever they lie: what
    the browser shows, and what the recipe says, differ for a moment.
    """
    kind = type(param.default)
    return sorted(
        round_numbers(param.low, param.high, kind) | {kind(param.low), param.default, *values}
    )


@lru_cache(maxsize=256)
def round_numbers(low: float, high: float, kind: type) -> frozenset:
    """1, 1.5, 2, 3, 5, 7 and their multiples by powers of ten."""
    least = low or 1e-5 * high  # a scale that begins with 0 has no first decade
    exponents = range(int(np.floor(np.log10(least))), int(np.ceil(np.log10(high))) + 1)
    found = (float(f"{m}e{e}") for e in exponents for m in (1, 1.5, 2, 3, 5, 7))
    return frozenset(kind(v) for v in found if least <= v <= high and kind(v) == v)


def kernel_widget(param: Param, value, key: str):
    kinds = range(len(kernels.TITLES))
    kind = st.selectbox(
        "kernel",
        kinds,
        0 if value is None else value.kind,
        format_func=lambda k: kernels.TITLES[k],
        key=key,
        help=param.help,
    )
    if (
        kind == kernels.LINEAR
    ):  # by whichever name the link has for it: another one would be a change
        return value if value is not None and value.kind == kernels.LINEAR else None
    known = (
        value
        if value is not None and value.kind == kind
        else kernels.KERNELS[kernels.NAMES[kind]](
            **{p.name: p.default for p in KERNEL_PARAMS if p.name in kernels.FIELDS[kind]}
        )
    )
    return known._replace(**kernel_numbers(known, f"{key}.{kind}"))


def kernel_numbers(
    kernel: kernels.Kernel, group: str, without: Collection[str] = ()
) -> dict[str, float]:
    """Draw a control for each number of a kernel and return what they say."""
    return {
        param.name: widget(param, value, group)
        for param, value in kernel_params(kernel)
        if param.name not in without
    }


def kernel_params(kernel: kernels.Kernel) -> Iterator[tuple[Param, float]]:
    """Yield each number of a kernel as a parameter, and its value; one from a link may lie beyond
    the usual range.
    """
    for param in KERNEL_PARAMS:
        if param.name in kernels.FIELDS[kernel.kind]:
            value = type(param.default)(getattr(kernel, param.name))
            yield (
                replace(param, low=min(param.low, value), high=max(param.high, value)),
                value,
            )
