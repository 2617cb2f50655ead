"""A lane of one's own in the race: any solver, once more, with other parameters than those that are
matched.
"""

from dataclasses import replace

import streamlit as st

from svmviz import race
from svmviz.race.card import Card
from svmviz.race.lanes import alike, write
from svmviz.run.visit.events import Afresh
from svmviz.solvers import SOLVERS
from svmviz.ui.controls.widgets import menu, widget
from svmviz.ui.visit.session import happened, widget_key

HIDDEN = (
    "sampling",
    "multiclass",
    "map_seed",
)  # all draw the same examples, of the same classes, and a race has its seeds


def add_lane(card: Card) -> None:
    """The controls of a solver, and a button that puts it into the race with what was turned on
    them.
    """
    kind = card.kind
    able = {
        key: rival
        for key, rival in race.rivals(kind).items()
        if key in SOLVERS and not race.hindrance(rival, card.kernel, 10**9, kind, card.terms)
    }
    key = menu("solver", able, next(iter(able)), f"race.own.{kind.key}")
    solver, rival = SOLVERS[key], race.named(key, kind)
    start = {p.name: p.default for p in solver.params} | dict(rival.params)
    start |= alike(solver, kind, card.lam, card.kernel, **card.terms)
    wanted = dict(start)
    for param in solver.params:
        if param.name not in HIDDEN and not param.text and param.matters(wanted):
            wanted[param.name] = widget(param, start[param.name], f"race.own.{key}")
    own = {name: value for name, value in wanted.items() if value != start[name]}
    try:
        solver.check(wanted)
        name, reason = (
            write(key, own),
            ("" if own else "Turn something: the rest is matched to the other lanes."),
        )
        reason = "This lane is there already." if name in card.rivals else reason
        if own and not reason:
            reason = race.hindrance(
                race.named(name, kind), card.kernel, card.problem.n, kind, card.terms, card.problem
            )
    except ValueError as error:
        name, reason = key, f"{error}."
    if reason:
        st.caption(reason)
    elif race.named(name, kind).elsewhere:
        st.caption(
            "With another kernel, bias or loss P(w) is another: this lane is compared by its"
            f" {kind.yardstick.short}, not by P(w)."
        )
    st.button(
        "Add this lane",
        key=widget_key("race.own.add"),
        disabled=bool(reason),
        width="stretch",
        on_click=_added,
        args=(name,),
    )


def _added(name: str) -> None:
    state = st.session_state
    state.card = replace(state.card, rivals=(*state.card.rivals, name)[: race.MOST])
    happened(Afresh())
