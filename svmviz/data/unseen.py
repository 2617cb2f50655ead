"""Rows that no step of a run sees, to measure its error on."""

from collections.abc import Mapping

import numpy as np

from svmviz.data.many_classes import MULTICLASS
from svmviz.data.plane import DATASETS, Dataset
from svmviz.data.problem import Problem
from svmviz.data.targets import REGRESSION

TEST = 1000  # points of a fresh draw
GENERATED = (
    DATASETS | MULTICLASS | {key: item for key, item in REGRESSION.items() if key != "diabetes"}
)


def test_set(source: Dataset, given: Mapping, problem: Problem) -> Problem | None:
    """Rows that no run on the problem sees: those set apart of a file, the rows left over of
    measured data, a fresh draw of generated ones; None where there are none.
    """
    if source.test is not None or not source.params:
        return source.test
    if source.key in GENERATED:
        return source.problem(**dict(given) | {"n": TEST, "seed": other_seed(given)})
    every = next(p for p in source.params if p.name == "n").high
    whole = source.problem(**dict(given) | {"n": every})
    if whole.real:  # the sample are its first rows
        return (
            whole._replace(X=whole.X[problem.n :], y=whole.y[problem.n :])
            if problem.n < whole.n
            else None
        )
    left = np.ones(whole.n, bool)
    for label in np.unique(
        whole.y
    ):  # the sample takes the first ones of each class, in the order of the whole
        left[np.flatnonzero(whole.y == label)[: np.count_nonzero(problem.y == label)]] = False
    return (
        whole._replace(X=whole.X[left], y=whole.y[left])
        if len({*whole.y[left]}) == whole.classes
        else None
    )


def other_seed(given: Mapping) -> int:
    return (given["seed"] + 1) % 2**32
