"""SIMBA, the paper: an article, with its figure and its comparison of runtimes as a calculator."""

from svmviz.ui.papers import articles, simba
from svmviz.ui.shell.frame import guard

guard("simba")
articles.show("simba", simba.FIGURES)
