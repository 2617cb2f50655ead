"""The weights q of SIMBA's examples, and the slack on the largest of them.

Two things are asked of q at every step: draw i with chance q_i / Σ q, and pour the slack ξ, at most
2 on each, on the largest q. The update multiplies q_i by 1 - z + z² with z = η (estimate_i + ξ_i +
y_i b), so that all examples without an entry in the column that was read, with the same slack and
the same label, share one factor. They lie in a `deck`, one pile, or with a bias one for each label:
the top cards are full of slack and sink together. Where slack decides, nearly all examples come to
weigh nearly the same and take turns on top, ν n / 2 of them at a step, yet in a few blocks: a step
costs the entries of a column.
"""

import numpy as np

from svmviz.maths.machine.elementary import exp, log, log_near_one
from svmviz.maths.machine.jit import jit
from svmviz.solvers.simba import dealing, single
from svmviz.solvers.simba import deck as of

SLACK_PER_POINT = 2.0  # in units of the largest |x|: the cap on each ξ_i


def begin(log_q: np.ndarray, had: np.ndarray, y: np.ndarray, bias: bool) -> of.Deck:
    """The cards of these weights (integers, in units of 1/GRID) and of the slack that they have
    had, all dry.
    """
    cards = of.empty(log_q, had, ((y > 0) & bias).astype(np.int64))
    dealing.deal(cards)
    return cards


@jit
def split(volume, n):
    """How many examples are full of slack under this volume, in units of the largest |x|, and what
    is left for the next
    """
    full = min(n, int(volume / SLACK_PER_POINT))
    return full, (min(SLACK_PER_POINT, volume - full * SLACK_PER_POINT) if full < n else 0.0)


@jit
def sink(cards, common):
    """All weights get the factor of their pile, dry (0, 1) or wet (2, 3), and the order follows;
    after this none is wet
    """
    enough = True
    for pile in range(2):
        wet = cards.number[of.FULL + pile]
        for q in range(cards.number[of.COUNT + pile] if common[pile] != 0 else wet):
            b = cards.order[pile, q]
            cards.head[b, of.LAZY] += common[pile + (2 if q < wet else 0)]
            if q < wet:
                cards.sums[b, of.POURED] += SLACK_PER_POINT
                cards.head[b, of.WET] = 0
            of.weigh(cards, b)
        cards.number[of.FULL + pile] = 0
        if 0 < wet < cards.number[of.COUNT + pile] and enough:
            enough = of.merge(cards, pile, wet)
    if not enough:
        dealing.collect(cards)
        dealing.deal(cards)


@jit
def anew(cards, common, changed, by):
    """The same, and further factors for some, where these are many: all cards are sorted anew"""
    dealing.gather(cards)
    for i in range(cards.had.size):
        g = single.group_of(cards, i)
        cards.table[of.LOG_Q, i] += common[g]
        cards.had[i] += SLACK_PER_POINT if g > 1 else 0.0
    for e in range(changed.size):
        cards.table[of.LOG_Q, changed[e]] += by[e]
    dealing.deal(cards)


@jit
def pour(cards, full, rest, at):
    """Slack on the heaviest again: so many are full. Returns the next one, which gets the rest, or
    -1; `at` is room for the block and the place that have been reached in either pile
    """
    at[:] = 0
    while True:
        side, other = -1, -1
        for pile in range(2):
            if at[pile] < cards.number[of.COUNT + pile]:
                other, side = side, pile
        if other >= 0:
            z, e = cards.order[other, at[other]], at[2 + other]
            if of.above(cards, z, e, cards.order[side, at[side]], at[2 + side]):
                side, other = other, side
        if full == 0 or side < 0:
            break
        b, k = cards.order[side, at[side]], at[2 + side]
        stop = cards.head[b, of.SIZE]
        if other >= 0:
            z, e = cards.order[other, at[other]], at[2 + other]
            stop = of.how_many(
                cards,
                b,
                cards.face[z, e, of.KEY] + cards.head[z, of.LAZY],
                cards.face[z, e, of.CARD],
            )
        stop = min(stop, k + full)
        full, at[2 + side] = full - (stop - k), stop
        if stop == cards.head[b, of.SIZE]:
            at[side], at[2 + side] = at[side] + 1, 0
    first = (
        cards.face[cards.order[side, at[side]], at[2 + side], of.CARD]
        if side >= 0 and rest > 0.0
        else -1
    )
    for pile in range(2):
        if at[2 + pile] > 0:
            new = of.cut(cards, cards.order[pile, at[pile]], at[2 + pile])
            single.insert(cards.order, pile, cards.number[of.COUNT + pile], at[pile] + 1, new)
            cards.number[of.COUNT + pile] += 1
            at[pile] += 1
        for q in range(at[pile]):
            cards.head[cards.order[pile, q], of.WET] = 1
        cards.number[of.FULL + pile] = at[pile]
    return first


@jit
def shares(cards, mass):
    """The mass of each pile; returns log Σ q in units of 1/GRID, as a float"""
    while True:
        for pile in range(2):
            mass[pile] = 0.0
            for q in range(cards.number[of.COUNT + pile]):
                b = cards.order[pile, q]
                if cards.head[b, of.NEW]:
                    of.renew(cards, b)
                mass[pile] += cards.sums[b, of.TOTAL]
        total = mass[0] + mass[1]
        if of.SMALL < total < of.LARGE:
            return cards.number[of.REFERENCE] + of.GRID * log(total)
        of.refer(cards)


@jit
def draw(cards, mass, u):
    """The example that u in [0, 1) chooses, from the heaviest on, given the mass of the piles"""
    left = u * (mass[0] + mass[1])
    pile = 0 if left < mass[0] or cards.number[of.COUNT + 1] == 0 else 1
    left, q, k = left - (mass[0] if pile == 1 else 0.0), 0, 0
    while (
        q < cards.number[of.COUNT + pile] - 1 and left >= cards.sums[cards.order[pile, q], of.TOTAL]
    ):
        left -= cards.sums[cards.order[pile, q], of.TOTAL]
        q += 1
    while (
        q > 0 and cards.sums[cards.order[pile, q], of.TOTAL] == 0.0
    ):  # rounding led beyond the last one of any weight
        q, left = q - 1, np.inf
    b = cards.order[pile, q]
    left *= (
        cards.sums[b, of.SUM] / cards.sums[b, of.TOTAL] if cards.sums[b, of.TOTAL] > 0.0 else 0.0
    )
    while k < cards.head[b, of.SIZE] - 1 and left >= cards.coin[b, k, of.MASS]:
        left -= cards.coin[b, k, of.MASS]
        k += 1
    while k > 0 and cards.coin[b, k, of.MASS] == 0.0:
        k -= 1
    return cards.face[b, k, of.CARD]


@jit
def mean(log_q):
    """The logarithm of the mean of weights, in units of 1/GRID as they are"""
    top, total = log_q.max(), 0.0
    for i in range(log_q.size):
        total += exp((log_q[i] - top) / of.GRID)
    return top + np.int64(np.rint(of.GRID * log(total / log_q.size)))


@jit
def clipped(z):
    """log(1 - z + z²) in units of 1/GRID, with z between -1 and 1"""
    z = min(max(z, -1.0), 1.0)
    return np.int64(np.rint(of.GRID * log_near_one(1.0 + z * (z - 1.0))))


@jit
def factor(z, clip):
    """log(1 - z + z²) in units of 1/GRID; for z beyond any clipping its leading term, before z² is
    too large for a number
    """
    if clip:
        return clipped(z)
    value = log(1.0 + z * (z - 1.0)) if abs(z) < 1e8 else 2.0 * log(abs(z))
    return np.int64(np.rint(of.GRID * value))


@jit
def factors(z, clip, count, by):
    """by_e ← factor(z_e) - by_e; a plain loop where z is clipped, so that a processor takes several
    at a time
    """
    if clip:
        for e in range(count):
            by[e] = clipped(z[e]) - by[e]
    else:
        for e in range(count):
            by[e] = factor(z[e], False) - by[e]
