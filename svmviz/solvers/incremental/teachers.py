"""Who says which example comes next. A teacher may look at the classifier that was put out last (a
causal policy): the theorems hold for all of them. Looking costs kernel evaluations, and they are
counted.
"""

import math

from svmviz.maths.machine.jit import jit
from svmviz.solvers.incremental import ACTIVE, ADVERSARY, GIVEN
from svmviz.solvers.incremental.model import (
    EVALS,
    EVERYONE,
    N_SV,
    RECENT,
    SEEN,
    SELECTION,
    along,
    charge,
    response,
)


@jit
def swap(queue, place, a, b):
    """Two examples of the queue change places"""
    queue[a], queue[b] = queue[b], queue[a]
    place[queue[a]], place[queue[b]] = a, b


@jit
def output(model, kernel, rows, mode, i):
    """The response of the averaged classifier to example i"""
    if mode == EVERYONE:
        return model.h[i]
    total, many = response(model, kernel, rows, i), model.count[RECENT]
    along(
        kernel,
        rows,
        model.squares,
        model.buffer,
        model.vectors[:0],
        i,
        model.recent,
        0,
        many,
        model.near,
    )
    for e in range(many):
        total -= model.held[e] * model.near[e]
    return total


@jit
def look(model, kernel, rows, mode, counted, i):
    """The response of the averaged classifier, and what it costs to know it"""
    count, before = model.count, model.count[EVALS]
    if counted:
        charge(model.bits, count, i, model.support, count[N_SV], 0, 0)
        for e in range(
            count[RECENT]
        ):  # a coefficient that has just gone to 0 is in the average still
            known = model.held[e] == 0.0
            for earlier in range(e):
                known |= model.recent[earlier] == model.recent[e] and model.held[earlier] != 0.0
            if model.coef[model.recent[e]] == 0.0 and not known:
                charge(model.bits, count, i, model.recent[e : e + 1], 1, 0, 0)
    count[SELECTION] += count[EVALS] - before
    return output(model, kernel, rows, mode, i)


@jit
def next_place(model, y, kernel, rows, mode, counted, teacher, size, u, pool):
    """Where in the queue the example stands that comes next, and the response to it that made the
    teacher take it
    """
    queue, place, first = model.queue, model.place, model.count[SEEN]
    left = queue.size - first
    if u[0] >= 1.0:  # someone has named it; if it has arrived already, the teacher goes on
        named = place[int(u[0]) - 1]
        if named >= first:
            return named, math.nan
    if teacher == GIVEN:
        best = first
        for p in range(first, queue.size):
            if queue[p] < queue[best]:
                best = p
        return best, math.nan
    if teacher != ACTIVE and teacher != ADVERSARY:
        return first + int((u[0] % 1.0) * left), math.nan
    best, lowest, told = first, math.inf, math.nan
    for p in range(min(size, left)):
        swap(queue, place, first + p, first + p + int(u[1 + p] * (left - p)))
        i = queue[first + p]
        value = look(model, kernel, rows, mode, counted, i)
        wish = abs(value) if teacher == ACTIVE else y[i] * value
        pool[p] = i
        if wish < lowest:
            best, lowest, told = first + p, wish, value
    return best, told
