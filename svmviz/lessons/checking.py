"""Whether a lesson can be shown: its runs are carried out, its names looked up, its tasks done."""

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from svmviz.lessons import expressions, prose
from svmviz.lessons.facts import facts
from svmviz.lessons.heads import Broken, Fault
from svmviz.lessons.reading import Card, Lesson
from svmviz.record.trace import Trace
from svmviz.run.recipe import Recipe
from svmviz.run.shown import optima

MOST_RUNS = 12  # of a lesson


class Runs:
    """Traces and optima of a lesson's recipes, each computed once."""

    def __init__(self):
        self.traces: dict[str, Trace] = {}
        self.best: dict[str, Any] = {}

    def trace(self, recipe: Recipe) -> Trace:
        if recipe.key() not in self.traces:
            self.traces[recipe.key()] = recipe.trace()
        return self.traces[recipe.key()]

    def facts(self, recipe: Recipe, t: int, before: bool = False) -> dict[str, Any]:
        """What can be said after step t, or of the state that it finds, and at the end."""
        trace = self.trace(recipe)
        if recipe.key() not in self.best:
            problem, active = recipe.union()
            found = optima(trace.solver, problem, recipe.stretches(problem, active))
            self.best[recipe.key()] = found[-1]
        best = self.best[recipe.key()]
        now, end = facts(trace, t, best, before), facts(trace, trace.steps, best)
        return now | {f"end.{name}": value for name, value in end.items()}


def check(lesson: Lesson, file: str, runs: Runs | None = None) -> None:
    """Raise `Broken` with all that is wrong."""
    runs = runs or Runs()
    if len({card.recipe.key() for card in lesson.cards}) > MOST_RUNS:
        raise Broken(file, [Fault(1, "", f"a lesson may have {MOST_RUNS} different runs")])
    faults = [
        Fault(card.line, card.title, words) for card in lesson.cards for words in wrong(card, runs)
    ]
    if faults:
        raise Broken(file, faults)


def wrong(card: Card, runs: Runs) -> Iterator[str]:
    """Sentences about what does not hold on a card."""
    try:
        here = runs.facts(card.recipe, card.t)
    except ValueError as error:
        yield f"its run cannot be: {error}"
        return
    later = runs.facts(card.recipe, card.t + 1, card.finds) if card.ask else here
    for blocks, known in ((card.before, here), (card.after, later)):
        for block in blocks:
            for tree, form in prose.trees(block["parts"]):
                compared = prose.compared(form)
                yield from unknown(["and", tree, *(["name", name] for name in compared)], known)
                if (
                    form
                    and not any(unknown(tree, known))
                    and not isinstance(expressions.reckon(tree, known), (int, float))
                ):
                    yield (
                        f"{form!r} is a form of numbers, and this is"
                        f" {expressions.reckon(tree, known)!r}"
                    )
    if card.until is not None:
        yield from task(card, here, runs)


def unknown(tree: Any, known: dict[str, Any]) -> Iterator[str]:
    for name in expressions.names(tree):
        if name not in known:
            near = get_close_matches(name, list(known), 1)
            yield f"there is no {name!r} in this run" + (
                f"; did you mean {near[0]}?" if near else ""
            )


def task(card: Card, here: dict[str, Any], runs: Runs) -> Iterator[str]:
    """A task that is done before it begins is none, and what Show me does must do it."""
    first = {f"first.{name}": value for name, value in here.items()}
    said = list(unknown(card.until, here | first))
    yield from said
    if said:
        return
    if expressions.reckon(card.until, here | first):
        yield "the task is done before it begins"
    if card.solution is None:
        yield "a task says how it can be done, as in “solution: nu=0.4”"
        return
    recipe, t = solved(card)
    if not expressions.reckon(card.until, runs.facts(recipe, t) | first):
        yield "its solution does not do what until asks for"


def solved(card: Card) -> tuple[Recipe, int]:
    """The run and the step of the solution."""
    given = dict(card.solution or {})
    t = given.pop("t", card.t)
    return replace(card.recipe, params=dict(card.recipe.params) | given).checked(), t
