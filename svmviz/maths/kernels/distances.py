"""How far one dense row is from many others, |x - z|² or |x - z|_1, for radial kernels: features
are added in their order, so that the digits are the same whichever way is taken. And the one radial
kernel that needs no exponential.
"""

import math

from svmviz.maths.machine.jit import bare, loop

# features of rows that are compared feature by feature, though these do not stand side by side
NARROW = 3


@loop
def by_feature(squared, x, features, first, out):
    """From x to z_j for as many j from the first on as there is room for; `features` has a row for
    each feature, so that many j go at a time
    """
    for j in range(out.size):
        out[j] = 0.0
    for f in range(features.shape[0]):
        a, z = x[f], features[f, first:]
        if squared:
            for j in range(out.size):
                out[j] += (a - z[j]) ** 2
        else:
            for j in range(out.size):
                out[j] += abs(a - z[j])


@bare
def by_row(squared, X, i, Z, out):
    """From x_i to z_j for every j"""
    if X.shape[1] <= NARROW:
        by_feature(squared, X[i], Z.T, 0, out)
        return
    for j in range(out.size):
        apart = 0.0
        for f in range(X.shape[1]):
            apart += (X[i, f] - Z[j, f]) ** 2 if squared else abs(X[i, f] - Z[j, f])
        out[j] = apart


@bare
def inverse_root(y):
    """1 / sqrt(1 + y), in steps that every processor, and every browser, rounds alike"""
    return 1.0 / math.sqrt(1.0 + y)


@loop
def inverse_roots(v, b, gamma):
    """v_j ← 1 / sqrt(1 + gamma v_j) for the first b, all >= 0"""
    for j in range(b):
        v[j] = 1.0 / math.sqrt(1.0 + gamma * v[j])
