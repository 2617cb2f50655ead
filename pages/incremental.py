"""Approximate incremental SVMs, the paper: an article, with Lemma 1 to be touched and its Table 1
and Figures 2 to 6.
"""

from svmviz.ui.papers import articles, incremental
from svmviz.ui.shell.frame import guard

guard("incremental")
articles.show("incremental", incremental.FIGURES)
