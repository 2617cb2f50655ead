"""Dual coordinate ascent for regression: one example, one coefficient, the exact maximum of the
dual along it.

    D(α) = λ (Σ α_i y_i - ε Σ |α_i| - 1/2 |w|²),   w = Σ α_i phi(x_i),   -C <= α_i <= C = 1/(λ n),

for the ε-insensitive loss; r²/2 puts α_i²/(2C) in place of ε |α_i|, and has no box.

Ho, Lin: "Large-scale linear support vector regression", JMLR 13 (2012); the steps are those of
`sdca` with coefficients of both signs. Along α_i the dual is a parabola with a kink at 0. Its top
is where the residual of example i stands on the nearer rim of the tube, at 0 where it is within
without it, or at the end of the box on the way.
"""

import numpy as np

from svmviz.data.constant import of_bias
from svmviz.data.params import Param
from svmviz.maths import kernels, matrix, sampling
from svmviz.maths.dual import coordinate
from svmviz.maths.kernels.weights import add, expansion, respond
from svmviz.maths.losses import SQUARE, loss_of
from svmviz.maths.machine.jit import bare
from svmviz.record import questions
from svmviz.record.changes import each
from svmviz.record.outcome import Record
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Algorithm, Goal, Solver, Space, Story, Uses
from svmviz.record.symbols import CONSTANT, Symbol, shared
from svmviz.solvers.regression.algorithm import optimum
from svmviz.solvers.regression.solver import of_residuals
from svmviz.solvers.regression.story import COST, EPSILON, R, Y
from svmviz.solvers.sdca.algorithm import shrunk
from svmviz.solvers.sdca.story import SCALED

POINT = "At point {i} the residual is *{r:.3g}*"
FOUND = "α = {old:.3g≠new}, r = *{r:.3g}*, K[i, i] = {K_ii:.3g}: "
GAP = " P − D = {gap:.3g}."
WHY = Sentences(
    start=Sentence(
        "Nothing has been drawn yet: every α is 0, so that f = 0; the dual stands at 0, the primal"
        " at {first:.3g}.",
        "Nothing drawn yet.",
        "α = 0: w = 0, D = 0, P = λ/2 · 0 + mean ℓ(−y) = {first:.3g}.",
    ),
    to_rim=Sentence(
        POINT
        + ": its α moves from {old:.3g≠new} to {new:.3g≠old}, which brings the residual to the rim,"
        " {after:.3g}.",
        "To the rim of the tube.",
        FOUND + "α ← {new:.3g≠old}, and r becomes {after:.3g}." + GAP,
    ),
    to_c=Sentence(
        POINT
        + ", and even with α at the end of its box, {new:.3g≠old}, it is {after:.3g}: there α goes,"
        " from {old:.3g≠new}.",
        "To the end of its box.",
        FOUND + "the top is beyond: α ← {new:.3g≠old}, C = {C:.3g}." + GAP,
    ),
    to_0=Sentence(
        POINT
        + ", and without its α it is {after:.3g}, within the tube: its α goes from {old:.3g} to 0.",
        "Not needed any more: α to 0.",
        FOUND + "r − α K[i, i] = {after:.3g}, within ±ε: α ← 0." + GAP,
    ),
    at_0=Sentence(
        POINT + ", within the tube, and its α is 0: there is nothing to do.",
        "In the tube: stays.",
        "α = 0 and |r| = |*{r:.3g}*| ≤ ε: α stays." + GAP,
    ),
    at_c=Sentence(
        POINT + ", but its α is at the end of its box already, {old:.3g}: it has no more to give.",
        "At the end of its box: stays.",
        "|α| = C = {C:.3g} and r = *{r:.3g}*: α stays." + GAP,
    ),
    to_top=Sentence(
        POINT + ": along its α, now {old:.3g≠new}, the dual is highest at {new:.3g≠old}, where the"
        " residual is {after:.3g}.",
        "To the top of the dual.",
        FOUND + "α ← {new:.3g≠old}, where r = {after:.3g} = −α/C." + GAP,
    ),
    shrunk=SCALED,
)
SYMBOLS = (
    *shared("t i j n x w λ K C P P* D"),
    *CONSTANT,
    Y,
    R,
    EPSILON,
    COST,
    Symbol(
        "soft", "soft threshold", "the first, nearer to 0 by the second, not beyond", "", "alphas"
    ),
    Symbol("f", "prediction", "what is said of the target at x", "", "boundary"),
    Symbol(
        "α",
        "coefficients",
        "how much of each example w is made of",
        "{new:.3g} of example {i}",
        "alphas",
    ),
)


def lines(params) -> Lines:
    """Return the step, with or without a kernel."""
    kernelised = params["kernel"] is not None
    best = (
        "α ← α[i] − (r + α[i]/C)/(K[i, i] + 1/C)"
        if loss_of(params).kind == SQUARE
        else "α ← soft(α[i] − r/K[i, i], ε/K[i, i]) in ±C"
    )
    return Lines(
        draw=Line(sampling.written(params["sampling"]), "i = {i}", "draw"),
        measure=Line(
            f"r ← {'Σ α[j] K[j, i]' if kernelised else '⟨w, x[i]⟩'} − y[i]",
            "r = {r:.3g}",
            "measure",
        ),
        clip=Line(best, "α = {new:.3g}", "clip"),
        add=Line(
            "α[i] ← α" if kernelised else "w ← w + (α − α[i]) x[i], α[i] ← α",
            "P − D = {gap:.3g}",
            "add",
        ),
    )


@bare
def steps(at, y, C, loss, diagonal, order, residual, delta, old, kernel_evals, features):
    """All iterations, each written into its row of the columns"""
    for s in range(order.shape[0]):
        i = order[s, 0]
        f, kernel_evals[s] = respond(at, i)
        residual[s, 0], old[s] = f - y[i], at.coef[i]
        delta[s, 0] = coordinate(loss, old[s], residual[s, 0], diagonal[i], C) - old[s]
        features[s] = matrix.nonzeros(at.rows, i)
        add(at, i, delta[s, 0])


def run(problem, params, order, start, active) -> tuple[Record, None]:
    """Steps t + 1, t + 2, ... from where the segment begins."""
    count, C, loss = len(order), 1.0 / (params["lam"] * active.size), loss_of(params)
    factor, top = np.ones(count), C * loss.steepest
    factor[0] = shrunk(problem, start.coef, active, top)
    at = expansion(problem.X, params["kernel"], factor[0] * start.coef)
    residual, delta, old = np.empty((count, 1)), np.empty((count, 1)), np.empty(count)
    kernel_evals, features = np.zeros(count, np.int64), np.zeros(count, np.int64)
    steps(
        at,
        problem.y,
        C,
        loss,
        kernels.diagonal(at.kernel, at.rows),
        order,
        residual,
        delta,
        old,
        kernel_evals,
        features,
    )

    moved, new, rim = (
        delta[:, 0] != 0.0,
        np.abs(old + delta[:, 0]),
        WHY.to_top if loss.kind == SQUARE else WHY.to_rim,
    )
    why = np.where(
        moved,
        np.where(new <= 1e-12 * C, WHY.to_0, np.where(new >= top * (1 - 1e-12), WHY.to_c, rim)),
        np.where(old == 0.0, WHY.at_0, np.where(np.abs(old) >= top * (1 - 1e-12), WHY.at_c, rim)),
    )
    why = np.where((loss.kind == SQUARE) & (why == WHY.to_0), rim, why)
    return (
        Record(
            order,
            residual,
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
        return {"t": 0, "first": float(trace.metrics["hinge"][0])}
    i, r, factor = (
        int(record.drawn[row, 0]),
        float(record.margin[row, 0]),
        float(record.factor[row]),
    )
    old, change = factor * float(trace.at(t - 1).coef[i]), float(record.delta[row, 0])
    K_ii = float(kernels.diagonal(trace.kernel(t), matrix.rows(trace.problem.X[i : i + 1]))[0])
    return {
        "t": t,
        "i": i + 1,
        "target": float(trace.problem.y[i]),
        "r": r,
        "hits": int(change != 0.0),
        "old": old,
        "new": old + change,
        "K_ii": K_ii,
        "after": r + change * K_ii,
        "factor": factor,
        "C": 1.0 / (segment.params["lam"] * len(segment.active)),
        "gap": float(trace.metrics["gap"][t]),
    }


SVR = Solver(
    key="svr",
    title="Dual ascent for regression",
    paper="Ho, Lin 2012",
    params=(
        Param(
            "lam",
            "λ",
            0.01,
            1e-6,
            10.0,
            "Weight of the regulariser. Smaller: a larger box [−C, C], C = 1/(λn).",
            log=True,
            title="regularisation",
        ),
        Param(
            "kernel",
            "K",
            None,
            help="Without a kernel w is a vector; with one it is a sum over support vectors.",
            title="kernel",
        ),
        *of_residuals(),
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
            "Dual coordinate descent" + (", kernelised" if params["kernel"] is not None else "")
        ),
        lines=lines,
        why=WHY,
        values=values,
        questions=(questions.PULL, questions.GAP),
        symbols=SYMBOLS,
    ),
    goal=Goal(dual=True, optimum=optimum),
    space=Space(real=True),
    # a coefficient that would go beyond its box
    uses=Uses(
        opening="data=sine&n=80&noise=0.15&data_seed=0&kernel=rbf(gamma=4.0)&lam=0.02&epsilon=0.2&seed=3&T=300&t=53&beat=clip"
    ),
)
