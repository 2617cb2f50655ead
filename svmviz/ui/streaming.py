"""A stream of the visitor's own: any data, any rule, any budget, drawn while it runs."""

from functools import partial

import numpy as np
import streamlit as st

from svmviz.maths import kernels
from svmviz.maths.words import count
from svmviz.run import sources
from svmviz.run.recipe import Recipe
from svmviz.solvers.bsgd.solver import BSGD, PRESETS, refuse
from svmviz.ui.bsgd_tables import how_it_went, older
from svmviz.ui.compiling import needed
from svmviz.ui.flows import Flow, asked, begin, offer, running, watched
from svmviz.ui.papers import chart, column, theme
from svmviz.ui.shell import plain
from svmviz.ui.widgets import widget
from svmviz.views.budget import live

LENGTHS = (10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000)
UNBUDGETED = 50_000  # examples at most where every error stays: time and memory have no other end
PASSES = 20
LEFT_OUT = ("sampling", "search", "forget", "multiclass")


def streaming() -> None:
    """The page: controls at the left, curves at the right."""
    state = st.session_state
    own = state.get("own", {}) | state.get("whole", {})
    with st.sidebar:
        source, examples, seed = data_widgets(own)
        params = solver_widgets(source)
    with column():
        st.title("Stream")
        st.markdown("Budgeted SGD on more examples than anybody would watch one by one: each is read once and forgotten, "
                    "memory is that of the support vectors. Curves come in while it runs, and what was found up to a stop is "
                    "kept.")
        try:
            refuse(params, source.classes if source.classes > 2 else 1)
            if params["maintenance"] == "none" and examples > UNBUDGETED:
                raise ValueError(f"without a budget a stream may have {count(UNBUDGETED)} examples, because every one costs "
                                 f"more than the one before, got {count(examples)}")
        except ValueError as error:
            st.error(plain(f"This stream cannot be started: {error}."))
            startable = False
        else:
            startable = True
        what = {"of": examples, "title": source.title, "rows": source.rows, "name": name_of(params), "seed": seed}
        if asked("stream") and startable:
            needed("bsgd")
            begin("stream", sources.points(sources.run(source, params, examples, seed)), what)
        if not running("stream"):
            offer("stream", "Start", type="primary", disabled=not startable)
        watched("stream", partial(show, chosen=what))


def data_widgets(own) -> tuple[sources.Source, int, int]:
    st.markdown("#### Data")
    titles = sources.titles(own)
    brought = st.session_state.get("stream.brought") or {"data": "", "given": {}}
    keys = sorted(titles, key=lambda key: key != brought["data"])  # what was brought along comes first
    key = st.selectbox("data", keys, key=f"stream.data.{brought['data']}", format_func=titles.get,
                       label_visibility="collapsed")
    source = sources.source(key, own, brought["given"] if key == brought["data"] else {})
    if source.rows:
        passes = st.slider(named("passes", f"stream.passes.{key}", 5), 1, PASSES, 5, key=f"stream.passes.{key}")
        examples = passes * source.rows
        st.caption(f"{count(source.rows)} rows to learn from, {source.features} features, {source.classes} classes; a new "
                   "order for each pass, t goes on.")
    else:
        examples = st.select_slider(named("examples", "stream.length", 100_000), LENGTHS, 100_000, key="stream.length",
                                    format_func=count)
        st.caption(f"Generated as it goes, no end; {source.features} features, {source.classes} classes.")
    return source, examples, st.number_input("seed", 0, 2**31, 0, key="stream.seed")


def named(label: str, key: str, value: int) -> str:
    """The label of a slider with its value, as everywhere in the sidebar."""
    return f"{label} {count(st.session_state.get(key, value))}"


def bring(recipe: Recipe) -> None:
    """Go on with the Playground's data and parameters, on a stream."""
    given = {name: value for name, value in recipe.data_params.items() if name not in ("n", "seed")}
    params = {name: value for name, value in recipe.current.items() if name != "sampling"}
    st.session_state["stream.brought"] = {"data": recipe.data, "given": given, "params": params}
    for key in [key for key in st.session_state if str(key).startswith("stream.preset.")]:
        del st.session_state[key]


def solver_widgets(source: sources.Source) -> dict:
    """Every parameter of the solver that means something on a stream; a preset sets them all."""
    st.markdown("#### Solver")
    usual = {p.name: p.default for p in BSGD.params} | {"B": 100, "lam": 1e-3, "kernel": kernels.rbf(source.gamma)}
    brought = st.session_state.get("stream.brought") or {"data": "", "params": {}}
    same = brought["data"] == source.key and brought["params"]
    presets = ({"as in the Playground": brought["params"]} if same else {}) | PRESETS
    preset = st.selectbox("method", list(presets), key=f"stream.preset.{source.key}", label_visibility="collapsed")
    start = usual | presets[preset]
    group = f"stream.{preset}.{source.key}"
    chosen = dict(start)
    for param in BSGD.params:
        if param.name not in LEFT_OUT and param.matters(chosen):
            chosen[param.name] = widget(param, start[param.name], group)
    return chosen


def name_of(params: dict) -> str:
    budget = "no budget" if params["maintenance"] == "none" else f"{params['maintenance']}, B = {params['B']}"
    return f"{params['rule']}, {budget}, {params['kernel'] or 'linear kernel'}, λ = {params['lam']:g}"


def said(what: dict) -> str:
    return f"{plain(what['title'])}, {plain(what['name'])}, {count(what['of'])} examples, seed {what['seed']}"


def show(flow: Flow, chosen: dict | None = None) -> None:
    found = list(flow.found)
    what, last = flow.what, found[-1] if found else None
    st.markdown(f"**{plain(what['title'])}**: {plain(what['name'])}, seed {what['seed']}")
    if chosen and chosen != what:
        older(said(what), said(chosen), "when this one has ended" if flow.running else "")
    how_it_went(flow, last.examples if last else 0, "examples")
    if last is None:
        return
    places = st.columns(4)
    tested = np.isfinite(last.accuracy)
    places[0].metric("test accuracy", f"{100 * last.accuracy:.2f} %" if tested else "–")
    places[1].metric("support vectors", count(last.n_sv))
    places[2].metric("Ē", f"{last.E_bar:.4f}")
    places[3].metric("seconds of learning", f"{last.seconds:.2f}")
    if what["rows"]:
        st.caption(f"Pass {min(-(-last.examples // what['rows']), -(-what['of'] // what['rows']))} of "
                   f"{what['of'] // what['rows']}.")
    looks = [point for point in found if point.fresh] or found[-1:]
    x, accuracy, vectors, E_bar, seconds = (np.array([getattr(point, name) for point in looks], float)
                                            for name in ("examples", "accuracy", "n_sv", "E_bar", "seconds"))
    look, end = theme(), what["of"]
    left, right = st.columns(2)
    with left:
        chart(live(look, x, accuracy, "test accuracy", look.plus, end, ".0%", 0.9), "stream.accuracy")
        chart(live(look, x, E_bar, "Ē so far", look.bound, end, ".3f"), "stream.error")
    with right:
        chart(live(look, x, vectors, "support vectors", look.ink, end, "~s"), "stream.vectors")
        chart(live(look, x, paces(x, seconds), "ms per 1000 examples", look.surface, end, "~g"), "stream.pace")


def paces(examples: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Milliseconds per 1000 examples since the point before.

    >>> paces(np.array([1000.0, 3000.0]), np.array([0.01, 0.05])).tolist()
    [10.0, 20.0]
    """
    return 1e6 * np.diff(seconds, prepend=0.0) / np.diff(examples, prepend=0.0)
