"""Runs with a table of vectors, for the player: the table, what each step changed in it, what the maintenance did.

A coefficient that a step brings to nothing travels as not-a-number: the player clears it, whereas a difference of float32
would leave a trace of a vector that is gone.
"""

import numpy as np

from svmviz import table
from svmviz.planes import dense
from svmviz.trace import Trace

MOST_SCORES = 2  # one per class of two can be drawn as their difference


def scores(trace: Trace) -> int:
    return trace.segments[0].columns.delta.shape[2]


def vectors(trace: Trace) -> np.ndarray:
    """(n + M, d) examples, then what was made on the way."""
    return np.vstack([dense(trace.problem.X), trace.created])


def changes(trace: Trace) -> dict[str, np.ndarray]:
    """How many coefficients each step changed (nothing at t = 0), which, and by how much."""
    if scores(trace) > MOST_SCORES:
        raise ValueError(f"the stage draws two classes, got {scores(trace)}")
    held, counts, rows, amounts = {}, [0], [], []
    for segment in trace.segments:
        columns = segment.columns
        delta = columns.delta[:, :, -1] - (columns.delta[:, :, 0] if columns.delta.shape[2] > 1 else 0.0)
        for factor, index, moved in zip(columns.factor.tolist(), columns.index.tolist(), delta.tolist(), strict=True):
            if factor == 0.0:
                held.clear()
            held = {row: factor * value for row, value in held.items()} if factor != 1.0 else held
            step, touched = {}, {}
            for place, (row, amount) in enumerate(zip(index, moved, strict=True)):
                if row >= 0:
                    held[row] = held.get(row, 0.0) + amount
                    touched[row] = touched.get(row, 0.0) + abs(amount)
                    told = row, place > 0  # what comes in is told by itself, though it may go again at once
                    step[told] = step.get(told, 0.0) + amount
            gone = {row for row, much in touched.items() if abs(held[row]) <= 1e-12 * much}
            for (row, later), amount in step.items():
                last = later or (row, True) not in step
                rows.append(row)
                amounts.append(np.nan if last and row in gone else amount)
            for row in gone:
                del held[row]
            counts.append(len(step))
    return {"changes": np.array(counts, np.uint16), "change_index": np.array(rows, np.uint32),
            "change_delta": np.array(amounts, np.float32)}


def events(trace: Trace) -> dict[str, np.ndarray]:
    """What the maintenance did: its kind for every step; where it did something, how much that changed w, and h."""
    own = trace.scalars
    happened = np.flatnonzero(own["event"])
    return {"event": own["event"].astype(np.uint8), "event_step": happened.astype(np.uint32),
            **{f"event_{name}": own[name][happened].astype(np.float32) for name in ("h", "degradation", "E")},
            **{f"event_{name}": own[name][happened].astype(np.int32) for name in ("m", "n", "z")},
            "n_sv": own["n_sv"].astype(np.uint16),
            "merged": table.mergings(trace, np.arange(trace.problem.n + len(trace.created))).astype(np.uint16)}
