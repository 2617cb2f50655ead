"""What responses are worth: P, mean loss, |w| and error.

A point is predicted +1 where f >= 0, so that w = 0 errs on the negative class. With a score per
class a point belongs to the class with the highest score, the first of several, and its loss is one
of `contest`. Of a real target the error is whether f is outside the tube (`losses.off`).
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.maths.contest import paid
from svmviz.maths.losses import HINGE, Loss, off, short, standing, value
from svmviz.maths.machine.jit import bare, loop
from svmviz.record.responses import fetch, lift

NAMES = ("primal", "hinge", "norm", "error")
OF_RESIDUALS = ("rmse", "mae")  # besides, where targets are real numbers


class Judged(NamedTuple):
    """What the states are worth, and to whom."""

    y: np.ndarray  # (points,)
    active: np.ndarray  # points that take part
    b: np.ndarray  # (T, 2) bias of the last and of the averaged iterate
    lam: float
    loss: Loss
    costs: np.ndarray  # (scores, scores) of mistakes, where there is a score per class
    normed: bool  # whether the points are the examples, so that |w| follows from the responses
    # (T, 4) P, mean loss, |w| and error of the last iterate; (0, 4) where nobody asks, (T, 6) with
    # residuals
    last: np.ndarray
    average: np.ndarray  # the same of the averaged one
    n_sv: np.ndarray  # (T,) coefficients that are not 0
    C: float  # 1/(λn)
    alphas: (
        np.ndarray
    )  # (T + 1,) Σ alpha_i, of which the first is given; (0,) where nobody asks for the dual
    conjugates: np.ndarray  # (T,) Σ conjugate(alpha_i / C), or (0,)


@loop
def misplaced(active):
    """How many of them are not where they would be if all took part"""
    count = 0
    for k in range(active.size):
        count += active[k] != k
    return count


@loop
def hinges_of_all(y, f, b, scale):
    """Sums of hinge losses and errors of responses `f * scale + b`. Losses are added in order, but
    several are found at a time: most of what a page waits for is this loop
    """
    total, wrong = 0.0, 0
    for i in range(y.size):
        score = scale * f[i] + b
        total += short(y[i] * score)
        wrong += (score >= 0.0) != (y[i] > 0.0)
    return total, wrong


@loop
def hinges_of_some(y, active, f, b, scale):
    """The same, of some points"""
    total, wrong = 0.0, 0
    for i in active:
        score = scale * f[i] + b
        total += short(y[i] * score)
        wrong += (score >= 0.0) != (y[i] > 0.0)
    return total, wrong


@bare
def hinges(y, active, f, b, scale):
    """The same, of the active points"""
    if active.size == y.size and misplaced(active) == 0:
        return hinges_of_all(y, f, b, scale)
    return hinges_of_some(y, active, f, b, scale)


@bare
def measure(y, active, lam, loss, costs, f, b, norm2, scale, out):
    """Of responses `f * scale + b`, f one row for each score, of the active points, and the squared
    norm `norm2 * scale²`
    """
    total, wrong, scores = 0.0, 0, f.shape[0]
    if scores > 1:
        total, wrong = several(y, active, loss, costs, f)
    elif loss.kind == HINGE:
        total, wrong = hinges(y, active, f[0], b, scale)
    else:
        only = f[0]
        for i in active:
            score = scale * only[i] + b
            total += value(loss, standing(loss, y[i], score))
            wrong += off(loss, y[i], score)
    write(lam, total / active.size, wrong / active.size, norm2 * scale * scale, out)
    residuals(y, active, f[0], b, scale, out)


@bare
def residuals(y, active, f, b, scale, out):
    """Root of the mean square, and mean size, of f - y, where there is room for them"""
    squares, sizes = 0.0, 0.0
    for i in active[: active.size if out.size > 4 else 0]:
        r = scale * f[i] + b - y[i]
        squares += r * r
        sizes += abs(r)
    if out.size > 4:
        out[4], out[5] = np.sqrt(squares / active.size), sizes / active.size


@bare
def several(y, active, loss, costs, f):
    """Sum of the losses, and of the errors"""
    total, wrong = 0.0, 0
    for i in active:
        first = 0
        for c in range(1, f.shape[0]):
            if f[c, i] > f[first, i]:
                first = c
        total += paid(loss, costs, f, i, int(y[i]))
        wrong += first != int(y[i])
    return total, wrong


@bare
def measure_both(y, active, lam, loss, f, g, b, norm2, total_norm2, scale, last, average):
    """`measure` of the last iterate, with responses f, and of the average, with `g * scale`, in one
    pass
    """
    total, wrong, mean_total, mean_wrong = 0.0, 0, 0.0, 0
    if loss.kind == HINGE:
        total, wrong = hinges(y, active, f, b[0], 1.0)
        mean_total, mean_wrong = hinges(y, active, g, b[1], scale)
    else:
        for i in active:
            score, mean = f[i] + b[0], scale * g[i] + b[1]
            total += value(loss, standing(loss, y[i], score))
            mean_total += value(loss, standing(loss, y[i], mean))
            wrong += off(loss, y[i], score)
            mean_wrong += off(loss, y[i], mean)
    write(lam, total / active.size, wrong / active.size, norm2, last)
    write(
        lam,
        mean_total / active.size,
        mean_wrong / active.size,
        total_norm2 * scale * scale,
        average,
    )
    residuals(y, active, f, b[0], 1.0, last)
    residuals(y, active, g, b[1], scale, average)


@bare
def write(lam, cost, error, norm2, out):
    norm2 = max(0.0, norm2)
    out[0] = 0.5 * lam * norm2 + cost
    out[1] = cost
    out[2] = np.sqrt(norm2)
    out[3] = error


@bare
def squared_norm(slots, f, g, n):
    """|w|² by the responses at the vectors themselves"""
    norm2, coef, row = 0.0, slots.coef, slots.row
    for j in range(slots.used[0]):
        for c in range(coef.shape[0]):
            norm2 += coef[c, j] * (f[c, row[j]] if row[j] < n else g[c, j])
    return norm2


@bare
def judge_linear(space, answers, judged, changes, mean, s, t):
    """What w, and the averaged w, are worth"""
    f, w, total = answers.f, answers.w, answers.w_total
    matrix.dots(space.points, w, f[0])
    measure(
        judged.y,
        judged.active,
        judged.lam,
        judged.loss,
        judged.costs,
        f,
        judged.b[s, 0],
        matrix.inner(w, w),
        1.0,
        judged.last[s],
    )
    if judged.average.shape[0] == 0:
        return
    scale = 1.0 / t
    if mean.late.size > 0:  # the average of this step alone
        total, scale, first = answers.w_mean, 1.0, changes.first[s]
        for q in range(w.size):
            total[q] = w[q]
        for e in range(mean.late.size):
            if mean.late[e] * changes.amount[first + e, 0] != 0.0:
                matrix.axpy(
                    space.rows,
                    changes.row[first + e],
                    -mean.late[e] * changes.amount[first + e, 0],
                    total,
                )
    matrix.dots(space.points, total, f[0])
    measure(
        judged.y,
        judged.active,
        judged.lam,
        judged.loss,
        judged.costs,
        f,
        judged.b[s, 1],
        matrix.inner(total, total),
        scale,
        judged.average[s],
    )


@bare
def judge(space, n, slots, answers, judged, changes, mean, s, t):
    """What the responses f, and those of the averaged iterate, are worth"""
    f, normed, norm2 = answers.f, judged.normed, 0.0
    if judged.average.shape[0] > 0 and mean.late.size == 0:
        total_norm2, coef, total, row, own, sums = (
            0.0,
            slots.coef[0],
            slots.total,
            slots.row,
            f[0],
            answers.f_total,
        )
        for j in range(slots.used[0] if normed else 0):
            norm2 += coef[j] * own[row[j]]
            total_norm2 += total[j] * sums[row[j]]
        measure_both(
            judged.y,
            judged.active,
            judged.lam,
            judged.loss,
            own,
            sums,
            judged.b[s],
            norm2,
            total_norm2,
            1.0 / t,
            judged.last[s],
            judged.average[s],
        )
        return
    norm2 = squared_norm(slots, f, answers.g, n) if normed else 0.0
    measure(
        judged.y,
        judged.active,
        judged.lam,
        judged.loss,
        judged.costs,
        f,
        judged.b[s, 0],
        norm2,
        1.0,
        judged.last[s],
    )
    if judged.average.shape[0] == 0:
        return
    coef, values, first = answers.mean, answers.f_mean, changes.first[s]
    for j in range(slots.used[0]):
        coef[j] = slots.coef[0, j]
    for i in range(values.shape[1]):
        values[0, i] = f[0, i]
    for e in range(mean.late.size):
        less, r = mean.late[e] * changes.amount[first + e, 0], changes.row[first + e]
        if less != 0.0:
            coef[slots.place[r]] -= less
            kept = kernels.in_place(space.kernel, space.points.X) and r < n
            column = (
                space.rows.X[r, 1:]
                if kept
                else answers.columns[
                    fetch(space, n, r, slots.place[r], answers.columns, answers.known)
                ]
            )
            lift(values[0], -less, column)
    norm2 = 0.0
    if normed:
        for j in range(slots.used[0]):
            norm2 += coef[j] * values[0, slots.row[j]]
    measure(
        judged.y,
        judged.active,
        judged.lam,
        judged.loss,
        judged.costs,
        values,
        judged.b[s, 1],
        norm2,
        1.0,
        judged.average[s],
    )
