"""Losses: their values, slopes and conjugates, against what they are defined as."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmviz.maths import losses
from svmviz.maths.losses import (
    CONJUGATE,
    CURVATURE,
    SLOPE,
    VALUE,
    conjugate,
    curvature,
    each,
    slope,
    value,
)

LOSSES = [
    losses.hinge(),
    losses.squared_hinge(),
    losses.smoothed_hinge(0.5),
    losses.smoothed_hinge(2.0),
    losses.logistic(),
]
DEFINED = {
    losses.HINGE: lambda m, s: max(0.0, 1 - m),
    losses.SQUARED: lambda m, s: max(0.0, 1 - m) ** 2,
    losses.SMOOTHED: lambda m, s: (
        0.0 if m >= 1 else 1 - m - s / 2 if m <= 1 - s else (1 - m) ** 2 / (2 * s)
    ),
    losses.LOGISTIC: lambda m, s: math.log1p(math.exp(-m)) if m > -700 else -m,
}
every = pytest.mark.parametrize("loss", LOSSES, ids=str)
margins = st.floats(-50, 50)
shares = st.floats(0, 1)


@every
def test_value_is_its_definition(loss):
    for m in (-800.0, -30.0, -1.0, 0.0, 0.3, 0.5, 0.999, 1.0, 1.5, 40.0, 600.0):
        assert value(loss, m) == pytest.approx(DEFINED[loss.kind](m, loss.s), rel=1e-14)
    assert value(loss, 700.0) >= 0.0 and math.isfinite(
        value(loss, -1e300 if loss.kind != losses.SQUARED else -1e100)
    )


@every
@given(m=margins)
def test_slope_and_curvature_are_derivatives(loss, m):
    h = 1e-6
    kinks = {
        losses.HINGE: [1],
        losses.SQUARED: [1],
        losses.SMOOTHED: [1, 1 - loss.s],
        losses.LOGISTIC: [],
    }[loss.kind]
    if min((abs(m - kink) for kink in kinks), default=1.0) <= 2 * h:
        return
    assert slope(loss, m) == pytest.approx(
        (value(loss, m + h) - value(loss, m - h)) / (2 * h), rel=1e-6, abs=1e-7
    )
    assert curvature(loss, m) == pytest.approx(
        (slope(loss, m + h) - slope(loss, m - h)) / (2 * h), rel=1e-6, abs=1e-7
    )


@every
def test_a_margin_of_exactly_one_costs_nothing_but_for_the_logistic_loss(loss):
    free = loss.kind != losses.LOGISTIC
    assert (value(loss, 1.0) == 0.0) == (slope(loss, 1.0) == 0.0) == free
    assert slope(loss, np.nextafter(1.0, 0.0)) < 0.0


@every
@given(a=st.floats(0.001, 0.999))
def test_the_conjugate_is_the_supremum(loss, a):
    m = np.linspace(-9.0, 9.0, 18_001)
    assert conjugate(loss, a) == pytest.approx((-a * m - each(VALUE, loss, m)).max(), abs=1e-6)


@every
@given(m=margins, a=shares)
def test_fenchel_and_young(loss, m, a):
    tiny = 1e-13 * (1 + abs(m) ** 2)
    assert value(loss, m) + conjugate(loss, a) >= -a * m - tiny
    touching = -slope(loss, m)
    assert value(loss, m) + conjugate(loss, touching) == pytest.approx(-touching * m, abs=tiny)


@every
def test_beyond_its_slopes_the_conjugate_is_infinite(loss):
    assert conjugate(loss, -1e-12) == math.inf
    assert math.isfinite(conjugate(loss, 1.0)) and conjugate(loss, 0.0) == 0.0
    assert (conjugate(loss, 1.001) == math.inf) == (loss.steepest == 1.0)
    assert losses.share(loss, 0.2 * (1 + 1e-15), 0.2) <= loss.steepest


@given(m=st.floats(-700, 700))
def test_logistic_digits(m):
    """Every digit counts: a coefficient of 1e-300 is one."""
    with np.errstate(over="ignore"):
        p = 1 / (1 + np.exp(np.longdouble(m)))
    assert slope(losses.logistic(), m) == pytest.approx(-float(p), rel=1e-14)
    assert value(losses.logistic(), m) == pytest.approx(
        float(np.log1p(np.exp(-np.longdouble(m)))), rel=1e-14
    )


def test_smoothing_less_and_less_gives_the_hinge():
    m = np.linspace(-2, 3, 101)
    for s in (1e-3, 1e-6, 1e-9):
        apart = each(VALUE, losses.hinge(), m) - each(VALUE, losses.smoothed_hinge(s), m)
        assert apart.min() >= -1e-15 and apart.max() <= s / 2 * (1 + 1e-6)


def test_arrays_of_any_shape_give_what_numbers_give():
    m = np.asfortranarray(np.random.default_rng(0).normal(size=(3, 4)))
    for loss in LOSSES:
        for what, function in (
            (VALUE, value),
            (SLOPE, slope),
            (CURVATURE, curvature),
            (CONJUGATE, conjugate),
        ):
            x = np.abs(m) / 5 if what == CONJUGATE else m
            assert np.array_equal(
                each(what, loss, x), [[function(loss, v) for v in row] for row in x]
            )


def test_the_squared_hinge_is_that_of_liblinear():
    """LinearSVC minimises 1/2 |w|² + C Σ max(0, 1 - m)²; with C = 1/(λn) that is P/λ."""
    from sklearn.svm import LinearSVC

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.where(rng.random(60) < 0.5, -1.0, 1.0)
    X += 0.8 * y[:, None]
    lam = 0.1
    w = (
        LinearSVC(
            loss="squared_hinge", C=1 / (lam * 60), fit_intercept=False, tol=1e-10, max_iter=100_000
        )
        .fit(X, y)
        .coef_[0]
    )
    gradient = lam * w + X.T @ (y * each(SLOPE, losses.squared_hinge(), y * (X @ w))) / 60
    assert np.abs(gradient).max() < 1e-6


@pytest.mark.parametrize("s", [0.0, -1.0, math.inf, math.nan])
def test_smoothing_over_no_length_is_refused(s):
    with pytest.raises(ValueError, match="s must be positive"):
        losses.smoothed_hinge(s)


def test_parameters_name_a_loss():
    assert (
        losses.loss_of({}) == losses.hinge() == losses.loss_of({"loss": "hinge", "smoothing": 3.0})
    )
    assert losses.loss_of({"loss": "logistic"}) == losses.logistic()
    assert losses.loss_of({"loss": "smoothed hinge", "smoothing": 0.5}) == losses.smoothed_hinge(
        0.5
    )
    assert [str(loss) for loss in LOSSES[:3]] == ["hinge", "squared hinge", "smoothed hinge(s=0.5)"]
