"""What a fit is asked for, and what it leaves."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from svmviz.data.problem import Problem

# the mean of the iterates before each step of the last half, which no longer know the start
LATE = "late average"
MEGABYTES = 200.0  # of kernel values, as many as LIBSVM keeps


class Task(NamedTuple):
    """What is to be done."""

    problem: Problem  # X may be of float32 here; trainers keep it so
    params: Mapping[str, Any]  # all of the solver's, checked; `iterate` may be LATE besides
    steps: int  # at most so many, counted as the solver's own are
    seed: int = 0
    weights: np.ndarray | None = None  # (n,) how often who is drawn, in proportion
    tol: float | None = (
        None  # ends earlier, once the solver's own measure of what is left is below; None: never
    )
    megabytes: float = MEGABYTES  # of kernel values that may be kept
    threads: int = 1  # that may work on one row
    state: Any = None  # what an earlier task left, to go on from there
    order: np.ndarray | None = (
        # (steps, k) the examples to take, one batch of a stream: a state of others is gone on from
        None
    )
    watch: Callable[[int, Mapping[str, float]], Any] | None = (
        None  # told now and then: steps so far, and how it stands
    )


class Learnt(NamedTuple):
    """What a run leaves: f(x) = Σ coef_j K(x, vectors_j) + b, one score, or one per class; of a
    linear one w may say it all.
    """

    rows: (
        np.ndarray | None
    )  # (m,) the examples that the vectors are; None where some are made on the way
    vectors: (
        Any  # (m, d), sparse if the data are; None where they are the rows of X, and w is there
    )
    coef: np.ndarray  # (m, scores)
    b: float | np.ndarray  # (scores,), where there are several
    costs: Mapping[
        str, float
    ]  # kernel evaluations and features read; NaN where nobody counted them
    w: np.ndarray | None = None  # (d, scores) where there is no kernel and the trainer knows it
    steps: int = 0  # that were taken
    converged: bool | None = None  # whether `tol` was reached; None: nobody asked
    state: Any = None  # to go on from
    facts: Mapping[str, float] = {}  # that the solver knows besides
