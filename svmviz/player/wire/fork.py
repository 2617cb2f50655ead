"""The second of two runs, as bytes behind those of the first: where they part, in what they differ,
what both may be measured by, and the run itself, packed like any other.
"""

from typing import Any

import numpy as np

from svmviz.player.wire.run import encode, seal
from svmviz.record.trace import Trace
from svmviz.run.fork import Fork, worded
from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS

MEASURED = "hinge", "norm"  # what the stage of a single run has no curve of


def measured(trace: Trace) -> dict[str, np.ndarray]:
    """Loss and norm after each step, of the iterate that is shown."""
    found = {}
    for name in MEASURED:
        last = trace.metrics[name]
        found[name] = last.astype(np.float32)
        if (average := trace.metrics.get(f"{name}_average")) is not None:
            for segment in trace.segments:
                if segment.params.get("iterate") == "average":
                    found[name][segment.start + 1 :] = average[segment.start + 1 :]
                else:
                    found[name][segment.start + 1 :] = last[segment.start + 1 :]
    return found


def differences(recipe: Recipe, fork: Fork) -> list[dict[str, Any]]:
    """The parameters that differ from the fork on: what they are called and what they are worth, at
    the end where they change on the way, whether a value speaks for itself, and how many times as
    large that of B is.
    """
    params = {p.name: p for p in SOLVERS[recipe.solver].params}
    a, b, rows = recipe.current, fork.branch(recipe).current, []
    for name in fork.differing(recipe):
        param, pair = params[name], (a[name], b[name])
        numbers = all(
            isinstance(v, int | float) and not isinstance(v, bool) and v > 0 for v in pair
        )
        rows.append(
            {
                "name": param.title if param.is_kernel else param.symbol or param.title,
                "a": worded(param, pair[0]),
                "b": worded(param, pair[1]),
                "speaks": bool(param.options),
                "times": pair[1] / pair[0] if numbers else None,
            }
        )
    return rows


def beside(recipe: Recipe, fork: Fork, other: bytes, a: Trace, b: Trace) -> bytes:
    """The message; `other` is that of B, `a` and `b` are the traces."""
    arrays = {"run": np.frombuffer(other, np.uint8)}
    for name, trace in (("a", a), ("b", b)):
        arrays |= {f"{name}_{measure}": values for measure, values in measured(trace).items()}
    header = {
        "t": fork.t,
        "measures": fork.measures(recipe),
        "differences": differences(recipe, fork),
    }
    return encode(seal(header, arrays))
