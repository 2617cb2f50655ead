"""Kernel rows that were computed once, in a bounded room: the row that was not asked for the
longest makes room.

All rows are against the same examples, which may become fewer (`narrow`); then the rows of those
that stay become shorter, and more of them fit.
"""

from typing import Any, NamedTuple

import numpy as np

from svmviz.maths.kernels import engine
from svmviz.maths.machine.jit import bare, jit

OWNER, USED, ROW = range(3)  # lines of `book`


class Cache(NamedTuple):
    values: np.ndarray  # (room,) rows one after the other, each as long as there are examples
    # (3, n) of a row its owner, and when it was asked for last (-1: free); of an example its row
    # (-1: none)
    book: np.ndarray
    state: np.ndarray  # (3,) how many rows fit, a clock, and whether rows are kept at all
    sums: np.ndarray  # working space of a row


def empty(examples: engine.Examples, megabytes: float, dtype: Any = np.float64) -> Cache:
    """Room for so many megabytes of rows, and for two rows in any case; memory is taken as rows
    come. With no room at all every row is computed whenever it is asked for.
    """
    n, size = examples.n, np.dtype(dtype).itemsize
    height = int(min(n, max(2, megabytes * 2**20 // (size * n))))
    state = np.array([height, 0, megabytes > 0])
    return Cache(
        np.empty(height * n, dtype), np.full((3, n), -1), state, np.empty(engine.room(examples))
    )


@bare
def place(cache, i):
    """Where the row of example i stands, and whether it is there already"""
    book, state = cache.book, cache.state
    r, known = book[ROW, i], True
    if r < 0:
        r, known = 0, False
        for other in range(state[0]):
            if book[USED, other] < book[USED, r]:
                r = other
            if book[USED, r] < 0:
                break
        if book[OWNER, r] >= 0:
            book[ROW, book[OWNER, r]] = -1
        book[OWNER, r], book[ROW, i] = i, r
    state[1] += 1
    book[USED, r] = state[1]
    return r, known


@bare
def fetch(cache, examples, kernel, points, i):
    """Where the row K(x_i, .) begins in the cache, and the kernel values that had to be computed"""
    r, known = place(cache, i)
    start = r * examples.n
    known = known and cache.state[2] > 0
    if not known:
        engine.row(
            examples,
            kernel,
            points,
            i,
            0,
            examples.n,
            cache.sums,
            cache.values[start : start + examples.n],
        )
    return start, 0 if known else examples.n


@jit
def shorten(values, book, n, kept, new):
    """Rows of those that stay, against those that stay; returns how many these are"""
    m, many = kept.size, 0
    for r in range(new.shape[1]):
        new[OWNER, r], new[USED, r], new[ROW, r] = -1, -1, -1
    for p in range(m):
        new[ROW, p] = book[ROW, kept[p]]
    for r in range(min(n, values.size // n)):  # rows only move towards the front
        owner = book[OWNER, r]
        if owner < 0:
            continue
        at = np.searchsorted(kept, owner)
        if at < m and kept[at] == owner:
            for p in range(m):
                values[many * m + p] = values[r * n + kept[p]]
            new[OWNER, many], new[USED, many], new[ROW, at] = at, book[USED, r], many
            many += 1
    return many


def narrow(cache: Cache, n: int, kept: np.ndarray, examples: engine.Examples) -> Cache:
    """The same for those of n examples that stay; `examples` are these."""
    book = np.full((3, kept.size), -1)
    shorten(cache.values, cache.book, n, kept, book)
    height = min(kept.size, cache.values.size // kept.size)
    return Cache(
        cache.values, book, np.array([height, *cache.state[1:]]), np.empty(engine.room(examples))
    )
