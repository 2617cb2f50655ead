"""What runs of SIMBA and its rivals say about the claim of its paper."""

import numpy as np

from svmviz.papers.evidence import costs
from svmviz.papers.evidence.costs import amount, each_settled, near, settled
from svmviz.papers.evidence.verdicts import (
    INF,
    TIMES,
    Form,
    Found,
    cost_ratio,
    digits,
    judged,
    middle,
    times_away,
)

CLAIMED, ABOUT = 100.0, 2.0  # times fewer accesses; about that many is within a factor of two


def on_figure_1(grid: np.ndarray, errors: dict[str, np.ndarray], whole: float) -> Found:
    """The reads that each needs for the same errors, and what share of the `whole` table that is;
    `errors` are (seeds, grid), NaN where nothing was measured.
    """
    kept = {
        name: np.where(np.isnan(table).all(axis=1, keepdims=True), np.nan, held(table))
        for name, table in errors.items()
    }
    there = {name: table[~np.isnan(table).all(axis=1)] for name, table in errors.items()}
    means = {
        name: table.mean(axis=0) for name, table in there.items()
    }  # where all seeds have been measured
    best = {name: float(np.nanmin(error)) for name, error in means.items()}
    end = {name: float(error[np.isfinite(error)][-1]) for name, error in means.items()}
    notes = [
        "Lowest mean error: "
        + ", ".join(f"{name} {value:.2%}" for name, value in best.items())
        + "."
    ]
    for target, words in targets(best["SIMBA"], best["Pegasos"], end["Pegasos"]):
        cost = {name: settled(grid, held(error)[0], target) for name, error in means.items()}
        listed = ", ".join(f"{name} {amount(value)}" for name, value in cost.items())
        ratio = (
            cost["Pegasos"] / cost["SIMBA"]
            if np.isfinite(cost["SIMBA"]) and np.isfinite(cost["Pegasos"])
            else np.nan
        )
        said = (
            f"; Pegasos reads {digits(ratio)} times as much as SIMBA" if np.isfinite(ratio) else ""
        )
        passes = cost["SIMBA"] / whole
        part = (
            f" For SIMBA that is {digits(passes)} passes over the table."
            if np.isfinite(passes)
            else ""
        )
        notes.append(
            f"For the mean over all seeds to stay at {target:.2%} or less ({words}):"
            f" {listed}{said}.{part}"
        )
    target = near(end["Pegasos"])
    reads = {name: each_settled(grid, kept[name], target) for name in ("SIMBA", "Pegasos")}
    fewer = cost_ratio(reads["Pegasos"], reads["SIMBA"])
    sides = " against ".join(amount(middle(reads[name])) for name in ("Pegasos", "SIMBA"))
    what = f"to stay at {target:.2%} or less, what Pegasos ends with"
    times = Form(
        digits,
        lambda value: (
            f"{times_away(value / CLAIMED)} than {CLAIMED:.0f}".replace("much than", "much as")
            if 0 < value < INF
            else times_away(value)
        ),
        " times",
    )
    return Found(
        (
            judged(
                f"SIMBA reads fewer features: Pegasos' reads over SIMBA's {what}",
                "above 1",
                fewer,
                (1.0, INF),
                TIMES,
                sides,
            ),
            judged(
                "It is about 100 times fewer",
                f"{CLAIMED / ABOUT:.0f} to {CLAIMED * ABOUT:.0f}",
                fewer,
                (CLAIMED / ABOUT, CLAIMED * ABOUT),
                times,
                sides,
            ),
        ),
        tuple(notes),
    )


def targets(simba: float, pegasos: float, last: float):
    """Errors to compare at: near what Pegasos ends with, near what both reach, and two coarser
    ones.
    """
    both = near(max(simba, pegasos))
    yield near(last), "what Pegasos ends with"
    if both > 1.2 * near(last):
        yield both, "what both reach"
    yield 2 * both, "twice what both reach"
    yield 4 * both, "four times"


def held(errors: np.ndarray) -> np.ndarray:
    """(seeds, grid). Nothing measured yet counts as 1; what was reached is kept after the end."""
    return np.nan_to_num(costs.held(errors), nan=1.0)


def mixed(simba_entries: float, pegasos_entries: float, pegasos_cells: float) -> str:
    """What a step costs, by both ways of counting, and what comes of mixing them."""
    if pegasos_cells <= pegasos_entries:  # a full table: there is but one way to count
        return (
            f"A step of SIMBA reads {amount(simba_entries)} cells, one of Pegasos"
            f" {amount(pegasos_entries)}."
        )
    return (
        f"A step of SIMBA reads {amount(simba_entries)} stored entries, one of Pegasos"
        f" {amount(pegasos_entries)}; a row of the full matrix has {amount(pegasos_cells)} cells."
        " Were Pegasos charged by cells and SIMBA by entries, a factor of"
        f" {digits(pegasos_cells / simba_entries)} would be gained by counting alone."
    )


def on_frameworks(nu: float, grid: np.ndarray, short: dict[str, np.ndarray]) -> Found:
    """Section 3: (seeds, grid) distances from the best value, NaN where nothing was read yet, or no
    more was run. What CHW and PST read until they are as near as they come, and what SIMBA reads
    for that.
    """
    held_on = {name: np.nan_to_num(costs.held(table), nan=INF) for name, table in short.items()}
    end = {name: float(np.median(table[:, -1])) for name, table in held_on.items()}
    verdicts = []
    for rival in ("CHW", "PST"):
        reads = {
            name: each_settled(grid, held_on[name], 1.1 * end[rival]) for name in (rival, "SIMBA")
        }
        verdicts.append(
            judged(
                f"The hybrid reads less, ν = {nu:g}: reads of {rival} over SIMBA's, to come as near"
                f" the best as {rival} does",
                "above 1",
                cost_ratio(reads[rival], reads["SIMBA"]),
                (1.0, INF),
                TIMES,
                " against ".join(amount(middle(reads[name])) for name in (rival, "SIMBA")),
            )
        )
    ends = ", ".join(f"{name} {digits(value)}" for name, value in end.items())
    return Found(
        tuple(verdicts),
        (
            (
                f"ν = {nu:g}: in the end (w̄, ξ̄) is short of the best value by {ends} of the"
                " longest row."
            ),
        ),
    )
