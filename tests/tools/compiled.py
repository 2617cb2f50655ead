"""Compile what tests call besides the solvers of the stage: the trainers of the estimators, and
streams.

    python -m tests.tools.compiled

does it in as many processes as there are processors, before the first test, so that no test waits
for a compiler and no two compile the same. What is in the cache is only read.
"""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import scipy.sparse as sp

ORDER = (
    "incremental",
    "sbp",
    "smo",
    "bsgd",
    "tvm",
    "sdca",
    "pegasos",
    "idsvm",
)  # what takes longest first


def tables() -> list:
    """Return small tables of every kind that a trainer reads: dense and sparse, of doubles and of
    floats.
    """
    X = np.random.default_rng(0).normal(size=(40, 3))
    return [
        kind(X.astype(number))
        for number in (np.float64, np.float32)
        for kind in (np.asarray, sp.csr_array)
    ]


def fit(key: str) -> str:
    """Fit the estimator of a solver with every switch and option, on every kind of table, and let
    it predict.
    """
    from svmviz import estimators
    from tests.tools.variants import variants

    found = next(one for one in estimators.ESTIMATORS.values() if one.solver.key == key)
    for given in variants(found.solver):
        for X in tables():
            found(steps=60, **given).fit(X, np.tile([1, -1], 20)).decision_function(X)
    return key


def main() -> None:
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as processes:
        for key in processes.map(fit, ORDER):
            print(f"compiled: the trainer of {key}", flush=True)


if __name__ == "__main__":
    main()
