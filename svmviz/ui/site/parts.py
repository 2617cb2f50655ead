"""A page as a tree of parts: what two of them have in common need not be written twice."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple

Path = tuple[int, ...]  # which child, of which child, from the root
VOID = ("input",)


class Part(NamedTuple):
    """An element: its name, attributes, and what is in it, parts or HTML."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    inner: "tuple[Part, ...] | str"

    def html(self) -> str:
        words = "".join(
            f' {name}="{escape(value)}"' if value else f" {name}" for name, value in self.attributes
        )
        if self.tag in VOID:
            return f"<{self.tag}{words}>"
        inner = self.inner if isinstance(self.inner, str) else "".join(p.html() for p in self.inner)
        return f"<{self.tag}{words}>{inner}</{self.tag}>"

    def at(self, path: Path) -> "Part":
        return self.inner[path[0]].at(path[1:]) if path else self

    def named(self, names: Mapping[Path, str], path: Path = ()) -> "Part":
        """Return the part with the names of parts in it, by their paths, as attributes."""
        if path in names:
            return self._replace(attributes=(*self.attributes, ("data-part", names[path])))
        if isinstance(self.inner, str):
            return self
        inner = (part.named(names, (*path, k)) for k, part in enumerate(self.inner))
        return self._replace(inner=tuple(inner))


def part(tag: str, *inner: "Part | str", **attributes: str | bool | None) -> Part:
    """An element with either parts or one text of HTML in it; `class_` and the like are written
    without their last sign, other underscores as hyphens.

    >>> part("p", "a &amp; b", class_="note", hidden=True, data_k=None).html()
    '<p class="note" hidden>a &amp; b</p>'
    """
    said = tuple(
        (name.rstrip("_").replace("_", "-"), "" if value is True else str(value))
        for name, value in attributes.items()
        if value not in (None, False)
    )
    text = inner and isinstance(inner[0], str)
    return Part(tag, said, inner[0] if text else inner)


def differences(one: Part, other: Part, path: Path = ()) -> set[Path]:
    """Where two trees differ: the paths of the smallest parts that must be replaced.

    >>> differences(
    ...     part("div", part("p", "a"), part("p", "b")), part("div", part("p", "a"), part("p", "c"))
    ... )
    {(1,)}
    """
    if one == other:
        return set()
    alike = (
        one[:2] == other[:2] and not isinstance(one.inner, str) and not isinstance(other.inner, str)
    )
    if not alike or len(one.inner) != len(other.inner):
        return {path}
    pairs = enumerate(zip(one.inner, other.inner, strict=True))
    return {found for k, (a, b) in pairs for found in differences(a, b, (*path, k))}


def topmost(paths: Iterable[Path]) -> list[Path]:
    """Without those that lie within others.

    >>> topmost([(1, 2), (0,), (1,)])
    [(0,), (1,)]
    """
    found: list[Path] = []
    for path in sorted(paths, key=lambda path: (len(path), path)):
        if not any(path[: len(above)] == above for above in found):
            found.append(path)
    return sorted(found)
