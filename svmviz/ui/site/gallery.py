"""Runs of a solver over a small grid: some data, some values of what matters most to it, with and
without a kernel.

>>> from pprint import pprint
>>> pprint([(axis.title, [value.words for value in axis.values]) for axis in axes("sbp")])
[('Data', ['Two moons', 'Two Gaussians', 'Two circles']),
 ('ν', ['0.005', '0.05', '0.5']),
 ('Kernel', ['linear', 'Gaussian'])]
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

from svmviz.data.params import Param
from svmviz.maths import kernels
from svmviz.player.files import page
from svmviz.run.recipe import Recipe
from svmviz.run.view import opened
from svmviz.solvers import SOLVERS
from svmviz.ui.site.elements import Site

FAMILIES = (
    ("blobs", "moons", "circles"),
    ("ring", "pinwheel"),
    ("sine", "stairs", "outliers"),
    ("tagging",),
)
MANY = 3  # sets of data
COSTS = (
    "lam",
    "nu",
    "C",
)  # how much it costs to be wrong, by whatever name; the first that a solver has
COUNTS = ("B", "K")  # how much it may keep, or do
TENTHS, HALVES = (0.1, 1.0, 10.0), (0.5, 1.0, 2.0)
GAMMA = 2.0
MOST = 240  # steps


class Value(NamedTuple):
    """Of what can be chosen: how it is called, in the page and in its address, and what it makes of
    a run.
    """

    words: str
    name: str
    applied: Callable[[Recipe], Recipe]


class Axis(NamedTuple):
    """What can be chosen."""

    name: str
    title: str
    values: list[Value]


def axes(key: str) -> list[Axis]:
    """Data first; a solver without a knob, or without a kernel, has less to choose."""
    recipe, solver = opened(key)[0], SOLVERS[key]
    family = next((names for names in FAMILIES if recipe.data in names), FAMILIES[0])
    data = list(dict.fromkeys([recipe.data, *family]))[:MANY]
    found = [
        Axis(
            "data",
            "Data",
            [
                Value(there(recipe, name).source.title, name, lambda r, name=name: there(r, name))
                for name in data
            ],
        )
    ]
    for names, factors in ((COSTS, TENTHS), (COUNTS, HALVES)):
        if knob := next((p for name in names for p in solver.params if p.name == name), None):
            found.append(turned(recipe, knob, factors))
    if any(
        p.name == "kernel" and p.default is None for p in solver.params
    ):  # others need the one that they have
        both = [("linear", None), ("Gaussian", recipe.params["kernel"] or kernels.rbf(GAMMA))]
        found.append(
            Axis(
                "kernel",
                "Kernel",
                [
                    Value(words, words.lower(), lambda r, k=k: r.with_params(kernel=k))
                    for words, k in both
                ],
            )
        )
    return found


def turned(recipe: Recipe, knob: Param, factors: tuple[float, ...]) -> Axis:
    """Less and more of a parameter."""
    made = (recipe.params[knob.name] * factor for factor in factors)
    values = [round(v) if isinstance(knob.default, int) else float(f"{v:.3g}") for v in made]
    return Axis(
        knob.name,
        knob.symbol or knob.title,
        [
            Value(f"{v:g}", f"{v:g}", lambda r, v=v: r.with_params(**{knob.name: v}))
            for v in values
            if knob.accepts(v)
        ],
    )


def there(recipe: Recipe, data: str) -> Recipe:
    return recipe if data == recipe.data else recipe.with_data(data)


def first(key: str, found: list[Axis]) -> list[int]:
    """Where the solver is first met."""
    recipe = opened(key)[0]
    return [
        next(k for k, value in enumerate(axis.values) if value.applied(recipe) == recipe)
        for axis in found
    ]


def told(site: Site, key: str) -> dict[str, Any]:
    """For the page of a solver: what can be chosen, and the address of each run in the order of the
    last choice first.
    """
    recipe, view = opened(key)
    found = axes(key)
    runs = []
    for chosen in product(*(axis.values for axis in found)):
        made = replace(recipe, steps=min(recipe.steps, MOST))
        for value in chosen:
            made = value.applied(made)
        opening = dict(view) if made.data == recipe.data else {}
        runs.append(site.files.keep("runs", "bin", page.message(made, opening)))
    grid = [
        {
            "name": axis.name,
            "title": axis.title,
            "values": [[value.name, value.words] for value in axis.values],
        }
        for axis in found
    ]
    return {"entry": "stage", "runs": [], "files": runs, "grid": grid, "chosen": first(key, found)}
