"""Generated tables of many features, for solvers that need not read all of them.

As in `plane`: the same arguments give the same points, and a change of `noise` alone draws no new
ones. More points keep the first ones, so that the rows after the first n can serve to test on.

>>> problem = direction(n=40, d=100)
>>> problem.X.shape
(40, 100)
>>> documents(n=30, d=50).X.nnz < 30 * 50
True
"""

import numpy as np
import scipy.sparse as sp

from svmviz.data.plane import Dataset, dataset
from svmviz.data.problem import Problem, make_problem

FAMILIES: dict[
    str, Dataset
] = {}  # filled by the decorator below in the order of this file, then left alone
GRAIN = 4096.0  # cells are whole multiples of 1/GRAIN: numbers with few digits travel lightly


@dataset(
    "Sparse direction",
    FAMILIES,
    d=(3, 2000, "Number of features; ten of them decide."),
    margin=(0.0, 0.5, "Least distance of a point from the boundary, before labels are flipped."),
    noise=(0.0, 0.4, "Share of labels that are flipped, wherever the points lie."),
    sparsity=(0.0, 0.99, "Share of the other features that are 0."),
)
def direction(
    n: int = 300,
    d: int = 300,
    margin: float = 0.15,
    noise: float = 0.0,
    sparsity: float = 0.0,
    seed: int = 0,
) -> Problem:
    """Many features and little noise, yet ten of them decide: most of the table need never be read
    (SIMBA).
    """
    rng, few = np.random.default_rng(seed), min(10, d)
    normal = np.zeros(d)
    normal[rng.permutation(d)[:few]] = rng.choice([-1.0, 1.0], few) / np.sqrt(few)
    each = rng.spawn(n)  # a row of its own for each: more points keep the first ones
    X, y = np.empty((n, d)), np.empty(n)
    for i, own in enumerate(each):
        label, flip, away = own.random(), own.random(), margin * (1 + abs(own.standard_normal()))
        x = own.standard_normal(d) / np.sqrt(d) * (own.random(d) >= sparsity)
        y[i] = 1.0 if label < 0.5 else -1.0
        X[i] = (
            x + (y[i] * away - np.cumsum(x * normal)[-1]) * normal
        )  # a sum in this order, on every processor
        y[i] *= -1 if flip < noise else 1
    y[:2] = (1.0, -1.0) if abs(y.sum()) == n else y[:2]
    return make_problem(X.astype(np.float32), y)


@dataset(
    "Rare groups",
    FAMILIES,
    d=(20, 2000, "Number of features; ten decide for most rows, ten others for each rare group."),
    groups=(1, 8, "Rare groups of rows, each with deciding features of its own."),
    share=(0.0, 0.5, "Share of the rows that belong to a rare group."),
    margin=(0.1, 2.0, "Distance of a row from the boundary along its deciding features."),
    noise=(0.0, 0.4, "Share of labels that are flipped."),
)
def rare(
    n: int = 500,
    d: int = 900,
    groups: int = 4,
    share: float = 0.016,
    margin: float = 1.5,
    noise: float = 0.0,
    seed: int = 0,
) -> Problem:
    """Most rows are easy, one in sixty is of a rare kind: who draws rows evenly seldom meets these,
    SIMBA looks for them.
    """
    features, labels, flips = np.random.default_rng(seed).spawn(
        3
    )  # each row by row: more points keep the first ones
    few = min(10, d // (groups + 1))
    normals = np.zeros((groups + 1, d))
    for normal, own in zip(
        normals, features.permutation(d)[: few * (groups + 1)].reshape(-1, few), strict=True
    ):
        normal[own] = features.choice([-1.0, 1.0], few) / np.sqrt(few)
    X = features.standard_normal((n, d)) / np.sqrt(d)
    y, flipped = np.where(labels.random(n) < 0.5, 1.0, -1.0), flips.random(n) < noise
    met = np.floor(
        np.arange(n + 1) * share + 1e-9
    )  # rare rows so far: one whenever the share of them is due
    kind = np.where(np.diff(met) > 0, 1 + (met[1:] - 1) % groups, 0).astype(int)
    own = normals[kind]  # (n, d)
    X += (margin * y - np.cumsum(X * own, axis=1)[:, -1])[
        :, None
    ] * own  # a sum in this order, on every processor
    y[:2] = (1.0, -1.0) if abs(y.sum()) == n else y[:2]
    return make_problem(np.rint(X * GRAIN) / GRAIN, np.where(flipped, -y, y))


@dataset(
    "Documents",
    FAMILIES,
    d=(20, 5000, "Number of words that there are."),
    length=(5, 200, "Words of a document."),
    overlap=(0.0, 1.0, "How much both topics have in common; at 1 they are the same."),
    noise=(0.0, 0.4, "Share of labels that are flipped."),
)
def documents(
    n: int = 200,
    d: int = 400,
    length: int = 40,
    overlap: float = 0.2,
    noise: float = 0.0,
    seed: int = 0,
) -> Problem:
    """Made-up texts as rows of word counts, of length 1: a few words are in nearly all of them,
    most words in nearly none.
    """
    rng = np.random.default_rng(seed)
    common = 1.0 / (2.0 + np.arange(d))  # Zipf: the k-th word is 1/k as frequent as the first
    tilt = np.where(rng.random(d) < 0.5, 1.0, -1.0) * (1.0 - overlap)
    tilt[: d // 20] = 0.0  # the commonest words belong to no topic
    topics = [np.cumsum(common * (1.0 + sign * tilt)) for sign in (-1.0, 1.0)]
    y, rows = np.empty(n), []
    for i, own in enumerate(rng.spawn(n)):
        label, flip = own.random(), own.random()
        topic = topics[label < 0.5]
        rows.append(
            np.bincount(np.searchsorted(topic, own.random(length) * topic[-1]), minlength=d)[:d]
        )
        y[i] = (1.0 if label < 0.5 else -1.0) * (-1.0 if flip < noise else 1.0)
    y[:2] = (1.0, -1.0) if abs(y.sum()) == n else y[:2]
    X = sp.csr_array(np.array(rows, np.float64))
    X.data = (
        (X.data / np.repeat(np.sqrt(X.multiply(X).sum(axis=1)), np.diff(X.indptr)))
        .astype(np.float32)
        .astype(np.float64)
    )
    return make_problem(X, y)
