"""Delimited text as a table: numbers with a decimal point or a decimal comma become float64, everything else stays text.

The rows are read twice. The first pass turns every column into numbers for as long as that works, block by block, so that
the cells of a large file never exist as strings all at once. The second pass fetches the columns that turned out to be
text.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice

import numpy as np

from svmviz.uploads.layout import DELIMITERS, Layout, find_layout, lines, trimmed
from svmviz.uploads.table import Limits, Table, counted, listed, numbers, places, quote

THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")  # 1,234: a thousand and more, or a decimal comma?
BLOCK = 2**17  # cells that exist as strings at a time
LONGEST_LINE = 2**20  # characters: more are no row of a table


def parse(text: str, header: bool | None, limits: Limits) -> Table:
    layout = find_layout(text, header)
    blanks = []
    rows = filled(text, layout, limits, blanks)
    _, first = top = next(rows, (0, []))
    if not first:
        raise ValueError("The file holds no values, only blank rows")
    names, renamed = unique_names(first if layout.header else [""] * len(first))
    columns = [Numbers(layout.delimiter) for _ in names]
    numbered = fill(columns, rows if layout.header else chain([top], rows))
    if not len(numbered):
        raise ValueError(f"The file has names in its first row, {listed(names, quote)}, but no rows below them")

    values = [column.values() for column in columns]
    texts = texts_of(text, layout, limits, [k for k, column in enumerate(values) if column is None])
    commas = [name for name, column in zip(names, columns, strict=True) if column.comma and not column.is_text]
    found = {name: texts.get(k, values[k]) for k, name in enumerate(names)}
    notes = [
        ("Layout", (f"Fields are separated by {DELIMITERS[layout.delimiter]}; " if len(names) > 1 else "One field per row; ")
         + ("names stand in the first row." if layout.header else "there are no names, so columns have numbers.")),
        ("Size", f"{counted(len(numbered), 'row')} and {counted(len(names), 'column')}, "
                 f"{len(names) - len(texts)} of them numeric."),
    ]
    if blanks:
        notes.append(("Blank rows", f"{counted(len(blanks), 'row')} without any value, left out: {places(blanks)}."))
    if commas:
        notes.append(("Decimal comma", f"Numbers are written with a decimal comma in {listed(commas, quote)}."))
    if renamed:
        notes.append(("Names", f"Names that occur again got a number: {listed(renamed, quote)}."))
    notes += formulas(found, numbered)
    return Table("csv", tuple(names), found, None, numbered, tuple(notes))


def filled(text: str, layout: Layout, limits: Limits, blanks: list[int]) -> Iterator[tuple[int, list[str]]]:
    """(number, cells) of each row that holds something, all of one length; numbers of the other rows go to `blanks`."""
    row = first = width = 0

    def narrow(line: str) -> str:
        fields = line.count(layout.delimiter) + 1
        if fields > limits.columns and '"' not in line:  # said before a million strings are made of it
            raise ValueError(f"Row {row + 1} has {fields} columns; at most {limits.columns} are read")
        if len(line) > LONGEST_LINE:
            raise ValueError(f"Row {row + 1} has {len(line)} characters; at most {LONGEST_LINE} are read")
        return line

    reader = csv.reader(map(narrow, lines(text)), delimiter=layout.delimiter, skipinitialspace=True,
                        strict=True)
    try:
        for row, cells in enumerate(reader, start=1):
            if row - layout.above > limits.rows:
                raise ValueError(f"The file has more than {limits.rows} rows, the most that are read")
            if row == 1 and layout.hint:
                continue
            if not any(cells):
                blanks.append(row)
                continue
            cells = trimmed(cells, layout.delimiter, width)
            first, width = first or row, width or len(cells)
            if width > limits.columns:
                raise ValueError(f"Row {row} has {width} columns; at most {limits.columns} are read")
            if len(cells) != width:
                raise ValueError(f"Row {row} has {counted(len(cells), 'field')}, but row {first} has {width}; "
                                 f"fields are separated by {DELIMITERS[layout.delimiter]}")
            if row * width > limits.cells:
                raise ValueError(f"The file has {width} columns and {row} rows or more; "
                                 f"at most {limits.cells} cells are read")
            yield row, cells
    except csv.Error as error:
        raise ValueError(f"Row {row + 1} {complaint(str(error))}") from None


def complaint(error: str) -> str:
    """What is wrong with a row, from the words of the csv module."""
    if "expected after" in error:
        return "has more text right behind a closing quote"
    if "field limit" in error:
        return f"has a cell of more than {csv.field_size_limit()} characters, or a quote that is never closed"
    return "opens a quote that is never closed"


class Numbers:
    """A column as numbers for as long as that works: with a decimal point or with a decimal comma, never both."""

    def __init__(self, delimiter: str):
        self.delimiter, self.parts = delimiter, []
        self.point = self.comma = self.decimal = self.failed = False

    def add(self, cells: Sequence[str]):
        if self.failed:
            return
        joined = "".join(cells)
        self.point |= "." in joined
        if "," in joined:
            self.comma = True
            self.decimal |= any(not THOUSANDS.fullmatch(cell.strip()) for cell in cells if "," in cell)
            cells = [cell.replace(",", ".") for cell in cells]
        self.parts.append(numbers(cells))
        if self.parts[-1] is None or self.point and self.comma:
            self.failed, self.parts = True, []

    @property
    def is_text(self) -> bool:
        """Some cell is no number, or all could be thousands: where commas separate fields, "1,234" is no 1.234."""
        return self.failed or self.comma and not self.decimal and self.delimiter == ","

    def values(self) -> np.ndarray | None:
        return None if self.is_text else np.concatenate(self.parts)


def fill(columns: list[Numbers], rows: Iterator[tuple[int, list[str]]]) -> np.ndarray:
    """Put all rows into the columns; returns the numbers of the rows."""
    numbered = []
    while block := list(islice(rows, max(1, BLOCK // len(columns)))):
        numbered.extend(row for row, _ in block)
        for column, cells in zip(columns, zip(*(cells for _, cells in block), strict=True), strict=True):
            column.add(cells)
    return np.array(numbered, np.int64)


def texts_of(text: str, layout: Layout, limits: Limits, which: list[int]) -> dict[int, np.ndarray]:
    """The columns of these numbers as text, without the space around it; equal cells are one object in memory."""
    found, pool = {k: [] for k in which}, {}
    for _, cells in islice(filled(text, layout, limits, []), layout.header, None) if which else ():
        for k, column in found.items():
            cell = cells[k].strip()
            column.append(pool.setdefault(cell, cell))
    return {k: np.array(column, object) for k, column in found.items()}


def unique_names(cells: Sequence[str]) -> tuple[list[str], list[str]]:
    """A name for each column, and those that had to be invented because a name occurs twice.

    >>> unique_names(["x", "", "x", "x (2)"])
    (['x', 'column 2', 'x (2)', 'x (2) (2)'], ['x (2)', 'x (2) (2)'])
    """
    names, seen, renamed = {}, Counter(), []
    for k, cell in enumerate(cells, start=1):
        name = base = cell.strip() or f"column {k}"
        while name in names:
            seen[base] += 1
            name = f"{base} ({seen[base] + 1})"
        if name != base:
            renamed.append(name)
        names[name] = k
    return list(names), renamed


def formulas(columns: dict[str, np.ndarray], rows: np.ndarray) -> Iterator[tuple[str, str]]:
    """A remark if cells hold formulas: only a spreadsheet could compute them."""
    for name, column in columns.items():
        where = next((k for k, cell in enumerate(column) if cell.startswith("=")), None) if column.dtype == object else None
        if where is not None:
            yield "Formulas", (f"{quote(name)} holds formulas, which are text here: {quote(column[where])} in row "
                               f"{rows[where]}; save their values to use them.")
            return
