"""Pegasos with a kernel on large data: Fig. 3 of the paper over `maths.engine`.

As without one (`pegasos`) v = t w is kept, so that nothing is left to shrink, here as coefficients
of the examples that are in it. These stand side by side in the order in which they joined, and a
step asks for the row of its example against them. A mean of iterates is S v less what came too late
for it, with S the sum of 1/t over the steps that count.
"""

import numpy as np
import scipy.sparse as sp

from svmviz.data.constant import kernel_of
from svmviz.estimators.train import linear, recorded
from svmviz.estimators.train.task import LATE, Learnt, Task
from svmviz.maths import matrix, sampling
from svmviz.maths.kernels import engine
from svmviz.maths.losses import in_ball, lever, loss_of, slope, standing
from svmviz.maths.machine.jit import bare, jit
from svmviz.maths.matrix import eightfold
from svmviz.record.solver import Solver

USED, EVALS = range(2)  # places in `count`
AT_ONCE = 50_000_000  # kernel values between two looks at who watches


@bare
def join(vectors, points, i, slot, who, count):
    """Example i comes to stand at the next place"""
    p = count[USED]
    slot[i], who[p], vectors.own[p] = p, i, points.own[i]
    values, features = engine.point(points, i)
    block, lane = vectors.blocks[p // vectors.blocks.shape[2]], p % vectors.blocks.shape[2]
    for q in range(values.size):
        block[features[q], lane] = values[q]
    count[USED] = p + 1


@bare
def join_all(vectors, points, members, slot, who, count):
    for p in range(members.size):
        join(vectors, points, members[p], slot, who, count)


@jit
def steps(
    vectors,
    points,
    kernel,
    slot,
    who,
    count,
    v,
    passed,
    y,
    lam,
    loss,
    order,
    t,
    begun,
    S,
    near,
    sums,
):
    """The steps after t on the examples of this order; returns S"""
    eta = 1.0 / lam
    for s in range(order.size):
        i, used = order[s], count[USED]
        t += 1
        scale = 1.0 / (t - 1) if t > 1 else 0.0
        if t > begun:
            S += scale
        if used > 0:
            engine.row(vectors, kernel, points, i, 0, used, sums, near)
        count[EVALS] += used
        m = standing(loss, y[i], scale * eightfold(v[:used], near[:used]))
        c = -(eta * lever(loss, y[i]) * slope(loss, m))
        if c != 0.0:
            if slot[i] < 0:
                join(vectors, points, i, slot, who, count)
            v[slot[i]] += c
            passed[slot[i]] += S * c
    return S


def room(X, n: int) -> engine.Examples:
    """Places for so many examples like these, all of them empty."""
    blocks = np.zeros((-(-n // engine.LANES), X.shape[1], engine.LANES), X.dtype)
    none = np.zeros(0, np.int32)
    return engine.Examples(
        n, not hasattr(X, "indptr"), blocks, np.zeros(0, X.dtype), none, none, np.zeros(n)
    )


def suits(task: Task) -> bool:
    """Whether its rows go into blocks, and its steps are single ones without a projection."""
    X, params = task.problem.X, task.params
    thin = sp.issparse(X) and matrix.entries(X) < engine.SPARSEST * X.shape[0] * X.shape[1]
    return params["k"] == 1 and not in_ball(params) and not thin


def train(solver: Solver, task: Task) -> Learnt:
    """As many steps more; the iterate is the one that the parameters name."""
    params, kernel, iterate = task.params, kernel_of(task.params), task.params["iterate"]
    t, problem, coef, total, begun, _ = recorded.begin(task, task.problem)
    start, more = (
        t,
        (
            int(sampling.random_iterates(task.seed, task.steps)[-1])
            if iterate == "random"
            else task.steps
        ),
    )
    stop, n = start + more, problem.n
    if iterate == LATE and stop // 2 >= start:
        total, begun = np.zeros(n), stop // 2
    points, vectors = engine.points(problem.X, kernel), room(problem.X, n)
    slot, who, count = np.full(n, -1), np.full(n, -1), np.zeros(2, np.int64)
    members = np.flatnonzero((coef != 0.0) | (total != 0.0))
    join_all(vectors, points, members, slot, who, count)
    v, passed, S = np.zeros(n), np.zeros(n), 0.0
    v[: members.size], passed[: members.size] = t * coef[members], -total[members]
    near, sums, read = np.empty(n), np.empty(engine.room(vectors)), 0
    for stretch in linear.stretches(task, start, stop):
        read += int(matrix.features_read(task.problem.X, stretch).sum())
        while len(stretch):
            many = max(
                1, AT_ONCE // (int(count[USED]) + 1000)
            )  # nobody should wait long for an answer
            order, stretch = stretch[:many], stretch[many:]
            S = steps(
                vectors,
                points,
                kernel,
                slot,
                who,
                count,
                v,
                passed,
                problem.y,
                params["lam"],
                loss_of(params),
                order.ravel() + (n - task.problem.n),
                t,
                begun,
                S,
                near,
                sums,
            )
            t += len(order)
            if task.watch is not None:
                task.watch(t - start, {"vectors": int(count[USED])})
    used = count[USED]
    coef, total = np.zeros(n), np.zeros(n)
    coef[who[:used]], total[who[:used]] = v[:used] / max(t, 1), S * v[:used] - passed[:used]
    wanted = total / max(t - begun, 1) if iterate in ("average", LATE) else coef
    rows = np.flatnonzero(wanted)
    return Learnt(
        rows if n == task.problem.n else None,
        problem.X[rows],
        wanted[rows, None],
        kernel.plus * float(wanted.sum()),
        {"kernel_evals": int(count[EVALS]), "features_read": read},
        steps=task.steps,
        state=recorded.State(t, problem, coef, total, begun, None),
    )
