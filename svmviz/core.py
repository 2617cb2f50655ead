"""The concepts: Problem, Param, Line, Solver, Trace. A solver is a value; a run is a table with a time axis.

Conventions, stated once and meant everywhere:

* The objective is  P(w) = lam/2 |w|² + 1/n sum_i max(0, 1 - y_i <w, x_i>),  averaged over all n examples.
* Step t runs from 1 to T and turns w_t into w_{t+1}; w_1 = 0. `trace.at(t)` is the state *after* step t, that is
  w_{t+1}; `trace.at(0)` is the start.
* A margin of exactly 1 costs nothing: an example is added to w only where  y <w, x> < 1,  strictly.
* The averaged iterate after t steps is  mean(w_1 .. w_t):  it contains the start and not w_{t+1} (Pegasos, Cor. 1).
* The random iterate after t steps is one of w_1 .. w_t, drawn uniformly from the run's own seed (Pegasos, Lemma 3).
* w = sum_j coef_j phi(x_j)  for every solver, kernelised or not; alpha_j = y_j coef_j.
* A change `(t, {name: value})` takes effect from step t + 1 on; everything up to step t stays as it was.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz import metrics, parts
from svmviz.jit import jit

LIMIT_STEPS = 1_000_000


class Problem(NamedTuple):
    """Examples and labels; built by `make_problem`, which fixes dtype, layout and labels."""

    X: np.ndarray  # (n, d) float64 in C order, or a CSR array
    y: np.ndarray  # (n,) float64 in {-1, +1}

    @property
    def n(self) -> int:
        return self.X.shape[0]

    @property
    def d(self) -> int:
        return self.X.shape[1]


def make_problem(X, y) -> Problem:
    """Check and copy data into the one form that every solver reads; sparse input stays sparse (CSR).

    Two label values of any type are allowed; the one that sorts first becomes -1, the other +1.

    >>> make_problem([[0.0], [1.0]], ["no", "yes"]).y
    array([-1.,  1.])
    """
    if sp.issparse(X):
        X = sp.csr_array(X, dtype=np.float64, copy=True)
        X.sum_duplicates()
        values = X.data
    else:
        X = np.array(X, np.float64, order="C")
        values = X
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(f"X must be a table of at least one row and one column, got shape {X.shape}")
    if not np.isfinite(values).all():
        raise ValueError("X must hold finite numbers only, got NaN or infinity")
    labels = np.asarray(y)
    if labels.shape != (X.shape[0],):
        raise ValueError(f"y must hold one label for each of the {X.shape[0]} rows of X, got shape {labels.shape}")
    classes, index = np.unique(labels, return_inverse=True)
    if len(classes) != 2:
        shown = ", ".join(map(str, classes[:5].tolist())) + (", ..." if len(classes) > 5 else "")
        raise ValueError(f"y must hold exactly two classes, got {len(classes)}: {shown}")
    return Problem(X, np.where(index == 1, 1.0, -1.0))


@dataclass(frozen=True)
class Param:
    """One parameter of a solver, declared once: widget, check, link and help follow from it.

    The type of `default` is the type of the parameter; `None` stands for a kernel, a non-empty `options` for a choice.

    >>> Param("lam", "λ", 0.01, 1e-6, 1.0).check(-1)
    Traceback (most recent call last):
    ...
    ValueError: lam must lie in [1e-06, 1.0], got -1
    """

    name: str
    symbol: str
    default: Any
    low: float | None = None
    high: float | None = None
    help: str = ""
    log: bool = False
    options: tuple[str, ...] = ()
    title: str = ""

    def check(self, value):
        if self.default is None:
            return value if value is None or isinstance(value, parts.Kernel) else parts.parse_kernel(str(value))
        if self.options:
            if value not in self.options:
                raise ValueError(f"{self.name} must be one of {', '.join(self.options)}, got {value!r}")
            return value
        if isinstance(self.default, bool):
            if value not in (True, False):
                raise ValueError(f"{self.name} must be True or False, got {value!r}")
            return bool(value)
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise ValueError(f"{self.name} must be a number, got {value!r}") from None
        if not self.low <= number <= self.high:
            raise ValueError(f"{self.name} must lie in [{self.low}, {self.high}], got {value}")
        if isinstance(self.default, int) and number != int(number):
            raise ValueError(f"{self.name} must be a whole number, got {value}")
        return type(self.default)(number)

    def read(self, text: str):
        """The value that `write` put into a link."""
        if self.default is None and text == "none":
            return None
        if isinstance(self.default, bool):
            return self.check({"1": True, "0": False}.get(text, text))
        return self.check(text)

    def write(self, value) -> str:
        if isinstance(value, bool):
            return str(int(value))
        return "none" if value is None else str(value)


class Line(NamedTuple):
    """A line of pseudo-code; bit k of a step's `lines` says that line k ran. `value` is a template of live values."""

    text: str
    value: str = ""
    beat: str = ""


class Columns(NamedTuple):
    """What the steps of one segment left behind: what changed, not pictures. One row per step."""

    drawn: np.ndarray  # (T, k) examples looked at
    margin: np.ndarray  # (T, k) y <w, x> of those, before the change
    factor: np.ndarray  # (T,) every coefficient was multiplied by this ...
    index: np.ndarray  # (T, m) ... and then these coefficients (-1: none) ...
    delta: np.ndarray  # (T, m) ... were raised by this
    lines: np.ndarray  # (T,) bit k: line k of the pseudo-code ran
    why: np.ndarray  # (T,) bit k: sentence k of the solver is spoken
    kernel_evals: np.ndarray  # (T,) cost of this step
    features_read: np.ndarray  # (T,)
    scalars: dict[str, np.ndarray]  # the solver's own quantities, (T,) each


class Segment(NamedTuple):
    """The steps after `start` that ran under one set of parameters."""

    start: int
    params: dict[str, Any]
    columns: Columns


class State(NamedTuple):
    """The exact state after step t: w = sum_j coef_j phi(x_j)."""

    t: int
    coef: np.ndarray  # (n,)
    w: np.ndarray | None  # (d,) where the kernel is linear
    alpha: np.ndarray  # (n,) y_j coef_j
    b: float


@dataclass(frozen=True)
class Solver:
    """An algorithm of a paper: what it is called, what it takes, what it does and how it speaks of it."""

    key: str
    title: str
    paper: str
    figure: Callable[[dict], str]  # which figure or algorithm of the paper these parameters select
    params: tuple[Param, ...]
    lines: Callable[[dict], tuple[Line, ...]]  # the pseudo-code that these parameters select
    why: tuple[str, ...]  # sentence templates; bit k of a step's `why` says that sentence k is spoken
    draw: Callable[..., np.ndarray]  # (problem, params, steps, seed) -> (steps, k)
    run: Callable[..., Columns]  # (problem, params, order, start, coef)
    values: Callable[["Trace", int], dict[str, Any]]  # live quantities of a step, by the names the templates use
    bound: Callable[["Trace"], Any]  # the theorem to draw beside the curve

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters of this solver, the given ones checked, the others at their defaults."""
        unknown = set(given) - {p.name for p in self.params}
        if unknown:
            names = ", ".join(p.name for p in self.params)
            raise ValueError(f"{self.title} has no parameter {sorted(unknown)[0]!r}; it has {names}")
        return {p.name: p.check(given.get(p.name, p.default)) for p in self.params}

    def trace(self, problem: Problem, steps: int | None = None, seed: int = 0, *, order=None,
              changes: Sequence[tuple[int, Mapping[str, Any]]] = (), **given) -> "Trace":
        """Run the solver and keep every step.

        `order` replays an explicit sequence of examples instead of drawing them: one index per step, or one row of
        indices per step for mini-batches. `changes` alters parameters on the way.
        """
        if order is not None:
            order = np.asarray(order, np.int64)
            steps = len(order) if steps is None else steps
        steps = _whole("steps", 1000 if steps is None else steps, 1, LIMIT_STEPS)
        seed = _whole("seed", seed, 0, 2**32 - 1)
        plan = plan_segments(self, self.check(given), changes)
        segments, coef = [], np.zeros(problem.n)
        for (start, params), (stop, _) in zip(plan, plan[1:] + [(steps, None)], strict=True):
            stop = min(stop, steps)
            if stop <= start:
                continue
            rows = self.draw(problem, params, stop, seed) if order is None else _replayed(order, problem, params, stop)
            columns = self.run(problem, params, rows[start:stop], start, coef)
            segments.append(Segment(start, params, columns))
            coef = coef.copy()
            advance(coef, np.zeros_like(coef), columns.factor, columns.index, columns.delta)
        return Trace(self, problem, steps, seed, tuple(segments))


def plan_segments(solver: Solver, params: dict, changes) -> list[tuple[int, dict]]:
    """(start, all parameters) of every stretch with constant parameters, in order of time."""
    plan = [(0, params)]
    for t, new in sorted(changes, key=lambda change: change[0]):
        t = _whole("the step of a change", t, 0, LIMIT_STEPS)
        merged = solver.check(plan[-1][1] | dict(new))
        if plan[-1][0] == t:
            plan.pop()
        plan.append((t, merged))
    return plan


def _whole(name: str, value, low: int, high: int) -> int:
    if isinstance(value, bool) or value != value or value != int(value) or not low <= value <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}, got {value}")
    return int(value)


def _replayed(order: np.ndarray, problem: Problem, params: dict, steps: int) -> np.ndarray:
    k = params.get("k", 1)
    if order.ndim == 1 and k > 1 and order.size >= steps * k:
        order = order[: order.size // k * k].reshape(-1, k)
    order = order.reshape(len(order), -1)
    if order.shape[1] != k:
        raise ValueError(f"order must hold {k} examples per step, got {order.shape[1]}")
    if len(order) < steps:
        raise ValueError(f"order must hold at least {steps} steps, got {len(order)}")
    if order.size and not (0 <= order.min() and order.max() < problem.n):
        raise ValueError(f"order must hold indices from 0 to {problem.n - 1}, got {order.min()} to {order.max()}")
    return np.ascontiguousarray(order)


@jit
def advance(coef, total, factor, index, delta):
    """Replay steps on the coefficients; `total` collects the iterates w_1 .. w_t that they pass."""
    for t in range(factor.size):
        for j in range(coef.size):
            total[j] += coef[j]
            coef[j] *= factor[t]
        for e in range(index.shape[1]):
            if index[t, e] >= 0:
                coef[index[t, e]] += delta[t, e]


@dataclass(frozen=True)
class Trace:
    """A run: columns over t = 0..steps, and the exact state at any of them."""

    solver: Solver
    problem: Problem
    steps: int
    seed: int
    segments: tuple[Segment, ...]

    def segment(self, t: int) -> Segment:
        """The segment that step t belongs to (that of step 1 for t = 0)."""
        return next(s for s in reversed(self.segments) if s.start < t or s.start == 0)

    def params(self, t: int | None = None) -> dict[str, Any]:
        """The parameters in force at step t, at the last step by default."""
        return self.segment(self.steps if t is None else t).params

    def column(self, name: str, first=0) -> np.ndarray:
        """A column or scalar over t = 0..steps; `first` stands at t = 0."""
        chunks = [s.columns.scalars[name] if name in s.columns.scalars else getattr(s.columns, name)
                  for s in self.segments]
        return np.concatenate([np.asarray([first], chunks[0].dtype), *chunks])

    @cached_property
    def drawn(self):
        """The example that step t looked at (an array of them for mini-batches); -1 at t = 0."""
        chunks = [s.columns.drawn for s in self.segments]
        widths = {c.shape[1] for c in chunks}
        if len(widths) > 1:
            return [np.array([-1]), *(row for chunk in chunks for row in chunk)]
        table = np.concatenate([np.full((1, widths.pop()), -1), *chunks])
        return table[:, 0] if table.shape[1] == 1 else table

    @cached_property
    def metrics(self) -> dict[str, np.ndarray]:
        return metrics.over(self)

    @cached_property
    def _keyframes(self) -> tuple[int, list[tuple[np.ndarray, np.ndarray]]]:
        every = max(1, math.isqrt(self.steps))
        frames = [(np.zeros(self.problem.n), np.zeros(self.problem.n))]
        for t in range(0, self.steps - every + 1, every):
            frames.append(self._replay(*frames[-1], t, t + every))
        return every, frames

    def _replay(self, coef, total, start: int, stop: int):
        coef, total = coef.copy(), total.copy()
        for segment in self.segments:
            columns = segment.columns
            a, b = max(start - segment.start, 0), min(stop - segment.start, columns.factor.size)
            if a < b:
                advance(coef, total, columns.factor[a:b], columns.index[a:b], columns.delta[a:b])
        return coef, total

    def _at(self, t: int) -> tuple[np.ndarray, np.ndarray]:
        t = _whole("t", t, 0, self.steps)
        every, frames = self._keyframes
        nearest = min(t // every, len(frames) - 1)
        return self._replay(*frames[nearest], nearest * every, t)

    def at(self, t: int) -> State:
        """The exact state after step t."""
        coef, _ = self._at(t)
        kernel = self.params(t)["kernel"]
        w = self.problem.X.T @ coef if kernel is None or kernel.kind == parts.LINEAR else None
        return State(t, coef, w, self.problem.y * coef, 0.0)

    def coef(self, t: int, iterate: str | None = None) -> np.ndarray:
        """Coefficients of the last, averaged or random iterate after step t; the run's own choice by default."""
        iterate = self.params(t).get("iterate", "last") if iterate is None else iterate
        coef, total = self._at(t)
        if iterate == "average":
            return total / max(t, 1)
        if iterate == "random":
            return self._at(self.random_iterate(t))[0]
        return coef

    def random_iterate(self, t: int) -> int:
        """The step after which the random iterate of step t stood, one of 0 .. t - 1."""
        u = np.random.default_rng([self.seed, 1]).random(self.steps + 1)[t]
        return int(u * t)

    def f(self, t: int, Z, iterate: str | None = None) -> np.ndarray:
        """Decision values of the iterate after step t at the rows of Z."""
        Z = Z if sp.issparse(Z) else np.atleast_2d(np.asarray(Z, np.float64))
        if Z.shape[1] != self.problem.d:
            raise ValueError(f"Z must have {self.problem.d} columns like the data, got {Z.shape[1]}")
        coef = self.coef(t, iterate)
        kernel = self.params(t)["kernel"] or parts.linear()
        if kernel.kind == parts.LINEAR:
            return np.asarray(Z @ (self.problem.X.T @ coef))
        used = np.flatnonzero(coef)
        return parts.gram(kernel, Z, self.problem.X[used]) @ coef[used] if used.size else np.zeros(Z.shape[0])

    def counts(self, t: int) -> np.ndarray:
        """How often each example was added during steps 1..t: alpha of Pegasos, Fig. 3."""
        counts = np.zeros(self.problem.n, np.int64)
        for segment in self.segments:
            hit = segment.columns.delta[: max(t - segment.start, 0)] != 0
            np.add.at(counts, segment.columns.index[: len(hit)][hit], 1)
        return counts

    def why(self, t: int) -> str:
        """One plain sentence on step t, with its numbers."""
        spoken = int(self.column("why", first=1)[t])
        values = self.solver.values(self, t)
        return " ".join(fill(text, values) for bit, text in enumerate(self.solver.why) if spoken >> bit & 1)


def fill(template: str, values: Mapping[str, Any]) -> str:
    """Put live values into a template; numbers get a true minus sign, and *stars* mark what is now.

    >>> fill("margin {m:.2f}", {"m": -0.284})
    'margin −0.28'
    """
    return template.format_map({k: _Number(v) if isinstance(v, float) else v for k, v in values.items()})


class _Number(float):
    def __format__(self, spec: str) -> str:
        return float.__format__(self, spec).replace("-", "−")
