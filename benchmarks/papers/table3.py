"""Kernel width and λ of budgeted Pegasos for the data sets of Table 3 of the BSGD paper, found by
holding out training rows.

    python -m benchmarks.papers.table3 [--data banana a9a ...] [--budgets 100 500]

What it prints stands as `PARAMETERS` in `svmviz.papers.bsgd.datasets`; `svmviz papers record --only
bsgd.table3` fills the table.
"""

import argparse
import itertools

import numpy as np

from svmviz.papers.bsgd.datasets import DATA, Split, available, learn
from svmviz.papers.sbp.datasets import FOLDER

GAMMAS, LAMS = (
    (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0, 2.0, 4.0, 8.0, 16.0),
    (
        1e-2,
        1e-3,
        1e-4,
        1e-5,
        1e-6,
    ),
)  # gamma in units of 1/d


def search(name: str, B: int, rows: int = 10_000, folds: int = 3) -> tuple[float, float, float]:
    """Kernel width and lam with which merging does best on rows that it has not seen; and how well.
    The mean of a few times a fifth: one pass depends so much on its order that the best of a single
    one would be a matter of luck.
    """
    whole, held_out = DATA[name].read(0), []
    for fold in range(folds):
        order = np.random.default_rng(fold).permutation(len(whole.y))[:rows]
        X, y, cut = whole.X[order], whole.y[order], len(order) * 4 // 5
        held_out.append(Split(X[:cut], y[:cut], X[cut:], y[cut:]))
    found = {
        grid: np.mean(
            [learn(split, "merge", B, *grid, fold).accuracy for fold, split in enumerate(held_out)]
        )
        for grid in itertools.product(GAMMAS, LAMS)
    }
    best = max(found, key=found.get)
    return *best, found[best]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", nargs="+", default=list(available()), choices=list(DATA))
    parser.add_argument("--budgets", nargs="+", type=int, default=[100, 500])
    chosen = parser.parse_args()
    if missing := [name for name in chosen.data if name not in available()]:
        raise SystemExit(
            f"{', '.join(missing)} not found in {FOLDER}; SVMVIZ_DATA can name another folder"
        )
    for name, B in itertools.product(chosen.data, chosen.budgets):
        gamma, lam, accuracy = search(name, B)
        print(f'    ("{name}", {B}): ({gamma:g}, {lam:g}),  # {accuracy:.2%}', flush=True)


if __name__ == "__main__":
    main()
