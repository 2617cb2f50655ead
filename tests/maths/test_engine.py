"""The kernel engine against formulas in NumPy: every kernel, layout and precision; its cache
against rows computed anew.
"""

import numpy as np
import pytest
import scipy.sparse as sp

from svmviz.maths import kernels
from svmviz.maths.kernels import engine, rowcache
from svmviz.maths.machine import scan
from svmviz.maths.machine.exponentials import swiftly
from svmviz.maths.machine.jit import jit
from tests.tools.cases import together

KERNELS = (
    kernels.linear(),
    kernels.rbf(0.7),
    kernels.poly(3, 0.5, 1.0),
    kernels.laplacian(0.3),
    kernels.imq(0.6),
    kernels.rbf(0.7)._replace(plus=4.0),
)
SIZES = (1, 7, engine.LANES - 1, engine.LANES, engine.LANES + 1, 3 * engine.LANES + 5)
FORMS = ("dense", "sparse", "very sparse")


def table(form: str, n: int, d: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    if form == "dense":
        return X
    kept = rng.random((n, d)) < (0.3 if form == "sparse" else 0.02)
    return sp.csr_array(X * kept)


def formula(kernel, X, Z) -> np.ndarray:
    X, Z = (M.toarray() if sp.issparse(M) else M for M in (X, Z))
    if kernel.kind == kernels.RBF:
        K = np.exp(-kernel.gamma * ((X[:, None] - Z[None]) ** 2).sum(axis=2))
    elif kernel.kind == kernels.IMQ:
        K = 1 / np.sqrt(1 + kernel.gamma * ((X[:, None] - Z[None]) ** 2).sum(axis=2))
    elif kernel.kind == kernels.LAPLACIAN:
        K = np.exp(-kernel.gamma * np.abs(X[:, None] - Z[None]).sum(axis=2))
    else:
        K = (
            X @ Z.T
            if kernel.kind == kernels.LINEAR
            else (kernel.gamma * X @ Z.T + kernel.coef0) ** kernel.degree
        )
    return K + kernel.plus


@pytest.mark.parametrize("form", FORMS)
@together("kernel", KERNELS)
@together("n", SIZES)
def test_rows_are_those_of_the_formula(kernel, form, n):
    for d in (1, 2, 5, 40):
        Z, X = table(form, n, d), table(form, 3, d, seed=1)
        found, right = (
            engine.rows(kernel, engine.laid_out(Z, kernel), engine.points(X, kernel)),
            formula(kernel, X, Z),
        )
        assert np.abs(found - right).max() <= 1e-13 * max(1.0, np.abs(right).max())


@pytest.mark.parametrize("form", FORMS)
@together("kernel", KERNELS)
def test_in_single_precision_numbers_are_stored_and_sums_are_of_doubles(kernel, form):
    Z, X = table(form, 700, 20).astype(np.float32), table(form, 4, 20, seed=1).astype(np.float32)
    right = formula(kernel, X.astype(np.float64), Z.astype(np.float64))
    found = engine.rows(kernel, engine.laid_out(Z, kernel), engine.points(X, kernel))
    assert np.abs(found - right).max() <= 1e-12 * max(
        1.0, np.abs(right).max()
    )  # rows of doubles, of what was stored
    single = np.empty(right.shape, np.float32)
    engine.every_row(engine.laid_out(Z, kernel), kernel, engine.points(X, kernel), single)
    assert np.abs(single - right).max() <= 1e-6 * max(1.0, np.abs(right).max())


@pytest.mark.parametrize(
    ("of_x", "of_z"),
    [
        ("dense", "dense"),
        ("sparse", "sparse"),
        ("very sparse", "very sparse"),
        ("dense", "sparse"),
        ("sparse", "dense"),
    ],
)
@together("kernel", KERNELS)
def test_responses_are_sums_of_kernel_values(kernel, of_x, of_z):
    X, Z = table(of_x, 9, 20), table(of_z, engine.CHUNK + 70, 20, seed=1)
    coef = np.random.default_rng(2).normal(size=(9, 3))
    found, right = engine.responses(kernel, X, coef, Z), formula(kernel, Z, X) @ coef
    assert np.abs(found - right).max() <= 1e-12 * max(1.0, np.abs(right).max())


@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_a_row_has_the_same_bits_in_whatever_parts_it_is_computed(form):
    X, kernel = table(form, 2 * engine.LANES + 30, 6), kernels.rbf(0.4)
    examples, points = engine.laid_out(X), engine.points(X)
    whole, parts, sums = np.empty(examples.n), np.empty(examples.n), np.empty(engine.room(examples))
    one_row(examples, kernel, points, 5, 0, examples.n, sums, whole)
    for first, last in ((engine.LANES, examples.n), (0, engine.LANES)):
        one_row(examples, kernel, points, 5, first, last, sums, parts)
    assert np.array_equal(whole, parts)


@jit
def one_row(examples, kernel, points, i, first, last, sums, out):
    engine.row(examples, kernel, points, i, first, last, sums, out)


@pytest.mark.parametrize(("kind", "within"), [(np.float64, 1e-15), (np.float32, 3e-7)])
def test_swift_exponentials_are_right_wherever_they_matter(kind, within):
    y = np.concatenate(
        [np.linspace(0.0, 80.0, 10_001), [0.0, 1e-300, 0.34657359, 0.6931471805599453]]
    )
    for gamma in (1.0, 0.05, 1e-9):
        out = np.empty(y.size, kind)
        swiftly(y, y.size, gamma, out)
        assert (
            np.abs(out / np.exp(-gamma * y) - 1.0) <= within * (1.0 + gamma * y)
        ).all()  # y itself is rounded
    far = np.empty(4, kind)
    swiftly(np.array([1e6, np.inf, np.nan, 1e300]), 4, 1.0, far)
    assert (far >= 0.0).all() and (far < 1e-37).all()


def test_what_is_largest_is_found_where_numpy_finds_it():
    rng = np.random.default_rng(0)
    for n in (1, 7, 8, 9, 64, 1000):
        v = rng.integers(0, 9, n).astype(float)
        off = np.where(rng.random(n) < 0.3, np.inf, 0.0)
        assert scan.largest(v) == np.argmax(v)
        assert (
            scan.highest_of(v, off) == (v - off).max() and scan.lowest_of(v, off) == (v + off).min()
        )
        assert scan.highest(v, off) == (np.argmax(v - off) if np.isfinite(off - 1).any() else -1)


@jit
def asked(cache, examples, kernel, points, order, out):
    """Rows of these examples, one after the other, each as the cache has it"""
    spent = 0
    for s in range(order.size):
        at, cost = rowcache.fetch(cache, examples, kernel, points, order[s])
        spent += cost
        out[s] = cache.values[at : at + examples.n]
    return spent


@pytest.mark.parametrize("megabytes", [0.0, 0.02, 10.0])
def test_rows_from_the_cache_are_rows(megabytes):
    X, kernel, rng = table("dense", 120, 3), kernels.rbf(0.5), np.random.default_rng(0)
    examples, points = engine.laid_out(X), engine.points(X)
    right, order = formula(kernel, X, X), rng.integers(0, 120, 400)
    cache, out = rowcache.empty(examples, megabytes), np.empty((400, 120))
    spent = asked(cache, examples, kernel, points, order, out)
    assert np.abs(out - right[order]).max() < 1e-14
    if megabytes == 0.0:
        assert spent == 400 * 120  # nothing is remembered
    elif megabytes == 10.0:
        assert spent == np.unique(order).size * 120
    kept = np.sort(rng.permutation(120)[:50])
    fewer, own = engine.laid_out(X[kept]), engine.points(X[kept])
    narrow = rowcache.narrow(cache, 120, kept, fewer)
    out, order = np.empty((200, 50)), rng.integers(0, 50, 200)
    spent = asked(narrow, fewer, kernel, own, order, out)
    assert np.abs(out - right[np.ix_(kept, kept)][order]).max() < 1e-14
    assert (
        megabytes != 10.0 or spent == 0 or spent <= 50 * 50
    )  # rows of those who stay were there already


def test_the_row_that_was_not_asked_for_the_longest_makes_room():
    X, kernel = table("dense", 40, 2), kernels.rbf(1.0)
    examples, points = engine.laid_out(X), engine.points(X)
    cache = rowcache.empty(examples, 3 * 40 * 8 / 2**20)  # three rows
    assert (
        asked(cache, examples, kernel, points, np.array([0, 1, 2, 0, 3]), np.empty((5, 40)))
        == 4 * 40
    )
    assert (
        asked(cache, examples, kernel, points, np.array([0, 2, 3]), np.empty((3, 40))) == 0
    )  # 1 has gone
    assert asked(cache, examples, kernel, points, np.array([1]), np.empty((1, 40))) == 40
