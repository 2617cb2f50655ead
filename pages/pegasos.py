"""Pegasos, the paper: an article, with its Figures 7 and 8."""

from svmviz import ui
from svmviz.ui import pegasos

ui.guard("pegasos")
ui.articles.show("pegasos", {"figure_7": pegasos.figure_7, "figure_8": pegasos.figure_8})
