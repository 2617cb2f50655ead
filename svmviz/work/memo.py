"""Exact optima that were found lately. A run that goes on with other points, or for more steps,
keeps the stretches before, and so their optima; to find one takes longer than all steps together.

What is kept is a digest of the question and the answer, not the data; of data that are private,
nothing.
"""

from collections.abc import Callable
from functools import wraps
from hashlib import blake2b

import numpy as np
import scipy.sparse as sp

from svmviz.work.store import Store

KEPT = 64  # answers, of at most 32 KB each where a page asks


def lately(find: Callable) -> Callable:
    """Return `find(problem, ...)` with a memory; every call gets arrays of its own."""
    known = Store(KEPT)

    @wraps(find)
    def recalled(problem, *given, **named):
        if problem.private:
            return find(problem, *given, **named)
        key = digest(problem), given, tuple(sorted(named.items()))
        answer = known.find(key, lambda: find(problem, *given, **named))
        return answer._make(
            part.copy() if isinstance(part, np.ndarray) else part for part in answer
        )

    return recalled


def digest(problem) -> bytes:
    return digest_of(*problem)


def digest_of(X, *more) -> bytes:
    """What tells these numbers from all others."""
    parts = (X.data, X.indices, X.indptr) if sp.issparse(X) else (X,)
    found = blake2b(repr((X.shape, *(part.dtype.str for part in parts))).encode(), digest_size=16)
    for part in (*parts, *more):
        found.update(np.ascontiguousarray(part))
    return found.digest()
