"""The support vectors of a budgeted learner that keeps no record: those of `solvers.bsgd.model`,
once more in single precision.

There the coefficients are kept without their common factor, a_j = scale c_j: shrinking w changes
one number.
"""

from typing import NamedTuple

import numpy as np

from svmviz.estimators.train import narrow
from svmviz.maths import matrix
from svmviz.maths.machine.jit import bare
from svmviz.solvers.bsgd.model import AGE, CLOCK, MERGED, OWN, SQUARE, USED

LENGTH, COEF, OUT, SIZE = range(4)  # rows of Room.single
SCALE, SUM, EVALS, READ, TWICE = range(5)  # places in Room.number


class Room(NamedTuple):
    """What a learner needs besides the vectors."""

    V: np.ndarray  # (d, slots) the vectors in single precision
    x: np.ndarray  # (d,) and the example
    single: np.ndarray  # (4, slots) |v|², c_j; room for kernel values and their sizes
    short: np.ndarray  # (slots,) room for whole numbers of 32 bits
    long: np.ndarray  # and of 64
    work: np.ndarray  # (2, slots)
    number: (
        np.ndarray
    )  # (5,) scale, Σ c_j; kernel evaluations, features read, margins computed twice


def room(d: int, slots: int) -> Room:
    """Room for so many vectors."""
    return Room(
        np.zeros((d, slots), np.float32),
        np.zeros(d, np.float32),
        np.zeros((4, slots), np.float32),
        np.zeros(slots, np.int32),
        np.zeros(slots, np.int64),
        np.zeros((2, slots)),
        np.zeros(5),
    )


@bare
def take(rows, i, x, near, at):
    """Spread example i, once more in single precision; `at` lists its features, and how many these
    are is returned
    """
    if matrix.is_dense(rows):
        for f in range(x.size):
            x[f] = rows.X[i, f]
            near[f] = x[f]
        return x.size
    lo, hi = rows.indptr[i], rows.indptr[i + 1]
    for p in range(lo, hi):
        f = rows.indices[p]
        at[p - lo], x[f] = f, rows.data[p]
        near[f] = x[f]
    return hi - lo


@bare
def wipe(x, near, at, features):
    """Undo that, for sparse rows"""
    for q in range(features):
        x[at[q]], near[at[q]] = 0.0, narrow.ZERO


@bare
def put(model, room, slot, a, merged):
    """Give a slot the coordinates in `x`, and a coefficient"""
    V, x, narrower, count, length = model.V, model.x, room.V, model.count, 0.0
    for f in range(x.size):
        V[f, slot] = narrower[f, slot] = x[f]
        length += x[f] * x[f]
    model.figures[SQUARE, slot], model.figures[OWN, slot] = length, 1.0
    room.single[LENGTH, slot], room.single[COEF, slot] = length, a / room.number[SCALE]
    model.A[slot, 0] = a
    model.facts[AGE, slot], model.facts[MERGED, slot] = count[CLOCK], merged
    count[CLOCK] += 1


@bare
def drop(model, room, slot):
    """Free a slot; the last vector moves there"""
    last = model.count[USED] - 1
    if slot != last:
        for f in range(model.x.size):
            model.V[f, slot], room.V[f, slot] = model.V[f, last], room.V[f, last]
        model.figures[SQUARE, slot], model.A[slot, 0] = (
            model.figures[SQUARE, last],
            model.A[last, 0],
        )
        for q in range(2):
            room.single[q, slot] = room.single[q, last]
        for q in range(model.facts.shape[0]):
            model.facts[q, slot] = model.facts[q, last]
    model.count[USED] = last
