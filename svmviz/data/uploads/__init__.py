"""A visitor's own file as a problem: bytes become a `Table`, a table and a few choices become an
`Upload`.

Everything is guessed from the content, never from the file's name: packing, encoding, format,
delimiter, decimal comma, header. Each guess and each thing that was done to the data ends up as a
sentence in `notes` or `report`, so that nothing happens behind the visitor's back. What cannot be
used is refused with a `ValueError` that names the row, the column or the value; no other exception
leaves `read` and `build`, whatever the bytes. Nothing is ever written to disk.

Rows are counted as a spreadsheet counts them: from 1, with the header and with blank rows.

>>> table = read(b"width;height;kind\\n1,5;2;cat\\n3;4,5;dog\\n")
>>> table.names, table.columns["height"], guess_label(table)
(('width', 'height', 'kind'), array([2. , 4.5]), 'kind')
>>> upload = build(table)
>>> upload.problem.X.tolist(), upload.problem.y.tolist(), upload.classes
([[1.5, 2.0], [3.0, 4.5]], [-1.0, 1.0], ('cat', 'dog'))
>>> read(b"x,y\\n1,2\\n3\\n")
Traceback (most recent call last):
...
ValueError: Row 3 has 1 field, but row 1 has 2; fields are separated by commas
"""

from svmviz.data.uploads import delimited, libsvm
from svmviz.data.uploads.advice import guess_label, no_features
from svmviz.data.uploads.numbers import build_regression, can_be_fitted
from svmviz.data.uploads.problem import CAP, MOST, SCALING, SEED, TEST_SHARE, Scale, Upload, build
from svmviz.data.uploads.table import (
    LIMITS,
    Limits,
    Progress,
    Table,
    class_counts,
    clean,
    counted,
    listed,
    quote,
)
from svmviz.data.uploads.unpack import to_text

__all__ = [
    "CAP",
    "LIMITS",
    "MOST",
    "SCALING",
    "SEED",
    "TEST_SHARE",
    "Limits",
    "Scale",
    "Table",
    "Upload",
    "build",
    "build_regression",
    "can_be_fitted",
    "class_counts",
    "clean",
    "guess_label",
    "listed",
    "no_features",
    "quote",
    "read",
]


def read(
    data: bytes,
    filename: str = "",
    limits: Limits = LIMITS,
    *,
    header: bool | None = None,
    progress: Progress = lambda doing, share: None,
) -> Table:
    """The table in a delimited or LIBSVM file, plain or packed; `header` overrules the guess about
    the first row.
    """
    text, encoding = to_text(data, limits, progress)
    if libsvm.looks_like(text):
        table = libsvm.parse(text, limits, progress)
    else:
        table = delimited.parse(text, header, limits, progress)
    name = f"{quote(filename)}, " if filename else ""
    return table._replace(
        notes=(("File", f"{name}{counted(len(data), 'byte')}, {encoding}."), *table.notes)
    )
