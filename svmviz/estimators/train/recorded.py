"""A fit as a run on the stage, of which only the end is kept: stretch by stretch, so that it may be
long and the data large.
"""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.data.constant import constant_of
from svmviz.data.problem import Problem
from svmviz.estimators.train.task import LATE, Learnt, Task
from svmviz.maths import kernels, matrix, sampling
from svmviz.record.changes import averaged, settled
from svmviz.record.given import Given
from svmviz.record.outcome import Start
from svmviz.record.solver import Solver
from svmviz.run.streams import stream

STRETCH = 8192  # steps that are recorded at once, at least
AT_ONCE = 200_000_000  # multiplications of a stretch with a kernel, about


class State(NamedTuple):
    """Where a run stands after t steps."""

    t: int
    problem: Problem
    coef: np.ndarray  # (n,) of its examples
    total: np.ndarray  # (n,) sum of the iterates before each step after `begun`
    begun: int
    own: Any  # what the solver hands on


def begin(task: Task, problem: Problem) -> State:
    """The start, or a copy of where an earlier task ended: on the same examples or, where these are
    a batch, with those of its own that are in w before them.
    """
    old, n = task.state, problem.n
    if old is None:
        return State(0, problem, np.zeros(n), np.zeros(n), 0, None)
    if task.order is None:
        return old._replace(problem=problem, coef=old.coef.copy(), total=old.total.copy())
    if old.own is not None:
        return old._replace(problem=problem)
    used = np.flatnonzero((old.coef != 0.0) | (old.total != 0.0))
    parts = old.problem.X[used], problem.X
    X = matrix.stacked([*map(sp.csr_array, parts)] if any(map(sp.issparse, parts)) else parts)
    both = problem._replace(X=X, y=np.concatenate([old.problem.y[used], problem.y]))
    coef, total = (np.concatenate([part[used], np.zeros(n)]) for part in (old.coef, old.total))
    return State(old.t, both, coef, total, old.begun, None)


def train(solver: Solver, task: Task) -> Learnt:
    """As many steps more; the iterate is the one that the parameters name."""
    params, seed, given = dict(task.params), task.seed, task.problem
    state = begin(task, given._replace(X=given.X.astype(np.float64, copy=False)))
    t, problem, coef, total, begun, own = state
    iterate, plus = params.get("iterate", "last"), constant_of(params) ** 2
    start, more = (
        t,
        (
            int(sampling.random_iterates(seed, task.steps)[-1])
            if iterate == "random"
            else task.steps
        ),
    )
    last, everyone, record = start + more, np.arange(problem.n), None
    half = last // 2 if iterate == LATE and last // 2 >= start else None
    costs = {"kernel_evals": 0, "features_read": 0}
    if task.order is not None:
        drawn = task.order + (problem.n - given.n)
    else:
        order = (
            None
            if task.weights is None
            else sampling.weighted(task.weights, last, params.get("k", 1), seed)
        )
        drawn = solver.algorithm.draw(
            everyone, params, sampling.Chance(seed), start, last, Given(problem, order)
        )
    while t < last:
        if t == half:  # the mean is of those that come now
            total, begun = -coef if solver.goal.averages(params).after else np.zeros(problem.n), t
        stretch = (
            max(STRETCH, problem.n) if record and own is None else STRETCH
        )  # w anew takes all examples
        if params.get("kernel") is not None:  # nobody should wait long for an answer
            stretch = min(
                stretch, max(1, AT_ONCE // solver.algorithm.work(problem.n, problem.d, params))
            )
        stop = min(half if half is not None and t < half else last, t + stretch)
        record, own = solver.run(
            problem, params, drawn[t - start : stop - start], Start(t, coef, total, own), everyone
        )
        t = stop
        costs = {name: spent + int(getattr(record, name).sum()) for name, spent in costs.items()}
        if record.made is None:
            coef, total = settled(record.changes, coef, total)
        if task.watch is not None:
            task.watch(t - start, {})
    left = Learnt(
        None,
        None,
        np.zeros((0, 1)),
        0.0,
        costs,
        steps=task.steps,
        state=State(t, problem, coef, total, begun, own),
    )
    if record is not None and own is not None and solver.space.every_class:
        rows = np.flatnonzero(own.coef.any(axis=1))
        return left._replace(
            rows=rows, vectors=given.X[rows], coef=own.coef[rows], b=plus * own.coef.sum(axis=0)
        )
    if record is not None and record.made is not None and own is not None:
        model = stream.snapshot(own[0], params["kernel"] or kernels.linear())
        return left._replace(
            vectors=model.vectors, coef=model.coef, b=plus * model.coef.sum(axis=0)
        )
    if iterate == LATE and record is not None and "b_average" in record.own:
        raise ValueError(f"{solver.title} knows no {LATE} of its bias")
    name = "b_average" if iterate == "average" else "b"
    b = float(record.own[name][-1]) if record is not None and name in record.own else 0.0
    if iterate in ("average", LATE) and record is not None:
        coef = averaged(
            solver.goal.averages(params),
            coef,
            total,
            t - begun,
            *record.changes.of(record.changes.steps - 1),
        )
    rows = np.flatnonzero(coef)
    own_rows = given.X[rows] if problem.n == given.n else problem.X[rows]
    return left._replace(
        rows=rows if problem.n == given.n else None,
        vectors=own_rows,
        coef=coef[rows, None],
        b=b + plus * float(coef.sum()),
    )
