"""How the record of a solver travels: what each step looked at and changed, and which of its own
quantities go with that.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from svmviz.data.projection import Plane
from svmviz.maths.losses import SQUARE
from svmviz.player.wire.packing import cells, smallest
from svmviz.record.trace import Trace


def flat(trace: Trace, name: str) -> np.ndarray:
    """A column of all steps, one row behind the other."""
    return np.concatenate([getattr(s.record, name).ravel() for s in trace.segments])


def changes(trace: Trace, precise: type) -> dict[str, np.ndarray]:
    """The examples, and of those that each step drew the margins and by how much their coefficients
    were raised.
    """
    return cells(trace.problem.X) | {
        "drawn": smallest(flat(trace, "drawn")),
        "margin": flat(trace, "margin").astype(np.float32),
        "delta": flat(trace, "delta").astype(precise),
    }


def fine(trace: Trace) -> bool:
    """Whether every digit counts: alpha returns to exactly 0 or C, P to P*; or steps along squared
    residuals go far beyond, and come back.
    """
    return trace.solver.goal.dual or any(
        trace.solver.loss(s.params).kind == SQUARE for s in trace.segments
    )


@dataclass(frozen=True)
class Part:
    """As most travel, but for what a solver does otherwise."""

    changes: Callable[[Trace, type], dict[str, np.ndarray]] = changes
    own: Callable[[str], bool] = lambda name: (
        True
    )  # which of its own quantities travel; the others the player finds by itself
    look: Callable[[Trace, Plane], dict[str, np.ndarray]] = (
        lambda trace, plane: {}
    )  # what depends on the plane, too
    segment: Callable[[Trace, dict], dict[str, Any]] = (
        lambda trace, params: {}
    )  # what the header says of a segment besides
    fine: Callable[[Trace], bool] = fine
    averages: bool = True  # whether the objective of the averaged iterate is a curve of its own
