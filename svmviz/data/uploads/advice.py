"""What a visitor most likely wants, judged by the content: which column is the label, which ones
are no features, whether the numbers should be scaled. All of it is said in the report, and every
choice overrules it.
"""

from collections import Counter

import numpy as np
import scipy.sparse as sp

from svmviz.data.uploads.table import (
    LIMITS,
    Limits,
    Notes,
    Table,
    counted,
    distinct,
    distinct_cells,
    label_codes,
    listed,
    missing,
    quote,
)

LABEL_NAMES = (
    "label",
    "labels",
    "class",
    "target",
    "diagnosis",
    "species",
    "outcome",
    "survived",
    "category",
    "result",
    "y",
)
FEW = 10  # values: a column with more of them hardly holds classes
LAST, FIRST, TEXT, UNLIKE = (
    2.5,
    1.0,
    1.0,
    2.0,
)  # what speaks for a label: its place, words, values that others do not have
GLANCE = 1000  # rows that often show already that a column has more of them
SUSPICIOUS = (
    10  # rows: with fewer, a column 1, 2, 3 or one that goes with the classes may be anything
)
REACH, APART = (
    10.0,
    10.0,
)  # values beyond it, or one feature that spans so many times what another does, call for scaling


def guess_label(table: Table, limits: Limits = LIMITS) -> str:
    """The column that most likely holds the classes: by its name, else by its values and its place,
    else by its place.
    """
    if table.kind == "libsvm":
        return table.names[0]
    lower = {name.lower(): name for name in reversed(table.names)}
    for name in LABEL_NAMES[: -1 if "x" in lower else None]:  # beside an x, y is a coordinate
        if name in lower and 2 <= distinct(table.columns[lower[name]]) <= limits.labels:
            return lower[name]
    few = {
        name: values for name in table.names[::-1] if (values := few_values(table.columns[name]))
    }
    if few:
        crowd, many = Counter(few.values()).most_common(1)[0]
        crowd = crowd if many > 1 else None
        return max(
            few, key=lambda name: evidence(table, name, few[name], crowd)
        )  # of equals the one furthest to the right
    backwards = table.names[::-1]
    return next((name for name in backwards if table.columns[name].dtype == object), backwards[0])


def few_values(column: np.ndarray) -> frozenset | None:
    """The different values of a column that may hold classes; numbers of which none occurs twice
    are measurements.
    """
    if distinct(column[:GLANCE]) > FEW:
        return None
    if column.dtype == object:
        found = {cell for cell in distinct_cells(column) if not missing(cell)}
        return frozenset(found) if 2 <= len(found) <= FEW else None
    found = np.unique(column[np.isfinite(column)])
    return frozenset(found.tolist()) if 2 <= found.size <= min(FEW, len(column) - 1) else None


def evidence(table: Table, name: str, values: frozenset, crowd: frozenset | None) -> float:
    """What speaks for a column: it is the last or the first, holds words, or has other values than
    a crowd of columns.
    """
    return (
        LAST * (name == table.names[-1])
        + FIRST * (name == table.names[0])
        + TEXT * (table.columns[name].dtype == object)
        + UNLIKE * (values != crowd)
    )


def row_numbers(table: Table, names: list[str]) -> list[str]:
    """Columns that only count the rows: in a file that is sorted by class they alone tell the
    classes apart.
    """
    if table.matrix is not None or len(table.rows) < SUSPICIOUS:
        return []
    steps = np.arange(len(table.rows))
    return [
        name
        for name in names
        if np.array_equal(table.columns[name], table.columns[name][0] + steps)
    ]


def copies(table: Table, label: str, names: list[str]) -> list[str]:
    """Numeric columns that say the same as the label in other numbers: whoever has them need not
    learn anything.
    """
    if table.matrix is not None or len(table.rows) < SUSPICIOUS:
        return []
    classes, codes = label_codes(table, label)
    if len(classes) > LIMITS.labels:  # numbers, not classes
        return []
    there = codes >= 0
    codes = codes[there]
    first = np.array(
        [int(np.argmax(codes == k)) for k in range(len(classes))]
    )  # a row of each class
    found = []
    for name in names:
        column = table.columns[name][there]
        values = column[first]
        if (
            np.isfinite(values).all()
            and np.unique(values).size == len(classes)
            and np.array_equal(column, values[codes])
        ):
            found.append(name)
    return found


def no_features(table: Table, label: str) -> dict[str, list[str]]:
    """Columns to be left out, by what they are; none if nothing that varies would be left."""
    names = [name for name in table.numeric if name != label]
    found = {
        "row numbers": row_numbers(table, names),
        "copies of the label": copies(table, label, names),
    }
    out = {name for columns in found.values() for name in columns}
    left = out and any(varies(table.columns[name]) for name in names if name not in out)
    return {kind: columns for kind, columns in found.items() if columns} if left else {}


def varies(column: np.ndarray) -> bool:
    """Whether it has two different finite values."""
    finite = column[np.isfinite(column)]
    return bool(finite.size and finite.min() < finite.max())


def bounds(X) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest finite value of each column, (d,) each; low > high where there is none."""
    if not sp.issparse(X):
        finite = np.isfinite(X)
        if finite.all():
            return X.min(axis=0, initial=np.inf), X.max(axis=0, initial=-np.inf)
        return np.where(finite, X, np.inf).min(axis=0), np.where(finite, X, -np.inf).max(axis=0)
    low, high = np.full(X.shape[1], np.inf), np.full(X.shape[1], -np.inf)
    finite = np.isfinite(X.data)
    np.minimum.at(low, X.indices[finite], X.data[finite])
    np.maximum.at(high, X.indices[finite], X.data[finite])
    zeros = (
        np.bincount(X.indices, minlength=X.shape[1]) < X.shape[0]
    )  # columns with a value that is not stored
    return np.where(zeros, np.minimum(low, 0), low), np.where(zeros, np.maximum(high, 0), high)


def scaling(X, names: list[str]) -> tuple[str, Notes]:
    """Which scaling the numbers call for, and why. Of sparse data, whose rare features are small,
    only size counts.
    """
    low, high = bounds(X)
    reach, span = np.maximum(-low, high), high - low
    far, wide, narrow = int(reach.argmax()), int(span.argmax()), int(span.argmin())
    if reach[far] > REACH:
        why = f"{quote(names[far])} reaches {high[far] if high[far] >= -low[far] else low[far]:.4g}"
    elif not sp.issparse(X) and span[wide] > APART * span[narrow]:
        why = (
            f"{quote(names[wide])} spans {span[wide]:.4g} and {quote(names[narrow])} only"
            f" {span[narrow]:.4g}"
        )
    else:
        return "none", ()
    return "standardise", (
        ("Scales", f"{why}, so features are standardised unless you choose otherwise."),
    )


def said(kind: str, columns: list[str]) -> tuple[str, str]:
    return (
        kind.capitalize(),
        (
            f"{counted(len(columns), 'column')} left out, for they are {kind}:"
            f" {listed(columns, quote)}."
        ),
    )
