"""Traces of solvers whose support vectors are not all examples: a table of vectors that only grows.

Rows 0 .. n - 1 are the examples, further rows are vectors created on the way, in the order of their creation
(`Columns.created`), each with its `parents`: the two rows that were merged into it, or the row of which it is a second copy,
and -1. A step multiplies all coefficients by its factor and then raises those of a few rows, in order (`index`, -1 for none,
and `delta`, one number per score). A row whose coefficients thereby become 0 is no support vector any more; an example may come
back, a created row does not. Only the rows in use are replayed, so that a long run costs no more per step than a short one.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.maths import kernels, matrix
from svmviz.maths.jit import jit


class Support(NamedTuple):
    """The support vectors after a step, in no particular order."""

    row: np.ndarray  # (b,) in the table
    coef: np.ndarray  # (b,), or (b, classes)
    vectors: np.ndarray  # (b, d)
    since: np.ndarray  # (b,) the step in which each came
    merged: np.ndarray  # (b,) how many mergings made it


class Frame(NamedTuple):
    row: np.ndarray  # (b,)
    coef: np.ndarray  # (b, scores)
    since: np.ndarray  # (b,)


@jit
def enter(place, row, coef, since, used, r, t):
    """Give row r of the table a slot"""
    place[r], row[used], since[used] = used, r, t
    for c in range(coef.shape[1]):
        coef[used, c] = 0.0


@jit
def vanished(coef, slot, delta):
    """Whether this change left nothing but a rounding error"""
    left, moved = 0.0, 0.0
    for c in range(delta.size):
        left += abs(coef[slot, c])
        moved += abs(delta[c])
    return left <= 1e-12 * moved


@jit
def leave(place, row, coef, since, used, slot):
    """Free a slot; the last one moves there"""
    last = used - 1
    place[row[slot]] = -1
    if slot != last:
        row[slot], since[slot] = row[last], since[last]
        place[row[slot]] = slot
        for c in range(coef.shape[1]):
            coef[slot, c] = coef[last, c]


@jit
def advance(place, row, coef, since, used, start, factor, index, delta):
    """Replay steps on the rows in use; returns how many these are"""
    scores = coef.shape[1]
    for s in range(factor.size):
        for j in range(used):
            for c in range(scores):
                coef[j, c] *= factor[s]
        while used > 0 and factor[s] == 0.0:
            leave(place, row, coef, since, used, used - 1)
            used -= 1
        for e in range(index.shape[1]):
            if index[s, e] >= 0:
                if place[index[s, e]] < 0:
                    enter(place, row, coef, since, used, index[s, e], start + s + 1)
                    used += 1
                for c in range(scores):
                    coef[place[index[s, e]], c] += delta[s, e, c]
        for e in range(index.shape[1]):
            if index[s, e] >= 0 and place[index[s, e]] >= 0 and vanished(coef, place[index[s, e]], delta[s, e]):
                leave(place, row, coef, since, used, place[index[s, e]])
                used -= 1
    return used


def created(trace):
    """(M, d) all vectors that the run created, sparse if the data are."""
    return matrix.stacked([s.columns.created for s in trace.segments])


def parents(trace) -> np.ndarray:
    """(M, 2) what each of them was made of."""
    return np.concatenate([s.columns.parents for s in trace.segments])


def size(trace, t: int) -> int:
    """Rows of the table after step t."""
    highest = trace.problem.n - 1
    for s in trace.segments:
        highest = max(highest, int(s.columns.index[:max(t - s.start, 0)].max(initial=-1)))
    return highest + 1


def room(trace) -> int:
    """Slots that a replay needs."""
    width = max(s.columns.index.shape[1] for s in trace.segments)
    return int(max(s.columns.scalars["n_sv"].max(initial=0) for s in trace.segments)) + width + 1


def replay(trace, frame: Frame, start: int, stop: int) -> Frame:
    """The rows in use after step `stop`, from those after step `start`."""
    slots, scores = room(trace), frame.coef.shape[1]
    place = np.full(trace.problem.n + trace.created.shape[0], -1)
    row, coef, since = np.full(slots, -1), np.zeros((slots, scores)), np.zeros(slots, np.int64)
    used = frame.row.size
    row[:used], coef[:used], since[:used] = frame
    place[frame.row] = np.arange(used)
    for segment in trace.segments:
        columns = segment.columns
        a, b = max(start - segment.start, 0), min(stop - segment.start, columns.factor.size)
        if a < b:
            used = advance(place, row, coef, since, used, segment.start + a, columns.factor[a:b], columns.index[a:b],
                           columns.delta[a:b])
    return Frame(row[:used].copy(), coef[:used].copy(), since[:used].copy())


def nothing(trace) -> Frame:
    scores = trace.segments[0].columns.delta.shape[2]
    return Frame(np.empty(0, np.int64), np.empty((0, scores)), np.empty(0, np.int64))


def squeezed(coef: np.ndarray) -> np.ndarray:
    """Without the axis of scores where there is one score."""
    return coef[:, 0] if coef.shape[1] == 1 else coef


def coordinates(trace, rows: np.ndarray) -> np.ndarray:
    """(len(rows), d) the vectors of these rows of the table."""
    n = trace.problem.n
    out, old = np.empty((rows.size, trace.problem.d)), rows < n
    for which, table, at in ((old, trace.problem.X, rows), (~old, trace.created, rows - n)):
        part = table[at[which]]
        out[which] = part.toarray() if sp.issparse(part) else part
    return out


def mergings(trace, rows: np.ndarray) -> np.ndarray:
    """How many mergings made each of these rows."""
    n, made_of = trace.problem.n, parents(trace)
    count = np.zeros(n + len(made_of), np.int64)
    for k, (m, other) in enumerate(made_of.tolist()):
        count[n + k] = count[m] + count[other] + 1 if other >= 0 else 0
    return count[rows]


def scores(trace, t: int, frame: Frame, Z) -> np.ndarray:
    """(rows of Z,) or (rows of Z, classes)"""
    return squeezed(kernels.responses(trace.kernel(t), coordinates(trace, frame.row), frame.coef, Z))


def support(trace, t: int, frame: Frame) -> Support:
    """The rows of a frame with all that is known of them."""
    return Support(frame.row, squeezed(frame.coef), coordinates(trace, frame.row), frame.since, mergings(trace, frame.row))


def overflow(trace, t: int, before: Frame) -> Frame:
    """The frame in the midst of step t: w has shrunk, the example is in, the budget is exceeded, w not pulled back."""
    segment = trace.segment(t)
    columns, s = segment.columns, t - segment.start - 1
    pull = columns.scalars["pull"][s]
    coef, r = before.coef * (columns.factor[s] / pull), int(columns.index[s, 0])
    if not columns.scalars["added"][s]:
        return before._replace(coef=coef)
    added = columns.delta[s, 0] / pull
    if r in before.row:
        coef[before.row == r] += added
        return before._replace(coef=coef)
    return Frame(np.append(before.row, r), np.vstack([coef, added]), np.append(before.since, t))


def spread(trace, t: int, frame: Frame, iterate: str) -> np.ndarray:
    """The coefficients over the whole table as it is after step t."""
    if iterate != "last":
        raise ValueError(f"a budgeted run has only its last iterate, got {iterate!r}")
    coef = np.zeros((size(trace, t), frame.coef.shape[1]))
    coef[frame.row] = frame.coef
    return squeezed(coef)
