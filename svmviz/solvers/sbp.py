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

from svmviz.data.params import Param
from svmviz.maths import kernels, matrix
from svmviz.maths.machine.jit import bare, jit
from svmviz.maths.water import water_level, water_level_with_bias
from svmviz.maths.water.search import water_level_steps
from svmviz.maths.water.shore import drawn_from, pour
from svmviz.record.changes import AFTER, each
from svmviz.record.outcome import Record
from svmviz.record.questions import Question
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Algorithm, Goal, Solver, Story, Uses
from svmviz.record.symbols import Symbol, shared
from svmviz.theory import bounds, pareto

__all__ = ["SBP", "rescaled", "water_level", "water_level_steps", "water_level_with_bias"]

OWN = ("level", "b", "wet", "sank", "level_average", "b_average", "project", "lowest", "highest")


def lines(params) -> Lines:
    """Return Algorithm 1 as the parameters select it."""
    bias = params["bias"]
    return Lines(
        level=Line(
            "γ, b ← level of both basins, volume νn" if bias else "γ ← level of c under volume νn",
            "γ = {gamma:.3f}, b = {b:.3f}" if bias else "γ = {gamma:.3f}",
            "measure",
        ),
        draw=Line(
            (
                "draw a class, then i from its k lowest"
                if bias
                else "draw i uniformly from { i : c[i] ≤ γ }"
            ),
            "i = {i} (k = {k})",
            "draw",
        ),
        add=Line("α[i] ← α[i] + η, η = η₀/√t", "η = {eta:.3f}", "add"),
        lift=Line("c ← c + η y[i] y ∘ K[i, ·]", "{evals} kernel evals", "lift"),
        scale=Line("if ‖w‖ > 1: scale α and c by 1/‖w‖", "× {scale:.3f}", "scale"),
        average=Line("w̄ ← average of w(1) … w(t)", "γ(w̄) = {gamma_average:.3f}", "average"),
    )


STEP = (
    "; η = {eta_0:.3g}/√{t} = {eta:.3f}; c[i] ← {margin:.3f} + {eta:.3f} · {K_ii:.3g} ="
    " {lifted:.3f≠scaled}."
)
WHY = Sentences(
    start=Sentence(
        "Nothing has been drawn yet: w = 0, every response is 0, and the water stands at"
        " {gamma:.3f} above all of them.",
        "Nothing drawn yet.",
        "w = 0: every c[i] = 0, and γ = {gamma:.3f}.",
    ),
    wet=Sentence(
        "Point {i} ({label}) answers *{margin:.3f}*, one of {k} not above the water level "
        "{gamma:.3f≠gamma_after}: it is lifted to {lifted:.3f≠scaled}.",
        "Under water: lift it.",
        "c[i] = *{margin:.3f}* ≤ γ = {gamma:.3f≠gamma_after}, p = 1/{k}" + STEP,
    ),
    lowest=Sentence(
        "Point {i} ({label}), at *{margin:.3f}* the lowest of all, is the only one that can be"
        " drawn: it is lifted to {lifted:.3f≠scaled}.",
        "The lowest of all: lift it.",
        "c[i] = *{margin:.3f}* = min c" + STEP,
    ),
    coin=Sentence(
        "A coin chose class {label}, then point {i} of its {k} lowest, at *{margin:.3f}*: it is"
        " lifted to {lifted:.3f≠scaled}.",
        "A coin, then one under water: lift it.",
        "c[i] = *{margin:.3f}* ≤ γ − y b = {shore:.3f}, p = 1/{both}" + STEP,
    ),
    scaled=Sentence(
        "Scaled by {scale:.3f} it is at {scaled:.3f≠lifted}.",
        "",
        "‖w‖ = {norm_added:.3f} > 1: c[i] ← {scale:.3f} · {lifted:.3f≠scaled} ="
        " {scaled:.3f≠lifted}.",
    ),
    rises=Sentence(
        "The level rises to {gamma_after:.3f≠gamma}.",
        "The level rises.",
        "γ ← {gamma_after:.3f≠gamma}.",
    ),
    falls=Sentence(
        "The level falls to {gamma_after:.3f≠gamma}: {sank} {columns} sank.",
        "The level falls.",
        "γ ← {gamma_after:.3f≠gamma}.",
    ),
    below=Sentence(
        "At level {gamma_after:.3f≠gamma} w does not separate yet.",
        "It does not separate yet.",
        "γ ← {gamma_after:.3f≠gamma} ≤ 0.",
    ),
)
MOVED = (
    "The level was {gamma:.3f≠new} and is {new:.3f≠gamma}: of the {k} columns under water {raised}"
    " rose and {lowered} fell{scaled}.{room}"
)
QUESTIONS = (
    Question(
        "wet",
        "Which of these points could be drawn next?",
        "Choose all you think: {volume:.3g} units of water, one level.",
        "Whoever answers at most {gamma:.3f} is under water, whichever its side. {drew}",
        "The side does not decide, the level does. {mistaken}{drew}",
        "draw",
    ),
    Question(
        "level",
        "Step {step} lifts the column of point {i}. Does the water level rise or fall?",
        "The level is {gamma:.3f}. The column is lifted by up to η K = {lift:.3f}; neighbours of"
        " its class rise, others sink.",
        MOVED,
        MOVED,
    ),
)
SYMBOLS = (
    *shared("t i n x y w w̄ f φ K α γ γ* ν b c"),
    Symbol("η", "step length", "how much of the drawn example is added", "{eta:.3f}", "drawn"),
    Symbol("η₀", "first step length", "1 over the longest example"),
    Symbol("k", "under water", "how many can be drawn, each as likely", "{k}", "wet"),
    Symbol("p", "chance", "how likely one of those under water is drawn", "1/{k}", "wet"),
)


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
    out = Steps(np.empty(count, np.int64), *np.empty((11, count)))
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


def values(trace, t) -> dict:
    """The live quantities of step t."""
    own = trace.scalars
    if t == 0:
        return {"t": 0, "gamma": float(own["level"][0])}
    segment = trace.segment(t)
    i, active = int(trace.drawn[t]), segment.active
    K_ii = float(kernels.diagonal(trace.kernel(t), matrix.rows(trace.problem.X[i : i + 1]))[0])
    margin, scale = float(segment.record.margin[t - segment.start - 1, 0]), float(own["project"][t])
    eta = abs(float(segment.record.delta[t - segment.start - 1, 0])) / scale
    gamma, b = trace.before("level", t), trace.before("b", t)
    y, k, sank = float(trace.problem.y[i]), int(own["wet"][t]), int(own["sank"][t])
    return {
        "t": t,
        "i": i + 1,
        "label": "+1" if y > 0 else "−1",
        "margin": margin,
        "gamma": gamma,
        "b": b,
        "k": k,
        "both": 2 * k,
        "shore": gamma - y * b,
        "eta": eta,
        "eta_0": eta * math.sqrt(t),
        "scale": scale,
        "evals": len(active),
        "gamma_after": float(own["level"][t]),
        "sank": sank,
        "columns": "column" if sank == 1 else "columns",
        "K_ii": K_ii,
        "lifted": margin + eta * K_ii,
        "scaled": scale * (margin + eta * K_ii),
        "norm_added": float(trace.metrics["norm"][t]) / scale,
        "gamma_average": float(own["level_average"][t]),
    }


def rescaled(trace, t: int, iterate: str = "average") -> tuple[np.ndarray, float]:
    """Coefficients and bias of the predictor w̄ / gamma(w̄), whose margin is 1; the last iterate if
    asked for.

    >>> from svmviz import datasets
    >>> coef, b = rescaled(SBP.trace(datasets.separable(n=20), steps=200, nu=0.01), 200)
    """
    name = "level_average" if iterate == "average" else "level"
    gamma = float(trace.scalars[name][t])
    if not gamma > 0:
        raise ValueError(
            f"the level after step {t} is {gamma:.3g}: dividing by it would turn the predictor"
            " round"
        )
    return trace.coef(t, iterate) / gamma, trace.b(t, iterate) / gamma


SBP = Solver(
    key="sbp",
    title="Stochastic Batch Perceptron",
    paper="Cotter, Shalev-Shwartz, Srebro 2012",
    params=(
        Param(
            "nu",
            "ν",
            0.05,
            0.0,
            10.0,
            "Slack per example: how much water is poured in. 0 is the batch perceptron.",
            log=True,
            title="slack",
        ),
        Param(
            "kernel",
            "K",
            None,
            help="The responses are kept for every example, whatever the kernel.",
            title="kernel",
        ),
        Param(
            "bias",
            "b",
            False,
            help="Add a constant b that is not regularised: one basin for each class.",
            title="unregularised bias",
        ),
        Param(
            "iterate",
            "",
            "last",
            options=("last", "average"),
            title="iterate",
            help=(
                "Which w is drawn: the last, or the mean of all so far, which the guarantee is"
                " about (Lemma 3.2)."
            ),
        ),
    ),
    algorithm=Algorithm(
        draw=draw,
        run=run,
        work=lambda n, d, params: n * (kernels.COST if params["kernel"] else d),
        start=start,
        entered=entered,
    ),
    story=Story(
        figure=lambda params: "Algorithm 1, with bias" if params["bias"] else "Algorithm 1",
        lines=lines,
        why=WHY,
        values=values,
        facts=facts,
        questions=QUESTIONS,
        symbols=SYMBOLS,
    ),
    goal=Goal(
        objective="level",
        maximises=True,
        averages=lambda params: AFTER,
        optimum=lambda problem, params: pareto.slack_optimum(
            problem, params["nu"], params["kernel"], params["bias"]
        ),
        bound=bounds.sbp,
    ),
    # Lemma 3.2 is about the average, the paper about kernels; half of the columns are wet, and one
    # of the wrong side is drawn
    uses=Uses(
        fit_defaults={"iterate": "average", "kernel": kernels.rbf(1.0)},
        opening=(
            "data=moons&n=120&noise=0.2&nu=0.05&kernel=rbf(gamma=4.0)&seed=1&T=240&t=91&beat=draw"
        ),
    ),
)
