"""Table 4 of the BSGD paper: as recorded, and filled while it is computed."""

from collections.abc import Mapping
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from svmviz.papers.bsgd import experiments, figures
from svmviz.papers.bsgd import table_verdicts as verdicts
from svmviz.papers.evidence import recording
from svmviz.papers.evidence.verdicts import NO_INTERVAL, SIGNS, Verdict
from svmviz.ui.jobs.compiling import needed
from svmviz.ui.jobs.flows import Flow, asked, begin, flows, offer, running, watched
from svmviz.ui.jobs.progress import how_it_went, older
from svmviz.ui.papers import blocks as ui
from svmviz.ui.papers.evidence import agreement, back, provenance, strip
from svmviz.ui.papers.page import draw
from svmviz.work.words import count

STREAMS = (1, 3, 5)
NAME = "bsgd.table4"


def table_4() -> ui.Blocks:
    yield ui.Header("Table 4: accuracy and Ē on the checkerboard")
    yield ui.Caption(
        "The paper used 10 million examples, λ = 10⁻⁴ and five runs; here:"
        f" {count(experiments.STREAM)} examples, or streams of the length that you choose, γ = 8, λ"
        " = 10⁻⁴, a score per class. All six runs go along the same stream, so that they can be"
        " compared at any moment. Removal collapses slowly: its Ē comes near √2 only on long"
        " streams. One stream fills the table; a verdict takes more, one after the other."
    )

    def run(examples: int, streams: int) -> ui.Live:
        label = f"Run {count(examples)} examples"
        return ui.Live(partial(asked_for, examples, streams, label), label)

    examples, streams, _ = yield ui.Row(
        (
            ui.Scale(
                "Length of the stream", figures.LENGTHS, experiments.STREAM, "bsgd.length", count
            ),
            ui.Choice("Streams", STREAMS, "bsgd.streams", menu=True, recorded=False),
            run,
        ),
        (3, 1, 1),
        "bottom",
    )
    yield ui.Live(partial(computed, examples, streams), recorded=as_recorded())
    yield ui.links(figures.recipes())


def asked_for(examples: int, streams: int, label: str) -> None:
    """Offer the run, and begin it where it was asked for."""
    if asked(NAME):
        needed("bsgd")
        of = {"of": examples * streams, "each": examples}
        begin(NAME, partial(figures.table_4_of, examples, streams), of)
    offer(NAME, label, disabled=running(NAME), width="stretch")


def computed(examples: int, streams: int) -> None:
    """What was computed here, else what was recorded."""
    if (flow := flows().get(NAME)) is None:
        ui.each(as_recorded(), draw)
        return
    if flow.what != {"of": examples * streams, "each": examples}:
        pairs = (flow.what["each"], flow.what["of"]), (examples, examples * streams)
        older(
            *(
                f"{count(one)} examples" + (f", {of // one} streams" if of > one else "")
                for one, of in pairs
            )
        )
    watched(NAME, lambda flow: ui.each(as_it_stands(flow), draw))
    known = recording.read(experiments.table_4())
    results = ui.results_of(experiments.table_4(), known)
    if results and not flow.running:
        alike = flow.what["each"] == experiments.STREAM
        found = [stand for stand in flow.found if alike and ended(stand, flow.what["each"])]
        both = dict(enumerate(found)), dict(enumerate(results.of("stream")))
        said = f"computed here just now; {agreement(experiments.table_4(), *both)}"
        draw(strip(NAME, ui.Caption(said, "content"), ui.Live(partial(back, NAME))))


def as_recorded() -> ui.Blocks:
    experiment = experiments.table_4()
    known = recording.read(experiment)
    if results := ui.results_of(experiment, known):
        yield from stood(results.of("stream"), experiments.STREAM)
        line = ui.Caption(provenance(experiment, known), "content")
        yield strip(NAME, line, ui.Take(experiment, known.found))


def per_stream(found: list, each: int) -> list[dict]:
    """Where every stream stands: at its end, or at the latest look of the one that runs."""
    return [stand for k, stand in enumerate(found) if k + 1 == len(found) or ended(stand, ui.each)]


def measured(verdict: Verdict) -> str:
    """With its interval, where there is one: a table has no room to say each time that there is
    none.
    """
    return verdict.measured.removesuffix(f" {NO_INTERVAL}")


def difference(verdict: Verdict) -> str:
    return f"{verdict.difference} {SIGNS[verdict.outcome]}"


def ended(stand: Mapping[Any, Any], each: int) -> bool:
    return next(iter(stand.values())).examples == ui.each


def as_it_stands(flow: Flow) -> ui.Blocks:
    length, stands = flow.what["each"], per_stream(list(flow.found), flow.what["each"])
    done = sum(next(iter(stand.values())).examples for stand in stands)
    yield ui.Live(partial(how_it_went, flow, done, "examples"))
    yield from stood(stands, length, flow.running)


def stood(stands: list, each: int, running: bool = False) -> ui.Blocks:
    """Table 4 as its streams stand, and what they say once they have ended."""
    whole = [stand for stand in stands if ended(stand, ui.each)] or stands
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
    cells = ui.judgements(list(chain.from_iterable(cells.values())), "bsgd.table4.cells")
    yield ui.Table(rows, narrow=cells if stands else ())
    if not running and whole and all(np.isfinite(values).all() for values in accuracy.values()):
        here = next(iter(whole[0].values())).examples
        yield from ui.beside(
            "A smaller Ē goes with a higher accuracy; with a larger budget Ē gets smaller for each"
            " strategy; projection and merging have a much smaller Ē than removal (Section 7.2).",
            experiments.on_stands(whole),
            NAME,
            (
                ""
                if here == figures.LENGTHS[-1]
                else f"Published after 10 million examples, measured after {count(here)}. "
            ),
        )
