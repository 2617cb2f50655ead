"""Kernels as plain values that compiled code branches on.

A kernel is a NamedTuple with an integer `kind`: one type for the whole family, so that a solver is
compiled once for every mix. Constructors check their arguments; the compiled functions below never
raise.

>>> rbf(2.0)
Kernel(kind=1, gamma=2.0, degree=1, coef0=0.0, plus=0.0)
>>> print(rbf(2.0))
rbf(gamma=2.0)
"""

import sys
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.maths.kernels.distances import by_feature, by_row, inverse_root, inverse_roots
from svmviz.maths.machine.exponentials import exponential, exponentials
from svmviz.maths.machine.jit import bare, jit
from svmviz.maths.matrix import combined, inner, is_dense, merged, product, rows, size
from svmviz.work.words import brief, whole

LINEAR, RBF, POLY, LAPLACIAN, IMQ, PRECOMPUTED = range(6)
RADIAL, OF_SQUARES = (RBF, LAPLACIAN, IMQ), (RBF, IMQ)  # functions of a distance; of |x - z|²
NAMES = ("linear", "rbf", "poly", "laplacian", "imq", "precomputed")
TITLES = (
    "linear",
    "Gaussian",
    "polynomial",
    "Laplacian",
    "inverse multiquadric",
)  # no link and no menu has a Gram matrix
FIELDS = ((), ("gamma",), ("degree", "gamma", "coef0"), ("gamma",), ("gamma",), ())
BLOCK = 500  # columns of a Gram matrix that are there at a time
STRIP = 1024  # examples whose features, 64 of each, stay near the processor
COST = 15  # multiplications that a kernel value costs, about


class Kernel(NamedTuple):
    kind: int
    gamma: float
    degree: int
    coef0: float
    plus: float = 0.0  # added to every value: the square of a constant feature, see `constant`

    def __str__(self) -> str:
        """The call that makes this kernel; `kerneltext` reads it back."""
        values = ", ".join(f"{field}={getattr(self, field)!r}" for field in FIELDS[self.kind])
        return f"{NAMES[self.kind]}({values})"

    @property
    def radial(self) -> bool:
        """Whether K(x, x) = 1 for every x."""
        return self.kind in RADIAL and self.plus == 0.0


def linear() -> Kernel:
    """<x, z>"""
    return Kernel(LINEAR, 1.0, 1, 0.0)


def rbf(gamma: float = 1.0) -> Kernel:
    """exp(-gamma |x - z|²), the Gaussian kernel; gamma = 1 / (2 sigma²)."""
    return Kernel(RBF, _positive("gamma", gamma), 1, 0.0)


def poly(degree: int = 3, gamma: float = 1.0, coef0: float = 1.0) -> Kernel:
    """(gamma <x, z> + coef0) ** degree; coef0 >= 0 keeps it positive semi-definite."""
    if coef0 != coef0:
        raise ValueError("not a number")
    if not 0 <= coef0 <= sys.float_info.max:
        raise ValueError(f"coef0 must be at least 0 and finite, got {brief(coef0)}")
    degree = whole("degree", degree, 1, 10)
    return Kernel(POLY, _positive("gamma", gamma), degree, float(coef0))


def laplacian(gamma: float = 1.0) -> Kernel:
    """exp(-gamma |x - z|_1)"""
    return Kernel(LAPLACIAN, _positive("gamma", gamma), 1, 0.0)


def imq(gamma: float = 1.0) -> Kernel:
    """1 / sqrt(1 + gamma |x - z|²), the inverse multiquadric kernel: it falls, but far away it is
    still there.
    """
    return Kernel(IMQ, _positive("gamma", gamma), 1, 0.0)


def precomputed() -> Kernel:
    """Values that stand in the data already, see `numbered`; they still count as kernel
    evaluations.
    """
    return Kernel(PRECOMPUTED, 1.0, 1, 0.0)


def numbered(K: np.ndarray, first: int = 0) -> np.ndarray:
    """Data for the precomputed kernel from the rows K(x_i, .) of a Gram matrix: each row begins
    with its own number, so that any choice of rows still knows which columns are meant; all of them
    must stand in their order. Rows of test data have no column and no number: `first` is -1.

    >>> X = numbered(np.array([[1.0, 0.5], [0.5, 1.0]]))
    >>> gram(precomputed(), X, X[1:])
    array([[0.5],
           [1. ]])
    """
    numbers = np.arange(len(K)) if first >= 0 else np.full(len(K), -1)
    return np.column_stack([numbers, K])


KERNELS = {"linear": linear, "rbf": rbf, "poly": poly, "laplacian": laplacian, "imq": imq}


def _positive(name: str, value: float) -> float:
    if value != value:
        raise ValueError("not a number")
    if not 0 < value <= sys.float_info.max:
        raise ValueError(f"{name} must be positive and finite, got {brief(value)}")
    return float(value)


@bare
def shape(kernel, inner, squared, absolute):
    """The kernel as a function of <x, z>, |x - z|² and |x - z|_1"""
    if kernel.kind == RBF:
        return exponential(kernel.gamma * squared) + kernel.plus
    if kernel.kind == LAPLACIAN:
        return exponential(kernel.gamma * absolute) + kernel.plus
    if kernel.kind == IMQ:
        return inverse_root(kernel.gamma * squared) + kernel.plus
    if kernel.kind == POLY:
        base, value = kernel.gamma * inner + kernel.coef0, 1.0
        for _ in range(kernel.degree):
            value *= base
        return value + kernel.plus
    return inner + kernel.plus


@bare
def looked_up(X, i, Z, j):
    """K(x_i, z_j) in the row of one that has a column in the row of the other; there is none for
    two test rows
    """
    if X[i, 0] >= 0.0:
        return Z[j, 1 + int(X[i, 0])]
    return X[i, 1 + int(Z[j, 0])] if Z[j, 0] >= 0.0 else np.nan


@bare
def in_place(kernel, X):
    """Whether X holds all rows of a Gram matrix, so that number and place are the same: the numbers
    stand far apart in memory, and reading them would cost more than all the rest
    """
    return kernel.kind == PRECOMPUTED and X.shape[0] == X.shape[1] - 1


@bare
def dense_k(kernel, X, i, Z, j):
    """K(x_i, z_j) of dense rows"""
    inner, squared, absolute = 0.0, 0.0, 0.0
    if kernel.kind == PRECOMPUTED:
        return looked_up(X, i, Z, j)
    if kernel.kind in OF_SQUARES:
        for f in range(X.shape[1]):
            squared += (X[i, f] - Z[j, f]) ** 2
    elif kernel.kind == LAPLACIAN:
        for f in range(X.shape[1]):
            absolute += abs(X[i, f] - Z[j, f])
    else:
        for f in range(X.shape[1]):
            inner += X[i, f] * Z[j, f]
    return shape(kernel, inner, squared, absolute)


@bare
def sparse_k(kernel, rows, i, other, j):
    return shape(kernel, *merged(rows, i, other, j))


@bare
def k(kernel, rows, i, other, j):
    """K(x_i, z_j); both dense or both CSR"""
    return (
        dense_k(kernel, rows.X, i, other.X, j)
        if is_dense(rows)
        else sparse_k(kernel, rows, i, other, j)
    )


@bare
def bend(kernel, out):
    """A radial kernel of distances"""
    if kernel.kind == IMQ:
        inverse_roots(out, out.size, kernel.gamma)
    else:
        exponentials(out, out.size, kernel.gamma)
    if kernel.plus != 0.0:
        for j in range(out.size):
            out[j] += kernel.plus


@bare
def row(kernel, X, i, Z, out):
    """K(x_i, z_j) of dense rows for every j, if the kernel is radial many at a time; see
    `exponentials`
    """
    if kernel.kind not in RADIAL:
        for j in range(out.size):
            out[j] = X[i, 1 + j] if in_place(kernel, Z) else dense_k(kernel, X, i, Z, j)
        return
    by_row(kernel.kind in OF_SQUARES, X, i, Z, out)
    bend(kernel, out)


@bare
def radial_into(kernel, X, features, out):
    """K(x_i, z_j) of dense rows for every i and j, with a row of `features` for each feature of
    z
    """
    for first in range(0, out.shape[1], STRIP):
        for i in range(out.shape[0]):
            part = out[i, first : first + STRIP]
            by_feature(kernel.kind in OF_SQUARES, X[i], features, first, part)
            bend(kernel, part)


@bare
def column(kernel, rows, j, out):
    """K(x_i, x_j) for every i"""
    if is_dense(rows):
        row(kernel, rows.X, j, rows.X, out)
        return
    for i in range(out.size):
        out[i] = sparse_k(kernel, rows, i, rows, j)


@bare
def expansion(kernel, rows, v, i):
    """Σ v_j K(x_j, x_i) over the examples with v_j != 0, and how many these are"""
    total, evaluations = 0.0, 0
    if is_dense(rows):
        X, there = rows.X, in_place(kernel, rows.X)
        for j in range(v.size):
            if v[j] != 0.0:
                total += v[j] * (X[i, 1 + j] if there else dense_k(kernel, X, i, X, j))
                evaluations += 1
    else:
        for j in range(v.size):
            if v[j] != 0.0:
                total += v[j] * sparse_k(kernel, rows, i, rows, j)
                evaluations += 1
    return total, evaluations


@bare
def gram_into(kernel, rows, other, out):
    for i in range(out.shape[0]):
        if is_dense(rows):
            row(kernel, rows.X, i, other.X, out[i])
        else:
            for j in range(out.shape[1]):
                out[i, j] = sparse_k(kernel, rows, i, other, j)


@jit
def diagonal(kernel, rows):
    """K(x_i, x_i) for every i"""
    out = np.empty(size(rows))
    for i in range(out.size):
        out[i] = k(kernel, rows, i, rows, i)
    return out


def responses(kernel: Kernel, X, coef: np.ndarray, Z=None) -> np.ndarray:
    """Σ_j coef_j K(x_j, z_i) for every row of Z, which defaults to X, without the whole Gram matrix
    in memory; one column for each column of coef.

    >>> responses(linear(), np.eye(2), np.array([2.0, 3.0]), np.array([[1.0, 1.0]]))
    array([5.])
    """
    Z = X if Z is None else Z
    if kernel.kind == LINEAR:
        return product(Z, combined(X, coef)) + (kernel.plus * total(coef) if kernel.plus else 0.0)
    used, f = (
        np.flatnonzero(coef if coef.ndim == 1 else coef.any(axis=1)),
        np.zeros((Z.shape[0], *coef.shape[1:])),
    )
    for block in np.split(used, range(BLOCK, used.size, BLOCK)):
        f += product(gram(kernel, Z, X[block]), coef[block])
    return f


def total(coef: np.ndarray):
    """Σ_j coef_j, in one order on every machine; one for each column."""
    return product(np.ones((1, len(coef))), coef)[0]


def squared_norm(kernel: Kernel, X, coef: np.ndarray) -> float:
    """|Σ coef_j phi(x_j)|²; only examples with a coefficient are looked at."""
    used = np.flatnonzero(coef)
    return float(inner(coef[used], responses(kernel, X[used], coef[used])))


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
    if kernel.kind in RADIAL and is_dense(a):
        radial_into(kernel, a.X, np.ascontiguousarray(b.X.T), out)
    else:
        gram_into(kernel, a, b, out)
    return out
