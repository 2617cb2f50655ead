"""The concepts: Problem, Param, Solver. A solver is a value; what it leaves behind is a `Trace`.

Conventions, stated once and meant everywhere:

* The objective is  P(w) = lam/2 |w|² + 1/n sum_i max(0, 1 - y_i <w, x_i>),  averaged over all n
  examples; a solver that has the parameter `loss` may put another one in place of the hinge
  (`losses`), one that is `real` the loss of  <w, x_i> - y_i.
* Step t runs from 1 to T and turns w_t into w_{t+1}; w_1 = 0. `trace.at(t)` is the state *after*
  step t, that is w_{t+1}; `trace.at(0)` is the start.
* A margin of exactly 1 costs nothing: an example is added to w only where  y <w, x> < 1,  strictly.
* The averaged iterate after t steps is  mean(w_1 .. w_t)  for Pegasos: it contains the start and
  not w_{t+1} (Cor. 1). For SBP it is the mean of the t iterates *after* a step (Section 3.4).
  `Goal.averages` says which.
* The random iterate after t steps is one of w_1 .. w_t, drawn uniformly from the run's own seed
  (Pegasos, Lemma 3).
* w = sum_j coef_j phi(x_j)  for every solver, kernelised or not; alpha_j = y_j coef_j. A solver
  with a bias predicts by <w, phi(x)> + b,  and P counts b in the loss, never in the norm.
* A change `(t, {name: value})` takes effect from step t + 1 on; everything up to step t stays as it
  was.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from svmviz.data.constant import constant_of, lifted, said
from svmviz.data.params import Param
from svmviz.data.problem import Problem, make_multiclass_problem, make_problem
from svmviz.maths import contest, sampling
from svmviz.maths.losses import Loss, hinge, loss_of
from svmviz.maths.matrix import refuse_broken
from svmviz.record.changes import BEFORE, Mean
from svmviz.record.given import LIMIT_STEPS, Given, examples
from svmviz.record.outcome import Record, Segment, Start, advance, nothing
from svmviz.record.questions import GENERAL, Question
from svmviz.record.sentences import DEPTHS, Lines, Sentence, Sentences, live_values
from svmviz.record.slots import opened
from svmviz.record.symbols import Symbol
from svmviz.record.trace import Trace
from svmviz.work.words import brief, whole

__all__ = [
    "Param",
    "Problem",
    "Question",
    "Solver",
    "Symbol",
    "make_multiclass_problem",
    "make_problem",
    "plan_segments",
]


PASSES, STEPS = 10, 1000  # where nobody says how many


def usual_steps(n: int, params: Mapping[str, Any]) -> int:
    """Ten passes where each step draws examples, else a thousand steps."""
    return max(STEPS, PASSES * n // params.get("k", 1)) if "sampling" in params else STEPS


@dataclass(frozen=True)
class Algorithm:
    """What it computes."""

    run: Callable[
        ..., tuple[Record, Any]
    ]  # (problem, params, drawn, start, active) -> also what it hands on
    work: Callable[..., int]  # (n, d, params) -> multiplications of a step, about
    draw: Callable[..., np.ndarray] = (
        examples  # (active, params, chance, start, stop, given) -> k of them for each step
    )
    start: Callable[..., dict[str, float]] = (
        lambda problem, params, active: {}
    )  # its own quantities at t = 0
    entered: Callable[..., dict[str, float]] = (
        lambda problem, params, active, entry: {}
    )  # and where these parameters begin
    refuse: Callable[[dict], Any] = lambda params: (
        None
    )  # a ValueError, where parameters do not go together
    suits: Callable[..., Any] = lambda problem, params: (
        None
    )  # a ValueError, where they do not go with the data
    takes: tuple[str, ...] = ("order",)  # what `Solver.trace` may be given instead of chance
    chance: bool = True  # whether another seed makes another run
    record: str = ""  # the kind of record that it leaves, where that is one of its own


@dataclass(frozen=True)
class Story:
    """How it speaks."""

    figure: Callable[[dict], str]  # which figure or algorithm of the paper these parameters select
    lines: Callable[[dict], Lines]  # the pseudo-code that they select
    why: Sentences  # templates
    values: Callable[[Trace, int], dict[str, Any]] = (
        live_values  # of a step, for templates, which know the parameters, too
    )
    facts: Callable[[Trace, int], dict[str, Any]] = (
        lambda trace, t: {}
    )  # what lessons say of the state after it, besides
    questions: tuple[Question, ...] = (
        GENERAL  # what may be asked about its next step, the easiest first
    )
    symbols: tuple[Symbol, ...] = ()  # what the marks in all that mean

    def sentences(self, depth: str = "why") -> tuple[str, ...]:
        """The templates at one of the `DEPTHS`."""
        if depth not in DEPTHS:
            raise ValueError(f"a sentence has the depths {', '.join(DEPTHS)}, not {brief(depth)}")
        all_depths = (Sentence(said) if isinstance(said, str) else said for said in self.why)
        return tuple(
            said.why if getattr(said, depth) is None else getattr(said, depth)
            for said in all_depths
        )


@dataclass(frozen=True)
class Goal:
    """What it aims at."""

    optimum: Callable[..., Any] = lambda problem, params: None  # the exact one, or None
    beside: Callable[..., Any] = lambda problem, params: (
        None
    )  # (name, optimum) of a problem easily taken for it, or None
    bound: Callable[[Trace], Any] = lambda trace: (
        None
    )  # the theorem to draw beside the curve, or None
    objective: str = (
        "primal"  # the metric that it works on; its `_average` belongs to the averaged iterate
    )
    maximises: bool = False
    error: str = "error"  # the metric of the errors that are shown
    averages: Callable[[dict], Mean] = lambda params: (
        BEFORE
    )  # which iterates the averaged one is the mean of
    dual: bool = False  # alpha stays feasible for the dual, so that there is a duality gap
    regularisation: Callable[[dict], float] = lambda params: params.get("lam", 0.0)  # the lam of P
    loss: Callable[[dict], Loss] = loss_of  # the loss of P
    costs: Callable[[dict, int], np.ndarray] = lambda params, scores: contest.even(
        scores
    )  # of mistakes, in P
    tracked: Callable[[Trace], Any] | None = (
        None  # (t, optimum) along a run whose objective changes as examples arrive
    )


@dataclass(frozen=True)
class Space:
    """Where it works."""

    features: Callable[..., Any] | None = (
        None  # (X, params) -> the features it works on, where these are not X itself
    )
    multiclass: bool = False  # takes problems of more than two classes
    # a constant feature is one of X, or in K, before it sees them; else it looks for it itself
    lifted: bool = True
    real: bool = False  # fits real targets; labels are -1 and +1 to it
    every_class: bool = False  # and has a score for each, of two classes, too
    chained: bool = False  # examples in a row belong together: what they cost is no sum over them


@dataclass(frozen=True)
class Uses:
    """How it is met: by a visitor, beside others, as a classifier."""

    presets: Mapping[str, Mapping[str, Any]] = field(
        default_factory=dict
    )  # well-known algorithms among its parameters
    # a link to where it is first met: data and parameters, the step and the beat at which one sees
    # its idea
    opening: str = ""
    rivals: Callable[[dict], dict[str, dict]] = (
        lambda params: {}
    )  # by label, the run itself ({}) and what others change
    fit_defaults: Mapping[str, Any] = field(
        default_factory=dict
    )  # of the classifier, where a picture wants other ones
    # whether to draw an example more often is to weigh its loss: classifiers then take weights
    weighs: bool = False
    fit_steps: Callable[..., int] = (
        usual_steps  # (n, params) -> steps of the classifier, where nobody says how many
    )
    fit_tol: float | None = None  # where it goes on to a tolerance then, instead
    streams: bool = False  # whether a run can go on as a stream of any length
    keeps: str = ""  # how it keeps its budget, where it has one way only


@dataclass(frozen=True)
class Solver:
    """An algorithm of a paper: what it computes, how it speaks, what it aims at, where it works and
    how it is met.
    """

    key: str
    title: str
    paper: str
    params: tuple[Param, ...]
    algorithm: Algorithm
    story: Story
    goal: Goal = Goal()
    space: Space = Space()
    uses: Uses = Uses()

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters of this solver, the given ones checked, the others at their defaults."""
        unknown = set(given) - {p.name for p in self.params}
        if unknown:
            names = ", ".join(p.name for p in self.params)
            raise ValueError(
                f"{self.title} has no parameter {sorted(unknown)[0]!r}; it has {names}"
            )
        return {p.name: p.check(given.get(p.name, p.default)) for p in self.params}

    def goes(self, given: Mapping[str, Any]) -> bool:
        """Whether these values, with the others at their defaults, go together."""
        try:
            self.algorithm.refuse(self.check(given))
        except ValueError:
            return False
        return True

    def loss(self, params: Mapping[str, Any]) -> Loss:
        """The loss in P: the one that the parameters name, the hinge where that does nothing beside
        the others.
        """
        return (
            loss_of(params)
            if any(p.name == "loss" and p.matters(params) for p in self.params)
            else hinge()
        )

    def preset(self, name: str) -> dict[str, Any]:
        """The parameters of a preset: all that any preset names, those that this one does not name
        at their defaults.
        """
        named = {key for given in self.uses.presets.values() for key in given}
        return {p.name: p.default for p in self.params if p.name in named} | dict(
            self.uses.presets[name]
        )

    def preset_of(self, params: Mapping[str, Any]) -> str | None:
        """The preset that these parameters are, if any, whatever those are that do nothing here."""
        matter = {p.name for p in self.params if p.matters(params)}
        return next(
            (
                name
                for name in self.uses.presets
                if all(params[key] == v for key, v in self.preset(name).items() if key in matter)
            ),
            None,
        )

    def trace(
        self,
        problem: Problem,
        steps: int | None = None,
        seed: int = 0,
        *,
        order=None,
        columns=None,
        picks=None,
        chosen=(),
        changes: Sequence[tuple[int, Mapping[str, Any]]] = (),
        active: Sequence[tuple[int, Any]] = (),
        **given,
    ) -> Trace:
        """Run the solver and keep every step.

        `order` replays an explicit sequence of examples instead of drawing them: one index per
        step, or one row of indices per step for mini-batches; `columns` replays features, one per
        step, where a solver draws them too. `changes` alters parameters on the way, `active` which
        examples take part. Where examples arrive one by one, `order` says in which order, `picks`
        (steps x K) which coefficients are then moved, and `chosen` holds pairs (t, example) for
        those that someone hands over himself in step t.
        """
        refuse_broken(problem.X)
        known = Given(problem, order, columns, picks, chosen, tuple(active))
        known = known._replace(active=known.stages())
        known.allowed(self.title, self.algorithm.takes)
        if order is not None and steps is None:
            steps = len(order)
        steps = whole("steps", 1000 if steps is None else steps, 1, LIMIT_STEPS)
        seed = whole("seed", seed, 0, 2**32 - 1)
        if refusal := self.refusal(problem):
            raise ValueError(refusal)
        segments, coef, total, state = [], np.zeros(problem.n), np.zeros(problem.n), None
        chance = sampling.Chance(seed)
        for start, stop, params, rows in self.stretches(
            problem, steps, given, changes, known.active
        ):
            drawn = self.algorithm.draw(rows, params, chance, start, stop, known)
            record, state = self.run(problem, params, drawn, Start(start, coef, total, state), rows)
            segments.append(Segment(start, params, record, rows, state))
            if record.made is None and stop < steps:
                coef, total = advanced(problem, record, coef, total, start)
        return Trace(self, problem, steps, seed, tuple(segments))

    def refusal(self, problem: Problem) -> str:
        """Why it cannot work on these data, in a sentence; nothing where it can."""
        if problem.real and not self.space.real:
            return f"{self.title} tells classes apart, and the targets of this problem are numbers"
        if self.space.real and problem.classes > 2:
            return f"{self.title} fits numbers, and this problem has {problem.classes} classes"
        if problem.classes > 2 and not self.space.multiclass:
            return f"{self.title} separates two classes, and this problem has {problem.classes}"
        return ""

    def run(
        self, problem: Problem, params: dict[str, Any], drawn, start: Start, active: np.ndarray
    ) -> tuple[Record, Any]:
        """Its steps on these draws; a constant feature is one of the others to it."""
        return self.algorithm.run(*self.lifted(problem, params), drawn, start, active)

    def lifted(self, problem: Problem, params: dict[str, Any]) -> tuple[Problem, Mapping[str, Any]]:
        """Where it works: with the constant feature, unless its features are its own."""
        return (
            lifted(problem, params)
            if self.space.features is None and self.space.lifted
            else (problem, params)
        )

    def optimum(self, problem: Problem, params: dict[str, Any]) -> Any:
        """What it aims at, or None; the last component of w, where this is the constant feature's,
        is said as b.
        """
        best = self.goal.optimum(*self.lifted(problem, params))
        return best and said(best, constant_of(params))

    def stretches(
        self, problem: Problem, steps: int, given: Mapping[str, Any], changes=(), active=()
    ) -> Iterator[tuple[int, int, dict[str, Any], np.ndarray]]:
        """Where each stretch of a run begins and ends under one set of parameters and examples, and
        these.
        """
        plan, stages = dict(plan_segments(self, self.check(given), changes)), dict(active)
        if problem.classes > 2:  # there a score per class is no choice
            plan = {t: params | {"multiclass": True} for t, params in plan.items()}
        stages.setdefault(0, np.arange(problem.n))
        starts, rows, params = sorted(plan.keys() | stages.keys()), stages[0], plan[0]
        for start, stop in zip(starts, [*starts[1:], steps], strict=True):
            rows, params, stop = stages.get(start, rows), plan.get(start, params), min(stop, steps)
            if start < stop:
                yield start, stop, params, rows


def advanced(problem: Problem, record: Record, coef: np.ndarray, total: np.ndarray, start: int):
    """Coefficients of the examples, and the sum of the iterates before each step, after these
    steps.
    """
    frame = nothing(problem, record, BEFORE)._replace(coef=coef[:, None], total=total)
    slots = opened(frame, problem.n, problem.n)
    advance(slots, record.changes, start)
    return slots.coef[0], slots.total


def plan_segments(solver: Solver, params: dict, changes) -> list[tuple[int, dict]]:
    """(start, all parameters) of every stretch with constant parameters, in order of time."""
    plan = [(0, params)]
    for t, new in sorted(changes, key=lambda change: change[0]):
        t = whole("the step of a change", t, 0, LIMIT_STEPS)
        merged = solver.check(plan[-1][1] | dict(new))
        if plan[-1][0] == t:
            plan.pop()
        plan.append((t, merged))
    return plan
