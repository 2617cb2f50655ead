"""LIBSVM text as a table: lines of `label index:value index:value ...` become a sparse matrix and
its labels.

Indices count from 1, or from 0 if a 0 occurs anywhere. `# comments` and `qid:3` are read over.
"""

import re
from collections.abc import Iterator
from itertools import islice, repeat
from typing import NoReturn

import numpy as np
import scipy.sparse as sp

from svmviz.data.uploads.layout import LINE, SAMPLE
from svmviz.data.uploads.table import (
    Limits,
    Progress,
    Table,
    clean,
    counted,
    numbers,
    places,
    quote,
)

PAIR = re.compile(r"(?:[+-]?\d+|qid):[^,;|]*", re.IGNORECASE)
SAMPLE_LINES = 20
BLOCK = 2**17  # characters that are read at a time, few enough for the processor's cache


def looks_like(text: str) -> bool:
    """Whether most of what follows the first word of each line is index:value."""
    start = (line.group().partition("#")[0].split() for line in LINE.finditer(text[:SAMPLE]))
    words = [word for line in islice(filter(None, start), SAMPLE_LINES) for word in line[1:]]
    return sum(PAIR.fullmatch(word) is not None for word in words) > len(words) / 2


def parse(text: str, limits: Limits, progress: Progress) -> Table:
    lines, labels, rows, blanks, queries = text.count("\n") + 1, [], [], [], 0
    pairs = Pairs(limits)
    try:
        for row, label, rest in contents(text, limits):
            if not label:
                blanks.append(row)
                continue
            if rest[:4].lower() == "qid:":
                rest = "".join(rest.split(None, 1)[1:])
                queries += 1
            labels.append(label)
            rows.append(row)
            if pairs.add(row, rest):
                progress("Reading", min(1.0, row / lines))
    finally:
        pairs.read()  # so that what is wrong further up is said first
    if not pairs.ends[-1]:
        raise ValueError("The file holds labels and no index:value pair")
    index, values = (np.concatenate(part) for part in (pairs.index, pairs.values))
    return assembled(labels, np.array(rows), index, values, np.array(pairs.ends), blanks, queries)


def contents(text: str, limits: Limits) -> Iterator[tuple[int, str, str]]:
    """Number, label and what follows it of each row; a row that is blank or a comment has no
    label.
    """
    for row, line in enumerate(map(re.Match.group, LINE.finditer(text)), start=1):
        if row > limits.rows:
            raise ValueError(f"The file has more than {limits.rows} rows, the most that are read")
        content = line.partition("#")[0]
        if (
            content.count(":") > limits.sparse_columns + 2
        ):  # said before a million strings are made of it
            raise ValueError(
                f"Row {row} has {content.count(':')} index:value pairs; at most"
                f" {limits.sparse_columns} are read"
            )
        label, rest = (*content.split(None, 1), "", "")[:2]
        if ":" in label:
            raise ValueError(f"Row {row} has no label: it begins with {quote(label)}")
        yield row, label, rest


class Pairs:
    """Indices and values, read from many rows at a time."""

    def __init__(self, limits: Limits):
        self.limits, self.index, self.values, self.ends = limits, [], [], [0]
        self.rows: list[int] = []  # what has not been read yet
        self.texts: list[str] = []
        self.size = 0

    def add(self, row: int, text: str) -> bool:
        """Take in one row; says whether it was time to read."""
        self.ends.append(self.ends[-1] + text.count(":"))
        self.rows.append(row)
        self.texts.append(text)
        self.size += len(text)
        if self.ends[-1] > self.limits.cells:
            raise ValueError(
                f"The file has more than {self.limits.cells} index:value pairs, the most that are"
                " read"
            )
        full = self.size > BLOCK
        if full:
            self.read()
        return full

    def read(self) -> None:
        rows, texts, limits = self.rows, self.texts, self.limits
        self.rows, self.texts, self.size = [], [], 0
        pairs = " ".join(texts).split()
        found = set(pairs)
        few = (
            list(found) if 2 * len(found) < len(pairs) else pairs
        )  # those that occur again and again are read once
        keys, values = split(few)
        if (
            keys is None
            or values is None
            or len(keys)
            and not 0 <= keys.min() <= keys.max() <= limits.sparse_columns
        ):
            refuse(rows, texts, limits)
        if few is not pairs:
            place = {pair: k for k, pair in enumerate(few)}
            order = np.fromiter(map(place.__getitem__, pairs), np.int64, len(pairs))
            keys, values = keys[order], values[order]
        self.index.append(keys)
        self.values.append(values)


def split(pairs: list[str]) -> tuple[np.ndarray, np.ndarray] | tuple[None, None]:
    """Indices and values, if all pairs are such."""
    joined = ":".join(pairs)
    if not set(map(str.count, pairs, repeat(":"))) <= {1} or not plain(joined):
        return None, None
    halves = joined.split(":") if pairs else []
    try:
        return np.array(list(map(int, halves[::2])), np.int64), np.array(
            list(map(float, halves[1::2])), np.float64
        )
    except (ValueError, OverflowError):
        return None, None


def refuse(rows: list[int], texts: list[str], limits: Limits) -> NoReturn:
    """Say where the first pair stands that cannot be read."""
    for row, text in zip(rows, texts, strict=True):
        pairs = text.split()
        bad = next(filter(is_bad, pairs), None)
        if bad is not None:
            raise ValueError(f"Row {row} holds {quote(bad)}, which is no index:value pair")
        wrong = next(
            (
                key
                for key in map(int, (pair.partition(":")[0] for pair in pairs))
                if not 0 <= key <= limits.sparse_columns
            ),
            None,
        )
        if wrong is not None:
            raise ValueError(
                f"Row {row} has index {clean(str(wrong))}; indices from 0 to"
                f" {limits.sparse_columns} are read"
            )
    raise AssertionError("all pairs can be read")


def plain(text: str) -> bool:
    """Whether numbers in it are written as everywhere: int would take 1_000 for a thousand, and
    digits of any script.
    """
    return text.isascii() and "_" not in text


def is_bad(pair: str) -> bool:
    try:
        key, value = pair.split(":")
        _ = int(key), float(value)
    except ValueError:
        return True
    return not plain(pair)


def assembled(
    labels: list[str], rows, index, values, ends, blanks: list[int], queries: int
) -> Table:
    base = 0 if (index == 0).any() else 1
    X = sp.csr_array((values, index - base, ends), shape=(len(rows), int(index.max()) + 1 - base))
    unsorted = not X.has_sorted_indices
    X.sort_indices()
    refuse_repeats(X, rows, base)
    X.eliminate_zeros()
    column = numbers(labels)
    names = ("label", *map(str, range(base, X.shape[1] + base)))
    notes = [
        ("Layout", f"LIBSVM text; indices count from {base}."),
        (
            "Size",
            (
                f"{counted(X.shape[0], 'row')} and {counted(X.shape[1], 'feature')}; "
                f"{X.nnz / X.shape[0] / X.shape[1]:.2%} of the values are not zero."
            ),
        ),
    ]
    if blanks:
        notes.append(
            (
                "Blank rows",
                f"{counted(len(blanks), 'row')}, blank or a comment, left out: {places(blanks)}.",
            )
        )
    if unsorted:
        notes.append(("Order", "Indices were not in ascending order and have been sorted."))
    if queries:
        notes.append(("Queries", f"qid was read over in {counted(queries, 'row')}."))
    column = np.array(labels, object) if column is None else column
    return Table("libsvm", names, {"label": column}, X, rows, tuple(notes))


def refuse_repeats(X: sp.csr_array, rows: np.ndarray, base: int):
    """Complain about an index that occurs twice in a row: the sum, the first and the last would all
    be guesses.
    """
    owner = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    twice = np.flatnonzero((np.diff(X.indices) == 0) & (np.diff(owner) == 0))
    if twice.size:
        raise ValueError(
            f"Row {rows[owner[twice[0]]]} has index {X.indices[twice[0]] + base} twice"
        )
