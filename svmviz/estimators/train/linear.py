"""Rows as those read them who have no kernel and keep no record: in the numbers that they come in,
without a copy.

Sums are of float64, four or eight side by side that do not wait for each other, in a fixed order.
"""

from collections.abc import Iterator
from itertools import repeat

import numpy as np
import scipy.sparse as sp

from svmviz.estimators.train.task import Task
from svmviz.maths import sampling
from svmviz.maths.machine.jit import bare, compiled
from svmviz.maths.matrix import Rows, axpy, eightfold, is_dense

STRETCH = 1 << 17  # steps between two looks at how it stands
FLOATS = np.float32, np.float64
within = compiled(
    _nrt=False, inline="always"
)  # as if its lines stood in the caller: a call takes as long as a short row


def read(X) -> Rows:
    """Rows of a dense or sparse matrix; columns without a sign, so that nobody asks whether they
    are counted from the end.

    >>> read(sp.csr_array(np.eye(2, dtype=np.float32)))[1:3]
    (array([1., 1.], dtype=float32), array([0, 1], dtype=uint32))
    """
    kind = X.dtype if X.dtype in FLOATS else np.float64
    if not sp.issparse(X):
        return Rows(
            np.ascontiguousarray(X, kind),
            np.zeros(0, kind),
            np.zeros(0, np.uint32),
            np.zeros(0, np.int32),
        )
    X = X.tocsr()
    return Rows(
        np.zeros((0, X.shape[1]), kind),
        X.data.astype(kind, copy=False),
        X.indices.view(np.uint32 if X.indices.itemsize == 4 else np.uint64),
        X.indptr,
    )


@within
def dot(rows, i, v):
    """<x_i, v>"""
    if is_dense(rows):
        return eightfold(rows.X[i], v)
    x, at = (
        rows.data[rows.indptr[i] : rows.indptr[i + 1]],
        rows.indices[rows.indptr[i] : rows.indptr[i + 1]],
    )
    whole = x.size - x.size % 4
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    for j in range(0, whole, 4):
        s0 += x[j] * v[at[j]]
        s1 += x[j + 1] * v[at[j + 1]]
        s2 += x[j + 2] * v[at[j + 2]]
        s3 += x[j + 3] * v[at[j + 3]]
    for j in range(whole, x.size):
        s0 += x[j] * v[at[j]]
    return (s0 + s2) + (s1 + s3)


@within
def add(rows, i, c, v):
    """v += c x_i"""
    if is_dense(rows):
        axpy(rows, i, c, v)
    else:
        x, at = (
            rows.data[rows.indptr[i] : rows.indptr[i + 1]],
            rows.indices[rows.indptr[i] : rows.indptr[i + 1]],
        )
        for j in range(x.size):
            v[at[j]] += c * x[j]


@bare
def squares(rows, plus, out):
    """|x_i|² for every i, and as much more for each; of rows that name no column twice"""
    for i in range(out.size):
        x, out[i] = (
            (rows.X[i] if is_dense(rows) else rows.data[rows.indptr[i] : rows.indptr[i + 1]]),
            0.0,
        )
        for j in range(x.size):
            out[i] += np.float64(x[j]) * x[j]
        out[i] += plus


@bare
def gather(rows, coef, out):
    """out += Σ coef_i x_i"""
    for i in range(coef.size):
        if coef[i] != 0.0:
            add(rows, i, coef[i], out)


def stretches(task: Task, start: int, stop: int) -> Iterator[np.ndarray]:
    """(some steps, k) examples for the steps after `start`, stretch by stretch: those of the
    recorded run.
    """
    if task.order is not None:
        yield task.order
        return
    n, k, scheme = task.problem.n, task.params.get("k", 1), task.params["sampling"]
    chance = sampling.Chance(task.seed)
    if k == 1 and scheme == sampling.SCHEMES[0]:
        scheme = sampling.MULTI_SET  # the same then, and sooner drawn
    if task.weights is not None or scheme in sampling.INDEPENDENT:
        for a in range(start, stop, STRETCH):
            b = min(a + STRETCH, stop)
            yield (
                chance.examples(n, a, b, k, scheme)
                if task.weights is None
                else sampling.weighted(task.weights, b - a, k, task.seed, a)
            )
        return
    first, last, left, held = start * k // n, -(-stop * k // n), (stop - start) * k, []
    fixed = scheme == sampling.SCHEMES[2]
    orders = (
        repeat(next(chance.passes(n, 0, 1)), last - first)
        if fixed
        else chance.passes(n, first, last)
    )
    for number, order in enumerate(orders):
        held.append(order[start * k % n if number == 0 else 0 :])
        ready = min(sum(map(len, held)), left)
        if ready == left or (ready >= STRETCH and ready >= k):
            row = np.concatenate(held)
            yield row[: ready // k * k].reshape(-1, k)
            held, left = [row[ready // k * k :]], left - ready // k * k
