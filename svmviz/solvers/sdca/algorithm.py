"""Stochastic dual coordinate ascent: one example, one coefficient, the exact maximum of the dual
along it.

    D(alpha) = λ (Σ alpha_i - 1/2 |w|²),   w = Σ alpha_i y_i phi(x_i),   0 <= alpha_i <= C = 1/(λ
    n),

for the hinge, and with conjugates of alpha_i / C in place of alpha_i for any other loss (`losses`).

Hsieh, Chang, Lin, Keerthi, Sundararajan: "A dual coordinate descent method for large-scale linear
SVM", ICML 2008, Algorithm 1; a rival of the stochastic batch perceptron (Cotter, Shalev-Shwartz,
Srebro 2012, Section 4.4). Smooth losses: Shalev-Shwartz, Zhang: "Stochastic dual coordinate ascent
methods for regularized loss minimization", JMLR 14 (2013).

Along alpha_i the dual is a parabola with its top where the margin of example i is 1: the step goes
there, or to the end of the box on the way. A row with K(x, x) = 0 has no top: its alpha goes to C.
Without a kernel w is kept in R^d and a step costs O(d); with one the margin is summed up on demand,
one kernel evaluation per support vector, as kernelised Pegasos does it. To keep all responses
instead would cost n evaluations at every step that moves. K(x_i, x_i) is computed once and not
counted. The top along alpha_i is a formula for every loss but the logistic one, where Newton's
method finds it. The squared hinge has no box: its alpha_i have no upper end.
"""

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.maths.dual import coordinate
from svmviz.maths.kernels.weights import add, expansion, respond
from svmviz.maths.losses import HINGE, loss_of
from svmviz.maths.machine.jit import bare
from svmviz.record.changes import each
from svmviz.record.outcome import Record
from svmviz.solvers.sdca.story import WHY, lines

ROUNDING = 1e-12  # of C: a coefficient so close to the end of its box is there


@bare
def steps(at, y, C, loss, diagonal, order, margin, delta, old, kernel_evals, features):
    """All iterations, each written into its row of the columns"""
    for s in range(order.shape[0]):
        i = order[s, 0]
        f, kernel_evals[s] = respond(at, i)
        margin[s, 0], old[s] = y[i] * f + 0.0, abs(at.coef[i])  # a zero has no sign
        delta[s, 0] = y[i] * (coordinate(loss, old[s], margin[s, 0], diagonal[i], C) - old[s])
        features[s] = matrix.nonzeros(at.rows, i)
        add(at, i, delta[s, 0])


def shrunk(problem, coef, active, C, balanced=False) -> float:
    """What all coefficients must be multiplied by to be feasible: 1 as long as no change made the
    box smaller, 0 where a support vector was taken away or the classes do not balance although
    there is a bias now.
    """
    gone = np.ones(problem.n, bool)
    gone[active] = False
    if coef[gone].any() or (balanced and abs(coef.sum()) > 1e-9 * C):
        return 0.0
    room = C / max(np.abs(coef).max(), 1e-300)
    return room if room < 1.0 - ROUNDING else 1.0


def run(problem, params, order, start, active) -> tuple[Record, None]:
    """Steps t + 1, t + 2, ... from where the segment begins."""
    count, C, loss = len(order), 1.0 / (params["lam"] * active.size), loss_of(params)
    factor, top = np.ones(count), C * loss.steepest
    factor[0] = shrunk(problem, start.coef, active, top)
    at = expansion(problem.X, params["kernel"], factor[0] * start.coef)
    margin, delta, old = np.empty((count, 1)), np.empty((count, 1)), np.empty(count)
    kernel_evals, features = np.zeros(count, np.int64), np.zeros(count, np.int64)
    steps(
        at,
        problem.y,
        C,
        loss,
        kernels.diagonal(at.kernel, at.rows),
        order,
        margin,
        delta,
        old,
        kernel_evals,
        features,
    )

    i, moved = order[:, 0], delta[:, 0] != 0.0
    new, inside = old + problem.y[i] * delta[:, 0], WHY.inside if loss.kind == HINGE else WHY.to_top
    why = np.where(
        moved,
        np.where(new <= 0.0, WHY.to_0, np.where(new >= top, WHY.to_c, inside)),
        np.where(old <= 0.0, WHY.at_0, np.where(old >= top, WHY.at_c, inside)),
    )
    return (
        Record(
            order,
            margin,
            each(factor, order, delta),
            lines(params).ran(count, add=moved),
            why | np.where(factor < 1.0, WHY.shrunk, 0),
            kernel_evals,
            features,
        ),
        None,
    )
