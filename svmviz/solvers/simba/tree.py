"""A sum-tree: draw from weights of which a few change at every step, in O(log n) each.

Leaf j stands at place m + j of an array of 2 m numbers, m a power of two, and every inner node k
holds the sum of its children 2 k and 2 k + 1, so that the root, place 1, holds the sum of all. A
node is always computed from its children and never by adding differences: sums cannot drift, and do
not depend on the way they came about.

>>> sums = planted(np.array([1.0, 0.0, 3.0]))
>>> float(sums[1]), find(sums, 0.2), find(sums, 0.3)
(4.0, 0, 2)
"""

import numpy as np

from svmviz.maths.machine.jit import jit


def width(n: int) -> int:
    """Leaves of a tree for n weights: the next power of two.

    >>> width(5)
    8
    """
    return 1 << max(0, int(n) - 1).bit_length()


def planted(weights: np.ndarray) -> np.ndarray:
    """The tree of these weights."""
    sums = np.zeros(2 * width(weights.size))
    sums[sums.size // 2 : sums.size // 2 + weights.size] = weights
    grow(sums)
    return sums


@jit
def grow(sums):
    """All inner nodes from the leaves"""
    for k in range(sums.size // 2 - 1, 0, -1):
        sums[k] = sums[2 * k] + sums[2 * k + 1]


@jit
def put(sums, j, weight):
    """Give leaf j another weight"""
    k = sums.size // 2 + j
    sums[k] = weight
    k >>= 1
    while k > 0:
        sums[k] = sums[2 * k] + sums[2 * k + 1]
        k >>= 1


@jit
def find(sums, u):
    """The leaf that u in [0, 1) chooses, with chances as the weights; never one of weight 0 unless
    all are
    """
    left, k, m = u * sums[1], 1, sums.size // 2
    while k < m:
        k *= 2
        if left >= sums[k] and sums[k + 1] > 0.0:
            left -= sums[k]
            k += 1
    return k - m
