"""What runs say about the claims of the paper on approximate incremental SVMs, Section 6."""

from collections.abc import Mapping

import numpy as np

from svmviz.papers.evidence import verdicts
from svmviz.papers.evidence.costs import amount, each_settled
from svmviz.papers.evidence.experiment import Results
from svmviz.papers.evidence.verdicts import (
    INF,
    POINTS,
    Found,
    combined,
    cost_ratio,
    difference,
    judged,
    middle,
    number,
    power_of,
    ratio,
)
from svmviz.papers.incremental.figures import COSTS, COUNTINGS, DRAWS, PROCESSED, TIMES
from svmviz.papers.incremental.table import DRAWS as PASS_DRAWS
from svmviz.papers.incremental.table import MOST, TABLE
from svmviz.work.words import count, signed

NEARLY = 1.1  # "constant", "nearly as well": within a tenth
MUCH = 0.5  # "far fewer", "much faster": half or less
GOOD = 0.1  # errors


def parts_of(values: np.ndarray, many: int) -> np.ndarray:
    """(seeds, many) means of so many equal parts of the curves, the first examples included"""
    return np.column_stack([part.mean(axis=1) for part in np.array_split(values, many, axis=1)])


def sides(a: np.ndarray, b: np.ndarray) -> str:
    return f"{middle(a):.3g} against {middle(b):.3g}"


def compared(claim: str, published: str, a, b, region: tuple[float, float], cases: int = 1):
    """A ratio of two gaps."""
    return judged(claim, published, ratio(a, b, cases), region, verdicts.TIMES, sides(a, b))


def on_table_1(results: Results) -> Found:
    """Rows and features of both sets, and what a pass with the printed parameters leaves."""
    rows, notes = [], []
    for name, printed in TABLE.items():
        found, passes = results.one(f"{name}, counted"), results.of(f"{name}, one pass")
        rows += [
            verdicts.counted(
                f"{printed.title}: {words}", getattr(printed, field), getattr(found, field)
            )
            for field, words in (
                ("train", "training examples"),
                ("test", "test examples"),
                ("features", "features"),
            )
        ]
        error, support, pairs = (
            middle([getattr(one, field) for one in passes])
            for field in ("error", "support", "pairs")
        )
        notes.append(
            f"{printed.title}, one pass of Algorithm 2 with K = {PASS_DRAWS} over {count(MOST)}"
            f" rows: {100 * error:.2f} % test errors, {count(support)} support vectors,"
            f" {amount(pairs)} distinct kernel values."
        )
    return Found(tuple(rows), tuple(notes))


def on_figure_2(runs: Mapping[str, np.ndarray]) -> Found:
    """(seeds, stretches) gaps by algorithm and K."""
    sixths = {name: parts_of(values, 6) for name, values in runs.items()}
    whole = {name: values.mean(axis=1) for name, values in runs.items()}
    rows = [
        compared(
            f"The gap is constant: last sixth of the examples over the first, {name}",
            f"1, within a factor of {NEARLY:g}",
            parts[:, -1],
            parts[:, 0],
            (1 / NEARLY, NEARLY),
        )
        for name, parts in sixths.items()
    ]
    rows += [
        compared(
            f"A larger K lowers it: K = {more} over K = {few}, Algorithm 1",
            "below 1",
            whole[f"Algorithm 1, K = {more}"],
            whole[f"Algorithm 1, K = {few}"],
            (-INF, 1.0),
        )
        for few, more in ((5, 10), (10, 20))
    ]
    two, twenty = runs["Algorithm 2, K = 10"], runs["Algorithm 1, K = 20"]
    rows += [
        compared(
            f"Algorithm 2 with K = 10 over Algorithm 1 with K = 20{when}",
            f"nearly as well: at most {NEARLY:g}",
            a,
            b,
            (-INF, NEARLY),
        )
        for when, a, b in (
            ("", two.mean(axis=1), twenty.mean(axis=1)),
            (
                ", last sixth",
                sixths["Algorithm 2, K = 10"][:, -1],
                sixths["Algorithm 1, K = 20"][:, -1],
            ),
        )
    ]
    means = ", ".join(f"{middle(values):.3g} for {name}" for name, values in whole.items())
    return Found(tuple(rows), (f"Mean gap, median of the seeds: {means}.",))


def on_figure_3(runs: Mapping[str, np.ndarray]) -> Found:
    """(seeds, stretches) gaps by teacher."""
    active, chance = (parts_of(runs[name], 6) for name in ("active", "random"))
    thirds = parts_of(runs["active"], 3)
    steps = [compared("", "", active[:, k + 1], active[:, k], (-INF, 1.0), 5) for k in range(5)]
    rows = (
        compared(
            "With active selection the gap does not grow: last third over first",
            "below 1",
            thirds[:, 2],
            thirds[:, 0],
            (-INF, 1.0),
        ),
        combined(
            "It falls regularly: every sixth of the examples over the one before",
            "all below 1",
            steps,
            "all",
        ),
    )
    own, other = (
        ", ".join(f"{value:.3g}" for value in map(middle, parts.T)) for parts in (active, chance)
    )
    return Found(
        rows,
        (
            (
                f"From one sixth to the next the gap goes {own} with the active teacher and {other}"
                " with chance."
            ),
        ),
    )


def on_figure_4(runs: Mapping[str, np.ndarray]) -> Found:
    """(seeds, 2) mean gaps, of the average of a round and of its last alpha, by K."""
    gaps = np.column_stack([runs[f"K = {K}"][:, 0] for K in DRAWS[2:]])
    rows = [
        judged(
            f"The mean gap falls like 1/K: its power of K, over K = {DRAWS[2]} to {DRAWS[-1]}",
            "−1, nearer than to −1/2",
            power_of(DRAWS[2:], gaps),
            (-1.25, -0.75),
            number(-1.0),
        )
    ]
    worth = {
        K: (runs[f"Algorithm 2, K = {K}"], runs[f"K = {2 * K}"])
        for K in (PROCESSED[0], PROCESSED[-1])
    }
    rows += [
        compared(
            f"PROCESS saves a factor of draws: Algorithm 2 with {K} over Algorithm 1 with {2 * K}",
            f"as with twice the draws: at most {NEARLY:g}",
            two[:, 0],
            one[:, 0],
            (-INF, NEARLY),
        )
        for K, (two, one) in worth.items()
    ]
    last = " and ".join(
        f"{middle(two[:, 1] / one[:, 1]):.2f} at K = {K}" for K, (two, one) in worth.items()
    )
    return Found(
        tuple(rows),
        (
            (
                f"At the last α of each round, which is not averaged, Algorithm 2 with K has {last}"
                " times the gap of Algorithm 1 with 2K."
            ),
        ),
    )


def on_figure_5(runs: Mapping[str, np.ndarray]) -> Found:
    """(seeds, times) test errors by teacher and K."""
    end = {name: values[:, -1] for name, values in runs.items()}

    def errs(K: int) -> str:
        return signed(
            f"{middle(end[f'active, K = {K}']):.1%} against {middle(end[f'random, K = {K}']):.1%}"
        )

    rows = [
        judged(
            f"Active selection has fewer errors than chance after {TIMES[-1]} examples, K = {K}",
            "fewer",
            difference(end[f"active, K = {K}"], end[f"random, K = {K}"]),
            (-INF, 0.0),
            POINTS,
            errs(K),
        )
        for K in (10, 100)
    ]
    need = {name: each_settled(TIMES, values, GOOD) for name, values in runs.items()}
    rows += [
        judged(
            f"It needs far fewer examples to stay at {GOOD:.0%} errors, K = {K}",
            f"below {MUCH:g} times",
            cost_ratio(need[f"active, K = {K}"], need[f"random, K = {K}"]),
            (-INF, MUCH),
            verdicts.TIMES,
        )
        for K in (10, 100)
    ]
    gain = {K: end[f"random, K = {K}"] - end[f"active, K = {K}"] for K in (10, 100)}
    rows.append(
        judged(
            "The more accurate the optimisation, the more it gains: K = 100 against 10",
            "more",
            difference(gain[100], gain[10]),
            (0.0, INF),
            POINTS,
        )
    )
    return Found(
        tuple(rows),
        (
            (
                f"After {TIMES[-1]} examples, active selection against chance: {errs(100)} with K ="
                f" 100, {errs(10)} with K = 10."
            ),
        ),
    )


def first_below(table: np.ndarray) -> np.ndarray:
    """The cost at which every row of errors first gets down to a tenth: infinite if never, NaN if
    it is missing.
    """
    hits = np.nan_to_num(table, nan=1.0) <= GOOD
    costs = np.where(hits.any(axis=1), COSTS[hits.argmax(axis=1)], INF)
    return np.where(np.isnan(table).all(axis=1), np.nan, costs)


def on_figure_6(runs: Mapping[str, np.ndarray], row: int) -> Found:
    """The cost at which each first gets down to a tenth, in one of the ways of counting."""
    cost = {name: first_below(values[:, row]) for name, values in runs.items()}
    rows = [
        judged(
            f"Faster than the batch counterpart: {name}, cost of {GOOD:.0%} errors over that of"
            " batch",
            f"much faster: below {MUCH:g} times",
            cost_ratio(values, cost["batch"]),
            (-INF, MUCH),
            verdicts.TIMES,
        )
        for name, values in cost.items()
        if name != "batch"
    ]
    best = "active, K = 100"
    others = np.min([values for name, values in cost.items() if name != best], axis=0)
    rows.append(
        judged(
            f"Fastest with {best}: its cost over the least of the others",
            "below 1",
            cost_ratio(cost[best], others),
            (-INF, 1.0),
            verdicts.TIMES,
        )
    )
    needed = {name: middle(values) for name, values in cost.items()}
    listed = ", ".join(
        f"{name} {at:.1e}" if np.isfinite(at) else f"{name} never gets there"
        for name, at in needed.items()
    )
    return Found(
        tuple(rows),
        (
            (
                f"{GOOD:.0%} errors take ({COUNTINGS[row]}): {listed}. What the teacher looks at is"
                " counted."
            ),
        ),
    )
