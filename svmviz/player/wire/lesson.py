"""A lesson for the player: all cards, so that it turns them by itself; and for a page without a
server all runs that it may ask for, with some values of every parameter that a card lets a learner
turn.
"""

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

import numpy as np

from svmviz.data.params import Param, offered
from svmviz.lessons import study
from svmviz.lessons.reading import Card, Lesson
from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS

VALUES = 9  # of a parameter, in a file


def describe(key: str, lesson: Lesson, following: Mapping[str, str] | None) -> dict[str, Any]:
    """All that does not depend on where the learner is; `following` names the next lesson, if there
    is one.
    """
    return {
        "key": key,
        "title": lesson.title,
        "cards": [described(card) for card in lesson.cards],
        "next": following and dict(following),
    }


def described(card: Card) -> dict[str, Any]:
    knobs = [
        {
            "name": p.name,
            "symbol": p.symbol,
            "title": p.title,
            "low": p.low,
            "high": p.high,
            "log": p.log,
            "whole": counts(p),
            "options": list(p.options),
            "value": card.recipe.params[p.name],
        }
        for p in turnable(card)
    ]
    return {
        "title": card.title,
        "kind": card.kind,
        "id": card.recipe.key(),
        "t": card.t,
        "beat": card.beat,
        "show": card.show,
        "light": card.light,
        "x": card.x,
        "y": card.y,
        "play": card.play,
        "ask": card.ask,
        "until": card.until,
        "knob": knobs,
        "hint": card.hint,
        "solution": card.solution,
        "before": card.before,
        "after": card.after,
    }


def turnable(card: Card) -> list[Param]:
    """The parameters that a card offers, within what its data allow."""
    problem = card.recipe.problem() if card.knob else None
    known = {p.name: p for p in SOLVERS[card.recipe.solver].params}
    return [offered(known[name], problem) for name in card.knob]


def counts(param: Param) -> bool:
    return isinstance(param.default, int) and not isinstance(param.default, bool)


def values(param: Param, *also: Any) -> list[Any]:
    """Some of a parameter's values, spread over its range as its slider is, and those that must be
    among them.

    >>> lam = next(p for p in SOLVERS["pegasos"].params if p.name == "lam")
    >>> [round(v, 6) for v in values(lam, 0.02)][::4]
    [1e-05, 0.01, 1.78]
    """
    if param.options:
        return list(param.options)
    if isinstance(param.default, bool):
        return [False, True]
    low, high = float(param.low), float(param.high)
    spread = (
        np.geomspace(max(low, high * 1e-6), high, VALUES)
        if param.log
        else np.linspace(low, high, VALUES)
    )
    rounded = [round(v) if counts(param) else float(f"{v:.3g}") for v in spread]
    return sorted({param.check(v) for v in (*rounded, *also) if param.accepts(v)})


def runs(cards: Iterable[Card]) -> dict[str, tuple[Recipe, list[dict[str, Any]]]]:
    """All runs of a lesson by their keys, each with what is turned on which card to get it."""
    found: dict[str, tuple[Recipe, list[dict[str, Any]]]] = {}

    def add(k: int, recipe: Recipe, turned: Mapping[str, Any]) -> None:
        found.setdefault(recipe.key(), (recipe, []))[1].append({"card": k, "turned": dict(turned)})

    for k, card in enumerate(cards):
        add(k, card.recipe, {})
        params = turnable(card)
        wanted = [
            values(
                p,
                card.recipe.params[p.name],
                *([card.solution[p.name]] if p.name in card.solution else []),
            )
            for p in params
        ]
        for chosen in product(*wanted) if params else ():
            given = dict(zip((p.name for p in params), chosen, strict=True))
            recipe, used = study.turned(card.recipe, given)
            if used:
                add(k, recipe, used)
    return found
