"""What SIMBA says of itself: its pseudo-code, and its sentences."""

from svmviz.record.questions import ANSWER
from svmviz.record.solver import Line, Question
from svmviz.record.symbols import Symbol, shared

DRAW, MOVE, POUR, COLUMN, ESTIMATE, REWEIGH, AVERAGE = (1 << line for line in range(7))


def lines(params) -> tuple[Line, ...]:
    """Algorithm 1 as these parameters run it; line j is the one whose bit is 1 << j."""
    bias, T = params["bias"], "T" if params["schedule"] == "constant" else "t"
    slack = "ξ ← slack νn on the largest p" + (", b ← sign Σ p y" if bias else "")
    v = "ξ + y b" if bias else "ξ"
    cut = ", clipped at ±1/η" if params["clip"] else ""
    draw = Line("draw row i with chance p[i]", "i = {i}, p = {p:.3f}", "draw")
    move = Line(f"u ← u + y[i] x[i], w ← u/max(√(2{T}), ‖u‖)", "reads {row} cells", "move")
    last = Line("w̄ ← average of w(1) … w(t)", "γ(w̄) = {gamma_average:.3f}", "average")
    if params["exact_p"]:
        return (draw, move, Line("c ← y ∘ X w, all of it", "reads {column} cells", "column"),
                Line("γ, b ← level of both basins, volume νn" if bias else "γ ← level of c under volume νn", "γ = {gamma:.3f}",
                     "pour"),
                Line("ξ ← the water over each point", "νn = {volume:.3f}", "pour"),
                Line("p ← uniform over those under water", "1 in {wet}", "reweigh"), last)
    pour = Line(slack, "νn = {volume:.3f}" + (", b = {b:.2g}" if bias else ""), "pour")
    reweigh = Line("q ← q (1 − η v + η² v²), p ← q/Σ q", "η = {eta:.3f}", "reweigh")
    if params["exact_margins"]:
        return (draw, move, pour, Line("c ← y ∘ X w, all of it", "reads {column} cells", "column"),
                Line(f"v ← c + {v}{cut}", "{clipped} beyond 1/η", "estimate"), reweigh, last)
    return (draw, move, pour, Line("draw column j with chance w[j]²/‖w‖²", "{column_drawn}", "column"),
            Line(f"v ← y x[:, j] ‖w‖²/w[j] + {v}{cut}", "reads {column} cells", "estimate"), reweigh, last)


MOVES = "Row {i} ({label}), drawn with chance *{p:.3f}*, moves w. "
WHY = (
    "Nothing has been read yet: w = 0, and each of the {n} rows has the same chance.",
    MOVES + "Column {j} alone, with chance {share:.2g}, estimates all {n} margins.",
    MOVES + "Then all {n} margins are computed exactly, and for that the whole matrix is read: {column} cells.",
    MOVES + "It is one of the {wet} under water, and p is exact: that takes the whole matrix, {column} cells.",
    "{clipped} are clipped at 1/η = {limit:.1f}.",
    "{clipped} are beyond 1/η = {limit:.1f} and not clipped: these weights jump.",
    "After {reads} reads *{seen:.0f} %* of the matrix is known, to Pegasos {seen_pegasos:.0f} %.",
    "Both classes weigh the same: b = 0.",
    "Class {heavier} weighs more: all slack of the bias goes there, b = {b:.2g}.",
)
QUESTIONS = (
    Question(
        "row", "Which of these rows has the best chance to be drawn next?",
        "Choose one. A row whose margin is estimated as small gains weight.",
        "{letter} has a chance of {top:.1f} %, the best of all {n}; an even share is {even:.2f} %. {drew}",
        "{mistaken}{letter} has {top:.1f} %, the best of all {n}; an even share is {even:.2f} %. {drew}", "draw"),
    ANSWER,
    Question(
        "cells", "How many cells will have been read when {which} errs on less than {below:g} %?",
        "The table has {entries} cells, {known} are known, and {which} errs on {error:.1f} %{besides}. "
        "Close is a factor of {factor:g}.",
        "Step {reached} got there with {read} of the {entries} cells, {percent:.1f} %. {told}",
        "Step {reached} got there with {read} of the {entries} cells, {percent:.1f} %. {told}"),
)
START, SAMPLED, MARGINS, EXACT, CLIPPED, WILD, READ, EVEN, HEAVIER = (1 << bit for bit in range(9))
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
