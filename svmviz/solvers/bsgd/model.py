"""The support vectors of a budgeted learner as compiled code keeps them, and what every strategy
does with them.

The first b slots are in use; whatever leaves, the last one moves into its place. A vector has
coordinates of its own, because a merged one is no example. They are kept dense and transposed, one
row per feature: kernel values with all of them are then computed feature by feature, which
processors do several at a time. Coefficients are vectors: one number for two classes, one per class
for more.

A recorded run gives every vector a row in a table: 0 .. n - 1 are the examples, further rows are
vectors that were created on the way. `Log` collects what one step changes, in terms of these rows;
a stream keeps none, and its arrays are empty.
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths.machine.jit import jit
from svmviz.solvers.bsgd.kernels import kernel_row, respond

USED, CLOCK, LUCK, MADE, NOTED, REBUILT, EVALS = range(7)  # places in Model.count
NORM2, ERRORS, SHRUNK, MISTAKES = range(4)  # places in Model.number
FACTS = ROW, AGE, MERGED, NEAR = range(4)  # rows of Model.facts
FIGURES = SQUARE, OWN, VALUES, SIZES, DOTS, REACH, SPARE, SCORE, PLUS, MINUS, LIKENESS = range(
    11
)  # rows of Model.figures
F, STEP = range(2)  # rows of Model.scores
K, Q = range(2)  # matrices of Model.gram
PRIME = 2147483647


class Model(NamedTuple):
    """Few arrays, and functions that take only what they need of them: numba spells out every array
    at every call, which makes compilation several times longer.
    """

    V: np.ndarray  # (d, slots) coordinates
    A: np.ndarray  # (slots, c) coefficients
    # (4, slots) place in the table (-1 in a stream), clock when it came, mergings that made it,
    # neighbour
    facts: np.ndarray
    # (11, slots) |v|², K(v, v); kernel values of the example at hand; room for the strategies; and
    # what
    figures: np.ndarray
    # some of them keep: f(v), examples of either class that v stands for, K(v, neighbour)
    where: np.ndarray  # (n,) the slot that holds example i itself, or -1; empty in a stream
    # (7,) vectors in use, clock, random state, rows created, changes noted, inverses, kernel
    # evaluations
    count: np.ndarray
    number: (
        np.ndarray
    )  # (4,) |w|², sum of |E_t|, and what the Forgetron has used up after how many mistakes
    # (2, slots, slots) kernel values of the vectors, and their inverse or factor; empty where
    # nobody asks
    gram: np.ndarray
    x: np.ndarray  # (d,) the example at hand, dense
    at: np.ndarray  # (d,) its features that are not 0; the first ones count
    scores: np.ndarray  # (2, c) its scores, and what it adds


class Log(NamedTuple):
    """What one step changes in the table, in order; `created` takes the coordinates of new rows,
    `parents` where they came from: two rows that were merged, or one of which this is a second
    copy, and -1.
    """

    index: np.ndarray  # (m,)
    delta: np.ndarray  # (m, c)
    gone: np.ndarray  # (m,) whether the row goes with this step
    created: np.ndarray  # (rows, d)
    parents: np.ndarray  # (rows, 2)
    first: int  # the row of created[0]


def empty(d: int, c: int, slots: int, n: int = 0, matrices: int = 0, seed: int = 0) -> Model:
    """A model without vectors, with room for so many, and for so many matrices of their kernel
    values.
    """
    facts = np.zeros((len(FACTS), slots), np.int64)
    facts[ROW] = facts[NEAR] = -1
    return Model(
        np.zeros((d, slots)),
        np.zeros((slots, c)),
        facts,
        np.zeros((len(FIGURES), slots)),
        np.full(n, -1),
        np.array([0, 0, 1 + seed % (PRIME - 1), 0, 0, 0, 0]),
        np.zeros(4),
        np.zeros((matrices, slots, slots) if matrices else (2, 0, 0)),
        np.zeros(d),
        np.arange(d),
        np.zeros((2, c)),
    )


def resized(model: Model, slots: int, matrices: int) -> Model:
    """The same vectors with room for more or fewer, in arrays of their own; what follows from them
    is left to be rebuilt.
    """
    b = model.count[USED]
    new = empty(model.V.shape[0], model.A.shape[1], slots, model.where.size, matrices)
    new.A[:b] = model.A[:b]
    for name in ("V", "facts", "figures"):
        getattr(new, name)[:, :b] = getattr(model, name)[:, :b]
    for name in ("where", "count", "number"):
        getattr(new, name)[:] = getattr(model, name)
    return new


@jit
def respond_at(model, kernel, slot):
    """Scores at one of the vectors, with its kernel row left among the figures"""
    V, figures, x, b = model.V, model.figures, model.x, model.count[USED]
    for f in range(x.size):
        x[f] = V[f, slot]
    kernel_row(kernel, V, figures[SQUARE], b, x, model.at, x.size, figures[VALUES])
    model.count[EVALS] += b
    respond(model.A, b, figures[VALUES], model.scores[F])


@jit
def note(log, count, row, sign, values, gone):
    """Write a change into the log, if one is kept"""
    at = count[NOTED]
    if at < log.index.size:
        log.index[at], log.gone[at] = row, gone
        for q in range(at if gone else 0):
            log.gone[q] |= log.index[q] == row
        for c in range(values.size):
            log.delta[at, c] = sign * values[c]
        count[NOTED] = at + 1


@jit
def scale(A, score, count, number, delta, factor):
    """w ← factor w within a step: what it changed so far is scaled as well, see `changes`"""
    for j in range(count[USED]):
        score[j] *= factor
        for c in range(A.shape[1]):
            A[j, c] *= factor
    for e in range(count[NOTED]):
        for c in range(A.shape[1]):
            delta[e, c] *= factor
    number[NORM2] *= factor * factor


@jit
def create(log, count, x, m, n):
    """A new row of the table with the coordinates x, made of the rows m and n; -1 in a stream"""
    if log.created.shape[0] == 0:
        return -1
    made = count[MADE]
    for f in range(x.size):
        log.created[made, f] = x[f]
    log.parents[made, 0], log.parents[made, 1] = m, n
    count[MADE] = made + 1
    return log.first + made


@jit
def put(model, slot, row, own, merged):
    """Give a slot the coordinates in `x`; its coefficients are the caller's"""
    V, x, facts, count, length = model.V, model.x, model.facts, model.count, 0.0
    for f in range(x.size):
        V[f, slot] = x[f]
        length += x[f] * x[f]
    model.figures[SQUARE, slot], model.figures[OWN, slot] = length, own
    facts[ROW, slot], facts[AGE, slot], facts[MERGED, slot] = row, count[CLOCK], merged
    count[CLOCK] += 1
    mark(model.where, row, slot)


@jit
def mark(where, row, slot):
    """Say in which slot an example is"""
    if 0 <= row < where.size:
        where[row] = slot


@jit
def drop(V, A, facts, figures, where, count, slot):
    """Free a slot; the last vector moves there"""
    last = count[USED] - 1
    mark(where, facts[ROW, slot], -1)
    if slot != last:
        for f in range(V.shape[0]):
            V[f, slot] = V[f, last]
        for c in range(A.shape[1]):
            A[slot, c] = A[last, c]
        for q in range(facts.shape[0]):
            facts[q, slot] = facts[q, last]
        for q in range(figures.shape[0]):
            figures[q, slot] = figures[q, last]
        mark(where, facts[ROW, slot], slot)
    count[USED] = last


@jit
def clear(facts, where, count, number):
    """Forget every vector: w = 0"""
    for j in range(count[USED]):
        mark(where, facts[ROW, j], -1)
    count[USED], number[NORM2] = 0, 0.0
