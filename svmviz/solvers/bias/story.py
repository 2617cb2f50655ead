"""The story of Pegasos with a bias: pseudo-code, sentences and the values in them."""

import numpy as np

from svmviz.maths import sampling
from svmviz.record.sentences import Line, Lines, Sentence, Sentences

METHODS = OWN, BATCH, SEARCH = "own step", "best for the batch", "outer search"
ALIKE = (
    1e-5  # margins: the best b leaves several points with the same, and of these the first is named
)
WHY = Sentences(
    start=Sentence(
        "Nothing has been drawn yet: w = 0 and b = 0 leave every point a loss of 1.",
        "Nothing drawn yet.",
        "w = 0, b = 0: m = 0 for all x, and P = λ/2 · 0 + 1 = 1.",
    ),
    round=Sentence(
        "A new round: w = 0, b = *{b:.3f}*, midway from {low:.3g} to {high:.3g}.",
        "New round, another b.",
        "w ← 0, b ← ({low:.3g} + {high:.3g})/2 = {b:.3f}.",
    ),
    best=Sentence(
        "With b = *{b:.3f}* these {k} points pay least.",
        "The best b for these points.",
        "b ← arg min Σ max(0, 1 − y (f(x) + b)) over A = {b:.3f}.",
    ),
    free=Sentence(
        "Of {k} points drawn none has a margin below 1 (lowest *{margin:.2f}*): w only shrinks, by"
        " {shrink:.3f}.",
        "All far enough: only shrink.",
        "min m = *{margin:.2f}* ≥ 1: w ← {shrink:.3f} w.",
    ),
    pays=Sentence(
        "*{hits}* of {k} points with a margin below 1 (lowest *{margin:.2f}*, point {i}): w takes a"
        " step of η/k = {eta_k:.3g} along each y x.",
        "{hits} of {k} too close: swing.",
        "m < 1 for *{hits}* of {k}: w ← {shrink:.3f} w + {eta_k:.3g} Σ y x over these.",
    ),
    moves=Sentence(
        "b goes to *{b:.3f}*.", "b moves.", "b ← b + (1/√t)(1/k) Σ y over these = {b:.3f}."
    ),
    alone=Sentence(
        "All {k} points are of one class: they say nothing of b, and with the best one none of them"
        " pays.",
        "One class only: nothing to learn.",
        "y = {label} for all {k} points of A: b far enough would cost nothing.",
    ),
)


def lines(params) -> Lines:
    """Return the method that the parameters select."""
    f = "Σ α[j] y[j] K[j, i]" if params["kernel"] is not None else "⟨w, x[i]⟩"
    t = "τ" if params["method"] == SEARCH else "t"
    first = {
        OWN: Line("b ← b + (1/√t) (1/k) Σ y[i] over these", "b = {b:.3f}", "add"),
        BATCH: Line("b ← best for A, as w stands", "b = {b:.3f}", "measure"),
        SEARCH: Line(
            "every R steps: w ← 0, τ ← 1, halve the interval, b ← its middle", "b = {b:.3f}", "draw"
        ),
    }
    return Lines(
        draw=Line(sampling.written(params["sampling"], params["k"]), "{k} points", "draw"),
        measure=Line(
            f"m ← y[i] ({f} + b), η ← 1/(λ{t})", "m ≥ {margin:.2f}, η = {eta:.3g}", "measure"
        ),
        shrink=Line(f"w ← (1 − 1/{t}) w", "× {shrink:.3f}", "shrink"),
        add=Line("for i in A, m < 1: w ← w + (η/k) y[i] x[i]", "‖w‖ = {norm:.2f}", "add"),
        move=first[params["method"]],
    )


def values(trace, t) -> dict:
    """The live quantities of step t; the example with the lowest margin stands for the batch."""
    segment = trace.segment(t)
    record, row, params = segment.record, t - segment.start - 1, segment.params
    if t == 0:
        return {"t": 0, "n": len(segment.active)}
    margin, local = record.margin[row], float(record.own["local"][row])
    worst = int(np.flatnonzero(margin <= margin.min() + ALIKE)[0])
    i, k, eta = int(record.drawn[row, worst]), record.drawn.shape[1], 1.0 / (params["lam"] * local)
    return {
        "t": t,
        "n": len(segment.active),
        "i": i + 1,
        "k": k,
        "label": "+1" if trace.problem.y[i] > 0 else "−1",
        "hits": int((record.delta[row] != 0.0).sum()),
        "margin": float(record.margin[row, worst]),
        "eta": eta,
        "eta_k": eta / k,
        "shrink": 1.0 - 1.0 / local,
        "norm": float(trace.metrics["norm"][t]),
        **{name: float(record.own[name][row]) for name in ("b", "low", "high")},
    }
