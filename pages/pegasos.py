"""Pegasos, the paper: an article, what it proves to be touched, and the figures and tables of its
Section 7.
"""

from svmviz.ui.papers import articles, pegasos
from svmviz.ui.shell.frame import guard

guard("pegasos")
articles.show("pegasos", pegasos.FIGURES)
