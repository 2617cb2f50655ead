"""Data for Figure 1 of the SIMBA paper: text where the data folder is there, and what the app can
generate.

The paper's own files, news20.binary and real-sim, cannot be had here. News by date is built in the
way of the first: the same kind of features and labels, and sizes within a tenth. Rows have length
1. Parameters to choose from are those that were found to matter; which is best is decided on the
test rows, as in the paper.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.data import many_features
from svmviz.papers.sbp.datasets import FOLDER, svmlight

NEWS, REAL = (
    "news20, 8000 rows of 19 996, 1 355 191 features",
    "real vs. simulated, 20 000 rows of 72 309, 20 958 features",
)


class Setting(NamedTuple):
    """Training and test rows, what to try on them, and for how long."""

    key: str
    title: str
    load: Callable[[], tuple]  # X, y, Z, z: training rows, then test rows
    nus: tuple[float, ...]
    lams: tuple[float, ...]
    reads: float  # features read by a run, at most
    paper: str  # what the paper used
    recipe: Mapping[str, Any] | None = None  # how the Playground makes the same training rows


def settings() -> dict[str, Setting]:
    """What can be run here, the nearest to the paper's data first."""
    return {s.key: s for s in (*(s for s in PAPER if (FOLDER / s.key).is_dir()), *GENERATED)}


def news():
    """News by date, 8000 random rows to learn from: rows of length 1 over uni-, bi- and
    trigrams.
    """
    z = np.load(FOLDER / "news20_bydate" / "news20_bydate_123gram.npz")
    places, (low, middle, high) = (
        z["indptr"],
        (z[name].astype(np.int64) for name in ("b0", "b1", "b2")),
    )
    steps = np.cumsum(
        low + (middle << 8) + (high << 16)
    )  # columns are stored as steps from the one before, row by row
    columns = steps - np.repeat(np.r_[0, steps][places[:-1]], np.diff(places))
    count = np.diff(places)
    X = sp.csr_array(
        (np.repeat(1.0 / np.sqrt(np.maximum(count, 1)), count), columns, places),
        shape=tuple(z["shape"]),
    )
    positive = np.array(
        [g.startswith(("comp.", "sci.")) or g == "misc.forsale" for g in z["groups"]]
    )
    return parted(X, np.where(positive[z["y20"]], 1.0, -1.0), 8000)


def parted(X, y, rows: int):
    order = np.random.default_rng(0).permutation(len(y))
    return X[order[:rows]], y[order[:rows]], X[order[rows:]], y[order[rows:]]


def generated(make: Callable, given: Mapping[str, Any], tests: int = 4000):
    """Rows of a family as the Playground makes them, and as many fresh ones to test on as asked
    for.
    """

    def load():
        whole = make(**dict(given) | {"n": given["n"] + tests})
        train = make(**given)
        return *train, whole.X[given["n"] :], whole.y[given["n"] :]

    return load


RARE = {"n": 500, "d": 900, "groups": 4, "share": 0.016, "margin": 1.5, "noise": 0.0, "seed": 0}
DIRECTION = {"n": 500, "d": 500, "margin": 0.12, "noise": 0.0, "sparsity": 0.0, "seed": 0}
NOISY = DIRECTION | {"noise": 0.02}
WORDS = {"n": 500, "d": 1000, "length": 60, "overlap": 0.2, "noise": 0.0, "seed": 0}
PAPER = (
    Setting(
        "news20_bydate",
        "News by date",
        news,
        (1e-4, 1e-3, 3e-3, 1e-2),
        (1e-6, 1e-5, 1e-4, 1e-3),
        4e7,
        NEWS,
    ),
    Setting(
        "reuters_money_fx",
        "Reuters money-fx",
        svmlight("reuters_money_fx", 8315),
        (1e-4, 1e-3, 1e-2, 3e-2),
        (1e-6, 1e-5, 1e-4, 1e-3),
        2e7,
        REAL,
    ),
    Setting(
        "rcv1_ccat_small",
        "RCV1, an excerpt",
        svmlight("rcv1_ccat_small", 47236),
        (1e-3, 1e-2, 3e-2, 1e-1),
        (1e-5, 1e-4, 1e-3, 1e-2),
        1e7,
        REAL,
    ),
)
GENERATED = (
    Setting(
        "rare",
        "Rare groups",
        generated(many_features.rare, RARE),
        (1e-4, 1e-3, 1e-2),
        (1e-4, 1e-3, 1e-2, 1e-1),
        1.35e6,
        NEWS,
        {"data": "rare", "data_params": RARE},
    ),
    Setting(
        "direction",
        "Sparse direction, no noise",
        generated(many_features.direction, DIRECTION),
        (1e-4, 1e-3, 1e-2),
        (1e-4, 1e-3, 1e-2, 1e-1),
        2e6,
        NEWS,
        {"data": "direction", "data_params": DIRECTION},
    ),
    Setting(
        "direction_noisy",
        "Sparse direction, 2 % noise",
        generated(many_features.direction, NOISY),
        (1e-4, 1e-3, 1e-2, 3e-2),
        (1e-4, 1e-3, 1e-2, 1e-1),
        2e6,
        NEWS,
        {"data": "direction", "data_params": NOISY},
    ),
    Setting(
        "documents",
        "Made-up documents",
        generated(many_features.documents, WORDS),
        (1e-4, 1e-3, 1e-2, 3e-2),
        (1e-4, 1e-3, 1e-2, 1e-1),
        2e6,
        REAL,
        {"data": "documents", "data_params": WORDS},
    ),
)
