"""The weights q of SIMBA's examples, and the slack on the largest of them.

Two things are asked of q at every step: draw i with chance q_i / Σ q, and pour the slack ξ, at most `cap` on each, on the
largest q. The update multiplies q_i by 1 - z + z² with z = η (estimate_i + ξ_i + y_i b), so that all examples without an entry
in the column that was read, with the same slack and the same label, share one factor. They are kept in four groups, full of
slack or dry, of label +1 or -1, each with one lazy factor: a step costs the entries of a column, whatever n is.

Logarithms of weights are whole multiples of 2^-40 and kept as integers. Their sums are therefore exact in whatever order they
are taken: nothing underflows, nothing drifts, ties are ties, and the lazy factors give to the last bit what n separate
multiplications would. Of equal weights the lower index gets the slack.
"""

import math
from typing import NamedTuple

import numpy as np

from svmviz.jit import jit
from svmviz.sublinear import tree

GRID = 2.0**40
SMALL, LARGE = 1e-100, 1e100  # sums of a group stay in between, or its logarithms are shifted
SLACK_PER_POINT = 2.0  # in units of the largest |x|: the cap on each ξ_i


class Weights(NamedTuple):
    """log q_i = (key_i + lazy[group_i]) / GRID. Groups 0 and 1 are dry, 2 and 3 full of slack; odd ones have label +1."""

    key: np.ndarray  # (n,) int64
    group: np.ndarray  # (n,) int64
    lazy: np.ndarray  # (4,) int64
    sums: np.ndarray  # (4, 2 m) a sum-tree of exp(key) for every group
    edge: np.ndarray  # (4, 2 m) beside each sum the example there that would leave the group first, or -1
    full: np.ndarray  # (1,) how many are full
    rest: np.ndarray  # (1,) what is left over for the first of the dry


def begin(log_q: np.ndarray, y: np.ndarray, volume: float) -> Weights:
    """The groups of these weights (integers, in units of 1/GRID) under this volume of slack, in units of the largest |x|."""
    n = log_q.size
    full = min(n, int(volume / SLACK_PER_POINT))
    rest = min(SLACK_PER_POINT, volume - full * SLACK_PER_POINT) if full < n else 0.0
    group = (y > 0).astype(np.int64)
    group[np.lexsort((np.arange(n), -log_q))[:full]] += 2
    m = tree.width(n)
    weights = Weights(log_q - log_q.max(), group, np.full(4, log_q.max()), np.zeros((4, 2 * m)),
                      np.full((4, 2 * m), -1), np.array([full]), np.array([rest]))
    for g in range(4):
        grow(weights, g)
    return weights


@jit
def log_weight(weights, i):
    return weights.key[i] + weights.lazy[weights.group[i]]


@jit
def before(weights, g, a, b):
    """Of two members of group g the one that leaves it first: the largest of the dry, the smallest of the full"""
    if a < 0 or b < 0:
        return max(a, b)
    p, q = weights.key[a], weights.key[b]
    if g < 2:
        return a if p > q or (p == q and a < b) else b
    return a if p < q or (p == q and a > b) else b


@jit
def join(weights, g, k):
    """An inner node from its children"""
    weights.sums[g, k] = weights.sums[g, 2 * k] + weights.sums[g, 2 * k + 1]
    weights.edge[g, k] = before(weights, g, weights.edge[g, 2 * k], weights.edge[g, 2 * k + 1])


@jit
def plant(weights, g, i):
    """The leaf of example i in the tree of group g"""
    k, member = weights.sums.shape[1] // 2 + i, weights.group[i] == g
    weights.sums[g, k] = math.exp(weights.key[i] / GRID) if member else 0.0
    weights.edge[g, k] = i if member else -1


@jit
def grow(weights, g):
    """The whole tree of group g"""
    for i in range(weights.key.size):
        plant(weights, g, i)
    for k in range(weights.sums.shape[1] // 2 - 1, 0, -1):
        join(weights, g, k)


@jit
def put(weights, g, i):
    """Example i has another weight, or has joined or left group g"""
    plant(weights, g, i)
    k = (weights.sums.shape[1] // 2 + i) >> 1
    while k > 0:
        join(weights, g, k)
        k >>= 1


@jit
def settle(weights):
    """Shift the logarithms of a group whose sum has become too small or too large for a number; exact, as these are integers"""
    for g in range(4):
        if weights.edge[g, 1] >= 0 and not SMALL < weights.sums[g, 1] < LARGE:
            top = np.iinfo(np.int64).min
            for i in range(weights.key.size):
                if weights.group[i] == g:
                    top = max(top, weights.key[i])
            for i in range(weights.key.size):
                if weights.group[i] == g:
                    weights.key[i] -= top
            weights.lazy[g] += top
            grow(weights, g)


@jit
def worst(weights, low, high):
    """The one of two groups' edges that leaves first: of the dry the largest, of the full the smallest; -1 if there is none"""
    a, b = weights.edge[low, 1], weights.edge[high, 1]
    if a < 0 or b < 0:
        return max(a, b)
    p, q = log_weight(weights, a), log_weight(weights, b)
    if low < 2:
        return a if p > q or (p == q and a < b) else b
    return a if p < q or (p == q and a > b) else b


@jit
def move(weights, i, g):
    """Example i changes over to group g and keeps its weight"""
    old = weights.group[i]
    weights.key[i] += weights.lazy[old] - weights.lazy[g]
    weights.group[i] = g
    put(weights, old, i)
    put(weights, g, i)


@jit
def pour(weights, t, since, xi_total):
    """Slack on the largest again: while one of the dry weighs more than one of the full, they change places.

    `since` and `xi_total` keep account of the slack that each has had up to step t. Returns the first of the dry, which gets
    what is left over, or -1, and how many changed places."""
    moved = 0
    while True:
        dry, wet = worst(weights, 0, 1), worst(weights, 2, 3)
        if dry < 0 or wet < 0:
            break
        p, q = log_weight(weights, dry), log_weight(weights, wet)
        if p < q or (p == q and dry > wet):
            break
        move(weights, dry, weights.group[dry] + 2)
        move(weights, wet, weights.group[wet] - 2)
        since[dry] = t
        xi_total[wet] += SLACK_PER_POINT * (t - since[wet])
        moved += 1
    settle(weights)
    return (dry if weights.rest[0] > 0.0 else -1), moved


@jit
def shares(weights, out):
    """Chance of each group; returns log Σ q in units of 1/GRID, as a float"""
    top = -np.inf
    for g in range(4):
        if weights.sums[g, 1] > 0.0:
            out[g] = weights.lazy[g] + GRID * math.log(weights.sums[g, 1])
            top = max(top, out[g])
    total = 0.0
    for g in range(4):
        out[g] = math.exp((out[g] - top) / GRID) if weights.sums[g, 1] > 0.0 else 0.0
        total += out[g]
    for g in range(4):
        out[g] /= total
    return top + GRID * math.log(total)


@jit
def draw(weights, chance, u):
    """The example that u in [0, 1) chooses, given the chances of the groups"""
    last = 0
    for g in range(4):
        if chance[g] > 0.0:
            last = g
            if u < chance[g]:
                break
            u -= chance[g]
    return tree.find(weights.sums[last], min(max(u / chance[last], 0.0), 1.0 - 2.0**-53))


@jit
def factor(z):
    """log(1 - z + z²) in units of 1/GRID; for z beyond any clipping its leading term, before z² is too large for a number"""
    log = math.log(1.0 + z * (z - 1.0)) if abs(z) < 1e8 else 2.0 * math.log(abs(z))
    return np.int64(np.rint(GRID * log))
