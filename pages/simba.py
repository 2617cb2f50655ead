"""SIMBA, the paper: what it says, its figure, its comparison of runtimes as a calculator."""

from svmviz import ui
from svmviz.ui import simba

ui.guard("simba")
ui.paper("simba")
simba.figure_1()
simba.section_5()
