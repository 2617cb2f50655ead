"""Streamlit's side of the race: the card from link and sidebar, and the player that shows it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from svmviz import race
from svmviz.player.mount import component
from svmviz.player.wire.race import VIEW, described, encode_race, placed
from svmviz.race import moving
from svmviz.race.card import Card
from svmviz.run.recipe import Recipe
from svmviz.run.visit.events import Afresh
from svmviz.theory.certificate import named
from svmviz.ui.controls.charts import centred
from svmviz.ui.controls.costs import class_names, costs_widget
from svmviz.ui.controls.widgets import menu, widget
from svmviz.ui.jobs.background import begin, waited
from svmviz.ui.jobs.compiling import needed
from svmviz.ui.jobs.scope import scope_of
from svmviz.ui.race.lanes import add_lane
from svmviz.ui.race.runs import Raced, compute, first_runs, raced
from svmviz.ui.shell.frame import plain
from svmviz.ui.visit.address import arrived, asked, doubled, follow, leave, led_elsewhere
from svmviz.ui.visit.hall import group
from svmviz.ui.visit.session import happened, report, visit, widget_key
from svmviz.views.lanes import in_race
from svmviz.views.looks import Look, look

OPTIMUM = 20.0  # seconds of the processor
ROUNDING = 1e-12


def current_card(returned: bool) -> Card:
    """The visitor's card: from the link on arrival or when the address bar changed, else the one
    being edited, seen at the cost where a visitor left it who returned from another page.
    """
    state, query = st.session_state, asked()
    if "card" not in state or (led_elsewhere("race", returned) and not news()):
        state.card, said = race.card.read(query, VIEW, visit().own)
        arrived("race")
        happened(Afresh())
        state.race_view, more = placed(query)
        state.card_messages = [*doubled(), *said, *more]
        state.race_seen, state.race_serial = state.race_view, visit().generation
    elif returned:
        state.race_view = state.race_seen
        arrived("race")
    return state.card


def news() -> bool:
    """Whether this run of the script is due to a report of the player: the address that comes along
    with it may be older than the one that we wrote last.
    """
    view = report("race")
    return view is not None and view != st.session_state.get("race_reported")


def card_widgets(card: Card) -> tuple[Card, Any]:
    """The sidebar: data, what their kind of problem has in common, who takes part, seeds. Returns
    the card, and where to say what is matched to its λ.
    """
    own = visit().own
    with group("data"):
        st.markdown("#### Data")
        sources = race.card.SOURCES | own
        data = menu("data", sources, card.base.data, "race.data")
        base = card.base
        if data != base.data:
            base = moving.moved(base, data, own.get(data))
        most = race.card.most(base)
        params = [
            replace(p, high=min(p.high, most)) if p.name == "n" else p for p in sources[data].params
        ]
        values = {p.name: widget(p, base.data_params[p.name], f"race.{data}") for p in params}
    base = race.card.suited(replace(base, data_params=values))
    with group("knobs"):
        st.markdown("#### Problem")
        base = replace(base, params=dict(base.params) | common_widgets(base))
        matching = st.empty()
    with group("solver"):
        rivals = rival_widgets(Card(base, moving.lanes_of(card, base)))
    with group("run"):
        st.markdown("#### Seeds")
        seeds, length = (
            widget(p, v, "race")
            for p, v in ((race.card.SEEDS, card.seeds), (race.card.LENGTH, card.length))
        )
    if Card(base, rivals, seeds, length) != card:  # a card that stays keeps its optimum
        card = st.session_state.card = Card(base, rivals, seeds, length)
    return card, matching


def common_widgets(base: Recipe) -> dict[str, Any]:
    """λ, kernel, and what else this kind of problem has in common."""
    kind, wanted = Card(base, ()).kind, dict(base.params)
    for p in kind.params:
        group = (  # the controls of other data may have to show something else
            f"race.{base.data}.{kind.key}"
        )
        if p.text and p.matters(wanted):
            try:
                names = class_names(base.source, base.problem().classes)
            except ValueError:  # the page will say why
                continue
            wanted[p.name] = costs_widget(p, wanted[p.name], names, group)
        elif p.matters(wanted):
            wanted[p.name] = widget(p, wanted[p.name], group)
    return wanted


def solvers(card: Card) -> set[str]:
    """Whose code a race needs: that of its rivals, and of the exact optimum, which comes with
    any.
    """
    return {race.named(rival, card.kind).solver for rival in card.rivals} | {card.base.solver}


def say_matching(card: Card, place) -> None:
    """What is matched to λ by the optimum, exact or not; where there is none to race for, that is
    said, and none is shown.
    """
    try:
        optimal(card)
        card.line_up()  # whether λ is within the reach of all
        best, C = (
            named(card.optimum.unproven),
            f"C = 1/(λn) = {1 / (card.lam * card.problem.n):.3g}",
        )
        place.caption(
            f"Matched: λ = {card.lam:g}; ν = {shown_nu(card.nu)} from {best}; {C}."
            if card.kind.slack
            else f"Matched: λ = {card.lam:g}; {C}. P* is that of {best}."
        )
    except ValueError as error:
        st.session_state.race_refused = str(card.query()), str(error)
        st.rerun()  # without the race before, which may stand there by now


def shown_nu(nu: float) -> str:
    """ν in a sentence: what is only what rounding left of 0 is 0."""
    return f"{nu:.3g}" if nu > ROUNDING else "0"


def optimal(card: Card) -> None:
    """Find the optimum, which all rivals are measured against, in a job: it may take longer than
    others should wait.
    """
    if "optimum" in card.__dict__:
        return
    with st.spinner("Looking for the optimum …"):
        task, weight = partial(getattr, card, "optimum"), 32 * card.problem.n**2
        key = "race", card.base.key(), scope_of(card.base).visitor
        job = begin("race", key, task, OPTIMUM, weight=weight)
        best = waited(job)
    if job.struck:
        raise ValueError(
            f"the optimum, which every lane is measured against, was not found in {OPTIMUM:g} s of "
            "computing; take fewer points, a larger λ or a wider kernel"
        )
    card.__dict__["optimum"] = best


def rival_widgets(card: Card) -> tuple[str, ...]:
    """A box to tick for every rival of this kind of problem, with its colour and shape. Lanes with
    parameters of their own come last.
    """
    st.markdown("#### Solvers")
    usual, n = race.rivals(card.kind), card.base.data_params.get("n", 10**9)
    known = usual | {key: race.named(key, card.kind) for key in card.rivals}
    looks = {key: look(key) for key in usual} | in_race([known[key] for key in card.rivals])
    try:
        problem = card.base.problem()
    except ValueError:  # the page will say why
        problem = None
    keys = {key: widget_key(f"race.rival.{card.base.data}.{card.kind.key}.{key}") for key in known}
    ticked = [key for key in known if st.session_state.get(keys[key], key in card.rivals)]
    marks, chosen, out = [], [], []
    for key, rival in known.items():
        reason = race.hindrance(rival, card.kernel, n, card.kind, card.terms, problem)
        full = len(ticked) >= race.MOST and key not in ticked
        # A label must not hold anything but the name: the shape is painted before it.
        if (
            st.checkbox(
                rival.title, key in card.rivals, key=keys[key], disabled=full or bool(reason)
            )
            and not reason
        ):
            chosen.append(key)
        if reason:
            out.append(f"{rival.title} {reason}")
        marks.append(mark(keys[key], looks[key]))
    st.html(f"<style>{''.join(marks)}</style>")
    if out:
        st.caption("; ".join(out) + ".")
    st.button(
        race.field.TITLE,
        key=widget_key("race.field"),
        icon=":material/flag:",
        width="stretch",
        on_click=_field,
        help="Every algorithm that keeps a budget, on one stream, with equal budgets.",
    )
    if len(ticked) >= race.MOST:
        st.caption(f"{race.MOST} lanes at most.")
    else:
        with st.expander("A lane of your own"):
            add_lane(card)
    return tuple(chosen[: race.MOST])


def _field() -> None:
    """The race of the whole field in place of the visitor's own."""
    state = st.session_state
    state.card, state.race_view = race.field.card(), race.field.VIEW
    happened(Afresh())
    state.race_seen, state.race_serial = state.race_view, visit().generation


def mark(widget: str, this: Look) -> str:
    """The style that paints a rival's shape before the name of its box."""
    dark = st.context.theme.type == "dark"
    picture = (
        "url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E"
        f"%3Cpath fill-rule='evenodd' d='{this.shape}'/%3E%3C/svg%3E\")"
    )
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in widget)
    return (
        f".st-key-{name} label p::before {{ content: ''; display: inline-block; width: 11px;"
        f" height: 11px; margin-right: 9px; background: {this.dark if dark else this.light}; mask:"
        f" {picture} no-repeat; }}"
    )


def run_race(card: Card, matching) -> None:
    """Show seed 0 as soon as it is there, then the median and the band of all seeds. Until then the
    race before stands there, and says that it is older than the settings.
    """
    state, wanted = st.session_state, (card.key(), card.rivals)
    link, reason = state.pop("race_refused", ("", ""))
    if link == str(card.query()):
        matching.error(plain(f"{reason}."))
        st.stop()
    waits = card.rivals and "race_shown" in state and state.get("race_ready") != wanted
    if waits:
        mount(state.race_shown, card)
    if needed(*solvers(card)):
        st.rerun()  # the race stands where the wait stood
    say_matching(card, matching)
    if not card.rivals:
        with centred():
            st.markdown("#### Nobody is at the start")
            st.markdown(
                "Tick some solvers in the sidebar: all of them work on the same points with the"
                " same seeds, and are compared at equal cost."
            )
        follow("race", link_of(card))
        return
    rivals, so_far = card.line_up(), raced(card)
    if not so_far.begun(rivals):
        try:
            first_runs(card, rivals, so_far)
        except ValueError as error:
            state.race_refused = str(card.query()), f"this race was not started: {error}"
            st.rerun()  # without the race before, which may stand there
    state.race_ready = wanted
    if waits:
        st.rerun()  # to where the stage stands
    seeds = so_far.complete(rivals, card.seeds)
    runs = {rival.key: [so_far.of(rival, s) for s in range(seeds)] for rival in rivals}
    tables = race.table.together(runs, card.optimum.primal)
    state.race_shown = shown(card, rivals, so_far, tables, seeds)
    mount(state.race_shown, card)
    with st.sidebar:
        if seeds < card.seeds and so_far.stopped:
            st.button(
                f"Run the other {card.seeds - seeds} seeds",
                key="race.go",
                width="stretch",
                on_click=setattr,
                args=(so_far, "stopped", False),
            )
        st.download_button(
            "Curves as CSV",
            lambda: race.table.to_csv(tables, rivals, card.optimum.within),
            "race.csv",
            "text/csv",
            width="stretch",
            on_click="ignore",
            help="Deciles and median of every metric of every lane over every cost.",
        )
    if seeds < card.seeds and not so_far.stopped:
        compute(
            card,
            so_far,
            [
                (rival, s)
                for s in range(seeds, card.seeds)
                for rival in rivals
                if so_far.of(rival, s) is None
            ],
        )
        st.rerun()


class Shown(NamedTuple):
    """A race as the player gets it, and the card that it belongs to."""

    card: Card
    encode: Callable[..., bytes]  # what else the header is to say -> the message


def shown(card: Card, rivals, so_far: Raced, tables, seeds: int) -> Shown:
    pace = {rival.key: so_far.of(rival, 0).pace for rival in rivals}
    runs = {rival.key: so_far.runs[rival.key, rival.steps] for rival in rivals}
    return Shown(card, partial(encode_race, rivals, runs, tables, pace, seeds, **described(card)))


def mount(found: Shown, card: Card) -> None:
    """The player with a race: that of the card, or one before it, with the words that tell them
    apart.
    """
    state, (was, now) = st.session_state, found.card.beside(card)
    stale = {"was": was, "now": now} if was else None
    if news():  # else what it said is older than what was asked for
        view = state.race_reported = state.race.view
        state.race_seen = {name: view[name] for name in VIEW if name in view}
    component("race")(
        key="race",
        default={"view": None},
        on_view_change=lambda: None,
        on_open_change=_open,
        data=found.encode(
            view=state.race_view | {"serial": state.race_serial},
            stale=stale,
            address=follow("race", link_of(card)),
        ),
    )


def link_of(card: Card) -> dict[str, str]:
    """The link to this card at the cost where it is seen now."""
    return card.query() | {name: str(value) for name, value in st.session_state.race_seen.items()}


def _open() -> None:
    """The lane of a rival was clicked: its run of seed 0, at its step."""
    state, asked = st.session_state, st.session_state.race.open
    card = state.race_shown.card if "race_shown" in state else state.card
    rival = next((rival for rival in card.line_up() if asked and rival.key == asked["rival"]), None)
    if rival:
        t, state.race_seen = min(int(asked["t"]), rival.steps), asked["view"]
        there = {"t": str(t), "x": asked["view"]["x"], "y": "suboptimality"}
        leave("race", "playground", card.recipe(rival, t).query() | there)
