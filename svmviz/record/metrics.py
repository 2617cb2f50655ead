"""Objective, loss, norm, error, support vectors and costs over a whole trace, for the last and the averaged iterate.

All are arrays over t = 0..T in the conventions of `solver`. A point is predicted +1 where f >= 0, so that w = 0 errs on the
negative class. `primal` at t uses the λ in force at step t, 0 for a solver that knows none; `primal_average` and its kin
belong to the averaged iterate. `hinge` is the mean loss, whichever the run has (`losses`). A solver's own quantities stand
beside them under their own names.
"""

import csv
import io

import numpy as np

from svmviz.maths import grams, kernels, matrix
from svmviz.maths.dual import conjugates
from svmviz.maths.jit import bare, jit
from svmviz.maths.losses import HINGE
from svmviz.maths.losses import value as loss_at
from svmviz.record import tablemetrics

PER_ITERATE = ("primal", "hinge", "norm", "error")
CACHED_COLUMNS = 2048  # up to this many examples the kernel columns that were needed are kept (32 MB)


@bare
def measure(y, active, lam, loss, f, b, norm2, scale, out):
    """P, mean loss, |w| and error of responses `f * scale + b` of the active examples, squared norm `norm2 * scale²`"""
    total, wrong = 0.0, 0
    for i in active:
        score = scale * f[i] + b
        total += loss_at(loss, y[i] * score)
        wrong += (score >= 0.0) != (y[i] > 0.0)
    write(lam, total / active.size, wrong / active.size, norm2 * scale * scale, out)


@bare
def measure_both(y, active, lam, loss, f, g, b, norms, scale, last, average):
    """`measure` of the last iterate, with responses f, and of the average, with `g * scale`, in one pass"""
    total, wrong, mean_total, mean_wrong = 0.0, 0, 0.0, 0
    for i in active:
        score, mean = f[i] + b[0], scale * g[i] + b[1]
        total += loss_at(loss, y[i] * score)
        mean_total += loss_at(loss, y[i] * mean)
        wrong += (score >= 0.0) != (y[i] > 0.0)
        mean_wrong += (mean >= 0.0) != (y[i] > 0.0)
    write(lam, total / active.size, wrong / active.size, norms[0], last)
    write(lam, mean_total / active.size, mean_wrong / active.size, norms[1] * scale * scale, average)


@bare
def write(lam, cost, error, norm2, out):
    norm2 = max(0.0, norm2)
    out[0] = 0.5 * lam * norm2 + cost
    out[1] = cost
    out[2] = np.sqrt(norm2)
    out[3] = error


@jit
def follow_linear(rows, y, active, lam, loss, coef, total, factor, index, delta, late, b, after, start, last, average, n_sv):
    """Replay one segment with w in R^d; `coef` and `total` end where the segment ends"""
    n, d = y.size, rows.X.shape[1]
    w, w_total, mean, f = np.zeros(d), np.zeros(d), np.empty(d), np.empty(n)
    for j in range(n):
        if coef[j] != 0.0 or total[j] != 0.0:
            matrix.axpy(rows, j, coef[j], w)
            matrix.axpy(rows, j, total[j], w_total)
    for s in range(factor.size):
        if not after:
            w_total += w
        w *= factor[s]
        n_sv[s] = change(coef, total, factor[s], index[s], delta[s], after)
        for e in range(index.shape[1]):
            if index[s, e] >= 0 and delta[s, e] != 0.0:
                matrix.axpy(rows, index[s, e], delta[s, e], w)
        if after:
            w_total += w
        matrix.dots(rows, w, f)
        measure(y, active, lam, loss, f, b[s, 0], matrix.inner(w, w), 1.0, last[s])
        if late.size > 0:  # the average of this step alone
            mean[:] = w
            for e in range(late.size):
                if late[e] * delta[s, e] != 0.0:
                    matrix.axpy(rows, index[s, e], -late[e] * delta[s, e], mean)
            matrix.dots(rows, mean, f)
            measure(y, active, lam, loss, f, b[s, 1], matrix.inner(mean, mean), 1.0, average[s])
            continue
        matrix.dots(rows, w_total, f)
        measure(y, active, lam, loss, f, b[s, 1], matrix.inner(w_total, w_total), 1.0 / (start + s + 1), average[s])


@jit
def follow_kernel(rows, y, active, lam, loss, kernel, coef, total, factor, index, delta, late, b, after, start, last, average,
                  n_sv):
    """Replay one segment on the responses f_i = Σ coef_j K(x_i, x_j)"""
    n = y.size
    kept = n if n <= CACHED_COLUMNS else 1
    columns, known = np.empty((kept, n)), np.full(kept, -1)
    f, f_total, mean, mean_f = np.zeros(n), np.zeros(n), np.empty(n), np.empty(n)
    for j in range(n):
        if coef[j] != 0.0 or total[j] != 0.0:
            column = fetch(rows, kernel, j, columns, known)
            f += coef[j] * column
            f_total += total[j] * column
    for s in range(factor.size):
        for i in range(n):
            if not after:
                f_total[i] += f[i]
            f[i] *= factor[s]
        n_sv[s] = change(coef, total, factor[s], index[s], delta[s], after)
        for e in range(index.shape[1]):
            if index[s, e] >= 0 and delta[s, e] != 0.0:
                column = fetch(rows, kernel, index[s, e], columns, known)
                for i in range(n):
                    f[i] += delta[s, e] * column[i]
        if late.size > 0:  # the average of this step alone
            measure(y, active, lam, loss, f, b[s, 0], matrix.inner(coef, f), 1.0, last[s])
            mean[:], mean_f[:] = coef, f
            for e in range(late.size):
                if late[e] * delta[s, e] != 0.0:
                    mean[index[s, e]] -= late[e] * delta[s, e]
                    column = fetch(rows, kernel, index[s, e], columns, known)
                    for i in range(n):
                        mean_f[i] -= late[e] * delta[s, e] * column[i]
            measure(y, active, lam, loss, mean_f, b[s, 1], matrix.inner(mean, mean_f), 1.0, average[s])
            continue
        norm2, total_norm2 = 0.0, 0.0
        for i in range(n):
            if after:
                f_total[i] += f[i]
            norm2 += coef[i] * f[i]
            total_norm2 += total[i] * f_total[i]
        measure_both(y, active, lam, loss, f, f_total, b[s], (norm2, total_norm2), 1.0 / (start + s + 1), last[s], average[s])


@bare
def change(coef, total, factor, index, delta, after):
    """One step on the coefficients, and on the sum of the iterates before or after it; returns how many are not zero"""
    for j in range(coef.size):
        if not after:
            total[j] += coef[j]
        coef[j] *= factor
    for e in range(index.size):
        if index[e] >= 0:
            coef[index[e]] += delta[e]
    count = 0
    for j in range(coef.size):
        count += coef[j] != 0.0
        if after:
            total[j] += coef[j]
    return count


@jit
def fetch(rows, kernel, j, columns, known):
    """The column K(., x_j), computed once if there is room to keep it"""
    place = j if known.size > 1 else 0
    if known[place] != j:
        known[place] = j
        kernels.column(kernel, rows, j, columns[place])
    return columns[place]


def over(trace) -> dict[str, np.ndarray]:
    """All metrics of a trace, by name."""
    problem, T, own = trace.problem, trace.steps, trace.scalars
    if trace.tabled:
        return dict(zip(PER_ITERATE, tablemetrics.measures(trace).T, strict=True)) | {**own} | costs(trace)
    last, average, n_sv = np.empty((T + 1, 4)), np.empty((T + 1, 4)), np.zeros(T + 1, np.int64)
    b = np.stack([own.get(name, np.zeros(T + 1)) for name in ("b", "b_average")], axis=1)
    (_, first, _, there), after = trace.segments[0], trace.solver.averages == "after"
    lam, loss = first.get("lam", 0.0), trace.solver.loss(first)
    for k, out in enumerate((last, average)):
        measure(problem.y, there, lam, loss, np.zeros(problem.n), b[0, k], 0.0, 1.0, out[0])
    coef, total = np.zeros(problem.n), np.zeros(problem.n)
    for start, params, columns, active in trace.segments:
        where, lam = slice(start + 1, start + 1 + columns.factor.size), params.get("lam", 0.0)
        loss = trace.solver.loss(params)
        X, kernel = trace.features(problem.X, start + 1), trace.kernel(start + 1)
        rows, kernel = grams.read(kernel, X, worth=2 * T >= problem.n)
        late = np.zeros(0) if columns.late is None else columns.late
        steps = (coef, total, columns.factor, columns.index, columns.delta, late, b[where], after, start, last[where],
                 average[where], n_sv[where])
        if kernel.kind == kernels.LINEAR:
            follow_linear(rows, problem.y, active, lam, loss, *steps)
        else:
            follow_kernel(rows, problem.y, active, lam, loss, kernel, *steps)
    found = {
        **{name: last[:, c] for c, name in enumerate(PER_ITERATE)},
        **{f"{name}_average": average[:, c] for c, name in enumerate(PER_ITERATE)},
        "n_sv": n_sv, **own, **costs(trace),  # a cost that the solver counts itself is summed up as well
    }
    return found | dual(trace, found) if trace.solver.dual and "dual" not in own else found


def costs(trace) -> dict[str, np.ndarray]:
    """What the steps cost, summed up: kernel evaluations, features read, examples, inner products of d-dimensional vectors
    (a kernel value costs one, and so does a margin where w is a vector)."""
    widths = [np.full(len(s.columns.drawn), s.columns.drawn.shape[1]) for s in trace.segments]
    inner = [s.columns.kernel_evals if s.params.get("kernel") or s.columns.kernel_evals.any() else width
             for s, width in zip(trace.segments, widths, strict=True)]
    inner = trace.scalars["inner_products"][1:] if "inner_products" in trace.scalars else np.concatenate(inner)
    return {
        "kernel_evals": np.cumsum(trace.column("kernel_evals")), "features_read": np.cumsum(trace.column("features_read")),
        "examples": np.concatenate([[0], np.cumsum(np.concatenate(widths))]),
        "inner_products": np.concatenate([[0], np.cumsum(inner)]).astype(np.int64),
    }


def dual(trace, found) -> dict[str, np.ndarray]:
    """D(alpha) and the duality gap of the last iterate; for the hinge D = λ (Σ alpha_i - 1/2 |w|²)."""
    y, total, worth = trace.problem.y, 0.0, [np.zeros(1)]
    for start, params, columns, active in trace.segments:
        totals, lam, loss = [], params["lam"], trace.solver.loss(params)
        gain = np.where(columns.index >= 0, y[columns.index] * columns.delta, 0.0).sum(axis=1)
        for factor, more in zip(columns.factor.tolist(), gain.tolist(), strict=True):
            total = factor * total + more
            totals.append(total)
        half = found["norm"][start + 1:start + 1 + len(totals)] ** 2 / 2
        if loss.kind == HINGE:
            worth.append(lam * (np.array(totals) - half))
        else:
            shares = conjugates(loss, 1.0 / (lam * active.size), trace.coef(start, "last"), columns.factor,
                                columns.index, columns.delta)
            worth.append(-shares / active.size - lam * half)
    value = np.concatenate(worth)
    return {"dual": value, "gap": found["primal"] - value}


def error_on(trace, test, times=None, iterate: str | None = None) -> np.ndarray:
    """The share of the rows of `test` on the wrong side after each step of `times`, all steps by default."""
    times = range(trace.steps + 1) if times is None else times
    if trace.tabled:
        return tablemetrics.measures(trace, test)[np.asarray(times), 3]
    f = responses(trace, test.X, times, iterate)
    return ((f >= 0.0) != (test.y > 0)).mean(axis=1)


def responses(trace, Z, times, iterate: str | None = None) -> np.ndarray:
    """(len(times), rows of Z) decision values; `times` must rise. Kernel values with Z are computed once per vector."""
    if trace.tabled:
        return np.array([trace.f(t, Z) for t in times])
    gram, out = None, np.empty((len(times), Z.shape[0]))
    for k, t in enumerate(times):
        coef, kernel = trace.coef(t, iterate), trace.kernel(t)
        X, seen = trace.features(trace.problem.X, t), trace.features(Z, t)
        if kernel.kind == kernels.LINEAR:
            out[k] = matrix.product(seen, matrix.combined(X, coef))
        else:
            if gram is None or gram[0] != kernel:
                gram = kernel, np.empty((Z.shape[0], trace.problem.n)), np.zeros(trace.problem.n, bool)
            new = np.flatnonzero((coef != 0) & ~gram[2])
            if new.size:
                gram[1][:, new] = kernels.gram(kernel, Z, X[new])
                gram[2][new] = True
            used = np.flatnonzero(coef)
            out[k] = matrix.product(gram[1][:, used], coef[used])
        out[k] += trace.b(t, iterate)
    return out


def to_csv(trace) -> str:
    """The trace as a table: one row per step, the examples it looked at (from 1), their margins and every metric."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = list(trace.metrics)
    writer.writerow(["t", "drawn", "margin", *names])
    margins = [[], *(row for s in trace.segments for row in s.columns.margin.tolist())]
    for t in range(trace.steps + 1):
        drawn = [] if t == 0 else np.atleast_1d(trace.drawn[t]).tolist()
        writer.writerow([t, " ".join(str(i + 1) for i in drawn), " ".join(map(repr, margins[t])),
                         *(repr(trace.metrics[name][t].item()) for name in names)])
    return out.getvalue()
