"""Kernel values of one example with all support vectors at once, feature by feature."""

from svmviz.maths import kernels, matrix
from svmviz.maths.kernels.distances import inverse_roots
from svmviz.maths.machine.exponentials import exponentials
from svmviz.maths.machine.jit import jit


@jit
def load(rows, i, x, at):
    """Spread example i into `x` and list its features in `at`; returns how many these are"""
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
    """|x - v_j|² for every vector. With few features |x|² + |v|² - 2 <x, v> is used: then only
    these need be read.
    """
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
def absolute_distances(V, b, x, out):
    """|x - v_j|_1 for every vector"""
    for j in range(b):
        out[j] = 0.0
    for f in range(x.size):
        value, v = x[f], V[f]
        for j in range(b):
            out[j] += abs(value - v[j])


@jit
def kernel_row(kernel, V, square, b, x, at, features, out):
    """K(x, v_j) for every vector"""
    plain_row(kernel, V, square, b, x, at, features, out)
    if kernel.plus != 0.0:
        for j in range(b):
            out[j] += kernel.plus


@jit
def plain_row(kernel, V, square, b, x, at, features, out):
    """The same without the constant feature"""
    if kernel.kind == kernels.RBF:
        squared_distances(V, square, b, x, at, features, out)
        exponentials(out, b, kernel.gamma)
        return
    if kernel.kind == kernels.IMQ:
        squared_distances(V, square, b, x, at, features, out)
        inverse_roots(out, b, kernel.gamma)
        return
    if kernel.kind == kernels.LAPLACIAN:
        absolute_distances(V, b, x, out)
        exponentials(out, b, kernel.gamma)
        return
    for j in range(b):
        out[j] = 0.0
    for q in range(features):
        f = at[q] if features < x.size else q
        value, v = x[f], V[f]
        for j in range(b):
            out[j] += value * v[j]
    if kernel.kind == kernels.POLY:
        for j in range(b):
            out[j] = kernels.shape(kernel, out[j], 0.0, 0.0) - kernel.plus


@jit
def self_kernel(kernel, x):
    """K(x, x)"""
    if kernel.kind in kernels.RADIAL:
        return 1.0 + kernel.plus
    inner = 0.0
    for f in range(x.size):
        inner += x[f] * x[f]
    return kernels.shape(kernel, inner, 0.0, 0.0)


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
