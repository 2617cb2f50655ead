"""From solver to solver and back: whoever returns to one finds it as he left it, but for what he has turned since."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from svmviz.data.problem import Problem
from svmviz.record.solver import Solver
from svmviz.run.recipe import Recipe
from svmviz.run.view import SHOWN, opened
from svmviz.solvers import SOLVERS


@dataclass(frozen=True)
class Past:
    came: Mapping[str, Any] = field(default_factory=dict)  # parameters of the present solver when it was chosen
    left: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # of each solver that was left


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


def entered(recipe: Recipe, key: str, past: Past) -> tuple[Recipe, dict[str, Any], Past]:
    """The opening of another solver, where to look, and what to remember."""
    there, view = opened(key)
    return there, view | {"play": SHOWN}, Past(there.params, leaving(recipe, past))


def able(data: str, problem: Problem) -> dict[str, Solver]:
    """The solvers that can work on these data; who takes rows for the words of sentences only where there are some.

    >>> recipe = Recipe("ring").checked()
    >>> "sequences" in able("ring", recipe.problem()), "classes" in able("ring", recipe.problem())
    (False, True)
    """
    return {key: solver for key, solver in SOLVERS.items()
            if not solver.refusal(problem) and (not solver.chained or opened(key)[0].data == data)}


def leaving(recipe: Recipe, past: Past) -> Mapping[str, Mapping[str, Any]]:
    """The parameters with which one would return to each solver, this one among them."""
    now = recipe.current
    turned = {name: value for name, value in now.items() if past.came.get(name, value) != value}
    return {solver: taking(solver, params, turned) for solver, params in past.left.items()} | {recipe.solver: now}


def taking(solver: str, params: Mapping[str, Any], turned: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters of a solver with what was turned at another, as far as it can use that."""
    of = {p.name: p for p in SOLVERS[solver].params}
    new = dict(params) | {name: value for name, value in turned.items() if name in of and of[name].accepts(value)}
    return new if SOLVERS[solver].goes(new) else params
