"""The experiments of the SBP paper (Section 5 and Appendix A) on the data at hand: the sets of the paper where the data folder
is there, else sets that the app knows. Its page and its benchmark call the same functions.

The Gram matrix is computed once and looked up by every run (`parts.precomputed`), while each run counts the evaluations that
it would have needed. As in the paper λ = 1/n, and ν belongs to the exact optimum for that λ.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from svmviz import bundled, datasets, metrics, parts, reference
from svmviz.core import Problem
from svmviz.recipe import Recipe
from svmviz.solvers import SOLVERS
from svmviz.trace import Trace

FOLDER = Path(os.environ.get("SVMVIZ_DATA") or Path(__file__).parents[2] / "shared" / "data")
TEST_ROWS = 4000  # on a page; a benchmark takes all
POINTS = 60  # costs at which the error is measured
RIVALS = tuple(key for key in ("sbp", "pegasos", "sdca", "smo", "perceptron") if key in SOLVERS)
NAMES = {"sbp": "SBP", "pegasos": "Pegasos", "sdca": "SDCA", "smo": "SMO", "perceptron": "Perceptron"}
WITHOUT_CHANCE = {"smo"}  # its first seed stands for all
AVERAGED = {"sbp", "pegasos"}  # solvers that have an averaged iterate


class Setting(NamedTuple):
    """Training and test rows, and the parameters to use on them."""

    key: str
    title: str
    load: Callable[[], tuple]  # X, y, Z, z: training rows, then test rows
    gamma: float  # of the Gaussian kernel, 1 / (2 sigma²)
    rows: int  # training rows that a page uses
    paper: str  # what the paper used
    with_bias: tuple[float, float]  # gamma, and C = 1 / (λ n), for the comparison with LIBSVM
    recipe: Mapping[str, Any] | None = None  # how the Playground makes the same training rows


class Prepared(NamedTuple):
    """A setting ready to run: rows, kernel values, and the ν of the exact optimum."""

    problem: Problem  # for the precomputed kernel
    test: np.ndarray  # (rows of the test part, n) kernel values
    z: np.ndarray  # labels of the test part
    X: Any
    Z: Any
    gamma: float
    lam: float
    nu: float
    best: float  # test error of the exact optimum
    grid: np.ndarray  # costs at which errors are measured


class Curve(NamedTuple):
    """A run over the grid of costs; nan beyond its end."""

    error: dict[str, np.ndarray]  # by iterate: last, average
    first_pass: float  # cost after n steps
    spent: float  # cost of the whole run


def settings() -> dict[str, Setting]:
    """What can be run here, the paper's own data first."""
    found = [s for s in PAPER if (FOLDER / s.key).is_dir()]
    return {s.key: s for s in (*found, *STAND_INS)}


def prepare(setting: Setting, rows: int | None = None, tests: int | None = TEST_ROWS, epochs: int = 10) -> Prepared:
    """The first `rows` training rows, their Gram matrix and the exact optimum for λ = 1/n."""
    X, y, Z, z = setting.load()
    n = min(rows or setting.rows, len(y))
    X, y, Z, z = X[:n], y[:n], Z[:tests], z[:tests]
    problem, lam = Problem(parts.numbered(gaussian(setting.gamma, X, X)), y), 1.0 / n
    optimum = reference.optimum(problem, lam, parts.precomputed())
    test = gaussian(setting.gamma, Z, X)
    grid = np.geomspace(n, 2.0 * epochs * n * n, POINTS)
    return Prepared(problem, test, z, X, Z, setting.gamma, lam, optimum.hinge / optimum.norm, wrong(test @ optimum.coef, z),
                    grid)


def gaussian(gamma: float, Z, X) -> np.ndarray:
    """exp(-gamma |z - x|²) by matrix products, which is much faster than one pair after the other."""
    squares = [np.asarray(A.multiply(A).sum(axis=1)).ravel() if hasattr(A, "multiply") else (A * A).sum(axis=1) for A in (Z, X)]
    inner = Z @ X.T
    out = inner.toarray() if hasattr(inner, "toarray") else inner
    out *= 2.0
    out -= squares[0][:, None]
    out -= squares[1]
    out *= gamma
    np.minimum(out, 0.0, out=out)  # rounding must not lift a value above 1
    return np.exp(out, out=out)


def wrong(f: np.ndarray, z: np.ndarray) -> float:
    return float(((f >= 0) != (z > 0)).mean(axis=-1))


def params(key: str, lam: float, nu: float, kernel: parts.Kernel) -> dict[str, Any]:
    """The parameters of the paper for each solver, without a bias."""
    given = {"sbp": {"nu": nu}, "smo": {"lam": lam, "bias": False}, "perceptron": {}}.get(key, {"lam": lam})
    return given | {"kernel": kernel}


def run(ready: Prepared, key: str, seed: int, epochs: int = 10) -> Curve:
    """Test error over the number of kernel evaluations."""
    n = ready.problem.n
    trace = SOLVERS[key].trace(ready.problem, epochs * n, seed, **params(key, ready.lam, ready.nu, parts.precomputed()))
    cost = metrics.costs(trace)["kernel_evals"]
    times = np.searchsorted(cost, ready.grid, side="right") - 1
    over = ready.grid > cost[-1]
    error = {name: np.where(over, np.nan, errors(ready, trace, times, name))
             for name in (("last", "average") if key in AVERAGED else ("last",))}
    return Curve({"average": error["last"]} | error, float(cost[n]), float(cost[-1]))


@reference.ONE_THREAD
def errors(ready: Prepared, trace: Trace, times: np.ndarray, iterate: str) -> np.ndarray:
    """`metrics.error_on` with all times in one product of matrices."""
    different, place = np.unique(times, return_inverse=True)
    coef = np.array([trace.coef(int(t), iterate) for t in different])
    f = ready.test @ coef.T + np.array([trace.b(int(t), iterate) for t in different])
    return ((f >= 0) != (ready.z > 0)[:, None]).mean(axis=0)[place]


def fourier(ready: Prepared, k: int, seed: int) -> float:
    """Test error of the optimum of the linear SVM on k pairs of random Fourier features (Appendix A)."""
    from sklearn.svm import LinearSVC

    v = np.random.default_rng([seed, k]).standard_normal((ready.X.shape[1], k)) * np.sqrt(2 * ready.gamma)

    def features(X):
        angle = np.asarray(X @ v)
        return np.hstack([np.cos(angle), np.sin(angle)]) / np.sqrt(k)

    model = LinearSVC(C=1 / (ready.lam * ready.problem.n), loss="hinge", fit_intercept=False, tol=1e-3, max_iter=20_000,
                      random_state=seed)
    return wrong(model.fit(features(ready.X), ready.problem.y).decision_function(features(ready.Z)), ready.z)


def _svmlight(folder: str, features: int):
    def load():
        from sklearn.datasets import load_svmlight_file

        X, y = load_svmlight_file(str(FOLDER / folder / f"{folder}.train.bz2"), n_features=features)
        Z, z = load_svmlight_file(str(FOLDER / folder / f"{folder}.test.bz2"), n_features=features)
        return X, y, Z, z
    return load


def _mnist():
    data = np.load(FOLDER / "mnist" / "mnist.npz")
    shuffle = np.random.default_rng(0).permutation(60_000)[:10_000]
    return (data["X_train"][shuffle] / 255.0, np.where(data["y_train"][shuffle] == 8, 1.0, -1.0),
            data["X_test"] / 255.0, np.where(data["y_test"] == 8, 1.0, -1.0))


def _bundled(name: str, load: Callable, given: Mapping[str, Any]):
    def parted():
        X, labels = load()
        y = np.where(labels == given["positive"], 1.0, -1.0)
        train = bundled.sample(y, given["n"], given["seed"])
        rest = np.setdiff1d(np.arange(len(y)), train)
        X = bundled.scaled(X, given["scaling"]).astype(np.float32).astype(np.float64)  # as the Playground has it
        return X[train], y[train], X[rest], y[rest]
    return parted


def _moons():
    train, test = (datasets.moons(n=2000, noise=0.3, seed=seed) for seed in (0, 1))
    return *train, *test


DIGITS = {"n": 1200, "positive": "8", "scaling": "unit ball", "seed": 0}
WAVES = {"n": 2000, "positive": "0", "scaling": "standardise", "seed": 0}
PAPER = (
    Setting("a9a", "Adult", _svmlight("a9a", 123), 0.05, 2000, "Adult, 31 562 rows, σ² = 10", (0.005, 100.0)),
    Setting("reuters_money_fx", "Reuters money-fx", _svmlight("reuters_money_fx", 8315), 1.0, 2000,
            "Reuters money-fx, 7770 rows, σ² = 0.5", (1.0, 10.0)),
    Setting("mnist", "MNIST, 8 against the rest", _mnist, 0.02, 2000, "MNIST, 8 against the rest, 60 000 rows, σ² = 25",
            (0.02, 1000.0)),
)
STAND_INS = (
    Setting("digits", "Digits, 8 against the rest", _bundled("digits", lambda: bundled.from_sklearn("digits"), DIGITS), 5.0,
            1200, "MNIST, 8 against the rest, 60 000 rows, σ² = 25", (5.0, 1000.0), {"data": "digits", "data_params": DIGITS}),
    Setting("waveform", "Waveform, 0 against the rest", _bundled("waveform", bundled.waveforms, WAVES), 0.05, 2000,
            "Adult, 31 562 rows, σ² = 10", (0.005, 100.0), {"data": "waveform", "data_params": WAVES}),
    Setting("moons", "Two moons, noise 0.3", _moons, 2.0, 2000, "Adult, 31 562 rows, σ² = 10", (2.0, 100.0),
            {"data": "moons", "data_params": {"n": 2000, "noise": 0.3, "seed": 0}}),
)


def recipes(setting: Setting, ready_nu: float) -> dict[str, Recipe]:
    """The runs as the Playground can show them, one pass at most."""
    if setting.recipe is None:
        return {}
    n = setting.recipe["data_params"]["n"]
    out = {}
    for key in RIVALS:
        recipe = Recipe(**setting.recipe, solver=key, params=params(key, 1.0 / n, ready_nu, parts.rbf(setting.gamma))).checked()
        out[NAMES[key]] = recipe.__class__(**{**recipe.__dict__, "steps": min(n, recipe.most_steps())})
    return out
