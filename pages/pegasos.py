"""Pegasos, the paper: an article, what it proves to be touched, and the figures and tables of its
Section 7.
"""

from functools import partial

from svmviz.ui.papers import articles, promises
from svmviz.ui.papers.pegasos import figures, lemmas, rivals
from svmviz.ui.shell.frame import guard

guard("pegasos")
articles.show(
    "pegasos",
    {
        "theorem": partial(promises.touched, "pegasos"),
        "lemma_1": lemmas.lemma_1,
        "stopping": lemmas.random_stopping,
        "multi_sets": lemmas.multi_sets,
        "by_alpha": lemmas.by_alpha,
        "losses": lemmas.losses,
        "figure_4": rivals.figure_4,
        "figure_5": rivals.figure_5,
        "table_3": rivals.table_3,
        "figure_6": figures.figure_6,
        "figure_7": figures.figure_7,
        "figure_8": figures.figure_8,
        "figure_9": figures.figure_9,
    },
)
