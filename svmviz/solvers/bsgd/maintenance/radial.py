"""Merging two support vectors with any radial kernel, K(x, x') = kappa(u) with u the distance times
gamma: `merge` has the Gaussian, here are the others behind one door.

With L = u(x_m, x_n) and z = h x_m + (1 - h) x_n on the line, all that changes are p = K(x_m, z) and
q = K(x_n, z): what is lost is still A + N + 2 D k - F(h), F(h) = A p² + 2 D p q + N q². Let x_n be
the heavier one, N >= A; then h <= 1/2, as for the Gaussian.

* The paper shows that z lies on the line for the Gaussian. If D >= 0 it does for every kernel that
  falls with the Euclidean distance: whatever z is, its nearest point on the segment is nearer to
  both, hence p, q and F are larger there.
* Inverse multiquadric, kappa = 1 / sqrt(1 + u), u = gamma |x - x'|²: F' has the sign of

      G(h) = A (1 - h) s⁴ + D ((1 - h) s³ - h s) - N h,   s = p / q,

  which for one sign changes once in [0, 1/2]: (1 - h) s³ / h falls, perhaps rises again, and ends
  at 1, so that it passes |a_n| / |a_m| >= 1 once. For several classes no counterexample is known,
  and the test looks for one.
* Laplacian, kappa = exp(-u), u = gamma |x - x'|_1: between both p q = k whatever h is, so that
  F = A p² + 2 D k + N q² is convex, and largest at an end: z = x_n. Merging is projecting the
  lighter vector on the heavier one, |Delta|² = A (1 - k²). The best partner is the nearest one. No
  other z in space is better, for either sign of D: within the box that both span, F depends on
  |x_n - z|_1 alone as on the segment, and a z outside has p and q of its nearest point of the box,
  both times the same factor.
"""

import math

import numpy as np

from svmviz.maths.kernels import IMQ, LAPLACIAN, RBF
from svmviz.maths.machine.elementary import exp, expm1
from svmviz.maths.machine.jit import jit
from svmviz.solvers.bsgd.kernels import absolute_distances, squared_distances
from svmviz.solvers.bsgd.maintenance import merge

WALK = 800  # places where the whole line is looked at


@jit
def reaches(kernel, V, square, b, x, at, out):
    """L between x and the first b vectors"""
    if kernel.kind == LAPLACIAN:
        absolute_distances(V, b, x, out)
    else:
        squared_distances(V, square, b, x, at, x.size, out)
    for j in range(b):
        out[j] *= kernel.gamma


@jit
def missing(kind, L, h):
    """1 - kappa at the share h of L's way"""
    if kind == IMQ:
        u = L * h * h
        root = math.sqrt(1.0 + u)
        return u / (root * (1.0 + root))
    return -expm1(-L * abs(h)) if kind == LAPLACIAN else -expm1(-L * h * h)


@jit
def shares(kind, L, h):
    """p and q"""
    if kind == RBF:
        return exp(-L * (1.0 - h) ** 2), exp(-L * h * h)
    if kind == LAPLACIAN:
        return exp(-L * abs(1.0 - h)), exp(-L * abs(h))
    return 1.0 / math.sqrt(1.0 + L * (1.0 - h) ** 2), 1.0 / math.sqrt(1.0 + L * h * h)


@jit
def lost(kind, A, D, N, L, h, plus):
    """|Delta|² of merging at h, with what is lost of a constant feature, plus = c²; little cancels
    where L is small.
    """
    g = 1.0 - h
    if kind == RBF:
        loss = merge.lost(A, D, N, L, h)
    elif kind == LAPLACIAN:
        around = abs(g) + abs(h) - 1.0
        cross = -exp(-L) * expm1(-L * around)
        loss = max(
            0.0, -A * expm1(-2.0 * L * abs(g)) - N * expm1(-2.0 * L * abs(h)) + 2.0 * D * cross
        )
    else:
        a, u, v, c = 1.0 + L, L * g * g, L * h * h, L * g * h
        b = (1.0 + u) * (1.0 + v)
        cross = c * (c - 2.0) / (math.sqrt(a * b) * (math.sqrt(a) + math.sqrt(b)))  # k - p q
        loss = max(0.0, A * u / (1.0 + u) + N * v / (1.0 + v) + 2.0 * D * cross)
    if plus == 0.0:
        return loss
    p, q = missing(kind, L, g), missing(kind, L, h)
    return loss + plus / (1.0 + plus) * (A * p * p + 2.0 * D * p * q + N * q * q)


@jit
def slope(A, D, N, L, h):
    """G(h) of the inverse multiquadric, and its derivative"""
    g = 1.0 - h
    s2 = (1.0 + L * h * h) / (1.0 + L * g * g)
    s, r = math.sqrt(s2), L * h / (1.0 + L * h * h) + L * g / (1.0 + L * g * g)
    s3 = s2 * s
    G = A * g * s2 * s2 + D * (g * s3 - h * s) - N * h
    return (
        G,
        A * s2 * s2 * (4.0 * g * r - 1.0) + D * (s3 * (3.0 * g * r - 1.0) - s * (1.0 + h * r)) - N,
    )


@jit
def inverse_multiquadric(A, D, N, L):
    """Its best h in [0, 1/2] for D >= 0 and N >= A"""
    if L <= 0.0 or N <= 0.0:
        return 0.0
    r = L / (1.0 + 0.25 * L)  # of `slope`, in the middle
    if N - A <= merge.TIED * N and N * (2.0 * r - 2.0) <= D * (2.0 - r):
        return 0.5
    s = 1.0 / math.sqrt(1.0 + L)
    near = (A * s + D) * s * s * s
    lo, hi, h = 0.0, 0.5, min(0.499, near / (near + N + D * s * s * s))
    for _ in range(200):
        G, dG = slope(A, D, N, L, h)
        lo, hi, h, found = merge.narrowed(G, dG, lo, hi, h)
        if found:
            break
    return h


@jit
def best(kind, A, D, N, L, closely):
    """The best h in [0, 1/2] for D >= 0 and N >= A; that of the Gaussian as closely as can be, or
    by golden section first
    """
    if kind == RBF:
        return merge.exact(A, D, N, L) if closely else merge.golden(A, D, N, L)
    return 0.0 if kind == LAPLACIAN else inverse_multiquadric(A, D, N, L)


@jit
def anywhere(kind, A, D, N, L):
    """The best h on the whole line, for any D and N >= A"""
    if kind == RBF:
        return merge.anywhere(A, D, N, L)
    if kind == LAPLACIAN or D >= 0.0 or L <= 0.0 or N <= 0.0:
        return best(kind, A, D, N, L, True)
    # Beyond the heavier vector F falls slowly: a walk whose steps grow, then golden section about
    # the highest place.
    low, high = math.log(1e-4), math.log(1e4 * (1.0 + 1.0 / math.sqrt(L)))
    step, top, here = (high - low) / WALK, np.inf, low
    for j in range(WALK + 1):
        loss = lost(kind, A, D, N, L, 0.5 - math.exp(low + j * step), 0.0)
        if loss < top:
            top, here = loss, low + j * step
    lo, hi = here - step, here + step
    while hi - lo > 1e-9:
        a, b = hi - merge.GOLDEN * (hi - lo), lo + merge.GOLDEN * (hi - lo)
        if lost(kind, A, D, N, L, 0.5 - math.exp(a), 0.0) <= lost(
            kind, A, D, N, L, 0.5 - math.exp(b), 0.0
        ):
            hi = b
        else:
            lo = a
    return 0.5 - math.exp(0.5 * (lo + hi))


@jit
def partner(kind, A, D, N, L, b, m, plus, table, bound):
    """The best vector for m to merge with among the first b that point to the same side: its place,
    h and the loss, or -1 where there is none. Only the Gaussian has a table of losses, see
    `merge.partner`
    """
    if kind == RBF:
        return merge.partner(A, D, N, L, b, m, plus, table, bound)
    n, h, least = -1, 0.0, np.inf
    for j in range(b):
        if j != m and D[j] > 0.0:
            here = best(kind, A, D[j], N[j], L[j], True)
            loss = lost(kind, A, D[j], N[j], L[j], here, plus)
            if loss < least:
                n, h, least = j, here, loss
    return n, merge.own_side(A, N[n], h) if n >= 0 else h, least
