"""Table 3 of the Pegasos paper: how many kernel evaluations each rival makes in a second of its
run, over those of Pegasos.

Of linear rivals inner products are counted. With these rates what a run of Figures 4 and 5 costs
becomes seconds. Nothing is looked up here: kernel values are computed from rows. All rivals take
turns, seed by seed and on one thread, so that whatever else the machine does hits all of them
alike; runs are short, and drawing examples and judging w is not part of them.
"""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from svmviz.maths import sampling
from svmviz.papers.evidence.experiment import Experiment, Keep, Results, Tasks
from svmviz.papers.evidence.verdicts import Found
from svmviz.papers.pegasos import runs as pegasos_runs
from svmviz.papers.pegasos import verdicts
from svmviz.papers.pegasos.datasets import KERNEL, SETTINGS, Setting
from svmviz.papers.pegasos.rivals import LASVM, LIGHT, PASSES, PEGASOS, PERF, RUN_BY, SDCA, rivals
from svmviz.papers.pegasos.runs import Ready
from svmviz.papers.pegasos.section7 import CODE
from svmviz.papers.rivals import cutting_planes, lasvm
from svmviz.record.given import Given
from svmviz.record.outcome import Start
from svmviz.solvers import SOLVERS
from svmviz.work import limits

SEEDS, FEW, PLANES = 6, 20, 50  # FEW steps load what is compiled, before the clock runs
PUBLISHED = {  # times the evaluations a second of Pegasos
    "reuters_money_fx": {SDCA: 1.03, LIGHT: 1.14, LASVM: 0.88},
    "a9a": {SDCA: 0.90, LIGHT: 0.94, LASVM: 0.60},
    "usps": {SDCA: 0.97, LIGHT: 0.69, LASVM: 0.81},
    "mnist": {SDCA: 0.94, LIGHT: 0.99, LASVM: 0.61},
}
Run = Callable[[int], int]  # steps -> the inner products that they took


class Rate(NamedTuple):
    """Of a run: inner products, a kernel value counting as one, and seconds of one processor."""

    products: int
    seconds: float


@limits.ONE_THREAD
def clocked(run: Run, steps: int) -> Rate:
    run(FEW)
    began = time.thread_time()
    products = run(steps)
    return Rate(products, time.thread_time() - began)


def stepped(at: Ready, solver: str, steps: int, seed: int, **given) -> Run:
    """Pegasos, SDCA or SMO."""
    one, n = SOLVERS[solver], at.problem.n
    params, everyone = one.check({"lam": at.lam, "kernel": at.kernel} | given), np.arange(n)
    drawn = one.algorithm.draw(everyone, params, sampling.Chance(seed), 0, steps, Given(at.problem))

    def run(steps: int) -> int:
        record, _ = one.run(
            at.problem, params, drawn[:steps], Start(0, np.zeros(n), np.zeros(n), None), everyone
        )
        return int(record.kernel_evals.sum()) if at.kernel else steps

    return run


def planes(at: Ready) -> Run:
    return lambda rounds: at.problem.n * cutting_planes.run(at.problem, at.lam, rounds).primal.size


def processed(at: Ready, order: np.ndarray) -> Run:
    """LASVM with its finish."""
    return lambda steps: lasvm.run(at.problem, at.kernel, at.lam, order[:steps], []).cost


def measured(setting: Setting, name: str, keep: Keep, seed: int) -> Rate:
    at, n = (
        keep(f"pegasos rows of {setting.key} {setting.rows}", partial(pegasos_runs.read, setting)),
        setting.rows,
    )
    if name == PERF:
        return clocked(planes(at), PLANES)
    if name == LASVM:
        return clocked(processed(at, pegasos_runs.passes(n, 1, seed)), n)
    steps = (
        n // 4 if name == LIGHT else n if setting.gamma else PASSES[True] * n
    )  # a step of SMO costs n kernel values
    solver, given = RUN_BY[name]
    return clocked(stepped(at, solver, steps, seed, **given), steps)


def labelled(setting: Setting, name: str) -> str:
    return f"{setting.key}, {name}"


def throughput() -> Experiment:
    def each(seed: int, keep: Keep) -> Tasks:
        return {
            labelled(setting, name): partial(measured, setting, name, keep, seed)
            for setting in SETTINGS.values()
            for name in rivals(setting)
        }

    folders = [setting.folder for setting in SETTINGS.values() if setting.folder]
    code = (
        "solvers/sdca",
        "solvers/smo",
        "papers/rivals/lasvm.py",
        "papers/rivals/cutting_planes.py",
        "papers/pegasos/rivals.py",
        "papers/pegasos/throughput.py",
    )
    return Experiment(
        "pegasos.table3",
        "the data of Figures 4 and 5, kernel values from rows",
        each,
        judge,
        SEEDS,
        kinds=(Rate,),
        code=(*CODE, *code),
        folder=", ".join(folders),
        clocks=frozenset({"seconds"}),
    )


def per_second(results: Results, setting: Setting) -> dict[str, np.ndarray]:
    """(seeds,) inner products a second by rival."""
    found = {name: results.of(labelled(setting, name)) for name in rivals(setting)}
    return {
        name: np.array([one.products / one.seconds for one in runs]) for name, runs in found.items()
    }


def speeds(results: Results, setting: Setting) -> Mapping[str, float]:
    """The middle over the seeds, which makes seconds of inner products."""
    return {name: float(np.median(rates)) for name, rates in per_second(results, setting).items()}


def judge(results: Results) -> Found:
    return verdicts.on_throughput(
        {setting.title: per_second(results, setting) for setting in KERNEL},
        {setting.title: PUBLISHED[setting.key] for setting in KERNEL},
        PEGASOS,
        LASVM,
    )


TABLE_3 = throughput()
EXPERIMENTS = (TABLE_3,)
