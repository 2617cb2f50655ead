"""Which plane of the data the stage shows: origin + span of two orthonormal vectors, and f is shown
on that slice.

Two features are their own plane. Of more, two can be picked, and f is then the slice through the
mean of the others; or the first two principal components are taken, and f is the slice through the
mean of all.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.linalg import eigh
from scipy.sparse.linalg import LinearOperator, svds

from svmviz.work.limits import ONE_THREAD

# cells: a sparse table up to this size is written out to find its principal components
SPREAD_OUT = 2_000_000


class Plane(NamedTuple):
    axes: tuple[str, ...]  # names for the two directions
    basis: np.ndarray  # (2, d) orthonormal rows
    origin: np.ndarray  # (d,)
    slice: str = ""  # in words, where f is shown on a slice only
    rotated: bool = False  # directions that are no features

    def describe(self) -> dict:
        return {"axes": list(self.axes), "slice": self.slice, "rotated": self.rotated}

    def arrays(self, problem) -> dict[str, np.ndarray]:
        """What the player needs to know of it; nothing where the data are the plane."""
        if problem.d == 2 and not self.slice:
            return {}
        return {
            "points": self.places(problem).ravel(),
            "basis": self.basis.ravel(),
            "origin": self.origin,
        }

    def places(self, problem) -> np.ndarray:
        """(n, 2) where the examples lie; targets of one feature stand above it."""
        places = self.project(problem.X)
        return (
            np.column_stack([places[:, 0], problem.y])
            if problem.real and problem.d == 1
            else places
        )

    def project(self, X) -> np.ndarray:
        """(n, 2) coordinates on the plane."""
        if sp.issparse(X):  # never spread out: it may have a hundred thousand columns
            return X @ self.basis.T - self.basis @ self.origin
        return (X - self.origin) @ self.basis.T


def dense(X) -> np.ndarray:
    return X.toarray() if sp.issparse(X) else np.asarray(X)


def default(problem, names=None) -> Plane:
    """The data themselves in one or two dimensions, else the principal components."""
    if problem.d > 2:
        return principal(problem)
    axes = ("x₁", "x₂") if names is None else (*names, "y" if problem.real else "")[:2]
    return Plane(axes, np.eye(2, problem.d), np.zeros(problem.d))


def features(problem, first: int, second: int, names) -> Plane:
    """Two features in their own units; the others stay at their mean."""
    if first == second:
        raise ValueError(f"the plane needs two different features, got {names[first]!r} twice")
    origin = means(problem.X)
    origin[[first, second]] = 0.0
    return Plane(
        (names[first], names[second]),
        np.eye(problem.d)[[first, second]],
        origin,
        "the slice through the mean of the other features" if problem.d > 2 else "",
    )


@ONE_THREAD
def principal(problem) -> Plane:
    """The two directions of largest variance, with the share of it that they hold.

    >>> from svmviz.data.problem import make_problem
    >>> plane = principal(
    ...     make_problem([[0, 0, 0], [2, 0, 0], [0, 1, 0], [2, 1, 0.1]], [0, 1, 0, 1])
    ... )
    >>> plane.axes
    ('component 1 (80 %)', 'component 2 (20 %)')
    """
    X, origin = problem.X, means(problem.X)
    if sp.issparse(X) and X.shape[0] * X.shape[1] > SPREAD_OUT:
        basis, share = largest_of_sparse(X, origin)
    else:
        basis, share = largest(dense(X) - origin)
    basis *= np.sign(basis[np.arange(2), abs(basis).argmax(axis=1)])[
        :, None
    ]  # the largest weight points up
    return Plane(
        tuple(f"component {k + 1} ({share[k]:.0%})".replace("%", " %") for k in range(2)),
        basis,
        origin,
        "the slice through the mean",
        rotated=True,
    )


def means(X) -> np.ndarray:
    """(d,) the mean of each feature."""
    return np.asarray(X.mean(axis=0)).ravel()


def largest_of_sparse(X, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same for a sparse table, by a truncated singular value decomposition: the mean is taken
    off within the products, so that the table stays sparse, and the search begins at the same place
    every time.
    """
    n, d = X.shape
    centred = LinearOperator(
        (n, d),
        matvec=lambda v: X @ v.ravel() - origin @ v.ravel(),
        rmatvec=lambda u: X.T @ u.ravel() - origin * u.sum(),
        dtype=np.float64,
    )
    _, values, rows = svds(
        centred, k=2, v0=np.random.default_rng(0).normal(size=min(n, d)), solver="arpack"
    )
    order = values.argsort()[::-1]
    basis = np.linalg.qr(np.nan_to_num(rows[order]).T)[0].T  # also where the rows lie on a line
    total = X.data @ X.data - n * origin @ origin
    return basis, values[order] ** 2 / max(total, 1e-300)


def largest(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(2, d) the directions of largest variance of centred rows, and their shares of it; by the
    smaller of X X' and X'X.
    """
    by_rows = len(X) < X.shape[1]
    square = X @ X.T if by_rows else X.T @ X
    values, vectors = eigh(square, subset_by_index=[len(square) - 2, len(square) - 1])
    share = values[::-1] / max(np.trace(square), 1e-300)
    if not by_rows:
        return vectors[:, ::-1].T, share
    if share[1] > 1e-9:
        return (vectors / np.sqrt(values)).T[::-1] @ X, share
    return (
        eigh(X.T @ X, subset_by_index=[X.shape[1] - 2, X.shape[1] - 1])[1][:, ::-1].T,
        share,
    )  # rows on a line
