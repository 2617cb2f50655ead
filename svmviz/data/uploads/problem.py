"""A table and a few choices as a problem: which column is the label, which class is +1, which
features, how scaled and split.

The order is fixed. Rows without a label go, columns that do not vary go, rows with gaps go; then a
sample is drawn if there are too many rows, then rows are set apart for testing, and only then is
the scaling measured, on the training rows alone. Each of these leaves a sentence in the report.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.data.params import Param
from svmviz.data.problem import Problem, make_multiclass_problem, make_problem
from svmviz.data.uploads import advice
from svmviz.data.uploads.advice import bounds, guess_label
from svmviz.data.uploads.table import (
    LIMITS,
    Limits,
    Notes,
    Table,
    clean,
    counted,
    label_codes,
    listed,
    number_text,
    places,
    quote,
)
from svmviz.data.uploads.usable import repeats, usable

SCALING = Param(
    "scaling",
    "",
    "none",
    options=("none", "standardise", "unit ball"),
    title="scaling",
    help="What is done to the features first; measured on the training rows alone.",
)
TEST_SHARE = Param(
    "test_share",
    "",
    0.0,
    0.0,
    0.9,
    "Share of each class that is set apart for testing.",
    title="test share",
)
SEED = Param(
    "seed",
    "",
    0,
    0,
    2**32 - 1,
    "Which rows are drawn into the sample and into the test.",
    title="data seed",
)
CAP = Param(
    "cap",
    "",
    500,
    2,
    100_000,
    "Rows used at most: all, or a seeded sample with the same share of each class.",
    log=True,
    title="rows at most",
)
MOST = 10  # classes that can be told apart: each needs a colour and a shape of its own
NARROW, FULL = (
    2,
    0.5,
)  # features, and share of values other than 0, of a table that is no sparse one
# a spread below it counts as none: to divide by it would give numbers whose squares overflow
SMALL = 1e-100


class Scale(NamedTuple):
    """x becomes (x - shift) / factor; for sparse data the shift is 0, so that zeros stay zeros."""

    shift: np.ndarray  # (d,)
    factor: np.ndarray  # (d,)

    def apply(self, X) -> Any:
        if sp.issparse(X):
            return sp.csr_array(
                (X.data / self.factor[X.indices], X.indices, X.indptr), shape=X.shape
            )
        return (X - self.shift) / self.factor


class Upload(NamedTuple):
    """A problem made of a file, and the way it was made."""

    problem: Problem  # the rows to train on
    test: Problem | None
    names: tuple[str, ...]  # of the features, column by column of X
    classes: tuple[
        str, ...
    ]  # what -1 and +1 stand for, or all of them, in the order of their numbers
    scale: Scale | None
    report: Notes  # the notes of the table, then what was done here
    scaling: str  # the one that was chosen, or advised
    skipped: dict[str, list[str]]  # columns that were left out unasked, by what they are
    units: str = ""  # of a target that is a number


def build(
    table: Table,
    label: str | None = None,
    positive=None,
    features: Iterable[str] | None = None,
    skip: Iterable[str] | None = None,
    scaling: str | None = None,
    test_share: float = TEST_SHARE.default,
    seed: int = SEED.default,
    cap: int | None = None,
    limits: Limits = LIMITS,
    several: bool = False,
) -> Upload:
    """The problem that these choices make of the table. Not chosen: the label is guessed, the class
    that sorts last is +1, all numeric columns are features but those that only count rows or repeat
    the label, unless `skip` names others or none; numbers on very different scales are
    standardised, all rows train. With `several` no class is +1: all are told apart.
    """
    share, seed = TEST_SHARE.check(test_share), SEED.check(seed)
    scaling = None if scaling is None else SCALING.check(scaling)
    cap = None if cap is None else CAP.check(cap)
    label = guess_label(table, limits) if label is None else label
    classes, codes = classes_of(table, label, limits)
    several = several and len(classes) > 2
    if several and len(classes) > MOST:
        raise ValueError(
            f"Column {quote(label)} holds {len(classes)} classes; at most {MOST} can be told apart"
        )
    if several:
        plus, pair = None, tuple(map(clean, classes))
    else:
        plus = len(classes) - 1 if positive is None else position(classes, positive)
        pair = (
            (clean(classes[1 - plus]) if len(classes) == 2 else f"not {clean(classes[plus])}"),
            clean(classes[plus]),
        )

    names, X, rows, left_out = usable(table, label, features, skip, np.flatnonzero(codes >= 0))
    scaling, advised = (scaling, ()) if scaling else advice.scaling(X, names)
    y = (
        codes[rows] if several else (codes[rows] == plus).astype(int)
    )  # the place of the class in `pair`
    train, test, split = divided(y, pair, cap, share, seed)
    scale, scaled = SCALINGS[scaling](X[train], names)
    size = (
        (
            "Training",
            f"{signs(y[train], pair)}; {counted(len(names), 'feature')}: {listed(names, quote)}.",
        ),
    )
    full = is_full(X)
    kept = (
        (("Zeros", "Stored like other values, for there are few of them or few features."),)
        if full
        else ()
    )

    def problem(part: np.ndarray) -> Problem:
        rows = scale.apply(X[part]) if scale else X[part]
        return (make_multiclass_problem if several else make_problem)(
            rows.toarray() if full else rows, y[part]
        )

    labelled = label_notes(table, label, classes, codes, plus)
    report = (
        *table.notes,
        *labelled,
        *left_out,
        *repeats(X, y),
        *split,
        *size,
        *advised,
        *scaled,
        *kept,
    )
    skipped = advice.no_features(table, label) if features is None and skip is None else {}
    return Upload(
        problem(train),
        problem(test) if len(test) else None,
        tuple(names),
        pair,
        scale,
        report,
        scaling,
        skipped,
    )


def is_full(X) -> bool:
    """Whether a sparse table is better kept as a dense one: hardly anything is 0, or one may draw
    on it.
    """
    return sp.issparse(X) and (X.shape[1] <= NARROW or X.nnz >= FULL * X.shape[0] * X.shape[1])


def classes_of(table: Table, label: str, limits: Limits) -> tuple[list[str], np.ndarray]:
    """The classes as text, and each row's class by number, -1 where there is none."""
    if label not in table.columns:
        raise ValueError(
            f"label must be one of the columns {listed(table.columns, quote)}, got"
            f" {quote(str(label))}"
        )
    classes, codes = label_codes(table, label)
    if len(classes) > limits.labels:
        raise ValueError(
            f"Column {quote(label)} holds {len(classes)} different values; a label has at most"
            f" {limits.labels}"
        )
    if len(classes) < 2:
        found = f"one class only, {quote(classes[0])}" if classes else "no class at all"
        raise ValueError(f"Column {quote(label)} holds {found}; a label needs two")
    return classes, codes


def position(classes: list[str], positive) -> int:
    """Where the chosen class stands; 1, "1.0" and "+1" mean the same number."""
    text = str(positive).strip()
    try:
        written = number_text(float(text))
    except (ValueError, OverflowError):
        written = text
    for candidate in (text, written):
        if candidate in classes:
            return classes.index(candidate)
    raise ValueError(
        f"positive must be one of the classes {listed(classes, quote)}, got {quote(text)}"
    )


def label_notes(
    table: Table, label: str, classes: list[str], codes: np.ndarray, plus: int | None
) -> Notes:
    counts = np.bincount(codes[codes >= 0], minlength=len(classes)).tolist()
    if plus is None:
        meaning = f"all {len(classes)} classes are told apart"
    else:
        others = (
            f"{quote(classes[1 - plus])} is"
            if len(classes) == 2
            else f"the other {len(classes) - 1} classes are"
        )
        meaning = f"{quote(classes[plus])} is +1, {others} -1"
    found = listed(zip(classes, counts, strict=True), lambda item: f"{quote(item[0])} {item[1]}")
    notes = (("Label", f"{quote(label)}: {meaning}."), ("Classes", f"In the file: {found}."))
    gone = table.rows[codes < 0]
    if gone.size:
        notes += (
            ("Rows without a label", f"{counted(len(gone), 'row')}, left out: {places(gone)}."),
        )
    return notes


def divided(y: np.ndarray, pair: tuple[str, ...], cap: int | None, share: float, seed: int):
    """Rows to train on and rows to test on, perhaps only a sample of all of them."""
    rng, train, test, notes = np.random.default_rng(seed), np.arange(len(y)), np.arange(0), []
    need(y, pair, 1)
    if cap is not None and cap < len(pair):
        raise ValueError(
            f"{len(pair)} classes need at least as many rows, and at most {cap} may be used"
        )
    if cap is not None and cap < len(y):
        train = drawn(rng, y, cap)
        notes.append(
            (
                "Sample",
                (
                    f"{cap} of {counted(len(y), 'row')} drawn with seed {seed}, each class with its"
                    " share."
                ),
            )
        )
    if share > 0:
        need(y[train], pair, 2)
        size = int(np.clip(round(share * len(train)), len(pair), len(train) - len(pair)))
        test = train[drawn(rng, y[train], size, leave=1)]
        train = np.setdiff1d(train, test)
        apart = signs(y[test], pair)
        notes.append(
            (
                "Split",
                (
                    f"Set apart for testing, drawn with seed {seed}, each class with its share:"
                    f" {apart}."
                ),
            )
        )
    return train, test, notes


def need(y: np.ndarray, pair: tuple[str, ...], least: int):
    """Complain if a class has fewer rows than that."""
    why = (
        "the rows that had it were left out"
        if least == 1
        else "a test needs one of them and the training another"
    )
    for place, name in enumerate(pair):
        count = int(np.count_nonzero(y == place))
        if count < least:
            raise ValueError(f"Class {quote(name)} has {counted(count, 'row')} to use; {why}")


def drawn(rng: np.random.Generator, y: np.ndarray, size: int, leave: int = 0) -> np.ndarray:
    """Rows drawn at random, in the order of the file: each class with its share, one row of it at
    least, and `leave` left.
    """
    groups = [rng.permutation(np.flatnonzero(y == place)) for place in range(y.max(), -1, -1)]
    there = np.array([len(group) for group in groups])
    share = size * there / len(y)
    wanted = np.clip(np.rint(share).astype(int), 1, there - leave)
    while (
        wanted.sum() != size
    ):  # what rounding left over goes to, or comes from, the class furthest from its share
        step = 1 if wanted.sum() < size else -1
        can = wanted < there - leave if step > 0 else wanted > 1
        off = np.where(can, step * (share - wanted), -np.inf)
        wanted[np.flatnonzero(off == off.max())[-1]] += step
    return np.sort(
        np.concatenate([group[:count] for group, count in zip(groups, wanted, strict=True)])
    )


def signs(y: np.ndarray, pair: tuple[str, ...]) -> str:
    counts = np.bincount(y, minlength=len(pair)).tolist()
    if len(pair) == 2:
        return f"{counted(len(y), 'row')}, {counts[1]} of +1 and {counts[0]} of -1"
    return (
        f"{counted(len(y), 'row')}:"
        f" {listed(zip(pair, counts, strict=True), lambda item: f'{quote(item[0])} {item[1]}')}"
    )


def unscaled(X, names) -> tuple[None, Notes]:
    return None, (("Scaling", "None: the numbers are those of the file."),)


def standardised(X, names) -> tuple[Scale, Notes]:
    """Mean 0 and standard deviation 1; of sparse data only the latter."""
    n, (low, high) = X.shape[0], bounds(X)
    if sp.issparse(X):
        mean = np.bincount(X.indices, X.data, minlength=X.shape[1]) / n
        squares = np.bincount(X.indices, (X.data - mean[X.indices]) ** 2, minlength=X.shape[1])
        gaps = n - np.bincount(X.indices, minlength=X.shape[1])  # zeros that are not stored
        deviation, shift = np.sqrt((squares + gaps * mean**2) / n), np.zeros(X.shape[1])
    else:
        deviation, shift = X.std(axis=0), X.mean(axis=0)
    flat = (low == high) | (deviation < SMALL)
    scale = Scale(shift, np.where(flat, 1.0, deviation))
    if sp.issparse(X):
        how = (
            "Each feature divided by its standard deviation, nothing subtracted so that zeros stay"
            " zeros"
        )
        shown = listed(range(len(names)), lambda k: f"{quote(names[k])} {deviation[k]:.4g}")
    else:
        how = "Each feature less its mean, divided by its standard deviation"
        shown = listed(
            range(len(names)), lambda k: f"{quote(names[k])} {shift[k]:.4g} ± {deviation[k]:.4g}"
        )
    rest = [names[k] for k in np.flatnonzero(flat)]
    but = f" Not divided, for there they do not vary: {listed(rest, quote)}." if rest else ""
    return scale, (("Scaling", f"{how}, measured on the training rows: {shown}.{but}"),)


def in_unit_ball(X, names) -> tuple[Scale, Notes]:
    """All numbers divided by the length of the longest row."""
    longest = float(np.sqrt((X.multiply(X) if sp.issparse(X) else X * X).sum(axis=1)).max())
    longest = longest if longest >= SMALL else 1.0
    return Scale(np.zeros(X.shape[1]), np.full(X.shape[1], longest)), (
        (
            "Scaling",
            f"All features divided by {longest:.4g}, the length of the longest training row.",
        ),
    )


SCALINGS = dict(zip(SCALING.options, (unscaled, standardised, in_unit_ball), strict=True))
