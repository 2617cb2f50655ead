"""The live quantities of a step that every solver has, for the templates of a solver that names no
others.
"""

from typing import Any


def values(trace, t: int) -> dict[str, Any]:
    """The step, the example it drew, its margin, whether it `hits` w, |w| `before` and after, and
    what the solver counts.
    """
    segment = trace.segment(t)
    n = len(segment.active)
    if t == 0:
        return {"t": 0, "n": n}
    row, counted = t - segment.start - 1, {name: of[t].item() for name, of in trace.scalars.items()}
    i, norm = int(segment.record.drawn[row, 0]), trace.metrics["norm"]
    return {
        "t": t,
        "n": n,
        "i": i + 1,
        "label": "+1" if trace.problem.y[i] > 0 else "−1",
        "margin": float(segment.record.margin[row, 0]),
        "hits": int(segment.record.delta[row, 0] != 0),
        "before": float(norm[t - 1]),
        "norm": float(norm[t]),
        **counted,
    }
