"""LIBSVM text as a table: lines of `label index:value index:value ...` become a sparse matrix and its labels.

Indices count from 1, or from 0 if a 0 occurs anywhere. `# comments` and `qid:3` are read over.
"""

import re
from array import array
from itertools import islice

import numpy as np
import scipy.sparse as sp

from svmviz.uploads.layout import LINE, SAMPLE
from svmviz.uploads.table import Limits, Table, clean, counted, numbers, places, quote

PAIR = re.compile(r"(?:[+-]?\d+|qid):[^,;|]*", re.IGNORECASE)
SAMPLE_LINES = 20


def looks_like(text: str) -> bool:
    """Whether most of what follows the first word of each line is index:value."""
    start = (line.group().partition("#")[0].split() for line in LINE.finditer(text[:SAMPLE]))
    words = [word for line in islice(filter(None, start), SAMPLE_LINES) for word in line[1:]]
    return sum(PAIR.fullmatch(word) is not None for word in words) > len(words) / 2


def parse(text: str, limits: Limits) -> Table:
    labels, rows, blanks, queries = [], [], [], 0
    ends, index, values = array("q", [0]), array("q"), array("d")
    for row, match in enumerate(LINE.finditer(text), start=1):
        if row > limits.rows:
            raise ValueError(f"The file has more than {limits.rows} rows, the most that are read")
        content = match.group().partition("#")[0]
        if content.count(":") > limits.sparse_columns + 2:  # said before a million strings are made of it
            raise ValueError(f"Row {row} has {content.count(':')} index:value pairs; at most {limits.sparse_columns} are read")
        label, *pairs = content.split() or [""]
        if not label:
            blanks.append(row)
            continue
        if ":" in label:
            raise ValueError(f"Row {row} has no label: it begins with {quote(label)}")
        if pairs and pairs[0].lower().startswith("qid:"):
            del pairs[0]
            queries += 1
        if pairs:
            keys, numerals = split(pairs, row, limits)
            index.extend(keys)
            values.extend(numerals)
        if len(index) > limits.cells:
            raise ValueError(f"The file has more than {limits.cells} index:value pairs, the most that are read")
        labels.append(label)
        rows.append(row)
        ends.append(len(index))
    if not index:
        raise ValueError("The file holds labels and no index:value pair")
    return assembled(labels, np.array(rows), *(np.array(part) for part in (index, values, ends)), blanks, queries)


def split(pairs: list[str], row: int, limits: Limits) -> tuple[list[int], list[float]]:
    """Indices and values of one row."""
    try:
        keys, numerals = zip(*map(halves, pairs), strict=True)
        keys, numerals = list(map(int, keys)), list(map(float, numerals))
    except ValueError:
        raise ValueError(f"Row {row} holds {quote(next(filter(is_bad, pairs)))}, which is no index:value pair") from None
    if min(keys) < 0 or max(keys) > limits.sparse_columns:
        wrong = next(key for key in keys if not 0 <= key <= limits.sparse_columns)
        raise ValueError(f"Row {row} has index {clean(str(wrong))}; indices from 0 to {limits.sparse_columns} are read")
    return keys, numerals


def halves(pair: str) -> tuple[str, str]:
    key, value = pair.split(":")
    if "_" in pair:  # int would take 1_000 for a thousand
        raise ValueError
    return key, value


def is_bad(pair: str) -> bool:
    try:
        key, value = halves(pair)
        int(key), float(value)
    except ValueError:
        return True
    return False


def assembled(labels: list[str], rows, index, values, ends, blanks: list[int], queries: int) -> Table:
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
        ("Size", f"{counted(X.shape[0], 'row')} and {counted(X.shape[1], 'feature')}; "
                 f"{X.nnz / X.shape[0] / X.shape[1]:.2%} of the values are not zero."),
    ]
    if blanks:
        notes.append(("Blank rows", f"{counted(len(blanks), 'row')}, blank or a comment, left out: {places(blanks)}."))
    if unsorted:
        notes.append(("Order", "Indices were not in ascending order and have been sorted."))
    if queries:
        notes.append(("Queries", f"qid was read over in {counted(queries, 'row')}."))
    column = np.array(labels, object) if column is None else column
    return Table("libsvm", names, {"label": column}, X, rows, tuple(notes))


def refuse_repeats(X: sp.csr_array, rows: np.ndarray, base: int):
    """Complain about an index that occurs twice in a row: the sum, the first and the last would all be guesses."""
    owner = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    twice = np.flatnonzero((np.diff(X.indices) == 0) & (np.diff(owner) == 0))
    if twice.size:
        raise ValueError(f"Row {rows[owner[twice[0]]]} has index {X.indices[twice[0]] + base} twice")
