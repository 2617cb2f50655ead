"""Figure 1 of the SIMBA paper as an experiment, on every data set. ν and λ are tuned once, before
the runs that are shown.
"""

from functools import partial

import numpy as np

from svmviz.papers.evidence.experiment import Experiment, Keep, Results, Tasks, known_as
from svmviz.papers.evidence.verdicts import Found
from svmviz.papers.simba import datasets as sets
from svmviz.papers.simba import figures, verdicts
from svmviz.papers.simba.datasets import Setting

TESTS = 4000
SEEDS = {
    "news20_bydate": 6,
    "reuters_money_fx": 6,
}  # where a run takes long; else ten, as in the paper
CODE = (
    "solvers/simba",
    "solvers/pegasos",
    "solvers/perceptron.py",
    "papers/simba/figures.py",
    "papers/simba/datasets.py",
)


def figure_1(setting: Setting) -> Experiment:
    key = f"simba.figure1.{setting.key}"

    def ready(keep: Keep) -> figures.Ready:
        return keep(f"simba {setting.key}", partial(figures.prepare, setting, TESTS))

    def tuned(keep: Keep, solver: str) -> float | None:
        return keep(known_as(key, f"tuned {solver}"), lambda: figures.tuned(ready(keep), solver))

    def shared(keep: Keep) -> Tasks:
        return {"size": lambda: figures.size_of(ready(keep))} | {
            f"tuned {solver}": partial(tuned, keep, solver) for solver in figures.NAMES
        }

    def each(seed: int, keep: Keep) -> Tasks:
        return {
            solver: lambda solver=solver: figures.curve(
                ready(keep), solver, tuned(keep, solver), seed
            )
            for solver in figures.NAMES
        }

    return Experiment(
        key,
        setting.title,
        each,
        on_reads,
        SEEDS.get(setting.key, 10),
        shared,
        (figures.Size, figures.Curve),
        CODE,
        setting.key if setting.recipe is None else "",
    )


def values(results: Results) -> dict[str, float | None]:
    """ν of SIMBA, λ of Pegasos."""
    return {solver: results.one(f"tuned {solver}") for solver in figures.NAMES}


def tables(results: Results, counting: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Costs, and (seeds, costs) errors by solver."""
    size, curves = results.one("size"), {solver: results.of(solver) for solver in figures.NAMES}
    grid = figures.grid_of(size, curves, counting)
    return grid, {
        solver: figures.on_grid(size, solver, runs, counting, grid)
        for solver, runs in curves.items()
    }


def on_reads(results: Results, counting: str = "entries") -> Found:
    grid, found = tables(results, counting)
    return verdicts.on_figure_1(
        grid,
        {figures.NAMES[solver]: table for solver, table in found.items()},
        figures.whole(results.one("size"), counting),
    )


def every() -> tuple[Setting, ...]:
    """All data sets that the paper's page knows, whether they are there or not."""
    return (*sets.PAPER, *sets.GENERATED)


EXPERIMENTS = tuple(map(figure_1, every()))
