"""A column of cells, as they come in block by block: numbers for as long as that works, else text.

A cell that occurs again and again is looked at once in each block: small files that unpack to large ones consist of such cells.
"""

import re
from collections.abc import Sequence

import numpy as np

from svmviz.uploads.table import numbers

THOUSANDS = re.compile(r"(?:\s*[+-]?[1-9]\d{0,2},\d{3}\s*\0)*+")  # 1,234: a thousand and more, or a decimal comma?
GLANCE = 100  # cells that tell whether cells repeat


class Column:
    """A column as numbers for as long as that works: with a decimal point or with a decimal comma, never both. If the first
    block already has a word in it, or what may be thousands, its texts are kept from there on; if a later one is the first
    that has, the column must be read again."""

    def __init__(self, delimiter: str, pool: dict[str, str]):
        self.delimiter, self.pool, self.parts, self.texts = delimiter, pool, [], None
        self.point = self.comma = self.decimal = self.failed = False

    def add(self, cells: Sequence[str], first: bool = False):
        if not self.failed:
            self.add_numbers(cells)
        if first or not self.is_text:
            self.texts = [] if self.is_text else None
        if self.texts is not None:
            self.texts += stripped(cells, self.pool)

    def add_numbers(self, cells: Sequence[str]):
        few = list(set(cells)) if len(set(cells[:GLANCE])) <= GLANCE // 2 else cells
        found = self.converted(few)
        if found is None or self.point and self.comma:
            self.failed, self.parts = True, []
            return
        if few is not cells:
            value = dict(zip(few, found.tolist(), strict=True))
            found = np.fromiter(map(value.__getitem__, cells), np.float64, len(cells))
        self.parts.append(found)

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
        """Some cell is no number, or all could be thousands: where commas separate fields, "1,234" is no 1.234."""
        return self.failed or self.comma and not self.decimal and self.delimiter == ","

    @property
    def is_unread(self) -> bool:
        """It is text, and what came first was taken for numbers."""
        return self.is_text and self.texts is None

    def values(self) -> np.ndarray:
        return np.array(self.texts, object) if self.is_text else np.concatenate(self.parts)


def stripped(cells: Sequence[str], pool: dict[str, str]) -> list[str]:
    """Without the space around them; equal cells are one object in memory."""
    bare = list(map(str.strip, cells))
    return list(map(pool.setdefault, bare, bare))
