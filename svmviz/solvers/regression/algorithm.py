"""Pegasos for regression: stochastic sub-gradient descent on  P(w) = λ/2 |w|² + 1/n Σ loss(<w, x_i>
- y_i),  y real.

Shalev-Shwartz, Singer, Srebro, Cotter: "Pegasos", Mathematical Programming 127 (2011), Section 5,
Example 2. The loss is the ε-insensitive one, max(0, |r| - ε), of which the table there forgets the
absolute value, or r²/2. The steps are those of `pegasos`, where an example adds -η loss'(r) x: it
pulls f towards its target, and not at all where f is within the tube.

The ball that w* lies in is that of this loss (`theory.regression.radius`); the paper's 1/√λ may be
too small for it.
"""

import numpy as np

from svmviz.maths.losses import TUBE, loss_of
from svmviz.record.outcome import Record
from svmviz.solvers.pegasos.algorithm import walk
from svmviz.solvers.regression.story import WHY, lines, reach
from svmviz.theory import regression


def run(problem, params, order, start, active) -> tuple[Record, None]:
    """Steps t + 1, t + 2, ... from where the segment begins."""
    loss = loss_of(params)
    path = walk(problem, params, loss, reach(problem, params, active), order, start)
    tube, low = loss.kind == TUBE, path.margin[:, 0] < 0.0
    if order.shape[1] == 1:
        why = np.where(
            path.pays, np.where(low, WHY.low, WHY.high) if tube else WHY.by_size, WHY.inside
        )
    else:
        why = np.where(path.pays, WHY.some if tube else WHY.all_by_size, WHY.all_inside)
    why |= np.where(path.pull < 1.0, WHY.pulled, 0)
    return path.record(problem, order, start.t, lines(params), why), None


def optimum(problem, params):
    return regression.optimum(problem, params["lam"], params["kernel"], loss=loss_of(params))
