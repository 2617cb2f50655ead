"""The averaged Perceptron: the Perceptron's steps, and the mean of all w that they pass,

    w ← w + y_i phi(x_i)   if   y_i <w, phi(x_i)> <= 0,      w̄ = 1/t Σ w.

Freund, Schapire: "Large margin classification using the Perceptron algorithm", Machine Learning 37 (1999). A w that survives
many examples counts for much, one that was soon mistaken for little: the average votes, and is calmer than the last w. The
mistakes are those of the last w, and so is their bound.
"""

from dataclasses import replace

from svmviz.data.params import Param
from svmviz.record.changes import AFTER
from svmviz.record.solver import Line, Story, Uses
from svmviz.solvers import perceptron

AVERAGE = 8
WHY = (
    "Nothing has been seen yet: w = 0, and a margin of 0 counts as a mistake.",
    "Point {i} ({label}) has margin *{margin:.2f}*, above 0: w stays as it is, and counts once more in the average.",
    "Point {i} ({label}) has margin *{margin:.2f}*, not above 0: mistake number {mistakes:g}. w takes y x in, the average only "
    "1/{t} of that.",
    "This is pass {pass}: the guarantee ended with the first pass, after {n} steps.",
)


def lines(params) -> tuple[Line, ...]:
    return (*perceptron.lines(params), Line("w̄ ← average of w(1) … w(t)", "1/{t} of the new one", "average"))


def run(problem, params, order, start, active):
    found, _ = perceptron.run(problem, params, order, start, active)
    return found._replace(lines=found.lines | AVERAGE), None


AVERAGED = replace(
    perceptron.PERCEPTRON, key="averaged", title="Averaged Perceptron", paper="Freund, Schapire 1999",
    algorithm=replace(perceptron.PERCEPTRON.algorithm, run=run),
    story=Story(figure=lambda params: "Section 2", lines=lines, why=WHY, questions=perceptron.PERCEPTRON.questions),
    goal=replace(perceptron.PERCEPTRON.goal, averages=lambda params: AFTER),
    params=(*perceptron.PERCEPTRON.params, Param(
        "iterate", "", "average", options=("average", "last"), title="iterate",
        help="Which w is drawn: the mean of all so far, or the last, which makes the mistakes.")),
    # two mistakes on end, of which the average hardly takes notice
    uses=Uses(opening="data=blobs&n=100&noise=0.9&seed=4&T=200&t=69&beat=average"),
)
