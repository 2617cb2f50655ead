"""The batch perceptron without a record: the run of the stage, the level from the last one, and
means that start late.
"""

import math

import numpy as np
import pytest
import scipy.sparse as sp

from svmviz.data import plane
from svmviz.estimators.train import LATE, Task, recorded, sbp, train
from svmviz.maths import kernels
from svmviz.maths.water import water_level
from svmviz.solvers import SOLVERS

SBP = SOLVERS["sbp"]
PROBLEM = plane.moons(n=130, noise=0.3, seed=1)


def task(steps=80, problem=PROBLEM, state=None, iterate="average", **given) -> Task:
    return Task(
        problem,
        SBP.check({"kernel": kernels.rbf(2.0)} | given) | {"iterate": iterate},
        steps,
        seed=3,
        state=state,
    )


@pytest.mark.parametrize(
    "given", [{}, {"nu": 0.0}, {"nu": 2.0}, {"bias": True}, {"kernel": None}], ids=str
)
@pytest.mark.parametrize("iterate", ["last", "average"])
@pytest.mark.parametrize("sparse", [False, True])
def test_it_is_the_run_of_the_stage(given, iterate, sparse):
    problem = PROBLEM._replace(X=sp.csr_array(PROBLEM.X)) if sparse else PROBLEM
    asked = task(problem=problem, iterate=iterate, **given)
    found, shown = train(SBP, asked), recorded.train(SBP, asked)
    assert np.array_equal(found.rows, shown.rows) and found.coef == pytest.approx(
        shown.coef, rel=1e-10, abs=1e-14
    )
    assert found.b == pytest.approx(shown.b, abs=1e-12)


def plain(steps, nu, gamma, seed):
    """Algorithm 1 in NumPy; the iterates after each step."""
    X, y = PROBLEM
    K = np.exp(-gamma * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    chance, alpha, iterates = np.random.default_rng(seed).random((steps, 2)), np.zeros(y.size), []
    for t in range(1, steps + 1):
        c = y * (K @ (alpha * y))
        wet = np.flatnonzero(c <= water_level(c, y.size * nu))
        alpha[wet[int(chance[t - 1, 1] * wet.size)]] += 1 / math.sqrt(t)
        alpha /= max(1.0, math.sqrt((alpha * y) @ K @ (alpha * y)))
        iterates.append(alpha * y)
    return np.array(iterates)


@pytest.mark.parametrize(("iterate", "first"), [("average", 0), (LATE, 35)])
def test_means_are_those_of_numpy(iterate, first):
    found = train(SBP, task(steps=70, nu=0.05, iterate=iterate))
    coef = np.zeros(PROBLEM.n)
    coef[found.rows] = found.coef[:, 0]
    assert coef == pytest.approx(plain(70, 0.05, 2.0, 3)[first:].mean(axis=0), rel=1e-9, abs=1e-13)


def test_a_fit_that_goes_on_is_one_longer_fit():
    whole, first = train(SBP, task(steps=90)), train(SBP, task(steps=40))
    rest = train(SBP, task(steps=50, state=first.state))
    assert np.array_equal(rest.rows, whole.rows) and rest.coef == pytest.approx(
        whole.coef, rel=1e-12
    )
    assert train(SBP, task(steps=40)).state[1].c == pytest.approx(
        first.state[1].c
    )  # and leaves what it began with as it was


@pytest.mark.parametrize("n", [1, 5, 64, 1000])
def test_the_level_from_any_other_is_the_level(n):
    rng = np.random.default_rng(n)
    for c in (
        rng.normal(size=n),
        rng.integers(0, 3, n).astype(float),
        np.zeros(n),
        1e6 + rng.normal(size=n),
    ):
        for volume in (0.0, 1e-9, 0.1, 1.0, 50.0 * n):
            for begin in (-10.0, 0.0, 1e9, float(c.mean()), float(c.min())):
                found = sbp.level(c, volume, begin)
                assert (
                    found == pytest.approx(water_level(c, volume), rel=1e-12, abs=1e-12)
                    and found >= c.min()
                )


def test_the_level_of_the_mean_is_told():
    found = train(SBP, task(nu=0.1))
    f = kernels.responses(kernels.rbf(2.0), PROBLEM.X[found.rows], found.coef[:, 0], PROBLEM.X)
    assert found.facts["level"] == pytest.approx(
        water_level(PROBLEM.y * f, 0.1 * PROBLEM.n), rel=1e-10
    )
