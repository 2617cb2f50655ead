"""The state of a run on a stream, as compiled code sees it, and the count of its kernel
evaluations.

`queue` is a permutation of the examples: those that have arrived, in their order, then all others.
Responses f are kept for everybody where a run is traced (EVERYONE); a run on large data keeps those
that its variant pays for, its members: all seen (SEEN_ONLY) or the support vectors (SUPPORT_ONLY).
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.maths.machine.jit import jit
from svmviz.solvers.incremental import blocks as side_by_side
from svmviz.solvers.incremental.blocks import clear, products, put, there
from svmviz.solvers.incremental.cache import (
    FILL,
    ROW,
    WIDTH,
    Cache,
    claim,
    forget,
    learn,
    release,
    widen,
)
from svmviz.solvers.incremental.cache import empty as no_values

EVERYONE, SEEN_ONLY, SUPPORT_ONLY = range(3)
SEEN, N_SV, EVALS, PAIRS, SELECTION, READ, RECENT = range(7)  # places in `count`
COLUMNS = 2048  # up to this many examples the kernel columns that were needed are kept (32 MB)


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
    charged: (
        np.ndarray
    )  # (n,) so many members, from the first, whose pairs with an example were all needed before
    count: np.ndarray  # (7,) int64
    columns: np.ndarray  # (kept, n) kernel columns
    known: np.ndarray  # (kept,) which example each of them belongs to
    squares: np.ndarray  # (n,) |x|²
    buffer: np.ndarray  # (d,) one example, spread out
    near: (
        np.ndarray
    )  # (max(n, K + 1),) kernel values with it, of members or of what moved in this round
    diagonal: np.ndarray  # (n,) K(x, x)
    arrived: np.ndarray  # those seen, in blocks
    vectors: np.ndarray  # the support vectors, in blocks
    cache: Cache


def empty(
    X, kernel, mode: int, K: int, active: np.ndarray, bits=None, megabytes: float = 0.0
) -> Model:
    """Nothing has arrived yet. So many megabytes of kernel values may be kept where responses are
    not kept for everybody.
    """
    n, d = X.shape
    rows, kept = matrix.rows(X), (n if n <= COLUMNS else 1) if mode == EVERYONE else 0
    place = np.full(n, -1)
    place[active] = np.arange(active.size)
    bits = np.zeros((n * (n - 1) // 2 + 64) // 64, np.uint64) if bits is None else bits
    wide = mode != EVERYONE and kernel.kind != kernels.LAPLACIAN
    return Model(
        np.zeros(n),
        np.zeros(n),
        np.zeros(n),
        active.astype(np.int64),
        place,
        np.empty(n, np.int64),
        np.full(n, -1),
        np.empty(K + 1, np.int64),
        np.empty(K + 1),
        bits,
        np.zeros(n, np.int64),
        np.zeros(7, np.int64),
        np.empty((kept, n)),
        np.full(kept, -1),
        matrix.lengths(rows),
        np.zeros(d),
        np.empty(max(n, K + 1)),
        kernels.diagonal(kernel, rows),
        side_by_side.empty(X, wide and mode == SEEN_ONLY),
        side_by_side.empty(X, wide),
        no_values(n, megabytes),
    )


@jit
def fetch(rows, kernel, j, columns, known):
    """The column K(., x_j), computed once if there is room to keep it"""
    place = j if known.size > 1 else 0
    if known[place] != j:
        known[place] = j
        kernels.column(kernel, rows, j, columns[place])
    return columns[place]


@jit
def charge(bits, count, i, members, many, own, known):
    """Count the kernel values of example i with these others, of whom `own` are itself: every one,
    and those that were never needed before, as the pairs with the first `known` were
    """
    count[EVALS] += many - own
    for p in range(known, many):
        j = members[p]
        if j != i:
            low, high = min(i, j), max(i, j)
            pair = high * (high - 1) // 2 + low
            word, bit = pair >> 6, np.uint64(1) << np.uint64(pair & 63)
            if not bits[word] & bit:
                bits[word] |= bit
                count[PAIRS] += 1


@jit
def along(kernel, rows, squares, buffer, blocks, i, members, first, many, out):
    """K(x_i, x_j) of the members from the first given; a sparse x_i is multiplied with blocks of
    them or spread out, so that only the entries of x_j are walked along
    """
    if matrix.is_dense(rows):
        X = rows.X
        for p in range(first, many):
            out[p] = kernels.dense_k(kernel, X, i, X, members[p])
    elif kernel.kind == kernels.LAPLACIAN:
        for p in range(first, many):
            out[p] = kernels.sparse_k(kernel, rows, i, rows, members[p])
    else:
        if there(blocks):
            products(blocks, rows, i, first, many, out)
        else:
            walk(rows, buffer, i, members, first, many, out)
        for p in range(first, many):
            out[p] = kernels.shape(
                kernel, out[p], max(0.0, squares[i] + squares[members[p]] - 2.0 * out[p]), 0.0
            )


@jit
def walk(rows, buffer, i, members, first, many, out):
    """<x_i, x_j> of the members from the first given"""
    data, indices, indptr = rows.data, rows.indices, rows.indptr
    for q in range(indptr[i], indptr[i + 1]):
        buffer[indices[q]] = data[q]
    for p in range(first, many):
        j, out[p] = members[p], 0.0
        for q in range(indptr[j], indptr[j + 1]):
            out[p] += data[q] * buffer[indices[q]]
    for q in range(indptr[i], indptr[i + 1]):
        buffer[indices[q]] = 0.0


@jit
def response(model, kernel, rows, i):
    """Σ coef_j K(x_j, x_i) over the support vectors"""
    many, total = model.count[N_SV], 0.0
    along(
        kernel,
        rows,
        model.squares,
        model.buffer,
        model.vectors,
        i,
        model.support,
        0,
        many,
        model.near,
    )
    for p in range(many):
        total += model.coef[model.support[p]] * model.near[p]
    return total


@jit
def join(model, kernel, rows, mode, i):
    """The example that has just arrived gets its response; what is computed for that, rows of the
    cache need too
    """
    p = model.place[i]
    model.f[i] = response(model, kernel, rows, i)
    if mode == SEEN_ONLY:
        if there(model.arrived):
            put(model.arrived, rows, i, p)
        widen(model.cache, p + 1)
        learn(model.cache, model.support, model.count[N_SV], model.near, p)


@jit
def values(model, kernel, rows, mode, i):
    """K(x_i, .) of the members, from the cache as far as it has them; kept there if there is
    room
    """
    if mode == SEEN_ONLY:
        members, blocks, many = model.queue, model.arrived, model.count[SEEN]
    else:
        members, blocks, many = model.support, model.vectors, model.count[N_SV]
    cache, out, first = model.cache, model.near, 0
    widen(cache, many)
    r = claim(cache, i)
    if r >= 0:
        start, first = r * cache.state[WIDTH], cache.book[FILL, r]
        out, cache.book[FILL, r] = cache.values[start : start + many], many
    along(kernel, rows, model.squares, model.buffer, blocks, i, members, first, many, out)
    return out


@jit
def change(model, kernel, rows, mode, i, delta):
    """coef_i += delta; the support vectors and the responses that are kept follow"""
    coef, f, cache, support, slot, count, blocks = (
        model.coef,
        model.f,
        model.cache,
        model.support,
        model.slot,
        model.count,
        model.vectors,
    )
    coef[i] += delta
    new, gone = slot[i] < 0 and coef[i] != 0.0, slot[i] >= 0 and coef[i] == 0.0
    if new:
        slot[i], support[count[N_SV]] = count[N_SV], i
        count[N_SV] += 1
        if there(blocks):
            put(blocks, rows, i, slot[i])
    elif gone:
        count[N_SV] -= 1
        p, last = slot[i], count[N_SV]
        j = support[last]
        support[p], slot[j] = j, p
        slot[i] = -1
        if there(blocks):
            clear(blocks, rows, i, p)
            if j != i:
                clear(blocks, rows, j, last)
                put(blocks, rows, j, p)
        if mode == SUPPORT_ONLY:
            forget(cache, p, last)
    if mode == EVERYONE:
        column = fetch(rows, kernel, i, model.columns, model.known)
        for j in range(f.size):
            f[j] += delta * column[j]
        return
    near = values(model, kernel, rows, mode, i)
    members, many = (model.queue, count[SEEN]) if mode == SEEN_ONLY else (support, count[N_SV])
    for p in range(many):
        f[members[p]] += delta * near[p]
    if mode == SUPPORT_ONLY and new:
        learn(cache, support, many, near, many - 1)
    elif mode == SUPPORT_ONLY and gone and cache.book[ROW, i] >= 0:
        release(cache, cache.book[ROW, i])
