"""The figures of the paper on approximate incremental SVMs as numbers; `incremental_verdicts` says
what they say.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.record import metrics
from svmviz.run.recipe import Recipe
from svmviz.theory import bounds

BLOCKS = 30  # stretches of a run over which its gap is averaged
DRAWS = (1, 2, 4, 8, 16, 32, 64, 128)
PROCESSED = DRAWS[2:-1]  # with Algorithm 2: twice as many draws are there, too
TIMES = np.unique(np.geomspace(10, 400, 25).astype(int))
COSTS = np.geomspace(1e3, 3e7, 60)
COUNTINGS = ("distinct pairs", "every evaluation")
TESTS = 3000

GAUSS = Recipe(
    data="gauss",
    data_params={"n": 1200},
    solver="incremental",
    steps=1200,
    params={"algorithm": "Algorithm 1", "K": 10, "kernel": kernels.rbf(1.0)},
).checked()
BOARD = Recipe(
    data="checkerboard",
    data_params={"n": 2000},
    solver="incremental",
    steps=400,
    params={"algorithm": "Algorithm 1", "C": 100.0, "kernel": kernels.rbf(4.0)},
).checked()

FIGURE_2 = {
    f"{name}, K = {K}": GAUSS.with_params(algorithm=name, K=K)
    for name, K in (
        ("Algorithm 1", 5),
        ("Algorithm 1", 10),
        ("Algorithm 1", 20),
        ("Algorithm 2", 10),
    )
}
FIGURE_3 = {teacher: GAUSS.with_params(teacher=teacher) for teacher in ("random", "active")}
FIGURE_4 = {f"K = {K}": GAUSS.with_params(K=K) for K in DRAWS} | {
    f"Algorithm 2, K = {K}": GAUSS.with_params(algorithm="Algorithm 2", K=K) for K in PROCESSED
}
FIGURE_5 = {
    f"{teacher}, K = {K}": BOARD.with_params(teacher=teacher, K=K)
    for teacher in ("random", "active")
    for K in (10, 100)
}
FIGURE_6 = FIGURE_5 | {"batch": replace(BOARD.with_params(algorithm="batch", K=10), steps=400)}


class Lemma(NamedTuple):
    """Figure 1 at one alpha, or at many: one example x = 1, y = 1."""

    gap: np.ndarray
    bound: np.ndarray  # C mu(Delta), not divided by C
    suboptimality: np.ndarray  # of the primal


def lemma(alpha, C: float) -> Lemma:
    """Gap, bound and primal suboptimality of a single example.

    >>> [values.round(4).tolist() for values in lemma([0.2, 0.7], C=0.7)]
    [[0.4, 0.0], [0.7941, 0.0], [0.125, 0.0]]
    """
    alpha = np.atleast_1d(np.asarray(alpha, float))
    one = np.ones_like(alpha)
    gap = bounds.gap_shares(one, alpha, alpha, C)
    gain = np.maximum(0.0, bounds.gains(one, alpha, alpha, C, one))
    best = min(1.0, C)
    primal = alpha**2 / 2 + C * np.maximum(0.0, 1.0 - alpha)
    return Lemma(gap, C * bounds.mu(gain, C), primal - (best**2 / 2 + C * (1.0 - best)))


def gap_curve(recipe: Recipe) -> np.ndarray:
    """The normalised gap, averaged over stretches of the run."""
    return np.array(
        [part.mean() for part in np.array_split(recipe.trace().scalars["gap"][1:], BLOCKS)]
    )


def places(steps: int) -> np.ndarray:
    """The middle of each stretch."""
    return np.array([part.mean() for part in np.array_split(np.arange(1, steps + 1), BLOCKS)])


def mean_gap(recipe: Recipe) -> np.ndarray:
    """Of what is put out, the average of a round, and of its last alpha."""
    own = recipe.trace().scalars
    return np.array([own["gap"][1:].mean(), own["gap_last"][1:].mean()])


def slope(Ks, gaps) -> float:
    """Of the line through the gaps on log axes."""
    return float(np.polyfit(np.log(Ks), np.log(gaps), 1)[0])


def fresh(recipe: Recipe):
    return plane.checkerboard(n=TESTS, seed=1000 + recipe.seed)


def data_of(recipe: Recipe) -> Recipe:
    """Another seed draws other examples too."""
    return replace(recipe, data_params=dict(recipe.data_params) | {"seed": recipe.seed})


def error_curve(recipe: Recipe) -> np.ndarray:
    """Test error of what is put out, after so many examples."""
    return metrics.error_on(data_of(recipe).trace(), fresh(recipe), TIMES)


def cost_curve(recipe: Recipe) -> np.ndarray:
    """(2, costs) test error at equal cost, counted in both ways; NaN before the first look and
    after the end.
    """
    trace = data_of(recipe).trace()
    times = np.unique(np.geomspace(1, trace.steps, 40).astype(int))
    error, out = metrics.error_on(trace, fresh(recipe), times), np.full((2, COSTS.size), np.nan)
    for row, spent in enumerate((trace.scalars["pairs"], trace.metrics["kernel_evals"])):
        at = np.searchsorted(spent[times], COSTS, side="right") - 1
        known = (at >= 0) & (COSTS <= spent[-1] * 1.3)
        out[row, known] = error[at[known]]
    return out
