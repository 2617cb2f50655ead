"""scikit-learn classifiers over the compiled solvers, one for each in `SOLVERS` that takes examples
one by one, and regressors over those that fit targets.

Every parameter of a solver is an argument of its class, with the default of the app or, where a
good classifier wants another, that of `Solver.uses.fit_defaults`. The run is the one that the app
shows for the same data, parameters, steps and seed; only what it leaves is kept, not its steps, so
that it may be long and the data large: `train` has the same algorithms without a record.

>>> from svmviz import datasets, estimators
>>> X, y = datasets.moons(n=200, seed=0)
>>> model = estimators.PegasosClassifier(lam=0.01, kernel="rbf(gamma=2.0)", steps=1000).fit(X, y)
>>> model.n_iter_, model.score(X, y) > 0.9
(1000, True)
>>> model = estimators.SequentialMinimalOptimisationClassifier(
...     lam=0.01, kernel="rbf(gamma=2.0)", tol=1e-3
... ).fit(X, y)
>>> model.n_iter_ < 1000, model.score(X, y) > 0.9
(True, True)
>>> len(estimators.ESTIMATORS) + len(estimators.REGRESSORS) == sum(
...     not solver.space.chained for solver in SOLVERS.values()
... )
True
"""

from svmviz.estimators.arguments import made
from svmviz.estimators.classifier import Online, SolverClassifier, WeightedClassifier
from svmviz.estimators.regressor import SolverRegressor
from svmviz.estimators.train import trainer
from svmviz.record.solver import Solver
from svmviz.solvers import SOLVERS


class OnlineClassifier(Online, SolverClassifier):
    """One that learns from batches, too."""


class OnlineWeightedClassifier(Online, WeightedClassifier):
    """One that takes weights besides."""


def classifies(solver: Solver) -> bool:
    """Whether it takes examples one by one, and tells their classes."""
    return not (solver.space.real or solver.space.chained)


def base(solver: Solver) -> type:
    """What the class of a solver is made from."""
    if trainer(solver).online:
        return OnlineWeightedClassifier if solver.uses.weighs else OnlineClassifier
    return WeightedClassifier if solver.uses.weighs else SolverClassifier


CLASSIFIERS = (
    made(solver, base(solver), "Classifier", __name__)
    for solver in SOLVERS.values()
    if classifies(solver)
)
ESTIMATORS = {one.__name__: one for one in CLASSIFIERS}
REGRESSORS = {
    one.__name__: one
    for one in (
        made(solver, SolverRegressor, "Regressor", __name__)
        for solver in SOLVERS.values()
        if solver.space.real
    )
}
globals().update(ESTIMATORS | REGRESSORS)  # each by its name, as an import and a pickle look for it
__all__ = [
    "ESTIMATORS",
    "REGRESSORS",
    "SolverClassifier",
    "SolverRegressor",
    *ESTIMATORS,
    *REGRESSORS,
]
