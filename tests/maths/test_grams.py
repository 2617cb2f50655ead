"""Kernel values that are kept change no number, are bounded, and are nobody's own."""

import numpy as np
import pytest

from svmviz import SOLVERS
from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.maths.kernels import grams
from svmviz.player.wire import run
from svmviz.run.recipe import SOURCES, Recipe
from svmviz.theory import certificate, reference

MOONS = plane.moons(n=90, noise=0.3, seed=7)
KERNELS = kernels.rbf(2.0), kernels.poly(3, 0.5, 1.0), kernels.laplacian(1.5)


@pytest.fixture(autouse=True)
def nothing_known():
    grams._KNOWN.clear()


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize(
    "key, given",
    [
        ("pegasos", {}),
        ("pegasos", {"project": True, "k": 3, "lam": 1e-3}),
        ("sbp", {}),
        ("sdca", {}),
        ("smo", {}),
    ],
)
def test_runs_are_the_same_to_the_last_digit(key, given, kernel):
    plain = SOLVERS[key].trace(MOONS, 120, 3, kernel=kernel, changes=[(60, {})], **given)
    expected = {name: np.array(values) for name, values in plain.metrics.items()}
    with grams.kept():
        kept = SOLVERS[key].trace(MOONS, 120, 3, kernel=kernel, changes=[(60, {})], **given)
        found = kept.metrics
    assert grams._KNOWN.results and all(
        np.array_equal(found[name], values, equal_nan=True) for name, values in expected.items()
    )
    for one, other in zip(plain.segments, kept.segments, strict=True):
        assert all(
            np.array_equal(getattr(one.record, name), getattr(other.record, name))
            for name in ("drawn", "margin", "factor", "delta", "kernel_evals", "features_read")
        )


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_gram_matrix_is_the_same(kernel):
    with grams.kept():
        twice = [reference.gram(kernel, MOONS.X) for _ in range(2)]
    assert len(grams._KNOWN.results) == 1 and all(
        np.array_equal(K, reference.gram(kernel, MOONS.X)) for K in twice
    )
    twice[0][:] = 0.0  # whoever writes into it writes into his own
    with grams.kept():
        assert np.array_equal(reference.gram(kernel, MOONS.X), twice[1])


def test_nothing_is_kept_unless_somebody_says_so_nor_what_is_large_or_linear():
    reference.gram(kernels.rbf(1.0), MOONS.X)
    with grams.kept():
        reference.gram(kernels.linear(), MOONS.X)
        reference.gram(kernels.rbf(1.0), np.zeros((grams.UP_TO + 1, 2)))
    assert not grams._KNOWN.results


def test_the_latest_are_kept():
    with grams.kept():
        for k in range(grams.MOST + 3):
            reference.gram(kernels.rbf(1.0 + k), MOONS.X)
    assert [kernel.gamma for _, kernel in grams._KNOWN.results] == [
        1.0 + k for k in range(3, grams.MOST + 3)
    ]


def test_of_large_sets_one_is_kept_where_somebody_says_so():
    X = np.zeros((grams.LARGEST, 1))
    with grams.kept(up_to=grams.LARGEST):
        for gamma in (1.0, 2.0):
            assert grams.table(kernels.rbf(gamma), X).shape == (grams.LARGEST, grams.LARGEST + 1)
            assert grams.table(kernels.rbf(gamma), MOONS.X) is not None
        assert grams.table(kernels.rbf(1.0), np.zeros((grams.LARGEST + 1, 1))) is None
    assert [(kernel.gamma, len(K)) for (_, kernel), K in grams._KNOWN.results.items()] == [
        (1.0, 90),
        (2.0, len(X)),
        (2.0, 90),
    ]
    assert sum(K.size for K in grams._KNOWN.results.values()) <= grams.ROOM


def test_a_large_run_and_its_optimum_are_the_same_to_the_last_digit():
    problem, kernel = plane.moons(n=grams.UP_TO + 50, noise=0.3, seed=7), kernels.rbf(2.0)
    find = reference.optimum.__wrapped__

    def everything():
        trace = SOLVERS["pegasos"].trace(problem, 400, 3, kernel=kernel, lam=0.01)
        return [
            *trace.metrics.values(),
            *(part for bias in (False, True) for part in find(problem, 0.01, kernel, bias)),
        ]

    plain = everything()
    with grams.kept(up_to=grams.LARGEST):
        for _ in range(2):
            assert all(
                np.array_equal(one, other) for one, other in zip(plain, everything(), strict=True)
            )
    assert len(grams._KNOWN.results) == 1


@pytest.mark.parametrize("bias", [False, True])
def test_responses_are_the_same_where_all_values_are_there(bias):
    kernel, coef = kernels.rbf(2.0), np.where(np.arange(90) % 3, 0.0, np.linspace(-1.0, 1.0, 90))
    K = certificate.gram(kernel, MOONS.X, more=not bias)
    assert np.array_equal(
        certificate.responses(kernel, MOONS.X, coef, K),
        certificate.responses(kernel, MOONS.X, coef),
    )


@pytest.mark.parametrize("own", [False, True])
def test_a_visitors_own_data_leave_nothing_behind(own):
    recipe = Recipe(
        "moons",
        {"n": 60},
        params={"kernel": kernels.rbf(2.0)},
        steps=60,
        own=SOURCES["moons"] if own else None,
    )
    run.pack_recipe(recipe.checked())
    assert bool(grams._KNOWN.results) != own
