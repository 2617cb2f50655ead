"""exp(-y) for kernels: alone, and of many numbers at once, to the last digit but one and with the
same digits either way.

exp(-y) = 2^n exp(r), where r is small and its exponential a polynomial: nothing keeps a processor
from taking several numbers at a time, which it cannot do with the exponentials of its library.
Not-a-number counts as far away.

Runs on the stage take `exponentials`, whose digits their links depend on. Fits take `swiftly`,
which rounds less often and costs a third: 14 digits are right, in single precision 6.
"""

import numpy as np

from svmviz.maths.machine.bits import bits, fused, number
from svmviz.maths.machine.jit import bare, loop

LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = (
    6.93147180369123816490e-01,
    1.90821492927058770002e-10,
)  # together ln 2, to twice the usual precision
FAR = 708.0  # beyond, 2^n would underflow
POWERS = np.ldexp(1.0, -np.arange(1023))  # 2^-n
# 2^r for |r| <= 1/2 by the polynomials that are exact at the nodes of Chebyshev: to 3e-16, and to
# 3e-9 in single precision
C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10 = (
    1.0,
    0.69314718055995,
    0.24022650695910097,
    0.05550410866444772,
    0.009618129107606888,
    0.0013333558230164974,
    0.0001540353044173605,
    1.5252657260200837e-05,
    1.321544258792169e-06,
    1.0208690299958306e-07,
    7.072585949269223e-09,
)
S0, S1, S2, S3, S4, S5, S6 = (
    np.float32(c)
    for c in (
        1.0,
        0.6931472067028326,
        0.24022650922288757,
        0.05550327226670302,
        0.009618056678524637,
        0.0013400428177615838,
        0.0001546144469856913,
    )
)
# Added to a number, it leaves in the lowest bits the nearest whole one as the exponent of a power
# of 2; less itself, that one
NEAREST, NEAREST_SINGLE = 1.5 * 2.0**52 + 1023, np.float32(1.5 * 2.0**23 + 127)
LOWEST, LOWEST_SINGLE = -1022.0, np.float32(-126.0)


@bare
def parted(y):
    """n and exp(r) of -y, for y >= 0"""
    y = -y if y < FAR else -FAR
    n = int(y * LOG2_E - 0.5)
    r = (y - n * LN2_HIGH) - n * LN2_LOW
    p = 1.0 / 479001600.0 + r * (1.0 / 6227020800.0)
    p = 1.0 / 362880.0 + r * (1.0 / 3628800.0 + r * (1.0 / 39916800.0 + r * p))
    p = 1.0 / 720.0 + r * (1.0 / 5040.0 + r * (1.0 / 40320.0 + r * p))
    return n, 1.0 + r * (
        1.0 + r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * p))))
    )


@bare
def exponential(y):
    """exp(-y) for y >= 0"""
    n, value = parted(y)
    return value * POWERS[-n]


@bare
def unbranched(y):
    """The same, where many are taken at a time"""
    n, value = parted(y)
    return value * number((n + 1023) << 52)


@loop
def exponentials(v, b, gamma):
    """v_j ← exp(-gamma v_j) for the first b, all >= 0; one of each quarter in turn, as each waits
    for its own sums only
    """
    h = b // 4
    for j in range(h):
        v[j], v[h + j], v[2 * h + j], v[3 * h + j] = (
            unbranched(gamma * v[j]),
            unbranched(gamma * v[h + j]),
            unbranched(gamma * v[2 * h + j]),
            unbranched(gamma * v[3 * h + j]),
        )
    for j in range(4 * h, b):
        v[j] = unbranched(gamma * v[j])


@loop
def swiftly(v, many, gamma, out):
    """out_j ← exp(-gamma v_j) for the first so many, all >= 0, in the precision of `out`"""
    if out.itemsize == 4:
        scale = np.float32(-gamma * LOG2_E)
        for j in range(many):
            t = scale * np.float32(v[j])
            t = t if t > LOWEST_SINGLE else LOWEST_SINGLE
            near = t + NEAREST_SINGLE
            r = t - (near - NEAREST_SINGLE)
            z = r * r
            low, high = fused(z, fused(r, S3, S2), fused(r, S1, S0)), fused(z, S6, fused(r, S5, S4))
            out[j] = fused(z * z, high, low) * number(np.int32(bits(near) << 23))
        return
    scale = -gamma * LOG2_E
    for j in range(many):
        t = scale * v[j]
        t = t if t > LOWEST else LOWEST
        near = t + NEAREST
        r = t - (near - NEAREST)
        z = r * r
        w = z * z
        low, middle = (
            fused(z, fused(r, C3, C2), fused(r, C1, C0)),
            fused(z, fused(r, C7, C6), fused(r, C5, C4)),
        )
        out[j] = fused(w, fused(w, fused(z, C10, fused(r, C9, C8)), middle), low) * number(
            bits(near) << 52
        )
