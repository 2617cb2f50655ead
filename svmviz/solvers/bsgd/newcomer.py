"""The Projectron: what the support vectors span of a newcomer goes to them, and it comes in only if
enough of it is new.

Orabona, Keshet, Caputo: "Bounded kernel-based online learning", JMLR 10 (2009). delta is the
distance of phi(x) from the span of the support vectors: up to `eps` the newcomer's weight is spread
over them, beyond it takes a place, on a budget as long as there is one. Nobody ever leaves, so that
the factor K = L L' only grows: distances from it are right to rounding however close the vectors
are to dependent. A vector that the others span to rounding is no part of the basis on which others
are projected.

Projectron++ also learns where the margin m is positive but below 1, without a new vector: with loss
= 1 - m it adds tau times the projection P phi(x),  tau = min(loss/|P phi(x)|², 2 (loss -
delta/eps)/|P phi(x)|², 1),  if loss > delta/eps. Some codes take the square of delta; the paper
takes the norm.
"""

import math

from svmviz.maths.machine.jit import jit
from svmviz.solvers.bsgd.model import OWN, USED, K, Q

TINY = 1e-14  # of K(x, x): so little is rounding


@jit
def span(L, b, k, own, u, q):
    """The distance² of a newcomer from the span; u = L^-1 k and the coefficients of its projection,
    q, are left
    """
    rest = own
    for i in range(b):
        row, total = L[i], k[i]
        for j in range(i):
            total -= row[j] * u[j]
        u[i] = total / row[i] if row[i] > 0.0 else 0.0
        rest -= u[i] * u[i]
    for i in range(b):
        q[i] = u[i]
    for i in range(b - 1, -1, -1):
        row = L[i]
        q[i] = q[i] / row[i] if row[i] > 0.0 else 0.0
        for j in range(i):
            q[j] -= q[i] * row[j]
    return max(0.0, rest)


@jit
def join(gram, b, k, own, u, rest):
    """Border K and L for the vector that takes the next slot"""
    for i in range(b):
        gram[K, i, b] = gram[K, b, i] = k[i]
        gram[Q, b, i], gram[Q, i, b] = u[i], 0.0
    gram[K, b, b], gram[Q, b, b] = own, math.sqrt(rest) if rest > TINY * own else 0.0


@jit
def leave(gram, b, p, u):
    """Take vector p out, the last one moves into its place, and factor anew; u is room for b
    numbers
    """
    M = gram[K]
    for j in range(b):
        M[p, j] = M[b - 1, j]
    for j in range(b):
        M[j, p] = M[j, b - 1]
    factor(gram, b - 1, u)


@jit
def factor(gram, b, u):
    """L from K"""
    for i in range(b):
        rest, row = gram[K, i, i], gram[Q, i]
        for p in range(i):
            total, other = gram[K, i, p], gram[Q, p]
            for j in range(p):
                total -= other[j] * row[j]
            row[p] = total / other[p] if other[p] > 0.0 else 0.0
            rest -= row[p] * row[p]
        row[i] = math.sqrt(rest) if rest > TINY * gram[K, i, i] else 0.0


@jit
def twin(figures, k, own, b):
    """The vector in the same place, or -1"""
    for j in range(b):
        if k[j] == own and figures[OWN, j] == own:
            return j
    return -1


@jit
def stays_out(maintenance, rest, same, count):
    """Whether the newcomer is spread over the others: they all but span it, or there is no room"""
    return (
        same >= 0
        or (maintenance.eps > 0.0 and math.sqrt(rest) <= maintenance.eps)
        or count[USED] >= maintenance.B
    )


@jit
def small_step(loss, rest, own, eps, most):
    """tau of Projectron++ where the margin lacks `loss`; 0: none. rest and own are of what is
    added, all classes
    """
    if loss <= 0.0 or eps <= 0.0 or own - rest <= 0.0:
        return 0.0
    surplus = loss - math.sqrt(rest) / eps
    return max(0.0, min(loss / (own - rest), 2.0 * surplus / (own - rest), most))
