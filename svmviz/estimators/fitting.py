"""What all estimators have in common: from arguments to a task, from what was learnt to attributes,
and scores.
"""

import warnings
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
import scipy.sparse as sp
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from svmviz.data.constant import CONSTANT, NONE
from svmviz.data.problem import Problem
from svmviz.estimators.arguments import averages
from svmviz.estimators.progress import Progress
from svmviz.estimators.train import LATE, Learnt, Task, train
from svmviz.maths import kernels, matrix
from svmviz.maths.kernels import engine, lengths
from svmviz.record.given import LIMIT_STEPS
from svmviz.record.solver import Solver
from svmviz.work.memo import digest_of
from svmviz.work.words import whole

MOST_STEPS = 1_000_000_000
STEEP = 1e5  # C K(x, x), which of features of size 1 is some tens
LIBSVM_STEPS = 10_000_000  # or a hundred for each example, after which LIBSVM gives a tolerance up
# values of features: squares, and sums of them times coefficients, must still be numbers in single
# precision
LARGEST = 1e15
GOES_ON = (
    "lam",
    "C",
    "nu",
    "eta",
    "epsilon",
    "smoothing",
    "iterate",
    "k",
    "K",
    "sampling",
    "gradients",
)  # from fit to fit
FLOATS = (np.float64, np.float32)


class SolverEstimator(BaseEstimator):
    """An estimator over a solver; `solver` says which one."""

    solver: Solver

    def _checked(self, X, *y, **given):
        """X as it is, in single precision if it is so, without a copy where its layout fits; and y,
        where one is given.
        """
        matrix.refuse_broken(X)
        found = validate_data(self, X, *y, accept_sparse="csr", dtype=FLOATS, **given)
        return (table(found[0]), found[1]) if y else table(found)

    def _parameters(self, n: int) -> dict[str, Any]:
        """Those of the solver, checked; a mini-batch of which nobody said the size is no larger
        than the n examples.
        """
        given = {p.name: getattr(self, p.name) for p in self.solver.params} | self._bias()
        late = given.get("iterate") == LATE and averages(self.solver)
        params = self.solver.check(given | ({"iterate": "average"} if late else {}))
        if "k" in params and params["k"] == next(
            p.default for p in self.solver.params if p.name == "k"
        ):
            params["k"] = min(params["k"], n)
        return params | ({"iterate": LATE} if late else {})

    def _bias(self) -> dict[str, Any]:
        """What `fit_intercept` makes of the parameters; None leaves them as they are."""
        wanted, names = getattr(self, "fit_intercept", None), [p.name for p in self.solver.params]
        if wanted is None:
            return {}
        return (
            {"intercept": CONSTANT if wanted else NONE}
            if "intercept" in names
            else {"bias": bool(wanted)}
        )

    def _limits(self, n: int, params: dict[str, Any]) -> tuple[int, float | None]:
        """How many steps at most, and the tolerance."""
        tol, steps = getattr(self, "tol", None), self.steps
        if tol is not None:
            tol = number("tol", tol, above=0.0)
        elif steps is None:
            tol = self.solver.uses.fit_tol
        if steps is None:
            usual = (
                self.solver.uses.fit_steps(n, params) if tol is None else max(LIBSVM_STEPS, 100 * n)
            )
            steps = MOST_STEPS if tol is None and self.max_iter is not None else usual
        if self.max_iter is not None:
            passes = whole("max_iter", self.max_iter, 1, MOST_STEPS)
            steps = min(
                steps, max(1, passes * n // params.get("k", 1)) if "sampling" in params else passes
            )
        return whole("steps", steps, 1, MOST_STEPS), tol

    def _learn(
        self,
        problems: Sequence[Problem],
        params: dict[str, Any],
        seed: int,
        weights=None,
        states=None,
        order=None,
    ) -> list[Learnt]:
        """Train on each of these problems, which have the same examples."""
        steps, tol = self._limits(problems[0].n, params)
        room = number("cache_size", getattr(self, "cache_size", 0.0), least=0.0)
        if order is not None:
            steps, tol = len(order), None
        if tol is not None:
            self._say_steep(problems[0], params)
        watch = Progress(type(self).__name__, steps) if self.verbose else None
        tasks = [
            Task(
                problem,
                params,
                steps,
                seed,
                weights,
                tol,
                room,
                state=state,
                watch=watch,
                order=order,
            )
            for problem, state in zip(problems, states or [None] * len(problems), strict=True)
        ]
        if len(tasks) == 1:
            found = [train(self.solver, tasks[0])]
        else:
            found = Parallel(n_jobs=getattr(self, "n_jobs", None), prefer="threads")(
                delayed(train)(self.solver, task) for task in tasks
            )
        if watch is not None:
            watch.end(max(one.steps for one in found))
        if any(one.converged is False for one in found):
            why = (
                "did not reach the optimum, for rounding:"
                if tol is None
                else (f"took {steps} steps and did not reach tol={tol:g}: take more of them, or")
            )
            warnings.warn(
                f"{type(self).__name__} {why} scale the features", ConvergenceWarning, stacklevel=4
            )
        return found

    def _say_steep(self, problem: Problem, params: dict[str, Any]) -> None:
        """Warn before what may take millions of steps: the longest example over λn is how far one
        step may have to go.
        """
        longest = lengths.largest(params.get("kernel") or kernels.linear(), problem.X)
        C = params["C"] if "C" in params else 1.0 / (params["lam"] * problem.n)
        if C * longest > STEEP:
            warnings.warn(
                f"{type(self).__name__} may take millions of steps to its tolerance: K(x, x) is up"
                f" to {longest:.2g}. Scale the features, for example by StandardScaler, or take"
                " more regularisation",
                ConvergenceWarning,
                stacklevel=5,
            )

    def _keep(
        self, X, params: dict[str, Any], found: list[Learnt], given: tuple | None = None
    ) -> None:
        """What was learnt, by the names that scikit-learn has for it."""
        self._fitted_to = given
        for name in (
            "coef_",
            "support_",
            "support_vectors_",
            "trace_",
        ):  # of an earlier fit with another kernel
            self.__dict__.pop(name, None)
        self.kernel_, self._params = params.get("kernel") or kernels.linear(), params
        self._state = (
            [one.state for one in found]
            if self.warm_start or hasattr(self, "partial_fit")
            else None
        )
        self.n_iter_ = max(one.steps for one in found)
        self.intercept_ = np.concatenate(
            [np.atleast_1d(np.asarray(one.b, np.float64)) for one in found]
        )
        rows, coef, vectors = together(X, found)
        self.dual_coef_ = np.ascontiguousarray(coef.T)
        if rows is not None:
            self.support_ = rows
        if self.kernel_.kind != kernels.LINEAR:
            self.support_vectors_ = X[rows] if vectors is None else vectors
        elif len(weights := [one.w for one in found if one.w is not None]) == len(found):
            self.coef_ = np.ascontiguousarray(np.concatenate(weights, axis=1).T)
        else:
            seen = self._seen(X[rows] if vectors is None else vectors)
            self.coef_ = np.ascontiguousarray((seen.T @ coef).T)
        evaluations, features = (
            sum(one.costs[name] for one in found) for name in ("kernel_evals", "features_read")
        )
        stored = X.nnz / X.shape[0] if sp.issparse(X) else X.shape[1]
        self.n_kernel_evals_ = int(evaluations)
        self.n_features_read_ = int(
            evaluations * stored if np.isnan(features) else features
        )  # each value reads an example

    def _traceable(self, params: dict[str, Any], **why: bool) -> None:
        """Refuse to keep a trace where that would be another run than the one that is fitted."""
        why["a late average"] = params.get("iterate") == LATE
        for name, there in why.items() if self.trace else ():
            if there:
                raise ValueError(
                    f"the app has no trace of a fit with {name.replace('_', ' ')}: leave that out,"
                    " or trace=True"
                )

    def _record(self, problem: Problem, params: dict[str, Any], seed: int) -> None:
        """Every step of the same run, as the app has it."""
        if self.trace:
            problem, steps = (
                problem._replace(X=problem.X.astype(np.float64)),
                min(self.n_iter_, LIMIT_STEPS),
            )
            self.trace_ = self.solver.trace(problem, steps, seed, **params)

    def _scores(self, X) -> np.ndarray:
        """(rows, scores) of w, with its bias"""
        if self.kernel_.kind == kernels.LINEAR:
            return np.asarray(self._seen(X) @ self.coef_.T) + self.intercept_
        vectors, coef = self.support_vectors_, np.ascontiguousarray(self.dual_coef_.T)
        if vectors.dtype != X.dtype:
            vectors, X = vectors.astype(np.float64), X.astype(np.float64)
        if self.kernel_.kind == kernels.PRECOMPUTED:
            return kernels.responses(self.kernel_, vectors, coef, X) + self.intercept_
        return engine.responses(self.kernel_, vectors, coef, X) + self.intercept_

    def _seen(self, X):
        return (
            X if self.solver.space.features is None else self.solver.space.features(X, self._params)
        )

    def _given(self, X, y, *classes: str) -> tuple | None:
        """What tells these examples from others, where somebody may ask for that"""
        return (
            (X.shape, digest_of(X), digest_of(np.asarray(y, np.float64)), classes)
            if self.warm_start
            else None
        )

    def _going_on(self, given: tuple | None, params: dict[str, Any]) -> list | None:
        """What the last fit left, if this one is to go on from there: with the same examples, and
        with parameters that may be others.
        """
        before = getattr(self, "_fitted_to", None)
        if given is None or before is None:
            return None
        if before != given:
            raise ValueError(
                f"warm_start goes on with the same examples: there were {before[0][0]} rows of"
                f" {before[0][1]} features, and now there are others, {given[0][0]} of"
                f" {given[0][1]}; a new estimator begins anew"
            )
        self._same_run(params)
        return self._state

    def _same_run(self, params: dict[str, Any]) -> None:
        """Refuse to go on as a run of another kind"""
        for name, value in params.items():
            if name not in GOES_ON and str(self._params.get(name, value)) != str(value):
                raise ValueError(
                    f"{name} was {self._params[name]} and is {value} now: a fit that goes on may"
                    f" change {', '.join(GOES_ON)} only; a new estimator begins anew"
                )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def number(name: str, value: Any, above: float = -np.inf, least: float = -np.inf) -> float:
    """A finite number above or at least another, or a ValueError that says so."""
    if not isinstance(value, Real) or not (above < float(value) < np.inf and float(value) >= least):
        bound = f"above {above:g}" if above > -np.inf else f"at least {least:g}"
        raise ValueError(f"{name} must be a finite number {bound}, got {value!r}")
    return float(value)


def table(X):
    """Rows in which no feature is named twice, of numbers that can be squared."""
    values = X.data if sp.issparse(X) else X
    largest = max(float(values.max()), -float(values.min())) if values.size else 0.0
    if largest > LARGEST:
        raise ValueError(
            f"features must not be larger than {LARGEST:g}, got {largest:.3g}: scale them"
        )
    if not sp.issparse(X):
        return writable(X)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return sp.csr_array(tuple(map(writable, (X.data, X.indices, X.indptr))), X.shape)


class Shared:
    """The memory of an array that may only be read, as if it might be written."""

    def __init__(self, array: np.ndarray):
        self.array = array  # which keeps the memory
        self.__array_interface__ = array.__array_interface__ | {
            "data": (array.__array_interface__["data"][0], False)
        }


def writable(array: np.ndarray) -> np.ndarray:
    """Return an array of the same memory without its mark that it may only be read, such as a
    memory map of joblib's has: for numba that is another type, for which all would be compiled
    anew. No solver writes to its examples.

    >>> frozen = np.eye(2)
    >>> frozen.flags.writeable = False
    >>> writable(frozen).flags.writeable, np.shares_memory(writable(frozen), frozen)
    (True, True)
    """
    return array if array.flags.writeable or not array.size else np.asarray(Shared(array))


def together(X, found: list[Learnt]) -> tuple[np.ndarray | None, np.ndarray, Any]:
    """Rows, coefficients and vectors of several runs on the same examples as of one with several
    scores.
    """
    if len(found) == 1:
        return found[0].rows, found[0].coef, found[0].vectors
    places = [one.rows for one in found if one.rows is not None]
    if len(places) < len(found):
        coef, used = np.zeros((sum(len(one.coef) for one in found), len(found))), 0
        for k, one in enumerate(found):
            coef[used : used + len(one.coef), k] = one.coef[:, 0]
            used += len(one.coef)
        return (
            None,
            coef,
            matrix.stacked([one.vectors for one in found]) if found[0].w is None else None,
        )
    rows = np.unique(np.concatenate(places))
    coef = np.zeros((rows.size, len(found)))
    for k, (own, one) in enumerate(zip(places, found, strict=True)):
        coef[np.searchsorted(rows, own), k] = one.coef[:, 0]
    return rows, coef, None


def seed_of(random_state) -> int:
    """A whole number is the seed itself, so that the run is the one of that seed in the app."""
    if isinstance(random_state, Integral):
        return whole("random_state", random_state, 0, 2**32 - 1)
    return int(check_random_state(random_state).randint(2**31))
