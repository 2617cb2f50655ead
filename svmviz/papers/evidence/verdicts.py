"""What runs say about a claim: as published, not as published, or cannot be told. Nothing here
knows what it ought to find.

A claim is a region in which a number lies that every seed has its own value of: a difference, a
ratio, a slope. The claim holds if the interval of that number over the seeds lies inside the
region, fails if it lies outside, and cannot be told otherwise; so it is with one seed, whose
interval has no ends.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from svmviz.work.words import SMALL, count, powered, signed

AS, NOT, OPEN = "as published", "not as published", "cannot be told"
NO_INTERVAL = "[no interval]"
SIGNS = {AS: "=", NOT: "≠", OPEN: "?"}
LEVEL = 0.95
POINT = 0.01  # of error or accuracy
INF = float("inf")


class Estimate(NamedTuple):
    """A number over seeds and the interval in which it lies."""

    middle: float
    low: float
    high: float
    how: str


class Verdict(NamedTuple):
    """What became of a claim, in words and numbers that stand side by side."""

    outcome: str  # AS, NOT or OPEN
    claim: str
    published: str
    measured: str
    low: float
    high: float
    difference: str
    how: str


class Found(NamedTuple):
    """The verdicts on a figure or table, and what else was seen."""

    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...] = ()


# --- estimates over seeds -------------------------------------------------------------------------


def mean(values, kind: str = "mean", cases: int = 1) -> Estimate:
    """Of a number that every seed has its own value of; a missing run (NaN) says nothing. Where one
    of many cases decides, each is held to a higher level, so that all of them together are to the
    usual one (Bonferroni).
    """
    level = 1 - (1 - LEVEL) / cases
    given = np.asarray(values, float).ravel()
    known = given[~np.isnan(given)]
    how = f"{100 * level:.3g} % t-interval of the {kind} over {over(known.size, given.size)}"
    middle = float(known.mean()) if known.size else float("nan")
    if known.size < 2 or not np.isfinite(known).all():
        return Estimate(middle, -INF, INF, how)
    error = float(stats.sem(known))
    low, high = (
        stats.t.interval(level, known.size - 1, middle, error) if error > 0 else (middle, middle)
    )
    return Estimate(middle, float(low), float(high), how)


def middle(values) -> float:
    """The median of the seeds that are there, for words about them.

    >>> middle([1.0, float("nan"), 3.0]), middle([float("nan")])
    (2.0, nan)
    """
    given = np.asarray(values, float)
    known = given[~np.isnan(given)]
    return float(np.median(known)) if known.size else float("nan")


def over(known: int, given: int) -> str:
    """How many seeds there were.

    >>> over(1, 1), over(9, 10)
    ('1 seed', '9 of 10 seeds')
    """
    return f"{known} of {given} seeds" if known < given else f"{known} seed{'s' * (known != 1)}"


def difference(a, b, cases: int = 1) -> Estimate:
    """a − b, seed by seed."""
    return mean(
        np.subtract(*np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float))),
        "mean paired difference",
        cases,
    )


def ratio(a, b, cases: int = 1) -> Estimate:
    """a / b of positive numbers, seed by seed, on a log scale."""
    a, b = np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = mean(np.log(a) - np.log(b), "geometric mean of the paired ratio", cases)
    return Estimate(*(float(np.exp(value)) for value in found[:3]), found.how)


def cost_ratio(a, b) -> Estimate:
    """a / b of costs, seed by seed, some of which may be infinite: not reached within the run. By
    ranks, as no mean exists; where neither was reached the ratio may be anything.
    """
    a, b = np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float))
    there = ~(np.isnan(a) | np.isnan(b))
    never = np.isinf(a[there]) & np.isinf(b[there])
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(never, np.nan, np.log(a[there]) - np.log(b[there]))
    how = (
        f"{LEVEL:.0%} interval of the median paired ratio, by ranks, over"
        f" {over(int(there.sum()), a.size)}".replace("%", " %")
    )
    low, high = (
        by_ranks(np.where(never, never_is, found))[end] for end, never_is in ((0, -INF), (1, INF))
    )
    known = found[~never]
    with np.errstate(invalid="ignore"):  # between two infinite ones
        middle = float(np.median(known)) if known.size else float("nan")
    return Estimate(float(np.exp(middle)), float(np.exp(low)), float(np.exp(high)), how)


def by_ranks(values: np.ndarray) -> tuple[float, float]:
    """The interval of a median that assumes nothing; it takes six values at least."""
    if values.size < 2:
        return -INF, INF
    low, high = stats.quantile_test(values, q=0.0, p=0.5).confidence_interval(LEVEL)
    return (-INF if np.isnan(low) else float(low)), (INF if np.isnan(high) else float(high))


def trend(x, table) -> Estimate:
    """The slope of a line through every row of a (seeds, x) table."""
    x = np.asarray(x, float) - np.mean(x)
    rows = np.atleast_2d(np.asarray(table, float))
    return mean(rows @ x / (x @ x), "slope")


def power_of(x, table) -> Estimate:
    """The power of x with which a table grows: a slope on log axes."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return trend(np.log(x), np.log(np.asarray(table, float)))


# --- claims ---------------------------------------------------------------------------------------


def outcome(found: Estimate, low: float, high: float) -> str:
    """Whether an interval lies inside a region, outside it, or neither; the ends of the region
    belong to neither. An infinite end is none: a cost that was not reached is beyond it.

    >>> [outcome(Estimate(0, *ends, ""), 0, INF) for ends in ((1, 2), (-2, -1), (-1, 1), (0, 0))]
    ['as published', 'not as published', 'cannot be told', 'cannot be told']
    """
    if np.isnan(found.middle):
        return OPEN
    if (low == -INF or low < found.low) and (high == INF or found.high < high):
        return AS
    return NOT if found.low > high or found.high < low else OPEN


class Form(NamedTuple):
    """How a number is written, and how far it is from what was published."""

    show: Callable[[float], str]
    away: Callable[[float], str]
    unit: str = ""


def points_away(value: float) -> str:
    """A difference of shares in words.

    >>> points_away(-0.0123), points_away(0.00001)
    ('1.2 points lower', 'none')
    """
    text = f"{abs(100 * value):.{2 if abs(value) < POINT / 10 else 1}f}"
    return "none" if float(text) == 0 else f"{text} points {'higher' if value > 0 else 'lower'}"


def times_away(value: float) -> str:
    """A ratio in words.

    >>> [times_away(value) for value in (0.65, 1.2, 3.0, 1.0, 0.004)]
    ['35 % less', '20 % more', '3 times as much', 'none', '250 times less']
    """
    if not np.isfinite(value) or value <= 0:
        return "beyond what was run"
    if value < 0.1:
        return f"{digits(1 / value)} times less"
    share = f"{abs(value - 1):.0%}".replace("%", " %")
    return (
        "none"
        if share == "0 %"
        else (
            f"{share} less"
            if value < 1
            else f"{share} more"
            if value < 2
            else f"{digits(value)} times as much"
        )
    )


def digits(value: float) -> str:
    """Two digits, near 1 to a hundredth; with a power of ten only where it is very small.

    >>> (
    ...     digits(0.0312),
    ...     digits(1.064),
    ...     digits(12.34),
    ...     digits(99.7),
    ...     digits(2345.6),
    ...     digits(INF),
    ...     digits(5e-5),
    ... )
    ('0.031', '1.06', '12', '100', '2300', '∞', '5·10⁻⁵')
    """
    if not np.isfinite(value):
        return "–" if np.isnan(value) else "∞" if value > 0 else "-∞"
    if 0 < abs(value) < SMALL:
        return powered(value, 2)
    if 0.1 <= abs(value) < 10:
        return np.format_float_positional(round(value, 2), trim="-")
    return f"{value:.2g}" if abs(value) < 99.5 else f"{float(f'{value:.2g}'):.0f}"


POINTS = Form(lambda value: f"{100 * value:+.2f}", points_away, " points")
TIMES = Form(digits, times_away, " times")


def number(published: float, places: int = 2) -> Form:
    """A number that was published as such."""
    return Form(
        lambda value: f"{value:.{places}f}", lambda value: f"{value - published:+.{places}f}"
    )


def judged(
    claim: str,
    published: str,
    found: Estimate,
    region: tuple[float, float],
    form: Form,
    sides: str = "",
) -> Verdict:
    """A claim that says in which region a number lies; `sides` are the two that were compared."""
    shown = (digits(end) if np.isinf(end) else form.show(end) for end in (found.low, found.high))
    ends = f"[{', '.join(shown)}]"
    if np.isinf((found.low, found.high)).all() or (found.low, found.high) == (0.0, INF):
        ends = NO_INTERVAL
    here = (
        "not measured" if np.isnan(found.middle) else f"{form.show(found.middle)}{form.unit} {ends}"
    )
    if form.unit == TIMES.unit and found.middle == 0.0:
        here = f"no ratio, as the latter is not reached {ends}"
    away = "–" if np.isnan(found.middle) else form.away(found.middle)
    return Verdict(
        outcome(found, *region),
        claim,
        published,
        signed(f"{sides}: {here}" if sides else here),
        found.low,
        found.high,
        signed(away),
        found.how,
    )


def tally(outcomes: Sequence[str]) -> str:
    """How many came out which way.

    >>> tally([AS, AS, OPEN])
    '2 as published, 0 not, 1 cannot be told'
    """
    return (
        f"{outcomes.count(AS)} as published, {outcomes.count(NOT)} not, {outcomes.count(OPEN)}"
        " cannot be told"
    )


def combined(claim: str, published: str, parts: Sequence[Verdict], rule: str) -> Verdict:
    """One claim about many cases: of "all" or of "most" of them. Of all, one that fails is enough;
    of most, half.
    """
    kinds, n = [part.outcome for part in parts], len(parts)
    yes, no = kinds.count(AS), kinds.count(NOT)
    found = (
        OPEN
        if not n
        else (
            (NOT if no else AS if yes == n else OPEN)
            if rule == "all"
            else (AS if 2 * yes > n else NOT if 2 * no >= n else OPEN)
        )
    )
    against = f"{no} of {n} against it" if no else "none against it" if n else "–"
    how = f"{rule} of {n} cases, each by a " + parts[0].how if n else "no case is complete"
    return Verdict(
        found,
        claim,
        published,
        tally(kinds),
        yes / n if n else 0.0,
        1 - no / n if n else 1.0,
        against,
        how,
    )


def every(claim: str, published: str, hits: int, of: int, seeds: int, what: str) -> Verdict:
    """A claim of each case in every run: one exception refutes it, and many hits without one
    support it.
    """
    low, high = stats.binomtest(hits, of).proportion_ci(LEVEL) if of else (0.0, 1.0)
    found = OPEN if seeds < 2 or not of else NOT if hits < of else AS if low > 0.5 else OPEN
    how = (
        f"one exception refutes; {LEVEL:.0%} Clopper-Pearson interval of the share over"
        f" {over(seeds, seeds)}"
    )
    return Verdict(
        found,
        claim,
        published,
        f"{hits} of {of} {what} [{low:.0%}, {high:.0%}]".replace("%", " %"),
        low,
        high,
        "none" if hits == of else f"{of - hits} exceptions" if of - hits > 1 else "1 exception",
        how.replace("%", " %"),
    )


def counted(claim: str, published: int, found: int) -> Verdict:
    """A number that no chance has a say in.

    >>> counted("test rows", 3229, 3299)[:4], counted("test rows", 3299, 3299).outcome
    (('not as published', 'test rows', '3229', '3299'), 'as published')
    """
    return Verdict(
        AS if found == published else NOT,
        claim,
        count(published),
        count(found),
        found,
        found,
        "none" if found == published else signed(f"{found - published:+d}"),
        "what can be counted, by counting it",
    )


def lines(found: Found) -> list[str]:
    """Verdicts and notes as plain text."""
    return [
        *(
            f"{SIGNS[one.outcome]} {one.outcome}: {one.claim}; published: {one.published};"
            f" measured: {one.measured}; {one.how}"
            for one in found.verdicts
        ),
        *found.notes,
    ]
