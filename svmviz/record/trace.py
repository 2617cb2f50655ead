"""A run as a table with a time axis: what each step changed, and the exact state after any of them.

Conventions are those of `solver`. State at t is a replay from the nearest keyframe, always
forwards, so that going back n steps and forwards again gives the same bits.
"""

import bisect
import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from svmviz.data import constant
from svmviz.maths import kernels, matrix, sampling
from svmviz.record import PLAYERS, entering, metrics
from svmviz.record.changes import Mean, averaged
from svmviz.record.outcome import Made, Segment, State, advance, nothing
from svmviz.record.slots import Frame, Slots, closed, opened
from svmviz.record.support import Support, coordinates, mergings, overflow, squeezed
from svmviz.work.lazy import Late, joined
from svmviz.work.words import fill, whole


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
        chunks = [getattr(s.record, name) for s in self.segments]
        return np.concatenate([np.asarray([first], chunks[0].dtype), *chunks])

    @cached_property
    def scalars(self) -> Late:
        """The solver's own quantities over t = 0..steps."""
        first = self.solver.algorithm.start(
            self.problem, self.segments[0].params, self.segments[0].active
        )
        return joined(first, [s.record.own for s in self.segments])

    @cached_property
    def drawn(self):
        """The example that step t looked at (an array of them for mini-batches); -1 at t = 0."""
        chunks = [s.record.drawn for s in self.segments]
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
        """By the step after which a segment begins, the metrics of the state there under that
        segment (`entering`).
        """
        return {s.start: entering.entered(self, k) for k, s in enumerate(self.segments) if k}

    def before(self, name: str, t: int) -> float:
        """A metric of the state that step t starts from, under what step t is taken with."""
        if t - 1 == self.segment(t).start and t > 1:
            return float(self.entries[t - 1][name])
        return float(self.metrics[name][t - 1])

    @cached_property
    def made(self) -> Made | None:
        """All that the run made; None where its vectors are the examples."""
        parts = [s.record.made for s in self.segments if s.record.made is not None]
        if not parts:
            return None
        return Made(
            matrix.stacked([part.vectors for part in parts]),
            np.concatenate([part.parents for part in parts]),
        )

    @cached_property
    def created(self):
        """(M, d) vectors that the run made, sparse if the data are."""
        return np.empty((0, self.problem.d)) if self.made is None else self.made.vectors

    @cached_property
    def table(self):
        """(n + M, d) examples, then vectors made on the way; sparse if the data are."""
        return (
            self.problem.X if self.made is None else matrix.stacked([self.problem.X, self.created])
        )

    @property
    def scores(self) -> int:
        """1, or one for each class."""
        return self.segments[0].record.changes.amount.shape[1]

    @cached_property
    def mean(self) -> Mean | None:
        """Which iterates the average is the mean of; None where none is kept."""
        return None if self.made is not None else self.solver.goal.averages(self.params())

    def vectors(self, t: int, rows: np.ndarray):
        """What the solver sees of the vectors of these rows of a frame."""
        if self.made is None:
            return self.features(self.problem.X, t)
        return coordinates(self.problem.X, self.created, rows)

    def support(self, t: int) -> Support:
        """The support vectors after step t, of a run that makes vectors."""
        return self._supported(self.frame(t))

    def overflow(self, t: int) -> Support:
        """The support vectors in the midst of step t: the example is in, and none has gone yet."""
        segment = self.segment(whole("t", t, 1, self.steps))
        return self._supported(
            overflow(segment.record, t - segment.start - 1, t, self.frame(t - 1))
        )

    def _supported(self, frame: Frame) -> Support:
        merged = mergings(
            self.problem.n, np.empty((0, 2), int) if self.made is None else self.made.parents
        )
        return Support(
            frame.row,
            squeezed(frame.coef),
            self.vectors(0, frame.row),
            frame.since,
            merged[frame.row],
        )

    @cached_property
    def room(self) -> int:
        """Slots that a replay needs."""
        if self.made is None:
            return self.problem.n
        most = max(int(np.diff(s.record.changes.first).max(initial=0)) for s in self.segments)
        return int(max(s.record.own["n_sv"].max(initial=0) for s in self.segments)) + most + 1

    @property
    def begun(self) -> Frame:
        """The state before the first step."""
        return nothing(self.problem, self.segments[0].record, self.mean)

    def opened(self, frame: Frame) -> Slots:
        """Slots for a replay from there."""
        return opened(frame, self.problem.n + self.created.shape[0], self.room)

    @cached_property
    def _keyframes(self) -> tuple[int, list[Frame]]:
        every = max(1, math.isqrt(self.steps))
        frames = [self.begun]
        for t in range(0, self.steps - every + 1, every):
            frames.append(self._replayed(frames[-1], t, t + every))
        return every, frames

    def _replayed(self, frame: Frame, start: int, stop: int) -> Frame:
        slots = self.opened(frame)
        for segment in self.segments:
            changes = segment.record.changes
            a, b = max(start - segment.start, 0), min(stop - segment.start, changes.steps)
            if a < b:
                advance(slots, changes.between(a, b), segment.start + a)
        return closed(slots)

    def frame(self, t: int) -> Frame:
        """The rows in use after step t and their coefficients, and the sum of the iterates before
        each step.
        """
        t = whole("t", t, 0, self.steps)
        every, frames = self._keyframes
        nearest = min(t // every, len(frames) - 1)
        return self._replayed(frames[nearest], nearest * every, t)

    def at(self, t: int) -> State:
        """The exact state after step t."""
        coef, linear = self.coef(t, "last"), self.kernel(t).kind == kernels.LINEAR
        if self.made is not None:
            support = self.support(t)
            return State(
                t,
                coef,
                matrix.combined(support.vectors, support.coef) if linear else None,
                coef,
                0.0,
                support,
            )
        w = matrix.combined(self.features(self.problem.X, t), coef) if linear else None
        return State(t, coef, w, self.problem.y * coef, self.b(t, "last"))

    def kernel(self, t: int) -> kernels.Kernel:
        return constant.kernel_of(self.params(t))

    def features(self, X, t: int):
        """What the solver sees of the rows of X."""
        return (
            X
            if self.solver.space.features is None
            else self.solver.space.features(X, self.params(t))
        )

    def b(self, t: int, iterate: str | None = None) -> float:
        """The bias of the last, averaged or random iterate after step t; 0 where there is none."""
        iterate = self.params(t).get("iterate", "last") if iterate is None else iterate
        name, at = (
            "b_average" if iterate == "average" else "b",
            (self.random_iterate(t) if iterate == "random" else t),
        )
        return float(self.scalars[name][at]) if name in self.scalars else 0.0

    def coef(self, t: int, iterate: str | None = None) -> np.ndarray:
        """Coefficients of the last, averaged or random iterate after step t; the run's own choice
        by default.
        """
        frame = self.iterate(t, iterate)
        coef = np.zeros((self.size(t), frame.coef.shape[1]))
        coef[frame.row] = frame.coef
        return squeezed(coef)

    def size(self, t: int) -> int:
        """Examples, and vectors made up to step t."""
        highest = self.problem.n - 1
        for s in self.segments if self.made is not None else ():
            changes = s.record.changes
            highest = max(
                highest,
                int(
                    changes.row[: changes.first[np.clip(t - s.start, 0, changes.steps)]].max(
                        initial=-1
                    )
                ),
            )
        return highest + 1

    def iterate(self, t: int, iterate: str | None = None) -> Frame:
        """The last, averaged or random iterate after step t; the run's own choice by default."""
        iterate = self.params(t).get("iterate", "last") if iterate is None else iterate
        if iterate == "last":
            return self.frame(t)
        if self.mean is None:
            raise ValueError(f"a budgeted run has only its last iterate, got {iterate!r}")
        if iterate == "random":
            return self.frame(self.random_iterate(t))
        frame, segment = self.frame(t), self.segment(t)
        changed = segment.record.changes.of(max(t - segment.start - 1, 0))
        mean = averaged(
            self.solver.goal.averages(segment.params), frame.coef[:, 0], frame.total, t, *changed
        )
        return frame._replace(coef=mean[:, None])

    def random_iterate(self, t: int) -> int:
        """The step after which the random iterate of step t stood, one of 0 .. t - 1."""
        return int(self.random_iterates[t])

    @cached_property
    def random_iterates(self) -> np.ndarray:
        return sampling.random_iterates(self.seed, self.steps)

    def f(self, t: int, Z, iterate: str | None = None) -> np.ndarray:
        """Decision values of the iterate after step t at the rows of Z."""
        if sp.issparse(Z):
            matrix.refuse_broken(Z)
            Z = Z.tocsr()
        else:
            Z = np.atleast_2d(np.asarray(Z, np.float64))
        if Z.ndim != 2 or Z.shape[1] != self.problem.d:
            raise ValueError(
                f"Z must have {self.problem.d} columns like the data, got shape {Z.shape}"
            )
        if not np.isfinite(Z.data if sp.issparse(Z) else Z).all():
            raise ValueError("Z must hold finite numbers only, got NaN or infinity")
        frame = self.iterate(t, iterate if self.mean else None)
        found = kernels.responses(
            self.kernel(t), self.vectors(t, frame.row), frame.coef, self.features(Z, t)
        )
        return squeezed(found) + self.b(t, iterate)

    def counts(self, t: int) -> np.ndarray:
        """How often each example was added during steps 1..t: alpha of Pegasos, Fig. 3."""
        counts = np.zeros(self.problem.n, np.int64)
        for segment in self.segments:
            changes = segment.record.changes
            some = slice(0, changes.first[np.clip(t - segment.start, 0, changes.steps)])
            np.add.at(counts, changes.row[some][changes.amount[some, 0] != 0], 1)
        return counts

    def why(self, t: int, depth: str = "why") -> str:
        """One plain sentence on step t, with its numbers; a "short" one, or the "maths" of it, if
        asked for.
        """
        t = whole("t", t, 0, self.steps)
        spoken = int(self.column("why", first=1)[t])
        values = self.params(t) | self.solver.story.values(self, t)
        templates = self.solver.story.sentences(depth)
        return " ".join(
            fill(text, values) for bit, text in enumerate(templates) if text and spoken >> bit & 1
        )

    def save_html(self, path: str | Path, title: str = "") -> None:
        """Write the run as one HTML file that plays it in any browser, with no network and no
        server.

        >>> import tempfile
        >>> from svmviz import SOLVERS, datasets
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     SOLVERS["sbp"].trace(datasets.moons(n=20), steps=30, nu=0.1).save_html(
        ...         Path(folder, "run.html")
        ...     )
        ...     Path(folder, "run.html").stat().st_size < 450_000
        True
        """
        Path(path).write_text(PLAYERS["page"](self, title), encoding="utf-8")

    def _repr_html_(self) -> str:
        """The player in a notebook: in a frame of its own, so that neither can touch the other."""
        return PLAYERS["frame"](self)
