"""Data with real targets: generated, measured, and from a visitor's file."""

import numpy as np
import pytest

from svmviz.data import edits, projection, unseen, uploads
from svmviz.data.problem import Private, make_regression_problem, private
from svmviz.data.targets import REGRESSION
from svmviz.views import theme
from svmviz.views.thumbnail import thumbnail
from svmviz.work import memo

every = pytest.mark.parametrize("key", REGRESSION)


@every
def test_the_same_arguments_give_the_same_targets_and_noise_moves_them_only(key):
    one, again = (REGRESSION[key].problem(n=40, seed=3) for _ in range(2))
    assert (
        one.real
        and one.classes == 0
        and np.array_equal(one.X, again.X)
        and np.array_equal(one.y, again.y)
    )
    assert np.array_equal(one.X, one.X.astype(np.float32)) and np.array_equal(
        one.y, one.y.astype(np.float32)
    )
    if any(p.name == "noise" for p in REGRESSION[key].params):
        other = REGRESSION[key].problem(n=40, seed=3, noise=0.5)
        assert np.array_equal(one.X, other.X) and not np.array_equal(one.y, other.y)
    test = unseen.test_set(REGRESSION[key], {"n": 40, "seed": 3}, one)
    assert test.real and test.n >= 400


@every
def test_it_has_a_picture(key):
    problem = REGRESSION[key].problem(n=30)
    plane = projection.default(problem, REGRESSION[key].names)
    drawn = thumbnail(problem, plane, theme.LIGHT)
    assert drawn.count("M") == 30 and "nan" not in drawn
    assert (plane.axes == ("x", "y")) == (problem.d == 1)
    if problem.d == 1:
        assert np.array_equal(plane.places(problem), np.column_stack([problem.X[:, 0], problem.y]))


def test_outliers_are_as_many_as_asked_for():
    far = REGRESSION["outliers"].problem(n=80, share=0.1, noise=0.0)
    assert (far.y - 0.6 * far.X[:, 0] > 2).sum() == 8


def test_what_is_no_target_is_refused():
    with pytest.raises(ValueError, match="one target for each of the 2 rows"):
        make_regression_problem([[1.0], [2.0]], [1.0])
    with pytest.raises(ValueError, match="finite numbers only"):
        make_regression_problem([[1.0], [2.0]], [1.0, np.nan])


def test_private_targets_stay_private_and_are_not_drawn_on():
    problem = private(REGRESSION["surface"].problem(n=20))
    assert (
        isinstance(problem, Private)
        and problem.private
        and problem.real
        and problem._replace(y=problem.y).real
    )
    assert edits.apply(problem, [edits.edit(3, [0], [])]) == (problem, [])
    assert memo.digest(problem)


ROWS = (f"{40 + 3 * (k * 7 % 30)},{1 + k % 4},{'ab'[k % 2]},{900 + 71 * k}\n" for k in range(30))
CSV = ("size,rooms,town,price\n" + "".join(ROWS) + "50,2,a,\n").encode()


def test_a_column_of_many_numbers_can_be_fitted():
    table = uploads.read(CSV)
    assert uploads.can_be_fitted(table, "price") and not uploads.can_be_fitted(table, "rooms")
    assert not uploads.can_be_fitted(table, "town")
    built = uploads.build_regression(table, "price", test_share=0.2, seed=1)
    assert built.problem.real and (built.problem.n, built.test.n, built.names) == (
        24,
        6,
        ("size", "rooms"),
    )
    assert built.problem.y.mean() == pytest.approx(
        0, abs=1e-12
    ) and built.problem.y.std() == pytest.approx(1)
    told, plain = (
        dict(built.report),
        uploads.build_regression(table, "price", test_share=0.2, seed=1, scaling="none"),
    )
    y = plain.problem.y
    assert sorted([*y, *plain.test.y]) == [900 + 71 * k for k in range(30)]
    about = "'price': 30 numbers from 900 to 2959, 1930 on average; "
    assert (
        told["Target"]
        == f"{about}less {y.mean():.4g}, its mean, and divided by {y.std():.4g}, its standard"
        " deviation."
    )
    assert dict(plain.report)["Target"] == f"{about}in its own units."
    assert "1 row, left out" in told["Rows without a target"] and "standardised" in told["Scales"]
    assert uploads.build_regression(table, "price", cap=10).problem.n == 10
    with pytest.raises(ValueError, match="must be a column of numbers, got 'town'"):
        uploads.build_regression(table, "town")


def test_a_target_too_large_to_be_squared_is_named_with_its_row():
    table = uploads.read(b"x,price\n1,2\n2,-1e300\n3,4\n")
    with pytest.raises(ValueError, match=r"'price' holds -1e\+300 in row 3"):
        uploads.build_regression(table, "price")
