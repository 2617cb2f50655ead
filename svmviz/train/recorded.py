"""A fit as a run on the stage, of which only the end is kept: stretch by stretch, so that it may be long and the data large."""

import numpy as np

from svmviz.data.constant import constant_of
from svmviz.maths import kernels, sampling
from svmviz.record.changes import averaged, settled
from svmviz.record.given import Given
from svmviz.record.record import Start
from svmviz.record.solver import Solver
from svmviz.run import stream
from svmviz.train.task import LATE, Learnt, Task

STRETCH = 8192  # steps that are recorded at once, at least


def train(solver: Solver, task: Task) -> Learnt:
    """Run the solver for so many steps; the iterate is the one that the parameters name."""
    problem, params, steps, seed = task.problem, task.params, task.steps, task.seed
    iterate, plus = params.get("iterate", "last"), constant_of(params) ** 2
    last = int(sampling.random_iterates(seed, steps)[steps]) if iterate == "random" else steps
    everyone, a, record, half = np.arange(problem.n), 0, None, steps // 2 if iterate == LATE else 0
    coef, total, state = np.zeros(problem.n), np.zeros(problem.n), None
    costs = {"kernel_evals": 0, "features_read": 0}
    order = None if task.weights is None else sampling.weighted(task.weights, steps, params.get("k", 1), seed)
    drawn = solver.draw(everyone, params, sampling.Chance(seed), 0, steps, Given(problem, order))
    while a < last:
        stop = min(half if a < half else last, a + (max(STRETCH, problem.n) if record and state is None else STRETCH))
        record, state = solver.run(problem, params, drawn[a:stop], Start(a, coef, total, state), everyone)
        a = stop
        costs = {name: spent + int(getattr(record, name).sum()) for name, spent in costs.items()}
        if record.made is None:
            coef, total = settled(record.changes, coef, total)
            if a == half:  # the mean is of those that come now
                total = -coef if solver.averages(params).after else np.zeros(problem.n)
        if task.watch is not None:
            task.watch(a, {})
    if record is not None and state is not None and solver.every_class:
        rows = np.flatnonzero(state.coef.any(axis=1))
        return Learnt(rows, problem.X[rows], state.coef[rows], plus * state.coef.sum(axis=0), costs, steps=steps)
    if record is not None and record.made is not None and state is not None:
        model = stream.snapshot(state[0], params["kernel"] or kernels.linear())
        return Learnt(None, model.vectors, model.coef, plus * model.coef.sum(axis=0), costs, steps=steps)
    if iterate == LATE and record is not None and "b_average" in record.own:
        raise ValueError(f"{solver.title} knows no {LATE} of its bias")
    name = "b_average" if iterate == "average" else "b"
    b = float(record.own[name][-1]) if record is not None and name in record.own else 0.0
    if iterate in ("average", LATE) and record is not None:
        coef = averaged(solver.averages(params), coef, total, last - half, *record.changes.of(record.changes.steps - 1))
    rows = np.flatnonzero(coef)
    return Learnt(rows, problem.X[rows], coef[rows, None], b + plus * float(coef.sum()), costs, steps=steps)
