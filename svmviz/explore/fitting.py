"""What a worker does: fit one estimator after the other, and measure what it learnt.

P, the norm and the training error are measured as on the stage (`record.measure`), on the rows that
were fitted. The test error is 1 - score of the estimator: the share of wrong labels, or of real
targets the share of the variance that is left.
"""

import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn import config_context

from svmviz.data.constant import CONSTANT
from svmviz.data.problem import Problem, Regression
from svmviz.estimators.train import trainer
from svmviz.explore.faults import ESTIMATOR
from svmviz.explore.rows import (
    DIVERGED,
    FAR,
    FINE,
    FORMAT,
    MEASURED,
    OPTIMUM,
    REFUSED,
    UNSETTLED,
    VERSION,
)
from svmviz.explore.spec import Spec, splitter
from svmviz.maths import losses, matrix
from svmviz.maths.dual import conjugate_sum
from svmviz.maths.kernels import grams
from svmviz.record.measure import measure
from svmviz.record.metrics import per_iterate
from svmviz.record.solver import Solver
from svmviz.solvers import SOLVERS
from svmviz.work import limits
from svmviz.work.backend import Arrays
from svmviz.work.processes import opened
from svmviz.work.store import Store

KEPT = 4  # sets of data that a process has at hand
PATIENCE = 30.0  # seconds for one optimum


class Job(NamedTuple):
    """What all tasks of a sweep have in common."""

    solver: str
    data: bytes  # digest
    folds: int
    held_out: float | None
    fold_seed: int
    brief: bool = False  # whether the test error is all that is asked for


class Group(NamedTuple):
    """Tasks of one cell."""

    params: dict[str, Any]
    steps: int
    pairs: tuple[tuple[int, int], ...]  # fold and seed


class Outcome(NamedTuple):
    """What a batch gave, in the order of its tasks."""

    measured: np.ndarray  # (m,) of dtype `MEASURED`
    reasons: dict[int, str]  # why some were refused, by their place
    seconds: float  # from the first task to the last


def job_of(spec: Spec) -> Job:
    return Job(spec.recipe.solver, spec.data, spec.folds, spec.held_out, spec.fold_seed)


def ready() -> str:
    """What rows depend on besides their task; a process that answers has all of this loaded."""
    return f"svmviz {VERSION}, rows of format {FORMAT}"


def arrays_of(problem: Problem) -> dict[str, np.ndarray]:
    """The data, as they are placed where workers find them."""
    X = problem.X
    parts = (
        {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": X.shape}
        if sp.issparse(X)
        else {"X": X}
    )
    return {
        name: np.asarray(part)
        for name, part in {**parts, "y": problem.y, "real": problem.real}.items()
    }


def problem_of(found: Arrays) -> Problem:
    X = (
        found["X"]
        if "X" in found
        else matrix.csr(found["data"], found["indices"], found["indptr"], found["shape"])
    )
    return (Regression if found["real"] else Problem)(X, found["y"])


class Known(NamedTuple):
    """Data, and the rows of each part that they were divided into."""

    problem: Problem
    parts: list[tuple[Problem, Problem]]  # fitted and tested


_KNOWN = Store(KEPT)  # by job, of this process, which works for one sweep at a time


def known(job: Job, data: Path | Arrays) -> Known:
    """Return the data of a job, which are read and divided when its first batch arrives."""

    def read() -> Known:
        problem = problem_of(opened(data))
        divided = splitter(problem.real, *job[2:5]).split(problem.X, problem.y)
        return Known(
            problem,
            [
                tuple(problem._replace(X=problem.X[rows], y=problem.y[rows]) for rows in pair)
                for pair in divided
            ],
        )

    return _KNOWN.find(job, read)


@limits.ONE_THREAD
def work(data: Path | Arrays, job: Job, groups: Sequence[Group]) -> Outcome:
    """Carry out a batch of tasks, one after the other in one thread."""
    began, solver, parts = time.perf_counter(), SOLVERS[job.solver], known(job, data).parts
    out, reasons = np.zeros(sum(len(group.pairs) for group in groups), MEASURED), {}
    tasks = [(group, *pair) for group in groups for pair in group.pairs]
    with (
        config_context(assume_finite=True),
        grams.kept(),
        np.errstate(all="ignore"),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        for k, (group, fold, seed) in enumerate(tasks):
            for name in MEASURED.names[2:]:
                out[name][k] = np.nan
            fitted, tested = parts[fold]
            out["tested"][k] = tested.n
            try:
                if seed == OPTIMUM:
                    out["primal"][k] = optimum(solver, fitted, group.params)
                else:
                    fit(solver, group.params, group.steps, seed, fitted, tested, out[k], job.brief)
            except ValueError as error:
                out["status"][k], reasons[k] = REFUSED, str(error)
    return Outcome(out, reasons, time.perf_counter() - began)


def fit(
    solver: Solver,
    params: dict[str, Any],
    steps: int,
    seed: int,
    fitted: Problem,
    tested: Problem,
    row,
    brief: bool = False,
) -> None:
    """Fit and measure."""
    model = ESTIMATOR[solver.key](**params, steps=steps, random_state=seed)
    if not trainer(solver).remembers:
        model.set_params(cache_size=0)
    began = time.thread_time()
    model.fit(fitted.X, fitted.y)
    row["seconds"] = time.thread_time() - began
    row["error"] = error(model, tested, model._scores(tested.X).T)
    row["vectors"] = model.dual_coef_.shape[1]
    row["kernel_evals"], row["features_read"] = model.n_kernel_evals_, model.n_features_read_
    if brief:
        row["status"] = FINE
        return
    f = np.ascontiguousarray(model._scores(fitted.X).T)  # (scores, n)
    norm2, lam, loss = (
        squared_norm(model, f),
        regularisation(solver, params, fitted.n),
        solver.loss(params),
    )
    out, start = (np.empty(len(per_iterate(solver))) for _ in range(2))
    y = (fitted.y > 0).astype(np.float64) if len(f) > 1 and fitted.classes == 2 else fitted.y
    for into, responses, square in ((out, f, norm2), (start, np.zeros_like(f), 0.0)):
        measure(
            y,
            np.arange(fitted.n),
            lam,
            loss,
            solver.goal.costs(params, len(f)),
            responses,
            0.0,
            square,
            1.0,
            into,
        )
    row["norm"], row["train_error"] = out[2], error(model, fitted, f)
    if lam:
        row["primal"] = out[0]
        row["gap"] = out[0] - dual(model, fitted, loss, lam, norm2) if solver.goal.dual else np.nan
    row["status"] = settled(out[0], start[0] if lam else np.inf)


def settled(end: float, start: float) -> int:
    """Return the status of a fit that ends with P(w) = `end`, where w = 0 has `start`.

    >>> settled(0.3, 1.0) == FINE, settled(40.0, 1.0) == UNSETTLED, settled(1e12, 1.0) == DIVERGED
    (True, True, True)
    """
    if not np.isfinite(end) or end > FAR * start:
        return DIVERGED
    return FINE if end <= start else UNSETTLED


def error(model, problem: Problem, f: np.ndarray) -> float:
    """1 - score of an estimator with these scores. What scikit-learn does to find out what it was
    given takes longer than all the rest, and here that is known.
    """
    if problem.real:
        return float(((f[0] - problem.y) ** 2).sum() / ((problem.y - problem.y.mean()) ** 2).sum())
    if len(f) > 1 and len(model.classes_) > 2:
        return float((model.classes_[f.argmax(axis=0)] != problem.y).mean())
    decided = f[0] if len(f) == 1 else f[1] - f[0]
    return float((model.classes_[(decided >= 0).astype(int)] != problem.y).mean())


def regularisation(solver: Solver, params: dict[str, Any], n: int) -> float:
    """The λ of P; 0 where there is none."""
    if solver.goal.objective != "primal":
        return 0.0
    return float(
        solver.goal.regularisation(params)
        or (1.0 / (params["C"] * n) if solver.goal.dual and "C" in params else 0.0)
    )


def squared_norm(model, f: np.ndarray) -> float:
    """|w|² by the responses at its vectors; only the bias of a constant feature is part of it."""
    at = (
        f[:, model.support_]
        if hasattr(model, "support_")
        else model._scores(model.support_vectors_).T
    )
    b = 0.0 if model._params.get("intercept") == CONSTANT else model.intercept_[:, None]
    return float((model.dual_coef_ * (at - b)).sum())


def dual(model, problem: Problem, loss: losses.Loss, lam: float, norm2: float) -> float:
    """D of the coefficients: -1/n Σ conjugate(alpha_i / C) - λ/2 |w|², with C = 1/(λn)."""
    coef = np.zeros(problem.n)
    coef[model.support_] = model.dual_coef_[0]
    total = conjugate_sum(loss, 1.0 / (lam * problem.n), problem.y, np.arange(problem.n), coef)
    return float(-total / problem.n - lam / 2 * norm2)


def optimum(solver: Solver, problem: Problem, params: dict[str, Any]) -> float:
    """P*, or NaN where it is not known, or not exactly."""
    if not regularisation(solver, params, problem.n):
        return np.nan
    with limits.within(limits.Limit(PATIENCE)):
        best = solver.optimum(problem, params)
    return best.primal if best is not None and best.exact else np.nan
