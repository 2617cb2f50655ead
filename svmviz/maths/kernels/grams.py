"""Kernel values of all pairs of examples, which the curves of a run, its exact optimum and the next
run on the same data need.

They are kept only where somebody says so (`kept`), and then only of a few sets of examples, the
latest: with a digest of the data, not with the data. Turning λ leaves data and kernel what they
are: then nothing is computed twice.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np
import scipy.sparse as sp

from svmviz.maths import kernels, matrix
from svmviz.work.memo import digest_of
from svmviz.work.store import Store

MOST, UP_TO = 8, 600  # matrices, and examples of one, if nobody says more;
LARGEST = 2000  # these where one set of examples is looked at for long, as on the stage
ROOM = 7_000_000  # values of all, 56 MB: of one of the largest sets, and of seven others
_KEEPING: ContextVar[int] = ContextVar("keeping", default=0)
_KNOWN = Store(MOST, ROOM, np.size)


@contextmanager
def kept(keeping: bool = True, up_to: int = UP_TO) -> Iterator[None]:
    """Keep what this thread computes in this block of sets of up to so many examples, for
    anybody.
    """
    token = _KEEPING.set(up_to if keeping else 0)
    try:
        yield
    finally:
        _KEEPING.reset(token)


def table(kernel: kernels.Kernel, X, worth: bool = True) -> np.ndarray | None:
    """(n, n + 1) data for the precomputed kernel, with the same values to the last digit; None
    where they are not kept. Where it is not `worth` computing all of them, only what is known.
    """
    if (
        sp.issparse(X)
        or X.shape[0] > _KEEPING.get()
        or kernel.kind in (kernels.LINEAR, kernels.PRECOMPUTED)
    ):
        return None
    key = digest_of(X), kernel
    if not worth:
        return _KNOWN.get(key)
    return _KNOWN.find(key, lambda: kernels.numbered(kernels.gram(kernel, X)))


def read(kernel: kernels.Kernel, X, worth: bool = True) -> tuple[matrix.Rows, kernels.Kernel]:
    """Rows and a kernel with the same values: what is kept of them, see `table`, or the examples
    themselves.
    """
    known = table(kernel, X, worth)
    return (
        (matrix.rows(X), kernel) if known is None else (matrix.rows(known), kernels.precomputed())
    )
