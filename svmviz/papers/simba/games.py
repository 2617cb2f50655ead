"""Section 3 of the SIMBA paper as an experiment: the two frameworks that SIMBA is a hybrid of, by
themselves, at equal cost.

CHW takes a gradient step for w and for the slack, PST answers the weights of the rows exactly with
both, SIMBA does the first for w and the second for the slack. All three have the same problem (3),
the same ν and the same rates. Measured is how far the average (w̄, ξ̄) is from the best value of
(3), over features read: Theorem 4.3 is about that. PST reads the whole table twice in a step. The
tables are those of Figure 1 that the app can make, with two ν: what SIMBA was tuned to there, where
the two hardly differ because there is hardly any slack, and one where slack decides.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from svmviz.papers.evidence.experiment import Experiment, Keep, Results, Tasks
from svmviz.papers.evidence.verdicts import Found
from svmviz.papers.simba import datasets as sets
from svmviz.papers.simba import figures, verdicts
from svmviz.papers.simba.datasets import Setting
from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS
from svmviz.solvers.simba import optimum
from svmviz.solvers.simba.start import radius

NAMES = {"chw": "CHW", "pst": "PST", "simba": "SIMBA"}
NUS = {
    "rare": 0.0001,
    "direction": 0.0001,
    "direction_noisy": 0.01,
    "documents": 0.01,
}  # SIMBA's in Figure 1
AMPLE = 0.1  # slack per example that decides
READS, LOOKS, SEEDS = 8, 40, 10  # passes over the table; looks, evenly on a log scale
GRAIN = 2.0**-20  # of what is recorded: other digits would only take room
CODE = (
    "solvers/simba",
    "solvers/saddle.py",
    "solvers/chw.py",
    "solvers/pst.py",
    "papers/simba/figures.py",
    "papers/simba/datasets.py",
    "papers/simba/games.py",
)


class Best(NamedTuple):
    """The best value of (3), the longest row, and the entries of the table."""

    level: float
    gap: float
    unit: float
    entries: int


class Course(NamedTuple):
    """One run at its looks: features read, and how far its averages are from the best, in units of
    the longest row.
    """

    reads: np.ndarray
    short: np.ndarray  # of (w̄, ξ̄)
    short_alone: np.ndarray  # of w̄ with the slack that is best for it


def course(problem, solver: str, nu: float, seed: int, best: Best) -> Course:
    """Steps until so many passes are read."""
    n, d = problem.X.shape
    each = 2 * best.entries if solver == "pst" else best.entries / n + best.entries / d
    trace = SOLVERS[solver].trace(problem, max(4, int(READS * best.entries / each)), seed, nu=nu)
    looks = np.unique(np.geomspace(1, trace.steps, LOOKS).astype(int))
    reads = np.cumsum(trace.column("features_read"))[looks]
    own = trace.scalars
    short = (
        (best.level - own[name][looks]) / best.unit for name in ("value_average", "level_average")
    )
    return Course(reads, *(GRAIN * np.rint(values / GRAIN) for values in short))


def section_3(setting: Setting) -> Experiment:
    key = f"simba.section3.{setting.key}"
    nus = dict.fromkeys((NUS[setting.key], AMPLE))

    def problem(keep: Keep):
        return keep(f"simba {setting.key}", partial(figures.prepare, setting, 10)).problem

    def best(nu: float, keep: Keep) -> Best:
        def found() -> Best:
            table = problem(keep)
            exact = optimum.optimum(table, nu)
            return Best(
                float(exact.level), float(exact.gap), radius(table.X), figures.entries(table.X)
            )

        return keep(f"{key} best {nu:g}", found)

    def shared(keep: Keep) -> Tasks:
        return {f"best {nu:g}": partial(best, nu, keep) for nu in nus}

    def each(seed: int, keep: Keep) -> Tasks:
        return {
            f"{NAMES[solver]}, {nu:g}": lambda solver=solver, nu=nu: course(
                problem(keep), solver, nu, seed, best(nu, keep)
            )
            for nu in nus
            for solver in NAMES
            if seed == 0 or SOLVERS[solver].algorithm.chance
        }

    return Experiment(
        key,
        f"{setting.title}, {READS} passes over the table",
        each,
        judge,
        SEEDS,
        shared,
        (Best, Course),
        CODE,
    )


def nus_of(results: Results) -> list[float]:
    return [
        float(label.removeprefix("best ")) for label in results.found if label.startswith("best ")
    ]


def tables(
    results: Results, nu: float, field: str = "short"
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Features read, and (seeds, reads) distances from the best by solver, on the straight line
    between two looks; NaN where nothing was read yet, or not so much.
    """
    runs = {name: results.of(f"{name}, {nu:g}") for name in NAMES.values()}
    ends = [run.reads[[0, -1]] for several in runs.values() for run in several]
    grid = np.geomspace(min(low for low, _ in ends), max(high for _, high in ends), 60)

    def on_grid(run: Course) -> np.ndarray:
        values = np.interp(np.log(grid), np.log(run.reads), getattr(run, field))
        return np.where(
            (grid >= run.reads[0] * 0.999) & (grid <= run.reads[-1] * 1.3), values, np.nan
        )

    return grid, {
        name: np.array([on_grid(run) for run in several]) for name, several in runs.items()
    }


def judge(results: Results) -> Found:
    parts = [verdicts.on_frameworks(nu, *tables(results, nu)) for nu in nus_of(results)]
    return Found(
        tuple(one for part in parts for one in part.verdicts),
        tuple(note for part in parts for note in part.notes),
    )


def recipes(setting: Setting, nu: float) -> dict[str, Recipe]:
    """The runs as the Playground makes them."""
    return {
        name: (
            Recipe(
                **setting.recipe,
                solver=solver,
                params={"nu": nu},
                steps=3 if solver == "pst" else 120,
            ).checked()
        )
        for solver, name in NAMES.items()
    }


EXPERIMENTS = tuple(map(section_3, sets.GENERATED))
