"""The companions of a run, for the player: error, vectors, cost of a step and E-bar, at a few hundred steps."""

import numpy as np

from svmviz.run.companions import Companions

KEPT = 160  # steps evenly over the run, and as many evenly over its logarithm
SCALARS = ("n_sv", "E_bar")


def pack(found: Companions | None, steps: int) -> tuple[dict | None, dict[str, np.ndarray]]:
    """What the header says of them, and their arrays."""
    if found is None:
        return None, {}
    times = np.unique(np.concatenate([np.linspace(1, steps, KEPT), np.geomspace(1, steps, KEPT)]).astype(int))
    arrays = {"companion_times": times.astype(np.uint32)} if found.runs else {}
    for k, (label, other) in enumerate(found.runs.items()):
        shown = {"error": found.errors[label], "kernel_step": other.column("kernel_evals")} | {
            name: other.scalars[name] for name in SCALARS if name in other.scalars}
        arrays |= {f"companion_{k}_{name}": values[times].astype(np.float32) for name, values in shown.items()}
    return {"own": found.own, "left_out": found.left_out, "labels": list(found.runs)}, arrays
