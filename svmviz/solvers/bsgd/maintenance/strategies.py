"""What happens when there are more support vectors than the budget allows (BSGD, Section 6,
Algorithm 2).

A strategy is an integer that `maintain` branches on, with the little it needs in `Maintenance`; it
takes one vector out and says what that cost. Another budgeted learner adds a kind here, or only
another way of choosing.
"""

import math
from typing import NamedTuple

import numpy as np

from svmviz.maths.machine.jit import jit
from svmviz.maths.matrix import inner
from svmviz.solvers.bsgd import newcomer
from svmviz.solvers.bsgd.kernels import kernel_row, respond
from svmviz.solvers.bsgd.maintenance import heirs, inverse, merge, pairs, radial, removal
from svmviz.solvers.bsgd.model import (
    AGE,
    DOTS,
    EVALS,
    LUCK,
    MERGED,
    NORM2,
    OWN,
    PRIME,
    REACH,
    ROW,
    SIZES,
    SPARE,
    SQUARE,
    STEP,
    USED,
    VALUES,
    F,
    Q,
    create,
    drop,
    mark,
    note,
    put,
    respond_at,
)

(
    NONE,
    STOP,
    SMALLEST,
    OLDEST,
    RANDOM,
    EASIEST,
    ERRORS,
    COUNTS,
    PROJECT,
    PROJECT_BEST,
    BEST_OLD,
    NEWCOMER,
    ON_NEWCOMER,
    ON_NEIGHBOUR,
    MERGE,
) = range(15)
NAMES = (
    "none",
    "stop",
    "remove smallest",
    "remove oldest",
    "remove random",
    "remove easiest",
    "remove by errors",
    "remove by counts",
    "project smallest",
    "project best",
    "project best old",
    "project newcomer",
    "project on newcomer",
    "project on neighbour",
    "merge",
)
NOTHING, REMOVED, PROJECTED, MERGED_TWO, FOLDED, FROZEN, ALONE, LEANT = range(8)  # kinds of event
EVENTS = ("nothing", "removed", "projected", "merged", "folded", "frozen", "alone", "leant")


class Maintenance(NamedTuple):
    kind: int
    B: int  # the budget: support vectors that may stay
    table: np.ndarray  # (cosines, ratios, distances) of `merge.fill`, empty: golden section
    eps: float = (
        0.0  # up to which distance from the others a newcomer is spread over them (`newcomer`)
    )
    small_steps: bool = (
        False  # whether it also leans on them where its margin is positive, but too small
    )
    all_pairs: bool = False  # whether any two may merge, not only the smallest with another


class Event(NamedTuple):
    """What the maintenance did in a step, of several times the last; -1 stands for no row."""

    kind: int
    m: int  # row in the table of the vector that went, ...
    n: int  # ... of the one it was merged with, ...
    z: int  # ... and of what they became
    h: float
    loss: float  # |Delta|²
    by: float  # what the choice was made by: a margin, mistakes, a distance; 0: by the loss


@jit
def inverts(kind):
    """Whether the inverse of the kernel matrix is kept"""
    return kind == PROJECT or kind == PROJECT_BEST or kind == BEST_OLD


@jit
def missed(kind):
    """Whether scores of the vectors are kept: who goes is whoever is missed least"""
    return kind == EASIEST or kind == ERRORS or kind == COUNTS


@jit
def remove(model, log, kernel, track, kind, p):
    """Delta = phi(x_p) a_p"""
    A, facts, figures, count = model.A, model.facts, model.figures, model.count
    a = A[p]
    loss = inner(a, a) * figures[OWN, p]
    if track:
        respond_at(model, kernel, p)
        model.number[NORM2] += loss - 2.0 * inner(a, model.scores[F])
    if missed(kind):
        removal.leave(model, kernel, p, kind != EASIEST)
    elif kind == NEWCOMER:
        newcomer.leave(model.gram, count[USED], p, figures[REACH])
    note(log, count, facts[ROW, p], -1.0, a, True)
    drop(model.V, A, facts, figures, model.where, count, p)
    return loss


@jit
def changed_norm(model, kernel, m, n, h, a_z):
    """2 <w, Delta> of a merge, for which the scores at x_m, x_n and z are needed; leaves z in
    `x`
    """
    V, A, x, figures, f, product = model.V, model.A, model.x, model.figures, model.scores[F], 0.0
    for slot in (m, n):
        respond_at(model, kernel, slot)
        product += inner(A[slot], f)
    for q in range(x.size):
        x[q] = h * V[q, m] + (1.0 - h) * V[q, n]
    b = model.count[USED]
    kernel_row(kernel, V, figures[SQUARE], b, x, model.at, x.size, figures[VALUES])
    model.count[EVALS] += b
    respond(A, b, figures[VALUES], f)
    return 2.0 * (product - inner(a_z, f))


@jit
def unite(model, log, kernel, track, m, n, h, loss):
    """Delta = phi(x_m) a_m + phi(x_n) a_n - phi(z) a_z, where z = h x_m + (1 - h) x_n takes the
    place of n
    """
    V, A, x, facts, count, a_z = (
        model.V,
        model.A,
        model.x,
        model.facts,
        model.count,
        model.scores[STEP],
    )
    p, q = radial.shares(kernel.kind, model.figures[REACH, n], h)
    for c in range(a_z.size):
        a_z[c] = A[m, c] * p + A[n, c] * q
        if kernel.plus != 0.0:
            a_z[c] = (a_z[c] + kernel.plus * (A[m, c] + A[n, c])) / (1.0 + kernel.plus)
    if track:
        model.number[NORM2] += loss - changed_norm(model, kernel, m, n, h, a_z)
    for f in range(x.size):
        x[f] = h * V[f, m] + (1.0 - h) * V[f, n]
    row_m, row_n = facts[ROW, m], facts[ROW, n]
    z = create(log, count, x, row_m, row_n)
    note(log, count, row_m, -1.0, A[m], True)
    note(log, count, row_n, -1.0, A[n], True)
    note(log, count, z, 1.0, a_z, False)
    mark(model.where, row_n, -1)
    put(model, n, z, 1.0 + kernel.plus, facts[MERGED, m] + facts[MERGED, n] + 1)
    for c in range(a_z.size):
        A[n, c] = a_z[c]
    drop(V, A, facts, model.figures, model.where, count, m)
    return Event(MERGED_TWO, row_m, row_n, z, h, loss, 0.0)


@jit
def merge_two(model, log, kernel, track, maintenance, event):
    """Two vectors of one side become one; without such a pair the smallest is removed"""
    m = removal.smallest(model)
    if maintenance.all_pairs:
        first, n, h, loss = pairs.closest(model, kernel, maintenance.table)
        if n >= 0 and loss <= model.figures[SIZES, m] * model.figures[OWN, m] * (1.0 + merge.EQUAL):
            m = first
        else:
            n = (
                -1
            )  # the smallest is alone, and to remove it costs less than to merge any two others
    else:
        n, h, loss = partner_of(model, kernel, m, maintenance.table)
    if n < 0:
        row = model.facts[ROW, m]
        return Event(
            ALONE, row, event.n, event.z, event.h, remove(model, log, kernel, track, MERGE, m), 0.0
        )
    return unite(model, log, kernel, track, m, n, h, loss)


@jit
def partner_of(model, kernel, m, table):
    """With whom m loses least when merged: who that is, or -1, h and the loss"""
    V, A, x, figures, b = model.V, model.A, model.x, model.figures, model.count[USED]
    for f in range(x.size):
        x[f] = V[f, m]
    radial.reaches(kernel, V, figures[SQUARE], b, x, model.at, figures[REACH])
    model.count[EVALS] += b - 1
    for j in range(b):
        figures[SIZES, j], figures[DOTS, j] = inner(A[j], A[j]), inner(A[j], A[m])
    return radial.partner(
        kernel.kind,
        figures[SIZES, m],
        figures[DOTS],
        figures[SIZES],
        figures[REACH],
        b,
        m,
        kernel.plus,
        table,
        figures[SPARE],
    )


@jit
def maintain(model, log, kernel, track, maintenance, event):
    """Take one vector out, and say what happened after that event of the same step"""
    kind, age, b = maintenance.kind, model.facts[AGE], model.count[USED]
    if kind == MERGE:
        return merge_two(model, log, kernel, track, maintenance, event)
    if inverts(kind):
        p = removal.smallest(model) if kind == PROJECT else -1
        row, loss = inverse.project(
            model, log, p, removal.newest(age, b) if kind == BEST_OLD else -1
        )
        return Event(PROJECTED, row, event.n, event.z, event.h, loss, 0.0)
    if kind == ON_NEWCOMER or kind == ON_NEIGHBOUR:
        row, heir, loss = heirs.hand_over(
            model, log, kernel, track, removal.newest(age, b), kind == ON_NEIGHBOUR
        )
        return Event(PROJECTED, row, heir, event.z, event.h, loss, 0.0)
    by = 0.0
    if kind == OLDEST:
        p = removal.oldest(age, b)
    elif kind == RANDOM:
        p = removal.lucky(age, b, model.count)
    elif kind == EASIEST:
        p, by = removal.easiest(model)
    elif kind == ERRORS or kind == COUNTS:
        p, by = removal.least_missed(model, kind == COUNTS)
    else:
        p = removal.smallest(model)
    row = model.facts[ROW, p]
    return Event(
        REMOVED, row, event.n, event.z, event.h, remove(model, log, kernel, track, kind, p), by
    )


@jit
def stir(count, i):
    """Make chance depend on the examples seen"""
    count[LUCK] = 48271 * (1 + (count[LUCK] + i) % (PRIME - 1)) % PRIME


@jit
def lean(model, log, own, q, rest):
    """Spread what the example at hand adds over the vectors, with shares q; returns what is lost"""
    step = model.scores[STEP]
    model.number[NORM2] += 2.0 * inner(step, model.scores[F]) + inner(step, step) * (own - rest)
    inverse.flow(model.A, model.facts, model.count[USED], log, model.count, -1, q, step)
    return inner(step, step) * max(0.0, rest)


@jit
def admit(model, log, kernel, maintenance, i, own):
    """Take example i in as a support vector: it lies in `x`, with its kernel values and what it
    adds beside it.

    A second copy of an example that is a support vector already counts as another one, as in the
    paper, and gets a row of its own. Without a budget there is nothing to count, and it adds to the
    first. Returns what projecting it at once cost, or -1, and how far it is from the others, where
    that was asked
    """
    A, count, where, figures, step, kind = (
        model.A,
        model.count,
        model.where,
        model.figures,
        model.scores[STEP],
        maintenance.kind,
    )
    b, known, far = count[USED], where.size > 0 and where[i] >= 0, 0.0
    longer = model.number[NORM2] + 2.0 * inner(step, model.scores[F]) + inner(step, step) * own
    if inverts(kind):
        q = figures[SPARE]
        rest = inverse.new_part(model.gram, b, figures[VALUES], own, q)
        if rest <= inverse.DEPENDENT * own:
            return lean(model, log, own, q, rest), 0.0
        inverse.join(model.gram, b, figures[VALUES], own, q, rest)
    elif kind == NEWCOMER:
        q, u, same = figures[SPARE], figures[REACH], newcomer.twin(figures, figures[VALUES], own, b)
        rest = newcomer.span(model.gram[Q], b, figures[VALUES], own, u, q)
        far = math.sqrt(rest)
        if newcomer.stays_out(maintenance, rest, same, count):
            if same >= 0:
                rest = far = 0.0
                for j in range(b):
                    q[j] = 1.0 * (j == same)
            return lean(model, log, own, q, rest), far
        newcomer.join(model.gram, b, figures[VALUES], own, u, rest)
    elif missed(kind):
        removal.join(model, own, kind != EASIEST)
    model.number[NORM2] = longer
    if known and kind == NONE:
        slot, row = where[i], i
    else:
        slot, row = b, i if where.size else -1
        if known:
            row = create(log, count, model.x, i, -1)
        put(model, b, row, own, 0)
        for c in range(step.size):
            A[b, c] = 0.0
        count[USED] = b + 1
    for c in range(step.size):
        A[slot, c] += step[c]
    note(log, count, row, 1.0, step, False)
    return -1.0, far
