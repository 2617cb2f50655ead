"""Traces of runs that were looked at lately: a front, rivals and a table ask for more of a run than has travelled.

Those of public data are kept for anybody; on a visitor's own data they stay in the session, and go with it.
"""

from collections.abc import Mapping

import numpy as np
import scipy.sparse as sp
import streamlit as st

from svmviz.record.trace import Trace
from svmviz.run.recipe import Recipe
from svmviz.ui.background import Store

MOST, ROOM = 64, 128 * 2**20  # traces, and bytes of all of them
OWN, OWN_ROOM = 2, 32 * 2**20  # the same of one visitor's own data


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


@st.cache_resource(show_spinner=False)
def shared() -> Store:
    return Store(MOST, ROOM, weight)


def kept(recipe: Recipe) -> Store:
    """Where the trace of a recipe is, if it is anywhere."""
    if not recipe.own:
        return shared()
    return st.session_state.setdefault("traces", Store(OWN, OWN_ROOM, weight))


def found(recipe: Recipe, store: Store) -> Trace:
    """The trace of a recipe, carried out if it is not in its store; for a thread that is not the script's, too."""
    known = store.get(recipe.key())
    return recipe.trace() if known is None else known
