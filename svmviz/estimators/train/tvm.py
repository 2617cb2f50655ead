"""The Twin Vector Machine without a record: its rack is all that it keeps, and a batch goes on from
there.
"""

import numpy as np

from svmviz.data.constant import constant_of, kernel_of
from svmviz.estimators.train.task import Learnt, Task
from svmviz.maths import matrix, sampling
from svmviz.record.given import Given
from svmviz.record.solver import Solver
from svmviz.solvers.tvm import twins as racks
from svmviz.solvers.tvm.solver import State, learnt, prepared

STRETCH = 1024  # examples between two reports


def train(solver: Solver, task: Task) -> Learnt:
    """As many examples more."""
    params, problem = dict(task.params), task.problem
    solver.algorithm.refuse(params)
    t, state = task.state or (0, None)
    if task.order is not None:
        drawn = task.order
    else:
        drawn = solver.algorithm.draw(
            np.arange(problem.n),
            params,
            sampling.Chance(task.seed),
            t,
            t + task.steps,
            Given(problem),
        )
    kernel, evals = kernel_of(params), 0
    twins = prepared(state, problem.d, params, max(len(drawn), 1))
    rows = matrix.rows(problem.X.astype(np.float64, copy=False))
    for a in range(0, len(drawn), STRETCH):
        _, more = racks.learn(
            twins,
            rows,
            problem.y,
            drawn[a : a + STRETCH, 0],
            params["B"],
            params["C"],
            kernel,
            params["near"],
            params["far"],
        )
        evals += more
        if task.watch is not None:
            task.watch(min(a + STRETCH, len(drawn)), {"kernel_evals": evals})
    vectors, coef = learnt(twins)
    costs = {"kernel_evals": evals, "features_read": evals * problem.d}
    return Learnt(
        None,
        vectors,
        coef,
        constant_of(params) ** 2 * float(coef.sum()),
        costs,
        steps=task.steps,
        state=(t + len(drawn), State(twins, 0, (kernel, params["C"]))),
    )
