"""Pegasos, the paper: an article, with its Figures 7 and 8."""

from functools import partial

from svmviz import ui
from svmviz.ui import pegasos, promises

ui.guard("pegasos")
ui.articles.show("pegasos", {"theorem": partial(promises.touched, "pegasos"), "figure_7": pegasos.figure_7,
                             "figure_8": pegasos.figure_8})
