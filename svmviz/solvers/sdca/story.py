"""The story of dual coordinate ascent: pseudo-code, sentences and the values in them."""

from svmviz.maths import kernels, matrix, sampling
from svmviz.maths.losses import LOGISTIC, SMOOTHED, SQUARED, loss_of, value
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.symbols import CONSTANT, Symbol, shared
from svmviz.work.words import fill


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
