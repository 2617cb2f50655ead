"""Whole matrices of kernel values in a hurry, for exact optima."""

import numpy as np
import scipy.sparse as sp

from svmviz import parts
from svmviz.jit import jit


@jit
def distances_into(kernel, X, Z, out):
    """|x_i - z_j|² or, where the kernel asks for it, |x_i - z_j|_1"""
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            total = 0.0
            for f in range(X.shape[1]):
                apart = X[i, f] - Z[j, f]
                total += apart * apart if kernel.kind == parts.RBF else abs(apart)
            out[i, j] = total


def quick_gram(kernel: parts.Kernel, X, Z=None, block: int = 64) -> np.ndarray:
    """The same as `parts.gram` to the last digit but one, several times faster where the kernel is radial: NumPy takes the
    exponentials of many numbers at once, which compiled code does not. For what need not repeat a trace digit for digit.

    >>> bool(abs(quick_gram(parts.rbf(), np.eye(3)) - parts.gram(parts.rbf(), np.eye(3))).max() < 1e-15)
    True
    """
    Z = X if Z is None else Z
    if not kernel.radial or sp.issparse(X) or sp.issparse(Z):
        return parts.gram(kernel, X, Z)
    out = np.empty((len(X), len(Z)))
    for start in range(0, len(X), block):  # so few rows stay in the processor's cache
        part = out[start : start + block]
        distances_into(kernel, X[start : start + block], Z, part)
        part *= -kernel.gamma
        np.exp(part, out=part)
    return out
