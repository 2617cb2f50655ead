"""Examples sorted by weight like a deck of cards, heaviest on top, where the top cards sink
together.

A pile lies in blocks of at most ROOM cards, each with lazy amounts that belong to all of its cards:
what sinks by the same factor costs one addition for a block, and then whole blocks move down the
pile; only where two blocks overlap are they cut. Logarithms of weights are whole multiples of 2^-40
and kept as integers. Their sums are therefore exact in whatever order they are taken: nothing
underflows, nothing drifts, ties are ties, and of equal weights the lower index lies on top.

Compiled code pays for every array that a function is handed, hence the few arrays with named
columns.
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths.machine.elementary import exp
from svmviz.maths.machine.jit import jit

GRID = 2.0**40
SMALL, LARGE = 1e-100, 1e100  # sums stay in between, or logarithms are shifted
ROOM, DEALT, FEW = (
    64,
    40,
    40,
)  # cards that a block can hold, gets when all are dealt, and that two may have to become one
RESERVE = 4  # blocks: with fewer left over, all cards are dealt anew

KEY, CARD = range(2)  # of a card: log q = (key + lazy) / GRID, and whose it is
MASS, XI = range(2)  # exp(key / GRID); the slack so far is xi + poured
SIZE, LAZY, WET, TOP, LOW, NEW = range(
    6
)  # of a block: cards, log of the factor, if wet, first and last key, if sums are due
POURED, SUM, TOTAL = range(
    3
)  # common slack, mass of all cards, and the same in units of the reference
UNUSED, MERGED = (
    2,
    3,
)  # rows of `order` behind those of the piles: blocks that are not in use, and room to merge
COUNT, FULL, SPARE, REFERENCE = (
    0,
    2,
    4,
    5,
)  # blocks of each pile, how many of them are wet, unused ones, log of the reference
PILE, BLOCK = range(2)  # of an example
LOG_Q, LINE = range(2)  # rows of `table`: what `gather` finds, and four more to sort in


class Deck(NamedTuple):
    """All examples, each a card."""

    face: np.ndarray  # (blocks, ROOM, 2) int64: KEY, CARD; heaviest first
    coin: np.ndarray  # (blocks, ROOM, 2) float64: MASS, XI
    head: np.ndarray  # (blocks, 6) int64: SIZE, LAZY, WET, TOP, LOW, NEW
    sums: np.ndarray  # (blocks, 3) float64: POURED, SUM, TOTAL
    order: np.ndarray  # (4, blocks) int64: blocks of each pile from the heaviest on; UNUSED; MERGED
    number: np.ndarray  # (6,) int64: COUNT (2), FULL (2), SPARE, REFERENCE
    home: np.ndarray  # (2, n) int64: PILE, BLOCK
    table: np.ndarray  # (6, n) int64: LOG_Q, LINE, and room to sort
    had: np.ndarray  # (n,) slack so far, beside LOG_Q


def empty(log_q: np.ndarray, had: np.ndarray, pile: np.ndarray) -> Deck:
    """Room for these cards, not yet dealt."""
    n = log_q.size
    blocks = n // 16 + 4 * RESERVE
    deck = Deck(
        np.zeros((blocks, ROOM, 2), np.int64),
        np.zeros((blocks, ROOM, 2)),
        np.zeros((blocks, 6), np.int64),
        np.zeros((blocks, 3)),
        np.zeros((4, blocks), np.int64),
        np.zeros(6, np.int64),
        np.zeros((2, n), np.int64),
        np.zeros((6, n), np.int64),
        had.copy(),
    )
    deck.home[PILE], deck.table[LOG_Q], deck.table[LINE] = pile, log_q, np.arange(n)
    return deck


@jit
def weigh(deck, b):
    """The total of a block whose lazy logarithm has changed"""
    deck.sums[b, TOTAL] = deck.sums[b, SUM] * exp(
        (deck.head[b, LAZY] - deck.number[REFERENCE]) / GRID
    )


@jit
def altered(deck, b):
    """The cards of block b have changed: its sums will be due"""
    deck.head[b, TOP], deck.head[b, LOW], deck.head[b, NEW] = (
        deck.face[b, 0, KEY],
        deck.face[b, deck.head[b, SIZE] - 1, KEY],
        1,
    )


@jit
def renew(deck, b):
    """The sums of a block whose cards have changed"""
    size, total = deck.head[b, SIZE], 0.0
    for k in range(size):
        total += deck.coin[b, k, MASS]
    if not SMALL < total < LARGE:
        top, total = deck.face[b, 0, KEY], 0.0
        deck.head[b, LAZY] += top
        for k in range(size):
            deck.face[b, k, KEY] -= top
            deck.coin[b, k, MASS] = exp(deck.face[b, k, KEY] / GRID)
            total += deck.coin[b, k, MASS]
    altered(deck, b)
    deck.sums[b, SUM], deck.head[b, NEW] = total, 0
    weigh(deck, b)


@jit
def refer(deck):
    """The heaviest card becomes the reference"""
    top = np.iinfo(np.int64).min
    for pile in range(2):
        if deck.number[COUNT + pile] > 0:
            b = deck.order[pile, 0]
            top = max(top, deck.head[b, LAZY] + deck.face[b, 0, KEY])
    deck.number[REFERENCE] = top
    for pile in range(2):
        for q in range(deck.number[COUNT + pile]):
            weigh(deck, deck.order[pile, q])


@jit
def over(p, i, q, j):
    """Whether example i of weight p belongs above example j of weight q"""
    return p > q or (p == q and i < j)


@jit
def above(deck, a, j, b, k):
    """Whether card j of block a belongs above card k of block b"""
    p, q = deck.face[a, j, KEY] + deck.head[a, LAZY], deck.face[b, k, KEY] + deck.head[b, LAZY]
    return over(p, deck.face[a, j, CARD], q, deck.face[b, k, CARD])


@jit
def how_many(deck, b, log, i):
    """How many cards of block b lie above example i of that weight"""
    low, high = 0, deck.head[b, SIZE]
    while low < high:
        middle = (low + high) // 2
        if over(deck.face[b, middle, KEY] + deck.head[b, LAZY], deck.face[b, middle, CARD], log, i):
            low = middle + 1
        else:
            high = middle
    return low


@jit
def hand(deck, a, first, b, place):
    """Cards of block a from `first` on go to block b, from that place on"""
    by, xi = deck.head[a, LAZY] - deck.head[b, LAZY], deck.sums[a, POURED] - deck.sums[b, POURED]
    factor = exp(by / GRID) if abs(by) < 100 * GRID else 0.0
    for j in range(first, deck.head[a, SIZE]):
        k = place + j - first
        deck.face[b, k, KEY], deck.face[b, k, CARD] = (
            deck.face[a, j, KEY] + by,
            deck.face[a, j, CARD],
        )
        deck.coin[b, k, XI] = deck.coin[a, j, XI] + xi
        deck.coin[b, k, MASS] = (
            factor * deck.coin[a, j, MASS] if factor > 0.0 else exp(deck.face[b, k, KEY] / GRID)
        )
        deck.home[BLOCK, deck.face[b, k, CARD]] = b
    deck.head[b, SIZE], deck.head[a, SIZE] = place + deck.head[a, SIZE] - first, first
    altered(deck, b)


@jit
def cut(deck, b, k):
    """Cards from k on leave block b for a new one, which is returned"""
    deck.number[SPARE] -= 1
    new = deck.order[UNUSED, deck.number[SPARE]]
    deck.head[new, LAZY], deck.head[new, WET] = deck.head[b, LAZY], deck.head[b, WET]
    deck.sums[new, POURED] = deck.sums[b, POURED]
    hand(deck, b, k, new, 0)
    altered(deck, b)
    return new


@jit
def drop(deck, b):
    """Block b is empty"""
    deck.head[b, SIZE], deck.sums[b, TOTAL], deck.head[b, WET] = 0, 0.0, 0
    deck.order[UNUSED, deck.number[SPARE]] = b
    deck.number[SPARE] += 1


@jit
def lay(deck, count, b):
    """Block b comes next in the merged pile of so many; two small ones become one. Returns how many
    there are
    """
    if count > 0:
        a = deck.order[MERGED, count - 1]
        if deck.head[a, SIZE] + deck.head[b, SIZE] <= FEW:
            hand(deck, b, 0, a, deck.head[a, SIZE])
            drop(deck, b)
            return count
    deck.order[MERGED, count] = b
    return count + 1


@jit
def merge(deck, pile, sunk):
    """The first `sunk` blocks go where they belong now; returns whether there were blocks enough"""
    count, q, stop = 0, sunk, deck.number[COUNT + pile]
    for e in range(sunk):
        x = deck.order[pile, e]
        while q < stop:
            if deck.number[SPARE] < RESERVE:
                return False
            low, high, log = (
                q,
                stop,
                deck.head[x, TOP] + deck.head[x, LAZY],
            )  # blocks that lie wholly above x
            while low < high:
                middle = (low + high) // 2
                z = deck.order[pile, middle]
                last = deck.head[z, LOW] + deck.head[z, LAZY]
                if last > log or (
                    last == log
                    and deck.face[z, deck.head[z, SIZE] - 1, CARD] < deck.face[x, 0, CARD]
                ):
                    low = middle + 1
                else:
                    high = middle
            if low > q:
                count = lay(deck, count, deck.order[pile, q])
                deck.order[MERGED, count : count + low - q - 1] = deck.order[pile, q + 1 : low]
                count, q = count + low - q - 1, low
            if q == stop:
                break
            z = deck.order[pile, q]
            k = how_many(deck, z, log, deck.face[x, 0, CARD])
            if k > 0:
                deck.order[pile, q] = cut(deck, z, k)
                count = lay(deck, count, z)
                z = deck.order[pile, q]
            k = how_many(deck, x, deck.head[z, TOP] + deck.head[z, LAZY], deck.face[z, 0, CARD])
            if k == deck.head[x, SIZE]:
                break
            rest = cut(deck, x, k)
            count = lay(deck, count, x)
            x = rest
        count = lay(deck, count, x)
    deck.order[MERGED, count : count + stop - q] = deck.order[pile, q:stop]
    deck.number[COUNT + pile] = count = count + stop - q
    deck.order[pile, :count] = deck.order[MERGED, :count]
    return True
