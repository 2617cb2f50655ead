"""The companions of a run, for the player: error, vectors, cost of a step and E-bar, at a few hundred steps."""

import numpy as np

from svmviz.record import metrics
from svmviz.record.trace import Trace
from svmviz.run import companions

KEPT = 160  # steps evenly over the run, and as many evenly over its logarithm
SCALARS = ("n_sv", "E_bar")


def pack(trace: Trace, test) -> tuple[dict | None, dict[str, np.ndarray]]:
    """What the header says of them, and their arrays; the error is that on `test` where there is one."""
    own = companions.own_label(trace)
    if not own:
        return None, {}
    missing = companions.left_out(trace, (test or trace.problem).n)
    others = {} if missing else companions.runs(trace)
    times = np.unique(np.concatenate([np.linspace(1, trace.steps, KEPT), np.geomspace(1, trace.steps, KEPT)]).astype(int))
    arrays = {"companion_times": times.astype(np.uint32)} if others else {}
    for k, other in enumerate(others.values()):
        error = other.metrics["error"] if test is None else metrics.error_on(other, test)
        shown = {"error": error, "kernel_step": other.column("kernel_evals")} | {
            name: other.scalars[name] for name in SCALARS if name in other.scalars}
        arrays |= {f"companion_{k}_{name}": values[times].astype(np.float32) for name, values in shown.items()}
    return {"own": own, "left_out": missing, "labels": list(others)}, arrays
