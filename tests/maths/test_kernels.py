"""Kernels: their values against scikit-learn, and what their text is read as."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel

from svmviz.maths import kernels, matrix
from svmviz.maths.kernels.text import parse_kernel
from svmviz.maths.machine.exponentials import exponential, exponentials
from tests.tools.cases import together

KERNELS = [
    (kernels.linear(), lambda X, Z: X @ Z.T),
    (kernels.rbf(0.7), lambda X, Z: rbf_kernel(X, Z, 0.7)),
    (kernels.poly(3, 0.5, 2.0), lambda X, Z: polynomial_kernel(X, Z, 3, 0.5, 2.0)),
    (kernels.laplacian(1.3), lambda X, Z: laplacian_kernel(X, Z, 1.3)),
    (kernels.imq(2.1), lambda X, Z: 1 / np.sqrt(1 + 2.1 * cdist(X, Z, "sqeuclidean"))),
]


@pytest.mark.parametrize("kernel, oracle", KERNELS, ids=[str(k) for k, _ in KERNELS])
def test_kernels_agree_with_scikit_learn_dense_and_sparse(kernel, oracle):
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(12, 4)) * (rng.random((12, 4)) < 0.5), rng.normal(size=(7, 4))
    for A, B in [(X, Z), (sp.csr_array(X), sp.csr_array(Z)), (sp.csr_array(X), Z)]:
        assert abs(kernels.gram(kernel, A, B) - oracle(X, Z)).max() < 1e-12
    assert abs(kernels.diagonal(kernel, matrix.rows(X)) - np.diag(oracle(X, X))).max() < 1e-12
    assert parse_kernel(str(kernel)) == kernel


@together(
    "kernel",
    [
        kernels.rbf(0.7),
        kernels.laplacian(0.3),
        kernels.rbf(0.1)._replace(plus=0.25),
        kernels.imq(0.4),
    ],
)
@together("d, n", itertools.product([0, 1, 2, 3, 4, 10, 64], [1, 7, kernels.STRIP + 9]))
def test_values_are_the_same_to_the_last_bit_alone_by_rows_and_all_at_once(kernel, d, n):
    rng = np.random.default_rng(d)
    X, Z = rng.normal(size=(5, d)), rng.normal(size=(n, d))
    a, b, by_rows, into = matrix.rows(X), matrix.rows(Z), np.empty((5, n)), np.empty((5, n))
    for i in range(5):
        kernels.row(kernel, X, i, Z, by_rows[i])
    kernels.gram_into(kernel, a, b, into)
    alone = [[kernels.k(kernel, a, i, b, j) for j in range(n)] for i in range(5)]
    assert all(
        np.array_equal(kernels.gram(kernel, X, Z), other) for other in (by_rows, into, alone)
    )


@pytest.mark.parametrize("many", [0, 1, 2, 3, 4, 5, 7, 8, 30, 103])
def test_exponentials_are_the_same_to_the_last_bit_alone_and_many_at_a_time(many):
    y = np.random.default_rng(many).choice(
        [0.0, 1e-9, 0.3, 20.0, 700.0, 1e4, np.inf, np.nan], many + 3
    )
    v = y.copy()
    exponentials(v, many, 1.3)
    assert v[:many].tolist() == [exponential(1.3 * one) for one in y[:many]]
    assert np.array_equal(v[many:], y[many:], equal_nan=True)


@pytest.mark.parametrize(
    "make",
    [
        lambda: kernels.rbf(0),
        lambda: kernels.rbf(-1),
        lambda: kernels.rbf(float("nan")),
        lambda: kernels.laplacian(float("inf")),
        lambda: kernels.poly(0),
        lambda: kernels.poly(1.5),
        lambda: kernels.poly(2, 1, -1),
        lambda: parse_kernel("rbf(gamma=-1)"),
        lambda: parse_kernel("rbf("),
        lambda: parse_kernel("exit()"),
        lambda: parse_kernel("rbf(__import__('os'))"),
        lambda: parse_kernel(""),
        lambda: parse_kernel("3"),
        lambda: parse_kernel("rbf(delta=1)"),
        lambda: parse_kernel("rbf('a')"),
    ],
)
def test_a_kernel_that_makes_no_sense_is_refused(make):
    with pytest.raises(ValueError):
        make()


def test_what_is_not_a_number_is_called_so():
    with pytest.raises(ValueError, match=r"kernel 'rbf\(gamma=nan\)': not a number$"):
        parse_kernel("rbf(gamma=nan)")


@given(st.text(max_size=60))
@settings(max_examples=100)
def test_no_text_makes_the_kernel_parser_fail_in_another_way(text):
    try:
        parse_kernel(text)
    except ValueError:
        pass
