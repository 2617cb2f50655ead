"""What a lesson may speak of: quantities of a run at a moment, by name. The player finds the same
(web/lesson/facts.js).
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from svmviz.maths import losses
from svmviz.record.trace import Trace


def facts(
    trace: Trace, t: int, optimum: Mapping[str, Any] | None = None, before: bool = False
) -> dict[str, Any]:
    """After step t, as the iterate that the parameters name sees it; where names clash, what the
    sentences say counts. `before` it is changed: step t is known, the state is the one that it
    finds.
    """
    segment, solver = trace.segment(t), trace.solver
    params, rows, y = segment.params, segment.active, trace.problem.y
    out: dict[str, Any] = {
        "T": trace.steps,
        "d": trace.problem.d,
        "n": len(rows),
        "points": len(rows),
    }
    out |= {name: value for name, value in params.items() if isinstance(value, (int, float, str))}
    if params.get("kernel") is not None:
        out["width"] = params["kernel"].gamma
    shown = t - before
    out |= state(trace, shown, rows, y)
    if optimum:
        out |= {"optimum": optimum["value"], "gap": out["primal"] - optimum["value"]}
    out |= {name: column[t].item() for name, column in trace.scalars.items()}
    out |= solver.story.facts(trace, shown) | solver.story.values(trace, t)
    return out | {"t": t}


def state(trace: Trace, t: int, rows: np.ndarray, y: np.ndarray) -> dict[str, float]:
    """What every solver's state has."""
    params = trace.params(max(t, 1))
    iterate = params.get("iterate", "last")
    loss, lam = trace.solver.loss(params), trace.solver.goal.regularisation(params)
    coef = trace.coef(t)
    support = int(np.count_nonzero(coef if coef.ndim == 1 else coef.any(axis=1)))
    if trace.scores > 1:
        found = trace.metrics
        return {
            "wrong": round(float(found["error"][t]) * len(rows)),
            "error": float(found["error"][t]),
            "support": support,
            "hinge": float(found["hinge"][t]),
            "norm": float(found["norm"][t]),
            "primal": float(found["primal"][t]),
        }
    f = trace.f(t, trace.problem.X[rows])
    cost = np.array(
        [losses.value(loss, losses.standing(loss, *pair)) for pair in zip(y[rows], f, strict=True)]
    )
    wrong = sum(map(bool, (losses.off(loss, *pair) for pair in zip(y[rows], f, strict=True))))
    end = "_average" if iterate == "average" else ""
    norm = float(
        trace.metrics[f"norm{end}"][trace.random_iterate(t) if iterate == "random" and t else t]
    )
    return {
        "wrong": wrong,
        "error": wrong / len(rows),
        "paying": int(np.sum(cost > 0)),
        "hinge": math.fsum(cost) / len(rows),
        "norm": norm,
        "primal": lam / 2 * norm * norm + math.fsum(cost) / len(rows),
        "support": support,
    }
