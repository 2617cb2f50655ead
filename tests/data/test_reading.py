"""What reading a file costs: work is counted, not timed. What repeats, as in small packed files, is
looked at once.
"""

import bz2
import gzip
import lzma

import numpy as np
import pytest

from svmviz.data.uploads import LIMITS, cells, delimited, libsvm, read, unpack

ROWS = 30_000


@pytest.fixture
def counted(monkeypatch):
    """How many cells or pairs were turned into numbers."""
    count = []
    for module, name in ((cells, "numbers"), (libsvm, "split")):
        given = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda items, given=given: count.append(len(items)) or given(items)
        )
    return lambda: sum(count)


def passes(monkeypatch) -> list:
    """A list that grows by one for every pass over the text."""
    found, given = [], delimited.read_blocks
    monkeypatch.setattr(
        delimited, "read_blocks", lambda *rest: (found.append(1), (yield from given(*rest)))
    )
    return found


@pytest.mark.parametrize(
    ("cell", "kind"),
    [('"1,234"', "text"), ('"1,5"', 1.5), ("", np.nan), ("7", 7.0), ("word", "text")],
)
def test_cells_that_repeat_are_looked_at_once_in_a_block_and_read_once(
    cell, kind, counted, monkeypatch
):
    through = passes(monkeypatch)
    table = read(
        b"a,b,label\n" + b"".join(f"{cell},{cell},{k % 2}\n".encode() for k in range(ROWS))
    )
    assert counted() < ROWS / 100 and len(through) == 1
    if kind == "text":
        assert set(table.columns["a"]) == {cell.strip('"')} and len(table.columns["b"]) == ROWS
        assert table.columns["a"][0] is table.columns["b"][-1]
    else:
        assert np.array_equal(table.columns["b"], np.full(ROWS, kind), equal_nan=True)


def test_pairs_that_repeat_are_looked_at_once_in_a_block(counted):
    table = read(b"".join(b"%d 1:1 2:0.5 4:%d\n" % (k % 2, k % 3) for k in range(ROWS)))
    assert counted() < ROWS / 100
    assert table.matrix[[4]].toarray().tolist() == [
        [1.0, 0.5, 0.0, 1.0]
    ] and table.matrix.shape == (ROWS, 4)


@pytest.mark.parametrize(
    ("cell", "times"), [(lambda k: k % 7, 1), (lambda k: k / 8, 2)], ids=["repeats", "does not"]
)
def test_a_word_after_thousands_of_numbers_gives_back_all_texts(cell, times, monkeypatch):
    through, written = passes(monkeypatch), [str(cell(k)) for k in range(ROWS)] + ["word"]
    table = read(
        b"a,label\n"
        + b"".join(f" {text} ,{'xy'[k % 2]}\n".encode() for k, text in enumerate(written))
    )
    assert table.columns["a"].tolist() == written and len(through) == times


def test_what_may_be_thousands_is_decided_by_the_last_row():
    rows = [f'"{1 + k % 900},{k % 1000:03}",{"xy"[k % 2]}\n' for k in range(ROWS)]
    assert read("".join(["a,label\n", *rows]).encode()).columns["a"].dtype == object
    column = read("".join(["a,label\n", *rows, '"0,5",x\n']).encode()).columns["a"]
    assert column.dtype == float and column[1] == 2.001 and column[-1] == 0.5


@pytest.mark.parametrize(("name", "module"), [("gzip", gzip), ("bzip2", bz2), ("xz", lzma)])
def test_a_packed_file_of_very_many_streams_is_refused_before_it_is_unpacked(
    name, module, monkeypatch
):
    start, empty = module.compress(b"x,label\n1,a\n"), module.compress(b"")
    few = start + empty * 50 + module.compress(b"2,b\n")
    assert read(few).columns["x"].tolist() == [1.0, 2.0]
    monkeypatch.setattr(module, "open", lambda *_: pytest.fail("was unpacked"))
    with pytest.raises(
        ValueError,
        match=f"The {name} file consists of more than 10000 streams; pack it in one piece",
    ):
        read(start + empty * unpack.STREAMS)


def test_a_long_table_of_words_is_refused_by_its_beginning():
    heard, rows = [], b"1,b,a\n" + b"".join(b"a,b,%c\n" % (97 + k % 2) for k in range(ROWS))
    with pytest.raises(
        ValueError, match=r"none is numeric: 'p' \(row 3: 'a'\), 'q' \(row 2: 'b'\)"
    ):
        read(b"p,q,label\n" + rows, progress=lambda *news: heard.append(news))
    assert len(heard) <= 2
    assert len(read(b"p,q,label\n" + rows[: 6 * 20]).rows) == 20  # whoever sees it may choose


def test_too_many_rows_are_refused_before_any_is_read(monkeypatch):
    through = passes(monkeypatch)
    with pytest.raises(ValueError, match="more than 5 rows"):
        read(b"x,label\n" + b"1,a\n" * 6, limits=LIMITS._replace(rows=5))
    assert not through
    quoted = b"x,label\n" + b'1,"a\nb"\n2,c\n' * 2  # seven lines, five rows
    assert len(read(quoted, limits=LIMITS._replace(rows=4)).rows) == 4


@pytest.mark.parametrize(
    "data",
    [
        b"a,label\n" + b"".join(b"%d.5,%d\n" % (k, k % 2) for k in range(ROWS)),
        b"".join(b"%d 1:%d.5\n" % (k % 2, k) for k in range(ROWS)),
    ],
    ids=["csv", "libsvm"],
)
def test_whoever_waits_hears_how_far_it_is(data):
    heard = []
    read(gzip.compress(data), progress=lambda *news: heard.append(news))
    shares = [share for doing, share in heard if doing == "Reading"]
    assert heard[0][0] == "Unpacking" and len(shares) > 1
    assert sorted(shares) == shares and shares[0] > 0 and shares[-1] <= 1


def test_what_is_wrong_further_up_is_said_first():
    with pytest.raises(ValueError, match="Row 2 holds '3:x'"):
        read(b"1 1:2\n1 3:x\n2:1\n0 1:1\n")
    with pytest.raises(ValueError, match="Row 3 has 1 field"):
        read(b'a,b\n1,2\n3\n4,"5')
    with pytest.raises(ValueError, match="which is no index:value pair"):
        read("1 1:2\n0 1:\N{DEVANAGARI DIGIT THREE}\n".encode())
