"""Figures and tables of the papers as they were recorded, and computed again where a visitor asks
for it.

Each stands there at once, with a line below that says where its numbers come from. A computation
fills the figure in while it runs, seed by seed; the recorded curves stay behind it. It can be
stopped, and what it has found by then is kept.
"""

import secrets
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from svmviz.papers import catalogue
from svmviz.papers.evidence import recording
from svmviz.papers.evidence.experiment import Experiment, Results, alone
from svmviz.papers.evidence.recording import SAME, Recording
from svmviz.ui.jobs.compiling import needed
from svmviz.ui.jobs.flows import (
    ENDED,
    FAILED,
    Gathering,
    asked,
    flows,
    gather,
    looked_at,
    offer,
    running,
    stopper,
)
from svmviz.ui.papers import blocks as ui
from svmviz.ui.shell.frame import plain
from svmviz.ui.visit.session import visit


def duration(seconds: float) -> str:
    """A time that was measured.

    >>> duration(0.4), duration(45.3), duration(192)
    ('0.4 s', '45 s', '3 min 12 s')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def evidence(figure: ui.Figure, draw: Callable[[Any], Any]) -> None:
    """Draw a figure from what was recorded, or from what was computed here."""
    experiment, on_file = figure.experiment, figure.on_file
    name, here = experiment.key, figure.here or experiment
    place = st.empty()
    if asked(name) and not catalogue.missing(here):
        compiled(place)
        gather_runs(name, here, catalogue.data_of(here))
    if asked(f"{name}.own"):
        compiled(place)
        begin_on_file(name, on_file)
    flow = flows().get(name)

    def part() -> None:
        wanted = (st.session_state.get(f"{one}.asked") for one in (name, f"{name}.own"))
        if any(wanted) or flows().get(name) is not flow:
            st.rerun()  # a click in here runs only this part anew, and it is the page that begins
        known = recording.read(experiment)
        old, now = ui.results_of(experiment, known), results_here(flow)
        foot = footer(figure, known, flow, now, bool(visit().own))
        if now or old:
            faint = old if now and flow.running and not flow.what["file"] else None
            ui.each(figure.blocks(now or old, faint, foot), draw)
        else:
            ui.each(foot, draw)

    looked_at(flow, part)


def compiled(place) -> None:
    """Wait for the solvers, in a place that is there whether one waits or not: else all that stands
    below would be shown twice until the script has ended.
    """
    with place.container():
        needed()
    place.empty()


def results_here(flow: Gathering | None) -> Results | None:
    return flow and flow.what["experiment"].results(dict(flow.found))


def begin_on_file(name: str, on_file: ui.OnFile | None) -> None:
    """On the latest of the visitor's files; what is kept of them is his alone."""
    if not (visit().own and on_file):
        return
    key, file = next(reversed(visit().own.items()))
    try:
        made = on_file(key, file)
    except ValueError as error:
        st.session_state[f"{name}.refused"] = str(error)
        return
    gather_runs(name, made, f"{key} {secrets.token_hex(8)}", file.title)


def gather_runs(name: str, experiment: Experiment, data: str, file: str = "") -> None:
    """Have all runs carried out; those on the same data may share what they keep."""
    tasks = {
        one: partial(catalogue.run_here, experiment, one, data) for one in experiment.tasks(alone)
    }
    gather(name, tasks, {"experiment": experiment, "file": file}, tuple(experiment.shared(alone)))


# --- the line below a figure ----------------------------------------------------------------------


def footer(
    figure: ui.Figure,
    known: Recording | None,
    flow: Gathering | None = None,
    now: Results | None = None,
    own: bool = False,
) -> ui.Blocks:
    """Where the numbers come from, and what can be done; `own` if the visitor has files."""
    experiment, name, files = figure.experiment, figure.experiment.key, figure.on_file
    if flow and flow.running:
        share, words = len(flow.found) / len(flow.names), under_way(flow, now)
        bar, stop = partial(st.progress, share, words), partial(stopper, name, flow)
        yield strip(name, ui.Live(bar), ui.Live(partial(stop, type="tertiary")))
        return
    found = flow.found if now else known.found if known else {}
    able = not catalogue.missing(figure.here or experiment)
    line = [ui.Caption(said(experiment, known, flow, now), "content")]
    if able:
        words = "compute it again" if known or now else "compute it"
        line.append(
            ui.Live(lambda: offer(name, words, type="tertiary", disabled=running(name)), words)
        )
    if files and own:
        line.append(ui.Live(partial(offer, f"{name}.own", "on my data", type="tertiary")))
    if now and known:
        line.append(ui.Live(partial(back, name)))
    if found:
        line.append(ui.Take(experiment, found))
    if files and not own:
        line.append(ui.Link("data", "on my data: bring a file"))
    yield strip(name, *line)
    if not able:
        yield ui.Caption(
            f"Recorded: svmviz comes without {', '.join(catalogue.missing(experiment))}. Where you"
            " run it, put the files into the folder that SVMVIZ\\_DATA names, and it can be"
            " computed anew."
        )
    yield ui.Live(partial(refused, name))


def strip(name: str, *blocks: Any) -> ui.Group:
    return ui.Group(blocks, f"source-{name}", line=True)


def refused(name: str) -> None:
    """Why the visitor's file could not be used, once."""
    if words := st.session_state.pop(f"{name}.refused", ""):
        st.warning(plain(f"Your file cannot be used here: {words}."))


def back(name: str) -> None:
    st.button(
        "show the recording",
        key=f"{name}.back",
        type="tertiary",
        on_click=flows().pop,
        args=(name, None),
        disabled=running(name),
    )


def under_way(flow: Gathering, now: Results | None) -> str:
    """What a bar says."""
    many, of = len(now.seeds) if now else 0, flow.what["experiment"].seeds
    shown = f"{many} of {of} seeds" if many else "the recording"
    return f"{len(flow.found)} of {len(flow.names)} runs; shown: {shown}"


def said(
    experiment: Experiment, known: Recording | None, flow: Gathering | None, now: Results | None
) -> str:
    """Where the numbers come from, in a sentence."""
    failed = f"It failed: {plain(flow.error)}. " if flow and flow.state == FAILED else ""
    if not now:
        stopped = "Stopped before a seed was done; " if flow and not failed else failed
        return stopped + (provenance(experiment, known) if known else "Not recorded.")
    many, of = len(now.seeds), flow.what["experiment"].seeds
    seeds = seeds_in_words(many) if flow.state == ENDED else f"stopped after {many} of {of} seeds"
    place = f"on {plain(flow.what['file'])}, only for you" if flow.what["file"] else "just now"
    words = f"{failed}computed here {place}: {seeds}, {duration(flow.seconds)}"
    return (
        words
        if flow.what["file"] or not known
        else f"{words}; {agreement(experiment, flow.found, known.found)}"
    )


def seeds_in_words(many: int) -> str:
    return f"{many} seed{'s' * (many != 1)}"


def provenance(experiment: Experiment, known: Recording) -> str:
    """What was recorded, when and on what; a clock is only worth something with its machine."""
    words = (
        f"recorded with version {known.version}: {seeds_in_words(known.seeds)},"
        f" {duration(known.seconds)}"
    )
    if experiment.clocks:
        words += f" on {known.cores} cores, {plain(known.processor)}"
    return words + (" · **recorded with other code**" if known.stale(experiment) else "")


def agreement(
    experiment: Experiment, found: Mapping[Hashable, Any], known: Mapping[Hashable, Any]
) -> str:
    """Whether what was computed here is what was recorded, as far as both have it."""
    both = [name for name in dict(found) if name in known]
    if not both:
        return "nothing of it is recorded"
    most = max(recording.difference(found[name], known[name], experiment.clocks) for name in both)
    but = " but for the clock" if experiment.clocks else ""
    if most <= SAME:
        return f"the same numbers as recorded{but}"
    return f"**other** numbers than recorded{but}, up to {most:.2g} away"
