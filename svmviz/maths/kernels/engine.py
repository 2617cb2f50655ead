"""Kernel values in rows, as fits need them: one point against all examples, in a few wide
instructions for many of these.

Examples are laid side by side. A block holds LANES of them, feature by feature: the features that x
has are all that its row reads, each as a run of LANES numbers, and every sum stays in the fastest
memory until its kernel value is there. Examples that are emptier than SPARSEST are kept by columns
instead, and the columns of x's features are walked. Numbers may be stored in single precision; sums
are of doubles. The sum over features keeps its order, and each value is computed by itself: nothing
depends on how many are asked for at a time, or by how many threads. Runs on the stage have
`kernels`, whose last digits differ.

>>> X = np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]])
>>> rows(kernels.rbf(0.04), laid_out(X), points(X[1:2]))
array([[0.36787944, 1.        , 0.48675226]])
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.maths import kernels
from svmviz.maths.kernels import IMQ, LAPLACIAN, OF_SQUARES, POLY, RBF
from svmviz.maths.machine.bits import fused
from svmviz.maths.machine.exponentials import swiftly
from svmviz.maths.machine.jit import bare, jit, loop
from svmviz.maths.matrix import eightfold

LANES = 512
# blocks store zeros, too: for emptier data they would take more than eight times the memory of rows
SPARSEST = 1 / 16
CHUNK = 16 * LANES  # points that are laid out at once for a prediction


class Points(NamedTuple):
    """Rows whose features are walked: dense if X has rows, CSR otherwise."""

    X: np.ndarray  # (n, d) or (0, d)
    data: np.ndarray
    indices: np.ndarray
    indptr: np.ndarray
    every: np.ndarray  # (d,) the features of a dense row
    own: np.ndarray  # (n,) |x|², or |x|_1 where the kernel is of that


class Examples(NamedTuple):
    """What a row is against: in blocks, or where there are none by columns."""

    n: int
    dense: bool
    blocks: np.ndarray  # (blocks, d, LANES)
    data: np.ndarray  # of CSC
    rows: np.ndarray
    first: np.ndarray
    own: np.ndarray  # (n,) as of points


def points(X, kernel: kernels.Kernel | None = None) -> Points:
    """Rows of a table, dense or CSR, in its own precision and without a copy where the layout
    fits.
    """
    own = lengths(X, kernel is not None and kernel.kind == LAPLACIAN)
    if sp.issparse(X):
        return Points(
            np.zeros((0, X.shape[1]), X.dtype),
            X.data,
            X.indices,
            X.indptr,
            np.zeros(0, X.indices.dtype),
            own,
        )
    X, none, every = (
        np.ascontiguousarray(X),
        np.zeros(0, np.int32),
        np.arange(X.shape[1], dtype=np.int32),
    )
    return Points(X, np.zeros(0, X.dtype), none, none, every, own)


def laid_out(X, kernel: kernels.Kernel | None = None) -> Examples:
    """The rows of a table side by side."""
    n, d = X.shape
    own = lengths(X, kernel is not None and kernel.kind == LAPLACIAN)
    if sp.issparse(X) and X.nnz < SPARSEST * n * d:
        by = X.tocsc()
        return Examples(
            n, False, np.zeros((0, d, LANES), X.dtype), by.data, by.indices, by.indptr, own
        )
    blocks, none = np.zeros((-(-n // LANES), d, LANES), X.dtype), np.zeros(0, np.int32)
    if sp.issparse(X):
        spread(X.data, X.indices, X.indptr, blocks)
        return Examples(n, False, blocks, np.zeros(0, X.dtype), none, none, own)
    for b in range(len(blocks)):
        part = X[b * LANES : (b + 1) * LANES]
        blocks[b, :, : len(part)] = part.T
    return Examples(n, True, blocks, np.zeros(0, X.dtype), none, none, own)


def lengths(X, absolute: bool) -> np.ndarray:
    """|x|² of every row, or |x|_1, as a double."""
    if sp.issparse(X):
        out = np.zeros(X.shape[0])
        sums(X.data, X.indptr, absolute, out)
        return out
    return (
        np.abs(X).sum(axis=1, dtype=np.float64)
        if absolute
        else np.einsum("ij,ij->i", X, X, dtype=np.float64)
    )


@bare
def sums(data, indptr, absolute, out):
    for i in range(out.size):
        for q in range(indptr[i], indptr[i + 1]):
            out[i] += abs(data[q]) if absolute else np.float64(data[q]) * data[q]


@bare
def spread(data, indices, indptr, blocks):
    lanes = blocks.shape[2]
    for i in range(indptr.size - 1):
        block, lane = blocks[i // lanes], i % lanes
        for q in range(indptr[i], indptr[i + 1]):
            block[indices[q], lane] = data[q]


@bare
def point(points, i):
    """The values of row i, and which features they belong to; for callers that count no arrays
    either (`bare`)
    """
    if points.X.shape[0] > 0:
        return points.X[i], points.every
    first, last = points.indptr[i], points.indptr[i + 1]
    return points.data[first:last], points.indices[first:last]


@loop
def products(block, values, features, many, out):
    """<x, z> of the first so many of a block, four features at a time"""
    q = 0
    for p in range(many):
        out[p] = 0.0
    while q + 4 <= values.size:
        x0, x1, x2, x3 = (
            np.float64(values[q]),
            np.float64(values[q + 1]),
            np.float64(values[q + 2]),
            np.float64(values[q + 3]),
        )
        z0, z1, z2, z3 = (
            block[features[q]],
            block[features[q + 1]],
            block[features[q + 2]],
            block[features[q + 3]],
        )
        for p in range(many):
            half = fused(x1, np.float64(z1[p]), fused(x0, np.float64(z0[p]), out[p]))
            out[p] = fused(x3, np.float64(z3[p]), fused(x2, np.float64(z2[p]), half))
        q += 4
    while q < values.size:
        x0, z0 = np.float64(values[q]), block[features[q]]
        for p in range(many):
            out[p] = fused(x0, np.float64(z0[p]), out[p])
        q += 1


@loop
def squared(block, values, many, out):
    """|x - z|² of the first so many of a block, of dense rows, two features at a time"""
    even = values.size % 2 == 0
    x, z, f = np.float64(values[0]), block[0], 2 if even else 1
    if even:
        x1, z1 = np.float64(values[1]), block[1]
        for p in range(many):
            apart, apart1 = x - np.float64(z[p]), x1 - np.float64(z1[p])
            out[p] = fused(apart1, apart1, apart * apart)
    else:
        for p in range(many):
            apart = x - np.float64(z[p])
            out[p] = apart * apart
    while f < values.size:
        x, x1, z, z1 = np.float64(values[f]), np.float64(values[f + 1]), block[f], block[f + 1]
        for p in range(many):
            apart, apart1 = x - np.float64(z[p]), x1 - np.float64(z1[p])
            out[p] = fused(apart1, apart1, fused(apart, apart, out[p]))
        f += 2


@loop
def absolute(block, values, features, own, many, out):
    """|x - z|_1 of the first so many of a block: |z|_1, from which x takes its part by features"""
    for p in range(many):
        out[p] = own[p]
    for q in range(values.size):
        x, z = np.float64(values[q]), block[features[q]]
        for p in range(many):
            out[p] += abs(x - np.float64(z[p])) - abs(np.float64(z[p]))


@loop
def walked(examples, kind, values, features, out):
    """<x, z> of all examples, or |x - z|_1, along the columns of x's features"""
    data, rows, first = examples.data, examples.rows, examples.first
    for p in range(out.size):
        out[p] = 0.0
    length = 0.0
    for q in range(values.size):
        x = np.float64(values[q])
        length += abs(x)
        for p in range(first[features[q]], first[features[q] + 1]):
            z = np.float64(data[p])
            out[rows[p]] += x * z if kind != LAPLACIAN else abs(x - z) - abs(x) - abs(z)
    if kind == LAPLACIAN:
        for p in range(out.size):
            out[p] += length + examples.own[p]


@loop
def shaped(kernel, dense, length, own, many, sums, out):
    """Kernel values of what was summed up"""
    if kernel.kind in OF_SQUARES and not dense:
        for p in range(many):
            apart = (length + own[p]) - 2.0 * sums[p]
            sums[p] = apart if apart > 0.0 else 0.0
    if kernel.kind == RBF or kernel.kind == LAPLACIAN:
        swiftly(sums, many, kernel.gamma, out)
    elif kernel.kind == IMQ:
        for p in range(many):
            out[p] = 1.0 / np.sqrt(1.0 + kernel.gamma * sums[p])
    elif kernel.kind == POLY:
        for p in range(many):
            value = base = kernel.gamma * sums[p] + kernel.coef0
            for _ in range(kernel.degree - 1):
                value *= base
            out[p] = value
    else:
        for p in range(many):
            out[p] = sums[p]
    if kernel.plus != 0.0:
        for p in range(many):
            out[p] += kernel.plus


@bare
def room(examples):
    """How many sums a row needs room for"""
    return examples.blocks.shape[2] if examples.blocks.shape[0] > 0 else examples.n


@bare
def row(examples, kernel, points, i, first, last, sums, out):
    """K(x_i, z_j) of the examples from `first`, where a block begins, to before `last`; of all
    where there are no blocks. `sums` is working space, see `room`
    """
    values, features = point(points, i)
    if examples.blocks.shape[0] == 0:
        walked(examples, kernel.kind, values, features, sums)
        shaped(kernel, False, points.own[i], examples.own, examples.n, sums, out)
        return
    lanes = examples.blocks.shape[2]
    for b in range(first // lanes, (last + lanes - 1) // lanes):
        block, start = examples.blocks[b], b * lanes
        many = min(lanes, last - start)
        own = examples.own[start : start + many]
        if kernel.kind == LAPLACIAN:
            absolute(block, values, features, own, many, sums)
        elif kernel.kind in OF_SQUARES and examples.dense:
            squared(block, values, many, sums)
        else:
            products(block, values, features, many, sums)
        shaped(kernel, examples.dense, points.own[i], own, many, sums, out[start : start + many])


@loop
def lift(responses, by, near):
    """What an example's coefficient, raised, does to the responses of those near it"""
    for j in range(near.size):
        responses[j] = fused(by, np.float64(near[j]), responses[j])


@jit
def every_row(examples, kernel, points, out):
    sums = np.empty(room(examples))
    for i in range(out.shape[0]):
        row(examples, kernel, points, i, 0, examples.n, sums, out[i])


@jit
def respond(examples, kernel, points, coef, out):
    """out[c] += Σ_i coef[i, c] K(x_i, z_j) for every example z_j, a block at a time"""
    sums, lanes = np.empty(room(examples)), room(examples)
    near = np.empty(examples.n, examples.blocks.dtype)
    for first in range(0, examples.n, lanes):
        last = min(examples.n, first + lanes)
        for i in range(coef.shape[0]):
            row(examples, kernel, points, i, first, last, sums, near)
            for c in range(coef.shape[1]):
                lift(out[c, first:last], coef[i, c], near[first:last])


@jit
def answer(examples, kernel, points, coef, out):
    """out[c, i] = Σ_j coef[c, j] K(z_j, x_i) for every point x_i"""
    sums, near = np.empty(room(examples)), np.empty(examples.n)
    for i in range(out.shape[1]):
        row(examples, kernel, points, i, 0, examples.n, sums, near)
        for c in range(out.shape[0]):
            out[c, i] = eightfold(coef[c], near)


def rows(kernel: kernels.Kernel, examples: Examples, points: Points) -> np.ndarray:
    """(points, examples) kernel values."""
    out = np.empty((len(points.own), examples.n))
    every_row(examples, kernel, points, out)
    return out


def responses(kernel: kernels.Kernel, X, coef: np.ndarray, Z) -> np.ndarray:
    """Σ_i coef_i K(x_i, z_j) for every row of Z, one column for each column of coef.

    >>> responses(
    ...     kernels.rbf(0.04), np.array([[3.0, 4.0]]), np.array([[2.0]]), np.array([[0.0, 0.0]])
    ... )
    array([[0.73575888]])
    """
    out = np.zeros((coef.shape[1], Z.shape[0]))
    if sp.issparse(Z) and not sp.issparse(X):  # few features of each z, and all of each x: z walks
        answer(
            laid_out(X, kernel)._replace(dense=False),
            kernel,
            points(Z, kernel),
            np.ascontiguousarray(coef.T),
            out,
        )
        return out.T
    walking = points(X, kernel)
    for first in range(0, Z.shape[0], CHUNK):
        part = Z[first : first + CHUNK]
        examples = laid_out(
            part if sp.issparse(X) == sp.issparse(part) else sp.csr_array(part), kernel
        )
        respond(examples, kernel, walking, coef, out[:, first : first + CHUNK])
    return out.T
