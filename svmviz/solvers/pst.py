"""PST: SIMBA's problem as a game in which w and ξ are each time the exact answer to the weights p
of the rows, without chance.

Plotkin, Shmoys, Tardos: "Fast approximation algorithms for fractional packing and covering
problems", FOCS 1991; the second framework in Section 3 of the SIMBA paper. With s_i the sum of all
y_i <w, x_i> + ξ_i so far,

    p_i ∝ e^(-η s_i),    w = X'(p ∘ y) / |X'(p ∘ y)|,    ξ = 2 R on the largest p until n ν is
    spent,    η = √(ln n / t).

Margins are exact, so that nothing is clipped, and with weights that are exponentials of sums η may
shrink as it does for SIMBA. A step reads the table twice, for X'p and for X w, which is what SIMBA
is there to avoid. No w exceeds |X'(p ∘ y)| + Σ p ξ.
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
    entered,
    in_units,
    joined,
    shares,
    signed,
    volume,
    with_those,
)
from svmviz.solvers.simba.judge import judge
from svmviz.solvers.simba.weights import SLACK_PER_POINT, split

OWN = ("upper", "p", "level_average", "level", "value_average", "eta", "pull", "slack")
LENGTHS = {
    "upper",
    "level_average",
    "level",
    "value_average",
    "pull",
    "slack",
}  # in the units of the data
WHY = Sentences(
    start=Sentence(
        "Nothing has been read yet: w = 0, and each of the {n} rows weighs the same.",
        "Nothing read yet.",
        "w = 0, and p[i] = 1/n = 1/{n} for every i.",
    ),
    answers=Sentence(
        "w is the best answer to p, in which row {i} ({label}) weighs most, *{p:.3f}*: no w has"
        " more than {upper:.3f}. The whole table was read twice.",
        "w answers p exactly.",
        "‖X′(p ∘ y)‖ + Σ p ξ = {pull:.3f} + {slack:.3f} = {upper:.3f} ≥ γ*; max p = *{p:.4f}*, "
        "η = √(ln {n}/{t}) = {eta:.3f}.",
    ),
)


def lines(params) -> Lines:
    return Lines(
        move=Line("w ← X′(p ∘ y), made as long as 1", "‖X′(p ∘ y)‖ = {pull:.3f}", "move"),
        pour=Line("ξ ← slack νn on the largest p", "Σ p ξ = {slack:.3f}", "pour"),
        column=Line("s ← s + y ∘ X w + ξ, all of it", "γ(w) = {level:.3f}", "column"),
        reweigh=Line("q ← exp(−η s), p ← q/Σ q", "η = {eta:.3f}, max p = {p:.3f}", "reweigh"),
        average=Line(
            "w̄ ← average of w(1) … w(t), ξ̄ likewise", "worth {value_average:.3f}", "average"
        ),
    )


class Columns(NamedTuple):
    """What each step leaves behind, lengths in units of the longest row."""

    heaviest: np.ndarray  # (steps,) row
    margin: np.ndarray  # (steps, n) of every row, before
    coef: np.ndarray  # (steps, n)
    upper: np.ndarray  # (steps,) no w has a higher level
    p: np.ndarray  # (steps,) weight of the heaviest row
    level_average: np.ndarray
    level: np.ndarray
    value_average: np.ndarray  # what w̄ and ξ̄ are worth together
    eta: np.ndarray
    pull: np.ndarray  # |X'(p ∘ y)|
    slack: np.ndarray  # Σ p ξ


class State(NamedTuple):
    """What the next step must know, in units of the longest row."""

    w_total: np.ndarray  # (d,) the sum of all w so far
    rows: np.ndarray  # (2, n) s, and the sum of ξ, of every row; NaN before it takes part


@jit
def steps(rows, volume, state, c, total, start, out):
    """All iterations on rows with their labels in them; c are the margins of w, `total` those of
    all so far, summed up
    """
    n, w_total, s_total, xi_total = total.size, state.w_total, state.rows[0], state.rows[1]
    w, (full, rest) = np.zeros(w_total.size), split(volume, n)
    xi, p, log_q = np.zeros(n), np.zeros(n), np.zeros(n)
    mean, scratch, shifted = np.zeros(n), np.zeros(n), np.zeros(n)
    for s in range(out.heaviest.size):
        t = start + s + 1.0
        eta, slack, value = math.sqrt(log(float(n)) / t), 0.0, np.inf
        for i in range(n):
            log_q[i] = -eta * s_total[i]
            out.margin[s, i] = c[i]
        mass = shares(log_q, p)
        order = np.argsort(-p, kind="mergesort")
        w[:] = 0.0
        for e in range(n):
            i = order[e]
            p[i] /= mass
            xi[i] = SLACK_PER_POINT if e < full else rest if e == full else 0.0
            slack += p[i] * xi[i]
        matrix.combine(rows, p, w)
        size = math.sqrt(matrix.inner(w, w))
        for j in range(w.size):
            w[j] /= size if size > 0.0 else 1.0
            w_total[j] += w[j]
        matrix.dots(rows, w, c)
        for i in range(n):
            out.coef[s, i] = p[i] / size if size > 0.0 else 0.0
            total[i], s_total[i], xi_total[i] = (
                total[i] + c[i],
                s_total[i] + c[i] + xi[i],
                xi_total[i] + xi[i],
            )
            mean[i] = total[i] / t
            value = min(value, mean[i] + xi_total[i] / t)
        out.heaviest[s], out.p[s], out.eta[s] = order[0], p[order[0]], eta
        out.upper[s], out.pull[s], out.slack[s] = size + slack, size, slack
        out.level_average[s] = judge(mean, mean, volume, False, scratch, shifted)[0]
        out.level[s] = judge(c, c, volume, False, scratch, shifted)[0]
        out.value_average[s] = value


def run(problem, params, given, start, active) -> tuple[Record, State]:
    """Steps t + 1, t + 2, ... from where the segment begins; all rows are looked at."""
    (X, R), count, shape = signed(problem, active), len(given), (len(given), active.size)
    known = start.state or State(np.zeros(problem.d), np.full((2, problem.n), np.nan))
    state, c = (
        State(known.w_total.copy(), joined(known.rows, active, np.min)),
        matrix.combined(problem.X, start.coef),
    )
    wide = {"margin": np.empty(shape), "coef": np.empty(shape)}
    out = columns(Columns, count, whole=("heaviest",), **wide)
    steps(
        matrix.rows(X),
        volume(active.size, params["nu"], R),
        state,
        matrix.product(X, c),
        matrix.product(X, state.w_total),
        start.t,
        out,
    )
    drawn, coef, own = (
        np.tile(active, (count, 1)),
        out.coef * problem.y[active] / R,
        in_units(OWN, LENGTHS, R, out),
    )
    for table in (
        drawn,
        out.margin,
        coef,
    ):  # the heaviest comes first, and is the one that is spoken of
        there = np.arange(count), out.heaviest
        table[:, 0], table[there] = table[there], table[:, 0].copy()
    record = Record(
        drawn,
        R * out.margin,
        each(np.zeros(count), drawn, coef),
        lines(params).ran(count),
        np.full(count, WHY.answers),
        np.zeros(count, np.int64),
        np.full(count, 2 * matrix.entries(X)),
        own,
    )
    return record, state._replace(rows=with_those(known.rows, active, state.rows))


def draw(active, params, chance, start, stop, given) -> np.ndarray:
    """Nothing: it looks at all of them."""
    return np.zeros((stop - start, 1))


PST = Solver(
    key="pst",
    title="PST",
    paper="Plotkin, Shmoys, Tardos 1991",
    params=PARAMS,
    # every coefficient changes in every step, and has to be sent
    algorithm=Algorithm(
        run=run,
        work=lambda n, d, params: n * (2 * d + 100),
        draw=draw,
        start=begin(OWN),
        entered=entered,
        takes=(),
        chance=False,
    ),
    story=Story(
        figure=lambda params: "SIMBA paper, Section 3",
        lines=lines,
        why=WHY,
        symbols=(
            *SYMBOLS,
            Symbol("X", "table", "examples in rows, features in columns"),
            Symbol(
                "p",
                "weights",
                "how much each row counts in the mean margin",
                "{p:.3f} of row {i}, the heaviest",
                "drawn",
            ),
            Symbol("s", "sums", "margin and slack of each row, summed over all steps"),
            Symbol("ξ", "slack", "on the largest p, at most 2R on each"),
        ),
    ),
    goal=GOAL,
    # w turns at once as far as p asks for: the last w leaps where the mean is calm
    uses=Uses(opening="data=moons&n=60&noise=0.1&nu=0.05&seed=1&T=100&t=6&beat=move"),
)
