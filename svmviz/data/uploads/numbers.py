"""A table whose label is a number to be fitted, not a class: the same choices, and a problem with
real targets.
"""

from collections.abc import Iterable

import numpy as np

from svmviz.data.problem import Problem, make_regression_problem
from svmviz.data.uploads import advice
from svmviz.data.uploads.problem import CAP, SCALING, SCALINGS, SEED, TEST_SHARE, Upload, is_full
from svmviz.data.uploads.table import Notes, Table, counted, distinct, listed, places, quote
from svmviz.data.uploads.usable import refuse_large, usable

COUNTS = "row numbers"
LARGE = 10.0  # a target beyond that is not in units that ε and λ are usually meant in


def can_be_fitted(table: Table, label: str) -> bool:
    """Whether a column holds so many different numbers that these are hardly classes."""
    return table.columns[label].dtype != object and distinct(table.columns[label]) > advice.FEW


def build_regression(
    table: Table,
    label: str,
    features: Iterable[str] | None = None,
    skip: Iterable[str] | None = None,
    scaling: str | None = None,
    test_share: float = TEST_SHARE.default,
    seed: int = SEED.default,
    cap: int | None = None,
) -> Upload:
    """The problem that these choices make of the table, as `build` makes one of classes. Where
    features are standardised, so is the target, and large ones are unless a scaling was chosen: a
    tube of width 0.1 about prices means nothing.

    >>> from svmviz.data import uploads
    >>> upload = build_regression(uploads.read(b"x,price\\n1,2.5\\n2,3\\n3,4\\n"), "price")
    >>> upload.problem.y.tolist(), dict(upload.report)["Target"]
    ([2.5, 3.0, 4.0], "'price': 3 numbers from 2.5 to 4, 3.167 on average; in its own units.")
    """
    share, seed = TEST_SHARE.check(test_share), SEED.check(seed)
    cap = None if cap is None else CAP.check(cap)
    if label not in table.columns or table.columns[label].dtype == object:
        raise ValueError(f"the target must be a column of numbers, got {quote(str(label))}")
    target = table.columns[label]
    known = np.isfinite(target)
    if not known.sum() > 1:
        raise ValueError(
            f"Column {quote(label)} holds {counted(int(known.sum()), 'number')}; a target needs two"
        )
    refuse_large([label], target[known, None], table.rows[known])
    skipped = counting(table, label) if features is None and skip is None else {}
    names, X, rows, left_out = usable(
        table, label, features, [*(skip or ()), *skipped.get(COUNTS, ())], np.flatnonzero(known)
    )
    chosen, (scaling, advised) = (
        scaling,
        ((SCALING.check(scaling), ()) if scaling else advice.scaling(X, names)),
    )
    train, test, split = divided(len(rows), cap, share, seed)
    scale, scaled = SCALINGS[scaling](X[train], names)
    y, full = target[rows], is_full(X)
    least, most, mean, spread = y.min(), y.max(), float(y[train].mean()), float(y[train].std())
    units = "in its own units"
    if spread > 0 and (scaling == "standardise" or (chosen is None and np.abs(y).max() > LARGE)):
        y, units = (
            (y - mean) / spread,
            f"less {mean:.4g}, its mean, and divided by {spread:.4g}, its standard deviation",
        )

    def problem(part: np.ndarray) -> Problem:
        found = scale.apply(X[part]) if scale else X[part]
        return make_regression_problem(found.toarray() if full else found, y[part])

    about = (
        (
            "Target",
            (
                f"{quote(label)}: {counted(len(y), 'number')} from {least:.4g} to {most:.4g}, "
                f"{target[rows].mean():.4g} on average; {units}."
            ),
        ),
    )
    if not known.all():
        gone = table.rows[~known]
        about += (
            ("Rows without a target", f"{counted(len(gone), 'row')}, left out: {places(gone)}."),
        )
    size = (
        (
            "Training",
            (
                f"{counted(len(train), 'row')}; {counted(len(names), 'feature')}:"
                f" {listed(names, quote)}."
            ),
        ),
    )
    left_out = [
        note for note in left_out if note[0] != "Copies of the label"
    ]  # a feature that rises with the target may do so
    left_out += [advice.said(kind, columns) for kind, columns in skipped.items()]
    report = (*table.notes, *about, *left_out, *split, *size, *advised, *scaled)
    return Upload(
        problem(train),
        problem(test) if len(test) else None,
        tuple(names),
        (),
        scale,
        report,
        scaling,
        skipped,
        units,
    )


def counting(table: Table, label: str) -> dict[str, list[str]]:
    """Columns to be left out unasked, as they only count the rows, unless nothing else would be
    left.
    """
    names = [name for name in table.numeric if name != label]
    found = advice.row_numbers(table, names)
    return {COUNTS: found} if found and len(found) < len(names) else {}


def divided(
    n: int, cap: int | None, share: float, seed: int
) -> tuple[np.ndarray, np.ndarray, Notes]:
    """Rows to train on and rows to test on, perhaps only a sample of all of them."""
    rng, notes = np.random.default_rng(seed), []
    train, test = np.arange(n), np.arange(0)
    if cap is not None and cap < n:
        train = np.sort(rng.permutation(n)[:cap])
        notes.append(("Sample", f"{cap} of {counted(n, 'row')} drawn with seed {seed}."))
    if share > 0 and len(train) > 1:
        size = int(np.clip(round(share * len(train)), 1, len(train) - 1))
        test = np.sort(rng.permutation(train)[:size])
        train = np.setdiff1d(train, test)
        notes.append(
            ("Split", f"Set apart for testing, drawn with seed {seed}: {counted(size, 'row')}.")
        )
    return train, test, tuple(notes)
