"""Approximate incremental SVMs, the paper: what it says, Lemma 1 to be touched, and its Figures 2 to 6."""

from svmviz import ui
from svmviz.ui import incremental

ui.guard("incremental")
ui.paper("incremental")
incremental.figure_1()
incremental.figure_2()
incremental.figure_3()
incremental.figure_4()
incremental.figure_5()
incremental.figure_6()
incremental.own_stream()
