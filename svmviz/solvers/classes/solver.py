"""Pegasos for several classes (Section 5, Examples 3 and 4): stochastic sub-gradient descent on

    P(W) = λ/2 |W|² + 1/n Σ loss(f(x_i), y_i),    f_c(x) = <w_c, phi(x)>,    |W|² = Σ_c |w_c|²,

where W has a row for each class and the highest score wins. The loss is one of `contest`:
cost-sensitive or logistic. Shalev-Shwartz, Singer, Srebro, Cotter: "Pegasos", Mathematical
Programming 127 (2011). A step moves the rows that the loss falls along: for the hinge that of the
true class towards x and that of the strongest rival r as far away, the first of two that tie; for
the log-loss every row c by 1[c = y] - p_c. Amounts always sum to 0 over the classes, and so do
scores.

The paper's ball of radius 1/√λ is that of the binary hinge. Here r = √(mean loss at W = 0 / λ), as
P(W*) is at most P(0).
"""

import math
from typing import Any, NamedTuple

import numpy as np

from svmviz.data.constant import constant_of, of_bias
from svmviz.data.params import Param
from svmviz.maths import contest, kernels, matrix, sampling
from svmviz.maths.kernels import grams
from svmviz.maths.losses import HINGE, LOGISTIC, NAMES, loss_of
from svmviz.maths.machine.jit import bare, jit
from svmviz.record.changes import Changes
from svmviz.record.outcome import Made, Record, columns
from svmviz.record.solver import Algorithm, Goal, Solver, Space, Story, Uses
from svmviz.solvers.classes.losses import costs_of, numbered, radius_of, resting
from svmviz.solvers.classes.story import QUESTIONS, SYMBOLS, WHY, figure, lines, spoken, values
from svmviz.theory import bounds, several

RECORDED = 40_000_000  # changes of coefficients that one run may record (320 MB)
SCALE, NORM2 = range(2)  # of the numbers of a model


class Model(NamedTuple):
    """W = a u, and a v are its coefficients."""

    v: np.ndarray  # (n, classes)
    u: np.ndarray  # (classes, d), or (classes, 0) with a kernel
    used: np.ndarray  # (n,) whether an example was ever added
    number: np.ndarray  # (2,) a and |W|²

    @property
    def coef(self) -> np.ndarray:
        return self.number[SCALE] * self.v


class Columns(NamedTuple):
    """What each step leaves behind."""

    margin: np.ndarray  # (T, k) how far the true class leads
    amount: np.ndarray  # (T, k, classes)
    pull: np.ndarray  # (T,) back onto the ball
    worst: np.ndarray  # (T,) who of the batch pays most
    rival: np.ndarray  # (T,) the class that worst is nearest to be taken for
    cost: np.ndarray  # (T,) what worst pays
    n_sv: np.ndarray
    kernel_evals: np.ndarray


@bare
def respond(model, rows, kernelised, kernel, i, f, e):
    """The scores of example i into column e of f; returns the kernel evaluations"""
    v, u, a, evaluations = model.v, model.u, model.number[SCALE], 0
    for c in range(f.shape[0]):
        f[c, e] = 0.0 if kernelised else a * matrix.dot(rows, i, u[c])
    if kernelised:
        for j in range(v.shape[0]):
            if model.used[j]:
                value = a * kernels.k(kernel, rows, j, rows, i)
                evaluations += 1
                for c in range(f.shape[0]):
                    f[c, e] += v[j, c] * value
    return evaluations


@bare
def scale(model, factor):
    """W ← factor W; a must stay divisible, so a factor of 0 (the first step) or thousands of
    projections go into u and v
    """
    number = model.number
    number[SCALE] *= factor
    number[NORM2] *= factor * factor
    if number[SCALE] < 1e-100:
        for c in range(model.u.shape[0]):
            for q in range(model.u.shape[1]):
                model.u[c, q] *= number[SCALE]
            for j in range(model.v.shape[0]):
                model.v[j, c] *= number[SCALE]
        number[SCALE] = 1.0


@bare
def add(model, rows, kernelised, i, amount):
    """w_c ← w_c + amount_c phi(x_i)"""
    moves, a = False, model.number[SCALE]
    for c in range(amount.size):
        if amount[c] != 0.0:
            moves = True
            model.v[i, c] += amount[c] / a
            if not kernelised:
                matrix.axpy(rows, i, amount[c] / a, model.u[c])
    model.used[i] |= moves


@bare
def grown(rows, kernel, batch, f, amount, e):
    """By how much |W|² grows when example e of the batch is added, those before it being in: f are
    its scores without them
    """
    more, own = 0.0, kernels.k(kernel, rows, batch[e], rows, batch[e])
    for c in range(f.shape[0]):
        more += 2.0 * amount[e, c] * f[c, e] + amount[e, c] * amount[e, c] * own
    for earlier in range(e):
        together = 0.0
        for c in range(f.shape[0]):
            together += amount[earlier, c] * amount[e, c]
        if together != 0.0:
            more += 2.0 * together * kernels.k(kernel, rows, batch[earlier], rows, batch[e])
    return more


@jit
def steps(model, rows, y, lam, loss, costs, radius, kernelised, kernel, order, start, out):
    """All iterations, each written into its row of the columns; a radius of 0 is none"""
    count, k = order.shape
    f = np.empty((costs.shape[0], k))
    for s in range(count):
        batch, amount, t = order[s], out.amount[s], start + s + 1
        eta, shrink, most = 1.0 / (lam * t), 1.0 - 1.0 / t, -1.0
        for e in range(k):
            out.kernel_evals[s] += respond(model, rows, kernelised, kernel, batch[e], f, e)
            true = int(y[batch[e]])
            r, _ = contest.rival_of(costs, f, e, true)
            out.margin[s, e] = f[true, e] - f[r, e] + 0.0  # a zero has no sign
            pays = contest.paid(loss, costs, f, e, true)
            if pays > most:
                most, out.worst[s], out.rival[s], out.cost[s] = pays, e, r, pays
            contest.falls(loss, costs, f, e, true, amount[e])
        scale(model, shrink)
        for e in range(k):
            for c in range(f.shape[0]):
                f[c, e] *= shrink
                amount[e, c] *= eta / k
            if radius > 0.0:
                model.number[NORM2] += grown(rows, kernel, batch, f, amount, e)
            add(model, rows, kernelised, batch[e], amount[e])
        out.pull[s], norm2 = 1.0, model.number[NORM2]
        if radius > 0.0 and norm2 > radius * radius:
            out.pull[s] = radius / math.sqrt(norm2)
            scale(model, out.pull[s])
            model.number[NORM2] = radius * radius
            for e in range(k):
                for c in range(f.shape[0]):
                    amount[e, c] *= out.pull[s]
        out.n_sv[s] = model.used.sum()


def begin(problem, params, start) -> Model:
    """W = 0, or the W of the segment before, under a kernel that may be another."""
    n, classes, kernel = problem.n, problem.classes, params["kernel"]
    coef, used = np.zeros((n, classes)), np.zeros(n, np.bool_)
    if start.state is not None:
        coef[:], used[:] = start.state.coef, start.state.used
    linear, norm2 = kernel is None, 0.0
    u = (
        np.stack([matrix.combined(problem.X, coef[:, c].copy()) for c in range(classes)])
        if linear
        else np.empty((classes, 0))
    )
    if params["project"]:
        norm2 = sum(
            kernels.squared_norm(kernel or kernels.linear(), problem.X, coef[:, c].copy())
            for c in range(classes)
        )
    return Model(coef, u, used, np.array([1.0, norm2]))


def run(problem, params, order, start, active) -> tuple[Record, Any]:
    """Steps t + 1, t + 2, ... from where the segment begins."""
    (count, k), classes, t, loss = order.shape, problem.classes, start.t, loss_of(params)
    if count * k * classes > RECORDED:
        raise ValueError(
            f"recording {count} steps with up to {k * classes} changes each takes too much memory;"
            " lower the steps or k"
        )
    model, costs = begin(problem, params, start), costs_of(params, classes)
    rows, kernel = grams.read(
        params["kernel"] or kernels.linear(), problem.X, worth=2 * count >= problem.n
    )
    radius = radius_of(problem, params, active) if params["project"] else 0.0
    out = columns(
        Columns,
        count,
        whole=("n_sv", "kernel_evals"),
        margin=np.empty((count, k)),
        amount=np.empty((count, k, classes)),
    )
    steps(
        model,
        rows,
        numbered(problem),
        params["lam"],
        loss,
        costs,
        radius,
        params["kernel"] is not None,
        kernel,
        order,
        t,
        out,
    )

    hit = (out.amount != 0.0).any(axis=2)
    some = hit.any(axis=1)
    factor = (1.0 - 1.0 / np.arange(t + 1, t + count + 1)) * out.pull
    changes = Changes(
        factor,
        np.concatenate([[0], np.cumsum(hit.sum(axis=1))]),
        order[hit],
        out.amount[hit],
        np.zeros(0, np.bool_),
    )
    lead = out.margin[np.arange(count), out.worst.astype(int)]
    own = {
        "project": out.pull,
        "worst": out.worst,
        "rival": out.rival,
        "cost": out.cost,
        "n_sv": out.n_sv,
    }
    width = problem.d - (
        constant_of(params) > 0.0 and params["kernel"] in (None, kernels.linear())
    )  # without the constant
    record = Record(
        order,
        out.margin,
        changes,
        lines(params).ran(count, add=some, away=some, project=out.pull < 1.0),
        spoken(loss, hit, lead, out.pull),
        out.kernel_evals,
        matrix.features_read(problem.X, order),
        own,
        Made(problem.X[:0, :width], np.empty((0, 2), np.int64)),
    )
    return record, model


FIRST = {"project": 1.0, "worst": 0, "rival": 0, "cost": 0.0, "n_sv": 0}


def work(n, d, params) -> int:
    """Scores of a step, and what the curves cost: those of all points are brought up to date for
    every change.
    """
    return params["k"] * (n * kernels.COST if params["kernel"] else d) + params["k"] * 4 * n


def optimum(problem, params):
    return several.optimum(
        problem, params["lam"], params["kernel"], loss_of(params), params["costs"]
    )


def bound(trace):
    segment = trace.segments[0]
    return bounds.several(trace, resting(trace.problem, segment.params, segment.active))


CLASSES = Solver(
    key="classes",
    title="Pegasos for several classes",
    paper="Shalev-Shwartz, Singer, Srebro, Cotter 2011",
    params=(
        Param(
            "lam",
            "λ",
            0.05,
            1e-6,
            10.0,
            "Weight of the regulariser, of all rows of w together.",
            log=True,
            title="regularisation",
        ),
        Param(
            "kernel",
            "K",
            None,
            help="Without a kernel there is a vector for each class; with one, sums over examples.",
            title="kernel",
        ),
        Param(
            "loss",
            "",
            NAMES[HINGE],
            options=(NAMES[HINGE], NAMES[LOGISTIC]),
            title="loss",
            help=(
                "Hinge: the true class must lead each other by what that mistake costs (Example 3)."
                " Logistic: log-loss of probabilities (Example 4)."
            ),
        ),
        Param(
            "costs",
            "δ",
            "",
            title="costs",
            text=contest.checked,
            help=contest.FORM + ".",
            tacit=True,
            when=lambda params: params["loss"] == NAMES[HINGE],
        ),
        *of_bias(),
        Param("k", "k", 1, 1, 5000, "Examples per step.", log=True, title="mini-batch"),
        Param(
            "project",
            "",
            False,
            help="Pull w back onto the ball that the best one lies in after each step.",
            title="project onto the ball",
        ),
        Param(
            "sampling",
            "",
            sampling.SCHEMES[0],
            options=sampling.SCHEMES,
            title="sampling",
            help="How examples are drawn.",
        ),
    ),
    algorithm=Algorithm(
        run=run,
        work=work,
        suits=lambda problem, params: costs_of(params, problem.classes),
        start=lambda problem, params, active: FIRST,
        record="scores",
    ),
    story=Story(
        figure=figure, lines=lines, why=WHY, values=values, questions=QUESTIONS, symbols=SYMBOLS
    ),
    goal=Goal(costs=costs_of, optimum=optimum, bound=bound),
    space=Space(multiclass=True, every_class=True),
    # three regions, and a point of one that another class has taken: one row comes, one goes
    uses=Uses(opening="data=ring&n=120&noise=0.6&data_seed=0&lam=0.05&seed=1&T=200&t=28&beat=add"),
)
