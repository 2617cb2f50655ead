"""A run in a file, data and all, which `saved` reads again."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import scipy.sparse as sp

from svmviz.data.plane import Dataset
from svmviz.data.sizes import refuse_large
from svmviz.run.recipe import LAST, Recipe
from svmviz.run.saved import KEY


def save(trace: Any, path: str | Path) -> str:
    """Write a run to an .npz file; returns what its link says. What the page cannot show is
    refused.

    >>> import tempfile
    >>> from svmviz import SOLVERS, datasets
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(
    ...         SOLVERS["pegasos"].trace(datasets.moons(n=20), steps=30, lam=0.1),
    ...         Path(folder, "run.npz"),
    ...     )
    'data=run&solver=pegasos&lam=0.1&kernel=none&k=1&project=0&sampling=with+replacement&iterate=last&seed=0&T=30'
    """
    X, y = trace.problem.X, trace.problem.y
    refuse_large(X)
    if trace.steps > LAST:
        raise ValueError(f"the page shows runs of at most {LAST} steps, and this has {trace.steps}")
    if len(trace.segments) > 1:
        raise ValueError(
            "a run whose parameters change on the way is saved as a link, not as a file"
        )
    own = Dataset(KEY, "", lambda: trace.problem, (), "")
    recipe = Recipe(KEY, {}, trace.solver.key, trace.params(), (), trace.seed, trace.steps, own)
    parts = (
        {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": X.shape}
        if sp.issparse(X)
        else {"X": X}
    )
    kind = "real" if trace.problem.real else "several" if trace.problem.classes > 2 else "two"
    np.savez_compressed(
        path, y=y, query=np.array(json.dumps(recipe.query())), kind=np.array(kind), **parts
    )
    return urlencode(recipe.query())
