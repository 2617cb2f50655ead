"""All cards at once: off the table, sorted, and dealt anew."""

import numpy as np

from svmviz.maths.machine.exponentials import exponentials
from svmviz.maths.machine.jit import jit
from svmviz.solvers.simba import deck as of

RUN = 12  # cards that are put in order one by one before runs are merged
MANY, BITS = (
    4096,
    11,
)  # from so many cards on they are put into heaps instead, by so many bits at a time


@jit
def gather(deck):
    """log q and the slack so far of every example, and all examples as they lie"""
    log_q, line, place = deck.table[of.LOG_Q], deck.table[of.LINE], 0
    for pile in range(2):
        for q in range(deck.number[of.COUNT + pile]):
            b = deck.order[pile, q]
            lazy, poured = deck.head[b, of.LAZY], deck.sums[b, of.POURED]
            for k in range(deck.head[b, of.SIZE]):
                i = line[place] = deck.face[b, k, of.CARD]
                log_q[i], deck.had[i] = (
                    deck.face[b, k, of.KEY] + lazy,
                    deck.coin[b, k, of.XI] + poured,
                )
                place += 1


@jit
def collect(deck):
    """The same after a merging that was broken off: blocks are taken as they come"""
    deck.number[of.COUNT : of.COUNT + 2] = 0
    for b in range(len(deck.face)):
        if deck.head[b, of.SIZE] > 0:
            pile = deck.home[of.PILE, deck.face[b, 0, of.CARD]]
            deck.order[pile, deck.number[of.COUNT + pile]] = b
            deck.number[of.COUNT + pile] += 1
    gather(deck)


@jit
def sort(log, card, log_too, card_too, n):
    """The first n from the heaviest on, of equal ones the lower index first; cheap where they
    nearly are. The other two arrays are room to work in
    """
    for first in range(0, n, RUN):
        for e in range(first + 1, min(first + RUN, n)):
            p, i, k = log[e], card[e], e
            while k > first and of.over(p, i, log[k - 1], card[k - 1]):
                log[k], card[k] = log[k - 1], card[k - 1]
                k -= 1
            log[k], card[k] = p, i
    width = RUN
    while width < n:
        for first in range(0, n - width, 2 * width):
            middle, stop = first + width, min(first + 2 * width, n)
            a, b, out = first, middle, 0
            if of.over(log[middle - 1], card[middle - 1], log[middle], card[middle]):
                continue
            while of.over(log[a], card[a], log[middle], card[middle]):  # these are in their places
                a += 1
            first = a
            while a < middle and b < stop:
                if of.over(log[a], card[a], log[b], card[b]):
                    log_too[out], card_too[out] = log[a], card[a]
                    a += 1
                else:
                    log_too[out], card_too[out] = log[b], card[b]
                    b += 1
                out += 1
            for e in range(middle - 1, a - 1, -1):  # what is left of the upper half goes below
                b -= 1
                log[b], card[b] = log[e], card[e]
            for e in range(out):
                log[first + e], card[first + e] = log_too[e], card_too[e]
        width *= 2


@jit
def heaps(log, card, log_too, card_too, n, count):
    """The same for cards in the order of their indices, in time that grows with n and not with n
    log n: `count` is room for the sizes of 2^BITS heaps. Returns whether the result is in the other
    two arrays
    """
    top, low, swapped = log[0], log[0], False
    for e in range(1, n):
        top, low = max(top, log[e]), min(low, log[e])
    shift, few = 0, (1 << BITS) - 1
    while (top - low) >> shift > 0:
        count[: few + 1] = 0
        for e in range(n):
            count[((top - log[e]) >> shift) & few] += 1
        place = 0
        for heap in range(few + 1):
            place, count[heap] = place + count[heap], place
        for e in range(n):
            heap = ((top - log[e]) >> shift) & few
            log_too[count[heap]], card_too[count[heap]] = log[e], card[e]
            count[heap] += 1
        log, card, log_too, card_too, swapped = log_too, card_too, log, card, not swapped
        shift += BITS
    return swapped


@jit
def masses(log, cards, out):
    """exp(log / GRID) of every card, in units of the first of its block"""
    for first in range(0, cards, of.DEALT):
        for e in range(first, min(first + of.DEALT, cards)):
            out[e] = (log[first] - log[e]) / of.GRID
    exponentials(out, cards, 1.0)


@jit
def deal(deck):
    """Blocks anew from log q and the slack of every example; none of them is wet"""
    number, blocks, n = deck.number, len(deck.face), deck.had.size
    many = n >= MANY
    for b in range(blocks):
        deck.head[b, of.SIZE], deck.head[b, of.WET], deck.order[of.UNUSED, b] = 0, 0, blocks - 1 - b
    number[of.SPARE], number[of.FULL], number[of.FULL + 1], number[of.REFERENCE] = (
        blocks,
        0,
        0,
        deck.table[of.LOG_Q, 0],
    )
    for pile in range(2):
        cards, log, card, spare = 0, deck.table[2], deck.table[3], deck.table[4]
        for e in range(n):
            i = e if many else deck.table[of.LINE, e]
            if deck.home[of.PILE, i] == pile:
                log[cards], card[cards] = deck.table[of.LOG_Q, i], i
                cards += 1
        if not many:
            sort(log, card, deck.table[4], deck.table[5], cards)
        elif cards > 0 and heaps(
            log, card, deck.table[4], deck.table[5], cards, deck.table[of.LINE]
        ):
            log, card, spare = deck.table[4], deck.table[5], deck.table[2]
        mass = spare.view(np.float64)
        masses(log, cards, mass)
        number[of.COUNT + pile] = -(-cards // of.DEALT)
        for q in range(number[of.COUNT + pile]):
            number[of.SPARE] -= 1
            b, first = deck.order[of.UNUSED, number[of.SPARE]], q * of.DEALT
            deck.order[pile, q], deck.head[b, of.SIZE], deck.head[b, of.LAZY] = (
                b,
                min(of.DEALT, cards - first),
                log[first],
            )
            deck.sums[b, of.POURED] = 0.0
            for k in range(deck.head[b, of.SIZE]):
                i = card[first + k]
                deck.face[b, k, of.KEY], deck.face[b, k, of.CARD], deck.home[of.BLOCK, i] = (
                    log[first + k] - log[first],
                    i,
                    b,
                )
                deck.coin[b, k, of.MASS], deck.coin[b, k, of.XI] = mass[first + k], deck.had[i]
            of.renew(deck, b)
    of.refer(deck)
