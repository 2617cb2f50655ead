"""All cards at once: off the table, sorted, and dealt anew."""

import math

from svmviz.jit import jit
from svmviz.sublinear import deck as of

RUN = 12  # cards that are put in order one by one before runs are merged


@jit
def gather(deck):
    """log q and the slack so far of every example"""
    face, coin, log_q = deck.face, deck.coin, deck.table[of.LOG_Q]
    for b in range(len(face)):
        lazy, poured = deck.head[b, of.LAZY], deck.sums[b, of.POURED]
        for k in range(deck.head[b, of.SIZE]):
            i = face[b, k, of.CARD]
            log_q[i], deck.had[i] = face[b, k, of.KEY] + lazy, coin[b, k, of.XI] + poured


@jit
def sort(log, card, log_too, card_too, n):
    """The first n from the heaviest on, of equal ones the lower index first; the other two arrays are room to work in"""
    for first in range(0, n, RUN):
        for e in range(first + 1, min(first + RUN, n)):
            p, i, k = log[e], card[e], e
            while k > first and (log[k - 1] < p or (log[k - 1] == p and card[k - 1] > i)):
                log[k], card[k] = log[k - 1], card[k - 1]
                k -= 1
            log[k], card[k] = p, i
    width = RUN
    while width < n:
        for first in range(0, n, 2 * width):
            a, b, out = first, first + width, first
            middle, stop = min(b, n), min(first + 2 * width, n)
            while a < middle or b < stop:
                if b >= stop or (a < middle and (log[a] > log[b] or (log[a] == log[b] and card[a] < card[b]))):
                    log_too[out], card_too[out] = log[a], card[a]
                    a += 1
                else:
                    log_too[out], card_too[out] = log[b], card[b]
                    b += 1
                out += 1
        log[:n], card[:n] = log_too[:n], card_too[:n]
        width *= 2


@jit
def deal(deck):
    """Blocks anew from log q and the slack of every example; none of them is wet"""
    number, blocks, n = deck.number, len(deck.face), deck.had.size
    log, card = deck.table[1], deck.table[2]
    for b in range(blocks):
        deck.head[b, of.SIZE], deck.head[b, of.WET], deck.order[of.UNUSED, b] = 0, 0, blocks - 1 - b
    number[of.SPARE], number[of.FULL], number[of.FULL + 1], number[of.REFERENCE] = blocks, 0, 0, deck.table[of.LOG_Q, 0]
    for pile in range(2):
        cards = 0
        for i in range(n):
            if deck.home[of.PILE, i] == pile:
                log[cards], card[cards] = deck.table[of.LOG_Q, i], i
                cards += 1
        sort(log, card, deck.table[3], deck.table[4], cards)
        number[of.COUNT + pile] = -(-cards // of.DEALT)
        for q in range(number[of.COUNT + pile]):
            number[of.SPARE] -= 1
            b, first = deck.order[of.UNUSED, number[of.SPARE]], q * of.DEALT
            deck.order[pile, q], deck.head[b, of.SIZE], deck.head[b, of.LAZY] = b, min(of.DEALT, cards - first), log[first]
            deck.sums[b, of.POURED] = 0.0
            for k in range(deck.head[b, of.SIZE]):
                i = card[first + k]
                deck.face[b, k, of.KEY], deck.face[b, k, of.CARD], deck.home[of.BLOCK, i] = log[first + k] - log[first], i, b
                deck.coin[b, k, of.MASS], deck.coin[b, k, of.XI] = math.exp(deck.face[b, k, of.KEY] / of.GRID), deck.had[i]
            of.renew(deck, b)
    of.refer(deck)
