"""The one replay: how coefficients, and all that follows from them, go from step to step (`changes`).

Coefficients are multiplied factor by factor, not by a common scale, so that going back n steps and forwards again gives the
same bits, and those of the run itself. The same steps carry along what somebody wants to know of them: w or responses
(`responses`), and what these are worth (`measure`); nothing, where only the coefficients are asked for.
"""

import numpy as np

from svmviz.maths import matrix
from svmviz.maths.jit import bare
from svmviz.maths.losses import hinge
from svmviz.record.measure import Judged, judge, judge_linear
from svmviz.record.responses import Answers, raise_responses
from svmviz.record.slots import enter, leave


def unanswered(scores: int) -> tuple[Answers, Judged]:
    """For who wants the coefficients only."""
    none = np.zeros(0)
    return (Answers(none, none, none, np.zeros((scores, 0)), none, np.zeros((1, 0)), none, np.zeros((0, scores)),
                    np.zeros((1, 0)), np.full(1, -1)),
            Judged(none, np.zeros(0, np.int64), np.zeros((0, 2)), 0.0, hinge(), False, np.zeros((0, 4)), np.zeros((0, 4)),
                   np.zeros(0, np.int64)))


@bare
def shrink(slots, answers, factor, summed):
    """What is there before a step joins the sums, if these are of iterates before their steps; then all is multiplied"""
    coef, total, f, g, used = slots.coef, slots.total, answers.f, answers.g, slots.used[0]
    for j in range(used):
        if summed:
            total[j, 0] += coef[j, 0]
        for c in range(coef.shape[1]):
            coef[j, c] *= factor
    if g.shape[0] > 0:
        for j in range(used):
            for c in range(coef.shape[1]):
                g[j, c] *= factor
    if answers.w.size > 0:
        for q in range(answers.w.size):
            if summed:
                answers.w_total[q] += answers.w[q]
            answers.w[q] *= factor
        return
    if summed:
        for i in range(f.shape[1]):
            answers.f_total[i] += f[0, i]
    for c in range(f.shape[0]):
        own = f[c]
        for i in range(own.size):
            own[i] *= factor


@bare
def replay(space, n, slots, answers, judged, changes, mean, start):
    """Go through the steps after `start`; n is the number of examples"""
    place, row, coef, total, since, count = slots
    summing, linear, judging = total.shape[0] > 0, answers.w.size > 0, judged.last.shape[0] > 0
    for s in range(changes.factor.size):
        shrink(slots, answers, changes.factor[s], summing and not mean.after)
        for e in range(changes.first[s], changes.first[s + 1]):
            r, fresh = changes.row[e], place[changes.row[e]] < 0
            if fresh:
                enter(place, row, coef, since, count[0], r, start + s + 1)
                count[0] += 1
            moves = False
            for c in range(coef.shape[1]):
                moves |= changes.amount[e, c] != 0.0
            if moves and linear:
                matrix.axpy(space.rows, r, changes.amount[e, 0], answers.w)
            elif moves or fresh:
                raise_responses(space, n, slots, answers, e, changes, place[r], fresh)
            for c in range(coef.shape[1]):
                coef[place[r], c] += changes.amount[e, c]
        if changes.gone.size > 0:
            for e in range(changes.first[s], changes.first[s + 1]):
                if changes.gone[e] and place[changes.row[e]] >= 0:
                    leave(place, row, coef, since, answers.g, answers.columns, answers.known, count[0], changes.row[e])
                    count[0] -= 1
        if summing and mean.after:
            for j in range(count[0]):
                total[j, 0] += coef[j, 0]
            for q in range(answers.w.size):
                answers.w_total[q] += answers.w[q]
            for i in range(answers.f_total.size):
                answers.f_total[i] += answers.f[0, i]
        if judging:
            many = 0
            for j in range(count[0]):
                many += coef[j, 0] != 0.0
            judged.n_sv[s] = many
            if linear:
                judge_linear(space, answers, judged, changes, mean, s, start + s + 1)
            else:
                judge(space, n, slots, answers, judged, changes, mean, s, start + s + 1)
