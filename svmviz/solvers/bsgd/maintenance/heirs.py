"""Budgeted Passive-Aggressive: the vector that goes is projected on the newcomer, alone or with its
own nearest neighbour.

Wang, Vucetic: "Online passive-aggressive algorithms on a budget", AISTATS 2010. The step minimises
what Passive-Aggressive I does, 1/2 |w - w_t|² + C loss, over who goes and over the coefficients of
a set V of vectors that take over from it. The newcomer is always in V. What is lost of the one that
goes then stands at right angles to it, so that the length of the step is that of Passive-Aggressive
I, and who goes is whoever loses least, |a_p|² |phi(x_p) - projection|². BPA-S has V = {newcomer},
BPA-NN adds the neighbour of who goes, the nearest in feature space among those that were there
before, BPA-P has all (`inverse.project`). Neighbours are kept up to date, so that a step takes
O(B).
"""

import numpy as np

from svmviz.maths.machine.jit import jit
from svmviz.maths.matrix import inner
from svmviz.solvers.bsgd.kernels import kernel_row
from svmviz.solvers.bsgd.maintenance.removal import nearest
from svmviz.solvers.bsgd.model import (
    EVALS,
    LIKENESS,
    NEAR,
    NORM2,
    OWN,
    ROW,
    SPARE,
    SQUARE,
    USED,
    VALUES,
    F,
    drop,
    note,
    respond_at,
)

SPANNED = 1e-12  # of K(x, x): neighbour and newcomer are the same to the kernel


@jit
def shares(figures, p, n, t):
    """What neighbour and newcomer take over of vector p, per unit, and what of |phi(x_p)|² is
    left
    """
    own, on_t, own_t = figures[OWN, p], figures[VALUES, p], figures[OWN, t]
    if n >= 0:
        on_n, own_n, both = figures[LIKENESS, p], figures[OWN, n], figures[VALUES, n]
        det = own_n * own_t - both * both
        if det > SPANNED * own_n * own_t:
            to_n, to_t = (on_n * own_t - on_t * both) / det, (on_t * own_n - on_n * both) / det
            return to_n, to_t, max(0.0, own - to_n * on_n - to_t * on_t)
    to_t = on_t / own_t if own_t > 0.0 else 0.0
    return 0.0, to_t, max(0.0, own - to_t * on_t)


@jit
def give(model, log, p, heir, share):
    """The vector `heir` takes over this share of what p has"""
    A = model.A
    note(log, model.count, model.facts[ROW, heir], share, A[p], False)
    for c in range(A.shape[1]):
        A[heir, c] += share * A[p, c]


@jit
def hand_over(model, log, kernel, track, t, neighbour):
    """Whoever costs least goes, and what it has to newcomer t and its neighbour. Returns both rows
    and the loss
    """
    A, facts, figures, count = model.A, model.facts, model.figures, model.count
    b, p, loss = count[USED], -1, np.inf
    for j in range(b):
        if j != t:
            _, _, rest = shares(figures, j, facts[NEAR, j] if neighbour else -1, t)
            cost = inner(A[j], A[j]) * rest
            if cost < loss:
                p, loss = j, cost
    n = facts[NEAR, p] if neighbour else -1
    to_n, to_t, _ = shares(figures, p, n, t)
    row, heir = facts[ROW, p], facts[ROW, n] if n >= 0 and to_n != 0.0 else -1
    if track:
        kept = figures[SPARE]  # kernel values of the newcomer
        for j in range(b):
            kept[j] = figures[VALUES, j]
        product, places, parts = 0.0, (p, t, max(n, 0)), (1.0, -to_t, -to_n)
        for q in range(3):
            respond_at(model, kernel, places[q])
            product += parts[q] * inner(A[p], model.scores[F])
        model.number[NORM2] += loss - 2.0 * product
        for j in range(b):
            figures[VALUES, j] = kept[j]
    note(log, count, row, -1.0, A[p], True)
    if n >= 0 and to_n != 0.0:
        give(model, log, p, n, to_n)
    give(model, log, p, t, to_t)
    drop(model.V, A, facts, figures, model.where, count, p)
    if neighbour:
        left(model, kernel, p, b - 1, t)
    return row, heir, loss


@jit
def left(model, kernel, p, last, t):
    """Vector p has gone, the last one is in its slot: whoever had p for a neighbour looks for
    another one, not newcomer t
    """
    V, facts, figures, x, count = model.V, model.facts, model.figures, model.x, model.count
    t = p if t == last else t
    for j in range(last):
        if j == t:
            continue
        near = facts[NEAR, j]
        if near == p:
            for f in range(x.size):
                x[f] = V[f, j]
            kernel_row(kernel, V, figures[SQUARE], last, x, model.at, x.size, figures[SPARE])
            count[EVALS] += last - 1
            facts[NEAR, j] = other_than(figures[SPARE], figures, last, j, t)
            figures[LIKENESS, j] = figures[SPARE, max(0, facts[NEAR, j])]
        elif near == last:
            facts[NEAR, j] = p


@jit
def other_than(k, figures, b, j, t):
    """The vector nearest to j, any but itself and t"""
    p, gap = -1, np.inf
    for i in range(b):
        apart = figures[OWN, i] - 2.0 * k[i]
        if i != j and i != t and apart < gap:
            p, gap = i, apart
    return p


@jit
def meet(model, t):
    """Newcomer t, whose kernel values are at hand, becomes a neighbour, and finds one"""
    facts, figures, b, k = model.facts, model.figures, model.count[USED], model.figures[VALUES]
    for j in range(b):
        near = facts[NEAR, j]
        if j != t and (
            near < 0
            or figures[OWN, t] - 2.0 * k[j] < figures[OWN, near] - 2.0 * figures[LIKENESS, j]
        ):
            facts[NEAR, j], figures[LIKENESS, j] = t, k[j]
    facts[NEAR, t] = nearest(k, figures[OWN, t], figures, b, t)
    figures[LIKENESS, t] = k[max(0, facts[NEAR, t])]
