"""The running inverse Q of the kernel matrix of the support vectors, and projection with it (BSGD, Section 6.2).

With Q = K^-1 the projection of vector p on the others has the coefficients -Q_jp / Q_pp, and 1 / Q_pp is what is left of it, so
that the best of all vectors costs no more than one of them. Vectors join and leave by updates of rank one, which gather
rounding errors the faster the closer the vectors are to dependent: a new one that the others span up to `DEPENDENT` never
joins, its weight is spread over them at once. Every projection is checked against K itself, and the inverse is made
anew where it has drifted; the loss is computed from K, so it is right even then.
"""

import numpy as np

from svmviz.budget.model import NORM2, REBUILT, USED, dot, drop, note
from svmviz.jit import jit

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
def rebuild(model, ridge):
    """Q from K by Gauss and Jordan; without a choice of pivots, which positive definite matrices do not need"""
    b, K, Q = model.count[USED], model.K, model.Q
    for i in range(b):
        for j in range(b):
            Q[i, j] = K[i, j]
        Q[i, i] += ridge * K[i, i] + 1e-300
    for p in range(b):
        pivot, top = Q[p, p], Q[p]
        top[p] = 1.0
        for j in range(b):
            top[j] /= pivot
        for i in range(b):
            row, value = Q[i], Q[i, p]
            if i != p:
                row[p] = 0.0
                for j in range(b):
                    row[j] -= value * top[j]
    model.count[REBUILT] += 1


@jit
def new_part(model, k, own, q):
    """What of phi(x) the vectors do not span, |phi(x)|² = own; their coefficients in its projection are left in q"""
    b = model.count[USED]
    times(model.Q, b, k, q)
    rest = own
    for j in range(b):
        rest -= k[j] * q[j]
    return rest


@jit
def join(model, k, own, q, rest):
    """Border K and Q for the vector that takes the next slot"""
    b, K, Q = model.count[USED], model.K, model.Q
    for i in range(b):
        K[i, b] = K[b, i] = k[i]
        row, value = Q[i], q[i] / rest
        for j in range(b):
            row[j] += value * q[j]
        Q[i, b] = Q[b, i] = -value
    K[b, b], Q[b, b] = own, 1.0 / rest


@jit
def leave(model, p):
    """Take vector p out of K and Q; the last one moves into its place, as in `drop`"""
    b, K, Q, c = model.count[USED], model.K, model.Q, model.work[1]
    pivot = Q[p, p]
    for i in range(b):
        c[i] = Q[i, p]
    for i in range(b):
        row, value = Q[i], c[i] / pivot
        for j in range(b):
            row[j] -= value * c[j]
    last = b - 1
    for M in (K, Q):
        for j in range(b):
            M[p, j] = M[last, j]
        for j in range(b):
            M[j, p] = M[j, last]


@jit
def fold(model, log, k, own, q, rest):
    """Spread the new example, which the vectors nearly span, over them; returns what is lost"""
    step, loss = model.step, dot(model.step, model.step) * max(0.0, rest)
    model.number[NORM2] += 2.0 * dot(step, model.f) + dot(step, step) * (own - rest)
    for j in range(model.count[USED]):
        note(model, log, model.row[j], q[j], step)
        for c in range(step.size):
            model.A[j, c] += q[j] * step[c]
    return loss


@jit
def onto_others(model, p, v):
    """Coefficients of the projection of vector p on the others; returns what of |phi(v_p)|² is left, and the residual"""
    b, K, Q, r = model.count[USED], model.K, model.Q, model.work[2]
    for j in range(b):
        v[j] = -Q[j, p] / Q[p, p]
    v[p] = 0.0
    times(K, b, v, r)
    rest, drift = K[p, p], 0.0
    for j in range(b):
        if j != p:
            r[j] -= K[j, p]
            drift = max(drift, abs(r[j]))
            rest += v[j] * (r[j] - K[j, p])
    return max(0.0, rest), drift / max(K[p, p], 1e-300)


@jit
def best(model):
    """The vector whose projection on the others loses least"""
    p, least = 0, np.inf
    for j in range(model.count[USED]):
        loss = dot(model.A[j], model.A[j]) / max(model.Q[j, j], 1e-300)
        if loss < least:
            p, least = j, loss
    return p


@jit
def project(model, log, p):
    """Spread the weight of vector p over the others and drop it (Algorithm 2); p < 0: the best one. Returns its row, and what
    is lost"""
    chosen, v = p if p >= 0 else best(model), model.work[0]
    rest, drift = onto_others(model, chosen, v)
    if drift > DRIFT:
        rebuild(model, RIDGE)
        chosen = p if p >= 0 else best(model)
        rest, drift = onto_others(model, chosen, v)
    row, a = model.row[chosen], model.A[chosen]
    loss = dot(a, a) * rest
    note(model, log, row, -1.0, a)
    for j in range(model.count[USED]):
        if j != chosen:
            note(model, log, model.row[j], v[j], a)
            for c in range(a.size):
                model.A[j, c] += v[j] * a[c]
    model.number[NORM2] -= loss  # what is lost stands at right angles to what stays
    leave(model, chosen)
    drop(model, chosen)
    return row, loss
