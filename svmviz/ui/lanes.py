"""A lane of one's own in the race: any solver, once more, with other parameters than those that are matched."""

from dataclasses import replace

import streamlit as st

from svmviz import race
from svmviz.race.card import Card
from svmviz.race.lanes import write
from svmviz.run.events import Afresh
from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS
from svmviz.ui.session import happened, widget_key
from svmviz.ui.widgets import widget

HIDDEN = "sampling", "multiclass", "map_seed"  # all draw the same examples, of two classes, and a race has its seeds


def add_lane(card: Card, base: Recipe) -> None:
    """The controls of a solver, and a button that puts it into the race with what was turned on them."""
    able = [key for key, rival in race.rivals().items() if key in SOLVERS and not race.hindrance(rival, card.kernel, 10**9)]
    key = st.selectbox("solver", able, format_func=lambda key: race.named(key).title, key=widget_key("race.own"),
                       label_visibility="collapsed")
    solver, rival = SOLVERS[key], race.named(key)
    matched = {"lam": base.params["lam"], "kernel": base.params["kernel"]}
    start = {p.name: rival.params.get(p.name, matched.get(p.name, p.default)) for p in solver.params}
    wanted = dict(start)
    for param in solver.params:
        if param.name not in HIDDEN and not param.text and param.matters(wanted):
            wanted[param.name] = widget(param, start[param.name], f"race.own.{key}")
    own = {name: value for name, value in wanted.items() if value != start[name]}
    try:
        solver.check(wanted)
        name, reason = write(key, own), "" if own else "Turn something: the rest is matched to the other lanes."
        reason = "This lane is there already." if name in card.rivals else reason
        reason = race.hindrance(race.named(name), card.kernel, card.problem.n) if own and not reason else reason
    except ValueError as error:
        name, reason = key, f"{error}."
    if reason:
        st.caption(reason)
    elif race.named(name).elsewhere:
        st.caption("Another kernel has another norm: this lane is compared by its test error, not by P(w).")
    st.button("Add this lane", key=widget_key("race.own.add"), disabled=bool(reason), width="stretch", on_click=_added,
              args=(name,))


def _added(name: str) -> None:
    state = st.session_state
    state.card = replace(state.card, rivals=(*state.card.rivals, name)[:race.MOST])
    happened(Afresh())
