"""Passive-Aggressive I: the smallest change of w that gives the example drawn a margin of 1, but
never more than C of it,

    w ← w + τ y_i phi(x_i),      τ = min(C, loss / K(x_i, x_i)),      loss = max(0, 1 - y_i <w,
    phi(x_i)>).

Crammer, Dekel, Keshet, Shalev-Shwartz, Singer: "Online passive-aggressive algorithms", JMLR 7
(2006), Figure 1. The step solves argmin_v 1/2 |v - w|² + C loss(v): passive where there is no loss,
aggressive where there is. C is what a single, perhaps mislabelled example may change at most.

It has no λ and goes to no optimum: each step asks for one example only, and the curve is the mean
loss. It never takes back what it once added, so that alpha_i may exceed C in later passes. A row
with K(x, x) = 0 has the same margin whatever w is, and changes nothing. K(x_i, x_i) is computed
once and not counted.
"""

import numpy as np

from svmviz.data.constant import of_bias
from svmviz.data.params import Param
from svmviz.maths import kernels, matrix, sampling
from svmviz.maths.kernels.weights import add, expansion, respond
from svmviz.maths.machine.jit import bare
from svmviz.record import questions
from svmviz.record.changes import each
from svmviz.record.outcome import Record
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Algorithm, Goal, Solver, Story, Uses
from svmviz.record.symbols import CONSTANT, Symbol, shared

POINT = "Point {i} ({label}) has margin *{margin:.2f}*"
WHY = Sentences(
    start=Sentence(
        "Nothing has been drawn yet: w = 0 leaves every point a loss of 1.",
        "Nothing drawn yet.",
        "w = 0: y f(x) = 0 and ℓ = 1 for all x.",
    ),
    passive=Sentence(
        POINT + ", at least 1: there is no loss, and w stays as it is.",
        "No loss: passive.",
        "y f(x) = *{margin:.2f}*: ℓ = max(0, 1 − y f(x)) = 0, τ = 0, w ← w.",
    ),
    pays=Sentence(
        POINT + ", a loss of {loss:.2f}: τ y x is added to w, τ = {tau:.3g}.",
        "A loss: aggressive.",
        "y f(x) = *{margin:.2f}*: ℓ = 1 − y f(x) = {loss:.2f}, τ = min(C, ℓ/‖x‖²) = {tau:.3g}, w ←"
        " w + τ y x.",
    ),
    whole=Sentence(
        "That is the smallest change that brings its margin to 1.", "", "τ = ℓ/‖x‖² < C = {C:.3g}."
    ),
    capped=Sentence(
        "A margin of 1 would take more, but τ = C = {C:.3g} is the most that one step may add.",
        "Cut at C.",
        "τ = C = {C:.3g} < ℓ/‖x‖².",
    ),
)
SYMBOLS = (
    *shared("t i j n x y w w̄ f α K"),
    *CONSTANT,
    Symbol("ℓ", "loss", "how much the margin of the example is below 1", "{loss:.2f}", "drawn"),
    Symbol("τ", "step length", "how much of the example is added", "{tau:.3g}", "step"),
    Symbol("C", "aggressiveness", "the most that one example may change", "{C:.3g}"),
)


def lines(params) -> Lines:
    kernelised = params["kernel"] is not None
    return Lines(
        draw=Line(sampling.written(params["sampling"]), "i = {i}", "draw"),
        measure=Line(
            f"ℓ ← max(0, 1 − y[i] {'Σ α[j] y[j] K[j, i]' if kernelised else '⟨w, x[i]⟩'})",
            "ℓ = {loss:.2f}",
            "measure",
        ),
        clip=Line(
            f"τ ← min(C, ℓ / {'K[i, i]' if kernelised else '‖x[i]‖²'})", "τ = {tau:.3g}", "clip"
        ),
        add=Line(
            "α[i] ← α[i] + τ" if kernelised else "w ← w + τ y[i] x[i]", "‖w‖ = {norm:.2f}", "add"
        ),
    )


@bare
def steps(at, y, diagonal, C, order, margin, delta, loss, tau, kernel_evals, features):
    """All iterations, each written into its row of the columns"""
    for s in range(order.shape[0]):
        i = order[s, 0]
        f, kernel_evals[s] = respond(at, i)
        margin[s, 0] = y[i] * f + 0.0  # a zero has no sign
        loss[s] = max(0.0, 1.0 - margin[s, 0])
        tau[s] = min(C, loss[s] / diagonal[i]) if diagonal[i] > 0.0 else 0.0
        delta[s, 0] = tau[s] * y[i] if tau[s] > 0.0 else 0.0
        features[s] = matrix.nonzeros(at.rows, i)
        add(at, i, delta[s, 0])


def run(problem, params, order, start, active) -> tuple[Record, None]:
    """Steps t + 1, t + 2, ... from where the segment begins."""
    at, count, C = (
        expansion(problem.X, params["kernel"], start.coef.copy()),
        len(order),
        params["C"],
    )
    margin, delta, loss, tau = (np.empty(shape) for shape in 2 * [(count, 1)] + 2 * [count])
    kernel_evals, features = np.zeros(count, np.int64), np.zeros(count, np.int64)
    steps(
        at,
        problem.y,
        kernels.diagonal(at.kernel, at.rows),
        C,
        order,
        margin,
        delta,
        loss,
        tau,
        kernel_evals,
        features,
    )
    why = np.where(
        loss <= 0.0,
        WHY.passive,
        WHY.pays | np.where(tau <= 0.0, 0, np.where(tau < C, WHY.whole, WHY.capped)),
    )
    return (
        Record(
            order,
            margin,
            each(np.ones(count), order, delta),
            lines(params).ran(count, add=tau > 0.0),
            why,
            kernel_evals,
            features,
            {"loss": loss, "tau": tau, "C": np.full(count, C)},
        ),
        None,
    )


PA1 = Solver(
    key="pa1",
    title="Passive Aggressive I",
    paper="Crammer, Dekel, Keshet, Shalev-Shwartz, Singer 2006",
    params=(
        Param(
            "C",
            "C",
            1.0,
            1e-5,
            1e4,
            "Upper end of τ: the most that one example may change.",
            log=True,
            title="aggressiveness",
        ),
        Param(
            "kernel",
            "K",
            None,
            help="Without a kernel w is a vector; with one it is a sum over examples.",
            title="kernel",
        ),
        Param(
            "sampling",
            "",
            sampling.SCHEMES[1],
            options=sampling.SCHEMES,
            title="sampling",
            help="How examples are drawn. The paper takes them as they come.",
        ),
        Param(
            "iterate",
            "",
            "last",
            options=("last", "average"),
            title="iterate",
            help="Which w is drawn: the last, or the mean of all so far.",
        ),
        *of_bias(),
    ),
    algorithm=Algorithm(
        run=run,
        work=lambda n, d, params: n * kernels.COST if params["kernel"] else d,
        start=lambda problem, params, active: {"loss": 1.0, "tau": 0.0, "C": params["C"]},
    ),
    story=Story(
        figure=lambda params: f"Figure 1, PA-I{', kernelised' if params['kernel'] else ''}",
        lines=lines,
        why=WHY,
        questions=(questions.CHANGES, questions.PAYS, questions.LINE),
        symbols=SYMBOLS,
    ),
    goal=Goal(objective="hinge"),
    # w has turned just so far that the line of margin 1 goes through the point
    uses=Uses(opening="data=blobs&n=80&noise=0.8&C=1&seed=1&T=200&t=51&beat=add"),
)
