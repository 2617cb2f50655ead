"""Explore: hyperparameters at a glance."""

from svmviz import ui

ui.explore(returned=ui.guard("explore"))
