"""Section 3 of the SIMBA paper as an experiment, its Figure 1, and its Section 5 as a
calculator.
"""

import numpy as np

from svmviz.papers.evidence import costs
from svmviz.papers.evidence.experiment import Results
from svmviz.papers.simba import datasets as sets
from svmviz.papers.simba import experiments, figures, games, verdicts
from svmviz.papers.simba.datasets import Setting
from svmviz.theory import bounds
from svmviz.ui.papers import blocks as ui
from svmviz.ui.papers import promises
from svmviz.views.curves import bands
from svmviz.views.errors import Run, errors
from svmviz.views.theme import Theme

CLAIM = (
    "On both data sets SIMBA obtains the test error that Pegasos achieves at its optimum with about"
    " 100 times fewer feature accesses (Section 6)."
)
PAIRS = ("simba", "entries"), ("pegasos", "entries"), ("pegasos", "cells")
WAYS = {"entries": "stored entries", "cells": "cells of the full table"}


def data_choice(settings: tuple[Setting, ...], key: str) -> ui.Blocks:
    """One of some data sets; returns it."""
    there = {setting.key: setting for setting in settings}
    return there[(yield ui.Choice("Data", there, key, lambda key: there[key].title, menu=True))]


def figure_1() -> ui.Blocks:
    yield ui.Header("Figure 1: test error over features read")
    there = (one for one in experiments.every() if ui.is_there(experiments.figure_1(one)))
    setting = yield from data_choice(tuple(there), "simba.data")
    yield from ui.Figure(
        "",
        f"The paper used {setting.paper}, ten runs; here: {setting.title}, {ui.BAND}. ν and λ are"
        " tuned on the test rows, as in the paper. SIMBA predicts by its average, Pegasos and the"
        " Perceptron by their last w.",
        experiments.figure_1(setting),
        lambda results: over_reads(setting, results),
    )()


def over_reads(setting: Setting, results: Results) -> ui.Blocks:
    key = experiments.figure_1(setting).key
    counting = yield ui.Choice("Reading a row costs", WAYS, f"{key}.counting", WAYS.__getitem__)
    yield ui.Drawn(lambda look, results: drawn(look, results, counting))
    yield ui.Beside(CLAIM, experiments.on_reads(results, counting))
    values, size = experiments.values(results), results.one("size")
    ends = ((solver, way, results.of(solver)[0]) for solver, way in PAIRS)
    each = (figures.cost(size, solver, run, way)[-1] / run.steps[-1] for solver, way, run in ends)
    yield ui.Caption(
        f"Tuned: ν = {values['simba']:g} for SIMBA, λ = {values['pegasos']:g} for Pegasos. "
        + verdicts.mixed(*each)
    )
    own = figures.recipes(setting, values)
    yield (
        ui.links(own)
        if own
        else ui.Caption(
            "These rows are not part of the app. Choose generated data above to open its runs in"
            " the Playground."
        )
    )


def drawn(look: Theme, results: Results, counting: str):
    grid, tables = experiments.tables(results, counting)
    runs = []
    for solver, table in tables.items():
        seen = np.flatnonzero(np.isfinite(table).all(axis=0))
        runs.append(Run(figures.NAMES[solver], grid[seen], table[:, seen], len(seen) - 1))
    best = min(float(run.error.mean(axis=0).min()) for run in runs)
    top = min(0.55, max(float(np.median(run.error, axis=0)[0]) for run in runs) * 1.05)
    return errors(look, runs, f"{WAYS[counting]} read", best, top, best_name="lowest mean")


def section_3() -> ui.Blocks:
    yield ui.Header("Section 3: the hybrid beside its parents")
    setting = yield from data_choice(sets.GENERATED, "simba.section3.data")
    experiment = games.section_3(setting)
    yield from ui.Figure(
        "",
        f"The paper argues, and measures nothing of it; here: {experiment.data}, {ui.BAND}. All"
        " three have the same problem, ν and rates. PST leaves nothing to chance and reads the"
        " table twice in a step.",
        experiment,
        lambda results: parents(setting, experiment.key, results),
    )()


def parents(setting: Setting, key: str, results: Results) -> ui.Blocks:
    nus = games.nus_of(results)
    fields = {"short": "(w̄, ξ̄) together", "short_alone": "w̄ with its best slack"}
    nu, field = yield ui.Row(
        (
            ui.Choice("Slack per example ν", nus, f"{key}.nu", default=nus[-1]),
            ui.Choice("Short of the best value is", fields, f"{key}.field", fields.__getitem__),
        )
    )

    def draw(look: Theme, which: Results):
        grid, runs = games.tables(which, nu, field)
        positive = {name: np.maximum(table, 1e-6) for name, table in runs.items()}
        return bands(look, grid, positive, "features read", "short of the best, in longest rows")

    yield ui.Drawn(draw)
    yield ui.Beside(
        "A naïve application of CHW to (w, ξ) converges rather slowly, as the set of all ξ is too"
        " large; PST relies on all rows in each step and is reasonable only for small problems. The"
        " hybrid has the benefits of both (Section 3).",
        games.judge(results),
    )
    yield ui.links(games.recipes(setting, nu))


def section_5() -> ui.Blocks:
    yield ui.Header("Section 5: what learning should cost")
    yield ui.Text(
        "Features read for an error of L\\* + δ, where some w\\* has the norm B and the expected"
        " hinge loss L\\*. Constants and logarithms are left out, as in the paper: compare the"
        " growth, not the values."
    )
    deltas = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2]
    delta, loss, B, d = yield ui.Row(
        (
            ui.Scale("δ", deltas, 0.01, "simba.delta"),
            ui.Scale("L*", [0.0, *deltas], 0.0, "simba.loss"),
            ui.Scale("B", [1, 2, 5, 10, 20, 50, 100], 10, "simba.B"),
            ui.Scale("d", [10**k for k in range(1, 8)], 10**6, "simba.d", costs.power),
        )
    )
    here = bounds.corollary_5_1(float(B), float(d), delta, loss)
    ratio = here["online"] / here["SIMBA"]
    labels = (
        ("examples needed (9)", "n", r"n = \frac{B^2}{\delta}\,r"),
        ("online, one pass (10)", "online", r"n\,d"),
        ("SIMBA (Corollary 5.1)", "SIMBA", r"B^2\,(n + d)\,r^2"),
    )
    yield ui.Row(
        [ui.Metric(label, costs.power(here[name]), formula) for label, name, formula in labels]
    )
    gain = (
        f"SIMBA reads {ratio:.3g} times less than one pass over the data"
        if ratio > 1
        else f"SIMBA reads {1 / ratio:.3g} times more than one pass over the data, and has nothing"
        " to gain"
    )
    far = costs.power((B * (loss + delta) / delta) ** 2)
    yield ui.Text(
        rf"with $r = (L^* + \delta)/\delta$ = {(loss + delta) / delta:.3g}: {gain}. The gain needs"
        rf" a dimension far above $B^2 r^2$ = {far}, and is at most 1/(L\* + δ) ="
        f" {1 / (loss + delta):.3g}."
    )


FIGURES = {
    "theorem": promises.touched("simba"),
    "steps": promises.steps_of_simba,
    "variance_mw": promises.touched("variance_mw"),
    "section_3": section_3,
    "figure_1": figure_1,
    "section_5": section_5,
}
