"""The examples as compiled code reads them: dense and CSR input are one type, with the unused
arrays empty, so that a solver is compiled once for both.

Sums are taken in a fixed order: that of NumPy's and SciPy's products depends on the processor, and
a link must give the same run on every machine.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.maths.machine.jit import bare


class Rows(NamedTuple):
    """The examples as compiled code reads them: dense if `X` has rows, CSR otherwise."""

    X: np.ndarray  # (n, d) or (0, d)
    data: np.ndarray  # CSR triple, empty if dense
    indices: np.ndarray
    indptr: np.ndarray


def rows(X) -> Rows:
    """Rows of a dense or sparse matrix, without a copy where the layout already fits; rows stay
    what they are.
    """
    if isinstance(X, Rows):
        return X
    if sp.issparse(X):
        X = X.tocsr()
        X = (
            X if X.has_sorted_indices else X.sorted_indices()
        )  # kernels walk along two rows at once, see `merged`
        return Rows(
            np.zeros((0, X.shape[1])),
            X.data.astype(np.float64, copy=False),
            X.indices.astype(np.int64, copy=False),
            X.indptr.astype(np.int64, copy=False),
        )
    X = np.require(X, np.float64, ["C", "W"])
    return Rows(X, np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64))


def refuse_broken(X) -> None:
    """Raise a ValueError if a sparse matrix names a row or a column that it does not have: compiled
    code reads such places, and SciPy's own check does not look where the last of the row pointers
    is negative.
    """
    if sp.issparse(X) and X.format in WITHIN and not WITHIN[X.format](X):
        raise ValueError(
            "X is no sparse matrix that can be read: it names rows or columns that its shape"
            f" {X.shape} has not"
        )


def csr(data, indices, indptr, shape) -> sp.csr_array:
    """The matrix of these arrays, which may come from anywhere; a ValueError says that there is
    none.
    """
    if any(np.asarray(places).dtype.kind not in "iu" for places in (indices, indptr)):
        raise ValueError("X is no sparse matrix that can be read: its indices are no whole numbers")
    try:
        X = sp.csr_array((data, indices, indptr), tuple(shape))
    except (TypeError, ValueError, IndexError, OverflowError) as error:
        raise ValueError(f"X is no sparse matrix that can be read: {error}") from None
    refuse_broken(X)
    return X


def _within(X) -> bool:
    """Whether row pointers rise from 0 to no more entries than there are, and these lie in columns
    that exist.
    """
    (rows, columns), (tall, wide) = X.shape, X.blocksize if X.format == "bsr" else (1, 1)
    rows, columns = (columns, rows) if X.format == "csc" else (rows // tall, columns // wide)
    first, at = X.indptr, X.indices
    return (
        first.shape == (rows + 1,)
        and first[0] == 0
        and bool((first[1:] >= first[:-1]).all())
        and first[-1] <= len(at) == len(X.data)
        and (not len(at) or 0 <= at.min() <= at.max() < columns)
    )


def _named(X) -> bool:
    """The same of coordinates."""
    return all(
        at.shape == X.data.shape and (not at.size or 0 <= at.min() <= at.max() < size)
        for at, size in zip(X.coords, X.shape, strict=True)
    )


def _listed(X) -> bool:
    """The same of lists of columns, one for each row."""
    return all(not row or 0 <= min(row) <= max(row) < X.shape[1] for row in X.rows)


WITHIN = {"csr": _within, "csc": _within, "bsr": _within, "coo": _named, "lil": _listed}


def stacked(parts):
    """Tables one below the other, sparse if the first is."""
    return sp.vstack(parts, format="csr") if sp.issparse(parts[0]) else np.concatenate(parts)


def entries(X) -> int:
    """What there is to read: all cells of a dense matrix, the stored ones of a sparse one."""
    return int(X.nnz if sp.issparse(X) else X.size)


@bare
def is_dense(rows):
    return rows.indptr.size == 0


@bare
def size(rows):
    return rows.X.shape[0] if is_dense(rows) else rows.indptr.size - 1


@bare
def nonzeros(rows, i):
    """Features read when row i is read: d if dense, the stored entries if CSR."""
    return rows.X.shape[1] if is_dense(rows) else rows.indptr[i + 1] - rows.indptr[i]


def features_read(X, order: np.ndarray) -> np.ndarray:
    """Features read in each step when it reads these rows, `order` having a row of them per
    step.
    """
    stored = np.diff(X.tocsr().indptr) if sp.issparse(X) else np.full(*X.shape)
    return stored[order].sum(axis=1, dtype=np.int64)


@bare
def dot(rows, i, v):
    """<x_i, v>"""
    total = 0.0
    if is_dense(rows):
        x = rows.X[i]
        for j in range(x.size):
            total += x[j] * v[j]
    else:
        for p in range(rows.indptr[i], rows.indptr[i + 1]):
            total += rows.data[p] * v[rows.indices[p]]
    return total


@bare
def inner(a, b):
    """<a, b>"""
    total = 0.0
    for j in range(a.size):
        total += a[j] * b[j]
    return total


@bare
def eightfold(a, b):
    """<a, b> as eight sums side by side, which do not wait for each other, and the rest"""
    whole = a.size - a.size % 8
    s0, s1, s2, s3, s4, s5, s6, s7, rest = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(0, whole, 8):
        s0 += a[j] * b[j]
        s1 += a[j + 1] * b[j + 1]
        s2 += a[j + 2] * b[j + 2]
        s3 += a[j + 3] * b[j + 3]
        s4 += a[j + 4] * b[j + 4]
        s5 += a[j + 5] * b[j + 5]
        s6 += a[j + 6] * b[j + 6]
        s7 += a[j + 7] * b[j + 7]
    for j in range(whole, a.size):
        rest += a[j] * b[j]
    return (((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))) + rest


@bare
def dots(rows, v, out):
    """<x_i, v> for every i"""
    if is_dense(rows):
        for i in range(out.size):
            out[i] = eightfold(rows.X[i], v)
    else:
        for i in range(out.size):
            out[i] = dot(rows, i, v)


@bare
def squares(rows, out):
    """|x_i|² for every i"""
    for i in range(out.size):
        out[i] = 0.0
        if is_dense(rows):
            out[i] = inner(rows.X[i], rows.X[i])
        else:
            for p in range(rows.indptr[i], rows.indptr[i + 1]):
                out[i] += rows.data[p] * rows.data[p]


@bare
def combine(rows, coef, out):
    """out += Σ coef_i x_i"""
    for i in range(coef.size):
        if coef[i] != 0.0:
            axpy(rows, i, coef[i], out)


def product(X, v: np.ndarray) -> np.ndarray:
    """X v, or the same for each column of a matrix v.

    >>> product(np.eye(2), np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 2.],
           [3., 4.]])
    """
    if v.ndim == 2:
        return np.stack([product(X, column) for column in v.T], axis=1)
    X = rows(X)
    out = np.empty(size(X))
    dots(X, np.ascontiguousarray(v), out)
    return out


def combined(X, coef: np.ndarray) -> np.ndarray:
    """Σ coef_i x_i, or the same for each column of a matrix coef.

    >>> combined(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, -1.0]))
    array([-2., -2.])
    """
    if coef.ndim == 2:
        return np.stack([combined(X, column) for column in coef.T], axis=1)
    X = rows(X)
    out = np.zeros(X.X.shape[1])
    combine(X, np.ascontiguousarray(coef), out)
    return out


def lengths(X) -> np.ndarray:
    """|x_i|² for every i"""
    X = rows(X)
    out = np.empty(size(X))
    squares(X, out)
    return out


@bare
def axpy(rows, i, c, v):
    """v += c x_i"""
    if is_dense(rows):
        x = rows.X[i]
        for j in range(x.size):
            v[j] += c * x[j]
    else:
        for p in range(rows.indptr[i], rows.indptr[i + 1]):
            v[rows.indices[p]] += c * rows.data[p]


@bare
def merged(rows, i, other, j):
    """<x_i, z_j>, |x_i - z_j|² and |x_i - z_j|_1 of two CSR rows with sorted indices, in one walk
    along both
    """
    inner, squared, absolute = 0.0, 0.0, 0.0
    p, q = rows.indptr[i], other.indptr[j]
    p_end, q_end = rows.indptr[i + 1], other.indptr[j + 1]
    while p < p_end or q < q_end:
        f = rows.indices[p] if p < p_end else np.iinfo(np.int64).max
        g = other.indices[q] if q < q_end else np.iinfo(np.int64).max
        a = rows.data[p] if f <= g else 0.0
        b = other.data[q] if g <= f else 0.0
        inner += a * b
        squared += (a - b) ** 2
        absolute += abs(a - b)
        p += 1 if f <= g else 0
        q += 1 if g <= f else 0
    return inner, squared, absolute
