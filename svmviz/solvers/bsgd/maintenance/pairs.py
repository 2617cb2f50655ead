"""The pair that it costs least to merge, of all pairs of one side.

The paper merges the smallest vector with its best partner, O(B): a light vector loses little,
whoever its partner is. Two others may lose less, such as two examples that all but coincide.
Looking at all pairs takes B²/2 kernel values for every overflow, each computed anew: memory stays
O(B).
"""

import numpy as np

from svmviz.maths.kernels import RBF
from svmviz.maths.machine.jit import jit
from svmviz.maths.matrix import inner
from svmviz.solvers.bsgd.maintenance import merge, radial
from svmviz.solvers.bsgd.model import AGE, EVALS, REACH, SIZES, SQUARE, USED


@jit
def lighter(sizes, age, i, j):
    """Which of two counts as the lighter one: of equals the older"""
    if abs(sizes[i] - sizes[j]) <= merge.EQUAL * max(sizes[i], sizes[j]):
        return age[i] < age[j]
    return sizes[i] < sizes[j]


@jit
def closest(model, kernel, table):
    """m, the lighter one, n, h and what is lost, or -1 where no two are on one side; leaves L in
    its place for n
    """
    V, A, x, figures, b = model.V, model.A, model.x, model.figures, model.count[USED]
    sizes, reach, age = figures[SIZES], figures[REACH], model.facts[AGE]
    m, n, h, least, L = -1, -1, 0.0, np.inf, 0.0
    rule_out = kernel.kind == RBF and table.size > 0
    for i in range(b):
        sizes[i] = inner(A[i], A[i])
        for f in range(x.size):
            x[f] = V[f, i]
        radial.reaches(kernel, V, figures[SQUARE], i, x, model.at, reach)
        for j in range(i):
            D = inner(A[i], A[j])
            if D <= 0.0:
                continue
            light, heavy = (i, j) if lighter(sizes, age, i, j) else (j, i)
            a, c = sizes[light], sizes[heavy]
            if (
                rule_out
                and (1.0 - merge.SLACK) * a * merge.at_least(table, a, D, c, reach[j]) >= least
            ):
                continue
            here = radial.best(kernel.kind, a, D, c, reach[j], rule_out)
            loss = radial.lost(kernel.kind, a, D, c, reach[j], here, kernel.plus)
            if loss < least:
                m, n, h, least, L = light, heavy, here, loss, reach[j]
    model.count[EVALS] += b * (b - 1) // 2
    if n < 0:
        return m, n, h, least
    reach[n] = L
    return m, n, merge.own_side(sizes[m], sizes[n], h), least
