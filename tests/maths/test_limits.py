"""Limits: what may take long ends when its time is up, with a gap that says how far it came, and is
not remembered.
"""

import itertools
import math

import numpy as np
import pytest

from svmviz import SOLVERS
from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.theory import pareto, reference
from svmviz.work import limits
from svmviz.work.limits import Limit, within

MOONS = plane.moons(n=150, noise=0.4, seed=5)
KERNEL = kernels.rbf(5.0)
EXACT = {
    "P": (lambda: reference.optimum(MOONS, 1e-4, KERNEL, bias=True), "primal", -1),
    "slack": (lambda: pareto.slack_optimum(MOONS, 1e-4, KERNEL), "level", 1),
    "slack with bias": (lambda: pareto.slack_optimum(MOONS, 1e-4, KERNEL, bias=True), "level", 1),
}


class Count:
    """A clock that goes on by one whenever somebody looks at it."""

    def __init__(self):
        self.ticks = itertools.count()

    def __call__(self) -> float:
        return float(next(self.ticks))


def after(questions: int) -> Limit:
    return Limit(questions + 0.5, clock=Count())


@pytest.mark.parametrize("name", EXACT)
def test_a_limit_ends_the_search_and_the_gap_says_how_far_it_came(name):
    find, value, sign = EXACT[name]
    with within(after(1)) as limit:
        hasty = find()
    assert limit.struck and hasty.gap > 1e-6  # ended, far from the end
    best = find()  # nobody's haste was remembered
    assert abs(best.gap) <= 1e-10
    excess = sign * (getattr(best, value) - getattr(hasty, value))
    assert 1e-6 < excess <= hasty.gap + 1e-12  # the gap is no guess
    assert getattr(find(), value) == getattr(best, value)


@pytest.mark.parametrize("questions", [1, 5, 20])
def test_more_time_means_a_smaller_gap(questions):
    gaps = []
    for more in (questions, 10 * questions):
        with within(after(more)):
            gaps.append(pareto.slack_optimum(MOONS, 1e-4, KERNEL).gap)
    assert gaps[1] <= gaps[0]


def test_what_was_found_in_haste_is_no_part_of_the_front():
    whole = pareto.front(MOONS, KERNEL)
    with within(after(25)):
        some = pareto.front(MOONS, KERNEL)
    assert 0 < len(some) < len(whole)
    assert np.allclose([p.hinge for p in some], [p.hinge for p in whole[: len(some)]], rtol=1e-9)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("questions", [1, 5, 12])
def test_simba_has_no_optimum_where_it_was_not_found_in_time(bias, questions):
    solver, problem = (
        SOLVERS["simba"],
        plane.blobs(n=60, noise=3.0, seed=questions),
    )  # none that is remembered
    params = solver.check({"nu": 0.5, "bias": bias})
    with within(after(questions)) as limit:
        found = solver.optimum(problem, params)
    assert limit.struck and found is None
    assert solver.optimum(problem, params) is not None


def test_without_a_limit_nothing_is_asked_of_anybody():
    assert not limits.over() and not limits.struck() and limits.left() == math.inf


def test_a_limit_counts_from_where_it_is_set():
    limit = Limit(10.0, clock=iter([100.0, 105.0, 111.0]).__next__)
    with within(limit):
        assert [limits.over(), limits.over()] == [False, True]
