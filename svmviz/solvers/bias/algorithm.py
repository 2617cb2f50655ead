"""Pegasos with a bias that costs nothing (Section 6): stochastic sub-gradient descent on

    P(w, b) = λ/2 |w|² + 1/n Σ max(0, 1 - y_i (<w, phi(x_i)> + b)),

which is not strongly convex in b. Shalev-Shwartz, Singer, Srebro, Cotter: "Pegasos", Mathematical
Programming 127 (2011). Its first method, a constant feature, solves another problem, in which b is
regularised: Pegasos itself has it. Here are the others.

* *own step*: b goes along its sub-gradient, too. It is not shrunk, and its steps are 1/√t long:
  those of w, 1/(λt), would begin with 1/λ. Then P falls like 1/√t only.
* *best for the batch*: for given responses r_i of a mini-batch the best b lies between the n₊-th
  and the next of the sorted y_i - r_i, n₊ of which are positive examples: the middle of these. The
  sub-gradient of what is then left in w needs Σ a_i y_i = 0; where an example has a margin of
  exactly 1, it pays in part. A batch of one class teaches nothing.
* *outer search*: J(b) = min over w of P(w, b) is convex. A round of steps for a fixed b ends with w
  = Σ coef_i phi(x_i), and -λ Σ coef_i is the slope of J there: its sign halves the interval that b*
  lies in. |w*| is at most 1/√λ, and so |b*| at most 1 + R/√λ. (25) in print lacks λ/2 |w|².
"""

import math
from typing import NamedTuple

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.maths.kernels.lengths import largest
from svmviz.maths.kernels.weights import add, expansion, respond, scale
from svmviz.maths.machine.jit import bare, jit
from svmviz.record.changes import each
from svmviz.record.outcome import Record, columns
from svmviz.solvers.bias.story import BATCH, METHODS, WHY, lines

NOW, SUM, LOW, HIGH, LOCAL, TOTAL = range(
    6
)  # of the state: b, Σ coef, the interval, the step of the round, Σ of all b


class Columns(NamedTuple):
    """What each step leaves behind."""

    margin: np.ndarray  # (T, k)
    delta: np.ndarray  # (T, k)
    factor: np.ndarray  # (T,)
    b: np.ndarray  # (T,) the b that belongs to w after the step
    b_average: np.ndarray
    low: np.ndarray
    high: np.ndarray
    local: np.ndarray  # (T,) step within its round; t where there are none
    alone: np.ndarray  # (T,) whether the batch has one class only
    kernel_evals: np.ndarray
    features: np.ndarray


@jit
def best(y, batch, response, ordered):
    """The middle of those b that cost the batch least; not a number where all are of one class"""
    k, positive = batch.size, 0
    for e in range(k):
        positive += y[batch[e]] > 0.0
        ordered[e] = y[batch[e]] - response[e]
    if positive == 0 or positive == k:
        return np.nan
    ordered.sort()
    return 0.5 * (ordered[positive - 1] + ordered[positive])


@bare
def balance(y, batch, margin, fall):
    """Let those whose margin is exactly 1 pay in part, so that Σ fall_i y_i = 0"""
    over, there = 0.0, 0
    for e in range(batch.size):
        over += y[batch[e]] * fall[e]
    sign = -1.0 if over > 0.0 else 1.0
    for e in range(batch.size):
        there += y[batch[e]] == sign and abs(margin[e] - 1.0) <= 1e-12
    for e in range(batch.size if there > 0 and over != 0.0 else 0):
        if y[batch[e]] == sign and abs(margin[e] - 1.0) <= 1e-12:
            fall[e] = min(1.0, abs(over) / there)


@jit
def steps(at, y, lam, method, length, order, start, state, out):
    """All iterations, each written into its row of the columns; the state is that before each of
    them
    """
    k = order.shape[1]
    response, fall, ordered = np.empty(k), np.empty(k), np.empty(k)
    for s in range(order.shape[0]):
        batch, t = order[s], start + s + 1
        local = float(t)
        if method == 2:
            if state[LOCAL] >= length:  # the round is over: -λ Σ coef is the slope of J at b
                state[LOW if state[SUM] > 0.0 else HIGH] = state[NOW]
                state[NOW], state[LOCAL], state[SUM] = 0.5 * (state[LOW] + state[HIGH]), 0.0, 0.0
                scale(at, 0.0)  # and the next begins with w = 0
            state[LOCAL] += 1.0
            local = state[LOCAL]
        for e in range(k):
            response[e], evaluations = respond(at, batch[e])
            out.kernel_evals[s] += evaluations
            out.features[s] += matrix.nonzeros(at.rows, batch[e])
        if method == 1:
            found = best(y, batch, response, ordered)
            out.alone[s] = found != found
            state[NOW] = found if found == found else state[NOW]
        for e in range(k):
            out.margin[s, e] = y[batch[e]] * (response[e] + state[NOW]) + 0.0
            fall[e] = 1.0 if out.margin[s, e] < 1.0 and not out.alone[s] else 0.0
        if method == 1:
            balance(y, batch, out.margin[s], fall)
        state[TOTAL] += state[NOW]  # the b of w before this step
        out.factor[s] = 1.0 - 1.0 / local
        scale(at, out.factor[s])
        raised, towards = 0.0, 0.0
        for e in range(k):
            out.delta[s, e] = y[batch[e]] * fall[e] / (lam * local * k) if fall[e] != 0.0 else 0.0
            add(at, batch[e], out.delta[s, e])
            raised += out.delta[s, e]
            towards += y[batch[e]] * fall[e] / k
        state[SUM] = out.factor[s] * state[SUM] + raised
        if method == 0:
            state[NOW] += towards / math.sqrt(t)
        out.b[s], out.b_average[s], out.local[s] = state[NOW], state[TOTAL] / t, local
        out.low[s], out.high[s] = state[LOW], state[HIGH]


def begin(problem, params, start) -> np.ndarray:
    """b = 0, in the middle of all that b* may be."""
    if start.state is not None:
        return start.state.copy()
    R = math.sqrt(largest(params["kernel"] or kernels.linear(), problem.X))
    most = 1.0 + R / math.sqrt(params["lam"])
    return np.array([0.0, 0.0, -most, most, 0.0, 0.0])


def run(problem, params, order, start, active) -> tuple[Record, np.ndarray]:
    """Steps t + 1, t + 2, ... from where the segment begins."""
    refuse(params)
    count, state = len(order), begin(problem, params, start)
    at, method = (
        expansion(problem.X, params["kernel"], start.coef.copy()),
        METHODS.index(params["method"]),
    )
    out = columns(
        Columns,
        count,
        whole=("kernel_evals", "features"),
        margin=np.empty(order.shape),
        delta=np.empty(order.shape),
        alone=np.zeros(count, np.bool_),
    )
    steps(at, problem.y, params["lam"], method, params["round"], order, start.t, state, out)
    pays, first = (out.delta != 0.0).any(axis=1), (out.local == 1.0) & (method == 2)
    why = np.where(first, WHY.round, 0) | np.where(
        out.alone, WHY.alone, np.where(pays, WHY.pays, WHY.free)
    )
    why |= np.where(out.alone | (method != 1), 0, WHY.best) | np.where(
        pays & (method == 0), WHY.moves, 0
    )
    moves = (pays, ~out.alone, first)[method]
    own = {name: getattr(out, name) for name in ("b", "b_average", "low", "high", "local")}
    return (
        Record(
            order,
            out.margin,
            each(out.factor, order, out.delta),
            lines(params).ran(count, add=pays, move=moves),
            why,
            out.kernel_evals,
            out.features,
            own,
        ),
        state,
    )


def work(n, d, params) -> int:
    return params["k"] * (n * kernels.COST if params["kernel"] else d)


def refuse(params) -> None:
    if params["method"] == BATCH and params["k"] < 2:
        raise ValueError(
            "the best b for a batch needs both classes in it, so that k must be at least 2, got"
            f" {params['k']}"
        )
