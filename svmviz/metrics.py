"""Objective, loss, norm, error, support vectors and costs over a whole trace, for the last and the averaged iterate.

All are arrays over t = 0..T in the conventions of `core`. A point is predicted +1 where f >= 0, so that w = 0 errs on the
negative class. `primal` at t uses the λ in force at step t; `primal_average` and its kin belong to mean(w_1 .. w_t).
"""

import csv
import io

import numpy as np

from svmviz import matrix, parts
from svmviz.jit import jit

PER_ITERATE = ("primal", "hinge", "norm", "error")
CACHED_COLUMNS = 2048  # up to this many examples the kernel columns that were needed are kept (32 MB)


@jit
def measure(y, active, lam, f, norm2, scale, out):
    """P, mean hinge loss, |w| and error of responses `f * scale` of the active examples, squared norm `norm2 * scale²`"""
    hinge, wrong = 0.0, 0
    for i in active:
        value = scale * f[i]
        hinge += max(0.0, 1.0 - y[i] * value)
        wrong += (value >= 0.0) != (y[i] > 0.0)
    hinge /= active.size
    norm2 = max(0.0, norm2 * scale * scale)
    out[0] = 0.5 * lam * norm2 + hinge
    out[1] = hinge
    out[2] = np.sqrt(norm2)
    out[3] = wrong / active.size


@jit
def product(a, b):
    total = 0.0
    for j in range(a.size):
        total += a[j] * b[j]
    return total


@jit
def follow_linear(rows, y, active, lam, coef, total, factor, index, delta, start, last, average, n_sv):
    """Replay one segment with w in R^d; `coef` and `total` end where the segment ends"""
    n, d = y.size, rows.X.shape[1]
    w, w_total, f = np.zeros(d), np.zeros(d), np.empty(n)
    for j in range(n):
        if coef[j] != 0.0 or total[j] != 0.0:
            matrix.axpy(rows, j, coef[j], w)
            matrix.axpy(rows, j, total[j], w_total)
    for s in range(factor.size):
        w_total += w
        w *= factor[s]
        n_sv[s] = change(coef, total, factor[s], index[s], delta[s])
        for e in range(index.shape[1]):
            if index[s, e] >= 0 and delta[s, e] != 0.0:
                matrix.axpy(rows, index[s, e], delta[s, e], w)
        matrix.dots(rows, w, f)
        measure(y, active, lam, f, product(w, w), 1.0, last[s])
        matrix.dots(rows, w_total, f)
        measure(y, active, lam, f, product(w_total, w_total), 1.0 / (start + s + 1), average[s])


@jit
def follow_kernel(rows, y, active, lam, kernel, coef, total, factor, index, delta, start, last, average, n_sv):
    """Replay one segment on the responses f_i = Σ coef_j K(x_i, x_j)"""
    n = y.size
    kept = n if n <= CACHED_COLUMNS else 1
    columns, known = np.empty((kept, n)), np.full(kept, -1)
    f, f_total = np.zeros(n), np.zeros(n)
    for j in range(n):
        if coef[j] != 0.0 or total[j] != 0.0:
            column = fetch(rows, kernel, j, columns, known)
            f += coef[j] * column
            f_total += total[j] * column
    for s in range(factor.size):
        f_total += f
        f *= factor[s]
        n_sv[s] = change(coef, total, factor[s], index[s], delta[s])
        for e in range(index.shape[1]):
            if index[s, e] >= 0 and delta[s, e] != 0.0:
                column = fetch(rows, kernel, index[s, e], columns, known)
                for i in range(n):
                    f[i] += delta[s, e] * column[i]
        measure(y, active, lam, f, product(coef, f), 1.0, last[s])
        measure(y, active, lam, f_total, product(total, f_total), 1.0 / (start + s + 1), average[s])


@jit
def change(coef, total, factor, index, delta):
    """One step on the coefficients; returns how many are not zero"""
    for j in range(coef.size):
        total[j] += coef[j]
        coef[j] *= factor
    for e in range(index.size):
        if index[e] >= 0:
            coef[index[e]] += delta[e]
    count = 0
    for j in range(coef.size):
        count += coef[j] != 0.0
    return count


@jit
def fetch(rows, kernel, j, columns, known):
    """The column K(., x_j), computed once if there is room to keep it"""
    place = j if known.size > 1 else 0
    if known[place] != j:
        known[place] = j
        parts.column(kernel, rows, j, columns[place])
    return columns[place]


def over(trace) -> dict[str, np.ndarray]:
    """All metrics of a trace, by name."""
    problem, T = trace.problem, trace.steps
    rows, n = matrix.rows(problem.X), problem.n
    last, average, n_sv = np.empty((T + 1, 4)), np.empty((T + 1, 4)), np.zeros(T + 1, np.int64)
    first = trace.segments[0].params["lam"]
    for out in (last, average):
        measure(problem.y, trace.segments[0].active, first, np.zeros(n), 0.0, 1.0, out[0])
    coef, total = np.zeros(n), np.zeros(n)
    for start, params, columns, active in trace.segments:
        where = slice(start + 1, start + 1 + columns.factor.size)
        steps = (coef, total, columns.factor, columns.index, columns.delta, start, last[where], average[where], n_sv[where])
        kernel = params["kernel"]
        if kernel is None or kernel.kind == parts.LINEAR:
            follow_linear(rows, problem.y, active, params["lam"], *steps)
        else:
            follow_kernel(rows, problem.y, active, params["lam"], kernel, *steps)
    examples = np.concatenate([np.full(len(s.columns.drawn), s.columns.drawn.shape[1]) for s in trace.segments])
    return {
        **{name: last[:, c] for c, name in enumerate(PER_ITERATE)},
        **{f"{name}_average": average[:, c] for c, name in enumerate(PER_ITERATE)},
        "n_sv": n_sv,
        "kernel_evals": np.cumsum(trace.column("kernel_evals")),
        "features_read": np.cumsum(trace.column("features_read")),
        "examples": np.concatenate([[0], np.cumsum(examples)]),
    }


def to_csv(trace) -> str:
    """The trace as a table: one row per step, the examples it looked at (from 1) and every metric."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = list(trace.metrics)
    writer.writerow(["t", "drawn", "margin", "project", *names])
    project = trace.column("project", first=1.0)
    margins = [[], *(row for s in trace.segments for row in s.columns.margin.tolist())]
    for t in range(trace.steps + 1):
        drawn = [] if t == 0 else np.atleast_1d(trace.drawn[t]).tolist()
        writer.writerow([t, " ".join(str(i + 1) for i in drawn), " ".join(map(repr, margins[t])), repr(float(project[t])),
                         *(repr(trace.metrics[name][t].item()) for name in names)])
    return out.getvalue()
