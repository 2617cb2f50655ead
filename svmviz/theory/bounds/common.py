"""What a theorem is made of: a curve, its constants, its assumptions."""

import math
from typing import NamedTuple

import numpy as np

from svmviz.maths import kernels, matrix

STEEP = "no slope of the loss exceeds 1"


class Assumption(NamedTuple):
    text: str
    holds: bool
    needed: bool = True  # False: the theorem holds without it, but then says nothing


class Bound(NamedTuple):
    """value[j] bounds the quantity of `statement` after t[j] steps, provided that every assumption
    holds. `formula` is what it is computed by, `numbers` the same as a template of constants,
    `parts`, t and value; `where` explains what stands in it.
    """

    name: str
    statement: str
    t: np.ndarray
    value: np.ndarray
    constants: dict[str, float]
    assumptions: tuple[Assumption, ...]
    formula: str = ""
    numbers: str = ""
    where: str = ""
    parts: dict[str, np.ndarray] = {}  # constants that are other ones after each t

    @property
    def holds(self) -> bool:
        return all(a.holds for a in self.assumptions)

    @property
    def vacuous(self) -> bool:
        """Whether all that is missing is that the curve says anything."""
        return [a.needed for a in self.assumptions if not a.holds] == [False]

    @property
    def broken(self) -> str:
        """The first assumption that does not hold, or nothing."""
        return next((a.text for a in self.assumptions if not a.holds), "")


def radius(problem, kernel=None) -> float:
    """R = max |phi(x_i)| over the data."""
    return math.sqrt(kernels.diagonal(kernel or kernels.linear(), matrix.rows(problem.X)).max())
