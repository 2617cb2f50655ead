"""LASVM: Bordes, Ertekin, Weston, Bottou, "Fast kernel classifiers with online and active
learning", JMLR 6 (2005), the rival that dominates the kernelised Pegasos (Section 7.2).

    D(α) = Σ α_i y_i − 1/2 Σ α_i α_j K_ij,   between 0 and C y_i,   and Σ α_i = 0 if there is a
    bias,

of gradient g. Examples come one by one. PROCESS takes a new one into the set S and moves it with
the one that violates most; REPROCESS moves the most violating pair of S and drops those from S that
are 0 and agree. Pairs that violate by no more than τ stay. In the end pairs of S are moved until
none is left (finishing). Without a bias the origin of feature space joins every pair that would be
better off with it: K = 0, g = 0, and no box.

Kernel values within S are kept, and all of them are computed when the later of the two is taken in:
a PROCESS costs |S| of them, a REPROCESS none. K(x, x) is computed then, too, and not counted.
"""

from typing import NamedTuple

import numpy as np

from svmviz.data.problem import Problem
from svmviz.maths import kernels, matrix
from svmviz.maths.machine.jit import bare, jit

ORIGIN, NOBODY = -1, -2
FLAT = 1e-12  # a gradient, or curvature, that is none
ROUNDING = 1e-12  # of C


class Set(NamedTuple):
    """S as it stands: members in their order, all coefficients, and gradients of the members."""

    members: np.ndarray  # (n,) of which the first `size` count
    size: np.ndarray  # (1,)
    inside: np.ndarray  # (n,)
    alpha: np.ndarray
    gradient: np.ndarray
    K: np.ndarray  # (n, n) kernel values, of which those within S count


@bare
def extremes(S, y, C, bias):
    """Who rises and who falls: the largest g of those that can rise, the least of those that can
    fall. A pair that moved has the same g but for rounding: of equals it is the one that came first
    """
    up, down, high, low = NOBODY, NOBODY, -np.inf, np.inf
    for m in range(S.size[0]):
        s = S.members[m]
        if S.alpha[s] < max(0.0, C * y[s]) and S.gradient[s] > high + FLAT:
            up, high = s, S.gradient[s]
        if S.alpha[s] > min(0.0, C * y[s]) and S.gradient[s] < low - FLAT:
            down, low = s, S.gradient[s]
    if not bias and high < FLAT:  # whoever moved last has g = 0, but for rounding
        up, high = ORIGIN, 0.0
    if not bias and low > -FLAT:
        down, low = ORIGIN, 0.0
    return up, down, high, low


@bare
def in_box(alpha, end):
    """At 0 or at the other end of its box, where rounding left it close to that"""
    if abs(alpha) < ROUNDING * abs(end):
        return 0.0
    return end if abs(alpha - end) < ROUNDING * abs(end) else alpha


@bare
def move(S, y, C, up, down, high, low):
    """The best step of a pair within both boxes"""
    K = S.K
    curve, room = 0.0, np.inf
    if up != ORIGIN:
        curve += K[up, up]
        room = min(room, max(0.0, C * y[up]) - S.alpha[up])
    if down != ORIGIN:
        curve += K[down, down]
        room = min(room, S.alpha[down] - min(0.0, C * y[down]))
    if up != ORIGIN and down != ORIGIN:
        curve -= 2.0 * K[up, down]
    step = min((high - low) / max(curve, FLAT), room)
    for m in range(S.size[0]):
        s = S.members[m]
        S.gradient[s] -= step * (
            (K[up, s] if up != ORIGIN else 0.0) - (K[down, s] if down != ORIGIN else 0.0)
        )
    if up != ORIGIN:
        S.alpha[up] = in_box(S.alpha[up] + step, y[up] * C)
    if down != ORIGIN:
        S.alpha[down] = in_box(S.alpha[down] - step, y[down] * C)


@bare
def take_in(S, rows, kernel, y, k):
    """A new member with its kernel values; returns how many these are"""
    taken, g = S.size[0], y[k]
    for m in range(taken):
        s = S.members[m]
        S.K[k, s] = S.K[s, k] = kernels.k(kernel, rows, s, rows, k)
        g -= S.alpha[s] * S.K[k, s]
    S.K[k, k] = kernels.k(kernel, rows, k, rows, k)
    S.members[taken], S.inside[k], S.gradient[k] = k, True, g
    S.size[0] += 1
    return taken


@bare
def process(S, rows, kernel, y, C, tau, bias, k):
    """Take an example in and move it; returns the kernel values that this took"""
    if S.inside[k]:
        return 0
    taken, g = take_in(S, rows, kernel, y, k), S.gradient[k]
    up, down, high, low = extremes(S, y, C, bias)
    if y[k] > 0.0:
        up, high = k, g
    else:
        down, low = k, g
    if up != NOBODY and down != NOBODY and high - low > tau:
        move(S, y, C, up, down, high, low)
    return taken


@bare
def reprocess(S, y, C, tau, bias):
    """Move the pair that violates most, and drop who agrees without a coefficient; returns whether
    anything moved
    """
    up, down, high, low = extremes(S, y, C, bias)
    if up == NOBODY or down == NOBODY or high - low <= tau:
        return False
    move(S, y, C, up, down, high, low)
    up, down, high, low = extremes(S, y, C, bias)
    kept = 0
    for m in range(S.size[0]):
        s = S.members[m]
        if S.alpha[s] == 0.0 and (
            (y[s] < 0.0 and S.gradient[s] >= high) or (y[s] > 0.0 and S.gradient[s] <= low)
        ):
            S.inside[s] = False
        else:
            S.members[kept] = s
            kept += 1
    S.size[0] = kept
    return True


@jit
def learn(S, rows, kernel, y, C, tau, bias, order, looks, out, most):
    """All examples in their order, a REPROCESS after each, and the finish; coefficients go into a
    row of `out` once that many kernel values were computed. Returns how many rows there are, how
    many values were computed in all, and the extreme gradients
    """
    cost, seen = 0, 0
    for t in range(order.size):
        cost += process(S, rows, kernel, y, C, tau, bias, order[t])
        reprocess(S, y, C, tau, bias)
        while seen < looks.size and looks[seen] <= cost:
            out[seen] = S.alpha
            seen += 1
    for _ in range(most):
        if not reprocess(S, y, C, tau, bias):
            break
    up, down, high, low = extremes(S, y, C, bias)
    return seen, cost, high, low


class Run(NamedTuple):
    looks: np.ndarray  # (n, looks) coefficients
    seen: int  # looks that it came to
    alpha: np.ndarray  # in the end
    b: float
    cost: int  # kernel values in all
    violated: float  # g_i − g_j of the most violating pair of S in the end


def run(
    problem: Problem,
    kernel: kernels.Kernel | None,
    lam: float,
    order,
    looks,
    bias: bool = False,
    tau: float = 1e-3,
    most: int = 10**6,
) -> Run:
    """C = 1/(λn); α are coefficients of w."""
    n, y, C, kernel = problem.n, problem.y, 1.0 / (lam * problem.n), kernel or kernels.linear()
    S = Set(
        np.zeros(n, np.int64),
        np.zeros(1, np.int64),
        np.zeros(n, np.bool_),
        np.zeros(n),
        np.zeros(n),
        np.zeros((n, n)),
    )
    rows = matrix.rows(problem.X)
    looks = np.asarray(looks, np.float64)
    out = np.zeros((looks.size, n))
    order = np.ascontiguousarray(order, np.int64)
    if bias:  # a pair to begin with, one of each class
        for label in (1.0, -1.0):
            first = int(order[np.flatnonzero(y[order] == label)[0]])
            take_in(S, rows, kernel, y, first)
    seen, cost, high, low = learn(S, rows, kernel, y, C, tau, bias, order, looks, out, most)
    return Run(
        np.ascontiguousarray(out.T),
        int(seen),
        S.alpha,
        (high + low) / 2 if bias else 0.0,
        int(cost),
        float(high - low),
    )
