"""The parts of a link, read one by one: what cannot be used is replaced by its default and said in
a sentence.
"""

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from svmviz.record.solver import Solver
from svmviz.work.words import brief, whole

PART = 100_000  # characters of any part of a link: more than any that was ever written
CHANGES = 100  # steps at which a run may change: each begins a stretch with an optimum of its own
PRIVATE = "upload:", "whole:"  # how the names of uploaded data begin
SEEN = (
    "t",
    "beat",
    "x",
    "y",
    "field",
)  # what the player reports of what is on screen, which changes no run
FORK = "fork", "other"  # a second run beside the first, see `fork`
HALL = (
    "present",
    "also",
    "zoom",
    "panels",
    "controls",
)  # how it is shown: the browser's own, see `web/hall/presenting.js`
VIEW_KEYS = (*SEEN, *HALL, *FORK)
UNKNOWN = 5  # parts that mean nothing and are named one by one


class Reader:
    """A link, and what there is to say about it.

    >>> link = Reader({"n": "many", "z": "1"})
    >>> link.take("n", int, 7)
    7
    >>> link.answer()[1]
    "The link holds 'z', which means nothing here."
    """

    def __init__(self, query: Mapping[str, str], also: Iterable[str] = ()):
        self.left, self.messages = (
            {key: value for key, value in query.items() if key not in also},
            [],
        )

    def take(self, key: str, read: Callable[[str], Any], default) -> Any:
        """What a part stands for; its default where it is missing, or `read` refuses it."""
        if key not in self.left:
            return default
        text = self.left.pop(key)
        try:
            if len(text) > PART:
                raise ValueError(
                    f"it has {len(text)} characters, and no part of a link may have more than"
                    f" {PART}"
                )
            return read(text)
        except ValueError as error:
            self.messages.append(f"The link's {key} was replaced by its default: {error}.")
            return default

    def answer(self) -> list[str]:
        """A sentence for each part that could not be used."""
        unknown = [
            f"The link holds {brief(key)!r}, which means nothing here."
            for key in itertools.islice(self.left, UNKNOWN)
        ]
        if (more := len(self.left) - UNKNOWN) > 0:
            unknown.append(
                f"The link holds {more} more"
                f" {'part that means' if more == 1 else 'parts that mean'} nothing here."
            )
        return self.messages + unknown


def one_of_data(known: Iterable[str]) -> Callable[[str], str]:
    """Data by name; of a file that somebody uploaded others have the name at most."""

    def read(text: str) -> str:
        if text.startswith(PRIVATE) and text not in known:
            raise ValueError(
                "it is an uploaded file, which stays with the visitor who uploaded it; upload it on"
                " the Data page"
            )
        return one_of(known)(text)

    return read


def one_of(table: Iterable[str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in table:
            raise ValueError(f"must be one of {', '.join(table)}, got {brief(text)!r}")
        return text

    return read


def in_time(planned: tuple, last: int, most: int = CHANGES) -> tuple:
    """What is planned for certain steps, each item beginning with its step: refused where no run
    gets that far, or where it would be cut up too often.
    """
    for t, *_ in planned:
        whole("a step", t, 0, last)
    if (count := len({t for t, *_ in planned})) > most:
        raise ValueError(f"a run may change at {most} steps, and this one would at {count}")
    return planned


def changes(text: str, solver: Solver, last: int) -> tuple[tuple[int, dict[str, Any]], ...]:
    """The parameters that change, by step: 40:lam=0.1;60:k=3."""
    params, found = {p.name: p for p in solver.params}, {}
    for item in text.split(";"):
        step, _, assignment = item.partition(":")
        name, _, value = assignment.partition("=")
        if not step.isdecimal() or len(step) > 9 or name not in params:
            raise ValueError(f"a change reads 40:lam=0.1, got {brief(item)!r}")
        found.setdefault(int(step), {})[name] = params[name].read(value)
    return in_time(tuple(sorted(found.items())), last)


def write_changes(changes, solver: Solver) -> str:
    """The other way round."""
    params = {p.name: p for p in solver.params}
    return ";".join(
        f"{t}:{name}={params[name].write(value)}"
        for t, new in changes
        for name, value in new.items()
    )


def pair(text: str, d: int) -> tuple[int, int]:
    """Two different ones of d features, counted from 0.

    >>> pair("3,0", 4)
    (3, 0)
    """
    if d < 3:
        raise ValueError("there are no features to choose from")
    words = text.split(",")
    numbers = [int(word) for word in words if word.isdecimal() and len(word) <= len(str(d))]
    if len(words) != 2 or len({*numbers}) != 2 or not max(numbers) < d:
        raise ValueError(
            f"plane must be two different features from 0 to {d - 1} such as 0,1, got"
            f" {brief(text)!r}"
        )
    return numbers[0], numbers[1]
