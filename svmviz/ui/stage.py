"""The run of a recipe, and the player that shows it; its events change the recipe."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import streamlit as st

from svmviz import player
from svmviz.data.bundled import BUNDLED, against_rest
from svmviz.player import opening, wire
from svmviz.record import metrics
from svmviz.run import shown, sources
from svmviz.run.link import SEEN
from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS
from svmviz.ui import traces
from svmviz.ui.address import follow
from svmviz.ui.background import Store, begin, end, listen, place, visitor, waited, workers
from svmviz.ui.beside import known
from svmviz.ui.compiling import compilation, needed
from svmviz.ui.shell import plain
from svmviz.ui.streaming import bring
from svmviz.ui.visitor import adopt, heard, lengthened, link_of, news, restart
from svmviz.ui.workers import Workers

KEPT = 8  # runs on a visitor's own data, kept in the session and gone with it
AT_ONCE = 0.03  # seconds that an exact optimum may take to come with the first picture; else it follows, see `beside`


@st.cache_resource(show_spinner=False)
def runs() -> Store:
    """Runs that were asked for lately, by anybody."""
    return Store(128)


def computed(recipe: Recipe) -> wire.Packed:
    """The run of a recipe, from the store where any visitor asked for the same."""
    if recipe == opening.OPENING and not compilation().ready(recipe.solver):
        return opening.load()
    if needed(recipe.solver):
        st.rerun()  # the stage stands where the wait stood
    link = recipe.key()
    if recipe.own:
        kept = st.session_state.setdefault("packed", {})
        if link not in kept:
            kept[link] = run(recipe)
        while len(kept) > KEPT:
            kept.pop(next(iter(kept)))
        return kept[link]
    return runs().once(link, lambda: run(recipe), listen)


def run(recipe: Recipe) -> wire.Packed:
    """Carry it out: at once where it takes next to nothing, else as a job, so that the visitor can change his mind."""
    store = traces.kept(recipe)

    def packing() -> wire.Packed:
        found = shown.of_recipe(recipe, AT_ONCE, store.get(recipe.key()))
        store.put(recipe.key(), found.trace)
        return wire.packed(found)

    if recipe.quick():
        with place():
            packed = packing()
    else:
        with st.spinner(waiting(recipe)):
            packed = waited(begin("run", ("run", recipe.key(), visitor() if recipe.own else ""), packing))
        end("run")
    found = packed.header.get("later") and known("optima", recipe)
    return wire.completed(packed, found["optima"], found["cut"]) if found else packed


def waiting(recipe: Recipe) -> str:
    """What is being computed, and what the picture shows that stands there meanwhile, if one does."""
    state, solver, n = st.session_state, SOLVERS[recipe.solver].title, recipe.problem().n
    now = f"Running {recipe.steps:,} steps of {solver} on {n:,} points …".replace(",", "\N{THIN SPACE}")
    if "stage" not in state or "good" not in state:  # nothing is on stage
        return now
    longer = replace(state.good, steps=recipe.steps) == recipe
    return now + (" What is there of it can be played." if longer else " The picture is still the one before.")


def refused(error: ValueError) -> None:
    st.error(plain(f"This run was not started: {error}."))
    with st.container(horizontal=True):
        for words, recipe in ways_out(st.session_state.recipe):
            st.button(words, on_click=restart, args=(recipe,), type="primary")
        st.button("Take the last change back" if "good" in st.session_state else "Start with an example", on_click=_take_back)


def ways_out(recipe: Recipe) -> list[tuple[str, Recipe]]:
    """What would run instead, in words; nothing that would be refused as well."""
    return [(words, other) for words, other in _ideas(recipe) if other != recipe and other.admitted()]


def _ideas(recipe: Recipe) -> Iterator[tuple[str, Recipe]]:
    """As many steps as are allowed, mini-batches that fit, no drawn points, the data as they usually are; where a solver of two
    classes has met more, another solver, or one class against the rest."""
    try:
        most, classes = recipe.most_steps(), recipe.problem().classes
    except ValueError:  # these points cannot be
        yield "Leave out the drawn points", replace(recipe, edits=())
        yield f"Take {recipe.source.title} as it usually is", replace(recipe, data_params={}, edits=()).checked()
        return
    if 1 <= most < recipe.steps:
        yield f"Run {most} steps", replace(recipe, steps=most)
    yield "Take smaller mini-batches", recipe.fitted()
    if classes > 2 and not SOLVERS[recipe.solver].multiclass:
        for key, solver in SOLVERS.items():
            yield f"Use {solver.title}", replace(recipe, solver=key, params={}, changes=()).checked()
        if recipe.data in BUNDLED:
            one = replace(recipe, data_params=against_rest(recipe.data, recipe.data_params))
            yield f"Set class {one.data_params['positive']} against the rest", one


def _take_back() -> None:
    recipe = st.session_state.recipe
    if recipe.changes and recipe.undone().admitted():
        adopt(recipe.undone())
    else:
        restart(st.session_state.get("good", opening.OPENING))


def looked_at() -> None:
    """What the player last said of the step and the curve on screen, unless that is older than what was asked for."""
    state = st.session_state
    if news("stage", "reported"):
        view = state.reported = state.stage.view
        if view.get("serial") == state.view.get("serial"):
            state.seen = {name: view.get(name, "") for name in SEEN}


def stage(recipe: Recipe, packed: wire.Packed, pending: dict | None) -> None:
    """Mount the player; its events change the recipe in callbacks, before the script runs again."""
    state = st.session_state
    state.good = recipe
    looked_at()
    player.component()(
        key="stage", default={"view": None}, on_view_change=lambda: None, on_more_change=heard(_more),
        on_change_change=heard(_change), on_restart_change=heard(lambda: restart(state.recipe.restarted())),
        on_edit_change=heard(_edit), on_tune_change=heard(_tune), on_hand_change=heard(_hand), on_want_change=heard(_want),
        data=told(recipe, packed, state.view, pending, len(state.get("redo", ())), state.get("first_visit", False),
                  follow("stage", link_of(recipe))),
    )


def told(recipe: Recipe, packed: wire.Packed, view: dict, pending: dict | None = None, redo: int = 0, invite: bool = False,
         address: str = "") -> bytes:
    """All that the player is told of a run, and of where to be in it."""
    return wire.encode(
        packed, id=recipe.key(), query=recipe.query(), undo=len(recipe.edits), redo=redo, view=view,
        editable=len(recipe.source.names) == 2 and not packed.header["classes"], python=recipe.python("{step}"),
        pending=pending and {"id": pending["id"]}, final=recipe.steps >= recipe.most_steps(), invite=invite,
        about=f"{recipe.about()}; run seed {recipe.seed}", address=address)


def _more() -> None:
    """The player is near the end: twice as many steps, the first half the same."""
    state, asked = st.session_state, st.session_state.stage.more
    if asked and asked["T"] == state.recipe.steps:
        lengthened(replace(state.recipe, steps=min(2 * asked["T"], state.recipe.most_steps())))


def _want() -> None:
    """The player shows a curve that takes longer than a first picture may."""
    st.session_state.wanted = st.session_state.stage.want


def taken(recipe: Recipe) -> None:
    """Make this the visitor's recipe; a change after the last step has made it longer."""
    if recipe.steps == st.session_state.recipe.steps:
        st.session_state.recipe = recipe
    else:
        lengthened(recipe)


def _change() -> None:
    """The player named the step at which the pending change falls."""
    state, answer = st.session_state, st.session_state.stage.change
    if not answer or not state.pending or answer["id"] != state.pending["id"]:
        return
    try:
        taken(state.recipe.changed(int(answer["t"]), state.pending["new"]))
        state.pending = None
    except ValueError as error:
        state.messages = [f"Nothing was changed: {error}."]
        adopt(state.recipe)


def _tune() -> None:
    """The visitor turned a parameter on the stage itself."""
    state, asked = st.session_state, st.session_state.stage.tune
    if not asked or asked["id"] != state.recipe.key():
        return
    params = {p.name: p for p in SOLVERS[state.recipe.solver].params}
    try:
        new = {name: params[name].check(value) for name, value in asked.items() if name in params}
        adopt(state.recipe.changed(int(asked["t"]), new))
    except ValueError as error:
        state.messages = [f"Nothing was changed: {error}."]


def _hand() -> None:
    """The visitor is the teacher and clicked the example that comes next."""
    state, asked = st.session_state, st.session_state.stage.hand
    if not asked or asked["id"] != state.recipe.key():
        return
    try:
        handed = state.recipe.handed(int(asked["t"]), int(asked["i"]))
        handed.allowed()
    except ValueError as error:
        state.messages = [f"The stream goes on as it was: {error}."]
        return
    state.messages = []
    taken(handed)


def _edit() -> None:
    """The visitor drew on the plane, or took it back."""
    state, asked = st.session_state, st.session_state.stage.edit
    if not asked or asked["id"] != state.recipe.key():
        return
    undone = list(state.get("redo", ()))
    try:
        if asked["what"] == "undo" and state.recipe.edits:
            undone.append(state.recipe.edits[-1])
            edited = replace(state.recipe, edits=state.recipe.edits[:-1])
        elif asked["what"] == "redo" and undone:
            edited = replace(state.recipe, edits=(*state.recipe.edits, undone.pop()))
        else:
            edited, undone = state.recipe.edited(asked["t"], asked.get("drop", ()), asked.get("add", ())), []
        edited.allowed()
    except ValueError as error:
        state.messages = [f"The points stay as they are: {error}."]
        return
    taken(edited)
    state.redo, state.messages = undone, []


def take_away(recipe: Recipe) -> None:
    if recipe.solver == "bsgd" and recipe.data in sources.titles(st.session_state.get("own")):
        if st.button("Run it as a stream", key="stage.stream", width="stretch", on_click=bring, args=(recipe,),
                     help="The same data and parameters on thousands or millions of examples."):
            st.switch_page("pages/stream.py")
    row = st.container(horizontal=True)
    if len(recipe.source.names) == 2:
        row.download_button("Data as CSV", recipe.data_csv, "data.csv", "text/csv", width="stretch", on_click="ignore",
                            help="The points as they are now; upload the file again on the Data page.")
    row.download_button("Trace as CSV", partial(_table, recipe, traces.kept(recipe), workers(), visitor()),
                        f"{recipe.solver}.csv", "text/csv", width="stretch", on_click="ignore",
                        help="One row per step: examples drawn, margins and every metric.")


def _table(recipe: Recipe, store: Store, of: Workers, visitor: str) -> str:
    """The trace as CSV, for a thread that is not the script's."""
    with of.place(visitor, recipe.quick(), lambda: None):
        return metrics.to_csv(traces.found(recipe, store))
