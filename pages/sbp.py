"""The Stochastic Batch Perceptron, the paper: an article with its figures to play with or to compute, and its tables."""

from svmviz import ui

ui.guard("sbp")


def rivals() -> None:
    """Section 5 and Appendix A, on data of the visitor's choice."""
    setting = ui.choose_data()
    ui.figure_2(setting)
    ui.figure_3(setting)
    ui.timing(setting)


ui.articles.show("sbp", {"water": ui.water, "bias": ui.bias, "rivals": rivals, "table_1": ui.table_1, "table_2": ui.table_2})
