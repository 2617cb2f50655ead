"""The experiments of the SBP paper, Section 5 and Appendix A. Its page and its benchmark call the
same functions.

The Gram matrix is computed once and looked up by every run (`kernels.precomputed`), while each run
counts the evaluations that it would have needed. As in the paper λ = 1/n, and ν belongs to the
optimum for that λ.

Solvers that look at one example need its response. They can sum it up on demand, one evaluation per
support vector, which is what ours do; or they can keep all responses, n evaluations per change of a
coefficient, which is what SBP and SMO always do. The paper speaks of both and does not say which of
them Figure 2 counts: here every run is counted both ways.
"""

import time
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from svmviz.data.problem import Problem
from svmviz.maths import kernels, matrix
from svmviz.papers.sbp.datasets import Setting
from svmviz.record import metrics
from svmviz.record.trace import Trace
from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS, fourier
from svmviz.theory import reference
from svmviz.work import limits

TEST_ROWS = 4000  # on a page; a benchmark takes all
POINTS = 60  # costs at which the error is measured
RIVALS = {
    key: name
    for key, name in (
        ("sbp", "SBP"),
        ("pegasos", "Pegasos"),
        ("sdca", "SDCA"),
        ("smo", "SMO"),
        ("perceptron", "Perceptron"),
    )
    if key in SOLVERS
}
WITHOUT_CHANCE = {
    key for key, solver in SOLVERS.items() if not solver.algorithm.chance
}  # their first seed stands for all
AVERAGED = {"sbp", "pegasos"}  # solvers with an averaged iterate
ITERATES, COUNTINGS = ("average", "last"), ("on demand", "kept")
FRACTIONS = np.geomspace(0.02, 1.0, 40)  # of LIBSVM's time


class Prepared(NamedTuple):
    """A setting ready to run: kernel values, and the optimum's ν and test error."""

    problem: Problem  # for the precomputed kernel
    test: np.ndarray  # (rows of the test part, n) kernel values
    z: np.ndarray  # labels of the test part
    X: Any
    Z: Any
    gamma: float
    lam: float
    nu: float
    best: float  # test error of the optimum
    grid: np.ndarray  # costs at which errors are measured
    unproven: float = 0.0  # how far P of that optimum may be from the least; 0 where it is exact


class Facts(NamedTuple):
    """What a page says of a setting; the rest takes a hundred megabytes."""

    n: int
    nu: float
    best: float
    grid: np.ndarray
    share: float  # of the rarer class in the test part
    unproven: float = 0.0


class Curve(NamedTuple):
    """A run over the grid of costs, by counting; nan beyond its end."""

    error: dict[tuple[str, str], np.ndarray]  # by iterate and counting
    first_pass: dict[str, float]  # cost of the first n steps


class Timed(NamedTuple):
    """LIBSVM against SBP, both with a bias, in seconds of one processor."""

    seconds: float  # LIBSVM, until it stops by its own criterion
    error: float
    step: float  # seconds of a step of SBP
    steps: int
    sbp: dict[str, np.ndarray]  # test error at FRACTIONS of LIBSVM's time, by iterate


def prepare(setting: Setting, epochs: int = 10) -> Prepared:
    """The first training rows, their Gram matrix and the optimum for λ = 1/n."""
    X, y, Z, z = taken(setting)
    n = len(y)
    problem, test = (
        Problem(kernels.numbered(gaussian(setting.gamma, X, X)), y),
        gaussian(setting.gamma, Z, X),
    )
    best = reference.optimum(problem, 1.0 / n, kernels.precomputed())
    error = wrong(matrix.product(test, best.coef), z)
    return Prepared(
        problem,
        test,
        z,
        X,
        Z,
        setting.gamma,
        1.0 / n,
        best.hinge / best.norm,
        error,
        np.geomspace(5 * n, epochs * n * n, POINTS),
        best.unproven,
    )


def facts(ready: Prepared) -> Facts:
    share = float((ready.z > 0).mean())
    return Facts(
        ready.problem.n, ready.nu, ready.best, ready.grid, min(share, 1 - share), ready.unproven
    )


def taken(setting: Setting) -> tuple:
    X, y, Z, z = setting.load()
    n = min(setting.rows, len(y))
    return X[:n], y[:n], Z[:TEST_ROWS], z[:TEST_ROWS]


def gaussian(gamma: float, Z, X) -> np.ndarray:
    """exp(-gamma |z - x|²), to the last digit the same on every machine: SMO chooses among equals
    by such digits.
    """
    return kernels.gram(
        kernels.rbf(gamma),
        np.ascontiguousarray(Z, np.float64) if isinstance(Z, np.ndarray) else Z,
        np.ascontiguousarray(X, np.float64) if isinstance(X, np.ndarray) else X,
    )


def wrong(f: np.ndarray, z: np.ndarray) -> float:
    return float(((f >= 0) != (z > 0)).mean())


def params(key: str, lam: float, nu: float, kernel: kernels.Kernel) -> dict[str, Any]:
    """The parameters of the paper for each solver, without a bias."""
    given = {"sbp": {"nu": nu}, "smo": {"lam": lam, "bias": False}, "perceptron": {}}.get(
        key, {"lam": lam}
    )
    return given | {"kernel": kernel}


def run(ready: Prepared, key: str, seed: int, epochs: int = 10) -> Curve:
    """Test error over the number of kernel evaluations."""
    n = ready.problem.n
    trace = SOLVERS[key].trace(
        ready.problem, epochs * n, seed, **params(key, ready.lam, ready.nu, kernels.precomputed())
    )
    done = trace.segments[0].record.changes
    moved = np.bincount(1 + done.step()[done.amount[:, 0] != 0], minlength=trace.steps + 1) > 0
    cost = {"on demand": metrics.costs(trace)["kernel_evals"], "kept": n * np.cumsum(moved)}
    error = {}
    for iterate in ITERATES if key in AVERAGED else ("last",):
        for counting, spent in cost.items():
            times = np.searchsorted(spent, ready.grid, side="right") - 1
            error[iterate, counting] = np.where(
                ready.grid > spent[-1], np.nan, errors(ready, trace, times, iterate)
            )
    for counting in COUNTINGS:
        error.setdefault(("average", counting), error["last", counting])
    return Curve(error, {counting: float(spent[n]) for counting, spent in cost.items()})


@limits.ONE_THREAD
def errors(ready: Prepared, trace: Trace, times: np.ndarray, iterate: str) -> np.ndarray:
    """`metrics.error_on` with all times in one product of matrices."""
    different, place = np.unique(times, return_inverse=True)
    coef = np.array([trace.coef(int(t), iterate) for t in different])
    f = matrix.product(ready.test, np.ascontiguousarray(coef.T)) + np.array(
        [trace.b(int(t), iterate) for t in different]
    )
    return ((f >= 0) != (ready.z > 0)[:, None]).mean(axis=0)[place]


@limits.ONE_THREAD
def fourier_error(ready: Prepared, k: int, seed: int) -> float:
    """Test error of the optimum of the linear SVM on k pairs of random Fourier features (Appendix
    A), by liblinear.
    """
    from sklearn.svm import LinearSVC

    chosen = {"features": k, "gamma": ready.gamma, "map_seed": seed}
    model = LinearSVC(
        C=1 / (ready.lam * ready.problem.n),
        loss="hinge",
        fit_intercept=False,
        tol=1e-3,
        max_iter=100_000,
        random_state=seed,
    )
    model.fit(fourier.features(ready.X, chosen), ready.problem.y)
    return wrong(model.decision_function(fourier.features(ready.Z, chosen)), ready.z)


@limits.ONE_THREAD
def against_libsvm(setting: Setting, seed: int = 0, most: int = 200_000) -> Timed:
    """SBP for as long as LIBSVM took. ν is taken from LIBSVM's solution and costs SBP nothing, as
    in the paper; neither is the time of computing test errors counted. SBP computes its kernel
    values, nothing is looked up.
    """
    from sklearn.svm import SVC

    X, y, Z, z = taken(setting)
    kernel, sbp = kernels.rbf(setting.bias_gamma), SOLVERS["sbp"]
    model = SVC(C=setting.bias_C, gamma=setting.bias_gamma)
    began = time.thread_time()
    model.fit(X, y)
    seconds = time.thread_time() - began
    f, coef = model.decision_function(X), model.dual_coef_
    coef = coef.toarray()[0] if hasattr(coef, "toarray") else coef[0]
    norm = np.sqrt(coef @ (f[model.support_] - model.intercept_[0]))
    given = {"nu": float(np.maximum(0.0, 1 - y * f).mean() / norm), "kernel": kernel, "bias": True}
    problem = Problem(X if hasattr(X, "multiply") else np.ascontiguousarray(X, np.float64), y)
    sbp.trace(problem, 2, seed, **given)  # compiled, or loaded, before the clock runs
    began = time.thread_time()
    sbp.trace(problem, 30, seed, **given)
    steps = int(np.clip(30 * seconds / max(time.thread_time() - began, 1e-6), 30, most))
    began = time.thread_time()
    trace = sbp.trace(problem, steps, seed, **given)
    step = (time.thread_time() - began) / steps
    times = np.clip((FRACTIONS * seconds / step).astype(int), 0, steps)
    held = Prepared(
        problem,
        gaussian(setting.bias_gamma, Z, X),
        z,
        X,
        Z,
        kernel.gamma,
        0.0,
        given["nu"],
        0.0,
        FRACTIONS,
    )
    return Timed(
        seconds,
        wrong(model.decision_function(Z), z),
        step,
        steps,
        {iterate: errors(held, trace, times, iterate) for iterate in ITERATES},
    )


def recipes(setting: Setting, nu: float) -> dict[str, Recipe]:
    """The runs as the Playground shows them, one pass at most; none for data that the app does not
    have.
    """
    if setting.recipe is None:
        return {}
    n, out = setting.recipe["data_params"]["n"], {}
    for key, name in RIVALS.items():
        recipe = Recipe(
            **setting.recipe,
            solver=key,
            params=params(key, 1.0 / n, nu, kernels.rbf(setting.gamma)),
        ).checked()
        out[name] = replace(recipe, steps=min(n, recipe.most_steps()))
    return out
