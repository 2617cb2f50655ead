"""The rows of the BSGD paper's Table 3 that are presets of the solver besides budgeted Pegasos: what was printed, and runs.

Norma, the margin Perceptron (MP) and Pegasos without a budget, with their numbers of support vectors; MP that stops or removes
at random; Norma and MP with merging. The paper chose kernel width, λ, Norma's η and the Perceptron's U by cross-validation for
every row. Here widths and Pegasos' λ are those of the other rows (`bsgd_sets`), and the rest is chosen on training rows that
are held out: λ and η for Norma, U for BMP. η is 1 or 0.5 √(2 + 0.5 N^(-1/2)); in print the exponent has lost its sign.
"""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from svmviz.maths.words import count
from svmviz.papers import bsgd_figures as figures
from svmviz.papers import bsgd_table_verdicts as verdicts
from svmviz.papers.bsgd_experiments import CODE, folders, split_of
from svmviz.papers.bsgd_sets import BUDGETS, DATA, PARAMETERS, Split, given
from svmviz.papers.experiment import Experiment, Keep, Results, Tasks, known_as
from svmviz.papers.verdicts import Found
from svmviz.run import stream
from svmviz.solvers.bsgd.solver import PRESETS

UNBUDGETED = ("Pegasos", "Norma", "MP")
BUDGETED = ("MP + stop", "MP + random", "BPegasos + merge", "BNorma + merge", "BMP + merge")
SHUFFLES = 5  # as in the paper
SEEN = 4000  # rows to learn from: without a budget time grows with their square
HELD, LEARNT, SHUFFLE = 800, 1500, 1000  # rows to choose by, rows to learn from while choosing, and their order
LAMS, RADII = (1e-5, 1e-4, 1e-3, 1e-2), (0.0, 5.0, 20.0, 80.0)
ORDER = ("banana", "gauss", "a9a", "ijcnn1", "checkerboard", "usps", "pendigits", "letter", "shuttle", "covtype", "waveform")
ROWS = (4300, 10_000, 21_000, 50_000, 0, 7300, 7500, 16_000, 43_000, 0, 0)  # that were learnt from; 0: stopped early


class Row(NamedTuple):
    """A row of Table 3 without a budget: accuracies, support vectors, and examples seen where it was stopped early."""

    accuracy: tuple[float, ...]
    vectors: tuple[float, ...]
    stopped: Mapping[str, float]


PRINTED = {
    "Pegasos": Row(tuple(DATA[name].unbudgeted for name in ORDER), (1700, 6400, 9000, 16_000, 41_000, 4900, 1400, 8200, 1200,
                   47_000, 74_000), {"checkerboard": 916_000, "covtype": 136_000, "waveform": 192_000}),
    "Norma": Row((90.23, 81.54, 83.65, 93.41, 99.32, 93.40, 95.86, 95.21, 99.79, 82.80, 86.29),
                 (2100, 5200, 10_000, 33_000, 128_000, 6600, 7000, 15_000, 8000, 92_000, 111_000),
                 {"checkerboard": 730_000, "covtype": 92_000, "waveform": 189_000}),
    "MP": Row((89.40, 78.45, 82.61, 98.61, 99.43, 94.37, 98.02, 96.41, 99.89, 88.84, 84.36),
              (1000, 3400, 8000, 11_000, 22_000, 2200, 1900, 8200, 400, 56_000, 83_000),
              {"checkerboard": 1_000_000, "covtype": 160_000, "waveform": 310_000}),
}
PRINTED_BUDGETED = {  # for B = 100 and 500
    "MP + stop": ((88.07, 89.77), (74.10, 79.68), (80.00, 81.68), (91.13, 94.60), (86.39, 95.43), (79.11, 90.78),
                  (88.27, 97.78), (41.89, 67.32), (99.39, 99.90), (56.96, 61.93), (81.04, 83.76)),
    "MP + random": ((87.54, 88.36), (75.68, 77.26), (79.78, 80.40), (90.22, 91.86), (84.24, 93.12), (78.06, 90.10),
                    (87.77, 97.20), (40.93, 68.23), (98.67, 99.90), (55.56, 60.47), (79.94, 81.61)),
    "BPegasos + merge": tuple(DATA[name].accuracy["merge"] for name in ORDER),
    "BNorma + merge": ((91.53, 90.65), (81.27, 81.37), (84.11, 83.80), (92.69, 91.35), (99.16, 99.72), (87.44, 89.51),
                       (90.82, 94.60), (61.79, 75.84), (99.48, 99.80), (71.54, 72.81), (86.60, 82.03)),
    "BMP + merge": ((89.37, 89.46), (79.57, 79.38), (83.34, 82.97), (96.67, 98.10), (98.24, 98.79), (92.31, 93.10),
                    (97.35, 97.86), (74.99, 88.22), (98.99, 99.91), (67.28, 72.31), (86.02, 86.03)),
}


class Outcome(NamedTuple):
    """A run: percent of the test rows, vectors kept, and how many rows there were."""

    accuracy: float
    vectors: int
    rows: int


class Cell(NamedTuple):
    """A row of the table on some data: without a budget B is 0."""

    name: str
    algorithm: str
    B: int


CELLS = tuple(Cell(name, algorithm, B) for name in ORDER for algorithm, B in (
    *((one, 0) for one in UNBUDGETED), *((one, B) for one in BUDGETED for B in BUDGETS)))


def printed(cell: Cell) -> float:
    place = ORDER.index(cell.name)
    return PRINTED_BUDGETED[cell.algorithm][place][BUDGETS.index(cell.B)] if cell.B else PRINTED[cell.algorithm].accuracy[place]


def printed_vectors(cell: Cell) -> tuple[float, float] | None:
    """Support vectors, and the examples that they came from; none are printed for a budget, which is full."""
    if cell.B:
        return None
    row, place = PRINTED[cell.algorithm], ORDER.index(cell.name)
    return row.vectors[place], row.stopped.get(cell.name) or ROWS[place]


def rates(rows: int) -> tuple[float, float]:
    """The two η of Section 7.1.

    >>> [round(eta, 3) for eta in rates(10_000)]
    [1.0, 0.708]
    """
    return 1.0, 0.5 * math.sqrt(2 + 0.5 / math.sqrt(rows))


def choices(algorithm: str, rows: int) -> list[dict[str, float]]:
    """What a row has to choose from besides what all share."""
    if "Norma" in algorithm:
        return [{"lam": lam, "eta": eta} for lam in LAMS for eta in rates(rows)]
    return [{"U": U} for U in RADII] if algorithm == "BMP + merge" else [{}]


def learnt(split: Split, cell: Cell, chosen: Mapping[str, float], shuffle: int) -> Outcome:
    """One pass."""
    gamma, lam = PARAMETERS[cell.name, cell.B or max(BUDGETS)]
    params = given("none", cell.B or 1, gamma / split.X.shape[1], lam) | PRESETS[cell.algorithm] | dict(chosen)
    found = stream.run(stream.blocks(split.X, split.y, seed=shuffle), params, classes=split.classes, test=(split.Z, split.z))
    return Outcome(100 * found.accuracy, found.n_sv, len(split.y))


def tuned(split: Split, cell: Cell) -> dict[str, float]:
    """What gives the best accuracy on training rows that are held out."""
    options = choices(cell.algorithm, len(split.y))
    if len(options) == 1:
        return options[0]
    part = Split(split.X[:-HELD][:LEARNT], split.y[:-HELD][:LEARNT], split.X[-HELD:], split.y[-HELD:])
    return max(options, key=lambda chosen: learnt(part, cell, chosen, SHUFFLE).accuracy)


def label(cell: Cell) -> str:
    return f"{cell.name}, {cell.algorithm}, {cell.B}"


def table_3_rivals(names: tuple[str, ...] = ORDER) -> Experiment:
    key, cells = "bsgd.rivals", [cell for cell in CELLS if cell.name in names]

    def chosen(cell: Cell, keep: Keep) -> dict[str, float]:
        return keep(known_as(key, f"tuned {label(cell)}"),
                    lambda: tuned(split_of(cell.name, SEEN, keep), cell))

    def shared(keep: Keep) -> Tasks:
        return {f"tuned {label(cell)}": partial(chosen, cell, keep) for cell in cells
                if len(choices(cell.algorithm, 1)) > 1}

    def each(seed: int, keep: Keep) -> Tasks:
        def run(cell: Cell) -> Outcome:
            split = split_of(cell.name, SEEN, keep, seed if DATA[cell.name].random_split else 0)
            return learnt(split, cell, chosen(cell, keep), seed)

        return {label(cell): partial(run, cell) for cell in cells}

    return Experiment(key, f"{len(names)} data sets, at most {count(SEEN)} rows to learn from and "
                      f"{count(figures.TESTS)} to test on", each, judge, SHUFFLES, shared, (Outcome,),
                      (*CODE, "papers/bsgd_rivals.py"), folders(names))


def table(results: Results, field: str) -> dict[Cell, np.ndarray]:
    """Of every shuffle, by row."""
    return {cell: np.array([getattr(one, field) for one in results.of(label(cell))], float) for cell in CELLS
            if label(cell) in results.labels}


def settings(results: Results, cell: Cell) -> dict[str, Any]:
    """What was chosen for a row."""
    return results.found.get(f"tuned {label(cell)}", {})


def judge(results: Results) -> Found:
    found, vectors = table(results, "accuracy"), table(results, "vectors")
    return verdicts.on_rivals(found, vectors, {cell: printed(cell) for cell in found})


EXPERIMENTS = (table_3_rivals(),)
