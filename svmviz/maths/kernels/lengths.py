"""How long examples are in the space of a kernel."""

import numpy as np
import scipy.sparse as sp

from svmviz.maths import kernels


def largest(kernel: kernels.Kernel, X) -> float:
    """The largest K(x, x) over the rows of X, infinite where that is more than a number can hold.

    >>> largest(kernels.poly(2, 1.0, 1.0), np.array([[3.0, 4.0], [0.0, 1.0]]))
    676.0
    """
    if kernel.kind in kernels.RADIAL:
        return 1.0 + kernel.plus
    with np.errstate(over="ignore"):
        longest = np.float64(
            np.max(X.multiply(X).sum(axis=1) if sp.issparse(X) else (X * X).sum(axis=1))
        )
        value = (
            longest
            if kernel.kind != kernels.POLY
            else (kernel.gamma * longest + kernel.coef0) ** kernel.degree
        )
        return float(value) + kernel.plus
