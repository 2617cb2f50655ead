"""The Stochastic Batch Perceptron."""

from svmviz.maths.water import water_level, water_level_with_bias
from svmviz.maths.water.search import water_level_steps

__all__ = ["water_level", "water_level_steps", "water_level_with_bias"]
