"""Classifiers: two classes, several by the solver's own method, or else one of each against the
rest.
"""

import warnings

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from svmviz.data.problem import Problem
from svmviz.estimators.fitting import SolverEstimator, seed_of
from svmviz.estimators.train import Learnt
from svmviz.maths import sampling
from svmviz.maths.water import water_level


class SolverClassifier(ClassifierMixin, SolverEstimator):
    """What the classifiers have in common."""

    def fit(self, X, y):
        """Run the solver on the rows of X, dense or sparse, and their labels y."""
        X, y = self._checked(X, y)
        return self._fit(X, y)

    def _fit(self, X, y, weights=None):
        check_classification_targets(y)
        classes = np.unique(y)
        if len(classes) < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes, and y holds one class: {classes[0]}"
            )
        problems, params, seed, given = (
            self._problems(X, y, classes),
            self._parameters(len(y)),
            seed_of(self.random_state),
            self._given(X, np.searchsorted(classes, y), *map(str, classes)),
        )
        if weights is not None and params.get("sampling") != sampling.SCHEMES[0]:
            params["sampling"] = sampling.SCHEMES[0]  # a pass over all examples knows no weights
        if problems[0].classes > 2:
            params["multiclass"] = True
        states = self._going_on(given, params)
        self._traceable(
            params,
            weights=weights is not None,
            a_warm_start=states is not None,
            one_class_against_the_rest=len(problems) > 1,
        )
        found = self._learn(problems, params, seed, weights, states)
        self.classes_ = classes
        self._keep(X, params, found, given)
        self._record(problems[0], params, seed)
        if self.solver.goal.objective == "level":
            self._warn_unless_lifted(problems, found)
        return self

    def _problems(self, X, y, classes) -> list[Problem]:
        """The problem that is solved: one, or one for each class where the solver knows two
        only.
        """
        if len(classes) == 2:
            return [Problem(X, np.where(y == classes[1], 1.0, -1.0))]
        if self.solver.space.multiclass:
            return [Problem(X, np.searchsorted(classes, y).astype(np.float64))]
        return [Problem(X, np.where(y == one, 1.0, -1.0)) for one in classes]

    def _warn_unless_lifted(self, problems: list[Problem], found: list[Learnt]) -> None:
        """Say so where slack leaves no margin. The paper predicts by w divided by its level, which
        a negative one would turn round; w itself is what was maximised, and its sign the better
        answer, but nothing is promised of it.
        """
        nu, f = self._params["nu"], None
        for k, (problem, one) in enumerate(zip(problems, found, strict=True)):
            if "level" not in one.facts:
                f = self._scores(problem.X) if f is None else f
            level = (
                one.facts["level"]
                if f is None
                else water_level(problem.y * f[:, k], problem.n * nu)
            )
            if level <= 0:
                warnings.warn(
                    f"{type(self).__name__} found no w with a positive margin after slack (its"
                    f" level is {level:.3g}), so that nothing is promised of its predictions. Scale"
                    f" the features, allow more slack than nu={nu:g}, or take more than"
                    f" {self.n_iter_} steps",
                    ConvergenceWarning,
                    stacklevel=4,
                )
                return

    def decision_function(self, X):
        """The score of each row: above 0 for the second class; with more than two classes one for
        each.
        """
        check_is_fitted(self, "kernel_")
        scores = self._scores(self._checked(X, reset=False))
        if len(self.classes_) > 2:
            return scores
        return scores[:, 0] if scores.shape[1] == 1 else scores[:, 1] - scores[:, 0]

    def predict(self, X):
        """The class of each row; a score of exactly 0 is one of the second class."""
        scores = self.decision_function(X)
        return self.classes_[
            (scores >= 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        ]


class WeightedClassifier(SolverClassifier):
    """One whose steps draw examples: to draw one more often is to weigh its loss."""

    def fit(self, X, y, sample_weight=None):
        """Run the solver on the rows of X, dense or sparse, and their labels y. With weights s the
        mean in P is Σ s_i loss_i / Σ s_i, and each step draws example i with probability s_i / Σ
        s_i, whatever `sampling` says.
        """
        X, y = self._checked(X, y)
        if sample_weight is None and self.class_weight is None:
            return self._fit(X, y)
        weights = _check_sample_weight(
            sample_weight, X, dtype=np.float64, copy=True, ensure_non_negative=True
        )
        weights *= compute_sample_weight(self.class_weight, y)
        if not (np.isfinite(weights).all() and weights.min() >= 0.0):
            raise ValueError(
                "sample_weight and class_weight must hold finite numbers of at least 0"
            )
        if not weights.any():
            raise ValueError(
                "sample_weight and class_weight leave no example with a weight above 0"
            )
        # by a power of two, so that their sum is finite and the draws are what they were
        return self._fit(X, y, np.ldexp(weights, -np.frexp(weights.max())[1]))


class Online:
    """Classifiers that learn from one batch after the other."""

    def partial_fit(self, X, y, classes=None):
        """Learn from these rows, one step for each in the order given, and go on from where the
        last batch ended. The first batch names all classes there will be.
        """
        first = not hasattr(self, "classes_")
        X, y = self._checked(X, y, reset=first)
        check_classification_targets(y)
        if first and classes is None:
            raise ValueError(
                "classes must be given with the first batch, as later ones may hold others than it"
                " does"
            )
        known = np.unique(classes) if first else self.classes_
        if len(known) < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes, and classes holds {len(known)}"
            )
        if not first and classes is not None and not np.array_equal(np.unique(classes), known):
            raise ValueError(f"classes must stay those of the first batch, {known.tolist()}")
        if not np.isin(y, known).all():
            raise ValueError(f"y holds labels that are not among the classes {known.tolist()}")
        if getattr(self, "class_weight", None) is not None:
            raise ValueError(
                "batches know no weights, as each example is taken once: leave out class_weight"
            )
        params = self._parameters(len(y))
        if "k" in params:
            params["k"] = 1
        if len(known) > 2 and self.solver.space.multiclass:
            params["multiclass"] = True
        if not first:
            self._same_run(params)
        self._traceable(params, batches=True)
        seed, states, order = (
            seed_of(self.random_state),
            getattr(self, "_state", None),
            np.arange(len(y))[:, None],
        )
        found = self._learn(self._problems(X, y, known), params, seed, None, states, order)
        self.classes_ = known
        self._keep(X, params, [of_a_batch(one) for one in found])
        return self


def of_a_batch(found: Learnt) -> Learnt:
    """What was learnt, without the examples of the last batch, which are only some of those that it
    was learnt from.
    """
    return (
        found
        if found.w is None
        else found._replace(rows=None, coef=np.zeros((0, found.coef.shape[1])))
    )
