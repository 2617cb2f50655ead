"""The Stochastic Batch Perceptron on large data: Algorithm 1 of `solvers.sbp`, of whose steps only
the responses c are kept.

The level is found from the last one: above it the volume is a sum of straight lines, and Newton's
method on it ends, from either side, after two or three passes. Coefficients are a times v, so that
scaling w costs one multiplication, and their average is kept lazily: with S the sum of all a so
far, the sum of the iterates is S v less what came too late for it.
"""

import math
from typing import NamedTuple

import numpy as np

from svmviz.estimators.train.smo import diagonal_of
from svmviz.estimators.train.task import LATE, Learnt, Task
from svmviz.maths import kernels, sampling
from svmviz.maths.kernels import engine, rowcache
from svmviz.maths.machine.jit import bare, jit, loop
from svmviz.maths.water import water_level
from svmviz.maths.water.shore import drawn_from, pour
from svmviz.record.given import Given
from svmviz.record.solver import Solver

STRETCH = 1000  # steps between two looks at who watches
A, S, R2, GAMMA, COST = range(5)  # places in `numbers`


class Run(NamedTuple):
    """What goes on from stretch to stretch."""

    c: np.ndarray  # (n,) responses y f
    total: np.ndarray  # (n,) their sum over the steps that are averaged
    v: np.ndarray  # (n,) coefficients over a
    missed: np.ndarray  # (n,) what the average lacks of S v
    numbers: np.ndarray  # (5,) a, S, |w|², the level, kernel values


@loop
def lift(c, y, near, by, scale):
    """c ← scale (c + by y ∘ near)"""
    for j in range(c.size):
        c[j] = scale * (c[j] + by * y[j] * np.float64(near[j]))


@loop
def add(v, total):
    for j in range(v.size):
        total[j] += v[j]


@loop
def depths(c, gamma):
    """Σ max(0, gamma - c_j), as eight sums side by side, and how many are below gamma"""
    d0 = d1 = d2 = d3 = d4 = d5 = d6 = d7 = 0.0
    whole, below = c.size - c.size % 8, 0
    for j in range(0, whole, 8):
        x0, x1, x2, x3 = gamma - c[j], gamma - c[j + 1], gamma - c[j + 2], gamma - c[j + 3]
        x4, x5, x6, x7 = gamma - c[j + 4], gamma - c[j + 5], gamma - c[j + 6], gamma - c[j + 7]
        d0, d1 = d0 + (x0 if x0 > 0.0 else 0.0), d1 + (x1 if x1 > 0.0 else 0.0)
        d2, d3 = d2 + (x2 if x2 > 0.0 else 0.0), d3 + (x3 if x3 > 0.0 else 0.0)
        d4, d5 = d4 + (x4 if x4 > 0.0 else 0.0), d5 + (x5 if x5 > 0.0 else 0.0)
        d6, d7 = d6 + (x6 if x6 > 0.0 else 0.0), d7 + (x7 if x7 > 0.0 else 0.0)
    for j in range(whole, c.size):
        d0 += gamma - c[j] if gamma > c[j] else 0.0
    for j in range(c.size):
        below += c[j] < gamma
    return ((d0 + d4) + (d2 + d6)) + ((d1 + d5) + (d3 + d7)), below


@loop
def covered(c, gamma, first, last):
    """How many of these are not above gamma"""
    many = 0
    for j in range(first, last):
        many += c[j] <= gamma
    return many


@loop
def least(c):
    lowest = c[0]
    for j in range(c.size):
        lowest = c[j] if c[j] < lowest else lowest
    return lowest


@bare
def level(c, volume, gamma):
    """The level of c under this volume, from the one that is given"""
    lowest, rises = least(c), 0
    if volume == 0.0:
        return lowest
    while True:
        filled, below = depths(c, gamma)
        new = max(gamma - (filled - volume) / below, lowest) if below > 0 else lowest + volume
        # at first from below, or where rounding led too far down; else it only falls, but for
        # rounding
        rises += new > gamma
        if new == gamma or rises == 3:
            return new
        gamma = new


@bare
def drawn(c, gamma, k, u):
    """The example that a uniform number chooses among the k that are not above the level: block by
    block
    """
    wanted, first = int(u * k), 0
    while first < c.size:
        last = min(c.size, first + 256)
        many = covered(c, gamma, first, last)
        if wanted < many:
            break
        wanted, first = wanted - many, last
    for j in range(first, c.size):
        if c[j] <= gamma:
            if wanted == 0:
                return j
            wanted -= 1
    return 0


@jit
def steps(
    run, examples, kernel, points, cache, y, diagonal, volume, bias, eta_0, order, start, late
):
    """Steps start + 1, ...; those from `late` + 1 on are averaged"""
    c, v, numbers, n = run.c, run.v, run.numbers, examples.n
    scratch = np.empty(n if bias else 0)
    for s in range(order.shape[0]):
        t = start + s + 1
        if bias:
            gamma, _, k, plus, minus = pour(c, y, volume, bias, scratch)
            i = drawn_from(c, y, bias, k, plus, minus, order[s, 0], order[s, 1])
        else:
            gamma = level(c, volume, numbers[GAMMA])
            i = drawn(c, gamma, covered(c, gamma, 0, n), order[s, 1])
        numbers[GAMMA] = gamma
        at, cost = rowcache.fetch(cache, examples, kernel, points, i)
        numbers[COST] += cost
        eta = eta_0 / math.sqrt(t)
        r2 = numbers[R2] + (2.0 * eta * c[i] + eta * eta * diagonal[i])
        scale = 1.0 / math.sqrt(r2) if r2 > 1.0 else 1.0
        numbers[R2] = r2 * scale * scale
        by = eta * y[i] / numbers[A]
        v[i] += by
        if t > late:
            run.missed[i] += numbers[S] * by
        numbers[A] *= scale
        lift(c, y, cache.values[at : at + n], eta * y[i], scale)
        if t > late:
            numbers[S] += numbers[A]
            add(c, run.total)
        if numbers[A] < 1e-100:
            for j in range(n):
                v[j] *= numbers[A]
            numbers[S] /= numbers[A]
            numbers[A] = 1.0


def begun(n: int) -> Run:
    return Run(
        np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.array([1.0, 0.0, 0.0, 0.0, 0.0])
    )


def train(solver: Solver, task: Task) -> Learnt:
    """As many steps as are asked for; the iterate is the one that the parameters name."""
    problem, params, n = task.problem, task.params, task.problem.n
    kernel, y, volume, iterate = (
        params["kernel"] or kernels.linear(),
        problem.y,
        n * params["nu"],
        params["iterate"],
    )
    examples, points = engine.laid_out(problem.X, kernel), engine.points(problem.X, kernel)
    cache, diagonal = (
        rowcache.empty(examples, task.megabytes, problem.X.dtype),
        diagonal_of(kernel, points),
    )
    start, run = task.state or (0, begun(n))
    run = Run(*(part.copy() for part in run))
    chance, stop, drawn_by = sampling.Chance(task.seed), start + task.steps, Given(problem)
    late = (start + stop) // 2 if iterate == LATE else 0
    if iterate == LATE:
        run.total[:], run.missed[:], run.numbers[S] = 0.0, 0.0, 0.0
    for a in range(start, stop, STRETCH):
        b = min(stop, a + STRETCH)
        order = solver.algorithm.draw(np.arange(n), params, chance, a, b, drawn_by)
        steps(
            run,
            examples,
            kernel,
            points,
            cache,
            y,
            diagonal,
            volume,
            params["bias"],
            1.0 / math.sqrt(diagonal.max() or 1.0),
            order,
            a,
            late,
        )
        if task.watch is not None:
            task.watch(b - start, {"level": float(run.numbers[GAMMA])})
    last = iterate == "last"
    coef = run.numbers[A] * run.v if last else (run.numbers[S] * run.v - run.missed) / (stop - late)
    c, b = run.c if last else run.total / (stop - late), 0.0
    if params["bias"]:
        gamma, b, *_ = pour(c, y, volume, True, np.empty(n))
    else:
        gamma = water_level(c, volume)
    rows = np.flatnonzero(run.v)
    costs = {"kernel_evals": int(run.numbers[COST]), "features_read": np.nan}
    return Learnt(
        rows,
        problem.X[rows],
        coef[rows, None],
        float(b),
        costs,
        steps=task.steps,
        state=(stop, run),
        facts={"level": float(gamma)},
    )
