"""The story of Pegasos: pseudo-code, sentences and the values in them."""

import math

import numpy as np

from svmviz.maths import sampling
from svmviz.maths.losses import HINGE, LOGISTIC, in_ball, loss_of, value
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.symbols import CONSTANT, Symbol, shared
from svmviz.work.words import times


def lines(params) -> Lines:
    """Return Fig. 1, 2 or 3, whichever the parameters select."""
    one, kernelised, hinge = (
        params["k"] == 1,
        params["kernel"] is not None,
        loss_of(params).kind == HINGE,
    )
    inner = " Σ α[j] y[j] K[j, i]" if kernelised else "⟨w, x[i]⟩"
    much = ("+ η" if hinge else "− η ℓ′(m)").replace("η", "η" if one else "(η/k)")
    whom = (
        ("if m < 1: " if hinge else "")
        if one
        else "for i in A, m < 1: "
        if hinge
        else "for i in A: "
    )
    add = f"{whom}α[i] ← α[i] {much}" if kernelised else f"{whom}w ← w {much} y[i] x[i]"
    listed = Lines(
        draw=Line(sampling.written(params["sampling"], params["k"]), "{drawn}", "draw"),
        measure=Line(f"m ← y[i]{inner}, η ← 1/(λt)", "m = {margin:.2f}, η = {eta:.3g}", "measure"),
        shrink=Line(
            "α ← (1 − 1/t) α" if kernelised else "w ← (1 − 1/t) w",
            "‖w‖ = {norm_shrunk:.2f}",
            "shrink",
        ),
        add=Line(add, "‖w‖ = {norm_added:.2f}", "add"),
    )
    if not in_ball(params):
        return listed
    pull = "α ← min(1, r/‖w‖) α" if kernelised else "w ← min(1, r/‖w‖) w"
    return listed | Lines(project=Line(pull, "‖w‖ = {norm:.2f}", "project"))


SHRINKS = "w only shrinks, by 1 − 1/t = {shrink:.3f}."
PULLS = Sentence(
    "It is pulled back onto the ball, from {norm_added:.2f≠radius} to {radius:.2f≠norm_added}.",
    "Back onto the ball.",
    "‖w‖ > r: w ← {radius:.2f≠norm_added}/{norm_added:.2f≠radius} w.",
)
SHRUNK = "(1 − 1/{t}) w = {shrink:.3f} w"
ADDED = "(1 − 1/{t}) w + "
STEPS = (
    "m = y f(x) = *{margin:.2f}* < 1, η = 1/(λt) = 1/({lam:.3g} · {t}): w ← "
    + ADDED
    + "η y x = {shrink:.3f} w + {eta:.3g} y x."
)
WHY = Sentences(
    start=Sentence(
        "Nothing has been drawn yet: w = 0, so every point has margin 0 and pays a loss of"
        " {first:.3g}.",
        "Nothing drawn yet.",
        "w = 0: f(x) = 0 for all x, and P = λ/2 · 0 + ℓ(0) = {first:.3g}.",
    ),
    free=Sentence(
        "Point {i} ({label}) has margin *{margin:.2f}*, {enough}, and " + SHRINKS,
        "Far enough: only shrink.",
        "m = y f(x) = *{margin:.2f}*, ℓ′(m) = 0: w ← " + SHRUNK + ", ‖w‖ = {norm_shrunk:.3f}.",
    ),
    inside=Sentence(
        "Point {i} ({label}) is on the right side, but its margin *{margin:.2f}* is below 1: "
        "w takes a step of η = {eta:.3g} towards it.",
        "Right side, but too close: swing.",
        STEPS,
    ),
    wrong=Sentence(
        "Point {i} ({label}) is on the wrong side, margin *{margin:.2f}*: w takes a step of η ="
        " {eta:.3g} along y x.",
        "Wrong side: swing.",
        STEPS,
    ),
    all_free=Sentence(
        "Each of the {k} {batch} has margin at least 1 (lowest *{margin:.2f}*, point {i}): "
        + SHRINKS,
        "All far enough: only shrink.",
        "min m = *{margin:.2f}* ≥ 1: w ← " + SHRUNK + ", ‖w‖ = {norm_shrunk:.3f}.",
    ),
    some_pay=Sentence(
        "*{hits}* of {k} {batch} with a margin below 1 (lowest *{margin:.2f}*, point {i}): "
        "w takes a step of η/k = {eta_k:.3g} along each y x.",
        "{hits} of {k} too close: swing.",
        "m < 1 for *{hits}* of {k}, η/k = 1/(λtk): w ← "
        + ADDED
        + "(η/k) Σ y x over these = {shrink:.3f} w + {eta_k:.3g} Σ y x.",
    ),
    pulled=PULLS,
    falls=Sentence(
        "Point {i} ({label}) has margin *{margin:.2f}*, where the loss falls with slope {fall:.3g}:"
        " w takes a step of {times}η = {step:.3g} along y x.",
        "The loss falls that way: swing.",
        "m = y f(x) = *{margin:.2f}*, −ℓ′(m) = {fall:.3g}, η = 1/(λt) = {eta:.3g}: w ← "
        + ADDED
        + "(−ℓ′(m)) η y x = {shrink:.3f} w + {step:.3g} y x.",
    ),
    all_fall=Sentence(
        "At the {k} {batch} the loss falls with slope {fall:.3g} on average (lowest margin"
        " *{margin:.2f}*): each adds η/k = {eta_k:.3g} times its slope along y x.",
        "The losses fall that way: swing.",
        "−ℓ′(m) = {fall:.3g} on average, η/k = 1/(λtk): w ← "
        + ADDED
        + "(η/k) Σ (−ℓ′(m)) y x, η/k = {eta_k:.3g}.",
    ),
    falls_pulled=PULLS,  # again, as sentences are spoken in order and the pull comes last
)
SYMBOLS = (
    *shared("t i j n x y w w̄ f m λ η α K ℓ ℓ′ s r P P* w*"),
    *CONSTANT,
    Symbol("k", "mini-batch", "examples drawn in a step", "{k}", "drawn"),
    Symbol("A", "examples drawn", "those that this step looks at", "", "drawn"),
)


def values(trace, t) -> dict:
    """The live quantities of step t. For a mini-batch, the example with the lowest margin stands
    for it.
    """
    segment = trace.segment(t)
    record, row, params = segment.record, t - segment.start - 1, segment.params
    if t == 0:
        return {"t": 0, "first": value(loss_of(params), 0.0)}
    worst = int(np.argmin(record.margin[row]))
    i, k = int(record.drawn[row, worst]), record.drawn.shape[1]
    norm, pull, eta = (
        trace.metrics["norm"],
        float(record.own["project"][row]),
        1.0 / (params["lam"] * t),
    )
    shrink, step = 1.0 - 1.0 / t, float(np.abs(record.delta[row]).sum()) / pull
    different = np.unique(record.drawn[row]).size
    return {
        "t": t,
        "i": i + 1,
        "k": k,
        "label": "+1" if trace.problem.y[i] > 0 else "−1",
        "drawn": (
            f"i = {i + 1}"
            if k == 1
            else f"{k} points"
            if different == k
            else f"{k} draws, {different} points"
        ),
        "batch": "points" if different == k else "draws",
        "hits": int((record.delta[row] != 0.0).sum()),
        "margin": float(record.margin[row, worst]),
        "eta": eta,
        "eta_k": eta / k,
        "shrink": shrink,
        "norm_shrunk": shrink * trace.before("norm", t),
        "norm_added": float(norm[t]) / pull,
        "norm": float(norm[t]),
        "radius": 1.0 / math.sqrt(params["lam"]),
        "step": step,
        "fall": step / eta,
        "times": times(step / eta),
        "enough": (
            "so large that it costs next to nothing"
            if loss_of(params).kind == LOGISTIC
            else "at least 1: it costs nothing"
        ),
    }


def figure(params) -> str:
    if params["kernel"] is not None:
        return "Figure 3, corrected"
    return "Figure 1" if params["k"] == 1 else "Figure 2"
