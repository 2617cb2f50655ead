"""What travels of a run whose support vectors are rows of a growing table (`table`), beside what `wire` sends of every run.

* `created`: coordinates of the rows after the examples, M x d, in order; `created_points` on the plane, where that is not the
  data themselves. `parents`: M x 2, row + 1 of what each was made of: two rows that were merged, or one of which it is
  a second copy, and 0.
* `changed`: how many changes step t makes, for t = 0 .. T; then, for all steps one after the other, `rows` (in the table),
  `deltas` (as many numbers as there are scores, row by row) and `moves`: 0 a coefficient is raised, 1 the row becomes a support
  vector and starts from 0, 2 it ceases to be one: the coefficients then become exactly 0, whatever rounding says. A step first
  multiplies all coefficients by 1 - shrink.
* Of the steps in which the budget mattered: `event_step`, `event_kind` (place in `budget.EVENTS`), `event_m`, `event_n`,
  `event_z` (row + 1, 0: none), `event_h`, `event_loss` (|Delta|²) and `event_E`.
* `n_sv`, and with a score per class `rival` (class + 1).
"""

import numpy as np

from svmviz import budget, planes, table
from svmviz.player.packing import exact, smallest, thinned

FULL = 50_000  # coordinates that travel with all their digits


def describe(trace) -> dict:
    """Classes of the problem, decision values of a point (one, or one per class), and names of the kinds of events."""
    return {"classes": trace.problem.classes, "scores": trace.segments[0].columns.delta.shape[2], "events": budget.EVENTS}


def columns(trace, plane: planes.Plane) -> dict[str, np.ndarray]:
    own, parents = trace.scalars, np.concatenate([s.columns.parents for s in trace.segments])
    made = trace.created if trace.created.size <= FULL else trace.created.astype(np.float32)
    out = changes(trace) | events(own) | {"created": exact(made), "parents": smallest(parents.ravel() + 1),
                                          "n_sv": smallest(own["n_sv"].astype(np.int64))}
    if plane.arrays(trace.problem):
        out["created_points"] = plane.project(trace.created).astype(np.float32).ravel()
    if (own["rival"] >= 0).any():
        out["rival"] = smallest(own["rival"].astype(np.int64) + 1)
    for name in ("pull", "phi"):
        if (own[name] != 1.0).any():
            out |= thinned(name, own[name])
    return out


def changes(trace) -> dict[str, np.ndarray]:
    """Rows, deltas and moves of every step, without the places that no change filled."""
    index = [s.columns.index for s in trace.segments]
    counts = np.concatenate([[0], *((i >= 0).sum(axis=1) for i in index)])
    rows = np.concatenate([i[i >= 0] for i in index])
    deltas = np.concatenate([s.columns.delta[s.columns.index >= 0] for s in trace.segments])
    moves = np.concatenate([m[i >= 0] for m, i in zip(table.moves(trace), index, strict=True)])
    return {"changed": smallest(counts), "rows": smallest(rows), "deltas": deltas.astype(np.float32).ravel(), "moves": moves}


def events(own) -> dict[str, np.ndarray]:
    steps = np.flatnonzero((own["event"] > 0) & (own["event"] != budget.EVENTS.index("frozen")))
    out = {"event_step": smallest(steps), "event_kind": own["event"][steps].astype(np.uint8)}
    out |= {f"event_{name}": smallest(own[name][steps].astype(np.int64) + 1) for name in "mnz"}
    for name, key in (("h", "h"), ("loss", "degradation"), ("E", "E")):
        out[f"event_{name}"] = own[key][steps].astype(np.float32)
    return out
