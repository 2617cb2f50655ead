"""The figures of the SBP paper's page: to be touched, to be computed, and as printed."""

from svmviz.ui.papers import promises
from svmviz.ui.papers.sbp import basins, figures, lemmas

FIGURES = {
    "theorem": promises.touched("sbp"),
    "lemma_2_1": promises.lemma_2,
    "supergradient": lemmas.supergradient,
    "learning": lemmas.learning,
    "dual_gap": lemmas.dual_gap,
    "water": basins.water,
    "bias": basins.bias,
    "rivals": figures.comparisons,
    "table_1": figures.table_1,
    "table_2": figures.table_2,
}
