"""Table 4 of the BSGD paper: as recorded, and filled while it is computed."""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import streamlit as st

from svmviz.papers.bsgd import experiments, figures
from svmviz.papers.bsgd import table_verdicts as verdicts
from svmviz.papers.evidence import recording
from svmviz.papers.evidence.experiment import Experiment, Results
from svmviz.papers.evidence.verdicts import NO_INTERVAL, SIGNS, Verdict
from svmviz.ui.jobs.compiling import needed
from svmviz.ui.jobs.flows import Flow, asked, begin, flows, offer, running, watched
from svmviz.ui.jobs.progress import how_it_went, older
from svmviz.ui.papers.evidence import agreement, back, results_of, source, strip
from svmviz.ui.papers.page import beside, column, judgements, links
from svmviz.ui.shell.frame import on_phone
from svmviz.work.words import count

STREAMS = (1, 3, 5)


def table_4() -> None:
    with column():
        st.header("Table 4: accuracy and Ē on the checkerboard")
        st.caption(
            "The paper used 10 million examples, λ = 10⁻⁴ and five runs; here:"
            f" {count(experiments.STREAM)} examples, or streams of the length that you choose, γ ="
            " 8, λ = 10⁻⁴, a score per class. All six runs go along the same stream, so that they"
            " can be compared at any moment. Removal collapses slowly: its Ē comes near √2 only on"
            " long streams. One stream fills the table; a verdict takes more, one after the other."
        )
        left, middle, right = st.columns([3, 1, 1], vertical_alignment="bottom")
        examples = left.select_slider(
            "Length of the stream",
            figures.LENGTHS,
            experiments.STREAM,
            key="bsgd.length",
            format_func=count,
        )
        streams = middle.selectbox("Streams", STREAMS, key="bsgd.streams")
        if asked("bsgd.table4"):
            needed("bsgd")
            begin(
                "bsgd.table4",
                partial(figures.table_4_of, examples, streams),
                {"of": examples * streams, "each": examples},
            )
        with right:
            offer(
                "bsgd.table4",
                f"Run {count(examples)} examples",
                disabled=running("bsgd.table4"),
                width="stretch",
            )
        before = flows().get("bsgd.table4")
        if before and before.what != {"of": examples * streams, "each": examples}:
            older(
                *(
                    f"{count(each)} examples" + (f", {of // each} streams" if of > each else "")
                    for each, of in (
                        (before.what["each"], before.what["of"]),
                        (examples, examples * streams),
                    )
                )
            )
        table(
            experiments.table_4(),
            lambda results: stood(results.of("stream"), experiments.STREAM),
            show_table_4,
            lambda flow: (
                dict(enumerate(stand for stand in flow.found if ended(stand, flow.what["each"])))
                if flow.what["each"] == experiments.STREAM
                else {}
            ),
            lambda results: dict(enumerate(results.of("stream"))),
        )
        links(figures.recipes())


def per_stream(found: list, each: int) -> list[dict]:
    """Where every stream stands: at its end, or at the latest look of the one that runs."""
    return [stand for k, stand in enumerate(found) if k + 1 == len(found) or ended(stand, each)]


def measured(verdict: Verdict) -> str:
    """With its interval, where there is one: a table has no room to say each time that there is
    none.
    """
    return verdict.measured.removesuffix(f" {NO_INTERVAL}")


def difference(verdict: Verdict) -> str:
    return f"{verdict.difference} {SIGNS[verdict.outcome]}"


def table(
    experiment: Experiment,
    recorded: Callable[[Results], None],
    live: Callable[[Flow], None],
    found: Callable[[Flow], dict],
    known: Callable[[Results], dict],
) -> None:
    """What was computed here, else what was recorded; `found` and `known` are the numbers of both
    by the same names.
    """
    recalled, flow = recording.read(experiment), flows().get(experiment.key)
    results = results_of(experiment, recalled)
    if flow is not None:
        watched(experiment.key, live)
        if results and not flow.running:
            with strip(experiment.key):
                st.caption(
                    f"computed here just now; {agreement(experiment, found(flow), known(results))}",
                    width="content",
                )
                back(experiment.key)
    elif results:
        recorded(results)
        source(experiment, recalled)


def ended(stand: Mapping[Any, Any], each: int) -> bool:
    return next(iter(stand.values())).examples == each


def show_table_4(flow: Flow) -> None:
    each, stands = flow.what["each"], per_stream(list(flow.found), flow.what["each"])
    done = sum(next(iter(stand.values())).examples for stand in stands)
    how_it_went(flow, done, "examples")
    stood(stands, each, flow.running)


def stood(stands: list, each: int, running: bool = False) -> None:
    """Table 4 as its streams stand, and what they say once they have ended."""
    whole = [stand for stand in stands if ended(stand, each)] or stands
    accuracy, E_bar = experiments.measured(whole)
    cells, rows = verdicts.stands(accuracy, E_bar, figures.PUBLISHED_4), []
    for (strategy, B), (percent, error) in figures.PUBLISHED_4.items():
        point, (acc, bar) = stands[-1][strategy, B] if stands else None, cells[strategy, B]
        known = point is not None and np.isfinite(point.accuracy)
        rows.append(
            {
                "maintenance": strategy,
                "B": B,
                "accuracy, published": f"{percent:.2f} %",
                "measured": measured(acc) if known else "…",
                "difference": difference(acc) if known else "…",
                "Ē, published": f"{error:.3f}",
                "Ē, measured": measured(bar) if point else "…",
                "Ē, difference": difference(bar) if point else "…",
                "vectors": str(point.n_sv) if point else "…",
                "maintained": f"{point.events / point.examples:.0%}" if point else "…",
                "seconds": f"{point.seconds:.2f}" if point else "…",
            }
        )
    if on_phone() and stands:
        judgements(list(chain.from_iterable(cells.values())), "bsgd.table4.cells")
    else:
        st.dataframe(rows, hide_index=True, width="stretch")
    if not running and whole and all(np.isfinite(values).all() for values in accuracy.values()):
        here = next(iter(whole[0].values())).examples
        beside(
            "A smaller Ē goes with a higher accuracy; with a larger budget Ē gets smaller for each"
            " strategy; projection and merging have a much smaller Ē than removal (Section 7.2).",
            experiments.on_stands(whole),
            "bsgd.table4",
            (
                ""
                if here == figures.LENGTHS[-1]
                else f"Published after 10 million examples, measured after {count(here)}. "
            ),
        )
