"""A lesson is a text file: a title, a few head lines, and cards, each with head lines and text.

    # The water level                      the lesson; below it solver, minutes, about ## Everyone
    answers                    a card; below it its head lines, as `name: value`, up to an empty
    line run: data=banana&solver=sbp&nu=0.05    the query of a link to the Playground; missing: the
    run of the card before t: 20                                  the step after which it stands
    ask: wet                               makes it a question about the step that follows until:
    wet >= n / 2                    makes it a task ---                                    what
    follows is said once the card is answered or the task done

All that is wrong in a file is said at once, each with its card and line: `Broken`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from svmviz.lessons import expressions, prose
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
from svmviz.run.recipe import Recipe
from svmviz.run.view import AXES, beats
from svmviz.solvers import SOLVERS
from svmviz.work.words import brief, whole

MOST_CARDS, MOST_TEXT, MOST_FILE = (
    30,
    1500,
    60_000,
)  # cards, characters of a card's text, characters of a file
PANELS = "plane", "mechanism", "curves", "code", "sentence"
THINGS = (
    "drawn",
    "step",
    "boundary",
    "margins",
    "support",
    "wet",
    "water",
    "level",
    "rack",
    "pair",
    "hinge",
    "table",
    "row",
    "column",
    "gap",
    "alphas",
    "pool",
    "bound",
    "optimum",
    "average",
    "numbers",
)


@dataclass(frozen=True)
class Card:
    title: str
    line: int  # of the file, where it begins
    recipe: Recipe
    t: int = 0
    beat: str = "rest"
    show: tuple[str, ...] = ("plane", "mechanism")
    light: tuple[str, ...] = ()
    x: str = "steps"
    y: str = ""
    play: int = 0
    ask: str = ""
    until: Any = None  # an expression
    knob: tuple[str, ...] = ()
    hint: str = ""
    solution: Mapping[str, Any] | None = None
    before: tuple[dict, ...] = ()
    after: tuple[dict, ...] = ()

    @property
    def kind(self) -> str:
        return "predict" if self.ask else "task" if self.until is not None else "tell"

    @property
    def finds(self) -> bool:
        """Whether its question is about the state that step t + 1 finds, not about what the step
        does.
        """
        return any(
            question.beat
            for question in SOLVERS[self.recipe.solver].story.questions
            if question.kind == self.ask
        )


@dataclass(frozen=True)
class Lesson:
    title: str
    cards: tuple[Card, ...]
    solver: str = ""
    minutes: int = 15
    about: str = ""


def read(text: str, file: str) -> Lesson:
    """The lesson of a file, or all that is wrong in it."""
    faults: list[Fault] = []

    def fault(line: int, card: str, words: str) -> None:
        faults.append(Fault(line, card, words))

    if len(text) > MOST_FILE:
        raise Broken(
            file,
            [
                Fault(
                    1,
                    "",
                    f"a lesson may have {MOST_FILE} characters, and this file has {len(text)}",
                )
            ],
        )
    found = parts(text.replace("\r\n", "\n").lstrip("\ufeff"), fault)
    if not found:
        raise Broken(file, faults)
    first, rest = found[0], found[1:]
    whole_file = Heads(first, fault)
    lesson = Lesson(
        first.title,
        (),
        whole_file.take("solver", one_of(SOLVERS), ""),
        whole_file.take("minutes", lambda text: whole("minutes", float(text), 1, 180), 15),
        whole_file.take("about", str, ""),
    )
    whole_file.nothing_else()
    if not 1 <= len(rest) <= MOST_CARDS:
        fault(first.line, "", f"a lesson has 1 to {MOST_CARDS} cards, and this one has {len(rest)}")
        raise Broken(file, faults)
    cards: list[Card] = []
    for part in rest:
        card = _card(part, cards[-1] if cards else None, fault)
        if card:
            cards.append(card)
    if faults:
        raise Broken(file, faults)
    return Lesson(lesson.title, tuple(cards), lesson.solver, lesson.minutes, lesson.about)


def _card(part: Part, before: Card | None, fault) -> Card | None:
    heads = Heads(part, fault)
    recipe = heads.take("run", recipe_of, before.recipe if before else None)
    if recipe is None:
        fault(
            part.line,
            part.title,
            "the first card names its run, as in “run: data=moons&solver=pegasos”",
        )
        return None
    same = before is not None and recipe == before.recipe
    beat_names, params = (
        ("rest", *beats(recipe)),
        {p.name: p for p in SOLVERS[recipe.solver].params},
    )

    def solved(text: str) -> dict[str, Any]:
        given = dict(
            re.findall(r"(\w+)=(.*?)(?=\s+\w+=|\s*$)", text)
        )  # names of options may hold spaces
        if not given:
            raise ValueError(f"name=value, got {brief(text)!r}")
        return {
            name: (
                whole("t", float(value), 0, recipe.steps)
                if name == "t"
                else one_of(params, "parameter")(name) and params[name].read(value)
            )
            for name, value in given.items()
        }

    def texts(text: str) -> tuple[dict, ...]:
        if len(text) > MOST_TEXT:
            raise ValueError(
                f"a text may have {MOST_TEXT} characters, and this one has {len(text)}"
            )
        return tuple(prose.blocks(text))

    above, _, below = re.sub(r"(?m)^---\s*$", "\0", part.text).partition("\0")
    written = {}
    for name, text, line in (
        ("before", above, part.text_line),
        ("after", below, part.text_line + above.count("\n")),
    ):
        try:
            written[name] = texts(text)
        except ValueError as error:
            fault(line, part.title, str(error))
    card = Card(
        part.title,
        part.line,
        recipe,
        t=heads.take(
            "t",
            lambda text: whole("t", number(text), 0, recipe.steps),
            before.t if before and same else 0,
        ),
        beat=heads.take("beat", one_of(beat_names), "rest"),
        show=heads.take("show", some_of(PANELS), ("plane", "mechanism")),
        light=heads.take("light", some_of((*PANELS, *THINGS)), ()),
        x=heads.take("x", one_of(AXES), "steps"),
        y=heads.take("y", lambda text: text[:40], ""),
        play=heads.take("play", lambda text: whole("play", number(text), 1, 1000), 0),
        ask=heads.take(
            "ask",
            one_of([question.kind for question in SOLVERS[recipe.solver].story.questions]),
            "",
        ),
        until=heads.take("until", expressions.read, None),
        knob=heads.take("knob", some_of(params), ()),
        hint=heads.take("hint", str, ""),
        solution=heads.take("solution", solved, None),
        **written,
    )
    heads.nothing_else()
    if not card.before:
        fault(part.line, part.title, "the card has no text")
    if card.ask and card.until is not None:
        fault(
            part.line, part.title, "a card asks or sets a task, not both: leave ask or until away"
        )
    if card.ask and card.t >= recipe.steps:
        fault(
            part.line,
            part.title,
            f"it asks about step {card.t + 1}, and the run has {recipe.steps}; give it a larger T",
        )
    return card
