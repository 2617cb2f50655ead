"""The online Perceptron: every example once, and w changes only by mistakes,

    w ← w + y_i phi(x_i)   if   y_i <w, phi(x_i)> <= 0.

Rosenblatt: "The perceptron", Psychological Review 65 (1958); a rival of the stochastic batch
perceptron (Cotter, Shalev-Shwartz, Srebro 2012, Section 4.5 and Appendix D.3). With M mistakes a
pass costs at most M kernel evaluations a step.

It has no λ and converges to no point of the Pareto front, so there is no optimum to compare with:
what is counted are the mistakes. Their bound, for every u, is  Σ loss(u) + r |u| √Σ loss(u) + r²
|u|²  over the examples seen. What it says about unseen data holds for a single pass; further passes
are run, as in the paper, but without any guarantee. An example adds y_i each time it is mistaken:
alpha_i counts its mistakes.
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
from svmviz.record.symbols import CONSTANT, shared
from svmviz.theory import bounds


def lines(params) -> Lines:
    """Return the update, with or without a kernel."""
    kernelised = params["kernel"] is not None
    return Lines(
        draw=Line("i ← next example in random order", "i = {i}, pass {pass}", "draw"),
        measure=Line(
            f"m ← y[i]{' Σ α[j] y[j] K[j, i]' if kernelised else '⟨w, x[i]⟩'}",
            "m = {margin:.2f}",
            "measure",
        ),
        add=Line(
            f"if m ≤ 0: {'α[i] ← α[i] + 1' if kernelised else 'w ← w + y[i] x[i]'}",
            "{mistakes} mistakes",
            "add",
        ),
    )


WHY = Sentences(
    start=Sentence(
        "Nothing has been seen yet: w = 0, and a margin of 0 counts as a mistake.",
        "Nothing seen yet.",
        "w = 0: m = y f(x) = 0 ≤ 0 for all x.",
    ),
    right=Sentence(
        "Point {i} ({label}) has margin *{margin:.2f}*, above 0: it is on its own side, and w stays"
        " as it is.",
        "Right side: nothing to do.",
        "m = y f(x) = *{margin:.2f}* > 0: w ← w.",
    ),
    mistake=Sentence(
        "Point {i} ({label}) has margin *{margin:.2f}*, not above 0: mistake number {mistakes}, and"
        " y x is added to w.",
        "Wrong side: add it.",
        "m = y f(x) = *{margin:.2f}* ≤ 0: w ← w + y x, y = {label}; {mistakes} mistakes in {t}"
        " steps.",
    ),
    later=Sentence(
        "Pass {pass}: the guarantee was for the first.",
        "",
        "t = {t} > n = {n}: the bound on the mistakes holds for one pass only.",
    ),
)


@bare
def steps(at, y, order, margin, delta, kernel_evals, features):
    """All iterations, each written into its row of the columns"""
    for s in range(order.shape[0]):
        i = order[s, 0]
        f, kernel_evals[s] = respond(at, i)
        margin[s, 0] = y[i] * f + 0.0  # a zero has no sign
        delta[s, 0] = y[i] if margin[s, 0] <= 0.0 else 0.0
        features[s] = matrix.nonzeros(at.rows, i)
        add(at, i, delta[s, 0])


def run(problem, params, order, start, active) -> tuple[Record, None]:
    """Steps t + 1, t + 2, ... from where the segment begins."""
    count = len(order)
    margin, delta = np.empty((count, 1)), np.empty((count, 1))
    kernel_evals, features = np.zeros(count, np.int64), np.zeros(count, np.int64)
    steps(
        expansion(problem.X, params["kernel"], start.coef.copy()),
        problem.y,
        order,
        margin,
        delta,
        kernel_evals,
        features,
    )

    wrong, passes = delta[:, 0] != 0.0, 1 + np.arange(start.t, start.t + count) // active.size
    why = np.where(wrong, WHY.mistake, WHY.right) | np.where(passes > 1, WHY.later, 0)
    mistakes = np.abs(start.coef).sum() + np.cumsum(wrong)
    return (
        Record(
            order,
            margin,
            each(np.ones(count), order, delta),
            lines(params).ran(count, add=wrong),
            why,
            kernel_evals,
            features,
            {"mistakes": mistakes, "pass": passes},
        ),
        None,
    )


def values(trace, t) -> dict:
    """The live quantities of step t."""
    if t == 0:
        return {"t": 0}
    segment = trace.segment(t)
    row = t - segment.start - 1
    i = int(segment.record.drawn[row, 0])
    return {
        "t": t,
        "i": i + 1,
        "label": "+1" if trace.problem.y[i] > 0 else "−1",
        "hits": int(segment.record.delta[row, 0] != 0),
        "margin": float(segment.record.margin[row, 0]),
        "mistakes": int(trace.scalars["mistakes"][t]),
        "pass": int(trace.scalars["pass"][t]),
        "n": len(segment.active),
    }


PERCEPTRON = Solver(
    key="perceptron",
    title="Perceptron",
    paper="Rosenblatt 1958",
    params=(
        Param(
            "kernel",
            "K",
            None,
            help="Without a kernel w is a vector; with one it is a sum over the mistakes.",
            title="kernel",
        ),
        Param(
            "sampling",
            "",
            sampling.SCHEMES[1],
            options=sampling.SCHEMES[1:],
            title="sampling",
            help="The order of further passes: new for each, or that of the first.",
        ),
        *of_bias(),
    ),
    algorithm=Algorithm(
        run=run,
        work=lambda n, d, params: n * kernels.COST if params["kernel"] else d,
        start=lambda problem, params, active: {"mistakes": 0, "pass": 1},
    ),
    story=Story(
        figure=lambda params: "SBP paper, Section 4.5",
        lines=lines,
        why=WHY,
        values=values,
        questions=(questions.CHANGES, questions.MISTAKE, questions.LINE),
        symbols=(*shared("t i j n x y w f m α K"), *CONSTANT),
    ),
    goal=Goal(objective="mistakes", bound=bounds.perceptron),
    # a mistake, before w has turned, and another right after it
    uses=Uses(opening="data=separable&n=100&margin=0.05&seed=5&T=200&t=23&beat=measure"),
)
