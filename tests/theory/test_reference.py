"""The optimum against its optimality conditions, against two other solvers, and against all that is
feasible.
"""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.svm import SVC

from svmviz.data.problem import Problem, make_problem
from svmviz.maths import kernels
from svmviz.theory import reference
from svmviz.theory.reference import optimum
from tests.tools.cases import together
from tests.tools.rotation import by_turns

KERNELS = {
    "none": (None, lambda X: X @ X.T),
    "linear": (kernels.linear(), lambda X: X @ X.T),
    "Gaussian": (kernels.rbf(0.7), lambda X: np.exp(-0.7 * cdist(X, X, "sqeuclidean"))),
    "polynomial": (kernels.poly(3, 0.5, 1.0), lambda X: (0.5 * X @ X.T + 1.0) ** 3),
    "Laplacian": (kernels.laplacian(0.4), lambda X: np.exp(-0.4 * cdist(X, X, "cityblock"))),
}


def clouds(n=80, d=2, distance=1.0, seed=0) -> Problem:
    """Two Gaussian clouds, two thirds of the examples in the negative one."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 3 == 0, 1.0, -1.0)
    return make_problem(rng.normal(size=(n, d)) + distance * y[:, None], y)


def twins(agree: bool) -> Problem:
    """Every row twice, the second time with the same or with the opposite label."""
    X, y = clouds(n=40)
    return make_problem(np.repeat(X, 2, axis=0), np.stack([y, y if agree else -y], axis=1).ravel())


def with_zero_rows() -> Problem:
    X, y = clouds(n=60)
    X[::7] = 0.0
    return make_problem(X, y)


def collinear() -> Problem:
    """Five features of rank one: every Gram matrix that is a polynomial of it is singular."""
    X, y = clouds(n=60, d=1)
    return make_problem(X * np.array([0.3, -0.6, 0.1, 0.0, 0.7]), y)


DATA = {
    "overlapping": clouds(distance=0.5),
    "separable": clouds(distance=4.0),
    "in ten dimensions": clouds(d=10, distance=0.3),
    "duplicates": twins(agree=True),
    "contradictory duplicates": twins(agree=False),
    "zero rows": with_zero_rows(),
    "nothing but zero rows": make_problem(np.zeros((6, 2)), [1, 1, -1, -1, -1, -1]),
    "rank one": collinear(),
    "two examples": make_problem([[0.0, 1.0], [2.0, 0.0]], [1, -1]),
}

every_problem = [
    together("kernel", [name for name in KERNELS if name != "none"]),
    together("lam, bias", itertools.product([1.0, 1e-2, 1e-4], [False, True])),
    pytest.mark.parametrize("data", DATA),
]


def over(marks):
    def decorate(test):
        for mark in marks:
            test = mark(test)
        return test

    return decorate


def primal(K, y, lam, coef, b):
    """P of w = sum_j coef_j phi(x_j), from the definition."""
    return lam / 2 * coef @ K @ coef + np.mean(np.maximum(0, 1 - y * (K @ coef + b)))


def dual(K, y, lam, alpha):
    return lam * (alpha.sum() - (alpha * y) @ K @ (alpha * y) / 2)


def projected_ascent(K, y, lam, steps=20_000):
    """The dual without a bias by accelerated projected gradient steps with restarts: slow, and
    right by inspection.
    """
    C, Q = 1 / (lam * len(y)), K * np.outer(y, y)
    alpha = ahead = np.zeros(len(y))
    rate, momentum = 1 / np.linalg.eigvalsh(Q)[-1], 1.0
    for _ in range(steps):
        new = np.clip(ahead + rate * (1 - Q @ ahead), 0, C)
        if np.abs(new - ahead).max() <= 1e-12 * C:
            break
        if (ahead - new) @ (new - alpha) > 0:
            momentum = 1.0
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        alpha, ahead, momentum = new, new + (momentum - 1) / following * (new - alpha), following
    return alpha


def assert_same_optimum(best, K, y, lam, alpha):
    """D is strongly concave in w: if alpha falls short of the maximum by s, then  lam/2 |w - w*|²
    <= s.
    """
    shortfall, apart = best.dual - dual(K, y, lam, alpha), best.coef - y * alpha
    assert -1e-11 <= shortfall <= 1e-6 * best.dual
    assert lam / 2 * apart @ K @ apart <= shortfall + 1e-11


@over(every_problem)
def test_primal_and_dual_meet_and_are_those_of_the_returned_coefficients(data, kernel, lam, bias):
    problem, (kernel, gram) = DATA[data], KERNELS[kernel]
    K, y, C = gram(problem.X), problem.y, 1 / (lam * problem.n)
    best = optimum(problem, lam, kernel, bias)
    assert abs(best.gap) <= 1e-10
    assert best.gap == best.primal - best.dual
    np.testing.assert_array_equal(best.alpha, y * best.coef)
    assert best.alpha.min() >= 0 and best.alpha.max() <= C
    if bias:
        assert abs(best.coef.sum()) <= 1e-12 * C * problem.n
    else:
        assert best.b == 0
    assert best.primal == pytest.approx(primal(K, y, lam, best.coef, best.b), rel=1e-9, abs=1e-9)
    assert best.dual == pytest.approx(dual(K, y, lam, best.alpha), rel=1e-9, abs=1e-9)
    squared = max(
        0.0, best.coef @ K @ best.coef
    )  # where w = 0 a product of matrices may leave -1e-17
    assert best.norm == pytest.approx(np.sqrt(squared), rel=1e-7, abs=1e-7)
    assert best.primal == pytest.approx(lam / 2 * best.norm**2 + best.hinge, rel=1e-12)


@over(every_problem)
def test_every_example_obeys_complementary_slackness(data, kernel, lam, bias):
    problem, (kernel, gram) = DATA[data], KERNELS[kernel]
    best, C = optimum(problem, lam, kernel, bias), 1 / (lam * problem.n)
    margin = problem.y * (gram(problem.X) @ best.coef + best.b)
    slack = 1e-6
    assert np.all(margin[best.alpha == 0] >= 1 - slack), "who adds nothing lies beyond the margin"
    assert np.all(margin[best.alpha == C] <= 1 + slack), "who adds the utmost lies within it"
    free = (best.alpha > 0) & (best.alpha < C)
    np.testing.assert_allclose(margin[free], 1, atol=slack)


other_solvers = [
    together(
        "kernel, lam", itertools.product([name for name in KERNELS if name != "none"], [1.0, 1e-2])
    ),
    pytest.mark.parametrize("data", [name for name in DATA if name != "nothing but zero rows"]),
]


@over(other_solvers)
def test_libsvm_finds_the_same_optimum_with_a_bias(data, kernel, lam):
    problem, (kernel, gram) = DATA[data], KERNELS[kernel]
    K, y = gram(problem.X), problem.y
    other = SVC(C=1 / (lam * problem.n), kernel="precomputed", tol=1e-10).fit(K, y)
    alpha = np.zeros(problem.n)
    alpha[other.support_] = np.abs(other.dual_coef_[0])
    best = optimum(problem, lam, kernel, bias=True)
    assert_same_optimum(best, K, y, lam, alpha)
    assert best.primal <= primal(K, y, lam, y * alpha, other.intercept_[0]) + 1e-11


@together(
    "kernel, lam", itertools.product([name for name in KERNELS if name != "none"], [1.0, 1e-2])
)
@pytest.mark.parametrize(
    "data",
    by_turns(
        [
            "overlapping",
            *(name for name in DATA if name not in ("overlapping", "nothing but zero rows")),
        ],
        4,
    ),
)
def test_projected_gradients_find_the_same_optimum_without_a_bias(data, kernel, lam):
    problem, (kernel, gram) = DATA[data], KERNELS[kernel]
    K, y = gram(problem.X), problem.y
    alpha = projected_ascent(K, y, lam)
    best = optimum(problem, lam, kernel)
    assert_same_optimum(best, K, y, lam, alpha)
    assert best.primal <= primal(K, y, lam, y * alpha, 0.0) + 1e-11


@given(
    seed=st.integers(0, 2**32 - 1),
    kernel=st.sampled_from(list(KERNELS)),
    bias=st.booleans(),
    lam=st.floats(1e-4, 1.0),
    size=st.floats(1e-6, 1.0),
)
def test_nothing_feasible_is_better(seed, kernel, bias, lam, size):
    problem, (kernel, gram), rng = DATA["overlapping"], KERNELS[kernel], np.random.default_rng(seed)
    K, y, C = gram(problem.X), problem.y, 1 / (lam * problem.n)
    best = optimum(problem, lam, kernel, bias)
    alpha = np.clip(best.alpha + size * C * rng.normal(size=problem.n), 0, C)
    if bias:  # both classes get the weight of the lighter one
        weight = {sign: alpha[y == sign].sum() for sign in (-1.0, 1.0)}
        alpha *= [min(weight.values()) / weight[sign] for sign in y]
    assert dual(K, y, lam, alpha) <= best.primal + 1e-10
    coef = best.coef + size * C * rng.normal(size=problem.n)
    b = best.b + bias * size * rng.normal()
    assert primal(K, y, lam, coef, b) >= best.primal - 1e-10


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 30),
    d=st.integers(1, 4),
    bias=st.booleans(),
    kernel=st.sampled_from(list(KERNELS)),
    lam=st.floats(1e-4, 10.0),
    decimals=st.integers(0, 3),
)
def test_the_gap_closes_on_whatever_data(seed, n, d, bias, kernel, lam, decimals):
    """Rounded coordinates bring along equal rows, zero rows and ties."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = -1.0, 1.0
    best = optimum(
        make_problem(rng.normal(size=(n, d)).round(decimals), y), lam, KERNELS[kernel][0], bias
    )
    assert abs(best.gap) <= 1e-10


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("seed", by_turns(range(5), 4))
def test_the_gap_closes_where_one_step_hardly_moves_anything(seed, bias):
    """Long vectors on a line with labels at random: a narrow ridge, on which pairs of coefficients
    make no headway.
    """
    rng = np.random.default_rng(seed)
    problem = make_problem(60 * rng.normal(size=(200, 1)), rng.permutation(np.arange(200) % 2))
    assert abs(optimum(problem, 1e-4, bias=bias).gap) <= 1e-10


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("lam", [10.0, 1e-1, 1e-3, 1e-5])
def test_the_norm_is_at_most_one_over_the_root_of_lambda(lam, kernel):
    assert (
        0
        < optimum(DATA["overlapping"], lam, KERNELS[kernel][0]).norm
        <= 1 / np.sqrt(lam) * (1 + 1e-12)
    )


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("kernel", KERNELS)
def test_sparse_rows_have_the_same_optimum_as_dense_ones(kernel, bias):
    X, y = DATA["zero rows"]
    dense, sparse = (
        optimum(make_problem(rows, y), 1e-2, KERNELS[kernel][0], bias)
        for rows in (X, sp.csr_array(X))
    )
    assert sparse.primal == pytest.approx(dense.primal, abs=1e-12)
    assert sparse.b == pytest.approx(dense.b, abs=1e-9)
    np.testing.assert_allclose(sparse.alpha, dense.alpha, atol=1e-7)
    assert (sparse.w is None) == (dense.w is None)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("kernel", KERNELS)
def test_w_is_the_sum_of_the_examples_where_the_kernel_is_linear(kernel, bias):
    problem = DATA["in ten dimensions"]
    best = optimum(problem, 1e-2, KERNELS[kernel][0], bias)
    if kernel not in ("none", "linear"):
        assert best.w is None
        return
    np.testing.assert_allclose(best.w, best.coef @ problem.X, rtol=1e-12)
    assert best.norm == pytest.approx(np.linalg.norm(best.w))
    P = (
        1e-2 / 2 * best.w @ best.w
        + np.maximum(0, 1 - problem.y * (problem.X @ best.w + best.b)).mean()
    )
    assert best.primal == pytest.approx(P, rel=1e-14)


def test_a_zero_row_pulls_with_all_its_force_and_in_vain():
    problem = DATA["zero rows"]
    best = optimum(problem, 1e-2)
    zero = ~problem.X.any(axis=1)
    np.testing.assert_array_equal(best.alpha[zero], 1 / (1e-2 * problem.n))


def test_contradictory_twins_cancel_where_both_err():
    """One on each side within the margin: both alphas are C, and w = 0 does no worse than any other
    w.
    """
    best = optimum(DATA["contradictory duplicates"], 1e-2, kernels.rbf(0.7))
    assert best.primal == pytest.approx(1.0)
    assert best.norm == pytest.approx(0.0, abs=1e-7)


def test_b_is_the_midpoint_if_an_interval_is_optimal():
    """At large λ every alpha is C, w is short, and any b that keeps all margins below 1 costs the
    same.
    """
    best = optimum(
        make_problem([[-1.0], [-2.0], [1.0], [5.0]], [-1, -1, 1, 1]), lam=100.0, bias=True
    )
    np.testing.assert_array_equal(best.alpha, 1 / 400)
    w = 9 / 400
    assert best.b == pytest.approx(((-1 + 2 * w) + (1 - 5 * w)) / 2)


def test_where_all_rows_are_zero_only_the_bias_can_help():
    problem = DATA["nothing but zero rows"]
    without, having = optimum(problem, 0.1), optimum(problem, 0.1, bias=True)
    assert (without.primal, without.norm) == (pytest.approx(1.0), 0.0)
    assert (having.primal, having.norm, having.b) == (pytest.approx(2 * 2 / 6), 0.0, -1.0)


def test_a_single_class_costs_nothing_with_a_bias():
    best = optimum(Problem(np.array([[1.0], [2.0]]), np.ones(2)), lam=0.1, bias=True)
    assert (best.primal, best.dual, best.norm, best.b) == (0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("kernel", ["linear", "Gaussian"])
def test_a_set_that_is_solved_in_parts_has_the_same_optimum(kernel, bias, monkeypatch):
    problem, kernel = clouds(n=700, distance=0.6), KERNELS[kernel][0]
    whole = optimum(problem, 1e-3, kernel, bias)
    monkeypatch.setattr(reference, "WORKING", 200)
    parted, again = (optimum(problem, 1e-3, kernel, bias) for _ in range(2))
    np.testing.assert_array_equal(parted.coef, again.coef)
    assert abs(parted.gap) <= 1e-11
    assert parted.primal == pytest.approx(whole.primal, abs=1e-11)
    assert abs(parted.coef.sum()) <= 1e-9 or not bias


def test_an_answer_that_came_too_early_admits_it(monkeypatch):
    kernel = kernels.rbf(0.7)  # without features in which it could be found by other means
    monkeypatch.setattr(reference, "ROUNDS", 1)
    hasty = optimum.__wrapped__(DATA["overlapping"], 1e-3, kernel)  # past what is remembered
    monkeypatch.undo()
    best = optimum.__wrapped__(DATA["overlapping"], 1e-3, kernel)
    assert hasty.gap > 1e-3
    assert hasty.primal - hasty.gap <= best.primal <= hasty.primal


def test_the_same_problem_gives_the_same_digits():
    first, second = (
        optimum(DATA["in ten dimensions"], 1e-3, kernels.rbf(0.7), bias=True) for _ in range(2)
    )
    np.testing.assert_array_equal(first.coef, second.coef)
    assert first[:6] == second[:6]


@pytest.mark.parametrize("lam", [0, 0.0, -0.5, float("nan"), float("inf")])
def test_a_lambda_that_is_not_positive_is_named(lam):
    with pytest.raises(ValueError, match=f"lam must be positive, got {lam}"):
        optimum(DATA["two examples"], lam)
