"""The dual of the regularised problem, one coordinate at a time: the best step along it, and what
coefficients are worth.

With K = K(x_i, x_i), C = 1/(λn) and a = alpha_i / C, n times the dual is along alpha_i, up to a
constant,

    -conjugate(a') - (a' - a) m - (a' - a)² C K/2.

For a loss of residuals the coefficient itself takes the place of alpha_i, and has either sign; m is
f - y then.
"""

from svmviz.maths.losses import HINGE, LOGISTIC, SQUARE, SQUARED, TUBE, conjugate, share, short
from svmviz.maths.machine.elementary import exp
from svmviz.maths.machine.jit import bare, jit

NEWTON = 60  # steps at most; about five are needed


@bare
def step(alpha, margin, K_ii, C):
    """The alpha in [0, C] that maximises the dual of the hinge along it"""
    if K_ii <= 0.0:
        return C
    return min(max(alpha + (1.0 - margin) / K_ii, 0.0), C)


@bare
def coordinate(loss, alpha, margin, K_ii, C):
    """The alpha that maximises the dual of any loss along it"""
    if loss.kind == HINGE:
        return step(alpha, margin, K_ii, C)
    if loss.kind == LOGISTIC:
        return C * top_of_logistic(alpha / C, margin, C * K_ii)
    if loss.kind == TUBE:
        return into_the_tube(alpha, margin, loss.s, K_ii, C)
    if loss.kind == SQUARE:
        return alpha - (margin + alpha / C) / (K_ii + 1.0 / C)
    bend = 0.5 if loss.kind == SQUARED else loss.s  # the conjugate is bend/2 a² - a
    best = max(alpha + (1.0 - margin - bend * alpha / C) / (K_ii + bend / C), 0.0)
    return best if loss.kind == SQUARED else min(best, C)


@bare
def into_the_tube(coef, residual, epsilon, K_ii, C):
    """The coefficient in [-C, C] that maximises the dual along it: it takes the residual to the
    near rim of the tube, and is 0 where the residual is within without it
    """
    without = residual - coef * K_ii
    if abs(without) <= epsilon:
        return 0.0
    far = (abs(without) - epsilon) / K_ii if K_ii > 0.0 else C
    return -min(far, C) if without > 0.0 else min(far, C)


@bare
def top_of_logistic(a, margin, K):
    """The share at which log((1 - a')/a') = m + (a' - a) K: in z = log(a'/(1 - a')), where Newton's
    method on z + m + (a' - a) K = 0 has a slope of at least 1 and a bracket that it never leaves
    """
    low, high = -margin - (1.0 - a) * K, -margin + a * K
    z = 0.5 * (low + high)
    for _ in range(NEWTON):
        e = exp(-abs(z))
        new = 1.0 / (1.0 + e) if z >= 0.0 else e / (1.0 + e)
        rest = z + margin + (new - a) * K
        if rest > 0.0:
            high = z
        else:
            low = z
        move = rest / (1.0 + K * e / ((1.0 + e) * (1.0 + e)))
        if abs(move) <= 1e-15 * abs(z):
            break
        z = z - move if low < z - move < high else 0.5 * (low + high)
    e = exp(-abs(z))
    return 1.0 / (1.0 + e) if z >= 0.0 else e / (1.0 + e)


@bare
def conjugate_of(loss, C, y, coef):
    """conjugate(alpha / C) of a coefficient y alpha; less y a where the loss is of residuals"""
    if loss.kind >= TUBE:
        return conjugate(loss, share(loss, coef, C)) - y * coef / C
    return conjugate(loss, share(loss, abs(coef), C))


@bare
def conjugate_sum(loss, C, y, rows, coef):
    """Σ conjugate(alpha_i / C) of the coefficients of these rows"""
    total = 0.0
    for j in range(coef.size):
        total += conjugate_of(loss, C, y[rows[j]] if coef[j] != 0.0 else 1.0, coef[j])
    return total


@jit
def objectives(y, C, queue, seen, coef, f):
    """P_t and D_t of coefficients with responses f on the first examples of the queue, for the
    hinge
    """
    norm2, hinge, total = 0.0, 0.0, 0.0
    for p in range(seen):
        i = queue[p]
        norm2 += coef[i] * f[i]
        total += y[i] * coef[i]
        hinge += short(y[i] * f[i])
    return 0.5 * norm2 + C * hinge, total - 0.5 * norm2
