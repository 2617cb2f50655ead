"""The search for the water level, told round by round: a pivot, a partition, the half that is left,
and why.
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths.water import Basin, checked, probe, split, surface


class Round(NamedTuple):
    """One round of the search as a page tells it; the arrays hold indices of c."""

    pivot: float
    candidates: np.ndarray
    below: np.ndarray
    equal: np.ndarray
    above: np.ndarray
    need: float  # volume that just reaches the pivot
    # "floods": the volume covers the pivot, go on above; "stays dry": it does not, go on below
    why: str
    kept: np.ndarray  # the candidates of the next round
    gamma: float | None  # the level, in the last round only


def water_level_steps(c, volume: float) -> list[Round]:
    """The rounds of `water_level`, by the same compiled parts, so that the last gamma is the same
    digit for digit.

    >>> [(r.pivot, r.need, r.why, r.gamma) for r in water_level_steps([3.0, 1.0, 2.0], 0.5)]
    [(2.0, 1.0, 'stays dry', None), (1.0, 0.0, 'floods', 1.5)]
    """
    c, volume = checked(c, volume)
    at, s, open_, out = Basin(0.0, 0, 0.0, np.inf, c.size), c.copy(), np.arange(c.size), []
    while at.open > 0:
        p, need = probe(s, at)
        at = split(s, s, at, p, need, need < volume)
        below, equal, above = (open_[side] for side in (c[open_] < p, c[open_] == p, c[open_] > p))
        kept, why = (above, "floods") if need < volume else (below, "stays dry")
        out.append(Round(float(p), open_, below, equal, above, float(need), why, kept, None))
        open_ = kept
    return [*out[:-1], out[-1]._replace(gamma=float(surface(at, volume)))]
