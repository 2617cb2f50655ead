"""From a problem to the state of SIMBA before its first step, or before the next stretch of a run
under other parameters.
"""

import math
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.maths import matrix, sampling
from svmviz.solvers.simba import dealing, loop, tree
from svmviz.solvers.simba import weights as duals
from svmviz.solvers.simba.deck import LOG_Q


class Carry(NamedTuple):
    """What one stretch of a run hands to the next, over all examples of the problem."""

    state: loop.State  # of the examples that took part
    log_q: np.ndarray  # (n,) int64
    xi_total: np.ndarray  # (n,)
    joined: np.ndarray  # (n,) the stretch in which it came, -1 if it never took part
    row_seen: np.ndarray  # (n,)
    read: int  # features so far


def radius(X) -> float:
    """The length of the longest row, 1 if all are zero: the unit in which SIMBA works."""
    return math.sqrt(matrix.lengths(X).max()) or 1.0


def rule(params: dict[str, Any], n: int, R: float, watched: bool) -> loop.Rule:
    horizon = float(params["horizon"]) if params["schedule"] == "constant" else 0.0
    return loop.Rule(
        min(n * params["nu"] / R, duals.SLACK_PER_POINT * n),
        horizon,
        params["bias"],
        params["exact_p"],
        params["exact_margins"],
        params["clip"],
        watched,
    )


def prepared(
    X, y: np.ndarray, how: loop.Rule, R: float, active: np.ndarray, carry: Carry | None
) -> loop.State:
    """The state of these examples. Who joins late begins with the mean weight of those who were
    there.
    """
    n, d = X.shape
    if carry is None:
        log_q, xi_total, row_seen = np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.bool_)
        u, lag, number = np.zeros(d), np.zeros(d), np.array([0.0, 1.0, 0.0])
        stretch, joined, column_seen = 0, np.zeros(n, np.int64), np.full(d, -1)
    else:
        old, log_q, joined, stretch = (
            carry.state,
            carry.log_q[active],
            carry.joined[active],
            carry.state.stretch + 1,
        )
        new = joined < 0
        if new.any():
            log_q[new], joined[new] = duals.mean(carry.log_q[carry.joined >= 0]), stretch
        xi_total, row_seen = carry.xi_total[active], carry.row_seen[active]
        u, lag, number, column_seen = (
            a.copy() for a in (old.u, old.lag, old.number, old.column_seen)
        )
    walked = number[0] * u - lag
    c, c_total = (y * matrix.product(X, v) / R for v in (number[1] * u, walked))
    return loop.State(
        u,
        lag,
        tree.planted(u * u),
        number,
        duals.begin(log_q, xi_total, y, how.bias),
        stretch,
        joined,
        row_seen,
        column_seen,
        np.array([known(X, row_seen, joined, column_seen)]),
        c,
        c_total,
    )


def known(X, row_seen: np.ndarray, joined: np.ndarray, column_seen: np.ndarray) -> int:
    """Entries of these rows that have been read: those of a row that was, or of a column since the
    row is there.

    >>> known(
    ...     np.ones((3, 4)),
    ...     np.array([True, False, False]),
    ...     np.array([0, 0, 1]),
    ...     np.array([0, -1, -1, 1]),
    ... )
    7
    """
    if sp.issparse(X):
        i = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        return int((row_seen[i] | (column_seen[X.indices] >= joined[i])).sum())
    return int((row_seen[:, None] | (column_seen >= joined[:, None])).sum())


def handed_on(
    state: loop.State, n: int, active: np.ndarray, before: Carry | None, read: int
) -> Carry:
    """What the next stretch must know."""
    log_q, xi_total, joined, row_seen = (
        np.zeros(n, np.int64),
        np.zeros(n),
        np.full(n, -1),
        np.zeros(n, np.bool_),
    )
    if before is not None:
        log_q, xi_total, joined, row_seen = (
            a.copy() for a in (before.log_q, before.xi_total, before.joined, before.row_seen)
        )
    dealing.gather(state.weights)
    log_q[active], xi_total[active], joined[active] = (
        state.weights.table[LOG_Q],
        state.weights.had,
        state.joined,
    )
    row_seen[active] |= state.row_seen
    return Carry(state, log_q, xi_total, joined, row_seen, read)


def twins(X) -> tuple[matrix.Rows, matrix.Rows]:
    """The matrix by rows and by columns, side by side."""
    if sp.issparse(X):
        return matrix.rows(X), matrix.rows(sp.csr_array(X.T))
    return matrix.rows(X), matrix.rows(np.ascontiguousarray(X.T))


def read_by_rows(X, reads: np.ndarray) -> np.ndarray:
    """How many different entries Pegasos has read when it has made so many reads, row by row, each
    drawn anew.

    >>> read_by_rows(np.ones((4, 10)), np.array([5, 20, 400])).tolist()
    [0, 20, 40]
    """
    each = (
        np.diff(X.indptr).astype(np.int64)
        if sp.issparse(X)
        else np.full(X.shape[0], X.shape[1], np.int64)
    )
    count = int(reads.max(initial=0) // max(1, int(each.mean()))) + 1
    rows = sampling.draw(X.shape[0], count, seed=0)[:, 0]
    new = np.zeros(count, np.int64)
    new[np.unique(rows, return_index=True)[1]] = 1
    spent, different = np.cumsum(each[rows]), np.cumsum(new * each[rows])
    place = np.searchsorted(spent, reads, side="right")
    return np.where(place > 0, different[np.maximum(place, 1) - 1], 0)
