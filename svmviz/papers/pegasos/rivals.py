"""Figures 4 and 5 and Tables 1 and 2 of the Pegasos paper: rivals on linear and on kernel SVMs over
what they cost.

The paper has seconds; here inner products are counted, which no machine has a say in: a margin
costs one where w is a vector, a kernel value costs one, a cutting plane a pass over the data.
SVM-Light is an SMO here, whose step costs n kernel values. What each makes of a second is measured
by itself (`pegasos_throughput`).
"""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from svmviz.papers.evidence.experiment import Experiment, Keep, Results, Tasks, known_as
from svmviz.papers.evidence.verdicts import Found
from svmviz.papers.pegasos import runs, verdicts
from svmviz.papers.pegasos.datasets import KERNEL, LINEAR, Setting
from svmviz.papers.pegasos.runs import Least, Ready, Worth
from svmviz.papers.pegasos.section7 import CODE, ready, short
from svmviz.papers.rivals import cutting_planes, lasvm

SEEDS, LOOKS = 10, 30
PASSES = {True: 100, False: 10}  # of Pegasos and SDCA, without and with a kernel
ROUNDS = 150  # cutting planes at most
LASVM_PASSES = 2  # over the data, before it finishes
PEGASOS, SDCA, PERF, LIGHT, LASVM = "Pegasos", "SDCA", "cutting planes", "SMO", "LASVM"
RUN_BY = {
    PEGASOS: ("pegasos", {}),
    SDCA: ("sdca", {}),
    LIGHT: ("smo", {"bias": False}),
}  # solvers, and what they are given
TITLES = {
    PEGASOS: PEGASOS,
    SDCA: SDCA,
    PERF: "SVM-Perf: cutting planes",
    LIGHT: "SVM-Light: SMO",
    LASVM: LASVM,
}
# Tables 1 and 2: seconds and test error in percent by rival, then that of the optimum
PUBLISHED = {
    "documents": (
        {PEGASOS: (0.04, 3.56), SDCA: (0.03, 3.49), PERF: (0.1, 3.39), LASVM: (54, 3.65)},
        3.36,
    ),
    "rcv1_ccat_small": (
        {PEGASOS: (0.16, 6.16), SDCA: (0.36, 6.57), PERF: (3.6, 5.93), LASVM: (18000, np.nan)},
        6.03,
    ),
    "covtype": (
        {PEGASOS: (0.32, 23.2), SDCA: (0.20, 22.9), PERF: (4.2, 23.9), LASVM: (210, 23.8)},
        22.6,
    ),
    "reuters_money_fx": (
        {PEGASOS: (15, 2.91), SDCA: (13, 3.15), LIGHT: (4.1, 2.82), LASVM: (4.7, 3.03)},
        2.88,
    ),
    "a9a": (
        {PEGASOS: (30, 15.5), SDCA: (4.8, 15.5), LIGHT: (59, 15.1), LASVM: (1.5, 15.6)},
        14.9,
    ),
    "usps": (
        {PEGASOS: (120, 0.457), SDCA: (21, 0.508), LIGHT: (3.3, 0.457), LASVM: (1.8, 0.457)},
        0.457,
    ),
    "mnist": (
        {PEGASOS: (4200, 0.6), SDCA: (1800, 0.56), LIGHT: (290, 0.58), LASVM: (280, 0.56)},
        0.57,
    ),
}


class Course(NamedTuple):
    """A run over the grid of costs; NaN before its first step and beyond its end."""

    gap: np.ndarray
    error: np.ndarray


def grid(setting: Setting) -> np.ndarray:
    """Inner products after which one looks."""
    n = setting.rows
    return (
        np.geomspace(n / 10, 300 * n, LOOKS)
        if not setting.gamma
        else np.geomspace(n, 10 * n * n, LOOKS)
    )


def on_grid(found: Worth, at: np.ndarray, end: float, costs: np.ndarray) -> Course:
    """`found` has a column for each of the looks `at`, places on the grid; the run ends with the
    cost `end`.
    """
    gap, error = np.full(costs.size, np.nan), np.full(costs.size, np.nan)
    gap[at], error[at] = found.gap, found.error
    over = costs > end
    gap[over] = error[over] = np.nan
    return Course(short(gap), short(error))


def stochastic(setting: Setting, name: str, at: Ready, best: Least, seed: int) -> Course:
    """Pegasos, SDCA or SMO."""
    costs, (solver, given) = grid(setting), RUN_BY[name]
    run = runs.trace(at, solver, PASSES[not setting.gamma] * setting.rows, seed, **given)
    spent = runs.spent(run)
    times = np.searchsorted(spent, costs, side="right") - 1
    return on_grid(runs.after(at, run, times, best), np.arange(costs.size), float(spent[-1]), costs)


def by_planes(setting: Setting, at: Ready, best: Least, seed: int) -> Course:
    """After each round its data have been gone through once more."""
    costs, run = grid(setting), cutting_planes.run(at.problem, at.lam, ROUNDS)
    rounds = np.floor(costs / setting.rows).astype(int)
    there = np.flatnonzero((rounds >= 1) & (rounds < run.primal.size))
    found = runs.valued(at, run.w[:, rounds[there]], best)
    return on_grid(found, there, float(setting.rows * (run.primal.size + 1)), costs)


def by_lasvm(setting: Setting, at: Ready, best: Least, seed: int) -> Course:
    """The last look at it is after its finish."""
    costs = grid(setting)
    run = lasvm.run(
        at.problem, at.kernel, at.lam, runs.passes(setting.rows, LASVM_PASSES, seed), costs
    )
    coef = np.column_stack([run.looks[:, : run.seen], run.alpha])
    there = np.minimum(np.arange(run.seen + 1), costs.size - 1)
    return on_grid(runs.worth(at, coef, best), there, np.inf, costs)


def rivals(setting: Setting) -> dict:
    """By name."""
    own = (
        {PERF: partial(by_planes, setting)}
        if not setting.gamma
        else {LIGHT: partial(stochastic, setting, LIGHT)}
    )
    return {
        PEGASOS: partial(stochastic, setting, PEGASOS),
        SDCA: partial(stochastic, setting, SDCA),
        **own,
        LASVM: partial(by_lasvm, setting),
    }


def without_chance(name: str) -> bool:
    return name in (PERF, LIGHT)


def compared(setting: Setting) -> Experiment:
    key = f"pegasos.{'figure5' if setting.gamma else 'figure4'}.{setting.key}"

    def least(keep: Keep) -> Least:
        return keep(known_as(key, "optimum"), lambda: runs.least(ready(setting, keep)))

    def shared(keep: Keep) -> Tasks:
        return {"costs": partial(grid, setting), "optimum": partial(least, keep)}

    def each(seed: int, keep: Keep) -> Tasks:
        return {
            name: lambda run=run: run(ready(setting, keep), least(keep), seed)
            for name, run in rivals(setting).items()
            if seed == 0 or not without_chance(name)
        }

    code = (
        "solvers/sdca",
        "solvers/smo",
        "papers/rivals/lasvm.py",
        "papers/rivals/cutting_planes.py",
        "papers/pegasos/rivals.py",
    )
    return Experiment(
        key,
        setting.about,
        each,
        partial(judge, setting),
        SEEDS,
        shared=shared,
        kinds=(Least, Course),
        code=(*CODE, *code),
        folder=setting.folder,
    )


def courses(results: Results, field: str) -> dict[str, np.ndarray]:
    """(seeds, costs) by rival; who leaves nothing to chance has one run for all seeds."""
    found = results.tables(field)
    return {
        name: (
            np.repeat(table, len(results.seeds), axis=0)
            if len(table) < len(results.seeds)
            else table
        )
        for name, table in found.items()
    }


def threshold(results: Results) -> float:
    """The ε of Tables 1 and 2: what all w that lack less than it err is within a tenth of the
    optimum's.
    """
    gaps, errors = (
        np.concatenate([table.ravel() for table in courses(results, field).values()])
        for field in ("gap", "error")
    )
    bad = gaps[errors > 1.1 * results.one("optimum").error]
    return float(np.nanmin(bad)) if bad.size else float(np.nanmax(gaps))


def reached(results: Results, eps: float) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """(seeds,) cost until a run first lacks less than ε, infinite where it never does, and its
    error then.
    """
    costs, errors, out = results.one("costs"), courses(results, "error"), {}
    for name, gap in courses(results, "gap").items():
        there = gap < eps
        first, ever = there.argmax(axis=1), there.any(axis=1)
        row = np.arange(len(gap))
        out[name] = (
            np.where(ever, costs[first], np.inf),
            np.where(ever, errors[name][row, first], np.nan),
        )
    return out


def judge(setting: Setting, results: Results, speeds: Mapping[str, float] | None = None) -> Found:
    """By what was counted, or by seconds, where `speeds` says how much of it a second is worth to
    each.
    """
    eps = threshold(results)
    found, published = reached(results, eps), PUBLISHED[setting.key][0]
    if not speeds:
        return verdicts.on_rivals(found, published, PEGASOS, eps)
    timed = {name: (cost / speeds[name], error) for name, (cost, error) in found.items()}
    return verdicts.on_rivals(timed, published, PEGASOS, eps, verdicts.seconds)


FIGURE_4, FIGURE_5 = (
    {setting.title: compared(setting) for setting in settings} for settings in (LINEAR, KERNEL)
)
EXPERIMENTS = (*FIGURE_4.values(), *FIGURE_5.values())
