"""Generated data of three classes and more, for solvers that tell several classes apart (BSGD,
Section 5).

They are made as those of `plane` are; classes are counted from 0.

>>> ring(n=10, classes=3, seed=1).y
array([2., 2., 0., 1., 0., 1., 2., 1., 0., 0.])
"""

import numpy as np

from svmviz.data.plane import Dataset, circle, dataset, even
from svmviz.data.problem import Problem, make_multiclass_problem

MULTICLASS: dict[
    str, Dataset
] = {}  # filled by the decorator in the order of this file, then left alone
POINTS = (10, 5000, "Number of points.")
SENTENCE, STRAYS = (
    8,
    0.2,
)  # points in a row, and the share of tags that do not follow from the one before
CLASSES = (3, 10, "How many classes there are.")


@dataset(
    "Ring of Gaussians",
    MULTICLASS,
    n=POINTS,
    noise=(0.0, 2.0, "Standard deviation of each class."),
    classes=CLASSES,
)
def ring(n: int = 240, noise: float = 0.5, seed: int = 0, classes: int = 3) -> Problem:
    """Every class meets two others, and all of them meet in the middle: where two scores tie, a
    boundary runs.
    """
    rng = np.random.default_rng(seed)
    angles = np.pi / 2 + 2 * np.pi * np.arange(classes) / classes
    return arranged(
        rng,
        [
            np.tile(1.5 * place, (m, 1))
            for place, m in zip(circle(angles), parted(n, classes), strict=True)
        ],
        noise,
    )


@dataset(
    "Pinwheel",
    MULTICLASS,
    n=POINTS,
    noise=(0.0, 0.5, "Standard deviation about the arms."),
    classes=CLASSES,
)
def pinwheel(n: int = 300, noise: float = 0.12, seed: int = 0, classes: int = 5) -> Problem:
    """Bent arms lie side by side: the vectors of a budget must share themselves out along all of
    them.
    """
    rng, arms = np.random.default_rng(seed), []
    for k, m in enumerate(parted(n, classes)):
        r = 0.35 + 1.65 * even(rng, m)
        arms.append(r[:, None] * circle(2 * np.pi * k / classes + 0.7 * r))
    return arranged(rng, arms, noise)


@dataset(
    "Tagged sentences",
    MULTICLASS,
    n=POINTS,
    noise=(0.0, 2.0, "Standard deviation of each tag."),
    classes=(3, 6, "How many tags there are."),
)
def tagging(n: int = 240, noise: float = 0.9, seed: int = 0, classes: int = 3) -> Problem:
    """Eight points in a row are a sentence, and most tags are followed by the next: where points
    overlap, neighbours tell.
    """
    rng, tags = (
        np.random.default_rng(seed),
        np.arange(n) % SENTENCE % classes,
    )  # the first sentence knows no exception
    for i in range(SENTENCE, n):
        strays, anywhere = rng.random() < STRAYS, int(rng.integers(classes))
        tags[i] = anywhere if strays or i % SENTENCE == 0 else (tags[i - 1] + 1) % classes
    X = circle(np.pi / 2 + 2 * np.pi * tags / classes) + noise * rng.standard_normal((n, 2))
    return make_multiclass_problem(X.astype(np.float32), tags)


def parted(n: int, classes: int) -> list[int]:
    """n points shared out as evenly as can be."""
    return [n // classes + (k < n % classes) for k in range(classes)]


def arranged(rng: np.random.Generator, places: list[np.ndarray], spread: float) -> Problem:
    """Points normally distributed about the places of each class, in random order, rounded to what
    the browser gets.
    """
    X, y = np.vstack(places), np.repeat(np.arange(len(places)), [len(p) for p in places])
    X = X + spread * rng.standard_normal(X.shape)
    order = rng.permutation(len(X))
    return make_multiclass_problem(X[order].astype(np.float32), y[order])
