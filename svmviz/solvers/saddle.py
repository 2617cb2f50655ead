"""What CHW and PST have in common: SIMBA's problem as a game between (w, ξ) and weights p over the
rows,

    max_w,ξ  min_p  Σ p_i (y_i <w, x_i> + ξ_i)     with  |w| <= 1,  0 <= ξ_i <= 2 R,  Σ ξ_i <= n ν,

worked on in units of R, the length of the longest row, and shown in those of the data.
"""

import numpy as np
import scipy.sparse as sp

from svmviz.data.params import Param
from svmviz.maths.machine.elementary import exp
from svmviz.maths.machine.jit import jit
from svmviz.record.changes import AFTER
from svmviz.record.solver import Goal
from svmviz.record.symbols import Symbol, shared
from svmviz.solvers.simba import solver as simba
from svmviz.solvers.simba.judge import judge
from svmviz.solvers.simba.start import radius
from svmviz.solvers.simba.weights import SLACK_PER_POINT

PARAMS = (
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
        "iterate",
        "",
        "average",
        options=("average", "last"),
        title="iterate",
        help="Which w is drawn: the mean of all so far, which guarantees are about, or the last.",
    ),
)
GOAL = Goal(
    objective="level",
    maximises=True,
    averages=lambda params: AFTER,
    optimum=lambda problem, params: simba.optimum(problem, params | {"bias": False}),
)
SYMBOLS = (
    *shared("t i n y w w̄ f ν γ*"),
    Symbol("x", "row", "features of an example", "", "drawn"),
    Symbol("q", "weights of the rows", "p before it is made to sum to 1"),
    Symbol("η", "rate", "how strongly p follows what it is told", "{eta:.3f}"),
    Symbol("ξ̄", "average of ξ", "mean slack of each row over all steps so far"),
    Symbol("γ", "level", "the least margin, with the best slack for this w", "{level:.3f}"),
)


def signed(problem, active) -> tuple:
    """The rows that take part, each with its label and in units of the longest of all, and that
    unit.
    """
    X, R = problem.X[active], radius(problem.X)
    by = problem.y[active, None] / R
    return sp.csr_array(X.multiply(by)) if sp.issparse(X) else X * by, R


def volume(n: int, nu: float, R: float) -> float:
    """Slack in all, in units of R."""
    return min(n * nu / R, SLACK_PER_POINT * n)


def worth(problem, params, active, c) -> float:
    """The level of margins in the units of the data: those of a w with the slack that is best for
    it.
    """
    R = radius(problem.X)
    found = judge(
        c / R, c, volume(active.size, params["nu"], R), False, np.empty(c.size), np.empty(c.size)
    )
    return R * float(found[0])


def begin(own: tuple[str, ...]):
    """Before the first step w = 0, and slack alone makes the level: for `Algorithm.start`, of these
    quantities.
    """

    def first(problem, params, active) -> dict[str, float]:
        level = worth(problem, params, active, np.zeros(active.size))
        return dict.fromkeys(own, 0.0) | {
            "p": 1.0 / active.size,
            "level": level,
            "level_average": level,
        }

    return first


def joined(rows: np.ndarray, active: np.ndarray, hardest) -> np.ndarray:
    """Of numbers of every row, NaN before it takes part, those of the rows that do now: who joins
    late begins with that in the first of them which is the hardest, and with 0 in the others.
    """
    known = rows[0][~np.isnan(rows[0])]
    fresh = np.zeros((len(rows), 1))
    fresh[0] = hardest(known) if known.size else 0.0
    return np.where(np.isnan(rows[:, active]), fresh, rows[:, active])


def with_those(rows: np.ndarray, active: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The same with new numbers of the rows that take part."""
    rows = rows.copy()
    rows[:, active] = new
    return rows


def in_units(own: tuple[str, ...], lengths: set[str], R: float, out) -> dict[str, np.ndarray]:
    """Return the columns `own` of the table `out` by name, `lengths` in the units of the data."""
    return {name: getattr(out, name) * (R if name in lengths else 1.0) for name in own}


def entered(problem, params, active, entry) -> dict[str, float]:
    """The levels, under these parameters, of what a segment begins with."""
    y = problem.y[active]
    return {
        name: worth(problem, params, active, y * f[active])
        for name, f in (("level", entry.f), ("level_average", entry.f_mean))
    }


@jit
def shares(log_q, p):
    """p ← e^log_q, the largest 1; returns their sum"""
    top, total = log_q.max(), 0.0
    for i in range(p.size):
        p[i] = exp(log_q[i] - top)
        total += p[i]
    return total


@jit
def chosen(weights, total, chance):
    """Whom a chance in [0, 1) chooses; never one that weighs nothing"""
    last, left = 0, chance * total
    for i in range(weights.size):
        if weights[i] > 0.0:
            last = i
            if left < weights[i]:
                break
            left -= weights[i]
    return last


@jit
def nearest(k, step, volume, xi):
    """ξ ← the point with 0 <= ξ <= 2 and Σ ξ <= volume next to step k; returns by how much all were
    lowered, and Σ ξ
    """
    low, high, by, total = 0.0, step * k.max(), 0.0, 0.0
    for _ in range(100):
        total, moving = 0.0, 0
        for i in range(k.size):
            xi[i] = min(max(step * k[i] - by, 0.0), SLACK_PER_POINT)
            total += xi[i]
            moving += 0.0 < xi[i] < SLACK_PER_POINT
        over = total - volume
        if abs(over) <= 1e-13 * volume or (by == 0.0 and over < 0.0) or not low < high:
            break
        low, high = (by, high) if over > 0.0 else (low, by)
        by += over / moving if moving else 0.0  # exact where nobody meets a bound
        by = by if low < by < high else 0.5 * (low + high)
    return by, total
