"""svmviz: watch SVM solvers think.

>>> import svmviz
>>> trace = svmviz.SOLVERS["pegasos"].trace(svmviz.datasets.moons(n=50), steps=20, lam=0.1)
>>> int(trace.metrics["examples"][-1])
20
"""

import sys

from svmviz.data import bundled, datasets, edits, families, multiclass, uploads
from svmviz.data.problem import Problem, make_multiclass_problem, make_problem
from svmviz.maths import kernels, water
from svmviz.record.trace import Trace
from svmviz.run import sources, stream
from svmviz.solvers import SOLVERS
from svmviz.solvers.bsgd import budget
from svmviz.theory import bounds, reference

parts = kernels
__all__ = [
    "SOLVERS", "Problem", "Trace", "bounds", "budget", "bundled", "datasets", "edits", "families", "kernels",
    "make_multiclass_problem", "make_problem", "multiclass", "parts", "reference", "sources", "stream", "uploads", "water",
]
__version__ = "0.1.0"

# Where scripts that were downloaded earlier look for them.
for module in (bounds, budget, bundled, datasets, edits, families, multiclass, reference, sources, stream, uploads, water):
    sys.modules[f"svmviz.{module.__name__.rpartition('.')[2]}"] = module
sys.modules["svmviz.parts"] = kernels
