"""SIMBA, the paper: an article, with its figure and its comparison of runtimes as a calculator."""

from svmviz import ui
from svmviz.ui import simba

ui.guard("simba")
ui.articles.show("simba", {"figure_1": simba.figure_1, "section_5": simba.section_5})
