"""Traces of runs that this process has carried out lately, the server or one of those that compute
for it: a front, rivals and a table ask for more of a run than has travelled.
"""

from collections.abc import Mapping
from functools import cache

import numpy as np
import scipy.sparse as sp

from svmviz.record.trace import Trace
from svmviz.run.recipe import Recipe
from svmviz.work.store import Store

MOST, ROOM = 64, 64 * 2**20  # traces, and bytes of all of them


def size(part) -> int:
    """Bytes of all arrays in it."""
    if isinstance(part, np.ndarray):
        return part.nbytes
    if sp.issparse(part):
        return part.data.nbytes + part.indices.nbytes + part.indptr.nbytes
    if isinstance(part, Mapping):  # of one that computes its values when asked, what it knows
        return sum(map(size, getattr(part, "known", part).values()))
    return sum(map(size, part)) if isinstance(part, (tuple, list)) else 0


def weight(trace: Trace) -> int:
    """What a trace holds by now, and the data that it was computed from."""
    return size(vars(trace))


@cache
def shared() -> Store:
    return Store(MOST, ROOM, weight)


def found(recipe: Recipe) -> Trace:
    """Return the trace of a recipe, carried out if it is not kept; a trace of a visitor's own data
    is not.
    """
    return recipe.trace() if recipe.own else shared().find(recipe.key(), recipe.trace)
