"""Delimited text as a table: numbers with a decimal point or a decimal comma become float64,
everything else stays text.

Rows are read in blocks, so that the cells of a large file never exist as strings all at once.
Columns that turn out to be text only after they were taken for numbers are fetched in a second
pass.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import itemgetter

import numpy as np

from svmviz.data.uploads.cells import Column, shortened
from svmviz.data.uploads.layout import (
    DELIMITERS,
    LINE,
    SAMPLE_ROWS,
    Layout,
    find_layout,
    is_number,
    trimmed,
)
from svmviz.data.uploads.table import (
    Limits,
    Progress,
    Table,
    counted,
    listed,
    missing,
    places,
    quote,
)

BLOCK, LEAST = (
    2**14,
    100,
)  # cells that exist as strings at a time, few enough for the processor's cache; rows at least
LONGEST_LINE = 2**20  # characters: more are no row of a table
SHARE = 0.7  # of the time that the first pass takes, if there is a second

Rows = list[list[str]]


def parse(text: str, header: bool | None, limits: Limits, progress: Progress) -> Table:
    layout, blanks = find_layout(text, header), []
    lines = refuse_many(text, layout, limits)
    blocks = read_blocks(
        text, layout, limits, blanks, lambda row: progress("Reading", SHARE * min(1.0, row / lines))
    )
    numbered, rows = next(blocks, ([], []))
    if not rows:
        raise ValueError("The file holds no values, only blank rows")
    names, renamed = unique_names(rows[0] if layout.header else [""] * len(rows[0]))
    columns = [Column(layout.delimiter) for _ in names]
    top = numbered[layout.header :], rows[layout.header :]
    parts = [fill(columns, *top)]
    for block in blocks:
        if all(
            column.failed for column in columns
        ):  # said before thousands of rows are read in vain
            shown = listed(
                range(len(names)), lambda k: f"{quote(names[k])} ({first_word(k, *top)})"
            )
            raise ValueError(f"No column can be a feature, for none is numeric: {shown}")
        parts.append(fill(columns, *block))
    numbered = np.concatenate(parts)
    if not len(numbered):
        raise ValueError(
            f"The file has names in its first row, {listed(names, quote)}, but no rows below them"
        )

    blocks = read_blocks(
        text,
        layout,
        limits,
        [],
        lambda row: progress("Reading", SHARE + (1 - SHARE) * min(1.0, row / lines)),
    )
    read_again([column if column.is_unread else None for column in columns], blocks, layout.header)
    commas = [
        name
        for name, column in zip(names, columns, strict=True)
        if column.comma and not column.is_text
    ]
    pool = {}
    found = {name: column.values(pool) for name, column in zip(names, columns, strict=True)}
    notes = [
        (
            "Layout",
            (
                f"Fields are separated by {DELIMITERS[layout.delimiter]}; "
                if len(names) > 1
                else "One field per row; "
            )
            + (
                "names stand in the first row."
                if layout.header
                else "there are no names, so columns have numbers."
            ),
        ),
        (
            "Size",
            (
                f"{counted(len(numbered), 'row')} and {counted(len(names), 'column')}, "
                f"{sum(not column.is_text for column in columns)} of them numeric."
            ),
        ),
    ]
    if blanks:
        notes.append(
            (
                "Blank rows",
                f"{counted(len(blanks), 'row')} without any value, left out: {places(blanks)}.",
            )
        )
    if commas:
        notes.append(
            (
                "Decimal comma",
                f"Numbers are written with a decimal comma in {listed(commas, quote)}.",
            )
        )
    if renamed:
        notes.append(("Names", f"Names that occur again got a number: {listed(renamed, quote)}."))
    notes += formulas(
        [name for name, column in zip(names, columns, strict=True) if column.has_formulas],
        found,
        numbered,
    )
    return Table("csv", tuple(names), found, None, numbered, tuple(notes))


def refuse_many(text: str, layout: Layout, limits: Limits) -> int:
    """How many lines there are. Without quotes each is a row, so that too many are refused before
    any is read.
    """
    lines = max(text.count("\n"), text.count("\r")) + (not text.endswith(("\n", "\r")))
    if lines - layout.above > limits.rows and '"' not in text:
        raise ValueError(f"The file has more than {limits.rows} rows, the most that are read")
    return lines


def read_blocks(
    text: str, layout: Layout, limits: Limits, blanks: list[int], told
) -> Iterator[tuple[Sequence[int], Rows]]:
    """(numbers, rows) of the rows that hold something, all of one length; numbers of the others go
    to `blanks`. The first block is not empty, and as short as what the layout was judged by; `told`
    hears how many rows were read.
    """
    check = Check(layout, limits, blanks)
    reader = csv.reader(
        map(check.narrow, map(re.Match.group, LINE.finditer(text))),
        delimiter=layout.delimiter,
        skipinitialspace=True,
        strict=True,
    )
    size, more = SAMPLE_ROWS, True
    while more:
        rows, fault = [], ""
        try:
            rows.extend(islice(reader, size))  # those before a fault stay
        except csv.Error as error:
            fault = complaint(str(error))
        more = len(rows) == size
        good = check.checked(rows)
        if fault:
            raise ValueError(f"Row {check.row + 1} {fault}")
        if good[1]:
            yield good
            size = max(LEAST, BLOCK // check.width)
        told(check.row)


class Check:
    """What must hold for every row: not too many of them, nor too many columns, all of one
    length.
    """

    def __init__(self, layout: Layout, limits: Limits, blanks: list[int]):
        self.layout, self.limits, self.blanks = layout, limits, blanks
        self.row = self.first = self.width = (
            0  # of the last row read, the first that holds something, and that one's length
        )

    def narrow(self, line: str) -> str:
        """The line, if it is no longer than a row can be: said before a million strings are made of
        it.
        """
        if len(line) > self.limits.columns:
            fields = line.count(self.layout.delimiter) + 1
            if fields > self.limits.columns and '"' not in line:
                raise csv.Error(f"has {fields} columns; at most {self.limits.columns} are read")
            if len(line) > LONGEST_LINE:
                raise csv.Error(f"has {len(line)} characters; at most {LONGEST_LINE} are read")
        return line

    def checked(self, rows: Rows) -> tuple[Sequence[int], Rows]:
        """Numbers and cells of the rows that hold something: of most blocks, of all rows."""
        last, limits = self.row + len(rows), self.limits
        if (
            self.width
            and set(map(len, rows)) == {self.width}
            and all(map(any, rows))
            and last - self.layout.above <= limits.rows
            and last * self.width <= limits.cells
        ):
            numbered, self.row = range(self.row + 1, last + 1), last
            return numbered, rows
        numbered, kept = [], []
        for cells in rows:
            row = self.row + 1
            if row - self.layout.above > limits.rows:
                raise ValueError(
                    f"The file has more than {limits.rows} rows, the most that are read"
                )
            if row > 1 or not self.layout.hint:
                if any(cells):
                    numbered.append(row)
                    kept.append(self.fitting(cells, row))
                else:
                    self.blanks.append(row)
            self.row = row
        return numbered, kept

    def fitting(self, cells: list[str], row: int) -> list[str]:
        """One row, if it has the length of the first."""
        limits, cells = self.limits, trimmed(cells, self.layout.delimiter, self.width)
        self.first, self.width = self.first or row, self.width or len(cells)
        if self.width > limits.columns:
            raise ValueError(
                f"Row {row} has {self.width} columns; at most {limits.columns} are read"
            )
        if len(cells) != self.width:
            raise ValueError(
                f"Row {row} has {counted(len(cells), 'field')}, but row {self.first} has"
                f" {self.width}; fields are separated by {DELIMITERS[self.layout.delimiter]}"
            )
        if row * self.width > limits.cells:
            raise ValueError(
                f"The file has {self.width} columns and {row} rows or more; "
                f"at most {limits.cells} cells are read"
            )
        return cells


def complaint(error: str) -> str:
    """What is wrong with a row, from the words of the csv module, or our own."""
    if error.startswith("has "):
        return error
    if "expected after" in error:
        return "has more text right behind a closing quote"
    if "field limit" in error:
        return (
            f"has a cell of more than {csv.field_size_limit()} characters, or a quote that is never"
            " closed"
        )
    return "opens a quote that is never closed"


def fill(columns: list[Column], numbered: Sequence[int], rows: Rows) -> np.ndarray:
    """Put these rows into the columns; returns their numbers."""
    for column, cells in zip(columns, zip(*rows, strict=True), strict=bool(rows)):
        column.add(cells)
    return np.array(numbered, np.int64)


def first_word(k: int, numbered: Sequence[int], rows: Rows) -> str:
    """The first cell of column k that is no number; the first of all where points and commas
    contradict each other.
    """
    words = (
        at for at, cells in enumerate(rows) if not is_number(cells[k]) and not missing(cells[k])
    )
    where = next(words, 0)
    return f"row {numbered[where]}: {quote(rows[where][k].strip())}"


def read_again(
    columns: list[Column | None], blocks: Iterator[tuple[Sequence[int], Rows]], header: bool
) -> None:
    """Fetch the texts of these columns."""
    above, late = int(header), {k: column for k, column in enumerate(columns) if column}
    texts = {k: [] for k in late}
    for k, column in late.items():
        column.texts = texts[k]
    for _, rows in blocks if late else ():
        for k in late:
            texts[k].append(shortened(list(map(itemgetter(k), rows[above:]))))
        above = 0


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


def formulas(
    names: list[str], columns: dict[str, np.ndarray], rows: np.ndarray
) -> Iterator[tuple[str, str]]:
    """A remark if cells hold formulas: only a spreadsheet could compute them."""
    for name in names[:1]:
        where = next(k for k, cell in enumerate(columns[name]) if cell.startswith("="))
        yield (
            "Formulas",
            (
                f"{quote(name)} holds formulas, which are text here: {quote(columns[name][where])}"
                f" in row {rows[where]}; save their values to use them."
            ),
        )
