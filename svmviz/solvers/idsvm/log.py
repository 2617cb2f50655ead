"""The bends of a path, for those who look on: at each event who changes to which set, alpha_c
there, and all alphas that moved.

Between two events alphas are straight lines in alpha_c. What does not fit is left out, and `count`
says that it was.
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths.machine.jit import bare
from svmviz.solvers.idsvm.box import N_MARGIN

N_EVENTS, N_KNOTS, OPEN, CUT = range(4)  # places in `count`


class Log(NamedTuple):
    slot: np.ndarray  # (E,) who
    to: np.ndarray  # (E,) the set it goes to, see `path`
    at: np.ndarray  # (E,) alpha_c
    last: np.ndarray  # (E,) knots up to here belong to this event or those before
    knot: np.ndarray  # (K,) a margin vector ...
    value: np.ndarray  # (K,) ... and its alpha at this event
    count: np.ndarray  # (4,) int64


def empty(events: int = 0, knots: int = 0) -> Log:
    """Room for so many events and alphas; for none where nobody looks on."""
    return Log(
        np.zeros(events, np.int64),
        np.zeros(events, np.int64),
        np.zeros(events),
        np.zeros(events, np.int64),
        np.zeros(knots, np.int64),
        np.zeros(knots),
        np.zeros(4, np.int64),
    )


@bare
def begun(log, opened):
    """Whether a path is followed, or only its rounding taken back, of which nothing is noted"""
    log.count[OPEN] = opened


@bare
def note(log, box, slot, to, at):
    """Somebody goes to another set, and has not gone yet"""
    count, many = log.count, box.count[N_MARGIN]
    if not count[OPEN] or log.slot.size == 0:
        return
    e, k = count[N_EVENTS], count[N_KNOTS]
    if e == log.slot.size or k + many > log.knot.size:
        count[CUT] += 1
        return
    for a in range(many):
        log.knot[k + a], log.value[k + a] = box.margin[a], box.alpha[box.margin[a]]
    log.slot[e], log.to[e], log.at[e], log.last[e] = slot, to, at, k + many
    count[N_EVENTS], count[N_KNOTS] = e + 1, k + many
