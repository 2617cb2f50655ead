"""Runs behind the figures of the Pegasos paper: what w is worth on the way, by primal suboptimality
and by error on fresh rows.

Without a kernel w is a vector; with one the Gram matrix is computed once and looked up by every run
(`kernels.precomputed`), while each counts the evaluations that it would have needed. Who is timed
computes them (`read`).
"""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.data.problem import Problem
from svmviz.maths import kernels, matrix, sampling
from svmviz.papers.pegasos.datasets import TESTS, Setting
from svmviz.record import metrics
from svmviz.record.trace import Trace
from svmviz.solvers import SOLVERS
from svmviz.theory import reference
from svmviz.work import limits


class Ready(NamedTuple):
    """A setting with its rows read."""

    problem: Problem  # rows, or for the precomputed kernel kernel values
    kernel: kernels.Kernel | None
    Z: Any  # test rows, or (test rows, n) kernel values
    z: np.ndarray
    lam: float


class Least(NamedTuple):
    """The optimum."""

    primal: float
    error: float  # on the test rows
    within: float  # P is at most so far above the least that there is


class Worth(NamedTuple):
    """Of one w after the other."""

    gap: np.ndarray  # P(w) − P*
    error: np.ndarray
    hinge: np.ndarray  # mean hinge loss of the test rows


def read(setting: Setting) -> Ready:
    """As rows, whose kernel values are computed."""
    X, y, Z, z = setting.load()
    X, y, Z, z = X[: setting.rows], y[: setting.rows], Z[:TESTS], z[:TESTS]
    X, Z = (
        sp.csr_array(part) if sp.issparse(part) else np.ascontiguousarray(part, np.float64)
        for part in (X, Z)
    )
    return Ready(
        Problem(X, y), kernels.rbf(setting.gamma) if setting.gamma else None, Z, z, setting.lam
    )


def prepare(setting: Setting) -> Ready:
    """With kernel values to look up, where there is a kernel."""
    (X, y), kernel, Z, z, lam = at = read(setting)
    if not kernel:
        return at
    K = kernels.numbered(kernels.gram(kernel, X))
    return Ready(Problem(K, y), kernels.precomputed(), kernels.gram(kernel, Z, X), z, lam)


def least(ready: Ready, lam: float | None = None) -> Least:
    best = reference.optimum(ready.problem, lam or ready.lam, ready.kernel)
    return Least(
        best.primal,
        float(worth(ready, best.coef[:, None], Least(0.0, 0.0, 0.0), lam).error[0]),
        best.within,
    )


@limits.ONE_THREAD
def worth(ready: Ready, coef: np.ndarray, best: Least, lam: float | None = None) -> Worth:
    """Of each column of (n, looks) coefficients."""
    coef, y = np.ascontiguousarray(coef), ready.problem.y[:, None]
    if ready.kernel is None:
        w = matrix.combined(ready.problem.X, coef)
        return valued(ready, w, best, lam)
    f, there = (
        matrix.product(np.ascontiguousarray(ready.problem.X[:, 1:]), coef),
        matrix.product(ready.Z, coef),
    )
    return judged(ready, (coef * f).sum(axis=0), y * f, there, best, lam or ready.lam)


@limits.ONE_THREAD
def valued(ready: Ready, w: np.ndarray, best: Least, lam: float | None = None) -> Worth:
    """Of each column of (d, looks) vectors."""
    w = np.ascontiguousarray(w)
    margins = ready.problem.y[:, None] * matrix.product(ready.problem.X, w)
    return judged(
        ready, (w * w).sum(axis=0), margins, matrix.product(ready.Z, w), best, lam or ready.lam
    )


def judged(
    ready: Ready, norm2: np.ndarray, margins: np.ndarray, there: np.ndarray, best: Least, lam: float
) -> Worth:
    primal = lam / 2 * norm2 + np.maximum(0.0, 1.0 - margins).mean(axis=0)
    wrong = ((there >= 0) != (ready.z > 0)[:, None]).mean(axis=0)
    return Worth(
        primal - best.primal, wrong, np.maximum(0.0, 1.0 - ready.z[:, None] * there).mean(axis=0)
    )


def trace(
    ready: Ready, solver: str, steps: int, seed: int, lam: float | None = None, **given
) -> Trace:
    return SOLVERS[solver].trace(
        ready.problem, steps, seed, lam=lam or ready.lam, kernel=ready.kernel, **given
    )


def after(ready: Ready, run: Trace, times, best: Least, lam: float | None = None) -> Worth:
    """Of the last iterate after each of these steps, as in the paper."""
    return worth(ready, np.column_stack([run.coef(int(t), "last") for t in times]), best, lam)


def passes(n: int, many: int, seed: int) -> np.ndarray:
    """Examples of so many passes, each in an order of its own."""
    return sampling.draw(n, many * n, scheme="new permutation", seed=seed)[:, 0]


def spent(run: Trace) -> np.ndarray:
    """Inner products by step; a kernel value counts as one."""
    return metrics.costs(run)["inner_products"]
