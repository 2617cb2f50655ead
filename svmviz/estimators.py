"""scikit-learn classifiers over the compiled solvers, one for each in `SOLVERS` that takes examples one by one, and regressors
over those that fit targets.

Every parameter of a solver is an argument of its class, with the default of the app or, where a good classifier wants another,
that of `Solver.fit_defaults`. The run is the one that the app shows for the same data, parameters,
steps and seed; only what it leaves is kept, not its steps, so that it may be long and the data large.

>>> from svmviz import datasets, estimators
>>> X, y = datasets.moons(n=200, seed=0)
>>> model = estimators.PegasosClassifier(lam=0.01, kernel="rbf(gamma=2.0)", steps=1000).fit(X, y)
>>> model.n_iter_, model.score(X, y) > 0.9
(1000, True)
>>> len(estimators.ESTIMATORS) + len(estimators.REGRESSORS) == sum(not solver.chained for solver in estimators.SOLVERS.values())
True
"""

import inspect
import re
import warnings
from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from svmviz.data.constant import CONSTANT, NONE
from svmviz.data.problem import make_multiclass_problem, make_problem, make_regression_problem
from svmviz.maths import kernels, sampling
from svmviz.maths.water import water_level
from svmviz.maths.words import whole
from svmviz.record.solver import Solver
from svmviz.run import stream
from svmviz.solvers import SOLVERS
from svmviz.train import Task, train

USUAL = "One pass over a stream, ten passes where each step draws examples, else a thousand steps."
MOST_STEPS = 1_000_000_000


class SolverClassifier(ClassifierMixin, BaseEstimator):
    """What the classifiers have in common; `solver` says which one it is."""

    solver: Solver

    def fit(self, X, y):
        """Run the solver on the rows of X, dense or sparse, and their labels y."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        return self._fit(X, y)

    def _fit(self, X, y, weights=None):
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError(f"{type(self).__name__} needs two classes, and y holds one class: {self.classes_[0]}")
        if len(self.classes_) > 2 and not self.solver.multiclass:
            raise ValueError(f"Only binary classification is supported by {type(self).__name__}, and y holds "
                             f"{len(self.classes_)} classes; sklearn.multiclass.OneVsRestClassifier makes one of each")
        problem = (make_problem if len(self.classes_) == 2 else make_multiclass_problem)(X, y)
        params = self.solver.check({p.name: getattr(self, p.name) for p in self.solver.params} | self._bias())
        if weights is not None and params.get("sampling") != sampling.SCHEMES[0]:
            params["sampling"] = sampling.SCHEMES[0]  # a pass over all examples knows no weights
        if problem.classes > 2:
            params["multiclass"] = True
        steps = self.solver.fit_steps(problem.n, params) if self.steps is None else self.steps
        self.n_iter_ = whole("steps", steps, 1, MOST_STEPS)
        self.kernel_, self._params = params.get("kernel") or kernels.linear(), params
        found = train(self.solver, Task(problem, params, self.n_iter_, seed_of(self.random_state), weights))
        vars(self).pop("coef_", None), vars(self).pop("support_", None)  # of an earlier fit with another kernel
        self.intercept_ = np.atleast_1d(np.asarray(found.b, np.float64))
        vectors = X[found.rows] if found.vectors is None else found.vectors
        self.support_vectors_, self.dual_coef_ = vectors, np.ascontiguousarray(found.coef.T)
        self.costs_ = found.costs
        if found.rows is not None:
            self.support_ = found.rows
        if self.kernel_.kind == kernels.LINEAR:
            w = self._seen(vectors).T @ found.coef if found.w is None else found.w
            self.coef_ = np.ascontiguousarray(w.T)
        if self.solver.objective == "level":
            self._warn_unless_lifted(problem)
        return self

    def _bias(self) -> dict:
        """What `fit_intercept` makes of the parameters; None leaves them as they are."""
        wanted, names = getattr(self, "fit_intercept", None), [p.name for p in self.solver.params]
        if wanted is None:
            return {}
        return {"intercept": CONSTANT if wanted else NONE} if "intercept" in names else {"bias": bool(wanted)}

    def _warn_unless_lifted(self, problem) -> None:
        """Say so where slack leaves no margin. The paper predicts by w divided by its level, which a negative one would turn
        round; w itself is what was maximised, and its sign the better answer, but nothing is promised of it."""
        level = water_level(problem.y * self._scores(problem.X)[:, 0], problem.n * self._params["nu"])
        if level <= 0:
            warnings.warn(
                f"{type(self).__name__} found no w with a positive margin after slack (its level is {level:.3g}), so that "
                f"nothing is promised of its predictions. Scale the features, allow more slack than "
                f"nu={self._params['nu']:g}, or take more than {self.n_iter_} steps", ConvergenceWarning, stacklevel=4)

    def decision_function(self, X):
        """The score of each row: above 0 for the second class; with more than two classes one for each."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        scores = self._scores(X)
        if len(self.classes_) > 2:
            return scores
        return scores[:, 0] if scores.shape[1] == 1 else scores[:, 1] - scores[:, 0]

    def predict(self, X):
        """The class of each row; a score of exactly 0 is one of the second class."""
        scores = self.decision_function(X)
        return self.classes_[(scores >= 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    def _scores(self, X) -> np.ndarray:
        """(rows, scores) of w, with its bias"""
        if self.kernel_.kind == kernels.LINEAR:
            return np.asarray(self._seen(X) @ self.coef_.T) + self.intercept_
        return stream.Model(self.support_vectors_, self.dual_coef_.T, self.kernel_).scores(X) + self.intercept_

    def _seen(self, X):
        return X if self.solver.features is None else self.solver.features(X, self._params)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = self.solver.multiclass
        return tags


class WeightedClassifier(SolverClassifier):
    """One whose steps draw examples: to draw one more often is to weigh its loss."""

    def fit(self, X, y, sample_weight=None):
        """Run the solver on the rows of X, dense or sparse, and their labels y. With weights s the mean in P is
        Σ s_i loss_i / Σ s_i, and each step draws example i with probability s_i / Σ s_i, whatever `sampling` says."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        if sample_weight is None and self.class_weight is None:
            return self._fit(X, y)
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, copy=True, ensure_non_negative=True)
        weights *= compute_sample_weight(self.class_weight, y)
        if not weights.any():
            raise ValueError("sample_weight and class_weight leave no example with a weight above 0")
        return self._fit(X, y, weights)


def seed_of(random_state) -> int:
    """A whole number is the seed itself, so that the run is the one of that seed in the app."""
    if isinstance(random_state, Integral):
        return whole("random_state", random_state, 0, 2**32 - 1)
    return int(check_random_state(random_state).randint(2**31))


USUAL_ARGUMENTS = {
    "fit_intercept": "Whether there is a bias, as the parameters have it that say so; None leaves it to these.",
    "class_weight": "None, 'balanced', or a weight for each class, by which the losses of its examples are multiplied.",
    "steps": f"How many. By default: {USUAL}", "random_state": "The seed of the run.",
}


def usual_arguments(solver: Solver) -> list[str]:
    """Those that its classifier has besides its own parameters, by the names that scikit-learn's have."""
    biased = any(p.name in ("intercept", "bias") for p in solver.params)
    return [name for name in USUAL_ARGUMENTS if {"fit_intercept": biased, "class_weight": solver.weighs}.get(name, True)]


def classifier(solver: Solver) -> type:
    """The class of a solver: an argument for each of its parameters, the number of steps, and the seed."""
    chosen = {p.name: solver.fit_defaults.get(p.name, p.default) for p in solver.params}
    defaults = {name: str(value) if isinstance(value, kernels.Kernel) else value for name, value in chosen.items()}
    arguments = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    arguments += [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
                  for name, value in (defaults | dict.fromkeys(usual_arguments(solver)) | {"random_state": 0}).items()]
    signature = inspect.Signature(arguments)

    def __init__(self, **given):
        bound = signature.bind(self, **given)
        bound.apply_defaults()
        self.__dict__.update({name: value for name, value in bound.arguments.items() if name != "self"})

    __init__.__signature__ = signature
    name = "".join(word[0].upper() + word[1:] for word in re.findall(r"\w+", solver.title)) + "Classifier"
    told = {p.name: p.help or p.title for p in solver.params} | {key: USUAL_ARGUMENTS[key] for key in usual_arguments(solver)}
    return type(name, (WeightedClassifier if solver.weighs else SolverClassifier,), {
        "__init__": __init__, "__module__": __name__, "solver": solver,
        "__doc__": f"{solver.title} ({solver.paper}).\n\n" + "\n".join(f"    {key}: {words}" for key, words in told.items())})


def classifies(solver: Solver) -> bool:
    """Whether it takes examples one by one, and tells their classes."""
    return not (solver.real or solver.chained)


class SolverRegressor(RegressorMixin, BaseEstimator):
    """What the regressors have in common, over solvers that fit real targets."""

    solver: Solver
    _scores, _seen, _bias = SolverClassifier._scores, SolverClassifier._seen, SolverClassifier._bias

    def fit(self, X, y):
        """Run the solver on the rows of X, dense or sparse, and their targets y."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, y_numeric=True)
        problem = make_regression_problem(X, y)
        params = self.solver.check({p.name: getattr(self, p.name) for p in self.solver.params} | self._bias())
        steps = self.solver.fit_steps(problem.n, params) if self.steps is None else self.steps
        self.n_iter_ = whole("steps", steps, 1, MOST_STEPS)
        self.kernel_, self._params = params["kernel"] or kernels.linear(), params
        found = train(self.solver, Task(problem, params, self.n_iter_, seed_of(self.random_state)))
        vars(self).pop("coef_", None)  # of an earlier fit with another kernel
        self.intercept_, self.support_ = np.array([found.b]), found.rows
        self.support_vectors_, self.dual_coef_ = found.vectors, np.ascontiguousarray(found.coef.T)
        self.costs_ = found.costs
        if self.kernel_.kind == kernels.LINEAR:
            self.coef_ = np.ascontiguousarray((found.vectors.T @ found.coef).T)
        return self

    def predict(self, X):
        """The target of each row."""
        check_is_fitted(self)
        return self._scores(validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False))[:, 0]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def regressor(solver: Solver) -> type:
    """The class of a solver that fits targets: the arguments of a classifier, and a name that says what it is."""
    made = classifier(solver)
    name = made.__name__.replace("ForRegressionClassifier", "Regressor")
    return type(name, (SolverRegressor,), {
        "__init__": made.__init__, "__module__": __name__, "__doc__": made.__doc__, "solver": solver})


ESTIMATORS = {made.__name__: made for made in (classifier(solver) for solver in SOLVERS.values() if classifies(solver))}
REGRESSORS = {made.__name__: made for made in (regressor(solver) for solver in SOLVERS.values() if solver.real)}
globals().update(ESTIMATORS | REGRESSORS)  # each by its name, as an import and a pickle look for it
__all__ = ["ESTIMATORS", "REGRESSORS", "SolverClassifier", "SolverRegressor", *ESTIMATORS, *REGRESSORS]
