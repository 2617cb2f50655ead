"""Pegasos: stochastic sub-gradient descent on  P(w) = λ/2 |w|² + 1/n Σ loss(y_i <w, x_i>),  by
default the hinge.

Shalev-Shwartz, Singer, Srebro, Cotter: "Pegasos: primal estimated sub-gradient solver for SVM",
Mathematical Programming 127 (2011): Fig. 1 (basic), Fig. 2 (mini-batches of k), Fig. 3
(kernelised), Section 2.4 (sparse).

Names are the paper's: lam, eta = 1/(lam t), k, A_t (`batch`). The weights are kept as w = a v
(Section 2.4), so that shrinking costs one multiplication. Without a kernel v lives in R^d; with
one, v holds the coefficients of w = a Σ v_j phi(x_j). Fig. 3 as printed sums y_{i_t} instead of y_j
and scales by 1/(λt) instead of 1/(λ(t-1)); the form here has the iterates of Fig. 1, as the paper's
text says it should. Another loss (`losses`) adds an example by as much as it falls with the margin,
-η loss'(m) y x, where the hinge adds η y x or nothing.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.maths.kernels import grams
from svmviz.maths.losses import HINGE, Loss, in_ball, lever, loss_of, slope, standing
from svmviz.maths.machine.jit import bare, jit
from svmviz.record.changes import each
from svmviz.record.outcome import Record, columns
from svmviz.record.sentences import Lines
from svmviz.solvers.pegasos.story import WHY, lines
from svmviz.theory import reference


class Weights(NamedTuple):
    """w = a v, with |w|² kept where the projection needs it."""

    v: np.ndarray  # (d,) or, with a kernel, (n,)
    state: np.ndarray  # (2,) a and |w|²


class Setting(NamedTuple):
    """What the steps of a stretch minimise, and over which examples."""

    rows: Any
    y: np.ndarray
    lam: float
    loss: Loss
    radius: float  # of the ball that w stays in, if it is projected
    project: bool
    kernelised: bool
    kernel: Any
    diagonal: np.ndarray  # (n,) K(x, x), where it is projected


class Path(NamedTuple):
    """What the steps of a stretch looked at, and did."""

    margin: np.ndarray  # (T, k)
    delta: np.ndarray  # (T, k)
    pull: np.ndarray  # (T,) factor of the projection
    kernel_evals: np.ndarray  # (T,)

    @property
    def pays(self) -> np.ndarray:
        return (self.delta != 0.0).any(axis=1)

    def record(self, problem, order, t, listed: Lines, why) -> Record:
        factor = (1.0 - 1.0 / np.arange(t + 1, t + len(order) + 1)) * self.pull
        return Record(
            order,
            self.margin,
            each(factor, order, self.delta),
            listed.ran(len(order), add=self.pays, project=self.pull < 1.0),
            why,
            self.kernel_evals,
            matrix.features_read(problem.X, order),
            {"project": self.pull},
        )


def empty(shape: tuple[int, int]) -> Path:
    """Return room for the steps of an order of this shape."""
    wide = {"margin": np.empty(shape), "delta": np.empty(shape)}
    return columns(Path, shape[0], whole=("kernel_evals",), **wide)


@bare
def respond(w, at, i):
    """<w, phi(x_i)> and the kernel evaluations it took"""
    if not at.kernelised:
        return w.state[0] * matrix.dot(at.rows, i, w.v), 0
    total, evaluations = kernels.expansion(at.kernel, at.rows, w.v, i)
    return w.state[0] * total, evaluations


@bare
def scale(w, factor):
    """w ← factor w; a must stay divisible, so a factor of 0 (the first step) or thousands of
    projections go into v
    """
    w.state[0] *= factor
    w.state[1] *= factor * factor
    if w.state[0] < 1e-100:
        for j in range(w.v.size):
            w.v[j] *= w.state[0]
        w.state[0] = 1.0


@bare
def add(w, at, i, c):
    """w ← w + c phi(x_i)"""
    if at.kernelised:
        w.v[i] += c / w.state[0]
    else:
        matrix.axpy(at.rows, i, c / w.state[0], w.v)


@bare
def track_norm(w, at, batch, response, delta, e):
    """|w + c phi(x_i)|² = |w|² + 2 c <w, phi(x_i)> + c² K_ii, where w already holds the examples
    before e of the batch; returns the kernel evaluations that these cross terms took.
    """
    inner, evaluations = response[e], 0
    for earlier in range(e):
        if delta[earlier] != 0.0:
            inner += delta[earlier] * kernels.k(
                at.kernel, at.rows, batch[earlier], at.rows, batch[e]
            )
            evaluations += 1
    w.state[1] += 2.0 * delta[e] * inner + delta[e] ** 2 * at.diagonal[batch[e]]
    return evaluations


@bare
def step(at, w, batch, t, response, margin, delta):
    """One iteration t on the examples `batch`: measure, shrink, add, project.

    Leaves the margins under w_t and the coefficients added to w in `margin` and `delta`; returns
    the factor of the projection and the kernel evaluations.
    """
    k, cost = batch.size, 0
    eta, shrink = 1.0 / (at.lam * t), 1.0 - 1.0 / t
    for e in range(k):
        response[e], evaluations = respond(w, at, batch[e])
        margin[e] = standing(at.loss, at.y[batch[e]], response[e])
        cost += evaluations
    scale(w, shrink)
    for e in range(k):
        response[e] *= shrink
        down = slope(at.loss, margin[e])
        delta[e] = -(eta / k * lever(at.loss, at.y[batch[e]]) * down) if down != 0.0 else 0.0
        if delta[e] != 0.0:
            add(w, at, batch[e], delta[e])
            if at.project:
                evaluations = track_norm(w, at, batch, response, delta, e)
                cost += evaluations if at.kernelised else 0
    pull = 1.0
    if at.project and w.state[1] > at.radius * at.radius:
        pull = at.radius / math.sqrt(w.state[1])
        scale(w, pull)
        w.state[1] = at.radius * at.radius
        for e in range(k):
            delta[e] *= pull
    return pull, cost


@jit
def steps(at, w, order, start, out):
    """All iterations, each written into its row of the columns"""
    response, margin, delta = np.empty(order.shape[1]), out.margin, out.delta
    pull, kernel_evals = out.pull, out.kernel_evals  # read once: reading counts references
    for s in range(order.shape[0]):
        pull[s], kernel_evals[s] = step(
            at, w, order[s], start + s + 1, response, margin[s], delta[s]
        )


def walk(problem, params, loss, radius, order, start) -> Path:
    """Steps t + 1, t + 2, ... from where the segment begins; w stays in the ball of this radius, if
    it is projected.
    """
    kernelised, coef, out = params["kernel"] is not None, start.coef, empty(order.shape)
    rows, kernel = grams.read(
        params["kernel"] or kernels.linear(), problem.X, worth=2 * len(order) >= problem.n
    )
    v = coef.copy() if kernelised else matrix.combined(rows, coef)
    norm2, diagonal, project = 0.0, np.empty(0), in_ball(params)
    if project:  # the only one to ask for them
        norm2 = (
            kernels.squared_norm(params["kernel"], problem.X, coef)
            if kernelised
            else matrix.inner(v, v)
        )
        diagonal = kernels.diagonal(kernel, rows)
    lam, y = params["lam"], problem.y
    at = Setting(rows, y, lam, loss, radius, project, kernelised, kernel, diagonal)
    steps(at, Weights(v, np.array([1.0, norm2])), order, start.t, out)
    return out


def run(problem, params, order, start, active) -> tuple[Record, None]:
    loss = loss_of(params)
    path = walk(problem, params, loss, 1.0 / math.sqrt(params["lam"]), order, start)
    k, pulled = order.shape[1], WHY.pulled if loss.kind == HINGE else WHY.falls_pulled
    if k == 1:
        paid = (
            np.where(path.margin[:, 0] < 0.0, WHY.wrong, WHY.inside)
            if loss.kind == HINGE
            else WHY.falls
        )
        why = np.where(path.pays, paid, WHY.free)
    else:
        why = np.where(
            path.pays, WHY.some_pay if loss.kind == HINGE else WHY.all_fall, WHY.all_free
        )
    why |= np.where(path.pull < 1.0, pulled, 0)
    return path.record(problem, order, start.t, lines(params), why), None


def work(n, d, params) -> int:
    return params["k"] * (n * kernels.COST if params["kernel"] else d)


def optimum(problem, params):
    return reference.optimum(problem, params["lam"], params["kernel"], loss=loss_of(params))
