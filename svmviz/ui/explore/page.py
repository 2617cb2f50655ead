"""Explore: a sweep from link and sidebar, the picture that fills while it computes, and the cell
under the cursor.

The picture is a fragment: while a sweep runs it looks several times a second at what has come in,
and nothing else of the page runs anew. What the visitor does in it arrives there, too; what
concerns the whole page makes that run again.
"""

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from svmviz.explore import Fault, Spec, Table, script
from svmviz.maths.kernels import TITLES
from svmviz.player.mount import component
from svmviz.player.wire import sweep
from svmviz.run.view import prepared
from svmviz.solvers import SOLVERS
from svmviz.ui.explore import drafts, sweeping
from svmviz.ui.explore.controls import adopt, complain, controls, counted, place_for
from svmviz.ui.explore.drafts import Draft
from svmviz.ui.explore.files import files
from svmviz.ui.explore.sweeping import Sweeping
from svmviz.ui.explore.ways import asked_for, identity, races
from svmviz.ui.jobs.background import visitor, waited
from svmviz.ui.jobs.compiling import needed
from svmviz.ui.jobs.flows import end_all, flows, looked_at
from svmviz.ui.jobs.scope import scope_of
from svmviz.ui.shell.frame import answer
from svmviz.ui.visit.address import (
    LEAVING,
    arrived,
    asked,
    doubled,
    follow,
    follow_leave,
    led_elsewhere,
)
from svmviz.ui.visit.session import visit
from svmviz.work.words import count

LOOK = 0.25  # seconds from one look at a sweep to the next
SENT = "go", "stop", "open", "race"  # what the picture may ask for


@dataclass
class Shown:
    """A sweep on the page: its table, and the computation that fills it, if there is one."""

    spec: Spec
    table: Table
    work: Sweeping | None = None

    @cached_property
    def races(self) -> bool:
        return races(self.spec)

    def look(self) -> Table:
        return self.work.look() if self.work else self.table


def explore(returned: bool) -> None:
    """The page."""
    follow_leave(returned)
    draft = current(returned)
    sweeping.processes()
    answer(st.session_state.get("explore.messages", []))
    with st.sidebar:
        draft, faults = controls(draft)
        place_for("fits")
    faults = faults or draft.spec.faults()
    spec = None if faults else settled(draft.spec)
    backend, width = None, sweeping.processes().width
    if spec is not None:
        backend, faults = found_backend(draft.where)
        width = backend.width if backend else width
        faults = faults or drafts.too_long(spec, pace(spec), width)
    with st.sidebar:
        complain(faults)
        if spec is not None:
            st.caption(counted(spec, pace(spec), width))
            offer_less(draft, faults, spec, width)
    st.session_state["explore.draft"] = draft
    if spec is not None:
        st.session_state["explore.shown"] = shown(spec)
        continue_or_begin(spec, backend, faults)
    with st.sidebar:
        files(None if spec is None else st.session_state["explore.shown"])
    picture(draft, faults)


def current(returned: bool) -> Draft:
    """The visitor's draft: from the link on arrival or when the address bar changed, else the one
    being edited.
    """
    state, query = st.session_state, asked()
    known = state.get("explore.draft")
    if known is None or led_elsewhere("explore", returned):
        there = visit().recipe
        if (
            not query
            and there
            and not (prepared(there) and there.solver == drafts.opening().recipe.solver)
        ):
            draft, cell, said = drafts.of_recipe(there), None, []
        else:
            draft, cell, said = drafts.read(query, visit().own)
        state["explore.messages"], state["explore.cell"] = [*doubled(), *said], cell
        adopt(draft)
        arrived("explore")
    elif returned:
        arrived("explore")
    draft = state["explore.draft"]
    if (
        draft.spec.recipe.own and draft.spec.recipe.data not in visit().own
    ):  # a file that is no longer there
        adopt(drafts.read({}, {})[0])
    return state["explore.draft"]


def settled(spec: Spec) -> Spec:
    """The sweep, checked; the very same value as before where nothing has changed, as it knows its
    data by then.
    """
    spec, before = spec.checked(), st.session_state.get("explore.shown")
    return before.spec if before and before.spec == spec else spec


def found_backend(where: str) -> tuple[Any, list[Fault]]:
    """Where it runs, or why it cannot run there."""
    try:
        return sweeping.backend(where), []
    except ValueError as error:
        return None, [Fault("where", str(error))]


def shown(spec: Spec) -> Shown:
    """What is there of a sweep: what is being computed, else what was computed before."""
    before, work = st.session_state.get("explore.shown"), flows().get("explore")
    if before and before.spec is spec:
        return before
    if isinstance(work, Sweeping) and work.spec == spec:
        return Shown(spec, work.table, work)
    return Shown(spec, Table(spec, sweeping.known(spec)))


def pace(spec: Spec) -> float | None:
    """Seconds of a fit as measured, if fits of this solver with as many steps on these data
    were.
    """
    work = flows().get("explore")
    if isinstance(work, Sweeping) and not work.running and work.pace:
        st.session_state["explore.pace"] = measured_for(work.spec), work.pace
    known = st.session_state.get("explore.pace")
    return known[1] if known and known[0] == measured_for(spec) else None


def measured_for(spec: Spec) -> tuple[str, int, str]:
    """Return what the seconds of a fit depend on."""
    return spec.recipe.solver, spec.recipe.steps, spec.recipe.data


def offer_less(draft: Draft, faults: list[Fault], spec: Spec, width: int) -> None:
    """Where it is too much, the largest that goes."""
    if any(fault.control == "fits" for fault in faults) and (
        less := drafts.largest(draft.spec, pace(spec), width)
    ):
        st.button(
            less[0],
            key="explore.less",
            width="stretch",
            type="primary",
            on_click=adopt,
            args=(replace(draft, spec=less[1]),),
        )


def continue_or_begin(spec: Spec, backend, faults: list[Fault]) -> None:
    """One sweep at a time: one that was under way with other settings goes on with these, from what
    is there already.
    """
    state, work = st.session_state, flows().get("explore")
    asked = state.pop("explore.asked", False)
    if isinstance(work, Sweeping) and work.running and work.spec != spec:
        work.look()
        asked = True
        end_all()
        state["explore.shown"] = Shown(spec, Table(spec, sweeping.known(spec)))
    now = state["explore.shown"]
    if not asked or faults or (now.work and now.work.running):
        return
    if needed(spec.recipe.solver):
        state["explore.asked"] = True
        st.rerun()  # the picture stands where the wait stood
    end_all()
    work = flows()["explore"] = Sweeping(spec, backend, visitor())
    state["explore.shown"] = Shown(spec, work.table, work)


def picture(draft: Draft, faults: list[Fault]) -> None:
    """The component, looked at again and again while its sweep runs."""
    now: Shown | None = st.session_state.get("explore.shown")
    address = follow("explore", draft.link()) if not faults else ""
    if now is None:  # nothing could be swept yet: the sidebar says why
        st.info("Nothing can be swept with these settings yet; the sidebar says why.")
        return

    def show() -> None:
        if any(name in st.session_state for name in ("explore.asked", LEAVING)):
            st.rerun()
        mount(draft, now, faults, address)

    looked_at(now.work, show, LOOK)


def mount(draft: Draft, now: Shown, faults: list[Fault], address: str) -> None:
    table = now.look()
    header, arrays = sweep.sweep_arrays(table, draft.measure)
    state = st.session_state
    found, job = look_at(now.spec)
    view = reported()
    component("explore")(
        key="explore",
        default={"view": None},
        on_view_change=lambda: None,
        **{f"on_{name}_change": partial(asked_for, name) for name in SENT},
        data=sweep.encode_sweep(
            header | describe(draft, now) | {"fault": faults[0].sentence if faults else ""},
            arrays,
            found,
            address=address,
            cross=sweep.crossed(now.spec, visit().recipe),
            view={"cell": state.get("explore.cell") if view is None else view.get("cell")},
        ),
    )
    if job is not None and not (now.work and now.work.running):
        waited(job)
        st.rerun(scope="fragment" if get_script_run_ctx().fragment_ids_this_run else "app")


def describe(draft: Draft, now: Shown) -> dict[str, Any]:
    """All of the header that does not come from the numbers."""
    spec, work = now.spec, now.work
    told = {
        "state": work.state if work else "",
        "error_text": work.error if work else "",
        "fits": spec.fits,
        "done": 0,
        "left": None,
    }
    if work:
        told |= {
            "done": work.done,
            "left": work.pace and work.pace * max(0, work.total - work.done),
        }
    divided = (
        f"{spec.folds} folds" if spec.held_out is None else f"{100 * spec.held_out:.0f} % held out"
    )
    seeds = len(spec.seeds)
    return told | {
        "id": identity(spec),
        "shape": list(spec.shape),
        "axes": sweep.axes_of(spec),
        "measure": sweep.about_measure(spec, draft.measure),
        "how": (
            f"{divided}, mean of {seeds} seeds" if seeds > 1 else f"{divided}, seed {spec.seeds[0]}"
        ),
        "validated": "Cross-validated" if spec.held_out is None else "Held-out",
        "seeds": seeds,
        "search": spec.search,
        "rounds": len(spec.rungs),
        "about": about(spec),
        "races": now.races,
        "query": replace(draft, spec=spec).link(),
        "python": script.of(spec),
    }


def about(spec: Spec) -> str:
    """Solver, kernel, length and data, in words."""
    recipe = spec.recipe
    kernel = drafts.kernel_of(recipe)
    kind = f" with a {TITLES[kernel.kind]} kernel" if kernel else ""
    steps = "" if any(axis.name == "T" for axis in spec.axes) else f", {count(recipe.steps)} steps"
    return f"{SOLVERS[recipe.solver].title}{kind}{steps}, {recipe.source.title}"


def reported() -> dict | None:
    """Where the picture said last that its cursor is."""
    view = getattr(st.session_state.get("explore"), "view", None)
    return view if isinstance(view, dict) else None


# The cell under the cursor ------------------------------------------------------------------------


def look_at(spec: Spec) -> tuple[sweep.Look | None, Any]:
    """The plane of the cell that the cursor rests on: what is there, else the job that finds it, or
    neither.
    """
    view = reported()
    cell = view and view.get("id") == identity(spec) and view.get("cell")
    if isinstance(cell, bool) or not isinstance(cell, int) or not 0 <= cell < spec.size:
        return None, None
    recipe = spec.recipe_of(cell)
    scope, key, task = scope_of(recipe), recipe.key(), partial(sweep.look, spec, cell)
    known = scope.store("planes").get(key)
    if known is None:
        if needed(spec.recipe.solver):
            st.rerun()
        if not recipe.quick():
            job = scope.begin("explore.look", "planes", key, task)
            if not job.ended.is_set():
                return None, job
        known = scope.find("explore.look", "planes", key, task, recipe.quick())
    return known._replace(header=known.header | {"cell": cell}), None
