"""Figure 1 of the SIMBA paper on demand, and its Section 5 as a calculator."""

from functools import partial

import numpy as np
import streamlit as st

from svmviz.papers import costs, simba_verdicts
from svmviz.papers import simba_figures as figures
from svmviz.papers.simba_sets import Setting, settings
from svmviz.theory import bounds
from svmviz.ui.background import gathered, large
from svmviz.ui.papers import BAND, SEEDS, asked_for, beside, chart, column, links, theme
from svmviz.views.errors import Run, errors

CLAIM = ("On both data sets SIMBA obtains the test error that Pegasos achieves at its optimum with about 100 times fewer "
         "feature accesses (Section 6).")
PAIRS = ("simba", "entries"), ("pegasos", "entries"), ("pegasos", "cells")
WAYS = {"entries": "stored entries", "cells": "cells of the full table"}


def figure_1() -> None:
    with column():
        st.header("Figure 1: test error over features read")
        known = settings()
        name = st.selectbox("Data", list(known), key="simba.data", format_func=lambda k: known[k].title,
                            help="Text sets are offered where the data folder is there.")
        setting, key = known[name], f"simba.figure1.{name}"
        st.caption(f"The paper used {setting.paper}, ten runs; here: {setting.title}, {BAND}. ν and λ are tuned on the test "
                   "rows, as in the paper. SIMBA predicts by its average, Pegasos and the Perceptron by their last w.")
        if asked_for(key):
            compute(setting, key)


def compute(setting: Setting, key: str) -> None:
    store = large()

    def ready():
        return store.once(f"simba {setting.key}", partial(figures.prepare, setting, 4000))

    tuning = {f"{key} tuned {s}": (lambda s=s: figures.tuned(ready(), s)) for s in figures.NAMES}
    values = dict(zip(figures.NAMES, gathered(tuning, "Tuning ν and λ", f"{key}.tuning").values(), strict=True))
    tasks = {f"{key} {s} {seed}": (lambda s=s, seed=seed: figures.curve(ready(), s, values[s], seed))
             for s in figures.NAMES for seed in range(SEEDS)}
    found = gathered(tasks, f"{len(tasks)} runs", key)
    curves = {s: [found[f"{key} {s} {seed}"] for seed in range(SEEDS)] for s in figures.NAMES}
    counting = st.segmented_control("Reading a row costs", list(WAYS), default="entries", required=True, key=f"{key}.counting",
                                    format_func=WAYS.get)
    grid = figures.grid_of(ready(), curves, counting)
    tables = {s: figures.on_grid(ready(), s, runs, counting, grid) for s, runs in curves.items()}
    runs = []
    for s, table in tables.items():
        seen = np.flatnonzero(np.isfinite(table).all(axis=0))
        runs.append(Run(figures.NAMES[s], grid[seen], table[:, seen], len(seen) - 1))
    best = min(float(run.error.mean(axis=0).min()) for run in runs)
    top = min(0.55, max(float(np.median(run.error, axis=0)[0]) for run in runs) * 1.05)
    chart(errors(theme(), runs, f"{WAYS[counting]} read", best, top, best_name="lowest mean"), key)
    beside(CLAIM, simba_verdicts.on_figure_1(grid, {figures.NAMES[s]: t for s, t in tables.items()},
                                             figures.whole(ready(), counting)), key)
    each = (figures.cost(ready(), s, curves[s][0], way)[-1] / curves[s][0].steps[-1] for s, way in PAIRS)
    st.caption(f"Tuned: ν = {values['simba']:g} for SIMBA, λ = {values['pegasos']:g} for Pegasos. "
               + simba_verdicts.mixed(*each))
    own = figures.recipes(setting, values)
    links(own) if own else st.caption("These rows are not part of the app. Choose generated data above to open its runs in the "
                                      "Playground.")


def section_5() -> None:
    with column():
        st.header("Section 5: what learning should cost")
        st.markdown("Features read for an error of L\\* + δ, where some w\\* has the norm B and the expected hinge loss L\\*. "
                    "Constants and logarithms are left out, as in the paper: compare the growth, not the values.")
        one, two, three, four = st.columns(4)
        delta = one.select_slider("δ", [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2], 0.01, key="simba.delta")
        loss = two.select_slider("L*", [0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2], 0.0, key="simba.loss")
        B = three.select_slider("B", [1, 2, 5, 10, 20, 50, 100], 10, key="simba.B")
        d = four.select_slider("d", [10**k for k in range(1, 8)], 10**6, key="simba.d", format_func=lambda v: costs.power(v))
        here = bounds.corollary_5_1(float(B), float(d), delta, loss)
        ratio = here["online"] / here["SIMBA"]
        for place, (label, value, formula) in zip(st.columns(3), (
                ("examples needed (9)", here["n"], r"n = \frac{B^2}{\delta}\,r"),
                ("online, one pass (10)", here["online"], r"n\,d"),
                ("SIMBA (Corollary 5.1)", here["SIMBA"], r"B^2\,(n + d)\,r^2")), strict=True):
            place.metric(label, costs.power(value))
            place.markdown(f"${formula}$")
        gain = (f"SIMBA reads {ratio:.3g} times less than one pass over the data" if ratio > 1 else
                f"SIMBA reads {1 / ratio:.3g} times more than one pass over the data, and has nothing to gain")
        st.markdown(rf"with $r = (L^* + \delta)/\delta$ = {(loss + delta) / delta:.3g}: {gain}. The gain needs a dimension "
                    rf"far above $B^2 r^2$ = {costs.power((B * (loss + delta) / delta) ** 2)}, and is at most 1/(L\* + δ) = "
                    f"{1 / (loss + delta):.3g}.")
