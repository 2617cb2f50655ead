"""A visitor's file: a table of good and bad ones, round trips, memory, and ten thousand files that
nobody would upload.
"""

import bz2
import csv
import gzip
import io
import json
import lzma
import pickle
import subprocess
import sys
import tomllib
import tracemalloc
import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from svmviz.data import uploads
from svmviz.data.uploads import LIMITS, build, class_counts, guess_label, read
from tests.tools.cases import together
from tests.tools.rotation import at_times

PLAIN = b"x,z,kind\n1,2,cat\n3,4.5,dog\n"
POINTS = [[1.0, 2.0], [3.0, 4.5]]


class Good(NamedTuple):
    about: str
    data: bytes
    X: list = POINTS
    y: tuple = (-1, 1)
    facts: tuple = ()  # each must stand in the report
    options: dict = {}
    names: tuple | None = None
    classes: tuple = ("cat", "dog")


def zipped(name: str) -> bytes:
    """A ZIP archive that holds one file of that name."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(name, "content")
    return target.getvalue()


GOOD = [
    # delimiters, ends of lines, quotes
    Good(
        "commas and a header",
        PLAIN,
        names=("x", "z"),
        facts=(
            "27 bytes, UTF-8 text.",
            "Fields are separated by commas; names stand in the first row.",
            "2 rows and 3 columns, 2 of them numeric.",
            "'kind': 'dog' is +1, 'cat' is -1.",
            "In the file: 'cat' 1 and 'dog' 1.",
            "2 rows, 1 of +1 and 1 of -1; 2 features: 'x' and 'z'.",
            "None: the numbers are those of the file.",
        ),
    ),
    Good("semicolons", PLAIN.replace(b",", b";"), facts=("separated by semicolons",)),
    Good("tabs", PLAIN.replace(b",", b"\t"), facts=("separated by tabs",)),
    Good("bars", PLAIN.replace(b",", b"|"), facts=("separated by bars",)),
    Good("spaces", PLAIN.replace(b",", b" "), facts=("separated by spaces",)),
    Good(
        "columns set with spaces, also at the ends of lines",
        b"  1.0   2.0  cat  \n  3.0   4.5  dog\n",
        names=("column 1", "column 2"),
        facts=("separated by spaces; there are no names, so columns have numbers.",),
    ),
    Good(
        "spaces, where an empty field in quotes is one",
        b'1 2 cat\n3 4.5 dog \n7 8 ""\n',
        facts=("1 row, left out: row 3.",),
    ),
    Good(
        "a space behind each comma",
        PLAIN.replace(b",", b", "),
        names=("x", "z"),
        facts=("separated by commas",),
    ),
    Good(
        "no header",
        b"1,2,cat\n3,4.5,dog\n",
        names=("column 1", "column 2"),
        facts=("there are no names",),
    ),
    Good("no end of line at the end", PLAIN[:-1]),
    Good(
        "ends of lines as in Windows",
        PLAIN.replace(b"\n", b"\r\n"),
        facts=("2 rows and 3 columns",),
    ),
    Good(
        "ends of lines as on an old Macintosh",
        PLAIN.replace(b"\n", b"\r"),
        facts=("2 rows and 3 columns",),
    ),
    Good("everything in quotes", b'"x","z","kind"\n"1","2","cat"\n"3","4.5","dog"\n'),
    Good(
        "a delimiter in quotes",
        b'x,z,kind\n1,2,"cat, small"\n3,4.5,dog\n',
        classes=("cat, small", "dog"),
    ),
    Good(
        "an end of line in quotes",
        b'x,z,kind\n1,2,"ca\nt"\n3,4.5,dog\n',
        classes=("ca\N{REPLACEMENT CHARACTER}t", "dog"),
        facts=("In the file: 'ca\N{REPLACEMENT CHARACTER}t' 1 and 'dog' 1.",),
    ),
    Good(
        "a doubled quote",
        b'x,z,kind\n1,2,"the ""cat"""\n3,4.5,zebra\n',
        classes=('the "cat"', "zebra"),
    ),
    Good(
        "a quote inside a word",
        b'x,z,kind\n1,2,5" pipe\n3,4.5,6" pipe\n',
        classes=('5" pipe', '6" pipe'),
    ),
    Good(
        "Excel's hint about the delimiter",
        b"sep=;\r\nx;z;kind\r\n1;2;cat\r\n3;4,5;dog\r\n",
        names=("x", "z"),
        facts=("separated by semicolons; names stand",),
    ),
    Good(
        "blank rows and rows of delimiters only",
        b"x,z,kind\n\n1,2,cat\n,,\n   \n3,4.5,dog\n\n",
        facts=("4 rows without any value, left out: rows 2, 4, 5 and 7.",),
    ),
    Good(
        "a column that is always empty, from a delimiter at the end",
        b"x,z,kind,\n1,2,cat,\n3,4.5,dog,\n",
        facts=("Columns that do not vary, so left out: 'column 4' (no value).",),
    ),
    # numbers
    Good(
        "a decimal comma between semicolons",
        b"x;z;kind\n1,0;2;cat\n3;4,5;dog\n",
        facts=("Numbers are written with a decimal comma in 'x' and 'z'.",),
    ),
    Good(
        "a decimal comma between tabs",
        b"1,0\t2,0\tcat\n3,0\t4,5\tdog\n",
        facts=("decimal comma in 'column 1' and 'column 2'",),
    ),
    Good(
        "a decimal comma between spaces, one feature",
        b"1,5 cat\n2,5 dog\n",
        [[1.5], [2.5]],
        facts=("separated by spaces",),
    ),
    Good(
        "a decimal comma between semicolons, one feature",
        b"1,5;cat\n2,5;dog\n",
        [[1.5], [2.5]],
        facts=("separated by semicolons",),
    ),
    Good(
        "a decimal comma in quotes between commas",
        b'x,z,kind\n"1,0","2,0",cat\n"3,0","4,5",dog\n',
        facts=("decimal comma in 'x' and 'z'",),
    ),
    Good(
        "thousands in quotes between commas are no decimals",
        b'x,z,kind\n1,"1,234",cat\n3,"5,678 ",dog\n',
        [[1], [3]],
        facts=("Not numeric, so left out: 'z' (row 2: '1,234').",),
    ),
    Good(
        "a decimal comma beside a decimal point is neither",
        b"x;z;kind\n1;1,5;cat\n3;2.5;dog\n",
        [[1], [3]],
        facts=("Not numeric, so left out: 'z' (row 2: '1,5').",),
    ),
    Good(
        "dates beside a decimal comma are text",
        b"x;day;kind\n1,5;12.05.2020;cat\n3;13.05.2020;dog\n",
        [[1.5], [3]],
        facts=("Not numeric, so left out: 'day' (row 2: '12.05.2020').",),
    ),
    Good("every way to write a number", b"x,z,kind\n1e0,+2,cat\n.3e1,4.50,dog\n"),
    Good(
        "an underscore makes a text",
        b"x,z,kind\n1,1_0,cat\n3,2_0,dog\n",
        [[1], [3]],
        facts=("'z' (row 2: '1_0')",),
    ),
    Good(
        "digits are kept",
        b"x,kind\n0.1,cat\n123456789.123456789,dog\n",
        [[0.1], [123456789.123456789]],
        options={"scaling": "none"},
    ),
    Good(
        "formulas are text",
        b"x,z,sum,kind\n1,2,=A2+B2,cat\n3,4.5,=A3+B3,dog\n",
        facts=(
            (
                "'sum' holds formulas, which are text here: '=A2+B2' in row 2; save their values to"
                " use them."
            ),
            "Not numeric, so left out: 'sum' (row 2: '=A2+B2').",
        ),
    ),
    Good(
        "one wrong cell makes a text, and is named",
        b"x,z,w,kind\n1,2,7,cat\n3,4.5,oops,dog\n",
        facts=("Not numeric, so left out: 'w' (row 3: 'oops').",),
    ),
    Good(
        "1e99 is not too large",
        b"x,kind\n1e99,cat\n-1e99,dog\n",
        [[1e99], [-1e99]],
        options={"scaling": "none"},
    ),
    # gaps
    Good(
        "gaps of every kind",
        b"x,z,kind\n1,2,cat\n,1,cat\n1,NA,dog\n1,n/a,dog\n1,?,cat\n1,NaN,cat\n1,null,cat\n1,inf,cat\n"
        b"3,4.5,dog\n",
        facts=(
            (
                "7 of 9 rows left out for missing or infinite values, most of them in 'z': "
                "rows 3, 4, 5, 6, 7 and 2 more."
            ),
        ),
    ),
    Good(
        "a number too large for a float is infinite",
        b"x,z,kind\n1,2,cat\n1e400,1,cat\n3,4.5,dog\n",
        facts=("1 of 3 rows left out for missing or infinite values, most of them in 'x': row 3.",),
    ),
    Good(
        "rows without a label",
        b"x,z,kind\n1,2,cat\n9,9,\n9,9,?\n3,4.5,dog\n",
        facts=("2 rows, left out: rows 3 and 4.",),
    ),
    Good(
        "a column of gaps does not cost the rows",
        b"x,z,w,kind\n1,2,NA,cat\n3,4.5,,dog\n",
        facts=("so left out: 'w' (no value).",),
    ),
    Good(
        "constant columns",
        b"x,z,w,v,kind\n1,2,7,,cat\n3,4.5,7,5,dog\n3,4.5,7,5,dog\n",
        [*POINTS, POINTS[1]],
        (-1, 1, 1),
        facts=("Columns that do not vary, so left out: 'w' (always 7) and 'v' (always 5).",),
    ),
    Good(
        "a column that is constant once rows with gaps are gone",
        b"x,z,w,kind\n1,2,7,cat\n,5,8,dog\n3,4.5,7,dog\n",
        facts=("1 of 3 rows left out", "so left out: 'w' (always 7)."),
    ),
    Good(
        "repeated and contradictory rows are counted and kept",
        b"x,kind\n1,cat\n1,cat\n1,dog\n-0,cat\n0,cat\n",
        [[1], [1], [1], [-0.0], [0]],
        (-1, -1, 1, -1, -1),
        (
            (
                "2 rows with the features and the class of an earlier one, 1 row with its features"
                " but the other class; all are kept."
            ),
        ),
    ),
    Good(
        "row numbers are pointed out",
        b"id,x,kind\n"
        + b"".join(b"%d,%d,%s\n" % (k, k % 3, b"cat" if k < 14 else b"dog") for k in range(5, 20)),
        [[k, k % 3] for k in range(5, 20)],
        (-1,) * 9 + (1,) * 6,
        facts=("These features only count the rows, so think of leaving them out: 'id'.",),
        options={"skip": (), "scaling": "none"},
    ),
    # names
    Good(
        "names that occur again",
        b"x,x,kind\n1,2,cat\n3,4.5,dog\n",
        names=("x", "x (2)"),
        facts=("Names that occur again got a number: 'x (2)'.",),
    ),
    Good("a column without a name", b",z,kind\n1,2,cat\n3,4.5,dog\n", names=("column 1", "z")),
    Good(
        "numbers for names",
        b"0,1,2\n1,2,cat\n3,4.5,dog\n",
        names=("0", "1"),
        facts=("names stand in the first row",),
    ),
    Good(
        "a number above a single word is no name",
        b"1,2\n3,cat\n",
        [[1], [3]],
        classes=("2", "cat"),
        names=("column 1",),
    ),
    Good(
        "markup is text like any other",
        b"<script>alert(1)</script>,z,kind\n1,2,<b>\n3,4.5,dog\n",
        classes=("<b>", "dog"),
        names=("<script>alert(1)</script>", "z"),
        facts=("features: '<script>alert(1)</script>' and 'z'.",),
    ),
    Good(
        "right to left",
        "אורך,z,kind\n1,2,חתול\n3,4.5,כלב\n".encode(),
        names=("אורך", "z"),
        classes=("חתול", "כלב"),
    ),
    Good(
        "marks that turn the direction are taken out of sentences",
        "\u202egnol\u202c,z,kind\n1,2,cat\n3,4.5,dog\n".encode(),
        names=("\u202egnol\u202c", "z"),
        facts=("features: '\N{REPLACEMENT CHARACTER}gnol\N{REPLACEMENT CHARACTER}' and 'z'.",),
    ),
    Good(
        "a long name is shortened in sentences only",
        b"%s,z,kind\n1,2,cat\n3,4.5,dog\n" % (b"n" * 900),
        names=("n" * 900, "z"),
        facts=(f"'{'n' * 39}…' and 'z'.",),
    ),
    # encodings and packings
    Good(
        "a mark of UTF-8",
        "\ufeffx,z,kind\n1,2,cat\n3,4.5,dög\n".encode(),
        names=("x", "z"),
        classes=("cat", "dög"),
    ),
    Good(
        "UTF-16",
        "x,z,kind\n1,2,cat\n3,4.5,dög\n".encode("utf-16"),
        classes=("cat", "dög"),
        facts=("UTF-16 text.",),
    ),
    Good(
        "UTF-16, the large end first",
        b"\xfe\xff" + PLAIN.decode().encode("utf-16-be"),
        facts=("UTF-16 text.",),
    ),
    Good(
        "Latin-1",
        "x,z,kind\n1,2,cat\n3,4.5,dög\n".encode("latin-1"),
        classes=("cat", "dög"),
        facts=("Latin-1 text.",),
    ),
    Good(
        "the euro sign of Windows",
        b"x,z,kind\n1,2,cat\n3,4.5,\x80\n",
        classes=("cat", "€"),
        facts=("Latin-1 text.",),
    ),
    Good(
        "packed with gzip", gzip.compress(PLAIN, mtime=0), facts=("UTF-8 text packed with gzip.",)
    ),
    Good("packed with gzip in two parts", gzip.compress(PLAIN[:11]) + gzip.compress(PLAIN[11:])),
    Good("packed with bzip2", bz2.compress(PLAIN), facts=("packed with bzip2.",)),
    Good("packed with xz", lzma.compress(PLAIN), facts=("packed with xz.",)),
    Good(
        "a column that is called like bzip2",
        b"BZh,z,kind\n1,2,cat\n3,4.5,dog\n",
        names=("BZh", "z"),
    ),
    Good(
        "a column that is called like Parquet",
        b"PAR1,z,kind\n1,2,cat\n3,4.5,dog\n",
        names=("PAR1", "z"),
    ),
    # labels and choices
    Good("labels 0 and 1", b"x,z,y\n1,2,0\n3,4.5,1\n", options={"label": "y"}, classes=("0", "1")),
    Good("labels -1 and +1", b"1,2,-1\n3,4.5,+1\n", classes=("-1", "1")),
    Good(
        "labels 1.0 and 2.0",
        b"1,2,1.0\n3,4.5,2.0\n",
        classes=("1", "2"),
        facts=("'2' is +1, '1' is -1.",),
    ),
    Good("yes and no", b"1,2,no\n3,4.5,yes\n", classes=("no", "yes")),
    Good(
        "a space around a label does not make another",
        b"x,z,kind\n1,2,cat \n3,4.5, dog\n1,2,cat\n",
        [*POINTS, POINTS[0]],
        (-1, 1, -1),
    ),
    Good(
        "the label that was chosen",
        b"kind,x,z,other\ncat,1,2,a\ndog,3,4.5,b\n",
        options={"label": "kind"},
        names=("x", "z"),
    ),
    Good(
        "the class that was chosen",
        PLAIN,
        y=(1, -1),
        options={"positive": " cat "},
        classes=("dog", "cat"),
        facts=("'cat' is +1, 'dog' is -1.",),
    ),
    Good(
        "a class that is a number, however it is written",
        b"1,2,0.0\n3,4.5,1\n",
        y=(1, -1),
        options={"positive": "+0"},
        classes=("1", "0"),
    ),
    Good(
        "one class against the rest",
        b"x,kind\n1,a\n2,b\n3,c\n4,b\n",
        [[1], [2], [3], [4]],
        (-1, 1, -1, 1),
        ("'b' is +1, the other 2 classes are -1.", "In the file: 'a' 1, 'b' 2 and 'c' 1."),
        {"positive": "b"},
        classes=("not b", "b"),
    ),
    Good(
        "without a choice, the class that sorts last",
        b"x,kind\n1,c\n2,b\n3,a\n",
        [[1], [2], [3]],
        (1, -1, -1),
        classes=("not c", "c"),
    ),
    Good(
        "the features that were chosen, in that order",
        b"a,b,c,kind\n0,2,1,cat\n5,4.5,3,dog\n",
        names=("c", "b"),
        options={"features": ["c", "b"]},
    ),
    Good(
        "a feature that was not chosen may be as wrong as it likes",
        b"x,z,w,kind\n1,2,1e300,cat\n3,4.5,,dog\n",
        options={"features": ("x", "z")},
    ),
    # LIBSVM
    Good(
        "LIBSVM",
        b"-1 1:1 2:2\n+1 1:3 2:4.5\n",
        names=("1", "2"),
        classes=("-1", "1"),
        facts=(
            "LIBSVM text; indices count from 1.",
            "2 rows and 2 features; 100.00% of the values are not zero.",
        ),
    ),
    Good(
        "LIBSVM with a 0",
        b"a 0:1 1:2\nb 0:3 1:4.5\n",
        names=("0", "1"),
        classes=("a", "b"),
        facts=("indices count from 0.",),
    ),
    Good(
        "LIBSVM with a single 0 far down",
        b"a 2:1\nb 1:3 2:4\na 0:5\n",
        [[0, 0, 1], [0, 3, 4], [5, 0, 0]],
        (-1, 1, -1),
        names=("0", "1", "2"),
        classes=("a", "b"),
        facts=("indices count from 0.",),
    ),
    Good(
        "LIBSVM with comments, blank lines and queries",
        b"# made by hand\n1 qid:1 1:1 2:2 # first\n\n2 qid:1 1:3 2:4.5\n",
        classes=("1", "2"),
        facts=(
            "2 rows, blank or a comment, left out: rows 1 and 3.",
            "qid was read over in 2 rows.",
        ),
    ),
    Good(
        "LIBSVM out of order",
        b"1 2:2 1:1\n2 1:3 2:4.5\n",
        classes=("1", "2"),
        facts=("Indices were not in ascending order and have been sorted.",),
    ),
    Good(
        "LIBSVM with a row of zeros and a column of zeros",
        b"1 1:1 3:2\n2\n",
        [[1, 2], [0, 0]],
        names=("1", "3"),
        classes=("1", "2"),
        facts=("Columns that do not vary, so left out: '2' (always 0).",),
    ),
    Good(
        "LIBSVM with a constant column that has no zeros",
        b"1 1:7 2:1 3:2\n2 1:7 2:3 3:4.5\n",
        names=("2", "3"),
        classes=("1", "2"),
        facts=("so left out: '1' (always 7).",),
    ),
    Good(
        "LIBSVM between tabs, packed",
        gzip.compress(b"1\t1:1\t2:2\n2\t1:3\t2:4.5\n"),
        classes=("1", "2"),
    ),
    Good(
        "LIBSVM with gaps",
        b"1 1:1 2:2\n1 1:nan\n2 2:inf\n2 1:3 2:4.5\n",
        classes=("1", "2"),
        facts=(
            (
                "2 of 4 rows left out for missing or infinite values, most of them in '1': rows 2"
                " and 3."
            ),
        ),
    ),
    Good(
        "LIBSVM with chosen features",
        b"1 1:7 2:2 3:1\n2 1:8 2:4.5 3:3\n",
        options={"features": ["3", "2"]},
        names=("3", "2"),
        classes=("1", "2"),
    ),
    Good(
        "LIBSVM with repeated rows",
        b"1 1:1 2:2\n2 2:4.5 1:3\n2 1:3 2:4.5\n",
        [*POINTS, POINTS[1]],
        (-1, 1, 1),
        classes=("1", "2"),
        facts=("1 row with the features and the class of an earlier one, 0 rows",),
    ),
    Good(
        "times of day are no LIBSVM",
        b"1 10:30 cat\n3 11:45 dog\n",
        [[1], [3]],
        facts=("'column 2' (row 1: '10:30')",),
    ),
    # scaling
    Good(
        "standardised",
        b"x,z,kind\n1,10,cat\n3,30,dog\n",
        [[-1, -1], [1, 1]],
        options={"scaling": "standardise"},
        facts=(
            (
                "Each feature less its mean, divided by its standard deviation, measured on the"
                " training rows: 'x' 2 ± 1 and 'z' 20 ± 10."
            ),
        ),
    ),
    Good(
        "in the unit ball",
        b"x,z,kind\n3,4,cat\n0,1,dog\n",
        [[0.6, 0.8], [0, 0.2]],
        options={"scaling": "unit ball"},
        facts=("All features divided by 5, the length of the longest training row.",),
    ),
    Good(
        "sparse data are divided only",
        b"1 1:2\n2 2:6\n",
        [[2, 0], [0, 2]],
        options={"scaling": "standardise"},
        facts=(
            (
                "Each feature divided by its standard deviation, nothing subtracted so that zeros"
                " stay zeros, measured on the training rows: '1' 1 and '2' 3."
            ),
        ),
        classes=("1", "2"),
    ),
    Good(
        "sparse data in the unit ball",
        b"1 1:3 2:4\n2 2:1\n",
        [[0.6, 0.8], [0, 0.2]],
        options={"scaling": "unit ball"},
        classes=("1", "2"),
    ),
    Good(
        "a spread too small to divide by",
        b"x,z,kind\n1e-300,2,cat\n3e-300,4,dog\n",
        [[0, -1], [0, 1]],
        options={"scaling": "standardise"},
        facts=("Not divided, for there they do not vary: 'x'.",),
    ),
]


class Bad(NamedTuple):
    about: str
    data: bytes
    sentence: str  # all of it
    options: dict = {}
    limits: dict = {}


BINARY = "The file holds binary data"
NOT_TEXT = "The file is {}, not a table in plain text; save it as CSV and upload that".format
BAD = [
    # no table at all
    Bad("nothing", b"", "The file is empty"),
    Bad("space only", b" \n\t\r\n", "The file is empty"),
    Bad("only a mark of UTF-8", b"\xef\xbb\xbf", "The file is empty"),
    Bad("nothing, packed", gzip.compress(b""), "The file is empty"),
    Bad("delimiters only", b";;\n;;\n", "The file holds no values, only blank rows"),
    Bad(
        "a header only",
        b"x,z,kind\n",
        "The file has names in its first row, 'x', 'z' and 'kind', but no rows below them",
    ),
    Bad(
        "a header only, with spaces in names",
        b"petal length,petal width,kind of iris\n",
        "The file has names in its first row, 'petal length', 'petal width' and 'kind of iris', but"
        " no rows below them",
    ),
    Bad(
        "a header only, between spaces",
        b"x z kind\n",
        "The file has names in its first row, 'x', 'z' and 'kind', but no rows below them",
    ),
    Bad("an Excel workbook", zipped("xl/workbook.xml"), NOT_TEXT("an Excel workbook")),
    Bad(
        "an old Excel workbook",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        NOT_TEXT("an old Excel workbook"),
    ),
    Bad("a NumPy archive", zipped("x.npy"), NOT_TEXT("a NumPy archive")),
    Bad("a ZIP archive", zipped("data.csv"), NOT_TEXT("a ZIP archive")),
    Bad("a PDF", b"%PDF-1.7\n1,2\n", NOT_TEXT("a PDF document")),
    Bad("a PNG", b"\x89PNG\r\n\x1a\n\0\0", NOT_TEXT("a PNG picture")),
    Bad("Parquet", b"PAR1\x15\0\0PAR1", NOT_TEXT("a Parquet file")),
    Bad("HDF5", b"\x89HDF\r\n\x1a\n\0", NOT_TEXT("an HDF5 file")),
    Bad("a pickle", pickle.dumps([1, 2]), NOT_TEXT("a Python pickle")),
    Bad("a pickle, packed", gzip.compress(pickle.dumps([1, 2])), NOT_TEXT("a Python pickle")),
    Bad("a web page", b"<!DOCTYPE html>\n<html></html>", NOT_TEXT("a web page")),
    Bad("JSON", b'[{"x": 1}]', NOT_TEXT("a JSON file")),
    Bad("a Weka file", b"@relation pets\n@data\n1,cat\n", NOT_TEXT("a Weka file")),
    Bad("NUL bytes", b"x,z\n1,\0\n", BINARY + " (a NUL in place 7), not text; save it as CSV"),
    Bad(
        "bytes that are no text",
        b"x,z\n1,\x81\n",
        BINARY + " (byte 7 is 0x81), not text; save it as CSV in UTF-8",
    ),
    Bad(
        "half a character of UTF-16",
        PLAIN.decode().encode("utf-16")[:-1],
        "The file is marked as UTF-16, but byte 55 does not fit; save it as CSV in UTF-8",
    ),
    Bad(
        "a mark of UTF-8 that is wrong",
        b"\xef\xbb\xbfx,z\n1,\xff\n",
        "The file is marked as UTF-8, but byte 7 does not fit; save it as CSV in UTF-8",
    ),
    # packing
    Bad(
        "gzip that ends early",
        gzip.compress(PLAIN)[:-9],
        "The gzip file ends too early, after 0 unpacked bytes; upload it again",
    ),
    Bad(
        "bzip2 that ends early",
        bz2.compress(PLAIN)[:-9],
        "The bzip2 file ends too early, after 0 unpacked bytes; upload it again",
    ),
    Bad(
        "xz that ends early",
        lzma.compress(PLAIN)[:-9],
        "The xz file ends too early, after 0 unpacked bytes; upload it again",
    ),
    Bad(
        "gzip with a wrong check sum",
        gzip.compress(PLAIN)[:-8] + bytes(8),
        "The gzip file is damaged after 0 unpacked bytes; upload it again",
    ),
    Bad(
        "gzip with junk inside",
        b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x07" + b"junk" * 9,
        "The gzip file is damaged after 0 unpacked bytes; upload it again",
    ),
    Bad(
        "packed twice",
        gzip.compress(bz2.compress(PLAIN)),
        "The file is packed twice, bzip2 inside gzip; unpack it once and upload that",
    ),
    # limits
    Bad(
        "too many bytes",
        b"1" * (LIMITS.packed + 1),
        "The file has 33554433 bytes; at most 33554432 (32 MB) are read",
    ),
    Bad(
        "too many bytes inside",
        gzip.compress(b"1,2\n" * 1000),
        "The gzip file unpacks to more than 0.00292969 MB, the most that is read",
        limits={"unpacked": 3072},
    ),
    Bad(
        "too many rows",
        b"1,2\n" * 11,
        "The file has more than 10 rows, the most that are read",
        limits={"rows": 10},
    ),
    Bad(
        "too many rows below a header",
        b"x,z\n" + b"1,2\n" * 11,
        "The file has more than 10 rows, the most that are read",
        limits={"rows": 10},
    ),
    Bad(
        "too many rows of LIBSVM",
        b"1 1:2\n" * 11,
        "The file has more than 10 rows, the most that are read",
        limits={"rows": 10},
    ),
    Bad(
        "a million columns",
        b"1," * 999_999 + b"1",
        "Row 1 has 1000000 columns; at most 5000 are read",
    ),
    Bad(
        "many columns in quotes",
        b'"1",' * 5000 + b"1",
        "Row 1 has 5001 columns; at most 5000 are read",
    ),
    Bad(
        "a very long row",
        b'"",' + b"1" * 2**20,
        "Row 1 has 1048579 characters; at most 1048576 are read",
    ),
    Bad(
        "too many cells",
        b"1,2\n" * 8,
        "The file has 2 columns and 6 rows or more; at most 10 cells are read",
        limits={"cells": 10},
    ),
    Bad(
        "too many pairs of LIBSVM",
        b"1 1:2 2:3\n" * 8,
        "The file has more than 10 index:value pairs, the most that are read",
        limits={"cells": 10},
    ),
    Bad(
        "too many pairs in one row of LIBSVM",
        b"1 1:1\n1" + b" 1:2" * 9,
        "Row 2 has 9 index:value pairs; at most 5 are read",
        limits={"sparse_columns": 5},
    ),
    Bad(
        "a label of 5000 values",
        b"x,label\n" + b"".join(b"%d,%d\n" % (k % 7, k) for k in range(5000)),
        "Column 'label' holds 5000 different values; a label has at most 50",
        {"label": "label"},
    ),
    # rows and quotes
    Bad(
        "a short row",
        b"x,z,kind\n1,2,cat\n3,4\n",
        "Row 3 has 2 fields, but row 1 has 3; fields are separated by commas",
    ),
    Bad(
        "a long row, behind a blank one",
        b"x;z\n\n1;2\n3;4;5\n",
        "Row 4 has 3 fields, but row 1 has 2; fields are separated by semicolons",
    ),
    Bad(
        "a quote that is never closed",
        b'x,z,kind\n1,2,cat\n3,4,"dog\n5,6,cat\n',
        "Row 3 opens a quote that is never closed",
    ),
    Bad(
        "a quote that is never closed in a long file",
        b'x,z\n1,"2\n' + b"1,2\n" * 50_000,
        "Row 2 has a cell of more than 131072 characters, or a quote that is never closed",
    ),
    Bad(
        "text behind a quote",
        b'x,kind\n1,"cat"s\n2,dog\n',
        "Row 2 has more text right behind a closing quote",
    ),
    # labels and features
    Bad(
        "one class",
        b"x,kind\n1,cat\n2,cat\n",
        "Column 'kind' holds one class only, 'cat'; a label needs two",
        {"label": "kind"},
    ),
    Bad(
        "no label anywhere",
        b"x,z,kind\n1,2,\n3,4,?\n",
        "Column 'kind' holds no class at all; a label needs two",
        {"label": "kind"},
    ),
    Bad(
        "one class once rows with gaps are gone",
        b"x,kind\n1,cat\n2,cat\nNA,dog\n",
        "Class 'dog' has 0 rows to use; the rows that had it were left out",
    ),
    Bad(
        "one column",
        b"1\n2\n",
        "The only column, 'column 1', is the label, so there are no features",
    ),
    Bad(
        "no numeric column",
        b"name,kind\nTom,cat\nRex,dog\n",
        "No column can be a feature, for none is numeric: 'name' (row 2: 'Tom')",
    ),
    Bad(
        "no column that varies",
        b"x,z,kind\n1,,cat\n1,,dog\n",
        "No column can be a feature, for none varies: 'x' (always 1) and 'z' (no value)",
    ),
    Bad(
        "not a number anywhere",
        b"x,kind\nnan,cat\ninf,dog\n",
        "No column can be a feature, for none varies without 1 infinite value, the first in row 3"
        " of column 'x'",
    ),
    Bad(
        "infinite values in LIBSVM",
        b"1 1:1 2:1\n2 1:1 2:inf\n1 1:-inf 2:1\n",
        "No column can be a feature, for none varies without 2 infinite values, the first in row 2"
        " of column '2'",
    ),
    Bad(
        "a gap in every row",
        b"x,z,kind\n1,NA,cat\n2,NA,dog\nNA,3,cat\n4,inf,dog\nNA,5,dog\n",
        "No row is left, for each has a missing or infinite value, most of them in column 'z';"
        " choose features without it",
    ),
    Bad(
        "1e300",
        b"x,z,kind\n1,2,cat\n3,-1e300,dog\n",
        "Column 'z' holds -1e+300 in row 3; numbers beyond 1e+100 are not used",
    ),
    Bad(
        "1e300 in LIBSVM",
        b"1 1:2\n2 7:1e300\n",
        "Column '7' holds 1e+300 in row 2; numbers beyond 1e+100 are not used",
    ),
    Bad(
        "a label that is no column",
        PLAIN,
        "label must be one of the columns 'x', 'z' and 'kind', got 'sort'",
        {"label": "sort"},
    ),
    Bad(
        "a class that is none",
        PLAIN,
        "positive must be one of the classes 'cat' and 'dog', got 'cow'",
        {"positive": "cow"},
    ),
    Bad(
        "a class that is infinite",
        PLAIN,
        "positive must be one of the classes 'cat' and 'dog', got 'inf'",
        {"positive": "inf"},
    ),
    Bad(
        "a feature that is no column",
        PLAIN,
        "features must be columns other than the label 'kind', got 'q'",
        {"features": ["x", "q"]},
    ),
    Bad(
        "the label as a feature",
        PLAIN,
        "features must be columns other than the label 'kind', got 'kind'",
        {"features": ["kind"]},
    ),
    Bad(
        "no features",
        PLAIN,
        "features must be columns other than the label 'kind', got none",
        {"features": []},
    ),
    Bad(
        "a text as the only feature",
        b"x,w,kind\n1,a,cat\n2,b,dog\n",
        "No column can be a feature, for none is numeric: 'w' (row 2: 'a')",
        {"features": "w"},
    ),
    Bad(
        "a scaling that does not exist",
        PLAIN,
        "scaling must be one of none, standardise, unit ball, got 'log'",
        {"scaling": "log"},
    ),
    Bad(
        "a test of everything", PLAIN, "test_share must lie in [0.0, 0.9], got 1", {"test_share": 1}
    ),
    Bad("a seed below zero", PLAIN, "seed must lie in [0, 4294967295], got -1", {"seed": -1}),
    Bad("a cap of one row", PLAIN, "cap must lie in [2, 100000], got 1", {"cap": 1}),
    Bad(
        "a test with one row of a class",
        b"x,kind\n1,cat\n2,dog\n3,dog\n4,dog\n",
        "Class 'cat' has 1 row to use; a test needs one of them and the training another",
        {"test_share": 0.5},
    ),
    # LIBSVM
    Bad("LIBSVM without a label", b"1 1:2\n2:1 3:4\n", "Row 2 has no label: it begins with '2:1'"),
    Bad("half a pair", b"1 1:2\n2 3:\n", "Row 2 holds '3:', which is no index:value pair"),
    Bad(
        "the other half of a pair",
        b"1 1:2\n2 1:2 :3\n",
        "Row 2 holds ':3', which is no index:value pair",
    ),
    Bad(
        "a pair of three", b"1 1:2\n2 1:2:3\n", "Row 2 holds '1:2:3', which is no index:value pair"
    ),
    Bad(
        "no pair at all",
        b"1 1:2\n2 1:3\n1 two\n",
        "Row 3 holds 'two', which is no index:value pair",
    ),
    Bad(
        "an index with an underscore",
        b"1 1:2\n2 1:3\n1 1_0:2\n",
        "Row 3 holds '1_0:2', which is no index:value pair",
    ),
    Bad(
        "an index that is no number",
        b"1 1:2\n2 1:2 x:3\n",
        "Row 2 holds 'x:3', which is no index:value pair",
    ),
    Bad("an index twice", b"1 1:2\n\n2 3:1 1:2 3:4\n", "Row 3 has index 3 twice"),
    Bad(
        "a huge index",
        b"1 1:2\n2 200001:1\n",
        "Row 2 has index 200001; indices from 0 to 200000 are read",
    ),
    Bad(
        "an index that no machine can hold",
        b"1 1:2\n2 %s:1\n" % (b"9" * 60),
        f"Row 2 has index {'9' * 39}…; indices from 0 to 200000 are read",
    ),
    Bad(
        "an index that Python refuses to read",
        b"1 1:2\n2 %s:1\n" % (b"9" * 5000),
        f"Row 2 holds '{'9' * 39}…', which is no index:value pair",
    ),
    Bad(
        "an index below zero",
        b"1 1:2\n2 -3:1\n",
        "Row 2 has index -3; indices from 0 to 200000 are read",
    ),
]


def dense(X):
    return X.toarray() if sp.issparse(X) else X


def check_report(report):
    """Plain text in sentences: no control characters, nothing without an end."""
    for title, text in report:
        assert (
            title
            and title.isprintable()
            and text.isprintable()
            and text.endswith(".")
            and len(text) < 900
        )


def check_sentence(error):
    text = str(error)
    assert (
        type(error) is ValueError
        and text.isprintable()
        and not text.endswith(".")
        and 10 < len(text) < 500
    ), text


@together("case", GOOD)
def test_a_good_file_becomes_a_problem_and_a_report(case):
    upload = build(read(case.data), **case.options)
    np.testing.assert_allclose(dense(upload.problem.X), case.X, rtol=1e-15, atol=1e-200)
    assert tuple(upload.problem.y) == case.y
    assert upload.classes == case.classes and upload.test is None
    assert case.names is None or upload.names == case.names
    assert len(upload.names) == upload.problem.d
    text = "\n".join(sentence for _, sentence in upload.report)
    for fact in case.facts:
        assert fact in text
    check_report(upload.report)


@together("case", BAD)
def test_a_bad_file_is_refused_with_one_sentence_that_says_where(case):
    with pytest.raises(ValueError) as caught:
        build(read(case.data, limits=LIMITS._replace(**case.limits)), **case.options)
    assert str(caught.value) == case.sentence
    check_sentence(caught.value)


def test_every_line_of_the_tables_is_about_something_else():
    assert len({case.about for case in GOOD + BAD}) == len(GOOD) + len(BAD) >= 60


def test_a_table_says_what_is_in_the_file():
    table = read(b"x;word;kind\n1,5;Tom;cat\n\n2;Rex;dog\n", "pets.csv")
    assert (table.kind, table.names, table.numeric, table.matrix) == (
        "csv",
        ("x", "word", "kind"),
        ("x",),
        None,
    )
    assert table.columns["x"].tolist() == [1.5, 2.0] and table.columns["word"].tolist() == [
        "Tom",
        "Rex",
    ]
    assert table.rows.tolist() == [2, 4]
    assert table.head(1) == {"x": [1.5], "word": ["Tom"], "kind": ["cat"]}
    assert table.notes[0] == ("File", "'pets.csv', 35 bytes, UTF-8 text.")
    check_report(table.notes)


def test_a_table_of_libsvm_is_previewed_as_it_is_written():
    table = read(b"1 1:2 3:0.5\n\n2 2:1e-3\n")
    assert (table.kind, table.names, table.numeric) == (
        "libsvm",
        ("label", "1", "2", "3"),
        ("label", "1", "2", "3"),
    )
    assert table.head() == {"label": [1.0, 2.0], "features": ["1:2 3:0.5", "2:0.001"]}
    assert table.rows.tolist() == [1, 3] and isinstance(table.matrix, sp.csr_array)


def test_a_single_column_has_no_delimiter():
    assert read(b"1\n2\n").notes[1] == (
        "Layout",
        "One field per row; there are no names, so columns have numbers.",
    )


def test_a_file_may_reach_every_limit():
    assert len(read(PLAIN, limits=uploads.Limits(27, 27, rows=2, columns=3, cells=9)).rows) == 2
    assert len(read(gzip.compress(PLAIN), limits=LIMITS._replace(unpacked=27)).rows) == 2
    table = read(b"1 1:2 4:5\n2 2:3\n", limits=LIMITS._replace(rows=2, sparse_columns=4, cells=3))
    assert table.matrix.shape == (2, 4)
    assert (
        len(class_counts(read(b"".join(b"%d,1\n" % k for k in range(50))), "column 1"))
        == LIMITS.labels
    )
    data = b"x,label\n" + b"".join(b"%d,%d\n" % (k, k) for k in range(50))
    assert build(read(data), label="label").classes == ("not 49", "49")


def test_the_guess_about_a_header_can_be_overruled():
    assert read(b"1,2\n3,4\n", header=True).names == ("1", "2")
    assert read(b"x,z\n3,4\n", header=False).columns["column 1"].tolist() == ["x", "3"]


@pytest.mark.parametrize(
    ("data", "label"),
    [
        (b"a,label,b\n1,0,5\n2,1,6\n", "label"),
        (b"a,Diagnosis,b\n1,0,5\n2,1,6\n", "Diagnosis"),
        (b"y,a,b\n1,0,5\n2,1,6\n", "y"),
        (b"x,y,k\n1,0,5\n2,1,6\n", "k"),  # here y is a coordinate
        (b"class,a,k\n1,0,5\n1,1,6\n", "k"),  # a class that is always 1 is none
        (b"a,b\n" + b"".join(b"%d,%d\n" % (k % 2, k) for k in range(60)), "a"),  # few values
        (
            b"1.5,M,2.5\n2.5,B,3.5\n3.5,M,4.5\n",
            "column 2",
        ),  # numbers of which none occurs twice are no classes
        (b"a,b,c\n" + b"".join(b"%d,w%d,%d\n" % (k, k, k) for k in range(60)), "b"),  # words
        (b"a,b\n" + b"".join(b"%d,%d\n" % (k, k) for k in range(60)), "b"),  # the last
        (b"1 1:2\n2 1:3\n", "label"),
    ],
)
def test_the_label_is_guessed_by_name_then_by_few_values_then_by_place(data, label):
    assert guess_label(read(data)) == label


def test_the_classes_to_choose_from_come_with_their_counts():
    table = read(b"x,kind,n\n1,b,2\n2,a,10\n3,b,2\n4,,-0.5\n")
    assert class_counts(table, "kind") == {"a": 1, "b": 2}
    assert list(class_counts(table, "n").items()) == [("-0.5", 1), ("2", 2), ("10", 1)]


def points(n: int, rare: int) -> bytes:
    """n rows, numbered by their first feature, of which the first `rare` are of class b."""
    noise = np.random.default_rng(1).normal(3, 2, n)
    return b"id,v,kind\n" + b"".join(
        b"%d,%.6f,%s\n" % (k, noise[k], b"b" if k < rare else b"a") for k in range(n)
    )


def test_sample_and_split_give_each_class_its_share():
    upload = build(
        read(points(1000, 100)), cap=200, test_share=0.25, seed=7, skip=(), scaling="none"
    )
    assert (upload.problem.n, upload.test.n) == (150, 50)
    assert ((upload.problem.y > 0).sum(), (upload.test.y > 0).sum()) == (15, 5)
    train, test = upload.problem.X[:, 0], upload.test.X[:, 0]
    assert len(np.union1d(train, test)) == 200
    assert (np.diff(train) > 0).all() and (np.diff(test) > 0).all()  # the order of the file
    for sample in (upload.problem, upload.test):
        np.testing.assert_array_equal(sample.y > 0, sample.X[:, 0] < 100)
    text = "\n".join(sentence for _, sentence in upload.report)
    assert "200 of 1000 rows drawn with seed 7, each class with its share." in text
    assert "drawn with seed 7, each class with its share: 50 rows, 5 of +1 and 45 of -1." in text
    assert (
        "In the file: 'a' 900 and 'b' 100." in text
        and "150 rows, 15 of +1 and 135 of -1; 2 features" in text
    )


def test_the_seed_decides_what_is_drawn():
    table = read(points(300, 60))
    one, again, other = (build(table, cap=100, test_share=0.3, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.problem.X, again.problem.X)
    np.testing.assert_array_equal(one.test.X, again.test.X)
    assert set(one.test.X[:, 0]) != set(other.test.X[:, 0]) and set(one.problem.X[:, 0]) != set(
        other.problem.X[:, 0]
    )


@together("share", [0.001, 0.5, 0.9])
@together("rare", [2, 10, 18])
@together("cap", [None, 5, 20, 500])
def test_both_classes_are_on_both_sides_of_every_split(share, rare, cap):
    table = read(points(20, rare))
    if cap == 5 and rare != 10:  # one row of the rarer class is left, and that is said
        with pytest.raises(
            ValueError, match="has 1 row to use; a test needs one of them and the training another"
        ):
            build(table, test_share=share, cap=cap)
        return
    upload = build(table, test_share=share, cap=cap)
    assert upload.problem.n + upload.test.n == min(cap or 20, 20)
    assert set(upload.problem.y) == set(upload.test.y) == {-1, 1}


@pytest.mark.parametrize("cap", [2, 3, 19])
def test_a_sample_has_exactly_the_size_asked_for(cap):
    assert build(read(points(20, 1)), cap=cap).problem.n == cap


@pytest.mark.parametrize("scaling", ["standardise", "unit ball"])
@pytest.mark.parametrize("sparse", [False, True])
def test_scaling_is_measured_on_the_training_rows_and_applied_to_both(scaling, sparse):
    data = points(200, 80)
    if sparse:
        rows = (line.split(b",") for line in data.splitlines()[1:])
        data = b"".join(
            b"%s 1:%s 2:%s %d:1\n" % (kind, k, v, 3 + int(k) % 7) for k, v, kind in rows
        )
    plain, scaled = (build(read(data), scaling=how, test_share=0.4) for how in ("none", scaling))
    assert plain.scale is None and sp.issparse(scaled.problem.X) == sparse == sp.issparse(
        scaled.test.X
    )
    raw, (shift, factor) = dense(plain.problem.X), scaled.scale
    if scaling == "standardise":
        np.testing.assert_allclose(factor, raw.std(axis=0), rtol=1e-12)
        np.testing.assert_allclose(shift, 0 if sparse else raw.mean(axis=0), rtol=1e-12)
        assert abs(dense(scaled.test.X).std(axis=0) - 1).min() > 1e-3  # the test has another spread
    else:
        np.testing.assert_allclose(factor, np.linalg.norm(raw, axis=1).max(), rtol=1e-12)
        assert not shift.any()
    for part in ("problem", "test"):
        expected = (dense(getattr(plain, part).X) - shift) / factor
        np.testing.assert_allclose(dense(getattr(scaled, part).X), expected, rtol=1e-12)


def test_a_feature_that_is_constant_in_training_is_not_divided():
    data = b"x,z,kind\n" + b"".join(
        b"%d,%d,%s\n" % (k == 3, k, b"ab"[k % 2 :][:1]) for k in range(8)
    )
    tables = (
        build(read(data), scaling="standardise", test_share=0.5, seed=seed) for seed in range(20)
    )
    upload = next(upload for upload in tables if not upload.problem.X[:, 0].any())
    assert upload.scale.factor[0] == 1 and 1 in upload.test.X[:, 0]
    assert "Not divided, for there they do not vary: 'x'." in upload.report[-1][1]


@at_times()
def test_sparse_stays_sparse_however_wide():
    data = b"".join(b"%d %d:1.5 200000:%d\n" % (k % 2, 1 + 37 * k, k + 1) for k in range(3000))
    upload = build(read(data), scaling="standardise", test_share=0.2, cap=2000)
    assert all(isinstance(part.X, sp.csr_array) for part in (upload.problem, upload.test))
    assert upload.problem.X.shape == (1600, 3001) and upload.problem.X.nnz == 3200
    assert isinstance(build(read(PLAIN)).problem.X, np.ndarray)


@at_times()
def test_row_numbers_are_those_of_the_spreadsheet_across_blocks():
    rows = [b"%d,%d,%s" % (k, k * k, b"ab"[k % 2 :][:1]) for k in range(99_000)]
    rows[70_000] = b'NA,1,"a\nb"'
    rows[90_000] = b"1"
    with pytest.raises(ValueError, match="^Row 90002 has 1 field, but row 1 has 3"):
        read(b"x,z,kind\n" + b"\n".join(rows))
    rows[90_000] = b"NA,1,a"
    report = build(read(gzip.compress(b"x,z,kind\n" + b"\n".join(rows), 1)), positive="b").report
    assert any("rows 70002 and 90002." in text for _, text in report)


def test_a_text_deep_in_a_column_of_numbers_gives_back_all_its_cells_as_they_were():
    cells = [b"%03d" % (k % 1000) for k in range(99_000)]
    cells[98_000] = b"n.a."
    table = read(b"x,z\n" + b"\n".join(b"%s,%d" % (cell, k % 2) for k, cell in enumerate(cells)))
    assert table.columns["x"].tolist() == [cell.decode() for cell in cells] and table.numeric == (
        "z",
    )


@at_times()
def test_five_megabytes_are_read_whole():
    X = np.random.default_rng(0).standard_normal((48_000, 10))
    text = io.StringIO()
    np.savetxt(text, np.column_stack([X, X[:, 0] > 0]), fmt="%.6f", delimiter=",")
    data = text.getvalue().encode()[: 5 * 2**20]
    table = read(data)
    assert len(data) > 4_500_000 and len(table.rows) == 48_000
    assert np.allclose(table.columns[table.names[0]], X[:, 0], atol=1e-6)


@pytest.mark.parametrize(("pack", "name"), [(gzip, "gzip"), (bz2, "bzip2"), (lzma, "xz")])
def test_a_bomb_is_refused_before_it_fills_the_memory(pack, name):
    unit = pack.compress(bytes(2**21))  # several packed files in a row are one
    bomb = unit * min(LIMITS.packed // len(unit), 5000)
    assert len(bomb) // len(unit) * 2**21 > 5e9
    tracemalloc.start()
    try:
        with pytest.raises(
            ValueError, match=f"^The {name} file unpacks to more than 64 MB, the most that is read$"
        ):
            read(bomb)
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()


APART = """
import gzip, json, os, sys
import svmviz.datasets, svmviz.uploads as uploads

loaded = [name for name in ("pandas", "streamlit", "sklearn", "plotly") if name in sys.modules]
writes = []
def hook(event, args):
    if event == "open" and args[2] and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        writes.append(str(args[0]))
sys.addaudithook(hook)
data = gzip.compress(b"x,k\\n" + b"1,a\\n2,b\\n" * 40000)
uploads.build(uploads.read(data), test_share=0.5, scaling="standardise")
print(json.dumps({"loaded": loaded, "writes": writes}))
"""


@at_times()
def test_a_fresh_process_that_reads_a_file_loads_no_library_of_pages_and_writes_nothing_to_disk():
    done = subprocess.run([sys.executable, "-c", APART], capture_output=True, check=True)
    assert json.loads(done.stdout) == {"loaded": [], "writes": []}


def test_a_problem_written_as_csv_comes_back_with_the_same_points():
    rng = np.random.default_rng(4)
    X, y = rng.standard_normal((50, 3)) * [1e-8, 1, 1e8], rng.choice([-1.0, 1.0], 50)
    text = io.StringIO(newline="")
    csv.writer(text).writerows(np.column_stack([X, y]).tolist())
    problem = build(read(text.getvalue().encode()), scaling="none").problem
    np.testing.assert_array_equal(problem.X, X)
    np.testing.assert_array_equal(problem.y, y)


def test_the_choices_are_declared_for_the_page():
    assert [p.name for p in (uploads.SCALING, uploads.TEST_SHARE, uploads.SEED, uploads.CAP)] == [
        "scaling",
        "test_share",
        "seed",
        "cap",
    ]
    assert uploads.CAP.high <= LIMITS.rows and all(
        p.help.endswith(".") for p in (uploads.SCALING, uploads.CAP)
    )


# Ten thousand files. `survive` is the only place where an exception may be caught, and only one
# kind of it.

OPTIONS = [
    {},
    {"test_share": 0.5, "scaling": "standardise"},
    {"cap": 2, "scaling": "unit ball"},
    {"positive": "b", "seed": 5},
    {"label": "x"},
    {"features": ["x", "1"]},
    {"scaling": "standardise", "cap": 3},
]
SEEDS = [
    PLAIN,
    b"x;z;kind\n1,5;2,5;a\n3;NA;b\n4;5;a\n6;7;b\n",
    b'"x","z"\n"1","a ""b"""\n"2","c\nd"\n',
    b"1 2 a\n 3 4 b\n",
    b"1 1:2 3:4\n-1 2:1 # no\n+1 qid:3 1:5\n-1 1:1e5\n",
    "x\ty\n1\té\n2\tü\n".encode("latin-1"),
    "x|k\n1|a\n2|b\n".encode("utf-16"),
    gzip.compress(PLAIN),
    bz2.compress(PLAIN),
    lzma.compress(PLAIN),
    b"sep=,\nx,k\n1e99,a\n-1e99,b\n",
    zipped("xl/workbook.xml"),
    b"0:1 2:3\n",
]
PIECES = [
    b",",
    b";",
    b"\n",
    b"\r",
    b'"',
    b":",
    b"#",
    b"nan",
    b"1e300",
    b"\t",
    b" ",
    b"|",
    b"-",
    b"_",
    b"=",
    b"\xff\xfe",
    b",,,,",
]


few_or_many = pytest.mark.parametrize(
    "share", [0.1, pytest.param(1.0, marks=pytest.mark.long)], ids=["few", "many"]
)


def survive(data: bytes, options: dict):
    """Read and build; whatever comes of it is a sound problem or a clear sentence."""
    try:
        upload = build(read(data), **options)
    except ValueError as error:
        check_sentence(error)
        return
    for part in filter(None, (upload.problem, upload.test)):
        values = part.X.data if sp.issparse(part.X) else part.X
        assert np.isfinite(values).all() and set(part.y) == {-1, 1} and part.d == len(upload.names)
    check_report(upload.report)


@few_or_many
def test_any_bytes_give_a_problem_or_a_sentence_as_they_are_and_as_letters_of_tables(share):
    @settings(max_examples=int(1000 * share))
    @given(st.binary(min_size=1, max_size=80))
    def holds(data):
        options = OPTIONS[data[0] % len(OPTIONS)]
        survive(data, options)
        for letters in (b'0123456789.,;|-+e \t\r\n"=abx\n', b"012345 : : :-.#\nab\n "):
            survive(bytes(letters[byte % len(letters)] for byte in data), options)

    holds()


@few_or_many
def test_a_file_that_is_damaged_three_times_gives_a_problem_or_a_sentence_each_time(share):
    @settings(max_examples=int(2000 * share))
    @given(
        st.binary(min_size=14, max_size=14)
    )  # one draw instead of fourteen: most of the time goes into drawing
    def holds(dice):
        data, options, *dice = (
            SEEDS[dice[0] % len(SEEDS)],
            OPTIONS[dice[1] % len(OPTIONS)],
            *dice[2:],
        )
        for start, gone, what, byte in zip(*(dice[k::4] for k in range(4)), strict=True):
            put = [b"", bytes([byte]), PIECES[byte % len(PIECES)]][what % 3]
            start %= len(data) + 1
            data = data[:start] + put + data[start + gone % 12 :]
            survive(data, options)

    holds()


WORDS = st.text("abzé ,;|\t\n\"'=<", max_size=7).map(lambda rest: f"w{rest}".strip())


@st.composite
def written(draw):
    """Numbers and words, and the bytes of a file that holds them, written in one of many ways."""
    n, d = draw(st.integers(2, 6)), draw(st.integers(1, 4))
    numbers = draw(
        st.lists(st.lists(st.floats(-1e100, 1e100), min_size=d, max_size=d), min_size=n, max_size=n)
    )
    words = draw(st.lists(WORDS, min_size=n, max_size=n))
    delimiter, header, comma = (
        draw(st.sampled_from(",;\t| ")),
        draw(st.booleans()),
        draw(st.booleans()),
    )
    quoting = draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]))
    text = io.StringIO(newline="")
    writer = csv.writer(
        text,
        delimiter=delimiter,
        quoting=quoting,
        lineterminator=draw(st.sampled_from(["\n", "\r\n"])),
    )
    if header:
        writer.writerow([f"x{k}" for k in range(d)] + ["a kind"])
    for row, word in zip(numbers, words, strict=True):
        decimal = comma and delimiter != ","  # unquoted, 1,5 between commas is two numbers
        writer.writerow([repr(v).replace(".", ",") if decimal else v for v in row] + [word])
    data = text.getvalue().encode(
        draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"]))
    )
    return numbers, words, draw(st.sampled_from([bytes, gzip.compress, bz2.compress]))(data)


@few_or_many
def test_what_was_written_comes_back_exactly(share):
    @settings(max_examples=int(500 * share))
    @given(written())
    def holds(case):
        numbers, words, data = case
        columns = list(read(data).columns.values())
        assert np.column_stack(columns[:-1]).tolist() == numbers
        assert columns[-1].tolist() == words

    holds()


def test_the_server_takes_what_the_reader_takes():
    config = tomllib.loads(
        (Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    )
    assert config["server"]["maxUploadSize"] * 2**20 == LIMITS.packed


# All classes told apart ---------------------------------------------------------------------------

KINDS = b"a,b,kind\n" + b"".join(
    b"%d,%d,%s\n" % (k, k * k % 7, (b"ant", b"bee", b"cat")[k % 3 if k < 40 else 0])
    for k in range(50)
)


def test_several_classes_keep_their_names_shares_and_rows():
    table = uploads.read(KINDS)
    built = uploads.build(table, several=True, test_share=0.2, cap=40, skip=(), scaling="none")
    assert (
        built.classes == ("ant", "bee", "cat") and built.problem.classes == built.test.classes == 3
    )
    in_file = np.array([24, 13, 13]) / 50
    for part in (built.problem, built.test):
        assert abs(np.bincount(part.y.astype(int)) / part.n - in_file).max() <= 1.5 / part.n
    original = {(k, k * k % 7): k % 3 if k < 40 else 0 for k in range(50)}
    assert all(
        original[tuple(row)] == label
        for row, label in zip(built.problem.X, built.problem.y, strict=True)
    )
    words = " ".join(note for _, note in built.report)
    assert "all 3 classes are told apart" in words and "'ant' 24, 'bee' 13 and 'cat' 13" in words


def test_what_cannot_be_told_apart_is_refused():
    many = b"".join(b"%d,c%d\n" % (k, k % 11) for k in range(44))
    with pytest.raises(ValueError, match="holds 11 classes; at most 10"):
        uploads.build(uploads.read(many), several=True)
    with pytest.raises(ValueError, match="3 classes need at least as many rows"):
        uploads.build(uploads.read(KINDS), several=True, cap=2)
    assert (
        uploads.build(uploads.read(b"1,a\n2,b\n3,a\n4,b\n"), several=True).problem.classes == 2
    )  # two are +1 and -1
