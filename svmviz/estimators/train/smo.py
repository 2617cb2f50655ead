"""Sequential minimal optimisation on large data: the pairs of `solvers.smo`, over a cache of kernel
rows, with shrinking.

Fan, Chen, Lin: "Working set selection using second order information for training support vector
machines", JMLR 6 (2005); how LIBSVM shrinks: Chang, Lin: "LIBSVM: a library for support vector
machines", ACM TIST 2 (2011), Section 5.

It ends once no two gradients that could move towards each other differ by more than the tolerance,
as LIBSVM does. On the way whoever is at an end of its box, and would go beyond, is left out: rows
become shorter. What that left aside is computed anew once ten times the tolerance is reached, and
again at the end, which is only one if all agree to it. Without a tolerance the steps are those of
the stage: a step makes two gradients equal, so that the last digit decides who comes next.
"""

from typing import NamedTuple

import numpy as np

from svmviz.estimators.train import recorded
from svmviz.estimators.train.task import Learnt, Task
from svmviz.maths import kernels
from svmviz.maths.kernels import engine, rowcache
from svmviz.maths.kernels.engine import lift
from svmviz.maths.machine.jit import bare, jit, loop
from svmviz.maths.machine.scan import highest, highest_of, largest, lowest_of
from svmviz.record.solver import Solver
from svmviz.solvers.smo.algorithm import FLAT, landed

EVERY = 1000  # steps between two looks at who can be left out
WORTH = 0.9  # of those who take part: only if fewer stay they are laid out anew
AGAIN = 10.0  # tolerances at which what was left aside is looked at for the first time


class Active(NamedTuple):
    """Those who take part: where they stand among all, and all that a step reads and changes."""

    who: np.ndarray  # (m,)
    coef: np.ndarray  # (m,) y alpha, between ...
    lo: np.ndarray
    hi: np.ndarray  # ... these
    g: np.ndarray  # (m,) gradient: y - f
    diagonal: np.ndarray
    up: np.ndarray  # (m,) 0 for what can rise, else infinite: taken off g
    down: np.ndarray  # (m,) the same for what can fall: added to g


@loop
def gains(g, down, g_i, twice, near, diagonal, out):
    """What a step on the pair with each other one gains: (g_i - g_k)² over the curvature, 0 for
    those that cannot fall
    """
    for k in range(g.size):
        apart = g_i - (g[k] + down[k])
        curvature = twice + diagonal[k] - 2.0 * np.float64(near[k])
        curvature = curvature if curvature > FLAT else FLAT
        out[k] = apart * apart / curvature if apart > 0.0 else 0.0


@loop
def gains_alone(g, coef, lo, hi, diagonal, out):
    """What an exact step within its box gains for each alone"""
    for k in range(g.size):
        curvature = diagonal[k] if diagonal[k] > FLAT else FLAT
        move = g[k] / curvature
        move = move if move > lo[k] - coef[k] else lo[k] - coef[k]
        move = move if move < hi[k] - coef[k] else hi[k] - coef[k]
        out[k] = move * (g[k] - 0.5 * move * diagonal[k])


@loop
def lower(g, by, near_i, near_j):
    for k in range(g.size):
        g[k] -= by * (np.float64(near_i[k]) - np.float64(near_j[k]))


@bare
def moved(active, i, by):
    """The coefficient of i is raised; what it can do next follows"""
    active.coef[i] = landed(active.coef[i] + by, active.lo[i], active.hi[i])
    active.up[i] = 0.0 if active.coef[i] < active.hi[i] else np.inf
    active.down[i] = 0.0 if active.coef[i] > active.lo[i] else np.inf


@jit
def pairs(active, examples, kernel, points, cache, tol, most, gain):
    """Up to so many steps on pairs; returns how many, the kernel values computed, and how far the
    two ends are apart
    """
    g, n, spent, values, diagonal = active.g, examples.n, 0, cache.values, active.diagonal
    for s in range(most):
        i, apart = highest(g, active.up), lowest_of(g, active.down)
        if i < 0 or not g[i] - apart > tol:
            return s, spent
        at, cost = rowcache.fetch(cache, examples, kernel, points, i)
        near_i = values[at : at + n]
        gains(g, active.down, g[i], diagonal[i], near_i, diagonal, gain)
        j = largest(gain)
        kappa = max(diagonal[i] + diagonal[j] - 2.0 * np.float64(near_i[j]), FLAT)
        by = min(
            (g[i] - g[j]) / kappa, min(active.hi[i] - active.coef[i], active.coef[j] - active.lo[j])
        )
        at, cost_j = rowcache.fetch(cache, examples, kernel, points, j)
        spent += cost + cost_j
        moved(active, i, by)
        moved(active, j, -by)
        lower(g, by, near_i, values[at : at + n])
    return most, spent


@jit
def alone(active, examples, kernel, points, cache, tol, most, gain):
    """The same where one coefficient moves by itself"""
    g, n, spent, values, coef = active.g, examples.n, 0, cache.values, active.coef
    for s in range(most):
        gains_alone(g, coef, active.lo, active.hi, active.diagonal, gain)
        i = largest(gain)
        if not max(highest_of(g, active.up), -lowest_of(g, active.down)) > tol:
            return s, spent
        by = min(
            max(g[i] / max(active.diagonal[i], FLAT), active.lo[i] - coef[i]),
            active.hi[i] - coef[i],
        )
        at, cost = rowcache.fetch(cache, examples, kernel, points, i)
        spent += cost
        moved(active, i, by)
        lift(g, -by, values[at : at + n])
    return most, spent


class Ends(NamedTuple):
    """The largest gradient that can rise, and the smallest that can fall: how far the state is from
    an optimum.
    """

    top: float
    bottom: float

    @classmethod
    def of(cls, active: Active, bias: bool) -> "Ends":
        top, bottom = highest_of(active.g, active.up), lowest_of(active.g, active.down)
        if bias:
            return cls(top, bottom)
        far = max(top, -bottom)  # every one by itself should be 0
        return cls(far, -far)

    @property
    def apart(self) -> float:
        return self.top - self.bottom


def taking_part(who, coef, lo, hi, g, diagonal) -> Active:
    """A part of all, as compiled code reads it."""
    coef, lo, hi, g, diagonal = (part[who] for part in (coef, lo, hi, g, diagonal))
    return Active(
        who,
        coef,
        lo,
        hi,
        g,
        diagonal,
        np.where(coef < hi, 0.0, np.inf),
        np.where(coef > lo, 0.0, np.inf),
    )


class Machine:
    """A fit on its way."""

    def __init__(self, task: Task):
        self.task, params = task, task.params
        self.kernel, self.bias = params["kernel"] or kernels.linear(), params["bias"]
        X, y = task.problem.X, task.problem.y
        C = 1.0 / (params["lam"] * y.size)
        self.X, self.y, self.lo, self.hi = X, y, np.where(y < 0, -C, 0.0), np.where(y > 0, C, 0.0)
        self.points = engine.points(X, self.kernel)
        self.diagonal = diagonal_of(self.kernel, self.points)
        self.coef = np.zeros(y.size)
        if (
            task.state is not None
        ):  # in a smaller box all of them shrink alike, so that classes still balance
            self.coef += task.state.coef * min(1.0, C / max(np.abs(task.state.coef).max(), 1e-300))
        self.g = y.copy()
        self.spent, self.done, self.first = 0, 0, True
        self.aside = [
            (np.arange(y.size), np.zeros(y.size))
        ]  # who was left out, and all coefficients at that time
        self.all_in()

    def all_in(self) -> None:
        """Everybody takes part; of those left aside the gradient follows what has changed since"""
        for who, before in self.aside:
            by = self.coef - before
            used = np.flatnonzero(by)
            if used.size:
                self.g[who] -= engine.responses(
                    self.kernel, self.X[used], by[used, None], self.X[who]
                )[:, 0]
                self.spent += used.size * who.size
        self.aside = []
        self.active = taking_part(
            np.arange(self.y.size), self.coef, self.lo, self.hi, self.g, self.diagonal
        )
        self.own, self.examples = self.points, engine.laid_out(self.X, self.kernel)
        self.cache = rowcache.empty(self.examples, self.task.megabytes, self.X.dtype)

    def settle(self) -> None:
        """What those who take part have come to"""
        self.coef[self.active.who], self.g[self.active.who] = self.active.coef, self.active.g

    def leave_out(self, ends: Ends) -> None:
        """Whoever is at an end of its box and would go beyond"""
        active, before = self.active, self.examples.n
        gone = (np.isinf(active.up) & (active.g > ends.top)) | (
            np.isinf(active.down) & (active.g < ends.bottom)
        )
        kept = np.flatnonzero(~gone)
        if kept.size > WORTH * before or kept.size < 2:
            return
        self.settle()
        self.aside.append((active.who[gone], self.coef.copy()))
        self.active = taking_part(
            active.who[kept], self.coef, self.lo, self.hi, self.g, self.diagonal
        )
        X = self.X[self.active.who]
        self.own, self.examples = engine.points(X, self.kernel), engine.laid_out(X, self.kernel)
        self.cache = rowcache.narrow(self.cache, before, kept, self.examples)

    def run(self) -> bool:
        """All steps; returns whether the tolerance was reached"""
        task, tol, gain = self.task, float(self.task.tol or 0.0), np.empty(self.y.size)
        while True:
            most = min(task.steps - self.done, min(self.y.size, EVERY))
            done, spent = (pairs if self.bias else alone)(
                self.active,
                self.examples,
                self.kernel,
                self.own,
                self.cache,
                tol,
                most,
                gain[: self.examples.n],
            )
            self.done, self.spent = self.done + done, self.spent + spent
            ends, whole = Ends.of(self.active, self.bias), self.examples.n == self.y.size
            if task.watch is not None:
                task.watch(self.done, {"apart": ends.apart, "active": self.examples.n})
            if self.done == task.steps or (done < most and whole):
                self.settle()
                if not whole:
                    self.all_in()
                return done < most
            if done < most or (self.first and ends.apart <= AGAIN * tol and not whole):
                self.first = False
                self.settle()
                self.all_in()
            else:
                self.leave_out(ends)


def diagonal_of(kernel: kernels.Kernel, points: engine.Points) -> np.ndarray:
    """K(x_i, x_i) for every i"""
    if kernel.kind in kernels.RADIAL:
        return np.full(points.own.size, 1.0 + kernel.plus)
    base = (
        points.own
        if kernel.kind == kernels.LINEAR
        else (kernel.gamma * points.own + kernel.coef0) ** kernel.degree
    )
    return base + kernel.plus


def train(solver: Solver, task: Task) -> Learnt:
    """Until the tolerance is reached, or for as many steps."""
    if task.tol is None:
        return recorded.train(solver, task)
    machine = Machine(task)
    converged = machine.run()
    everybody = taking_part(
        np.arange(machine.y.size), machine.coef, machine.lo, machine.hi, machine.g, machine.diagonal
    )
    ends = Ends.of(everybody, True)
    b = 0.5 * (ends.top + ends.bottom) if machine.bias else 0.0
    rows = np.flatnonzero(machine.coef)
    return Learnt(
        rows,
        task.problem.X[rows],
        machine.coef[rows, None],
        b,
        {"kernel_evals": machine.spent, "features_read": np.nan},
        steps=machine.done,
        converged=converged,
        state=recorded.State(
            machine.done, task.problem, machine.coef, np.zeros(machine.y.size), 0, None
        ),
    )
