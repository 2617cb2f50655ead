"""Rows, dense and sparse, against NumPy; distances between rows; sums over examples."""

import numpy as np
import pytest
import scipy.sparse as sp

from svmviz.maths import kernels, matrix
from svmviz.maths.kernels import distances, weights

RNG = np.random.default_rng(4)


def tables():
    """Yield tables of several widths with a sparse twin of each."""
    for n, d in ((3, 1), (5, 3), (4, 8), (6, 19)):
        X = RNG.normal(size=(n, d)) * (RNG.random((n, d)) < 0.6)
        yield X, sp.csr_array(X)


def test_products_sums_and_lengths_are_those_of_numpy_dense_and_sparse():
    for X, sparse in tables():
        v, coef = (
            RNG.normal(size=X.shape[1]),
            RNG.normal(size=len(X)) * np.arange(len(X)),
        )  # the first is 0
        for table in (X, sparse):
            rows = matrix.rows(table)
            assert matrix.product(table, v) == pytest.approx(X @ v, rel=1e-13, abs=1e-13)
            assert matrix.combined(table, coef) == pytest.approx(coef @ X, rel=1e-13, abs=1e-13)
            assert matrix.lengths(table) == pytest.approx((X**2).sum(axis=1), rel=1e-13)
            assert [matrix.dot(rows, i, v) for i in range(len(X))] == pytest.approx(
                X @ v, rel=1e-13, abs=1e-13
            )
            assert matrix.size(rows) == len(X) and matrix.is_dense(rows) == (table is X)
        stored = [matrix.nonzeros(matrix.rows(sparse), i) for i in range(len(X))]
        assert (
            stored == np.diff(sparse.indptr).tolist()
            and matrix.nonzeros(matrix.rows(X), 0) == X.shape[1]
        )
        order = np.array([[0, 1], [2, 2]])
        assert matrix.features_read(X, order).tolist() == [2 * X.shape[1]] * 2
        assert (
            matrix.features_read(sparse, order).tolist()
            == np.diff(sparse.indptr)[order].sum(axis=1).tolist()
        )
        assert matrix.entries(sparse) == sparse.nnz and matrix.entries(X) == X.size
        assert matrix.eightfold(X[0], v) == pytest.approx(X[0] @ v, rel=1e-13, abs=1e-13)


def test_two_sparse_rows_walked_along_at_once_give_product_and_distances():
    for X, sparse in tables():
        rows = matrix.rows(sparse)
        for i in range(len(X)):
            for j in range(len(X)):
                found = matrix.merged(rows, i, rows, j)
                exact = X[i] @ X[j], ((X[i] - X[j]) ** 2).sum(), abs(X[i] - X[j]).sum()
                assert found == pytest.approx(exact, rel=1e-13, abs=1e-13)


def test_unsorted_indices_are_sorted_and_a_dense_table_is_not_copied():
    unsorted = sp.csr_array(
        (np.array([1.0, 2.0]), np.array([2, 0]), np.array([0, 2])), shape=(1, 3)
    )
    unsorted.has_sorted_indices = False
    assert matrix.rows(unsorted).indices.tolist() == [0, 2] and matrix.rows(
        unsorted
    ).data.tolist() == [2.0, 1.0]
    X = np.ones((2, 3))
    assert matrix.rows(X).X is X and matrix.rows(matrix.rows(X)).X is X


@pytest.mark.parametrize("squared", [True, False])
def test_distances_by_feature_and_by_row_are_those_of_numpy(squared):
    for X, _ in tables():
        Z = RNG.normal(size=(7, X.shape[1]))
        for i in range(len(X)):
            exact = ((X[i] - Z) ** 2 if squared else abs(X[i] - Z)).sum(axis=1)
            out = np.empty(7)
            distances.by_row(squared, X, i, Z, out)
            assert out == pytest.approx(exact, rel=1e-13)
            part = np.empty(3)
            distances.by_feature(squared, X[i], np.ascontiguousarray(Z.T), 2, part)
            assert part == pytest.approx(exact[2:5], rel=1e-13)
    v = np.array([0.0, 1.0, 3.0, 8.0])
    distances.inverse_roots(v, 3, 5.0)
    assert v.tolist() == pytest.approx([1.0, 1 / np.sqrt(6), 0.25, 8.0], rel=1e-15)


@pytest.mark.parametrize("kernel", [None, kernels.rbf(0.7)], ids=["w", "coefficients"])
def test_an_expansion_that_is_added_to_and_scaled_responds_as_its_sum(kernel):
    for X, sparse in tables():
        K = X @ X.T if kernel is None else kernels.gram(kernel, X)
        for table in (X, sparse):
            coef = RNG.normal(size=len(X))
            at = weights.expansion(table, kernel, coef.copy())
            weights.add(at, 1, 0.75)
            weights.add(at, 2, 0.0)
            weights.scale(at, -0.5)
            coef[1] += 0.75
            coef *= -0.5
            for i in range(len(X)):
                value, evaluations = weights.respond(at, i)
                assert value == pytest.approx(K[i] @ coef, rel=1e-12, abs=1e-12)
                assert evaluations == (0 if kernel is None else len(X))
            assert at.coef == pytest.approx(coef, rel=1e-15)
