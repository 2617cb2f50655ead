"""The state of a run on a stream, as compiled code sees it, and the count of its kernel evaluations.

`queue` is a permutation of the examples: those that have arrived, in their order, then all others. Responses f are kept for
everybody where a run is traced (EVERYONE); a run on large data keeps those that its variant pays for.
"""

from typing import NamedTuple

import numpy as np

from svmviz import matrix, parts
from svmviz.jit import jit
from svmviz.metrics import CACHED_COLUMNS, fetch

EVERYONE, SEEN_ONLY, SUPPORT_ONLY = range(3)
SEEN, N_SV, EVALS, PAIRS, SELECTION, READ, RECENT = range(7)  # places in `count`


class Model(NamedTuple):
    coef: np.ndarray  # (n,) y alpha
    f: np.ndarray  # (n,) responses of alpha
    h: np.ndarray  # (n,) responses of the average, where responses are kept for everybody
    queue: np.ndarray  # (m,) examples that take part
    place: np.ndarray  # (n,) where each stands in the queue, -1: nowhere
    support: np.ndarray  # (n,) the first count[N_SV] are the support vectors
    slot: np.ndarray  # (n,) where each stands among them, -1: nowhere
    recent: np.ndarray  # (K + 1,) what moved in this round, and ...
    held: np.ndarray  # (K + 1,) ... what the average lacks of each move
    bits: np.ndarray  # one for each pair of examples whose kernel value was needed before
    count: np.ndarray  # (7,) int64
    columns: np.ndarray  # (kept, n) kernel columns
    known: np.ndarray  # (kept,) which example each of them belongs to
    squares: np.ndarray  # (n,) |x|²
    buffer: np.ndarray  # (d,) one example, spread out
    near: np.ndarray  # (n,) kernel values with it
    diagonal: np.ndarray  # (n,) K(x, x)


def empty(X, kernel, mode: int, K: int, active: np.ndarray, bits=None) -> Model:
    """Nothing has arrived yet."""
    n, d = X.shape
    rows, kept = matrix.rows(X), (n if n <= CACHED_COLUMNS else 1) if mode == EVERYONE else 0
    place = np.full(n, -1)
    place[active] = np.arange(active.size)
    bits = np.zeros((n * (n - 1) // 2 + 64) // 64, np.uint64) if bits is None else bits
    squares = np.asarray(X.multiply(X).sum(axis=1)).ravel() if hasattr(X, "nnz") else np.einsum("ij,ij->i", X, X)
    return Model(
        np.zeros(n), np.zeros(n), np.zeros(n), active.astype(np.int64), place, np.empty(n, np.int64), np.full(n, -1),
        np.empty(K + 1, np.int64), np.empty(K + 1), bits, np.zeros(7, np.int64), np.empty((kept, n)),
        np.full(kept, -1), squares, np.zeros(d), np.empty(n),
        parts.diagonal(kernel, rows))


@jit
def charge(bits, count, i, members, many):
    """Count the kernel values of example i with these others: every one, and those that were never needed before"""
    for p in range(many):
        j = members[p]
        if j != i:
            count[EVALS] += 1
            low, high = min(i, j), max(i, j)
            pair = high * (high - 1) // 2 + low
            word, bit = pair >> 6, np.uint64(1) << np.uint64(pair & 63)
            if not bits[word] & bit:
                bits[word] |= bit
                count[PAIRS] += 1


@jit
def along(kernel, rows, squares, buffer, i, members, many, out):
    """K(x_i, x_j) of the first members; a sparse x_i is spread out, so that only the entries of x_j are walked along"""
    if matrix.is_dense(rows):
        X = rows.X
        for p in range(many):
            out[p] = parts.dense_k(kernel, X, i, X, members[p])
    elif kernel.kind == parts.LAPLACIAN:
        for p in range(many):
            out[p] = parts.sparse_k(kernel, rows, i, rows, members[p])
    else:
        data, indices, indptr = rows.data, rows.indices, rows.indptr
        for q in range(indptr[i], indptr[i + 1]):
            buffer[indices[q]] = data[q]
        for p in range(many):
            j, inner = members[p], 0.0
            for q in range(indptr[j], indptr[j + 1]):
                inner += data[q] * buffer[indices[q]]
            out[p] = parts.shape(kernel, inner, max(0.0, squares[i] + squares[j] - 2.0 * inner), 0.0)
        for q in range(indptr[i], indptr[i + 1]):
            buffer[indices[q]] = 0.0


@jit
def response(model, kernel, rows, i):
    """Σ coef_j K(x_j, x_i) over the support vectors"""
    many, total = model.count[N_SV], 0.0
    along(kernel, rows, model.squares, model.buffer, i, model.support, many, model.near)
    for p in range(many):
        total += model.coef[model.support[p]] * model.near[p]
    return total


@jit
def change(model, kernel, rows, mode, i, delta):
    """coef_i += delta; the support vectors and the responses that are kept follow"""
    coef, support, slot, count = model.coef, model.support, model.slot, model.count
    coef[i] += delta
    if slot[i] < 0 and coef[i] != 0.0:
        slot[i], support[count[N_SV]] = count[N_SV], i
        count[N_SV] += 1
    elif slot[i] >= 0 and coef[i] == 0.0:
        count[N_SV] -= 1
        last = support[count[N_SV]]
        support[slot[i]], slot[last] = last, slot[i]
        slot[i] = -1
    if mode == EVERYONE:
        column, f = fetch(rows, kernel, i, model.columns, model.known), model.f
        for j in range(f.size):
            f[j] += delta * column[j]
    else:
        members = model.queue if mode == SEEN_ONLY else support
        many = count[SEEN] if mode == SEEN_ONLY else count[N_SV]
        along(kernel, rows, model.squares, model.buffer, i, members, many, model.near)
        for p in range(many):
            model.f[members[p]] += delta * model.near[p]
