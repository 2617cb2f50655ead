"""Section 7 of the BSGD paper: its figures. Tables stand in `table3` and `tables`."""

from collections.abc import Callable, Mapping

import numpy as np

from svmviz.papers.bsgd import datasets, experiments, figure4, figures
from svmviz.papers.evidence.experiment import Experiment, Results
from svmviz.ui.papers import blocks as ui
from svmviz.views import budget as views
from svmviz.views.curves import bands
from svmviz.views.theme import Theme
from svmviz.work.words import count

OPENED = ("checkerboard", "waveform")  # data that the Playground has as well
SPREAD = f"several shuffles, {ui.BAND}"
QUANTITIES = {
    "accuracy": ("test accuracy", False, ".0%"),
    "support vectors": ("support vectors", True, ""),
    "Ē": ("mean gradient error Ē so far", False, ".2f"),
    "time": ("milliseconds per 1000 examples", True, ""),
}


def title_of(name: str) -> str:
    return datasets.DATA[name].title


def choice(
    label: str,
    made: Mapping[str, Experiment],
    key: str,
    named: Callable[[str], str] = title_of,
) -> ui.Choice:
    """One of the experiments that were recorded, or whose data are there."""
    return ui.Choice(label, [name for name, one in made.items() if ui.is_there(one)], key, named)


def figure_2() -> ui.Blocks:
    yield ui.Header("Figure 2: accuracy over the budget")
    made = {name: experiments.figure_2(name) for name in experiments.SWEPT}
    name = yield choice("Data", made, "bsgd.figure2.data")
    budgets = figures.SWEEP[:4]

    def draw(look: Theme, results: Results):
        unbudgeted = float(np.median(results.table("Pegasos")))
        return views.over_budget(look, figures.SWEEP, experiments.swept(results), unbudgeted)

    yield from ui.Figure(
        "",
        f"The paper used Letter (16K rows) and Covertype (0.5M); here: {made[name].data},"
        f" parameters found for B = 500, {SPREAD}.",
        made[name],
        ui.charts(draw),
        "On Letter and Covertype the accuracy of BPegasos + merge approaches that of Pegasos as the"
        " budget grows; Covertype could do with a much larger one (Section 7.2). Table 3 has"
        f" {datasets.DATA[name].unbudgeted} % for {title_of(name)} without a budget.",
        links={f"B = {B}": figures.recipes(("merge",), B, name)["merge"] for B in budgets}
        if name in OPENED
        else {},
    )()


def figure_3() -> ui.Blocks:
    experiment = experiments.figure_3()

    def show(results: Results) -> ui.Blocks:  # without the recorded bars behind those that arrive
        yield ui.Chart(lambda look: views.gains(look, experiments.gains(results)), experiment.key)

    yield from ui.Figure(
        "Figure 3: five passes instead of one",
        f"The paper used its 14 data sets; here: {experiment.data}, merging with B = 500, a new"
        " order for each pass, t goes on; several shuffles (rings) and their mean (bars).",
        experiment,
        show,
        "Five passes improve the accuracy of BPegasos + merge on most data sets (Section 7.2).",
        links={title_of(name): figures.recipes(("merge",), 500, name)["merge"] for name in OPENED},
        here=experiments.figure_3(tuple(datasets.available())),
    )()


def quantity(results: Results, which: str) -> dict[str, np.ndarray]:
    if which == "time":

        def pace(label: str) -> np.ndarray:
            x, t = (results.table(label, field) for field in ("examples", "seconds"))
            return 1e6 * np.maximum(np.diff(t, axis=1), 1e-9) / np.diff(x, axis=1)

        return {label: smooth(pace(label)) for label in results.labels}
    field = {"accuracy": "accuracy", "support vectors": "n_sv", "Ē": "E_bar"}[which]
    return {label: results.table(label, field)[:, 1:] for label in results.labels}


def smooth(table: np.ndarray) -> np.ndarray:
    """The median of three neighbours: a clock is not exact over a hundred examples."""
    wide = np.pad(table, ((0, 0), (1, 1)), mode="edge")
    return np.median([wide[:, :-2], wide[:, 1:-1], wide[:, 2:]], axis=0)


def over_stream(look: Theme, results: Results, which: str):
    """The runs over the length of the stream, in the quantity that the visitor picks."""
    title, log_y, tick = QUANTITIES[which]
    x = {label: results.table(label, "examples")[0, 1:] for label in results.labels}
    return bands(look, x, quantity(results, which), "examples seen", title, log_y, tick)


def evolving(
    figure: str,
    title: str,
    make: Callable[[str], Experiment],
    strategies: Mapping[str, str],
    claims: Mapping[str, str],
    more: Callable[[str], str] = lambda name: "",
) -> ui.Blocks:
    """Figures 4 and 5."""
    yield ui.Header(title)
    made = {name: make(name) for name in figures.EVOLVING}
    name = yield choice("Data", made, f"bsgd.{figure}.data")
    experiment = made[name]
    gamma, lam = datasets.PARAMETERS[name, 100]
    d = {"checkerboard": 2, "waveform": 21, "covtype": 54}[name]

    def show(results: Results) -> ui.Blocks:
        which = yield ui.Choice("Over the stream", QUANTITIES, f"{experiment.key}.quantity")
        yield ui.Drawn(lambda look, results: over_stream(look, results, which))

    recipes = figures.recipes(tuple(strategies.values()), data=name) if name in OPENED else {}
    yield from ui.Figure(
        "",
        "The paper used Checkerboard (10M examples), Waveform (2M) and Covertype (0.5M); here:"
        f" {experiment.data}, B = 100, γ = {gamma / d:.3g}, λ = {lam:g}, {SPREAD}; time is that of"
        f" one processor.{more(name)}",
        experiment,
        show,
        claims[name],
        links=dict(zip(strategies, recipes.values(), strict=False)),
    )()


def sooner(name: str) -> str:
    known = figure4.ends(name)
    return f" {known}, all of which it keeps and solves for at every step." if known else ""


def figure_4() -> ui.Blocks:
    return evolving(
        "figure4",
        "Figure 4: accuracy as the stream goes by",
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


def figure_5() -> ui.Blocks:
    both = (
        "Removal is inferior and fluctuates about what 100 examples give; projection and merging"
        " rise strongly and steadily"
    )
    return evolving(
        "figure5",
        "Figure 5: remove, project or merge",
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


def figure_6() -> ui.Blocks:
    yield from ui.Figure(
        "Figure 6: what a stream costs",
        "The paper used the checkerboard with 10 million examples, in Matlab; here: the"
        f" checkerboard, {count(figures.EVOLVING['checkerboard'])} examples, γ = 8, λ = 10⁻⁴,"
        f" seconds of one processor, {SPREAD}. An example that the others span is projected at once"
        " and takes no slot, so that projecting may never fill B = 500.",
        experiments.figure_6(),
        ui.charts(
            lambda look, results: bands(
                look, *experiments.timed(results), "examples seen", "seconds so far"
            )
        ),
        "The time of Pegasos grows as O(N²), that of merging and projecting linearly with the"
        " stream; the cost of projecting grows much faster with the budget, O(B²) against O(B)"
        " (Section 7.2).",
        links=figures.recipes(("none", "merge", "project")),
    )()


def figure_7() -> ui.Blocks:
    yield ui.Header("Figure 7: what the vectors look like")
    made = {
        "USPS": experiments.figure_7(True),
        "Digits of scikit-learn": experiments.figure_7(False),
    }
    which = yield choice("Pictures", made, "bsgd.figure7.data", str)
    experiment = made[which]
    gamma, lam = figures.DIGIT_PARAMETERS[which == "USPS"]

    def show(
        results: Results,
    ) -> ui.Blocks:  # without the recorded pictures behind those that arrive
        pictures = [
            (f"{s}, run {k + 1}", run.images, [str(d) for d in run.digit])
            for s in results.labels
            for k, run in enumerate(results.of(s))
        ]
        yield ui.Chart(lambda look: views.grid_of(look, pictures), experiment.key)

    recipes = figures.recipes(("project", "merge"), 10, "digits")
    yield from ui.Figure(
        "",
        f"The paper used USPS with B = 10, three runs each; here: {experiment.data}, one pass, γ ="
        f" {gamma:g}/d, λ = {lam:g} (with which merging errs least on held-out training rows),"
        " several shuffles. The number over an example is its label, over a merged vector the digit"
        " that it speaks for most.",
        experiment,
        show,
        "The ten vectors left by projection are training examples, and miss some of the ten digits."
        " Those left by merging are blurred by many mergings and represent all ten digits in all"
        " three runs (Section 7.2).",
        links={f"{s}, digits of scikit-learn": run for s, run in recipes.items()},
    )()
