"""Pegasos, the paper: an article, what it proves to be touched, and the figures and tables of its Section 7."""

from functools import partial

from svmviz import ui
from svmviz.ui import pegasos, pegasos_lemmas, pegasos_rivals, promises

ui.guard("pegasos")
ui.articles.show("pegasos", {
    "theorem": partial(promises.touched, "pegasos"), "lemma_1": pegasos_lemmas.lemma_1,
    "stopping": pegasos_lemmas.random_stopping, "multi_sets": pegasos_lemmas.multi_sets, "by_alpha": pegasos_lemmas.by_alpha,
    "losses": pegasos_lemmas.losses, "figure_4": pegasos_rivals.figure_4, "figure_5": pegasos_rivals.figure_5,
    "table_3": pegasos_rivals.table_3, "figure_6": pegasos.figure_6, "figure_7": pegasos.figure_7, "figure_8": pegasos.figure_8,
    "figure_9": pegasos.figure_9})
