"""w = Σ coef_i φ(x_i) while examples are added to it one by one: with a kernel the coefficients,
without one w itself, too.
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.maths.machine.jit import bare


class Expansion(NamedTuple):
    """What a step reads and changes."""

    rows: matrix.Rows
    kernelised: bool
    kernel: kernels.Kernel
    w: np.ndarray  # (d,), used without a kernel only
    coef: np.ndarray  # (n,)


def expansion(X, kernel: kernels.Kernel | None, coef: np.ndarray) -> Expansion:
    """Begins with these coefficients, which are changed in place."""
    rows = matrix.rows(X)
    return Expansion(
        rows, kernel is not None, kernel or kernels.linear(), matrix.combined(rows, coef), coef
    )


@bare
def respond(at, i):
    """<w, φ(x_i)>, and the kernel evaluations that it took"""
    if at.kernelised:
        return kernels.expansion(at.kernel, at.rows, at.coef, i)
    return matrix.dot(at.rows, i, at.w), 0


@bare
def add(at, i, c):
    """w += c φ(x_i)"""
    if c != 0.0:
        at.coef[i] += c
        if not at.kernelised:
            matrix.axpy(at.rows, i, c, at.w)


@bare
def scale(at, factor):
    """w *= factor"""
    for j in range(at.coef.size):
        at.coef[j] *= factor
    if not at.kernelised:
        for j in range(at.w.size):
            at.w[j] *= factor
