"""Runs on a stream, for the player: who arrived, which draws moved a coefficient, and among whom a
teacher chose.

A round has K draws, most of which change nothing: the moves travel with their place among the
draws, and the draws themselves where there are not too many of them. The average that a round puts
out follows from its moves, so that it need not travel.

By how much a move changes its coefficient follows from the state before it: alpha ← clip(alpha + (1
- y f)/K(x, x), 0, C). So only where it ends travels, inside, at 0 or at C, and the player finds the
rest (web/engine/own/ascent.js), in the order of `incremental.rounds` and with the same digits, and
the margins of the newcomers on the way. The ends are marked although they follow too: whoever is at
an end is there, whatever a processor does to the last digit. Where finding the moves would take
long, or where C, the kernel or the examples change in mid-run, the moves travel as they are.
"""

import numpy as np

from svmviz.maths.matrix import entries
from svmviz.player.wire.packing import cells, smallest
from svmviz.player.wire.part import Part
from svmviz.record.trace import Trace

MOST_PICKS = 200_000  # draws that travel; beyond, the stage shows moves only
# multiplications to find the moves: a tenth of a second or two that the first picture waits, at
# most
MOST_WORK = 64_000_000
EXPONENTIAL = 8  # multiplications take as long as a kernel value besides those of its features
INSIDE, AT_0, AT_C = range(3)  # where a move ends
SENT = ("score", "cost", "arrived")  # of a run's own quantities


def fine(trace: Trace) -> bool:
    """Whether the gap gets so small that the digits of float32 would show in it, in more than a few
    rounds.
    """
    return (trace.metrics["gap"] < 1e-4 * trace.metrics["primal"]).mean() > 0.05


def columns(trace: Trace, precise: type) -> dict[str, np.ndarray]:
    """The examples; the newcomer of each round; moves (how many, of whom, in which draw; 0 is
    PROCESS); draws; pools, counted from 1 because 0 is nobody. And where each move ends, or else by
    how much it changes a coefficient, and the margins of the newcomers.
    """
    parts = [s.record for s in trace.segments]
    moved = [r.delta != 0.0 for r in parts]
    index, delta = (
        np.concatenate([getattr(r, name)[m] for r, m in zip(parts, moved, strict=True)])
        for name in ("drawn", "delta")
    )
    out = cells(trace.problem.X) | {
        "drawn": smallest(np.concatenate([c.drawn[:, 0] for c in parts])),
        "moves": smallest(np.concatenate([[0], *(m.sum(axis=1) for m in moved)]).astype(np.int64)),
        "move_draw": smallest(np.concatenate([np.nonzero(m)[1] for m in moved])),
        "new_pairs": smallest(np.diff(trace.scalars["pairs"], prepend=0).astype(np.int64)),
    }
    if (
        steady(trace)
        and work(out["drawn"], index, entries(trace.problem.X) // trace.problem.n) <= MOST_WORK
    ):
        out["move_end"] = ends(index, delta, trace.problem.n, trace.params()["C"])
    else:
        out |= {
            "move_delta": delta,
            "margin": np.concatenate([c.margin[:, 0] for c in parts]).astype(np.float32),
        }
    if sum(c.drawn.size for c in parts) <= MOST_PICKS:
        out["picks"] = smallest(np.concatenate([c.drawn[:, 1:].ravel() for c in parts]))
    else:
        out["move_index"] = smallest(index)
    pools = [c.own["pool"].ravel() for c in parts]
    if any(pool.size for pool in pools):
        out["pool"] = smallest(np.concatenate(pools) + 1)
    return out


def steady(trace: Trace) -> bool:
    """Whether boxes, kernel and examples stay the same, so that changes on the way, of K or the
    teacher, leave alpha alone.
    """
    first = trace.segments[0]
    return all(
        np.array_equal(s.active, first.active)
        and s.params["C"] == first.params["C"]
        and trace.kernel(s.start + 1) == trace.kernel(1)
        for s in trace.segments
    )


def work(drawn: np.ndarray, index: np.ndarray, d: int) -> int:
    """Multiplications to find the moves, at most: a kernel column for whoever moves, added to all
    responses at each move; d are the entries of a row.
    """
    movers = np.unique(index)
    return np.union1d(movers, drawn).size * (movers.size * (d + EXPONENTIAL) + index.size)


def ends(index: np.ndarray, delta: np.ndarray, n: int, C: float) -> np.ndarray:
    """Where each move ends.

    >>> ends(np.array([0, 1, 0]), np.array([2.0, -0.5, -2.0]), 2, 2.0)
    array([2, 0, 1], dtype=uint8)
    """
    coef, out = [0.0] * n, np.zeros(index.size, np.uint8)
    for e, (i, change) in enumerate(zip(index.tolist(), delta.tolist(), strict=True)):
        coef[i] += change
        out[e] = AT_0 if coef[i] == 0.0 else AT_C if abs(coef[i]) == C else INSIDE
    return out


PART = Part(
    changes=columns,
    own=lambda name: name in SENT,
    fine=fine,
    averages=False,
    segment=lambda trace, params: {"k": 1},
)
