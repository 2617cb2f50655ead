"""What SIMBA says of itself: its pseudo-code, and its sentences."""

from svmviz.record.questions import ANSWER
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Question
from svmviz.record.symbols import Symbol, shared


def lines(params) -> Lines:
    """Return Algorithm 1 as the parameters select it."""
    bias, T = params["bias"], "T" if params["schedule"] == "constant" else "t"
    slack = "ξ ← slack νn on the largest p" + (", b ← sign Σ p y" if bias else "")
    v = "ξ + y b" if bias else "ξ"
    cut = ", clipped at ±1/η" if params["clip"] else ""
    draw = Line("draw row i with chance p[i]", "i = {i}, p = {p:.3f}", "draw")
    move = Line(f"u ← u + y[i] x[i], w ← u/max(√(2{T}), ‖u‖)", "reads {row} cells", "move")
    last = Line("w̄ ← average of w(1) … w(t)", "γ(w̄) = {gamma_average:.3f}", "average")
    if params["exact_p"]:
        return Lines(
            draw=draw,
            move=move,
            column=Line("c ← y ∘ X w, all of it", "reads {column} cells", "column"),
            level=Line(
                (
                    "γ, b ← level of both basins, volume νn"
                    if bias
                    else "γ ← level of c under volume νn"
                ),
                "γ = {gamma:.3f}",
                "pour",
            ),
            pour=Line("ξ ← the water over each point", "νn = {volume:.3f}", "pour"),
            reweigh=Line("p ← uniform over those under water", "1 in {wet}", "reweigh"),
            average=last,
        )
    pour = Line(slack, "νn = {volume:.3f}" + (", b = {b:.2g}" if bias else ""), "pour")
    reweigh = Line("q ← q (1 − η v + η² v²), p ← q/Σ q", "η = {eta:.3f}", "reweigh")
    if params["exact_margins"]:
        return Lines(
            draw=draw,
            move=move,
            pour=pour,
            column=Line("c ← y ∘ X w, all of it", "reads {column} cells", "column"),
            estimate=Line(f"v ← c + {v}{cut}", "{clipped} beyond 1/η", "estimate"),
            reweigh=reweigh,
            average=last,
        )
    return Lines(
        draw=draw,
        move=move,
        pour=pour,
        column=Line("draw column j with chance w[j]²/‖w‖²", "{column_drawn}", "column"),
        estimate=Line(f"v ← y x[:, j] ‖w‖²/w[j] + {v}{cut}", "reads {column} cells", "estimate"),
        reweigh=reweigh,
        average=last,
    )


MOVES, MOVED = "Row {i} ({label}) moves w: ", "Row {i} moves w."
CHANCE = "p[i] = q[i]/Σ q = *{p:.4f}* = {even:.2g}/n; w = u/max({root:.2f}, ‖u‖ = {length:.2f})."
RATE = "η = √(ln {n}/{planned}) = {eta:.3f}."
WHY = Sentences(
    start=Sentence(
        "Nothing has been read yet: w = 0, and each of the {n} rows has the same chance.",
        "Nothing read yet.",
        "w = 0, and p[i] = 1/n = 1/{n} for every i.",
    ),
    raised=Sentence(
        MOVES + "past judgements raised its chance to *{p:.3f}*, {even:.2g} times an even share.",
        MOVED,
        CHANCE,
    ),
    lowered=Sentence(
        MOVES + "past judgements lowered its chance to *{p:.3f}*, {even:.2g} times an even share.",
        MOVED,
        CHANCE,
    ),
    about=Sentence(MOVES + "its chance *{p:.3f}* is about an even share.", MOVED, CHANCE),
    wet=Sentence(
        MOVES
        + "its chance *{p:.3f}* is {even:.2g} times an even share, as the water covers {under} of"
        " {n}.",
        MOVED,
        "p[i] = 1/{under} = *{p:.4f}* = {even:.2g}/n; w = u/max({root:.2f}, ‖u‖ = {length:.2f}).",
    ),
    sampled=Sentence(
        "{judge} judges all {n} margins.",
        "{judge} judges all.",
        "j = {j}, w[j]²/‖w‖² = {share:.2g}: v = y x[:, j] · {gain:.3g} + ξ; " + RATE,
    ),
    margins=Sentence(
        "Then all {n} margins are computed, and the whole matrix is read: {column} cells.",
        "Then everything is read.",
        "c = y ∘ X w: {column} cells, v = c + ξ; " + RATE,
    ),
    exact=Sentence(
        "p is exact, and for that the whole matrix is read: {column} cells.",
        "Then everything is read.",
        "c = y ∘ X w: {column} cells, γ = {gamma:.3f}.",
    ),
    clipped=Sentence("", "", "Clipped at 1/η = {limit:.1f}: {clipped}."),
    wild=Sentence(
        "Unclipped, {clipped} of {n} weights jumped.",
        "",
        "Not clipped at 1/η = {limit:.1f}: {clipped}.",
    ),
    read=Sentence(
        "*{seen:.0f} %* of the matrix is known; Pegasos would know {seen_pegasos:.0f} %.", "", ""
    ),
    even=Sentence("Both classes weigh the same: b = 0.", "", "Σ p y = 0: b = 0."),
    heavier=Sentence(
        "Class {heavier} is heavier: b = {b:.2g}.", "", "v also has y b, b = {b:.2g}."
    ),
)
QUESTIONS = (
    Question(
        "row",
        "Which of these rows has the best chance to be drawn next?",
        "Choose one. A row whose margin is estimated as small gains weight.",
        "Number {number} has a chance of {top:.3g} %, the best of all {n}; an even share is"
        " {even:.3g} %. {drew}",
        "{mistaken}Number {number} has {top:.3g} %, the best of all {n}; an even share is"
        " {even:.3g} %. {drew}",
        "draw",
    ),
    ANSWER,
    Question(
        "cells",
        "How many cells will have been read when {which} errs on less than {below:g} %?",
        "The table has {entries} cells, {known} are known, and {which} errs on {error:.1f}"
        " %{besides}. Close is a factor of {factor:g}.",
        "Step {reached} got there with {read} of the {entries} cells, {percent:.1f} %. {told}",
        "Step {reached} got there with {read} of the {entries} cells, {percent:.1f} %. {told}",
    ),
)
MORE, LESS = 1.25, 0.8  # times 1/n: what lies between is about an even share
SYMBOLS = (
    *shared("t n y w w̄ f γ γ* ν"),
    Symbol("i", "row", "example that this step reads", "{i}", "row drawn"),
    Symbol("j", "column", "feature that this step reads, of all examples", "{j}", "column"),
    Symbol("x", "cells", "of a row, or of a column, of the table", "", "table"),
    Symbol("X", "table", "examples in rows, features in columns", "", "table"),
    Symbol("p", "chances", "how likely each row is drawn next", "{p:.3f} of row {i}", "row"),
    Symbol("q", "weights of the rows", "p before it is made to sum to 1", "", "row"),
    Symbol("u", "sum of rows", "all rows drawn so far, with their labels"),
    Symbol("ξ", "slack", "water on each row, at most 2R", "", "water"),
    Symbol("v", "estimates", "margin of each row, from one column", "", "column"),
    Symbol("c", "responses", "y f of every row, computed in full"),
    Symbol("η", "rate", "how strongly p follows the estimates", "{eta:.3f}", "row"),
    Symbol("b", "bias", "constant in f that has no price", "{b:.2g}"),
    Symbol("T", "steps planned", "constant steps are made for so many", "{horizon}"),
    Symbol("R", "longest row", "length of the longest example"),
)
