"""What was read from a file, what may be read at most, and how the visitor's own words are
shown.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

MISSING = frozenset(
    ("", "?", "na", "n/a", "#n/a", "nan", "null")
)  # "none" may well be a class, so it is none of these
NUMERIC = frozenset("0123456789+-.")  # first characters of numbers, and of nothing that is missing
SHOWN = 5  # names, rows or classes that a sentence lists before it says "and 12 more"
LONGEST = 40  # characters of the visitor's text in one of our sentences

Progress = Callable[[str, float], None]  # hears what is being done, and which share of it is done
Notes = tuple[tuple[str, str], ...]  # (title, sentence) pairs of plain text, to be shown as a table


class Limits(NamedTuple):
    """What one file may cost the server; whatever is refused for its size is refused with the limit
    in the sentence.
    """

    packed: int = 32 * 2**20  # bytes as uploaded
    unpacked: int = 64 * 2**20  # bytes
    rows: int = 1_000_000
    columns: int = 5_000  # of a delimited file, which becomes a dense matrix
    sparse_columns: int = 200_000  # of a LIBSVM file
    cells: int = 10_000_000  # rows times columns, or index:value pairs: what counts in memory
    labels: int = 50  # different values of the label


LIMITS = Limits()


class Table(NamedTuple):
    """The content of a file, nothing dropped but blank rows."""

    kind: str  # "csv", that is, delimited in any way, or "libsvm"
    names: tuple[str, ...]  # of all columns, no two alike; of LIBSVM: "label", then the indices
    columns: dict[
        str, np.ndarray
    ]  # float64 with NaN for what is missing, or str objects; of LIBSVM: only the label
    matrix: sp.csr_array | None  # of LIBSVM: the features, names[1:]
    rows: np.ndarray  # (n,) where each row stands in the file
    notes: Notes  # what was found

    @property
    def numeric(self) -> tuple[str, ...]:
        """Names of the columns that can be features."""
        return tuple(
            name
            for name in self.names
            if name not in self.columns or self.columns[name].dtype != object
        )

    def head(self, count: int = 8) -> dict[str, list]:
        """The first rows, column by column, for a preview; the features of LIBSVM as they are
        written.
        """
        shown = {name: column[:count].tolist() for name, column in self.columns.items()}
        if self.matrix is not None:
            parts = [self.matrix[[k]] for k in range(min(count, len(self.rows)))]
            shown["features"] = [
                " ".join(
                    f"{self.names[1 + j]}:{v:g}"
                    for j, v in zip(part.indices, part.data, strict=True)
                )
                for part in parts
            ]
        return shown


def numbers(cells: Sequence[str]) -> np.ndarray | None:
    """The cells as numbers, NaN for what is missing; None if some cell is neither.

    >>> numbers(["1", " 2.5 ", "n/a"]), numbers(["1", "two"])
    (array([1. , 2.5, nan]), None)
    """
    if "_" in "".join(cells):  # float would take 1_000 for a thousand
        return None
    try:
        return np.array(list(map(float, cells)))
    except ValueError:
        gaps = {cell: "nan" for cell in set(cells) if cell[:1] not in NUMERIC and missing(cell)}
    try:
        return np.array(list(map(float, map(gaps.get, cells, cells))))
    except ValueError:
        return None


def missing(cell: str) -> bool:
    return cell.strip().lower() in MISSING


def label_codes(table: Table, label: str) -> tuple[list[str], np.ndarray]:
    """The classes as text, in order, and for each row the number of its class, -1 where it has
    none.
    """
    column = table.columns[label]
    if column.dtype == object:
        found = distinct_cells(column)
        classes = sorted(cell for cell in found if not missing(cell))
        place = dict.fromkeys(found, -1) | {text: k for k, text in enumerate(classes)}
        return classes, np.fromiter(map(place.__getitem__, column.tolist()), np.int64, len(column))
    known = np.isfinite(column)
    values, index = np.unique(column[known], return_inverse=True)
    codes = np.full(len(column), -1)
    codes[known] = index
    return [number_text(value) for value in values.tolist()], codes


def class_counts(table: Table, label: str) -> dict[str, int]:
    """How many rows each class has: the choices for `positive`."""
    classes, codes = label_codes(table, label)
    return dict(
        zip(classes, np.bincount(codes[codes >= 0], minlength=len(classes)).tolist(), strict=True)
    )


def distinct_cells(column: np.ndarray) -> set[str]:
    """The different cells of a text column."""
    return set(column.tolist())


def distinct(column: np.ndarray) -> int:
    if column.dtype == object:
        return sum(not missing(cell) for cell in distinct_cells(column))
    return np.unique(column[np.isfinite(column)]).size


def number_text(value: float) -> str:
    """A number as a class is called: 1 and not 1.0, 0 and not -0, but every digit of 0.1."""
    return f"{value + 0.0:.0f}" if value == round(value) and abs(value) < 1e15 else repr(value)


def clean(text: str) -> str:
    """The visitor's text as we show it: short, on one line, nothing in it that could hide or
    reorder what follows.

    >>> clean("a\\nb"), clean("x" * 50)
    ('a�b', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…')
    """
    shown = "".join(
        ch if ch.isprintable() else "\N{REPLACEMENT CHARACTER}" for ch in text[: LONGEST + 1]
    )
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"


def quote(text: str) -> str:
    return f"'{clean(text)}'"


def listed(items: Iterable, show: Callable[[Any], str] = str) -> str:
    """The first few, and how many more there are.

    >>> listed(["a", "b"], quote), listed(range(5)), listed(range(8))
    ("'a' and 'b'", '0, 1, 2, 3 and 4', '0, 1, 2, 3, 4 and 3 more')
    """
    items = list(items)
    shown = [show(item) for item in items[:SHOWN]]
    if len(items) > SHOWN:
        return f"{', '.join(shown)} and {len(items) - SHOWN} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def counted(count: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(2, "row")
    ('1 row', '2 rows')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def places(rows: Iterable[int]) -> str:
    """Where in the file: row 7, or rows 7, 9 and 12."""
    rows = list(rows)
    return f"row{'' if len(rows) == 1 else 's'} {listed(rows)}"
