"""Budgeted SGD without a record.

With the Gaussian kernel, one score and merging there is a loop for speed alone: with the hinge its
vectors and coefficients are those of `solvers.bsgd.learner` to the last digit, with losses that are
curved up to rounding. Kernel values are of single precision (`narrow`), and computed again wherever
the margin is too close to a bend of the loss to tell; `slots` holds the vectors, `merging` keeps
the budget. Everything else runs `learner` itself.
"""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.data.constant import kernel_of
from svmviz.estimators.train import narrow
from svmviz.estimators.train.bsgd import slots
from svmviz.estimators.train.bsgd.merging import merge_smallest
from svmviz.estimators.train.bsgd.slots import (
    COEF,
    EVALS,
    LENGTH,
    OUT,
    READ,
    SCALE,
    SIZE,
    SUM,
    TWICE,
    put,
    take,
    wipe,
)
from svmviz.estimators.train.task import Learnt, Task
from svmviz.maths import kernels, losses, matrix, sampling
from svmviz.maths.machine.jit import bare
from svmviz.record.given import Given
from svmviz.record.solver import Solver
from svmviz.run.streams import stream
from svmviz.solvers.bsgd import algorithm as bsgd
from svmviz.solvers.bsgd import learner
from svmviz.solvers.bsgd import model as vectors
from svmviz.solvers.bsgd.listing import any_two
from svmviz.solvers.bsgd.model import SQUARE, USED, VALUES

PIECE = 16384  # steps between two words to who watches
SMALL = 1e-6  # a common factor below it is moved into the coefficients
COARSE = 0.02  # error of an exponent at which single precision tells nothing


class Plan(NamedTuple):
    """What stays the same in all steps."""

    B: int
    # margins between `low` and `high` must be known as well as can be: the loss is curved there, or
    # has a kink
    low: float
    high: float
    error: float  # of gamma |x - v|² in single precision


class State(NamedTuple):
    """To go on from: the vectors with their coefficients, after so many steps, of which so many
    drew from n examples.
    """

    model: vectors.Model | None
    t: int
    drawn: int
    n: int


@bare
def glance(V, x, single, whole, b, at, features, gamma):
    """Σ c_j k_j and Σ |c_j| k_j in single precision"""
    out, size, coef = single[OUT], single[SIZE], single[COEF]
    narrow.squared_distances(V, single[LENGTH], b, x, at, features, out)
    narrow.exponentials(out, whole, b, np.float32(gamma))
    for j in range(b):
        out[j] *= coef[j]
        size[j] = abs(out[j])
    return narrow.total(out, b), narrow.total(size, b)


@bare
def looked(model, whole, b, features, gamma):
    """Σ a_j k_j in double precision"""
    values = model.figures[VALUES]
    narrow.squared_distances(model.V, model.figures[SQUARE], b, model.x, model.at, features, values)
    narrow.doubles(values, whole, b, gamma)
    for j in range(b):
        values[j] *= model.A[j, 0]
    return narrow.total(values, b)


@bare
def shrink(model, room, rule, t, eta):
    """w ← (1 - eta lam) w, each coefficient by itself: so they have the digits of a recorded run"""
    A, number, b = model.A, room.number, model.count[USED]
    factor = max(0.0, 1.0 - 1.0 / t if rule.kind == learner.PEGASOS else 1.0 - eta * rule.lam)
    if factor == 0.0:
        model.count[USED], number[SCALE], number[SUM] = 0, 1.0, 0.0
        return
    if factor < 1.0:
        for j in range(b):
            A[j, 0] *= factor
    number[SCALE] *= factor
    if number[SCALE] < SMALL:
        for j in range(b):
            room.single[COEF, j] = A[j, 0]
        number[SUM] *= number[SCALE]
        number[SCALE] = 1.0


@bare
def steps(model, room, rows, y, order, start, rule, kernel, plan):
    """Iterations start + 1, ... on these examples"""
    x, at, number, dense = model.x, model.at, room.number, matrix.is_dense(rows)
    for s in range(order.size):
        i, t, b = order[s], start + s + 1, model.count[USED]
        features, label = take(rows, i, x, room.x, at), y[order[s]]
        f, size = glance(room.V, room.x, room.single, room.short, b, at, features, kernel.gamma)
        margin = label * number[SCALE] * (f + kernel.plus * number[SUM])
        doubt = number[SCALE] * size * (narrow.ROUGH + plan.error) + narrow.UNSEEN
        number[EVALS] += b
        number[READ] += features
        if b > 0 and plan.low - doubt <= margin <= plan.high + doubt:
            f = looked(model, room.long, b, features, kernel.gamma)
            margin = label * (f + kernel.plus * number[SCALE] * number[SUM])
            number[TWICE] += 1
        eta = learner.rate(rule, t)
        shrink(model, room, rule, t, eta)
        share = learner.weight(rule, margin + 0.0, -1)
        if share > 0.0:
            a = share * eta * label
            put(model, room, model.count[USED], a, 0)
            model.count[USED] += 1
            number[SUM] += a / number[SCALE]
            for _ in range(learner.AT_ONCE):
                if model.count[USED] <= plan.B:
                    break
                features = merge_smallest(model, room, kernel, dense, features, plan.error)
        if not dense:
            wipe(x, room.x, at, features)


def bends(rule: learner.Rule) -> tuple[float, float]:
    """Between which margins the slope of the loss is not the same everywhere.

    >>> bends(learner.Rule(learner.PEGASOS, 0.1, 1.0, 1.0, 0.0, False, losses.smoothed_hinge(0.5)))
    (0.5, 1.0)
    """
    if rule.kind == learner.PERCEPTRON:
        return rule.beta, rule.beta
    return {
        losses.HINGE: (1.0, 1.0),
        losses.SMOOTHED: (1.0 - rule.loss.s, 1.0),
        losses.SQUARED: (-np.inf, 1.0),
        losses.LOGISTIC: (-np.inf, 30.0),
    }[rule.loss.kind]  # where it is less than `learner.NOTHING`


def rows_of(X) -> matrix.Rows:
    """The examples as compiled code reads them, without a copy of them in double precision."""
    if X.dtype != np.float32:
        return matrix.rows(X)
    none, empty = np.zeros(0, np.int64), np.zeros(0, np.float32)
    if sp.issparse(X):
        X = X.tocsr()
        return matrix.Rows(
            np.zeros((0, X.shape[1]), np.float32),
            X.data,
            X.indices.astype(np.int64, copy=False),
            X.indptr.astype(np.int64, copy=False),
        )
    return matrix.Rows(np.require(X, np.float32, ["C", "W"]), empty, none, none)


def longest(X) -> float:
    """The largest |x|²."""
    squares = X.multiply(X).sum(axis=1) if sp.issparse(X) else np.einsum("ij,ij->i", X, X)
    return float(np.max(squares, initial=0.0))


def fast(params, kernel: kernels.Kernel, rule: learner.Rule, scores: int) -> bool:
    """Whether the loop above knows how."""
    steps = rule.kind in (learner.PEGASOS, learner.NORMA, learner.PERCEPTRON)
    merges = params["maintenance"] == "merge" and not any_two(params) and kernel.kind == kernels.RBF
    return steps and merges and scores == 1 and rule.U == 0.0


def train(solver: Solver, task: Task) -> Learnt:
    """As many steps more; what is put out is the last w."""
    problem, params, steps = task.problem, task.params, task.steps
    scores = bsgd.scores_of(problem, params)
    bsgd.refuse(params, scores)
    rule, kernel = bsgd.rule_of(params), kernel_of(params)
    before = task.state or State(None, 0, 0, problem.n)
    model, first = (
        begun(before, problem, params, scores, steps),
        (before.drawn if before.n == problem.n else 0),
    )
    drawn = task.order
    if drawn is None:
        order = (
            None
            if task.weights is None
            else sampling.weighted(task.weights, first + steps, 1, task.seed)
        )
        given = Given(problem, order)
        drawn = solver.algorithm.draw(
            np.arange(problem.n), params, sampling.Chance(task.seed), first, first + steps, given
        )
    rows, y = rows_of(problem.X), bsgd.labels_of(problem.y, problem.classes, scores)
    if fast(params, kernel, rule, scores):
        coef, costs = quick(task, model, before.t, rows, y, drawn[:, 0], rule, kernel)
    else:
        coef, costs = slow(task, model, before.t, rows, y, drawn[:, 0], rule, kernel, scores)
    b = int(model.count[USED])
    return Learnt(
        None,
        np.ascontiguousarray(model.V[:, :b].T),
        coef,
        kernel.plus * coef.sum(axis=0),
        costs,
        steps=steps,
        state=State(model, before.t + steps, first + steps, problem.n),
    )


def begun(before: State, problem, params, scores: int, steps: int) -> vectors.Model:
    """The vectors to go on with, in arrays of their own; who they were among the examples is
    forgotten.
    """
    model = before.model
    if model is not None:
        if model.A.shape[1] != scores or model.V.shape[0] != problem.d:
            raise ValueError(
                f"{model.V.shape[0]} features and {model.A.shape[1]} scores were there before, got"
                f" {problem.d} and {scores}"
            )
        model = model._replace(where=np.full(problem.n, -1), facts=model.facts.copy())
        model.facts[vectors.ROW] = -1
    return bsgd.prepared(model, params, problem.d, scores, min(steps, problem.n), problem.n)


def quick(
    task: Task, model: vectors.Model, t: int, rows, y, order, rule, kernel
) -> tuple[np.ndarray, dict]:
    """The loop above, piece by piece."""
    room, b = slots.room(*model.V.shape), int(model.count[USED])
    room.number[SCALE] = 1.0
    room.V[:, :b], room.single[LENGTH, :b], room.single[COEF, :b] = (
        model.V[:, :b],
        model.figures[SQUARE, :b],
        model.A[:b, 0],
    )
    reach = max(longest(task.problem.X), float(model.figures[SQUARE, :b].max(initial=0.0)))
    error = narrow.error(
        kernel.gamma,
        task.problem.d if matrix.is_dense(rows) else int(np.diff(rows.indptr).max()),
        reach,
    )
    low, high = bends(rule) if error < COARSE else (-np.inf, np.inf)
    plan = Plan(task.params["B"], low, high, error)
    for a in range(0, task.steps, PIECE):
        room.number[SUM] = model.A[: model.count[USED], 0].sum() / room.number[SCALE]
        steps(model, room, rows, y, order[a : a + PIECE], t + a, rule, kernel, plan)
        if task.watch is not None:
            task.watch(min(task.steps, a + PIECE), {"n_sv": int(model.count[USED])})
    costs = {"kernel_evals": int(room.number[EVALS]), "features_read": int(room.number[READ])}
    return model.A[: model.count[USED]].copy(), costs


def slow(
    task: Task, model: vectors.Model, t: int, rows, y, order, rule, kernel, scores: int
) -> tuple[np.ndarray, dict[str, Any]]:
    """`learner` itself, which writes nothing down."""
    keep = bsgd.keep_of(task.params)
    log = (
        np.empty((PIECE, 0), np.int64),
        np.empty((PIECE, 0, scores)),
        np.empty((PIECE, 0), np.bool_),
    )
    out, costs = learner.empty(PIECE), {"kernel_evals": 0, "features_read": 0}
    made, parents = np.empty((0, task.problem.d)), np.empty((0, 2), np.int64)
    for a in range(0, task.steps, PIECE):
        piece = order[a : a + PIECE]
        learner.steps(model, rows, y, piece, t + a, rule, kernel, keep, *log, made, parents, 0, out)
        costs["kernel_evals"] += int(out.kernel_evals[: piece.size].sum())
        costs["features_read"] += int(out.features[: piece.size].sum())
        if task.watch is not None:
            task.watch(a + piece.size, {"n_sv": int(model.count[USED])})
    return stream.snapshot(model, kernel).coef, costs
