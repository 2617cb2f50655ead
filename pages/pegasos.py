"""Pegasos, the paper: an article, with its figures of Section 7."""

from functools import partial

from svmviz import ui
from svmviz.ui import pegasos, pegasos_lemmas, promises

ui.guard("pegasos")
ui.articles.show("pegasos", {"theorem": partial(promises.touched, "pegasos"), "lemma_1": pegasos_lemmas.lemma_1,
                             "stopping": pegasos_lemmas.random_stopping, "losses": pegasos_lemmas.losses,
                             "by_alpha": pegasos_lemmas.by_alpha, "figure_6": pegasos.figure_6,
                             "figure_7": pegasos.figure_7, "figure_8": pegasos.figure_8, "figure_9": pegasos.figure_9})
