"""Dual coordinate ascent without a record and without a kernel: w in R^d, a step costs what its row
has of features.

Without a tolerance these are the recorded run's steps. With one it is LIBLINEAR's method (Hsieh et
al. 2008, Algorithm 3): passes in random order over the examples whose coefficient may still move.
The projected gradient of alpha_i is what the dual still gains along it, 0 at an end of the box that
it should not leave. An example at such an end, with a gradient beyond all projected ones of the
last pass, is left out, until those that take part agree within the tolerance; then all are looked
at again. The end is reached when the projected gradients of all, largest less smallest, are within
the tolerance. For the logistic loss, where no coefficient is at an end, the step times the least
curvature stands for the gradient, and nobody is left out.
"""

from typing import NamedTuple

import numpy as np

from svmviz.data.constant import constant_of
from svmviz.estimators.train import linear, recorded
from svmviz.estimators.train.task import Learnt, Task
from svmviz.maths.dual import coordinate
from svmviz.maths.losses import LOGISTIC, SMOOTHED, SQUARED, loss_of
from svmviz.maths.machine.jit import bare
from svmviz.maths.machine.prefetch import AHEAD, prefetch, prefetch_row
from svmviz.maths.matrix import nonzeros
from svmviz.record.solver import Solver
from svmviz.solvers.sdca.algorithm import shrunk

OPEN = np.array(
    [np.inf, -np.inf, -np.inf, np.inf]
)  # bounds before the first pass: nobody is beyond them
GOLDEN = 0x9E3779B97F4A7C15  # seeds that are neighbours begin far from each other


class State(NamedTuple):
    """Where a run stands after t steps; the last four are those of passes."""

    t: int
    C: float
    v: np.ndarray  # (d,) w
    coef: np.ndarray  # (n,) y alpha
    total: np.ndarray  # (1,) their sum, which is w on the constant feature
    queue: np.ndarray  # (n,) those that take part first, in the order of this pass
    place: np.ndarray  # (2,) how many of them were looked at, and how many there are
    bounds: (
        np.ndarray
    )  # (4,) largest and smallest projected gradient: of the last pass, so far in this one
    chance: np.ndarray  # (1,) of the next order


@bare
def look(rows, order, s, y, coef, diagonal):
    """Ask for the rows that come next"""
    if s + 2 * AHEAD < order.size:
        prefetch_row(rows, order[s + AHEAD])
        i = order[s + 2 * AHEAD]
        prefetch(rows.indptr, i)
        prefetch(y, i)
        prefetch(coef, i)
        prefetch(diagonal, i)


@bare
def steps(rows, y, C, loss, plus, diagonal, order, v, coef, total):
    """The recorded run's steps on these examples; returns the features read"""
    b, read = total[0], 0
    for s in range(order.size):
        look(rows, order, s, y, coef, diagonal)
        i = order[s]
        alpha = abs(coef[i])
        new = coordinate(loss, alpha, y[i] * (linear.dot(rows, i, v) + plus * b), diagonal[i], C)
        if new != alpha:
            b += y[i] * (new - alpha)
            coef[i] = y[i] * new
            linear.add(rows, i, y[i] * (new - alpha), v)
        read += nonzeros(rows, i)
    total[0] = b
    return read


@bare
def shuffle(index, size, chance):
    """The first of the index in random order, by a generator of Marsaglia's (Xorshift RNGs,
    2003)
    """
    x = chance[0]
    for s in range(size - 1, 0, -1):
        x ^= x << np.uint64(13)
        x ^= x >> np.uint64(7)
        x ^= x << np.uint64(17)
        j = np.int64(((x >> np.uint64(32)) * np.uint64(s + 1)) >> np.uint64(32))
        index[s], index[j] = index[j], index[s]
    chance[0] = x


@bare
def passes(
    rows, y, C, loss, plus, diagonal, v, coef, total, index, place, bounds, chance, most, tol
):
    """At most so many steps; returns how many, the features read, and whether all agree within the
    tolerance
    """
    at, active, b, taken, read, done = place[0], place[1], total[0], 0, 0, False
    highest, lowest, high, low = bounds[0], bounds[1], bounds[2], bounds[3]
    bend = (0.5 if loss.kind == SQUARED else loss.s if loss.kind == SMOOTHED else 0.0) / C
    top = np.inf if loss.kind == SQUARED else C
    while taken < most and not done:
        look(rows, index, at, y, coef, diagonal)
        i = index[at]
        alpha, margin = abs(coef[i]), y[i] * (linear.dot(rows, i, v) + plus * b)
        gradient, new = margin - 1.0 + bend * alpha, alpha
        taken, read, at = taken + 1, read + nonzeros(rows, i), at + 1
        if loss.kind == LOGISTIC:
            new = coordinate(loss, alpha, margin, diagonal[i], C)
            gradient = (alpha - new) * (diagonal[i] + 4.0 / C)
            high, low = max(high, gradient), min(low, gradient)
        elif (gradient > highest and alpha <= 0.0) or (gradient < lowest and alpha >= top):
            at, active = at - 1, active - 1
            index[at], index[active] = index[active], i
        else:
            new = (
                min(max(alpha - gradient / (diagonal[i] + bend), 0.0), top)
                if gradient != 0.0
                else alpha
            )
            gradient = gradient if new != alpha else 0.0
            high, low = max(high, gradient), min(low, gradient)
        if new != alpha:
            b += y[i] * (new - alpha)
            coef[i] = y[i] * new
            linear.add(rows, i, y[i] * (new - alpha), v)
        if at == active:
            agree = high - low <= tol
            done = agree and active == index.size
            highest, lowest = (
                high if high > 0.0 and not agree else np.inf,
                (low if low < 0.0 and not agree else -np.inf),
            )
            at, active, high, low = 0, index.size if agree else active, -np.inf, np.inf
            shuffle(index, active, chance)
    place[0], place[1], total[0] = at, active, b
    bounds[0], bounds[1], bounds[2], bounds[3] = highest, lowest, high, low
    return taken, read, done


def begin(old: State | None, n: int, d: int, C: float, seed: int, task: Task) -> State:
    """A copy of where an earlier task ended, or the start; with another C the passes begin anew,
    from what still fits.
    """
    if old is None:
        state = State(
            0,
            C,
            np.zeros(d),
            np.zeros(n),
            np.zeros(1),
            np.arange(n),
            np.array([0, n]),
            OPEN.copy(),
            np.array([(seed + 1) * GOLDEN % 2**64], np.uint64),
        )
        shuffle(state.queue, n, state.chance)
        return state
    if len(old.coef) != n:
        raise ValueError(f"coefficients of {len(old.coef)} examples are no start for {n} others")
    state = State(old.t, C, *(part.copy() for part in old[2:]))
    if C != old.C:
        factor = shrunk(task.problem, old.coef, np.arange(n), C * loss_of(task.params).steepest)
        for part in (state.v, state.coef, state.total):
            part *= factor
        state.place[:], state.bounds[:] = (0, n), OPEN
    return state


def train(solver: Solver, task: Task) -> Learnt:
    """As many steps more, or fewer where a tolerance is reached."""
    problem, params = task.problem, task.params
    if params["kernel"] is not None or task.weights is not None:
        return recorded.train(solver, task)
    n, rows, plus, loss = (
        problem.n,
        linear.read(problem.X),
        constant_of(params) ** 2,
        loss_of(params),
    )
    diagonal, C = np.empty(n), 1.0 / (params["lam"] * n)
    linear.squares(rows, plus, diagonal)
    state = begin(task.state, n, problem.d, C, task.seed, task)
    t, stop, read, done = state.t, state.t + task.steps, 0, False
    given = rows, problem.y, C, loss, plus, diagonal
    orders = linear.stretches(task, t, stop) if task.tol is None else None
    while t < stop and not done:
        if orders is not None:
            order = next(orders)
            taken, features = (
                order.size,
                steps(*given, order.ravel(), state.v, state.coef, state.total),
            )
        else:
            most = min(linear.STRETCH, stop - t)
            taken, features, done = passes(*given, *state[2:], most, task.tol)
        t, read = t + taken, read + features + taken * (plus > 0.0)
        if task.watch is not None:
            spread = state.bounds[0] - state.bounds[1]  # infinite before all took part in a pass
            task.watch(t, {"gradients": spread} if task.tol is not None and spread < np.inf else {})
    support = np.flatnonzero(state.coef)
    return Learnt(
        support,
        None,
        state.coef[support, None],
        plus * float(state.coef.sum()),
        {"kernel_evals": 0, "features_read": read},
        state.v[:, None].copy(),
        t - state.t,
        None if task.tol is None else done,
        state._replace(t=t),
    )
