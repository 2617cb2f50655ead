"""Several solvers on one problem: who takes part, with what, and what each run leaves behind.

All rivals work on the same examples with the same seeds, and regularisation is matched: λ where a solver knows λ, the C =
1/(λn) that belongs to it, and for the slack-constrained problem the ν = L(w*)/|w*| of the exact optimum w* for that λ
(`pareto`). Then all of them look for the same predictor, and P(w) of each can be compared with the same P*.

What is measured is the w a solver *predicts* with. SBP predicts by w / gamma(w), with the level gamma, and only where that is
positive: before, it has no P. A perceptron predicts by its w, which nobody asked to be short.

`table` puts the results of all rivals side by side at equal cost.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from svmviz.data.problem import Problem
from svmviz.maths import kernels, limits, losses
from svmviz.maths.water import water_level, water_level_with_bias
from svmviz.race.lanes import Rival, named
from svmviz.record import metrics
from svmviz.record.trace import Trace
from svmviz.solvers import SOLVERS
from svmviz.theory import pareto

POINTS = 120  # times at which a run is measured, evenly on a log scale
STEPS = 20_000  # of one run at most, as in the Playground
WORK = 150_000_000  # multiplications of one run, about a second


class Result(NamedTuple):
    """One run of one rival at some of its steps."""

    times: np.ndarray  # (m,) steps
    costs: dict[str, np.ndarray]  # (m,) each, summed up, by axis, see `table`
    curves: dict[str, np.ndarray]  # (m,) each, by metric; NaN where it is not defined
    pace: float  # seconds per unit of effort


def matched(problem: Problem, lam: float, kernel: kernels.Kernel | None = None,
            bias: bool = False) -> dict[str, dict[str, Any]]:
    """What each solver must be told so that all of them solve the same problem."""
    known = {"lam": lam, "nu": pareto.nu_from_lam(problem, lam, kernel, bias), "C": 1 / (lam * problem.n), "kernel": kernel,
             "gamma": kernel.gamma if kernel else 1.0, "bias": bias}
    halves = known | {"lam": 2 * lam}  # of two rows, each of which is half of the other solvers' w, up to its sign
    return {key: {p.name: (halves if solver.every_class else known)[p.name] for p in solver.params if p.name in known}
            for key, solver in SOLVERS.items()}


def line_up(problem: Problem, keys: Iterable[str], lam: float, kernel: kernels.Kernel | None = None, length: int = 5000,
            bias: bool = False) -> tuple[Rival, ...]:
    """The rivals of a race, by their names (`lanes`). A solver whose step is of middling cost takes `length` steps, others as
    many as the same work allows."""
    told, chosen = matched(problem, lam, kernel, bias), []
    for key in keys:
        rival = named(key)
        solver = SOLVERS[rival.solver]
        try:
            params = solver.check(told[rival.solver] | dict(rival.params))
        except ValueError as error:  # what is matched to λ may be beyond what a solver takes
            raise ValueError(f"{rival.title} cannot take part with λ = {lam:g}: {error}") from None
        work = None if solver.features else max(1, solver.work(problem.n, problem.d, params))
        chosen.append((rival._replace(params=params), work))
    middle = np.median([work for _, work in chosen if work] or [1])  # on features of its own a solver pays before it starts
    budget = min(WORK, length * middle)
    return tuple(rival._replace(steps=int(np.clip(budget // (work or middle), 20, STEPS))) for rival, work in chosen)


def start(problem: Problem, rival: Rival, seed: int) -> Trace:
    """The run of a seed; a solver that draws more than examples draws that anew too."""
    drawn = {name: seed for name in rival.params if name.endswith("_seed")}
    return SOLVERS[rival.solver].trace(problem, rival.steps, seed, **dict(rival.params) | drawn)


def run(problem: Problem, rival: Rival, seed: int, lam: float, nu: float, test: Problem | None = None) -> Result:
    """Run a rival and measure it."""
    SOLVERS[rival.solver].trace(problem, 1, seed, **rival.params)  # nobody's seconds are spent in the compiler
    begun = time.perf_counter()
    trace = start(problem, rival, seed)
    seconds = time.perf_counter() - begun
    limits.over()  # a pause
    times = np.unique(np.concatenate([[0], np.geomspace(1, rival.steps, POINTS).astype(int)]))
    costs, curves = all_costs(trace), measure(trace, lam, nu, times, test)
    if rival.elsewhere:  # what is measured in another space says nothing beside P*
        curves |= {name: np.full(len(times), np.nan) for name in ("primal", "level", "gap")}
    return Result(times, {name: values[times] for name, values in costs.items()}, curves, seconds / effort(costs)[-1])


def all_costs(trace: Trace) -> dict[str, np.ndarray]:
    """What the first t steps cost, for t = 0 .. T."""
    found = metrics.costs(trace)
    return found | {"epochs": found["examples"] / trace.problem.n, "steps": np.arange(trace.steps + 1)}


def effort(costs: Mapping[str, np.ndarray]) -> np.ndarray:
    """What takes time: inner products, and a bit for every update."""
    return costs["inner_products"] + costs["steps"]


@limits.ONE_THREAD
def measure(trace: Trace, lam: float, nu: float, times: Sequence[int], test: Problem | None = None) -> dict[str, np.ndarray]:
    """P(w), test error, f(w), gap and number of vectors after each of some steps, all under this λ and ν. `test` defaults to
    the examples themselves."""
    X, y = trace.problem
    b = np.array([trace.b(t) for t in times])
    if trace.made:
        f, coef = of_two(metrics.responses(trace, X, times)), None
        norm2 = trace.metrics["norm"][np.asarray(times)] ** 2 * trace.scores  # of w₊ - w₋ = 2 w₊ where there are two rows
    else:
        coef = np.array([trace.coef(t) for t in times])
        f = responses(trace, X, coef) + b[:, None]  # (m, n)
        norm2 = np.maximum(0.0, (coef * (f - b[:, None])).sum(axis=1))
    scale, bias = predictor_scale(trace, times), trace.params().get("bias", False)
    primal = lam / 2 * scale**2 * norm2 + losses.hinges(y * f * scale[:, None]).mean(axis=1)
    # On all examples: one that has not arrived yet has alpha = 0, which is allowed.
    gap = primal - lam * (coef @ y - norm2 / 2) if trace.solver.dual else np.full(len(times), np.nan)
    inside = (f - b[:, None]) / np.maximum(1.0, np.sqrt(norm2))[:, None]  # on or in the unit ball, where f(w) is defined
    level = [water_level_with_bias(y * c, y, nu * y.size)[0] if bias else water_level(y * c, nu * y.size) for c in inside]
    if test is not None:
        y = test.y
        f = of_two(metrics.responses(trace, test.X, times)) if coef is None else responses(trace, test.X, coef) + b[:, None]
    used = trace.metrics["n_sv"][np.asarray(times)] if coef is None else np.count_nonzero(coef, axis=1)
    return {"primal": primal, "error": ((f >= 0) != (y > 0)).mean(axis=1), "level": np.array(level), "gap": gap,
            "n_sv": used.astype(float)}


def of_two(f: np.ndarray) -> np.ndarray:
    """Decision values of two classes where each has a score."""
    return f if f.ndim == 2 else f[..., 1] - f[..., 0]


def responses(trace: Trace, Z, coef: np.ndarray) -> np.ndarray:
    """(len(coef), rows of Z) decision values without the bias, of many states at once."""
    X, Z, kernel = trace.features(trace.problem.X, 0), trace.features(Z, 0), trace.kernel(0)
    if kernel.kind == kernels.LINEAR:
        return np.asarray((Z @ (X.T @ coef.T)).T)
    used = np.flatnonzero(coef.any(axis=0))
    return coef[:, used] @ kernels.gram(kernel, X[used], Z) if used.size else np.zeros((len(coef), Z.shape[0]))


def predictor_scale(trace: Trace, times) -> np.ndarray:
    """By what w is multiplied before it predicts: 1 / gamma(w) where the solver works on the level, NaN where that is not
    positive, else 1."""
    if trace.solver.objective != "level":
        return np.ones(len(times))
    level = trace.scalars["level_average" if trace.params()["iterate"] == "average" else "level"][np.asarray(times)]
    return np.divide(1.0, level, out=np.full(level.size, np.nan), where=level > 0)


def results(problem: Problem, tasks: Sequence[tuple[Rival, int]], lam: float, nu: float, test: Problem | None = None, *,
            runner=run):
    """Rival, seed and result of each task in turn, two at a time: compiled code needs no interpreter, threads no copies. Who
    closes this early waits for the two that are under way, and no others begin."""
    from joblib import Parallel, delayed

    wanted = True

    def calls():
        for rival, seed in tasks:
            if wanted:
                yield delayed(runner)(problem, rival, seed, lam, nu, test)

    found = Parallel(n_jobs=2, prefer="threads", return_as="generator", pre_dispatch="n_jobs")(calls())
    try:
        for (rival, seed), result in zip(tasks, found, strict=True):
            yield rival, seed, result
    finally:
        wanted = False
        for _ in found:
            pass
