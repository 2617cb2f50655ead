"""Who goes where a vector is removed: the smallest, the oldest, any; in three budgeted Perceptrons,
whoever is missed least.

Budget Perceptron (Crammer, Kandola, Singer: "Online classification on a budget", NIPS 2003): whose
own margin would be largest without it. Tighter (Weston, Bordes, Bottou: "Online (and offline) on an
even tighter budget", AISTATS 2005): without whom the support vectors would be mistaken least often.
Tightest (Wang, Vucetic, IJCNN 2009): the same, where each vector stands for all examples that came
nearest to it, of either class; as the BSGD paper only sketches it, an example is counted at the
nearest vector in feature space, a new vector for itself, and who goes hands its examples to the
nearest of the others.

A margin of 0 is a mistake, and of equals the oldest goes. The newcomer may be it. All three are
about two classes: a vector's label is the sign of its coefficient.
"""

import math

import numpy as np

from svmviz.maths.machine.jit import jit
from svmviz.maths.matrix import inner
from svmviz.solvers.bsgd.maintenance import merge
from svmviz.solvers.bsgd.model import (
    AGE,
    LUCK,
    MINUS,
    OWN,
    PLUS,
    PRIME,
    SCORE,
    SIZES,
    SPARE,
    STEP,
    USED,
    VALUES,
    F,
    K,
    respond_at,
)

CLOSE = 1e-12  # of a margin: so little is rounding


@jit
def smallest(model):
    """The vector with the least |a|² K(v, v); of several, and under Pegasos all are equal, the
    oldest
    """
    A, facts, figures, b, least = model.A, model.facts, model.figures, model.count[USED], np.inf
    for j in range(b):
        figures[SIZES, j] = inner(A[j], A[j]) * figures[OWN, j]
        least = min(least, figures[SIZES, j])
    p = -1
    for j in range(b):
        if figures[SIZES, j] <= least * (1.0 + merge.EQUAL) and (
            p < 0 or facts[AGE, j] < facts[AGE, p]
        ):
            p = j
    return p


@jit
def oldest(age, b):
    p = 0
    for j in range(b):
        if age[j] < age[p]:
            p = j
    return p


@jit
def newest(age, b):
    p = 0
    for j in range(b):
        if age[j] > age[p]:
            p = j
    return p


@jit
def lucky(age, b, count):
    """Any but the newest, which has just come"""
    count[LUCK] = 48271 * count[LUCK] % PRIME
    p = int(count[LUCK] / PRIME * (b - 1))
    return p + 1 if p >= newest(age, b) and b > 1 else p


@jit
def least(values, age, b):
    """Where the least of b values is, of equals the oldest"""
    low, p = np.inf, -1
    for j in range(b):
        low = min(low, values[j])
    for j in range(b):
        if values[j] <= low + CLOSE * (1.0 + abs(low)) and (p < 0 or age[j] < age[p]):
            p = j
    return p, values[p]


@jit
def easiest(model):
    """Whose margin is largest without itself, y_j (f(x_j) - a_j K(x_j, x_j)), and that"""
    A, figures, b = model.A, model.figures, model.count[USED]
    for j in range(b):
        a = A[j, 0]
        figures[SPARE, j] = -math.copysign(1.0, a) * (figures[SCORE, j] - a * figures[OWN, j])
    p, margin = least(figures[SPARE], model.facts[AGE], b)
    return p, -margin


@jit
def least_missed(model, counted):
    """Without whom there are fewest mistakes at the vectors, or among the examples that they stand
    for, and how many
    """
    A, figures, b, score, plus, minus = (
        model.A,
        model.figures,
        model.count[USED],
        model.figures[SCORE],
        model.figures[PLUS],
        model.figures[MINUS],
    )
    for j in range(b):
        a, k, wrong = A[j, 0], model.gram[K, j], 0.0
        for i in range(b):
            f, nothing = score[i] - a * k[i], CLOSE * (abs(score[i]) + abs(a * k[i]))
            up, down = f <= nothing, f >= -nothing  # mistaken with +1, with -1
            if counted:
                wrong += up * plus[i] + down * minus[i]
            else:
                wrong += 1.0 * (up if A[i, 0] > 0.0 else down)
        figures[SPARE, j] = wrong
    return least(figures[SPARE], model.facts[AGE], b)


@jit
def nearest(k, own, figures, b, but):
    """The vector nearest in feature space to where K(x, v_j) = k and K(x, x) = own, any but this
    one; -1: there is none
    """
    p, gap = -1, np.inf
    for j in range(b):
        apart = own + figures[OWN, j] - 2.0 * k[j]
        if j != but and apart < gap:
            p, gap = j, apart
    return p


@jit
def stand_for(figures, b, own, positive):
    """The nearest vector stands for the example at hand, too"""
    p = nearest(figures[VALUES], own, figures, b, -1)
    if p >= 0:
        figures[PLUS if positive else MINUS, p] += 1.0


@jit
def join(model, own, gram):
    """Scores of all vectors with the newcomer, which takes the next slot, and its own"""
    figures, b, a = model.figures, model.count[USED], model.scores[STEP, 0]
    for j in range(b):
        figures[SCORE, j] += a * figures[VALUES, j]
        if gram:
            model.gram[K, j, b] = model.gram[K, b, j] = figures[VALUES, j]
    figures[SCORE, b] = model.scores[F, 0] + a * own
    figures[PLUS, b], figures[MINUS, b] = 1.0 * (a > 0.0), 1.0 * (a < 0.0)
    if gram:
        model.gram[K, b, b] = own


@jit
def leave(model, kernel, p, gram):
    """Scores of the others without vector p, before its slot is freed; its examples go to the
    nearest of them
    """
    figures, b, a, M = model.figures, model.count[USED], model.A[p, 0], model.gram[K]
    if not gram:
        respond_at(model, kernel, p)
    k = M[p] if gram else figures[VALUES]
    for j in range(b):
        figures[SCORE, j] -= a * k[j]
    heir = nearest(k, figures[OWN, p], figures, b, p)
    if heir >= 0:
        figures[PLUS, heir] += figures[PLUS, p]
        figures[MINUS, heir] += figures[MINUS, p]
    if gram:
        for j in range(b):
            M[p, j] = M[b - 1, j]
        for j in range(b):
            M[j, p] = M[j, b - 1]
