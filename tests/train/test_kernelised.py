"""Pegasos with a kernel, without a record: the run of the stage, its means, other losses and
kernels.
"""

import numpy as np
import pytest
import scipy.sparse as sp

from svmviz.data import plane
from svmviz.estimators.train import LATE, Task, kernelised, recorded
from svmviz.maths import kernels
from svmviz.solvers import SOLVERS

PEGASOS = SOLVERS["pegasos"]
PROBLEM = plane.moons(n=700, noise=0.3, seed=1)  # more than a block of support vectors


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"kernel": kernels.laplacian(1.0)},
        {"kernel": kernels.poly(2, 0.5, 1.0)},
        {"loss": "logistic"},
        {"intercept": "constant feature"},
    ],
    ids=str,
)
@pytest.mark.parametrize("iterate", ["last", "average", LATE, "random"])
@pytest.mark.parametrize("sparse", [False, True])
def test_it_is_the_run_of_the_stage(given, iterate, sparse):
    problem = PROBLEM._replace(X=sp.csr_array(PROBLEM.X)) if sparse else PROBLEM
    params = PEGASOS.check({"lam": 1e-3, "kernel": kernels.rbf(2.0)} | given) | {"iterate": iterate}
    task = Task(problem, params, 1500, seed=4)
    assert kernelised.suits(task)
    found, shown = kernelised.train(PEGASOS, task), recorded.train(PEGASOS, task)
    assert np.array_equal(found.rows, shown.rows) and found.coef == pytest.approx(
        shown.coef, rel=1e-9, abs=1e-9
    )
    assert found.costs == shown.costs and found.b == pytest.approx(shown.b, abs=1e-9)


def test_what_it_does_not_know_it_leaves_to_others():
    thin = sp.random_array((50, 400), density=0.01, rng=0, format="csr")
    params = PEGASOS.check({"kernel": kernels.rbf(1.0)})
    assert kernelised.suits(Task(PROBLEM, params, 1))
    for problem, given in (
        (PROBLEM, {"k": 5}),
        (PROBLEM, {"project": True}),
        (PROBLEM._replace(X=thin), {}),
    ):
        assert not kernelised.suits(Task(problem, params | given, 1))
