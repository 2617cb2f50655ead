"""Gaussian kernel values in single precision, for those who need a sign: four numbers at a time,
and how far they may be off.

What these values leave in doubt is computed again in double precision, so that a run takes the
steps that it would take without them. Loops are over vectors, have no branches, and do one thing
each: processors take several at a time then. Sums and minima are folded, half upon half, for the
same reason.
"""

import numpy as np

from svmviz.maths.machine.jit import bare

SINGLE = np.float32
LOG2_E, LN2, HALF, FAR, ZERO, TWICE = (
    SINGLE(value) for value in (1.4426950408889634, 0.6931471805599453, 0.5, 87.0, 0.0, -2.0)
)
C0, C1, C2, C3, C4, C5 = (
    SINGLE(value)
    for value in (  # of exp on [-ln 2 / 2, ln 2 / 2], by interpolation: within 1e-7
        1.000000075454897,
        1.0000000107715676,
        0.49998869378306215,
        0.16666505260418749,
        0.04191750724932531,
        0.008369148490049688,
    )
)
LN2_HIGH, LN2_LOW = (
    6.93147180369123816490e-01,
    1.90821492927058770002e-10,
)  # together ln 2, to twice the usual precision
D0, D1, D2, D3, D4, D5, D6, D7, D8, D9 = (  # the same within 2e-14
    1.000000000000014,
    1.0000000000000104,
    0.49999999999421446,
    0.16666666666511223,
    0.041666667048993127,
    0.008333333400875338,
    0.0013888800492447455,
    0.00019841150975919724,
    2.488502358946016e-05,
    2.7648062829535163e-06,
)
ROUNDING = 6e-8  # of one operation, relative
ROUGH = 1.5e-5  # of an exponential and the sums of 10 000 of them, relative
UNSEEN = 1e-25  # sums below may be all rounding: exp(-87) stands for all that is less


def error(gamma: float, features: int, longest: float) -> float:
    """By how much gamma |x - v|² may be wrong, where so many features are added up and no |x|² is
    larger than `longest`.
    """
    return gamma * ROUNDING * (features + 8) * 4.0 * longest


@bare
def squared_distances(V, square, b, x, at, features, out):
    """|x - v_j|² for the first b vectors, V having a row per feature, in the precision of what is
    handed over; with few
    features only these are read
    """
    if features == x.size:
        for j in range(b):
            out[j] = ZERO
        for f in range(features):
            value, v = x[f], V[f]
            for j in range(b):
                out[j] += (value - v[j]) * (value - v[j])
        return
    length, whole = ZERO, features - features % 4
    for q in range(features):
        length += x[at[q]] * x[at[q]]
    for j in range(b):
        out[j] = square[j] + length
    for q in range(0, whole, 4):  # by fours: what is added up is read and written less often
        v0, v1, v2, v3 = V[at[q]], V[at[q + 1]], V[at[q + 2]], V[at[q + 3]]
        x0, x1, x2, x3 = (
            TWICE * x[at[q]],
            TWICE * x[at[q + 1]],
            TWICE * x[at[q + 2]],
            TWICE * x[at[q + 3]],
        )
        for j in range(b):
            out[j] += (x0 * v0[j] + x1 * v1[j]) + (x2 * v2[j] + x3 * v3[j])
    for q in range(whole, features):
        v0, x0 = V[at[q]], TWICE * x[at[q]]
        for j in range(b):
            out[j] += x0 * v0[j]
    for j in range(b):
        out[j] = out[j] if out[j] > ZERO else ZERO


@bare
def exponentials(v, n, b, gamma):
    """v_j ← exp(-gamma v_j) for the first b, all >= 0; `n` is room for as many whole numbers of 32
    bits
    """
    bits = v.view(np.int32)
    for j in range(b):
        y = gamma * v[j]
        y = y if y < FAR else FAR
        v[j], n[j] = y, y * LOG2_E + HALF
    for j in range(b):
        r = SINGLE(n[j]) * LN2 - v[j]
        v[j] = C0 + r * (C1 + r * (C2 + r * (C3 + r * (C4 + r * C5))))
    for j in range(b):
        bits[j] -= n[j] << 23


@bare
def doubles(v, n, b, gamma):
    """The same in double precision, `n` being of 64 bits"""
    bits = v.view(np.int64)
    for j in range(b):
        y = gamma * v[j]
        y = y if y < 708.0 else 708.0
        v[j], n[j] = y, y * 1.4426950408889634 + 0.5
    for j in range(b):
        r = (float(n[j]) * LN2_HIGH - v[j]) + float(n[j]) * LN2_LOW
        z = r * r
        v[j] = ((D0 + D1 * r) + z * (D2 + D3 * r)) + (z * z) * (
            (D4 + D5 * r) + z * ((D6 + D7 * r) + z * (D8 + D9 * r))
        )
    for j in range(b):
        bits[j] -= n[j] << 52


@bare
def total(v, b):
    """Σ v_j of the first b; spoils v"""
    if b == 0:
        return 0.0
    while b > 1:
        half = (b + 1) >> 1
        for j in range(b - half):
            v[j] += v[j + half]
        b = half
    return float(v[0])


@bare
def least(v, b):
    """The least of the first b, at least one; spoils v"""
    while b > 1:
        half = (b + 1) >> 1
        for j in range(b - half):
            v[j] = v[j] if v[j] < v[j + half] else v[j + half]
        b = half
    return v[0]
