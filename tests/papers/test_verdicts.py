"""Verdicts: three outcomes, decided by intervals over seeds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmviz.papers.evidence import costs, verdicts
from svmviz.papers.evidence.verdicts import AS, INF, NOT, OPEN, POINT, POINTS, TIMES, Estimate
from tests.tools.rotation import at_times

NAN = float("nan")
SEEDS = np.random.default_rng(0).normal(size=10)  # what chance does to ten seeds
BELOW, ABOVE = (-INF, 0.0), (0.0, INF)


def told(found: Estimate, region) -> str:
    return verdicts.judged("claim", "published", found, region, POINTS).outcome


def test_the_interval_of_a_mean_is_that_of_student():
    """By hand: 1, 2, 3 have the mean 2, and 4.302653 is the 97.5 % quantile of two degrees of
    freedom.
    """
    found = verdicts.mean([1.0, 2.0, 3.0])
    assert (found.low, found.high) == pytest.approx(
        (2 - 4.302653 / np.sqrt(3), 2 + 4.302653 / np.sqrt(3)), rel=1e-6
    )
    assert found.how == "95 % t-interval of the mean over 3 seeds"


def test_the_interval_covers_as_often_as_it_says():
    rng, hits = np.random.default_rng(1), 0
    for _ in range(400):
        found = verdicts.mean(rng.normal(3.0, 2.0, size=5))
        hits += found.low < 3.0 < found.high
    assert 0.92 <= hits / 400 <= 0.98


@pytest.mark.parametrize("estimate", [verdicts.difference, verdicts.ratio, verdicts.cost_ratio])
def test_one_seed_cannot_tell(estimate):
    found = estimate([1.0], [5.0])
    for region in (BELOW, ABOVE, (0.9, 1.1), (-INF, 1.0), (1.0, INF)):
        assert told(found, region) == OPEN
    assert (
        "1 seed" in found.how
        and "no interval" in verdicts.judged("", "", found, BELOW, TIMES).measured
    )


@pytest.mark.parametrize("estimate", [verdicts.difference, verdicts.ratio, verdicts.cost_ratio])
def test_ties_cannot_be_told(estimate):
    same = np.full(10, 0.3)
    edge = 0.0 if estimate is verdicts.difference else 1.0
    assert (
        told(estimate(same, same), (-INF, edge)) == told(estimate(same, same), (edge, INF)) == OPEN
    )


def test_missing_runs_say_nothing():
    a, b = np.r_[SEEDS[:5], NAN, NAN], np.r_[SEEDS[:5] + 9, 1.0, NAN]
    found = verdicts.difference(a, b)
    assert found.middle == pytest.approx(-9) and found.how.endswith("over 5 of 7 seeds")
    for none in (verdicts.mean([]), verdicts.mean([NAN, NAN]), verdicts.cost_ratio([NAN], [1.0])):
        assert told(none, BELOW) == told(none, ABOVE) == OPEN
        assert verdicts.judged("", "", none, BELOW, TIMES).measured == "not measured"


def test_pairs_are_told_where_seeds_alone_are_not():
    """What two solvers share of a seed does not blur their difference."""
    a, b = 10 * SEEDS + 1 + 0.01 * SEEDS**2, 10 * SEEDS
    assert (
        told(verdicts.difference(a, b), ABOVE) == AS
        and told(verdicts.difference(a, b[::-1]), ABOVE) == OPEN
    )


def test_costs_that_were_not_reached_are_beyond_all_others():
    never, there = np.full(10, INF), np.exp(SEEDS)
    assert told(verdicts.cost_ratio(there, never), (-INF, 1.0)) == AS
    assert told(verdicts.cost_ratio(never, there), (-INF, 1.0)) == NOT
    assert told(verdicts.cost_ratio(never, there), (1.0, INF)) == AS
    assert told(verdicts.cost_ratio(never, never), (-INF, 1.0)) == OPEN
    some = np.where(np.arange(10) < 5, INF, 1.0)  # five of ten got there, and five of the others
    assert told(verdicts.cost_ratio(some, some[::-1]), (-INF, 1.0)) == OPEN
    both = np.where(np.arange(10) < 3, INF, 1.0)
    assert (
        told(verdicts.cost_ratio(both, both + 1), (-INF, 1.0)) == OPEN
    )  # three seeds may say anything
    assert (
        told(verdicts.cost_ratio(there[:5], 9 * there[:5]), (-INF, 1.0)) == OPEN
    )  # ranks of five do not make 95 %


def test_trends_and_powers_are_slopes():
    x = np.array([1.0, 2.0, 4.0, 8.0])
    assert verdicts.trend(x, [3 * x + 1, 3 * x + 7]).middle == pytest.approx(3)
    assert verdicts.power_of(x, [5 / x, 2 / x]).middle == pytest.approx(-1)
    noisy = 0.05 * np.random.default_rng(2).normal(size=(6, 4))
    assert told(verdicts.power_of(x, np.exp(noisy) / x), (-1.25, -0.75)) == AS
    assert told(verdicts.power_of(x, np.exp(noisy) / np.sqrt(x)), (-1.25, -0.75)) == NOT
    assert told(verdicts.power_of(x, np.exp(20 * noisy) / x), (-1.25, -0.75)) == OPEN


def test_alike_is_told_only_by_an_interval_within_the_margin():
    margin = (-POINT, POINT)
    assert told(verdicts.mean(0.001 * SEEDS), margin) == AS
    assert (
        told(verdicts.mean(0.05 * SEEDS), margin) == OPEN
    )  # no difference was found, and none was excluded
    assert told(verdicts.mean(0.05 + 0.001 * SEEDS), margin) == NOT


def parts(*outcomes):
    return [verdicts.Verdict(one, "", "", "", 0.0, 0.0, "", "95 % t-interval") for one in outcomes]


@pytest.mark.parametrize(
    ("rule", "outcomes", "found"),
    [
        ("all", (AS, AS), AS),
        ("all", (AS, OPEN), OPEN),
        ("all", (AS, NOT), NOT),
        ("all", (), OPEN),
        ("most", (AS, AS, NOT), AS),
        ("most", (AS, OPEN, OPEN), OPEN),
        ("most", (AS, NOT), NOT),
        ("most", (OPEN, NOT, NOT), NOT),
        ("most", (), OPEN),
    ],
)
def test_many_cases_make_one_verdict(rule, outcomes, found):
    assert verdicts.combined("", "", parts(*outcomes), rule).outcome == found


def test_an_exception_refutes_and_few_cases_prove_nothing():
    assert [
        verdicts.every("", "", hits, of, seeds, "").outcome
        for hits, of, seeds in ((30, 30, 3), (29, 30, 3), (2, 2, 2), (30, 30, 1), (0, 0, 0))
    ] == [AS, NOT, OPEN, OPEN, OPEN]


def test_a_verdict_says_all_that_stands_side_by_side():
    found = verdicts.difference([0.1, 0.11, 0.1], [0.2, 0.2, 0.21])
    one = verdicts.judged("a claim", "below", found, BELOW, POINTS, "10 against 20")
    assert (
        one.outcome == AS
        and one.measured.startswith("10 against 20: −10.00 points [−")
        and one.low < one.high < 0
    )
    assert one.difference == "10.0 points lower" and "95 %" in one.how and "paired" in one.how
    assert verdicts.lines(verdicts.Found((one,), ("a note",)))[0].startswith(
        "= as published: a claim"
    )


swapped = {AS: NOT, NOT: AS, OPEN: OPEN}


@at_times()
@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(-100, 100)), min_size=1, max_size=12))
def test_swapping_the_sides_swaps_the_outcome(pairs):
    a, b = np.array(pairs).T
    assert told(verdicts.difference(b, a), BELOW) == swapped[told(verdicts.difference(a, b), BELOW)]
    a, b = np.exp(a / 20), np.exp(b / 20)
    for estimate in (verdicts.ratio, verdicts.cost_ratio):
        assert told(estimate(b, a), (-INF, 1.0)) == swapped[told(estimate(a, b), (-INF, 1.0))]


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=12))
def test_a_constant_larger_than_the_interval_makes_it_told(values):
    found = verdicts.mean(values)
    far = 1.01 * (abs(found.middle) + found.high - found.low) + 1e-6
    assert told(verdicts.mean(np.array(values) + far), ABOVE) == AS
    assert told(verdicts.mean(np.array(values) - far), ABOVE) == NOT


@at_times(3)
@given(st.lists(st.floats(0.01, 100), min_size=6, max_size=12), st.integers(0, 5))
def test_ever_more_seeds_that_never_arrive_do_not_make_a_cost_smaller(found, lost):
    later = np.array(found)
    later[:lost] = INF
    one, other = (
        verdicts.cost_ratio(found, np.ones(len(found))),
        verdicts.cost_ratio(later, np.ones(len(found))),
    )
    assert other.low >= one.low and other.high >= one.high


def test_runs_that_end_early_keep_what_they_had():
    assert np.array_equal(
        costs.held([[0.4, 0.2, NAN, NAN], [0.4, 0.3, 0.1, NAN]]),
        [[0.4, 0.2, 0.2, 0.2], [0.4, 0.3, 0.1, 0.1]],
    )
    assert costs.ended([[0.4, 0.2, NAN, NAN], [0.4, 0.3, 0.1, NAN], [0.4, 0.3, 0.1, NAN]]) == 2
    grid = np.array([1.0, 2.0, 3.0])
    found = costs.each_settled(
        grid, np.array([[0.5, 0.1, 0.1], [0.5, 0.5, 0.5], [NAN, NAN, NAN]]), 0.2
    )
    assert np.array_equal(found, [2.0, INF, NAN], equal_nan=True)


def test_one_of_many_cases_is_held_to_a_higher_level():
    alone, among = verdicts.mean(SEEDS), verdicts.mean(SEEDS, cases=5)
    assert among.low < alone.low < alone.high < among.high and among.how.startswith("99 % ")
