"""Objective, loss, norm, error, support vectors and costs over a whole trace, for the last and the
averaged iterate.

All are arrays over t = 0..T in the conventions of `solver`. A point is predicted +1 where f >= 0,
so that w = 0 errs on the negative class. `primal` at t uses the λ in force at step t, 0 for a
solver that knows none; `primal_average` and its kin belong to the averaged iterate. `hinge` is the
mean loss, whichever the run has (`losses`). Of real targets the error is the share outside the
tube, and there are `rmse` and `mae`, too. A solver's own quantities stand beside them under their
own names.
"""

import csv
import io
from typing import NamedTuple

import numpy as np

from svmviz.data import constant
from svmviz.maths import kernels, matrix
from svmviz.maths.kernels import grams
from svmviz.maths.losses import HINGE, RIM
from svmviz.record.changes import BEFORE
from svmviz.record.measure import NAMES, OF_RESIDUALS, Judged, measure
from svmviz.record.replay import replay
from svmviz.record.responses import KEPT, Answers, Space, answer
from svmviz.record.slots import Slots


class Measured(NamedTuple):
    """What the iterates are worth on some points, after each step: `per_iterate`."""

    last: np.ndarray  # (T + 1, 4) or (T + 1, 6)
    average: np.ndarray  # the same, empty where none is kept
    n_sv: np.ndarray  # (T + 1,) coefficients that are not 0
    alphas: np.ndarray  # (T + 1,) Σ alpha_i, empty unless the solver works on the dual
    conjugates: np.ndarray  # (T + 1,) Σ conjugate(alpha_i / C), or empty


def per_iterate(solver) -> tuple[str, ...]:
    """The metrics that every iterate has."""
    return (*NAMES, *OF_RESIDUALS) if solver.space.real else NAMES


def measured(trace, test=None) -> Measured:
    """On the examples or, then without |w|, on others that no step saw."""
    points, own, count = trace.problem if test is None else test, trace.scalars, trace.steps + 1
    scores, everyone = trace.scores, np.arange(points.n)
    y = (points.y > 0).astype(np.float64) if scores > 1 and trace.problem.classes == 2 else points.y
    b = np.stack([own.get(name, np.zeros(count)) for name in ("b", "b_average")], axis=1)
    dual = count if test is None and trace.solver.goal.dual and "dual" not in own else 0
    many = len(per_iterate(trace.solver))
    out = Measured(
        np.empty((count, many)),
        np.empty((count if trace.mean else 0, many)),
        np.zeros(count, np.int64),
        *np.zeros((2, dual)),
    )
    slots, answers, kernel = trace.opened(trace.begun), None, None
    for start, params, record, active, _ in trace.segments:
        space, lam = (
            space_of(trace, start + 1, points.X, test is None),
            trace.solver.goal.regularisation(params),
        )
        loss, costs = trace.solver.loss(params), trace.solver.goal.costs(params, scores)
        who, where = (
            active if test is None else everyone,
            slice(start + 1, start + 1 + record.changes.steps),
        )
        if start == 0:
            for k, at in enumerate((out.last, out.average)[: 2 if trace.mean else 1]):
                measure(
                    y, who, lam, loss, costs, np.zeros((scores, points.n)), b[0, k], 0.0, 1.0, at[0]
                )
        if trace.made is None or trace.kernel(start + 1) != kernel:
            answers, kernel = (
                answers_of(trace, space, slots, points, start + 1, test is None),
                trace.kernel(start + 1),
            )
        judged = Judged(
            y,
            who,
            b[where],
            lam,
            loss,
            costs,
            test is None,
            out.last[where],
            out.average[where],
            out.n_sv[where],
            1.0 / (lam * who.size) if dual else 1.0,
            out.alphas[start : where.stop],
            out.conjugates[where],
        )
        mean = BEFORE if trace.mean is None else trace.solver.goal.averages(params)
        replay(space, trace.problem.n, slots, answers, judged, record.changes, mean, start)
    return out


def space_of(trace, t: int, Z, own: bool) -> Space:
    """Where step t is taken, with the points where responses are wanted: the examples themselves if
    these are its `own`.
    """
    X, kernel = (
        trace.problem.X if trace.made else trace.features(trace.problem.X, t),
        trace.kernel(t),
    )
    Z = X if own else trace.features(Z, t)
    if (
        trace.made is None and kernel.kind == kernels.LINEAR
    ):  # where w is a vector, the constant feature is one of its own
        c, kernel = constant.constant_of(trace.params(t)), kernels.linear()
        X, Z = constant.widened(X, c), constant.widened(Z, c)
    if own and trace.made is None:
        rows, kernel = grams.read(kernel, X, worth=2 * trace.steps >= trace.problem.n)
        return Space(rows, matrix.rows(trace.created), rows, kernel)
    rows = matrix.rows(X)
    return Space(rows, matrix.rows(trace.created), rows if own else matrix.rows(Z), kernel)


def answers_of(trace, space: Space, slots: Slots, points, t: int, own: bool) -> Answers:
    """w, or the responses of the points, for the state at hand."""
    room, scores, d = len(slots.row), slots.coef.shape[0], space.rows.X.shape[1]
    linear = trace.made is None and space.kernel.kind == kernels.LINEAR
    (w, w_total, w_mean), many = np.zeros((3, d if linear else 0)), 0 if linear else points.n
    there = kernels.in_place(space.kernel, space.points.X)  # nothing to compute, and so to keep
    kept = room if room * many <= KEPT and not there else 1
    out = Answers(
        w,
        w_total,
        w_mean,
        np.zeros((scores, points.n)),
        np.zeros(many if trace.mean else 0),
        np.empty((1, many)),
        np.empty(room),
        np.zeros((scores, room if trace.made and own else 0)),
        np.empty((kept, many)),
        np.full(kept, -1),
    )
    used = int(slots.used[0])
    if trace.made is None:
        answer(space, trace.problem.n, slots, out)
    elif used:
        V, coef = trace.vectors(t, slots.row[:used]), slots.coef[:, :used].T
        out.f[:] = kernels.responses(space.kernel, V, coef, points.X).T
        if own:
            out.g[:, :used] = kernels.responses(space.kernel, V, coef).T
    return out


def over(trace) -> dict[str, np.ndarray]:
    """All metrics of a trace, by name."""
    own, (last, average, n_sv, *sums) = trace.scalars, measured(trace)
    found = {name: last[:, c] for c, name in enumerate(per_iterate(trace.solver))}
    if trace.mean:
        found |= {
            f"{name}_average": average[:, c] for c, name in enumerate(per_iterate(trace.solver))
        } | {"n_sv": n_sv}
    found |= {**own} | costs(trace)  # a cost that the solver counts itself is summed up as well
    return found | dual(trace, found, *sums) if sums[0].size else found


def costs(trace) -> dict[str, np.ndarray]:
    """What the steps cost, summed up: kernel evaluations, features read, examples, inner products
    of d-dimensional vectors (a kernel value costs one, and so does a margin where w is a vector).
    """
    widths = [np.full(len(s.record.drawn), s.record.drawn.shape[1]) for s in trace.segments]
    inner = [
        s.record.kernel_evals if s.params.get("kernel") or s.record.kernel_evals.any() else width
        for s, width in zip(trace.segments, widths, strict=True)
    ]
    inner = (
        trace.scalars["inner_products"][1:]
        if "inner_products" in trace.scalars
        else np.concatenate(inner)
    )
    return {
        "kernel_evals": np.cumsum(trace.column("kernel_evals")),
        "features_read": np.cumsum(trace.column("features_read")),
        "examples": np.concatenate([[0], np.cumsum(np.concatenate(widths))]),
        "inner_products": np.concatenate([[0], np.cumsum(inner)]).astype(np.int64),
    }


def dual(trace, found, alphas: np.ndarray, conjugates: np.ndarray) -> dict[str, np.ndarray]:
    """D(alpha) and the duality gap of the last iterate; for the hinge D = λ (Σ alpha_i - 1/2
    |w|²).
    """
    value = np.zeros(trace.steps + 1)
    for start, params, record, active, _ in trace.segments:
        where, lam = slice(start + 1, start + 1 + record.changes.steps), params["lam"]
        half = found["norm"][where] ** 2 / 2
        if trace.solver.loss(params).kind == HINGE:
            value[where] = lam * (alphas[where] - half)
        else:
            value[where] = -conjugates[where] / active.size - lam * half
    return {"dual": value, "gap": found["primal"] - value}


def error_on(trace, test, times=None, iterate: str | None = None) -> np.ndarray:
    """The share of the rows of `test` that are errors after each step of `times`, all steps by
    default: on the wrong side, or outside the tube.
    """
    times = range(trace.steps + 1) if times is None else times
    if trace.made:
        return measured(trace, test).last[np.asarray(times), 3]
    f = responses(trace, test.X, times, iterate)
    if trace.solver.space.real:
        widths = np.array([trace.solver.loss(trace.params(t)).s for t in times])
        return (
            np.abs(f - test.y) > widths[:, None] + RIM * (widths[:, None] + np.abs(test.y))
        ).mean(axis=1)
    return ((f >= 0.0) != (test.y > 0)).mean(axis=1)


def responses(trace, Z, times, iterate: str | None = None) -> np.ndarray:
    """(len(times), rows of Z) decision values; `times` must rise. Kernel values with Z are computed
    once per vector.
    """
    if trace.made:
        return np.array([trace.f(t, Z) for t in times])
    gram, out = None, np.empty((len(times), Z.shape[0]))
    for k, t in enumerate(times):
        coef, kernel = trace.coef(t, iterate), trace.kernel(t)
        X, seen = trace.features(trace.problem.X, t), trace.features(Z, t)
        if kernel.kind == kernels.LINEAR:
            out[k] = kernels.responses(kernel, X, coef, seen)
        else:
            if gram is None or gram[0] != kernel:
                gram = (
                    kernel,
                    np.empty((Z.shape[0], trace.problem.n)),
                    np.zeros(trace.problem.n, bool),
                )
            new = np.flatnonzero((coef != 0) & ~gram[2])
            if new.size:
                gram[1][:, new] = kernels.gram(kernel, Z, X[new])
                gram[2][new] = True
            used = np.flatnonzero(coef)
            out[k] = matrix.product(gram[1][:, used], coef[used])
        out[k] += trace.b(t, iterate)
    return out


def to_csv(trace) -> str:
    """The trace as a table: one row per step, the examples it looked at (from 1), their margins and
    every metric.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = list(trace.metrics)
    other = any(trace.solver.loss(s.params).kind != HINGE for s in trace.segments)
    writer.writerow(
        [
            "t",
            "drawn",
            "residual" if trace.solver.space.real else "margin",
            *(name.replace("hinge", "loss") if other else name for name in names),
        ]
    )
    margins = [[], *(row for s in trace.segments for row in s.record.margin.tolist())]
    for t in range(trace.steps + 1):
        drawn = [] if t == 0 else np.atleast_1d(trace.drawn[t]).tolist()
        writer.writerow(
            [
                t,
                " ".join(str(i + 1) for i in drawn),
                " ".join(map(repr, margins[t])),
                *(repr(trace.metrics[name][t].item()) for name in names),
            ]
        )
    return out.getvalue()
