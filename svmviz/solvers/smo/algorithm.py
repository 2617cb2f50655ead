"""Sequential minimal optimisation: the smallest set of dual coefficients that can move, chosen by
what the move gains.

    D(alpha) = λ (Σ alpha_i - 1/2 |w|²),   w = Σ alpha_i y_i phi(x_i),   0 <= alpha_i <= C = 1/(λ
    n),

and Σ alpha_i y_i = 0 if there is a bias b. Platt: "Fast training of support vector machines using
sequential minimal optimization", 1998; Fan, Chen, Lin: "Working set selection using second order
information for training support vector machines", JMLR 6 (2005), WSS 2; a rival of the stochastic
batch perceptron (Section 4.3).

In terms of coef = y alpha, which lies between 0 and y C, the gradient of D / λ is  g = y - f  with
f = Σ coef_j K(x_j, .): what can rise asks for b >= g, what can fall for b <= g. With a bias a pair
moves, one up and one down by as much: i with the largest g that can rise, and the j that can fall
with the largest (g_i - g_j)² / (K_ii + K_jj - 2 K_ij). Without one a single coefficient moves, the
one whose exact step within its box gains most. b is the middle of what all ask for. Responses are
kept for every example: a step evaluates the kernel columns of what it moves, n values each, and
none is remembered; K(x_i, x_i) is computed once and not counted. Chance has no part in it. Nothing
moves once no g differs by more than `TOLERANCE`.
"""

from typing import Any, NamedTuple

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.maths.machine.jit import bare, jit
from svmviz.record.changes import each
from svmviz.record.outcome import Record, columns
from svmviz.solvers.sdca.algorithm import ROUNDING, shrunk
from svmviz.solvers.smo.story import WHY, lines

TOLERANCE = 1e-10  # with λ n C = 1 the duality gap is no larger
FLAT = 1e-12  # curvature of a direction that has none


@bare
def ends(coef, lo, hi, g):
    """The largest g that can rise and where, the smallest that can fall and where: b should lie
    between them
    """
    i, j = -1, -1
    for k in range(g.size):
        if coef[k] < hi[k] and (i < 0 or g[k] > g[i]):
            i = k
        if coef[k] > lo[k] and (j < 0 or g[k] < g[j]):
            j = k
    return i, j


@bare
def middle(g, i, j):
    if i < 0 or j < 0:  # a single class has but one end
        return g[max(i, j)]
    return 0.5 * (g[i] + g[j])


@bare
def partner(coef, lo, g, K_i, diagonal, i):
    """The j that can fall with the largest second-order gain, and the curvature along the pair"""
    j, best, kappa = -1, 0.0, FLAT
    for k in range(g.size):
        if coef[k] > lo[k] and g[k] < g[i]:
            curvature = max(diagonal[i] + diagonal[k] - 2.0 * K_i[k], FLAT)
            gain = (g[i] - g[k]) ** 2 / curvature
            if gain > best:
                j, best, kappa = k, gain, curvature
    return j, kappa


@bare
def single(coef, lo, hi, g, diagonal):
    """The coefficient whose exact step within its box gains most, and the step"""
    i, best, move = 0, 0.0, 0.0
    for k in range(g.size):
        t = g[k] / max(diagonal[k], FLAT)
        t = min(max(t, lo[k] - coef[k]), hi[k] - coef[k])
        gain = t * (g[k] - 0.5 * t * diagonal[k])
        if gain > best:
            i, best, move = k, gain, t
    return i, move if abs(g[i]) > TOLERANCE else 0.0


@bare
def landed(coef, lo, hi):
    """The end of the box for what is there but for rounding, which would leave room for a step that
    moves nothing
    """
    near = ROUNDING * (hi - lo)
    return hi if hi - coef <= near else lo if coef - lo <= near else coef


class Steps(NamedTuple):
    """What each step leaves behind, of both of the pair where there is a bias."""

    index: np.ndarray  # (steps, 1 or 2) who moves
    margin: np.ndarray  # (steps, 1 or 2) responses before
    delta: np.ndarray  # (steps, 1 or 2)
    whole: np.ndarray  # (steps,) the step before the boxes
    b: np.ndarray  # (steps,)
    kernel_evals: np.ndarray  # (steps,)


@jit
def steps(rows, kernel, bias, lo, hi, coef, f, g, diagonal, out):
    """All iterations on the examples of `rows`"""
    n, index, margin, delta, whole = g.size, out.index, out.margin, out.delta, out.whole
    K_i, K_j = np.empty(n), np.empty(n)
    for s in range(index.shape[0]):
        evaluations = 0
        if bias:
            i, j = ends(coef, lo, hi, g)
            if i < 0 or j < 0 or g[i] - g[j] <= TOLERANCE:
                i, j, move = max(i, 0), max(j, 0), 0.0
                whole[s] = 0.0
            else:
                kernels.column(kernel, rows, i, K_i)
                j, kappa = partner(coef, lo, g, K_i, diagonal, i)
                kernels.column(kernel, rows, j, K_j)
                whole[s] = (g[i] - g[j]) / kappa
                move, evaluations = min(whole[s], min(hi[i] - coef[i], coef[j] - lo[j])), 2 * n
            index[s, 1], margin[s, 1] = j, f[j]
        else:
            i, move = single(coef, lo, hi, g, diagonal)
            whole[s] = g[i] / max(diagonal[i], FLAT)
            if move != 0.0:
                kernels.column(kernel, rows, i, K_i)
                evaluations = n
        index[s, 0], margin[s, 0], out.kernel_evals[s] = i, f[i], evaluations
        delta[s, 0] = move
        coef[i] = landed(coef[i] + move, lo[i], hi[i])
        if bias:
            delta[s, 1] = -move
            coef[j] = landed(coef[j] - move, lo[j], hi[j])
        if move != 0.0:
            for k in range(n):
                change = move * (K_i[k] - K_j[k]) if bias else move * K_i[k]
                f[k] += change
                g[k] -= change
        i, j = ends(coef, lo, hi, g)
        out.b[s] = middle(g, i, j) if bias else 0.0


def run(problem, params, order, start, active) -> tuple[Record, Any]:
    """Steps t + 1, t + 2, ... from where the segment begins; it chooses its examples itself."""
    kernel, bias, count = params["kernel"] or kernels.linear(), params["bias"], len(order)
    C = 1.0 / (params["lam"] * active.size)
    X, y = problem.X if active.size == problem.n else problem.X[active], problem.y[active]
    lo, hi, factor = np.minimum(0.0, y * C), np.maximum(0.0, y * C), np.ones(count)
    factor[0] = shrunk(problem, start.coef, active, C, bias)
    coef, rows = factor[0] * start.coef[active], matrix.rows(X)
    if (
        start.state is not None
        and factor[0] == 1.0
        and start.state[0] == kernel
        and np.array_equal(start.state[1], active)
    ):
        coef, f, g = (
            kept.copy() for kept in start.state[2]
        )  # after a step two g tie, and rounding decides
    else:
        f = kernels.responses(kernel, X, coef) + 0.0
        g = y - f
    for k in range(active.size):
        coef[k] = landed(coef[k], lo[k], hi[k])
    wide = (count, 2 if bias else 1)
    out = columns(
        Steps,
        count,
        whole=("kernel_evals",),
        index=np.empty(wide, np.int64),
        margin=np.empty(wide),
        delta=np.empty(wide),
    )
    steps(rows, kernel, bias, lo, hi, coef, f, g, kernels.diagonal(kernel, rows), out)

    moved, met = out.delta[:, 0] != 0.0, np.abs(out.delta[:, 0]) < np.abs(out.whole) * (1 - 1e-12)
    if bias:
        why = WHY.pair | np.where(met, WHY.stopped, WHY.agree)
    else:
        why = WHY.single | np.where(met, WHY.to_end, WHY.to_one)
    why = np.where(moved, why, WHY.optimal) | np.where(factor < 1.0, WHY.shrunk, 0)
    entries = X.nnz if hasattr(X, "nnz") else X.size
    drawn = active[out.index]
    return Record(
        drawn,
        y[out.index] * out.margin + 0.0,
        each(factor, drawn, out.delta),
        lines(params).ran(count, clip=moved, add=moved, lift=moved),
        why,
        out.kernel_evals,
        out.kernel_evals // active.size * entries,
        {"b": out.b},
    ), (kernel, active, (coef, f, g))


def draw(active, params, chance, start, stop, given) -> np.ndarray:
    """Nothing: it chooses its examples itself."""
    return np.zeros((stop - start, 1))
