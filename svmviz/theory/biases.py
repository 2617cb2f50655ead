"""The same objective with b treated the other way (Pegasos, Section 6): with a constant feature b
has a price, λ/2 (b/c)², by itself it has none, and these are two problems with two optima.

>>> from svmviz.data.problem import make_problem
>>> problem = make_problem([[2.0], [3.0], [5.0]], [-1, 1, 1])
>>> name, best = without_a_price(
...     problem, {"lam": 0.1, "kernel": None, "intercept": "constant feature", "constant": 1.0}
... )
>>> print(name, best.w.round(3), round(best.b, 3))
b without a price [2.] -5.0
>>> name, best = with_a_price(problem, {"lam": 0.1, "kernel": None})
>>> print(name, best.w.round(3), round(best.b, 3))
b as a constant feature [0.633] -0.9
"""

from collections.abc import Mapping
from typing import Any

from svmviz.data.constant import CONSTANT, constant_of, lifted, said
from svmviz.data.problem import Problem
from svmviz.maths.losses import HINGE, loss_of
from svmviz.theory import reference
from svmviz.theory.certificate import Optimum


def without_a_price(problem: Problem, params: Mapping[str, Any]) -> tuple[str, Optimum] | None:
    """Beside a constant feature; only for the hinge there is an exact one."""
    if not constant_of(params) or loss_of(params).kind != HINGE:
        return None
    return "b without a price", reference.optimum(
        problem, params["lam"], params["kernel"], bias=True
    )


def with_a_price(problem: Problem, params: Mapping[str, Any]) -> tuple[str, Optimum]:
    """Beside a bias of its own: as a constant feature of 1."""
    wide, given = lifted(problem, {**params, "intercept": CONSTANT, "constant": 1.0})
    return "b as a constant feature", said(
        reference.optimum(wide, given["lam"], given["kernel"]), 1.0
    )
