"""Figures 1 and 4 of the SBP paper as numbers: responses in order, water over them, and the level
as a function of the bias.
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths.water import water_level, water_level_with_bias


class Basin(NamedTuple):
    """Responses in rising order, and the water of a given volume over them."""

    order: np.ndarray  # (n,) indices, the lowest response first
    ground: np.ndarray  # (n,) responses in that order
    gamma: float
    p: np.ndarray  # (n,) minimax optimal probabilities in that order

    @property
    def wet(self) -> int:
        """How many may be drawn: those that do not rise above the water."""
        return int((self.ground <= self.gamma).sum())


class Tilted(NamedTuple):
    """The two basins of a bias: one for each class, the lowest ground first, under one level."""

    b: float
    gamma: float
    plus: np.ndarray  # c_i + b of the positive examples
    minus: np.ndarray  # c_i - b of the negative ones

    @property
    def wet(self) -> tuple[int, int]:
        """How many of each class are under water."""
        return int((self.plus < self.gamma).sum()), int((self.minus < self.gamma).sum())


def filled(c, volume: float) -> Basin:
    """Water poured over the responses: p is uniform on all that it reaches.

    >>> basin = filled([3.0, 1.0, 2.0], 0.5)
    >>> basin.gamma, basin.order.tolist(), basin.p.tolist()
    (1.5, [1, 2, 0], [1.0, 0.0, 0.0])
    """
    c = np.asarray(c, np.float64)
    gamma, order = water_level(c, volume), np.argsort(c, kind="stable")
    reached = c[order] <= gamma
    return Basin(order, c[order], gamma, reached / reached.sum())


def tilted(c, y, volume: float, b: float) -> Tilted:
    """The level for a bias that need not be the best one."""
    c, y = np.asarray(c, np.float64), np.asarray(y)
    return Tilted(
        float(b), water_level(c + y * b, volume), np.sort(c[y > 0]) + b, np.sort(c[y < 0]) - b
    )


def levels(c, y, volume: float, biases) -> np.ndarray:
    """gamma(b) for each bias; a concave curve whose maximum is `best_bias`."""
    c, y = np.asarray(c, np.float64), np.asarray(y, np.float64)
    return np.array([water_level(c + y * b, volume) for b in biases])


def best_bias(c, y, volume: float) -> tuple[float, float]:
    """The largest level over all biases, and the middle of the biases that reach it."""
    return water_level_with_bias(c, y, volume)
