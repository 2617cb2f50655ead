"""LASVM on large data: Algorithm 2 of `solvers.incremental` with responses of the support vectors
alone (Section 5.2).

Support vectors stand in slots, side by side in the blocks of `maths.engine`, with their
coefficients and responses: the row of a newcomer is against these, and it gives its response, moves
theirs and is written into the rows that are kept. A draw looks at two numbers first, as most alphas
are at C and stay there; only who moves needs a row, and those who move are few and move again:
their rows are kept in a bounded room (`solvers.incremental.cache`). Who leaves is forgotten, and
the last one takes its slot, so that the draws are those of `solvers.incremental.onepass`; values
are the engine's, whose last digits differ.
"""

from typing import NamedTuple

import numpy as np

from svmviz.data.constant import kernel_of
from svmviz.data.problem import Problem
from svmviz.estimators.train import seen
from svmviz.estimators.train.smo import diagonal_of
from svmviz.estimators.train.task import Learnt, Task
from svmviz.maths import kernels, sampling
from svmviz.maths.dual import step
from svmviz.maths.kernels import engine
from svmviz.maths.kernels.engine import LANES, SPARSEST, Examples, Points, lift, point, shaped
from svmviz.maths.machine.jit import bare, loop
from svmviz.maths.matrix import eightfold
from svmviz.solvers.incremental.cache import (
    FILL,
    ROW,
    WIDTH,
    Cache,
    claim,
    forget,
    learn,
    release,
    widen,
)
from svmviz.solvers.incremental.cache import empty as no_rows
from svmviz.solvers.incremental.onepass import Begun

STRETCH = 1000  # rounds between two words to who watches
MANY, SEEN, EVALS, RECENT = range(4)  # places in `count`


class Model(NamedTuple):
    """The support vectors, slot by slot, and what a round needs besides."""

    vectors: Examples  # in blocks, or where there are none only their lengths
    who: np.ndarray  # (n,) which examples they are; the first count[MANY] are there
    coef: np.ndarray  # (n,) y alpha
    f: np.ndarray  # (n,) responses
    slot: np.ndarray  # (n,) where each example stands, -1: nowhere
    queue: np.ndarray  # examples that have arrived, -1: not kept; then all others
    recent: np.ndarray  # (K,) what moved in this round, and ...
    held: np.ndarray  # (K,) ... what the average lacks of each move
    near: np.ndarray  # (n,) a row that is not kept
    sums: np.ndarray  # working space of a row
    buffer: np.ndarray  # (d,) one example, spread out
    diagonal: np.ndarray  # (n,) K(x, x) of the examples
    cache: Cache
    count: np.ndarray  # (4,) int64


@bare
def put(vectors, points, i, p):
    """Example i comes to stand in slot p, which is empty"""
    vectors.own[p] = points.own[i]
    if vectors.blocks.shape[0] > 0:
        values, features = point(points, i)
        block, lane = vectors.blocks[p // LANES], p % LANES
        for q in range(values.size):
            block[features[q], lane] = values[q]


@bare
def put_all(vectors, points, members):
    for p in range(members.size):
        put(vectors, points, members[p], p)


@bare
def clear(vectors, points, i, p):
    """Example i leaves slot p"""
    if vectors.blocks.shape[0] > 0:
        values, features = point(points, i)
        block, lane = vectors.blocks[p // LANES], p % LANES
        for q in range(values.size):
            block[features[q], lane] = 0.0


@loop
def walked(points, kind, who, i, first, last, buffer, sums):
    """<x_i, z> of the slots from `first` to before `last`, or |x_i - z|_1, along the features of
    each z
    """
    data, indices, indptr = points.data, points.indices, points.indptr
    for q in range(indptr[i], indptr[i + 1]):
        buffer[indices[q]] = data[q]
    for p in range(first, last):
        total = points.own[i] if kind == kernels.LAPLACIAN else 0.0
        for q in range(indptr[who[p]], indptr[who[p] + 1]):
            x, z = buffer[indices[q]], np.float64(data[q])
            total += abs(x - z) - abs(x) if kind == kernels.LAPLACIAN else x * z
        sums[p] = total
    for q in range(indptr[i], indptr[i + 1]):
        buffer[indices[q]] = 0.0


@bare
def compute(model, kernel, points, i, first, last, out):
    """K(x_i, .) of the slots from `first` to before `last`"""
    vectors, sums = model.vectors, model.sums
    model.count[EVALS] += last - first
    if vectors.blocks.shape[0] > 0:
        engine.row(vectors, kernel, points, i, first, last, sums, out)
    else:
        walked(points, kernel.kind, model.who, i, first, last, model.buffer, sums)
        shaped(
            kernel,
            False,
            points.own[i],
            vectors.own[first:last],
            last - first,
            sums[first:last],
            out[first:last],
        )


@bare
def follow(model, kernel, points, i, many, delta):
    """The responses follow a coefficient that is raised: by its row, kept as far as it is known and
    there is room
    """
    cache, near, first = model.cache, model.near, 0
    r = claim(cache, i)
    if r >= 0:
        start, first = r * cache.state[WIDTH], cache.book[FILL, r]
        near, cache.book[FILL, r] = cache.values[start : start + many], many
    if first < many:
        compute(model, kernel, points, i, first, many, near)
    lift(model.f[:many], delta, near[:many])


@bare
def process(model, kernel, points, label, C, i):
    """The newcomer's response, and the exact step on its alpha, with which it becomes a support
    vector
    """
    many, near, K_ii = model.count[MANY], model.near, model.diagonal[i]
    compute(model, kernel, points, i, 0, many, near)
    f = eightfold(model.coef[:many], near[:many])
    coef = label * step(0.0, label * f, K_ii, C)
    if coef == 0.0:
        return
    lift(model.f[:many], coef, near[:many])
    put(model.vectors, points, i, many)
    model.who[many], model.coef[many], model.f[many], model.slot[i] = i, coef, f + coef * K_ii, many
    near[many] = K_ii
    model.count[MANY] = many + 1
    widen(model.cache, many + 1)
    learn(model.cache, model.who, many + 1, near, many)


@bare
def move(model, kernel, points, p, alpha):
    """The alpha in slot p becomes another one; if that is 0, the slot is free. Returns how much its
    coefficient changed
    """
    i, many, label = model.who[p], model.count[MANY], 1.0 if model.coef[p] > 0.0 else -1.0
    delta = label * (alpha - abs(model.coef[p]))
    follow(model, kernel, points, i, many, delta)
    model.coef[p] = label * alpha
    if alpha == 0.0:
        leave(model, points, i, p)
    return delta


@bare
def leave(model, points, i, p):
    """Example i leaves slot p, and the last one takes it"""
    cache, last = model.cache, model.count[MANY] - 1
    j = model.who[last]
    clear(model.vectors, points, i, p)
    if j != i:
        clear(model.vectors, points, j, last)
        put(model.vectors, points, j, p)
        model.who[p], model.coef[p], model.f[p], model.slot[j] = (
            j,
            model.coef[last],
            model.f[last],
            p,
        )
    model.slot[i], model.count[MANY] = -1, last
    if cache.book[ROW, i] >= 0:
        release(cache, cache.book[ROW, i])
    forget(cache, p, last)


@bare
def rounds(model, kernel, points, y, C, K, named, everyone, order):
    """Row s of `order` decides round s: the newcomer, unless they are `named` by the queue, then K
    draws, among `everyone` who has arrived or among the support vectors
    """
    count, queue, coef = model.count, model.queue, model.coef
    for s in range(order.shape[0]):
        count[RECENT] = 0
        if count[SEEN] < queue.size:
            first = count[SEEN]
            at = first if named else first + int(order[s, 0] * (queue.size - first))
            queue[first], queue[at] = queue[at], queue[first]
            count[SEEN] = first + 1
            process(model, kernel, points, y[queue[first]], C, queue[first])
        for k in range(K):
            u, p = order[s, 1 + k], -1
            if not everyone:
                p = int(u * count[MANY]) if count[MANY] > 0 else -1
            elif queue[int(u * count[SEEN])] >= 0:
                p = model.slot[queue[int(u * count[SEEN])]]
            if p < 0:
                continue
            i, alpha, margin = (
                model.who[p],
                abs(coef[p]),
                model.f[p] if coef[p] > 0.0 else -model.f[p],
            )
            new = step(alpha, margin, model.diagonal[i], C)
            if new != alpha:
                e = count[RECENT]
                model.recent[e], model.held[e] = i, move(model, kernel, points, p, new) * k / K
                count[RECENT] = e + 1


def fits(params) -> bool:
    """Whether the rounds above are those that the parameters ask for."""
    return (
        params["gradients"].startswith("LASVM")
        and params["algorithm"] == "Algorithm 2"
        and (params["teacher"] in ("random", "as given"))
    )


def standing(
    problem: Problem, begun: Begun, kernel: kernels.Kernel, points: Points, K: int, megabytes: float
) -> Model:
    """The model where a task begins. Slots that nobody ever stood in take no memory."""
    X, support, many = problem.X, begun.support, begun.support.size
    n, d = X.shape
    wide = points.X.shape[0] > 0 or X.nnz >= SPARSEST * n * d
    blocks, none = (
        np.zeros((-(-n // LANES) if wide else 0, d, LANES), X.dtype),
        np.zeros(0, np.int32),
    )
    vectors = Examples(
        n, points.X.shape[0] > 0, blocks, np.zeros(0, X.dtype), none, none, np.zeros(n)
    )
    model = Model(
        vectors,
        np.zeros(n, np.int64),
        np.zeros(n),
        np.zeros(n),
        np.full(n, -1),
        begun.queue.astype(np.int64),
        np.zeros(K, np.int64),
        np.zeros(K),
        np.empty(n, X.dtype),
        np.empty(LANES if wide else n),
        np.zeros(d),
        diagonal_of(kernel, points),
        no_rows(n, megabytes, X.dtype),
        np.array([many, begun.seen, 0, 0]),
    )
    model.who[:many], model.coef[:many], model.f[:many] = (
        support,
        begun.coef[support],
        begun.f[support],
    )
    model.slot[support] = np.arange(many)
    put_all(vectors, points, support)
    widen(model.cache, many)
    if np.isnan(model.f[:many]).any():
        model.f[:many] = engine.responses(
            kernel, X[support], begun.coef[support, None], X[support]
        )[:, 0]
    return model


def train(task: Task, problem: Problem, begun: Begun) -> Learnt:
    """As many rounds more: with newcomers while there are any, then without."""
    params, kernel, K = task.params, kernel_of(task.params), task.params["K"]
    points, chance = engine.points(problem.X, kernel), sampling.Chance(task.seed)
    model = standing(problem, begun, kernel, points, K, task.megabytes)
    named, everyone = (
        begun.named or params["teacher"] == "as given",
        params["gradients"] == "LASVM, all seen",
    )
    for a in range(0, task.steps, STRETCH):
        b = min(task.steps, a + STRETCH)
        rounds(
            model,
            kernel,
            points,
            problem.y,
            params["C"],
            K,
            named,
            everyone,
            chance.numbers(begun.t + a, begun.t + b, 1 + K),
        )
        if task.watch is not None:
            task.watch(b, {"n_sv": int(model.count[MANY])})
    many, arrived, evals, moves = map(int, model.count)
    support, coef, f = model.who[:many].copy(), np.zeros(problem.n), np.full(problem.n, np.nan)
    coef[support], f[support] = model.coef[:many], model.f[:many]
    average = coef.copy()
    np.subtract.at(average, model.recent[:moves], model.held[:moves])
    left = Begun(begun.t + task.steps, coef, f, support, model.queue, arrived)
    return seen.learnt(task, problem, support, left, average, evals)
