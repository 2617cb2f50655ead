"""The iterations of SIMBA, in units in which the longest row has length 1.

The state keeps u, the sum of all rows drawn, and not w = u / max(√(2T), |u|), and the sum of all w
so far as  reach u - lag, so that a step touches the entries of one row only; features are drawn
from a tree, examples from a deck. What it would cost to look at every margin is spent only where a
switch asks for it, or where the run is watched.
"""

import math
from typing import NamedTuple

import numpy as np

from svmviz.maths import matrix
from svmviz.maths.machine.elementary import exp, log
from svmviz.maths.machine.jit import jit
from svmviz.maths.water.shore import drawn_from, pour
from svmviz.record.outcome import columns
from svmviz.solvers.simba import dealing, single, tree
from svmviz.solvers.simba import weights as duals
from svmviz.solvers.simba.deck import GRID, Deck
from svmviz.solvers.simba.judge import judge, margins

MANY = 8  # one example in so many: with more changes all are sorted anew
EVEN = 1e-12  # p'y below this is a draw between the classes, and its sign 0
COIN, ROW_CHANCE, COLUMN_CHANCE, ROW, COLUMN = range(
    5
)  # what a step is given: chances, or the row and column to take


class Rule(NamedTuple):
    """How it is run."""

    volume: float  # n ν
    horizon: float  # the T of constant steps; 0 for decreasing ones
    bias: bool
    exact_p: bool  # p is the exact answer to w
    exact_margins: bool  # all of X w instead of one column
    clip: bool
    watched: bool  # levels are computed after every step


class State(NamedTuple):
    """All that the next step must know."""

    u: np.ndarray  # (d,)
    lag: np.ndarray  # (d,) Σ w so far = reach u - lag
    squares: np.ndarray  # sum-tree of u²
    number: np.ndarray  # (3,) reach = Σ of the factors w / u so far, the last of them, Σ b
    weights: Deck
    stretch: int  # of the run: examples come and go between two of them
    joined: np.ndarray  # (n,) the stretch in which it came
    row_seen: np.ndarray  # (n,)
    # (d,) the stretch in which it was read last, -1 before: those who joined later were not in it
    column_seen: np.ndarray
    cells: np.ndarray  # (1,) different entries read so far, of those who take part
    c: np.ndarray  # (n,) margins of w, where anything asks for them
    c_total: np.ndarray  # (n,) summed up


class Steps(NamedTuple):
    """What each step leaves behind; all (steps,), the last ones only where the run is watched."""

    row: np.ndarray  # that was drawn
    column: np.ndarray  # that was drawn, -1: none
    features: np.ndarray  # entries read
    p: np.ndarray  # the chance of the row
    share: np.ndarray  # the chance of the column
    eta: np.ndarray
    margin: np.ndarray  # of the row, before
    factor: np.ndarray  # of w, before ...
    delta: np.ndarray  # ... so much of the row is added
    b_step: np.ndarray  # b
    b_average: np.ndarray
    wet: np.ndarray  # how many are under water, where p is exact
    clipped: np.ndarray  # estimates beyond 1/η
    cells: np.ndarray  # different entries read so far
    level: np.ndarray  # f(w), and ...
    b: np.ndarray  # ... the b that goes with it
    level_average: np.ndarray  # f(w̄)
    value_average: np.ndarray  # what w̄, ξ̄ and b̄ are worth together
    lowest: np.ndarray  # margin under w
    highest: np.ndarray


def empty(count: int) -> Steps:
    """Room for so many steps."""
    return columns(Steps, count, whole=("row", "column", "features"))


@jit
def read_row(rows, i, state):
    """Row i is read: entries that had not been read before are counted"""
    if state.row_seen[i]:
        return
    state.row_seen[i] = True
    if matrix.is_dense(rows):
        for j in range(state.column_seen.size):
            state.cells[0] += state.column_seen[j] < state.joined[i]
    else:
        for e in range(rows.indptr[i], rows.indptr[i + 1]):
            state.cells[0] += state.column_seen[rows.indices[e]] < state.joined[i]


@jit
def read_column(columns, j, state):
    """Column j is read, likewise"""
    before = state.column_seen[j]
    if before == state.stretch:
        return
    state.column_seen[j] = state.stretch
    if matrix.is_dense(columns):
        for i in range(state.joined.size):
            state.cells[0] += not state.row_seen[i] and before < state.joined[i]
    else:
        for e in range(columns.indptr[j], columns.indptr[j + 1]):
            i = columns.indices[e]
            state.cells[0] += not state.row_seen[i] and before < state.joined[i]


@jit
def push(rows, i, c, state):
    """u ← u + c x_i; returns |u|²"""
    u, lag, squares, reach = state.u, state.lag, state.squares, state.number[0]
    if matrix.is_dense(rows):
        m = squares.size // 2
        for j in range(u.size):
            u[j] += c * rows.X[i, j]
            lag[j] += reach * (c * rows.X[i, j])
            squares[m + j] = u[j] * u[j]
        tree.grow(squares)
    else:
        for e in range(rows.indptr[i], rows.indptr[i + 1]):
            j = rows.indices[e]
            u[j] += c * rows.data[e]
            lag[j] += reach * (c * rows.data[e])
            tree.put(squares, j, u[j] * u[j])
    return squares[1]


@jit
def estimated(columns, j, gain, y, inv, rule, c, first, changed, estimate):
    """Examples with an estimate: all where X w is exact, else those with an entry in column j; and
    `first`, whose slack is its own. Returns how many there are
    """
    count, dense, pending = 0, matrix.is_dense(columns), first
    if rule.exact_margins:
        for i in range(y.size):
            changed[i], estimate[i] = i, c[i]
        return y.size
    if j >= 0:
        for e in range(
            0 if dense else columns.indptr[j], y.size if dense else columns.indptr[j + 1]
        ):
            i, x = (e, columns.X[j, e]) if dense else (columns.indices[e], columns.data[e])
            if x != 0.0:
                changed[count], estimate[count] = i, y[i] * x * inv * gain
                count, pending = count + 1, -1 if i == pending else pending
    if pending >= 0:
        changed[count], estimate[count] = pending, 0.0
        count += 1
    return count


@jit
def update(cards, y, b, eta, rule, first, rest, common, count, changed, estimate, by):
    """q ← q (1 - η v + η² v²) with v = estimate + ξ + y b; `first` has the rest of the slack.
    Leaves η v in the place of the estimates, and returns how many v were beyond 1/η
    """
    clipped = 0
    for g in range(4):
        label = 0.0 if not rule.bias else 1.0 if g % 2 else -1.0
        common[g] = duals.factor(
            eta * ((duals.SLACK_PER_POINT if g > 1 else 0.0) + label * b), rule.clip
        )
    for e in range(count):
        i = changed[e]
        g = single.group_of(cards, i)
        xi = rest if i == first else duals.SLACK_PER_POINT if g > 1 else 0.0
        estimate[e] = eta * (estimate[e] + xi + y[i] * b)
        clipped += abs(estimate[e]) > 1.0
        by[e] = common[g]
    duals.factors(estimate, rule.clip, count, by)
    if first >= 0:
        single.soak(cards, first, rest)
    if MANY * count < y.size:
        duals.sink(cards, common)
        for e in range(count):
            single.shift(cards, changed[e], by[e])
    else:
        duals.anew(cards, common, changed[:count], by)
    return clipped


@jit
def observe(rule, state, y, t, scratch, shifted, mean, s, out):
    """f(w), f(w̄), and what the averages w̄, ξ̄ and b̄ are worth together"""
    had, lowest, highest, value = state.weights.had, np.inf, -np.inf, np.inf
    dealing.gather(state.weights)
    for i in range(y.size):
        state.c_total[i] += state.c[i]
        mean[i] = state.c_total[i] / t
        lowest, highest = min(lowest, state.c[i]), max(highest, state.c[i])
        value = min(value, mean[i] + (had[i] + y[i] * state.number[2]) / t)
    out.lowest[s], out.highest[s], out.value_average[s] = lowest, highest, value
    out.level[s], out.b[s] = judge(state.c, y, rule.volume, rule.bias, scratch, shifted)
    out.level_average[s], _ = judge(mean, y, rule.volume, rule.bias, scratch, shifted)


@jit
def steps(rows, columns, y, inv, entries, rule, state, given, start, out):
    """All iterations; `inv` is one over the length of the longest row, `columns` the transpose of
    `rows`
    """
    n, weights, number = y.size, state.weights, state.number
    mass, common, at = np.zeros(2), np.zeros(4, np.int64), np.zeros(4, np.int64)
    changed, by = np.empty(n + 1, np.int64), np.empty(n + 1, np.int64)
    scratch, shifted, mean, estimate = np.empty(n), np.empty(n), np.empty(n), np.empty(n + 1)
    full, rest = duals.split(rule.volume, n)
    gamma, shift, k, top_plus, top_minus = pour(state.c, y, rule.volume, rule.bias, scratch)
    first = duals.pour(weights, full, rest, at)
    for s in range(given.shape[0]):
        t, own = start + s + 1, given[s]
        T = rule.horizon if rule.horizon > 0.0 else float(t)
        eta = math.sqrt(log(float(n)) / T)
        log_z = duals.shares(weights, mass)
        if own[ROW] >= 0.0:
            i = int(own[ROW])
        elif rule.exact_p:
            i = drawn_from(
                state.c, y, rule.bias, k, top_plus, top_minus, own[COIN], own[ROW_CHANCE]
            )
        else:
            i = duals.draw(weights, mass, own[ROW_CHANCE])
        if rule.exact_p:
            top, b = top_plus if y[i] > 0 else top_minus, shift
            out.p[s], out.wet[s] = (
                ((0.5 / k if rule.bias else 1.0 / k) if state.c[i] <= top else 0.0),
                k,
            )
        else:
            balance = (mass[1] - mass[0]) / (mass[1] + mass[0])
            b = 0.0 if not rule.bias or abs(balance) < EVEN else 1.0 if balance > 0 else -1.0
            out.p[s], out.wet[s] = exp((single.log_weight(weights, i) - log_z) / GRID), 0
        out.margin[s] = y[i] * number[1] * matrix.dot(rows, i, state.u)
        read_row(rows, i, state)
        norm2, old = push(rows, i, y[i] * inv, state), number[1]
        number[1] = 1.0 / max(math.sqrt(2.0 * T), math.sqrt(norm2))
        number[0] += number[1]
        number[2] += b
        out.row[s], out.eta[s], out.factor[s], out.delta[s] = (
            i,
            eta,
            number[1] / old,
            number[1] * y[i] * inv,
        )
        out.b_step[s], out.b_average[s] = b, number[2] / t

        j, out.features[s] = -1, matrix.nonzeros(rows, i)
        if rule.exact_p or rule.exact_margins or rule.watched:
            margins(rows, y, state.u, number[1] * inv, state.c)
        if rule.exact_p or rule.exact_margins:
            out.features[s] += entries
            state.cells[0] = entries
            state.column_seen[:] = state.stretch
        elif norm2 > 0.0:
            j = (
                int(own[COLUMN])
                if own[COLUMN] >= 0.0
                else tree.find(state.squares, own[COLUMN_CHANCE])
            )
            out.share[s] = state.u[j] ** 2 / norm2
            out.features[s] += matrix.nonzeros(columns, j)
            read_column(columns, j, state)
        out.column[s], out.cells[s] = j, state.cells[0]
        if rule.exact_p:
            for e in range(n):
                single.soak(weights, e, max(0.0, gamma - state.c[e] - y[e] * b))
            gamma, shift, k, top_plus, top_minus = pour(state.c, y, rule.volume, rule.bias, scratch)
        else:
            gain = number[1] * norm2 / state.u[j] if j >= 0 and state.u[j] != 0.0 else 0.0
            count = estimated(
                columns,
                j if gain != 0.0 else -1,
                gain,
                y,
                inv,
                rule,
                state.c,
                first,
                changed,
                estimate,
            )
            out.clipped[s] = update(
                weights, y, b, eta, rule, first, rest, common, count, changed, estimate, by
            )
        if rule.watched:
            observe(rule, state, y, t, scratch, shifted, mean, s, out)
        if not rule.exact_p:
            first = duals.pour(weights, full, rest, at)
