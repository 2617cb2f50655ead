"""What can be streamed: generated points without an end, or rows in memory, as often as one likes;
and rows to test on.

>>> *_, last = points(run(source("standard"), {"B": 50, "lam": 1e-3}, examples=6000))
>>> last.examples, last.n_sv, last.accuracy > 0.8
(6000, 50, True)
"""

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.data.bundled import ALL, BUNDLED
from svmviz.data.many_classes import MULTICLASS
from svmviz.data.plane import DATASETS, Dataset
from svmviz.maths import kernels
from svmviz.run.streams import stream

CHUNK = 5000  # points that a generator of pictures makes at a time
TEST = 4000
SHARE = 0.2  # of rows in memory that are set apart, where none are

Blocks = Iterator[tuple[Any, np.ndarray]]


class Point(NamedTuple):
    """How a run stands; unlike `stream.Progress` it does not hold the model."""

    examples: int
    accuracy: float  # the latest known, NaN before the first look
    n_sv: int
    E_bar: float
    seconds: float
    events: int
    epoch: int
    fresh: bool  # whether the test rows were looked at here


def points(run: Iterator[stream.Progress]) -> Iterator[Point]:
    latest = float("nan")
    for p in run:
        latest = latest if p.accuracy is None else p.accuracy
        yield Point(
            p.examples,
            latest,
            p.n_sv,
            p.E_bar,
            p.seconds,
            p.events,
            p.epoch,
            p.accuracy is not None,
        )


class Source(NamedTuple):
    """A stream by name."""

    key: str
    title: str
    classes: int
    features: int
    rows: int  # of one pass; 0: there is no end
    gamma: float  # of the Gaussian kernel, to begin with
    chunks: Callable[[int, int], Blocks]  # so many examples, by seed
    test: Callable[[int], tuple[Any, np.ndarray]]


ENDLESS = {
    "standard": ("Checkerboard, mean 0 and standard deviation 1", 2, 2, 8.0, stream.checkerboard),
    "waves": ("Waveform, three classes", 3, 21, 0.02, stream.waveform),
}
PICTURES = DATASETS | MULTICLASS
KEPT = {
    f"{key}-all": replace(
        item,
        key=f"{key}-all",
        title=f"{item.title}, {len(item.classes)} classes",
        make=partial(item.make, positive=ALL),
    )
    for key, item in BUNDLED.items()
    if len(item.classes) > 2
} | BUNDLED


def titles(own: Mapping[str, Dataset] | None = None) -> dict[str, str]:
    """Everything the app can stream by key, the visitor's own files first."""
    pictures = {key: item.title for key, item in PICTURES.items()}
    return (
        {key: item.title for key, item in (own or {}).items()}
        | {key: title for key, (title, *_) in ENDLESS.items()}
        | pictures
        | {key: f"{item.title}, all rows" for key, item in KEPT.items()}
    )


def source(
    key: str, own: Mapping[str, Dataset] | None = None, given: Mapping[str, Any] | None = None
) -> Source:
    """One of them; `given` are parameters of the data, as the Playground knows them."""
    if key in (own or {}):
        return held(own[key])
    if key in ENDLESS:
        return generator(key, *ENDLESS[key])
    if key in PICTURES:
        item, given = PICTURES[key], dict(given or {})
        return generator(key, item.title, item.problem(**given).classes, 2, 2.0, drawn(item, given))
    if key in KEPT:
        return held(KEPT[key], given or {})
    raise ValueError(f"data must be one of {', '.join(titles(own))}, got {key[:40]!r}")


def generator(
    key: str, title: str, classes: int, features: int, gamma: float, make: Callable
) -> Source:
    def test(seed: int):
        X, y = zip(*make(TEST, seed + 1_000_003), strict=True)  # another seed, other points
        return np.concatenate(X), np.concatenate(y)

    return Source(key, title, classes, features, 0, gamma, make, test)


def drawn(item: Dataset, given: Mapping[str, Any]) -> Callable:
    """A generator of pictures, block after block, each with a seed of its own."""

    def chunks(n: int, seed: int = 0) -> Blocks:
        for k, start in enumerate(range(0, n, CHUNK)):
            made = item.make(
                n=max(item.params[0].low, min(CHUNK, n - start)),
                seed=(seed * 1_000_033 + k) % 2**32,
                **given,
            )
            yield made.X[: n - start], made.y[: n - start]

    return chunks


def held(item: Dataset, given: Mapping[str, Any] = {}) -> Source:
    """Rows in memory in random order, a new one for each pass."""
    everything = {"n": next(p for p in item.params if p.name == "n").high} if item.params else {}
    whole = item.problem(**everything, **given)
    order = np.random.default_rng(0).permutation(whole.n)
    cut = whole.n if item.test is not None else max(1, int((1 - SHARE) * whole.n))
    train, rest = order[:cut], order[cut:]
    test = (
        item.test
        if item.test is not None
        else (whole.X[rest], whole.y[rest])
        if rest.size
        else None
    )

    def chunks(n: int, seed: int = 0) -> Blocks:
        passes = itertools.count()
        while n > 0:
            rows = train[np.random.default_rng([seed, next(passes)]).permutation(len(train))][:n]
            n -= len(rows)
            yield from stream.blocks(whole.X[rows], whole.y[rows])

    return Source(
        item.key,
        item.title,
        whole.classes,
        whole.X.shape[1],
        len(train),
        1.0 / spread(whole.X),
        chunks,
        lambda seed: test,
    )


def spread(X) -> float:
    """The mean squared distance of the rows from their mean: as many as there are features where
    these are standardised, 1 at most where rows have length 1, as those of texts do.

    >>> spread(np.array([[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]))
    2.0
    """
    squares = X.multiply(X).sum() if sp.issparse(X) else np.einsum("ij,ij->", X, X)
    mean = np.asarray(X.mean(axis=0)).ravel()
    return float(squares / X.shape[0] - mean @ mean) or 1.0


def run(
    source: Source, params: Mapping[str, Any], examples: int, seed: int = 0, looks: int = 60
) -> Iterator[stream.Progress]:
    """One stream of so many examples, over several passes where the data end before; t goes on from
    one to the next. The test rows are looked at about `looks` times, the last time at the end.
    """
    test, last = source.test(seed), None
    for last in stream.watch(
        source.chunks(examples, seed),
        {"kernel": kernels.rbf(source.gamma)} | dict(params),
        classes=source.classes,
        test=test,
        every=max(1, -(-examples // looks)),
    ):
        if last.examples < examples:
            yield last
    if last is not None:
        known = (
            last.accuracy
            if test is None or last.accuracy is not None
            else stream.accuracy(last.learnt(), test)
        )
        yield last._replace(accuracy=known)
