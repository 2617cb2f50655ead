"""What is wrong with a sweep, in sentences, each with the control beside which it is to be said."""

import math
from typing import NamedTuple

import numpy as np

from svmviz.data.problem import Problem
from svmviz.data.sizes import computable
from svmviz.estimators import ESTIMATORS, REGRESSORS
from svmviz.explore.axes import OF_KERNEL, sweepable
from svmviz.run.recipe import STEPS, Recipe
from svmviz.solvers import SOLVERS
from svmviz.work.words import brief, count, whole

GRID, RANDOM, HALVING = SEARCHES = "grid", "random", "halving"
MOST_AXES, MOST_SEEDS, MOST_FOLDS, MOST_FITS = 6, 100, 20, 1_000_000
ESTIMATOR = {made.solver.key: made for made in (*ESTIMATORS.values(), *REGRESSORS.values())}


class Fault(NamedTuple):
    """What is wrong, and beside which control to say so: data, solver, axis1, axis2, ..., seeds,
    folds, held_out, fold_seed, search, draws, draw_seed, factor, or fits where it is too much
    altogether.
    """

    control: str
    sentence: str


def _said(control: str, check, *given) -> list[Fault]:
    try:
        check(*given)
    except ValueError as error:
        return [Fault(control, str(error))]
    return []


def of_recipe(recipe: Recipe) -> list[Fault]:
    solver = SOLVERS[recipe.solver]
    if recipe.solver not in ESTIMATOR:
        return [
            Fault(
                "solver",
                f"{solver.title} works on rows that belong together, which folds would tear apart;"
                " choose another solver",
            )
        ]
    if found := _said("solver", recipe.checked):
        return found
    try:
        problem = recipe.problem()
    except ValueError as error:
        return [Fault("data", str(error))]
    if solver.space.real and not problem.real:
        return [
            Fault(
                "data",
                f"{solver.title} fits targets, and these data have classes, whose errors it does"
                " not count; choose other data, or another solver",
            )
        ]
    refusal = solver.refusal(problem)
    return [Fault("data", f"{refusal}; choose other data, or another solver")] if refusal else []


def of_axes(spec) -> list[Fault]:
    known, found, names = sweepable(spec.recipe), [], [axis.name for axis in spec.axes]
    if not 1 <= len(spec.axes) <= MOST_AXES:
        return [Fault("axis1", f"sweep 1 to {MOST_AXES} parameters, got {len(spec.axes)}")]
    for k, axis in enumerate(spec.axes, 1):
        control = f"axis{k}"
        if axis.name not in known:
            there = ", ".join(known)
            found.append(
                Fault(control, f"{brief(axis.name)!r} cannot be swept here; what can is {there}")
            )
        elif axis.name in names[: k - 1]:
            found.append(Fault(control, f"{axis.name} is swept twice; choose another parameter"))
        elif axis.name in OF_KERNEL and "kernel" in names and axis.name not in spec.recipe.params:
            found.append(
                Fault(
                    control,
                    f"{axis.name} is part of the kernel, which is swept itself; leave one of"
                    " them out",
                )
            )
        elif axis.name == STEPS.name and spec.search == HALVING:
            found.append(
                Fault(
                    control,
                    "steps cannot be swept in successive halving, which gives more of them to the"
                    " better",
                )
            )
        else:
            found += _said(control, axis.values, known[axis.name])
    return found


def of_measuring(spec) -> list[Fault]:
    found, problem = [], spec.problem()
    if not 1 <= len(set(spec.seeds)) == len(spec.seeds) <= MOST_SEEDS:
        found.append(
            Fault("seeds", f"take 1 to {MOST_SEEDS} different seeds, got {brief(spec.seeds)}")
        )
    for seed in spec.seeds:
        found += _said("seeds", whole, "a seed", seed, 0, 2**32 - 1)
    for control in ("fold_seed", "draw_seed"):
        found += _said(
            control, whole, control.replace("_", " "), getattr(spec, control), 0, 2**32 - 1
        )
    if spec.search not in SEARCHES:
        found.append(
            Fault(
                "search", f"search must be one of {', '.join(SEARCHES)}, got {brief(spec.search)!r}"
            )
        )
    found += _said("draws", whole, "draws", spec.draws, 2, MOST_FITS) + _said(
        "factor", whole, "factor", spec.factor, 2, 10
    )
    if spec.held_out is None:
        faults = _said("folds", whole, "folds", spec.folds, 2, MOST_FOLDS)
    else:
        fine = isinstance(spec.held_out, float) and 0.05 <= spec.held_out <= 0.9
        faults = (
            []
            if fine
            else [
                Fault(
                    "held_out",
                    f"held_out must be a share from 0.05 to 0.9, got {brief(spec.held_out)}",
                )
            ]
        )
    return found + (faults or _divided(spec, problem))


def _divided(spec, problem: Problem) -> list[Fault]:
    """Whether every part has enough of everything."""
    fewest = problem.n if problem.real else int(np.unique(problem.y, return_counts=True)[1].min())
    whom = "there are" if problem.real else "the smallest class has"
    if spec.held_out is None and fewest < spec.folds:
        return [
            Fault(
                "folds",
                f"{whom} {fewest} rows, too few for {spec.folds} folds; take fewer folds, or more"
                " data",
            )
        ]
    tested = math.ceil(problem.n * (spec.held_out or 0.5))
    if not problem.real and (fewest < 2 or min(tested, problem.n - tested) < problem.classes):
        return [
            Fault(
                "held_out",
                f"{whom} {fewest} of {problem.n} rows, too few to be divided; take more data",
            )
        ]
    return []


def of_size(spec) -> list[Fault]:
    if spec.size > 2**31 - 1:
        return [
            Fault(
                "fits",
                f"the grid has {count(spec.size)} cells, more than can be counted; take fewer"
                " values",
            )
        ]
    if spec.fits > MOST_FITS:
        return [
            Fault(
                "fits",
                f"these are {count(spec.fits)} fits, and a sweep may have {count(MOST_FITS)}; take"
                " fewer values, folds or seeds",
            )
        ]
    return _said("data", computable, spec.problem(), spec.recipe.params.get("kernel"))
