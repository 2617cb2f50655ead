"""The averaged Perceptron: the Perceptron's steps, and the mean of all w that they pass,

    w ← w + y_i phi(x_i)   if   y_i <w, phi(x_i)> <= 0,      w̄ = 1/t Σ w.

Freund, Schapire: "Large margin classification using the Perceptron algorithm", Machine Learning 37
(1999). A w that survives many examples counts for much, one that was soon mistaken for little: the
average votes, and is calmer than the last w. The mistakes are those of the last w, and so is their
bound.
"""

from dataclasses import replace

from svmviz.data.params import Param
from svmviz.record.changes import AFTER
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Story, Uses
from svmviz.record.symbols import CONSTANT, shared
from svmviz.solvers import perceptron

MEAN = "w̄ ← (1 − 1/{t}) w̄ + w/{t}."
WHY = perceptron.WHY | Sentences(
    right=Sentence(
        "Point {i} ({label}) has margin *{margin:.2f}*, above 0: w stays as it is, and counts once"
        " more in the average.",
        "Right side: w counts once more.",
        "m = y f(x) = *{margin:.2f}* > 0: w ← w, " + MEAN,
    ),
    mistake=Sentence(
        "Point {i} ({label}) has margin *{margin:.2f}*, not above 0: mistake number {mistakes:g}. y"
        " x is added to w, and 1/{t} of it to the average.",
        "Wrong side: add it.",
        "m = y f(x) = *{margin:.2f}* ≤ 0: w ← w + y x, y = {label}; " + MEAN,
    ),
)


def lines(params) -> Lines:
    average = Line("w̄ ← average of w(1) … w(t)", "1/{t} of the new one", "average")
    return perceptron.lines(params) | Lines(average=average)


def run(problem, params, order, start, active):
    found, _ = perceptron.run(problem, params, order, start, active)
    return found._replace(lines=found.lines | lines(params).average), None


AVERAGED = replace(
    perceptron.PERCEPTRON,
    key="averaged",
    title="Averaged Perceptron",
    paper="Freund, Schapire 1999",
    algorithm=replace(perceptron.PERCEPTRON.algorithm, run=run),
    story=Story(
        figure=lambda params: "Section 2",
        lines=lines,
        why=WHY,
        questions=perceptron.PERCEPTRON.story.questions,
        symbols=(*shared("t i j n x y w w̄ f m α K"), *CONSTANT),
    ),
    goal=replace(perceptron.PERCEPTRON.goal, averages=lambda params: AFTER),
    params=(
        *perceptron.PERCEPTRON.params,
        Param(
            "iterate",
            "",
            "average",
            options=("average", "last"),
            title="iterate",
            help="Which w is drawn: the mean of all so far, or the last, which makes the mistakes.",
        ),
    ),
    # two mistakes on end, of which the average hardly takes notice
    uses=Uses(opening="data=blobs&n=100&noise=0.9&seed=4&T=200&t=44&beat=average"),
)
