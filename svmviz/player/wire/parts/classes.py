"""Runs with a score per class, for the player: rows and classes whose coefficients a step raised,
one by one, and for each segment what mistakes cost.
"""

import numpy as np

from svmviz.player.wire.packing import cells, smallest
from svmviz.player.wire.part import Part, flat
from svmviz.record.trace import Trace
from svmviz.solvers.classes.losses import costs_of, numbered, radius_of, resting


def changes(trace: Trace, precise: type) -> dict[str, np.ndarray]:
    """The examples and their classes as numbers, whom each step drew with which margins, and what
    it raised.
    """
    found = [segment.record.changes for segment in trace.segments]
    places = [np.nonzero(part.amount) for part in found]
    counts = [
        np.bincount(part.step()[row], minlength=part.steps)
        for part, (row, _) in zip(found, places, strict=True)
    ]
    return cells(trace.problem.X) | {
        "y": numbered(trace.problem).astype(np.int8),
        "drawn": smallest(flat(trace, "drawn")),
        "margin": flat(trace, "margin").astype(np.float32),
        "raised": smallest(np.concatenate([[0], *counts])),
        "change_index": smallest(
            np.concatenate([part.row[row] for part, (row, _) in zip(found, places, strict=True)])
        ),
        "change_class": np.concatenate([c for _, c in places]).astype(np.uint8),
        "change_delta": (
            np.concatenate(
                [part.amount[at] for part, at in zip(found, places, strict=True)]
            ).astype(precise)
        ),
    }


def segment(trace: Trace, params: dict) -> dict:
    """What mistakes cost, the mean loss of w = 0 and the ball that follows from it."""
    active = next(s.active for s in trace.segments if s.params is params)
    return {
        "mistakes": costs_of(params, trace.problem.classes).tolist(),
        "rest": resting(trace.problem, params, active),
        "ball": radius_of(trace.problem, params, active),
    }


CHAINS = Part(changes=changes, own=lambda name: name != "n_sv")
PART = Part(changes=changes, segment=segment, own=lambda name: name != "n_sv")
