"""What a w is worth in SIMBA's problem (3), where no slack exceeds 2 and no bias 1, in units of the
longest row.
"""

import numpy as np

from svmviz.maths import matrix
from svmviz.maths.machine.jit import jit
from svmviz.maths.water import level, level_with_bias
from svmviz.solvers.simba.weights import SLACK_PER_POINT

GOLDEN, TRIES = 0.6180339887498949, 60


@jit
def margins(rows, y, u, scale, out):
    """y_i <x_i, u> scale for every i"""
    matrix.dots(rows, u, out)
    for i in range(out.size):
        out[i] *= y[i] * scale


@jit
def with_b(c, y, b, volume, shifted, scratch):
    """The level for this b: that of the water, or where the lowest is full"""
    lowest = np.inf
    for i in range(c.size):
        shifted[i] = c[i] + y[i] * b
        lowest = min(lowest, shifted[i])
    return min(level(shifted, volume, scratch), lowest + SLACK_PER_POINT)


@jit
def judge(c, y, volume, bias, scratch, shifted):
    """(f, b): the best level over ξ, and over b where there is one"""
    if not bias:
        lowest = np.inf
        for i in range(c.size):
            lowest = min(lowest, c[i])
        return min(level(c, volume, scratch), lowest + SLACK_PER_POINT), 0.0
    gamma, b, _, _, _ = level_with_bias(c, y, volume, scratch)
    if abs(b) <= 1.0 and with_b(c, y, b, volume, shifted, scratch) >= gamma - 1e-13:
        return gamma, b
    low, high = -1.0, 1.0  # a bound is met: the level is concave in b
    for _ in range(TRIES):
        a, e = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        if with_b(c, y, a, volume, shifted, scratch) < with_b(c, y, e, volume, shifted, scratch):
            low = a
        else:
            high = e
    b = (low + high) / 2
    return with_b(c, y, b, volume, shifted, scratch), b
