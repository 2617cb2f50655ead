"""Descriptors become widgets, recipes become links, traces reach the player. With pages/, player/ and app.py the only
Streamlit importer. All state of a visitor lives in `st.session_state`; what is cached across visitors is keyed by the
recipe and never written to.
"""

import gc
import json
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from svmviz import jit, metrics, parts, player
from svmviz.core import Param
from svmviz.datasets import DATASETS
from svmviz.player import opening, wire
from svmviz.recipe import SEED, STEPS, Recipe, from_query
from svmviz.solvers import SOLVERS
from svmviz.views.theme import DARK, LIGHT, Theme

VIEW_KEYS = ("t", "beat", "x", "y", "present")
KERNEL_PARAMS = (
    Param("gamma", "γ", 1.0, 0.01, 100.0, "Width of the kernel: larger is narrower.", log=True, title="kernel width"),
    Param("degree", "", 3, 1, 6, "Degree of the polynomial.", title="degree"),
    Param("coef0", "c", 1.0, 0.0, 10.0, "Constant of the polynomial kernel.", title="constant"),
)

STYLE = Path(__file__).parent / "player" / "web" / "shell.css"
ICON = Path(__file__).parent / "player" / "web" / "icon.svg"


# The shell --------------------------------------------------------------------------------------------------------------


@st.cache_resource(show_spinner=False)
def start_warm_up() -> threading.Thread:
    """Compile in the background, then keep what is loaded out of the collector: Streamlit collects after every run."""

    def work():
        jit.warm_up()
        gc.collect()
        gc.freeze()

    thread = threading.Thread(target=work, name="warm-up", daemon=True)
    thread.start()
    return thread


def shell() -> None:
    st.set_page_config("svmviz", page_icon=str(ICON), layout="wide", initial_sidebar_state="auto")
    st.html(STYLE)
    start_warm_up()


def guard() -> None:
    """On a fresh server the first deep link runs the page file without app.py, because of Streamlit's old use of the
    folder name pages/. Turn that off and start again."""
    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()


# Recipe and link --------------------------------------------------------------------------------------------------------


def current_recipe() -> Recipe:
    """The visitor's recipe: from the link on arrival or when the address bar changed, else the one being edited."""
    state, query = st.session_state, st.query_params.to_dict()
    if "recipe" not in state or (query and query != state.get("query")):
        recipe, view, messages = arrive(query)
        state.messages = messages
        adopt(recipe, view)
        state.first_visit = not query
        state.query = query
    return state.recipe


def arrive(query: dict[str, str]) -> tuple[Recipe, dict, list[str]]:
    """Recipe, view and complaints of a link; the prepared example where there is none."""
    if not set(query) - set(VIEW_KEYS):
        recipe, messages, view = opening.OPENING, [], dict(opening.VIEW)
        if not query:
            return recipe, view, messages
        view = {"t": 0, "beat": "", "x": "steps", "y": "suboptimality"}
    else:
        recipe, messages = from_query(query, also=VIEW_KEYS)
        view = {"t": 0, "beat": "", "x": "steps", "y": "suboptimality"}
    for name in ("beat", "x", "y"):
        view[name] = query.get(name, view[name])[:40]
    step = query.get("t", "0")
    if step.isdecimal() and len(step) <= 7:
        view["t"] = int(step)
        recipe = replace(recipe, steps=min(STEPS.high, max(recipe.steps, view["t"])))
    else:
        messages.append(f"The link's t was replaced by 0: t must be a whole number, got {step[:40]!r}.")
    view["present"] = query.get("present") == "1"
    return recipe, view, messages


def adopt(recipe: Recipe, view: dict | None = None) -> None:
    """Make this the visitor's recipe; with a view the player is told to go there. Widgets start afresh from it."""
    state = st.session_state
    state.recipe = recipe
    state.pending = None
    state.generation = state.get("generation", 0) + 1
    if view is not None:
        state.view = view | {"serial": state.generation}
        state.seen = {name: view[name] for name in ("t", "beat", "x", "y")}


def write_link(recipe: Recipe) -> None:
    seen = st.session_state.seen
    query = recipe.query() | {name: str(value) for name, value in seen.items() if value != ""}
    if query != st.session_state.get("query"):
        st.session_state.query = query
        st.query_params.from_dict(query)


# Widgets ----------------------------------------------------------------------------------------------------------------


def choose(recipe: Recipe) -> tuple[Recipe, dict | None]:
    """The sidebar. Data, seed and steps make a new recipe at once; a solver parameter becomes a pending change, whose step
    the player will name."""
    state = st.session_state
    for message in state.get("messages", []):
        st.warning(message)
    st.markdown("#### Data")
    keys = list(DATASETS)
    data = st.selectbox("data", keys, keys.index(recipe.data), format_func=lambda key: DATASETS[key].title,
                        key=_key("data"), label_visibility="collapsed")
    if data != recipe.data:
        recipe = Recipe(data, {}, recipe.solver, recipe.current, (), recipe.seed, recipe.steps).checked()
        _restart(recipe)
    values = {p.name: widget(p, recipe.data_params[p.name], f"data.{data}") for p in DATASETS[data].params}
    st.caption(f"{DATASETS[data].about}  \n2 features, as generated, not scaled.")
    st.markdown("#### Solver")
    solver = st.selectbox("solver", list(SOLVERS), list(SOLVERS).index(recipe.solver), key=_key("solver"),
                          format_func=lambda key: SOLVERS[key].title, label_visibility="collapsed")
    wanted = {}
    for param in SOLVERS[solver].params:
        limit = min(param.high, values["n"]) if param.name == "k" else param.high
        wanted[param.name] = widget(replace(param, high=limit), recipe.current[param.name], solver)
    st.markdown("#### Run")
    seed = widget(SEED, recipe.seed, "run")
    steps = widget(STEPS, recipe.steps, "run")

    if values != recipe.data_params or seed != recipe.seed or steps != recipe.steps or solver != recipe.solver:
        recipe = state.recipe = replace(recipe, data_params=values, solver=solver, seed=seed, steps=steps)
    new = {name: value for name, value in wanted.items() if value != recipe.current[name]}
    if not new:
        state.pending = None
    elif not state.pending or state.pending["new"] != new:
        state.pending = {"id": f"{state.generation}.{json.dumps(new, default=str)}", "new": new}
    if recipe.changes:
        left, right = st.columns(2)
        left.button("Restart", on_click=_restart, args=(recipe.restarted(),), width="stretch",
                    help="Run from the first step with the present parameters.")
        right.button("Undo", on_click=adopt, args=(recipe.undone(),), width="stretch", help="Take the latest change back.")
    return recipe, state.pending


def _restart(recipe: Recipe) -> None:
    adopt(recipe, {"t": 0, "beat": "", "x": st.session_state.seen["x"], "y": st.session_state.seen["y"]})


def _key(name: str) -> str:
    """Widgets of another generation of the recipe are other widgets, so that they show its values."""
    return f"{st.session_state.generation}.{name}"


def widget(param: Param, value, group: str):
    """The control that a parameter's declaration asks for."""
    key = _key(f"{group}.{param.name}")
    shown = st.session_state.get(key, value)
    label = f"{param.title} *{param.symbol}*" if param.symbol else param.title
    figure = f"{label} **{shown:g}**" if isinstance(shown, int | float) else label
    if param.default is None:
        return kernel_widget(value, key)
    if param.options:
        return st.selectbox(label, param.options, param.options.index(value), key=key, help=param.help)
    if isinstance(param.default, bool):
        return st.toggle(label, value, key=key, help=param.help)
    if param.name == "seed":
        return st.number_input(label, param.low, param.high, value, key=key, help=param.help)
    if param.log:
        return st.select_slider(figure, grid(param, value), value, key=key, help=param.help, format_func=lambda v: f"{v:g}")
    step = 1 if isinstance(param.default, int) else float(np.round((param.high - param.low) / 100, 3))
    if param.low >= min(param.high, value):
        return value
    return st.slider(figure, param.low, param.high, min(value, param.high), step, key=key, help=param.help)


def grid(param: Param, value) -> list:
    """Round numbers from low to high on a log scale, and the present value wherever it lies."""
    exponents = range(int(np.floor(np.log10(param.low))), int(np.ceil(np.log10(param.high))) + 1)
    round_numbers = (float(f"{m}e{e}") for e in exponents for m in (1, 1.5, 2, 3, 5, 7))
    kind = type(param.default)
    return sorted({kind(v) for v in round_numbers if param.low <= v <= param.high and kind(v) == v} | {value, param.default})


def kernel_widget(value, key: str):
    kinds = range(len(parts.NAMES))
    kind = st.selectbox("kernel", kinds, 0 if value is None else value.kind, format_func=lambda k: parts.TITLES[k], key=key,
                        help="Linear runs on w itself; any other kernel on one coefficient per example (Figure 3).")
    if kind == parts.LINEAR:
        return None
    given = {p.name: widget(p, getattr(value, p.name) if value and value.kind == kind else p.default, f"{key}.{kind}")
             for p in KERNEL_PARAMS if p.name in parts.FIELDS[kind]}
    return parts.KERNELS[parts.NAMES[kind]](**given)


# The run and the stage --------------------------------------------------------------------------------------------------


@st.cache_resource(max_entries=128, show_spinner=False)
def _packed(link: str, _recipe: Recipe) -> wire.Packed:
    return wire.pack(_recipe.trace())


def computed(recipe: Recipe) -> wire.Packed:
    """The run of a recipe, from the cache where any visitor asked for the same."""
    link = json.dumps(recipe.query())
    if not start_warm_up().is_alive():
        return _packed(link, recipe)
    if recipe == opening.OPENING:
        return opening.load()
    with st.spinner("Compiling the solvers, once after an installation …"):
        return _packed(link, recipe)


def refused(error: ValueError) -> None:
    st.error(f"This run was not started: {error}.")
    st.button("Take the last change back", on_click=_take_back)


def _take_back() -> None:
    recipe = st.session_state.recipe
    if recipe.changes:
        adopt(recipe.undone())
    else:
        _restart(st.session_state.get("good", opening.OPENING))


def stage(recipe: Recipe, packed: wire.Packed, pending: dict | None) -> None:
    """Mount the player; its events change the recipe in callbacks, before the script runs again."""
    state = st.session_state
    state.good = recipe
    result = player.component()(
        key="stage", default={"view": None}, on_view_change=lambda: None, on_more_change=_more, on_change_change=_change,
        on_restart_change=lambda: _restart(state.recipe.restarted()),
        data=wire.encode(
            packed, id=json.dumps(recipe.query()), query=recipe.query(), python=recipe.python("{step}"), view=state.view,
            pending=pending and {"id": pending["id"]}, final=recipe.steps >= STEPS.high, invite=state.first_visit),
    )
    if isinstance(result.view, dict):
        state.seen = {name: result.view.get(name, "") for name in ("t", "beat", "x", "y")}
    write_link(recipe)


def _more() -> None:
    """The player is near the end: twice as many steps, the first half the same."""
    state, asked = st.session_state, st.session_state.stage.more
    if asked and asked["T"] == state.recipe.steps:
        steps = min(2 * asked["T"], STEPS.high)
        state.recipe = replace(state.recipe, steps=steps)
        state[_key("run.T")] = steps


def _change() -> None:
    """The player named the step at which the pending change falls."""
    state, answer = st.session_state, st.session_state.stage.change
    if answer and state.pending and answer["id"] == state.pending["id"]:
        state.recipe = state.recipe.changed(int(answer["t"]), state.pending["new"])
        state.pending = None


def take_away(recipe: Recipe) -> None:
    st.download_button("Trace as CSV", lambda: metrics.to_csv(recipe.trace()), f"{recipe.solver}.csv", "text/csv",
                       width="stretch", on_click="ignore",
                       help="One row per step: examples drawn, margins and every metric.")


# Pages of papers --------------------------------------------------------------------------------------------------------

SEEDS = 10


def column():
    """A centred column that is comfortable to read."""
    return st.container(horizontal_alignment="center").container(width=860)


def document(name: str) -> None:
    """The text of a page."""
    with column():
        st.markdown((Path(__file__).parent / "text" / f"{name}.md").read_text(encoding="utf-8"))


def theme() -> Theme:
    return DARK if st.context.theme.type == "dark" else LIGHT


@st.cache_resource(max_entries=256, show_spinner=False)
def _measured(link: str, _recipe: Recipe, _measure) -> np.ndarray:
    return _measure(_recipe)


def live_figure(title: str, recipes: dict[str, Recipe], measure, draw, *, claim: str, paper_data: str, our_data: str,
                verdict) -> None:
    """A figure of a paper, computed on demand over ten seeds: what was claimed beside what was measured, on which data, and
    every run one click away from the stage. Stopping is a click: Streamlit ends the script that it interrupts."""
    with column():
        st.subheader(title)
        st.caption(f"The paper used {paper_data}; here: {our_data}, {SEEDS} seeds, median and band from the 1st to the 9th "
                   "decile.")
        key = f"figure.{title}"
        if not st.session_state.get(key):
            st.button("Compute", key=f"{key}.go", on_click=st.session_state.__setitem__, args=(key, True))
        else:
            runs, bar = {name: [] for name in recipes}, st.progress(0.0, f"{title}: computing")
            stop = st.empty()
            stop.button("Stop", key=f"{key}.stop", on_click=st.session_state.__setitem__, args=(key, False))
            for seed in range(SEEDS):
                for name, recipe in recipes.items():
                    run = replace(recipe, seed=seed)
                    runs[name].append(_measured(f"{title} {json.dumps(run.query())}", run, measure))
                bar.progress((seed + 1) / SEEDS)
            bar.empty()
            stop.empty()
            runs = {name: np.array(values) for name, values in runs.items()}
            st.plotly_chart(draw(theme(), runs), key=f"{key}.chart", config={"displayModeBar": False}, theme=None)
            left, right = st.columns(2)
            left.markdown(f"**Published.** {claim}")
            right.markdown(f"**Measured.** {verdict(runs)}")
        links = st.container(horizontal=True)
        for name, recipe in recipes.items():
            links.page_link("pages/playground.py", label=f"{name}: open in the Playground", query_params=recipe.query())
