"""Budgeted SGD, the paper: an article, with its figures and Tables 1, 3 and 4."""

from svmviz.ui.papers import articles, bsgd
from svmviz.ui.shell.frame import guard

guard("bsgd")
articles.show("bsgd", bsgd.FIGURES)
