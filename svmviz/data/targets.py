"""Data with real targets, for solvers that fit numbers: four generated sets, made as those of
`plane` are, and a measured one.

>>> problem = sine(n=5, noise=0.1, seed=3)
>>> problem.X.shape, problem.real
((5, 1), True)
"""

from functools import lru_cache

import numpy as np

from svmviz.data.bundled import scaled
from svmviz.data.params import Param
from svmviz.data.plane import Dataset, circle, dataset, even
from svmviz.data.problem import Problem, make_regression_problem

REGRESSION: dict[
    str, Dataset
] = {}  # filled by the decorator in the order of this file, then left alone
NOISE = (0.0, 1.0, "Standard deviation of the targets about what they follow.")
ALONG, HALF = ("x",), 2.0  # one feature, from -HALF to HALF


@dataset("Wave", REGRESSION, names=ALONG, noise=NOISE)
def sine(n: int = 100, noise: float = 0.15, seed: int = 0) -> Problem:
    """Targets follow a wave: a straight f goes through its middle, a Gaussian kernel follows it as
    closely as λ allows.
    """
    rng = np.random.default_rng(seed)
    x = spread(rng, n)
    return measured(rng, x, waved(x / 2), noise)


@dataset("Stairs", REGRESSION, names=ALONG, noise=NOISE, levels=(2, 8, "Number of steps."))
def stairs(n: int = 100, noise: float = 0.08, seed: int = 0, levels: int = 4) -> Problem:
    """Targets jump: a smooth f rounds the corners off, and points beside a jump stay outside the
    tube.
    """
    rng = np.random.default_rng(seed)
    x = spread(rng, n)
    level = np.minimum(np.floor((x + HALF) / (2 * HALF) * levels), levels - 1)
    return measured(rng, x, 2.4 * level / (levels - 1) - 1.2, noise)


@dataset(
    "Line with outliers",
    REGRESSION,
    names=ALONG,
    noise=NOISE,
    share=(0.0, 0.4, "Share of the points that are far off."),
)
def outliers(n: int = 80, noise: float = 0.1, seed: int = 0, share: float = 0.1) -> Problem:
    """A few targets are far too high: the squared loss is drawn to them, one that grows no faster
    than |r| hardly is.
    """
    rng = np.random.default_rng(seed)
    x = spread(rng, n)
    lifted = np.zeros(n)
    lifted[rng.permutation(n)[: round(share * n)]] = 3.0
    return measured(rng, x, 0.6 * x + lifted, noise)


@dataset("Surface", REGRESSION, noise=NOISE)
def surface(n: int = 200, noise: float = 0.1, seed: int = 0) -> Problem:
    """Two features, and a target that rises to hills and falls to valleys: the plane shows f by its
    colour.
    """
    rng = np.random.default_rng(seed)
    X = (2 * HALF * rng.random((n, 2)) - HALF).astype(np.float32).astype(np.float64)
    return measured(rng, X, waved(X[:, 0] / 4 + 0.25) * waved(X[:, 1] / 4) * 1.2, noise)


def spread(rng: np.random.Generator, n: int) -> np.ndarray:
    """n numbers without gaps, in random order, rounded to what the browser gets."""
    x = 2 * HALF * even(rng, n) - HALF
    return rng.permutation(x).astype(np.float32).astype(np.float64)


def waved(turns: np.ndarray) -> np.ndarray:
    """sin(2π turns)"""
    return circle(2 * np.pi * turns)[:, 1]


def measured(rng: np.random.Generator, X: np.ndarray, target: np.ndarray, noise: float) -> Problem:
    """Targets about these values, rounded to what the browser gets."""
    y = target + noise * rng.standard_normal(target.size)
    return make_regression_problem(X.reshape(y.size, -1), y.astype(np.float32))


FEATURES = (
    "age",
    "sex",
    "body mass index",
    "blood pressure",
    "total cholesterol",
    "low-density lipoproteins",
    "high-density lipoproteins",
    "cholesterol ratio",
    "log triglycerides",
    "blood sugar",
)
PARAMS = (
    Param("n", "", 442, 2, 442, "Rows used: all, or a random sample.", log=True, title="points"),
    Param(
        "scaling",
        "",
        "standardise",
        options=("standardise", "none"),
        title="scaling",
        help=(
            "What is done to the features and to the target first: mean 0 and standard deviation 1,"
            " or nothing."
        ),
    ),
    Param("seed", "", 0, 0, 2**32 - 1, "Which sample, and in which order.", title="data seed"),
)


@lru_cache(maxsize=1)
def patients() -> tuple[np.ndarray, np.ndarray]:
    from sklearn.datasets import load_diabetes

    return load_diabetes(return_X_y=True, scaled=False)


def diabetes(**given) -> Problem:
    n, scaling, seed = (p.check(given.get(p.name, p.default)) for p in PARAMS)
    X, y = patients()
    rows = np.random.default_rng(seed).permutation(y.size)[:n]
    table = scaled(np.column_stack([X, y]), scaling)[rows].astype(np.float32)
    return make_regression_problem(table[:, :-1], table[:, -1])


REGRESSION["diabetes"] = Dataset(
    "diabetes",
    "Diabetes",
    diabetes,
    PARAMS,
    "How far the disease had gone a year later, a number from 25 to 346, by ten measurements: a"
    " line explains half of it. Where they are standardised, so is the target.",
    FEATURES,
    treatment="",
    code="svmviz.targets.REGRESSION['diabetes'].problem",
)
