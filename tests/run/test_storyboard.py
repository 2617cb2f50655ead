"""A storyboard as a text and as a link: what was written is read again, and what cannot be read is
said, line by line.
"""

from random import Random
from string import ascii_letters

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svmviz.run import storyboard
from svmviz.run.storyboard import Board, Broken, packed, read, unpacked, write
from svmviz.run.visit.after import Visit, after
from svmviz.run.visit.events import Link, Moment

LINES = st.text(st.characters(codec="utf-8"), max_size=30) | st.sampled_from(
    [
        "",
        "?data=moons",
        "## no heading",
        "# no title",
        "\\?",
        "\\\\",
        "https://x.org/?a=b",
        "<b>bold</b>",
        "---",
    ]
)
TITLES = st.text(st.characters(codec="utf-8"), max_size=60).map(storyboard.in_a_line)
NOTES = st.lists(LINES, max_size=5).map("\n".join).map(storyboard.tidied)
LINKS = st.sampled_from(
    [
        "data=moons&n=60&t=3",
        "data=banana&solver=sbp&t=20&beat=draw&zoom=plane&panels=plane,code",
        "t=0",
    ]
)
BOARDS = st.builds(
    Board,
    TITLES.map(lambda title: title or storyboard.UNTITLED),
    st.lists(st.builds(storyboard.Moment, LINKS, TITLES, NOTES), max_size=6).map(tuple),
)


@settings(max_examples=40)
@given(BOARDS)
def test_what_was_written_is_read_again(board):
    assert read(write(board)) == board and unpacked(packed(board)) == board
    assert (
        read(write(board).replace("\n", "\r\n")) == board and read("\ufeff" + write(board)) == board
    )


@given(st.text(max_size=200) | st.lists(LINES).map("\n".join))
def test_any_text_is_read_or_refused_with_the_lines_that_are_wrong(text):
    try:
        board = read(text)
    except Broken as broken:
        assert all(line.startswith("line ") for line in str(broken).split("\n"))
    else:
        assert read(write(board)) == board


STRAY = (
    "line 2: “words” stands before the link of a moment, which is as"
    " ?data=moons&solver=pegasos&t=20"
)


@pytest.mark.parametrize(
    "text, said",
    [
        ("# A\nwords\n?data=moons", STRAY),
        (
            "## A\nwords",
            (
                f"{STRAY}\nline 1: below the heading of a moment stands its link, as in"
                " ?data=moons&solver=pegasos&t=20"
            ),
        ),
        (
            "?data=moons\n?nothing",
            "line 2: “?nothing” is no link to a moment, as ?data=moons&solver=pegasos&t=20 is",
        ),
        (
            "?data=moons\n" + "x" * 2001,
            "line 1: a note has at most 2000 characters, and that of this moment has 2001",
        ),
        ("?t=1\n" * 61, "line 61: a storyboard has at most 60 moments, and this one has 61"),
        ("# " + "x" * 121, "line 1: a title has at most 120 characters, and this one has 121"),
        (
            "x" * 400_001,
            "line 1: a storyboard has at most 400000 characters, and this one has 400001",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, said):
    with pytest.raises(Broken) as broken:
        read(text)
    assert str(broken.value) == said


def test_a_whole_link_can_be_pasted_where_one_is_expected():
    board = read(
        "https://svm.example/?data=moons&t=3#board=x\nhttps://svm.example/?t=1\n##"
        " B\nhttp://localhost:8501/?t=4\n"
    )
    assert [(moment.link, moment.note) for moment in board.moments] == [
        ("data=moons&t=3", "https://svm.example/?t=1"),
        ("t=4", ""),
    ]


def test_a_link_that_would_be_too_long_is_refused_in_words():
    letters = Random(0)
    many = Board(
        "Long",
        tuple(
            storyboard.Moment("t=1", "", "".join(letters.choices(ascii_letters, k=2000)))
            for _ in range(8)
        ),
    )
    with pytest.raises(
        ValueError, match="more than 8000 do not come through everywhere; save it as a file"
    ):
        packed(many)


@pytest.mark.parametrize(
    "sent", ["nonsense", "%%%", "", packed(Board("x", (storyboard.Moment("t=1"),)))[:-6]]
)
def test_a_damaged_link_is_no_storyboard(sent):
    with pytest.raises(Broken, match="damaged"):
        unpacked(sent)


def test_a_moment_leads_to_its_run_or_nowhere():
    start = after(Visit(), Link({"data": "moons", "n": "40", "T": "60", "t": "20"}))
    there = after(
        start, Moment(1, {"data": "blobs", "n": "30", "T": "50", "t": "7", "beat": "add"})
    )
    assert there.recipe.data == "blobs" and (there.view["t"], there.view["beat"]) == (7, "add")
    assert there.moment == {"id": 1, "said": (), "refused": False} and not there.messages
    for query in (
        {"data": "upload:gone"},
        {"data": "moons", "solver": "magic"},
        {"data": "sine", "solver": "sbp"},
    ):
        stays = after(there, Moment(2, query | {"t": "3"}))
        assert stays.recipe == there.recipe and stays.view == there.view
        assert stays.moment["refused"] and stays.moment["said"]
    odd = after(there, Moment(3, {"data": "moons", "n": "lots", "t": "3"}))
    assert (
        odd.recipe.data == "moons"
        and "The link's n was replaced" in odd.moment["said"][0]
        and not odd.moment["refused"]
    )
