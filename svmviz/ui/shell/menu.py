"""The pages of the app, in the order of its menu. A page whose rooms are left out of an
installation has no entry, and nothing else misses it.
"""

from copy import copy
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple

import streamlit as st


class Entry(NamedTuple):
    """A page: its file and address, its title, and the rooms of `svmviz` that it shows."""

    name: str
    title: str
    rooms: tuple[str, ...] = ()


PAPER = "papers", "lessons"  # an article is read as a lesson is
ENTRIES = {
    "": (
        Entry("playground", "Playground"),
        Entry("lessons", "Lessons", ("lessons",)),
        Entry("explore", "Explore", ("explore", "estimators")),
        Entry("race", "Race", ("race",)),
        Entry("data", "Data"),
        Entry("stream", "Stream"),
    ),
    "Papers": (
        Entry("pegasos", "Pegasos", PAPER),
        Entry("sbp", "Stochastic Batch Perceptron", PAPER),
        Entry("simba", "SIMBA", PAPER),
        Entry("bsgd", "Budgeted SGD", PAPER),
        Entry("incremental", "Incremental SVMs", PAPER),
    ),
}


@cache
def is_installed(room: str) -> bool:
    """Return whether a room of `svmviz` is there."""
    try:
        return find_spec(f"svmviz.{room}") is not None
    except ModuleNotFoundError:
        return False


@cache
def pages() -> dict[str, list]:
    """Return the pages by section, made once: Streamlit looks every file up on disk for it. Not in
    app.py, where whatever keeps it would itself be made anew with every run of the script.
    """
    listed = {
        section: [
            st.Page(f"pages/{name}.py", title=title, url_path=name, default=name == "playground")
            for name, title, rooms in entries
            if all(map(is_installed, rooms))
        ]
        for section, entries in ENTRIES.items()
    }
    return {section: found for section, found in listed.items() if found}


def menu() -> dict[str, list]:
    """Return copies: a page notes whether it may run now, and that is each visitor's own."""
    return {section: [copy(page) for page in listed] for section, listed in pages().items()}
