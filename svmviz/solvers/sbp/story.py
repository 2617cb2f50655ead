"""The story of the Stochastic Batch Perceptron: pseudo-code, sentences and the values in them."""

import math

from svmviz.maths import kernels, matrix
from svmviz.record.questions import Question
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.symbols import Symbol, shared


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
