"""Pegasos and its rivals: Figures 4 and 5 and Tables 1 to 3 of the paper, over what was counted or
over seconds.
"""

from collections.abc import Mapping

import numpy as np

from svmviz.papers.evidence import costs, recording
from svmviz.papers.evidence.experiment import Experiment, Results
from svmviz.papers.evidence.verdicts import digits, ratio
from svmviz.papers.pegasos import rivals, throughput
from svmviz.papers.pegasos.datasets import KERNEL, LINEAR, SETTINGS, Setting
from svmviz.papers.pegasos.verdicts import seconds
from svmviz.ui.papers import blocks as ui
from svmviz.ui.papers.pegasos.figures import LEFT, SCALED, data_choice
from svmviz.ui.shell.frame import plain
from svmviz.views.curves import bands
from svmviz.views.theme import Theme

LEAST = 1e-9  # what is drawn of a run that has reached the optimum
SECONDS = "seconds"


def setting_of(experiment: Experiment) -> Setting:
    return SETTINGS[experiment.key.rpartition(".")[2]]


def speeds(setting: Setting) -> Mapping[str, float]:
    """Inner products that a second is worth to each rival, as recorded."""
    results = ui.results_of(throughput.TABLE_3, recording.read(throughput.TABLE_3))
    return throughput.speeds(results, setting) if results else {}


def compared(
    title: str, key: str, made: Mapping[str, Experiment], claim: str, note: str
) -> ui.Blocks:
    """Rivals over what they cost: what P lacks, and the test error."""
    settings = LINEAR if made is rivals.FIGURE_4 else KERNEL
    yield ui.Header(title)
    experiment = made[(yield data_choice(made, key))]
    paper = "; ".join(setting.paper for setting in settings)
    about = f"The paper used {paper}; here: {experiment.data}, {ui.BAND}. {note}"
    yield from ui.Figure("", about, experiment, lambda results: shown(experiment, claim, results))()


def shown(experiment: Experiment, claim: str, results: Results) -> ui.Blocks:
    setting = setting_of(experiment)
    counts, known = "kernel evaluations" if setting.gamma else "inner products", speeds(setting)
    by_clock = (
        bool(known)
        and (yield ui.Choice("Over", (counts, SECONDS), f"{experiment.key}.clock")) == SECONDS
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

    yield ui.Drawn(gaps)
    yield ui.Drawn(errors, ".error")
    yield ui.Beside(claim, rivals.judge(setting, results, known if by_clock else None))
    yield from table(setting, results, known)


def table(setting: Setting, results: Results, known: Mapping[str, float]) -> ui.Blocks:
    """Table 1 or 2, a line for each rival: where it first lacks less than ε."""
    published, best = rivals.PUBLISHED[setting.key]
    lines = []
    for name, (cost, error) in rivals.reached(results, rivals.threshold(results)).items():
        printed, percent = published[name]
        middle = float(np.median(cost))
        here = (
            "not reached"
            if not np.isfinite(middle)
            else f"{costs.amount(middle)} kernel values"
            if setting.gamma
            else f"{digits(middle / setting.rows)} passes"
        )
        clock = seconds(middle / known[name]) if known and np.isfinite(middle) else ""
        there = "" if np.isnan(np.nanmedian(error)) else f" ({100 * np.nanmedian(error):.2f} %)"
        was = f"> {printed:g} s" if np.isnan(percent) else f"{printed:g} s ({percent:g} %)"
        lines.append((rivals.TITLES[name], was, f"{here}{there}", clock))
    lines.append(
        ("the optimum", f"({best:g} %)", f"({100 * results.one('optimum').error:.2f} %)", "")
    )
    head = f"Table {2 if setting.gamma else 1}", "Published", "Here", "Seconds here"
    yield ui.markdown_table(head, lines)
    machine = recording.read(throughput.TABLE_3)
    yield ui.Caption(
        "Medians; test errors in brackets."
        + (
            " Seconds are what was counted over what this rival makes in a second on these data,"
            f" on one core of {plain(machine.processor)}; Pegasos, SDCA and SMO also record their"
            " steps."
            if machine
            else ""
        )
    )


def figure_4() -> ui.Blocks:
    return compared(
        "Figure 4 and Table 1: linear rivals",
        "pegasos.figure4",
        rivals.FIGURE_4,
        "Pegasos and stochastic dual coordinate ascent achieve a significant improvement in time"
        " over SVM-Perf, which is very fast on its own; LASVM is no method for linear SVMs (Section"
        " 7.1).",
        f"{SCALED} For astro-ph stand documents of the app. An inner product is one margin; a"
        " cutting plane, which is how SVM-Perf goes about it, takes n.",
    )


def figure_5() -> ui.Blocks:
    return compared(
        "Figure 5 and Table 2: rivals with kernels",
        "pegasos.figure5",
        rivals.FIGURE_5,
        "Pegasos and dual coordinate ascent achieve a reasonably low P very quickly, but LASVM"
        " essentially dominates them, and where very high accuracy is needed SVM-Light is faster,"
        " too (Section 7.2).",
        "λ = 1/n as there. SMO stands for SVM-Light, its steps cost n kernel values each; LASVM"
        " keeps all within its set, and nothing has a bias. USPS is not split as there.",
    )


def per_second(results: Results) -> ui.Blocks:
    """Kernel evaluations a second over those of Pegasos."""
    names = [name for name in rivals.rivals(KERNEL[0]) if name != rivals.PEGASOS]
    lines = []
    for setting in KERNEL:
        rates = throughput.per_second(results, setting)
        own, published = rates[rivals.PEGASOS], throughput.PUBLISHED[setting.key]
        cells = [
            f"{published[name]:.2f} · here **{digits(ratio(rates[name], own).middle)}**"
            for name in names
        ]
        evaluations = f"{costs.amount(float(np.median(own)))} evaluations"
        lines.append((setting.title, evaluations, *cells))
    head = "Table 3", "Pegasos, a second", *(rivals.TITLES[name] for name in names)
    yield ui.markdown_table(head, lines)


TABLE_3 = ui.Figure(
    "Table 3: kernel evaluations in a second",
    "How many each rival of Figure 5 makes while Pegasos makes one, in print and here. Values are"
    " computed from rows, and none is looked up but those that LASVM keeps; one thread, all rivals"
    " in turns. Here all have the same compiled kernels, there they were four programs.",
    throughput.TABLE_3,
    per_second,
    "The discrepancy between time and kernel evaluations is fairly minor. Pegasos and dual"
    " coordinate ascent, the simplest, are dominated by them most; compared in kernel evaluations"
    " LASVM would improve slightly (Section 7.2).",
)
