"""A run with all that the stage shows of it. Whatever takes time is computed here; the player only
packs it.

>>> shown = of_recipe(Recipe(data_params={"n": 40}, steps=20).checked())
>>> shown.optima[0]["gap"] < 1e-9, shown.entries, shown.test
(True, (), None)
"""

import math
from typing import Any, NamedTuple

import numpy as np

from svmviz.data import projection, unseen
from svmviz.data.bundled import BUNDLED
from svmviz.data.problem import Problem
from svmviz.data.projection import Plane
from svmviz.maths.kernels import grams
from svmviz.record import entering, metrics
from svmviz.record.trace import Trace
from svmviz.run import rivals
from svmviz.run.recipe import Recipe
from svmviz.run.rivals import Rivals
from svmviz.theory.bounds.common import Bound
from svmviz.work import limits
from svmviz.work.limits import ONE_THREAD

OPTIMUM_UP_TO = 2000  # examples; beyond, the exact optimum takes longer than anybody would wait
AT_ONCE_UP_TO = (
    600  # examples; beyond, not even its Gram matrix is there in time for the first picture
)
# steps times fresh examples to measure the error on: beyond, the curve is the training error
FRESH = 20_000_000


class Shown(NamedTuple):
    trace: Trace
    plane: Plane  # what to look at where there are more than two features
    image: tuple[int, int] | None = None  # a row is a picture of that height and width ...
    pixels: tuple[np.ndarray, np.ndarray] | None = (
        None  # ... that was scaled by this (shift, divisor)
    )
    classes: tuple[str, ...] = ()  # names of more than two classes
    test: Problem | None = None  # rows that no step sees
    fresh: bool = False  # which were drawn for that
    test_error: np.ndarray | None = None  # (T + 1,) on those
    bound: Bound | None = None  # what a theorem promises
    rivals: Rivals | None = None  # other runs beside it
    tracked: tuple[np.ndarray, np.ndarray] | None = None  # t and the optimum there, of a stream
    entries: tuple[
        dict[str, float], ...
    ] = ()  # what w is worth where each segment but the first begins
    optima: list[dict | None] | None = (
        None  # of each segment; None where they are not there in time
    )


def of_trace(
    trace: Trace,
    plane: Plane | None = None,
    image=None,
    test: Problem | None = None,
    fresh: bool = False,
    classes=(),
    pixels=None,
    seconds: float = math.inf,
) -> Shown:
    """All of a run. Its exact optima may take so many `seconds`; where that is not enough they come
    later.
    """
    trace.metrics  # noqa: B018  computed when first asked for, and that is now
    return Shown(
        trace,
        plane or projection.default(trace.problem),
        image,
        pixels,
        classes,
        test,
        fresh,
        None if test is None else metrics.error_on(trace, test),
        trace.solver.goal.bound(trace),
        rivals.beside(trace, test),
        trace.solver.goal.tracked(trace) if trace.solver.goal.tracked else None,
        tuple(entering.entered(trace, k, test) for k in range(1, len(trace.segments))),
        at_once(trace, seconds),
    )


@ONE_THREAD
def of_recipe(recipe: Recipe, seconds: float = math.inf, known: Trace | None = None) -> Shown:
    """Carry a recipe out, unless its trace is known, and look at it on the plane that it names."""
    with grams.kept(not recipe.own, grams.LARGEST):
        trace, source = known or recipe.trace(), recipe.source
        test = source.test
        if (
            test is None
            and trace.made
            and not trace.solver.space.chained
            and not recipe.edits
            and trace.steps * unseen.TEST <= FRESH
        ):
            test = unseen.test_set(source, recipe.data_params, trace.problem)
        pixels = source.pixels(**recipe.data_params) if source.pixels else None
        fresh = test is not source.test and recipe.data not in BUNDLED
        return of_trace(
            trace,
            recipe.look(trace.problem),
            source.image,
            test,
            fresh,
            source.classes,
            pixels,
            seconds,
        )


def at_once(trace: Trace, seconds: float) -> list[dict | None] | None:
    """The optima of all segments, or None where they are not there in time for the first
    picture.
    """
    stretches = [(segment.params, segment.active) for segment in trace.segments]
    if seconds == math.inf:
        return optima(trace.solver, trace.problem, stretches)
    if AT_ONCE_UP_TO < max(len(active) for _, active in stretches) <= OPTIMUM_UP_TO:
        return None
    with limits.within(limits.Limit(seconds)) as limit:
        found = optima(trace.solver, trace.problem, stretches)
    return None if limit.struck else found


def optima(solver, problem: Problem, stretches) -> list[dict | None]:
    """The exact optimum of each stretch of a run (parameters, who takes part), None where there is
    none to be found.
    """
    return [optimum(solver, problem, params, active) for params, active in stretches]


def optimum(solver, problem: Problem, params: dict[str, Any], active: np.ndarray) -> dict | None:
    """The best value of what the solver works on, how far it may be off, and where it is
    reached.
    """
    if (
        len(active) > OPTIMUM_UP_TO or solver.goal.tracked
    ):  # a stream has an optimum for each of its examples
        return None
    if len(active) < problem.n:
        problem = problem._replace(X=problem.X[active], y=problem.y[active])
    exact = solver.optimum(problem, params)
    if exact is None:
        return None
    other = solver.goal.beside(problem, params)
    return {
        "value": getattr(exact, solver.goal.objective),
        "norm": exact.norm,
        "gap": exact.within,
        **line(exact),
        "beside": other and {"name": other[0], "value": other[1].primal, **line(other[1])},
    }


def line(exact) -> dict[str, Any]:
    """Where its boundary is, on a plane of two features."""
    flat = exact.w is not None and exact.w.size == 2
    return {"w": exact.w.tolist() if flat else None, "b": getattr(exact, "b", 0.0)}
