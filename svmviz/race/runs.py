"""Several solvers on one problem: with what each of them runs, and what its run leaves behind.

The problem may be of two classes, of several, or of real targets (`kinds`). All rivals work on the
same examples with the same seeds, and regularisation is matched: λ where a solver knows λ, the C =
1/(λn) that belongs to it, and for the slack-constrained problem the ν = L(w*)/|w*| of the exact
optimum w* for that λ (`pareto`). Then all of them look for the same predictor, and P(w) of each can
be compared with the same P*.

`lanes` says who takes part, `worth` measures the runs, `table` puts the results of all rivals side
by side at equal cost.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np

from svmviz.data.problem import Problem
from svmviz.maths import kernels
from svmviz.race import kinds
from svmviz.race.lanes import Rival, alike, named
from svmviz.race.worth import measure
from svmviz.record import metrics
from svmviz.record.trace import Trace
from svmviz.solvers import SOLVERS
from svmviz.theory import pareto
from svmviz.theory.certificate import Optimum
from svmviz.work.flight import in_turn
from svmviz.work.threads import Threads

POINTS = 120  # times at which a run is measured, evenly on a log scale
STEPS = 20_000  # of one run at most, as in the Playground
WORK = 150_000_000  # multiplications of one run, about a second


class Result(NamedTuple):
    """One run of one rival at some of its steps."""

    times: np.ndarray  # (m,) steps
    costs: dict[str, np.ndarray]  # (m,) each, summed up, by axis, see `table`
    curves: dict[str, np.ndarray]  # (m,) each, by metric; NaN where it is not defined
    pace: float  # seconds per unit of effort


def matched(
    problem: Problem, lam: float, kernel: kernels.Kernel | None = None, bias: bool = False, **terms
) -> dict[str, dict[str, Any]]:
    """What each solver must be told so that all of them solve the same problem; `terms` are what
    its kind has in common besides λ and kernel.
    """
    kind = kinds.of(problem)
    terms |= {"C": 1 / (lam * problem.n)} | (
        {"nu": pareto.nu_from_lam(problem, lam, kernel, bias)} if kind.slack else {}
    )
    return {key: alike(solver, kind, lam, kernel, bias, **terms) for key, solver in SOLVERS.items()}


def optimum(problem: Problem, lam: float, kernel: kernels.Kernel | None = None, **terms) -> Optimum:
    """What all rivals look for, with its certificate.

    >>> from svmviz.data.targets import sine
    >>> best = optimum(sine(n=20), 0.1, epsilon=0.2)
    >>> print(round(best.primal, 4), best.exact)
    0.3998 True
    """
    kind = kinds.of(problem)
    return kind.optimum(problem, kind.checked(lam, kernel, **terms))


def line_up(
    problem: Problem,
    keys: Iterable[str],
    lam: float,
    kernel: kernels.Kernel | None = None,
    length: int = 5000,
    bias: bool = False,
    **terms,
) -> tuple[Rival, ...]:
    """The rivals of a race, by their names (`lanes`); `terms` as in `matched`. A solver whose step
    is of middling cost takes `length` steps, and so does one whose step is less than twice as dear;
    others as many as the same work allows.
    """
    kind, told, chosen = kinds.of(problem), matched(problem, lam, kernel, bias, **terms), []
    for key in keys:
        rival = named(key, kind)
        solver = SOLVERS[rival.solver]
        try:
            params = solver.check(told[rival.solver] | dict(rival.params))
        except ValueError as error:  # what is matched to λ may be beyond what a solver takes
            raise ValueError(f"{rival.title} cannot take part with λ = {lam:g}: {error}") from None
        work = (
            None
            if solver.space.features
            else max(1, solver.algorithm.work(problem.n, problem.d, params))
        )
        chosen.append((rival._replace(params=params), work))
    middle = np.median(
        [work for _, work in chosen if work] or [1]
    )  # on features of its own a solver pays before it starts
    budget = min(WORK, length * middle)
    counted = [middle if work is None or middle < work < 2 * middle else work for _, work in chosen]
    return tuple(
        rival._replace(steps=int(np.clip(budget // work, 20, STEPS)))
        for (rival, _), work in zip(chosen, counted, strict=True)
    )


def start(problem: Problem, rival: Rival, seed: int) -> Trace:
    """The run of a seed; a solver that draws more than examples draws that anew too."""
    drawn = {name: seed for name in rival.params if name.endswith("_seed")}
    return SOLVERS[rival.solver].trace(problem, rival.steps, seed, **dict(rival.params) | drawn)


def run(
    problem: Problem, rival: Rival, seed: int, lam: float, nu: float, test: Problem | None = None
) -> Result:
    """Run a rival and measure it."""
    SOLVERS[rival.solver].trace(
        problem, 1, seed, **rival.params
    )  # nobody's seconds are spent in the compiler
    begun = time.perf_counter()
    trace = start(problem, rival, seed)
    seconds = time.perf_counter() - begun
    times = np.unique(np.concatenate([[0], np.geomspace(1, rival.steps, POINTS).astype(int)]))
    costs, curves = all_costs(trace), measure(trace, lam, nu, times, test)
    if rival.elsewhere:  # what is measured of another P says nothing beside P*
        curves |= {
            name: np.full(len(times), np.nan)
            for name in ("primal", "level", "gap")
            if name in curves
        }
    return Result(
        times,
        {name: values[times] for name, values in costs.items()},
        curves,
        seconds / effort(costs)[-1],
    )


def all_costs(trace: Trace) -> dict[str, np.ndarray]:
    """What the first t steps cost, for t = 0 .. T."""
    found = metrics.costs(trace)
    return found | {
        "epochs": found["examples"] / trace.problem.n,
        "steps": np.arange(trace.steps + 1),
    }


def effort(costs: Mapping[str, np.ndarray]) -> np.ndarray:
    """What takes time: inner products, and a bit for every update."""
    return costs["inner_products"] + costs["steps"]


def results(
    problem: Problem,
    tasks: Sequence[tuple[Rival, int]],
    lam: float,
    nu: float,
    test: Problem | None = None,
    *,
    runner=run,
):
    """Rival, seed and result of each task in turn, two at a time. Who closes this early waits for
    the two that are under way, and no others begin.
    """
    with closing(
        in_turn(
            Threads(2), [(runner, problem, rival, seed, lam, nu, test) for rival, seed in tasks]
        )
    ) as found:
        for (rival, seed), result in zip(tasks, found, strict=True):
            yield rival, seed, result
