"""svmviz: watch SVM solvers think.

>>> import svmviz
>>> trace = svmviz.SOLVERS["pegasos"].trace(svmviz.datasets.moons(n=50), steps=20, lam=0.1)
>>> int(trace.metrics["examples"][-1])
20
"""

import sys

from svmviz import data
from svmviz.data import (
    bundled,
    edits,
    many_classes,
    many_features,
    plane,
    problem,
    projection,
    targets,
    uploads,
)
from svmviz.data.problem import (
    Problem,
    make_multiclass_problem,
    make_problem,
    make_regression_problem,
)
from svmviz.maths import kernels, losses, sampling, water
from svmviz.record import metrics, trace
from svmviz.record import solver as core
from svmviz.record.trace import Trace
from svmviz.run import recipe
from svmviz.run.streams import sources, stream
from svmviz.solvers import SOLVERS
from svmviz.solvers.bsgd import budget
from svmviz.theory import bounds, pareto, reference, regression

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

# Where scripts that were downloaded earlier look for them.
datasets, families, multiclass, parts = plane, many_features, many_classes, kernels
FORMER = {
    "bounds": bounds,
    "budget": budget,
    "bundled": bundled,
    "core": core,
    "datasets": datasets,
    "edits": edits,
    "families": families,
    "metrics": metrics,
    "multiclass": multiclass,
    "pareto": pareto,
    "parts": parts,
    "problem": problem,
    "recipe": recipe,
    "reference": reference,
    "sampling": sampling,
    "sources": sources,
    "stream": stream,
    "trace": trace,
    "uploads": uploads,
    "water": water,
    "data.datasets": datasets,
    "data.families": families,
    "data.multiclass": multiclass,
    "data.planes": projection,
}
sys.modules.update({f"svmviz.{name}": module for name, module in FORMER.items()})


def _page(run: Trace, title: str = "") -> str:
    from svmviz.player.files import page  # the player, which most who import the package never need

    return page.of_trace(run, title)


def _frame(run: Trace) -> str:
    from svmviz.player.files import page

    return page.framed(run)


Trace.as_page, Trace.as_frame = _page, _frame
data.__dict__.update(datasets=datasets, families=families, multiclass=multiclass, planes=projection)
