"""What becomes of a storyboard on the command line: a folder of slides, or one file."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from svmviz.lessons import writing
from svmviz.player.files import board as boardpage
from svmviz.player.files import deck
from svmviz.run import storyboard
from svmviz.run.storyboard import Board

MARK = "#board="


def given(board: str) -> tuple[Board, str]:
    """A storyboard by its file or its link, and the address of the app in the latter."""
    if MARK in board:
        place = urlsplit(board)
        home = (
            place._replace(query="", fragment="").geturl()
            if place.scheme in ("http", "https")
            else ""
        )
        return storyboard.unpacked(board.partition(MARK)[2]), home
    try:
        text = Path(board).read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{board} cannot be read as text: {error}") from None
    try:
        return storyboard.read(text), ""
    except storyboard.Broken as broken:
        raise ValueError(
            "\n".join(f"{board}, {line}" for line in str(broken).split("\n"))
        ) from None


def write(board: str, out: Path) -> Iterator[str]:
    """Write what the name of the file asks for; says what was written, and what is wrong with
    moments.
    """
    found, home = given(board)
    kind = out.suffix.lower()
    if kind == ".md":
        text, said = writing.of_board(found)
        files = {out: text.encode()}
    elif kind == ".html":
        text, said = boardpage.of_board(found, home)
        files = {out: text.encode()}
    else:
        parts, said = deck.files(found, home)
        files = (
            {out: deck.zipped(parts, out.stem)}
            if kind == ".zip"
            else {out / name: data for name, data in parts.items()}
        )
    for path, data in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    yield from said
    size, start = (
        sum(map(len, files.values())) / 1000,
        ("" if kind else f"; open {out / 'index.html'}"),
    )
    yield f"{out}: {len(found.moments)} moments, {size:.0f} kB{start}"
