"""Objective, loss, norm and error over traces with a table of vectors (`table`), in the conventions of `metrics`.

With a score per class a point belongs to the class with the highest score, the first of several, and its loss is that of
Crammer and Singer, max(0, 1 + best wrong score - true score). There is no averaged iterate: the mean of many budgeted w is a
sum over more vectors than the budget allows.
"""

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.maths.jit import jit
from svmviz.maths.losses import value as loss_at
from svmviz.record import table
from svmviz.record.table import enter, leave, vanished

KEPT = 4_000_000  # kernel values that are kept while metrics are computed (32 MB)


@jit
def between(kernel, rows, made, n, a, b):
    """K of two rows of the table"""
    if a < n:
        return kernels.k(kernel, rows, a, rows, b) if b < n else kernels.k(kernel, rows, a, made, b - n)
    return kernels.k(kernel, made, a - n, rows, b) if b < n else kernels.k(kernel, made, a - n, made, b - n)


@jit
def column(kernel, rows, made, n, r, points, out):
    """K of row r of the table with every point"""
    if matrix.is_dense(points):  # arrays themselves, see `kernels.dense_k`
        kernels.row(kernel, rows.X if r < n else made.X, r if r < n else r - n, points.X, out)
    else:
        for i in range(out.size):
            out[i] = kernels.k(kernel, points, i, rows, r) if r < n else kernels.k(kernel, points, i, made, r - n)


@jit
def measure(f, y, active, lam, loss, norm2, out):
    """P, mean loss, |w| and error; with a score per class the loss is that of Crammer and Singer"""
    total, wrong, scores = 0.0, 0, f.shape[0]
    for i in active:
        if scores == 1:
            total += loss_at(loss, y[i] * f[0, i])
            wrong += (f[0, i] >= 0.0) != (y[i] > 0.0)
        else:
            true, rival, first = int(y[i]), -np.inf, 0
            for c in range(scores):
                if c != true:
                    rival = max(rival, f[c, i])
                if f[c, i] > f[first, i]:
                    first = c
            total += max(0.0, 1.0 + rival - f[true, i])
            wrong += first != true
    cost, norm2 = total / active.size, max(0.0, norm2)
    out[0], out[1], out[2], out[3] = 0.5 * lam * norm2 + cost, cost, np.sqrt(norm2), wrong / active.size


@jit
def follow(rows, made, n, points, y, active, lam, loss, kernel, place, row, coef, since, used, f, g, columns, normed, start,
           factor, index, delta, out):
    """Replay a segment on the scores f of the points; with `normed` the points are the examples, and g are the scores of
    created vectors, which |w|² needs. `columns` keeps kernel values per slot, or none; returns the rows in use"""
    scores, kept = coef.shape[1], columns.shape[0] > 1
    for s in range(factor.size):
        for c in range(scores):
            own = f[c]
            for i in range(own.size):
                own[i] *= factor[s]
        for j in range(used):
            for c in range(scores):
                coef[j, c] *= factor[s]
                g[j, c] *= factor[s]
        while used > 0 and factor[s] == 0.0:
            leave(place, row, coef, since, used, used - 1)
            used -= 1
        for e in range(index.shape[1]):
            r = index[s, e]
            if r < 0:
                continue
            fresh = place[r] < 0
            if fresh:
                enter(place, row, coef, since, used, r, start + s + 1)
                used += 1
                for c in range(scores):
                    g[used - 1, c] = 0.0
                if r >= n and normed:
                    for j in range(used - 1):
                        value = between(kernel, rows, made, n, r, row[j])
                        for c in range(scores):
                            g[used - 1, c] += coef[j, c] * value
            slot = place[r]
            values = columns[slot if kept else 0]
            if fresh or not kept:
                column(kernel, rows, made, n, r, points, values)
            for c in range(scores):
                own, amount = f[c], delta[s, e, c]
                for i in range(own.size):
                    own[i] += amount * values[i]
            if normed:
                for j in range(used):
                    if row[j] >= n:
                        value = between(kernel, rows, made, n, row[j], r)
                        for c in range(scores):
                            g[j, c] += delta[s, e, c] * value
            for c in range(scores):
                coef[slot, c] += delta[s, e, c]
        for e in range(index.shape[1]):
            r = index[s, e]
            if r >= 0 and place[r] >= 0 and vanished(coef, place[r], delta[s, e]):
                slot, last = place[r], used - 1
                leave(place, row, coef, since, used, slot)
                used = last
                for c in range(scores):
                    g[slot, c] = g[last, c]
                if kept and slot != last:
                    for i in range(f.shape[1]):
                        columns[slot, i] = columns[last, i]
        norm2 = 0.0
        if normed:
            for j in range(used):
                for c in range(scores):
                    norm2 += coef[j, c] * (f[c, row[j]] if row[j] < n else g[j, c])
        measure(f, y, active, lam, loss, norm2, out[s])
    return used


def measures(trace, test=None) -> np.ndarray:
    """(steps + 1, 4): P, mean loss, |w| and error over the run, on the examples or, then without |w|, on others."""
    problem, kernel_rows = trace.problem, matrix.rows(trace.problem.X)
    points = problem if test is None else test
    made = matrix.rows(trace.created)
    frame, slots = table.nothing(trace), table.room(trace)
    outputs = frame.coef.shape[1]
    y = (points.y > 0).astype(np.float64) if outputs > 1 and problem.classes == 2 else points.y
    place = np.full(problem.n + trace.created.shape[0], -1)
    row, coef, since, used = np.full(slots, -1), np.zeros((slots, outputs)), np.zeros(slots, np.int64), 0
    f, g, out = np.zeros((outputs, points.n)), np.zeros((slots, outputs)), np.empty((trace.steps + 1, 4))
    rows_of, everyone = matrix.rows(points.X), np.arange(points.n)
    first = trace.segments[0]
    measure(f, y, first.active if test is None else everyone, 0.0, trace.solver.loss(first.params), 0.0, out[0])
    last = None
    for start, params, columns, active in trace.segments:
        kernel, lam, loss = trace.kernel(start + 1), trace.solver.regularisation(params), trace.solver.loss(params)
        if last is not None and kernel != last:
            f[:], g[:] = rescored(trace, kernel, row, coef, used, points.X, slots)
        last = kernel
        kept = np.empty((slots if slots * points.n <= KEPT else 1, points.n))
        if len(kept) > 1:
            for j in range(used):
                column(kernel, kernel_rows, made, problem.n, row[j], rows_of, kept[j])
        used = follow(kernel_rows, made, problem.n, rows_of, y, active if test is None else everyone, lam, loss, kernel, place,
                      row, coef, since, used, f, g, kept, test is None, start, columns.factor, columns.index, columns.delta,
                      out[start + 1:start + 1 + columns.factor.size])
    return out


def rescored(trace, kernel, row, coef, used, Z, slots):
    """Scores anew, of points and of support vectors, after the kernel changed."""
    V, g = table.coordinates(trace, row[:used]), np.zeros((slots, coef.shape[1]))
    g[:used] = kernels.responses(kernel, V, coef[:used])
    return kernels.responses(kernel, V, coef[:used], Z).T, g
