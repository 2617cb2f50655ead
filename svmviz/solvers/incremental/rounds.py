"""Algorithms 1 and 2 of Usunier, Bordes and Bottou 2010, and their batch counterpart: one round is
one example and K draws.

The average of a round is that of the K iterates after each of its draws, as printed; PROCESS comes
before them. Written out that would cost O(t) a draw. Equivalent: a move by `delta` in draw k is
missing from k - 1 of the K iterates, so that the average is alpha after the round less (k - 1)/K
delta of each move: O(K) a round.
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths.dual import objectives, step
from svmviz.maths.losses import short
from svmviz.maths.machine.jit import jit
from svmviz.record.outcome import columns
from svmviz.solvers.incremental import (
    ACTIVE,
    ADVERSARY,
    BATCH,
    CACHED,
    COMPUTED,
    LASVM_SEEN,
    LASVM_SUPPORT,
    PROCESS,
)
from svmviz.solvers.incremental.model import (
    EVALS,
    EVERYONE,
    N_SV,
    PAIRS,
    RECENT,
    SEEN,
    SELECTION,
    change,
    charge,
    fetch,
    join,
)
from svmviz.solvers.incremental.teachers import next_place, swap


class Rounds(NamedTuple):
    """What each round leaves behind. P, D and the gap are divided by C t and belong to the average,
    or to the last alpha; they and what follows them are measured only where responses are kept for
    everybody.
    """

    drawn: (
        np.ndarray
    )  # (rounds, K + 1) the newcomer, or else the first of the draws; then the draws
    margin: np.ndarray  # (rounds, K + 1) of each before its step
    delta: np.ndarray  # (rounds, K + 1) of each, y times the change of alpha
    pool: np.ndarray  # (rounds, size) whom the teacher looked at, -1: nobody
    evals: np.ndarray  # (rounds,) kernel values
    selection: np.ndarray  # (rounds,) those of them that the teacher spent
    pairs: np.ndarray  # (rounds,) distinct ones so far
    seen: np.ndarray  # (rounds,) examples so far
    score: (
        np.ndarray
    )  # (rounds,) the response that made the teacher take the newcomer, NaN: he did not look
    cost: np.ndarray  # (rounds,) the loss of the newcomer under the average that was put out before
    gain: np.ndarray  # (rounds,) in the dual, by PROCESS
    arrived: np.ndarray  # (rounds,) 1 or 0
    moved: np.ndarray  # (rounds,) draws that moved an alpha
    primal: np.ndarray  # (rounds,)
    dual: np.ndarray  # (rounds,)
    gap: np.ndarray  # (rounds,)
    primal_last: np.ndarray  # (rounds,)
    gap_last: np.ndarray  # (rounds,)
    ascent: np.ndarray  # (rounds,) D of the last alpha, whole
    n_0: np.ndarray  # (rounds,) useless directions: alpha at 0 that would fall ...
    n_C: np.ndarray  # (rounds,) ... or at C that would rise


def empty(count: int, K: int, size: int) -> Rounds:
    """Room for so many rounds with K draws and a pool of that size."""
    wide = count, K + 1
    return columns(
        Rounds,
        count,
        whole=("evals", "selection", "pairs", "seen"),
        drawn=np.zeros(wide, np.int64),
        margin=np.zeros(wide),
        delta=np.zeros(wide),
        pool=np.full((count, size), -1),
    )


@jit
def ascend(model, y, C, kernel, rows, mode, i):
    """The exact coordinate step (3) on alpha_i; returns how much coef_i changed and the gain in the
    dual
    """
    alpha, margin, K_ii = abs(model.coef[i]), y[i] * model.f[i], model.diagonal[i]
    a = (
        step(alpha, margin, K_ii, C) - alpha
    )  # a step to C from below C/2 may miss it by one unit in the last place
    if a == 0.0:
        return 0.0, 0.0
    change(model, kernel, rows, mode, i, y[i] * a)
    return y[i] * a, a * (1.0 - margin - 0.5 * a * K_ii)


@jit
def pay(model, variant, counted, i, moved):
    """Kernel values that looking at example i cost before its step (`moved` is False), and its step
    after it
    """
    if not counted:
        return
    bits, count, slot, charged, many = (
        model.bits,
        model.count,
        model.slot,
        model.charged,
        model.count[N_SV],
    )
    if not moved and variant == COMPUTED:
        charge(bits, count, i, model.support, many, int(slot[i] >= 0), 0)
    elif moved and variant == CACHED:
        charge(bits, count, i, model.queue, count[SEEN], 1, charged[i])
        charged[i] = count[SEEN]
    elif (
        moved and variant != COMPUTED
    ):  # who has been a support vector since its last step has met all the others
        charge(
            bits, count, i, model.support, many, int(slot[i] >= 0), many if charged[i] > 0 else 0
        )
        charged[i] = int(slot[i] >= 0)


@jit
def arrive(model, y, kernel, rows, mode, variant, algorithm, counted, teacher, size, u, pool):
    """The next example joins those seen, with alpha = 0; returns it and the response that made the
    teacher take it
    """
    at, told = next_place(model, y, kernel, rows, mode, counted, teacher, size, u, pool)
    first = model.count[SEEN]
    swap(model.queue, model.place, first, at)
    i = model.queue[first]
    model.count[SEEN] = first + 1
    if mode != EVERYONE:
        join(model, kernel, rows, mode, i)
    if counted and (algorithm == PROCESS or variant == CACHED):  # the gradient of the newcomer
        charge(model.bits, model.count, i, model.support, model.count[N_SV], 0, 0)
    return i, told


@jit
def picked(model, variant, u):
    """The example of a draw: by chance among those seen or among the support vectors, or the one
    that is named; -1: one that has not arrived
    """
    seen, many = model.count[SEEN], model.count[N_SV]
    if u >= 1.0:
        i = int(u) - 1
        return i if 0 <= model.place[i] < seen else -1
    if variant == LASVM_SUPPORT and many > 0:
        return model.support[int(u * many)]
    return model.queue[int(u * seen)]


@jit
def average(model, kernel, rows):
    """h, the responses of the averaged classifier"""
    f, h = model.f, model.h
    for j in range(f.size):
        h[j] = f[j]
    for e in range(model.count[RECENT]):
        if model.held[e] != 0.0:
            column = fetch(rows, kernel, model.recent[e], model.columns, model.known)
            for j in range(f.size):
                h[j] -= model.held[e] * column[j]


@jit
def averaged(model, i):
    """The averaged coefficient of example i"""
    value = model.coef[i]
    for e in range(model.count[RECENT]):
        if model.recent[e] == i:
            value -= model.held[e]
    return value


@jit
def measure(model, y, C, kernel, rows, mean):
    """What the round has led to: P_t and D_t of alpha and of the average, and how many directions
    are useless at 0 and at C
    """
    seen, queue, coef, f = model.count[SEEN], model.queue, model.coef, model.f
    average(model, kernel, rows)
    last, ascent = objectives(y, C, queue, seen, coef, f)
    for p in range(seen):
        mean[queue[p]] = coef[queue[p]]
    for e in range(model.count[RECENT]):
        mean[model.recent[e]] = averaged(model, model.recent[e])
    primal, dual = objectives(y, C, queue, seen, mean, model.h)
    n_0, n_C = 0, 0
    for p in range(seen):
        i = queue[p]
        g = 1.0 - y[i] * f[i]
        n_0 += coef[i] == 0.0 and g <= 0.0
        n_C += abs(coef[i]) >= C and g >= 0.0
    return last, ascent, primal, dual, n_0, n_C


@jit
def rounds(
    model, y, C, K, kernel, rows, mode, variant, algorithm, counted, teacher, size, order, out
):
    """Row s of `order` decides round s: the example, then K draws, then the pool; numbers below 1
    are chances, 1 + i names example i. Returns False where a draw named an example that had not
    arrived
    """
    count, looks = model.count, teacher == ACTIVE or teacher == ADVERSARY
    drawn, margin, delta = out.drawn, out.margin, out.delta
    mean = np.zeros(y.size if mode == EVERYONE else 0)
    chances = np.empty(1 + size)
    for s in range(order.shape[0]):
        before = count[EVALS], count[SELECTION]
        new = algorithm != BATCH and count[SEEN] < model.queue.size
        out.score[s] = np.nan
        if new:
            chances[0] = order[s, 0]
            if looks:
                chances[1:] = order[s, 1 + K : 1 + K + size]
            i, out.score[s] = arrive(
                model,
                y,
                kernel,
                rows,
                mode,
                variant,
                algorithm,
                counted,
                teacher,
                size,
                chances,
                out.pool[s],
            )
            drawn[s, 0], margin[s, 0], out.arrived[s] = i, y[i] * model.f[i], 1.0
            out.cost[s] = short(y[i] * model.h[i])
        count[RECENT] = 0
        if new and algorithm == PROCESS:
            delta[s, 0], out.gain[s] = ascend(model, y, C, kernel, rows, mode, i)
            pay(model, variant, counted and delta[s, 0] != 0.0, i, True)
        moved = 0
        for k in range(1, K + 1):
            i = picked(model, variant, order[s, k])
            if i < 0:
                return False
            drawn[s, k] = i
            shortcut = variant >= LASVM_SEEN and model.coef[i] == 0.0
            pay(model, variant, counted, i, False)
            margin[s, k] = y[i] * model.f[i]
            if not shortcut:
                delta[s, k], _ = ascend(model, y, C, kernel, rows, mode, i)
            if delta[s, k] != 0.0:
                pay(model, variant, counted, i, True)
                moved += 1
                e = count[RECENT]
                model.recent[e], model.held[e] = (
                    i,
                    (0.0 if algorithm == BATCH else delta[s, k] * (k - 1) / K),
                )
                count[RECENT] = e + 1
        if not new:
            drawn[s, 0], margin[s, 0] = drawn[s, 1], margin[s, 1]
        out.evals[s], out.selection[s] = count[EVALS] - before[0], count[SELECTION] - before[1]
        out.pairs[s], out.seen[s], out.moved[s] = count[PAIRS], count[SEEN], moved
        if mode == EVERYONE:
            last, ascent, primal, dual, out.n_0[s], out.n_C[s] = measure(
                model, y, C, kernel, rows, mean
            )
            scale, out.ascent[s] = C * count[SEEN], ascent
            out.primal_last[s], out.gap_last[s] = last / scale, (last - ascent) / scale
            out.primal[s], out.dual[s], out.gap[s] = (
                primal / scale,
                dual / scale,
                (primal - dual) / scale,
            )
    return True
