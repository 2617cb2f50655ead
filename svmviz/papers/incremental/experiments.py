"""Table 1 and Figures 2 to 6 of the paper on approximate incremental SVMs as experiments."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from svmviz.data.plane import Dataset
from svmviz.papers.evidence.experiment import Experiment, Keep, Tasks
from svmviz.papers.evidence.recipes import runs_of
from svmviz.papers.evidence.verdicts import Found
from svmviz.papers.incremental import figures, table, verdicts
from svmviz.run.recipe import Recipe
from svmviz.work.words import count

GAUSS = "Gauss mixture, 1200 points, C = 1, Gaussian kernel with γ = 1"
BOARD = f"Checkerboard, 2000 points, C = 100, γ = 4, tested on {figures.TESTS} fresh points"
CODE = ("solvers/incremental", "papers/incremental/figures.py")
LEAST = 2 * figures.BLOCKS  # points of a file
PASSES = 3


def experiment(
    figure: str,
    recipes: Mapping[str, Recipe],
    measure: Callable[[Recipe], np.ndarray],
    judge: Callable[[Mapping[str, np.ndarray]], Found],
    data: str,
) -> Experiment:
    steps = next(iter(recipes.values())).steps

    def each(seed: int, keep: Keep) -> Tasks:
        return runs_of(recipes, seed, measure)

    def shared(keep: Keep) -> Tasks:
        return {"examples": partial(figures.places, steps)}

    return Experiment(
        f"incremental.{figure}",
        data,
        each,
        lambda results: judge(results.tables()),
        shared=shared,
        code=CODE,
    )


def figure_2(recipes: Mapping[str, Recipe] = figures.FIGURE_2, data: str = GAUSS) -> Experiment:
    return experiment("figure2", recipes, figures.gap_curve, verdicts.on_figure_2, data)


def figure_3(
    recipes: Mapping[str, Recipe] = figures.FIGURE_3, data: str = f"{GAUSS}, K = 10, pool of 50"
) -> Experiment:
    return experiment("figure3", recipes, figures.gap_curve, verdicts.on_figure_3, data)


def figure_4(
    recipes: Mapping[str, Recipe] = figures.FIGURE_4,
    data: str = f"{GAUSS}, fitted over K = {figures.DRAWS[2]} to {figures.DRAWS[-1]}",
) -> Experiment:
    return experiment("figure4", recipes, figures.mean_gap, verdicts.on_figure_4, data)


def figure_5() -> Experiment:
    return experiment("figure5", figures.FIGURE_5, figures.error_curve, verdicts.on_figure_5, BOARD)


def figure_6() -> Experiment:
    return experiment(
        "figure6",
        figures.FIGURE_6,
        figures.cost_curve,
        lambda found: verdicts.on_figure_6(found, 0),
        f"{BOARD}; the teacher's looks are counted",
    )


def table_1() -> Experiment:
    """Rows and features of the files belong to no seed, a pass over rows by chance to one."""

    def loaded(name: str, keep: Keep) -> tuple:
        return keep(("incremental.table1", name), table.LOAD[name])

    def counted(name: str, keep: Keep) -> table.Counted:
        return table.counted(loaded(name, keep))

    def passed(name: str, seed: int, keep: Keep) -> table.Passed:
        return table.passed(name, loaded(name, keep), seed)

    return Experiment(
        "incremental.table1",
        f"Adult and MNIST, one pass over {count(table.MOST)} rows each with K = {table.DRAWS}",
        lambda seed, keep: {
            f"{name}, one pass": partial(passed, name, seed, keep) for name in table.TABLE
        },
        verdicts.on_table_1,
        PASSES,
        lambda keep: {f"{name}, counted": partial(counted, name, keep) for name in table.TABLE},
        (table.Counted, table.Passed),
        ("solvers/incremental", "papers/incremental/table.py", "papers/sbp/datasets.py"),
        ", ".join(table.TABLE),
    )


def on_file(recipes: Mapping[str, Recipe], key: str, file: Dataset) -> dict[str, Recipe]:
    """Runs over a visitor's own points, each of which arrives once, as far as a page can afford
    it.
    """
    moved = {label: recipe.with_data(key, file) for label, recipe in recipes.items()}
    steps = min(min(recipe.problem().n, recipe.most_steps()) for recipe in moved.values())
    if steps < LEAST:
        raise ValueError(f"the figure needs runs over {LEAST} points, and {steps} can be run")
    return {label: replace(recipe, steps=steps) for label, recipe in moved.items()}


EXPERIMENTS = (table_1(), figure_2(), figure_3(), figure_4(), figure_5(), figure_6())
