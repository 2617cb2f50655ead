"""Figure 2 of the SBP paper on Adult: test error over kernel evaluations, SBP against its rivals,
and SBP against LIBSVM.

    python -m benchmarks.papers.figure2 [--data a9a] [--rows 8000] [--seeds 10] [--epochs 10]
    [--tests 0]

Rows are the first ones of the training part (`--rows 32561` for all of Adult takes 8.5 GB for its
Gram matrix, and 4 GB for the test part), tested on the whole test part unless --tests says how
many. Kernel values are computed once and looked up; every run counts those that it would have
needed, in both ways that `svmviz.papers.sbp.figures` explains.
"""

import argparse
import os
import time

import numpy as np

from benchmarks.harness import load
from svmviz.papers.evidence import costs
from svmviz.papers.evidence.verdicts import lines
from svmviz.papers.sbp import figures, verdicts
from svmviz.papers.sbp.datasets import FOLDER, settings
from svmviz.papers.sbp.figures import COUNTINGS, ITERATES, RIVALS, WITHOUT_CHANCE
from svmviz.work.backend import cores
from svmviz.work.flight import in_turn
from svmviz.work.threads import Threads

DECADES = (1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7, 3e7, 1e8, 3e8, 1e9)
PAIRS = tuple(2**j for j in range(10))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", default="a9a")
    parser.add_argument("--rows", type=int, default=8000)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--tests", type=int, default=0, help="test rows; 0 for all")
    chosen = parser.parse_args()
    known = settings()
    if chosen.data not in known:
        raise SystemExit(
            f"no data {chosen.data!r} in {FOLDER}, which SVMVIZ_DATA can change; there are"
            f" {', '.join(known)}"
        )
    setting, tests = known[chosen.data], chosen.tests or None
    print(
        f"Figure 2 on {setting.title}; the paper used {setting.paper}\n{os.cpu_count()} cores, load"
        f" average {load()}"
    )
    began = time.perf_counter()
    ready = figures.prepare(setting, chosen.rows, tests, chosen.epochs)
    print(
        f"{ready.problem.n} rows, {len(ready.z)} test rows, gamma = {ready.gamma:g}, lam = 1/n, nu"
        f" = {ready.nu:.4g}, exact optimum's test error {ready.best:.2%}; Gram matrix and optimum:"
        f" {time.perf_counter() - began:.0f} s",
        flush=True,
    )
    curves = all_runs(ready, chosen.seeds, chosen.epochs)
    for counting in COUNTINGS:
        for iterate in ITERATES:
            table(ready, curves, iterate, counting)
    fourier(ready, curves["sbp"], min(3, chosen.seeds), "Adult" not in setting.paper)
    libsvm(setting, chosen.rows, tests, min(3, chosen.seeds))
    print(f"\n{time.perf_counter() - began:.0f} s in all; load average at the end: {load()}")


def all_runs(ready, seeds: int, epochs: int) -> dict[str, list[figures.Curve]]:
    curves, threads = {}, Threads(cores())
    for key, name in RIVALS.items():
        began, count = time.perf_counter(), 1 if key in WITHOUT_CHANCE else seeds
        curves[key] = list(
            in_turn(threads, ((figures.run, ready, key, seed, epochs) for seed in range(count)))
        )
        print(
            f"{name}: {count} runs of {epochs * ready.problem.n} steps,"
            f" {time.perf_counter() - began:.0f} s",
            flush=True,
        )
    return curves


def table(ready, curves, iterate: str, counting: str) -> None:
    """Median test error in percent at some costs; * leads, . has ended before."""
    tables = {
        RIVALS[key]: [run.error[iterate, counting] for run in runs] for key, runs in curves.items()
    }
    held = {name: costs.held(runs) for name, runs in tables.items()}
    median = {name: np.median(runs, axis=0) for name, runs in held.items()}
    end = {name: costs.ended(runs) for name, runs in tables.items()}
    shown = [cost for cost in DECADES if ready.grid[0] <= cost <= ready.grid[-1]]
    print(
        f"\nresponses {counting}, {iterate} iterate of SBP and Pegasos: median test error in %\n"
        f"{'kernel evaluations':18}" + "".join(f"{cost:10.0e}" for cost in shown)
    )
    places = [int(np.searchsorted(ready.grid, cost * 1.0001)) - 1 for cost in shown]
    lowest = [min(float(error[at]) for error in median.values()) for at in places]
    for name, error in median.items():
        cells = [
            f"{100 * error[at]:.2f}{'*' if error[at] == low else '.' if at > end[name] else ' '}"
            for at, low in zip(places, lowest, strict=True)
        ]
        print(f"{name:18}" + "".join(f"{cell:>10}" for cell in cells))
    first = {
        RIVALS[key]: float(np.median([run.first_pass[counting] for run in runs]))
        for key, runs in curves.items()
    }
    print(
        "\n".join(
            f"  {said}" for said in lines(verdicts.on_rivals(ready.grid, held, ready.best, first))
        ),
        flush=True,
    )


def fourier(ready, runs, seeds: int, claimed: bool) -> None:
    found = np.array(
        [[figures.fourier_error(ready, k, seed) for k in PAIRS] for seed in range(seeds)]
    )
    print(
        f"\nFigure 3, {seeds} seeds: median test error in % of the optimum on k pairs of Fourier"
        f" features\n{'k':18}"
        + "".join(f"{k:10}" for k in PAIRS)
        + f"\n{'inner products':18}"
        + "".join(f"{k * ready.problem.n:10.1e}" for k in PAIRS)
        + f"\n{'error':18}"
        + "".join(f"{100 * value:10.2f}" for value in np.median(found, axis=0))
    )
    sbp = costs.held([run.error["average", "kept"] for run in runs])
    said = verdicts.on_fourier(ready.grid, sbp, PAIRS, found, ready.problem.n, ready.best, claimed)
    print("\n".join(f"  {line}" for line in lines(said)), flush=True)


def libsvm(setting, rows: int, tests: int | None, seeds: int) -> None:
    found = [figures.against_libsvm(setting, rows, tests, seed) for seed in range(seeds)]
    quarter = int(np.searchsorted(figures.FRACTIONS, 0.25))
    tables = {name: np.array([run.sbp[name] for run in found]) for name in ITERATES}
    print(
        f"\nSBP against LIBSVM with a bias, gamma = {setting.bias_gamma:g}, C = {setting.bias_C:g},"
        f" {seeds} seeds, seconds of one processor; a step of SBP"
        f" {1e3 * np.median([run.step for run in found]):.2f} ms, {found[0].steps} steps"
    )
    said = verdicts.on_libsvm(
        float(np.median([run.seconds for run in found])),
        [run.error for run in found],
        {name: runs[:, quarter] for name, runs in tables.items()},
        {name: runs[:, -1] for name, runs in tables.items()},
    )
    print("\n".join(f"  {line}" for line in lines(said)))


if __name__ == "__main__":
    main()
