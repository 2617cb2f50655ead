"""The example that SIMBA's stage opens with, and what a step costs on sparse data.

    python -m benchmarks.papers.simba [--only opening|time] [--seeds 10]

Opening: test error over features read on the rare groups that the stage suggests, a table of its
own for each seed, Pegasos with the λ and the order of rows that are best at each error (Figure 1 on
real data: `svmviz papers record --only simba.figure1`). Time: processor time per step on a 20 000 x
50 000 matrix against a 2000 x 5000 one with as many entries in each row and column.
"""

import argparse
import os
import time

import numpy as np
import scipy.sparse as sp

from benchmarks.harness import load
from svmviz.data import many_features
from svmviz.data.problem import make_problem
from svmviz.papers.evidence.costs import settled
from svmviz.papers.simba import figures
from svmviz.papers.simba.datasets import RARE, settings
from svmviz.solvers import SOLVERS
from svmviz.solvers.simba import learn

BAR = 3.0  # what a step on the large matrix may take of the small one's time
DRAWS = 500
SLACKS = (0.0, 0.001, 0.01, 0.05, 0.1, 0.3)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--only", choices=("opening", "time"))
    chosen = parser.parse_args()
    print(f"{os.cpu_count()} cores, load average {load()}")
    if chosen.only in (None, "opening"):
        opening(chosen.seeds)
    if chosen.only in (None, "time"):
        times()


def opening(seeds: int) -> None:
    print(
        f"\nRare groups as on the stage, mean of {seeds} tables with a run each: features read to"
        f" stay at a test error, and\nwhere nine tenths of {DRAWS} means of as many tables lie,"
        " drawn from these with replacement"
    )
    found = figures.on_fresh_tables(settings()["rare"], many_features.rare, RARE, range(seeds))
    draws = np.random.default_rng(0).integers(seeds, size=(DRAWS, seeds))
    for target in (0.005, 0.003, 0.002, 0.001):
        cost = {name: cheapest(ways, target, np.arange(seeds)) for name, ways in found.items()}
        again = {
            name: np.array([cheapest(ways, target, drawn)[0] for drawn in draws])
            for name, ways in found.items()
        }
        print(
            f"  {target:.1%}: "
            + ", ".join(
                f"{name} {value:.3f} of the table [{span(again[name])}]{how and f' ({how})'}, "
                f"{value / cost['SIMBA'][0]:.1f} x [{span(again[name] / again['SIMBA'], 1)}]"
                for name, (value, how) in cost.items()
            )
        )


def cheapest(ways, target: float, tables: np.ndarray) -> tuple[float, str]:
    """The least share of the table that some way needs on the mean of these tables, and which."""
    whole = RARE["n"] * RARE["d"]
    return min(
        (settled(grid, errors[tables].mean(axis=0), target) / whole, how)
        for how, grid, errors in ways
    )


def span(values: np.ndarray, digits: int = 3) -> str:
    low, high = np.quantile(values, (0.05, 0.95), method="nearest")  # some may be infinite
    return f"{low:.{digits}f} to {high:.{digits}f}"


def regular(n: int, d: int, per_row: int, seed: int = 0):
    """A sparse problem with as many entries in every row, and as many in every column, and rows of
    length 1.
    """
    rng = np.random.default_rng(seed)
    columns = rng.permutation(np.repeat(np.arange(d), n * per_row // d))
    X = sp.csr_array(
        (rng.normal(size=n * per_row), columns, np.arange(0, n * per_row + 1, per_row)),
        shape=(n, d),
    )
    X = sp.csr_array(sp.diags_array(1.0 / np.sqrt(np.asarray(X.multiply(X).sum(axis=1)))) @ X)
    return make_problem(X, np.where(X @ rng.normal(size=d) > 0, 1.0, -1.0))


def per_step(problem, nu: float, warm: int = 4000, steps: int = 6000, rounds: int = 5) -> float:
    """The least of a few times, in microseconds."""
    marks = [warm + steps * k for k in range(rounds + 1)]
    run, found = learn.simba(problem, {"nu": nu}, marks), []
    next(run)
    for _ in range(rounds):
        began = time.thread_time()  # of this thread alone: others may be at work
        next(run)
        found.append(1e6 * (time.thread_time() - began) / steps)
    return min(found)


def recorded(problem, nu: float, steps: int = 2000, rounds: int = 3) -> float:
    """The same of a recorded run, with all that comes before its first step."""
    found = []
    for seed in range(rounds + 1):
        began = time.thread_time()
        SOLVERS["simba"].trace(problem, steps, seed, nu=nu)
        found.append(1e6 * (time.thread_time() - began) / steps)
    return min(found[1:])


def times() -> None:
    small, large = regular(2000, 5000, 50), regular(20_000, 50_000, 50)
    print(
        "\nTime of a step, rows of length 1, 50 entries in a row and 20 in a column: 2000 x 5000"
        " and 20 000 x 50 000"
    )
    for nu in SLACKS:
        for name, measured in (("steps alone", per_step), ("trace of 2000 steps", recorded)):
            a, b = measured(small, nu), measured(large, nu)
            print(
                f"  ν = {nu:g}, {name}: {a:.1f} µs and {b:.1f} µs, ratio {b / a:.2f}; "
                f"{'within' if b <= BAR * a else 'ABOVE'} {BAR:g}",
                flush=True,
            )


if __name__ == "__main__":
    main()
