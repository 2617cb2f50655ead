"""Figures 2 and 3 of the SBP paper and its comparison with LIBSVM as experiments, on every data
set.
"""

from functools import partial

import numpy as np

from svmviz.papers.evidence import costs
from svmviz.papers.evidence.experiment import Experiment, Keep, Results, Tasks
from svmviz.papers.evidence.verdicts import Found
from svmviz.papers.sbp import datasets, figures, verdicts
from svmviz.papers.sbp.datasets import Setting
from svmviz.papers.sbp.figures import FRACTIONS, ITERATES, RIVALS, WITHOUT_CHANCE

SEEDS = 10
PAIRS = tuple(2**j for j in range(11))
TIMED = frozenset({"seconds", "step", "steps", "sbp"})  # SBP runs for as long as LIBSVM took
CODE = (
    "solvers/sbp",
    "solvers/pegasos",
    "solvers/sdca",
    "solvers/smo",
    "solvers/perceptron.py",
    "papers/sbp/figures.py",
    "papers/sbp/datasets.py",
)


def data_of(setting: Setting) -> str:
    which = "the first " if setting.recipe is None else ""
    return f"{setting.title}, {which}{setting.rows} rows, σ² = {1 / (2 * setting.gamma):g}, λ = 1/n"


def folder_of(setting: Setting) -> str:
    return setting.key if setting.recipe is None else ""


def ready(setting: Setting, keep: Keep) -> figures.Prepared:
    """The Gram matrix is computed where it is first needed."""
    return keep(f"sbp {setting.key} {setting.rows}", partial(figures.prepare, setting))


def facts(setting: Setting, keep: Keep) -> Tasks:
    return {"facts": lambda: figures.facts(ready(setting, keep))}


def figure_2(setting: Setting) -> Experiment:
    def each(seed: int, keep: Keep) -> Tasks:
        return {
            solver: lambda solver=solver: figures.run(ready(setting, keep), solver, seed)
            for solver in RIVALS
            if seed == 0 or solver not in WITHOUT_CHANCE
        }

    return Experiment(
        f"sbp.figure2.{setting.key}",
        f"{data_of(setting)}, no bias, ten passes",
        each,
        on_rivals,
        SEEDS,
        shared=partial(facts, setting),
        kinds=(figures.Facts, figures.Curve),
        code=CODE,
        folder=folder_of(setting),
        sized=lambda rows: figure_2(setting._replace(rows=rows)),
    )


def first_pass(results: Results, solver: str, counting: str) -> float:
    return float(np.median([curve.first_pass[counting] for curve in results.of(solver)]))


def errors(results: Results, solver: str, iterate: str, counting: str) -> list[np.ndarray]:
    return [curve.error[iterate, counting] for curve in results.of(solver)]


def on_rivals(results: Results, iterate: str = "average", counting: str = "kept") -> Found:
    known = results.one("facts")
    return verdicts.on_rivals(
        known.grid,
        {
            name: costs.held(errors(results, solver, iterate, counting))
            for solver, name in RIVALS.items()
        },
        known.best,
        {name: first_pass(results, solver, counting) for solver, name in RIVALS.items()},
        known.unproven,
    )


def figure_3(setting: Setting) -> Experiment:
    def each(seed: int, keep: Keep) -> Tasks:
        maps = {
            f"{k} pairs": lambda k=k: figures.fourier_error(ready(setting, keep), k, seed)
            for k in PAIRS
        }
        return {"sbp": lambda: figures.run(ready(setting, keep), "sbp", seed)} | maps

    return Experiment(
        f"sbp.figure3.{setting.key}",
        data_of(setting),
        each,
        partial(on_fourier, setting),
        SEEDS,
        shared=partial(facts, setting),
        kinds=(figures.Facts, figures.Curve),
        folder=folder_of(setting),
        sized=lambda rows: figure_3(setting._replace(rows=rows)),
        code=(
            "solvers/sbp",
            "solvers/fourier.py",
            "papers/sbp/figures.py",
            "papers/sbp/datasets.py",
        ),
    )


def fourier(results: Results) -> np.ndarray:
    """(seeds, pairs)"""
    return np.column_stack([results.table(f"{k} pairs") for k in pairs(results)])


def pairs(results: Results) -> tuple[int, ...]:
    return tuple(
        int(label.removesuffix(" pairs")) for label in results.labels if label.endswith(" pairs")
    )


def on_fourier(setting: Setting, results: Results) -> Found:
    known = results.one("facts")
    return verdicts.on_fourier(
        known.grid,
        costs.held(errors(results, "sbp", "average", "kept")),
        pairs(results),
        fourier(results),
        known.n,
        known.best,
        "Adult" not in setting.paper,
        known.unproven,
    )


def timing(setting: Setting) -> Experiment:
    def each(seed: int, keep: Keep) -> Tasks:
        return {"timed": partial(figures.against_libsvm, setting, seed=seed)}

    words = (
        f"{setting.title}, {setting.rows} rows, with bias, γ = {setting.bias_gamma:g}, C ="
        f" {setting.bias_C:g}"
    )
    return Experiment(
        f"sbp.libsvm.{setting.key}",
        words,
        each,
        on_libsvm,
        SEEDS,
        kinds=(figures.Timed,),
        code=("solvers/sbp", "papers/sbp/figures.py", "papers/sbp/datasets.py"),
        folder=folder_of(setting),
        sized=lambda rows: timing(setting._replace(rows=rows)),
        clocks=TIMED,
    )


def on_libsvm(results: Results) -> Found:
    found = results.of("timed")
    quarter = int(np.searchsorted(FRACTIONS, 0.25))
    tables = {iterate: np.array([run.sbp[iterate] for run in found]) for iterate in ITERATES}
    return verdicts.on_libsvm(
        float(np.median([run.seconds for run in found])),
        [run.error for run in found],
        {name: table[:, quarter] for name, table in tables.items()},
        {name: table[:, -1] for name, table in tables.items()},
    )


def every() -> tuple[Setting, ...]:
    """All data sets that the paper's page knows, whether they are there or not."""
    return (*datasets.PAPER, *datasets.STAND_INS)


EXPERIMENTS = tuple(make(setting) for setting in every() for make in (figure_2, figure_3, timing))
