"""Merging two support vectors into one (BSGD, Section 6.3): where z lies, how heavy it is, and what
is lost.

With the Gaussian kernel k(x, x') = exp(-gamma |x - x'|²) and L = gamma |x_m - x_n|², so that k =
exp(-L), a vector on the line z = h x_m + (1 - h) x_n has k(x_m, z) = p = exp(-L (1 - h)²) and
k(x_n, z) = q = exp(-L h²). Its best coefficient is a_z = a_m p + a_n q, for every class, and with A
= |a_m|², N = |a_n|², D = <a_m, a_n> what is lost is

    |Delta|² = A + N + 2 D k - F(h),   F(h) = |a_z|² = A p² + 2 D p q + N q².

So the best h maximises F: for two classes this is (6.5), for more it is not, for (6.5) divides by
sums that may be 0. L is used rather than log k, which does not exist where k underflows. Let x_n be
the heavier one, N >= A. Then F(h) >= F(1 - h) for h <= 1/2, hence the optimum lies there, and F'
has the sign of

    G(h) = A (1 - h) s² + D (1 - 2 h) s - N h,   s = p / q = exp(-L (1 - 2 h)).

If D >= 0, G changes its sign just once in [0, 1/2], even where F has a second maximum beyond it
(equal weights: L > 1 + cosine, that is k < e^-2 for equal signs). If D < 0 the optimum may lie
outside the segment, beyond the heavier vector: h < 0.

With a constant feature c the kernel is k + c². Then a_z = (a_m p + a_n q + c² (a_m + a_n)) / (1 +
c²), and besides what z lacks of both is lost, c² / (1 + c²) |a_m (1 - p) + a_n (1 - q)|². For two
classes that is least at the same h; else h stays.
"""

import math

import numpy as np

from svmviz.maths.machine.elementary import exp, expm1
from svmviz.maths.machine.jit import jit

GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
CLOSE = 1e-3  # width at which golden section hands over to Newton: closer, F is too flat to compare
TIED = 1e-13  # relative: weights that differ by less are equal
EQUAL = 2e-12  # the same after a run, in which the weights of Pegasos have gathered rounding errors
RATIOS, REACHES, COSINES = 129, 257, 5  # nodes of the table
# relative error that interpolation in the table may have, with room to spare; see the test
SLACK = 1e-2


@jit
def lost(A, D, N, L, h):
    """|Delta|² of merging at h, with terms arranged such that little cancels where L is small"""
    g = 1.0 - h
    if L > 1.0:
        cross = exp(-L) - exp(-L * (g * g + h * h))
    else:
        cross = -exp(-L) * expm1(2.0 * L * g * h)
    return max(0.0, -A * expm1(-2.0 * L * g * g) - N * expm1(-2.0 * L * h * h) + 2.0 * D * cross)


@jit
def lacked(A, D, N, L, h, plus):
    """What is lost of a constant feature, plus = c²"""
    p, q = -expm1(-L * (1.0 - h) ** 2), -expm1(-L * h * h)
    return plus / (1.0 + plus) * (A * p * p + 2.0 * D * p * q + N * q * q)


@jit
def gained(A, D, N, L, h):
    """F(h) = |a_z|²"""
    p, q = exp(-L * (1.0 - h) ** 2), exp(-L * h * h)
    return A * p * p + 2.0 * D * p * q + N * q * q


@jit
def slope(A, D, N, L, h):
    """G(h), of the sign of F', and its derivative"""
    s = exp(-L * (1.0 - 2.0 * h))
    G = A * (1.0 - h) * s * s + D * (1.0 - 2.0 * h) * s - N * h
    dG = A * s * s * (4.0 * L * (1.0 - h) - 1.0) + 2.0 * D * s * (L * (1.0 - 2.0 * h) - 1.0) - N
    return G, dG


@jit
def narrowed(G, dG, lo, hi, h):
    """Newton's step from h to where a function G falls through 0 within [lo, hi], or the middle of
    what is left of the bracket wherever it would leave that; returns both ends, where to go on, and
    whether it is found
    """
    if G > 0.0:
        lo = h
    elif G < 0.0:
        hi = h
    else:
        return lo, hi, h, True
    new = h - G / dG if dG < 0.0 else lo - 1.0
    if not lo < new < hi:
        new = 0.5 * (lo + hi)
    return lo, hi, new, abs(new - h) <= 1e-15 * (abs(h) + 1e-300) or not lo < new < hi


@jit
def newton(A, D, N, L, lo, hi, h):
    """The h in [lo, hi] where G falls through 0"""
    for _ in range(200):
        G, dG = slope(A, D, N, L, h)
        lo, hi, h, found = narrowed(G, dG, lo, hi, h)
        if found:
            break
    return h


@jit
def centred(A, D, N, L):
    """Whether both weigh the same and the middle is the maximum"""
    return N - A <= TIED * N and N * (L - 1.0) <= D


@jit
def exact(A, D, N, L):
    """The best h in [0, 1/2] for D >= 0 and N >= A"""
    if L <= 0.0 or N <= 0.0:
        return 0.0
    if centred(A, D, N, L):
        return 0.5
    # The root of the parabola that F is for small L is a good first guess; far apart it is next to
    # 0.
    return newton(A, D, N, L, 0.0, 0.5, min(0.499, (A + D) / (A + N + 2.0 * D) * exp(-0.5 * L)))


@jit
def golden(A, D, N, L):
    """The same by golden section on F, as in the paper, from the half interval in which F has one
    maximum
    """
    if L <= 0.0 or N <= 0.0:
        return 0.0
    if centred(A, D, N, L):
        return 0.5
    lo, hi = 0.0, 0.5
    a, b = hi - GOLDEN * (hi - lo), lo + GOLDEN * (hi - lo)
    F_a, F_b = gained(A, D, N, L, a), gained(A, D, N, L, b)
    while hi - lo > CLOSE:
        if F_a >= F_b:
            hi, b, F_b = b, a, F_a
            a = hi - GOLDEN * (hi - lo)
            F_a = gained(A, D, N, L, a)
        else:
            lo, a, F_a = a, b, F_b
            b = lo + GOLDEN * (hi - lo)
            F_b = gained(A, D, N, L, b)
    lo, hi = max(0.0, lo - CLOSE), min(0.5, hi + CLOSE)
    return newton(A, D, N, L, lo, hi, 0.5 * (lo + hi))


@jit
def anywhere(A, D, N, L):
    """The best h on the whole line, for any D and N >= A: with D < 0 it may lie beyond the heavier
    vector
    """
    if D >= 0.0 or L <= 0.0 or N <= 0.0:
        return exact(A, D, N, L)
    # F'/F has no scale below 1/sqrt(L): beyond a few of these F is gone. A walk over that stretch
    # finds the highest hill.
    far, count = 6.0 / math.sqrt(L) + 1.0, 400
    best, best_F = 0.5, gained(A, D, N, L, 0.5)
    for j in range(count):
        h = 0.5 - far * (j + 1) / count
        F = gained(A, D, N, L, h)
        if F > best_F:
            best, best_F = h, F
    width = far / count
    return newton(A, D, N, L, best - width, min(0.5, best + width), best)


@jit
def fill(table):
    """table[c, a, l] = |Delta|² / (A u) with N = 1, √A = a/(nodes - 1), D = cosine √A and u = L /
    (1 + L) = l/(nodes - 1).

    Divided by A, what removal loses, so that light vectors keep their digits; by u, so that near
    ones do.
    """
    for c in range(table.shape[0]):
        cosine = c / (table.shape[0] - 1.0)
        for a in range(table.shape[1]):
            root = max(a / (table.shape[1] - 1.0), 1e-6)
            A, D = root * root, cosine * root
            table[c, a, 0] = 2.0 * (1.0 - cosine * cosine) / (A + 1.0 + 2.0 * D)  # the limit L -> 0
            h = min(0.499, (A + D) / (A + 1.0 + 2.0 * D))
            for j in range(1, table.shape[2] - 1):
                u = j / (table.shape[2] - 1.0)
                L = u / (1.0 - u)
                h = (
                    0.5 if centred(A, D, 1.0, L) else newton(A, D, 1.0, L, 0.0, 0.5, min(0.499, h))
                )  # near the one before
                table[c, a, j] = lost(A, D, 1.0, L, h) / (A * u)
            table[c, a, -1] = 1.0
    return table


@jit
def layer(table, c, root, u):
    """One cosine of the table, bilinear"""
    x, y = root * (table.shape[1] - 1), u * (table.shape[2] - 1)
    i, j = min(int(x), table.shape[1] - 2), min(int(y), table.shape[2] - 2)
    x, y = x - i, y - j
    return (1.0 - x) * ((1.0 - y) * table[c, i, j] + y * table[c, i, j + 1]) + x * (
        (1.0 - y) * table[c, i + 1, j] + y * table[c, i + 1, j + 1]
    )


@jit
def at_least(table, A, D, N, L):
    """|Delta|² / A from the table, but for its interpolation error never too much: the loss is
    concave in the cosine, being the least of functions that are linear in it, so that a chord
    between two layers lies below.
    """
    root, u = min(1.0, math.sqrt(A / N)), L / (1.0 + L)
    z = min(1.0, D / math.sqrt(A * N)) * (table.shape[0] - 1)
    c = min(int(z), table.shape[0] - 2)
    z -= c
    value = 0.0
    if z < 1.0:
        value += (1.0 - z) * layer(table, c, root, u)
    if z > 0.0:
        value += z * layer(table, c + 1, root, u)
    return u * value


@jit
def own_side(A, N, h):
    """Of two equally good places, h and 1 - h, which two equally heavy vectors have if they are far
    apart, that beside m. The paper does not say. m is the older of the two: on the checkerboard
    E-bar is a tenth lower than if the newer one stays
    """
    return 1.0 - h if A >= N * (1.0 - EQUAL) else h


@jit
def partner(A, D, N, L, b, m, plus, table, bound):
    """The best vector for m to merge with among the first b that point to the same side (D > 0):
    its place, h and the loss, or -1 where there is none. With a table, only those that it cannot
    rule out are looked at; `bound` is room for b numbers
    """
    n, h, least, first = -1, 0.0, np.inf, -1
    if table.size:
        for j in range(b):
            bound[j] = np.inf
            if j != m and D[j] > 0.0:
                bound[j] = (1.0 - SLACK) * A * at_least(table, A, D[j], N[j], L[j])
                if first < 0 or bound[j] < bound[first]:
                    first = j
        if first >= 0:
            n, h = first, exact(A, D[first], N[first], L[first])
            least = lost(A, D[first], N[first], L[first], h) + lacked(
                A, D[first], N[first], L[first], h, plus
            )
    for j in range(b):
        if j == m or j == first or D[j] <= 0.0 or (table.size and bound[j] >= least):
            continue
        here = exact(A, D[j], N[j], L[j]) if table.size else golden(A, D[j], N[j], L[j])
        loss = lost(A, D[j], N[j], L[j], here) + lacked(A, D[j], N[j], L[j], here, plus)
        if loss < least or (loss == least and j < n):
            n, h, least = j, here, loss
    return n, own_side(A, N[n], h) if n >= 0 else h, least
