"""How a delimited text is laid out, judged by its beginning: which delimiter, and whether the first
row holds names.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from svmviz.data.uploads.table import missing

DELIMITERS = {  # a comma comes last, for it may be a decimal comma: 1,5;cat
    "\t": "tabs",
    ";": "semicolons",
    "|": "bars",
    " ": "spaces",
    ",": "commas",
}
LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n)|[^\r\n]++")
NUMBER = re.compile(
    r"[+-]?(?:(?:\d+(?:\.\d*|,\d+)?|[.,]\d+)(?:e[+-]?\d+)?|inf(?:inity)?)", re.IGNORECASE
)
EXCEL_HINT = re.compile(r"sep=([,;\t| ])\r?\n", re.IGNORECASE)
SAMPLE, SAMPLE_ROWS = 2**16, 50  # characters and rows that are looked at


class Layout(NamedTuple):
    delimiter: str
    hint: bool  # the first row is Excel's "sep=;"
    header: bool

    @property
    def above(self) -> int:
        """Rows above the data."""
        return self.hint + self.header


def find_layout(text: str, header: bool | None) -> Layout:
    """The layout of the text; `header` overrules the guess about names."""
    hint = EXCEL_HINT.match(text)
    begin = hint.end() if hint else 0
    start = text[begin : begin + SAMPLE + 1]
    delimiter = hint[1] if hint else max(DELIMITERS, key=lambda candidate: score(start, candidate))
    return Layout(
        delimiter,
        bool(hint),
        has_names(sample(start, delimiter)) if header is None else bool(header),
    )


def score(start: str, delimiter: str) -> tuple[float, float, int]:
    """Good is a delimiter that gives rows of equal length, most of all of numbers."""
    rows = sample(start, delimiter)
    if not rows:  # nothing but this delimiter
        return 1.0, 0.0, 0
    lengths = [len(row) for row in rows]
    width = max(set(lengths), key=lambda length: (lengths.count(length), length))
    if width == 1:
        return 0.0, 0.0, 1
    cells = [cell for row in rows for cell in row]
    numeric, equal = sum(map(is_number, cells)) / len(cells), lengths.count(width) / len(rows)
    words = (
        equal if not numeric and delimiter != " " else 0.0
    )  # a space between words is hardly a delimiter
    return numeric * equal, words, width


def sample(start: str, delimiter: str) -> list[list[str]]:
    """The first rows of something that may be cut anywhere and be wrong in any way."""
    reader = csv.reader(lines(start), delimiter=delimiter, skipinitialspace=True)
    rows = [row for row in islice(reader, SAMPLE_ROWS) if any(row)]
    width = len(trimmed(rows[0], delimiter, 0)) if rows else 0
    rows = [trimmed(row, delimiter, width) for row in rows]
    return rows[:-1] if len(start) > SAMPLE and len(rows) > 1 else rows  # the last one is cut off


def has_names(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row differs from those below: no number in it, or a text above numbers, or
    a number above texts.
    """
    if not rows:
        return False
    first, *rest = rows
    if not any(is_number(cell) or missing(cell) for cell in first):
        return True
    for cell, column in zip(
        first, zip(*rest, strict=False), strict=False
    ):  # lengths are judged later
        below = [is_number(other) for other in column if not missing(other)]
        if missing(cell) or not below:
            continue
        if all(below) if not is_number(cell) else len(below) > 1 and not any(below):
            return True
    return False


def is_number(cell: str) -> bool:
    return NUMBER.fullmatch(cell.strip()) is not None


def lines(text: str) -> Iterator[str]:
    """Line by line with its end, whichever that is; Python's own splitlines would also split at a
    form feed.
    """
    return (match.group() for match in LINE.finditer(text))


def trimmed(cells: list[str], delimiter: str, width: int) -> list[str]:
    """Without the empty field that spaces at the end of a line make, unless there should be one."""
    return cells[:-1] if delimiter == " " and len(cells) != width and not cells[-1] else cells
