"""Runs on a stream, for the player: who arrived, which draws moved a coefficient, and among whom a teacher chose.

A round has K draws, most of which change nothing: the moves travel with their place among the draws, and the draws themselves
where there are not too many of them. The average that a round puts out follows from its moves, so that it need not travel.
"""

import numpy as np

from svmviz.player.packing import smallest
from svmviz.trace import Trace

MOST_PICKS = 200_000  # draws that travel; beyond, the stage shows moves only
SENT = ("score", "arrived")  # of a run's own quantities


def fine(trace: Trace) -> bool:
    """Whether the gap gets so small that the digits of float32 would show in it, in more than a few rounds."""
    return (trace.metrics["gap"] < 1e-4 * trace.metrics["primal"]).mean() > 0.05


def columns(trace: Trace) -> dict[str, np.ndarray]:
    """The newcomer of each round and its margin; moves (how many, of whom, by how much, in which draw; 0 is PROCESS); draws;
    pools, counted from 1 because 0 is nobody."""
    parts = [s.columns for s in trace.segments]
    moved = [c.delta != 0.0 for c in parts]
    out = {
        "drawn": smallest(np.concatenate([c.drawn[:, 0] for c in parts])),
        "margin": np.concatenate([c.margin[:, 0] for c in parts]).astype(np.float32),
        "moves": smallest(np.concatenate([[0], *(m.sum(axis=1) for m in moved)]).astype(np.int64)),
        "move_delta": np.concatenate([c.delta[m] for c, m in zip(parts, moved, strict=True)]),
        "move_draw": smallest(np.concatenate([np.nonzero(m)[1] for m in moved])),
        "new_pairs": smallest(np.diff(trace.scalars["pairs"], prepend=0).astype(np.int64)),
    }
    if sum(c.drawn.size for c in parts) <= MOST_PICKS:
        out["picks"] = smallest(np.concatenate([c.drawn[:, 1:].ravel() for c in parts]))
    else:
        out["move_index"] = smallest(np.concatenate([c.drawn[m] for c, m in zip(parts, moved, strict=True)]))
    if any(c.pool.size for c in parts):
        out["pool"] = smallest(np.concatenate([c.pool.ravel() + 1 for c in parts]))
    return out


def tracked(trace: Trace) -> dict[str, np.ndarray]:
    """The exact optima along the run, at the few steps where they were computed."""
    t, value = trace.tracked
    return {"tracked_t": smallest(t), "tracked_value": value} if t.size else {}
