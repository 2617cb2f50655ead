"""Figures 4 to 9 and Tables 1 and 2 of the Pegasos paper."""

from collections.abc import Callable, Mapping

import numpy as np
import streamlit as st

from svmviz.papers import catalogue, costs, pegasos_sets, recording
from svmviz.papers import pegasos_experiments as experiments
from svmviz.papers import pegasos_rivals as rivals
from svmviz.papers import pegasos_section7 as section7
from svmviz.papers.experiment import Experiment, Results
from svmviz.papers.verdicts import digits
from svmviz.ui.evidence import Foot, OnFile, evidence
from svmviz.ui.papers import BAND, beside, chart, column, links, theme
from svmviz.views.curves import bands, guided
from svmviz.views.theme import Theme

ASTRO, GAUSS = "astro-ph, 29 882 documents, λ = 5 · 10⁻⁵", "Gauss mixture"
LEFT = "P(w) − P*"
SCALED = "λn is the paper's, so that a pass over fewer rows does what it does there; CCAT has λ = 1/n."
Drawing = Callable[[Theme, Results], object]


def passes_of(n: float) -> str:
    """
    >>> passes_of(1.0), passes_of(6.96)
    ('1 pass', '7 passes')
    """
    return f"{n:.2g} pass{'es' * (round(n) != 1)}"


def chosen(made: Mapping[str, Experiment], key: str) -> str:
    """One of the data sets that were recorded or can be run here."""
    known = [name for name, one in made.items() if recording.read(one) or not catalogue.missing(one)]
    return st.segmented_control("Data", known, default=known[0], required=True, key=f"{key}.data")


def figure_on(title: str, key: str, made: Mapping[str, Experiment], charts: Mapping[str, Drawing], claim: str, paper: str,
              on_file: OnFile | None = None, recipes: Mapping | None = None, note: str = "",
              more: Callable[[Experiment, Results], None] | None = None) -> None:
    """A figure of one or more charts on data of the visitor's choice, with `more` below it; runs on points of the plane can be
    opened, and made on a visitor's own."""
    with column():
        st.header(title)
        name = chosen(made, key)
        experiment = made[name]
        st.caption(f"The paper used {paper}; here: {experiment.data}, {BAND}. {note if name != GAUSS else ''}")

        def show(results: Results, behind: Results | None, foot: Foot) -> None:
            for suffix, draw in charts.items():
                chart(draw(theme(), results), f"{experiment.key}{suffix}", behind and draw(theme(), behind))
            foot()
            beside(claim, experiment.judge(results), experiment.key)
            if more:
                more(experiment, results)

        evidence(experiment, show, on_file=on_file if name == GAUSS else None)
        if name == GAUSS and recipes:
            links(recipes)


def over_passes(look: Theme, results: Results):
    return bands(look, results.one("passes"), experiments.runs(results), "passes over the data, kT/n", LEFT)


def over_batches(look: Theme, results: Results):
    """The first plot of Figure 7: over k, after fixed work."""
    runs, passes = experiments.runs(results), results.one("passes")
    sizes = np.array([int(label.removeprefix("k = ")) for label in runs], float)
    fixed = np.unique(np.linspace(0, len(passes) - 1, 4).astype(int))[::-1]
    return bands(look, sizes, {passes_of(passes[at]): np.column_stack([table[:, at] for table in runs.values()])
                               for at in fixed}, "mini-batch k", f"{LEFT} after equal work")


def figure_8() -> None:
    figure_on(
        "Figure 8: how the examples are drawn", "pegasos.figure8", {GAUSS: experiments.FIGURE_8, **section7.FIGURE_8},
        {"": over_passes},
        "Going through the data in random order beats drawing with replacement clearly, and a new order for every pass is "
        "slightly better than keeping one (Section 7.5). No theorem of the paper covers it.", ASTRO,
        lambda key, file: experiments.sampled(experiments.schemes(experiments.on_file(key, file)), file.title),
        experiments.schemes(), SCALED)


def figure_7() -> None:
    figure_on(
        "Figure 7: mini-batches", "pegasos.figure7", {GAUSS: experiments.FIGURE_7, **section7.FIGURE_7},
        {"": over_passes, ".k": over_batches},
        "For k of up to a few hundred the number of steps falls in proportion to k, so that the work kT stays about the same: "
        "the curves over kT nearly coincide, those over k are level. Where k is overly large there is a loss at first, which "
        "more steps make good (Section 7.4).", ASTRO,
        lambda key, file: experiments.batched(experiments.batches(experiments.on_file(key, file)), file.title),
        experiments.batches(), SCALED)


def figure_9() -> None:
    def left(look: Theme, results: Results):
        gaps, losses = (section7.stepped_tables(results, of) for of in (0, 1))
        names = "Pegasos", "Norma"
        return bands(look, results.one("passes"), {name: gaps[name] for name in names}
                     | {f"{name}, test loss": losses[name] for name in names}, "passes over the data", f"{LEFT}, and test loss")

    def right(look: Theme, results: Results):
        gaps = dict(section7.stepped_tables(results))
        gaps.pop("Norma")
        return bands(look, results.one("passes"), gaps, "passes over the data", LEFT)

    figure_on(
        "Figure 9: steps of other lengths", "pegasos.figure9", section7.FIGURE_9, {"": left, ".fixed": right},
        "Pegasos outperforms Norma, η = p/(λ√t) with the p that is best by Norma's own bound, which fails to converge even "
        "after 10⁶ steps. With a fixed step, as Zhang has it, some η converge at about the rate of Pegasos and others fail to, "
        "and finding a good one costs more than a run (Section 7.6).",
        "astro-ph, 29 882 documents, λ = 2 · 10⁻⁴, 10⁶ steps", note=SCALED + " Pegasos is pulled back onto its ball.")


def figure_6() -> None:
    experiment = section7.FIGURE_6

    def show(results: Results, behind: Results | None, foot: Foot) -> None:
        passes = st.segmented_control("After", section7.PASSES_6, default=1, required=True, key=f"{experiment.key}.passes",
                                      format_func=passes_of)

        def drawn(found: Results):
            runs = {name: table for (name, after), table in section7.by_lambda(found).items() if after == passes}
            return guided(bands(theme(), np.array(section7.LAMBDAS), runs, "λ", LEFT), theme(), "1/λ",
                          np.array(section7.LAMBDAS), 1 / np.array(section7.LAMBDAS), float(np.median(runs["Pegasos"][:, 0])))

        chart(drawn(results), experiment.key, behind and drawn(behind))
        foot()
        beside("After a fixed number of steps the suboptimality of Pegasos is inversely proportional to λ; stochastic dual "
               "coordinate ascent is much better behaved where λ is very small (Section 7.3).", experiment.judge(results),
               experiment.key)

    with column():
        st.header("Figure 6: what λ does")
        st.caption(f"The paper used USPS, 8 against the rest, 7329 rows; here: {experiment.data}, for pixels over 16, {BAND}.")
        evidence(experiment, show)


# Figures 4 and 5, Tables 1 and 2 ------------------------------------------------------------------------------------------

LEAST = 1e-9  # what is drawn of a run that has reached the optimum


def setting_of(experiment: Experiment) -> pegasos_sets.Setting:
    return pegasos_sets.SETTINGS[experiment.key.rpartition(".")[2]]


def compared(title: str, key: str, made: Mapping[str, Experiment], claim: str, note: str) -> None:
    """Rivals over what they cost: what P lacks, and the test error."""
    linear = key == "pegasos.figure4"
    x_title = "passes over the data: inner products over n" if linear else "kernel evaluations"

    def x(results: Results) -> np.ndarray:
        return results.one("costs") / (rows(results) if linear else 1)

    def rows(results: Results) -> float:
        return 10 * float(results.one("costs")[0])  # one looks at a tenth of a pass first

    def gaps(look: Theme, results: Results):
        left = {name: np.maximum(found, LEAST) for name, found in rivals.courses(results, "gap").items()}
        return bands(look, x(results), left, x_title, LEFT)

    def errors(look: Theme, results: Results):
        return bands(look, x(results), rivals.courses(results, "error"), x_title, "test error", log_y=False, y_format=".0%")

    settings = pegasos_sets.LINEAR if linear else pegasos_sets.KERNEL
    paper = "; ".join(setting.paper for setting in settings)
    figure_on(title, key, made, {"": gaps, ".error": errors}, claim, paper, note=note,
              more=lambda experiment, results: table(experiment, results, linear))


def table(experiment: Experiment, results: Results, linear: bool) -> None:
    """Table 1 or 2, a line for each rival: where it first lacks less than ε."""
    published, best = rivals.PUBLISHED[setting_of(experiment).key]
    n = setting_of(experiment).rows
    lines = [f"| Table {1 if linear else 2} | Published | Here |", "|---|---|---|"]
    for name, (cost, error) in rivals.reached(results, rivals.threshold(results)).items():
        seconds, percent = published[name]
        middle = float(np.median(cost))
        here = "not reached" if not np.isfinite(middle) else (
            f"{digits(middle / n)} passes" if linear else f"{costs.amount(middle)} kernel values")
        there = "" if np.isnan(np.nanmedian(error)) else f" ({100 * np.nanmedian(error):.2f} %)"
        printed = f"> {seconds:g} s" if np.isnan(percent) else f"{seconds:g} s ({percent:g} %)"
        lines.append(f"| {rivals.TITLES[name]} | {printed} | {here}{there} |")
    lines.append(f"| the optimum | ({best:g} %) | ({100 * results.one('optimum').error:.2f} %) |")
    st.markdown("\n".join(lines))
    st.caption("Medians; test errors in brackets.")


def figure_4() -> None:
    compared("Figure 4 and Table 1: linear rivals", "pegasos.figure4", rivals.FIGURE_4,
             "Pegasos and stochastic dual coordinate ascent achieve a significant improvement in time over SVM-Perf, which is "
             "very fast on its own; LASVM is no method for linear SVMs (Section 7.1).",
             f"{SCALED} For astro-ph stand documents of the app. Inner products take the place of seconds: one for a margin, "
             "n for a cutting plane, which is how SVM-Perf goes about it.")


def figure_5() -> None:
    compared("Figure 5 and Table 2: rivals with kernels", "pegasos.figure5", rivals.FIGURE_5,
             "Pegasos and dual coordinate ascent achieve a reasonably low P very quickly, but LASVM essentially dominates "
             "them, and where very high accuracy is needed SVM-Light is faster, too (Section 7.2).",
             "λ = 1/n as there. SMO stands for SVM-Light, its steps cost n kernel values each; LASVM keeps all within its set, "
             "and nothing has a bias. USPS is not split as there.")
