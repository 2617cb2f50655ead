"""Section 7 of the BSGD paper: its figures. Tables are filled by `bsgd_tables`."""

from collections.abc import Callable, Mapping

import numpy as np
import streamlit as st

from svmviz.papers import catalogue
from svmviz.papers.bsgd import datasets, experiments, figure4, figures
from svmviz.papers.evidence import recording
from svmviz.papers.evidence.experiment import Experiment, Results
from svmviz.ui.controls.charts import chart, theme
from svmviz.ui.papers.evidence import Foot, evidence
from svmviz.ui.papers.page import BAND, beside, column, links
from svmviz.views import budget as views
from svmviz.views.curves import bands
from svmviz.views.theme import Theme
from svmviz.work.words import count

OPENED = ("checkerboard", "waveform")  # data that the Playground has as well
SPREAD = f"several shuffles, {BAND}"
QUANTITIES = {
    "accuracy": ("test accuracy", False, ".0%"),
    "support vectors": ("support vectors", True, ""),
    "Ē": ("mean gradient error Ē so far", False, ".2f"),
    "time": ("milliseconds per 1000 examples", True, ""),
}


def there(made: dict[str, Experiment]) -> dict[str, Experiment]:
    """Those that were recorded, or whose data are there."""
    return {
        name: one for name, one in made.items() if recording.read(one) or not catalogue.missing(one)
    }


def choose(label: str, made: dict[str, Experiment], key: str) -> Experiment:
    """One of the data sets."""
    known = there(made)
    return known[
        st.segmented_control(
            label,
            list(known),
            default=next(iter(known)),
            required=True,
            key=key,
            format_func=lambda name: datasets.DATA[name].title,
        )
    ]


def name_of(experiment: Experiment) -> str:
    return experiment.key.rpartition(".")[2]


def figure_2() -> None:
    with column():
        st.header("Figure 2: accuracy over the budget")
        experiment = choose(
            "Data",
            {name: experiments.figure_2(name) for name in experiments.SWEPT},
            "bsgd.figure2.data",
        )
        name = name_of(experiment)
        title = datasets.DATA[name].title
        st.caption(
            f"The paper used Letter (16K rows) and Covertype (0.5M); here: {experiment.data},"
            f" parameters found for B = 500, {SPREAD}."
        )

        def drawn(look: Theme, results: Results):
            return views.over_budget(
                look,
                figures.SWEEP,
                experiments.swept(results),
                float(np.median(results.table("Pegasos"))),
            )

        def show(results: Results, behind: Results | None, foot: Foot) -> None:
            chart(drawn(theme(), results), experiment.key, behind and drawn(theme(), behind))
            foot()
            beside(
                "On Letter and Covertype the accuracy of BPegasos + merge approaches that of"
                " Pegasos as the budget grows; Covertype could do with a much larger one (Section"
                f" 7.2). Table 3 has {datasets.DATA[name].unbudgeted} % for {title} without a"
                " budget.",
                experiment.judge(results),
                experiment.key,
            )

        evidence(experiment, show)
        if name in OPENED:
            links(
                {
                    f"B = {B}": figures.recipes(("merge",), B, name)["merge"]
                    for B in figures.SWEEP[:4]
                }
            )


def figure_3() -> None:
    def show(results: Results, behind: Results | None, foot: Foot) -> None:
        chart(views.gains(theme(), experiments.gains(results)), "bsgd.figure3")
        foot()
        beside(
            "Five passes improve the accuracy of BPegasos + merge on most data sets (Section 7.2).",
            experiments.on_passes(results),
            "bsgd.figure3",
        )

    with column():
        st.header("Figure 3: five passes instead of one")
        experiment = experiments.figure_3()
        st.caption(
            f"The paper used its 14 data sets; here: {experiment.data}, merging with B = 500, a new"
            " order for each pass, t goes on; several shuffles (rings) and their mean (bars)."
        )
        evidence(experiment, show, here=experiments.figure_3(tuple(datasets.available())))
        links(
            {
                datasets.DATA[name].title: figures.recipes(("merge",), 500, name)["merge"]
                for name in OPENED
            }
        )


def quantity(results: Results, which: str) -> dict[str, np.ndarray]:
    if which == "time":

        def pace(label: str) -> np.ndarray:
            x, t = (
                experiments.column_of(results, label, field) for field in ("examples", "seconds")
            )
            return 1e6 * np.maximum(np.diff(t, axis=1), 1e-9) / np.diff(x, axis=1)

        return {label: smooth(pace(label)) for label in results.labels}
    field = {"accuracy": "accuracy", "support vectors": "n_sv", "Ē": "E_bar"}[which]
    return {label: experiments.column_of(results, label, field)[:, 1:] for label in results.labels}


def smooth(table: np.ndarray) -> np.ndarray:
    """The median of three neighbours: a clock is not exact over a hundred examples."""
    wide = np.pad(table, ((0, 0), (1, 1)), mode="edge")
    return np.median([wide[:, :-2], wide[:, 1:-1], wide[:, 2:]], axis=0)


def over_stream(look: Theme, results: Results, which: str):
    """The runs over the length of the stream, in the quantity that the visitor picks."""
    title, log_y, tick = QUANTITIES[which]
    x = {
        label: experiments.column_of(results, label, "examples")[0, 1:] for label in results.labels
    }
    return bands(look, x, quantity(results, which), "examples seen", title, log_y, tick)


def evolving(
    figure: str,
    title: str,
    paper: str,
    make,
    strategies: Mapping[str, str],
    claim: dict[str, str],
    more: Callable[[str], str] = lambda name: "",
) -> None:
    """Figures 4 and 5."""
    with column():
        st.header(title)
        experiment = choose(
            "Data", {name: make(name) for name in figures.EVOLVING}, f"bsgd.{figure}.data"
        )
        name, key = name_of(experiment), experiment.key
        gamma, lam = datasets.PARAMETERS[name, 100]
        d = {"checkerboard": 2, "waveform": 21, "covtype": 54}[name]
        st.caption(
            f"The paper used {paper}; here: {experiment.data}, B = 100, γ = {gamma / d:.3g}, λ ="
            f" {lam:g}, {SPREAD}; time is that of one processor.{more(name)}"
        )

        def show(results: Results, behind: Results | None, foot: Foot) -> None:
            which = st.segmented_control(
                "Over the stream",
                list(QUANTITIES),
                default="accuracy",
                required=True,
                key=f"{key}.quantity",
            )
            chart(
                over_stream(theme(), results, which),
                key,
                behind and over_stream(theme(), behind, which),
            )
            foot()
            beside(claim[name], experiment.judge(results), key)

        evidence(experiment, show)
        if name in OPENED:
            links(
                dict(
                    zip(
                        strategies,
                        figures.recipes(tuple(strategies.values()), data=name).values(),
                        strict=True,
                    )
                )
            )


def sooner(name: str) -> str:
    known = figure4.ends(name)
    return f" {known}, all of which it keeps and solves for at every step." if known else ""


def figure_4() -> None:
    evolving(
        "figure4",
        "Figure 4: accuracy as the stream goes by",
        "Checkerboard (10M examples), Waveform (2M) and Covertype (0.5M)",
        figure4.figure_4,
        {label: run.strategy for label, run in figure4.RUNS.items()},
        {
            "checkerboard": (
                "The accuracy of BPegasos + merge rises with the stream, follows Pegasos closely"
                " and passes it when Pegasos has to stop after 10 000 seconds. IDSVM and TVM grow"
                " faster at first and are passed (Section 7.2)."
            ),
            "waveform": (
                "The accuracy of BPegasos + merge grows faster than that of Pegasos: merging"
                " reduces noise (Section 7.2)."
            ),
            "covtype": "BPegasos + merge trails Pegasos significantly (Section 7.2).",
        },
        sooner,
    )


def figure_5() -> None:
    both = (
        "Removal is inferior and fluctuates about what 100 examples give; projection and merging"
        " rise strongly and steadily"
    )
    evolving(
        "figure5",
        "Figure 5: remove, project or merge",
        "Checkerboard (10M examples), Waveform (2M) and Covertype (0.5M)",
        experiments.figure_5,
        {label: strategy for label, (strategy, _) in experiments.FIGURE_5.items()},
        {
            "checkerboard": (
                "Removal is inferior and its accuracy even falls after a moderate rise; projection"
                " and merging rise strongly and steadily (Section 7.2)."
            ),
            "waveform": f"{both}; merging is well ahead of projection (Section 7.2).",
            "covtype": f"{both} (Section 7.2).",
        },
    )


def figure_6() -> None:
    def drawn(look: Theme, results: Results):
        return bands(look, *experiments.timed(results), "examples seen", "seconds so far")

    def show(results: Results, behind: Results | None, foot: Foot) -> None:
        chart(drawn(theme(), results), "bsgd.figure6", behind and drawn(theme(), behind))
        foot()
        beside(
            "The time of Pegasos grows as O(N²), that of merging and projecting linearly with the"
            " stream; the cost of projecting grows much faster with the budget, O(B²) against O(B)"
            " (Section 7.2).",
            experiments.on_time(results),
            "bsgd.figure6",
        )

    with column():
        st.header("Figure 6: what a stream costs")
        st.caption(
            "The paper used the checkerboard with 10 million examples, in Matlab; here: the"
            f" checkerboard, {count(figures.EVOLVING['checkerboard'])} examples, γ = 8, λ = 10⁻⁴,"
            f" seconds of one processor, {SPREAD}. An example that the others span is projected at"
            " once and takes no slot, so that projecting may never fill B = 500."
        )
        evidence(experiments.figure_6(), show)
        links(figures.recipes(("none", "merge", "project")))


def figure_7() -> None:
    with column():
        st.header("Figure 7: what the vectors look like")
        known = there(
            {
                "USPS": experiments.figure_7(True),
                "Digits of scikit-learn": experiments.figure_7(False),
            }
        )
        which = st.segmented_control(
            "Pictures",
            list(known),
            default=next(iter(known)),
            required=True,
            key="bsgd.figure7.data",
        )
        experiment = known[which]
        gamma, lam = figures.DIGIT_PARAMETERS[which == "USPS"]
        st.caption(
            f"The paper used USPS with B = 10, three runs each; here: {experiment.data}, one pass,"
            f" γ = {gamma:g}/d, λ = {lam:g} (with which merging errs least on held-out training"
            " rows), several shuffles. The number over an example is its label, over a merged"
            " vector the digit that it speaks for most."
        )

        def show(results: Results, behind: Results | None, foot: Foot) -> None:
            chart(
                views.grid_of(
                    theme(),
                    [
                        (f"{s}, run {k + 1}", run.images, [str(d) for d in run.digit])
                        for s in results.labels
                        for k, run in enumerate(results.of(s))
                    ],
                ),
                experiment.key,
            )
            foot()
            beside(
                "The ten vectors left by projection are training examples, and miss some of the ten"
                " digits. Those left by merging are blurred by many mergings and represent all ten"
                " digits in all three runs (Section 7.2).",
                experiment.judge(results),
                experiment.key,
            )

        evidence(experiment, show)
        links(
            {
                f"{s}, digits of scikit-learn": run
                for s, run in figures.recipes(("project", "merge"), 10, "digits").items()
            }
        )
