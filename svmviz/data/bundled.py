"""Real data that come with scikit-learn, and Breiman's waveforms: more than two features.

Each is one class against the others or all classes told apart, standardised or as measured, whole
or as a seeded, stratified sample. scikit-learn is imported when a set is asked for, not before: the
first screen does not wait for it.

>>> BUNDLED["iris"].problem(n=9, positive=ALL).y
array([1., 2., 2., 0., 1., 0., 0., 2., 1.])
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np

from svmviz.data.params import Param
from svmviz.data.plane import Dataset
from svmviz.data.problem import Problem, make_multiclass_problem, make_problem

SCALINGS = ("standardise", "none", "unit ball")
ALL = "all classes"


def scale(X: np.ndarray, scaling: str) -> tuple[np.ndarray, np.ndarray]:
    """Shift and divisor of each feature: mean 0 and standard deviation 1, or the longest row of
    length 1, or as they are.
    """
    shift, divisor = np.zeros(X.shape[1]), np.ones(X.shape[1])
    if scaling == "standardise":
        deviation = X.std(axis=0)
        shift, divisor = X.mean(axis=0), np.where(deviation > 0, deviation, 1.0)
    elif scaling == "unit ball":
        divisor *= np.linalg.norm(X, axis=1).max()
    return shift, divisor


def scaled(X: np.ndarray, scaling: str) -> np.ndarray:
    shift, divisor = scale(X, scaling)
    return (X - shift) / divisor


def sample(index: np.ndarray, n: int, seed: int) -> np.ndarray:
    """n rows in random order, each class with its share and at least one row."""
    rng = np.random.default_rng(seed)
    order, counts = rng.permutation(len(index)), np.bincount(index)
    if n >= len(index):
        return order
    share = n * counts / len(index)
    wanted = np.maximum(1, np.floor(share).astype(int))
    while wanted.sum() < n:  # what rounding left over goes to the class furthest below its share
        wanted[(share - wanted).argmax()] += 1
    while wanted.sum() > n:
        wanted[np.where(wanted > 1, wanted - share, -np.inf).argmax()] -= 1
    return rng.permutation(
        np.concatenate([order[index[order] == c][:k] for c, k in enumerate(wanted)])
    )


def chosen(load: Callable, classes, n: int, positive: str, scaling: str, seed: int) -> Problem:
    X, labels = load()
    several = positive == ALL
    if several and n < len(classes):
        raise ValueError(f"n must be at least {len(classes)} for {len(classes)} classes, got {n}")
    index = (
        np.searchsorted(np.array(classes), labels) if several else (labels == positive).astype(int)
    )
    rows = sample(index, n, seed)
    X = scaled(X, scaling)[rows].astype(np.float32)  # what the browser gets
    return (make_multiclass_problem if several else make_problem)(X, index[rows])


@lru_cache(maxsize=8)
def from_sklearn(name: str) -> tuple[np.ndarray, np.ndarray]:
    from sklearn import datasets as sets

    data = getattr(sets, f"load_{name}")()
    return data.data, np.array([str(data.target_names[k]) for k in data.target])


def waves(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Breiman's three classes: random mixtures of two of three triangles on 21 points, with unit
    noise.
    """
    t = np.arange(1, 22)
    triangles = np.array([np.maximum(6 - abs(t - centre), 0) for centre in (7, 15, 11)])
    label, u = rng.integers(3, size=n), rng.random((n, 1))
    first, second = np.array([(0, 1), (0, 2), (1, 2)])[label].T
    return u * triangles[first] + (1 - u) * triangles[second] + rng.standard_normal((n, 21)), label


@lru_cache(maxsize=1)
def waveforms() -> tuple[np.ndarray, np.ndarray]:
    """Five thousand of them."""
    X, label = waves(np.random.default_rng(0), 5000)
    return X, label.astype(str)


IRIS = ("sepal length", "sepal width", "petal length", "petal width")
CANCER = tuple(
    f"{stat} {part}"
    for stat in ("mean", "error of", "worst")
    for part in (
        "radius",
        "texture",
        "perimeter",
        "area",
        "smoothness",
        "compactness",
        "concavity",
        "concave points",
        "symmetry",
        "fractal dimension",
    )
)
WINE = (
    "alcohol",
    "malic acid",
    "ash",
    "alcalinity of ash",
    "magnesium",
    "total phenols",
    "flavanoids",
    "nonflavanoid phenols",
    "proanthocyanins",
    "colour intensity",
    "hue",
    "OD280/OD315",
    "proline",
)
PIXELS = tuple(f"pixel {r},{c}" for r in range(8) for c in range(8))
WAVE = tuple(f"t = {k}" for k in range(1, 22))


def entry(
    key,
    title,
    load,
    rows,
    positive,
    classes,
    names,
    about,
    scaling=SCALINGS[0],
    image=None,
    show=None,
) -> Dataset:
    params = (
        Param(
            "n",
            "",
            min(rows, show or rows),
            2,
            rows,
            "Rows used: all, or a stratified sample.",
            log=True,
            title="points",
        ),
        Param(
            "positive",
            "",
            positive,
            options=classes if len(classes) == 2 else (*classes, ALL),
            title="class +1",
            help="This class against all others; or all classes told apart, as some solvers can.",
        ),
        Param(
            "scaling",
            "",
            scaling,
            options=SCALINGS,
            title="scaling",
            help="What is done to the features first.",
        ),
        Param("seed", "", 0, 0, 2**32 - 1, "Which sample, and in which order.", title="data seed"),
    )

    def make(**given) -> Problem:
        return chosen(
            load, classes, **{p.name: p.check(given.get(p.name, p.default)) for p in params}
        )

    def pixels(scaling: str, **_) -> tuple[np.ndarray, np.ndarray]:
        return scale(load()[0], scaling)

    return Dataset(
        key,
        title,
        make,
        params,
        about,
        names,
        image,
        "",
        f"svmviz.bundled.BUNDLED[{key!r}].problem",
        classes=classes,
        pixels=pixels if image else None,
    )


BUNDLED = {
    item.key: item
    for item in (
        entry(
            "iris",
            "Iris",
            lambda: from_sklearn("iris"),
            150,
            "versicolor",
            ("setosa", "versicolor", "virginica"),
            IRIS,
            "Setosa stands apart; versicolor and virginica touch: one class is easy, the others are"
            " not.",
        ),
        entry(
            "cancer",
            "Breast cancer",
            lambda: from_sklearn("breast_cancer"),
            569,
            "malignant",
            ("malignant", "benign"),
            CANCER,
            "Thirty measurements of cell nuclei that say nearly the same: a line does almost all"
            " there is to do.",
        ),
        entry(
            "wine",
            "Wine",
            lambda: from_sklearn("wine"),
            178,
            "class_1",
            ("class_0", "class_1", "class_2"),
            WINE,
            "Without scaling one feature, proline, outweighs the other twelve: try it.",
        ),
        entry(
            "digits",
            "Digits",
            lambda: from_sklearn("digits"),
            1797,
            "8",
            tuple("0123456789"),
            PIXELS,
            "Pictures of 8 by 8 pixels: hover over a point to see it.",
            "unit ball",
            (8, 8),
            500,
        ),
        entry(
            "waveform",
            "Waveform",
            waveforms,
            5000,
            "0",
            ("0", "1", "2"),
            WAVE,
            "Three kinds of noisy waves on 21 points (Breiman): even the best rule errs on one in"
            " seven.",
            show=300,
        ),
    )
}


def against_rest(key: str, given: Mapping) -> dict:
    """The same data with one class against the others."""
    return dict(given) | {
        "positive": next(p.default for p in BUNDLED[key].params if p.name == "positive")
    }


def told_apart(key: str) -> dict:
    """What makes data of more than two classes have all of them."""
    return {"positive": ALL} if key in BUNDLED and len(BUNDLED[key].classes) > 2 else {}
