"""Section 3 of the SIMBA paper as an experiment, its Figure 1, and its Section 5 as a
calculator.
"""

import numpy as np
import streamlit as st

from svmviz.papers import catalogue
from svmviz.papers.evidence import costs, recording
from svmviz.papers.evidence.experiment import Results
from svmviz.papers.simba import datasets as sets
from svmviz.papers.simba import experiments, figures, games, verdicts
from svmviz.papers.simba.datasets import Setting
from svmviz.theory import bounds
from svmviz.ui.controls.charts import chart, theme
from svmviz.ui.papers.evidence import Foot, evidence
from svmviz.ui.papers.page import BAND, beside, column, links
from svmviz.views.curves import bands
from svmviz.views.errors import Run, errors
from svmviz.views.theme import Theme

CLAIM = (
    "On both data sets SIMBA obtains the test error that Pegasos achieves at its optimum with about"
    " 100 times fewer feature accesses (Section 6)."
)
PAIRS = ("simba", "entries"), ("pegasos", "entries"), ("pegasos", "cells")
WAYS = {"entries": "stored entries", "cells": "cells of the full table"}


def known() -> dict[str, Setting]:
    """What was recorded or can be run here, the nearest to the paper's data first."""
    return {
        setting.key: setting
        for setting in experiments.every()
        for figure in [experiments.figure_1(setting)]
        if recording.read(figure) or not catalogue.missing(figure)
    }


def figure_1() -> None:
    with column():
        st.header("Figure 1: test error over features read")
        there = known()
        name = st.selectbox(
            "Data", list(there), key="simba.data", format_func=lambda k: there[k].title
        )
        setting = there[name]
        experiment = experiments.figure_1(setting)
        st.caption(
            f"The paper used {setting.paper}, ten runs; here: {setting.title}, {BAND}. ν and λ are"
            " tuned on the test rows, as in the paper. SIMBA predicts by its average, Pegasos and"
            " the Perceptron by their last w."
        )
        evidence(experiment, lambda *given: show(setting, experiment.key, *given))


def show(setting: Setting, key: str, results: Results, behind: Results | None, foot: Foot) -> None:
    counting = st.segmented_control(
        "Reading a row costs",
        list(WAYS),
        default="entries",
        required=True,
        key=f"{key}.counting",
        format_func=WAYS.get,
    )
    chart(drawn(theme(), results, counting), key, behind and drawn(theme(), behind, counting))
    foot()
    beside(CLAIM, experiments.on_reads(results, counting), key)
    values, size = experiments.values(results), results.one("size")
    ends = ((solver, way, results.of(solver)[0]) for solver, way in PAIRS)
    each = (figures.cost(size, solver, run, way)[-1] / run.steps[-1] for solver, way, run in ends)
    st.caption(
        f"Tuned: ν = {values['simba']:g} for SIMBA, λ = {values['pegasos']:g} for Pegasos. "
        + verdicts.mixed(*each)
    )
    own = figures.recipes(setting, values)
    (
        links(own)
        if own
        else st.caption(
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


def section_3() -> None:
    with column():
        st.header("Section 3: the hybrid beside its parents")
        there = {setting.key: setting for setting in sets.GENERATED}
        setting = there[
            st.selectbox(
                "Data", list(there), key="simba.section3.data", format_func=lambda k: there[k].title
            )
        ]
        experiment = games.section_3(setting)
        st.caption(
            f"The paper argues, and measures nothing of it; here: {experiment.data}, {BAND}. All"
            " three have the same problem, ν and rates. PST leaves nothing to chance and reads the"
            " table twice in a step."
        )
        evidence(experiment, lambda *given: parents(setting, experiment.key, *given))


def parents(
    setting: Setting, key: str, results: Results, behind: Results | None, foot: Foot
) -> None:
    nus, fields = (
        games.nus_of(results),
        {
            "short": "(w̄, ξ̄) together",
            "short_alone": "w̄ with its best slack",
        },
    )
    left, right = st.columns(2)
    nu = left.segmented_control(
        "Slack per example ν", nus, default=nus[-1], required=True, key=f"{key}.nu"
    )
    field = right.segmented_control(
        "Short of the best value is",
        list(fields),
        default="short",
        required=True,
        key=f"{key}.field",
        format_func=fields.get,
    )

    def drawn(which: Results):
        grid, runs = games.tables(which, nu, field)
        positive = {name: np.maximum(table, 1e-6) for name, table in runs.items()}
        return bands(theme(), grid, positive, "features read", "short of the best, in longest rows")

    chart(drawn(results), key, behind and drawn(behind))
    foot()
    beside(
        "A naïve application of CHW to (w, ξ) converges rather slowly, as the set of all ξ is too"
        " large; PST relies on all rows in each step and is reasonable only for small problems. The"
        " hybrid has the benefits of both (Section 3).",
        games.judge(results),
        key,
    )
    links(games.recipes(setting, nu))


def section_5() -> None:
    with column():
        st.header("Section 5: what learning should cost")
        st.markdown(
            "Features read for an error of L\\* + δ, where some w\\* has the norm B and the"
            " expected hinge loss L\\*. Constants and logarithms are left out, as in the paper:"
            " compare the growth, not the values."
        )
        one, two, three, four = st.columns(4)
        delta = one.select_slider(
            "δ", [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2], 0.01, key="simba.delta"
        )
        loss = two.select_slider(
            "L*", [0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2], 0.0, key="simba.loss"
        )
        B = three.select_slider("B", [1, 2, 5, 10, 20, 50, 100], 10, key="simba.B")
        d = four.select_slider(
            "d",
            [10**k for k in range(1, 8)],
            10**6,
            key="simba.d",
            format_func=lambda v: costs.power(v),
        )
        here = bounds.corollary_5_1(float(B), float(d), delta, loss)
        ratio = here["online"] / here["SIMBA"]
        for place, (label, value, formula) in zip(
            st.columns(3),
            (
                ("examples needed (9)", here["n"], r"n = \frac{B^2}{\delta}\,r"),
                ("online, one pass (10)", here["online"], r"n\,d"),
                ("SIMBA (Corollary 5.1)", here["SIMBA"], r"B^2\,(n + d)\,r^2"),
            ),
            strict=True,
        ):
            place.metric(label, costs.power(value))
            place.markdown(f"${formula}$")
        gain = (
            f"SIMBA reads {ratio:.3g} times less than one pass over the data"
            if ratio > 1
            else (
                f"SIMBA reads {1 / ratio:.3g} times more than one pass over the data, and has"
                " nothing to gain"
            )
        )
        st.markdown(
            rf"with $r = (L^* + \delta)/\delta$ = {(loss + delta) / delta:.3g}: {gain}. The gain"
            r" needs a dimension "
            rf"far above $B^2 r^2$ = {costs.power((B * (loss + delta) / delta) ** 2)}, and is at"
            r" most 1/(L\* + δ) = "
            f"{1 / (loss + delta):.3g}."
        )
