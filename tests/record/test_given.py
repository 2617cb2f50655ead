"""Explicit orders: what they may name, and what is refused."""

import numpy as np
import pytest

from svmviz.data import plane
from svmviz.maths import kernels
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


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], "at least one example"),
        ([[1, 2]], "at least one example"),
        ([-1], "from 0 to 39"),
        ([40], "from 0 to 39"),
        ([10**9], "from 0 to 39"),
        ([0.5], "whole numbers"),
        ([True] * 40, "whole numbers"),
        (["a"], "whole numbers"),
    ],
)
def test_examples_that_take_part_are_some_of_those_that_there_are(rows, why):
    for solver in SOLVERS.values():
        with pytest.raises(ValueError, match=why):
            solver.trace(MOONS, steps=5, active=[(0, rows)])


def test_what_a_run_is_asked_must_be_a_step_and_finite_points():
    run = SOLVERS["pegasos"].trace(MOONS, steps=5, kernel=kernels.rbf(1.0))
    for t in (-1, 6, "x", None):
        with pytest.raises(ValueError, match="t must be a whole number from 0 to 5"):
            run.why(t)
    for z in (np.nan, np.inf):
        with pytest.raises(ValueError, match="finite numbers"):
            run.f(5, [[0.0, z]])
    with pytest.raises(ValueError, match="Z must have 2 columns"):
        run.f(5, np.zeros((1, 2, 2)))
