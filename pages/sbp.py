"""The Stochastic Batch Perceptron, the paper: an article with its figures to play with or to
compute, and its tables.
"""

from svmviz.ui.papers import articles, sbp
from svmviz.ui.shell.frame import guard

guard("sbp")
articles.show("sbp", sbp.FIGURES)
