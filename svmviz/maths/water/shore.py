"""Who is under water, and which of them is drawn: the distribution of the Stochastic Batch
Perceptron.

Uniform over those under water (with a bias: over equally many of each class) is the p that makes
the best slack worth least, so it is also the exact dual answer that SIMBA only approaches.
"""

from svmviz.maths.machine.jit import jit
from svmviz.maths.water import level, level_with_bias


@jit
def pour(c, y, volume, bias, scratch):
    """The level, b, how many are under water (of each class, with a bias) and the highest ground
    under it, for +1 and -1
    """
    if bias:
        return level_with_bias(c, y, volume, scratch)
    gamma, k = level(c, volume, scratch), 0
    for i in range(c.size):
        k += c[i] <= gamma
    return gamma, 0.0, k, gamma, gamma


@jit
def drawn_from(c, y, bias, k, top_plus, top_minus, coin, u):
    """The example that two uniform numbers choose: any under water, or with a bias one of the k
    lowest of a class
    """
    sign = 0.0 if not bias else 1.0 if coin < 0.5 else -1.0
    top = top_plus if sign >= 0.0 else top_minus
    below = 0
    for i in range(c.size):
        below += (y[i] == sign or not bias) and c[i] < top
    wanted, level_with_top = (
        int(u * k),
        k - below,
    )  # of those that equal the top only as many as make k
    for i in range(c.size):
        if (y[i] == sign or not bias) and c[i] <= top:
            if c[i] == top:
                if level_with_top == 0:
                    continue
                level_with_top -= 1
            if wanted == 0:
                return i
            wanted -= 1
    return 0
