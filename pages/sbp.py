"""The Stochastic Batch Perceptron, the paper: an article with its figures to play with or to compute, and its tables."""

from functools import partial

from svmviz import ui
from svmviz.ui.papers import promises
from svmviz.ui.papers.sbp import lemmas

ui.guard("sbp")


def rivals() -> None:
    """Section 5 and Appendix A, on data of the visitor's choice."""
    setting = ui.choose_data()
    ui.figure_2(setting)
    ui.figure_3(setting)
    ui.timing(setting)


ui.articles.show("sbp", {"theorem": partial(promises.touched, "sbp"), "lemma_2_1": promises.lemma_2,
                         "supergradient": lemmas.supergradient, "learning": lemmas.learning, "dual_gap": lemmas.dual_gap,
                         "water": ui.water, "bias": ui.bias, "rivals": rivals, "table_1": ui.table_1, "table_2": ui.table_2})
