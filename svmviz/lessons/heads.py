"""Text files of headings, each with head lines (`name: value`) and text below it: what lessons and
articles are read from.

All that is wrong in a file is said at once, each with its place: `Broken`.
"""

import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from svmviz.run.link import VIEW_KEYS
from svmviz.run.recipe import Recipe, from_query
from svmviz.work.words import brief

HEAD = re.compile(r"([a-z]+):\s*(.*)")


class Fault(NamedTuple):
    """What is wrong in a file, and where."""

    line: int
    title: str  # of the part
    words: str


class Broken(ValueError):
    """A file that cannot be shown."""

    def __init__(self, file: str, faults: list[Fault], part: str = "card"):
        self.faults = tuple(faults)
        where = [
            f"{brief(file, 60)}, line {line}{f', {part} “{brief(title, 60)}”' if title else ''}:"
            f" {words}"
            for line, title, words in faults
        ]
        super().__init__("\n".join(where))


class Part(NamedTuple):
    """A heading with what stands below it."""

    title: str
    line: int
    heads: dict[str, tuple[int, str]]  # name -> (line, value)
    text: str
    text_line: int


def parts(text: str, fault: Callable[[int, str, str], None]) -> list[Part]:
    """The file at its headings."""
    out: list[Part] = []
    lines = text.split("\n")
    starts = [k for k, line in enumerate(lines) if re.match(r"##? ", line)]
    if not starts or not lines[starts[0]].startswith("# "):
        fault(1, "", "the file begins with its title, as in “# The water level”")
        return out
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        title, heads, at = lines[start].lstrip("# ").strip(), {}, start + 1
        while at < stop and (found := HEAD.fullmatch(lines[at].strip())):
            name, value = found.groups()
            if name in heads:
                fault(at + 1, title, f"{name} stands there twice")
            heads[name] = (at + 1, value.strip())
            at += 1
        if lines[start].startswith("# ") and start != starts[0]:
            fault(
                start + 1,
                title,
                "a second title; what follows begins with two signs, as in “## Everyone answers”",
            )
        out.append(Part(title, start + 1, heads, "\n".join(lines[at:stop]), at + 1))
    return out


class Heads:
    """Head lines, taken one by one; what is wrong with one is said with its line."""

    def __init__(self, part: Part, fault: Callable[[int, str, str], None]):
        self.part, self.left, self.fault = part, dict(part.heads), fault

    def take(self, name: str, read: Callable[[str], Any], default):
        if name not in self.left:
            return default
        line, value = self.left.pop(name)
        try:
            return read(value)
        except ValueError as error:
            self.fault(line, self.part.title, f"{name}: {error}")
            return default

    def nothing_else(self) -> None:
        for name, (line, _) in self.left.items():
            self.fault(
                line,
                self.part.title,
                f"there is no head line {name!r}; leave an empty line before the text",
            )


def number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"a number, got {brief(text)!r}") from None


def recipe_of(text: str) -> Recipe:
    query = dict(parse_qsl(text.partition("?")[2] or text, keep_blank_values=True))
    if not query:
        raise ValueError(f"the query of a link, got {brief(text)!r}")
    recipe, messages = from_query(query, VIEW_KEYS)
    if messages:
        raise ValueError(" ".join(messages))
    recipe = recipe.checked()
    if not recipe.quick():
        raise ValueError("the run takes too long for a lesson; take fewer points or steps")
    return recipe


def one_of(known, what: str = "") -> Callable[[str], str]:
    def take(text: str) -> str:
        if text not in known:
            near = get_close_matches(text, list(known), 1)
            mean = f"; did you mean {near[0]}?" if near else f"; there is {', '.join(known)}"
            raise ValueError(f"there is no {what + ' ' if what else ''}{brief(text)!r}{mean}")
        return text

    return take


def some_of(known) -> Callable[[str], tuple[str, ...]]:
    return lambda text: tuple(map(one_of(known), text.split()))
