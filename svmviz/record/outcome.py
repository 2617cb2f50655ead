"""What a run leaves behind, and where a stretch of it begins."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.record.changes import BEFORE, Changes, Mean
from svmviz.record.replay import replay, unanswered
from svmviz.record.responses import Space
from svmviz.record.slots import Frame, Slots
from svmviz.record.support import Support


class Made(NamedTuple):
    """Vectors made on the way, where support vectors are no examples; they have the rows after
    these.
    """

    vectors: Any  # (M, d), sparse if the data are
    parents: (
        np.ndarray
    )  # (M, 2) the two rows that were merged, or the row of which it is a second copy, and -1


class Record(NamedTuple):
    """What the steps of one segment left behind: what changed, not pictures. One row per step."""

    drawn: np.ndarray  # (T, k) examples looked at
    margin: np.ndarray  # (T, k) y <w, x> of those, before the change
    changes: Changes
    lines: np.ndarray  # (T,) bit k: line k of the pseudo-code ran
    why: np.ndarray  # (T,) bit k: sentence k of the solver is spoken
    kernel_evals: np.ndarray  # (T,) cost of this step
    features_read: np.ndarray  # (T,)
    own: Mapping[
        str, np.ndarray
    ] = {}  # the solver's own quantities, (T,) each; `Trace.scalars` are those that `start` names
    made: Made | None = (
        None  # None where all vectors are examples; then each of these is in use all along
    )

    @property
    def factor(self) -> np.ndarray:
        """(T,) what the steps multiply all coefficients by"""
        return self.changes.factor

    @property
    def delta(self) -> np.ndarray:
        """(T, k) by how much the coefficients of the examples drawn were raised, where these are
        what changes
        """
        return self.changes.amount[:, 0].reshape(self.drawn.shape)


class Segment(NamedTuple):
    """The steps after `start` that ran under one set of parameters."""

    start: int
    params: dict[str, Any]
    record: Record
    active: np.ndarray  # (m,) the examples that take part, see `edits`
    state: Any = None  # what the solver hands on to the next segment


class Start(NamedTuple):
    """Where a segment begins: the state after step t, and the sum of the iterates w_1 .. w_t before
    each step so far.
    """

    t: int
    coef: np.ndarray  # (n,)
    total: np.ndarray  # (n,)
    state: Any = None  # what the segment before handed on


class State(NamedTuple):
    """The exact state after step t: w = sum_j coef_j phi(x_j), over the examples and the vectors
    made on the way.
    """

    t: int
    coef: np.ndarray  # (n,), or (rows,) or (rows, classes) where vectors are made
    w: np.ndarray | None  # (d,) where the kernel is linear
    alpha: (
        np.ndarray
    )  # (n,) y_j coef_j; coef itself where vectors are made, which need not have labels
    b: float
    support: Support | None = None  # the rows in use, where vectors are made


NO_ROWS = matrix.rows(np.empty((0, 0)))
NOWHERE = Space(NO_ROWS, NO_ROWS, NO_ROWS, kernels.linear())


def columns(kind: type, steps: int, whole: tuple[str, ...] = (), **given: np.ndarray):
    """Return a table of the NamedTuple `kind`: the `given` columns and, of the others, zeros for
    each step, integers in those named `whole`.
    """
    for name in set(kind._fields) - set(given):
        given[name] = np.zeros(steps, np.int64 if name in whole else np.float64)
    return kind(**given)


def nothing(problem, record: Record, mean: Mean | None) -> Frame:
    """The frame before the first step: every example with a coefficient of 0, or nobody, where
    vectors come and go.
    """
    used, scores = problem.n if record.made is None else 0, record.changes.amount.shape[1]
    return Frame(
        np.arange(used),
        np.zeros((used, scores)),
        np.zeros(used if mean else 0),
        np.zeros(used, np.int64),
    )


def advance(slots: Slots, changes: Changes, start: int, mean: Mean = BEFORE) -> None:
    """Replay the steps after `start` on the coefficients alone."""
    replay(NOWHERE, 0, slots, *unanswered(slots.coef.shape[0]), changes, mean, start)
