"""An article is a text file: a title, a few head lines, and sections, each with text, margin notes
and a small stage.

    # The Stochastic Batch Perceptron      the article; below it solver, by, lead ## Lift the lowest
    a section; below it its head lines up to an empty line run: data=moons&solver=sbp&nu=0.05
    its stage shows this run; missing: that of the section before, if t is named t: 40
    after this step show: mechanism plane                  these panels of it figures: figure_2
    what is drawn below the text, by the names that the page has for it

    Text in Markdown. {{level:.3f}} is a number of the run after that step.

    > A note in the margin.

    > as printed, Algorithm 1: what is wrong in the paper; folded, its place in the paper is its
    name.

Files are ours, so that a text may hold all of Markdown; what is put in are numbers.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from svmviz.lessons import expressions
from svmviz.lessons.heads import (
    Broken,
    Fault,
    Heads,
    Part,
    number,
    one_of,
    parts,
    recipe_of,
    some_of,
)
from svmviz.lessons.reading import PANELS, THINGS
from svmviz.run.recipe import Recipe
from svmviz.run.view import AXES, beats
from svmviz.solvers import SOLVERS
from svmviz.work.words import whole

TEXT = Path(__file__).parents[1] / "text"
PAPERS = ("pegasos", "sbp", "simba", "bsgd", "incremental")  # as in the menu
VALUE = re.compile(r"\{\{([^{}:]+)(?::(\.\d[fg]))?\}\}")
PRINTED = re.compile(r"as printed, ([^:]+): (.*)", re.DOTALL)


class Note(NamedTuple):
    """In the margin; one with a place is about what was printed there."""

    text: str
    place: str = ""


@dataclass(frozen=True)
class Scene:
    """What a small stage shows."""

    recipe: Recipe
    t: int = 0
    beat: str = "rest"
    show: tuple[str, ...] = ("mechanism",)
    light: tuple[str, ...] = ()
    x: str = "steps"
    y: str = ""
    play: int = 0
    wide: bool = False  # over the margin, too


@dataclass(frozen=True)
class Section:
    title: str
    line: int
    text: str
    notes: tuple[Note, ...] = ()
    scene: Scene | None = None
    figures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Article:
    title: str
    solver: str
    by: str
    lead: str
    sections: tuple[Section, ...]


@cache
def article(name: str) -> Article:
    """Of a paper."""
    return read((TEXT / f"{name}.md").read_text(encoding="utf-8"), f"{name}.md")


def read(text: str, file: str) -> Article:
    """The article of a file, or all that is wrong in it."""
    faults: list[Fault] = []

    def fault(line: int, section: str, words: str) -> None:
        faults.append(Fault(line, section, words))

    first, *rest = parts(text, fault) or [Part("", 1, {}, "", 1)]
    heads = Heads(first, fault)
    solver, by, lead = (
        heads.take("solver", one_of(SOLVERS), ""),
        heads.take("by", str, ""),
        heads.take("lead", str, ""),
    )
    heads.nothing_else()
    sections, last = [], None
    for part in rest:
        section = _section(part, last, fault)
        sections.append(section)
        last = section.scene or last
    if faults:
        raise Broken(file, faults, "section")
    return Article(first.title, solver, by, lead, tuple(sections))


def _section(part: Part, before: Scene | None, fault: Callable[[int, str, str], None]) -> Section:
    heads, told = Heads(part, fault), part.text.strip()
    named = "run" in part.heads or "t" in part.heads
    recipe = heads.take("run", recipe_of, before.recipe if before else None) if named else None
    scene = None
    if recipe is not None:
        scene = Scene(
            recipe,
            t=heads.take("t", lambda text: whole("t", number(text), 0, recipe.steps), 0),
            beat=heads.take("beat", one_of(("rest", *beats(recipe))), "rest"),
            show=heads.take("show", some_of(PANELS), Scene.show),
            light=heads.take("light", some_of((*PANELS, *THINGS)), ()),
            x=heads.take("x", one_of(AXES), "steps"),
            y=heads.take("y", str, ""),
            play=heads.take("play", lambda text: whole("play", number(text), 1, 1000), 0),
            wide=heads.take("wide", lambda text: one_of(("yes", "no"))(text) == "yes", False),
        )
    figures = heads.take("figures", lambda text: tuple(text.split()), ())
    heads.nothing_else()
    paragraphs = re.split(r"\n\s*\n", told)
    notes = tuple(
        _note(" ".join(line.lstrip("> ") for line in paragraph.split("\n")))
        for paragraph in paragraphs
        if paragraph.startswith(">")
    )
    text = "\n\n".join(paragraph for paragraph in paragraphs if not paragraph.startswith(">"))
    for found in VALUE.finditer(part.text):
        line = part.text_line + part.text.count("\n", 0, found.start())
        try:
            expressions.read(found[1])
        except ValueError as error:
            fault(line, part.title, str(error))
        if scene is None:
            fault(line, part.title, f"{found[0]} is a number of a run, and this section names none")
    return Section(part.title, part.line, text, notes, scene, figures)


def _note(text: str) -> Note:
    found = PRINTED.fullmatch(text)
    return Note(found[2], found[1]) if found else Note(text)


def values(section: Section) -> list[Any]:
    """All expressions of a section."""
    bodies = (section.text, *(note.text for note in section.notes))
    return [expressions.read(found[1]) for body in bodies for found in VALUE.finditer(body)]


def filled(text: str, facts: Mapping[str, Any] | None) -> str:
    """A text with the numbers of its run put in, or with gaps as long as they are not known.

    >>> (
    ...     filled("the level is {{level:.3f}}", {"level": 0.25}),
    ...     filled("the level is {{level:.3f}}", None),
    ... )
    ('the level is 0.250', 'the level is …')
    """

    def written(found: re.Match) -> str:
        if facts is None:
            return "…"
        value = expressions.reckon(expressions.read(found[1]), facts)
        return (
            format(value, found[2])
            if found[2]
            else f"{value:g}"
            if isinstance(value, float)
            else str(value)
        ).replace("-", "\N{MINUS SIGN}")

    return VALUE.sub(written, text)
