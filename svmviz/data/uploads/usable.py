"""Which columns can be features and which rows can be used: what says nothing or has gaps is left
out, and said.

Works on dense and on sparse matrices; neither is ever turned into the other.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from svmviz.data.uploads.advice import bounds, copies, no_features, row_numbers, said
from svmviz.data.uploads.layout import is_number
from svmviz.data.uploads.table import Notes, Table, counted, listed, missing, places, quote

LARGE = 1e100  # beyond it squares overflow


def usable(
    table: Table,
    label: str,
    features: Iterable[str] | None,
    skip: Iterable[str] | None,
    rows: np.ndarray,
) -> tuple[list[str], Any, np.ndarray, Notes]:
    """Names of the features, their values in the rows that can be used, these rows, and what was
    left out.

    Columns are looked at before the rows and once more after: one that is empty must not cost any
    row, and one may be constant when rows are gone.
    """
    skipped = no_features(table, label) if features is None and skip is None else {}
    skip = {*(skip or ()), *(name for columns in skipped.values() for name in columns)}
    names, X, texts = columns_of(table, label, features, skip)
    texts += tuple(said(kind, columns) for kind, columns in skipped.items())
    names, X, constant = varying(names, X[rows], table.rows[rows])
    kept, gaps = complete(names, X, table.rows[rows])
    names, X, also = varying(names, X[kept], table.rows[rows[kept]])
    rows = rows[kept]
    refuse_large(names, X, table.rows[rows])
    return names, X, rows, (*texts, *constant, *gaps, *also, *warned(table, label, names))


def columns_of(
    table: Table, label: str, features: Iterable[str] | None, skip: set[str]
) -> tuple[list[str], np.ndarray | sp.csr_array, Notes]:
    """The numeric columns among the chosen ones; all but the label, and those to skip, if none are
    chosen.
    """
    names = [name for name in table.names if name != label]
    if features is not None:
        wanted = list(dict.fromkeys([features] if isinstance(features, str) else features))
        unknown = set(wanted) - set(names)
        if unknown or not wanted:
            got = quote(str(min(unknown, key=str))) if unknown else "none"
            raise ValueError(
                f"features must be columns other than the label {quote(label)}, got {got}"
            )
        names = wanted
    names = [name for name in names if name not in skip] or names
    if not names:
        raise ValueError(f"The only column, {quote(label)}, is the label, so there are no features")
    if table.matrix is not None:
        place = {name: k for k, name in enumerate(table.names[1:])}
        everything = len(names) == len(table.names) - 1
        return (
            names,
            table.matrix if everything else table.matrix[:, [place[name] for name in names]],
            (),
        )
    numeric = [name for name in names if table.columns[name].dtype != object]
    texts = [name for name in names if table.columns[name].dtype == object]
    shown = texts and listed(texts, lambda name: f"{quote(name)} ({first_word(table, name)})")
    if not numeric:
        raise ValueError(f"No column can be a feature, for none is numeric: {shown}")
    notes = (("Text columns", f"Not numeric, so left out: {shown}."),) if texts else ()
    return numeric, np.column_stack([table.columns[name] for name in numeric]), notes


def first_word(table: Table, name: str) -> str:
    """The first cell of a text column that is no number; the first of all where points and commas
    contradict each other.
    """
    cells = table.columns[name]
    judge = lru_cache(None)(lambda cell: is_number(cell) or missing(cell))  # cells repeat
    where = next((k for k, cell in enumerate(cells) if not judge(cell)), 0)
    return f"row {table.rows[where]}: {quote(cells[where])}"


def warned(table: Table, label: str, names: list[str]) -> Notes:
    """A warning of features that give the classes away, where they were wanted."""
    counting, copied = row_numbers(table, names), copies(table, label, names)
    notes = (
        (
            (
                "Row numbers",
                (
                    "These features only count the rows, so think of leaving them out:"
                    f" {listed(counting, quote)}."
                ),
            ),
        )
        if counting
        else ()
    )
    return notes + (
        (
            (
                "Copies of the label",
                (
                    "These features say the same as the label, so think of leaving them out: "
                    f"{listed(copied, quote)}."
                ),
            ),
        )
        if copied
        else ()
    )


def varying(
    names: list[str], X, rows: np.ndarray
) -> tuple[list[str], np.ndarray | sp.csr_array, Notes]:
    """The columns with at least two different finite values; X are rows `rows` of the file."""
    low, high = bounds(X)
    kept = np.flatnonzero(low < high)
    constant = [f"{quote(names[k])} (always {low[k]:g})" for k in np.flatnonzero(low == high)]
    empty = [f"{quote(names[k])} (no value)" for k in np.flatnonzero(low > high)]
    if not kept.size:
        row, column = np.nonzero(np.isinf(X)) if not sp.issparse(X) else stored(X, np.isinf(X.data))
        if row.size:
            k, many = row.argmin(), counted(row.size, "infinite value")
            raise ValueError(
                f"No column can be a feature, for none varies without {many}, the first in row"
                f" {rows[row[k]]} of column {quote(names[column[k]])}"
            )
        raise ValueError(f"No column can be a feature, for none varies: {listed(constant + empty)}")
    if kept.size == len(names):
        return names, X, ()
    sentence = f"Columns that do not vary, so left out: {listed(constant + empty)}."
    return [names[k] for k in kept], X[:, kept], (("Constant columns", sentence),)


def complete(names: list[str], X, rows: np.ndarray) -> tuple[np.ndarray, Notes]:
    """Which rows of X, rows `rows` of the file, hold finite numbers only."""
    row, column = (
        np.nonzero(~np.isfinite(X)) if not sp.issparse(X) else stored(X, ~np.isfinite(X.data))
    )
    if not row.size:
        return np.arange(len(rows)), ()
    kept = np.setdiff1d(np.arange(len(rows)), row)
    worst = quote(names[np.bincount(column).argmax()])
    if not kept.size:
        raise ValueError(
            "No row is left, for each has a missing or infinite value, most of them in column"
            f" {worst}; choose features without it"
        )
    gone = np.unique(row)
    return kept, (
        (
            "Rows with gaps",
            (
                f"{len(gone)} of {counted(len(rows), 'row')} left out for missing or infinite"
                f" values, most of them in {worst}: {places(rows[gone])}."
            ),
        ),
    )


def refuse_large(names: list[str], X, rows: np.ndarray):
    low, high = bounds(X)
    k = int(np.maximum(-low, high).argmax())
    value = high[k] if high[k] >= -low[k] else low[k]
    if abs(value) > LARGE:
        column = X[:, [k]].toarray() if sp.issparse(X) else X[:, [k]]
        where = rows[int(np.flatnonzero(column == value)[0])]
        raise ValueError(
            f"Column {quote(names[k])} holds {value:g} in row {where}; numbers beyond {LARGE:g} are"
            " not used"
        )


def stored(X: sp.csr_array, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of the marked entries of a sparse matrix."""
    return np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))[which], X.indices[which]


def repeats(X, y: np.ndarray) -> Notes:
    """How many rows have the features of an earlier one, with its label or with the other; all of
    them stay.
    """
    _, first, group = np.unique(row_hashes(X), return_index=True, return_inverse=True)
    alike = y == y[first][group]
    same, other = int(alike.sum()) - len(first), int((~alike).sum())
    if not same + other:
        return ()
    return (
        (
            "Repeated rows",
            (
                f"{counted(same, 'row')} with the features and the class of an earlier one, "
                f"{counted(other, 'row')} with its features but the other class; all are kept."
            ),
        ),
    )


def row_hashes(X) -> np.ndarray:
    """A number for each row, by Python's hash of its bytes: 64 bits, which a million rows do not
    share by chance.
    """
    n, d = X.shape
    if sp.issparse(X):
        ends, wide = X.indptr.tolist(), X.indices.itemsize
        places, values = X.indices.tobytes(), X.data.tobytes()
        found = (
            hash((places[wide * a : wide * b], values[8 * a : 8 * b])) for a, b in pairwise(ends)
        )
    else:
        rows = np.add(X, 0.0, order="C").tobytes()  # makes -0 a 0
        found = (hash(rows[k : k + 8 * d]) for k in range(0, 8 * n * d, 8 * d))
    return np.fromiter(found, np.int64, n)
