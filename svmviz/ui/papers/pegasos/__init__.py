"""The figures of the Pegasos paper's page: what it proves to be touched, and its Section 7."""

from svmviz.ui.papers import promises
from svmviz.ui.papers.pegasos import figures, lemmas, rivals

FIGURES = {
    "theorem": promises.touched("pegasos"),
    "lemma_1": lemmas.lemma_1,
    "stopping": lemmas.random_stopping,
    "multi_sets": lemmas.multi_sets,
    "by_alpha": lemmas.by_alpha,
    "losses": lemmas.losses,
    "figure_4": rivals.figure_4,
    "figure_5": rivals.figure_5,
    "table_3": rivals.TABLE_3,
    "figure_6": figures.FIGURE_6,
    "figure_7": figures.figure_7,
    "figure_8": figures.figure_8,
    "figure_9": figures.figure_9,
}
