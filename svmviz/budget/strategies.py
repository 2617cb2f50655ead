"""What happens when there are more support vectors than the budget allows (BSGD, Section 6, Algorithm 2).

A strategy is an integer that `maintain` branches on, with the little it needs in `Maintenance`; it takes one vector out and
says what that cost. Another budgeted learner adds a kind here, or only another way of choosing.
"""

import math
from typing import NamedTuple

import numpy as np

from svmviz.budget import inverse, merge
from svmviz.budget.model import (
    EVALS,
    LUCK,
    NORM2,
    PRIME,
    USED,
    create,
    dot,
    drop,
    kernel_row,
    note,
    put,
    respond,
    respond_at,
    squared_distances,
)
from svmviz.jit import jit

NONE, STOP, SMALLEST, OLDEST, RANDOM, PROJECT, PROJECT_BEST, MERGE = range(8)
NAMES = ("none", "stop", "remove smallest", "remove oldest", "remove random", "project smallest", "project best", "merge")
TIES = 2e-12  # relative, of |a|²: nearer ones are equally small, and the oldest goes (all are equal under Pegasos)
NOTHING, REMOVED, PROJECTED, MERGED, FOLDED, FROZEN, ALONE = range(7)  # kinds of event
EVENTS = ("nothing", "removed", "projected", "merged", "folded", "frozen", "alone")
KIND, OUT, WITH, INTO, H, LOSS = range(6)  # places in an event: kind, rows of m, n and z in the table, h, |Delta|²


class Maintenance(NamedTuple):
    kind: int
    B: int  # the budget: support vectors that may stay
    table: np.ndarray  # (cosines, ratios, distances) of `merge.fill`, empty: golden section


@jit
def smallest(model):
    """The vector with the least |a|² K(v, v); of several the oldest"""
    sizes, least = model.work[0], np.inf
    for j in range(model.count[USED]):
        sizes[j] = dot(model.A[j], model.A[j]) * model.own[j]
        least = min(least, sizes[j])
    p = -1
    for j in range(model.count[USED]):
        if sizes[j] <= least * (1.0 + TIES) and (p < 0 or model.age[j] < model.age[p]):
            p = j
    return p


@jit
def oldest(model):
    p = 0
    for j in range(model.count[USED]):
        if model.age[j] < model.age[p]:
            p = j
    return p


@jit
def lucky(model):
    """Any but the newest, which has just come"""
    model.count[LUCK] = 48271 * model.count[LUCK] % PRIME
    others = model.count[USED] - 1
    p = int(model.count[LUCK] / PRIME * others) if others else 0
    return p + 1 if others and p >= youngest(model) else p


@jit
def youngest(model):
    p = 0
    for j in range(model.count[USED]):
        if model.age[j] > model.age[p]:
            p = j
    return p


@jit
def remove(model, log, kernel, track, p):
    """Delta = phi(x_p) a_p"""
    a = model.A[p]
    loss = dot(a, a) * model.own[p]
    if track:
        respond_at(model, kernel, p, model.k, model.f)
        model.number[NORM2] += loss - 2.0 * dot(a, model.f)
    note(model, log, model.row[p], -1.0, a)
    drop(model, p)
    return loss


@jit
def unite(model, log, kernel, track, m, n, h, loss, event):
    """Delta = phi(x_m) a_m + phi(x_n) a_n - phi(z) a_z, where z = h x_m + (1 - h) x_n takes the place of n"""
    b, x, a_m, a_n, a_z = model.count[USED], model.x, model.A[m], model.A[n], model.step
    L, inner = model.work[2][n], 0.0
    p, q = math.exp(-L * (1.0 - h) ** 2), math.exp(-L * h * h)
    if track:  # |w - Delta|² needs <w, Delta>, and so the scores at all three
        respond_at(model, kernel, m, model.k, model.f)
        inner += dot(a_m, model.f)
        respond_at(model, kernel, n, model.k, model.f)
        inner += dot(a_n, model.f)
    for f in range(x.size):
        x[f] = h * model.V[f, m] + (1.0 - h) * model.V[f, n]
    for c in range(a_z.size):
        a_z[c] = a_m[c] * p + a_n[c] * q
    if track:
        kernel_row(kernel, model.V, model.square, b, x, model.at, x.size, model.k)
        respond(model.A, b, model.k, model.f)
        model.count[EVALS] += b
        model.number[NORM2] += loss - 2.0 * (inner - dot(a_z, model.f))
    note(model, log, model.row[m], -1.0, a_m)
    note(model, log, model.row[n], -1.0, a_n)
    event[OUT], event[WITH], event[H] = model.row[m], model.row[n], h
    row = create(model, log, model.row[m], model.row[n])
    event[INTO] = row
    note(model, log, row, 1.0, a_z)
    if 0 <= model.row[n] < model.where.size:
        model.where[model.row[n]] = -1
    put(model, n, row, 1.0, model.merged[m] + model.merged[n] + 1)
    for c in range(a_z.size):
        a_n[c] = a_z[c]
    drop(model, m)


@jit
def prepare(model, gamma, m):
    """For every vector its |a|², <a, a_m> and gamma |x - x_m|², in the first three rows of `work`"""
    b, x, N, D, L = model.count[USED], model.x, model.work[0], model.work[1], model.work[2]
    for f in range(x.size):
        x[f] = model.V[f, m]
    squared_distances(model.V, model.square, b, x, model.at, x.size, L)
    model.count[EVALS] += b - 1
    for j in range(b):
        N[j], D[j], L[j] = dot(model.A[j], model.A[j]), dot(model.A[j], model.A[m]), gamma * L[j]


@jit
def merge_smallest(model, log, kernel, track, table, event):
    """The smallest vector and the partner with which it loses least; without a partner on its side it is removed"""
    m = smallest(model)
    prepare(model, kernel.gamma, m)
    N, D, L = model.work[0], model.work[1], model.work[2]
    n, h, loss = merge.partner(N[m], D, N, L, model.count[USED], m, table, model.work[3])
    if n < 0:
        event[OUT] = model.row[m]
        return ALONE, remove(model, log, kernel, track, m)
    unite(model, log, kernel, track, m, n, h, loss, event)
    return MERGED, loss


@jit
def maintain(model, log, kernel, track, maintenance, event):
    """Take one vector out, and leave in `event` what happened"""
    kind, happened = maintenance.kind, REMOVED
    if kind == MERGE:
        happened, loss = merge_smallest(model, log, kernel, track, maintenance.table, event)
    elif kind == PROJECT or kind == PROJECT_BEST:
        row, loss = inverse.project(model, log, smallest(model) if kind == PROJECT else -1)
        event[OUT], happened = row, PROJECTED
    else:
        p = smallest(model) if kind == SMALLEST else oldest(model) if kind == OLDEST else lucky(model)
        event[OUT] = model.row[p]
        loss = remove(model, log, kernel, track, p)
    event[KIND], event[LOSS] = happened, loss


@jit
def stir(model, i):
    """Make chance depend on the examples seen"""
    model.count[LUCK] = 48271 * (1 + (model.count[LUCK] + i) % (PRIME - 1)) % PRIME


@jit
def admit(model, log, kernel, maintenance, i, own):
    """Take example i, which lies in `x` with its kernel values in `k` and its coefficients in `step`, in as a support vector.

    A second copy of an example that is a support vector already counts as another one, as in the paper, and gets a row of its
    own. Without a budget there is nothing to count, and it adds to the first. Returns what projecting it at once cost, or
    -1."""
    b, step = model.count[USED], model.step
    longer = model.number[NORM2] + 2.0 * dot(step, model.f) + dot(step, step) * own
    known = model.where.size > 0 and model.where[i] >= 0
    if known and maintenance.kind == NONE:
        slot = model.where[i]
        note(model, log, i, 1.0, step)
        for c in range(step.size):
            model.A[slot, c] += step[c]
        model.number[NORM2] = longer
        return -1.0
    if maintenance.kind == PROJECT or maintenance.kind == PROJECT_BEST:
        q = model.work[3]
        rest = inverse.new_part(model, model.k, own, q)
        if rest <= inverse.DEPENDENT * own:
            return inverse.fold(model, log, model.k, own, q, rest)
        inverse.join(model, model.k, own, q, rest)
    row = create(model, log, i, -1) if known else i if model.where.size else -1
    put(model, b, row, own, 0)
    for c in range(step.size):
        model.A[b, c] = step[c]
    model.count[USED], model.number[NORM2] = b + 1, longer
    note(model, log, row, 1.0, step)
    return -1.0

