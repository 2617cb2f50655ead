"""Table 3 of the BSGD paper as printed: accuracies in percent, support vectors where no budget
limits them, and rows.
"""

from collections.abc import Mapping
from typing import NamedTuple

from svmviz.papers.bsgd.datasets import BUDGETS, DATA

ORDER = (
    "banana",
    "gauss",
    "a9a",
    "ijcnn1",
    "checkerboard",
    "usps",
    "pendigits",
    "letter",
    "shuttle",
    "covtype",
    "waveform",
)
BINARY = ORDER[:5]  # those of Table 3 (a)
ROWS = dict(
    zip(
        ORDER,
        (4300, 10_000, 21_000, 50_000, 10_000_000, 7300, 7500, 16_000, 43_000, 500_000, 2_000_000),
        strict=True,
    )
)


class Free(NamedTuple):
    """A row without a budget: accuracies, support vectors, and examples seen where it saw fewer
    than there were.
    """

    accuracy: tuple[float, ...]
    vectors: tuple[float, ...]
    stopped: Mapping[str, float]


FREE = {
    "LIBSVM": Free(
        (90.70, 81.62, 84.29, 98.72, 99.87, 95.27, 98.23, 97.62, 99.90, 89.69, 85.83),
        (1100, 4000, 8500, 4900, 2600, 1900, 800, 8100, 300, 36_000, 32_000),
        {"checkerboard": 100_000, "covtype": 100_000, "waveform": 100_000},
    ),
    "IDSVM": Free(
        (90.65, 81.67, 83.93, 98.51, 99.40),
        (1100, 4000, 4000, 3600, 7500),
        {"a9a": 8300, "ijcnn1": 33_000, "checkerboard": 51_000},
    ),
    "Pegasos": Free(
        tuple(DATA[name].unbudgeted for name in ORDER),
        (1700, 6400, 9000, 16_000, 41_000, 4900, 1400, 8200, 1200, 47_000, 74_000),
        {"checkerboard": 916_000, "covtype": 136_000, "waveform": 192_000},
    ),
    "Norma": Free(
        (90.23, 81.54, 83.65, 93.41, 99.32, 93.40, 95.86, 95.21, 99.79, 82.80, 86.29),
        (2100, 5200, 10_000, 33_000, 128_000, 6600, 7000, 15_000, 8000, 92_000, 111_000),
        {"checkerboard": 730_000, "covtype": 92_000, "waveform": 189_000},
    ),
    "MP": Free(
        (89.40, 78.45, 82.61, 98.61, 99.43, 94.37, 98.02, 96.41, 99.89, 88.84, 84.36),
        (1000, 3400, 8000, 11_000, 22_000, 2200, 1900, 8200, 400, 56_000, 83_000),
        {"checkerboard": 1_000_000, "covtype": 160_000, "waveform": 310_000},
    ),
}
BUDGETED = {  # for B = 100 and 500
    "TVM": ((90.03, 91.13), (81.56, 81.39), (82.77, 83.82), (97.20, 98.32), (98.90, 99.94)),
    "BPA": ((90.35, 91.30), (80.75, 81.67), (83.38, 83.58), (93.01, 96.20), (99.01, 99.70)),
    "Projectron++": (
        (88.36, 86.76),
        (76.06, 75.17),
        (77.86, 79.80),
        (92.36, 94.73),
        (96.92, 98.24),
        (81.40, 92.02),
        (93.33, 95.78),
        (47.23, 75.90),
        (99.55, 99.85),
        (62.54, 67.32),
        (80.75, 83.56),
    ),
    "MP + stop": (
        (88.07, 89.77),
        (74.10, 79.68),
        (80.00, 81.68),
        (91.13, 94.60),
        (86.39, 95.43),
        (79.11, 90.78),
        (88.27, 97.78),
        (41.89, 67.32),
        (99.39, 99.90),
        (56.96, 61.93),
        (81.04, 83.76),
    ),
    "MP + random": (
        (87.54, 88.36),
        (75.68, 77.26),
        (79.78, 80.40),
        (90.22, 91.86),
        (84.24, 93.12),
        (78.06, 90.10),
        (87.77, 97.20),
        (40.93, 68.23),
        (98.67, 99.90),
        (55.56, 60.47),
        (79.94, 81.61),
    ),
    "BPegasos + remove": tuple(DATA[name].accuracy["remove"] for name in ORDER),
    "BPegasos + project": tuple(DATA[name].accuracy["project"] for name in ORDER),
    "BPegasos + merge": tuple(DATA[name].accuracy["merge"] for name in ORDER),
    "BNorma + merge": (
        (91.53, 90.65),
        (81.27, 81.37),
        (84.11, 83.80),
        (92.69, 91.35),
        (99.16, 99.72),
        (87.44, 89.51),
        (90.82, 94.60),
        (61.79, 75.84),
        (99.48, 99.80),
        (71.54, 72.81),
        (86.60, 82.03),
    ),
    "BMP + merge": (
        (89.37, 89.46),
        (79.57, 79.38),
        (83.34, 82.97),
        (96.67, 98.10),
        (98.24, 98.79),
        (92.31, 93.10),
        (97.35, 97.86),
        (74.99, 88.22),
        (98.99, 99.91),
        (67.28, 72.31),
        (86.02, 86.03),
    ),
}


class Cell(NamedTuple):
    """A row of the table on some data; without a budget B is 0."""

    name: str
    algorithm: str
    B: int


def accuracy(cell: Cell) -> float:
    place = ORDER.index(cell.name)
    return (
        BUDGETED[cell.algorithm][place][BUDGETS.index(cell.B)]
        if cell.B
        else FREE[cell.algorithm].accuracy[place]
    )


def learnt_from(cell: Cell) -> float:
    """Examples."""
    return (
        FREE[cell.algorithm].stopped.get(cell.name, ROWS[cell.name])
        if not cell.B
        else ROWS[cell.name]
    )


def vectors(cell: Cell) -> float:
    """Support vectors; with a budget as many as it allows."""
    return cell.B or FREE[cell.algorithm].vectors[ORDER.index(cell.name)]
