"""A single card: where it is, what it weighs, and how it moves."""

from svmviz.maths.machine.elementary import exp
from svmviz.maths.machine.jit import jit
from svmviz.solvers.simba import dealing
from svmviz.solvers.simba import deck as of


@jit
def place_of(cards, i):
    """Block and place of the card of example i"""
    b, k = cards.home[of.BLOCK, i], 0
    while cards.face[b, k, of.CARD] != i:
        k += 1
    return b, k


@jit
def log_weight(cards, i):
    b, k = place_of(cards, i)
    return cards.face[b, k, of.KEY] + cards.head[b, of.LAZY]


@jit
def group_of(cards, i):
    """0 or 1, its pile, where example i is dry, 2 more where it is wet"""
    return cards.home[of.PILE, i] + 2 * cards.head[cards.home[of.BLOCK, i], of.WET]


@jit
def soak(cards, i, xi):
    """Example i has had so much slack"""
    b, k = place_of(cards, i)
    cards.coin[b, k, of.XI] += xi


@jit
def insert(order, pile, count, q, b):
    """Block b comes at place q of so many"""
    for r in range(count, q, -1):
        order[pile, r] = order[pile, r - 1]
    order[pile, q] = b


@jit
def shift(cards, i, by):
    """The card of example i moves to where its new weight belongs"""
    if cards.number[of.SPARE] < of.RESERVE:
        dealing.gather(cards)
        dealing.deal(cards)
    b, k = place_of(cards, i)
    log, xi = (
        cards.face[b, k, of.KEY] + cards.head[b, of.LAZY] + by,
        cards.coin[b, k, of.XI] + cards.sums[b, of.POURED],
    )
    take(cards, cards.home[of.PILE, i], b, k)
    put(cards, cards.home[of.PILE, i], i, log, xi)


@jit
def take(cards, pile, b, k):
    """Card k leaves its block"""
    cards.head[b, of.SIZE] -= 1
    if cards.head[b, of.SIZE] > 0:
        for e in range(k, cards.head[b, of.SIZE]):
            cards.face[b, e, of.KEY], cards.face[b, e, of.CARD] = (
                cards.face[b, e + 1, of.KEY],
                cards.face[b, e + 1, of.CARD],
            )
            cards.coin[b, e, of.MASS], cards.coin[b, e, of.XI] = (
                cards.coin[b, e + 1, of.MASS],
                cards.coin[b, e + 1, of.XI],
            )
        of.altered(cards, b)
        return
    q = 0
    while cards.order[pile, q] != b:
        q += 1
    cards.number[of.COUNT + pile] -= 1
    for r in range(q, cards.number[of.COUNT + pile]):
        cards.order[pile, r] = cards.order[pile, r + 1]
    of.drop(cards, b)


@jit
def put(cards, pile, i, log, xi):
    """A card of this weight joins the last block whose first card lies above it, or the first block
    of all
    """
    low, high = 0, cards.number[of.COUNT + pile]
    if high == 0:
        cards.number[of.SPARE] -= 1
        b = cards.order[of.UNUSED, cards.number[of.SPARE]]
        (
            cards.number[of.COUNT + pile],
            cards.order[pile, 0],
            cards.head[b, of.LAZY],
            cards.sums[b, of.POURED],
        ) = (1, b, log, xi)
    while low < high:
        middle = (low + high) // 2
        z = cards.order[pile, middle]
        top = cards.head[z, of.TOP] + cards.head[z, of.LAZY]
        if top > log or (top == log and cards.face[z, 0, of.CARD] < i):
            low = middle + 1
        else:
            high = middle
    q = max(0, low - 1)
    b = cards.order[pile, q]
    if cards.head[b, of.SIZE] == of.ROOM:
        new = of.cut(cards, b, of.ROOM // 2)
        insert(cards.order, pile, cards.number[of.COUNT + pile], q + 1, new)
        cards.number[of.COUNT + pile] += 1
        b = (
            new
            if of.over(
                cards.head[new, of.TOP] + cards.head[new, of.LAZY],
                cards.face[new, 0, of.CARD],
                log,
                i,
            )
            else b
        )
    k = of.how_many(cards, b, log, i)
    for e in range(cards.head[b, of.SIZE], k, -1):
        cards.face[b, e, of.KEY], cards.face[b, e, of.CARD] = (
            cards.face[b, e - 1, of.KEY],
            cards.face[b, e - 1, of.CARD],
        )
        cards.coin[b, e, of.MASS], cards.coin[b, e, of.XI] = (
            cards.coin[b, e - 1, of.MASS],
            cards.coin[b, e - 1, of.XI],
        )
    cards.face[b, k, of.KEY], cards.face[b, k, of.CARD], cards.home[of.BLOCK, i] = (
        log - cards.head[b, of.LAZY],
        i,
        b,
    )
    cards.coin[b, k, of.MASS] = exp(cards.face[b, k, of.KEY] / of.GRID)
    cards.coin[b, k, of.XI] = xi - cards.sums[b, of.POURED]
    cards.head[b, of.SIZE] += 1
    of.altered(cards, b)
