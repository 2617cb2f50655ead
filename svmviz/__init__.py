"""svmviz: watch SVM solvers think.

>>> import svmviz
>>> trace = svmviz.SOLVERS["pegasos"].trace(svmviz.datasets.moons(n=50), steps=20, lam=0.1)
>>> int(trace.metrics["examples"][-1])
20
"""

from svmviz import bounds, budget, bundled, datasets, edits, families, multiclass, parts, reference, stream, uploads
from svmviz.core import Problem, make_multiclass_problem, make_problem
from svmviz.solvers import SOLVERS
from svmviz.trace import Trace

__all__ = [
    "SOLVERS", "Problem", "Trace", "bounds", "budget", "bundled", "datasets", "edits", "families",
    "make_multiclass_problem", "make_problem", "multiclass", "parts", "reference", "stream", "uploads",
]
__version__ = "0.1.0"
