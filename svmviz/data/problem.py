"""Examples and labels in the one form that every solver reads."""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.maths.matrix import refuse_broken


class Problem(NamedTuple):
    """Examples and labels; built by `make_problem` or one of its kin, which fix dtype, layout and
    labels.
    """

    X: np.ndarray  # (n, d) float64 in C order, or a CSR array
    # (n,) float64 in {-1, +1}; 0 .. classes - 1 with more than two classes; any number where it is
    # `real`
    y: np.ndarray

    @property
    def classes(self) -> int:
        """How many classes there are: labels below 0 tell two from more."""
        return 2 if self.y.min() < 0 else max(2, int(self.y.max()) + 1)

    @property
    def private(self) -> bool:
        """Whether only one visitor may have what is computed from it."""
        return False

    @property
    def real(self) -> bool:
        """Whether y are real targets, not labels."""
        return False

    @property
    def n(self) -> int:
        return self.X.shape[0]

    @property
    def d(self) -> int:
        return self.X.shape[1]


class Private(Problem):
    """Data of one visitor alone: what is computed from them is remembered for nobody else, see
    `maths.memo`.
    """

    __slots__ = ()

    @property
    def private(self) -> bool:
        return True


class Regression(Problem):
    """Examples and real targets, which are no classes."""

    __slots__ = ()

    @property
    def real(self) -> bool:
        return True

    @property
    def classes(self) -> int:
        return 0


class PrivateRegression(Regression, Private):
    """The same of one visitor alone."""

    __slots__ = ()


def private(problem: Problem) -> Problem:
    """The same for one visitor alone."""
    return (PrivateRegression if problem.real else Private)(*problem)


def make_problem(X, y) -> Problem:
    """Check and copy data into the one form that every solver reads; sparse input stays sparse
    (CSR).

    Two label values of any type are allowed; the one that sorts first becomes -1, the other +1.

    >>> make_problem([[0.0], [1.0]], ["no", "yes"]).y
    array([-1.,  1.])
    """
    X, classes, index = _checked(X, y)
    if len(classes) != 2:
        shown = ", ".join(map(str, classes[:5].tolist())) + (", ..." if len(classes) > 5 else "")
        raise ValueError(f"y must hold exactly two classes, got {len(classes)}: {shown}")
    return Problem(X, np.where(index == 1, 1.0, -1.0))


def make_multiclass_problem(X, y) -> Problem:
    """The same for three or more classes: y is the place of the label in their order.

    >>> make_multiclass_problem([[0.0], [1.0], [2.0]], ["b", "c", "a"]).y
    array([1., 2., 0.])
    """
    X, classes, index = _checked(X, y)
    if len(classes) < 3:
        raise ValueError(
            f"y must hold at least three classes, got {len(classes)}; for two there is make_problem"
        )
    return Problem(X, index.astype(np.float64))


def make_regression_problem(X, y) -> Problem:
    """The same for real targets, in their own units.

    >>> problem = make_regression_problem([[0.0], [1.0]], [20, 35.5])
    >>> problem.y, problem.real
    (array([20. , 35.5]), True)
    """
    X, y = _table(X), np.array(y, np.float64)
    _one_each(X, y, "target")
    if not np.isfinite(y).all():
        raise ValueError("y must hold finite numbers only, got NaN or infinity")
    return Regression(X, y)


def _checked(X, y) -> tuple[Any, np.ndarray, np.ndarray]:
    """The table in its one form, the classes in order, and the class of every row."""
    X, labels = _table(X), np.asarray(y)
    _one_each(X, labels, "label")
    classes, index = np.unique(labels, return_inverse=True)
    return X, classes, index


def _one_each(X, y: np.ndarray, name: str) -> None:
    if y.shape != (X.shape[0],):
        raise ValueError(
            f"y must hold one {name} for each of the {X.shape[0]} rows of X, got shape {y.shape}"
        )


def _table(X) -> Any:
    """The rows in their one form."""
    if np.iscomplexobj(X):
        raise ValueError("X must hold real numbers, got complex ones")
    if sp.issparse(X):
        refuse_broken(X)
        X = sp.csr_array(X, dtype=np.float64, copy=True)
        X.sum_duplicates()
        values = X.data
    else:
        X = np.array(X, np.float64, order="C")
        values = X
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(
            f"X must be a table of at least one row and one column, got shape {X.shape}"
        )
    if not np.isfinite(values).all():
        raise ValueError("X must hold finite numbers only, got NaN or infinity")
    return X
