"""Figures 7 and 8 of the Pegasos paper, on demand."""

from dataclasses import replace
from functools import cache

import numpy as np

from svmviz.maths import sampling
from svmviz.papers import pegasos_verdicts as verdicts
from svmviz.run.recipe import Recipe
from svmviz.theory import reference
from svmviz.ui.papers import live_figure
from svmviz.views.curves import bands

EPOCHS = np.geomspace(1, 40, 30)
BASE = Recipe(data="gauss", data_params={"n": 400}, params={"lam": 0.01}, steps=16_000, seed=0).checked()
ASTRO, GAUSS = "astro-ph, 29 882 documents", "Gauss mixture, 400 points, λ = 0.01"


@cache
def optimum() -> float:
    return reference.optimum(BASE.problem(), lam=0.01).primal


def suboptimality(recipe: Recipe) -> np.ndarray:
    """P(w) − P* of the last iterate after each number of passes over the data."""
    trace = recipe.trace()
    steps = np.searchsorted(trace.metrics["examples"], np.round(EPOCHS * trace.problem.n))
    return trace.metrics["primal"][steps] - optimum()


def figure_8() -> None:
    live_figure(
        "Figure 8: how the examples are drawn", {scheme: BASE.with_params(sampling=scheme) for scheme in sampling.SCHEMES},
        suboptimality, lambda theme, runs: bands(theme, EPOCHS, runs, "passes over the data", "P(w) − P*"),
        claim="Going through the data in random order beats drawing with replacement clearly, and a new order for every pass "
              "is slightly better than keeping one (Section 7.5). No theorem of the paper covers it.",
        paper_data=ASTRO, our_data=GAUSS, verdict=verdicts.on_sampling)


def figure_7() -> None:
    live_figure(
        "Figure 7: mini-batches", {f"k = {k}": replace(BASE.with_params(k=k), steps=16_000 // k) for k in (1, 5, 20, 80)},
        suboptimality, lambda theme, runs: bands(theme, EPOCHS, runs, "passes over the data, kT/n", "P(w) − P*"),
        claim="For moderate k the number of steps falls in proportion to k, so that the work kT stays about the same: the "
              "curves over kT nearly coincide (Section 7.4).",
        paper_data=ASTRO, our_data=GAUSS, verdict=verdicts.on_batches)
