"""Runs along an exact path, for the player: which coefficients a step raised, who changed sets on
the way and where, and the alphas that moved at each of these bends. Between bends they are straight
lines.
"""

import numpy as np

from svmviz.player.wire.packing import cells, smallest
from svmviz.player.wire.part import Part, flat
from svmviz.record.trace import Trace

MOST = 300_000  # alphas at bends that travel; beyond, the stage draws the bends alone


def joined(trace: Trace, name: str) -> np.ndarray:
    return np.concatenate([s.record.own[name] for s in trace.segments])


def columns(trace: Trace, precise: type) -> dict[str, np.ndarray]:
    """The examples; whom each step brought, with which margin; coefficients that it raised; its
    bends, and the alphas there.
    """
    found = [segment.record.changes for segment in trace.segments]
    out = cells(trace.problem.X) | {
        "drawn": smallest(flat(trace, "drawn")),
        "margin": flat(trace, "margin").astype(np.float32),
        "raised": smallest(np.concatenate([[0], *(np.diff(part.first) for part in found)])),
        "change_index": smallest(np.concatenate([part.row for part in found])),
        "change_delta": np.concatenate([part.amount[:, 0] for part in found]).astype(precise),
        "bends": smallest(
            np.concatenate([[0], *(np.diff(s.record.own["bend_first"]) for s in trace.segments)])
        ),
        "bend_index": smallest(joined(trace, "bend_row")),
        "bend_to": joined(trace, "bend_to").astype(np.uint8),
        "bend_alpha": joined(trace, "bend_alpha").astype(np.float32),
    }
    knots = joined(trace, "knot_row")
    if knots.size > MOST:
        return out
    return out | {
        "knots": smallest(joined(trace, "bend_knots")),
        "knot_index": smallest(knots),
        "knot_value": joined(trace, "knot_value").astype(np.float32),
    }


PART = Part(changes=columns, own=lambda name: name not in ("gap", "lifted", "n_sv"))
