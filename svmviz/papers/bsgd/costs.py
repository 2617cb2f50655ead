"""Table 1 of the BSGD paper: what an update costs with each way of keeping the budget, in time and
in space. As printed and measured: the power of B with which both grow.

Labels come from a coin, so that nothing can be learnt and examples call for updates for ever,
nearly all of them with Pegasos' steps, every second one with a Perceptron's; timed is what comes
once the budget is full. A step holds the prediction as well, B kernel values, whether or not an
update follows: O(1) in print, for the Stoptron, leaves that out.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from svmviz.maths import kernels
from svmviz.papers.bsgd import table_verdicts as verdicts
from svmviz.papers.bsgd.experiments import CODE
from svmviz.papers.evidence.experiment import Experiment, Keep, Results, Tasks
from svmviz.papers.evidence.verdicts import Found
from svmviz.run.streams import stream, twinned
from svmviz.solvers.bsgd import start
from svmviz.solvers.bsgd.solver import BSGD, PRESETS
from svmviz.solvers.tvm import solver as twins
from svmviz.solvers.tvm.solver import TVM
from svmviz.work.words import count

BUDGETS, D = (50, 100, 200, 400, 800), 10
TIMED, SEEDS = 1000, 5  # examples with a full budget; streams
GAMMA, LAM = 0.5, 1e-3
TWINS = "TVM"


class Item(NamedTuple):
    """A row of Table 1; `time` and `space` are powers of B, `preset` is what runs here, of Budgeted
    SGD or the twins.
    """

    name: str
    keeps: str
    time: int
    space: int
    preset: str


TABLE_1 = (
    Item("BPA-S", "projection", 1, 1, "BPA-S"),
    Item("BPA-NN", "projection", 1, 1, "BPA-NN"),
    Item("BPA-P", "projection", 2, 2, "BPA-P"),
    Item("BSGD + removal", "removal", 1, 1, "BPegasos + remove"),
    Item("BSGD + project", "projection", 2, 2, "BPegasos + project"),
    Item("BSGD + merge", "merging", 1, 1, "BPegasos + merge"),
    Item("Budget", "removal", 1, 1, "Budget Perceptron"),
    Item("Forgetron", "removal", 1, 1, "Forgetron"),
    Item("Projectron++", "projection", 2, 2, "Projectron++"),
    Item("Random", "removal", 1, 1, "Random Perceptron"),
    Item("SILK", "removal", 1, 1, "SILK"),
    Item("Stoptron", "stop", 0, 1, "Stoptron"),
    Item("Tighter", "removal", 2, 1, "Tighter Perceptron"),
    Item("Tightest", "removal", 2, 1, "Tightest Perceptron"),
    Item("TVM", "merging", 2, 2, TWINS),
)


class Cost(NamedTuple):
    """Of a stream with a full budget: seconds of an example, how many called for maintenance, and
    numbers kept.
    """

    seconds: float
    events: float
    numbers: int


def params_of(preset: str, B: int) -> dict:
    common = {"B": B, "kernel": kernels.rbf(GAMMA)}
    return (
        TVM.check(common)
        if preset == TWINS
        else BSGD.check(common | {"lam": LAM} | PRESETS[preset])
    )


def size_of(part) -> int:
    """All numbers of an array, or of a tuple of such."""
    return part.size if isinstance(part, np.ndarray) else sum(map(size_of, part))


def numbers_kept(preset: str, B: int) -> int:
    """All numbers of a model with room for B vectors."""
    params = params_of(preset, B)
    return size_of(
        twins.prepared(None, D, params, B)
        if preset == TWINS
        else start.prepared(None, params, D, 1, 1)
    )


def coins(seed: int, rows: int):
    rng = np.random.default_rng(seed)
    yield rng.normal(size=(rows, D)), np.where(rng.random(rows) < 0.5, 1.0, -1.0)


def cost(preset: str, B: int, seed: int) -> Cost:
    """What an example costs, beyond those that fill the budget; every twin vector is an example
    that came, so that B of them do, and fewer are enough to tell the time of what takes so long.
    """
    filling, timed, watch = (
        (B, TIMED // 10, twinned.watch) if preset == TWINS else (4 * B, TIMED, stream.watch)
    )
    first, *_, last = (
        stand
        for stand in watch(coins(seed, filling + timed), params_of(preset, B), every=filling)
        if stand.examples >= filling
    )
    return Cost(
        (last.seconds - first.seconds) / (last.examples - first.examples),
        (last.events - first.events) / (last.examples - first.examples),
        numbers_kept(preset, B),
    )


def table_1() -> Experiment:
    def each(seed: int, keep: Keep) -> Tasks:
        return {
            f"{item.preset}, {B}": partial(cost, item.preset, B, seed)
            for item in TABLE_1
            for B in BUDGETS
        }

    return Experiment(
        "bsgd.table1",
        f"labels by a coin, {D} features, B = {BUDGETS[0]} to {BUDGETS[-1]}, {count(TIMED)} "
        "examples with a full budget",
        each,
        judge,
        SEEDS,
        kinds=(Cost,),
        code=(
            *CODE,
            "solvers/tvm",
            "solvers/idsvm",
            "run/streams/twinned.py",
            "papers/bsgd/costs.py",
        ),
        clocks=frozenset({"seconds"}),
    )


def table(results: Results, preset: str, field: str) -> np.ndarray:
    """(streams, budgets)"""
    return np.column_stack([results.table(f"{preset}, {B}", field) for B in BUDGETS])


def judge(results: Results) -> Found:
    return verdicts.on_costs(
        BUDGETS,
        {item: table(results, item.preset, "seconds") for item in TABLE_1},
        {item: table(results, item.preset, "numbers") for item in TABLE_1},
    )


EXPERIMENTS = (table_1(),)
