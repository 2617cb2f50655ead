"""How IDSVM speaks of itself: its pseudo-code, its sentences and the live values in them."""

import numpy as np

from svmviz.maths import sampling
from svmviz.record.questions import ALPHA
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Question
from svmviz.record.symbols import CONSTANT, Symbol, shared
from svmviz.solvers.idsvm.path import ERROR, MARGIN, REST

POINT = "Point {i} ({label}) has margin *{margin:.2f}*"
WHY = Sentences(
    start=Sentence(
        "Nothing has been learnt yet: w = 0, and all three sets are empty.",
        "Nothing learnt yet.",
        "w = 0: P = 1 and D = 0, divided by C n.",
    ),
    forgot=Sentence(
        "First those taken away were unlearnt, as if they had never come.",
        "First some were unlearnt.",
        "First α → 0 of those taken away, along the same path.",
    ),
    moved=Sentence(
        "First every α moved to the optimum of the new box or kernel.",
        "First all moved to the new optimum.",
        "First α was brought to g = 0, 0 or C of the new problem.",
    ),
    rests=Sentence(
        POINT + ", at least 1: it joins the rest with α = 0, and nothing moves.",
        "Far enough: nothing moves.",
        "g = y f − 1 = *{g:.3f}* ≥ 0: α = 0.",
    ),
    to_margin=Sentence(
        POINT + ": α rises to {alpha:.3g}, it joins the margin set.",
        "It joins the margin set.",
        "g = y f − 1 = *{g:.3f}* < 0: α rises to {alpha:.3g} < C = {C:.3g}, where g = 0.",
    ),
    to_error=Sentence(
        POINT + ": α rises to C = {C:.3g}, it joins the error set.",
        "It joins the error set.",
        "g = y f − 1 = *{g:.3f}* < 0: α rises to C = {C:.3g}, where g = {lifted:.3f} − 1 ≤ 0.",
    ),
    leaves=Sentence(
        "On the way {leave} the margin set.",
        "On the way {leave} it.",
        "{events} event{events:s}: {leave} S.",
    ),
    joins=Sentence(
        "On the way {join} the margin set.",
        "On the way {join} it, too.",
        "{events} event{events:s}: {join} S.",
    ),
    both=Sentence(
        "On the way {leave} the margin set, {join} it.",
        "On the way {leave} and {join}.",
        "{events} event{events:s}: {leave} S, {join} S.",
    ),
    again=Sentence(
        "Point {i} ({label}) has been learnt already: the optimum stays as it is.",
        "Known already: nothing moves.",
        "α = {alpha:.3g} and g = {g:.3f}: optimal already.",
    ),
    exact=Sentence(
        "w is the optimum of {seen} point{seen:s}.",
        "",
        "P − D = {primal:.4f} − {dual:.4f} = *{gap:.1g}*.",
    ),
    far=Sentence(
        "Rounding keeps {seen} point{seen:s} from the optimum: P and D are *{gap:.1g}* apart. Scale"
        " the columns alike.",
        "Not exact, for rounding.",
        "P − D = {primal:.4g} − {dual:.4g} = *{gap:.1g}*.",
    ),
)
# P - D over 1 + P, both divided by C times the number of examples: what is more is no optimum
APART = 1e-6
QUESTIONS = (
    Question(
        "set",
        "Point {i} ({label}) comes next. Which set does it end in?",
        "It is ringed. Margin: 0 < α < C. Error: α = C. Rest: α = 0. C = {C:.3g}.",
        "Its margin was {margin:.2f}: {so}.",
        "Its margin was {margin:.2f}: {so}.",
    ),
    ALPHA._replace(
        ask="Point {i} ({label}) comes next, with α = {old:.3g}. What becomes of its α?",
        how="It is ringed. α rises until the margin is 1, or to the end of its box, C = {C:.3g}.",
    ),
    Question(
        "movers",
        "Does anybody else change sets as point {i} is learnt?",
        "A margin vector may reach 0 or C; one of the others may reach a margin of 1.",
        "{so}",
        "{so}",
    ),
)
SYMBOLS = (
    *shared("t i n x y f w K"),
    *CONSTANT,
    Symbol(
        "α",
        "coefficients",
        "how much of each example w is made of",
        "{alpha:.3g} of example {i}",
        "alphas",
    ),
    Symbol("C", "top of the box", "the most that one α may be", "{C:.3g}", "alphas"),
    Symbol("g", "slope", "y f − 1: below 0 within the margin", "{g:.3f} of example {i}", "drawn"),
    Symbol(
        "S", "margin set", "examples with g = 0, whose α can move", "{n_margin} of them", "alphas"
    ),
    Symbol(
        "E", "error set", "examples with α = C, within the margin", "{n_error} of them", "alphas"
    ),
    Symbol("R", "rest", "examples with α = 0, beyond the margin", "{n_rest} of them", "alphas"),
    Symbol("Q", "signed kernel", "y y K of two examples"),
    Symbol("β", "slopes of α", "how fast each α in S moves with the newcomer's", "", "path"),
    Symbol("Δ", "stretch", "how far α rises until somebody changes sets", "", "path"),
    Symbol(
        "P",
        "primal objective",
        "of the examples learnt, divided by C times their number",
        "{primal:.4f}",
        "curves",
    ),
    Symbol("P*", "optimum", "lowest P that any w can reach", "", "optimum"),
    Symbol(
        "D",
        "dual objective",
        "equal to P at the optimum, and so here always",
        "{dual:.4f}",
        "curves",
    ),
)
ROUNDED = 1e-12  # of a gap: what rounding may do


def lines(params) -> Lines:
    return Lines(
        draw=Line(sampling.written(params["sampling"]), "i = {i}", "draw"),
        measure=Line("α[i] ← 0, g[i] ← y[i] f(x[i]) − 1", "g = {g:.3f}", "measure"),
        turn=Line("while g[i] < 0: β ← −Q[S, S]⁻¹ Q[S, i]", "{n_margin} in S", "path"),
        move=Line("α[i] ← α[i] + Δ, α[S] ← α[S] + Δ β", "α = {alpha:.3g}", "path"),
        change=Line("who meets 0, C or g = 0 changes sets", "{events} event{events:s}", "path"),
    )


def spoken(own, first: int) -> np.ndarray:
    """Which sentences each step speaks; `first` is what was done before the first of them."""
    came, moved = own["arrived"] > 0, own["events"] > 0
    out = np.where(
        came,
        np.where(moved, np.where(own["end"] == ERROR, WHY.to_error, WHY.to_margin), WHY.rests),
        WHY.again,
    )
    left, joined = own["left"] > 0, own["joined"] > 0
    way = np.where(
        left & joined, WHY.both, np.where(left, WHY.leaves, np.where(joined, WHY.joins, 0))
    )
    far = own["gap"] > APART * (1.0 + own["primal"])
    out |= np.where(moved, way, 0) | np.where(far, WHY.far, np.where(came, WHY.exact, 0))
    out[0] |= first
    return out


def told(rows: list[int], verb: str) -> str:
    """Who does what.

    >>> told([4], "leave"), told([4, 8], "join")
    ('point 5 leaves', '2 points join')
    """
    if len(rows) == 1:
        return f"point {rows[0] + 1} {verb}s"
    return f"{len(rows)} points {verb}" if rows else ""


def bends(record, s: int) -> tuple[np.ndarray, np.ndarray]:
    """Who changed sets in step s of a record, and to which, in order."""
    part = slice(record.own["bend_first"][s], record.own["bend_first"][s + 1])
    return record.own["bend_row"][part], record.own["bend_to"][part]


def values(trace, t) -> dict:
    """The live quantities of step t."""
    if t == 0:
        return {"t": 0, "n": len(trace.segment(0).active)}
    segment = trace.segment(t)
    record, s, own = segment.record, t - segment.start - 1, trace.scalars
    i, margin, y = (
        int(record.drawn[s, 0]),
        float(record.margin[s, 0]),
        float(trace.problem.y[trace.drawn[t]]),
    )
    rows, to = bends(record, s)
    others, gap = rows != i, float(own["gap"][t])
    leave, join = (
        [*dict.fromkeys(rows[others & np.isin(to, sets)].tolist())]
        for sets in ((REST, ERROR), (MARGIN,))
    )
    return {
        "t": t,
        "n": len(segment.active),
        "i": i + 1,
        "label": "+1" if y > 0 else "−1",
        "margin": margin,
        "g": margin - 1.0,
        "alpha": abs(float(trace.at(t).coef[i])),
        "lifted": y * float(own["lifted"][t]),
        "leave": told(leave, "leave"),
        "join": told(join, "join"),
        "hits": int(own["events"][t] > 0),
        "primal": float(own["primal"][t]),
        "gap": 0.0 if abs(gap) <= ROUNDED else gap,
        "dual": float(own["dual"][t]),
        **{name: int(own[name][t]) for name in ("events", "seen", "n_margin", "n_error", "n_rest")},
        "norm": float(trace.metrics["norm"][t]),
    }
