"""The running inverse Q of the kernel matrix of the support vectors, and projection with it (BSGD,
Section 6.2).

With Q = K^-1 the projection of vector p on the others has the coefficients -Q_jp / Q_pp, and 1 /
Q_pp is what is left of it, so that the best of all vectors costs no more than one of them. Vectors
join and leave by updates of rank one, which gather rounding errors the faster the closer the
vectors are to dependent: a new one that the others span up to `DEPENDENT` never joins, its weight
is spread over them at once. Every projection is checked against K itself, and the inverse is made
anew where it has drifted; the loss is computed from K, so it is right even then.
"""

import numpy as np

from svmviz.maths.machine.jit import jit
from svmviz.maths.matrix import inner
from svmviz.solvers.bsgd.model import (
    DOTS,
    NORM2,
    REACH,
    REBUILT,
    ROW,
    SIZES,
    USED,
    K,
    Q,
    drop,
    note,
)

DEPENDENT = 1e-4  # share of |phi(x)|² that must be new
DRIFT = 1e-7  # residual of a projection at which the inverse is made anew
RIDGE = 1e-13  # relative: keeps an inversion from meeting a pivot of 0


@jit
def times(M, b, v, out):
    """out = M v for a symmetric M, row by row"""
    for j in range(b):
        out[j] = 0.0
    for i in range(b):
        row, value = M[i], v[i]
        for j in range(b):
            out[j] += value * row[j]


@jit
def rebuild(gram, count, ridge):
    """Q from K by Gauss and Jordan; without a choice of pivots, which positive definite matrices do
    not need
    """
    b = count[USED]
    for i in range(b):
        for j in range(b):
            gram[Q, i, j] = gram[K, i, j]
        gram[Q, i, i] += ridge * gram[K, i, i] + 1e-300
    for p in range(b):
        top = gram[Q, p]
        pivot, top[p] = top[p], 1.0
        for j in range(b):
            top[j] /= pivot
        for i in range(b):
            row = gram[Q, i]
            if i != p:
                value, row[p] = row[p], 0.0
                for j in range(b):
                    row[j] -= value * top[j]
    count[REBUILT] += 1


def good(gram, b: int) -> bool:
    """Whether Q is the inverse of K: tried on one vector, which a bad one leads astray as soon as
    any of it is bad.
    """
    there, back = np.empty(b), np.empty(b)
    times(gram[Q], b, np.ones(b), there)
    times(gram[K], b, there, back)
    return bool(np.abs(back - 1.0).max(initial=0.0) < 1e-6)


@jit
def new_part(gram, b, k, own, q):
    """What of phi(x) the vectors do not span, |phi(x)|² = own; their coefficients in its projection
    are left in q
    """
    times(gram[Q], b, k, q)
    rest = own
    for j in range(b):
        rest -= k[j] * q[j]
    return rest


@jit
def join(gram, b, k, own, q, rest):
    """Border K and Q for the vector that takes the next slot"""
    for i in range(b):
        gram[K, i, b] = gram[K, b, i] = k[i]
        row, value = gram[Q, i], q[i] / rest
        for j in range(b):
            row[j] += value * q[j]
        gram[Q, i, b] = gram[Q, b, i] = -value
    gram[K, b, b], gram[Q, b, b] = own, 1.0 / rest


@jit
def leave(gram, b, p, c):
    """Take vector p out of K and Q; the last one moves into its place, as in `drop`. c is room for
    b numbers
    """
    pivot = gram[Q, p, p]
    for i in range(b):
        c[i] = gram[Q, i, p]
    for i in range(b):
        row, value = gram[Q, i], c[i] / pivot
        for j in range(b):
            row[j] -= value * c[j]
    for which in range(2):
        M = gram[which]
        for j in range(b):
            M[p, j] = M[b - 1, j]
        for j in range(b):
            M[j, p] = M[j, b - 1]


@jit
def flow(A, facts, b, log, count, p, v, a):
    """Every vector but p takes its share v_j of the coefficients a"""
    for j in range(b):
        if j != p:
            note(log, count, facts[ROW, j], v[j], a, False)
            for c in range(a.size):
                A[j, c] += v[j] * a[c]


@jit
def onto_others(gram, b, p, v, r):
    """Coefficients of the projection of vector p on the others; returns what of |phi(v_p)|² is
    left, and the residual
    """
    for j in range(b):
        v[j] = -gram[Q, j, p] / gram[Q, p, p]
    v[p] = 0.0
    times(gram[K], b, v, r)
    own, drift = gram[K, p, p], 0.0
    rest = own
    for j in range(b):
        if j != p:
            r[j] -= gram[K, j, p]
            drift = max(drift, abs(r[j]))
            rest += v[j] * (r[j] - gram[K, j, p])
    return max(0.0, rest), drift / max(own, 1e-300)


@jit
def best(A, gram, b, but):
    """The vector, any but this one, whose projection on the others loses least"""
    p, least = 0, np.inf
    for j in range(b):
        loss = inner(A[j], A[j]) / max(gram[Q, j, j], 1e-300)
        if loss < least and j != but:
            p, least = j, loss
    return p


@jit
def project(model, log, p, but):
    """Spread the weight of vector p over the others and drop it (Algorithm 2); p < 0: the best one,
    any but `but`. Returns its row, and what is lost
    """
    A, gram, count, facts, figures = model.A, model.gram, model.count, model.facts, model.figures
    b, v, chosen = count[USED], figures[SIZES], p
    for attempt in range(2):
        chosen = p if p >= 0 else best(A, gram, b, but)
        rest, drift = onto_others(gram, b, chosen, v, figures[REACH])
        if drift <= DRIFT or attempt == 1:
            break
        rebuild(gram, count, RIDGE)
    row, a = facts[ROW, chosen], A[chosen]
    loss = inner(a, a) * rest
    note(log, count, row, -1.0, a, True)
    flow(A, facts, b, log, count, chosen, v, a)
    model.number[NORM2] -= loss  # what is lost stands at right angles to what stays
    leave(gram, b, chosen, figures[DOTS])
    drop(model.V, A, facts, figures, model.where, count, chosen)
    return row, loss
