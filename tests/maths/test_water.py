"""The water level against sorting, the level with bias against its dual and a linear program, and
O(n) by counting.

Tolerance everywhere: 1e-9 of the depth of the water over the lowest ground, plus a few roundings of
gamma itself. That is far stricter than 1e-9 of gamma when responses lie around 1e8 and the volume
is 1e-3.
"""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from svmviz.maths import water
from svmviz.maths.water import level, level_with_bias, water_level, water_level_with_bias
from svmviz.maths.water.search import water_level_steps
from tests.tools.rotation import by_turns, sized

ROUNDINGS = 4 * np.finfo(float).eps
SHAPES = (
    "random",
    "ties",
    "constant",
    "sorted",
    "reversed",
    "organ pipe",
    "offset",
    "spread",
    "outlier",
    "one",
)
VOLUMES = ("zero", "tiny", "some", "exact", "all", "huge")


def responses(rng, shape: str, n: int) -> np.ndarray:
    c = rng.normal(size=n)
    return {
        "random": c,
        "ties": rng.integers(-2, 3, n).astype(float),
        "constant": np.full(n, c[0]),
        "sorted": np.sort(c),
        "reversed": -np.sort(c),
        "organ pipe": np.concatenate([np.sort(c[::2]), -np.sort(-c[1::2])]),
        "offset": 1e8 * rng.choice([-1, 1]) + c,
        "spread": np.exp(8 * c) * rng.choice([-1, 1], n),
        "outlier": np.where(np.arange(n) == n // 2, -1e6, c),
        "one": c[:1],
    }[shape]


def volume_for(rng, kind: str, c: np.ndarray) -> float:
    x, n = np.sort(c), c.size
    k = int(rng.integers(0, n))
    exact = float((x[k] - x[: k + 1]).sum())  # the water just touches an example
    return {
        "zero": 0.0,
        "tiny": 10.0 ** rng.uniform(-17, -3),
        "some": n * rng.random(),
        "exact": exact,
        "all": float((x[-1] - x).sum()) * (1 + rng.random()) + rng.random(),
        "huge": 1e12 * rng.random(),
    }[kind]


def cases(count: int, seed: int, smallest: int = 1):
    """Every shape with every volume, again and again; most inputs are small, because there the
    corners are.
    """
    rng = np.random.default_rng(seed)
    for t in range(count):
        n = int(rng.integers(smallest, 300 if t % 50 == 0 else 25))
        c = responses(rng, SHAPES[t % len(SHAPES)], n)
        yield rng, c, volume_for(rng, VOLUMES[t // len(SHAPES) % len(VOLUMES)], c)


def close(gamma, expected, low) -> bool:
    return abs(gamma - expected) <= 1e-9 * abs(expected - low) + ROUNDINGS * max(
        abs(gamma), abs(low)
    )


def level_by_sorting(c, volume) -> float:
    x = np.sort(c) - c.min()
    k = np.arange(1, c.size + 1)
    k = (
        np.flatnonzero(k * x - np.cumsum(x) <= volume)[-1] + 1
    )  # the last example that the water reaches
    return c.min() + (volume + x[:k].sum()) / k


@pytest.mark.parametrize("many", sized(1800, 10_000))
def test_level_agrees_with_sorting_on_thousands_of_inputs(many):
    for _, c, volume in cases(many, seed=1):
        gamma = water_level(c, volume)
        assert close(gamma, level_by_sorting(c, volume), c.min()), (c.tolist(), volume)
        assert gamma >= c.min(), "the set c <= gamma must never be empty"


@pytest.mark.parametrize(
    "c, volume, gamma",
    [
        ([1, 2, 3], 6, 4.0),
        ([1, 2, 3], 3, 3.0),
        ([1, 2, 3], 1e-17, 1.0),
        ([5], 0, 5.0),
        ([5], 2, 7.0),
        ([0, 0, 0, 0], 1, 0.25),
        ([0, 0, 7], 0, 0.0),
        ([1e8, 1e8 + 1], 2**-10, 1e8 + 2**-10),
    ],
)
def test_level_in_corners_that_the_printed_algorithm_misses(c, volume, gamma):
    assert water_level(c, volume) == gamma


def test_recorded_rounds_give_the_same_level_and_split_what_they_got():
    for _, c, volume in cases(1500, seed=2):
        rounds = water_level_steps(c, volume)
        assert rounds[-1].gamma == water_level(c, volume)
        assert [r.gamma for r in rounds[:-1]] == [None] * (len(rounds) - 1)
        assert np.array_equal(rounds[0].candidates, np.arange(c.size)) and rounds[-1].kept.size == 0
        for r, after in zip(rounds, [*rounds[1:], None], strict=True):
            assert np.array_equal(
                np.sort(np.concatenate([r.below, r.equal, r.above])), np.sort(r.candidates)
            )
            assert r.equal.size >= 1 and (c[r.equal] == r.pivot).all()
            assert (c[r.below] < r.pivot).all() and (c[r.above] > r.pivot).all()
            need = np.maximum(
                0, r.pivot - c
            ).sum()  # over all of c: what was settled earlier counts in full
            assert abs(r.need - need) <= 1e-9 * need
            assert r.why == ("floods" if r.need < volume else "stays dry")
            assert r.kept is (r.above if r.why == "floods" else r.below)
            assert after is None or after.candidates is r.kept


@pytest.mark.parametrize(
    "shape", ["random", "sorted", "reversed", "organ pipe", "constant", "ties", "spread", "outlier"]
)
@pytest.mark.parametrize("n", [2000, 30_000, 100_000])
def test_the_search_touches_each_example_a_few_times(shape, n):
    c = responses(np.random.default_rng(n), shape, n)
    for nu in (0.0, 1e-4, 0.1, 3.0):
        assert sum(r.candidates.size for r in water_level_steps(c, n * nu)) <= 4 * n


def bias_cases(count: int, seed: int):
    for rng, c, volume in cases(count, seed, smallest=2):
        c = c if c.size > 1 else np.repeat(c, 2)
        plus = int(
            rng.choice([1, c.size - 1, rng.integers(1, c.size)])
        )  # 1 against many, and anything between
        y = rng.permutation(np.where(np.arange(c.size) < plus, 1.0, -1.0))
        yield c + rng.choice([0.0, 10.0]) * y, y, volume


def dual_bounds(c, y, volume):
    """Half the sum of the lowest grounds, and by how much gamma can lie higher: mass 1/(2k) on the
    k lowest of each class bounds gamma from above for every k, and the least of these bounds is
    reached (linear programming duality).
    """
    plus, minus = np.sort(c[y > 0]), np.sort(c[y < 0])
    m = min(plus.size, minus.size)
    over = np.cumsum(plus[:m] - plus[0]) + np.cumsum(minus[:m] - minus[0])
    return (plus[0] + minus[0]) / 2, (volume + over) / (2 * np.arange(1, m + 1))


@pytest.mark.parametrize("many", sized(1800, 10_000))
def test_level_with_bias_is_feasible_and_meets_its_dual_on_thousands_of_inputs(many):
    exhausted = 0
    for c, y, volume in bias_cases(many, seed=3):
        gamma, b, k, top_plus, top_minus = level_with_bias(c, y, volume, np.empty(c.size))
        assert (gamma, b) == water_level_with_bias(c, y, volume)
        low, over = dual_bounds(c, y, volume)
        rounding = ROUNDINGS * (np.abs(c).max() + abs(b))
        assert abs(gamma - low - over.min()) <= 1e-9 * over.min() + rounding, (
            c.tolist(),
            y.tolist(),
            volume,
        )
        assert (
            abs(over[k - 1] - over.min()) <= 1e-9 * over.min() + rounding
        )  # mass on the k lowest is optimal
        assert (top_plus, top_minus) == (np.sort(c[y > 0])[k - 1], np.sort(c[y < 0])[k - 1])
        needed = np.maximum(0, gamma - c - y * b).sum()
        assert (
            abs(needed - volume) <= 1e-9 * volume + c.size * rounding
        )  # b is optimal: this b reaches this gamma
        exhausted += k == over.size
    assert exhausted > many // 10


def test_level_with_bias_solves_the_linear_program():
    """max gamma over (gamma, b, xi) with c_i + y_i b + xi_i >= gamma, xi >= 0, sum xi <= volume:
    the definition itself.
    """
    rng = np.random.default_rng(4)
    for _ in range(60):
        n = int(rng.integers(2, 12))
        y = np.where(np.arange(n) < rng.integers(1, n), 1.0, -1.0)
        c, volume = (
            rng.integers(-4, 5, n) / rng.choice([1, 3]),
            float(rng.choice([0, 0.1, 1, n, 10 * n])),
        )
        rows = np.block(
            [[np.ones((n, 1)), -y[:, None], -np.eye(n)], [np.zeros((1, 2)), np.ones((1, n))]]
        )
        best = linprog(
            [-1] + [0] * (n + 1), rows, [*c, volume], bounds=[(None, None)] * 2 + [(0, None)] * n
        )
        assert water_level_with_bias(c, y, volume)[0] == pytest.approx(
            -best.fun, rel=1e-7, abs=1e-7
        )


def test_the_bias_is_the_middle_of_the_optimal_interval():
    """The interval by bisection: gamma(b) for fixed b is a plain water level, concave in b, and
    flat on the interval.
    """
    rng = np.random.default_rng(5)
    for _ in range(100):
        n = int(rng.integers(4, 20))
        c, y = rng.normal(size=n), np.where(np.arange(n) < rng.integers(1, n), 1.0, -1.0)
        gamma, b = water_level_with_bias(c, y, volume := n * rng.random())
        ends = []
        for outside in (b - 100, b + 100):
            inside = b
            for _ in range(60):
                half = (inside + outside) / 2
                optimal = level_by_sorting(c + y * half, volume) >= gamma - 1e-12
                inside, outside = (half, outside) if optimal else (inside, half)
            ends.append(inside)
        assert b == pytest.approx(sum(ends) / 2, abs=1e-8)


@pytest.mark.parametrize(
    "c, y, volume, gamma, b",
    [
        ([3, 1], [1, -1], 0, 2.0, -1.0),  # no slack: both classes touch the surface
        (
            [0, 0, 0, 0],
            [1, -1, -1, -1],
            2,
            1.0,
            -1.0,
        ),  # first step, unequal classes: all water stands over the smaller one
        (
            [0, 5, 9],
            [-1, 1, 1],
            100,
            52.5,
            45.5,
        ),  # the smaller class is used up; any b keeping gamma - b in [5, 9] will do
        ([0, 0], [1, -1], 100, 50.0, 0.0),  # everything under water
    ],
)
def test_level_with_bias_by_hand(c, y, volume, gamma, b):
    assert water_level_with_bias(c, y, volume) == (gamma, b)


@pytest.mark.parametrize(
    ("shape", "plus"),
    by_turns(
        itertools.product(
            ["random", "sorted", "reversed", "organ pipe", "constant", "ties", "spread"],
            [2000, 1, 10_000, 19_999],
        ),
        5,
        always=3,
    ),
)
def test_the_search_with_bias_touches_each_example_a_few_times(shape, plus, monkeypatch):
    touched, n = [], 20_000
    plain = {
        name: getattr(getattr(water, name), "py_func", getattr(water, name))
        for name in ("settle", "level_with_bias")
    }
    inner = water.probe_ranks

    def counting(s, at):
        touched.append(at.open)
        return inner(s, at)

    c, y = (
        responses(np.random.default_rng(6), shape, n),
        np.where(np.arange(n) * 7919 % n < plus, 1.0, -1.0),
    )
    compiled = {
        nu: water_level_with_bias(c, y, n * nu)[0] for nu in (0.0, 1e-4, 0.1, 3.0)
    }  # before anything is replaced
    monkeypatch.setattr(water, "probe_ranks", counting)
    monkeypatch.setattr(water, "settle", plain["settle"])
    for nu, gamma in compiled.items():
        touched.clear()
        assert (
            plain["level_with_bias"](c, y, n * nu, np.empty(n))[0] == gamma
            and sum(touched) <= 5 * n
        )


def test_the_kernels_leave_c_alone_and_ignore_what_scratch_holds():
    c, y, scratch = (
        np.array([3.0, 1.0, 2.0, 2.0, 0.0]),
        np.array([1.0, -1.0, 1.0, -1.0, 1.0]),
        np.full(8, np.nan),
    )
    c.flags.writeable = False
    assert level(c, 2.0, scratch) == water_level(c, 2.0)
    assert level_with_bias(c, y, 2.0, scratch)[:2] == water_level_with_bias(c, y, 2.0)
    assert np.isnan(scratch[5:]).all()
    assert (
        level_with_bias(c, np.ones(5), 2.0, scratch)[0] == np.inf
    )  # one class: no bound, and compiled code never raises


@pytest.mark.parametrize(
    "call",
    [water_level, water_level_steps, lambda c, volume: water_level_with_bias(c, [1, -1], volume)],
)
@pytest.mark.parametrize(
    "c, volume, message",
    [
        ([], 1, r"at least one response, got shape \(0,\)"),
        ([[1.0, 2.0]], 1, r"got shape \(1, 2\)"),
        ([1, np.nan], 1, "finite, got nan"),
        ([-np.inf, 1], 1, "finite, got -inf"),
        ([1, 2], -0.5, "at least 0, got -0.5"),
        ([1, 2], np.nan, "got nan"),
        ([1, 2], np.inf, "got inf"),
    ],
)
def test_bad_responses_and_volumes_are_named(call, c, volume, message):
    with pytest.raises(ValueError, match=message):
        call(c, volume)


@pytest.mark.parametrize(
    "y, message",
    [
        ([1, 1], r"both.*got \[1.0\]"),
        ([0, 1], r"got \[0.0, 1.0\]"),
        ([-1, -1], "both"),
        ([1, -1, 1], r"shape of c, \(2,\), got \(3,\)"),
        ([1, np.nan], "nan"),
    ],
)
def test_bad_labels_are_named(y, message):
    with pytest.raises(ValueError, match=message):
        water_level_with_bias([1.0, 2.0], y, 1.0)
