"""A run in a file, data and all, such as an estimator's `trace_`: `svmviz app --run run.npz` shows it.

Whoever starts the app names the file (SVMVIZ_RUN), and its data are one of the sets that every visitor may choose.
"""

import json
import os
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import scipy.sparse as sp

from svmviz.data.plane import Dataset
from svmviz.data.problem import Problem, make_multiclass_problem, make_problem, make_regression_problem
from svmviz.data.sizes import refuse_large

ENVIRONMENT, KEY = "SVMVIZ_RUN", "run"
FEATURES = 200  # that have names


def save(trace: Any, path: str | Path) -> str:
    """Write a run to an .npz file; returns what its link says. What the page cannot show is refused.

    >>> import tempfile
    >>> from svmviz import SOLVERS, datasets
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(SOLVERS["pegasos"].trace(datasets.moons(n=20), steps=30, lam=0.1), Path(folder, "run.npz"))
    'data=run&solver=pegasos&lam=0.1&kernel=none&k=1&project=0&sampling=with+replacement&iterate=last&seed=0&T=30'
    """
    from svmviz.run.recipe import LAST, Recipe

    X, y = trace.problem.X, trace.problem.y
    refuse_large(X)
    if trace.steps > LAST:
        raise ValueError(f"the page shows runs of at most {LAST} steps, and this has {trace.steps}")
    if len(trace.segments) > 1:
        raise ValueError("a run whose parameters change on the way is saved as a link, not as a file")
    own = Dataset(KEY, "", lambda: trace.problem, (), "")
    recipe = Recipe(KEY, {}, trace.solver.key, trace.params(), (), trace.seed, trace.steps, own)
    parts = {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": X.shape} if sp.issparse(X) else {"X": X}
    kind = "real" if trace.problem.real else "several" if trace.problem.classes > 2 else "two"
    np.savez_compressed(path, y=y, query=np.array(json.dumps(recipe.query())), kind=np.array(kind), **parts)
    return urlencode(recipe.query())


def load(path: str | Path) -> tuple[Problem, dict[str, str]]:
    """The data of a file, and what the link of its run says; a ValueError where it is none."""
    try:
        with np.load(path, allow_pickle=False) as held:
            found = {name: held[name] for name in held.files}
        X = found["X"] if "X" in found else sp.csr_array(
            (found["data"], found["indices"], found["indptr"]), tuple(found["shape"].tolist()))
        query, kind, y = json.loads(str(found["query"])), str(found["kind"]), found["y"]
        make = {"two": make_problem, "several": make_multiclass_problem, "real": make_regression_problem}[kind]
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path} is no run that was saved: {error}") from None
    refuse_large(X)
    return make(X, y), {str(name): str(value) for name, value in query.items()}


def sources() -> dict[str, Dataset]:
    """The data of the file that the environment names, if it does."""
    path = os.environ.get(ENVIRONMENT)
    if not path:
        return {}
    problem, _ = load(path)
    names = tuple(f"x{j + 1}" for j in range(min(problem.d, FEATURES)))
    code = f"svmviz.run.saved.load({str(path)!r})[0]"
    return {KEY: Dataset(KEY, f"Your run: {Path(path).name}", lambda: problem, (), "From a file.", names, None,
                         "as given, not scaled", code)}
