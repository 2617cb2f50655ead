"""Several solvers on one problem: who takes part, with what, and what each run leaves behind.

The problem may be of two classes, of several, or of real targets (`kinds`). All rivals work on the same examples with the same
seeds, and regularisation is matched: λ where a solver knows λ, the C = 1/(λn) that belongs to it, and for the slack-constrained
problem the ν = L(w*)/|w*| of the exact optimum w* for that λ (`pareto`). Then all of them look for the same predictor, and P(w)
of each can be compared with the same P*.

`worth` measures the runs, `table` puts the results of all rivals side by side at equal cost.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from svmviz.data.problem import Problem
from svmviz.maths import kernels, limits
from svmviz.race import kinds
from svmviz.race.kinds import TWO, Kind
from svmviz.race.worth import measure
from svmviz.record import metrics
from svmviz.record.trace import Trace
from svmviz.solvers import SOLVERS
from svmviz.theory import pareto
from svmviz.theory.certificate import Optimum

MOST = 6  # rivals
POINTS = 120  # times at which a run is measured, evenly on a log scale
STEPS = 20_000  # of one run at most, as in the Playground
WORK = 150_000_000  # multiplications of one run, about a second


class Rival(NamedTuple):
    """A solver that may take part, with what sets it apart from its default; `line_up` gives it all of its parameters, and says
    how many steps it will take."""

    key: str
    title: str
    solver: str
    params: Mapping[str, Any] = {}
    steps: int = 0


class Result(NamedTuple):
    """One run of one rival at some of its steps."""

    times: np.ndarray  # (m,) steps
    costs: dict[str, np.ndarray]  # (m,) each, summed up, by axis, see `table`
    curves: dict[str, np.ndarray]  # (m,) each, by metric; NaN where it is not defined
    pace: float  # seconds per unit of effort


TITLES = {"sbp": "SBP", "sdca": "SDCA", "smo": "SMO", "fourier": "Fourier", "classes": "Pegasos, classes",
          "sequences": "Sentence tagger", "regression": "Pegasos", "svr": "Dual ascent"}
USED = {"sbp": {"iterate": "average"}}  # the average is what the guarantee is about, and what predicts
VARIANTS = {  # by kind of problem
    "two": (
        Rival("pegasos-average", "Pegasos, average", "pegasos", {"iterate": "average"}),
        Rival("sbp-last", "SBP, last w", "sbp", {"iterate": "last"}),
        Rival("pegasos-k10", "Pegasos, k = 10", "pegasos", {"k": 10}),
    ),
    "targets": (
        Rival("regression-average", "Pegasos, average", "regression", {"iterate": "average"}),
        Rival("regression-k10", "Pegasos, k = 10", "regression", {"k": 10}),
    ),
    "classes": (Rival("classes-k10", "Pegasos, k = 10", "classes", {"k": 10}),),
}
UNLIKE = {"bias": "has a bias, and the others have none", "sequences": "tags sentences, not points"}  # of two classes


def rivals(kind: Kind = TWO) -> dict[str, Rival]:
    """Every solver that works on this kind of problem, the one whose parameters are common to all first; then variants.

    >>> list(rivals(kinds.TARGETS))
    ['regression', 'svr', 'regression-average', 'regression-k10']
    """
    every = [Rival(key, TITLES.get(key, solver.title), key, USED.get(key, {})) for key, solver in SOLVERS.items()
             if kind.admits(solver)]
    every.sort(key=lambda rival: rival.key != kind.solver)
    return {rival.key: rival for rival in (*every, *VARIANTS[kind.key]) if rival.solver in SOLVERS}


def everybody() -> dict[str, Rival]:
    """The rivals of all kinds of problems."""
    return {key: rival for kind in kinds.KINDS.values() for key, rival in rivals(kind).items()}


def usual(kind: Kind = TWO, data: str = "") -> tuple[str, ...]:
    """Who takes part where nobody was chosen: the solvers, and variants where there are few. Who tags sentences does where it
    is first met."""
    known = (rival.key for rival in rivals(kind).values()
             if not SOLVERS[rival.solver].chained or f"data={data}&" in SOLVERS[rival.solver].opening)
    return tuple(known)[:max(min(len(SOLVERS), MOST), MOST - 1)]


def hindrance(rival: Rival, kernel: kernels.Kernel | None, n: int, kind: Kind = TWO, terms: Mapping[str, Any] = {},
              problem: Problem | None = None) -> str:
    """Why it cannot take part, in words; empty if it can. `terms` are what is common besides λ and kernel."""
    names = {p.name for p in SOLVERS[rival.solver].params}
    if kind is TWO and rival.solver in UNLIKE:
        return UNLIKE[rival.solver]
    if rival.params.get("k", 1) > n:
        return f"draws {rival.params['k']} of {n} points at a time"
    if other := foreign(rival, kind, terms):
        return f"minimises another P, with the usual {other}"
    if problem is not None and (words := unfit(rival, problem)):
        return words
    if "maintenance" in names:
        return "" if kernel is not None and kernel.kind == kernels.RBF else "merges with the Gaussian kernel only"
    if "kernel" in names:
        return ""
    if "gamma" in names:
        return "" if kernel is not None and kernel.kind == kernels.RBF else "stands for the Gaussian kernel only"
    return "" if kernel is None else "is linear"


def unfit(rival: Rival, problem: Problem) -> str:
    """What speaks against its solver on these data."""
    solver = SOLVERS[rival.solver]
    try:
        solver.suits(problem, solver.check(rival.params))
    except ValueError as error:
        return str(error).removeprefix(f"{solver.title} ")
    return ""


def foreign(rival: Rival, kind: Kind, terms: Mapping[str, Any]) -> str:
    """What of the common terms is not as usual and nothing that this rival knows, by its title."""
    solver, common = SOLVERS[rival.solver], {p.name: p for p in kind.params}
    here = {p.name: p.default for p in kind.params} | dict(terms)
    params = solver.check(rival.params) | {"multiclass": kind is kinds.CLASSES} | here
    known = {p.name: p for p in solver.params if p.matters(params)}
    return next((common[name].title for name, value in terms.items() if value != common[name].default
                 and common[name].matters(here) and not (name in known and known[name].accepts(value))), "")


def matched(problem: Problem, lam: float, kernel: kernels.Kernel | None = None,
            bias: bool = False, **terms) -> dict[str, dict[str, Any]]:
    """What each solver must be told so that all of them solve the same problem; `terms` are what its kind has in common besides
    λ and kernel."""
    kind = kinds.of(problem)
    known = {"lam": lam, "C": 1 / (lam * problem.n), "kernel": kernel, "gamma": kernel.gamma if kernel else 1.0, "bias": bias}
    known |= terms | ({"nu": pareto.nu_from_lam(problem, lam, kernel, bias)} if kind.slack else {})
    # Of two rows each is half of the other solvers' w, up to its sign.
    halves = known | ({"lam": 2 * lam} if problem.classes == 2 else {})
    return {key: {p.name: (halves if solver.every_class else known)[p.name] for p in solver.params if p.name in known}
            for key, solver in SOLVERS.items()}


def optimum(problem: Problem, lam: float, kernel: kernels.Kernel | None = None, **terms) -> Optimum:
    """What all rivals look for, with its certificate.

    >>> from svmviz.data.targets import sine
    >>> best = optimum(sine(n=20), 0.1, epsilon=0.2)
    >>> print(round(best.primal, 4), best.exact)
    0.3998 True
    """
    kind = kinds.of(problem)
    return kind.optimum(problem, kind.checked(lam, kernel, **terms))


def line_up(problem: Problem, keys: Iterable[str], lam: float, kernel: kernels.Kernel | None = None, length: int = 5000,
            bias: bool = False, **terms) -> tuple[Rival, ...]:
    """The rivals of a race; `terms` as in `matched`. A solver whose step is of middling cost takes `length` steps, others as
    many as the same work allows."""
    known, told, chosen = rivals(kinds.of(problem)), matched(problem, lam, kernel, bias, **terms), []
    for key in keys:
        rival, solver = known[key], SOLVERS[known[key].solver]
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
    costs = all_costs(trace)
    return Result(times, {name: values[times] for name, values in costs.items()}, measure(trace, lam, nu, times, test),
                  seconds / effort(costs)[-1])


def all_costs(trace: Trace) -> dict[str, np.ndarray]:
    """What the first t steps cost, for t = 0 .. T."""
    found = metrics.costs(trace)
    return found | {"epochs": found["examples"] / trace.problem.n, "steps": np.arange(trace.steps + 1)}


def effort(costs: Mapping[str, np.ndarray]) -> np.ndarray:
    """What takes time: inner products, and a bit for every update."""
    return costs["inner_products"] + costs["steps"]


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
