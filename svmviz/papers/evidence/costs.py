"""What an error costs: curves over costs, the cost from which on they stay low, and costs in
words.
"""

import numpy as np


def near(best: float) -> float:
    """An error that is as good as the optimum's, as far as test sets of some thousand rows can
    tell.
    """
    return 1.05 * best + 0.002


def held(curves) -> np.ndarray:
    """(seeds, grid) errors; beyond its end a run keeps what it had reached."""
    table = np.atleast_2d(np.array(curves, np.float64))
    last = np.maximum.accumulate(np.where(np.isnan(table), 0, np.arange(table.shape[1])), axis=1)
    return np.take_along_axis(table, last, axis=1)


def ended(curves) -> int:
    """Where on the grid the middle one of the runs has its last point."""
    table = np.atleast_2d(np.array(curves, np.float64))
    return int(np.median((~np.isnan(table)).sum(axis=1))) - 1


def settled(grid: np.ndarray, error: np.ndarray, target: float) -> float:
    """The cost from which on the error stays within the target; infinite if it never does.

    >>> settled(np.array([1.0, 10.0, 100.0]), np.array([0.1, 0.3, 0.2]), 0.2)
    100.0
    """
    above = np.flatnonzero(error > target)
    if above.size == 0:
        return float(grid[0])
    return float(grid[above[-1] + 1]) if above[-1] + 1 < len(grid) else float("inf")


def each_settled(grid, errors: np.ndarray, target: float) -> np.ndarray:
    """The same for every row of a (seeds, grid) table; NaN for a run of which nothing is known."""
    return np.array(
        [
            np.nan if np.isnan(row).all() else settled(np.asarray(grid, float), row, target)
            for row in np.atleast_2d(errors)
        ]
    )


def amount(value: float) -> str:
    """A cost in words: 4.1 million.

    >>> amount(4_123_000), amount(81_000), amount(float("inf"))
    ('4.1 million', '81 thousand', 'more than was run')
    """
    if not np.isfinite(value):
        return "more than was run"
    for size, word in ((1e9, "billion"), (1e6, "million"), (1e3, "thousand")):
        if value >= size:
            return (
                f"{value / size:.2g} {word}" if value < 100 * size else f"{value / size:.0f} {word}"
            )
    return f"{value:.0f}"


def power(value: float) -> str:
    """A number as a small one times a power of ten.

    >>> power(1_640_000.0)
    '1.6 · 10⁶'
    """
    digits, exponent = f"{value:.1e}".split("e")
    return (
        f"{digits} · 10{str(int(exponent)).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
    )
