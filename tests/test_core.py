"""Problems, parameters, kernels, draws: what is checked at the door, and what the parts compute."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel

from svmviz.data import plane
from svmviz.data.params import Param
from svmviz.data.problem import make_problem
from svmviz.maths import kernels, matrix, sampling
from svmviz.maths.kerneltext import parse_kernel
from svmviz.maths.words import fill
from svmviz.record import metrics
from svmviz.solvers import SOLVERS

LAM = Param("lam", "λ", 0.1, 1e-4, 1.0, log=True)
SMALL = [[0.0, 1.0], [1.0, 0.0]]


def test_make_problem_fixes_type_layout_and_labels():
    X = np.asfortranarray(np.arange(6).reshape(3, 2))
    problem = make_problem(X, ["b", "a", "b"])
    assert problem.X.dtype == np.float64 and problem.X.flags.c_contiguous and problem.X.flags.writeable
    assert problem.y.tolist() == [1.0, -1.0, 1.0] and (problem.n, problem.d) == (3, 2)
    X[0, 0] = 99
    assert problem.X[0, 0] == 0  # a copy: nobody can change the data behind a trace


def test_sparse_input_stays_sparse_with_sorted_rows():
    X = sp.coo_array(([1.0, 2.0, 3.0], ([0, 0, 1], [2, 0, 1])), shape=(2, 3))
    problem = make_problem(X, [0, 1])
    assert sp.issparse(problem.X) and problem.X.has_sorted_indices
    assert np.array_equal(problem.X.toarray(), [[2, 0, 1], [0, 3, 0]])


@pytest.mark.parametrize("X, y, words", [
    ([[np.nan], [1.0]], [0, 1], "finite"), ([[np.inf], [1.0]], [0, 1], "finite"), ([1.0, 2.0], [0, 1], "table"),
    (np.zeros((0, 2)), [], "at least one row"), (SMALL, [0, 1, 1], "one label for each of the 2 rows"),
    (SMALL, [1, 1], "two classes, got 1: 1"), ([[1.0]] * 3, [1, 2, 3], "two classes, got 3: 1, 2, 3"),
])
def test_make_problem_says_what_is_wrong(X, y, words):
    with pytest.raises(ValueError, match=words):
        make_problem(X, y)


@pytest.mark.parametrize("value, words", [
    (-1, r"lam must lie in \[0.0001, 1.0\], got -1"), (2, "got 2"), ("x", "lam must be a number, got 'x'"),
    (float("nan"), "got nan"), (None, "must be a number"),
])
def test_a_parameter_names_itself_its_range_and_the_value(value, words):
    with pytest.raises(ValueError, match=words):
        LAM.check(value)


def test_a_parameter_casts_to_the_type_of_its_default():
    assert type(LAM.check(1)) is float and type(Param("k", "", 1, 1, 9).check(3.0)) is int
    with pytest.raises(ValueError, match="whole number"):
        Param("k", "", 1, 1, 9).check(2.5)
    with pytest.raises(ValueError, match="True or False"):
        Param("p", "", False).check("maybe")
    with pytest.raises(ValueError, match="one of a, b"):
        Param("c", "", "a", options=("a", "b")).check("z")


@pytest.mark.parametrize("param, value", [
    (LAM, 0.0123), (Param("k", "", 1, 1, 9), 7), (Param("p", "", False), True), (Param("c", "", "a", options=("a", "b")), "b"),
    (Param("kernel", "", None), None), (Param("kernel", "", None), kernels.poly(2, 0.5, 1.0)),
])
def test_what_a_parameter_writes_it_reads(param, value):
    assert param.read(param.write(value)) == value


# Kernels --------------------------------------------------------------------------------------------------------------

KERNELS = [
    (kernels.linear(), lambda X, Z: X @ Z.T), (kernels.rbf(0.7), lambda X, Z: rbf_kernel(X, Z, 0.7)),
    (kernels.poly(3, 0.5, 2.0), lambda X, Z: polynomial_kernel(X, Z, 3, 0.5, 2.0)),
    (kernels.laplacian(1.3), lambda X, Z: laplacian_kernel(X, Z, 1.3)),
]


@pytest.mark.parametrize("kernel, oracle", KERNELS, ids=[str(k) for k, _ in KERNELS])
def test_kernels_agree_with_scikit_learn_dense_and_sparse(kernel, oracle):
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(12, 4)) * (rng.random((12, 4)) < 0.5), rng.normal(size=(7, 4))
    for A, B in [(X, Z), (sp.csr_array(X), sp.csr_array(Z)), (sp.csr_array(X), Z)]:
        assert abs(kernels.gram(kernel, A, B) - oracle(X, Z)).max() < 1e-12
    assert abs(kernels.diagonal(kernel, matrix.rows(X)) - np.diag(oracle(X, X))).max() < 1e-12
    assert parse_kernel(str(kernel)) == kernel


@pytest.mark.parametrize("make", [
    lambda: kernels.rbf(0), lambda: kernels.rbf(-1), lambda: kernels.rbf(float("nan")), lambda: kernels.laplacian(float("inf")),
    lambda: kernels.poly(0), lambda: kernels.poly(1.5), lambda: kernels.poly(2, 1, -1),
    lambda: parse_kernel("rbf(gamma=-1)"), lambda: parse_kernel("rbf("), lambda: parse_kernel("exit()"),
    lambda: parse_kernel("rbf(__import__('os'))"), lambda: parse_kernel(""), lambda: parse_kernel("3"),
    lambda: parse_kernel("rbf(delta=1)"), lambda: parse_kernel("rbf('a')"),
])
def test_a_kernel_that_makes_no_sense_is_refused(make):
    with pytest.raises(ValueError):
        make()


def test_what_is_not_a_number_is_called_so():
    with pytest.raises(ValueError, match=r"kernel 'rbf\(gamma=nan\)': not a number$"):
        parse_kernel("rbf(gamma=nan)")


@given(st.text(max_size=60))
def test_no_text_makes_the_kernel_parser_fail_in_another_way(text):
    try:
        parse_kernel(text)
    except ValueError:
        pass


# Draws ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 3, 10])
@pytest.mark.parametrize("scheme", sampling.SCHEMES)
def test_more_steps_never_change_the_first_ones(scheme, k):
    long = sampling.draw(10, 500, k, scheme, seed=7)
    assert np.array_equal(long[:123], sampling.draw(10, 123, k, scheme, seed=7))
    assert long.shape == (500, k) and long.min() == 0 and long.max() == 9
    assert not np.array_equal(long, sampling.draw(10, 500, k, scheme, seed=8))


def test_mini_batches_are_distinct_and_every_subset_is_equally_likely():
    drawn = np.sort(sampling.draw(5, 20_000, 2, seed=1), axis=1)
    pairs, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(pairs) == 10 and (pairs[:, 0] < pairs[:, 1]).all()
    assert abs(counts - 2000).max() < 5 * np.sqrt(2000 * 0.9)


def test_single_draws_are_uniform_and_independent():
    drawn = sampling.draw(4, 40_000, seed=2)[:, 0]
    table = np.histogram2d(drawn[:-1], drawn[1:], bins=4)[0]
    assert abs(table - 2500).max() < 5 * np.sqrt(2500)


def test_permutations_pass_over_the_data_once_each():
    new, fixed = (sampling.draw(10, 40, 1, scheme, seed=3)[:, 0].reshape(4, 10) for scheme in sampling.SCHEMES[1:])
    assert (np.sort(new, axis=1) == np.arange(10)).all() and (np.sort(fixed, axis=1) == np.arange(10)).all()
    assert (fixed == fixed[0]).all() and not (new == new[0]).all()


def test_more_examples_per_step_than_there_are_is_refused():
    with pytest.raises(ValueError, match=r"k must lie in \[1, 10\]"):
        sampling.draw(10, 5, k=11)


def test_templates_write_plain_numbers_with_a_true_minus():
    values = {"a": -0.284, "b": 1e6, "c": 5e-6, "d": "x"}
    assert fill("{a:.2f} {b:.3g} {c:.3g} {d}", values) == "−0.28 1000000 0.000005 x"


@pytest.mark.parametrize("solver, params", [("pegasos", {"kernel": kernels.rbf(2.0), "iterate": "average"}), ("pegasos", {}),
                                            ("sbp", {"kernel": kernels.rbf(2.0), "bias": True}),
                                            ("fourier", {"features": 20})], ids=str)
def test_the_error_on_other_rows_is_that_of_the_decision_values(solver, params):
    trace = SOLVERS[solver].trace(plane.moons(n=60, seed=1), steps=80, changes=[(40, {"iterate": "last"})], **params)
    test = plane.moons(n=90, seed=2)
    errors = metrics.error_on(trace, test)
    expected = [((trace.f(t, test.X) >= 0) != (test.y > 0)).mean() for t in range(81)]
    assert errors.tolist() == expected and metrics.error_on(trace, test, [3, 70]).tolist() == [expected[3], expected[70]]
