"""What an incremental SVM hands on from one task to the next: the examples that it may need again,
and where it stood.

Examples are numbered as those of the task are. Where a batch follows others, the examples that were
kept come before its own.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.data.constant import constant_of, kernel_of
from svmviz.data.problem import Problem
from svmviz.estimators.train.task import Learnt, Task
from svmviz.maths import kernels, matrix
from svmviz.solvers.incremental.onepass import Begun, nothing


class State(NamedTuple):
    """Where a task ended."""

    problem: Problem  # the examples that are kept, and ...
    who: np.ndarray  # ... which of the task's they are
    begun: Begun  # on all examples of the task
    kernel: kernels.Kernel  # that responses are of


def begin(task: Task) -> tuple[Problem, Begun]:
    """The examples, and where to begin: with none of them, where an earlier task on the same ones
    ended, or where a batch follows others, with what these left. Coefficients stay within their
    boxes; responses are forgotten if that changes them, or the kernel has changed.
    """
    params, problem, old = task.params, task.problem, task.state
    if old is None:
        begun = nothing(problem.n)
        return problem, (
            begun
            if task.order is None
            else begun._replace(queue=task.order[:, 0].copy(), named=True)
        )
    coef, f = np.clip(old.begun.coef, -params["C"], params["C"]), old.begun.f
    if old.kernel != kernel_of(params) or not np.array_equal(coef, old.begun.coef):
        f = np.full(f.size, np.nan)
    begun = old.begun._replace(coef=coef, f=f.copy(), queue=old.begun.queue.copy())
    if task.order is None:
        if params["teacher"] == "as given":
            begun.queue[begun.seen :].sort()
        return problem, begun
    parts, kept, new = (old.problem.X, problem.X), old.who.size, np.zeros(problem.n)
    X = matrix.stacked([*map(sp.csr_array, parts)] if any(map(sp.issparse, parts)) else parts)
    at = np.full(coef.size, -1)
    at[old.who] = np.arange(kept)
    queue = np.concatenate([at[begun.queue[: begun.seen]], kept + task.order[:, 0]])
    queue[: begun.seen][begun.queue[: begun.seen] < 0] = -1
    return problem._replace(X=X, y=np.concatenate([old.problem.y, problem.y])), begun._replace(
        coef=np.concatenate([coef[old.who], new]),
        f=np.concatenate([begun.f[old.who], new + np.nan]),
        support=at[begun.support],
        queue=queue,
        named=True,
    )


def learnt(
    task: Task,
    problem: Problem,
    kept: np.ndarray | None,
    begun: Begun,
    average: np.ndarray,
    evals: int,
) -> Learnt:
    """What a task leaves of the iterate that its parameters name; those are kept that are named, or
    else all examples.
    """
    params = task.params
    coef = average if params["iterate"] == "average" else begun.coef
    rows, alone = np.flatnonzero(coef), problem.n == task.problem.n
    if kept is None:
        kept, held = np.arange(problem.n), problem
    else:
        held = problem._replace(X=problem.X[kept], y=problem.y[kept])
    return Learnt(
        rows if alone else None,
        problem.X[rows],
        coef[rows, None],
        constant_of(params) ** 2 * float(coef.sum()),
        {"kernel_evals": evals, "features_read": np.nan},
        steps=task.steps,
        state=State(held, kept, begun, kernel_of(params)),
    )
