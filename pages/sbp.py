"""The Stochastic Batch Perceptron, the paper: what it says, its figures, some of them to play with, its tables."""

from svmviz import ui

ui.guard("sbp")
ui.paper("sbp")
ui.needed("sbp")
ui.water()
ui.bias()
setting = ui.choose_data()
ui.figure_2(setting)
ui.figure_3(setting)
ui.timing(setting)
ui.table_1()
ui.table_2()
