"""A fork: two runs that are one up to a step. A is the recipe itself; B has the same data, seed and
draws, and other parameters from that step on. Only B's changes are kept, so that whatever else is
set holds for both.

>>> run = Recipe(params={"lam": 0.02}, steps=400).checked()
>>> fork = Fork(40, ()).turned(run, {"lam": 0.002})
>>> fork.branch(run).changes
((40, {'lam': 0.002}),)
>>> fork.turned(run, {"lam": 0.02}).branch(run) == run
True
>>> fork.query(run)
{'fork': '40', 'other': '40:lam=0.002'}
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from svmviz.data.params import Param
from svmviz.maths import kernels
from svmviz.record.solver import plan_segments
from svmviz.run import link
from svmviz.run.recipe import LAST, Recipe
from svmviz.solvers import SOLVERS
from svmviz.work.words import brief, short

NONE = "none"  # B's changes in a link, where A has some and B has not
SPACE = {
    "kernel",
    "gamma",
    "features",
    "map_seed",
    "intercept",
    "constant",
}  # what makes the space that w lives in
LOSS = {"loss", "smoothing"}
CONTAINED = {
    "hinge": LOSS,
    "objective": SPACE | LOSS | {"lam", "nu", "C", "bias", "method"},
    "error": set(),
    "test": set(),
    "norm": SPACE,
}  # the parameters that a measure of a run contains


class Fork(NamedTuple):
    t: int  # the last step that both have
    changes: tuple[
        tuple[int, Mapping[str, Any]], ...
    ]  # of B, all of them; after step 0, what it begins with

    def branch(self, recipe: Recipe) -> Recipe:
        """B, where A is this recipe."""
        first = {name: value for t, new in self.changes if t == 0 for name, value in new.items()}
        later = tuple((t, new) for t, new in self.changes if t > 0)
        return replace(recipe, params=dict(recipe.params) | first, changes=later).fitted()

    def turned(self, recipe: Recipe, new: Mapping[str, Any]) -> "Fork":
        """With other parameters of B from the fork on. What was planned for them later is
        forgotten, and one that is again what it was before the fork is no change.
        """
        before = [(t, dict(then)) for t, then in self.changes if t < self.t]
        known = plan_segments(SOLVERS[recipe.solver], dict(recipe.params), before)[-1][1]
        here = {
            name: value for t, then in self.changes if t == self.t for name, value in then.items()
        } | dict(new)
        here = {name: value for name, value in here.items() if known[name] != value}
        later = [
            (t, {name: value for name, value in then.items() if name not in new})
            for t, then in self.changes
            if t > self.t
        ]
        kept = tuple((t, then) for t, then in [*before, (self.t, here), *later] if then)
        fork = self._replace(changes=link.in_time(kept, LAST))
        branch = fork.branch(recipe).checked()
        branch.allowed()
        possible(branch)
        return fork

    def swapped(self, recipe: Recipe) -> tuple[Recipe, "Fork"]:
        """B as the recipe, and what A then is to it."""
        other = self.branch(recipe)
        first = {
            name: value for name, value in recipe.params.items() if other.params[name] != value
        }
        return other, self._replace(changes=(*([(0, first)] if first else []), *recipe.changes))

    def steps(self, recipe: Recipe) -> int:
        """Steps that the page can afford of both."""
        return min(recipe.most_steps(), self.branch(recipe).most_steps())

    def holds(self, recipe: Recipe) -> bool:
        """Whether there still are two runs, where the recipe has become another one."""
        try:
            possible(self.branch(recipe).checked())
        except ValueError:
            return False
        return recipe.steps > self.t

    def query(self, recipe: Recipe) -> dict[str, str]:
        """The fork as parts of a link, beside those of A."""
        if self.branch(recipe) == recipe:
            return {"fork": str(self.t)}
        return {
            "fork": str(self.t),
            "other": link.write_changes(self.changes, SOLVERS[recipe.solver]) or NONE,
        }

    def differing(self, recipe: Recipe) -> list[str]:
        """The parameters that are not the same throughout."""
        solver = SOLVERS[recipe.solver]
        plans = [
            dict(plan_segments(solver, dict(run.params), run.changes))
            for run in (recipe, self.branch(recipe))
        ]
        times = sorted({*plans[0], *plans[1]})
        (a, b), found = ({}, {}), set()
        for t in times:
            a, b = plans[0].get(t, a), plans[1].get(t, b)
            found |= {name for name in a if a[name] != b[name]}
        return [p.name for p in solver.params if p.name in found]

    def measures(self, recipe: Recipe) -> list[str]:
        """What both may be measured by: nothing that contains a parameter in which they differ, and
        no loss of a w that counts only once it is divided by its level.
        """
        differing, works_on = {*self.differing(recipe)}, SOLVERS[recipe.solver].goal.objective
        left = {"level": "hinge", "hinge": "objective"}.get(
            works_on
        )  # another name for the same, too
        return [name for name, parts in CONTAINED.items() if not differing & parts and name != left]


def kernel_in_words(kernel: kernels.Kernel | None) -> str:
    """Return what a kernel is called in a sentence, with its numbers.

    >>> kernel_in_words(None), kernel_in_words(kernels.rbf(1.0))
    ('linear kernel', 'Gaussian kernel, gamma = 1')
    """
    fields = () if kernel is None else kernels.FIELDS[kernel.kind]
    numbers = (f"{name} = {short(float(getattr(kernel, name)))}" for name in fields)
    return ", ".join(
        [f"{kernels.TITLES[kernel.kind if kernel else kernels.LINEAR]} kernel", *numbers]
    )


def worded(param: Param, value) -> str:
    """A value of a parameter for people.

    >>> kernel = next(p for p in SOLVERS["pegasos"].params if p.is_kernel)
    >>> worded(kernel, None), worded(kernel, kernels.rbf(2.0))
    ('linear', 'Gaussian 2')
    """
    if param.is_kernel:
        if value is None:
            return "linear"
        return " ".join(
            [
                kernels.TITLES[value.kind],
                *(f"{getattr(value, name):.3g}" for name in kernels.FIELDS[value.kind]),
            ]
        )
    return ("yes" if value else "no") if isinstance(value, bool) else param.write(value) or "none"


def possible(recipe: Recipe) -> None:
    """Refuse what cannot be set side by side on two planes."""
    solver, problem = SOLVERS[recipe.solver], recipe.problem()
    if (
        problem.real
        or problem.classes > 2
        or solver.space.every_class
        or recipe.current.get("multiclass")
    ):
        raise ValueError(
            "two runs are set side by side where the sign of f tells two classes apart"
        )


def can(recipe: Recipe) -> bool:
    """Whether a run can be forked."""
    try:
        return possible(recipe) is None
    except ValueError:
        return False


def forked(recipe: Recipe, fork: Fork | None, t: int) -> tuple[Recipe, Fork]:
    """Fork after step t. Where there is a fork already, B takes the place of A."""
    possible(recipe)
    recipe = fork.branch(recipe) if fork else recipe
    recipe = replace(recipe, steps=recipe.reaching(t))
    if not 0 <= t < recipe.steps:
        raise ValueError(f"after step {t} there are no steps in which two runs could differ")
    return recipe, Fork(t, recipe.changes)


def after(recipe: Recipe, fork: Fork | None, what: str, t: int) -> tuple[Recipe, Fork | None]:
    """What becomes of A and of the fork when it is made, swapped, or one of the two is kept."""
    if what == "fork":
        return forked(recipe, fork, t)
    if fork and what == "swap":
        return fork.swapped(recipe)
    return (fork.branch(recipe) if fork and what == "keep" else recipe), None


def read(query: Mapping[str, str], recipe: Recipe) -> tuple[Recipe, Fork | None, list[str]]:
    """The fork of a link beside its recipe, and a sentence if there is one that could not be
    used.
    """
    if "fork" not in query:
        return (
            recipe,
            None,
            ["The link's other was left out: there is no fork."] if "other" in query else [],
        )
    try:
        return *_read(query["fork"], query.get("other"), recipe), []
    except ValueError as error:
        return recipe, None, [f"The link's fork was left out: {error}."]


def _read(step: str, other: str | None, recipe: Recipe) -> tuple[Recipe, Fork]:
    if not (step.isdecimal() and step.isascii() and len(step) < 9 and int(step) < LAST):
        raise ValueError(f"fork must be a step from 0 to {LAST - 1}, got {brief(step)!r}")
    possible(recipe)
    t, solver = int(step), SOLVERS[recipe.solver]
    if other is not None and len(other) > link.PART:
        raise ValueError(f"its other run has {len(other)} characters")
    changes = (
        recipe.changes
        if other is None
        else ()
        if other == NONE
        else link.changes(other, solver, LAST)
    )
    fork, shared = (
        Fork(t, changes),
        [[c for c in planned if c[0] < t] for planned in (changes, recipe.changes)],
    )
    if shared[0] != shared[1]:
        raise ValueError(f"up to step {t} both runs are one, and their changes before it differ")
    possible(fork.branch(recipe).checked())
    last = max([t, *(s for s, _ in changes)])
    return replace(recipe, steps=min(LAST, max(recipe.steps, last + 1))), fork
