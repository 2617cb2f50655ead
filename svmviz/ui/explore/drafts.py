"""What a visitor of Explore is about to sweep: where it comes from, its link, and how much of it a
page can afford.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl

from svmviz.data.plane import Dataset
from svmviz.explore import MEASURES, Axis, Fault, Spec, faults, specfile, sweepable
from svmviz.explore.axes import LEAST, ranges, usual_range
from svmviz.explore.faults import ESTIMATOR, GRID, RANDOM
from svmviz.maths.kernels import Kernel
from svmviz.run.link import Reader
from svmviz.run.recipe import STEPS, WORK, Recipe
from svmviz.run.recipe import from_query as run_from_query
from svmviz.run.view import opened
from svmviz.solvers import SOLVERS
from svmviz.work.words import brief, count

OPENING = (
    "data=moons&n=200&noise=0.3&solver=pegasos&lam=0.01&kernel=rbf(gamma=2.0)&T=1000&seeds=0-2"
    "&sweep=lam:0.00001:1:11:log;gamma:0.1:1000:11:log"
)
FIRST, SECOND = (
    ("lam", "nu", "C", "eta"),
    (
        "gamma",
        "B",
        "K",
        "features",
        "degree",
    ),
)  # what one would sweep at first
LONGEST = 1200.0  # seconds of a sweep that a page offers; the command line takes any
PER_FIT = 0.002  # seconds besides the steps: folds, scores, the way there and back
VIEW = "measure", "cell"  # what a link says besides the sweep


@dataclass(frozen=True)
class Draft:
    spec: Spec  # perhaps one that cannot be carried out
    measure: str = "error"
    where: str = "machine"  # or the cluster of this server

    def link(self) -> dict[str, str]:
        return specfile.query(self.spec) | (
            {} if self.measure == "error" else {"measure": self.measure}
        )


def opening() -> Spec:
    """What a first visit shows."""
    return read({}, {})[0].spec


def usual_axes(recipe: Recipe) -> tuple[Axis, ...]:
    """The two parameters that one would sweep first, about their present values.

    >>> [axis.name for axis in usual_axes(Recipe(params={"kernel": "rbf(gamma=2.0)"}).checked())]
    ['lam', 'gamma']
    """
    numbers = [
        name for name, param in sweepable(recipe).items() if ranges(param) and name != STEPS.name
    ]
    first = next((name for name in (*FIRST, *numbers) if name in numbers), STEPS.name)
    rest = [name for name in numbers if name != first]
    second = next((name for name in (*SECOND, *rest) if name in rest), None)
    return tuple(usual_axis(recipe, name) for name in (first, second) if name)


def usual_axis(recipe: Recipe, name: str) -> Axis:
    """A parameter about its present value, or its choices."""
    param, now = sweepable(recipe)[name], dict(recipe.current)
    if not ranges(param):
        return Axis(name)
    kernel = now.get("kernel")
    value = (
        recipe.steps if name == STEPS.name else now.get(name, getattr(kernel, name, param.default))
    )
    low, high = usual_range(param, value)
    return Axis(
        name, low, high if high > low else min(param.high, low + 1), 11, param.log and low > 0
    )


def of_recipe(recipe: Recipe) -> Draft:
    """A sweep about a run of the Playground, with its data as they were drawn; of one that cannot
    be swept another solver's.
    """
    recipe = recipe.restarted().checked()
    if recipe.solver not in ESTIMATOR:
        recipe = recipe.with_solver("pegasos")
    return Draft(Spec(replace(recipe, seed=0), usual_axes(recipe), (0, 1, 2)))


def with_solver(draft: Draft, key: str) -> Draft:
    """The same data for another solver; where it cannot use them, those on which it shows what it
    is for.

    >>> draft = of_recipe(Recipe("moons").checked())
    >>> [with_solver(draft, key).spec.recipe.data for key in ("sbp", "regression")]
    ['moons', 'sine']
    """
    recipe = draft.spec.recipe.with_solver(key)
    if faults.of_recipe(recipe):
        recipe = opened(key)[0].restarted()
    return replace(draft, spec=replace(draft.spec, recipe=recipe, axes=usual_axes(recipe)))


def with_recipe(draft: Draft, recipe: Recipe) -> Draft:
    """The same sweep of another run: axes that this one does not have are its own."""
    spec, known = draft.spec, sweepable(recipe)
    axes = tuple(axis for axis in spec.axes if axis.name in known)
    return replace(draft, spec=replace(spec, recipe=recipe, axes=axes or usual_axes(recipe)))


def read(
    query: Mapping[str, str], own: Mapping[str, Dataset]
) -> tuple[Draft, int | None, list[str]]:
    """The draft of a link, its cell, and a sentence for each part that could not be used."""
    given = dict(query) or dict(parse_qsl(OPENING))
    view = Reader({name: given[name] for name in VIEW if name in given})
    measure = view.take("measure", _measure, "error")
    cell = view.take("cell", _cell, None)
    spec, said = specfile.from_query(given, VIEW, own)
    if spec is None:
        run = {key: value for key, value in given.items() if key not in specfile.IN_LINK.values()}
        recipe, _ = run_from_query(run, ("sweep", *VIEW), own)
        draft = of_recipe(recipe)
    else:
        draft = Draft(spec)
    if measure not in measures(draft.spec.recipe):
        said = [
            *said,
            (
                f"{SOLVERS[draft.spec.recipe.solver].title} has no {MEASURES[measure]}; the error"
                " is shown"
            ),
        ]
        measure = "error"
    draft = replace(
        draft,
        measure=measure,
        spec=replace(draft.spec, optimum=draft.spec.optimum or measure == "suboptimality"),
    )
    return draft, cell, [*said, *view.answer()]


def measures(recipe: Recipe) -> list[str]:
    """What there is to be shown of this solver: not all have a dual, or a P with an optimum.

    >>> [name for name in MEASURES if name not in measures(Recipe(solver="perceptron").checked())]
    ['suboptimality', 'primal', 'gap']
    """
    solver = SOLVERS[recipe.solver]
    lacks = {"gap": not solver.goal.dual} | dict.fromkeys(
        ("suboptimality", "primal"),
        solver.goal.objective != "primal"
        or not (
            solver.goal.regularisation(recipe.params) or (solver.goal.dual and "C" in recipe.params)
        ),
    )
    return [name for name in MEASURES if not lacks.get(name)]


def _measure(text: str) -> str:
    if text not in MEASURES:
        raise ValueError(f"must be one of {', '.join(MEASURES)}, got {brief(text)!r}")
    return text


def _cell(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise ValueError(f"must be the number of a cell, got {brief(text)!r}")
    return int(text)


def seconds(spec: Spec, pace: float | None, width: int) -> float:
    """How long a sweep takes about: as long for each fit as was measured, else by its
    multiplications.
    """
    return (
        spec.fits * pace
        if pace
        else (spec.work() / (WORK / 2.0) + spec.fits * PER_FIT) / max(1, width)
    )


def too_long(spec: Spec, pace: float | None, width: int) -> list[Fault]:
    """What a page would not offer to wait for."""
    needed = seconds(spec, pace, width)
    if needed <= LONGEST:
        return []
    return [
        Fault(
            "fits",
            f"these are {count(spec.fits)} fits, which would take about {duration(needed)}, and"
            f" this page goes up to {duration(LONGEST)}; take fewer values, folds or seeds, or let"
            " the command line do it (svmviz sweep)",
        )
    ]


def duration(spent: float) -> str:
    """In words.

    >>> duration(0.4), duration(75), duration(7300)
    ('1 s', '75 s', '2.0 h')
    """
    return (
        f"{max(1, spent):.0f} s"
        if spent < 100
        else f"{spent / 60:.0f} min"
        if spent < 5400
        else f"{spent / 3600:.1f} h"
    )


def largest(spec: Spec, pace: float | None, width: int) -> tuple[str, Spec] | None:
    """The largest sweep of the same kind that goes, in words: fewer values on each axis, then fewer
    seeds, then fewer draws.
    """
    for seeds in dict.fromkeys((spec.seeds, spec.seeds[:1])):
        most = max((axis.count for axis in spec.axes if not axis.choices), default=LEAST)
        for values in range(most, LEAST - 1, -1):
            axes = tuple(
                axis if axis.choices else replace(axis, count=min(axis.count, values))
                for axis in spec.axes
            )
            smaller = replace(spec, axes=axes, seeds=seeds)
            if (
                smaller != spec
                and not smaller.faults()
                and not too_long(smaller.checked(), pace, width)
            ):
                shape = " × ".join(map(str, smaller.checked().shape))
                return f"Take {shape} values, {len(seeds)} seed{'s' * (len(seeds) > 1)}", smaller
    return None


def searched(spec: Spec) -> Spec:
    """The sweep with a search that suits its axes: a grid of one or two, chance where there are
    more.
    """
    few = len(spec.axes) <= 2
    return replace(spec, search=GRID if few else RANDOM if spec.search == GRID else spec.search)


def kernel_of(recipe: Recipe) -> Kernel | None:
    return recipe.params.get("kernel")
