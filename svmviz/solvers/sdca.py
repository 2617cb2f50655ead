"""Stochastic dual coordinate ascent: one example, one coefficient, the exact maximum of the dual
along it.

    D(alpha) = λ (Σ alpha_i - 1/2 |w|²),   w = Σ alpha_i y_i phi(x_i),   0 <= alpha_i <= C = 1/(λ
    n),

for the hinge, and with conjugates of alpha_i / C in place of alpha_i for any other loss (`losses`).

Hsieh, Chang, Lin, Keerthi, Sundararajan: "A dual coordinate descent method for large-scale linear
SVM", ICML 2008, Algorithm 1; a rival of the stochastic batch perceptron (Cotter, Shalev-Shwartz,
Srebro 2012, Section 4.4). Smooth losses: Shalev-Shwartz, Zhang: "Stochastic dual coordinate ascent
methods for regularized loss minimization", JMLR 14 (2013).

Along alpha_i the dual is a parabola with its top where the margin of example i is 1: the step goes
there, or to the end of the box on the way. A row with K(x, x) = 0 has no top: its alpha goes to C.
Without a kernel w is kept in R^d and a step costs O(d); with one the margin is summed up on demand,
one kernel evaluation per support vector, as kernelised Pegasos does it. To keep all responses
instead would cost n evaluations at every step that moves. K(x_i, x_i) is computed once and not
counted. The top along alpha_i is a formula for every loss but the logistic one, where Newton's
method finds it. The squared hinge has no box: its alpha_i have no upper end.
"""

import numpy as np

from svmviz.data.constant import of_bias
from svmviz.data.params import Param, of_loss
from svmviz.maths import kernels, matrix, sampling
from svmviz.maths.dual import coordinate
from svmviz.maths.kernels.weights import add, expansion, respond
from svmviz.maths.losses import HINGE, LOGISTIC, SMOOTHED, SQUARED, loss_of, value
from svmviz.maths.machine.jit import bare
from svmviz.record import questions
from svmviz.record.changes import each
from svmviz.record.outcome import Record
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Algorithm, Goal, Solver, Story, Uses
from svmviz.record.symbols import CONSTANT, Symbol, shared
from svmviz.theory import biases, reference
from svmviz.work.words import fill

ROUNDING = 1e-12  # of C: a coefficient so close to the end of its box is there


def lines(params) -> Lines:
    """Return Algorithm 1, with or without a kernel."""
    kernelised, loss = params["kernel"] is not None, loss_of(params)
    bend = {SQUARED: ", q ← 1/(2C)", SMOOTHED: ", q ← s/C"}.get(loss.kind, "")
    moved = "α[i] + (1 − m − q α[i])/(K[i, i] + q)" if bend else "α[i] + (1 − m)/K[i, i]"
    best = {SQUARED: f"α ← max({moved}, 0)", LOGISTIC: "α ← argmax D(α) along α[i], by Newton"}
    return Lines(
        draw=Line(sampling.written(params["sampling"]), "i = {i}", "draw"),
        measure=Line(
            f"m ← y[i]{' Σ α[j] y[j] K[j, i]' if kernelised else '⟨w, x[i]⟩'}{bend}",
            "m = {margin:.2f}",
            "measure",
        ),
        clip=Line(best.get(loss.kind, f"α ← clip({moved}, 0, C)"), "α = {new:.3g}", "clip"),
        add=Line(
            "α[i] ← α" if kernelised else "w ← w + (α − α[i]) y[i] x[i], α[i] ← α",
            "P − D = {gap:.3g}",
            "add",
        ),
    )


POINT = "Point {i} ({label}) has margin *{margin:.2f}*"
NEWTON = "α = {old:.3g≠new}, m = *{margin:.2f}*, K[i, i] = {K_ii:.3g}: α + (1 − m)/K[i, i]"
SCALED = Sentence(
    "Before that the box had become smaller, or a support vector was taken away: all α were scaled"
    " by {factor:.3f}.",
    "All α scaled first.",
    "Before that: α ← {factor:.3f} α.",
)
WHY = Sentences(
    start=Sentence(
        "Nothing has been drawn yet: every α is 0, so that w = 0, and the dual stands at 0 while"
        " the primal is {first:.3g}.",
        "Nothing drawn yet.",
        "α = 0: w = 0, D = 0, P = λ/2 · 0 + ℓ(0) = {first:.3g}.",
    ),
    inside=Sentence(
        POINT + ": its α moves from {old:.3g≠new} to {new:.3g≠old}, which brings the margin to"
        " exactly 1.",
        "To a margin of 1.",
        NEWTON + " = {new:.3g≠old}, within [0, C] = [0, {C:.3g}]. P − D = {gap:.3g}.",
    ),
    to_c=Sentence(
        POINT
        + ", and even at C = {C:.3g} it would only be {lifted:.2f}: its α rises from {old:.3g} to"
        " the top of the box.",
        "Up to the top of its box.",
        NEWTON + " ≥ C: α ← C = {C:.3g}. P − D = {gap:.3g}.",
    ),
    to_0=Sentence(
        POINT
        + ", and without its α it would still be {lifted:.2f}: its α falls from {old:.3g} to 0.",
        "Not needed any more: α to 0.",
        NEWTON + " ≤ 0: α ← 0. P − D = {gap:.3g}.",
    ),
    at_0=Sentence(
        POINT + ", at least 1, and its α is 0: there is nothing to take back.",
        "Far enough already: stays.",
        "α = 0 and m = *{margin:.2f}* ≥ 1: α stays. P − D = {gap:.3g}.",
    ),
    at_c=Sentence(
        POINT + ", {low}, but its α is at C = {C:.3g} already: it has no more to give.",
        "At the top of its box: stays.",
        "α = C = {C:.3g} and m = *{margin:.2f}*, {low}: α stays. P − D = {gap:.3g}.",
    ),
    shrunk=SCALED,
    to_top=Sentence(
        POINT
        + ": along its α, now {old:.3g≠new}, the dual is highest at {new:.3g≠old}, where the margin"
        " is {lifted:.2f}.",
        "To the top of the dual.",
        "max D along α: {old:.3g≠new} → {new:.3g≠old}; m + (α − {old:.3g≠new}) K[i, i] ="
        " *{margin:.2f}* + {change:.3g} · {K_ii:.3g} = {lifted:.2f}.",
    ),
)
SYMBOLS = (
    *shared("t i j n x y w f m λ K ℓ s C P P* D"),
    *CONSTANT,
    Symbol(
        "α",
        "coefficients",
        "how much of each example w is made of",
        "{new:.3g} of example {i}",
        "alphas",
    ),
    Symbol("q", "price of α", "what a smooth loss adds to K(x, x)"),
)


@bare
def steps(at, y, C, loss, diagonal, order, margin, delta, old, kernel_evals, features):
    """All iterations, each written into its row of the columns"""
    for s in range(order.shape[0]):
        i = order[s, 0]
        f, kernel_evals[s] = respond(at, i)
        margin[s, 0], old[s] = y[i] * f + 0.0, abs(at.coef[i])  # a zero has no sign
        delta[s, 0] = y[i] * (coordinate(loss, old[s], margin[s, 0], diagonal[i], C) - old[s])
        features[s] = matrix.nonzeros(at.rows, i)
        add(at, i, delta[s, 0])


def shrunk(problem, coef, active, C, balanced=False) -> float:
    """What all coefficients must be multiplied by to be feasible: 1 as long as no change made the
    box smaller, 0 where a support vector was taken away or the classes do not balance although
    there is a bias now.
    """
    gone = np.ones(problem.n, bool)
    gone[active] = False
    if coef[gone].any() or (balanced and abs(coef.sum()) > 1e-9 * C):
        return 0.0
    room = C / max(np.abs(coef).max(), 1e-300)
    return room if room < 1.0 - ROUNDING else 1.0


def run(problem, params, order, start, active) -> tuple[Record, None]:
    """Steps t + 1, t + 2, ... from where the segment begins."""
    count, C, loss = len(order), 1.0 / (params["lam"] * active.size), loss_of(params)
    factor, top = np.ones(count), C * loss.steepest
    factor[0] = shrunk(problem, start.coef, active, top)
    at = expansion(problem.X, params["kernel"], factor[0] * start.coef)
    margin, delta, old = np.empty((count, 1)), np.empty((count, 1)), np.empty(count)
    kernel_evals, features = np.zeros(count, np.int64), np.zeros(count, np.int64)
    steps(
        at,
        problem.y,
        C,
        loss,
        kernels.diagonal(at.kernel, at.rows),
        order,
        margin,
        delta,
        old,
        kernel_evals,
        features,
    )

    i, moved = order[:, 0], delta[:, 0] != 0.0
    new, inside = old + problem.y[i] * delta[:, 0], WHY.inside if loss.kind == HINGE else WHY.to_top
    why = np.where(
        moved,
        np.where(new <= 0.0, WHY.to_0, np.where(new >= top, WHY.to_c, inside)),
        np.where(old <= 0.0, WHY.at_0, np.where(old >= top, WHY.at_c, inside)),
    )
    return (
        Record(
            order,
            margin,
            each(factor, order, delta),
            lines(params).ran(count, add=moved),
            why | np.where(factor < 1.0, WHY.shrunk, 0),
            kernel_evals,
            features,
        ),
        None,
    )


def values(trace, t) -> dict:
    """The live quantities of step t."""
    segment = trace.segment(t)
    record, row = segment.record, t - segment.start - 1
    if t == 0:
        return {"t": 0, "first": value(loss_of(segment.params), 0.0)}
    i, margin, factor = (
        int(record.drawn[row, 0]),
        float(record.margin[row, 0]),
        float(record.factor[row]),
    )
    y, old = float(trace.problem.y[i]), factor * abs(float(trace.at(t - 1).coef[i]))
    change = y * float(record.delta[row, 0])
    K_ii = float(kernels.diagonal(trace.kernel(t), matrix.rows(trace.problem.X[i : i + 1]))[0])
    return {
        "t": t,
        "i": i + 1,
        "label": "+1" if y > 0 else "−1",
        "hits": int(change != 0),
        "margin": margin,
        "old": old,
        "new": old + change,
        "change": change,
        "K_ii": K_ii,
        "C": 1.0 / (segment.params["lam"] * len(segment.active)),
        "lifted": margin + change * K_ii,
        "gap": float(trace.metrics["gap"][t]),
        "factor": factor,
        "low": low(loss_of(segment.params)),
    }


def low(loss) -> str:
    """Of a margin that leaves its α at C: where the slope of the loss is the steepest."""
    if loss.kind == LOGISTIC:
        return "far below 0"
    return (
        fill("at most 1 − s = {bend:.3g}", {"bend": 1.0 - loss.s})
        if loss.kind == SMOOTHED
        else "at most 1"
    )


LAM = Param(
    "lam",
    "λ",
    0.05,
    1e-6,
    10.0,
    "Weight of the regulariser. Smaller: a larger box [0, C], C = 1/(λn).",
    log=True,
    title="regularisation",
)

SDCA = Solver(
    key="sdca",
    title="Dual coordinate ascent",
    paper="Hsieh, Chang, Lin, Keerthi, Sundararajan 2008",
    params=(
        LAM,
        Param(
            "kernel",
            "K",
            None,
            help="Without a kernel w is a vector; with one it is a sum over support vectors.",
            title="kernel",
        ),
        *of_loss(),
        *of_bias(),
        Param(
            "sampling",
            "",
            sampling.SCHEMES[0],
            options=sampling.SCHEMES,
            title="sampling",
            help="How examples are drawn. The paper goes through the data in random order.",
        ),
    ),
    algorithm=Algorithm(
        run=run, work=lambda n, d, params: n * kernels.COST if params["kernel"] else d
    ),
    story=Story(
        figure=lambda params: (
            "Algorithm 1, kernelised" if params["kernel"] is not None else "Algorithm 1"
        ),
        lines=lines,
        why=WHY,
        values=values,
        questions=(questions.CHANGES, questions.ALPHA, questions.GAP, questions.LINE),
        symbols=SYMBOLS,
    ),
    goal=Goal(
        dual=True,
        beside=biases.without_a_price,
        optimum=lambda problem, params: reference.optimum(
            problem, params["lam"], params["kernel"], loss=loss_of(params)
        ),
    ),
    # an α that would go beyond its box and is clipped
    uses=Uses(opening="data=blobs&n=80&noise=1.0&lam=0.05&seed=3&T=240&t=65&beat=clip"),
)
