"""Who is in use, and with which coefficients. Rows have slots: where vectors are the examples, each
of these has its own from the beginning to the end; where they come and go, only those in use have
one, and the last moves into the place of one that leaves: a long run then costs no more per step
than a short one.
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths.machine.jit import bare


class Slots(NamedTuple):
    """The rows in use and their coefficients."""

    place: np.ndarray  # (rows,) the slot of a row, -1: none
    row: np.ndarray  # (slots,)
    coef: np.ndarray  # (scores, slots)
    # (slots,) sum of the iterates that the mean contains; empty where rows come and go: none is
    # kept
    total: np.ndarray
    since: np.ndarray  # (slots,) the step in which each came
    used: np.ndarray  # (1,) how many are in use


class Frame(NamedTuple):
    """The state after a step: what a replay begins with and ends with."""

    row: np.ndarray  # (b,) in use
    coef: np.ndarray  # (b, scores)
    total: np.ndarray  # (b,), or empty
    since: np.ndarray  # (b,)


def opened(frame: Frame, rows: int, room: int) -> Slots:
    """Slots that go on from there, with room for so many rows in use, out of so many."""
    place, row, since = np.full(rows, -1), np.full(room, -1), np.zeros(room, np.int64)
    coef, total, used = np.zeros((frame.coef.shape[1], room)), frame.total.copy(), frame.row.size
    row[:used], coef[:, :used], since[:used] = frame.row, frame.coef.T, frame.since
    place[frame.row] = np.arange(used)
    return Slots(place, row, coef, total, since, np.array([used]))


def closed(slots: Slots) -> Frame:
    used = int(slots.used[0])
    coef = np.ascontiguousarray(slots.coef[:, :used].T)
    return Frame(slots.row[:used].copy(), coef, slots.total.copy(), slots.since[:used].copy())


@bare
def enter(place, row, coef, since, used, r, t):
    """Give row r the next slot"""
    place[r], row[used], since[used] = used, r, t
    for c in range(coef.shape[0]):
        coef[c, used] = 0.0


@bare
def leave(place, row, coef, since, g, columns, known, used, r):
    """Free the slot of row r; the last one moves there, with all that belongs to it"""
    slot, last = place[r], used - 1
    place[r] = -1
    if slot == last:
        return
    row[slot], since[slot] = row[last], since[last]
    place[row[slot]] = slot
    for c in range(coef.shape[0]):
        coef[c, slot] = coef[c, last]
        if g.size > 0:
            g[c, slot] = g[c, last]
    if known.size > 1:
        known[slot] = known[last]
        for i in range(columns.shape[1]):
            columns[slot, i] = columns[last, i]
