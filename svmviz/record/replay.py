"""The one replay: how coefficients, and all that follows from them, go from step to step
(`changes`).

Coefficients are multiplied factor by factor, not by a common scale, so that going back n steps and
forwards again gives the same bits, and those of the run itself. The same steps carry along what
somebody wants to know of them: w or responses (`responses`), and what these are worth (`measure`);
nothing, where only the coefficients are asked for.
"""

from functools import lru_cache

import numpy as np

from svmviz.maths import matrix
from svmviz.maths.dual import conjugate_of, conjugate_sum
from svmviz.maths.losses import hinge
from svmviz.maths.machine.jit import bare, loop
from svmviz.record.measure import Judged, judge, judge_linear
from svmviz.record.responses import Answers, raise_responses
from svmviz.record.slots import enter, leave


@lru_cache
def unanswered(scores: int) -> tuple[Answers, Judged]:
    """For who wants the coefficients only."""
    none = np.zeros(0)
    return (
        Answers(
            none,
            none,
            none,
            np.zeros((scores, 0)),
            none,
            np.zeros((1, 0)),
            none,
            np.zeros((scores, 0)),
            np.zeros((1, 0)),
            np.full(1, -1),
        ),
        Judged(
            none,
            np.zeros(0, np.int64),
            np.zeros((0, 2)),
            0.0,
            hinge(),
            np.zeros((scores, scores)),
            False,
            np.zeros((0, 4)),
            np.zeros((0, 4)),
            np.zeros(0, np.int64),
            1.0,
            none,
            none,
        ),
    )


@loop
def add(values, many, total):
    """total += values, the first so many"""
    for j in range(many):
        total[j] += values[j]


@loop
def scale(values, many, factor):
    """values *= factor, the first so many"""
    for j in range(many):
        values[j] *= factor


@bare
def shrink(slots, answers, factor, summed):
    """What is there before a step joins the sums, if these are of iterates before their steps; then
    all is multiplied
    """
    coef, total, f, g, used = slots.coef, slots.total, answers.f, answers.g, slots.used[0]
    if summed:
        add(coef[0], used, total)
        add(answers.w, answers.w_total.size, answers.w_total)
        add(f[0], answers.f_total.size, answers.f_total)
    for c in range(coef.shape[0]):
        scale(coef[c], used, factor)
        scale(f[c], f.shape[1] if answers.w.size == 0 else 0, factor)
        scale(g[c], used if g.size > 0 else 0, factor)
    scale(answers.w, answers.w.size, factor)


@loop
def nonzeros(values, many):
    """How many of the first so many are not 0"""
    count = 0
    for j in range(many):
        count += values[j] != 0.0
    return count


@bare
def replay(space, n, slots, answers, judged, changes, mean, start):
    """Go through the steps after `start`; n is the number of examples"""
    place, row, coef, total, since, count = slots
    summing, linear, judging = total.size > 0, answers.w.size > 0, judged.last.shape[0] > 0
    dual, loss, C = judged.alphas.size > 0, judged.loss, judged.C
    conjugates = conjugate_sum(loss, C, judged.y, row, coef[0]) if dual else 0.0
    for s in range(changes.factor.size):
        shrink(slots, answers, changes.factor[s], summing and not mean.after)
        if dual and changes.factor[s] != 1.0:
            conjugates = conjugate_sum(loss, C, judged.y, row, coef[0])
        raised = 0.0
        for e in range(changes.first[s], changes.first[s + 1]):
            r, fresh = changes.row[e], place[changes.row[e]] < 0
            if fresh:
                enter(place, row, coef, since, count[0], r, start + s + 1)
                count[0] += 1
            moves = False
            for c in range(coef.shape[0]):
                moves |= changes.amount[e, c] != 0.0
            if moves and linear:
                matrix.axpy(space.rows, r, changes.amount[e, 0], answers.w)
            elif moves or fresh:
                raise_responses(space, n, slots, answers, e, changes, place[r], fresh)
            old = coef[0, place[r]]
            for c in range(coef.shape[0]):
                coef[c, place[r]] += changes.amount[e, c]
            if dual:
                raised += judged.y[r] * changes.amount[e, 0]
                conjugates += conjugate_of(loss, C, judged.y[r], coef[0, place[r]]) - conjugate_of(
                    loss, C, judged.y[r], old
                )
        if changes.gone.size > 0:
            for e in range(changes.first[s], changes.first[s + 1]):
                if changes.gone[e] and place[changes.row[e]] >= 0:
                    leave(
                        place,
                        row,
                        coef,
                        since,
                        answers.g,
                        answers.columns,
                        answers.known,
                        count[0],
                        changes.row[e],
                    )
                    count[0] -= 1
        if summing and mean.after:
            add(coef[0], count[0], total)
            add(answers.w, answers.w_total.size, answers.w_total)
            add(answers.f[0], answers.f_total.size, answers.f_total)
        if dual:
            judged.alphas[s + 1], judged.conjugates[s] = (
                changes.factor[s] * judged.alphas[s] + raised,
                conjugates,
            )
        if judging:
            judged.n_sv[s] = nonzeros(coef[0], count[0])
            if linear:
                judge_linear(space, answers, judged, changes, mean, s, start + s + 1)
            else:
                judge(space, n, slots, answers, judged, changes, mean, s, start + s + 1)
