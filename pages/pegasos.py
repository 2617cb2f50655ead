"""Pegasos, the paper: what it says, and its Figures 7 and 8."""

from svmviz import ui
from svmviz.ui import pegasos

ui.guard("pegasos")
ui.paper("pegasos")
pegasos.figure_8()
pegasos.figure_7()
