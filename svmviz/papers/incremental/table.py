"""Table 1 of the paper on approximate incremental SVMs: its data counted, and one pass over them
with its parameters.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.data.problem import make_problem
from svmviz.maths import kernels
from svmviz.papers.sbp import datasets
from svmviz.solvers.incremental import onepass

GAMMA, MEGABYTES, DRAWS = 0.005, 512.0, 10
MOST = 10_000  # rows of a pass, by chance: a page has minutes, not hours


class Printed(NamedTuple):
    """A row of the table as printed."""

    title: str
    train: int
    test: int
    features: int
    C: float


class Counted(NamedTuple):
    """What the files hold; features that no training row has do not count."""

    train: int
    test: int
    features: int


class Passed(NamedTuple):
    """What one pass leaves."""

    error: float  # on the test rows
    support: int
    pairs: int  # distinct kernel values


TABLE = {
    "a9a": Printed("Adult", 32_561, 16_281, 123, 1.0),
    "mnist": Printed("MNIST, 8 against the rest", 60_000, 10_000, 780, 1000.0),
}


def mnist() -> tuple:
    held = np.load(datasets.FOLDER / "mnist" / "mnist.npz")
    X, y, Z, z = (held[name] for name in ("X_train", "y_train", "X_test", "y_test"))
    return (
        sp.csr_array(X / 255.0),
        np.where(y == 8, 1.0, -1.0),
        sp.csr_array(Z / 255.0),
        np.where(z == 8, 1.0, -1.0),
    )


LOAD: dict[str, Callable[[], tuple]] = {"a9a": datasets.svmlight("a9a", 123), "mnist": mnist}


def counted(data: tuple) -> Counted:
    """Features are numbered as in LIBSVM's files: up to the last that occurs."""
    X, y, Z, z = data
    return Counted(len(y), len(z), int(sp.csr_array(X).indices.max()) + 1)


def passed(name: str, data: tuple, seed: int) -> Passed:
    """Algorithm 2 with K = 10, C and kernel as printed, once over so many rows, and its errors on
    all test rows.
    """
    X, y, Z, z = data
    rows = np.random.default_rng(seed).permutation(len(y))[:MOST]
    problem = make_problem(sp.csr_array(X)[rows], y[rows])
    done = onepass.run(
        problem,
        seed=seed,
        C=TABLE[name].C,
        K=DRAWS,
        kernel=kernels.rbf(GAMMA),
        gradients="cached",
        algorithm="Algorithm 2",
        megabytes=MEGABYTES,
    )
    f = kernels.responses(kernels.rbf(GAMMA), problem.X, done.average[:, None], sp.csr_array(Z))[
        :, 0
    ]
    return Passed(float(((f > 0) != (z > 0)).mean()), int(np.count_nonzero(done.coef)), done.pairs)
