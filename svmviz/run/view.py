"""What of a run is looked at: the step, the beat, the curve. Read from a link together with the
run.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl

from svmviz.data.plane import Dataset
from svmviz.record.solver import plan_segments
from svmviz.run.link import SEEN, VIEW_KEYS
from svmviz.run.recipe import STEPS, Recipe, from_query
from svmviz.solvers import SOLVERS
from svmviz.work.words import brief

AXES = (
    "steps",
    "epochs",
    "examples",
    "features_read",
    "kernel_evals",
)  # what a curve may be drawn over
ANEW = {
    "t": 0,
    "beat": "",
    "x": "steps",
    "y": "",
    "field": "",
}  # each solver begins with its own curve

SHOWN = 3  # steps that an opening plays by itself


@cache
def opened(key: str) -> tuple[Recipe, Mapping[str, Any]]:
    """Where a solver is first met: a run, and what of it is seen."""
    query = {"solver": key} | dict(parse_qsl(SOLVERS[key].uses.opening))
    recipe = from_query(query, VIEW_KEYS)[0].checked()
    return recipe, MappingProxyType(
        ANEW | {"t": int(query.get("t", 0)), "beat": query.get("beat", "")}
    )


def prepared(recipe: Recipe) -> bool:
    """Whether this is the opening of its solver, with nothing changed by a visitor; it may be
    longer, as playing makes it.
    """
    return recipe.own is None and replace(opened(recipe.solver)[0], steps=recipe.steps) == recipe


OPENING, VIEW = opened(Recipe.solver)  # of a first visit


def arrive(
    query: Mapping[str, str], own: Mapping[str, Dataset] | None = None
) -> tuple[Recipe, dict[str, Any], list[str]]:
    """Recipe, view and complaints of a link; the opening of a solver where only that is named, of
    the first where nothing is. `own` are the visitor's own data.
    """
    if not query:
        return OPENING, dict(VIEW), []
    if [*query] == ["solver"] and query["solver"] in SOLVERS:
        recipe, view = opened(query["solver"])
        return recipe, view | {"play": SHOWN}, []
    recipe, messages = (
        from_query(query, VIEW_KEYS, own) if set(query) - set(VIEW_KEYS) else (OPENING, [])
    )
    view = dict(ANEW)
    known = {"x": AXES, "beat": ("", "rest", *beats(recipe))}
    for name in SEEN[1:]:
        view[name] = query.get(name, view[name])[:40]
        if view[name] not in known.get(name, (view[name],)):
            messages.append(
                f"The link's {name} was left out: {name} may be"
                f" {', '.join(filter(None, known[name]))}, got {view[name]!r}."
            )
            view[name] = ANEW[name]
    step = query.get("t", "0")
    if step.isdecimal() and step.isascii():
        step, asked = step.lstrip("0")[:20] or "0", recipe.steps
        there = (
            int(step) if int(step) <= STEPS.high else 0
        )  # a step that no run gets to asks for no longer run
        recipe = replace(
            recipe, steps=min(STEPS.high, max([asked, there, *(s + 1 for s, _ in recipe.changes)]))
        )
        view["t"] = min(int(step), recipe.steps)
        if view["t"] < int(step):
            messages.append(
                f"The link's t was replaced by {view['t']}, the end of the run: a run may have"
                f" {STEPS.high} steps, got {brief(step)}."
            )
        if recipe.steps > asked and "T" in query and not STEPS.accepts(query["T"]):
            messages.append(
                f"The run has {recipe.steps} steps all the same: something in the link happens"
                " there."
            )
    else:
        messages.append(
            "The link's t was replaced by 0: t must be a whole number, 0 or more, got"
            f" {brief(step)!r}."
        )
    view["present"] = query.get("present") == "1"
    return recipe, view, messages


def beats(recipe: Recipe) -> list[str]:
    """All that a step of this run may be made of."""
    solver = SOLVERS[recipe.solver]
    planned = plan_segments(solver, dict(recipe.params), recipe.changes)
    return list(
        dict.fromkeys(line.beat for _, params in planned for line in solver.story.lines(params))
    )
