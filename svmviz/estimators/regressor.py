"""Regressors over the solvers that fit real targets."""

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from svmviz.data.problem import Regression
from svmviz.estimators.fitting import SolverEstimator, seed_of


class SolverRegressor(RegressorMixin, SolverEstimator):
    """What the regressors have in common."""

    def fit(self, X, y):
        """Run the solver on the rows of X, dense or sparse, and their targets y."""
        X, y = self._checked(X, y, y_numeric=True)
        problem, params, seed, given = (
            Regression(X, np.asarray(y, np.float64)),
            self._parameters(len(y)),
            seed_of(self.random_state),
            self._given(X, y),
        )
        states = self._going_on(given, params)
        self._traceable(params, a_warm_start=states is not None)
        self._keep(X, params, self._learn([problem], params, seed, None, states), given)
        self._record(problem, params, seed)
        return self

    def predict(self, X):
        """The target of each row."""
        check_is_fitted(self, "kernel_")
        return self._scores(self._checked(X, reset=False))[:, 0]
