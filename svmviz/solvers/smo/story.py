"""The story of sequential minimal optimisation: pseudo-code, sentences and the values in them."""

import numpy as np

from svmviz.maths import kernels
from svmviz.record import questions
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.symbols import Symbol, shared


def lines(params) -> Lines:
    """Return a step on a pair or, without a bias, on one coefficient."""
    if not params["bias"]:
        return Lines(
            draw=Line(
                "i ← argmax gain of a step on α[i] alone", "i = {i}, m = {margin:.3f}", "draw"
            ),
            clip=Line(
                "α ← clip(α[i] + (1 − m)/K[i, i], 0, C)", "α = {new:.3g}, C = {C:.3g}", "clip"
            ),
            add=Line("f ← f + (α − α[i]) y[i] K[i, ·], α[i] ← α", "{evals} kernel evals", "add"),
        )
    return Lines(
        draw=Line("i ← argmax g over what can rise", "i = {i}, g = {g:.3f}", "draw"),
        partner=Line("j ← argmax (g[i] − g[j])²/κ, can fall", "j = {j}, g = {g_j:.3f}", "measure"),
        clip=Line("δ ← min((g[i] − g[j])/κ, room in both boxes)", "δ = {move:.3g}", "clip"),
        add=Line("β[i] ← β[i] + δ, β[j] ← β[j] − δ, β = yα", "α = {new:.3g}, {new_j:.3g}", "add"),
        lift=Line("g ← g − δ (K[i, ·] − K[j, ·])", "{evals} kernel evals", "lift"),
        offset=Line("b ← middle of what all ask for", "b = {b:.3f}", "offset"),
    )


WHY = Sentences(
    start=Sentence(
        "Nothing has moved yet: every α is 0, so that w = 0, and the dual stands at 0 while the"
        " primal is 1.",
        "Nothing moved yet.",
        "α = 0: w = 0, D = 0, P = 1.",
    ),
    pair=Sentence(
        "Point {i} ({label}) asks for b ≥ {g:.5g}, point {j} ({label_j}) for b ≤ {g_j:.5g}: they"
        " disagree by *{apart:.3g}*.",
        "Points {i} and {j} disagree most.",
        "g[i] = {g:.3g}, g[j] = {g_j:.3g}: g[i] − g[j] = *{apart:.3g}*, "
        "κ = K[i, i] + K[j, j] − 2 K[i, j] = {kappa:.3g}.",
    ),
    agree=Sentence(
        "Moving their coefficients by {move:.3g} makes them agree.",
        "Now they agree.",
        "δ = (g[i] − g[j])/κ = {move:.3g}: β[i] + δ, β[j] − δ.",
    ),
    stopped=Sentence(
        "Their boxes allow a move of {move:.3g}, and {left:.3g} is left between them.",
        "The boxes stop them.",
        "δ = room in the boxes = {move:.3g} < (g[i] − g[j])/κ: {left:.3g} is left.",
    ),
    single=Sentence(
        "No α gains more than that of point {i} ({label}), margin *{margin:.3f}*: it moves from"
        " {old:.3g≠new} to {new:.3g≠old}.",
        "Point {i} gains most.",
        "Largest gain of D: α = {old:.3g≠new}, m = *{margin:.3f}*, K[i, i] = {K_ii:.3g}: α + (1 −"
        " m)/K[i, i].",
    ),
    to_one=Sentence(
        "That brings the margin to exactly 1.", "To a margin of 1.", "α ← {new:.3g≠old}, m = 1."
    ),
    to_end=Sentence(
        "There its box ends, with the margin at {lifted:.3f}.",
        "Its box ends there.",
        "Clipped to [0, C] = [0, {C:.3g}]: α ← {new:.3g≠old}, m = {lifted:.3f}.",
    ),
    optimal=Sentence(
        "Optimal to 10⁻¹⁰: no step within the boxes raises the dual, and nothing moves.",
        "Optimal: nothing moves.",
        "Largest violation < 10⁻¹⁰: δ = 0.",
    ),
    shrunk=Sentence(
        "Before that the box had become smaller, or the coefficients were no longer allowed: all"
        " were scaled by {factor:.3f}.",
        "All α scaled first.",
        "Before that: α ← {factor:.3f} α.",
    ),
)
QUESTIONS = (
    questions.ALPHA,
    questions.Question(
        "mover",
        "{which} of these coefficients {moves} in step {step}?",
        "{picks}. A coefficient can gain if its margin is off and its box leaves room.",
        "{reason} {mistaken}",
        "{reason} {mistaken}",
        "clip",
    ),
    questions.GAP,
)
SYMBOLS = (
    *shared("t i n x y w f m λ K b C P P* D"),
    Symbol("j", "partner", "the example whose α falls as the other rises", "{j}", "drawn"),
    Symbol(
        "g",
        "asked bias",
        "the b for which this margin would be 1",
        "{g:.3f} of example {i}",
        "drawn",
    ),
    Symbol("κ", "curvature", "squared distance of both examples, as the kernel sees it"),
    Symbol("δ", "move", "how far both coefficients move", "{move:.3g}", "alphas"),
    Symbol(
        "α",
        "coefficients",
        "how much of each example w is made of",
        "{new:.3g} of example {i}",
        "alphas",
    ),
    Symbol(
        "β", "signed coefficients", "y α: the coefficient with the sign of its class", "", "alphas"
    ),
)


def values(trace, t) -> dict:
    """The live quantities of step t; those that end in _j belong to the partner."""
    if t == 0:
        return {"t": 0}
    segment = trace.segment(t)
    record, row, problem = segment.record, t - segment.start - 1, trace.problem
    places, change, factor, coef = (
        record.drawn[row],
        record.delta[row],
        float(record.factor[row]),
        trace.at(t - 1).coef,
    )
    y, old = problem.y[places], factor * np.abs(coef[places])
    new, g = np.abs(factor * coef[places] + change), y - y * record.margin[row]
    K = kernels.gram(trace.kernel(t), problem.X[places])
    move, apart, kappa = (
        float(abs(change[0])),
        float(g[0] - g[-1]),
        float(K[0, 0] + K[-1, -1] - 2 * K[0, -1]),
    )
    return {
        "t": t,
        "i": int(places[0]) + 1,
        "j": int(places[-1]) + 1,
        "hits": int((change != 0).sum()),
        "label": "+1" if y[0] > 0 else "−1",
        "label_j": "+1" if y[-1] > 0 else "−1",
        "margin": float(record.margin[row, 0]),
        "old": float(old[0]),
        "new": float(new[0]),
        "new_j": float(new[-1]),
        "g": float(g[0]),
        "g_j": float(g[-1]),
        "C": 1.0 / (segment.params["lam"] * len(segment.active)),
        "move": move,
        "apart": apart,
        "left": max(0.0, apart - move * kappa),
        "kappa": kappa,
        "K_ii": float(K[0, 0]),
        "b": float(trace.scalars["b"][t]),
        "lifted": float(record.margin[row, 0] + y[0] * change[0] * K[0, 0]),
        "evals": int(record.kernel_evals[row]),
        "factor": factor,
    }
