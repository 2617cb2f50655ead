"""exp(-y) for kernels: alone, and of many numbers at once, to the last digit but one and with the same digits either way.

exp(-y) = 2^n exp(r), where r is small and its exponential a polynomial: nothing keeps a processor from taking several numbers
at a time, which it cannot do with the exponentials of its library. Not-a-number counts as far away.
"""

import numpy as np

from svmviz.maths.jit import bare

LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # together ln 2, to twice the usual precision
FAR = 708.0  # beyond, 2^n would underflow
POWERS = np.ldexp(1.0, -np.arange(1023))  # 2^-n


@bare
def parted(y):
    """n and exp(r) of -y, for y >= 0"""
    y = -y if y < FAR else -FAR
    n = int(y * LOG2_E - 0.5)
    r = (y - n * LN2_HIGH) - n * LN2_LOW
    p = 1.0 / 479001600.0 + r * (1.0 / 6227020800.0)
    p = 1.0 / 362880.0 + r * (1.0 / 3628800.0 + r * (1.0 / 39916800.0 + r * p))
    p = 1.0 / 720.0 + r * (1.0 / 5040.0 + r * (1.0 / 40320.0 + r * p))
    return n, 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * p)))))


@bare
def exponential(y):
    """exp(-y) for y >= 0"""
    n, value = parted(y)
    return value * POWERS[-n]


@bare
def exponentials(v, b, gamma):
    """v_j ← exp(-gamma v_j) for the first b, all >= 0; to multiply by 2^n is to add n to the bits of the exponent"""
    bits = v.view(np.int64)
    for j in range(b):
        n, v[j] = parted(gamma * v[j])
        bits[j] += n << 52
