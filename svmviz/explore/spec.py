"""What is swept, and how: a frozen value that says everything a sweep depends on, and what is wrong
with it.

A cell is a place on the grid of all axes, counted along the last axis first. What is fitted is a
task: a cell, a fold, a seed. Folds are the same for every cell and every seed, so that cells can be
compared pair by pair and one search of scikit-learn does the same (`script`).
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.model_selection import (
    KFold,
    ParameterSampler,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from svmviz.data.problem import Problem
from svmviz.explore import faults
from svmviz.explore.axes import LEAST, MOST, Axis, applied, sweepable
from svmviz.explore.faults import GRID, HALVING, Fault
from svmviz.run.recipe import STEPS, Recipe
from svmviz.solvers import SOLVERS
from svmviz.work.memo import digest_of


@dataclass(frozen=True)
class Spec:
    """A sweep. `checked()` refuses what cannot be done; everything else here takes a checked one
    for granted.

    >>> spec = Spec(
    ...     Recipe("moons"), (Axis("lam", 0.01, 1.0, 3), Axis("k", 1, 3, 3)), seeds=(0, 1), folds=4
    ... ).checked()
    >>> spec.shape, spec.fits, spec.cells[:4].tolist()
    ((3, 3), 72, [0, 1, 2, 3])
    >>> spec.params(5)["lam"], spec.params(5)["k"]
    (0.1, 3)
    >>> replace(spec, folds=1).faults()
    [Fault(control='folds', sentence='folds must be a whole number from 2 to 20, got 1')]
    """

    recipe: Recipe  # data, solver, parameters that are not swept, steps; its own seed is not used
    axes: tuple[Axis, ...]
    seeds: tuple[int, ...] = (0,)
    folds: int = 5  # of a stratified cross-validation
    held_out: float | None = None  # instead of folds: the share of the rows that only test
    fold_seed: int = 0  # that shuffles the rows before they are divided
    search: str = GRID
    draws: int = 60  # cells that a search by chance tries
    draw_seed: int = 0
    factor: int = 3  # of successive halving: one in so many goes on, with as many times the steps
    optimum: bool = False  # whether the exact optimum of every cell and fold is computed, too

    def checked(self) -> "Spec":
        """The same sweep from the parameters after all changes, all defaults written out; the first
        fault is a `ValueError`.
        """
        if found := self.faults():
            raise ValueError(found[0].sentence)
        return self._settled()

    def _settled(self) -> "Spec":
        return replace(self, recipe=self.recipe.restarted().checked())

    def faults(self) -> list[Fault]:
        """All that is wrong with it, each with the name of its control."""
        if found := faults.of_recipe(self.recipe):
            return found
        spec = self._settled()
        return [*faults.of_axes(spec), *faults.of_measuring(spec)] or faults.of_size(spec)

    @cached_property
    def swept(self) -> tuple[tuple, ...]:
        """The values of each axis."""
        known = sweepable(self.recipe)
        return tuple(axis.values(known[axis.name]) for axis in self.axes)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(map(len, self.swept))

    @property
    def size(self) -> int:
        """Cells of the whole grid."""
        return math.prod(self.shape)

    @property
    def tried(self) -> int:
        """Cells that are tried at first."""
        return self.size if self.search == GRID else min(self.draws, self.size)

    @cached_property
    def cells(self) -> np.ndarray:
        """The cells that are tried; by chance those that scikit-learn's ParameterSampler draws
        without replacement.
        """
        if self.tried == self.size:
            return np.arange(self.size)
        named = {name: range(len(values)) for name, values in self.arguments().items()}
        drawn = ParameterSampler(named, self.draws, random_state=self.draw_seed)
        return np.array([self._cell(chosen) for chosen in drawn])

    @property
    def rungs(self) -> tuple[tuple[int, int], ...]:
        """Cells and steps of each round of successive halving, as HalvingRandomSearchCV has them;
        other searches have one.
        """
        if self.search != HALVING:
            return ((self.tried, self.recipe.steps),)
        cells, steps, factor = self.tried, self.recipe.steps, self.factor
        needed = 1 + math.floor(math.log(cells, factor))
        least = max(1, steps // factor ** (needed - 1))
        possible = 1 + math.floor(math.log(steps // least, factor))
        found = []
        for rung in range(min(needed, possible)):
            found.append((cells, min(steps, least * factor**rung)))
            cells = math.ceil(cells / factor)
        return tuple(found)

    @property
    def splits(self) -> int:
        """How many times the rows are divided."""
        return self.folds if self.held_out is None else 1

    @property
    def fits(self) -> int:
        """Fits in all, without optima."""
        return sum(cells for cells, _ in self.rungs) * self.splits * len(self.seeds)

    @property
    def tasks(self) -> int:
        """Fits and optima."""
        return self.fits + (self.tried * self.splits if self.optimum else 0)

    def work(self) -> float:
        """Multiplications of the whole sweep, about."""
        share = (1 - 1 / self.folds) if self.held_out is None else 1 - self.held_out
        steps = sum(cells * steps for cells, steps in self.rungs) * self.splits * len(self.seeds)
        return share * steps * self.recipe.step_work(self.recipe.problem())

    def reduced(self, most: int) -> "Spec | None":
        """The largest sweep like this one with so many fits at most: ranges with fewer values, or
        fewer draws; None where even the smallest has more.

        >>> axes = Axis("lam", 0.01, 1.0, 31), Axis("k", 1, 31, 31, log=False)
        >>> spec = Spec(Recipe("moons"), axes, seeds=(0, 1)).checked()
        >>> spec.fits, spec.reduced(2000).shape
        (9610, (14, 14))
        """
        if self.search == GRID:
            smaller = (
                replace(
                    self,
                    axes=tuple(replace(axis, count=min(axis.count, few)) for axis in self.axes),
                )
                for few in range(MOST, LEAST - 1, -1)
            )
        else:
            fits = self.splits * len(self.seeds) * (2 if self.search == HALVING else 1)
            smaller = (replace(self, draws=draws) for draws in range(max(2, most // fits), 1, -1))
        return next((spec for spec in smaller if spec.fits <= most), None)

    def place(self, cell: int) -> tuple[int, ...]:
        """Where a cell lies on each axis."""
        return tuple(map(int, np.unravel_index(cell, self.shape)))

    def setting(self, cell: int) -> dict[str, Any]:
        """The values of a cell by the name of the axis."""
        return {
            axis.name: values[k]
            for axis, values, k in zip(self.axes, self.swept, self.place(cell), strict=True)
        }

    def params(self, cell: int) -> dict[str, Any]:
        """All parameters of the solver in a cell."""
        found = dict(self.recipe.params)
        for name, value in self.setting(cell).items():
            found = found if name == STEPS.name else applied(found, name, value)
        return found

    def steps(self, cell: int) -> int:
        return self.setting(cell).get(STEPS.name, self.recipe.steps)

    def recipe_of(self, cell: int, seed: int | None = None) -> Recipe:
        """The run of a cell on all rows, for the Playground."""
        return replace(
            self.recipe,
            params=self.params(cell),
            steps=self.steps(cell),
            seed=self.seeds[0] if seed is None else seed,
        )

    def problem(self) -> Problem:
        """The rows that take part."""
        problem, active = self.recipe.union()
        rows = active[-1][1] if active else None
        return problem if rows is None else problem._replace(X=problem.X[rows], y=problem.y[rows])

    @cached_property
    def data(self) -> bytes:
        """A digest of the data and the labels."""
        return digest_of(*self.problem())

    def splitter(self):
        """How scikit-learn divides the rows."""
        return splitter(
            SOLVERS[self.recipe.solver].space.real, self.folds, self.held_out, self.fold_seed
        )

    def arguments(self) -> dict[str, list]:
        """Return the values that a search of scikit-learn tries for each argument of the estimator;
        a kernel is one argument, whatever of it is swept.
        """
        found, kernels = {}, [self.recipe.params.get("kernel")]
        for axis, values in zip(self.axes, self.swept, strict=True):
            if axis.name in self.recipe.params or axis.name == STEPS.name:
                found["steps" if axis.name == STEPS.name else axis.name] = list(values)
            else:
                kernels = [
                    kernel._replace(**{axis.name: value}) for kernel in kernels for value in values
                ]
        return found | ({"kernel": kernels} if len(kernels) > 1 else {})

    def _cell(self, chosen: dict[str, int]) -> int:
        """The cell of a choice of arguments, each by its place among those that are tried."""
        place, inner = [0] * len(self.axes), chosen.get("kernel", 0)
        for k in reversed(range(len(self.axes))):
            name = "steps" if self.axes[k].name == STEPS.name else self.axes[k].name
            if name in chosen:
                place[k] = chosen[name]
            else:
                inner, place[k] = divmod(inner, self.shape[k])
        return int(np.ravel_multi_index(place, self.shape))


def splitter(real: bool, folds: int, held_out: float | None, seed: int):
    """Stratified folds, or a share held out; real targets have no strata."""
    if held_out is None:
        return (KFold if real else StratifiedKFold)(folds, shuffle=True, random_state=seed)
    return (ShuffleSplit if real else StratifiedShuffleSplit)(
        1, test_size=held_out, random_state=seed
    )
