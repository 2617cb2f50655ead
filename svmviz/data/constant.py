"""A bias as one more feature that is c for every example (Pegasos, Section 6, the first method).

Whatever w puts on that feature, times c, is b: f(x) = <w, phi(x)> + b with b = c² Σ coef_j. It
costs what every component of w costs, λ/2 (b/c)²: a large c makes b cheap. Kernel values become
K(x, z) + c².

>>> params = {"intercept": CONSTANT, "constant": 2.0, "kernel": None}
>>> lifted(Problem(np.array([[1.0]]), np.array([1.0])), params)[0].X
array([[1., 2.]])
>>> kernel_of(params | {"kernel": kernels.rbf(3.0)})
Kernel(kind=1, gamma=3.0, degree=1, coef0=0.0, plus=4.0)
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from svmviz.data.params import Param
from svmviz.data.problem import Problem
from svmviz.maths import kernels

NONE, CONSTANT = "none", "constant feature"


def of_bias(mark: str = "b") -> tuple[Param, Param]:
    """The parameters that say which bias there is, for a solver that knows the constant feature."""
    return (
        Param(
            "intercept",
            mark,
            NONE,
            options=(NONE, CONSTANT),
            title="bias",
            tacit=True,
            help=(
                "Without one every boundary goes through the origin of the features. A constant"
                " feature adds one, at a price as for all of w; switched on in the midst of a run,"
                " w has it from all that was added before."
            ),
        ),
        Param(
            "constant",
            "c",
            1.0,
            0.1,
            10.0,
            "Value of the constant feature. Larger: the bias costs less.",
            log=True,
            title="constant",
            tacit=True,
            when=lambda params: params["intercept"] == CONSTANT,
        ),
    )


def constant_of(params: Mapping[str, Any]) -> float:
    """The value of the constant feature, 0 where there is none."""
    return float(params["constant"]) if params.get("intercept") == CONSTANT else 0.0


def kernel_of(params: Mapping[str, Any]) -> kernels.Kernel:
    """The kernel that the parameters name, the linear one where they name none, with the constant
    feature.
    """
    return (params.get("kernel") or kernels.linear())._replace(plus=constant_of(params) ** 2)


def widened(X, c: float):
    """The rows of X with one more feature, which is c; X itself where that is 0."""
    if not c:
        return X
    column = np.full((X.shape[0], 1), c)
    return (
        sp.hstack([X, sp.csr_array(column)], format="csr")
        if sp.issparse(X)
        else np.hstack([X, column])
    )


def lifted(problem: Problem, params: Mapping[str, Any]) -> tuple[Problem, Mapping[str, Any]]:
    """The same problem where the constant feature is one of the others: in X or, with a kernel, in
    this.
    """
    c, kernel = constant_of(params), params.get("kernel")
    if not c:
        return problem, params
    if kernel is None or kernel.kind == kernels.LINEAR:
        return problem._replace(X=widened(problem.X, c)), params
    return problem, {**params, "kernel": kernel_of(params)}


def said(best: Any, c: float) -> Any:
    """An optimum as those know it who know of no constant feature: its last component of w, times
    c, is b.
    """
    return (
        best._replace(b=c * c * float(best.coef.sum()), w=None if best.w is None else best.w[:-1])
        if c
        else best
    )
