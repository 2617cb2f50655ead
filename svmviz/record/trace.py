"""A run as a table with a time axis: what each step changed, and the exact state after any of them.

Conventions are those of `solver`. State at t is a replay from the nearest keyframe, always forwards, so that going back n
steps and forwards again gives the same bits.
"""

import bisect
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.maths import kernels, matrix, sampling
from svmviz.maths.jit import jit
from svmviz.maths.words import fill, whole
from svmviz.record import entering, metrics, table
from svmviz.record.lazy import Late, joined

__all__ = ["Columns", "Segment", "Start", "State", "Trace", "advance", "fill", "whole"]


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
    scalars: dict[str, np.ndarray] | Late  # the solver's own quantities, (T,) each
    created: np.ndarray | None = None  # (M, d) vectors made on the way, where support vectors are no examples, see `table`;
    parents: np.ndarray | None = None  # (M, 2) what each was made of; `index` then counts rows of the table,
    carry: Any = None  # `delta` is (T, m, scores), and what the next segment must know besides is handed on
    late: np.ndarray | None = None  # (m,) share of the iterates averaged in a step that came before change e of it, where
    pool: np.ndarray | None = None  # the average is that of one step; (T, p) examples that could have come (-1: none)


class Segment(NamedTuple):
    """The steps after `start` that ran under one set of parameters."""

    start: int
    params: dict[str, Any]
    columns: Columns
    active: np.ndarray  # (m,) the examples that take part, see `edits`


class Start(NamedTuple):
    """Where a segment begins: the state after step t, and the sum of the iterates w_1 .. w_t before each step so far."""

    t: int
    coef: np.ndarray  # (n,)
    total: np.ndarray  # (n,)
    carry: Any = None


class State(NamedTuple):
    """The exact state after step t: w = sum_j coef_j phi(x_j), over the examples or over the rows of the table."""

    t: int
    coef: np.ndarray  # (n,), or (rows,) or (rows, classes) of the table
    w: np.ndarray | None  # (d,) where the kernel is linear
    alpha: np.ndarray  # (n,) y_j coef_j; coef itself with a table, whose rows need not have labels
    b: float
    support: table.Support | None = None  # the rows in use, with a table


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

    solver: Any  # core.Solver
    problem: Any  # core.Problem
    steps: int
    seed: int
    segments: tuple[Segment, ...]

    def segment(self, t: int) -> Segment:
        """The segment that step t belongs to (that of step 1 for t = 0)."""
        return self.segments[max(0, bisect.bisect_left(self._starts, t) - 1)]

    @cached_property
    def _starts(self) -> list[int]:
        return [s.start for s in self.segments]

    def params(self, t: int | None = None) -> dict[str, Any]:
        """The parameters in force at step t, at the last step by default."""
        return self.segment(self.steps if t is None else t).params

    def column(self, name: str, first=0) -> np.ndarray:
        """A column over t = 0..steps; `first` stands at t = 0."""
        chunks = [getattr(s.columns, name) for s in self.segments]
        return np.concatenate([np.asarray([first], chunks[0].dtype), *chunks])

    @cached_property
    def scalars(self) -> Late:
        """The solver's own quantities over t = 0..steps."""
        first = self.solver.start(self.problem, self.segments[0].params, self.segments[0].active)
        return joined(first, [s.columns.scalars for s in self.segments])

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
    def entries(self) -> dict[int, dict[str, float]]:
        """By the step after which a segment begins, the metrics of the state there under that segment (`entering`)."""
        return {s.start: entering.entered(self, k) for k, s in enumerate(self.segments) if k}

    def before(self, name: str, t: int) -> float:
        """A metric of the state that step t starts from, under what step t is taken with."""
        if t - 1 == self.segment(t).start and t > 1:
            return float(self.entries[t - 1][name])
        return float(self.metrics[name][t - 1])

    @property
    def tabled(self) -> bool:
        """Whether support vectors are rows of a table that grows, rather than the examples."""
        return self.segments[0].columns.created is not None

    @cached_property
    def created(self):
        """(M, d) vectors that the run made, sparse if the data are: the rows of the table after the examples."""
        return table.created(self)

    def support(self, t: int) -> table.Support:
        """The support vectors after step t, of a run with a table."""
        return table.support(self, t, self.frame(t))

    def frame(self, t: int) -> table.Frame:
        """The rows in use after step t and their coefficients, of a run with a table."""
        return self._at(t)

    def overflow(self, t: int) -> table.Support:
        """The support vectors in the midst of step t: the example is in, and none has gone yet."""
        return table.support(self, t, table.overflow(self, whole("t", t, 1, self.steps), self._at(t - 1)))

    @cached_property
    def _keyframes(self) -> tuple[int, list]:
        every = max(1, math.isqrt(self.steps))
        frames = [table.nothing(self) if self.tabled else (np.zeros(self.problem.n), np.zeros(self.problem.n))]
        for t in range(0, self.steps - every + 1, every):
            frames.append(self._replay(frames[-1], t, t + every))
        return every, frames

    def _replay(self, frame, start: int, stop: int):
        if self.tabled:
            return table.replay(self, frame, start, stop)
        coef, total = frame
        coef, total = coef.copy(), total.copy()
        for segment in self.segments:
            columns = segment.columns
            a, b = max(start - segment.start, 0), min(stop - segment.start, columns.factor.size)
            if a < b:
                advance(coef, total, columns.factor[a:b], columns.index[a:b], columns.delta[a:b])
        return coef, total

    def _at(self, t: int):
        t = whole("t", t, 0, self.steps)
        every, frames = self._keyframes
        nearest = min(t // every, len(frames) - 1)
        return self._replay(frames[nearest], nearest * every, t)

    def at(self, t: int) -> State:
        """The exact state after step t."""
        kernel = self.kernel(t)
        if self.tabled:
            support, coef = self.support(t), self.coef(t)
            w = matrix.combined(support.vectors, support.coef) if kernel.kind == kernels.LINEAR else None
            return State(t, coef, w, coef, 0.0, support)
        coef, _ = self._at(t)
        w = matrix.combined(self.features(self.problem.X, t), coef) if kernel.kind == kernels.LINEAR else None
        return State(t, coef, w, self.problem.y * coef, self.b(t, "last"))

    def kernel(self, t: int) -> kernels.Kernel:
        return self.params(t).get("kernel") or kernels.linear()

    def features(self, X, t: int):
        """What the solver sees of the rows of X."""
        return X if self.solver.features is None else self.solver.features(X, self.params(t))

    def b(self, t: int, iterate: str | None = None) -> float:
        """The bias of the last, averaged or random iterate after step t; 0 where there is none."""
        iterate = self.params(t).get("iterate", "last") if iterate is None else iterate
        name, at = "b_average" if iterate == "average" else "b", self.random_iterate(t) if iterate == "random" else t
        return float(self.scalars[name][at]) if name in self.scalars else 0.0

    def coef(self, t: int, iterate: str | None = None) -> np.ndarray:
        """Coefficients of the last, averaged or random iterate after step t; the run's own choice by default."""
        iterate = self.params(t).get("iterate", "last") if iterate is None else iterate
        if self.tabled:
            return table.spread(self, t, self._at(t), iterate)
        coef, total = self._at(t)
        segment = self.segment(t)
        if iterate == "average" and segment.columns.late is not None:  # the last iterate of the step, less what came on the way
            index, delta = (getattr(segment.columns, name)[max(t - segment.start - 1, 0)] for name in ("index", "delta"))
            np.subtract.at(coef, index, segment.columns.late * delta * (t > 0))
            return coef
        if iterate == "average":
            return (total + coef if self.solver.averages == "after" else total) / max(t, 1)
        if iterate == "random":
            return self._at(self.random_iterate(t))[0]
        return coef

    def random_iterate(self, t: int) -> int:
        """The step after which the random iterate of step t stood, one of 0 .. t - 1."""
        return int(self.random_iterates[t])

    @cached_property
    def random_iterates(self) -> np.ndarray:
        return sampling.random_iterates(self.seed, self.steps)

    def f(self, t: int, Z, iterate: str | None = None) -> np.ndarray:
        """Decision values of the iterate after step t at the rows of Z."""
        Z = Z if sp.issparse(Z) else np.atleast_2d(np.asarray(Z, np.float64))
        if Z.shape[1] != self.problem.d:
            raise ValueError(f"Z must have {self.problem.d} columns like the data, got {Z.shape[1]}")
        if self.tabled:
            return table.scores(self, t, self._at(t), Z)
        coef, b, kernel = self.coef(t, iterate), self.b(t, iterate), self.kernel(t)
        X, Z = self.features(self.problem.X, t), self.features(Z, t)
        return kernels.responses(kernel, X, coef, Z) + b

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
