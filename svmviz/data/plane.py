"""Generated data in the plane: ten pictures, each of which shows something that the others do not.

A data set is a function of n, noise, seed and perhaps one more knob. The same arguments always give
the same points; a change of `noise` alone moves the points and draws no new ones: a slider deforms
the picture, it does not replace it.

>>> problem = moons(n=5, noise=0.1, seed=3)
>>> problem.X.shape, sorted(problem.y.tolist())
((5, 2), [-1.0, -1.0, 1.0, 1.0, 1.0])
>>> DATASETS["separable"].problem(n=1)
Traceback (most recent call last):
...
ValueError: n must lie in [2, 5000], got 1
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps

import numpy as np

from svmviz.data.params import Param
from svmviz.data.problem import Problem, make_problem
from svmviz.maths.machine.elementary import cosines_and_sines

CENTRE = np.array([1.0, 1.0])  # the Gaussians of `blobs` and `imbalanced` sit here and opposite
NORMAL = np.array(
    [0.6, 0.8]
)  # unit normal of the line of `separable`: a 3-4-5 triangle, to be checked by hand


@dataclass(frozen=True)
class Dataset:
    """A generator by name: what it is called, what it takes and what it teaches."""

    key: str
    title: str
    make: Callable[..., Problem]
    params: tuple[Param, ...]
    about: str
    names: tuple[str, ...] = ("x₁", "x₂")  # of the features; none where their number can be chosen
    image: tuple[int, int] | None = None  # height and width, where a row is a picture
    treatment: str = "as generated, not scaled"
    code: str = ""  # Python that makes it
    test: Problem | None = None  # rows set apart
    classes: tuple[str, ...] = ()  # their names; where there are none, they are counted
    pixels: Callable[..., tuple] | None = (
        None  # parameters -> shift and divisor of each pixel, where a row is a picture
    )

    def problem(self, **given) -> Problem:
        """The data for the given parameters, the others at their defaults."""
        names = [p.name for p in self.params]
        for name in given:
            if name not in names:
                raise ValueError(
                    f"{self.title} has no parameter {name!r}; it has {', '.join(names)}"
                )
        return self.make(**given)


DATASETS: dict[
    str, Dataset
] = {}  # filled by the decorator below in the order of this file, then left alone
COMMON = {"n": (2, 5000, "Number of points."), "seed": (0, 2**32 - 1, "Which draw of the points.")}
PUBLIC = {
    "plane": "datasets",
    "many_features": "families",
    "many_classes": "multiclass",  # modules, as scripts call them
    "targets": "targets",
}
TITLES = {
    "n": "points",
    "d": "features",
    "share": "rare share",
    "length": "words each",
    "seed": "data seed",
}


def dataset(
    title: str,
    into: dict[str, Dataset] = DATASETS,
    names: tuple[str, ...] = Dataset.names,
    **ranges: tuple[float, float, str],
):
    """List a generator and check its arguments: defaults stand in its signature, (low, high, help)
    in `ranges`.
    """

    def register(make: Callable[..., Problem]) -> Callable[..., Problem]:
        key, signature = make.__name__, inspect.signature(make)
        params = tuple(
            Param(
                name,
                "",
                p.default,
                *(COMMON | ranges)[name],
                title=TITLES.get(name, name),
                log=name in ("n", "d"),
            )
            for name, p in signature.parameters.items()
        )

        @wraps(make)
        def checked(*args, **given) -> Problem:
            call = signature.bind(*args, **given)
            call.apply_defaults()
            return make(*(p.check(call.arguments[p.name]) for p in params))

        named, place = (
            () if "d" in signature.parameters else names,
            PUBLIC[make.__module__.rpartition(".")[2]],
        )
        into[key] = Dataset(
            key,
            title,
            checked,
            params,
            " ".join((inspect.getdoc(make) or "").split()),
            named,
            code=f"svmviz.{place}.{key}",
        )
        return checked

    return register


@dataset("Two moons", noise=(0.0, 0.5, "Standard deviation of the points about the two arcs."))
def moons(n: int = 200, noise: float = 0.15, seed: int = 0) -> Problem:
    """The boundary must bend: a straight line errs at the tips of the moons, a Gaussian kernel does
    not.
    """
    rng, (a, b) = np.random.default_rng(seed), halves(n)
    lower, upper = -circle(np.pi * even(rng, a)), circle(np.pi * even(rng, b))
    return scattered(rng, lower + [0.5, 0.25], upper - [0.5, 0.25], noise)


@dataset("Two circles", noise=(0.0, 0.5, "Standard deviation of the points about the two circles."))
def circles(n: int = 200, noise: float = 0.15, seed: int = 0) -> Problem:
    """One class surrounds the other: no straight line helps, yet the distance from the origin alone
    decides.
    """
    rng, (a, b) = np.random.default_rng(seed), halves(n)
    outer, inner = 1.5 * circle(2 * np.pi * even(rng, a)), 0.6 * circle(2 * np.pi * even(rng, b))
    return scattered(rng, outer, inner, noise)


@dataset("Two Gaussians", noise=(0.0, 3.0, "Standard deviation of each class."))
def blobs(n: int = 200, noise: float = 0.8, seed: int = 0) -> Problem:
    """A straight line through the origin is the best there can be, and still a few points must
    pay.
    """
    rng, (a, b) = np.random.default_rng(seed), halves(n)
    return scattered(rng, np.tile(-CENTRE, (a, 1)), np.tile(CENTRE, (b, 1)), noise)


@dataset("XOR", noise=(0.0, 1.0, "Standard deviation of each of the four groups."))
def xor(n: int = 200, noise: float = 0.4, seed: int = 0) -> Problem:
    """Neither coordinate says anything on its own, only their product does: a line gets three
    groups right at best.
    """
    rng, (a, b) = np.random.default_rng(seed), halves(n)
    unlike, like = (
        np.resize([[1.0, -1.0], [-1.0, 1.0]], (a, 2)),
        np.resize([[1.0, 1.0], [-1.0, -1.0]], (b, 2)),
    )
    return scattered(rng, unlike, like, noise)


@dataset("Two spirals", noise=(0.0, 0.5, "Standard deviation of the points about the two arms."))
def spirals(n: int = 240, noise: float = 0.06, seed: int = 0) -> Problem:
    """The boundary winds: a wide kernel blurs the arms into each other, only a narrow one can
    follow them.
    """
    rng = np.random.default_rng(seed)
    # The arm grows with the square of the angle; the root undoes that, so the points lie evenly
    # along it.
    a, b = (np.sqrt(0.02 + 0.98 * even(rng, m))[:, None] for m in halves(n))
    turns = 3.5 * np.pi
    return scattered(rng, -2 * a * circle(turns * a[:, 0]), 2 * b * circle(turns * b[:, 0]), noise)


@dataset(
    "Checkerboard", noise=(0.0, 0.4, "Share of labels that are flipped, wherever the points lie.")
)
def checkerboard(n: int = 400, noise: float = 0.0, seed: int = 0) -> Problem:
    """Sixteen cells need many support vectors: here one sees what a budget costs (BSGD, Table
    4).
    """
    rng = np.random.default_rng(seed)
    # Multiples of 2^-22 in [-2, 2) are exact in float32, so no point changes its cell by being
    # rounded.
    X = 4.0 * rng.random((n, 2), np.float32).astype(np.float64) - 2.0
    y = np.where(np.floor(X).sum(axis=1) % 2 == 0, 1.0, -1.0)
    y[rng.permutation(n)[: round(noise * n)]] *= -1
    if (
        abs(y.sum()) == n
    ):  # one class only, as happens with few points: the last one moves to the next cell
        X[-1, 0], y[-1] = (X[-1, 0] + 3) % 4 - 2, -y[-1]
    return make_problem(X, y)


@dataset(
    "Gauss mixture",
    noise=(0.1, 2.0, "Factor on the standard deviations 1 and 2 of the classes; 1: the paper."),
)
def gauss(n: int = 300, noise: float = 1.0, seed: int = 0) -> Problem:
    """The classes overlap and the best boundary is a circle: errors that no solver can avoid (BSGD,
    Section 7.1).
    """
    rng, (a, b) = np.random.default_rng(seed), halves(n)
    spread = noise * np.repeat([1.0, 2.0], (a, b))[:, None]  # N((0, 0), I) and N((2, 0), 4 I)
    return scattered(rng, np.zeros((a, 2)), np.tile([2.0, 0.0], (b, 1)), spread)


@dataset("Banana", noise=(0.0, 1.0, "Standard deviation of the points about the two crescents."))
def banana(n: int = 300, noise: float = 0.45, seed: int = 0) -> Problem:
    """Two crescents interlock and overlap: bent like the moons, but no boundary is free of
    errors.
    """
    rng = np.random.default_rng(seed)
    # Arcs of 225 degrees, each with one end inside the other; half a turn about the origin swaps
    # them.
    right, left = (1.6 * circle(np.pi * (1.25 * even(rng, m) - 0.875)) + 0.6 for m in halves(n))
    return scattered(rng, right, -left, noise)


@dataset(
    "Imbalanced Gaussians",
    noise=(0.0, 3.0, "Standard deviation of each class."),
    share=(0.02, 0.5, "Share of the rare class, +1."),
)
def imbalanced(n: int = 200, noise: float = 0.8, seed: int = 0, share: float = 0.1) -> Problem:
    """To call every point −1 is nine tenths right when one in ten is +1: the error alone flatters a
    solver.
    """
    rng, rare = np.random.default_rng(seed), max(1, round(share * n))
    return scattered(rng, np.tile(-CENTRE, (n - rare, 1)), np.tile(CENTRE, (rare, 1)), noise)


@dataset(
    "Separable",
    noise=(0.0, 3.0, "Standard deviation along the boundary."),
    margin=(0.0, 2.0, "Least distance of a point from the boundary."),
)
def separable(n: int = 100, noise: float = 1.0, seed: int = 0, margin: float = 0.2) -> Problem:
    """A line through the origin makes no error: a perceptron comes to rest, the sooner the wider
    the margin.
    """
    rng = np.random.default_rng(seed)
    # A hundred-thousandth more than the margin, so that it still holds when the points are rounded.
    minus, plus = (
        np.outer(margin + 1e-5 + 0.6 * np.abs(rng.standard_normal(m)), NORMAL) for m in halves(n)
    )
    along = np.outer(rng.standard_normal(n), [-NORMAL[1], NORMAL[0]])
    return shuffled(rng, np.vstack([-minus, plus]) + noise * along, len(minus))


def halves(n: int) -> tuple[int, int]:
    return n // 2, n - n // 2


def even(rng: np.random.Generator, m: int) -> np.ndarray:
    """One draw from each of m equal parts of [0, 1): no gaps along a curve, which a reader would
    take for meaning.
    """
    return (np.arange(m) + rng.random(m)) / m


def circle(angle: np.ndarray) -> np.ndarray:
    return cosines_and_sines(np.ascontiguousarray(angle))


def scattered(rng: np.random.Generator, minus: np.ndarray, plus: np.ndarray, spread) -> Problem:
    """Points normally distributed about the given places, with standard deviation `spread`."""
    places = np.vstack([minus, plus])
    return shuffled(rng, places + spread * rng.standard_normal(places.shape), len(minus))


def shuffled(rng: np.random.Generator, X: np.ndarray, negatives: int) -> Problem:
    """The rows, of which the first ones are negative, in random order: solvers that pass through
    them see no sorting.

    Points are rounded to float32, for that is what the browser gets: Python and the player then
    compute from the very same numbers, and where they differ it is never by their input.
    """
    y = np.repeat([-1.0, 1.0], [negatives, len(X) - negatives])
    order = rng.permutation(len(X))
    return make_problem(X[order].astype(np.float32), y[order])
