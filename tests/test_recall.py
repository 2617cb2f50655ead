"""Optima that were found lately come back as they were; the quick Gram matrix is the Gram matrix."""

import numpy as np
import pytest
import scipy.sparse as sp

from svmviz import parts, recall, reference
from svmviz.core import make_problem

X = np.random.default_rng(0).normal(size=(40, 3))
KERNELS = parts.linear(), parts.rbf(0.7), parts.poly(2), parts.laplacian(0.3)


def problem(values=X):
    return make_problem(values, np.arange(40) % 2)


def test_a_question_is_answered_once_and_every_asker_owns_the_answer():
    asked = []

    @recall.lately
    def find(given, lam):
        asked.append(lam)
        return reference.optimum.__wrapped__(given, lam)

    first, again = find(problem(), 0.1), find(problem(X.copy()), 0.1)
    assert asked == [0.1] and first.primal == again.primal and (first.coef == again.coef).all()
    first.coef[:] = 9.0
    assert (find(problem(), 0.1).coef == again.coef).all()


@pytest.mark.parametrize("other", [problem(X + 1e-9), problem(X[:, ::-1]), problem(sp.csr_array(X)),
                                   make_problem(X, np.arange(40) < 20)])
def test_other_data_are_another_question(other):
    assert recall.digest(other) != recall.digest(problem())


def test_the_oldest_answer_is_forgotten_first():
    asked = []

    @recall.lately
    def find(given, lam):
        asked.append(lam)
        return reference.optimum.__wrapped__(given, lam)

    for lam in [*range(1, recall.KEPT + 2), 1, recall.KEPT + 1]:
        find(problem(), lam)
    assert asked == [*range(1, recall.KEPT + 2), 1]
