"""What the marks of pseudo-code, sentences, numbers and controls mean: name, meaning, value now,
and what they light.

Marks that several solvers use for the same thing stand here; a solver takes those of its stage by
`shared` and declares its own beside its sentences. A mark has one meaning on a stage.
"""

from collections.abc import Iterable
from typing import NamedTuple


class Symbol(NamedTuple):
    """A mark and what it stands for; `value` is a template of live values, `lights` names what it
    is on the stage.
    """

    mark: str
    name: str
    meaning: str  # in at most ten words
    value: str = ""
    lights: str = ""


SHARED = {
    symbol.mark: symbol
    for symbol in (
        Symbol("t", "step", "number of the step that was taken last", "{t}"),
        Symbol(
            "i", "drawn example", "number of the example that this step looks at", "{i}", "drawn"
        ),
        Symbol("j", "another example", "runs over the examples that w is made of"),
        Symbol("n", "number of examples", "how many examples take part", "{n}", "plane"),
        Symbol("x", "example", "features of an example: its place on the plane", "", "drawn"),
        Symbol("y", "label", "class of an example, +1 or −1", "{label}", "drawn"),
        Symbol(
            "w",
            "weights",
            "what is learnt: w at right angles to the boundary",
            "‖w‖ = {norm:.3f}",
            "boundary",
        ),
        Symbol("w̄", "average of w", "mean of the w of all steps so far", "", "average"),
        Symbol("f", "decision value", "above 0 means class +1, below 0 class −1", "", "boundary"),
        Symbol(
            "m", "margin", "y f(x): below 0 wrong, below 1 it costs", "{margin:.2f}", "drawn hinge"
        ),
        Symbol(
            "λ", "regularisation", "price of a long w, against the losses", "{lam:.3g}", "margins"
        ),
        Symbol("η", "step length", "how far this step moves w", "{eta:.3g}", "step"),
        Symbol(
            "α",
            "coefficients",
            "how much of each example w is made of",
            "{support} of them not 0",
            "support alphas",
        ),
        Symbol("K", "kernel", "inner product of two examples, after the feature map"),
        Symbol("φ", "feature map", "where the kernel takes its inner products"),
        Symbol("ℓ", "loss", "what an example pays for its margin", "", "hinge"),
        Symbol("ℓ′", "slope of the loss", "how fast the loss changes with the margin", "", "hinge"),
        Symbol(
            "s",
            "smoothing",
            "how wide the corner of the hinge is rounded",
            "{smoothing:.3g}",
            "hinge",
        ),
        Symbol("b", "bias", "constant in f that has no price", "{b:.3f}", "boundary"),
        Symbol(
            "r",
            "radius of the ball",
            "1/√λ: the best w is no longer than this",
            "{radius:.2f}",
            "step",
        ),
        Symbol("C", "top of the box", "the most that one α may be", "{C:.3g}", "alphas"),
        Symbol(
            "P",
            "primal objective",
            "price of w plus mean loss; small is good",
            "{primal:.4f}",
            "curves",
        ),
        Symbol("P*", "optimum", "lowest P that any w can reach", "{optimum:.4f}", "optimum"),
        Symbol(
            "D",
            "dual objective",
            "never above P*; α makes it as large as possible",
            "{dual:.4f}",
            "gap",
        ),
        Symbol("w*", "best weights", "the w that reaches the optimum", "", "optimum"),
        Symbol("ν", "slack", "water granted per example", "{nu:.3g}", "water"),
        Symbol(
            "γ",
            "water level",
            "every response counts as raised to this height",
            "{level:.3f}",
            "level",
        ),
        Symbol(
            "γ*",
            "best level",
            "highest level that any w of length 1 reaches",
            "{optimum:.4f}",
            "optimum",
        ),
        Symbol(
            "c",
            "responses",
            "y f of every example: its column",
            "{margin:.3f} of example {i}",
            "wet",
        ),
        Symbol("g", "gradient", "how much the dual gains as α rises", "{g:.3f}", "drawn alphas"),
    )
}


def shared(marks: str) -> tuple[Symbol, ...]:
    """The shared symbols of these marks, given with blanks between.

    >>> [symbol.name for symbol in shared("λ P*")]
    ['regularisation', 'optimum']
    """
    return tuple(SHARED[mark] for mark in marks.split())


# Of solvers that know the constant feature (`data.constant`).
CONSTANT = (
    Symbol("b", "bias", "constant in f, at a price like all of w", "", "boundary"),
    Symbol(
        "c", "constant feature", "one more feature, the same for every example", "{constant:.3g}"
    ),
)


def explained(symbols: Iterable[Symbol], mark: str, more: str = "") -> str:
    """Name and meaning of a mark in a sentence, for the help of its control, and what else is to be
    said there.

    >>> explained(shared("ν"), "ν", "0 is the batch perceptron.")
    'ν, slack: water granted per example. 0 is the batch perceptron.'
    """
    found = next((symbol for symbol in symbols if symbol.mark == mark), None)
    return f"{mark}, {found.name}: {found.meaning}. {more}".strip() if found else more
