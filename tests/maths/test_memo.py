"""Optima that were found lately come back as they were; the quick Gram matrix is the Gram
matrix.
"""

import numpy as np
import pytest
import scipy.sparse as sp

from svmviz.data.problem import make_problem
from svmviz.maths import kernels
from svmviz.theory import reference
from svmviz.work import memo

X = np.random.default_rng(0).normal(size=(40, 3))
KERNELS = kernels.linear(), kernels.rbf(0.7), kernels.poly(2), kernels.laplacian(0.3)


def problem(values=X):
    return make_problem(values, np.arange(40) % 2)


def test_a_question_is_answered_once_and_every_asker_owns_the_answer():
    asked = []

    @memo.lately
    def find(given, lam):
        asked.append(lam)
        return reference.optimum.__wrapped__(given, lam)

    first, again = find(problem(), 0.1), find(problem(X.copy()), 0.1)
    assert asked == [0.1] and first.primal == again.primal and (first.coef == again.coef).all()
    first.coef[:] = 9.0
    assert (find(problem(), 0.1).coef == again.coef).all()


@pytest.mark.parametrize(
    "other",
    [
        problem(X + 1e-9),
        problem(X[:, ::-1]),
        problem(sp.csr_array(X)),
        make_problem(X, np.arange(40) < 20),
    ],
)
def test_other_data_are_another_question(other):
    assert memo.digest(other) != memo.digest(problem())


def test_the_oldest_answer_is_forgotten_first():
    asked = []

    @memo.lately
    def find(given, lam):
        asked.append(lam)
        return reference.optimum.__wrapped__(given, lam)

    for lam in [*range(1, memo.KEPT + 2), 1, memo.KEPT + 1]:
        find(problem(), lam)
    assert asked == [*range(1, memo.KEPT + 2), 1]
