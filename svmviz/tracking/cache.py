"""Kernel values that were computed once, as rows K(x_i, members) in a bounded room: the least recently used row makes room.

Members are those whose responses a run keeps up to date: all seen, in the order of their arrival, or the support vectors in
their slots. A row is right as far as `fill` says. It grows when a member joins whose value is known anyway, and else when it
is asked for. Values are kept in double precision, so that a run with the cache is the run without it, to the last bit.
"""

from typing import NamedTuple

import numpy as np

from svmviz.jit import jit

WIDTH, HEIGHT, CLOCK = range(3)  # places in `state`
NARROW = 256  # how wide rows are at first


class Cache(NamedTuple):
    values: np.ndarray  # (room,) rows of state[WIDTH] values each, one after the other
    owner: np.ndarray  # (n,) which example a row belongs to, -1: free
    fill: np.ndarray  # (n,) how many of its values are right
    used: np.ndarray  # (n,) when it was asked for last, -1: free
    row: np.ndarray  # (n,) which row belongs to an example, -1: none
    state: np.ndarray  # (3,) int64; HEIGHT is how many rows there is room for


def empty(n: int, megabytes: float) -> Cache:
    """Room for so many megabytes of kernel values of n examples; memory is taken as rows come.

    >>> empty(1000, 0.5).values.size
    65536
    """
    room = min(int(megabytes * 2**20) // 8, n * n)
    width = min(NARROW, n)
    return Cache(np.empty(room), np.full(n, -1), np.zeros(n, np.int64), np.full(n, -1), np.full(n, -1),
                 np.array([width, min(n, room // width), 0]))


@jit
def release(cache, r):
    """Row r is free again"""
    if cache.owner[r] >= 0:
        cache.row[cache.owner[r]] = -1
        cache.owner[r], cache.used[r], cache.fill[r] = -1, -1, 0


@jit
def widen(cache, many):
    """Make rows wide enough for so many members, a quarter wider at least; fewer fit, and the last ones go"""
    old = cache.state[WIDTH]
    if many <= old:
        return
    width = min(cache.row.size, max(many, old + old // 4))
    height = min(cache.row.size, cache.values.size // width)
    for r in range(height, cache.state[HEIGHT]):
        release(cache, r)
    cache.state[WIDTH], cache.state[HEIGHT] = width, height
    values = cache.values
    for r in range(height - 1, 0, -1):  # from the end, as each row moves back
        for p in range(cache.fill[r] - 1, -1, -1):
            values[r * width + p] = values[r * old + p]


@jit
def claim(cache, i):
    """The row of example i, which may be empty still; -1 where not one row fits"""
    r = cache.row[i]
    if r < 0 and cache.state[HEIGHT] > 0:
        r = 0
        for other in range(cache.state[HEIGHT]):
            if cache.used[other] < cache.used[r]:
                r = other
            if cache.used[r] < 0:
                break
        release(cache, r)
        cache.owner[r], cache.row[i] = i, r
    if r >= 0:
        cache.state[CLOCK] += 1
        cache.used[r] = cache.state[CLOCK]
    return r


@jit
def learn(cache, support, many, near, p):
    """A member has joined at place p, and its values with the support vectors are known: rows that were whole stay so"""
    width = cache.state[WIDTH]
    for s in range(many):
        r = cache.row[support[s]]
        if r >= 0 and cache.fill[r] == p and p < width:
            cache.values[r * width + p] = near[s]
            cache.fill[r] = p + 1


@jit
def forget(cache, p, last):
    """The member at place p has left, and the one at the last place has taken it; rows without that one end before p"""
    width = cache.state[WIDTH]
    for r in range(cache.state[HEIGHT]):
        if cache.fill[r] > last:
            cache.values[r * width + p] = cache.values[r * width + last]
            cache.fill[r] = last
        elif cache.fill[r] > p:
            cache.fill[r] = p
