"""Twin vectors as compiled code keeps them: places that stand for many examples of either label,
and the exact SVM over them.

A twin vector has a place x and counts s+ and s- of the examples that it stands for. To the SVM
these are two examples in one place, one of each label, with boxes [0, C s+] and [0, C s-]; `path`
keeps the optimum over all of them exact. Slots 2k and 2k + 1 of its box are the two of place k.
There is room for one more than the budget allows, so that a newcomer can be in before others make
room for it; the coordinates of an example that is only looked at stand there, too.
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.maths.machine.jit import bare
from svmviz.solvers.idsvm import log as bends
from svmviz.solvers.idsvm import path
from svmviz.solvers.idsvm.path import ABSENT, N_MEMBERS, Box

USED, EVALS = range(2)  # places in `count`
COMBINED, DROPPED = 1, 2  # what makes room
PLUS, MINUS = range(2)  # columns of `stand`


class Twins(NamedTuple):
    V: np.ndarray  # (places, d)
    K: np.ndarray  # (places, places) kernel values of all who are there
    apart: np.ndarray  # (places, places) squared distances
    stand: np.ndarray  # (places, 2) s+ and s-, both 0 where nobody is
    row: np.ndarray  # (places,) in the table of a recorded run
    near: np.ndarray  # (places,) kernel values of the example at hand
    count: np.ndarray  # (2,) int64: twin vectors, and kernel values of this step
    box: Box
    log: bends.Log


class Room(NamedTuple):
    """How room was made: two places that became one, the first, with their counts and rows before;
    or one that is free.
    """

    kind: int
    a: int
    b: int
    h: float  # the share of the first


def empty(d: int, places: int) -> Twins:
    """Nobody is there."""
    wide = places, places
    return Twins(
        np.zeros((places, d)),
        np.zeros(wide),
        np.zeros(wide),
        np.zeros((places, 2)),
        np.full(places, -1),
        np.zeros(places),
        np.zeros(2, np.int64),
        path.empty(2 * places),
        bends.empty(),
    )


def resized(old: Twins, places: int, kernel, C: float) -> Twins:
    """The same twin vectors with room for others, under a kernel and C that may be other ones."""
    new, used = empty(old.V.shape[1], places), np.flatnonzero(old.stand.any(axis=1))
    for k, at in enumerate(used.tolist()):
        new.V[k], new.stand[k], new.row[k] = old.V[at], old.stand[at], old.row[at]
    new.count[USED] = used.size
    for k in range(used.size):
        meet(new, kernel, k)
        for side in (PLUS, MINUS):
            enter(new, k, side, C)
    path.settle(new.box, new.log)
    return new


@bare
def there(twins, k):
    return twins.stand[k, PLUS] + twins.stand[k, MINUS] > 0.0


@bare
def coefficient(twins, k):
    """Of the feature vector of place k in w"""
    return twins.box.alpha[2 * k] - twins.box.alpha[2 * k + 1]


@bare
def free(twins):
    """The first place where nobody is"""
    for k in range(twins.row.size):
        if not there(twins, k):
            return k
    return -1


@bare
def load(twins, rows, i, k):
    """The coordinates of example i at place k"""
    x = twins.V[k]
    if matrix.is_dense(rows):
        for f in range(x.size):
            x[f] = rows.X[i, f]
        return
    for f in range(x.size):
        x[f] = 0.0
    for p in range(rows.indptr[i], rows.indptr[i + 1]):
        x[rows.indices[p]] = rows.data[p]


@bare
def respond(twins, kernel, k):
    """f at place k, where perhaps nobody is yet"""
    kernels.row(kernel, twins.V, k, twins.V, twins.near)
    total = 0.0
    for j in range(twins.row.size):
        if there(twins, j):
            total += coefficient(twins, j) * twins.near[j]
            twins.count[EVALS] += 1
    return total


@bare
def meet(twins, kernel, k):
    """Kernel values and distances of place k"""
    kernels.row(kernel, twins.V, k, twins.V, twins.near)
    for j in range(twins.row.size):
        if there(twins, j) or j == k:
            total = 0.0
            for f in range(twins.V.shape[1]):
                total += (twins.V[k, f] - twins.V[j, f]) ** 2
            twins.apart[k, j] = twins.apart[j, k] = total
            twins.K[k, j] = twins.K[j, k] = twins.near[j]


@bare
def enter(twins, k, side, C):
    """One of the twins of place k comes to the SVM, with the box that its count gives it; rounding
    is left
    """
    box, c = twins.box, 2 * k + side
    if twins.stand[k, side] == 0.0:
        return
    for p in range(box.count[N_MEMBERS]):
        j = box.member[p]
        value = twins.K[k, j // 2] if j % 2 == side else -twins.K[k, j // 2]
        box.Q[c, j] = box.Q[j, c] = value
    box.Q[c, c] = twins.K[k, k]
    box.C[c] = C * twins.stand[k, side]
    path.come(box, c, twins.log)


@bare
def vacate(twins, k):
    """Both twins of place k go from the SVM; rounding is left"""
    for side in range(2):
        if twins.box.where[2 * k + side] != ABSENT:
            path.go_away(twins.box, 2 * k + side, twins.log)


@bare
def beyond(twins, k):
    """The least margin of those that place k stands for"""
    least = np.inf
    for side in range(2):
        if twins.stand[k, side] > 0.0:
            least = min(least, twins.box.g[2 * k + side] + 1.0)
    return least


@bare
def above(twins, k):
    """Whether f is positive at place k, or 0"""
    if twins.stand[k, PLUS] > 0.0:
        return twins.box.g[2 * k] + 1.0 >= 0.0
    return twins.box.g[2 * k + 1] + 1.0 <= 0.0


@bare
def cost(twins, a, b):
    """What combining two adds to the sum of squared distances between examples and who stands for
    them (Ward's criterion)
    """
    s, r = (
        twins.stand[a, PLUS] + twins.stand[a, MINUS],
        twins.stand[b, PLUS] + twins.stand[b, MINUS],
    )
    return s * r / (s + r) * twins.apart[a, b]


@bare
def make_room(twins, kernel, C, far):
    """Drop whoever lies farthest beyond the margin on its own side, if that is farther than `far`:
    its alphas are 0, so that w stays. Else combine the two on one side of the boundary that cost
    least: their place is the mean of the examples
    """
    last, widest = -1, far
    for k in range(twins.row.size):
        if there(twins, k) and beyond(twins, k) > widest:
            last, widest = k, beyond(twins, k)
    if last >= 0:
        vacate(twins, last)
        twins.stand[last, PLUS] = twins.stand[last, MINUS] = 0.0
        twins.count[USED] -= 1
        path.settle(twins.box, twins.log)
        return Room(DROPPED, last, -1, 0.0)
    a, b, least = -1, -1, np.inf
    for k in range(twins.row.size):
        for j in range(k):  # of three there are always two on one side
            if (
                there(twins, k)
                and there(twins, j)
                and above(twins, j) == above(twins, k)
                and cost(twins, j, k) < least
            ):
                a, b, least = j, k, cost(twins, j, k)
    vacate(twins, a)
    vacate(twins, b)
    s, r = (
        twins.stand[a, PLUS] + twins.stand[a, MINUS],
        twins.stand[b, PLUS] + twins.stand[b, MINUS],
    )
    h = s / (s + r)
    for f in range(twins.V.shape[1]):
        twins.V[a, f] = h * twins.V[a, f] + (1.0 - h) * twins.V[b, f]
    for side in range(2):
        twins.stand[a, side] += twins.stand[b, side]
        twins.stand[b, side] = 0.0
    twins.count[USED] -= 1
    meet(twins, kernel, a)
    twins.count[EVALS] += twins.count[USED] - 1
    enter(twins, a, PLUS, C)
    enter(twins, a, MINUS, C)
    path.settle(twins.box, twins.log)
    return Room(COMBINED, a, b, h)


@bare
def look(twins, rows, i, kernel):
    """The example stands at a free place, to be looked at; returns that place and f there"""
    twins.count[EVALS] = 0
    k = free(twins)
    load(twins, rows, i, k)
    return k, respond(twins, kernel, k)


@bare
def take(twins, k, y, kernel, C):
    """The example at place k becomes a twin vector"""
    side = PLUS if y > 0.0 else MINUS
    twins.stand[k, side] = 1.0
    twins.count[USED] += 1
    meet(twins, kernel, k)
    enter(twins, k, side, C)
    path.settle(twins.box, twins.log)


@bare
def learn(twins, rows, y, order, B, C, kernel, near, far):
    """These examples, of which nothing is recorded; returns how often room was made, and kernel
    values
    """
    events, evals = 0, 0
    for s in range(order.size):
        i = order[s]
        k, f = look(twins, rows, i, kernel)
        if twins.count[USED] < B or y[i] * f <= near:
            take(twins, k, y[i], kernel, C)
        while twins.count[USED] > B:
            make_room(twins, kernel, C, far)
            events += 1
        evals += twins.count[EVALS]
    return events, evals
