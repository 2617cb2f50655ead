"""A storyboard: moments of runs in the order of a lecture, each with a heading for the audience and
a note for the speaker.

It is a text file, which anybody can read and write:

    # The water level                                       the title ## Who can be drawn?
    a moment's heading, if it has one ?data=banana&n=80&solver=sbp&nu=0.05&t=20&beat=draw     the
    moment: what Copy link gives, from the question mark on Everyone is under water at first.
    its note, as many lines as you like

A line of a note that would begin a moment has a backslash before it. A link to a storyboard holds
the same text, deflated, behind the sign "#", which browsers send to no server. The browser reads
and writes it, too: `web/storyboard/text.js`.

>>> board = read("# The water level\\n\\n?data=banana&solver=sbp&t=20\\nEveryone is wet.\\n")
>>> board.moments
(Moment(link='data=banana&solver=sbp&t=20', title='', note='Everyone is wet.'),)
>>> read(write(board)) == unpacked(packed(board)) == board
True
"""

import base64
import binascii
import re
import zlib
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl

from svmviz.run.link import PRIVATE
from svmviz.run.recipe import Recipe

MOST, TITLE, NOTE, LINK, FILE = (
    60,
    120,
    2000,
    20_000,
    400_000,
)  # moments; characters of a title, a note, a link and a file
# characters of a link to a storyboard: more do not come through every mail and every server
PACKED = 8000
UNTITLED = "Storyboard"
EXAMPLE = "?data=moons&solver=pegasos&t=20"
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
BEGINS = re.compile(r"[?\\]|## ")  # a moment, or what stands for such a line in a note


class Moment(NamedTuple):
    link: str  # the query of a link to the Playground
    title: str = ""
    note: str = ""

    @property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(self.link, keep_blank_values=True))

    @property
    def private(self) -> bool:
        """Whether it is about a file that its visitor uploaded, which nobody else has."""
        return self.query.get("data", "").startswith(PRIVATE)


def meant(query: Mapping[str, str], recipe: Recipe) -> bool:
    """Whether a run is the one of a link, and not just something in its place, as its data or its
    solver are not here.
    """
    return all(
        query.get(name, here) == here
        for name, here in (("data", recipe.data), ("solver", recipe.solver))
    )


def absent(query: Mapping[str, str]) -> str:
    """What to say of a moment whose run is not the one that was meant."""
    private = query.get("data", "").startswith(PRIVATE)
    return (
        "it is about an uploaded file, which is not here"
        if private
        else "there are no such data, or no such solver, here"
    )


class Board(NamedTuple):
    title: str = UNTITLED
    moments: tuple[Moment, ...] = ()


class Broken(ValueError):
    """A text that is no storyboard: all that is wrong, each with its line."""


def tidied(text: str) -> str:
    """A note as it is kept: without spaces at the ends of lines, and without empty lines around it.

    >>> tidied("\\r\\n one \\r\\n\\r\\n two\\n")
    ' one\\n\\n two'
    """
    lines = [
        line.rstrip(" \t") for line in CONTROL.sub("", re.sub(r"\r\n?", "\n", text)).split("\n")
    ]
    return "\n".join(lines).strip("\n")


def in_a_line(text: str) -> str:
    """A title as it is kept: on one line, every gap one space."""
    return re.sub(r"[ \t\n]+", " ", CONTROL.sub("", re.sub(r"\r\n?", "\n", text))).strip(" ")


def read(text: str) -> Board:
    """The storyboard of a text."""
    if len(text) > FILE:
        raise Broken(
            f"line 1: a storyboard has at most {FILE} characters, and this one has {len(text)}"
        )
    lines = [
        line.rstrip(" \t")
        for line in CONTROL.sub("", re.sub(r"\r\n?", "\n", text.removeprefix("\ufeff"))).split("\n")
    ]
    faults: list[str] = []
    title, heading, moments = "", None, []  # heading: (its line, its words), until its link comes

    def short(words: str, most: int, what: str, k: int) -> str:
        words = in_a_line(words)
        if len(words) > most:
            faults.append(
                f"line {k}: {what} has at most {most} characters, and this one has {len(words)}"
            )
        return words

    def quoted(line: str) -> str:
        return f"“{line[:40]}{'…' * (len(line) > 40)}”"

    def alone() -> None:
        if heading:
            faults.append(
                f"line {heading[0]}: below the heading of a moment stands its link, as in {EXAMPLE}"
            )

    for k, line in enumerate(lines, 1):
        wanted = (
            heading is not None or not moments
        )  # a whole link can be pasted where one is expected
        if line.startswith("?") or wanted and re.match("https?://", line):
            link = line.partition("?")[2].partition("#")[0]
            if "=" not in link or re.search(r"[ \t]", link) or len(link) > LINK:
                faults.append(f"line {k}: {quoted(line)} is no link to a moment, as {EXAMPLE} is")
            moments.append([link, heading[1] if heading else "", k, []])
            heading = None
        elif line.startswith("## "):
            alone()
            heading = k, short(line[3:], TITLE, "a heading", k)
        elif heading or not moments:
            if line.startswith("# ") and not title and not heading and not moments:
                title = short(line[2:], TITLE, "a title", k)
            elif line:
                faults.append(
                    f"line {k}: {quoted(line)} stands before the link of a moment, which is as"
                    f" {EXAMPLE}"
                )
        else:
            moments[-1][3].append(line[line.startswith("\\") :])
    alone()
    found = [Moment(link, words, tidied("\n".join(note))) for link, words, _, note in moments]
    for (_, _, k, _), moment in zip(moments, found, strict=True):
        if len(moment.note) > NOTE:
            faults.append(
                f"line {k}: a note has at most {NOTE} characters, and that of this moment has"
                f" {len(moment.note)}"
            )
    if len(found) > MOST:
        faults.append(
            f"line {moments[MOST][2]}: a storyboard has at most {MOST} moments, and this one has"
            f" {len(found)}"
        )
    if faults:
        raise Broken("\n".join(faults))
    return Board(title or UNTITLED, tuple(found))


def write(board: Board) -> str:
    """Its text, for a file."""
    parts = [f"# {board.title or UNTITLED}\n"]
    for link, title, note in board.moments:
        heading = f"## {title}\n" if title else ""
        lines = (
            "".join("\\" * bool(BEGINS.match(line)) + line + "\n" for line in note.split("\n"))
            if note
            else ""
        )
        parts.append(f"{heading}?{link}\n{lines}")
    return "\n".join(parts)


def packed(board: Board) -> str:
    """Its text, for a link, behind `#board=`. Moments that nobody else could open must be left out
    before.
    """
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = (
        base64.urlsafe_b64encode(deflate.compress(write(board).encode()) + deflate.flush())
        .decode()
        .rstrip("=")
    )
    if len(text) > PACKED:
        raise ValueError(
            f"a link to this storyboard would have {len(text)} characters, and more than {PACKED}"
            " do not come through everywhere; save it as a file, or shorten its notes"
        )
    return text


def unpacked(text: str) -> Board:
    """The storyboard of a link, of which this is the part behind `#board=`.

    >>> unpacked("nonsense")
    Traceback (most recent call last):
        ...
    svmviz.run.storyboard.Broken: the link to a storyboard is damaged; perhaps it was cut off
    """
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
        inflate = zlib.decompressobj(-15)
        found = inflate.decompress(data, 4 * FILE).decode()
        if not inflate.eof:
            raise ValueError
    except (ValueError, zlib.error, binascii.Error):
        raise Broken("the link to a storyboard is damaged; perhaps it was cut off") from None
    return read(found)
