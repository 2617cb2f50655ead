"""What a w is worth where a segment begins: the state after step t, seen with the parameters and points of step t + 1.

A change falls between two steps. `metrics` at t belong to the step that was taken, under what was in force then; here are the
same quantities of the same w under what comes next. The stage shows these once a step that a change follows is over, and a
step that starts from them speaks of them (`Trace.before`).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from svmviz.maths import dual, kernels, losses, matrix
from svmviz.record import metrics, table, tablemetrics


class Entry(NamedTuple):
    """A state as the segment that begins there sees it, for a solver to say what its own quantities are (`Solver.entered`)."""

    coef: np.ndarray  # (n,)
    mean: np.ndarray  # (n,) the averaged iterate
    f: np.ndarray  # (n,) responses of coef under the new kernel, without a bias
    f_mean: np.ndarray  # (n,)
    own: Mapping[str, float]  # the solver's quantities after the step, under the old parameters
    factor: float  # what the next step multiplies all coefficients by first
    carry: Any  # what the segment before handed on


def entered(trace, k: int, test=None) -> dict[str, float]:
    """The metrics of a trace where its segment k > 0 begins, with `error_test` on the rows of `test`."""
    return with_table(trace, k, test) if trace.tabled else with_examples(trace, k, test)


def with_examples(trace, k: int, test) -> dict[str, float]:
    start, params, columns, active = trace.segments[k]
    problem, kernel, solver = trace.problem, trace.kernel(start + 1), trace.solver
    X = trace.features(problem.X, start + 1)
    coef, mean = trace.coef(start, "last"), trace.coef(start, "average")
    f, f_mean = np.ascontiguousarray(kernels.responses(kernel, X, np.stack([coef, mean], axis=1)).T)
    own = {name: values[start] for name, values in trace.scalars.items()}
    own |= solver.entered(problem, params, active, Entry(coef, mean, f, f_mean, own, float(columns.factor[0]),
                                                         trace.segments[k - 1].columns.carry))
    found, out, loss = {}, np.empty(4), solver.loss(params)
    for end, v, responses in (("", coef, f), ("_average", mean, f_mean)):
        norm2 = max(0.0, matrix.inner(v, responses))
        metrics.measure(problem.y, active, params.get("lam", 0.0), loss, responses, own.get(f"b{end}", 0.0), norm2, 1.0, out)
        found |= {f"{name}{end}": value for name, value in zip(metrics.PER_ITERATE, out.tolist(), strict=True)}
    if solver.dual and "dual" not in own:  # P of w as it is, D of what the box and the points allow of it
        scale, lam = float(columns.factor[0]), params["lam"]
        if loss.kind == losses.HINGE:
            found["dual"] = lam * (scale * matrix.inner(problem.y, coef) - (scale * found["norm"]) ** 2 / 2)
        else:
            total = dual.conjugate_sum(loss, 1.0 / (lam * active.size), scale * coef)
            found["dual"] = -total / active.size - lam * (scale * found["norm"]) ** 2 / 2
        found["gap"] = found["primal"] - found["dual"]
    if test is not None:
        which = {"average": "_average"}.get(params.get("iterate"), "")
        v = mean if which else trace.coef(start, params.get("iterate", "last"))
        scores = kernels.responses(kernel, X, v, trace.features(test.X, start + 1)) + own.get(f"b{which}", 0.0)
        found["error_test"] = float(((scores >= 0.0) != (test.y > 0)).mean())
    return found | own


def with_table(trace, k: int, test) -> dict[str, float]:
    start, params, _, active = trace.segments[k]
    kernel, problem, frame = trace.kernel(start + 1), trace.problem, trace.frame(start)
    vectors, outputs = table.coordinates(trace, frame.row), frame.coef.shape[1]

    def scores(Z) -> np.ndarray:
        return kernels.responses(kernel, vectors, frame.coef, Z).T.copy()

    def judged(points, rows, norm2) -> list[float]:
        y = (points.y > 0).astype(np.float64) if outputs > 1 and problem.classes == 2 else points.y
        lam = trace.solver.regularisation(params)
        tablemetrics.measure(scores(points.X), y, rows, lam, trace.solver.loss(params), norm2, out)
        return out.tolist()

    out = np.empty(4)
    norm2 = matrix.inner(frame.coef.ravel(), scores(vectors).T.ravel())
    found = dict(zip(metrics.PER_ITERATE, judged(problem, active, norm2), strict=True))
    if test is not None:
        found["error_test"] = judged(test, np.arange(test.n), 0.0)[3]
    return found | {name: values[start] for name, values in trace.scalars.items()}
