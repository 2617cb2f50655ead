"""The dual of the SVM problem, one coordinate at a time: the best step along it, and what coefficients are worth."""

from svmviz.maths.jit import bare, jit


@bare
def step(alpha, margin, K_ii, C):
    """The alpha in [0, C] that maximises the dual along it"""
    if K_ii <= 0.0:
        return C
    return min(max(alpha + (1.0 - margin) / K_ii, 0.0), C)


@jit
def objectives(y, C, queue, seen, coef, f):
    """P_t and D_t of coefficients with responses f on the first examples of the queue"""
    norm2, hinge, total = 0.0, 0.0, 0.0
    for p in range(seen):
        i = queue[p]
        norm2 += coef[i] * f[i]
        total += y[i] * coef[i]
        hinge += max(0.0, 1.0 - y[i] * f[i])
    return 0.5 * norm2 + C * hinge, total - 0.5 * norm2
