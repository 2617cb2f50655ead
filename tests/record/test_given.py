"""Explicit orders: what they may name, and what is refused."""

import numpy as np
import pytest

from svmviz.data import plane
from svmviz.solvers import SOLVERS

MOONS = plane.moons(n=40)
WITHOUT = np.delete(np.arange(40), 20)
ORDERED = [
    solver
    for key, solver in SOLVERS.items()
    if "order" in solver.algorithm.takes and key not in ("bias", "sequences")
]


@pytest.mark.parametrize("solver", ORDERED, ids=lambda solver: solver.key)
def test_order_may_not_name_an_example_that_takes_no_part_then(solver):
    problem = plane.Problem(MOONS.X, MOONS.y)
    order = [1, 2, 3, 4, 5, 20, 6, 7, 9, 8]
    with pytest.raises(
        ValueError, match="step 6 asks for example 20, which takes no part from step 5 on"
    ):
        solver.trace(problem, steps=10, order=order, active=[(4, WITHOUT)])
    solver.trace(problem, steps=10, order=order, active=[(6, WITHOUT)])
    solver.trace(problem, steps=10, order=[*order[:5], 10, *order[6:]], active=[(4, WITHOUT)])
    with pytest.raises(
        ValueError, match="step 6 asks for example 20, which takes no part from step 3 on"
    ):
        solver.trace(
            problem, steps=10, order=order, active=[(0, WITHOUT), (1, np.arange(40)), (2, WITHOUT)]
        )
    solver.trace(problem, steps=10, order=order, active=[(2, WITHOUT), (4, np.arange(40))])


def test_picks_may_not_name_one_either():
    order = [20, *range(1, 10)]
    picks = np.array([[20, 20], *([1, 1] for _ in range(9))])
    picks[7, 1] = 20
    given = {"K": 2, "steps": 10, "order": order}
    with pytest.raises(
        ValueError, match="step 8 asks for example 20, which takes no part from step 5 on"
    ):
        SOLVERS["incremental"].trace(MOONS, picks=picks, active=[(4, WITHOUT)], **given)
    SOLVERS["incremental"].trace(MOONS, picks=picks, active=[(8, WITHOUT)], **given)


def test_batches_may_not_name_one_either():
    batches = np.arange(30).reshape(10, 3)
    with pytest.raises(
        ValueError, match="step 7 asks for example 20, which takes no part from step 1 on"
    ):
        SOLVERS["pegasos"].trace(MOONS, steps=10, order=batches, k=3, active=[(0, WITHOUT)])
