"""The support vectors of a budgeted learner as compiled code keeps them, and what every strategy does with them.

The first b slots are in use; whatever leaves, the last one moves into its place. A vector has coordinates of its own, because a
merged one is no example. They are kept dense and transposed, one row per feature: kernel values with all of them are then
computed feature by feature, which processors do several at a time. Coefficients are vectors: one number for two classes,
one per class for more.

A recorded run gives every vector a row in a table: 0 .. n - 1 are the examples, further rows are vectors that were created on
the way. `Log` collects what one step changes, in terms of these rows; a stream keeps none, and its arrays are empty.
"""

import math
from typing import NamedTuple

import numpy as np

from svmviz import matrix, parts
from svmviz.jit import jit

USED, CLOCK, LUCK, MADE, NOTED, REBUILT, EVALS = range(7)  # places in Model.count
NORM2, ERRORS, SHRUNK, MISTAKES = range(4)  # places in Model.number
PRIME = 2147483647


class Model(NamedTuple):
    V: np.ndarray  # (d, slots) coordinates
    A: np.ndarray  # (slots, c) coefficients
    square: np.ndarray  # (slots,) |v|², for sparse examples
    own: np.ndarray  # (slots,) K(v, v)
    row: np.ndarray  # (slots,) place in the table, -1 in a stream
    age: np.ndarray  # (slots,) the clock when it came
    merged: np.ndarray  # (slots,) mergings that made it
    where: np.ndarray  # (n,) the slot that holds example i itself, or -1; empty in a stream
    count: np.ndarray  # (7,) vectors in use, clock, random state, rows created, changes noted, inverses, kernel evaluations
    number: np.ndarray  # (4,) |w|², sum of |E_t|, and what the Forgetron has used up after how many mistakes
    K: np.ndarray  # (slots, slots) kernel values of the vectors, empty unless vectors are projected
    Q: np.ndarray  # (slots, slots) its inverse
    x: np.ndarray  # (d,) the example at hand, dense
    at: np.ndarray  # (d,) its features that are not 0; the first ones count
    k: np.ndarray  # (slots,) its kernel values
    f: np.ndarray  # (c,) its scores
    work: np.ndarray  # (4, slots)
    step: np.ndarray  # (c,) what it adds


class Log(NamedTuple):
    """What one step changes in the table, in order; `created` takes the coordinates of new rows, `parents` where they came
    from: two rows that were merged, or one of which this is a second copy, and -1."""

    index: np.ndarray  # (m,)
    delta: np.ndarray  # (m, c)
    created: np.ndarray  # (rows, d)
    parents: np.ndarray  # (rows, 2)
    first: int  # the row of created[0]


def empty(d: int, c: int, slots: int, n: int = 0, projects: bool = False, seed: int = 0) -> Model:
    """A model without vectors, with room for so many."""
    inverse = slots if projects else 0
    return Model(np.zeros((d, slots)), np.zeros((slots, c)), np.zeros(slots), np.zeros(slots), np.full(slots, -1),
                 np.zeros(slots, np.int64), np.zeros(slots, np.int64), np.full(n, -1),
                 np.array([0, 0, 1 + seed % (PRIME - 1), 0, 0, 0, 0]), np.zeros(4), np.zeros((inverse, inverse)),
                 np.zeros((inverse, inverse)), np.zeros(d), np.arange(d), np.zeros(slots), np.zeros(c), np.zeros((4, slots)),
                 np.zeros(c))


def resized(model: Model, slots: int, projects: bool) -> Model:
    """The same vectors with room for more or fewer, in arrays of their own; inverses are left to be rebuilt."""
    b = model.count[USED]
    new = empty(model.V.shape[0], model.A.shape[1], slots, model.where.size, projects)
    new.V[:, :b] = model.V[:, :b]
    for name in ("A", "square", "own", "row", "age", "merged"):
        getattr(new, name)[:b] = getattr(model, name)[:b]
    for name in ("where", "count", "number"):
        getattr(new, name)[:] = getattr(model, name)
    return new


@jit
def load(model, rows, i):
    """Spread example i into `x` and list its features in `at`; returns how many these are"""
    x, at = model.x, model.at
    if matrix.is_dense(rows):
        X = rows.X
        for f in range(x.size):
            x[f] = X[i, f]
        return x.size
    for f in range(x.size):
        x[f] = 0.0
    lo, hi = rows.indptr[i], rows.indptr[i + 1]
    for p in range(lo, hi):
        at[p - lo] = rows.indices[p]
        x[rows.indices[p]] = rows.data[p]
    return hi - lo


@jit
def squared_distances(V, square, b, x, at, features, out):
    """|x - v_j|² for every vector. With few features |x|² + |v|² - 2 <x, v> is used: then only these need be read"""
    sparse = features < x.size
    for j in range(b):  # loops, not slices: these take far longer to compile
        out[j] = square[j] if sparse else 0.0
    if not sparse:
        for f in range(x.size):
            value, v = x[f], V[f]
            for j in range(b):
                out[j] += (value - v[j]) * (value - v[j])
        return
    length = 0.0
    for q in range(features):
        value, v = x[at[q]], V[at[q]]
        length += value * value
        for j in range(b):
            out[j] -= 2.0 * value * v[j]
    for j in range(b):
        out[j] = max(0.0, out[j] + length)


@jit
def kernel_row(kernel, V, square, b, x, at, features, out):
    """K(x, v_j) for every vector"""
    if kernel.kind == parts.RBF:
        squared_distances(V, square, b, x, at, features, out)
        for j in range(b):
            out[j] = math.exp(-kernel.gamma * out[j])
        return
    for j in range(b):
        out[j] = 0.0
    if kernel.kind == parts.LAPLACIAN:
        for f in range(x.size):
            value, v = x[f], V[f]
            for j in range(b):
                out[j] += abs(value - v[j])
        for j in range(b):
            out[j] = math.exp(-kernel.gamma * out[j])
        return
    for q in range(features):
        f = at[q] if features < x.size else q
        value, v = x[f], V[f]
        for j in range(b):
            out[j] += value * v[j]
    if kernel.kind == parts.POLY:
        for j in range(b):
            out[j] = parts.shape(kernel, out[j], 0.0, 0.0)


@jit
def self_kernel(kernel, x):
    """K(x, x)"""
    if kernel.kind == parts.RBF or kernel.kind == parts.LAPLACIAN:
        return 1.0
    inner = 0.0
    for f in range(x.size):
        inner += x[f] * x[f]
    return parts.shape(kernel, inner, 0.0, 0.0)


@jit
def respond(A, b, k, f):
    """f = Σ_j A_j k_j, one score per class"""
    for c in range(f.size):
        f[c] = 0.0
    if f.size == 1:
        total = 0.0
        for j in range(b):
            total += A[j, 0] * k[j]
        f[0] = total
        return
    for j in range(b):
        for c in range(f.size):
            f[c] += A[j, c] * k[j]


@jit
def respond_at(model, kernel, slot, k, f):
    """Scores at one of the vectors, with its kernel row left in `k`"""
    b = model.count[USED]
    for q in range(model.x.size):
        model.x[q] = model.V[q, slot]
    kernel_row(kernel, model.V, model.square, b, model.x, model.at, model.x.size, k)
    model.count[EVALS] += b
    respond(model.A, b, k, f)


@jit
def note(model, log, row, sign, values):
    """Write a change into the log, if one is kept"""
    at = model.count[NOTED]
    if at < log.index.size:
        log.index[at] = row
        for c in range(values.size):
            log.delta[at, c] = sign * values[c]
        model.count[NOTED] = at + 1


@jit
def scale(model, log, factor):
    """w ← factor w within a step: what it changed so far is scaled as well, see `trace.Columns`"""
    b = model.count[USED]
    for j in range(b):
        for c in range(model.A.shape[1]):
            model.A[j, c] *= factor
    for e in range(model.count[NOTED]):
        for c in range(model.A.shape[1]):
            log.delta[e, c] *= factor
    model.number[NORM2] *= factor * factor


@jit
def create(model, log, m, n):
    """A new row of the table with the coordinates in `x`, made of the rows m and n; -1 in a stream"""
    if log.created.shape[0] == 0:
        return -1
    made = model.count[MADE]
    for f in range(model.x.size):
        log.created[made, f] = model.x[f]
    log.parents[made, 0], log.parents[made, 1] = m, n
    model.count[MADE] = made + 1
    return log.first + made


@jit
def put(model, slot, row, own, merged):
    """Give a slot the coordinates in `x`; its coefficients are the caller's"""
    length = 0.0
    for f in range(model.x.size):
        model.V[f, slot] = model.x[f]
        length += model.x[f] * model.x[f]
    model.square[slot], model.own[slot], model.row[slot], model.merged[slot] = length, own, row, merged
    model.age[slot] = model.count[CLOCK]
    model.count[CLOCK] += 1
    if 0 <= row < model.where.size:
        model.where[row] = slot


@jit
def drop(model, slot):
    """Free a slot; the last vector moves there"""
    last = model.count[USED] - 1
    if 0 <= model.row[slot] < model.where.size:
        model.where[model.row[slot]] = -1
    if slot != last:
        for f in range(model.V.shape[0]):
            model.V[f, slot] = model.V[f, last]
        for c in range(model.A.shape[1]):
            model.A[slot, c] = model.A[last, c]
        model.square[slot], model.own[slot], model.row[slot] = model.square[last], model.own[last], model.row[last]
        model.age[slot], model.merged[slot] = model.age[last], model.merged[last]
        if 0 <= model.row[slot] < model.where.size:
            model.where[model.row[slot]] = slot
    model.count[USED] = last


@jit
def dot(a, b):
    total = 0.0
    for c in range(a.size):
        total += a[c] * b[c]
    return total


@jit
def clear(model):
    """Forget every vector: w = 0"""
    for j in range(model.count[USED]):
        if 0 <= model.row[j] < model.where.size:
            model.where[model.row[j]] = -1
    model.count[USED] = 0
    model.number[NORM2] = 0.0
