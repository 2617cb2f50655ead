"""Rivals that travel with a run, for the player: error, vectors, cost of a step and E-bar of each,
at a few hundred steps.
"""

import numpy as np

from svmviz.player.wire.part import Part
from svmviz.run.rivals import Rivals, spread

FOUND = (
    "p",
    "share",
    "eta",
    "clipped",
    "cells",
    "cells_pegasos",
    "value_average",
)  # by the player itself, from what it draws
PART = Part(own=lambda name: name not in FOUND)
KEPT = 160  # steps of the run, see `spread`
SCALARS = ("n_sv", "E_bar")


def beside(found: Rivals | None, steps: int) -> tuple[dict | None, dict[str, np.ndarray]]:
    """What the header says of those that travel with a run, and their arrays."""
    if found is None:
        return None, {}
    times = spread(steps, KEPT)
    arrays = {"rival_times": times.astype(np.uint32)} if found.runs else {}
    for k, (label, other) in enumerate(found.runs.items()):
        shown = {"error": found.errors[label], "kernel_step": other.column("kernel_evals")} | {
            name: other.scalars[name] for name in SCALARS if name in other.scalars
        }
        arrays |= {
            f"rival_{k}_{name}": values[times].astype(np.float32) for name, values in shown.items()
        }
    return {"own": found.own, "left_out": found.left_out, "labels": list(found.runs)}, arrays
