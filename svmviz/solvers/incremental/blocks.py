"""Sparse examples laid side by side, so that one of them meets hundreds of others in a few wide
instructions.

A block holds LANES examples, feature by feature: those that x_i has are all that a product with x_i
reads, and every one of them is a run of LANES numbers. The sum over features keeps its order:
values are those of the plain loop, to the last bit, and K(x, z) = K(z, x).
"""

import numpy as np

from svmviz.maths.machine.jit import jit

LANES = 256
# blocks store zeros too: for emptier data they would take more than eight times the memory of the
# rows
SPARSEST = 1 / 16


def empty(X, wanted: bool) -> np.ndarray:
    """Room for as many examples as X has, (blocks, d, LANES), or none where blocks do not pay. What
    is not written to takes no memory.
    """
    n, d = X.shape
    pays = wanted and hasattr(X, "nnz") and X.nnz >= SPARSEST * n * d
    return np.zeros((-(-n // LANES) if pays else 0, d, LANES))


@jit
def there(blocks):
    return blocks.shape[0] > 0


@jit
def put(blocks, rows, i, p):
    """Example i comes to stand at place p, which is empty"""
    block, lane = blocks[p // LANES], p % LANES
    for q in range(rows.indptr[i], rows.indptr[i + 1]):
        block[rows.indices[q], lane] = rows.data[q]


@jit
def put_all(blocks, rows, members):
    """All of them stand in their places from the beginning"""
    if there(blocks):
        for p in range(members.size):
            put(blocks, rows, members[p], p)


@jit
def clear(blocks, rows, i, p):
    """Example i leaves place p"""
    block, lane = blocks[p // LANES], p % LANES
    for q in range(rows.indptr[i], rows.indptr[i + 1]):
        block[rows.indices[q], lane] = 0.0


@jit
def products(blocks, rows, i, first, last, out):
    """<x_i, x_j> of those at the places from `first` to before `last`, four features at a time"""
    data, indices, begin, end = rows.data, rows.indices, rows.indptr[i], rows.indptr[i + 1]
    for b in range(first // LANES, (last + LANES - 1) // LANES):
        block, low, high = blocks[b], max(first - b * LANES, 0), min(last - b * LANES, LANES)
        sums, q = out[b * LANES + low : b * LANES + high], begin
        for p in range(sums.size):
            sums[p] = 0.0
        while q + 4 <= end:
            x0, x1, x2, x3 = data[q], data[q + 1], data[q + 2], data[q + 3]
            z0, z1 = block[indices[q], low:high], block[indices[q + 1], low:high]
            z2, z3 = block[indices[q + 2], low:high], block[indices[q + 3], low:high]
            for p in range(sums.size):
                sums[p] = sums[p] + x0 * z0[p] + x1 * z1[p] + x2 * z2[p] + x3 * z3[p]
            q += 4
        while q < end:
            x0, z0 = data[q], block[indices[q], low:high]
            for p in range(sums.size):
                sums[p] += x0 * z0[p]
            q += 1
