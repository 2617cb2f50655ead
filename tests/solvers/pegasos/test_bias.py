"""Pegasos with a bias (Section 6): each method by ten lines of NumPy, and against the optimum that
LIBSVM knows.
"""

import numpy as np
import pytest
from sklearn.svm import SVC

from svmviz.data import plane
from svmviz.data.problem import make_problem
from svmviz.maths import kernels
from svmviz.solvers import SOLVERS
from svmviz.solvers.bias.algorithm import balance, best
from svmviz.solvers.bias.story import BATCH, METHODS, OWN, SEARCH

BIAS = SOLVERS["bias"]


def aside(n=40, seed=1):
    problem = plane.blobs(n=n, noise=1.0, seed=seed)
    return problem._replace(X=problem.X + [1.5, -0.5])


def objective(problem, lam, w, b):
    return lam / 2 * w @ w + np.maximum(0, 1 - problem.y * (problem.X @ w + b)).mean()


def libsvm(problem, lam):
    model = SVC(kernel="linear", C=1 / (lam * problem.n), tol=1e-10).fit(problem.X, problem.y)
    return objective(problem, lam, model.coef_[0], model.intercept_[0])


def test_own_steps_by_ten_lines():
    problem, lam = aside(), 0.05
    trace = BIAS.trace(problem, 60, 4, lam=lam, k=5, method=OWN)
    w, b = np.zeros(2), 0.0
    for t in range(1, 61):
        A = trace.drawn[t]
        pays = [i for i in A if problem.y[i] * (problem.X[i] @ w + b) < 1]
        w = (1 - 1 / t) * w + sum((problem.y[i] * problem.X[i] for i in pays), np.zeros(2)) / (
            lam * t * 5
        )
        b += sum(problem.y[i] for i in pays) / 5 / np.sqrt(t)
        assert trace.b(t) == pytest.approx(b, abs=1e-12)
        assert trace.metrics["primal"][t] == pytest.approx(objective(problem, lam, w, b), rel=1e-11)
    assert trace.b(60, "average") == pytest.approx(
        np.concatenate([[0], trace.scalars["b"][1:60]]).mean()
    )


def test_the_best_for_a_batch_by_trying_all_b():
    problem, lam = aside(), 0.05
    trace = BIAS.trace(problem, 60, 4, lam=lam, k=7, method=BATCH)
    w = np.zeros(2)
    for t in range(1, 61):
        A = trace.drawn[t]
        y, r = problem.y[A], problem.X[A] @ w
        if abs(y.sum()) < 7:
            paid = [np.maximum(0, 1 - y * (r + b)).sum() for b in (*(y - r), trace.b(t))]
            assert paid[-1] <= min(paid) + 1e-9
            a = problem.y[A] * trace.segments[0].record.delta[t - 1] * (lam * t * 7)
            assert ((a >= 0) & (a <= 1 + 1e-12)).all() and abs(a @ y) < 1e-9  # P19: balanced
        else:
            assert not trace.segments[0].record.delta[t - 1].any()  # P20: one class says nothing
        w = trace.at(t).w
    with pytest.raises(ValueError, match="at least 2, got 1"):
        BIAS.trace(problem, 5, method=BATCH, k=1)


def test_where_margins_are_exactly_1_they_pay_in_part():
    """Of five equal examples the best b leaves some with margin 1, and the sub-gradient needs a
    share of these.
    """
    y, response = np.array([1.0, 1.0, 1.0, -1.0, -1.0]), np.zeros(5)
    b = best(y, np.arange(5), response, np.empty(5))
    margin = y * (response + b)
    fall = (margin < 1).astype(float)
    balance(y, np.arange(5), margin, fall)
    assert b == 1.0 and fall @ y == 0 and fall.tolist() == pytest.approx([2 / 3] * 3 + [1.0, 1.0])


def test_rounds_begin_anew_and_halve_the_interval():
    problem, lam = aside(), 0.1
    trace = BIAS.trace(problem, 200, 4, lam=lam, k=40, method=SEARCH, round=25)
    low, high, own = -1 - np.sqrt((problem.X**2).sum(axis=1).max() / lam), None, trace.scalars
    high = -low
    for start in range(0, 200, 25):
        part = slice(start + 1, start + 26)
        np.testing.assert_allclose(own["b"][part], (low + high) / 2, rtol=1e-12, atol=1e-12)
        assert own["local"][part].tolist() == list(range(1, 26))
        assert trace.segments[0].record.factor[start] == 0.0
        w, b = np.zeros(2), (low + high) / 2
        for t in range(1, 26):
            pays = problem.y * (problem.X @ w + b) < 1
            w = (1 - 1 / t) * w + (problem.y[pays] @ problem.X[pays]) / (lam * t * 40)
        np.testing.assert_allclose(trace.at(start + 25).w, w, atol=1e-12)
        slope = -lam * trace.coef(start + 25).sum()
        low, high = (b, high) if slope < 0 else (low, b)


@pytest.mark.parametrize(
    ("method", "given", "steps", "within"),
    (
        (OWN, {"k": 40, "iterate": "average"}, 20_000, 1e-2),
        (BATCH, {"k": 40, "iterate": "average"}, 60_000, 1e-4),
        (SEARCH, {"k": 40, "round": 4000}, 100_000, 1e-4),
    ),
)
def test_each_reaches_libsvms_optimum(method, given, steps, within):
    problem, lam = aside(), 0.1
    exact = BIAS.optimum(problem, BIAS.check({"lam": lam})).primal
    assert exact == pytest.approx(libsvm(problem, lam), rel=1e-6)
    trace = BIAS.trace(problem, steps, lam=lam, method=method, **given)
    found = trace.metrics["primal_average" if given.get("iterate") else "primal"][steps]
    assert 0 <= found - exact <= within * exact


@pytest.mark.parametrize("method", METHODS)
def test_kernelised_it_is_the_same_run(method):
    problem = aside()
    plain, kernelised = (
        BIAS.trace(problem, 80, 2, method=method, kernel=kernel)
        for kernel in (None, kernels.linear())
    )
    np.testing.assert_allclose(plain.metrics["primal"], kernelised.metrics["primal"], rtol=1e-9)
    np.testing.assert_allclose(plain.scalars["b"], kernelised.scalars["b"], atol=1e-9)


def test_a_step_of_b_as_long_as_that_of_w_would_begin_with_one_over_lambda():
    """P21: with 1/√t the first steps stay small, whatever λ."""
    problem = make_problem([[0.0, 1.0], [0.0, 1.0], [0.0, 2.0]], [1, 1, -1])
    assert abs(BIAS.trace(problem, 5, lam=1e-4, k=1, method=OWN).scalars["b"]).max() <= 1 + sum(
        1 / np.sqrt(np.arange(2, 6))
    )
