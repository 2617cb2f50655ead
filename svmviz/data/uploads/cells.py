"""A column of cells, as they come in block by block: numbers for as long as that works, else text.

A cell that occurs again and again is looked at once in each block: small files that unpack to large
ones consist of such cells.
"""

import re
from collections.abc import Sequence

import numpy as np

from svmviz.data.uploads.table import numbers

THOUSANDS = re.compile(
    r"(?:\s*[+-]?[1-9]\d{0,2},\d{3}\s*\0)*+"
)  # 1,234: a thousand and more, or a decimal comma?
GLANCE = 100  # cells that tell whether cells repeat


class Column:
    """A column as numbers for as long as that works: with a decimal point or with a decimal comma,
    never both. Its texts are kept where cells repeat or the column is text already; if a number of
    other numbers came first, it must be read again.
    """

    def __init__(self, delimiter: str):
        self.delimiter, self.parts, self.texts = delimiter, [], []
        self.point = self.comma = self.decimal = self.failed = False

    def add(self, cells: Sequence[str]):
        names, codes = shortened(cells)
        found = None if self.failed else self.converted(names)
        if found is None or self.point and self.comma:
            self.failed, self.parts = True, []
        else:
            self.parts.append(found[codes])
        if self.texts is not None:
            self.texts.append((names, codes))
            if names is cells and not self.is_text:
                self.texts = None

    def converted(self, cells: Sequence[str]) -> np.ndarray | None:
        joined = "".join(cells)
        self.point |= "." in joined
        if "," not in joined:
            return numbers(cells)
        self.comma = True
        with_comma = [cell for cell in cells if "," in cell]
        self.decimal = self.decimal or not THOUSANDS.fullmatch("\0".join(with_comma) + "\0")
        return numbers([cell.replace(",", ".") for cell in cells])

    @property
    def is_text(self) -> bool:
        """Some cell is no number, or all could be thousands: where commas separate fields, "1,234"
        is no 1.234.
        """
        return self.failed or self.comma and not self.decimal and self.delimiter == ","

    @property
    def is_unread(self) -> bool:
        """It is text, and some of what came first was taken for numbers."""
        return self.is_text and self.texts is None

    @property
    def has_formulas(self) -> bool:
        return self.is_text and any(
            cell.lstrip().startswith("=") for cells, _ in self.texts or () for cell in cells
        )

    def values(self, pool: dict[str, str]) -> np.ndarray:
        """The numbers, or the texts without the space around them; equal cells are one object in
        memory.
        """
        if not self.is_text:
            return np.concatenate(self.parts)
        return np.concatenate(
            [np.array(pooled(names, pool), object)[codes] for names, codes in self.texts or ()]
        )


def shortened(cells: Sequence[str]) -> tuple[Sequence[str], np.ndarray | slice]:
    """The different cells and which of them stands where, if cells repeat; else all of them."""
    if len(set(cells[:GLANCE])) > GLANCE // 2:
        return cells, slice(None)
    names = list(set(cells))
    place = {name: k for k, name in enumerate(names)}
    return names, np.fromiter(map(place.__getitem__, cells), np.uint32, len(cells))


def pooled(cells: Sequence[str], pool: dict[str, str]) -> list[str]:
    bare = list(map(str.strip, cells))
    return list(map(pool.setdefault, bare, bare)) if len(set(bare[:GLANCE])) < GLANCE // 2 else bare
