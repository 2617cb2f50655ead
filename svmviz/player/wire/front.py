"""The Pareto front of norm against loss that λ or ν choose from, and the way of a run down to
it.
"""

import numpy as np

from svmviz.maths.losses import HINGE
from svmviz.record.trace import Trace
from svmviz.theory import pareto
from svmviz.work import limits

FRONT_UP_TO = 600  # examples, for the same reason: a front is 25 optima


def has_front(trace: Trace) -> bool:
    """Whether norm against hinge loss of one w is what this solver trades, on data of a size that a
    page can wait for.
    """
    trades, hinge = (
        {"lam", "nu"} & set(trace.params()),
        trace.solver.loss(trace.params()).kind == HINGE,
    )
    return (
        bool(trades)
        and hinge
        and trace.scores == 1
        and trace.solver.space.features is None
        and trace.problem.n <= FRONT_UP_TO
    )


def front(trace: Trace) -> dict:
    """The Pareto front of the last parameters, and the way of the run down to it since they hold;
    sent only to whoever looks at it.
    """
    segment, found = trace.segments[-1], trace.metrics
    problem, params = trace.problem, segment.params
    if len(segment.active) < problem.n:
        problem = problem._replace(X=problem.X[segment.active], y=problem.y[segment.active])
    bias, own = params.get("bias", False), trace.solver.optimum(problem, params)
    if limits.struck():  # not exact
        own = None
    points = [p for p in pareto.front(problem, trace.kernel(trace.steps), bias) if p.norm > 0]
    times = np.unique(np.geomspace(1, trace.steps, 200).astype(int))
    times = times[times > segment.start]
    iterates = {"last": ""} | ({"average": "_average"} if "norm_average" in found else {})
    if "nu" in params:  # a slack-constrained w counts once it is divided by its level
        path = {
            name: [
                [norm / level, params["nu"] / level] if level > 0 else None
                for norm, level in zip(
                    found[f"norm{which}"][times].tolist(),
                    found[f"level{which}"][times].tolist(),
                    strict=True,
                )
            ]
            for name, which in iterates.items()
        }
        target = [own.norm / own.level, params["nu"] / own.level] if own and own.level > 0 else None
    else:
        path = {
            name: np.c_[found[f"norm{which}"][times], found[f"hinge{which}"][times]].tolist()
            for name, which in iterates.items()
        }
        target = own and [own.norm, own.hinge]
    return {
        **{name: [getattr(p, name) for p in points] for name in ("lam", "nu", "norm", "hinge")},
        "own": target,
        "cut": limits.struck(),
        "path": path,
    }
