"""CHW: SIMBA's problem by the framework that SIMBA was made from, a gradient step for the slack as
well as for w.

Clarkson, Hazan, Woodruff: "Sublinear optimization for machine learning", FOCS 2010; applied to z =
(w, ξ) as Section 3 of the SIMBA paper says before it does otherwise. Without slack this is the
algorithm of 2010, for separable data, and so is SIMBA.

A step draws i from p. The gradient of y_i <w, x_i> + ξ_i is y_i x_i in w and 1 in ξ_i, and both are
projected lazily: w = u / max(√(2t), |u|), and ξ is the point of its set next to D k / √(2t), with
k_i how often i was drawn and D = √(2 n ν) the radius of that set. The paper calls this naïve and
says no more: that w and ξ have steps of their own, each as its own regret asks for, is our reading,
and favours CHW. Column, estimates, clipping and weights are SIMBA's.
"""

import math
from typing import NamedTuple

import numpy as np

from svmviz.maths import matrix
from svmviz.maths.machine.elementary import log
from svmviz.maths.machine.jit import jit
from svmviz.record.changes import each
from svmviz.record.outcome import Record, columns
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Algorithm, Solver, Story, Uses
from svmviz.record.symbols import Symbol
from svmviz.solvers.saddle import (
    GOAL,
    PARAMS,
    SYMBOLS,
    begin,
    chosen,
    entered,
    in_units,
    joined,
    nearest,
    shares,
    signed,
    volume,
    with_those,
)
from svmviz.solvers.simba.judge import judge
from svmviz.solvers.simba.loop import COLUMN, COLUMN_CHANCE, ROW, ROW_CHANCE
from svmviz.solvers.simba.solver import draw
from svmviz.solvers.simba.start import twins

OWN = (
    "p",
    "granted",
    "level_average",
    "level",
    "value_average",
    "eta",
    "column",
    "share",
    "lowered",
)
LENGTHS = {
    "granted",
    "level_average",
    "level",
    "value_average",
    "lowered",
}  # in the units of the data
MOVES = (
    "Row {i} ({label}), drawn with chance *{p:.3f}*, moves w and gets slack; column {column:g}"
    " judges all. "
)
CHANCE = "p[i] = *{p:.4f}*: u ← u + y x, k[i] ← k[i] + 1; η = √(ln {n}/{t}) = {eta:.3f}. "
WHY = Sentences(
    start=Sentence(
        "Nothing has been read yet: w = 0, no slack is granted, and each of the {n} rows has the"
        " same chance.",
        "Nothing read yet.",
        "w = 0, ξ = 0, and p[i] = 1/n = 1/{n} for every i.",
    ),
    grows=Sentence(
        MOVES + "So far {granted:.3g} is granted in all.",
        "Row {i} moves w and gets slack.",
        CHANCE + "Σ ξ = {granted:.3g} ≤ νn.",
    ),
    full=Sentence(
        MOVES + "All slack is granted: who has some gives up to {lowered:.3g} back.",
        "Row {i} moves w; others give slack back.",
        CHANCE + "Σ ξ = νn: ξ ← D k/√(2t) − {lowered:.3g}, clipped.",
    ),
)


def lines(params) -> Lines:
    return Lines(
        draw=Line("draw row i with chance p[i]", "i = {i}, p = {p:.3f}", "draw"),
        move=Line("u ← u + y[i] x[i], w ← u/max(√(2t), ‖u‖)", "‖w‖ = {norm:.2f}", "move"),
        pour=Line("k[i] ← k[i] + 1, ξ ← nearest to D k/√(2t)", "Σ ξ = {granted:.3g}", "pour"),
        column=Line(
            "draw column j with chance w[j]²/‖w‖²", "j = {column:g}, {share:.2g}", "column"
        ),
        estimate=Line("v ← y x[:, j] ‖w‖²/w[j] + ξ, within ±1/η", "1/η = 1/{eta:.3f}", "estimate"),
        reweigh=Line("q ← q (1 − η v + η² v²), p ← q/Σ q", "η = {eta:.3f}", "reweigh"),
        average=Line(
            "w̄ ← average of w(1) … w(t), ξ̄ likewise", "worth {value_average:.3f}", "average"
        ),
    )


class Columns(NamedTuple):
    """What each step leaves behind; all (steps,), lengths in units of the longest row."""

    row: np.ndarray  # that was drawn
    margin: np.ndarray  # of the row, before
    factor: np.ndarray  # of w, before ...
    delta: np.ndarray  # ... so much of the row is added
    features: np.ndarray  # entries read
    p: np.ndarray  # the chance of the row
    granted: np.ndarray  # Σ ξ
    level_average: np.ndarray
    level: np.ndarray
    value_average: np.ndarray  # what w̄ and ξ̄ are worth together
    eta: np.ndarray
    column: np.ndarray  # that was drawn, from 1, 0: none
    share: np.ndarray  # the chance of the column
    lowered: np.ndarray  # how much slack each row gave back at most


class State(NamedTuple):
    """What the next step must know, in units of the longest row."""

    w: np.ndarray  # (2, d) u, and the sum of all w so far
    scale: np.ndarray  # (1,) w / u
    rows: np.ndarray  # (3, n) log q, k and the sum of ξ of every row; NaN before it takes part


@jit
def steps(rows, by_column, volume, state, total, given, start, out):
    """All iterations on rows with their labels in them; `total` are the margins of all w so far,
    summed up
    """
    n, u, w_total, scale = total.size, state.w[0], state.w[1], state.scale
    log_q, k, xi_total = state.rows[0], state.rows[1], state.rows[2]
    squares, c, xi, p, v = np.zeros(u.size), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    mean, scratch, shifted = np.zeros(n), np.zeros(n), np.zeros(n)
    for s in range(given.shape[0]):
        t = start + s + 1.0
        root, eta, mass, size, value = (
            math.sqrt(2.0 * t),
            math.sqrt(log(float(n)) / t),
            shares(log_q, p),
            0.0,
            np.inf,
        )
        i = int(given[s, ROW]) if given[s, ROW] >= 0.0 else chosen(p, mass, given[s, ROW_CHANCE])
        before, old = scale[0] * matrix.dot(rows, i, u), scale[0]
        matrix.axpy(rows, i, 1.0, u)
        k[i] += 1.0
        for j in range(u.size):
            squares[j] = u[j] * u[j]
            size += squares[j]
        scale[0] = 1.0 / max(root, math.sqrt(size))
        lowered, granted = nearest(k, math.sqrt(2.0 * volume) / root, volume, xi)
        j = (
            int(given[s, COLUMN])
            if given[s, COLUMN] >= 0.0
            else chosen(squares, size, given[s, COLUMN_CHANCE])
        )
        v[:], there = xi, squares[j] > 0.0
        if there:
            matrix.axpy(by_column, j, scale[0] * size / u[j], v)
        matrix.dots(rows, u, c)
        for e in range(n):
            z = min(max(eta * v[e], -1.0), 1.0)
            log_q[e] += log(1.0 + z * (z - 1.0))
            c[e] *= scale[0]
            total[e], xi_total[e] = total[e] + c[e], xi_total[e] + xi[e]
            mean[e] = total[e] / t
            value = min(value, mean[e] + xi_total[e] / t)
        for e in range(u.size):
            w_total[e] += scale[0] * u[e]
        out.row[s], out.margin[s], out.p[s] = i, before, p[i] / mass
        out.factor[s], out.delta[s] = scale[0] / old, scale[0]
        out.features[s] = matrix.nonzeros(rows, i) + (matrix.nonzeros(by_column, j) if there else 0)
        out.column[s], out.share[s] = (j + 1.0, squares[j] / size) if there else (0.0, 0.0)
        out.granted[s], out.lowered[s], out.eta[s] = granted, lowered, eta
        out.level_average[s] = judge(mean, mean, volume, False, scratch, shifted)[0]
        out.level[s] = judge(c, c, volume, False, scratch, shifted)[0]
        out.value_average[s] = value


def run(problem, params, given, start, active) -> tuple[Record, State]:
    """Steps t + 1, t + 2, ... from where the segment begins; `given` as for SIMBA."""
    (X, R), given, place = signed(problem, active), given.copy(), np.full(problem.n, -1)
    known = start.state or State(
        np.zeros((2, problem.d)), np.ones(1), np.full((3, problem.n), np.nan)
    )
    place[active] = np.arange(active.size)
    given[:, ROW] = np.where(given[:, ROW] < 0, -1, place[given[:, ROW].astype(int)])
    state = State(known.w.copy(), known.scale.copy(), joined(known.rows, active, np.max))
    out = columns(Columns, len(given), whole=("row", "features"))
    steps(
        *twins(X),
        volume(active.size, params["nu"], R),
        state,
        matrix.product(X, state.w[1]),
        given,
        start.t,
        out,
    )
    drawn, own, count = active[out.row][:, None], in_units(OWN, LENGTHS, R, out), len(given)
    record = Record(
        drawn,
        R * out.margin[:, None],
        each(out.factor, drawn, (out.delta * problem.y[drawn[:, 0]] / R)[:, None]),
        lines(params).ran(count),
        np.where(own["lowered"] > 0, WHY.full, WHY.grows),
        np.zeros(count, np.int64),
        out.features,
        own,
    )
    return record, state._replace(rows=with_those(known.rows, active, state.rows))


CHW = Solver(
    key="chw",
    title="CHW",
    paper="Clarkson, Hazan, Woodruff 2010",
    params=PARAMS,
    algorithm=Algorithm(
        run=run,
        work=lambda n, d, params: n * (d + 60),
        draw=draw,
        start=begin(OWN),
        entered=entered,
        takes=("order", "columns"),
    ),
    story=Story(
        figure=lambda params: "SIMBA paper, Section 3",
        lines=lines,
        why=WHY,
        symbols=(
            *SYMBOLS,
            Symbol("j", "column", "feature that judges all rows; 0: none", "{column:g}"),
            Symbol(
                "p", "chances", "how likely each row is drawn next", "{p:.3f} of row {i}", "drawn"
            ),
            Symbol("u", "sum of rows", "all rows drawn so far, with their labels"),
            Symbol("k", "draws", "how often each row was drawn"),
            Symbol("ξ", "slack", "granted to each row, at most 2R", "{granted:.3g} in all"),
            Symbol("D", "radius", "length of the longest ξ: √(2νn)"),
            Symbol("v", "estimates", "margin of each row, from one column, and its slack"),
        ),
    ),
    goal=GOAL,
    # the slack is all out, and to give to one row is to take from the others
    uses=Uses(opening="data=moons&n=60&noise=0.1&nu=0.05&seed=1&T=200&t=40&beat=pour"),
)
