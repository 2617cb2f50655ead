"""Figures 7 and 8 of the Pegasos paper: suboptimality after equal work, by mini-batch and by how
examples are drawn.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from svmviz.data.plane import Dataset
from svmviz.maths import sampling
from svmviz.papers.evidence.experiment import Experiment, Keep, Tasks, known_as
from svmviz.papers.evidence.recipes import runs_of
from svmviz.papers.pegasos import verdicts
from svmviz.run.recipe import LAST, Recipe
from svmviz.theory import reference

PASSES, LEAST, LOOKS = 40, 2, 30
BATCHES = (1, 5, 20, 80)
BASE = Recipe(
    data="gauss", data_params={"n": 400}, params={"lam": 0.01}, steps=PASSES * 400, seed=0
).checked()
GAUSS = "Gauss mixture, 400 points, λ = 0.01"
CODE = ("solvers/pegasos", "papers/pegasos/experiments.py")


def schemes(base: Recipe = BASE) -> dict[str, Recipe]:
    return {scheme: base.with_params(sampling=scheme) for scheme in sampling.SCHEMES}


def batches(base: Recipe = BASE) -> dict[str, Recipe]:
    n = base.problem().n
    return {
        f"k = {k}": replace(base.with_params(k=k), steps=base.steps // k) for k in BATCHES if k <= n
    }


def on_file(key: str, file: Dataset) -> Recipe:
    """The base of both figures on a visitor's own points, for as many passes as a run may make."""
    recipe = BASE.with_data(key, file)
    n = recipe.problem().n
    passes = min(PASSES, min(LAST, recipe.most_steps()) // n)
    if passes < LEAST:
        raise ValueError(f"{LEAST} passes over {n} points are more than a page can afford")
    return replace(recipe, steps=passes * n)


def passes(base: Recipe) -> np.ndarray:
    """Over the data, after which one looks."""
    return np.geomspace(1, base.steps / base.problem().n, LOOKS)


def experiment(figure: str, recipes: Mapping[str, Recipe], judge, data: str = GAUSS) -> Experiment:
    key, base = f"pegasos.{figure}", next(iter(recipes.values()))
    base = replace(base, steps=base.steps * base.params["k"])

    def optimum(keep: Keep) -> float:
        return keep(
            known_as(key, "optimum"),
            lambda: reference.optimum(base.problem(), base.params["lam"]).primal,
        )

    def suboptimality(keep: Keep, recipe: Recipe) -> np.ndarray:
        """P(w) − P* of the last iterate after each number of passes over the data."""
        trace = recipe.trace()
        steps = np.searchsorted(
            trace.metrics["examples"], np.round(passes(base) * base.problem().n)
        )
        return trace.metrics["primal"][np.minimum(steps, recipe.steps)] - optimum(keep)

    def shared(keep: Keep) -> Tasks:
        return {"passes": partial(passes, base), "optimum": partial(optimum, keep)}

    def each(seed: int, keep: Keep) -> Tasks:
        return runs_of(recipes, seed, partial(suboptimality, keep))

    return Experiment(
        key, data, each, lambda results: judge(results.tables()), shared=shared, code=CODE
    )


def sampled(recipes: Mapping[str, Recipe], data: str = GAUSS) -> Experiment:
    return experiment("figure8", recipes, verdicts.on_sampling, data)


def batched(recipes: Mapping[str, Recipe], data: str = GAUSS) -> Experiment:
    return experiment("figure7", recipes, verdicts.on_batches, data)


FIGURE_7, FIGURE_8 = batched(batches()), sampled(schemes())
EXPERIMENTS = (FIGURE_7, FIGURE_8)
