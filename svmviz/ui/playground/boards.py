"""What becomes of a visitor's storyboard, which only his browser keeps: slides, a page, a lesson.
The player sends its text and gets a file back; nothing stays here but the draft of a lesson, as
long as the visit.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from svmviz.data.plane import Dataset
from svmviz.player import mount
from svmviz.player.files import board as boardpage
from svmviz.player.files import deck
from svmviz.run import storyboard
from svmviz.run.storyboard import Board
from svmviz.ui.jobs.background import begin, visitor, waited
from svmviz.ui.visit.session import visit

SECONDS = 120.0  # of the processor


class File(NamedTuple):
    name: str
    type: str
    data: bytes
    said: list[str]


def slides(board: Board, name: str, home: str, own: Mapping[str, Dataset]) -> File:
    found, said = deck.files(board, home, own)
    return File(f"{name}.zip", "application/zip", deck.zipped(found, name), said)


def page(board: Board, name: str, home: str, own: Mapping[str, Dataset]) -> File:
    text, said = boardpage.of_board(board, home, own)
    return File(f"{name}.html", "text/html", text.encode(), said)


def lesson(board: Board, name: str, home: str, own: Mapping[str, Dataset]) -> File:
    from svmviz.lessons import writing  # only where a lesson is written

    text, said = writing.of_board(board)
    return File(f"{name}.md", "text/markdown", text.encode(), said)


MADE: dict[str, Callable[[Board, str, str, Mapping[str, Dataset]], File]] = {
    "slides": slides,
    "page": page,
    "lesson": lesson,
}


def asked() -> None:
    """The player wants something made: it stays wanted until it is, however often the script is
    interrupted.
    """
    if wish := st.session_state.stage.board:
        st.session_state["board_wish"] = dict(wish)


def send() -> None:
    """Make what is wanted, and hand it over."""
    wish: dict[str, Any] | None = st.session_state.get("board_wish")
    if not wish:
        return
    try:
        board, own = storyboard.read(str(wish["text"])), visit().own
        make = partial(
            MADE[wish["what"]], board, str(wish["name"])[:80], str(wish["home"])[:500], own
        )
        made = waited(begin("board", ("board", visitor(), wish["id"], wish["what"]), make, SECONDS))
    except ValueError as error:
        made = File("", "", b"", str(error).split("\n"))
    del st.session_state["board_wish"]
    if wish["what"] == "lesson" and made.name:
        drafted(made.data.decode())
    head = {"id": wish["id"], "name": made.name, "type": made.type, "said": made.said[:12]}
    with st.sidebar.container(key="beside-board"):
        mount.handed()(key="beside.board", data=json.dumps(head).encode() + b"\n" + made.data)


def drafted(text: str) -> None:
    """Another text of the visitor's own lesson: what is written in the old field counts no more."""
    st.session_state["lesson_draft"] = text
    st.session_state["lesson_version"] = st.session_state.get("lesson_version", 0) + 1
