"""Kernel values that were computed once, as rows K(x_i, members) in a bounded room: the least
recently used row makes room.

Members are those whose responses a run keeps up to date: all seen, in the order of their arrival,
or the support vectors in their slots. A row is right as far as `fill` says. It grows when a member
joins whose value is known anyway, and else when it is asked for. Values are kept as they were
computed, so that a run with the cache is the run without it, to the last bit.
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths.machine.jit import bare

WIDTH, HEIGHT, CLOCK = range(3)  # places in `state`
OWNER, FILL, USED, ROW = range(4)  # lines of `book`
NARROW = 256  # how wide rows are at first


class Cache(NamedTuple):
    values: np.ndarray  # (room,) rows of state[WIDTH] values each, one after the other
    # (4, n) of a row its owner (-1: free), how many of its values are right, when it was asked for
    # last (-1:
    book: np.ndarray
    # free), and of an example its row (-1: none); one array, as each adds to the time that
    # compiling takes
    state: np.ndarray  # (3,) int64; HEIGHT is how many rows there is room for


def empty(n: int, megabytes: float, dtype=np.float64) -> Cache:
    """Room for so many megabytes of kernel values of n examples; memory is taken as rows come.

    >>> empty(1000, 0.5).values.size
    65536
    """
    if not 0 <= megabytes < float("inf"):
        raise ValueError(f"megabytes must be finite and at least 0, got {megabytes}")
    room = min(int(megabytes * 2**20) // np.dtype(dtype).itemsize, n * n)
    width = min(NARROW, n)
    book = np.full((4, n), -1)
    book[FILL] = 0
    return Cache(np.empty(room, dtype), book, np.array([width, min(n, room // width), 0]))


@bare
def release(cache, r):
    """Row r is free again"""
    book = cache.book
    if book[OWNER, r] >= 0:
        book[ROW, book[OWNER, r]] = -1
        book[OWNER, r], book[USED, r], book[FILL, r] = -1, -1, 0


@bare
def widen(cache, many):
    """Make rows wide enough for so many members, a quarter wider at least; fewer fit, and the last
    ones go
    """
    book, values, old = cache.book, cache.values, cache.state[WIDTH]
    if many <= old:
        return
    width = min(book.shape[1], max(many, old + old // 4))
    height = min(book.shape[1], values.size // width)
    for r in range(height, cache.state[HEIGHT]):
        release(cache, r)
    cache.state[WIDTH], cache.state[HEIGHT] = width, height
    for r in range(height - 1, 0, -1):  # from the end, as each row moves back
        for p in range(book[FILL, r] - 1, -1, -1):
            values[r * width + p] = values[r * old + p]


@bare
def claim(cache, i):
    """The row of example i, which may be empty still; -1 where not one row fits"""
    book = cache.book
    r = book[ROW, i]
    if r < 0 and cache.state[HEIGHT] > 0:
        r = 0
        for other in range(cache.state[HEIGHT]):
            if book[USED, other] < book[USED, r]:
                r = other
            if book[USED, r] < 0:
                break
        release(cache, r)
        book[OWNER, r], book[ROW, i] = i, r
    if r >= 0:
        cache.state[CLOCK] += 1
        book[USED, r] = cache.state[CLOCK]
    return r


@bare
def learn(cache, support, many, near, p):
    """A member has joined at place p, and its values with the support vectors are known: rows that
    were whole stay so
    """
    book, values, width = cache.book, cache.values, cache.state[WIDTH]
    for s in range(many):
        r = book[ROW, support[s]]
        if r >= 0 and book[FILL, r] == p and p < width:
            values[r * width + p] = near[s]
            book[FILL, r] = p + 1


@bare
def forget(cache, p, last):
    """The member at place p has left, and the one at the last place has taken it; rows without that
    one end before p
    """
    book, values, width = cache.book, cache.values, cache.state[WIDTH]
    for r in range(cache.state[HEIGHT]):
        if book[FILL, r] > last:
            values[r * width + p] = values[r * width + last]
            book[FILL, r] = last
        elif book[FILL, r] > p:
            book[FILL, r] = p
