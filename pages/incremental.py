"""Approximate incremental SVMs, the paper: an article, with Lemma 1 to be touched and its Table 1
and Figures 2 to 6.
"""

from functools import partial

from svmviz.ui.papers import articles, incremental, promises
from svmviz.ui.shell.frame import guard

guard("incremental")
articles.show(
    "incremental",
    {
        "figure_1": incremental.figure_1,
        "figure_2": incremental.figure_2,
        "figure_3": incremental.figure_3,
        "figure_4": incremental.figure_4,
        "figure_5": incremental.figure_5,
        "figure_6": incremental.figure_6,
        "stream": incremental.own_stream,
        "corollary_4": promises.corollary_4,
        "fixed_set": partial(promises.touched, "fixed_set"),
        "table_1": incremental.table_1,
    },
)
