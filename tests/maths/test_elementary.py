"""exp, expm1, log, cos and sin against exact decimal arithmetic, ends and joints included."""

import math
from decimal import Decimal, localcontext

import numpy as np

from svmviz.maths.machine import elementary

RNG = np.random.default_rng(8)
SMALL = [s * 10.0**-k for s in (1.0, -1.0) for k in range(1, 20)]
PI = Decimal(
    "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211707"
)


def units(found: float, exact: Decimal) -> float:
    """Return how many units in the last place a number is away from an exact one."""
    return float(abs(Decimal(found) - exact) / Decimal(math.ulp(float(exact))))


def sine_of(x: float) -> Decimal:
    """Return sin x by its series, after whole turns are taken off exactly."""
    angle = Decimal(x) % (2 * PI)
    term = total = angle
    for k in range(1, 60):
        term *= -angle * angle / ((2 * k) * (2 * k + 1))
        total += term
    return total


def test_exp_of_all_sizes_is_exact_to_a_unit():
    with localcontext(prec=60):
        for x in [
            0.0,
            709.7,
            -708.0,
            *SMALL,
            *RNG.uniform(-700, 700, 400),
            *RNG.uniform(-1, 1, 400),
        ]:
            assert units(elementary.exp(x), Decimal(x).exp()) <= 1.0, x
    assert (elementary.exp(710.0), elementary.exp(-746.0), elementary.exp(-np.inf)) == (
        np.inf,
        0.0,
        0.0,
    )
    assert elementary.exp(np.inf) == np.inf and math.isnan(elementary.exp(np.nan))


def test_expm1_of_all_sizes_is_exact_to_two_units():
    with localcontext(prec=80):
        for x in [
            0.1,
            -0.1,
            39.9,
            -39.9,
            *SMALL,
            *RNG.uniform(-45, 45, 400),
            *RNG.uniform(-0.2, 0.2, 400),
        ]:
            assert units(elementary.expm1(x), Decimal(x).exp() - 1) <= 2.0, x
    assert elementary.expm1(0.0) == 0.0 and elementary.expm1(-100.0) == -1.0
    assert elementary.expm1(100.0) == elementary.exp(100.0)


def test_log_of_all_sizes_is_exact_to_a_unit():
    with localcontext(prec=60):
        near = [
            0.7,
            1.4142135,
            1.4142136,
            3.0,
            *(1.0 + np.array(SMALL[:15])),
            *RNG.uniform(0.5, 3.2, 600),
        ]
        for x in [5e-324, 1e-310, 1e308, 0.70710677, *near, *np.exp(RNG.uniform(-700, 700, 400))]:
            if x != 1.0:
                assert units(elementary.log(x), Decimal(x).ln()) <= 1.0, x
    assert (
        elementary.log(1.0) == 0.0
        and elementary.log(0.0) == -np.inf
        and elementary.log(np.inf) == np.inf
    )
    assert math.isnan(elementary.log(-1.0)) and math.isnan(elementary.log(np.nan))


def test_cosine_and_sine_in_every_quarter_are_exact_to_a_unit():
    with localcontext(prec=90):
        quarters, large = (
            [math.pi / 2 * k for k in range(-9, 10)],
            RNG.uniform(-(2.0**19), 2.0**19, 200),
        )
        for x in [*SMALL, *quarters, *large, *RNG.uniform(-10, 10, 400)]:
            cosine, sine = elementary.cosine_and_sine(x)
            if x:
                assert units(sine, sine_of(x)) <= 1.0, x
            exact = (1 - sine_of(x) ** 2).sqrt()
            assert (
                abs(Decimal(abs(cosine)) - exact) <= Decimal(2.0**-52)
                and cosine * math.cos(x) >= 0.0
            ), x
    assert all(map(math.isnan, elementary.cosine_and_sine(np.inf)))


def test_angles_of_many_turns_are_as_exact_as_the_angle_is_known():
    for x in RNG.uniform(2.0**19, 1e9, 200):
        assert np.allclose(
            elementary.cosine_and_sine(x), (math.cos(x), math.sin(x)), rtol=0, atol=1e-6
        )
    angles = RNG.uniform(-9, 9, 17)
    assert np.array_equal(
        elementary.cosines_and_sines(angles), [elementary.cosine_and_sine(x) for x in angles]
    )
