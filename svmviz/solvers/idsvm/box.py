"""Who has been learnt by an exact SVM, and in which of its three sets each stands, as compiled code
keeps it.
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths.machine.jit import bare, loop

ABSENT, WAITING, REST, MARGIN, ERROR = range(5)  # where a slot is
N_MEMBERS, N_MARGIN, EVENTS, STUCK, REBUILT = range(5)  # places in `count`


class Box(NamedTuple):
    """Slots for as many examples as may be learnt at a time; whoever fills one writes its row and
    column of Q and its C.
    """

    Q: np.ndarray  # (m, m)
    R: np.ndarray  # (m, m) the inverse of Q_SS, in the order of `margin`
    alpha: np.ndarray  # (m,)
    g: np.ndarray  # (m,)
    C: np.ndarray  # (m,)
    where: np.ndarray  # (m,) int64, the set that a slot is in
    member: np.ndarray  # (m,) slots in use, in the order in which they came
    margin: np.ndarray  # (m,) those in the margin set
    beta: np.ndarray  # (m,) in the order of `margin`
    gamma: np.ndarray  # (m,) by slot
    spare: np.ndarray  # (3, m)
    L: np.ndarray  # (m, m) room for a factor of Q_SS
    count: np.ndarray  # (5,) int64; the last three are sums


def empty(slots: int) -> Box:
    """Nobody is there. What is not written to takes no memory."""
    wide = slots, slots
    return Box(
        np.zeros(wide),
        np.zeros(wide),
        np.zeros(slots),
        np.zeros(slots),
        np.zeros(slots),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(slots),
        np.zeros(slots),
        np.zeros((3, slots)),
        np.zeros(wide),
        np.zeros(5, np.int64),
    )


@bare
def size_of(box):
    """How large responses may be, which is what rounding goes by"""
    most, longest = 0.0, 0.0
    for p in range(box.count[N_MEMBERS]):
        i = box.member[p]
        most, longest = max(most, box.alpha[i]), max(longest, box.Q[i, i])
    return max(1.0, most * longest)


@bare
def respond(box, i):
    """g of a slot, from the alphas"""
    total = 0.0
    for p in range(box.count[N_MEMBERS]):
        j = box.member[p]
        if box.alpha[j] != 0.0:
            total += box.Q[i, j] * box.alpha[j]
    return total - 1.0


@loop
def add(c, v, many, out):
    """out += c v"""
    for j in range(many):
        out[j] += c * v[j]


@loop
def add_with_sizes(c, v, many, out, sizes):
    """The same, and the sizes of what was added"""
    for j in range(many):
        out[j] += c * v[j]
        sizes[j] += abs(c * v[j])


@bare
def refresh(box):
    """g of everybody, from the alphas; of those who are not there it means nothing"""
    for j in range(box.g.size):
        box.g[j] = -1.0
    for p in range(box.count[N_MEMBERS]):
        i = box.member[p]
        if box.alpha[i] != 0.0:
            add(box.alpha[i], box.Q[i], box.g.size, box.g)


@bare
def forget(box, c):
    """A slot is free again; the others keep their order"""
    at = 0
    for p in range(box.count[N_MEMBERS]):
        if box.member[p] != c:
            box.member[at] = box.member[p]
            at += 1
    box.count[N_MEMBERS] = at
    box.where[c] = ABSENT
