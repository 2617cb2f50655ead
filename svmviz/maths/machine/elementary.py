"""exp, expm1, log, cos and sin with the same digits on every machine.

Those of the system's library have others where a processor multiplies and adds in one instruction,
and each library has its own formulas. Here is nothing but +, -, * and / of doubles in a fixed
order, and what comes out is as close: within one unit in the last place. The tables are computed
with exact arithmetic when this is loaded.

>>> exp(1.0), log(2.0), expm1(1e-10), cosine_and_sine(1.0)
(2.718281828459045, 0.6931471805599453, 1.00000000005e-10, (0.5403023058681398, 0.8414709848078965))
"""

import math
from decimal import Decimal, localcontext

import numpy as np

from svmviz.maths.machine.jit import bare, jit

PARTS = 128  # of an octave
WHOLE = 1.5 * 2.0**52  # added and taken away again: the nearest whole number
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494")


def split(value: Decimal, digits: int | None = None) -> tuple[float, float]:
    """A number as the sum of two doubles, the first of which has at most so many binary digits
    behind the point.
    """
    high = float(value if digits is None else Decimal(round(value * 2**digits)) / 2**digits)
    return high, float(value - Decimal(high))


def powers(root: Decimal) -> tuple[np.ndarray, np.ndarray]:
    """Those of a number from 0 to PARTS - 1, each as the sum of two doubles."""
    found = [Decimal(1)]
    for _ in range(PARTS - 1):
        found.append(found[-1] * root)
    high, low = zip(*map(split, found), strict=True)
    return np.array(high), np.array(low)


with localcontext(prec=50):
    (LN2, LN2_LOW), (STEP, STEP_LOW) = (
        split(Decimal(2).ln(), 42),
        split(Decimal(2).ln() / PARTS, 42),
    )
    POWERS, POWERS_LOW = powers((Decimal(2).ln() / PARTS).exp())  # 2^(i / PARTS)
    QUARTER = split(PI / 2, 32)[0]  # of a turn
    QUARTER_2, QUARTER_3 = split(PI / 2 - Decimal(QUARTER), 65)
STEPS_PER_UNIT, QUARTERS_PER_UNIT = (
    PARTS / math.log(2.0),
    2.0 / math.pi,
)  # these only decide what is nearest
OCTAVES, FIRST = np.ldexp(1.0, np.arange(-1080, 1024)), 1080  # 2^e stands at FIRST + e
MANY = (
    2.0**19
)  # radians: beyond, whole turns are taken off first, as exactly as such an angle is known


@bare
def parted(x):
    """i, e and exp(r) - 1 of x = (i / 128 + e) ln 2 + r"""
    whole = (x * STEPS_PER_UNIT + WHOLE) - WHOLE
    r, k = (x - whole * STEP) - whole * STEP_LOW, int(whole)
    z = r * r
    return (
        k & (PARTS - 1),
        k >> 7,
        r + z * ((0.5 + r * (1.0 / 6.0)) + z * (1.0 / 24.0 + r * (1.0 / 120.0))),
    )


@bare
def exp(x):
    """e^x; infinity from 709.78 on"""
    if not -745.0 < x < 709.78:
        return 0.0 if x < 0.0 else np.inf if x > 0.0 else x
    i, e, p = parted(x)
    return (POWERS[i] + (POWERS_LOW[i] + POWERS[i] * p)) * OCTAVES[FIRST + e]


@bare
def expm1(x):
    """e^x - 1, with all its digits where x is small"""
    if not -40.0 < x < 40.0:
        return -1.0 if x < 0.0 else exp(x)
    if abs(x) < 0.1:
        p = 1.0 / 5040.0 + x * (
            1.0 / 40320.0 + x * (1.0 / 362880.0 + x * (1.0 / 3628800.0 + x * (1.0 / 39916800.0)))
        )
        return x + x * x * (
            0.5 + x * (1.0 / 6.0 + x * (1.0 / 24.0 + x * (1.0 / 120.0 + x * (1.0 / 720.0 + x * p))))
        )
    i, e, p = parted(x)
    power = POWERS[i] * OCTAVES[FIRST + e]
    most = power - 1.0
    rest = (power - most) - 1.0 if power > 1.0 else power - (most + 1.0)  # what rounding took away
    return most + (rest + (POWERS_LOW[i] * OCTAVES[FIRST + e] + power * p))


@bare
def log_of(f, e):
    """log(1 + f) + e ln 2, for 1 + f near 1: 2 atanh(f / (2 + f)), arranged such that f stays
    exact
    """
    s, h = f / (2.0 + f), 0.5 * f * f
    z = s * s
    w = z * z
    odd = z * (2.0 / 3.0 + w * (2.0 / 7.0 + w * (2.0 / 11.0 + w * (2.0 / 15.0 + w * (2.0 / 19.0)))))
    even = w * (
        2.0 / 5.0 + w * (2.0 / 9.0 + w * (2.0 / 13.0 + w * (2.0 / 17.0 + w * (2.0 / 21.0))))
    )
    return e * LN2 - ((h - (s * (h + (odd + even)) + e * LN2_LOW)) - f)


@bare
def log_near_one(x):
    """log x for x from 0.7 to 3: no branch and no table keeps a processor from taking several
    numbers at a time
    """
    half = x >= 1.4142135
    return log_of((0.5 * x if half else x) - 1.0, 1.0 if half else 0.0)


@bare
def log(x):
    """The natural logarithm"""
    if 0.7 < x <= 3.0:
        return log_near_one(x)
    if not 0.0 < x < np.inf:
        return -np.inf if x == 0.0 else x if x > 0.0 else np.nan
    m, e = math.frexp(x)
    if m < 0.70710677:
        m, e = 2.0 * m, e - 1
    return log_of(m - 1.0, float(e))


@bare
def cosine_and_sine(x):
    """Both at once, of an angle in radians"""
    if not -1e300 < x < 1e300:
        return np.nan, np.nan
    if abs(x) > MANY:
        x %= 2.0 * math.pi
    turns = (x * QUARTERS_PER_UNIT + WHOLE) - WHOLE
    a, b = x - turns * QUARTER, turns * QUARTER_2
    r = a - b
    low = (
        (a - r) - b
    ) - turns * QUARTER_3  # r + low is the angle that is left, below an eighth of a turn
    z = r * r
    s = -1.0 / 39916800.0 + z * (
        1.0 / 6227020800.0 + z * (-1.0 / 1307674368000.0 + z * (1.0 / 355687428096000.0))
    )
    s = z * (-1.0 / 6.0 + z * (1.0 / 120.0 + z * (-1.0 / 5040.0 + z * (1.0 / 362880.0 + z * s))))
    sine = r + (r * s + low * (1.0 - 0.5 * z))
    c = 1.0 / 479001600.0 + z * (-1.0 / 87178291200.0 + z * (1.0 / 20922789888000.0))
    c = (
        z
        * z
        * (1.0 / 24.0 + z * (-1.0 / 720.0 + z * (1.0 / 40320.0 + z * (-1.0 / 3628800.0 + z * c))))
    )
    most = 1.0 - 0.5 * z
    cosine = most + (((1.0 - most) - 0.5 * z) + (c - r * low))
    quarter = int(turns) & 3
    if quarter & 1:
        cosine, sine = -sine, cosine
    return (-cosine, -sine) if quarter & 2 else (cosine, sine)


@jit
def cosines_and_sines(angle):
    """(n, 2) of angles in radians"""
    out = np.empty((angle.size, 2))
    for i in range(angle.size):
        out[i, 0], out[i, 1] = cosine_and_sine(angle[i])
    return out
