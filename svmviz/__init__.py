"""svmviz: watch SVM solvers think.

>>> import svmviz
>>> trace = svmviz.SOLVERS["pegasos"].trace(svmviz.datasets.moons(n=50), steps=20, lam=0.1)
>>> int(trace.metrics["examples"][-1])
20

Names are imported when they are first used, so that one part of the package costs that part.
"""

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.util import spec_from_loader
from typing import TYPE_CHECKING, Any

from svmviz import data
from svmviz.record import PLAYERS

if TYPE_CHECKING:
    from svmviz.data import bundled, edits, many_classes, many_features, plane, targets, uploads
    from svmviz.data import many_classes as multiclass
    from svmviz.data import many_features as families
    from svmviz.data import plane as datasets
    from svmviz.data.problem import (
        Problem,
        make_multiclass_problem,
        make_problem,
        make_regression_problem,
    )
    from svmviz.maths import kernels, losses, water
    from svmviz.maths import kernels as parts
    from svmviz.record.trace import Trace
    from svmviz.run.streams import sources, stream
    from svmviz.solvers import SOLVERS
    from svmviz.solvers.bsgd import budget
    from svmviz.theory import bounds, reference, regression

__all__ = [
    "SOLVERS",
    "Problem",
    "Trace",
    "bounds",
    "budget",
    "bundled",
    "datasets",
    "edits",
    "families",
    "kernels",
    "losses",
    "make_multiclass_problem",
    "make_problem",
    "make_regression_problem",
    "many_classes",
    "many_features",
    "multiclass",
    "parts",
    "plane",
    "reference",
    "regression",
    "sources",
    "stream",
    "targets",
    "uploads",
    "water",
]
__version__ = "0.1.0"

VALUES = {
    "SOLVERS": "svmviz.solvers",
    "Problem": "svmviz.data.problem",
    "Trace": "svmviz.record.trace",
    "make_multiclass_problem": "svmviz.data.problem",
    "make_problem": "svmviz.data.problem",
    "make_regression_problem": "svmviz.data.problem",
}
# Short names, and those that scripts look for which were downloaded earlier.
MODULES = {
    "bounds": "theory.bounds",
    "budget": "solvers.bsgd.budget",
    "bundled": "data.bundled",
    "core": "record.solver",
    "data.datasets": "data.plane",
    "data.families": "data.many_features",
    "data.multiclass": "data.many_classes",
    "data.planes": "data.projection",
    "datasets": "data.plane",
    "edits": "data.edits",
    "families": "data.many_features",
    "kernels": "maths.kernels",
    "losses": "maths.losses",
    "many_classes": "data.many_classes",
    "many_features": "data.many_features",
    "metrics": "record.metrics",
    "multiclass": "data.many_classes",
    "pareto": "theory.pareto",
    "parts": "maths.kernels",
    "plane": "data.plane",
    "problem": "data.problem",
    "projection": "data.projection",
    "recipe": "run.recipe",
    "reference": "theory.reference",
    "regression": "theory.regression",
    "sampling": "maths.sampling",
    "sources": "run.streams.sources",
    "stream": "run.streams.stream",
    "targets": "data.targets",
    "trace": "record.trace",
    "uploads": "data.uploads",
    "water": "maths.water",
}


class Renamed(MetaPathFinder, Loader):
    """Imports a module of `MODULES` by its short or former name: both names are one module."""

    def find_spec(self, name, path=None, target=None):
        known = name.removeprefix("svmviz.") in MODULES and name.startswith("svmviz.")
        return spec_from_loader(name, self) if known else None

    def exec_module(self, module):
        name = module.__name__
        sys.modules[name] = import_module(f"svmviz.{MODULES[name.removeprefix('svmviz.')]}")


sys.meta_path.append(Renamed())


def __getattr__(name: str) -> Any:
    if name in VALUES:
        return getattr(import_module(VALUES[name]), name)
    return _module("svmviz", name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _module(package: str, name: str) -> Any:
    """Import a module of a package that is asked for as its attribute."""
    full = f"{package}.{name}"
    try:
        if not name.startswith("_"):
            return import_module(full)
    except ModuleNotFoundError as error:
        if error.name != full:
            raise
    raise AttributeError(f"module {package!r} has no attribute {name!r}")


data.__getattr__ = lambda name: _module("svmviz.data", name)


def _page(run: "Trace", title: str = "") -> str:
    from svmviz.player.files import page  # the player, which most who import the package never need

    return page.of_trace(run, title)


def _frame(run: "Trace") -> str:
    from svmviz.player.files import page

    return page.framed(run)


PLAYERS.update(page=_page, frame=_frame)
