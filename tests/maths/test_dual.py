"""The best step along one coordinate of the dual, against the dual itself at many others."""

import numpy as np
import pytest

from svmviz.maths import dual, losses

LOSSES = [
    losses.hinge(),
    losses.squared_hinge(),
    losses.smoothed_hinge(0.5),
    losses.smoothed_hinge(2.0),
    losses.logistic(),
    losses.epsilon_insensitive(0.3),
    losses.squared(),
]


def along(loss, alpha, margin, K_ii, C):
    """Return n times the dual as a function of the coordinate, up to a constant, as the module's
    first lines have it.
    """

    def of(new):
        a, before = new / C, alpha / C
        return (
            -losses.conjugate(loss, losses.share(loss, a, 1.0))
            - (a - before) * margin
            - (a - before) ** 2 * C * K_ii / 2
        )

    return of


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_the_step_along_a_coordinate_is_the_best_of_all(loss):
    rng = np.random.default_rng(2)
    for _ in range(40):
        C, K_ii = rng.choice([0.3, 1.0, 4.0]), rng.choice([0.1, 1.0, 3.0])
        alpha = C * rng.choice([0.0, 0.25, 1.0]) * (rng.choice([-1, 1]) if loss.residual else 1)
        margin = rng.normal() * 2
        found, value = (
            dual.coordinate(loss, alpha, margin, K_ii, C),
            along(loss, alpha, margin, K_ii, C),
        )
        low, near = (
            -C if loss.residual else 0.0,
            found + C * np.outer([-1, 1], np.geomspace(1e-7, 1.0, 57)).ravel(),
        )
        span = np.append(
            near, np.linspace(low, C, 201)
        )  # the dual is concave: what is better lies near, too
        if np.isfinite(loss.steepest):
            span = span[(span >= low) & (span <= C)]
        best = max(value(new) for new in span if loss.residual or new >= 0.0)
        assert value(found) >= best - 1e-12 * (1 + abs(best)), (alpha, margin, K_ii, C)


def test_a_coordinate_without_length_goes_to_the_end_of_its_box():
    assert dual.step(0.2, 3.0, 0.0, 0.7) == 0.7
    assert dual.coordinate(losses.epsilon_insensitive(0.1), 0.0, -2.0, 0.0, 0.7) == 0.7
    assert dual.coordinate(losses.epsilon_insensitive(0.1), 0.0, 2.0, 0.0, 0.7) == -0.7
    assert dual.coordinate(losses.epsilon_insensitive(0.1), 0.4, 0.05, 0.0, 0.7) == 0.0


def test_objectives_of_the_hinge_are_their_sums():
    rng = np.random.default_rng(1)
    X, y, C = rng.normal(size=(9, 2)), rng.choice([-1.0, 1.0], 9), 0.6
    queue = rng.permutation(9)
    part = queue[:6]
    coef = np.zeros(9)
    coef[part] = y[part] * rng.uniform(0, C, 6)
    f = X @ (coef @ X)
    norm2 = coef @ f
    P, D = dual.objectives(y, C, queue, 6, coef, f)
    assert pytest.approx(0.5 * norm2 + C * np.maximum(0, 1 - y[part] * f[part]).sum()) == P
    assert pytest.approx(abs(coef).sum() - 0.5 * norm2) == D


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_the_sum_of_conjugates_is_one_of_each_coefficient(loss):
    rng = np.random.default_rng(5)
    y, rows, C = rng.choice([-1.0, 1.0], 8), np.array([1, 4, 6]), 2.0
    share = rng.uniform(0.05, 0.95, 3) * (rng.choice([-1.0, 1.0], 3) if loss.residual else 1.0)
    coef = C * share * (1.0 if loss.residual else y[rows])
    exact = sum(losses.conjugate(loss, a) for a in share) - (
        share @ y[rows] if loss.residual else 0.0
    )
    assert dual.conjugate_sum(loss, C, y, rows, coef) == pytest.approx(exact, rel=1e-12)
