"""The inverse of Q_SS, which grows by a row when somebody joins the margin set and shrinks when
somebody leaves, and what it says of the path: how fast everybody moves with the one that comes or
goes.
"""

import numpy as np

from svmviz.maths.machine.jit import bare
from svmviz.solvers.idsvm.box import MARGIN, N_MARGIN, REBUILT, add, add_with_sizes

FLAT = 1e-12  # of Q_cc: what is left of a vector that the margin vectors span
NOISE = 1e-14  # of the sizes of what is added up


@bare
def solve(box, right, out):
    """out = Q_SS^-1 right, refined against Q itself; returns by how much it was off at last"""
    Q, R, S, many, off = box.Q, box.R, box.margin, box.count[N_MARGIN], box.spare[1]
    for a in range(many):
        out[a], off[a] = 0.0, right[a]
    worst = 0.0
    for turn in range(3):
        for b in range(many):
            add(off[b], R[b], many, out)
        if turn == 2:
            break
        worst = 0.0
        for a in range(many):
            total, q = right[a], Q[S[a]]
            for b in range(many):
                total -= q[S[b]] * out[b]
            off[a] = total
            worst = max(worst, abs(total))
    return worst


@bare
def direction(box, c):
    """beta while alpha_c rises by 1; returns the gamma of c itself, 0 where the margin vectors span
    it
    """
    Q, S, many, right = box.Q, box.margin, box.count[N_MARGIN], box.spare[0]
    for turn in range(2):
        for a in range(many):
            right[a] = -Q[S[a], c]
        if solve(box, right, box.beta) <= 1e-9 * Q[c, c] or turn == 1:
            break
        rebuild(box)
    kappa, noise = Q[c, c], abs(Q[c, c])
    for a in range(many):
        kappa += Q[c, S[a]] * box.beta[a]
        noise += abs(Q[c, S[a]] * box.beta[a])
    return kappa if kappa > FLAT * Q[c, c] and kappa > NOISE * noise else 0.0


@bare
def slopes(box, c):
    """gamma of everybody outside the margin set; what is mere rounding is 0"""
    Q, gamma, sizes = box.Q, box.gamma, box.spare[2]
    for j in range(gamma.size):
        gamma[j], sizes[j] = Q[c, j], abs(Q[c, j])
    for a in range(box.count[N_MARGIN]):
        add_with_sizes(box.beta[a], Q[box.margin[a]], gamma.size, gamma, sizes)
    for j in range(gamma.size):
        if abs(gamma[j]) <= NOISE * sizes[j]:
            gamma[j] = 0.0


@bare
def rebuild(box):
    """The inverse from Q itself: Cholesky's factor, and its columns one by one"""
    Q, R, L, S, many = box.Q, box.R, box.L, box.margin, box.count[N_MARGIN]
    box.count[REBUILT] += 1
    for a in range(many):
        for b in range(a + 1):
            total = Q[S[a], S[b]]
            for k in range(b):
                total -= L[a, k] * L[b, k]
            L[a, b] = np.sqrt(max(total, NOISE * Q[S[a], S[a]])) if a == b else total / L[b, b]
    for b in range(many):
        for a in range(many):
            total = 1.0 if a == b else 0.0
            for k in range(a):
                total -= L[a, k] * R[k, b]
            R[a, b] = total / L[a, a]
        for a in range(many - 1, -1, -1):
            total = R[a, b]
            for k in range(a + 1, many):
                total -= L[k, a] * R[k, b]
            R[a, b] = total / L[a, a]


@bare
def join(box, c, kappa):
    """c becomes a margin vector; beta and kappa belong to it"""
    R, beta, many = box.R, box.beta, box.count[N_MARGIN]
    for a in range(many):
        add(beta[a] / kappa, beta, many, R[a])
        R[a, many] = R[many, a] = beta[a] / kappa
    R[many, many] = 1.0 / kappa
    box.margin[many], box.where[c], box.g[c] = c, MARGIN, 0.0
    box.count[N_MARGIN] = many + 1


@bare
def leave(box, a, to):
    """The margin vector at place a goes to another set; the last one takes its place"""
    R, S, last = box.R, box.margin, box.count[N_MARGIN] - 1
    for b in range(last + 1):
        if b != a:
            add(
                -R[b, a] / R[a, a], R[a], last + 1, R[b]
            )  # what comes to stand in column a is not used
    for b in range(last):
        R[a, b] = R[last, b]
    for b in range(last):
        R[b, a] = R[b, last]
    if a < last:
        R[a, a] = R[last, last]
    box.where[S[a]], box.g[S[a]] = to, 0.0
    S[a] = S[last]
    box.count[N_MARGIN] = last


@bare
def place_of(box, c):
    """Where among the margin vectors"""
    for a in range(box.count[N_MARGIN]):
        if box.margin[a] == c:
            return a
    return -1
