"""The run of a recipe, and the player that shows it; its events change the recipe."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from svmviz.data.bundled import BUNDLED, against_rest
from svmviz.player import mount
from svmviz.player.ready import opening
from svmviz.player.wire import run as wire
from svmviz.player.wire.message import told
from svmviz.record import metrics
from svmviz.run import fork, script, shown
from svmviz.run.recipe import Recipe
from svmviz.run.streams import sources
from svmviz.run.view import arrive
from svmviz.run.visit.events import (
    Branch,
    Change,
    Edit,
    Hand,
    Moment,
    More,
    Refused,
    Restart,
    Shown,
    Take,
    TakeBack,
    Tune,
    Want,
)
from svmviz.run.visit.switching import able
from svmviz.solvers import SOLVERS
from svmviz.ui.jobs import traces
from svmviz.ui.jobs.background import SECONDS, visitor, workers
from svmviz.ui.jobs.compiling import needed, ready
from svmviz.ui.jobs.scope import SHARED, scope_of
from svmviz.ui.jobs.workers import Workers
from svmviz.ui.playground import boards
from svmviz.ui.playground.beside import known
from svmviz.ui.shell.frame import plain
from svmviz.ui.visit.address import follow
from svmviz.ui.visit.session import happened, visit
from svmviz.work.words import count

# seconds that an exact optimum may take to come with the first picture; else it follows, see
# `beside`
AT_ONCE = 0.03


def computed(recipe: Recipe) -> wire.Packed:
    """Return the run of a recipe: recorded, kept, or carried out."""
    if not ready(recipe.solver) and (recorded := opening.load(recipe)):
        return recorded
    if needed(recipe.solver):
        st.rerun()  # the stage stands where the wait stood
    scope, key, quick = scope_of(recipe), recipe.key(), recipe.quick()
    if found := scope.store("runs").get(key):
        return found
    with nullcontext() if quick else st.spinner(waiting(recipe)):
        return scope.find("run", "runs", key, run(recipe), quick)


def run(recipe: Recipe) -> Callable[[], wire.Packed]:
    """Return the task that carries out a recipe and packs the run, with the optima that are known
    by now.
    """
    return partial(packed_anew, recipe, known("optima", recipe))


def packed_anew(recipe: Recipe, optima: dict[str, Any] | None = None) -> wire.Packed:
    packed = wire.packed(shown.of_recipe(recipe, AT_ONCE, traces.found(recipe)))
    if optima and packed.header.get("later"):
        return wire.completed(packed, optima["optima"], optima["cut"])
    return packed


def waiting(recipe: Recipe) -> str:
    """What is being computed, and what the picture shows that stands there meanwhile, if one
    does.
    """
    good, solver, n = visit().good, SOLVERS[recipe.solver].title, recipe.problem().n
    now = f"Running {count(recipe.steps)} steps of {solver} on {count(n)} points …"
    if "stage" not in st.session_state or not good:  # nothing is on stage
        return now
    longer = replace(good, steps=recipe.steps) == recipe
    return now + (
        " What is there of it can be played." if longer else " The picture is still the one before."
    )


def refused(error: ValueError) -> None:
    now = happened(Refused())
    st.error(plain(f"This run was not started: {error}."))
    with st.container(horizontal=True):
        for words, recipe in [] if now.fork else ways_out(now.recipe):
            st.button(words, on_click=happened, args=(Take(recipe),), type="primary")
        st.button(
            "Take the last change back" if now.good else "Start with an example",
            on_click=happened,
            args=(TakeBack(),),
        )


def ways_out(recipe: Recipe) -> list[tuple[str, Recipe]]:
    """What would run instead, in words; nothing that would be refused as well."""
    return [
        (words, other) for words, other in _ideas(recipe) if other != recipe and other.admitted()
    ]


def _ideas(recipe: Recipe) -> Iterator[tuple[str, Recipe]]:
    """As many steps as are allowed, mini-batches that fit, no drawn points, the data as they
    usually are; where a solver of two classes has met more, another solver, or one class against
    the rest.
    """
    try:
        most, refusal = recipe.most_steps(), SOLVERS[recipe.solver].refusal(recipe.problem())
    except ValueError:  # these points cannot be
        yield "Leave out the drawn points", replace(recipe, edits=())
        yield (
            f"Take {recipe.source.title} as it usually is",
            replace(recipe, data_params={}, edits=()).checked(),
        )
        return
    if 1 <= most < recipe.steps:
        yield f"Run {most} steps", replace(recipe, steps=most)
    yield "Take smaller mini-batches", recipe.fitted()
    if refusal:
        for key, solver in able(recipe.data, recipe.problem()).items():
            yield (
                f"Use {solver.title}",
                replace(recipe, solver=key, params={}, changes=()).checked(),
            )
        if recipe.data in BUNDLED:
            one = replace(recipe, data_params=against_rest(recipe.data, recipe.data_params))
            yield f"Set class {one.data_params['positive']} against the rest", one


def stage(packed: wire.Packed, beside: bytes = b"", races: bool = False) -> None:
    """Mount the player, with what goes `beside` the run, and whether both may race. Its events
    change the visit in callbacks, before the script runs again.
    """
    now = happened(Shown())
    both = (
        {
            "fork": len(beside),
            "query": now.recipe.query() | now.fork.query(now.recipe),
            "final": now.final,
            "python": script.both(now.recipe, now.turnable, "{step}"),
            "races": races,
        }
        if now.fork
        else {}
    )
    address = follow("stage", now.link())
    mount.component()(
        key="stage",
        default={"view": None},
        on_view_change=lambda: None,
        **{f"on_{name}_change": partial(_asked, name) for name in ASKED},
        on_race_change=_race,
        on_preview_change=lambda: None,
        on_board_change=boards.asked,
        on_ahead_change=_ahead,
        data=told(
            now.recipe,
            packed,
            now.view,
            now.knob,
            len(now.redo),
            now.first,
            address,
            now.strokes,
            forks=fork.can(now.recipe),
            previews=now.glimpses,
            moment=now.moment,
            **both,
        )
        + beside,
    )


def _asked(name: str) -> None:
    """What the player asked for."""
    asked = getattr(st.session_state.stage, name)
    if asked:
        happened(ASKED[name](asked))


def _race() -> None:
    """Both runs are to be lanes of a race: the page leads there, which a callback cannot."""
    st.session_state.fork_raced = bool(st.session_state.stage.race)


def _ahead() -> None:
    """The run of a storyboard's next moment is computed while its visitor speaks of this one, if it
    takes a while.
    """
    if not (asked := st.session_state.stage.ahead):
        return
    recipe, _, _ = arrive(words(asked["query"]))
    if (
        ready(recipe.solver)
        and recipe.admitted()
        and not recipe.quick()
        and SHARED.store("runs").get(recipe.key()) is None
    ):
        SHARED.begin("ahead", "runs", recipe.key(), run(recipe))


def words(query: dict) -> dict[str, str]:
    """Those of a link that the player names."""
    return {str(name): str(word) for name, word in query.items()}


def _tuned(asked: dict) -> Tune:
    return Tune(
        asked["id"],
        int(asked["t"]),
        {name: value for name, value in asked.items() if name not in ("id", "t")},
    )


# What it may ask for, and what that means.
ASKED: dict[str, Callable[[dict], Any]] = {
    "more": lambda asked: More(asked["T"]),
    "change": lambda asked: Change(asked["id"], int(asked["t"]), asked["behind"], asked["playing"]),
    "restart": lambda asked: Restart(),
    "edit": lambda asked: Edit(
        asked["id"],
        asked["what"],
        asked["t"],
        asked.get("drop", ()),
        asked.get("add", ()),
        int(asked.get("serial", 0)),
    ),
    "tune": _tuned,
    "branch": lambda asked: Branch(asked["id"], asked["what"], int(asked["t"])),
    "hand": lambda asked: Hand(asked["id"], int(asked["t"]), int(asked["i"])),
    "want": Want,
    "moment": lambda asked: Moment(int(asked["id"]), words(asked["query"])),
}


def take_to_stream(recipe: Recipe) -> None:
    """Go on with the data and parameters of a run on a stream."""
    from svmviz.ui.stream.page import bring  # a page of its own, which few visitors go to

    bring(recipe)


def take_away(recipe: Recipe) -> None:
    if SOLVERS[recipe.solver].uses.streams and recipe.data in sources.titles(visit().own):
        if st.button(
            "Run it as a stream",
            key="stage.stream",
            width="stretch",
            on_click=take_to_stream,
            args=(recipe,),
            help="The same data and parameters on thousands or millions of examples.",
        ):
            st.switch_page("pages/stream.py")
    row = st.container(horizontal=True)
    if len(recipe.source.names) == 2:
        row.download_button(
            "Data as CSV",
            recipe.data_csv,
            "data.csv",
            "text/csv",
            width="stretch",
            on_click="ignore",
            help="The points as they are now; upload the file again on the Data page.",
        )
    row.download_button(
        "Trace as CSV",
        partial(_table, recipe, workers(), visitor()),
        f"{recipe.solver}.csv",
        "text/csv",
        width="stretch",
        on_click="ignore",
        help="One row per step: examples drawn, margins and every metric.",
    )


def _table(recipe: Recipe, of: Workers, visitor: str) -> str:
    """The trace as CSV, for a thread that is not the script's."""
    job = of.submit(("table", recipe.key(), visitor), visitor, partial(table_of, recipe), SECONDS)
    job.ended.wait()
    return job.result()


def table_of(recipe: Recipe) -> str:
    return metrics.to_csv(traces.found(recipe))
