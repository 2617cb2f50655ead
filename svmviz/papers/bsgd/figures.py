"""The experiments of the BSGD paper, Section 7, at the size of a page: Figures 2 to 7 and Table 4.
The page and the benchmarks call the same functions.

Everything is budgeted Pegasos with a score per class, one pass, as in the paper, unless a name says
otherwise. Checkerboard: gamma = 8. The paper's "kernel width sigma = 0.0625" is a variance: 1/(2
sigma) reproduces its Table 4, whereas gamma = 0.0625 learns nothing. A score per class is needed
too: only then can E-bar exceed 1, as it does in print.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from svmviz.data.bundled import ALL, BUNDLED, from_sklearn
from svmviz.data.problem import Problem
from svmviz.maths import kernels
from svmviz.papers.bsgd.datasets import (
    BUDGETS,
    DATA,
    PARAMETERS,
    STRATEGIES,
    Split,
    given,
    learn,
    standardised,
)
from svmviz.papers.sbp import datasets
from svmviz.run.recipe import Recipe
from svmviz.run.streams import stream
from svmviz.run.streams.sources import Point, points
from svmviz.solvers import SOLVERS
from svmviz.solvers.bsgd.solver import PRESETS

GAMMA, LAM, TEST = 8.0, 1e-4, 20_000
PUBLISHED_4 = {  # accuracy in percent and E-bar after 10 million examples
    ("remove", 100): (79.19, 1.402),
    ("remove", 500): (90.32, 1.401),
    ("project", 100): (99.25, 0.052),
    ("project", 500): (99.66, 0.007),
    ("merge", 100): (99.55, 0.037),
    ("merge", 500): (99.74, 0.002),
}
LENGTHS = (20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000)
ROWS, TESTS = 10_000, 4000  # of Figures 2 and 3 to learn from, and of all to test on
EVOLVING = {
    "checkerboard": 60_000,
    "waveform": 20_000,
    "covtype": 20_000,
}  # examples of Figures 4 to 6
LOOKS = 30  # at the test rows, evenly on a log scale
SWEEP = (10, 20, 50, 100, 200, 500, 1000, 2000)
SAME = 0.01  # of its length: so near a vector is taken for an example
MARGIN_PERCEPTRONS = ("MP + random", "MP + stop")


def page_split(name: str, shuffle: int = 0, rows: int = ROWS, tests: int = TESTS) -> Split:
    """The rows that a page uses: some, in random order where the file has another."""
    whole, rng = (
        DATA[name].read(shuffle if DATA[name].random_split else 0),
        np.random.default_rng(0),
    )
    train, test = rng.permutation(len(whole.y))[:rows], rng.permutation(len(whole.z))[:tests]
    return Split(
        np.ascontiguousarray(whole.X[train]),
        whole.y[train],
        np.ascontiguousarray(whole.Z[test]),
        whole.z[test],
    )


def params(name: str, strategy: str, B: int, d: int) -> dict:
    """For a data set of Table 3; presets are named as in the paper."""
    gamma, lam = PARAMETERS[name, min(BUDGETS, key=lambda b: abs(b - B))]
    if strategy in PRESETS:
        return given("none", B, gamma / d, lam) | PRESETS[strategy]
    return given(strategy, B, gamma / d, lam)


def looks_at(n: int, looks: int = LOOKS) -> list[int]:
    """After how many examples the test rows are looked at."""
    return np.unique(np.geomspace(min(100, n), n, looks).astype(int)).tolist()


def evolution(
    split: Split, chosen: dict, shuffle: int, looks: int = LOOKS, watch=stream.watch
) -> list[Point]:
    """Figures 4 to 6: accuracy, vectors, E-bar and seconds as the stream goes by, measured ever
    more rarely.
    """
    n, found = len(split.y), []
    ends = looks_at(n, looks)
    X, y = next(stream.blocks(split.X, split.y, seed=shuffle, chunk=n))
    pieces = ((X[a:b], y[a:b]) for a, b in zip([0, *ends[:-1]], ends, strict=True))
    for p in watch(pieces, chosen, classes=split.classes):
        if p.examples in ends:
            found.append(
                Point(
                    p.examples,
                    stream.accuracy(p.learnt(), (split.Z, split.z)),
                    p.n_sv,
                    p.E_bar,
                    p.seconds,
                    p.events,
                    p.epoch,
                    True,
                )
            )
    return found


def traced(
    solver: str, split: Split, params: dict, looks: Sequence[int]
) -> list[tuple[float, int]]:
    """Of a solver for two classes that is no stream: accuracy and vectors after so many examples,
    in the order of the rows.
    """
    n = looks[-1]
    run = SOLVERS[solver].trace(Problem(split.X[:n], split.y[:n]), n, order=np.arange(n), **params)
    signs = ((t, np.where(run.f(t, split.Z) >= 0, 1.0, -1.0)) for t in looks)
    return [(float((sign == split.z).mean()), int(run.metrics["n_sv"][t])) for t, sign in signs]


def accuracy_at(
    split: Split, name: str, strategy: str, B: int, shuffle: int, epochs: int = 1
) -> float:
    """Figures 2 and 3: accuracy after a pass, or several; with the parameters found for B = 500."""
    gamma, lam = PARAMETERS[name, 500]
    return learn(split, strategy, B, gamma, lam, shuffle, epochs).accuracy


def table_4_of(examples: int, streams: int) -> Iterator[dict[tuple[str, int], Point]]:
    """One stream after the other."""
    for seed in range(streams):
        yield from table_4(examples, seed)


def table_4(examples: int, seed: int = 0) -> Iterator[dict[tuple[str, int], Point]]:
    """All six runs side by side on the same stream, so that they stand at the same example whenever
    one looks.
    """
    rows = TEST if examples >= 1_000_000 else TEST // 4
    test, every = next(stream.checkerboard(rows, 1000 + seed, rows)), max(1, examples // 10)
    runs = [
        points(
            stream.watch(
                stream.checkerboard(examples, seed),
                given(strategy, B, GAMMA, LAM),
                test=test,
                every=every,
            )
        )
        for strategy, B in PUBLISHED_4
    ]
    for stand in zip(*runs, strict=True):
        yield dict(zip(PUBLISHED_4, stand, strict=True))


class Pictures(NamedTuple):
    """Support vectors as pictures: Figure 7."""

    images: np.ndarray  # (b, height, width)
    digit: (
        np.ndarray
    )  # (b,) the label of an example, else the class that the vector speaks for most
    merged: np.ndarray  # (b,) how many mergings made it
    copies: int  # how many are training rows, to a hundredth of their length
    accuracy: float


def digits(usps: bool) -> tuple[Split, np.ndarray, tuple[int, int]]:
    """Standardised digits, the training rows as measured, and the size of a picture: USPS, or those
    of scikit-learn.
    """
    if usps:
        held = np.load(datasets.FOLDER / "usps" / "usps.npz")
        return (
            standardised(held["X_train"], held["y_train"], held["X_test"], held["y_test"]),
            np.asarray(held["X_train"], np.float64),
            (16, 16),
        )
    X, y = from_sklearn("digits")
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[:1300], order[1300:]
    return (
        standardised(X[train], y[train].astype(float), X[test], y[test].astype(float)),
        X[train],
        (8, 8),
    )


DIGIT_PARAMETERS = {
    True: (1.0, 1e-4),
    False: (1.0, 1e-3),
}  # USPS or not: gamma d and lam, best for merging on held-out rows


def pictures(strategy: str, shuffle: int, usps: bool, B: int = 10) -> Pictures:
    """The B vectors that are left after a pass over the digits."""
    split, raw, shape = digits(usps)
    found = learn(split, strategy, B, *DIGIT_PARAMETERS[usps], shuffle)
    V, deviation = found.model.vectors, raw.std(axis=0)
    far = np.array([np.linalg.norm(split.X - v, axis=1) for v in V])  # (b, rows)
    near = far.min(axis=1) <= SAME * np.linalg.norm(V, axis=1)
    labels = np.where(near, split.y[far.argmin(axis=1)], -1).astype(int)
    digit = np.where(near, labels, found.model.coef.argmax(axis=1))
    order = np.argsort(digit, kind="stable")
    images = (V * np.where(deviation > 0, deviation, 1.0) + raw.mean(axis=0)).reshape(-1, *shape)
    return Pictures(
        images[order], digit[order], found.model.merged[order], int(near.sum()), found.accuracy
    )


def recipes(
    strategies: Sequence[str] = tuple(STRATEGIES), B: int = 100, data: str = "checkerboard"
) -> dict[str, Recipe]:
    """Runs as the Playground shows them, on data that it has. Its checkerboard is not scaled, so
    gamma = 6 is the same kernel; the others have all their classes, and features as in Table 3.
    """
    out = {}
    if data == "checkerboard":
        source, given = {"n": 1000}, {"lam": LAM, "kernel": kernels.rbf(0.75 * GAMMA)}
    else:
        gamma, lam = DIGIT_PARAMETERS[False] if data == "digits" else PARAMETERS[data, 100]
        source = {"positive": ALL, "scaling": "standardise", "n": 1300}
        given = {"lam": lam, "kernel": kernels.rbf(gamma / len(BUNDLED[data].names))}
    for strategy in strategies:
        chosen = (
            PRESETS[strategy]
            if strategy in PRESETS
            else {"maintenance": STRATEGIES.get(strategy, strategy)}
        )
        recipe = Recipe(
            data=data,
            data_params=source,
            solver="bsgd",
            steps=2000,
            params={"B": B} | given | chosen,
        ).checked()
        out[strategy] = replace(recipe, steps=min(2000, recipe.most_steps()))
    return out
