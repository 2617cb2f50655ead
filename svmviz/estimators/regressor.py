"""Regressors over the solvers that fit real targets."""

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from svmviz.data.problem import Regression
from svmviz.estimators.fitting import SolverEstimator


class SolverRegressor(RegressorMixin, SolverEstimator):
    """What the regressors have in common."""

    def fit(self, X, y):
        """Run the solver on the rows of X, dense or sparse, and their targets y."""
        X, y = self._checked(X, y, y_numeric=True)
        problem, params = Regression(X, np.asarray(y, np.float64)), self._parameters()
        found = self._learn([problem], params, None, self._going_on(X.shape))
        self._keep(X, params, found)
        self._record(problem, params, None)
        return self

    def predict(self, X):
        """The target of each row."""
        check_is_fitted(self)
        return self._scores(self._checked(X, reset=False))[:, 0]
