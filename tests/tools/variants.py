"""What may be turned at a solver that nobody wrote a test for: derived from its parameters, so that
the contract tests find a new one by themselves.
"""

import pytest

from svmviz.maths import kernels
from svmviz.record.solver import Solver


def other(solver: Solver) -> dict:
    """One parameter, the first that can be, with another value than its default."""
    for p in solver.params:
        if p.is_kernel:
            continue
        values = (
            [not p.default]
            if isinstance(p.default, bool)
            else [o for o in p.options if o != p.default]
            or [type(p.default)(min(5 * p.default, p.high))]
        )
        if values[0] != p.default and solver.goes({p.name: values[0]}):
            return {p.name: values[0]}
    return {"kernel": kernels.rbf(2.0)}


def variants(solver: Solver) -> tuple[dict, ...]:
    """The defaults, a kernel, every switch and every other option."""
    found = [{}]
    for p in solver.params:
        values = (
            [kernels.rbf(1.0)]
            if p.is_kernel
            else [not p.default]
            if isinstance(p.default, bool)
            else p.options
        )
        found += [
            {p.name: value}
            for value in values
            if value != p.default and solver.goes({p.name: value})
        ]
    return tuple(found)


def seldom(cases, every: int = 2) -> list:
    """Of many cases one in so many; the others are among the long tests."""
    return [
        (
            case
            if k % every == 0
            else pytest.param(
                *(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long
            )
        )
        for k, case in enumerate(cases)
    ]
