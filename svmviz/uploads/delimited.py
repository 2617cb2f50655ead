"""Delimited text as a table: commas, semicolons, tabs, bars or spaces, a header or none, a decimal point or a decimal comma.

The first 64 KB decide on the layout; then the rows are read twice. The first pass turns every column into numbers for as
long as that works, block by block, so that the cells of a large file never exist as strings all at once. The second pass
fetches the columns that turned out to be text.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from svmviz.uploads.table import Limits, Notes, Table, counted, listed, missing, numbers, places, quote

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
NUMBER = re.compile(r"[+-]?(?:(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-]?\d+)?|inf(?:inity)?)", re.IGNORECASE)
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")  # 1,234: a decimal comma or a thousand?
EXCEL_HINT = re.compile(r"sep=([,;\t| ])\r?\n", re.IGNORECASE)
SAMPLE, SAMPLE_ROWS = 2**16, 50  # characters and rows that decide on the layout
BLOCK = 2**17  # cells that exist as strings at a time


class Layout(NamedTuple):
    delimiter: str
    hint: bool  # the first row is Excel's "sep=;"
    header: bool

    @property
    def above(self) -> int:
        """Rows above the data."""
        return self.hint + self.header


def parse(text: str, header: bool | None, limits: Limits) -> Table:
    hint = EXCEL_HINT.match(text)
    start = hint.end() if hint else 0
    delimiter = hint[1] if hint else sniffed(text)
    first = sample(text[start:start + SAMPLE + 1], delimiter)
    layout = Layout(delimiter, bool(hint), has_names(first) if header is None else bool(header))

    blanks = []
    rows = filled(text, layout, limits, blanks)
    row, cells = next(rows, (0, None))
    if cells is None:
        raise ValueError("The file holds no values, only blank rows")
    width = len(cells)
    if layout.header:
        names, notes = unique_names(cells)
        row, cells = next(rows, (0, None))
        if cells is None:
            raise ValueError(f"The file has names in its first row ({listed(names, quote)}) and no rows below them")
    else:
        names, notes = [f"column {k}" for k in range(1, width + 1)], []
    numbered, columns = as_numbers(row, cells, rows, delimiter)
    columns = dict(zip(names, columns, strict=True))
    texts = [k for k, name in enumerate(names) if columns[name] is None]
    columns |= {names[k]: column for k, column in as_text(text, layout, limits, texts).items()}

    layout_note = f"Fields separated by {DELIMITERS[delimiter]}, " + (
        "with names in the first row." if layout.header else "without names: columns are called by their number.")
    size = (f"{counted(len(numbered), 'row')} and {counted(width, 'column')}, "
            f"{width - len(texts)} of them numeric.")
    return Table("csv", tuple(names), columns, None, numbered,
                 (("Layout", layout_note), ("Size", size), *notes, *remarks(names, columns, numbered, blanks)))


def sniffed(text: str) -> str:
    """The delimiter that gives rows of equal length, most of all of numbers."""
    def score(delimiter):
        rows = sample(text[:SAMPLE + 1], delimiter)
        lengths = [len(row) for row in rows]
        width = max(set(lengths), key=lambda length: (lengths.count(length), length), default=1)
        if width == 1:
            return 0.0, 1
        cells = [cell for row in rows for cell in row]
        share = sum(map(is_number, cells)) / len(cells)
        return lengths.count(width) / len(rows) * (0.05 + share), width  # 0.05: a text is better split than not

    return max(DELIMITERS, key=score)


def sample(text: str, delimiter: str) -> list[list[str]]:
    """The first rows of something that may be cut anywhere and be wrong in any way."""
    rows = [row for row in islice(csv.reader(lines(text, delimiter), delimiter=delimiter, skipinitialspace=True), SAMPLE_ROWS)
            if any(row)]
    return rows[:-1] if len(text) > SAMPLE and 1 < len(rows) < SAMPLE_ROWS else rows


def has_names(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row differs from those below: no number in it, or a text above numbers, or a number above texts."""
    if not rows:
        return False
    first, *rest = rows
    if not any(is_number(cell) or missing(cell) for cell in first):
        return True
    for cell, column in zip(first, zip(*rest, strict=False), strict=False):
        known = [is_number(below) for below in column if not missing(below)]
        if not missing(cell) and known and (all(known) if not is_number(cell) else not any(known) and len(known) > 1):
            return True
    return False


def is_number(cell: str) -> bool:
    return NUMBER.fullmatch(cell.strip()) is not None


def lines(text: str, delimiter: str) -> Iterator[str]:
    found = (match.group() for match in LINE.finditer(text))
    if delimiter == " ":  # spaces at the end of a line would be one more field
        return (line.rstrip() + "\n" for line in found)
    return found


def filled(text: str, layout: Layout, limits: Limits, blanks: list[int]) -> Iterator[tuple[int, list[str]]]:
    """(number, cells) of each row that holds something; all of one length. Numbers of the others go to `blanks`."""
    def narrow(line):  # before a million fields are made of it
        fields = line.count(layout.delimiter) + 1
        if fields > limits.columns and '"' not in line:
            raise ValueError(f"Row {row + 1} has {fields} columns; at most {limits.columns} are read")
        return line

    row, first, width = 0, 0, 0
    source = csv.reader(map(narrow, lines(text, layout.delimiter)), delimiter=layout.delimiter, skipinitialspace=True,
                        strict=True)
    try:
        for row, cells in enumerate(source, start=1):
            if row - layout.above > limits.rows:
                raise ValueError(f"The file has more than {limits.rows} rows, the most that is read")
            if row == 1 and layout.hint:
                continue
            if not any(cells):
                blanks.append(row)
                continue
            if not first:
                first, width = row, len(cells)
                if width > limits.columns:
                    raise ValueError(f"Row {row} has {width} columns; at most {limits.columns} are read")
            elif len(cells) != width:
                raise ValueError(f"Row {row} has {counted(len(cells), 'field')}, but row {first} has {width}; "
                                 f"fields are separated by {DELIMITERS[layout.delimiter]}")
            elif row * width > limits.cells:
                raise ValueError(f"The file has more than {limits.cells} cells ({width} columns and at least {row} rows), "
                                 "the most that is read")
            yield row, cells
    except csv.Error as error:
        if "expected after" in str(error):
            raise ValueError(f"Row {row + 1} has more text behind a closing quote") from None
        if "limit" in str(error):
            raise ValueError(f"Row {row + 1} has a cell of more than {csv.field_size_limit()} characters, or a quote that "
                             "is never closed") from None
        raise ValueError(f"Row {row + 1} opens a quote that is never closed") from None


class Numbers:
    """A column as numbers for as long as that works: with a decimal point or a decimal comma, never both."""

    def __init__(self, delimiter: str):
        self.delimiter, self.parts, self.point, self.comma, self.decimal = delimiter, [], False, False, False

    def add(self, cells: Sequence[str]):
        if self.parts is None:
            return
        joined = "".join(cells)
        self.point |= "." in joined
        if "," in joined:
            self.comma = True
            self.decimal |= any(not THOUSANDS.fullmatch(cell.strip()) for cell in cells if "," in cell)
            cells = [cell.replace(",", ".") for cell in cells]
        part = None if self.point and self.comma else numbers(cells)
        self.parts = None if part is None else [*self.parts, part]

    def column(self) -> np.ndarray | None:
        thousands = self.comma and not self.decimal and self.delimiter == ","  # "1,234" in English, not 1.234
        return None if self.parts is None or thousands else np.concatenate(self.parts)
