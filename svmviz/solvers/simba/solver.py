"""SIMBA: maximise over |w| <= 1 the least margin after slack, without reading the data whole,

    max_w,ξ  min_i  y_i <w, x_i> + ξ_i     with  0 <= ξ_i <= 2 R,  Σ ξ_i <= n ν.

Hazan, Koren, Srebro: "Beating SGD: learning SVMs in sublinear time", NIPS 2011: Algorithm 1, its
bias and its sparse case. A step reads one row, drawn from the weights p of the examples, to move w,
and one column, drawn by w(j)², to estimate all margins at once and to move p to where they are
small.

Names are the paper's: nu, u, w, xi, p, q, eta. As printed u and p start one step late, q
underflows, and a decreasing η freezes p: here u_0 = 0, p_1 = 1/n, log q is kept, η_t = √(ln n / t).
The step 1/√(2T) of line 5 stands outside the sum, w = u / max(√(2T), |u|) with u the sum of the
rows drawn; decreasing steps have t in place of T, which keeps the regret of Lemma B.1, while adding
x / √(2t) to u does not.

Rows must lie in the unit ball: they are divided by the length R of the longest, and all that is
shown, ν and the levels too, is given back in the units of the data. Then ν means what it means for
SBP. Returned is the mean of w_1 .. w_T, and of b_1 .. b_T.
"""

import math
from functools import cache, partial

import numpy as np

from svmviz.data.params import Param
from svmviz.maths.matrix import entries
from svmviz.record.changes import AFTER, each
from svmviz.record.outcome import Record
from svmviz.record.solver import Algorithm, Goal, Solver, Story, Uses
from svmviz.solvers.simba import loop, story
from svmviz.solvers.simba import optimum as capped
from svmviz.solvers.simba import start as begin
from svmviz.solvers.simba.judge import judge
from svmviz.solvers.simba.story import QUESTIONS, WHY, lines
from svmviz.theory import bounds
from svmviz.work.lazy import Late

__all__ = ["SIMBA"]

WATCHED = ("level", "b", "level_average", "value_average", "lowest", "highest")
EXACT = 1e-7  # a gap, of the longest row, with which an optimum may be called so
# entries: what takes all margins of a larger matrix is computed in a second run, if anybody asks
# for it
AT_ONCE = 20_000


def run(problem, params, given, start, active) -> tuple[Record, begin.Carry]:
    """Steps t + 1, t + 2, ... from where the segment begins; `given` holds chances, and rows and
    columns that are replayed.
    """
    X = problem.X if active.size == problem.n else problem.X[active]
    y, R, count = problem.y[active], begin.radius(problem.X), len(given)
    given = given.copy()
    if given[0, loop.ROW] >= 0 and active.size < problem.n:
        place = np.full(problem.n, -1.0)
        place[active] = np.arange(active.size)
        given[:, loop.ROW] = place[given[:, loop.ROW].astype(int)]
    twins, at_once = begin.twins(X), entries(X) <= AT_ONCE

    def taken(watched):
        how, out = begin.rule(params, active.size, R, watched), loop.empty(count)
        state = begin.prepared(X, y, how, R, active, start.state)
        loop.steps(*twins, y, 1.0 / R, entries(X), how, state, given, start.t, out)
        return out, state

    out, state = taken(at_once)
    again = cache(lambda: out if at_once else taken(True)[0])

    read = (start.state.read if start.state else 0) + np.cumsum(out.features)
    rival = begin.read_by_rows(X, read).astype(float)
    drawn = active[out.row][:, None]
    known = {
        "b_average": R * out.b_average,
        "b_step": R * out.b_step,
        "column": out.column + 1.0,
        "p": out.p,
        "share": out.share,
        "eta": out.eta,
        "wet": out.wet,
        "clipped": out.clipped,
        "cells": out.cells,
        "cells_pegasos": rival,
        "known_pegasos": np.rint(1e4 * rival / entries(X)),
    }  # hundredths of a percent
    own = Late(
        {name: partial(lambda name: R * getattr(again(), name), name) for name in WATCHED}, known
    )
    record = Record(
        drawn,
        R * out.margin[:, None],
        each(out.factor, drawn, out.delta[:, None]),
        lines(params).ran(count),
        spoken(params, known, active.size),
        np.zeros(count, np.int64),
        out.features,
        own,
    )
    return record, begin.handed_on(state, problem.n, active, start.state, int(read[-1]))


def spoken(params, found, n) -> np.ndarray:
    """Which sentences belong to each step; where weights jump, that is said instead of how much is
    known.
    """
    if params["exact_p"]:
        return np.full(len(found["p"]), WHY.wet | WHY.exact)
    even, beyond = n * found["p"], found["clipped"] > 0
    why = np.where(
        even > story.MORE, WHY.raised, np.where(even < story.LESS, WHY.lowered, WHY.about)
    )
    why |= (
        WHY.margins
        if params["exact_margins"]
        else WHY.sampled | np.where(beyond & (not params["clip"]), 0, WHY.read)
    )
    why |= np.where(beyond, WHY.clipped if params["clip"] else WHY.wild, 0)
    return why | np.where(found["b_step"] == 0, WHY.even, WHY.heavier) if params["bias"] else why


def start(problem, params, active) -> dict[str, float]:
    """Before the first step w = 0, and slack alone makes the margin."""
    R = begin.radius(problem.X)
    how = begin.rule(params, active.size, R, watched=True)
    c, scratch, shifted = np.zeros((3, active.size))
    gamma, b = judge(c, problem.y[active], how.volume, how.bias, scratch, shifted)
    return {
        "level": R * gamma,
        "b": R * b,
        "level_average": R * gamma,
        "b_average": 0.0,
        "value_average": 0.0,
        "b_step": 0.0,
        "column": 0.0,
        "p": 1.0 / active.size,
        "share": 0.0,
        "eta": 0.0,
        "wet": 0.0,
        "clipped": 0.0,
        "cells": 0.0,
        "cells_pegasos": 0.0,
        "known_pegasos": 0.0,
        "lowest": 0.0,
        "highest": 0.0,
    }


def entered(problem, params, active, entry) -> dict[str, float]:
    """The margin after slack, under these parameters, of the w that a segment begins with, and how
    much of its table is known; the mean of all b stays.
    """
    R = begin.radius(problem.X)
    how, y, found = begin.rule(params, active.size, R, watched=True), problem.y[active], {}
    for end, f in (("", entry.f), ("_average", entry.f_mean)):
        gamma, found[f"b{end}"] = judge(
            y * f[active] / R, y, how.volume, how.bias, *np.empty((2, active.size))
        )
        found[f"level{end}"] = R * gamma
    X, carry = problem.X if active.size == problem.n else problem.X[active], entry.state
    state = begin.prepared(X, y, how, R, active, carry)
    rival = float(begin.read_by_rows(X, np.array([carry.read]))[0])
    return found | {
        "b": R * found["b"],
        "b_average": entry.own["b_average"] if how.bias else 0.0,
        "cells": float(state.cells[0]),
        "cells_pegasos": rival,
        "known_pegasos": round(1e4 * rival / entries(X)),
    }


def draw(active, params, chance, start, stop, given) -> np.ndarray:
    """Three uniform numbers a step, for a coin, the row and the column, and the row and the column
    to take instead, or -1.
    """
    drawn = np.c_[chance.numbers(start, stop, 3), np.full((stop - start, 2), -1.0)]
    if given.order is not None:
        drawn[:, loop.ROW] = given.examples(1, start, stop)[:, 0]
    if given.columns is not None:
        drawn[:, loop.COLUMN] = given.features(start, stop)
    return drawn


def values(trace, t) -> dict:
    """The live quantities of step t."""
    n = len(trace.segment(t).active)
    if t == 0:
        return {"t": 0, "n": n}
    own, segment = trace.scalars, trace.segment(t)
    problem, i, params = trace.problem, int(trace.drawn[t]), segment.params
    total, width = (
        entries(problem.X if n == problem.n else problem.X[segment.active]),
        entries(problem.X[i : i + 1]),
    )
    j, eta, b, wet = (
        int(own["column"][t]),
        float(own["eta"][t]),
        float(own["b_step"][t]),
        int(own["wet"][t]),
    )
    p, share, norm = float(own["p"][t]), float(own["share"][t]), float(trace.metrics["norm"][t])
    unit = abs(float(segment.record.delta[t - segment.start - 1, 0])) * begin.radius(
        problem.X
    )  # w = unit u
    planned = params["horizon"] if params["schedule"] == "constant" else t
    return {
        "t": t,
        "n": n,
        "i": i + 1,
        "label": "+1" if problem.y[i] > 0 else "−1",
        "p": p,
        "even": n * p,
        "j": j,
        "share": share,
        "column_drawn": f"j = {j}, {own['share'][t]:.2g}" if j else "none, as w = 0",
        "judge": f"Column {j}" if j else "No column",
        "planned": planned,
        "root": math.sqrt(2.0 * planned),
        "length": norm / unit,
        "gain": math.copysign(norm / math.sqrt(share), trace.at(t).w[j - 1]) if j else 0.0,
        "row": width,
        "column": int(segment.record.features_read[t - segment.start - 1]) - width,
        "eta": eta,
        "limit": 1.0 / eta if eta else 0.0,
        "volume": n * params["nu"],
        "b": b,
        "heavier": "+1" if b > 0 else "−1",
        "wet": wet,
        "under": (2 if params["bias"] else 1) * wet,
        "clipped": int(own["clipped"][t]),
        "reads": int(trace.metrics["features_read"][t]),
        "seen": 100.0 * float(own["cells"][t]) / total,
        "seen_pegasos": 100.0 * float(own["cells_pegasos"][t]) / total,
        "gamma": float(own["level"][t]),
        "gamma_average": float(own["level_average"][t]),
    }


def optimum(problem, params):
    """The exact optimum, or None where it was not found: among many examples, if slack or bias
    meets its bound.
    """
    best = capped.optimum(problem, params["nu"], params["bias"])
    return best if best.gap <= EXACT * begin.radius(problem.X) else None


SIMBA = Solver(
    key="simba",
    title="SIMBA",
    paper="Hazan, Koren, Srebro 2011",
    params=(
        Param(
            "nu",
            "ν",
            0.05,
            0.0,
            10.0,
            "Slack per example, in the units of the data; at most twice the longest row on each.",
            log=True,
            title="slack",
        ),
        Param(
            "bias",
            "b",
            False,
            help="Add a constant b that is not regularised, at most as large as the longest row.",
            title="unregularised bias",
        ),
        Param(
            "schedule",
            "",
            "decreasing",
            options=("decreasing", "constant"),
            title="step sizes",
            help=(
                "By the steps so far, as in the paper's experiments, or by a fixed T, as in its"
                " theorem."
            ),
        ),
        Param(
            "horizon",
            "T",
            1000,
            1,
            100_000_000,
            "The T of constant steps: 1/√(2T) for w, √(ln n / T) for p.",
            log=True,
            title="made for",
            when=lambda params: params["schedule"] == "constant",
        ),
        Param(
            "exact_p",
            "",
            False,
            help="Take the exact p for the w at hand, as SBP does; reads the whole matrix.",
            title="exact p",
        ),
        Param(
            "exact_margins",
            "",
            False,
            help="Take X w itself, not an estimate from one column; reads the whole matrix.",
            title="exact X w",
            when=lambda params: not params["exact_p"],
        ),
        Param(
            "clip",
            "",
            True,
            help="Clip estimates at 1/η. Without it a single column can overturn p.",
            title="clip estimates",
            when=lambda params: not params["exact_p"],
        ),
        Param(
            "iterate",
            "",
            "average",
            options=("average", "last"),
            title="iterate",
            help=(
                "Which w is drawn: the mean of all so far, which the guarantee is about (Theorem"
                " 4.3), or the last."
            ),
        ),
    ),
    algorithm=Algorithm(
        draw=draw,
        run=run,
        work=lambda n, d, params: 40 * n + 4 * d,
        start=start,
        entered=entered,
        takes=("order", "columns"),
        record="estimates",
    ),
    story=Story(
        figure=lambda params: "Algorithm 1, with bias" if params["bias"] else "Algorithm 1",
        lines=lines,
        why=WHY,
        values=values,
        questions=QUESTIONS,
        symbols=story.SYMBOLS,
    ),
    goal=Goal(
        objective="level",
        maximises=True,
        averages=lambda params: AFTER,
        optimum=optimum,
        bound=bounds.simba,
    ),
    # a table that can be read cell by cell, half of it known, and a column drawn that is worth much
    uses=Uses(opening="data=direction&n=60&d=30&nu=0.007&seed=1&T=200&t=18&beat=column"),
)
