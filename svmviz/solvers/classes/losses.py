"""What the loss of several classes needs to know of the data: classes as numbers, costs of
mistakes, the ball of W*.
"""

import math

import numpy as np

from svmviz.maths import contest
from svmviz.maths.losses import HINGE, loss_of


def numbered(problem) -> np.ndarray:
    """(n,) the classes as numbers from 0 on."""
    return (problem.y > 0).astype(np.float64) if problem.classes == 2 else problem.y


def costs_of(params, classes: int) -> np.ndarray:
    """What mistakes cost; the log-loss asks for probabilities and knows no costs."""
    return contest.read(params["costs"] if loss_of(params).kind == HINGE else "", classes)


def resting(problem, params, active) -> float:
    """The mean loss of W = 0, where all scores tie."""
    return contest.at_rest(
        loss_of(params), costs_of(params, problem.classes), numbered(problem)[active]
    )


def radius_of(problem, params, active) -> float:
    """Of the ball that W* lies in, as P(W*) is at most P(0)."""
    return math.sqrt(resting(problem, params, active) / params["lam"])
