"""How the Twin Vector Machine speaks of itself: its pseudo-code, its sentences and the live values
in them.
"""

import numpy as np

from svmviz.maths import sampling
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Question
from svmviz.record.symbols import CONSTANT, Symbol, shared
from svmviz.solvers.tvm.twins import COMBINED, DROPPED

POINT = "Point {i} ({label}) has margin *{margin:.2f}*"
WHY = Sentences(
    start=Sentence(
        "The rack is empty: w = 0.", "The rack is empty.", "w = 0, 0 of B = {B} in use."
    ),
    kept_out=Sentence(
        POINT
        + ", above θ = {near:.3g}, and the rack is full: it is not taken, and nothing changes.",
        "Far enough: not taken.",
        "y f = *{margin:.2f}* > θ = {near:.3g}: w ← w.",
    ),
    placed=Sentence(
        POINT + ". There is room: it becomes a twin vector that stands for itself alone.",
        "It gets a place.",
        "y f = *{margin:.2f}*; s = 1, its α is {alpha:.3g} of at most C = {C:.3g}.",
    ),
    came=Sentence(
        POINT + ": it comes in, and that is one too many.",
        "It comes in: one too many.",
        "y f = *{margin:.2f}* ≤ θ = {near:.3g}: B + 1 = {over}.",
    ),
    drops=Sentence(
        "{m_name}, with {s_m:.0f} example{s_m:s}, lies beyond τ: it is dropped.",
        "Dropped, as it is far off: {m_name}.",
        "{m_name}: y f = {beyond:.2f} > τ = {far:.3g}, α = 0.",
    ),
    become=Sentence(
        "Of its side, {m_name} and {n_name} cost least: they become {z_name}.",
        "Combined: {m_name} and {n_name}.",
        "{z_name} = {h:.2f} {m_name} + {g:.2f} {n_name}, s = {s_m:.0f} + {s_n:.0f}.",
    ),
    exact=Sentence(
        "The SVM over the {n_sv} in use is exact.",
        "",
        "In use {n_sv}, for {stands:.0f}: P − D = {gap:.1g}.",
    ),
)
QUESTIONS = (
    Question(
        "entry",
        "Point {i} ({label}) comes next, and the rack is full. What happens?",
        "It is ringed. Above a margin of {near:.3g} it is not taken.",
        "Its margin was {margin:.2f}: {so}.",
        "Its margin was {margin:.2f}: {so}.",
    ),
    Question(
        "share",
        "Point {i} ({label}) comes next, with room in the rack. Where does its α end?",
        "It is ringed. The SVM over the rack is exact: α = 0 beyond the margin, C within it,"
        " between on it.",
        "Its margin was {margin:.2f}, and α ended at {alpha:.3g} of {C:.3g}.",
        "Its margin was {margin:.2f}, and α ended at {alpha:.3g} of {C:.3g}.",
    ),
)
SYMBOLS = (
    *shared("t i n x y f w K"),
    *CONSTANT,
    Symbol("B", "budget", "twin vectors that may stay", "{B}", "rack"),
    Symbol("C", "box of one example", "the most that one example may weigh", "{C:.3g}", "rack"),
    Symbol(
        "s",
        "counts",
        "examples that a twin vector stands for, by label",
        "{stands:.0f} in all",
        "rack",
    ),
    Symbol(
        "α",
        "coefficients",
        "of both labels, at most C s each",
        "{alpha:.3g} of the newcomer",
        "rack",
    ),
    Symbol(
        "θ",
        "margin that keeps out",
        "full, and above it: an example is not taken",
        "{near:.3g}",
        "drawn",
    ),
    Symbol(
        "τ", "margin to be dropped", "beyond it on its own side one may go", "{far:.3g}", "rack"
    ),
    Symbol("P", "primal objective", "of the SVM over the twin vectors"),
    Symbol("D", "dual objective", "equal to P, as the SVM is exact"),
)


def lines(params) -> Lines:
    return Lines(
        draw=Line(sampling.written(params["sampling"]), "i = {i}", "draw"),
        look=Line("if full and y[i] f(x[i]) > θ: next", "y f = {margin:.2f}", "measure"),
        take=Line("x[i] comes in with s = 1, α within C", "{over} of {B}", "add"),
        drop=Line("if > B: drop the largest y f, if > τ", "y f = {beyond:.2f}", "choose"),
        choose=Line(
            "else two of a side, least ss′/(s+s′)‖x−x′‖²", "s = {s_m:.0f}, {s_n:.0f}", "look"
        ),
        combine=Line("become their mean, α within C s", "s = {s_z:.0f}", "take"),
    )


def ran(params, own) -> np.ndarray:
    """Return which lines each step ran."""
    taken, combined = own["taken"] > 0, own["room"] == COMBINED
    drop = combined | (own["room"] == DROPPED)
    return lines(params).ran(taken.size, take=taken, drop=drop, choose=combined, combine=combined)


def spoken(own) -> np.ndarray:
    """Which sentences each step speaks."""
    crowded = own["full"] > 0
    out = np.where(own["taken"] > 0, np.where(crowded, WHY.came, WHY.placed), WHY.kept_out)
    out |= np.where(own["room"] == DROPPED, WHY.drops, 0) | np.where(
        own["room"] == COMBINED, WHY.become, 0
    )
    return out | np.where((own["taken"] > 0) & (own["room"] != COMBINED), WHY.exact, 0)


def name(n: int, row: int) -> str:
    """What a row of the table is called; engine/own/table.js says the same."""
    return "nothing" if row < 0 else f"point {row + 1}" if row < n else f"vector {row - n + 1}"


def values(trace, t) -> dict:
    """The live quantities of step t."""
    if t == 0:
        return {"t": 0, "n": len(trace.segment(0).active)}
    segment = trace.segment(t)
    record, s, own = segment.record, t - segment.start - 1, trace.scalars
    i, gap = int(record.drawn[s, 0]), float(own["gap"][t])
    rows = {f"{which}_name": name(trace.problem.n, int(own[which][t])) for which in ("m", "n", "z")}
    here = {
        which: float(own[which][t]) for which in ("h", "alpha", "s_m", "s_n", "beyond", "stands")
    }
    return {
        "t": t,
        "n": len(segment.active),
        "i": i + 1,
        "label": "+1" if trace.problem.y[i] > 0 else "−1",
        "margin": float(record.margin[s, 0]),
        "g": 1.0 - here["h"],
        "s_z": here["s_m"] + here["s_n"],
        "n_sv": int(own["n_sv"][t]),
        "gap": 0.0 if abs(gap) <= 1e-12 else gap,
        "hits": int(own["taken"][t]),
        "over": int(own["n_sv"][t] + (own["room"][t] > 0)),
        "norm": float(trace.metrics["norm"][t]),
        **rows,
        **here,
    }
