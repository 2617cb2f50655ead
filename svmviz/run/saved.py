"""A run that was saved with its data (`saving`), such as an estimator's `trace_`: `svmviz app --run
run.npz` shows it.

Whoever starts the app names the file (SVMVIZ_RUN), and its data are one of the sets that every
visitor may choose.
"""

import json
import os
from pathlib import Path

import numpy as np

from svmviz.data.plane import Dataset
from svmviz.data.problem import (
    Problem,
    make_multiclass_problem,
    make_problem,
    make_regression_problem,
)
from svmviz.data.sizes import refuse_large
from svmviz.maths import matrix
from svmviz.work.words import brief

ENVIRONMENT, KEY = "SVMVIZ_RUN", "run"
FEATURES = 200  # that have names


def load(path: str | Path) -> tuple[Problem, dict[str, str]]:
    """The data of a file, and what the link of its run says; a ValueError where it is none."""
    try:
        with np.load(path, allow_pickle=False) as held:
            found = {name: held[name] for name in held.files}
        X = (
            found["X"]
            if "X" in found
            else matrix.csr(*(found[name] for name in ("data", "indices", "indptr", "shape")))
        )
        query, kind, y = json.loads(str(found["query"])), str(found["kind"]), found["y"]
        said = {str(name): str(value) for name, value in query.items()}
        make = {
            "two": make_problem,
            "several": make_multiclass_problem,
            "real": make_regression_problem,
        }[kind]
        refuse_large(X)
        return make(X, y), said
    except Exception as error:  # whatever reading a file may come to that somebody else has written
        raise ValueError(
            f"{path} is no run that was saved: {brief(error, 200) or type(error).__name__}"
        ) from None


def sources() -> dict[str, Dataset]:
    """The data of the file that the environment names, if it does."""
    path = os.environ.get(ENVIRONMENT)
    if not path:
        return {}
    problem, _ = load(path)
    names = tuple(f"x{j + 1}" for j in range(min(problem.d, FEATURES)))
    code = f"svmviz.run.saved.load({str(path)!r})[0]"
    return {
        KEY: Dataset(
            KEY,
            f"Your run: {Path(path).name}",
            lambda: problem,
            (),
            "From a file.",
            names,
            None,
            "as given, not scaled",
            code,
        )
    }
