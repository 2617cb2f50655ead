"""Figures 6 to 9 of the Pegasos paper as experiments, on the data of `pegasos_sets`: what λ,
mini-batches, the order of the examples and the lengths of the steps do to the suboptimality of the
last w.
"""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from svmviz.maths import sampling
from svmviz.papers.evidence.experiment import Experiment, Keep, Results, Tasks, known_as
from svmviz.papers.evidence.verdicts import Found
from svmviz.papers.pegasos import runs as pegasos_runs
from svmviz.papers.pegasos import verdicts
from svmviz.papers.pegasos.datasets import LINEAR, SETTINGS, Setting
from svmviz.papers.pegasos.runs import Least, Ready
from svmviz.papers.rivals import schedules

SEEDS, LOOKS = 10, 20
TINY = 1e-10  # what is left is rounding
LAMBDAS = tuple(float(lam) for lam in 10.0 ** np.arange(-6.0, -1.9, 0.5))
PASSES_6 = (1, 3, 10)
BATCHES, PASSES_7 = (1, 16, 64, 256, 1000), 40
PASSES_8 = 20
ETAS, PASSES_9 = (0.001, 0.01, 0.1, 1.0, 10.0), 50
RIVALS = {"pegasos": "Pegasos", "sdca": "SDCA"}
CODE = (
    "solvers/pegasos",
    "papers/pegasos/runs.py",
    "papers/pegasos/datasets.py",
    "papers/sbp/datasets.py",
    "papers/simba/datasets.py",
    "papers/pegasos/section7.py",
)
Run = Callable[[Ready, Least, int], np.ndarray]  # data, their optimum and a seed


def short(values) -> np.ndarray:
    """Seven digits, which take half the room."""
    return np.asarray(values, np.float32).astype(np.float64)


def ready(setting: Setting, keep: Keep) -> Ready:
    return keep(f"pegasos {setting.key} {setting.rows}", partial(pegasos_runs.prepare, setting))


def looks(passes: int) -> np.ndarray:
    """Passes over the data after which one looks."""
    return np.geomspace(1, passes, LOOKS)


def steps_at(passes: np.ndarray, n: int, k: int = 1) -> np.ndarray:
    """Steps after which so many examples have been looked at, k at a time; at least one."""
    return np.maximum(1, np.round(passes * n / k).astype(int))


def experiment(
    figure: str,
    setting: Setting,
    passes: int,
    runs: Mapping[str, Run],
    judge: Callable[[Results], Found],
    code: tuple[str, ...] = (),
) -> Experiment:
    """Runs on one data set, which are looked at over passes. Nothing is read before one of them is
    carried out.
    """
    key = f"pegasos.{figure}.{setting.key}"

    def least(keep: Keep) -> Least:
        return keep(known_as(key, "optimum"), lambda: pegasos_runs.least(ready(setting, keep)))

    def shared(keep: Keep) -> Tasks:
        return {"passes": partial(looks, passes), "optimum": partial(least, keep)}

    def each(seed: int, keep: Keep) -> Tasks:
        return {
            label: lambda run=run: run(ready(setting, keep), least(keep), seed)
            for label, run in runs.items()
        }

    return Experiment(
        key,
        setting.about,
        each,
        judge,
        SEEDS,
        shared=shared,
        kinds=(Least,),
        code=(*CODE, *code),
        folder=setting.folder,
    )


# Figure 6 -----------------------------------------------------------------------------------------


def over_lambda(setting: Setting) -> Experiment:
    """Suboptimality of Pegasos and SDCA after fixed numbers of steps, for many λ."""
    key = "pegasos.figure6"

    def least(lam: float, keep: Keep) -> Least:
        return keep(
            known_as(key, f"optimum {lam:.1e}"),
            lambda: pegasos_runs.least(ready(setting, keep), lam),
        )

    def gaps(solver: str, lam: float, seed: int, keep: Keep) -> np.ndarray:
        at, times = ready(setting, keep), np.array(PASSES_6) * setting.rows
        run = pegasos_runs.trace(at, solver, int(times[-1]), seed, lam)
        return short(pegasos_runs.after(at, run, times, least(lam, keep), lam).gap)

    def each(seed: int, keep: Keep) -> Tasks:
        return {
            named(solver, lam): partial(gaps, solver, lam, seed, keep)
            for solver in RIVALS
            for lam in LAMBDAS
        }

    def shared(keep: Keep) -> Tasks:
        return {f"optimum {lam:.1e}": partial(least, lam, keep) for lam in LAMBDAS}

    return Experiment(
        key,
        f"{setting.title}, {setting.rows} rows, γ = {setting.gamma:g}",
        each,
        on_lambda,
        SEEDS,
        shared=shared,
        kinds=(Least,),
        code=(*CODE, "solvers/sdca"),
        folder=setting.folder,
    )


def named(solver: str, lam: float) -> str:
    return f"{RIVALS[solver]}, λ = {lam:.1e}"


def by_lambda(results: Results) -> dict[tuple[str, int], np.ndarray]:
    """(seeds, λ) suboptimality by solver and passes."""
    return {
        (name, passes): np.maximum(
            np.column_stack([results.table(named(solver, lam))[:, column] for lam in LAMBDAS]), TINY
        )
        for solver, name in RIVALS.items()
        for column, passes in enumerate(PASSES_6)
    }


def on_lambda(results: Results) -> Found:
    return verdicts.on_lambda(LAMBDAS, by_lambda(results))


# Figures 7 and 8 ----------------------------------------------------------------------------------


def followed(passes: int, k: int, scheme: str) -> Run:
    def run(at: Ready, best: Least, seed: int) -> np.ndarray:
        times = steps_at(looks(passes), at.problem.n, k)
        made = pegasos_runs.trace(at, "pegasos", int(times[-1]), seed, k=k, sampling=scheme)
        return short(pegasos_runs.after(at, made, times, best).gap)

    return run


def batched(setting: Setting) -> Experiment:
    runs = {f"k = {k}": followed(PASSES_7, k, sampling.SCHEMES[0]) for k in BATCHES}
    return experiment(
        "figure7", setting, PASSES_7, runs, lambda results: verdicts.on_work(results.tables())
    )


def sampled(setting: Setting) -> Experiment:
    runs = {scheme: followed(PASSES_8, 1, scheme) for scheme in sampling.SCHEMES}
    return experiment(
        "figure8",
        setting,
        PASSES_8,
        runs,
        lambda results: verdicts.on_sampling(results.tables(), verdicts.CLEARLY),
    )


# Figure 9 -----------------------------------------------------------------------------------------


def projected(at: Ready, best: Least, seed: int) -> np.ndarray:
    """(2, looks) suboptimality and test loss of Pegasos with the ball, as in the left plot."""
    times = steps_at(looks(PASSES_9), at.problem.n)
    found = pegasos_runs.after(
        at, pegasos_runs.trace(at, "pegasos", int(times[-1]), seed, project=True), times, best
    )
    return short([found.gap, found.hinge])


def stepped(eta: Callable[[Ready, int], np.ndarray]) -> Run:
    """The same for steps of given lengths."""

    def run(at: Ready, best: Least, seed: int) -> np.ndarray:
        times = steps_at(looks(PASSES_9), at.problem.n)
        found = pegasos_runs.valued(
            at, schedules.run(at.problem, at.lam, eta(at, int(times[-1])), times, seed), best
        )
        return short([found.gap, found.hinge])

    return run


def stepping(setting: Setting) -> Experiment:
    runs = {"Pegasos": projected, "Norma": stepped(lambda at, T: schedules.norma(at.lam, T))}
    runs |= {f"η = {eta:g}": stepped(lambda at, T, eta=eta: np.full(T, eta)) for eta in ETAS}
    return experiment(
        "figure9",
        setting,
        PASSES_9,
        runs,
        lambda results: verdicts.on_steps(stepped_tables(results)),
        ("papers/rivals/schedules.py",),
    )


def stepped_tables(results: Results, of: int = 0) -> Mapping[str, np.ndarray]:
    """(seeds, looks) suboptimality, or test loss, by run."""
    return {label: table[:, of] for label, table in results.tables().items()}


FIGURE_6 = over_lambda(SETTINGS["usps"])
FIGURE_7, FIGURE_9 = (
    {setting.title: make(setting) for setting in LINEAR[:2]} for make in (batched, stepping)
)
FIGURE_8 = {setting.title: sampled(setting) for setting in LINEAR}
EXPERIMENTS = (FIGURE_6, *FIGURE_7.values(), *FIGURE_8.values(), *FIGURE_9.values())
