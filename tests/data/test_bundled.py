"""Measured data, and the planes on which more than two features are shown."""

import numpy as np
import pytest

from svmviz.data import bundled, projection
from svmviz.data.bundled import ALL, BUNDLED
from svmviz.data.problem import make_problem

every = pytest.mark.parametrize("key", BUNDLED)


@every
def test_rows_features_and_names_agree(key):
    item = BUNDLED[key]
    problem = item.problem()
    assert problem.X.shape == (item.params[0].default, len(item.names)) and len(
        set(item.names)
    ) == len(item.names)
    assert np.array_equal(problem.X, problem.X.astype(np.float32)) and {*problem.y} == {-1.0, 1.0}
    assert np.array_equal(problem.X, item.problem().X) and not np.array_equal(
        problem.X, item.problem(seed=1).X
    )


@every
def test_a_sample_keeps_the_shares_of_the_classes(key):
    whole, part = (BUNDLED[key].problem(n=n) for n in (BUNDLED[key].params[0].high, 40))
    assert part.n == 40 and abs((part.y > 0).mean() - (whole.y > 0).mean()) <= 1 / 40
    tiny = BUNDLED[key].problem(n=2)
    assert sorted(tiny.y) == [-1.0, 1.0]


@every
def test_scaling_does_what_it_says(key):
    rows = BUNDLED[key].params[0].high
    standard, ball, raw = (
        BUNDLED[key].problem(n=rows, scaling=s).X for s in ("standardise", "unit ball", "none")
    )
    varies = raw.std(axis=0) > 0
    assert abs(standard.mean(axis=0)).max() < 1e-5 and np.allclose(
        standard.std(axis=0)[varies], 1.0, atol=1e-5
    )
    assert np.linalg.norm(ball, axis=1).max() == pytest.approx(1.0, abs=1e-6)
    assert np.allclose(raw / np.linalg.norm(raw, axis=1).max(), ball, atol=1e-6)


def test_class_names_are_those_of_the_source():
    for key in ("iris", "breast_cancer", "wine", "digits"):
        labels = set(bundled.from_sklearn(key)[1])
        entry = BUNDLED["cancer" if key == "breast_cancer" else key]
        assert labels == set(entry.classes) and set(entry.params[1].options) - labels <= {ALL}
    assert set(bundled.waveforms()[1]) == set("012")


def test_waveforms_are_mixtures_of_two_triangles():
    X, label = bundled.waveforms()
    t = np.arange(1, 22)
    h = [np.maximum(6 - abs(t - c), 0) for c in (7, 15, 11)]
    for k, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
        chosen = X[label == str(k)]
        assert abs(chosen.mean(axis=0) - (h[a] + h[b]) / 2).max() < 5 / np.sqrt(len(chosen)) * 2


@pytest.mark.parametrize(
    "key, classes", [("iris", 3), ("wine", 3), ("waveform", 3), ("digits", 10)]
)
def test_all_classes_can_be_told_apart(key, classes):
    item = BUNDLED[key]
    X, labels = {"waveform": bundled.waveforms}.get(key, lambda: bundled.from_sklearn(key))()
    problem, small = item.problem(positive=ALL, scaling="none"), item.problem(n=37, positive=ALL)
    assert problem.classes == small.classes == classes == len(item.classes) and set(
        problem.y
    ) == set(range(classes))
    share = [np.bincount(p.y.astype(int)) / p.n for p in (problem, small)]
    assert (
        abs(share[0] - share[1]).max() <= 1 / 37
        and item.problem(n=classes, positive=ALL).n == classes
    )
    where = {row.astype(np.float32).tobytes(): name for row, name in zip(X, labels, strict=True)}
    names = [where[row.astype(np.float32).tobytes()] for row in problem.X]
    assert names == [item.classes[int(c)] for c in problem.y]
    with pytest.raises(
        ValueError, match=f"n must be at least {classes} for {classes} classes, got 2"
    ):
        item.problem(n=2, positive=ALL)


@pytest.mark.parametrize("scaling", bundled.SCALINGS)
def test_pixels_come_back_from_every_scaling(scaling):
    digits = BUNDLED["digits"]
    shift, divisor = digits.pixels(
        **{p.name: p.default for p in digits.params} | {"scaling": scaling}
    )
    raw = digits.problem(scaling=scaling).X * divisor + shift
    assert (
        np.allclose(raw, np.rint(raw), atol=1e-4)
        and raw.min() > -1e-4
        and raw.max() == pytest.approx(16.0, abs=1e-4)
    )


def test_an_unknown_class_is_refused():
    with pytest.raises(ValueError, match="positive must be one of"):
        BUNDLED["iris"].problem(positive="rose")


# Planes -------------------------------------------------------------------------------------------

rng = np.random.default_rng(0)
WIDE = make_problem(rng.normal(size=(50, 6)) * [3, 1, 2, 0.1, 1, 1] + 5, rng.random(50) < 0.5)


def test_principal_components_are_orthonormal_and_hold_the_most_variance():
    plane = projection.principal(WIDE)
    assert np.allclose(plane.basis @ plane.basis.T, np.eye(2))
    singular = np.linalg.svd(WIDE.X - WIDE.X.mean(axis=0), compute_uv=False)
    assert np.allclose((plane.project(WIDE.X) ** 2).sum(axis=0), singular[:2] ** 2)
    assert f"({singular[0] ** 2 / (singular**2).sum():.0%})".replace("%", " %") in plane.axes[0]


def test_two_features_keep_their_units_and_the_others_their_mean():
    plane = projection.features(WIDE, 4, 1, [f"f{j}" for j in range(6)])
    assert np.allclose(plane.project(WIDE.X), WIDE.X[:, [4, 1]]) and plane.axes == ("f4", "f1")
    assert np.allclose(np.delete(plane.origin, [4, 1]), np.delete(WIDE.X.mean(axis=0), [4, 1]))
    with pytest.raises(ValueError, match="two different features"):
        projection.features(WIDE, 2, 2, [f"f{j}" for j in range(6)])


def test_two_features_are_their_own_plane():
    flat = make_problem(WIDE.X[:, :2], WIDE.y)
    assert projection.default(flat).arrays(flat) == {} and projection.default(flat).slice == ""
    line = make_problem(WIDE.X[:, :1], WIDE.y)
    assert not projection.default(line).project(line.X)[:, 1].any()  # the second axis is empty
