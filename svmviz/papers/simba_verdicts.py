"""What runs of SIMBA and its rivals say about the claim of its paper. Nothing here knows what it ought to find."""

import numpy as np

from svmviz.papers import verdicts
from svmviz.papers.verdicts import amount, near, settled


def on_figure_1(grid: np.ndarray, errors: dict[str, np.ndarray], whole: float) -> list[str]:
    """The reads that each needs for the same errors, and what share of the `whole` table that is; `errors` are means over
    the grid, NaN where nothing was measured."""
    kept = {name: held(error) for name, error in errors.items()}
    best, out = {name: float(np.nanmin(error)) for name, error in errors.items()}, []
    end = {name: float(error[np.isfinite(error)][-1]) for name, error in errors.items()}
    out.append("Lowest mean error: " + ", ".join(f"{name} {value:.2%}" for name, value in best.items()) + ".")
    for target, words in targets(best["SIMBA"], best["Pegasos"], end["Pegasos"]):
        cost = {name: settled(grid, error, target) for name, error in kept.items()}
        listed = ", ".join(f"{name} {amount(value)}" for name, value in cost.items())
        ratio = cost["Pegasos"] / cost["SIMBA"] if np.isfinite(cost["SIMBA"]) and np.isfinite(cost["Pegasos"]) else np.nan
        said = f"; Pegasos reads {times(ratio)} times as much as SIMBA" if np.isfinite(ratio) else ""
        part = f" For SIMBA that is {times(cost['SIMBA'] / whole)} passes over the table." if np.isfinite(cost["SIMBA"]) else ""
        out.append(f"To stay at {target:.2%} or less ({words}): {listed}{said}.{part}")
    return out


def targets(simba: float, pegasos: float, last: float):
    """Errors to compare at: near what Pegasos ends with, near what both reach, and two coarser ones."""
    both = near(max(simba, pegasos))
    yield near(last), "what Pegasos ends with"
    if both > 1.2 * near(last):
        yield both, "what both reach"
    yield 2 * both, "twice what both reach"
    yield 4 * both, "four times"


def times(ratio: float) -> str:
    """A ratio in words of two digits.

    >>> times(0.276), times(1.0), times(2293.0)
    ('0.28', '1', '2300')
    """
    return f"{ratio:.2g}" if ratio < 10 else f"{float(f'{ratio:.2g}'):.0f}"


def held(error: np.ndarray) -> np.ndarray:
    """Nothing measured yet counts as 1; what was reached is kept after the end."""
    return np.nan_to_num(verdicts.held(error)[0], nan=1.0)


def mixed(simba_entries: float, pegasos_entries: float, pegasos_cells: float) -> str:
    """What a step costs, by both ways of counting, and what comes of mixing them."""
    if pegasos_cells <= pegasos_entries:  # a full table: there is but one way to count
        return f"A step of SIMBA reads {amount(simba_entries)} cells, one of Pegasos {amount(pegasos_entries)}."
    return (f"A step of SIMBA reads {amount(simba_entries)} stored entries, one of Pegasos {amount(pegasos_entries)}; a row of "
            f"the full matrix has {amount(pegasos_cells)} cells. Were Pegasos charged by cells and SIMBA by entries, "
            f"a factor of {times(pegasos_cells / simba_entries)} would be gained by counting alone.")
