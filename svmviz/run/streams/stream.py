"""Budgeted SGD on a stream: one pass, or several, over blocks of examples that are read and
forgotten.

The compiled step is that of the recorded runs. Memory is that of the support vectors and one block,
however long the stream; t goes on from one epoch to the next, because t = 1 would multiply all that
was learnt by 0.

>>> found = run(
...     checkerboard(20_000),
...     {"B": 50, "lam": 1e-3, "kernel": kernels.rbf(8.0)},
...     test=next(checkerboard(2000, seed=9)),
... )
>>> found.examples, found.n_sv, found.accuracy > 0.9
(20000, 50, True)
"""

import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.data.constant import kernel_of
from svmviz.maths import kernels, matrix
from svmviz.solvers.bsgd import algorithm, budget, learner
from svmviz.solvers.bsgd import model as vectors
from svmviz.solvers.bsgd.maintenance import strategies
from svmviz.solvers.bsgd.solver import BSGD

PIECE = 4096  # examples between two looks at the clock
ROWS = 2048  # that are predicted at once


class Model(NamedTuple):
    """What has been learnt: f(x) = Σ coef_j K(x, vectors_j), one score, or one per class."""

    vectors: np.ndarray  # (b, d)
    coef: np.ndarray  # (b, scores)
    kernel: kernels.Kernel
    merged: np.ndarray | None = None  # (b,) how many mergings made each, where that is known

    def scores(self, X) -> np.ndarray:
        """(rows, scores)"""
        out = np.empty((X.shape[0], self.coef.shape[1]))
        for a in range(0, X.shape[0], ROWS):
            out[a : a + ROWS] = kernels.responses(
                self.kernel, self.vectors, self.coef, X[a : a + ROWS]
            )
        return out

    def predict(self, X) -> np.ndarray:
        """Labels: -1 or 1 by the sign of the score, +1 at 0; else the class with the highest, the
        first of several.
        """
        f = self.scores(X)
        return (
            np.where(f[:, 0] >= 0, 1.0, -1.0)
            if f.shape[1] == 1
            else f.argmax(axis=1).astype(np.float64)
        )


class Progress(NamedTuple):
    """How a run stands."""

    examples: int  # seen so far, over all epochs
    epoch: int  # from 1
    n_sv: int
    E_bar: float
    seconds: float  # of one processor, spent on learning
    events: int  # examples that called for maintenance
    accuracy: float | None  # on the test rows, where they were looked at here
    learnt: Callable[[], Model]  # the model as it is now


class StreamResult(NamedTuple):
    """A run: what was learnt, and how it went. The arrays belong to the points at which the test
    rows were looked at.
    """

    model: Model
    examples: int
    n_sv: int
    E_bar: float
    seconds: float
    events: int
    cancelled: bool
    accuracy: float | None
    curve: dict[str, np.ndarray]  # examples, accuracy, n_sv, E_bar, seconds


def run(
    chunks,
    params: Mapping[str, Any],
    *,
    classes: int = 2,
    test=None,
    every: int | None = None,
    epochs: int = 1,
    progress: Callable[[Progress], Any] | None = None,
    seed: int = 0,
    by: Callable | None = None,
) -> StreamResult:
    """Learn from blocks (X, y) of examples.

    `chunks` is an iterable of blocks, or a function that returns one; several epochs need one that
    can be gone through again. Labels are -1 and 1, or 0 .. classes - 1. `params` are those of the
    solver; `test`, rows (X, y), are looked at after `every` so many examples, and at the end.
    `progress` is called now and then; what it answers with False ends the run. `by` is what learns,
    `watch` unless said: another function of the same kind.
    """
    points, last, cancelled = [], None, False
    for last in (by or watch)(
        chunks, params, classes=classes, test=test, every=every, epochs=epochs, seed=seed
    ):
        if last.accuracy is not None:
            points.append((last.examples, last.accuracy, last.n_sv, last.E_bar, last.seconds))
        if progress is not None and progress(last) is False:
            cancelled = True
            break
    if last is None:
        raise ValueError("the stream holds no examples")
    model = last.learnt()
    if test is not None and (not points or points[-1][0] != last.examples):
        points.append((last.examples, accuracy(model, test), last.n_sv, last.E_bar, last.seconds))
    names = ("examples", "accuracy", "n_sv", "E_bar", "seconds")
    curve = {name: np.array([p[k] for p in points]) for k, name in enumerate(names)}
    return StreamResult(
        model,
        last.examples,
        last.n_sv,
        last.E_bar,
        last.seconds,
        last.events,
        cancelled,
        float(points[-1][1]) if points else None,
        curve,
    )


def watch(
    chunks,
    params: Mapping[str, Any],
    *,
    classes: int = 2,
    test=None,
    every: int | None = None,
    epochs: int = 1,
    seed: int = 0,
) -> Iterator[Progress]:
    """The same, step by step: yields how the run stands after every few thousand examples. Who
    stops asking ends it.
    """
    params = BSGD.check(params)
    if classes < 2 or classes != int(classes) or epochs < 1 or (every is not None and every < 1):
        raise ValueError(
            f"classes must be at least 2, epochs and every at least 1, got {classes}, {epochs} and"
            f" {every}"
        )
    if epochs > 1 and not callable(chunks) and iter(chunks) is chunks:
        raise ValueError(
            f"{epochs} epochs need blocks that can be gone through again: a list, or a function"
            " that returns them"
        )
    scores = classes if classes > 2 or params["multiclass"] else 1
    algorithm.refuse(params, scores)
    rule, kernel = algorithm.rule_of(params), kernel_of(params)
    keep = algorithm.keep_of(params)
    model, t, spent, events = None, 0, 0.0, 0
    out = learner.empty(PIECE)
    log = (
        np.empty((PIECE, 0), np.int64),
        np.empty((PIECE, 0, scores)),
        np.empty((PIECE, 0), np.bool_),
    )
    made, parents = None, np.empty((0, 2), np.int64)
    for epoch in range(1, epochs + 1):
        for X, y in chunks() if callable(chunks) else chunks:
            X, y = checked(X, y, classes, None if model is None else model.V.shape[0])
            rows, labels = matrix.rows(X), algorithm.labels_of(y, classes, scores)
            a, n = 0, X.shape[0]
            while a < n:
                b = min(n, a + PIECE, n if every is None else a + every - t % every)
                if model is None:
                    model, made = (
                        algorithm.prepared(None, params, X.shape[1], scores, PIECE, seed=seed),
                        np.empty((0, X.shape[1])),
                    )
                elif keep.kind == budget.NONE and model.count[vectors.USED] + PIECE > len(model.A):
                    model = vectors.resized(model, 2 * len(model.A) + PIECE, False)
                begun = time.thread_time()
                learner.steps(
                    model,
                    rows,
                    labels,
                    np.arange(a, b),
                    t,
                    rule,
                    kernel,
                    keep,
                    *log,
                    made,
                    parents,
                    0,
                    out,
                )
                spent += time.thread_time() - begun
                events += int((out.event[: b - a] != strategies.NOTHING).sum())
                t, a = t + b - a, b
                learnt = lambda model=model: snapshot(model, kernel)  # noqa: E731
                look = test is not None and every is not None and t % every == 0
                yield Progress(
                    t,
                    epoch,
                    int(model.count[vectors.USED]),
                    float(model.number[vectors.ERRORS]) / t,
                    spent,
                    events,
                    accuracy(learnt(), test) if look else None,
                    learnt,
                )


def snapshot(model: vectors.Model, kernel: kernels.Kernel) -> Model:
    b = int(model.count[vectors.USED])
    return Model(
        np.ascontiguousarray(model.V[:, :b].T),
        model.A[:b].copy(),
        kernel,
        model.facts[vectors.MERGED, :b].copy(),
    )


def accuracy(model: Model, test) -> float:
    """The share of rows (X, y) that the model labels rightly; with two classes y is -1 or 1."""
    X, y = test
    predicted = model.predict(X)
    if model.coef.shape[1] == 2 and np.min(y) < 0:
        predicted = 2 * predicted - 1
    return float((predicted == y).mean())


def checked(X, y, classes: int, d: int | None) -> tuple[Any, np.ndarray]:
    """A block of examples in the form that compiled code reads."""
    matrix.refuse_broken(X)
    X = sp.csr_array(X, dtype=np.float64) if sp.issparse(X) else np.ascontiguousarray(X, np.float64)
    y = np.asarray(y, np.float64)
    if X.ndim != 2 or y.shape != (X.shape[0],):
        raise ValueError(
            f"a block must be a table and one label for each of its rows, got shapes {X.shape} and"
            f" {y.shape}"
        )
    if d is not None and X.shape[1] != d:
        raise ValueError(f"every block must have {d} columns like the first, got {X.shape[1]}")
    if not np.isfinite(X.data if sp.issparse(X) else X).all():
        raise ValueError("a block must hold finite numbers only, got NaN or infinity")
    allowed = (-1.0, 1.0) if classes == 2 else np.arange(classes)
    if y.size and not np.isin(y, allowed).all():
        raise ValueError(
            f"labels must be {'-1 or 1' if classes == 2 else f'0 to {classes - 1}'}, got "
            f"{y[~np.isin(y, allowed)][0]:g}"
        )
    return X, y


def checkerboard(
    n: int, seed: int = 0, chunk: int = 10_000
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The 4 x 4 checkerboard of BSGD, Section 7.1, in blocks: features of mean 0 and standard
    deviation 1, labels -1 and 1.

    >>> X, y = next(checkerboard(1000))
    >>> X.shape, sorted(set(y.tolist()))
    ((1000, 2), [-1.0, 1.0])
    """
    rng = np.random.default_rng(seed)
    for start in range(0, n, chunk):
        X = 4.0 * rng.random((min(chunk, n - start), 2))
        yield (X - 2.0) / np.sqrt(4.0 / 3.0), np.where(np.floor(X).sum(axis=1) % 2 == 0, 1.0, -1.0)


def waveform(n: int, seed: int = 0, chunk: int = 10_000) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Breiman's three classes of noisy waves on 21 points, in blocks."""
    from svmviz.data.bundled import waves

    rng = np.random.default_rng(seed)
    for start in range(0, n, chunk):
        yield waves(rng, min(chunk, n - start))


def blocks(X, y, seed: int | None = None, chunk: int = 10_000) -> Iterator[tuple[Any, np.ndarray]]:
    """Data in memory as blocks, in random order unless seed is None."""
    order = (
        np.arange(X.shape[0])
        if seed is None
        else np.random.default_rng(seed).permutation(X.shape[0])
    )
    for a in range(0, len(order), chunk):
        yield X[order[a : a + chunk]], np.asarray(y)[order[a : a + chunk]]


def libsvm_file(
    path,
    features: int,
    chunk: int = 10_000,
    label: Callable[[np.ndarray], np.ndarray] | None = None,
) -> Iterator[tuple[sp.csr_array, np.ndarray]]:
    """A file in LIBSVM format, plain, .gz or .bz2, in blocks of so many lines; `label` turns what
    it holds into labels.
    """
    from io import BytesIO

    from sklearn.datasets import load_svmlight_file

    with opened(path) as lines:
        while block := list(itertools.islice(lines, chunk)):
            X, y = load_svmlight_file(BytesIO(b"".join(block)), n_features=features)
            yield sp.csr_array(X), label(y) if label else y


def opened(path):
    import bz2
    import gzip

    return {".bz2": bz2.open, ".gz": gzip.open}.get(str(path)[str(path).rfind(".") :], open)(
        path, "rb"
    )
