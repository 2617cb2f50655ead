"""How close SIMBA comes to the exact optimum of small problems.

    python -m benchmarks.papers.convergence [--problems 3] [--seeds 3]

Four families of 40 to 100 points in up to 20 dimensions, with 0, 5 and 10 % of the labels wrong, ν
from R/100 to R, with and without a bias. The gap between the exact optimum, bounds on slack
included, and the level of the mean of w after 3000 and 10 000 steps, as a share of the radius R
(the theorem's unit) and of the optimum γ* itself; problems whose γ* is alike in a row.
"""

import argparse
import itertools
import os

import numpy as np

from benchmarks.harness import load
from svmviz.data.problem import Problem, make_problem
from svmviz.solvers import SOLVERS
from svmviz.theory import pareto

SIMBA = SOLVERS["simba"]
MARKS, BARS = (3000, 10_000), (0.02, 0.012)
WRONG = (0.0, 0.05, 0.1)
SLACKS = (0.01, 0.03, 0.1, 0.3, 1.0)  # of R
BINS = (0.0, 0.1, 0.2, 0.3, 0.5, 1.0, np.inf)  # of γ*, in R


def margin(rng, n: int, d: int):
    """Two slabs either side of a plane."""
    y, normal = rng.choice([-1.0, 1.0], n), unit(rng.normal(size=(1, d)))[0]
    along, across = (
        rng.normal(size=(n, d)) / np.sqrt(d),
        y * (rng.uniform(0.2, 2.0) + 0.5 * abs(rng.normal(size=n))),
    )
    return along + np.outer(across - along @ normal, normal), y


def cut(rng, n: int, d: int):
    """One Gaussian cloud, cut by a plane: no margin."""
    X = rng.normal(size=(n, d))
    return X, np.where(X @ rng.normal(size=d) > 0, 1.0, -1.0)


def sphere(rng, n: int, d: int):
    """The same on a sphere: every row is as long as R."""
    X, y = cut(rng, n, d)
    return unit(X), y


def clouds(rng, n: int, d: int):
    """Two Gaussian clouds that may overlap."""
    y, centre = rng.choice([-1.0, 1.0], n), rng.uniform(1.0, 3.0) * unit(rng.normal(size=(1, d)))[0]
    return rng.normal(size=(n, d)) + np.outer(y, centre), y


def unit(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def drawn(family, wrong: float, rng) -> Problem:
    n, d = int(rng.integers(40, 101)), int(rng.integers(2, 21))
    X, y = family(rng, n, d)
    flipped = np.isin(np.arange(n), rng.permutation(n)[: round(wrong * n)])
    return make_problem(X, np.where(flipped, -y, y))


def measured(problem: Problem, nu: float, bias: bool, seeds: int):
    """γ*, whether a bound is met, and the gaps of each seed at each mark, all in R; None where no
    level is above 0.
    """
    R = np.linalg.norm(problem.X, axis=1).max()
    best = SIMBA.optimum(problem, SIMBA.check({"nu": nu * R, "bias": bias})).level
    if best <= 1e-9 * R:
        return None
    levels = np.array(
        [
            SIMBA.trace(problem, MARKS[-1], k, nu=nu * R, bias=bias).scalars["level_average"]
            for k in range(seeds)
        ]
    )
    bounded = pareto.slack_optimum(problem, nu * R, bias=bias).level > best + 1e-6 * R
    return best / R, bounded, (best - levels[:, MARKS]) / R


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--problems", type=int, default=3, help="of each kind")
    parser.add_argument("--seeds", type=int, default=3)
    chosen, rng = parser.parse_args(), np.random.default_rng(0)
    print(f"{os.cpu_count()} cores, load average {load()}")
    found = []
    for family, wrong, nu, bias in itertools.product(
        (margin, cut, sphere, clouds), WRONG, SLACKS, (False, True)
    ):
        for _ in range(chosen.problems):
            found.append(measured(drawn(family, wrong, rng), nu, bias, chosen.seeds))
    found = [one for one in found if one is not None]
    level, bounded = np.array([one[0] for one in found]), np.array([one[1] for one in found])
    gaps = np.array([one[2] for one in found])  # problems x seeds x marks
    head = f"{'median':>8}{'worst':>8}{'within':>12}"
    print(
        f"{len(found)} problems, {chosen.seeds} runs each; median and worst of all; within the bar:"
        f" medians of a problem\n{'':28}"
        + "".join(
            f"{f'T = {T}, bar {bar:.1%} of {unit}':^28}"
            for T, bar in zip(MARKS, BARS, strict=True)
            for unit in ("R", "γ*")
        )
        + "\n"
        + "γ* in R".ljust(28)
        + head * 4
    )
    rows = [("bound on slack or bias met", bounded), ("no bound met", ~bounded)]
    rows += [
        (f"  {lo:g} to {hi:g}", ~bounded & (level >= lo) & (level < hi))
        for lo, hi in itertools.pairwise(BINS)
    ]
    for name, own in rows:
        line = ""
        for (k, bar), unit_ in itertools.product(enumerate(BARS), (np.ones_like(level), level)):
            gap = gaps[own, :, k] / unit_[own, None]
            line += f"{np.median(gap):8.2%}{gap.max():8.2%}{f'{(np.median(gap, axis=1) <= bar).sum()} of {own.sum()}':>12}"
        print(name.ljust(28) + line, flush=True)


if __name__ == "__main__":
    main()
