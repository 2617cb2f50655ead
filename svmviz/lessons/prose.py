"""The text of a card: a little Markdown, as blocks of inline parts that the player writes without
any HTML.

A block is {"kind": "p" | "li", "parts": [...]}; a part is a text, {"em": parts}, {"strong": parts},
{"code": text}, {"link": "?lesson=...", "text": ...} or {"value": tree, "format": ".3f"}.

>>> (block,) = blocks("The *level* is {level:.3f}.")
>>> block["parts"]
['The ', {'em': ['level']}, ' is ', {'value': ['name', 'level'], 'format': '.3f'}, '.']
"""

import re
from collections.abc import Iterator
from typing import Any

from svmviz.lessons import expressions

INLINE = re.compile(
    r"\{(?P<value>[^{}]*)\}|\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^*]+)\*|`(?P<code>[^`]+)`"
    r"|\[(?P<words>[^\[\]]+)\]\((?P<link>[^()\s]*)\)"
)
FORMAT = re.compile(r"\.\d[fg](≠(?P<other>\w+)|=(?P<left>\w+)[+-](?P<right>\w+))?")
LESSON_LINK = re.compile(r"\?lesson=[\w-]{1,40}(&card=\d{1,3})?")


def blocks(text: str) -> list[dict[str, Any]]:
    """Paragraphs and items, or a sentence about what cannot be part of a text."""
    out: list[dict[str, Any]] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if not paragraph.strip():
            continue
        items = re.split(r"(?:^|\n)- ", paragraph)
        if items[0].strip():
            out.append({"kind": "p", "parts": inline(" ".join(items[0].split()))})
        out += [{"kind": "li", "parts": inline(" ".join(item.split()))} for item in items[1:]]
    return out


def inline(text: str) -> list[Any]:
    parts, at = [], 0
    for found in INLINE.finditer(text):
        parts += [text[at : found.start()], _part(found)]
        at = found.end()
    parts = [part for part in [*parts, text[at:]] if part]
    for left in (part for part in parts if isinstance(part, str)):
        if brace := re.search(r"[{}]", left):
            raise ValueError(
                f"a brace without its other half near {left[max(0, brace.start() - 10) :][:30]!r}"
            )
    return parts


def _part(found: re.Match) -> dict[str, Any]:
    if (inner := found["value"]) is not None:
        body, _, form = inner.partition(":")
        if form and not FORMAT.fullmatch(form):
            raise ValueError(f"{form!r} is no form of a number: .2f, .0f or .3g")
        return {"value": expressions.read(body), "format": form}
    if found["link"] is not None:
        if not LESSON_LINK.fullmatch(found["link"]):
            raise ValueError(
                f"{found['link']!r}: a link may only lead to a lesson, as ?lesson=sbp&card=3 does"
            )
        return {"link": found["link"], "text": found["words"]}
    if found["code"] is not None:
        return {"code": found["code"]}
    kind = "strong" if found["strong"] is not None else "em"
    return {kind: inline(found[kind])}


def compared(form: str) -> list[str]:
    """Return the names of the numbers that a form compares its own with, see `words.fill`.

    >>> compared(".3g=primal-dual"), compared(".2f")
    (['primal', 'dual'], [])
    """
    found = FORMAT.fullmatch(form)
    return [name for name in found.groupdict().values() if name] if found else []


def trees(parts: list[Any]) -> Iterator[tuple[Any, str]]:
    """All that is to be put in, with its form."""
    for part in parts:
        if isinstance(part, dict):
            if "value" in part:
                yield part["value"], part["format"]
            for kind in ("em", "strong"):
                yield from trees(part.get(kind, []))
