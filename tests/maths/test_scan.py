"""Largest and smallest numbers, held against NumPy's at every length around the eight that go side
by side.
"""

import numpy as np

from svmviz.maths.machine import scan


def cases():
    """Yield numbers and what is taken off each, with ties, numbers left out, and the best at every
    place.
    """
    rng = np.random.default_rng(3)
    for n in (1, 2, 7, 8, 9, 15, 16, 17, 31):
        for best in range(n):
            v, off = rng.integers(-3, 3, n).astype(float), rng.integers(0, 2, n).astype(float)
            off[rng.random(n) < 0.2] = np.inf
            off[best], v[best] = 0.5, 10.0 * rng.choice([-1.0, 1.0])
            yield v, off


def test_scan_of_every_length_finds_what_numpy_finds():
    for v, off in cases():
        assert scan.highest_of(v, off) == (v - off).max()
        assert scan.lowest_of(v, off) == (v + off).min()
        assert scan.highest(v, off) == (v - off).argmax()
        assert scan.largest(v) == v.argmax()


def test_scan_where_all_are_left_out_finds_none():
    v, off = np.arange(11.0), np.full(11, np.inf)
    assert (
        scan.highest(v, off) == -1
        and scan.highest_of(v, off) == -np.inf
        and scan.lowest_of(v, off) == np.inf
    )


def test_scan_never_finds_what_is_no_number():
    v, nothing = np.full(11, np.nan), np.zeros(11)
    assert scan.highest(v, nothing) == scan.largest(v) == -1
    v[9] = -4.0
    assert scan.highest(v, nothing) == scan.largest(v) == 9 and scan.lowest_of(v, nothing) == -4.0
