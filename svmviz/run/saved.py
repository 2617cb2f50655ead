"""A run that was saved with its data (`saving`), such as an estimator's `trace_`: `svmviz app --run run.npz` shows it.

Whoever starts the app names the file (SVMVIZ_RUN), and its data are one of the sets that every visitor may choose.
"""

import json
import os
import zipfile
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from svmviz.data.plane import Dataset
from svmviz.data.problem import Problem, make_multiclass_problem, make_problem, make_regression_problem
from svmviz.data.sizes import refuse_large

ENVIRONMENT, KEY = "SVMVIZ_RUN", "run"
FEATURES = 200  # that have names


def load(path: str | Path) -> tuple[Problem, dict[str, str]]:
    """The data of a file, and what the link of its run says; a ValueError where it is none."""
    try:
        with np.load(path, allow_pickle=False) as held:
            found = {name: held[name] for name in held.files}
        X = found["X"] if "X" in found else sp.csr_array(
            (found["data"], found["indices"], found["indptr"]), tuple(found["shape"].tolist()))
        query, kind, y = json.loads(str(found["query"])), str(found["kind"]), found["y"]
        make = {"two": make_problem, "several": make_multiclass_problem, "real": make_regression_problem}[kind]
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile) as error:
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
