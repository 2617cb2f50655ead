"""Kernels, and the rows they are evaluated on, as plain values that compiled code branches on.

A kernel is a NamedTuple with an integer `kind`: one type for the whole family, so that a solver is compiled once
for every mix. `Rows` does the same for data: dense and CSR input are one type, with the unused arrays empty.
Constructors check their arguments; the compiled functions below never raise.

>>> rbf(2.0)
Kernel(kind=1, gamma=2.0, degree=1, coef0=0.0)
>>> print(rbf(2.0))
rbf(gamma=2.0)
"""

import ast
import math
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.jit import jit

LINEAR, RBF, POLY, LAPLACIAN = range(4)
NAMES = ("linear", "rbf", "poly", "laplacian")
TITLES = ("linear", "Gaussian", "polynomial", "Laplacian")
FIELDS = ((), ("gamma",), ("degree", "gamma", "coef0"), ("gamma",))


class Kernel(NamedTuple):
    kind: int
    gamma: float
    degree: int
    coef0: float

    def __str__(self) -> str:
        """The call that makes this kernel; `parse_kernel` reads it back."""
        values = ", ".join(f"{field}={getattr(self, field)!r}" for field in FIELDS[self.kind])
        return f"{NAMES[self.kind]}({values})"

    @property
    def radial(self) -> bool:
        """Whether K(x, x) = 1 for every x."""
        return self.kind in (RBF, LAPLACIAN)


def linear() -> Kernel:
    """<x, z>"""
    return Kernel(LINEAR, 1.0, 1, 0.0)


def rbf(gamma: float = 1.0) -> Kernel:
    """exp(-gamma |x - z|²), the Gaussian kernel; gamma = 1 / (2 sigma²)."""
    return Kernel(RBF, _positive("gamma", gamma), 1, 0.0)


def poly(degree: int = 3, gamma: float = 1.0, coef0: float = 1.0) -> Kernel:
    """(gamma <x, z> + coef0) ** degree; coef0 >= 0 keeps it positive semi-definite."""
    if degree != int(degree) or not 1 <= degree <= 10:
        raise ValueError(f"degree must be a whole number from 1 to 10, got {degree}")
    if not (math.isfinite(coef0) and coef0 >= 0):
        raise ValueError(f"coef0 must be at least 0, got {coef0}")
    return Kernel(POLY, _positive("gamma", gamma), int(degree), float(coef0))


def laplacian(gamma: float = 1.0) -> Kernel:
    """exp(-gamma |x - z|_1)"""
    return Kernel(LAPLACIAN, _positive("gamma", gamma), 1, 0.0)


KERNELS = {"linear": linear, "rbf": rbf, "poly": poly, "laplacian": laplacian}


def parse_kernel(text: str) -> Kernel:
    """The kernel that `str(kernel)` wrote.

    >>> parse_kernel("poly(degree=2, gamma=0.5, coef0=1.0)")
    Kernel(kind=2, gamma=0.5, degree=2, coef0=1.0)
    """
    try:
        call = ast.parse(text.strip(), mode="eval").body
        make = KERNELS[call.func.id]
        return make(*map(ast.literal_eval, call.args), **{k.arg: ast.literal_eval(k.value) for k in call.keywords})
    except ValueError as error:
        raise ValueError(f"kernel {text!r}: {error}") from None
    except (SyntaxError, AttributeError, KeyError, TypeError, RecursionError, MemoryError):
        raise ValueError(f"kernel must be one of {', '.join(KERNELS)} such as rbf(gamma=2.0), got {text!r}") from None


def _positive(name: str, value: float) -> float:
    if not (math.isfinite(value) and value > 0):
        raise ValueError(f"{name} must be positive, got {value}")
    return float(value)


class Rows(NamedTuple):
    """The examples as compiled code reads them: dense if `X` has rows, CSR otherwise."""

    X: np.ndarray  # (n, d) or (0, d)
    data: np.ndarray  # CSR triple, empty if dense
    indices: np.ndarray
    indptr: np.ndarray


def rows(X) -> Rows:
    """Rows of a dense or sparse matrix, without a copy where the layout already fits."""
    if sp.issparse(X):
        X = X.tocsr()
        return Rows(np.zeros((0, X.shape[1])), X.data.astype(np.float64, copy=False),
                    X.indices.astype(np.int64, copy=False), X.indptr.astype(np.int64, copy=False))
    X = np.require(X, np.float64, ["C", "W"])
    return Rows(X, np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64))


@jit
def is_dense(rows):
    return rows.indptr.size == 0


@jit
def size(rows):
    return rows.X.shape[0] if is_dense(rows) else rows.indptr.size - 1


@jit
def nonzeros(rows, i):
    """Features read when row i is read: d if dense, the stored entries if CSR."""
    return rows.X.shape[1] if is_dense(rows) else rows.indptr[i + 1] - rows.indptr[i]


@jit
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


@jit
def dots(rows, v, out):
    """<x_i, v> for every i"""
    if is_dense(rows):
        np.dot(rows.X, v, out)
    else:
        for i in range(out.size):
            out[i] = dot(rows, i, v)


@jit
def axpy(rows, i, c, v):
    """v += c x_i"""
    if is_dense(rows):
        x = rows.X[i]
        for j in range(x.size):
            v[j] += c * x[j]
    else:
        for p in range(rows.indptr[i], rows.indptr[i + 1]):
            v[rows.indices[p]] += c * rows.data[p]


@jit
def merged(rows, i, other, j):
    """<x_i, z_j>, |x_i - z_j|² and |x_i - z_j|_1 of two CSR rows with sorted indices, in one walk along both"""
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


@jit
def k(kernel, rows, i, other, j):
    """K(x_i, z_j); both dense or both CSR"""
    inner, squared, absolute = 0.0, 0.0, 0.0
    if not is_dense(rows):
        inner, squared, absolute = merged(rows, i, other, j)
    elif kernel.kind == RBF:
        for f in range(rows.X.shape[1]):
            squared += (rows.X[i, f] - other.X[j, f]) ** 2
    elif kernel.kind == LAPLACIAN:
        for f in range(rows.X.shape[1]):
            absolute += abs(rows.X[i, f] - other.X[j, f])
    else:
        for f in range(rows.X.shape[1]):
            inner += rows.X[i, f] * other.X[j, f]

    if kernel.kind == RBF:
        return math.exp(-kernel.gamma * squared)
    if kernel.kind == LAPLACIAN:
        return math.exp(-kernel.gamma * absolute)
    if kernel.kind == POLY:
        base, value = kernel.gamma * inner + kernel.coef0, 1.0
        for _ in range(kernel.degree):
            value *= base
        return value
    return inner


@jit
def gram_into(kernel, rows, other, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = k(kernel, rows, i, other, j)


@jit
def diagonal(kernel, rows):
    """K(x_i, x_i) for every i"""
    out = np.empty(size(rows))
    for i in range(out.size):
        out[i] = k(kernel, rows, i, rows, i)
    return out


def gram(kernel: Kernel, X, Z=None) -> np.ndarray:
    """The matrix K(x_i, z_j); `Z` defaults to `X`.

    >>> gram(linear(), np.eye(2), np.array([[3.0, 4.0]]))
    array([[3.],
           [4.]])
    """
    Z = X if Z is None else Z
    if sp.issparse(X) != sp.issparse(Z):
        X, Z = sp.csr_array(X), sp.csr_array(Z)
    a, b = rows(X), rows(Z)
    out = np.empty((size(a), size(b)))
    gram_into(kernel, a, b, out)
    return out
