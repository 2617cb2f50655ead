"""Generated data: what holds for every set, by being listed in DATASETS, and the geometry of
each.
"""

import inspect

import numpy as np
import pytest
from sklearn.svm import SVC

from svmviz.data import plane
from svmviz.data.plane import DATASETS
from tests.tools.cases import together

TITLES = {
    "moons": "Two moons",
    "circles": "Two circles",
    "blobs": "Two Gaussians",
    "xor": "XOR",
    "spirals": "Two spirals",
    "checkerboard": "Checkerboard",
    "gauss": "Gauss mixture",
    "banana": "Banana",
    "imbalanced": "Imbalanced Gaussians",
    "separable": "Separable",
}
SIZES = (2, 3, 4, 7, 50, 5000)
UNBALANCED = ("checkerboard", "imbalanced")

every = together("key", DATASETS)


def param(key, name):
    return next(p for p in DATASETS[key].params if p.name == name)


def test_titles():
    assert {key: entry.title for key, entry in DATASETS.items()} == TITLES


@every
def test_the_function_and_the_entry_are_one(key):
    entry, function = DATASETS[key], getattr(plane, key)
    assert entry.key == key and entry.make is function
    signature = inspect.signature(function)
    assert [p.name for p in entry.params] == list(signature.parameters)
    assert all(p.default == signature.parameters[p.name].default for p in entry.params)
    assert all(p.check(p.default) == p.default and p.help.endswith(".") for p in entry.params)
    assert (
        entry.about == " ".join(function.__doc__.split())
        and entry.about.endswith(".")
        and "\n" not in entry.about
    )
    np.testing.assert_array_equal(entry.problem().X, function().X)


@every
@together("n", SIZES)
def test_shape_classes_and_exactness(key, n):
    for seed in range(20 if n < 50 else 2):
        for noise in (
            param(key, "noise").low,
            param(key, "noise").default,
            param(key, "noise").high,
        ):
            X, y = DATASETS[key].problem(n=n, noise=noise, seed=seed)
            assert (
                X.shape == (n, 2)
                and X.dtype == np.float64
                and X.flags.c_contiguous
                and np.isfinite(X).all()
            )
            assert set(y) == {-1.0, 1.0}
            np.testing.assert_array_equal(X, X.astype(np.float32))
            if key not in UNBALANCED:
                assert abs(y.sum()) <= 1


@every
def test_the_seed_decides(key):
    make = DATASETS[key].make
    first, again, other = make(n=60, seed=4), make(n=60, seed=4), make(n=60, seed=5)
    np.testing.assert_array_equal(first.X, again.X)
    np.testing.assert_array_equal(first.y, again.y)
    assert not np.isin(first.X, other.X).any()


@every
def test_rows_are_not_sorted_by_class(key):
    y = DATASETS[key].problem(n=1000).y
    changes, share = np.count_nonzero(np.diff(y)), np.mean(y > 0)
    assert changes == pytest.approx(2 * share * (1 - share) * 999, rel=0.25)


@pytest.mark.parametrize("key", [k for k in DATASETS if k != "checkerboard"])
def test_noise_moves_the_points_on_straight_lines(key):
    """Nothing is drawn anew when only the noise changes: half the noise is half the way."""
    low, high = param(key, "noise").low, param(key, "noise").high
    a, b, c = (
        DATASETS[key].problem(n=80, noise=noise, seed=2) for noise in (low, (low + high) / 2, high)
    )
    np.testing.assert_array_equal(a.y, c.y)
    np.testing.assert_allclose(b.X, (a.X + c.X) / 2, atol=2e-6)
    assert np.abs(a.X - c.X).max() > 0.1


def test_moons_lie_on_their_arcs():
    X, y = plane.moons(n=101, noise=0)
    radius = np.hypot(*(X + y[:, None] * [0.5, 0.25]).T)
    np.testing.assert_allclose(radius, 1, atol=1e-6)
    assert (y * (X[:, 1] + y * 0.25) >= 0).all()  # +1 is the upper arc, -1 the lower one


def test_circles_lie_on_their_radii():
    X, y = plane.circles(n=100, noise=0)
    np.testing.assert_allclose(np.hypot(*X.T), np.where(y > 0, 0.6, 1.5), atol=1e-6)
    angles = np.sort(np.arctan2(*X[y > 0].T))
    assert np.diff(angles).max() < 2 * 2 * np.pi / 50  # one point in every fiftieth of the circle


def test_xor_is_the_sign_of_the_product():
    X, y = plane.xor(n=400, noise=0)
    np.testing.assert_array_equal(np.prod(X, axis=1), y)
    assert len(np.unique(X, axis=0)) == 4


def test_spiral_arms_are_half_a_turn_apart():
    X, y = plane.spirals(n=400, noise=0)
    radius = np.hypot(*X.T)
    turned = np.arctan2(X[:, 1], X[:, 0]) - 3.5 * np.pi * radius / 2
    np.testing.assert_allclose(np.cos(turned), y, atol=1e-5)


def test_banana_classes_are_half_a_turn_apart_and_interlock():
    X, y = plane.banana(n=600, noise=0)
    arc = -y[:, None] * X - 0.6
    np.testing.assert_allclose(np.hypot(*arc.T), 1.6, atol=1e-6)
    from_middle = np.arccos(
        arc @ [np.sqrt(0.5), -np.sqrt(0.5)] / 1.6
    )  # the middle points to the lower right
    assert from_middle.max() == pytest.approx(np.pi * 225 / 360, abs=0.02)
    inside = np.hypot(*(X - 0.6 * y[:, None]).T) < 1.6  # within the circle of the other class
    assert inside[y > 0].any() and inside[y < 0].any()


def test_checkerboard_labels_match_the_cells():
    X, y = plane.checkerboard(n=5000, noise=0)
    column, row = np.floor(X).astype(int).T
    assert X.min() >= -2 and X.max() < 2
    np.testing.assert_array_equal(y, np.where((column + row) % 2 == 0, 1, -1))
    counts = np.unique((column + 2) * 4 + row + 2, return_counts=True)[1]
    assert len(counts) == 16 and np.abs(counts - 5000 / 16).max() < 4 * np.sqrt(5000 / 16)


def test_checkerboard_noise_is_the_share_of_flipped_labels():
    clean, noisy = plane.checkerboard(n=1000, noise=0), plane.checkerboard(n=1000, noise=0.15)
    np.testing.assert_array_equal(clean.X, noisy.X)
    assert np.count_nonzero(clean.y != noisy.y) == 150


@together("seed", range(50))
def test_checkerboard_of_two_points_keeps_labels_and_cells_together(seed):
    X, y = plane.checkerboard(n=2, noise=0, seed=seed)
    np.testing.assert_array_equal(y, np.where(np.floor(X).sum(axis=1) % 2 == 0, 1, -1))


@pytest.mark.parametrize("noise", [1.0, 0.5])
def test_gauss_has_the_moments_of_the_paper(noise):
    X, y = plane.gauss(n=5000, noise=noise, seed=1)
    for label, mean, sd in ((-1, [0, 0], 1.0), (1, [2, 0], 2.0)):
        Z, sd = X[y == label], sd * noise
        standard_error = sd / np.sqrt(len(Z))
        assert np.abs(Z.mean(axis=0) - mean).max() < 4 * standard_error
        assert np.abs(Z.var(axis=0) - sd**2).max() < 4 * sd**2 * np.sqrt(2 / len(Z))
        assert abs(np.cov(Z.T)[0, 1]) < 4 * sd**2 / np.sqrt(len(Z))


@pytest.mark.parametrize("key", ["blobs", "imbalanced"])
def test_gaussians_are_opposite(key):
    X, y = DATASETS[key].problem(n=5000, noise=0.7)
    for label in (-1, 1):
        Z = X[y == label]
        assert np.abs(Z.mean(axis=0) - label).max() < 4 * 0.7 / np.sqrt(len(Z))
        assert np.abs(Z.std(axis=0) - 0.7).max() < 4 * 0.7 / np.sqrt(2 * len(Z))


@pytest.mark.parametrize(
    ("n", "share", "rare"), [(2, 0.1, 1), (100, 0.1, 10), (5000, 0.02, 100), (50, 0.5, 25)]
)
def test_the_rare_class_has_its_share(n, share, rare):
    assert np.count_nonzero(plane.imbalanced(n=n, share=share).y > 0) == rare


@pytest.mark.parametrize("margin", [0.0, 0.1, 0.2, 2.0])
@pytest.mark.parametrize("noise", [0.0, 1.0, 3.0])
def test_separable_keeps_its_margin(margin, noise):
    X, y = plane.separable(n=5000, noise=noise, margin=margin)
    assert np.linalg.norm(plane.NORMAL) == pytest.approx(1, abs=1e-15)
    distance = y * (X @ plane.NORMAL)
    assert margin <= distance.min() < margin + 0.01  # and no wider than it says
    assert (X @ [-0.8, 0.6]).std() == pytest.approx(noise, rel=0.05, abs=1e-6)


def test_separable_keeps_its_margin_through_rounding():
    """In this draw the nearest point would end up short of the margin if nothing were kept in
    reserve.
    """
    X, y = plane.separable(n=5000, noise=3.0, margin=0.2, seed=15998)
    assert (y * (X @ plane.NORMAL)).min() >= 0.2


@pytest.mark.parametrize("key", ["xor", "circles"])
def test_only_a_curved_boundary_will_do(key):
    X, y = DATASETS[key].problem()
    assert SVC(kernel="linear").fit(X, y).score(X, y) < 0.8
    assert SVC(kernel="rbf", gamma=1.0).fit(X, y).score(X, y) > 0.95


@together(
    "given, message",
    [
        ({"n": 1}, r"n must lie in \[2, 5000\], got 1$"),
        ({"n": 5001}, r"n must lie in \[2, 5000\], got 5001"),
        ({"n": 2.5}, r"n must be a whole number, got 2.5"),
        ({"n": "many"}, r"n must be a number, got 'many'"),
        ({"noise": -0.1}, r"noise must lie in \[.*\], got -0.1"),
        ({"noise": float("nan")}, r"noise must lie in \[.*\], got nan"),
        ({"noise": 1e9}, r"noise must lie in \[.*\], got 1000000000.0"),
        ({"seed": -1}, r"seed must lie in \[0, 4294967295\], got -1"),
        ({"seed": 0.5}, r"seed must be a whole number, got 0.5"),
    ],
)
@every
def test_errors_at_the_door(key, given, message):
    for make in (DATASETS[key].problem, getattr(plane, key)):
        with pytest.raises(ValueError, match=message):
            make(**given)


def test_errors_of_the_extra_knobs():
    with pytest.raises(ValueError, match=r"margin must lie in \[0.0, 2.0\], got 3"):
        plane.separable(margin=3)
    with pytest.raises(ValueError, match=r"share must lie in \[0.02, 0.5\], got 0"):
        plane.imbalanced(share=0)
    with pytest.raises(
        ValueError, match="Two moons has no parameter 'margin'; it has n, noise, seed"
    ):
        DATASETS["moons"].problem(margin=1)
    with pytest.raises(
        TypeError, match="margin"
    ):  # a function that is called by hand complains as any function does
        plane.moons(margin=1)
