"""Explore: hyperparameters at a glance."""

from svmviz.ui.explore.page import explore
from svmviz.ui.shell.frame import guard

explore(returned=guard("explore"))
