"""How Pegasos for several classes speaks of itself: its pseudo-code, its sentences and the live
values in them.
"""

import math

import numpy as np

from svmviz.maths import sampling
from svmviz.maths.losses import HINGE, loss_of
from svmviz.record import questions
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Question
from svmviz.record.symbols import CONSTANT, Symbol, shared
from svmviz.solvers.classes.losses import costs_of, radius_of, resting


def lines(params) -> Lines:
    """Return Example 3 or 4, whichever the parameters select."""
    one, kernelised, hinge = (
        params["k"] == 1,
        params["kernel"] is not None,
        loss_of(params).kind == HINGE,
    )
    w, x, eta = (
        ("α", "", "η" if one else "η/k") if kernelised else ("w", " x[i]", "η" if one else "(η/k)")
    )
    scores = "Σ α[j, q] K[j, i]" if kernelised else "⟨w[q], x[i]⟩"

    def move(q: str, by: str) -> str:
        row = f"α[i, {q}]" if kernelised else f"w[{q}]"
        return f"{row} ← {row} {by}{x}"

    whom = "" if one else "for i in A: "
    added, norm = "‖w‖ = {norm_added:.2f}", "‖w‖ = {norm:.2f}"
    contest = (
        Line("r ← argmax δ(q, y) + f[q], y where it ties", "r = {winner}", "measure")
        if hinge
        else Line("p[q] ← exp f[q] / Σ exp f", "p[y] = {chance:.3f}", "measure")
    )
    listed = Lines(
        draw=Line(sampling.written(params["sampling"], params["k"]), "{drawn}", "draw"),
        measure=Line(f"f[q] ← {scores} for each q", "lead over {rival}: {margin:.2f}", "measure"),
        contest=contest,
        shrink=Line(f"{w} ← (1 − 1/t) {w}, η ← 1/(λt)", "η = {eta:.3g}", "shrink"),
    )
    if hinge:
        listed |= Lines(
            add=Line(f"{whom}if r ≠ y: {move('y', f'+ {eta}')}", "+ {eta_k:.3g} x", "add"),
            away=Line(f"{whom}if r ≠ y: {move('r', f'− {eta}')}", added, "add"),
        )
    else:
        listed |= Lines(add=Line(f"{whom}{move('q', f'+ {eta} (1[q = y] − p[q])')}", added, "add"))
    if params["project"]:
        listed |= Lines(project=Line(f"{w} ← min(1, ρ/‖w‖) {w}", norm, "project"))
    return listed


POINT = "Point {i} ({label})"
SHRINKS = "all rows of w only shrink, by 1 − 1/t = {shrink:.3f}."
MOVES = "the row of {label} goes η = {eta:.3g} towards it, that of {rival} as far away."
MATHS = (
    "max δ(q, y) + f[q] − f[y] = {asked:.3g} − *{margin:.2f}* > 0 at r = {rival}: w[y] ←"
    " {shrink:.3f} w[y] + {eta:.3g} x, w[r] ← {shrink:.3f} w[r] − {eta:.3g} x."
)
WHY = Sentences(
    start=Sentence(
        "Nothing has been drawn yet: all scores are 0, every class ties, and a point pays"
        " {first:.3g} on average.",
        "Nothing drawn yet.",
        "w = 0: f[q] = 0 for all q, and P = λ/2 · 0 + {first:.3g}.",
    ),
    free=Sentence(
        POINT
        + " leads {rival} by *{margin:.2f}*, not less than the {asked:.3g} asked for: "
        + SHRINKS,
        "Far enough ahead: only shrink.",
        "δ(q, y) + f[q] − f[y] ≤ 0 for all q, nearest {rival}: {asked:.3g} − *{margin:.2f}*; w ←"
        " {shrink:.3f} w.",
    ),
    ahead=Sentence(
        POINT + " leads {rival} by only *{margin:.2f}* of the {asked:.3g} asked for: " + MOVES,
        "Ahead, but not enough: two rows move.",
        MATHS,
    ),
    behind=Sentence(
        POINT + " is not ahead of {rival} (*{margin:.2f}*): " + MOVES,
        "Behind {rival}: two rows move.",
        MATHS,
    ),
    all_free=Sentence(
        "All {k} points drawn lead every other class by what is asked for: " + SHRINKS,
        "All far enough: only shrink.",
        "δ(q, y) + f[q] − f[y] ≤ 0 for all q and all {k}: w ← {shrink:.3f} w.",
    ),
    some_pay=Sentence(
        "*{hits}* of {k} points without the lead that is asked for, least of all point {i}"
        " ({label}), *{margin:.2f}* over {rival}: each moves two rows by η/k = {eta_k:.3g}.",
        "No lead for {hits} of {k}.",
        "r ≠ y for *{hits}* of {k}: w[y] ← w[y] + {eta_k:.3g} x, w[r] ← w[r] − {eta_k:.3g} x for"
        " each of them.",
    ),
    soft=Sentence(
        POINT
        + " has a probability of *{chance:.2f}*: its row takes a step of (1 − p) η = {step:.3g}"
        " towards it, the others go away, each by its own p.",
        "Its row comes, the others go.",
        "p[y] = exp f[y] / Σ exp f = *{chance:.3f}*, ℓ = −log p[y] = {cost:.3g}: "
        "w[y] ← {shrink:.3f} w[y] + {step:.3g} x.",
    ),
    all_soft=Sentence(
        "The {k} points move all rows, each by η/k = {eta_k:.3g} times what its probability lacks;"
        " least has point {i} ({label}), *{chance:.2f}*.",
        "All rows move.",
        "w[q] ← {shrink:.3f} w[q] + {eta_k:.3g} Σ (1[q = y] − p[q]) x; lowest p[y] ="
        " *{chance:.3f}*.",
    ),
    certain=Sentence(
        POINT + " has a probability of *{chance:.2f}*, so certain that no row moves: " + SHRINKS,
        "Certain: only shrink.",
        "p[y] = exp f[y] / Σ exp f = *{chance:.3f}*: w ← {shrink:.3f} w.",
    ),
    pulled=Sentence(
        "Then back onto the ball, from {norm_added:.2f≠radius} to {radius:.2f≠norm_added}.",
        "Back onto the ball.",
        "‖w‖ > ρ = √(ℓ(0)/λ): w ← {radius:.2f≠norm_added}/{norm_added:.2f≠radius} w.",
    ),
)
QUESTIONS = (
    Question(
        "rival",
        "Point {i} ({label}) is next. Which row of w is pushed away from it?",
        "A class pushes where its score and the cost of that mistake are above the score of the"
        " point's own class.",
        "{so}",
        "{so}",
    ),
    questions.CHANGES,
)
SYMBOLS = (
    *shared("t i j n x λ η α K P P*"),
    *CONSTANT,
    Symbol("y", "label", "class of an example", "{label}", "drawn"),
    Symbol(
        "w", "weights", "a row for each class, all of them together", "‖w‖ = {norm:.3f}", "boundary"
    ),
    Symbol("f", "scores", "one for each class: the highest wins", "", "boundary"),
    Symbol("q", "a class", "runs over all classes"),
    Symbol(
        "r",
        "rival",
        "class with the highest score and cost, y itself included",
        "{winner}",
        "drawn",
    ),
    Symbol("δ", "cost of a mistake", "the lead that y must have over another class", "{asked:.3g}"),
    Symbol(
        "p",
        "probability",
        "that of a class, by the scores",
        "{chance:.3f} of its own class",
        "drawn",
    ),
    Symbol("ℓ", "loss", "what an example pays for its scores", "{cost:.3g}"),
    Symbol("ρ", "radius of the ball", "the best w is no longer than this", "{radius:.2f}"),
    Symbol("k", "mini-batch", "examples drawn in a step", "{k}", "drawn"),
    Symbol("A", "examples drawn", "those that this step looks at", "", "drawn"),
)


def spoken(loss, hit: np.ndarray, lead: np.ndarray, pull: np.ndarray) -> np.ndarray:
    """Which sentences each step speaks, by whom of the batch it hit and the lead of the one that
    pays most.
    """
    some, one = hit.any(axis=1), hit.shape[1] == 1
    if loss.kind != HINGE:
        said = np.where(some, WHY.soft, WHY.certain) if one else np.full(len(hit), WHY.all_soft)
    elif one:
        said = np.where(some, np.where(lead > 0.0, WHY.ahead, WHY.behind), WHY.free)
    else:
        said = np.where(some, WHY.some_pay, WHY.all_free)
    return said | np.where(pull < 1.0, WHY.pulled, 0)


def called(c: int, classes: int) -> str:
    """A class by its name; two are those of the labels.

    >>> called(1, 3), called(0, 2)
    ('class 1', 'class −1')
    """
    return f"class {c}" if classes > 2 else f"class {'+1' if c else '−1'}"


def values(trace, t) -> dict:
    """The live quantities of step t. For a mini-batch, the example that pays most stands for it."""
    segment = trace.segment(t)
    record, s, params, n = (
        segment.record,
        t - segment.start - 1,
        segment.params,
        len(segment.active),
    )
    if t == 0:
        return {"t": 0, "n": n, "first": resting(trace.problem, params, segment.active)}
    own, k = {name: float(column[s]) for name, column in record.own.items()}, record.drawn.shape[1]
    worst, r, cost = int(own["worst"]), int(own["rival"]), own["cost"]
    i, pull, eta = int(record.drawn[s, worst]), own["project"], 1.0 / (params["lam"] * t)
    classes, margin, norm = (
        trace.problem.classes,
        float(record.margin[s, worst]),
        float(trace.metrics["norm"][t]),
    )
    y = int(trace.problem.y[i] > 0 if classes == 2 else trace.problem.y[i])
    first, shrink = record.changes.first, 1.0 - 1.0 / t
    return {
        "t": t,
        "n": n,
        "i": i + 1,
        "k": k,
        "label": called(y, classes),
        "rival": called(r, classes),
        "margin": margin,
        "winner": called(r if cost > 0.0 else y, classes),
        "asked": float(costs_of(params, classes)[y, r]),
        "cost": cost,
        "chance": math.exp(-cost),
        "hits": int(first[s + 1] - first[s]),
        "eta": eta,
        "eta_k": eta / k,
        "step": eta * (1.0 - math.exp(-cost)),
        "shrink": shrink,
        "norm_added": norm / pull,
        "norm": norm,
        "radius": radius_of(trace.problem, params, segment.active),
        "drawn": f"i = {i + 1}" if k == 1 else f"{k} points",
    }


def figure(params) -> str:
    return "Section 5, Example 3" if loss_of(params).kind == HINGE else "Section 5, Example 4"
