"""A sweep as bytes for the page Explore: what is known of every cell, and of one cell the decision
values on the plane.

Of a grid of one or two parameters every cell has its place in the arrays, whether it was tried or
not. Of more parameters, or where many were tried, the cells with the lowest error travel, and
`cells` says which they are.
"""

from typing import Any, NamedTuple

import numpy as np

from svmviz.data.projection import Plane
from svmviz.explore import Spec, Table, sweepable
from svmviz.explore.axes import ranges, shown
from svmviz.explore.faults import ESTIMATOR
from svmviz.explore.rows import DIVERGED, FINE, MEASURES, REFUSED, UNSETTLED
from svmviz.maths.water import water_level
from svmviz.player.wire.packing import smallest
from svmviz.player.wire.run import encode, named, seal
from svmviz.run.fork import worded
from svmviz.run.recipe import STEPS, Recipe
from svmviz.solvers import SOLVERS
from svmviz.work.limits import ONE_THREAD
from svmviz.work.words import brief, count, fill

TO_COME, THERE, FELL, FORBIDDEN, UNTRIED, ABOVE = range(6)  # what a cell is drawn as
AS = {FINE: THERE, DIVERGED: FELL, REFUSED: FORBIDDEN, UNSETTLED: ABOVE}
MOST = 2000  # cells that travel, where they have no grid to stand on
BESIDE = (
    "train_error",
    "vectors",
    "primal",
    "norm",
    "seconds",
)  # numbers of a cell whatever the map shows
COLUMNS, ROWS = 80, 60  # of the field of a cell
OF_CLASSES = 44, 33  # where each class has a score
FEATURES = 3000  # that a picture may cost
POINTS = 1500  # examples that are drawn on it
REASONS = 400  # sentences that travel


def axes_of(spec: Spec) -> list[dict[str, Any]]:
    """How each axis is called and what stands along it; numbers where they are some."""
    known, found = sweepable(spec.recipe), []
    for axis, values in zip(spec.axes, spec.swept, strict=True):
        param = known[axis.name]
        number = ranges(param)
        found.append(
            {
                "name": axis.name,
                "symbol": shown(param),
                "title": param.title or shown(param),
                "number": number,
                "log": bool(number and axis.scale(param) and min(values) > 0),
                "values": list(values) if number else list(range(len(values))),
                "labels": [
                    short(value) if number else brief(worded(param, value), 24) for value in values
                ],
            }
        )
    return found


def short(value: float) -> str:
    """A value beside its row.

    >>> short(0.000316228), short(1e-5), short(1000), short(25.1189), short(158.489)
    ('0.00032', '10⁻⁵', '1000', '25', '158')
    """
    if isinstance(value, int) or 100 <= abs(value) < 1e6:
        return count(value)
    return fill("{v:.2g}", {"v": float(f"{value:.2g}")})


def sweep_arrays(table: Table, measure: str) -> tuple[dict, dict[str, np.ndarray]]:
    """What is known of the cells, for the header and as arrays."""
    spec, error, spread = table.spec, table.mean(), table.error_of_mean()
    complete, status = table.finished, table.status
    drawn = np.where(complete, np.choose(status, [AS[k] for k in range(len(AS))]), TO_COME).astype(
        np.uint8
    )
    each = table.measure(measure).mean(axis=1)  # (cells, seeds)
    columns = {
        "value": table.mean(measure),
        "spread": table.error_of_mean(measure),
        "error": error,
        "error_spread": spread,
        "low": np.where(complete, each.min(axis=1), np.nan),
        "high": np.where(complete, each.max(axis=1), np.nan),
    }
    columns |= {name: table.mean(name) for name in BESIDE}
    floats = {name: values.astype(np.float32) for name, values in columns.items()}
    within, best, sparsest = table.within & complete, table.best, table.sparsest
    best, sparsest = (
        cell if cell is not None and complete[np.searchsorted(table.cells, cell)] else None
        for cell in (best, sparsest)
    )  # one whose optimum is to come is not marked yet
    place = None if best is None else int(np.searchsorted(table.cells, best))
    limit = None if place is None else float(error[place] + np.nan_to_num(spread[place]))
    header = {
        "best": best,
        "sparsest": sparsest,
        "front": table.front(),
        "limit": limit,
        "counts": {
            "complete": int(complete.sum()),
            "within": int(within.sum()),
            "cells": len(table.cells),
            "fits": table.fits,
            "diverged": int((drawn == FELL).sum()),
            "unsettled": int((drawn == ABOVE).sum()),
            "refused": int((drawn == FORBIDDEN).sum()),
        },
        "reasons": {
            str(cell): table.reason(cell)
            for cell in table.cells[drawn == FORBIDDEN][:REASONS].tolist()
        },
    }
    arrays = {"state_of": drawn, "within": within.astype(np.uint8)} | floats
    if len(spec.shape) <= 2:
        return header, arrays if len(table.cells) == spec.size else spread_out(table, arrays)
    if len(table.cells) > MOST:
        kept = np.sort(np.lexsort((table.cells, np.where(complete, error, np.inf)))[:MOST])
        arrays, cells = {name: values[kept] for name, values in arrays.items()}, table.cells[kept]
    else:
        cells = table.cells
    return header, arrays | {"cells": cells.astype(np.int32)}


def spread_out(table: Table, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The same with a place for every cell of the grid."""
    found = {}
    for name, values in arrays.items():
        fill = UNTRIED if name == "state_of" else 0 if name == "within" else np.nan
        found[name] = np.full(table.spec.size, fill, values.dtype)
        found[name][table.cells] = values
    return found


def crossed(spec: Spec, recipe: Recipe | None) -> list[float] | None:
    """Where a setting of the same solver lies on the axes, in steps from value to value; None where
    it does not.
    """
    if recipe is None or recipe.solver != spec.recipe.solver:
        return None
    known, now, found = sweepable(spec.recipe), recipe.current, []
    for axis, values in zip(spec.axes, spec.swept, strict=True):
        kernel = now.get("kernel")
        value = (
            recipe.steps
            if axis.name == STEPS.name
            else now[axis.name]
            if axis.name in now
            else getattr(kernel, axis.name, None)
        )
        if value is None and axis.name not in now:
            return None
        if not ranges(known[axis.name]):
            if value not in values:
                return None
            found.append(float(values.index(value)))
            continue
        scale = np.log if axis.scale(known[axis.name]) and min(values) > 0 else np.asarray
        if not min(values) <= value <= max(values):
            return None
        found.append(
            float(np.interp(scale(value), scale(np.array(values, float)), np.arange(len(values))))
        )
    return found


class Look(NamedTuple):
    """A cell's run on all rows, as it is drawn: what the header says of it, and arrays."""

    header: dict
    arrays: dict[str, np.ndarray]


@ONE_THREAD
def look(spec: Spec, cell: int) -> Look:
    """Fit a cell on all rows, and take its decision values on the plane that the stage shows; a
    sentence where it cannot.
    """
    recipe, problem, solver = spec.recipe_of(cell), spec.problem(), SOLVERS[spec.recipe.solver]
    about = {"cell": int(cell), "seed": recipe.seed, "refused": ""}
    if problem.d > (1 if problem.real else FEATURES):
        why = (
            "targets have no boundary between them"
            if problem.real
            else "these data have too many features"
        )
        return Look(about | {"refused": f"There is no picture of it here: {why}."}, {})
    try:
        recipe.allowed(problem)
        with np.errstate(all="ignore"):
            model = ESTIMATOR[solver.key](
                **recipe.params, steps=recipe.steps, random_state=recipe.seed
            )
            model.fit(problem.X, problem.y)
            plane = recipe.look(problem)
            return Look(
                about
                | {
                    "slice": plane.slice,
                    "axes": list(plane.axes),
                    "classes": named(problem, recipe.source.classes) if problem.classes > 2 else [],
                },
                (curve if problem.real else field)(plane, problem, model)
                | examples(plane, problem, model),
            )
    except ValueError as error:
        return Look(about | {"refused": f"{error}."}, {})


def field(plane: Plane, problem, model) -> dict[str, np.ndarray]:
    """Decision values on a grid of the plane, row by row from the top; of several classes one grid
    each.
    """
    columns, rows = OF_CLASSES if problem.classes > 2 else (COLUMNS, ROWS)
    x0, x1, y0, y1 = extent(plane.places(problem), columns / rows)
    across, up = np.meshgrid(np.linspace(x0, x1, columns), np.linspace(y1, y0, rows))
    Z = plane.origin + np.column_stack([across.ravel(), up.ravel()]) @ plane.basis
    scores = model.decision_function(Z) / level(problem, model)
    return {
        "field": scores.T.astype(np.float32).ravel(),
        "extent": np.array([x0, x1, y0, y1], np.float64),
        "grid": np.array([columns, rows], np.uint16),
    }


def curve(plane: Plane, problem, model) -> dict[str, np.ndarray]:
    """What is predicted over the one feature of targets: a grid of one row."""
    points = plane.places(problem)
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    x0, x1, y0, y1 = (
        x0 - 0.06 * (x1 - x0),
        x1 + 0.06 * (x1 - x0),
        y0 - 0.12 * (y1 - y0),
        y1 + 0.12 * (y1 - y0),
    )
    predicted = model.predict(np.linspace(x0, x1, 2 * COLUMNS)[:, None])
    return {
        "field": predicted.astype(np.float32),
        "extent": np.array([x0, x1, y0, y1]),
        "grid": np.array([2 * COLUMNS, 1], np.uint16),
    }


def level(problem, model) -> float:
    """What scores are divided by: SBP predicts by w over its level, and then the margin is 1 as
    that of the others is.
    """
    if model.solver.goal.objective != "level":
        return 1.0
    found = water_level(
        problem.y * model.decision_function(problem.X), problem.n * model._params["nu"]
    )
    return found if found > 0 else 1.0


def extent(points: np.ndarray, ratio: float) -> tuple[float, float, float, float]:
    """Limits about some points that have a margin, and so many times the width of their height:
    equal units both ways.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, max(high[0] - low[0], ratio * (high[1] - low[1]), 1e-9) * 0.57
    return middle[0] - half, middle[0] + half, middle[1] - half / ratio, middle[1] + half / ratio


def examples(plane: Plane, problem, model) -> dict[str, np.ndarray]:
    """Where the examples lie, their classes, and how much each weighs in the sum; of very many a
    part.
    """
    weight = np.zeros(problem.n)
    if hasattr(model, "support_"):
        weight[model.support_] = abs(model.dual_coef_).max(axis=0)
    rows = np.arange(problem.n)
    if problem.n > POINTS:
        rows = np.sort(np.random.default_rng(0).choice(problem.n, POINTS, replace=False))
    part = problem._replace(X=problem.X[rows], y=problem.y[rows])
    kinds = part.y if problem.classes > 2 else np.ones(part.n) if problem.real else part.y > 0
    top = weight.max(initial=0.0)
    return {
        "places": plane.places(part).astype(np.float32).ravel(),
        "kinds": kinds.astype(np.uint8),
        "weight": smallest(np.rint(255 * weight[rows] / (top or 1.0)).astype(np.int64)),
    }


def encode_sweep(
    header: dict, arrays: dict[str, np.ndarray], found: Look | None = None, **extra: Any
) -> bytes:
    """The whole message: header and arrays of the table, and of the cell under the cursor if it is
    there.
    """
    more = (
        {} if found is None else {f"look.{name}": values for name, values in found.arrays.items()}
    )
    return encode(seal(header | {"look": found and found.header}, arrays | more), **extra)


def about_measure(spec: Spec, measure: str) -> dict[str, Any]:
    """How the numbers of a measure are called and written."""
    real = SOLVERS[spec.recipe.solver].space.real
    share = measure in ("error", "train_error") and not real
    title = "unexplained variance" if real and measure == "error" else MEASURES[measure]
    return {
        "key": measure,
        "title": title,
        "percent": share,
        "whole": measure in ("vectors", "kernel_evals", "features_read"),
    }
