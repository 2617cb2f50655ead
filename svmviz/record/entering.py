"""What a w is worth where a segment begins: the state after step t, seen with the parameters and
points of step t + 1.

A change falls between two steps. `metrics` at t belong to the step that was taken, under what was
in force then; here are the same quantities of the same w under what comes next. The stage shows
these once a step that a change follows is over, and a step that starts from them speaks of them
(`Trace.before`).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.maths.dual import conjugate_sum
from svmviz.maths.losses import HINGE
from svmviz.record import metrics
from svmviz.record.measure import measure


class Entry(NamedTuple):
    """A state as the segment that begins there sees it, for a solver to say what its own quantities
    are (`Solver.entered`).
    """

    coef: np.ndarray  # (n,)
    mean: np.ndarray  # (n,) the averaged iterate
    f: np.ndarray  # (n,) responses of coef under the new kernel, without a bias
    f_mean: np.ndarray  # (n,)
    own: Mapping[str, float]  # the solver's quantities after the step, under the old parameters
    factor: float  # what the next step multiplies all coefficients by first
    state: Any  # what the segment before handed on


def entered(trace, k: int, test=None) -> dict[str, float]:
    """The metrics of a trace where its segment k > 0 begins, with `error_test` on the rows of
    `test`.
    """
    start, params, record, active, _ = trace.segments[k]
    problem, kernel, solver = trace.problem, trace.kernel(start + 1), trace.solver
    loss, out = solver.loss(params), np.empty(len(metrics.per_iterate(solver)))
    frames = {"": trace.iterate(start, "last")} | (
        {"_average": trace.iterate(start, "average")} if trace.mean else {}
    )
    V, outputs = trace.vectors(start + 1, frames[""].row), frames[""].coef.shape[1]

    def judged(points, rows, f, b, norm2) -> list[float]:
        y = (points.y > 0).astype(np.float64) if outputs > 1 and problem.classes == 2 else points.y
        measure(
            y,
            rows,
            solver.goal.regularisation(params),
            loss,
            solver.goal.costs(params, outputs),
            f,
            b,
            norm2,
            1.0,
            out,
        )
        return out.tolist()

    X = trace.features(problem.X, start + 1)
    together = kernels.responses(
        kernel, V, np.concatenate([frame.coef for frame in frames.values()], axis=1), X
    ).T
    f = {
        end: np.ascontiguousarray(together[at * outputs : (at + 1) * outputs])
        for at, end in enumerate(frames)
    }
    own = {name: values[start] for name, values in trace.scalars.items()}
    if trace.mean:
        own |= solver.algorithm.entered(
            problem,
            params,
            active,
            Entry(
                frames[""].coef[:, 0],
                frames["_average"].coef[:, 0],
                f[""][0],
                f["_average"][0],
                own,
                float(record.factor[0]),
                trace.segments[k - 1].state,
            ),
        )
    found = {}
    for end, frame in frames.items():
        at = f[end] if trace.made is None else kernels.responses(kernel, V, frame.coef).T
        norm2 = max(0.0, matrix.inner(frame.coef.ravel(), np.ascontiguousarray(at.T).ravel()))
        values = judged(problem, active, f[end], own.get(f"b{end}", 0.0), norm2)
        found |= {
            f"{name}{end}": value
            for name, value in zip(metrics.per_iterate(solver), values, strict=True)
        }
    if (
        solver.goal.dual and "dual" not in own
    ):  # P of w as it is, D of what the box and the points allow of it
        scale, lam, coef = (
            float(record.factor[0]),
            params["lam"],
            np.ascontiguousarray(frames[""].coef[:, 0]),
        )
        if loss.kind == HINGE:
            found["dual"] = lam * (
                scale * matrix.inner(problem.y, coef) - (scale * found["norm"]) ** 2 / 2
            )
        else:
            total = conjugate_sum(
                loss, 1.0 / (lam * active.size), problem.y, frames[""].row, scale * coef
            )
            found["dual"] = -total / active.size - lam * (scale * found["norm"]) ** 2 / 2
        found["gap"] = found["primal"] - found["dual"]
    if test is not None:
        iterate = params.get("iterate", "last")
        scores = kernels.responses(
            kernel, V, trace.iterate(start, iterate).coef, trace.features(test.X, start + 1)
        ).T.copy()
        b = own.get("b_average" if iterate == "average" else "b", 0.0)
        found["error_test"] = judged(test, np.arange(test.n), scores, b, 0.0)[3]
    return found | own
