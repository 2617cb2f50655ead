"""Merging the smallest support vector with its best partner, of two classes with the Gaussian
kernel: as `solvers.bsgd` does it, without looking closely at partners that are too far.

With s = L / (1 + |a_m| / |a_n|), L = gamma |x_m - x_n|², and |a_m| <= |a_n| of the same sign a
merge loses at least

    |Delta|² >= |a_m|² (1 - (1 + 2 s) exp(-2 s)),

which is what is lost where n is infinitely heavy and L = s. So whoever has a bound above what the
vector with the least s does lose is no partner; few are left. What two vectors added to a mean over
steps goes to z as their coefficients do.
"""

import numpy as np

from svmviz.estimators.train import narrow
from svmviz.estimators.train.bsgd.slots import EVALS, LENGTH, OUT, SCALE, SUM, drop, put, wipe
from svmviz.maths.machine.elementary import exp
from svmviz.maths.machine.jit import bare
from svmviz.solvers.bsgd.maintenance import merge
from svmviz.solvers.bsgd.model import AGE, MERGED, USED

NODES = 1024
BEYOND = 1e300


def reaches() -> np.ndarray:
    """The largest s at which the bound is at most (k / NODES)², for k = 0 .. NODES."""
    s = np.append(np.geomspace(1e-9, 30.0, 20_000), np.inf)
    with np.errstate(invalid="ignore"):
        bound = np.nan_to_num(-np.expm1(-2 * s) - 2 * s * np.exp(-2 * s), nan=1.0)
    return s[
        np.minimum(
            np.searchsorted(bound, (np.arange(NODES + 1) / NODES) ** 2, side="right"), s.size - 1
        )
    ]


REACHES = reaches()


@bare
def smallest(A, age, b, work):
    """The vector with the least |a|, of several the oldest"""
    for j in range(b):
        work[j] = A[j, 0] * A[j, 0]
    most, p = narrow.least(work, b) * (1.0 + merge.EQUAL), -1
    for j in range(b):
        if A[j, 0] * A[j, 0] <= most and (p < 0 or age[j] < age[p]):
            p = j
    return p


@bare
def apart(V, x, j):
    """|x - v_j|²"""
    total = 0.0
    for f in range(x.size):
        total += (x[f] - V[f, j]) * (x[f] - V[f, j])
    return total


@bare
def tried(model, kernel, m, j):
    """Merging m, which is in `x`, with j: L, h and what is lost"""
    a, c = model.A[m, 0], model.A[j, 0]
    L = apart(model.V, model.x, j) * kernel.gamma
    h = merge.exact(a * a, a * c, c * c, L)
    loss = merge.lost(a * a, a * c, c * c, L, h)
    return (
        L,
        h,
        loss + merge.lacked(a * a, a * c, c * c, L, h, kernel.plus) if kernel.plus != 0.0 else loss,
    )


@bare
def partner(model, room, kernel, features, m, error):
    """The best vector to merge m with, which is in `x`, or -1; L and h"""
    A, out, s, copy, b, a = (
        model.A,
        room.single[OUT],
        room.work[0],
        room.work[1],
        model.count[USED],
        model.A[m, 0],
    )
    narrow.squared_distances(room.V, room.single[LENGTH], b, room.x, model.at, features, out)
    for j in range(b):
        c = A[j, 0]
        reach = kernel.gamma * out[j] * (c / (c + a))
        s[j] = reach if c * a > 0.0 else np.inf
    s[m] = np.inf
    for j in range(b):
        copy[j] = s[j]
    low, n = narrow.least(copy, b), 0
    if low == np.inf:
        return -1, 0.0, 0.0
    while s[n] != low:
        n += 1
    first = n
    L, h, least = tried(model, kernel, m, first)
    most = REACHES[min(NODES, 1 + int(NODES * (least / (a * a)) ** 0.5))] + error
    most = min(most, BEYOND)  # those of the other side are farther
    for j in range(b):
        if s[j] <= most and j != first:
            L_j, h_j, loss = tried(model, kernel, m, j)
            if loss < least or (loss == least and j < n):
                n, L, h, least = j, L_j, h_j, loss
    return n, L, h


@bare
def merge_smallest(model, room, kernel, dense, features, error):
    """Merge the smallest vector with its best partner, or remove it; `x` holds `features` of the
    example, and then of z
    """
    A, V, x, at, near, b = model.A, model.V, model.x, model.at, room.x, model.count[USED]
    m = smallest(A, model.facts[AGE], b, room.work[0])
    if not dense:
        wipe(x, near, at, features)
        features = 0
    for f in range(x.size):
        if dense or V[f, m] != 0.0:
            x[f], near[f] = V[f, m], room.V[f, m]
            at[f if dense else features] = f
            features += not dense
    n, L, h = partner(model, room, kernel, features, m, error)
    room.number[EVALS] += b - 1
    if n >= 0:
        a, c = A[m, 0], A[n, 0]
        h = merge.own_side(a * a, c * c, h)
        p, q, plus, number = exp(-L * (1.0 - h) ** 2), exp(-L * h * h), kernel.plus, room.number
        a_z = a * p + c * q
        if plus != 0.0:
            a_z = (a_z + plus * (a + c)) / (1.0 + plus)
        for f in range(x.size):
            x[f] = h * V[f, m] + (1.0 - h) * V[f, n]
        merged = model.facts[MERGED, m] + model.facts[MERGED, n] + 1
        put(model, room, n, a_z, merged)
        number[SUM] += (a_z - a - c) / number[SCALE]
        if not dense:
            for f in range(x.size):
                x[f], near[f] = 0.0, narrow.ZERO
            features = 0
    else:
        room.number[SUM] -= A[m, 0] / room.number[SCALE]
    drop(model, room, m)
    return features
