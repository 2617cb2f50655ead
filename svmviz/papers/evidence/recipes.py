"""Experiments whose runs are those of the Playground: a recipe for each curve, another seed for
each run.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from svmviz.papers.evidence.experiment import Tasks
from svmviz.run.recipe import Recipe


def runs_of(recipes: Mapping[str, Recipe], seed: int, measure: Callable[[Recipe], Any]) -> Tasks:
    """What is measured of each recipe with this seed."""
    return {
        label: partial(measure, replace(recipe, seed=seed)) for label, recipe in recipes.items()
    }
