"""The figures of the paper on approximate incremental SVMs as numbers, and what they say about its claims."""

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

GAUSS = Recipe(data="gauss", data_params={"n": 1200}, solver="incremental", steps=1200,
               params={"algorithm": "Algorithm 1", "K": 10, "kernel": kernels.rbf(1.0)}).checked()
BOARD = Recipe(data="checkerboard", data_params={"n": 2000}, solver="incremental", steps=400,
               params={"algorithm": "Algorithm 1", "C": 100.0, "kernel": kernels.rbf(4.0)}).checked()

FIGURE_2 = {f"{name}, K = {K}": GAUSS.with_params(algorithm=name, K=K)
            for name, K in (("Algorithm 1", 5), ("Algorithm 1", 10), ("Algorithm 1", 20), ("Algorithm 2", 10))}
FIGURE_3 = {teacher: GAUSS.with_params(teacher=teacher) for teacher in ("random", "active")}
FIGURE_4 = ({f"K = {K}": GAUSS.with_params(K=K) for K in DRAWS}
            | {f"Algorithm 2, K = {K}": GAUSS.with_params(algorithm="Algorithm 2", K=K) for K in PROCESSED})
FIGURE_5 = {f"{teacher}, K = {K}": BOARD.with_params(teacher=teacher, K=K)
            for teacher in ("random", "active") for K in (10, 100)}
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
    return np.array([part.mean() for part in np.array_split(recipe.trace().scalars["gap"][1:], BLOCKS)])


def places(steps: int) -> np.ndarray:
    """The middle of each stretch."""
    return np.array([part.mean() for part in np.array_split(np.arange(1, steps + 1), BLOCKS)])


def mean_gap(recipe: Recipe) -> np.ndarray:
    """Of what is put out, the average of a round, and of its last alpha."""
    own = recipe.trace().scalars
    return np.array([own["gap"][1:].mean(), own["gap_last"][1:].mean()])


def worth(runs) -> np.ndarray:
    """(2, K) the gap of Algorithm 2 with K in units of that of Algorithm 1 with 2K, averaged and at the last alpha."""
    return np.transpose([np.median(runs[f"Algorithm 2, K = {K}"], axis=0) / np.median(runs[f"K = {2 * K}"], axis=0)
                         for K in PROCESSED])


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
    """(2, costs) test error at equal cost, counted in both ways; NaN before the first look and after the end."""
    trace = data_of(recipe).trace()
    times = np.unique(np.geomspace(1, trace.steps, 40).astype(int))
    error, out = metrics.error_on(trace, fresh(recipe), times), np.full((2, COSTS.size), np.nan)
    for row, spent in enumerate((trace.scalars["pairs"], trace.metrics["kernel_evals"])):
        at = np.searchsorted(spent[times], COSTS, side="right") - 1
        known = (at >= 0) & (COSTS <= spent[-1] * 1.3)
        out[row, known] = error[at[known]]
    return out


def middle(runs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: np.median(values, axis=0) for name, values in runs.items()}


def sign(differences: np.ndarray) -> int:
    """1 or -1 where nine of ten seeds agree on it, 0 where they do not: then it cannot be told"""
    return int(np.quantile(differences, 0.1) > 0) - int(np.quantile(differences, 0.9) < 0)


def parts_of(values: np.ndarray, many: int) -> np.ndarray:
    """(seeds, many) means of so many equal parts of the curves, the first examples included"""
    return np.column_stack([part.mean(axis=1) for part in np.array_split(values, many, axis=1)])


def on_figure_2(runs) -> str:
    halves = {name: parts_of(values, 2) for name, values in runs.items()}
    moves = {name: sign(half[:, 1] - half[:, 0]) for name, half in halves.items()}
    moved = [f"{'rises' if moves[name] > 0 else 'falls'} from {half[0]:.3g} to {half[1]:.3g} for {name}"
             for name, half in ((name, np.median(both, axis=0)) for name, both in halves.items()) if moves[name]]
    still = [name for name, move in moves.items() if not move]
    flat = (("From the first half to the second the gap " + ", ".join(moved) if moved else "The gap stays where it is")
            + (f"; no change can be told for {', '.join(still)}" if moved and still else "") + ". ")
    two, twenty, ten = (runs[name] for name in ("Algorithm 2, K = 10", "Algorithm 1, K = 20", "Algorithm 1, K = 10"))
    means, ends = two.mean(axis=1) - twenty.mean(axis=1), (parts_of(two, 6) - parts_of(twenty, 6))[:, -1]
    words = {-1: "lower than", 0: "not to be told from", 1: "higher than"}
    one, more, other = (float(np.median(values.mean(axis=1))) for values in (ten, twenty, two))
    return (f"{flat}Mean gap {one:.3g} for Algorithm 1 with K = 10, {more:.3g} with K = 20, and {other:.3g} for Algorithm 2 "
            f"with K = 10: {words[sign(means)]} Algorithm 1 with 20, and in the last sixth {words[sign(ends)]} it.")


def on_figure_3(runs) -> str:
    thirds, chance = parts_of(runs["active"], 3), np.median(parts_of(runs["random"], 3), axis=0)
    steps, whole = [sign(thirds[:, k + 1] - thirds[:, k]) for k in range(2)], sign(thirds[:, 2] - thirds[:, 0])
    words = ("it falls regularly, as published" if steps == [-1, -1] else
             "it ends lower than it began, but does not fall regularly" if whole < 0 else
             "it grows, not as published" if whole > 0 else "whether it falls cannot be told")
    return ("From one third to the next the gap goes " + ", ".join(f"{value:.3g}" for value in np.median(thirds, axis=0))
            + " with the active teacher and " + ", ".join(f"{value:.3g}" for value in chance) + f" with chance: {words}.")


def on_figure_4(runs) -> str:
    found = slope(DRAWS[2:], [float(np.median(runs[f"K = {K}"][:, 0])) for K in DRAWS[2:]])
    near = "nearer to −1 than to −1/2" if found < -0.75 else "nearer to −1/2 than to −1"
    (few, *_, many), (few_last, *_, many_last) = worth(runs)
    return (f"Over K = {DRAWS[2]} to {DRAWS[-1]} the slope is {found:.2f}, {near}. Algorithm 2 with K has {few:.2f} times the "
            f"gap of Algorithm 1 with 2K at K = {DRAWS[2]}, {many:.2f} times at K = {DRAWS[-2]}; at the last α of each round, "
            f"which is not averaged, {few_last:.2f} and {many_last:.2f} times. PROCESS is worth a number of draws that does "
            "not grow with K, and an average over more draws is smoother.").replace("-", "−")


def on_figure_5(runs) -> str:
    end = {name: float(np.median(values[:, -1])) for name, values in runs.items()}
    better = end["random, K = 100"] / max(end["active, K = 100"], 1e-9)
    return (f"After {TIMES[-1]} examples chance has {end['random, K = 100']:.1%} errors with K = 100 and active selection "
            f"{end['active, K = 100']:.1%}: {better:.1f} times fewer. With K = 10 it is {end['random, K = 10']:.1%} against "
            f"{end['active, K = 10']:.1%}.")


def on_figure_6(runs, row: int) -> str:
    """The cost at which each median first gets below a tenth."""
    cost = {}
    for name, values in runs.items():
        hit = np.flatnonzero(np.nan_to_num(np.median(values[:, row], axis=0), nan=1.0) <= 0.1)
        cost[name] = float(COSTS[hit[0]]) if hit.size else np.inf
    listed = ", ".join(f"{name} {at:.1e}" if np.isfinite(at) else f"{name} never gets there" for name, at in cost.items())
    chance = min(at for name, at in cost.items() if name.startswith("random"))
    active = min(at for name, at in cost.items() if name.startswith("active"))
    batch = "less than" if chance < cost["batch"] else "no less than"
    looks = "less than chance" if active < chance else "more than chance, because what the teacher looks at is counted"
    return (f"10 % errors take ({COUNTINGS[row]}): {listed}. The incremental algorithm needs {batch} its batch counterpart; "
            f"active selection takes {looks}.")
