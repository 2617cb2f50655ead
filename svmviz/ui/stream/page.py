"""A stream of the visitor's own: any data, any rule, any budget, drawn while it runs."""

from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from svmviz.run.recipe import Recipe
from svmviz.run.streams import sources
from svmviz.run.streams.streamed import (
    EXAMPLES,
    FIRST,
    PARAMS,
    PASSES,
    SEED,
    Streamed,
    from_query,
    from_recipe,
)
from svmviz.run.visit.events import Afresh
from svmviz.solvers.bsgd.solver import BSGD
from svmviz.ui.controls.charts import centred, chart, theme
from svmviz.ui.controls.widgets import preset_menu, widget
from svmviz.ui.jobs.compiling import needed
from svmviz.ui.jobs.flows import Flow, asked, begin, offer, running, watched
from svmviz.ui.jobs.progress import how_it_went, older
from svmviz.ui.shell.frame import answer, plain
from svmviz.ui.visit.address import arrived, doubled, follow, led_elsewhere, spell
from svmviz.ui.visit.session import happened, visit, widget_key
from svmviz.views.budget import live
from svmviz.work.words import count


def streaming(returned: bool) -> None:
    """The page: controls at the left, curves at the right."""
    recipe = current_stream(returned)
    answer(st.session_state.get("stream.messages", []))
    with st.sidebar:
        recipe = choose(recipe)
    st.session_state["stream.recipe"] = replace(recipe, own={})
    spell("stream", follow("stream", recipe.query()))
    with centred():
        st.title("Stream")
        st.markdown(
            "Budgeted SGD on more examples than anybody would watch one by one: each is read once"
            " and forgotten, memory is that of the support vectors. Curves come in while it runs,"
            " and what was found up to a stop is kept."
        )
        try:
            recipe.allowed()
        except ValueError as error:
            st.error(plain(f"This stream cannot be started: {error}."))
            startable = False
        else:
            startable = True
        source = recipe.source
        what = {
            "of": recipe.length,
            "title": source.title,
            "rows": source.rows,
            "name": recipe.name,
            "seed": recipe.seed,
        }
        if asked("stream") and startable:
            needed(BSGD.key)
            own = {key: file for key, file in recipe.own.items() if key == recipe.data}
            begin("stream", replace(recipe, own=own).points, what)
        if not running("stream"):
            offer("stream", "Start", type="primary", disabled=not startable)
        watched("stream", partial(show, chosen=what))


def own_files() -> dict:
    return {**visit().own, **visit().whole}


def current_stream(returned: bool) -> Streamed:
    """The visitor's stream: from the link on arrival or when the address changed, else the one
    being edited.
    """
    state, own, query = st.session_state, own_files(), st.query_params.to_dict()
    known = state.get("stream.recipe")
    if known is None or led_elsewhere("stream", returned):
        wanted, said = from_query(query, own)
        state["stream.messages"] = [*doubled(), *said]
        adopt(wanted)
        arrived("stream")
    elif returned:
        arrived("stream")
    if state["stream.recipe"].data not in sources.titles(own):  # a file that is no longer there
        adopt(Streamed.of(FIRST, own))
    return replace(state["stream.recipe"], own=own)


def adopt(recipe: Streamed) -> None:
    """Make this the visitor's stream; its controls start afresh."""
    st.session_state["stream.recipe"] = replace(recipe, own={})  # the files stay where they are
    happened(Afresh())


def choose(recipe: Streamed) -> Streamed:
    """The sidebar."""
    st.markdown("#### Data")
    titles = sources.titles(recipe.own)
    data = st.selectbox(
        "data",
        list(titles),
        list(titles).index(recipe.data),
        key=widget_key("stream.data"),
        format_func=titles.get,
        label_visibility="collapsed",
    )
    if data != recipe.data:
        adopt(recipe.on(data))
        st.rerun()
    source = recipe.source
    if source.rows:
        passes = widget(PASSES, recipe.passes, "stream")
        recipe = replace(recipe, passes=passes)
        st.caption(
            f"{count(source.rows)} rows to learn from, {source.features} features, {source.classes}"
            " classes; a new order for each pass, t goes on."
        )
    else:
        recipe = replace(recipe, examples=widget(EXAMPLES, recipe.examples, "stream"))
        st.caption(
            f"Generated as it goes, no end; {source.features} features, {source.classes} classes."
        )
    recipe = replace(recipe, seed=widget(SEED, recipe.seed, "stream"))
    st.markdown("#### Solver")
    preset_menu(
        BSGD,
        recipe.params,
        lambda new: adopt(replace(recipe, params=dict(recipe.params) | new)),
        "stream",
    )
    params = dict(recipe.params)
    for param in PARAMS:
        if param.matters(params):
            params[param.name] = widget(param, recipe.params[param.name], "stream")
    return replace(recipe, params=params)


def bring(recipe: Recipe) -> None:
    """Go on with the Playground's data and parameters, on a stream."""
    adopt(from_recipe(recipe, own_files()))


def said(what: dict) -> str:
    return (
        f"{plain(what['title'])}, {plain(what['name'])}, {count(what['of'])} examples, seed"
        f" {what['seed']}"
    )


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
        st.caption(
            f"Pass {min(-(-last.examples // what['rows']), -(-what['of'] // what['rows']))} of "
            f"{what['of'] // what['rows']}."
        )
    looks = [point for point in found if point.fresh] or found[-1:]
    x, accuracy, vectors, E_bar, seconds = (
        np.array([getattr(point, name) for point in looks], float)
        for name in ("examples", "accuracy", "n_sv", "E_bar", "seconds")
    )
    look, end = theme(), what["of"]
    left, right = st.columns(2)
    with left:
        chart(
            live(look, x, accuracy, "test accuracy", look.plus, end, ".1%", 0.9), "stream.accuracy"
        )
        chart(live(look, x, E_bar, "Ē so far", look.bound, end, ".3f"), "stream.error")
    with right:
        chart(live(look, x, vectors, "support vectors", look.ink, end, ",~r"), "stream.vectors")
        chart(
            live(look, x, paces(x, seconds), "ms per 1000 examples", look.surface, end, "~g"),
            "stream.pace",
        )


def paces(examples: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Milliseconds per 1000 examples since the point before.

    >>> paces(np.array([1000.0, 3000.0]), np.array([0.01, 0.05])).tolist()
    [10.0, 20.0]
    """
    return 1e6 * np.diff(seconds, prepend=0.0) / np.diff(examples, prepend=0.0)
