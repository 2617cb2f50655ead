"""A stream of a million checkerboard examples through every algorithm that keeps a budget: what an example costs, what was
learnt, and how much more memory the last 900 000 examples took than the first 100 000.

Memory is the most that a process held which does nothing else, as the operating system counts it: each run has a process of its
own. Parameters are those of Table 4, and else the usual ones: nothing was chosen for the accuracy.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from svmviz.maths import kernels
from svmviz.maths.words import count
from svmviz.papers.bsgd_experiments import CODE
from svmviz.papers.bsgd_figures import GAMMA, LAM
from svmviz.papers.experiment import PACKAGE, Experiment, Keep, Results, Tasks
from svmviz.papers.verdicts import INF, TIMES, Found, combined, judged, mean, number, ratio
from svmviz.run import stream
from svmviz.solvers.bsgd.solver import BSGD, PRESETS

EXAMPLES, FILLED, MARK = 1_000_000, 10_000, 100_000  # in all; from here to there an example is early, from there on it is late
B, TEST, SEEDS = 100, 20_000, 3
ALLOWED = 1024.0  # kilobytes that an allocator may be off by
SLOWER = 1.25
BUDGETED = tuple(name for name, preset in PRESETS.items() if preset["maintenance"] != "none")


class Passed(NamedTuple):
    """A stream that has gone by."""

    early: float  # seconds of an example, by the clock of one processor
    late: float
    accuracy: float
    vectors: int
    events: float  # share of examples that called for maintenance
    grown: float  # kilobytes


def params_of(preset: str) -> dict:
    return BSGD.check({"B": B, "lam": LAM, "kernel": kernels.rbf(GAMMA)} | PRESETS[preset])


def peak() -> float:
    """The most memory that this process ever held, in kilobytes."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return float(next(line.split()[1] for line in lines if line.startswith("VmHWM")))
    except (OSError, StopIteration):
        return float("nan")


def marks(preset: str, seed: int, ends: tuple[int, ...]) -> Iterator[tuple[stream.Progress, float]]:
    """How a run stands after so many examples, or a few more, and the memory that it took."""
    left = list(ends)
    for found in stream.watch(stream.checkerboard(ends[-1], seed), params_of(preset), seed=seed):
        if found.examples >= left[0]:
            left.pop(0)
            yield found, peak()


def here(preset: str, seed: int, ends: tuple[int, int, int] = (FILLED, MARK, EXAMPLES)) -> Passed:
    """The run in this process."""
    (first, _), (then, before), (last, after) = marks(preset, seed, ends)
    pace = [(b.seconds - a.seconds) / (b.examples - a.examples) for a, b in ((first, then), (then, last))]
    accuracy = stream.accuracy(last.learnt(), next(stream.checkerboard(TEST, 1000 + seed, TEST)))
    return Passed(*pace, accuracy, last.n_sv, last.events / last.examples, after - before)


def alone(preset: str, seed: int) -> Passed:
    """The run in a process of its own."""
    paths = os.pathsep.join(filter(None, (str(PACKAGE.parent), os.environ.get("PYTHONPATH"))))
    said = subprocess.run([sys.executable, "-m", __name__, preset, str(seed)], env=os.environ | {"PYTHONPATH": paths},
                          check=True, capture_output=True, text=True)
    return Passed(**json.loads(said.stdout.splitlines()[-1]))


def million() -> Experiment:
    def each(seed: int, keep: Keep) -> Tasks:
        return {preset: partial(alone, preset, seed) for preset in BUDGETED}

    data = f"Checkerboard, {count(EXAMPLES)} examples, B = {B}, γ = {GAMMA:g}, λ = 10⁻⁴"
    return Experiment("bsgd.million", data, each, judge, SEEDS, kinds=(Passed,), code=(*CODE, "papers/bsgd_million.py"),
                      clocks=frozenset({"early", "late", "grown"}))


def table(results: Results, preset: str, field: str) -> np.ndarray:
    """(seeds,)"""
    return np.array([getattr(one, field) for one in results.of(preset)], float)


def judge(results: Results) -> Found:
    space = [judged("", "", mean(table(results, name, "grown")), (-INF, ALLOWED), number(0.0, 0)) for name in results.labels]
    time = [judged("", "", ratio(table(results, name, "late"), table(results, name, "early")), (0.0, SLOWER), TIMES)
            for name in results.labels]
    return Found((
        combined(f"From {count(MARK)} to {count(EXAMPLES)} examples the peak of memory grows by less than a megabyte",
                 "constant space, all of them", space, "all"),
        combined(f"The last {count(EXAMPLES - MARK)} examples take no longer each than those before, within a quarter",
                 "constant update time, all of them", time, "all")))


EXPERIMENTS = (million(),)

if __name__ == "__main__":
    print(json.dumps(here(sys.argv[1], int(sys.argv[2]))._asdict()))
