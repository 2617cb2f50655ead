"""The exact optimum of Pegasos for sequences, with a certificate: by cutting planes (Joachims,
Finley, Yu 2009).

The mean loss of w is the highest of very many planes, one for each choice of a tagging for every
sentence. P with those that are known is below P; its minimum is found, Viterbi's algorithm gives
the plane that is highest there, and it joins them, until the two values of P agree. The last of
them is a lower bound, as a dual would be: Optimum's `dual`.
"""

import math

import numpy as np

from svmviz.data.problem import Problem
from svmviz.maths.viterbi import dearest
from svmviz.theory.certificate import Optimum
from svmviz.work import limits, memo

EXACT = 1e-8  # of P
PLANES = 400
DEAR, RIDGE, FAINT = 1e4, 1e-10, 1e-9  # the last is a share that is none


@memo.lately
@limits.ONE_THREAD
def optimum(problem: Problem, lam: float, length: int) -> Optimum:
    """The exact minimiser of P, as far as `within` says; `w` holds the rows of w, then v, in one
    piece.
    """
    X = problem.X if isinstance(problem.X, np.ndarray) else problem.X.toarray()
    y, tags, length = (
        (problem.y > 0 if problem.classes == 2 else problem.y).astype(np.int64),
        problem.classes,
        min(length, problem.n),
    )
    m = problem.n // length
    X, y = X[: m * length].reshape(m, length, -1), y[: m * length].reshape(m, length)
    w, below, planes, heights = np.zeros(tags * (X.shape[2] + tags)), 0.0, [], []
    best, at = math.inf, w
    for _ in range(PLANES):
        slope, height = highest(w, X, y, tags)  # the loss at u is at least height + <slope, u>
        P = float(lam / 2 * (w @ w) + height + slope @ w)
        if P < best:
            best, at = P, w
        if best - below <= EXACT * best or limits.over():
            break
        planes.append(slope)
        heights.append(height)
        w, below = lowest(np.array(planes), np.array(heights), lam)
    norm = float(np.linalg.norm(at))
    return Optimum(
        best,
        below,
        best - below,
        1e-13 * best,
        norm,
        best - lam / 2 * norm**2,
        0.0,
        np.zeros(0),
        np.zeros(0),
        None,
    )


def highest(w, X, y, tags) -> tuple[np.ndarray, float]:
    """The plane of the mean loss at w: its slope, and what it is at 0."""
    d, length = X.shape[2], X.shape[1]
    U, V = w[: tags * d].reshape(tags, d), w[tags * d :].reshape(tags, tags)
    slope_U, slope_V, height = np.zeros((tags, d)), np.zeros((tags, tags)), 0.0
    path, costly = np.empty(length, np.int64), np.empty((length, tags))
    for x, true in zip(X, y, strict=True):
        dearest(np.ascontiguousarray(x @ U.T), V, true, costly, path)
        height += (path != true).sum()
        for sign, taken in ((1.0, path), (-1.0, true)):
            np.add.at(slope_U, taken, sign * x)
            np.add.at(slope_V, (taken[:-1], taken[1:]), sign)
    return np.concatenate([slope_U.ravel(), slope_V.ravel()]) / len(X), height / len(X)


def lowest(A, b, lam) -> tuple[np.ndarray, float]:
    """Where  λ/2 |w|² + max(b + A w)  is lowest, and a lower bound of it: <a, b> - 1/2λ |A'a|² for
    any shares a >= 0 of the planes that sum to 1, with w = -A'a/λ. Which planes have a share tells
    a non-negative least squares problem, in which a sum other than 1 is as dear as `DEAR` says; how
    much, that they are equally high.
    """
    from scipy.optimize import nnls  # a quarter of a second, which a first picture does without

    many, G = len(b), A @ A.T / lam
    L = np.linalg.cholesky(G + DEAR + RIDGE * np.trace(G) / many * np.eye(many))
    a, _ = nnls(L.T, np.linalg.solve(L, b + DEAR), maxiter=100 * many)
    found = [a / a.sum()]
    some = np.flatnonzero(a > FAINT)
    level = np.ones((some.size, 1))
    system = np.block([[G[np.ix_(some, some)], level], [level.T, np.zeros((1, 1))]])
    exact = np.zeros(many)
    exact[some] = np.linalg.lstsq(system, np.append(b[some], 1.0), rcond=None)[0][:-1]
    if exact.min() >= 0.0 < exact.sum():
        found.append(exact / exact.sum())
    worth = [(float(a @ b - (A.T @ a) @ (A.T @ a) / (2 * lam)), -(A.T @ a) / lam) for a in found]
    below, w = max(worth, key=lambda pair: pair[0])
    return w, below
