"""A stream of a million checkerboard examples through every algorithm that keeps a budget: what an
example costs, what was learnt, and how much more memory the last nine tenths of it took than the
first.

Memory is the most that a process held which does nothing else, as the operating system counts it:
each run has a process of its own. Parameters are those of Table 4, and else the usual ones: nothing
was chosen for the accuracy.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from svmviz.maths import kernels
from svmviz.papers.bsgd.experiments import CODE
from svmviz.papers.bsgd.figures import GAMMA, LAM
from svmviz.papers.evidence.experiment import PACKAGE, Experiment, Keep, Results, Tasks
from svmviz.papers.evidence.verdicts import (
    INF,
    TIMES,
    Found,
    Verdict,
    combined,
    judged,
    mean,
    number,
    ratio,
)
from svmviz.run.streams import stream, twinned
from svmviz.solvers.bsgd.solver import BSGD, PRESETS
from svmviz.solvers.tvm.solver import TVM
from svmviz.work.words import count

EXAMPLES, B, TEST, SEEDS = 1_000_000, 100, 20_000, 3
TWINS = "TVM"
ALLOWED = 1024.0  # kilobytes that an allocator may be off by
SLOWER = 1.25
BUDGETED = (*(name for name, preset in PRESETS.items() if preset["maintenance"] != "none"), TWINS)


class Passed(NamedTuple):
    """A stream that has gone by."""

    early: float  # seconds of an example, by the clock of one processor
    late: float
    accuracy: float
    vectors: int
    events: float  # share of examples that called for maintenance
    grown: float  # kilobytes


def params_of(name: str) -> dict:
    common = {"B": B, "kernel": kernels.rbf(GAMMA)}
    return TVM.check(common) if name == TWINS else BSGD.check(common | {"lam": LAM} | PRESETS[name])


def watch(name: str, chunks: Iterable) -> Iterator[stream.Progress]:
    """A run as it goes along."""
    return (twinned if name == TWINS else stream).watch(chunks, params_of(name))


def peak() -> float:
    """The most memory that this process ever held, in kilobytes."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return float(next(line.split()[1] for line in lines if line.startswith("VmHWM")))
    except (OSError, StopIteration):
        return float("nan")


def here(name: str, seed: int, examples: int) -> Passed:
    """The run in this process. After a hundredth of its examples the budget is full, up to a tenth
    they are early ones.
    """
    left, found = [examples // 100, examples // 10, examples], []
    for one in watch(name, stream.checkerboard(examples, seed, max(1, examples // 100))):
        if one.examples >= left[0]:
            left.pop(0)
            found.append((one, peak()))
    (first, _), (then, before), (last, after) = found
    pace = [
        (b.seconds - a.seconds) / (b.examples - a.examples)
        for a, b in ((first, then), (then, last))
    ]
    accuracy = stream.accuracy(last.learnt(), next(stream.checkerboard(TEST, 1000 + seed, TEST)))
    return Passed(*pace, accuracy, last.n_sv, last.events / last.examples, after - before)


def alone(name: str, seed: int) -> Passed:
    """The run in a process of its own."""
    paths = os.pathsep.join(filter(None, (str(PACKAGE.parent), os.environ.get("PYTHONPATH"))))
    said = subprocess.run(
        [sys.executable, "-m", __name__, name, str(seed)],
        env=os.environ | {"PYTHONPATH": paths},
        check=True,
        capture_output=True,
        text=True,
    )
    return Passed(**json.loads(said.stdout.splitlines()[-1]))


def million() -> Experiment:
    def each(seed: int, keep: Keep) -> Tasks:
        return {name: partial(alone, name, seed) for name in BUDGETED}

    data = f"Checkerboard, {count(EXAMPLES)} examples, B = {B}, γ = {GAMMA:g}, λ = 10⁻⁴"
    return Experiment(
        "bsgd.million",
        data,
        each,
        judge,
        SEEDS,
        kinds=(Passed,),
        code=(
            *CODE,
            "solvers/tvm",
            "solvers/idsvm",
            "run/streams/twinned.py",
            "papers/bsgd/million.py",
        ),
        clocks=frozenset({"early", "late", "grown"}),
    )


def judge(results: Results) -> Found:
    def slower(*names: str) -> list[Verdict]:
        return [
            judged(
                "",
                "",
                ratio(results.table(name, "late"), results.table(name, "early")),
                (0.0, SLOWER),
                TIMES,
            )
            for name in names
        ]

    space = [
        judged("", "", mean(results.table(name, "grown")), (-INF, ALLOWED), number(0.0, 0))
        for name in results.labels
    ]
    stepping = [name for name in results.labels if name != TWINS]
    verdicts = [
        combined(
            "The last nine tenths of a stream raise the peak of memory by less than a megabyte",
            "constant space, all of them",
            space,
            "all",
        ),
        combined(
            "They take no longer for each example than the tenth before, to a quarter: algorithms"
            " that step",
            "constant update time, all of them",
            slower(*stepping),
            "all",
        ),
    ]
    if TWINS in results.labels:
        verdicts.append(
            slower(TWINS)[0]._replace(
                claim="The same of TVM, which solves", published="constant update time"
            )
        )
    return Found(tuple(verdicts))


EXPERIMENTS = (million(),)

if __name__ == "__main__":
    print(json.dumps(here(sys.argv[1], int(sys.argv[2]), EXAMPLES)._asdict()))
