"""Pegasos without a record and without a kernel: a step costs what the row that it draws has of
features.

Times t, the w after step t is  v_t = t w_{t+1} = v_{t-1} - Σ loss'(m) y_i x_i / (λ k):  nothing is
left to shrink (Section 2.4 of the paper). A mean of iterates is not summed up either: what step t
adds to v is in the iterate before step s > t by 1/(s - 1), and with S_t as the sum of these up to t
the mean holds it S_T - S_t times. So every example keeps two numbers, how often it is in v and that
times S_t, and the mean is put together at the end, from the examples that are in it.
"""

from typing import NamedTuple

import numpy as np

from svmviz.data.constant import constant_of
from svmviz.estimators.train import kernelised, linear, recorded
from svmviz.estimators.train.task import LATE, Learnt, Task
from svmviz.maths import sampling
from svmviz.maths.losses import in_ball, lever, loss_of, slope, standing
from svmviz.maths.machine.jit import bare
from svmviz.maths.machine.prefetch import AHEAD, prefetch, prefetch_row
from svmviz.maths.matrix import nonzeros
from svmviz.record.solver import Solver


class State(NamedTuple):
    """Where a run stands after t steps: w = v/t, the mean iterate (S v - passed)/(t - begun)."""

    t: int
    begun: int  # the mean is of the iterates before each step after this one
    sums: (
        np.ndarray
    )  # (3,) S; what was added in all steps, of the constant feature; the same times S_t
    v: np.ndarray  # (d,)
    passed: np.ndarray  # (d,) Σ S_t (what was added in step t)
    coef: np.ndarray  # (n, 2) what was added of each example, and that times S_t


@bare
def steps(rows, y, lam, loss, plus, order, delta, t, begun, sums, v, coef):
    """The steps after t on the examples of this order, in one row; returns the features read"""
    k, read = delta.size, 0
    S, added, times, eta = sums[0], sums[1], sums[2], 1.0 / (lam * k)
    for first in range(0, order.size, k):
        t += 1
        scale = 1.0 / (t - 1) if t > 1 else 0.0
        if t > begun:
            S += scale
        for e in range(k):
            i, soon = order[first + e], first + e + AHEAD
            if soon + AHEAD < order.size:
                prefetch_row(rows, order[soon])
                prefetch(rows.indptr, order[soon + AHEAD])
                prefetch(y, order[soon + AHEAD])
                prefetch(coef, 2 * order[soon + AHEAD])
            m = standing(loss, y[i], scale * (linear.dot(rows, i, v) + plus * added))
            delta[e] = -(eta * lever(loss, y[i]) * slope(loss, m))
            read += nonzeros(rows, i)
        for e in range(k):
            i, c = order[first + e], delta[e]
            if c != 0.0:
                linear.add(rows, i, c, v)
                coef[i, 0] += c
                coef[i, 1] += S * c
                added += c
                times += S * c
    sums[0], sums[1], sums[2] = S, added, times
    return read


def begin(old: State | None, n: int, d: int, begun: int) -> State:
    """A copy of where an earlier task ended, or the start, with a mean that begins after step
    `begun`. A mean that should have begun before that end is the one that was under way. Examples
    that are as many as before are taken for the same; others begin without coefficients, and w is
    still what it was.
    """
    if old is None:
        return State(0, begun, np.zeros(3), np.zeros(d), np.zeros(d), np.zeros((n, 2)))
    coef = old.coef.copy() if len(old.coef) == n else np.zeros((n, 2))
    if begun < old.t:
        return State(old.t, old.begun, old.sums.copy(), old.v.copy(), old.passed.copy(), coef)
    coef[:, 1] = 0.0
    return State(old.t, begun, old.sums * [0, 1, 0], old.v.copy(), np.zeros(d), coef)


def train(solver: Solver, task: Task) -> Learnt:
    """As many steps more; w is the iterate that the parameters name."""
    problem, params, iterate = task.problem, task.params, task.params["iterate"]
    if params["kernel"] is not None or in_ball(params):
        fast = params["kernel"] is not None and kernelised.suits(task)
        return (kernelised if fast else recorded).train(solver, task)
    rows, plus, start = (
        linear.read(problem.X),
        constant_of(params) ** 2,
        task.state.t if task.state else 0,
    )
    more = (
        int(sampling.random_iterates(task.seed, task.steps)[-1])
        if iterate == "random"
        else task.steps
    )
    stop = start + more
    state = begin(
        task.state, problem.n, problem.d, {"average": 0, LATE: stop // 2}.get(iterate, stop)
    )
    before, state.coef[:, 1] = (
        state.coef[:, 1].copy(),
        0.0,
    )  # what was passed earlier is in `passed`, whoever it came from
    read, delta, t = 0, np.empty(params["k"]), start
    for order in linear.stretches(task, start, stop):
        read += steps(
            rows,
            problem.y,
            params["lam"],
            loss_of(params),
            plus,
            order.ravel(),
            delta,
            t,
            state.begun,
            state.sums,
            state.v,
            state.coef,
        )
        read += order.size * (plus > 0.0)
        t += len(order)
        if task.watch is not None:
            task.watch(t, {})
    linear.gather(rows, np.ascontiguousarray(state.coef[:, 1]), state.passed)
    state.coef[:, 1] += before
    state = state._replace(t=t)
    if iterate in ("average", LATE):
        S, count = state.sums[0], max(t - state.begun, 1)
        w, b = (
            (S * state.v - state.passed) / count,
            plus * (S * state.sums[1] - state.sums[2]) / count,
        )
        coef = (S * state.coef[:, 0] - state.coef[:, 1]) / count
    else:
        w, b, coef = (
            state.v / max(t, 1),
            plus * state.sums[1] / max(t, 1),
            state.coef[:, 0] / max(t, 1),
        )
    support = np.flatnonzero(coef)
    return Learnt(
        support,
        None,
        coef[support, None],
        b,
        {"kernel_evals": 0, "features_read": read},
        w[:, None],
        task.steps,
        state=state,
    )
