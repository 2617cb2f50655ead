"""How much of a table travels, and what a step on it costs: of a sparse one, only what is stored
counts.
"""

import scipy.sparse as sp

from svmviz.data.problem import Problem
from svmviz.maths import kernels
from svmviz.maths.kernels import lengths
from svmviz.maths.matrix import entries

CELLS = 500_000  # values of a table that may travel to the browser
LARGEST = 1e100  # K(x, x): a run multiplies a few of them
FINDING = 4  # multiplications that it takes to find an entry of a sparse row


def refuse_large(X) -> None:
    """Complain about a table with more values than should travel to a browser; zeros of a sparse
    one do not.
    """
    n, size = X.shape[0], entries(X)
    if size > CELLS:
        what = "values other than 0" if sp.issparse(X) else "values, points times features"
        raise ValueError(
            f"the page shows tables of at most {CELLS} {what}, and this has {size}; take at most "
            f"{max(2, CELLS * n // size)} points"
        )


def computable(problem: Problem, kernel: kernels.Kernel | None) -> None:
    """Refuse kernel values of which a product would be more than a number can hold."""
    if not (top := lengths.largest(kernel or kernels.linear(), problem.X)) <= LARGEST:
        raise ValueError(
            f"kernel values reach {top:.1g} on these data, and above {LARGEST:g} nothing can be"
            " computed with; scale the data, or choose another kernel"
        )


def step_work(X, solver, params) -> int:
    """Multiplications of a step, about: its margins, and the loss of every point for the curves.
    Entries of sparse rows take longer to find than those of dense ones, and w is as long as a dense
    row.
    """
    n, d = X.shape
    if not sp.issparse(X):
        return solver.algorithm.work(n, d, params) + 2 * n * d
    stored = entries(X)
    return (
        solver.algorithm.work(n, FINDING * -(-stored // n), params)
        + (6 if params.get("kernel") else 2) * stored
        + 8 * d
    )
