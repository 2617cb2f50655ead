"""What follows the coefficients from change to change: w in R^d, or the responses f of some
points.
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.maths.machine.jit import bare, loop

KEPT = 2048**2  # kernel values that are kept (32 MB)


class Space(NamedTuple):
    """Where vectors and points live."""

    rows: matrix.Rows  # the examples
    made: matrix.Rows  # vectors made on the way
    points: matrix.Rows  # where responses are wanted: the examples, or others
    kernel: kernels.Kernel


class Answers(NamedTuple):
    """What follows the coefficients. Either w is kept, or f."""

    w: np.ndarray  # (d,), or empty
    w_total: np.ndarray  # (d,)
    w_mean: np.ndarray  # (d,) room for the mean of one step
    f: np.ndarray  # (scores, points)
    f_total: np.ndarray  # (points,)
    f_mean: np.ndarray  # (1, points) room
    mean: np.ndarray  # (slots,) room
    g: (
        np.ndarray
    )  # (scores, slots) responses at vectors made on the way, where there are any and |w| is wanted
    columns: (
        np.ndarray
    )  # (slots, points) kernel values, or (1, points) where these are too many to keep
    known: np.ndarray  # (slots,) the row to which each column belongs, or (1,)


@bare
def between(space, n, a, b):
    """K of two rows"""
    rows, made, kernel = space.rows, space.made, space.kernel
    if a < n:
        return (
            kernels.k(kernel, rows, a, rows, b)
            if b < n
            else kernels.k(kernel, rows, a, made, b - n)
        )
    return (
        kernels.k(kernel, made, a - n, rows, b)
        if b < n
        else kernels.k(kernel, made, a - n, made, b - n)
    )


@bare
def fetch(space, n, r, slot, columns, known):
    """The place of the column K(., row r), which is computed once if there is room to keep it"""
    at = slot if known.size > 1 else 0
    if known[at] != r:
        known[at] = r
        if matrix.is_dense(space.points):  # arrays themselves, see `kernels.dense_k`
            X, i = (space.rows.X, r) if r < n else (space.made.X, r - n)
            kernels.row(space.kernel, X, i, space.points.X, columns[at])
        else:
            for i in range(columns.shape[1]):
                columns[at, i] = (
                    kernels.k(space.kernel, space.points, i, space.rows, r)
                    if r < n
                    else kernels.k(space.kernel, space.points, i, space.made, r - n)
                )
    return at


@loop
def lift(total, by, values):
    """total += by values"""
    for i in range(total.size):
        total[i] += by * values[i]


@bare
def raise_responses(space, n, slots, answers, e, changes, slot, fresh):
    """f, and the responses at vectors that were made, once the coefficient of a row is raised"""
    r, amount, g, f, row, coef = (
        changes.row[e],
        changes.amount[e],
        answers.g,
        answers.f,
        slots.row,
        slots.coef,
    )
    used = slots.used[0]
    if g.size > 0 and fresh:
        for c in range(amount.size):
            g[c, slot] = 0.0
        if r >= n:
            for j in range(used - 1):
                value = between(space, n, r, row[j])
                for c in range(amount.size):
                    g[c, slot] += coef[c, j] * value
    if f.shape[1] > 0:
        kept = kernels.in_place(space.kernel, space.points.X) and r < n  # all are there already
        values = (
            space.rows.X[r, 1:]
            if kept
            else answers.columns[fetch(space, n, r, slot, answers.columns, answers.known)]
        )
        for c in range(amount.size):
            lift(f[c], amount[c], values)
    if g.size > 0:
        for j in range(used):
            if row[j] >= n:
                value = between(space, n, row[j], r)
                for c in range(amount.size):
                    g[c, j] += amount[c] * value


@bare
def answer(space, n, slots, answers):
    """Responses of the state at hand, and of the sum of the iterates"""
    coef, total, f = slots.coef, slots.total, answers.f
    for j in range(slots.used[0]):
        r, summed = slots.row[j], total[j] if total.size > 0 else 0.0
        if coef[0, j] == 0.0 and summed == 0.0:
            continue
        if answers.w.size > 0:
            matrix.axpy(space.rows, r, coef[0, j], answers.w)
            matrix.axpy(space.rows, r, summed, answers.w_total)
            continue
        kept = kernels.in_place(space.kernel, space.points.X) and r < n
        values = (
            space.rows.X[r, 1:]
            if kept
            else answers.columns[fetch(space, n, r, j, answers.columns, answers.known)]
        )
        lift(f[0], coef[0, j], values)
        lift(answers.f_total, summed, values)
