"""Figure 1 of the SIMBA paper: test error over features read, for SIMBA, Pegasos and the
Perceptron.

Each has its parameter tuned on the test rows, as in the paper, with one seed that is not used
again. SIMBA predicts by its averaged w, Pegasos and the Perceptron by their last. Features are
counted alike for all three (`simba.learn`): stored entries of the rows and columns read; "cells"
counts a row as d and a column as n, as random access to a full matrix would.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.data.problem import Problem, make_problem
from svmviz.maths import sampling
from svmviz.maths.matrix import entries
from svmviz.papers.simba.datasets import Setting, generated
from svmviz.run.recipe import Recipe
from svmviz.solvers.simba import learn

NAMES = {"simba": "SIMBA", "pegasos": "Pegasos", "perceptron": "Perceptron"}
KNOB = {"simba": "nu", "pegasos": "lam"}
POINTS, TUNING_SEED = 30, 1000
COUNTINGS = ("entries", "cells")


class Ready(NamedTuple):
    """A setting with its rows read."""

    setting: Setting
    problem: Problem
    Z: np.ndarray
    z: np.ndarray


class Size(NamedTuple):
    """What there is to read."""

    n: int
    d: int
    entries: int


class Curve(NamedTuple):
    """One run: the error after so many steps, and what had been read by then."""

    steps: np.ndarray
    entries: np.ndarray
    error: np.ndarray


def prepare(setting: Setting, tests: int | None = None) -> Ready:
    X, y, Z, z = setting.load()
    problem = make_problem(X, y)
    Z = Z[:tests] if tests else Z
    return Ready(
        setting,
        problem,
        sp.csr_array(Z) if sp.issparse(Z) else Z,
        np.where(z > 0, 1.0, -1.0)[:tests],
    )


def steps_for(ready: Ready, solver: str, reads: float) -> int:
    """About how many steps that many entries are worth."""
    X = ready.problem.X
    each = (X.nnz if sp.issparse(X) else X.size) / ready.problem.n
    if (
        solver == "simba"
    ):  # a column is drawn by w², so a column has about as many entries as the squared ones say
        weight = (
            np.asarray(X.multiply(X).sum(axis=0)).ravel() if sp.issparse(X) else (X * X).sum(axis=0)
        )
        filled = (
            np.diff(sp.csc_array(X).indptr) if sp.issparse(X) else np.full(X.shape[1], X.shape[0])
        )
        each += float(weight @ filled / weight.sum())
    return max(20, int(reads / each))


def curve(
    ready: Ready, solver: str, value: float | None, seed: int, reads: float | None = None, **given
) -> Curve:
    """A run with this ν or λ, and with other parameters where they are given."""
    last = steps_for(ready, solver, reads or ready.setting.reads)
    times = np.unique(np.geomspace(1, last, POINTS).astype(int)).tolist()
    params = given if value is None else given | {KNOB[solver]: value}
    run = learn.LEARNERS[solver](ready.problem, params, times, seed)
    if sp.issparse(ready.Z):  # many features: one w at a time
        return Curve(
            *map(
                np.array,
                zip(*((s.t, s.reads, s.error(ready.Z, ready.z)) for s in run), strict=True),
            )
        )
    steps, reads, w, b = map(
        np.array, zip(*((s.t, s.reads, s.w.copy(), s.b) for s in run), strict=True)
    )
    return Curve(steps, reads, ((ready.Z @ w.T + b >= 0) != (ready.z > 0)[:, None]).mean(axis=0))


def choices(setting: Setting, solver: str) -> tuple:
    return {"simba": setting.nus, "pegasos": setting.lams}.get(solver, (None,))


def score(run: Curve) -> float:
    """What tuning looks at: the mean error of the last third of the looks."""
    return float(run.error[-len(run.error) // 3 :].mean())


def tuned(ready: Ready, solver: str) -> float | None:
    """The parameter with the lowest test error."""
    options = choices(ready.setting, solver)
    return (
        options[0]
        if len(options) == 1
        else min(options, key=lambda v: score(curve(ready, solver, v, TUNING_SEED)))
    )


def size_of(ready: Ready) -> Size:
    return Size(ready.problem.n, ready.problem.d, int(entries(ready.problem.X)))


def cost(size: Size, solver: str, run: Curve, counting: str) -> np.ndarray:
    """What a run has read at each look, in this way of counting."""
    if counting == "entries":
        return run.entries.astype(float)
    return run.steps * float(size.d + (size.n if solver == "simba" else 0))


def whole(size: Size, counting: str) -> float:
    """What there is to read, in this way of counting."""
    return float(size.entries) if counting == "entries" else float(size.n * size.d)


def on_grid(
    size: Size, solver: str, runs: list[Curve], counting: str, grid: np.ndarray
) -> np.ndarray:
    """(runs, grid) errors, in between two looks on the straight line over log cost; NaN before the
    first and after the last.
    """
    out = np.full((len(runs), grid.size), np.nan)
    for row, run in zip(out, runs, strict=True):
        x = cost(size, solver, run, counting)
        row[:] = np.where(
            (grid >= x[0] * 0.999) & (grid <= x[-1] * 1.3),
            np.interp(np.log(grid), np.log(x), run.error),
            np.nan,
        )
    return out


def grid_of(
    size: Size, curves: dict[str, list[Curve]], counting: str, points: int = 60
) -> np.ndarray:
    ends = [
        cost(size, solver, run, counting)[[0, -1]]
        for solver, runs in curves.items()
        for run in runs
    ]
    return np.geomspace(max(1.0, min(e[0] for e in ends)), max(e[1] for e in ends), points)


def on_fresh_tables(
    setting: Setting, make, given: Mapping, seeds
) -> dict[str, list[tuple[str, np.ndarray, np.ndarray]]]:
    """(how, grid, errors) of every ν, λ and order of rows by solver; a row of errors for each
    table, which is run once.
    """
    ways = {
        "simba": [(nu, {}) for nu in setting.nus],
        "perceptron": [(None, {})],
        "pegasos": [
            (lam, {"sampling": order}) for lam in setting.lams for order in sampling.SCHEMES[:2]
        ],
    }
    tables = [
        prepare(setting._replace(load=generated(make, dict(given) | {"seed": seed})))
        for seed in seeds
    ]
    out = {}
    for solver, name in NAMES.items():
        out[name] = []
        for value, more in ways[solver]:
            runs = [
                curve(ready, solver, value, seed, **more)
                for ready, seed in zip(tables, seeds, strict=True)
            ]
            size = size_of(tables[0])
            grid = grid_of(size, {solver: runs}, "entries", 200)
            errors = on_grid(size, solver, runs, "entries", grid)
            how = ", ".join(
                [*(f"{KNOB[solver]} = {v:g}" for v in [value] if v is not None), *more.values()]
            )
            out[name].append((how, grid, errors))
    return out


def recipes(setting: Setting, values: dict[str, float | None]) -> dict[str, Recipe]:
    """The runs as the Playground makes them, where it can."""
    if setting.recipe is None:
        return {}
    given = {
        solver: {} if value is None else {KNOB[solver]: value} for solver, value in values.items()
    }
    return {
        NAMES[solver]: Recipe(**setting.recipe, solver=solver, params=params, steps=120).checked()
        for solver, params in given.items()
    }
