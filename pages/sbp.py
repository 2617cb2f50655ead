"""The Stochastic Batch Perceptron, the paper: an article with its figures to play with or to
compute, and its tables.
"""

from functools import partial

from svmviz.ui.papers import articles, promises
from svmviz.ui.papers.sbp import lemmas
from svmviz.ui.papers.sbp.basins import bias, water
from svmviz.ui.papers.sbp.figures import choose_data, figure_2, figure_3, table_1, table_2, timing
from svmviz.ui.shell.frame import guard

guard("sbp")


def rivals() -> None:
    """Section 5 and Appendix A, on data of the visitor's choice."""
    setting = choose_data()
    figure_2(setting)
    figure_3(setting)
    timing(setting)


articles.show(
    "sbp",
    {
        "theorem": partial(promises.touched, "sbp"),
        "lemma_2_1": promises.lemma_2,
        "supergradient": lemmas.supergradient,
        "learning": lemmas.learning,
        "dual_gap": lemmas.dual_gap,
        "water": water,
        "bias": bias,
        "rivals": rivals,
        "table_1": table_1,
        "table_2": table_2,
    },
)
