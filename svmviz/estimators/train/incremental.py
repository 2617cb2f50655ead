"""Approximate incremental SVMs without a record: one pass that keeps the responses of those it needs (`onepass`)."""

import numpy as np

from svmviz.data.constant import constant_of
from svmviz.estimators.train.task import Learnt, Task
from svmviz.record.solver import Solver
from svmviz.solvers.incremental import onepass


def train(solver: Solver, task: Task) -> Learnt:
    """Coefficients of the iterate that the parameters name; a record would follow the responses of all examples besides."""
    problem, plus = task.problem, constant_of(task.params) ** 2
    found = onepass.run(problem, task.seed, task.steps, **task.params)
    coef = found.average if task.params["iterate"] == "average" else found.coef
    rows = np.flatnonzero(coef)
    return Learnt(rows, problem.X[rows], coef[rows, None], plus * float(coef.sum()),
                  {"kernel_evals": found.kernel_evals, "features_read": np.nan}, steps=task.steps)
