"""Pegasos and its rivals: Figures 4 and 5 and Tables 1 to 3 of the paper, over what was counted or
over seconds.
"""

from collections.abc import Mapping
from functools import partial

import numpy as np
import streamlit as st

from svmviz.papers.evidence import costs, recording
from svmviz.papers.evidence.experiment import Experiment, Results
from svmviz.papers.evidence.verdicts import digits, ratio
from svmviz.papers.pegasos import rivals, throughput
from svmviz.papers.pegasos.datasets import KERNEL, LINEAR, SETTINGS, Setting
from svmviz.papers.pegasos.verdicts import seconds
from svmviz.ui.controls.charts import chart, theme
from svmviz.ui.papers.evidence import Foot, evidence, results_of
from svmviz.ui.papers.page import BAND, beside, column
from svmviz.ui.papers.pegasos.figures import LEFT, SCALED, chosen
from svmviz.ui.shell.frame import plain
from svmviz.views.curves import bands
from svmviz.views.theme import Theme

LEAST = 1e-9  # what is drawn of a run that has reached the optimum
SECONDS = "seconds"


def setting_of(experiment: Experiment) -> Setting:
    return SETTINGS[experiment.key.rpartition(".")[2]]


def speeds(setting: Setting) -> Mapping[str, float]:
    """Inner products that a second is worth to each rival, as recorded."""
    results = results_of(throughput.TABLE_3, recording.read(throughput.TABLE_3))
    return throughput.speeds(results, setting) if results else {}


def compared(title: str, key: str, made: Mapping[str, Experiment], claim: str, note: str) -> None:
    """Rivals over what they cost: what P lacks, and the test error."""
    settings = LINEAR if made is rivals.FIGURE_4 else KERNEL
    with column():
        st.header(title)
        name = chosen(made, key)
        paper = "; ".join(setting.paper for setting in settings)
        st.caption(f"The paper used {paper}; here: {made[name].data}, {BAND}. {note}")
        evidence(made[name], partial(show, made[name], claim))


def show(
    experiment: Experiment, claim: str, results: Results, behind: Results | None, foot: Foot
) -> None:
    setting = setting_of(experiment)
    counts, known = "kernel evaluations" if setting.gamma else "inner products", speeds(setting)
    by_clock = (
        bool(known)
        and st.segmented_control(
            "Over", (counts, SECONDS), default=counts, required=True, key=f"{experiment.key}.clock"
        )
        == SECONDS
    )
    unit, said = (
        (1, counts) if setting.gamma else (setting.rows, f"passes over the data: {counts} over n")
    )
    x_title = SECONDS if by_clock else said

    def x(found: Results) -> dict[str, np.ndarray]:
        return {
            name: found.one("costs") / (known[name] if by_clock else unit) for name in found.labels
        }

    def gaps(look: Theme, found: Results):
        left = {
            name: np.maximum(table, LEAST) for name, table in rivals.courses(found, "gap").items()
        }
        return bands(look, x(found), left, x_title, LEFT)

    def errors(look: Theme, found: Results):
        return bands(
            look,
            x(found),
            rivals.courses(found, "error"),
            x_title,
            "test error",
            log_y=False,
            y_format=".0%",
        )

    for suffix, draw in {"": gaps, ".error": errors}.items():
        chart(draw(theme(), results), f"{experiment.key}{suffix}", behind and draw(theme(), behind))
    foot()
    beside(claim, rivals.judge(setting, results, known if by_clock else None), experiment.key)
    table(setting, results, known)


def table(setting: Setting, results: Results, known: Mapping[str, float]) -> None:
    """Table 1 or 2, a line for each rival: where it first lacks less than ε."""
    published, best = rivals.PUBLISHED[setting.key]
    lines = [
        f"| Table {2 if setting.gamma else 1} | Published | Here | Seconds here |",
        "|---|---|---|---|",
    ]
    for name, (cost, error) in rivals.reached(results, rivals.threshold(results)).items():
        printed, percent = published[name]
        middle = float(np.median(cost))
        here = (
            "not reached"
            if not np.isfinite(middle)
            else (
                f"{costs.amount(middle)} kernel values"
                if setting.gamma
                else f"{digits(middle / setting.rows)} passes"
            )
        )
        clock = seconds(middle / known[name]) if known and np.isfinite(middle) else ""
        there = "" if np.isnan(np.nanmedian(error)) else f" ({100 * np.nanmedian(error):.2f} %)"
        was = f"> {printed:g} s" if np.isnan(percent) else f"{printed:g} s ({percent:g} %)"
        lines.append(f"| {rivals.TITLES[name]} | {was} | {here}{there} | {clock} |")
    lines.append(f"| the optimum | ({best:g} %) | ({100 * results.one('optimum').error:.2f} %) | |")
    st.markdown("\n".join(lines))
    machine = recording.read(throughput.TABLE_3)
    st.caption(
        "Medians; test errors in brackets."
        + (
            " Seconds are what was counted over what this rival makes in a second on these data,"
            f" on one core of {plain(machine.processor)}; Pegasos, SDCA and SMO also record their"
            " steps."
            if machine
            else ""
        )
    )


def figure_4() -> None:
    compared(
        "Figure 4 and Table 1: linear rivals",
        "pegasos.figure4",
        rivals.FIGURE_4,
        "Pegasos and stochastic dual coordinate ascent achieve a significant improvement in time"
        " over SVM-Perf, which is very fast on its own; LASVM is no method for linear SVMs (Section"
        " 7.1).",
        f"{SCALED} For astro-ph stand documents of the app. An inner product is one margin; a"
        " cutting plane, which is how SVM-Perf goes about it, takes n.",
    )


def figure_5() -> None:
    compared(
        "Figure 5 and Table 2: rivals with kernels",
        "pegasos.figure5",
        rivals.FIGURE_5,
        "Pegasos and dual coordinate ascent achieve a reasonably low P very quickly, but LASVM"
        " essentially dominates them, and where very high accuracy is needed SVM-Light is faster,"
        " too (Section 7.2).",
        "λ = 1/n as there. SMO stands for SVM-Light, its steps cost n kernel values each; LASVM"
        " keeps all within its set, and nothing has a bias. USPS is not split as there.",
    )


def table_3() -> None:
    """Kernel evaluations a second over those of Pegasos."""

    def shown(results: Results, behind: Results | None, foot: Foot) -> None:
        names = [name for name in rivals.rivals(KERNEL[0]) if name != rivals.PEGASOS]
        lines = [
            "| Table 3 | Pegasos, a second | "
            + " | ".join(rivals.TITLES[name] for name in names)
            + " |",
            "|---|---|" + "---|" * len(names),
        ]
        for setting in KERNEL:
            rates = throughput.per_second(results, setting)
            cells = [
                f"{throughput.PUBLISHED[setting.key][name]:.2f} · here **{digits(found.middle)}**"
                for name, found in (
                    (name, ratio(rates[name], rates[rivals.PEGASOS])) for name in names
                )
            ]
            cells = [f"{costs.amount(float(np.median(rates[rivals.PEGASOS])))} evaluations", *cells]
            lines.append(f"| {setting.title} | " + " | ".join(cells) + " |")
        st.markdown("\n".join(lines))
        foot()
        beside(
            "The discrepancy between time and kernel evaluations is fairly minor. Pegasos and dual"
            " coordinate ascent, the simplest, are dominated by them most; compared in kernel"
            " evaluations LASVM would improve slightly (Section 7.2).",
            throughput.judge(results),
            throughput.TABLE_3.key,
        )

    with column():
        st.header("Table 3: kernel evaluations in a second")
        st.caption(
            "How many each rival of Figure 5 makes while Pegasos makes one, in print and here."
            " Values are computed from rows, and none is looked up but those that LASVM keeps; one"
            " thread, all rivals in turns. Here all have the same compiled kernels, there they were"
            " four programs."
        )
        evidence(throughput.TABLE_3, shown)
