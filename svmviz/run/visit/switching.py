"""From solver to solver and back: whoever returns to one finds it as he left it, but for what he
has turned since.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from svmviz.data.plane import Dataset
from svmviz.data.problem import Problem
from svmviz.record.solver import Solver
from svmviz.run.recipe import Recipe
from svmviz.run.view import SHOWN, opened
from svmviz.solvers import SOLVERS


@dataclass(frozen=True)
class Past:
    came: Mapping[str, Any] = field(
        default_factory=dict
    )  # parameters of the present solver when it was chosen
    left: Mapping[str, Mapping[str, Any]] = field(
        default_factory=dict
    )  # of each solver that was left
    instead: str = (
        ""  # the solver that had to go when data with targets came, until another is chosen
    )


def switched(recipe: Recipe, key: str, past: Past) -> tuple[Recipe, Past]:
    """The recipe with another solver, see `Recipe.with_solver`, and what to remember.

    >>> there, past = switched(Recipe(params={"k": 5}).checked(), "smo", Past())
    >>> switched(there.with_params(lam=0.3), "pegasos", past)[0].params["k"]
    5
    """
    left, found = leaving(recipe, past), recipe.with_solver(key)
    if key in left and SOLVERS[key].goes(left[key]):
        found = replace(found, params=dict(left[key])).checked().fitted()
    return found, Past(found.params, left)


def elsewhere(
    recipe: Recipe, key: str, own: Dataset | None, past: Past
) -> tuple[Recipe, Past, tuple[str, ...]]:
    """The recipe on other data, what to remember, and what there is to say. Targets take a solver
    that fits numbers; where there are classes again, the one from before comes back.

    >>> wave, past, said = elsewhere(Recipe(solver="simba").checked(), "sine", None, Past())
    >>> wave.solver, elsewhere(wave, "moons", None, past)[0].solver
    ('regression', 'simba')
    """
    there = recipe.with_data(key, own)
    title = SOLVERS[recipe.solver].title
    if there.solver != recipe.solver:
        said = (
            f"{SOLVERS[there.solver].title} took over: the targets of these data are numbers, and"
            f" {title} separates classes."
        )
        return there, Past(there.params, leaving(recipe, past), recipe.solver), (said,)
    if not past.instead or there.problem().real or not SOLVERS[recipe.solver].space.real:
        return there, past, ()
    back, found = switched(recipe, past.instead, past)
    said = (
        f"{SOLVERS[back.solver].title} is back: these data have classes again, and {title} was"
        " there for numbers."
    )
    return back.with_data(key, own), found, (said,)


def entered(recipe: Recipe, key: str, past: Past) -> tuple[Recipe, dict[str, Any], Past]:
    """The opening of another solver, where to look, and what to remember."""
    there, view = opened(key)
    return there, view | {"play": SHOWN}, Past(there.params, leaving(recipe, past))


def able(data: str, problem: Problem) -> dict[str, Solver]:
    """The solvers that can work on these data; who takes rows for the words of sentences only where
    there are some.

    >>> recipe = Recipe("ring").checked()
    >>> "sequences" in able("ring", recipe.problem()), "classes" in able("ring", recipe.problem())
    (False, True)
    """
    return {
        key: solver
        for key, solver in SOLVERS.items()
        if not solver.refusal(problem) and (not solver.space.chained or opened(key)[0].data == data)
    }


def leaving(recipe: Recipe, past: Past) -> Mapping[str, Mapping[str, Any]]:
    """The parameters with which one would return to each solver, this one among them."""
    now = recipe.current
    turned = {name: value for name, value in now.items() if past.came.get(name, value) != value}
    return {solver: taking(solver, params, turned) for solver, params in past.left.items()} | {
        recipe.solver: now
    }


def taking(solver: str, params: Mapping[str, Any], turned: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters of a solver with what was turned at another, as far as it can use that."""
    of = {p.name: p for p in SOLVERS[solver].params}
    new = dict(params) | {
        name: value for name, value in turned.items() if name in of and of[name].accepts(value)
    }
    return new if SOLVERS[solver].goes(new) else params
