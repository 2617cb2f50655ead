"""SGD with a constant step: the steps of Pegasos, but all of one length,

    w ← (1 - η λ) w + η y_i phi(x_i) [y_i <w, phi(x_i)> < 1].

Zhang: "Solving large scale linear prediction problems using stochastic gradient descent
algorithms", ICML 2004; the rival in Figure 9 of the Pegasos paper. With a step that never shrinks w
comes fast into the neighbourhood of the optimum and then goes on to swing about it, the wider the
larger η; the average of all w comes closer.
"""

import numpy as np

from svmviz.data.constant import of_bias
from svmviz.data.params import Param
from svmviz.maths import kernels, matrix, sampling
from svmviz.maths.kernels.weights import add, expansion, respond, scale
from svmviz.maths.machine.jit import bare
from svmviz.record import questions
from svmviz.record.changes import each
from svmviz.record.outcome import Record
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Algorithm, Goal, Solver, Story, Uses
from svmviz.record.symbols import CONSTANT, shared
from svmviz.theory import biases, reference

SHRUNK = "w ← (1 − ηλ) w = (1 − {eta:g} · {lam:g}) w = {factor:.4g} w"
WHY = Sentences(
    start=Sentence(
        "Nothing has been drawn yet: w = 0 leaves every point a loss of 1.",
        "Nothing drawn yet.",
        "w = 0: m = 0 for all x, and P = λ/2 · 0 + 1 = 1.",
    ),
    free=Sentence(
        "Point {i} ({label}) has margin *{margin:.2f}*, at least 1: it costs nothing, and w only"
        " shrinks, by 1 − ηλ = {factor:.4g}.",
        "Far enough: only shrink.",
        "m = y f(x) = *{margin:.2f}* ≥ 1: " + SHRUNK + ".",
    ),
    pays=Sentence(
        "Point {i} ({label}) has margin *{margin:.2f}*, below 1: w takes a step of η = {eta:g}"
        " along y x, as long as in the first step.",
        "Too close: swing, as far as ever.",
        "m = y f(x) = *{margin:.2f}* < 1: w ← (1 − ηλ) w + η y x = {factor:.4g} w + {eta:g} y x,"
        " ‖w‖ = {norm:.2f}.",
    ),
)


def lines(params) -> Lines:
    inner = "Σ α[j] y[j] K[j, i]" if params["kernel"] else "⟨w, x[i]⟩"
    return Lines(
        draw=Line(sampling.written(params["sampling"]), "i = {i}", "draw"),
        measure=Line(f"m ← y[i] {inner}", "m = {margin:.2f}", "measure"),
        shrink=Line("w ← (1 − ηλ) w", "× {factor:.4g}", "shrink"),
        add=Line("if m < 1: w ← w + η y[i] x[i]", "‖w‖ = {norm:.2f}", "add"),
    )


@bare
def steps(at, y, eta, factor, order, margin, delta, kernel_evals, features):
    """All iterations, each written into its row of the columns"""
    for s in range(order.shape[0]):
        i = order[s, 0]
        f, kernel_evals[s] = respond(at, i)
        margin[s, 0] = y[i] * f + 0.0  # a zero has no sign
        delta[s, 0] = eta * y[i] if margin[s, 0] < 1.0 else 0.0
        features[s] = matrix.nonzeros(at.rows, i)
        scale(at, factor)
        add(at, i, delta[s, 0])


def run(problem, params, order, start, active) -> tuple[Record, None]:
    """Steps t + 1, t + 2, ... from where the segment begins."""
    at, count = expansion(problem.X, params["kernel"], start.coef.copy()), len(order)
    eta, factor = params["eta"], 1.0 - params["eta"] * params["lam"]
    margin, delta = np.empty((count, 1)), np.empty((count, 1))
    kernel_evals, features = np.zeros(count, np.int64), np.zeros(count, np.int64)
    steps(at, problem.y, eta, factor, order, margin, delta, kernel_evals, features)
    pays = delta[:, 0] != 0.0
    return (
        Record(
            order,
            margin,
            each(np.full(count, factor), order, delta),
            lines(params).ran(count, add=pays),
            np.where(pays, WHY.pays, WHY.free),
            kernel_evals,
            features,
            {"eta": np.full(count, eta), "factor": np.full(count, factor)},
        ),
        None,
    )


def refuse(params) -> None:
    if params["eta"] * params["lam"] >= 1.0:
        raise ValueError(
            f"ηλ must be below 1, or w would swing beyond 0, got {params['eta'] * params['lam']:g};"
            " lower η or λ"
        )


SGD = Solver(
    key="sgd",
    title="Constant step SGD",
    paper="Zhang 2004",
    params=(
        Param(
            "lam",
            "λ",
            0.01,
            1e-6,
            10.0,
            "Weight of the regulariser.",
            log=True,
            title="regularisation",
        ),
        Param("eta", "η", 0.1, 1e-4, 100.0, "Length of every step.", log=True, title="step"),
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
            sampling.SCHEMES[0],
            options=sampling.SCHEMES,
            title="sampling",
            help="How examples are drawn.",
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
        work=lambda n, d, params: n * (1 + kernels.COST * (params["kernel"] is not None)) + d,
        start=lambda problem, params, active: {"eta": params["eta"], "factor": 1.0},
        refuse=refuse,
    ),
    story=Story(
        figure=lambda params: "Pegasos paper, Figure 9",
        lines=lines,
        why=WHY,
        questions=(questions.SWING, questions.PAYS, questions.ANSWER, questions.LINE),
        symbols=(*shared("t i j n x y w w̄ f m λ η α K P P*"), *CONSTANT),
    ),
    goal=Goal(
        optimum=lambda problem, params: reference.optimum(problem, params["lam"], params["kernel"]),
        beside=biases.without_a_price,
    ),
    # near the optimum, and thrown out of it by a step as long as the first
    uses=Uses(
        weighs=True, opening="data=blobs&n=80&noise=1.0&lam=0.05&eta=0.3&seed=3&T=200&t=81&beat=add"
    ),
)
