"""The losses of Section 5 and their sub-gradients, as functions of scores z; that of w follows by
the rule of the chain.

The table of the paper lacks an absolute value: the ε-insensitive loss is max{0, |y − z| − ε}, as
its text has it.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class Loss(NamedTuple):
    """`value` and `slope` take a number and the label where there is one score; else all scores and
    the place of the label.
    """

    formula: str
    slope_formula: str  # a sub-gradient with respect to w
    value: Callable
    slope: Callable
    scores: bool = False


def expit(x):
    return np.exp(-np.logaddexp(0.0, -x))


def ahead(z: np.ndarray, y: int, cost: float = 1.0) -> int:
    """The class with the largest score, to which all but the right one add their cost; the right
    one where it is a tie.
    """
    raised = z + cost * (np.arange(z.size) != y)
    return y if raised[y] >= raised.max() else int(np.argmax(raised))


def unit(k: int, size: int) -> np.ndarray:
    return np.eye(size)[k]


def softmax(z: np.ndarray) -> np.ndarray:
    return np.exp(z - np.logaddexp.reduce(z))


EPS = 0.5  # of the loss for regression
LOSSES = {
    "hinge": Loss(
        r"\max\{0,\,1 - yz\}",
        r"-y\,x \;\text{ if } yz < 1,\quad 0 \text{ else}",
        lambda z, y: np.maximum(0.0, 1.0 - y * z),
        lambda z, y: np.where(y * z < 1, -y, 0.0),
    ),
    "log-loss": Loss(
        r"\log(1 + e^{-yz})",
        r"-\frac{y}{1 + e^{yz}}\,x",
        lambda z, y: np.logaddexp(0.0, -y * z),
        lambda z, y: -y * expit(-y * z),
    ),
    "ε-insensitive": Loss(
        r"\max\{0,\,\lvert y - z\rvert - \varepsilon\}",
        r"x \;\text{ if } z - y > \varepsilon,\quad -x \;\text{ if } y - z > \varepsilon,\quad "
        r"0 \text{ else}",
        lambda z, y: np.maximum(0.0, np.abs(y - z) - EPS),
        lambda z, y: np.where(z - y > EPS, 1.0, np.where(y - z > EPS, -1.0, 0.0)),
    ),
    "multi-class": Loss(
        r"\max_{r}\;\delta(r, y) - z_y + z_r",
        r"\varphi(x, \hat y) - \varphi(x, y),\quad "
        r"\hat y = \arg\max_r \delta(r, y) - z_y + z_r",
        lambda z, y: float((z + (np.arange(z.size) != y) - z[y]).max()),
        lambda z, y: unit(ahead(z, y), z.size) - unit(y, z.size),
        True,
    ),
    "multi-class log": Loss(
        r"\log\Bigl(1 + \sum_{r \neq y} e^{z_r - z_y}\Bigr)",
        r"\sum_r p_r\,\varphi(x, r) - \varphi(x, y),\quad p_r = e^{z_r}\!/\!\sum_j e^{z_j}",
        lambda z, y: float(np.logaddexp.reduce(z - z[y])),
        lambda z, y: softmax(z) - unit(y, z.size),
        True,
    ),
}
