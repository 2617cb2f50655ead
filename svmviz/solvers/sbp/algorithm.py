"""The Stochastic Batch Perceptron: maximise over |w| <= 1 the margin that is left after slack has
been poured in,

    f(w) = max { gamma :  Σ max(0, gamma - c_i) <= n ν },   c_i = y_i <w, phi(x_i)>.

Cotter, Shalev-Shwartz, Srebro: "The kernelized stochastic batch perceptron", ICML 2012: Algorithm
1, with the water level of Appendix B (`maths.water`) and the unregularised bias of its Algorithm 3.

Names are the paper's: nu, gamma, c, eta = eta_0 / sqrt(t) with eta_0 = 1 / sqrt(max K(x, x)), r2 =
|w|². As printed, line 6 draws from an empty set where there is no slack: here a response may equal
the level. The average is that of the iterates after each step. It predicts as w̄ / gamma(w̄), and
only where that level is positive; with a bias b belongs to the averaged responses and is not an
average itself.
"""

import math
from typing import NamedTuple

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.maths.machine.jit import bare, jit
from svmviz.maths.water.shore import drawn_from, pour
from svmviz.record.changes import each
from svmviz.record.outcome import Record, columns
from svmviz.solvers.sbp.story import WHY, lines

OWN = ("level", "b", "wet", "sank", "level_average", "b_average", "project", "lowest", "highest")


class Steps(NamedTuple):
    """What each step leaves behind; all (steps,)."""

    index: np.ndarray  # the example drawn
    margin: np.ndarray  # its response before the step
    eta: np.ndarray
    project: np.ndarray  # the factor that brings w back onto the ball, 1: it was there
    wet: np.ndarray  # k, how many could be drawn
    sank: np.ndarray  # how many responses fell
    lowest: np.ndarray  # response after the step, and ...
    highest: np.ndarray
    level: np.ndarray  # ... gamma and b of all
    b: np.ndarray
    level_average: np.ndarray  # those of the average
    b_average: np.ndarray


@bare
def step(c, y, K_i, i, eta, r2):
    """w ← w + eta y_i phi(x_i), then back onto the unit ball; c and r2 = |w|² follow. Returns r2,
    the factor, and how many of c fell
    """
    r2 += 2.0 * eta * c[i] + eta * eta * K_i[i]
    s = 1.0 / math.sqrt(r2) if r2 > 1.0 else 1.0
    sank = 0
    for j in range(c.size):
        new = s * (c[j] + eta * y[i] * y[j] * K_i[j])
        sank += new < c[j]
        c[j] = new
    return r2 * s * s, s, sank


@jit
def steps(rows, kernel, y, nu, bias, eta_0, c, total, r2, order, forced, start, out):
    """All iterations on the examples of `rows`"""
    n = y.size
    K_i, scratch, mean, volume = np.empty(n), np.empty(n), np.empty(n), n * nu
    gamma, b, k, top_plus, top_minus = pour(c, y, volume, bias, scratch)
    for s in range(order.shape[0]):
        t = start + s + 1
        i = (
            int(order[s, 0])
            if forced
            else drawn_from(c, y, bias, k, top_plus, top_minus, order[s, 0], order[s, 1])
        )
        out.index[s], out.margin[s], out.wet[s], out.eta[s] = i, c[i], k, eta_0 / math.sqrt(t)
        kernels.column(kernel, rows, i, K_i)
        r2, out.project[s], out.sank[s] = step(c, y, K_i, i, out.eta[s], r2)
        low, high = c[0], c[0]
        for j in range(n):
            total[j] += c[j]
            mean[j] = total[j] / t
            low, high = min(low, c[j]), max(high, c[j])
        out.lowest[s], out.highest[s] = low, high
        gamma, b, k, top_plus, top_minus = pour(c, y, volume, bias, scratch)
        out.level[s], out.b[s] = gamma, b
        out.level_average[s], out.b_average[s], _, _, _ = pour(mean, y, volume, bias, scratch)


def run(problem, params, order, start, active) -> tuple[Record, None]:
    """Steps t + 1, t + 2, ... from where the segment begins; `order` holds uniform numbers, or the
    examples to take.
    """
    kernel, y, count = params["kernel"] or kernels.linear(), problem.y[active], len(order)
    X = problem.X if active.size == problem.n else problem.X[active]
    rows, forced = matrix.rows(X), np.issubdtype(order.dtype, np.integer)
    if forced:
        place = np.full(problem.n, -1)
        place[active] = np.arange(active.size)
        order = np.c_[place[order[:, :1]], order[:, :1]]
    both = kernels.responses(
        kernel, problem.X, np.stack([start.coef, start.total + start.coef], axis=1), X
    )
    c, total = np.ascontiguousarray(y * both.T)
    r2, before = (
        kernels.squared_norm(kernel, problem.X, start.coef),
        start_level(problem, params, active, c)[0],
    )
    diagonal = kernels.diagonal(kernel, rows)
    out = columns(Steps, count, whole=("index",))
    steps(
        rows,
        kernel,
        y,
        params["nu"],
        params["bias"],
        1.0 / math.sqrt(diagonal.max() or 1.0),
        c,
        total,
        r2,
        order.astype(np.float64),
        forced,
        start.t,
        out,
    )

    before, factor = np.concatenate([[before], out.level[:-1]]), out.project
    spoken = WHY.coin if params["bias"] else np.where(out.wet == 1, WHY.lowest, WHY.wet)
    went = np.where(out.level > before, WHY.rises, np.where(out.level < before, WHY.falls, 0))
    why = (
        spoken | np.where(factor < 1.0, WHY.scaled, 0) | np.where(out.level <= 0.0, WHY.below, went)
    )
    read = np.full(count, X.nnz if hasattr(X, "nnz") else X.size)
    drawn = active[out.index][:, None]
    return (
        Record(
            drawn,
            out.margin[:, None],
            each(factor, drawn, (factor * out.eta * y[out.index])[:, None]),
            lines(params).ran(count, scale=factor < 1.0),
            why,
            np.full(count, active.size),
            read,
            {name: getattr(out, name) for name in OWN},
        ),
        None,
    )


def start_level(problem, params, active, c=None):
    """gamma, b and k of given responses, those of w = 0 by default."""
    c = np.zeros(active.size) if c is None else c
    gamma, b, k, _, _ = pour(
        c, problem.y[active], active.size * params["nu"], params["bias"], np.empty(c.size)
    )
    return float(gamma), float(b), int(k)


def start(problem, params, active) -> dict[str, float]:
    gamma, b, k = start_level(problem, params, active)
    return {
        "level": gamma,
        "b": b,
        "wet": k,
        "sank": 0.0,
        "level_average": gamma,
        "b_average": b,
        "project": 1.0,
        "lowest": 0.0,
        "highest": 0.0,
    }


def facts(trace, t) -> dict[str, float]:
    """The water after step t, and how many are under it then."""
    segment = trace.segment(t)
    c = trace.problem.y[segment.active] * (trace.f(t, trace.problem.X[segment.active]) - trace.b(t))
    gamma, _, k = start_level(trace.problem, segment.params, segment.active, c)
    return {"level": gamma, "wet": k}


def entered(problem, params, active, entry) -> dict[str, float]:
    """The water of these parameters on the responses that a segment begins with."""
    found = {}
    for end, f in (("", entry.f), ("_average", entry.f_mean)):
        found[f"level{end}"], found[f"b{end}"], _ = start_level(
            problem, params, active, problem.y[active] * f[active]
        )
    return found


def draw(active, params, chance, start, stop, given) -> np.ndarray:
    """Two uniform numbers a step: one tosses the coin between the classes, one chooses among those
    under water; or examples.
    """
    return chance.numbers(start, stop, 2) if given.order is None else given.examples(1, start, stop)


def rescaled(trace, t: int, iterate: str = "average") -> tuple[np.ndarray, float]:
    """Coefficients and bias of the predictor w̄ / gamma(w̄), whose margin is 1; the last iterate if
    asked for.

    >>> from svmviz import SOLVERS, datasets
    >>> coef, b = rescaled(SOLVERS["sbp"].trace(datasets.separable(n=20), steps=200, nu=0.01), 200)
    """
    name = "level_average" if iterate == "average" else "level"
    gamma = float(trace.scalars[name][t])
    if not gamma > 0:
        raise ValueError(
            f"the level after step {t} is {gamma:.3g}: dividing by it would turn the predictor"
            " round"
        )
    return trace.coef(t, iterate) / gamma, trace.b(t, iterate) / gamma
