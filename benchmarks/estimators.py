"""The classifiers beside their peers in scikit-learn: time to fit, as a ratio, and what came of it.

    python -m benchmarks.estimators [--rounds 5]

Linear: Pegasos and dual coordinate ascent beside `SGDClassifier` (hinge, as many updates) and `LinearSVC`, on a dense generated
table and on Adult where its files are at hand. Gaussian kernel: four of them beside `SVC` on a checkerboard.
All take turns in one process, one thread; times are medians of the rounds, compiled before.
"""

import argparse
import os
import time
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier
from sklearn.svm import SVC, LinearSVC
from threadpoolctl import threadpool_limits

from benchmarks.harness import load, median
from svmviz import estimators as own
from svmviz.papers.sets import settings
from svmviz.run import stream

EPOCHS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    print(f"{os.cpu_count()} cores, load average {load()}")
    warnings.simplefilter("ignore", ConvergenceWarning)
    with threadpool_limits(1):
        linear("Generated, 100 000 x 50, dense", *generated(), 1e-4, rounds)
        known = settings()
        if "a9a" in known:
            X, y, Z, z = known["a9a"].load()
            for M in (X, Z):
                M.indices, M.indptr = M.indices.astype(np.int32), M.indptr.astype(np.int32)  # the peers take no others
            linear("Adult, 32 561 x 123, sparse", X, y, Z, z, 1e-4, rounds)
        curved("Checkerboard, 5000 rows", next(stream.checkerboard(5000)), next(stream.checkerboard(5000, seed=1)), rounds)


def generated(n: int = 100_000, d: int = 50):
    rng = np.random.default_rng(0)
    X, normal = rng.normal(size=(n + 10_000, d)) / np.sqrt(d), rng.normal(size=d)
    y = np.where(X @ normal + 0.3 * rng.normal(size=len(X)) > 0, 1.0, -1.0)
    return X[:n], y[:n], X[n:], y[n:]


def linear(title: str, X, y, Z, z, lam: float, rounds: int) -> None:
    n = X.shape[0]
    models = {
        "SGDClassifier": SGDClassifier(alpha=lam, max_iter=EPOCHS, tol=None, fit_intercept=False, random_state=0),
        "SGDClassifier, averaged": SGDClassifier(alpha=lam, max_iter=EPOCHS, tol=None, fit_intercept=False, random_state=0,
                                                 average=True),
        "LinearSVC": LinearSVC(C=1 / (lam * n), loss="hinge", fit_intercept=False, random_state=0),
        "Pegasos": own.PegasosClassifier(lam=lam, steps=EPOCHS * n, sampling="new permutation"),
        "Pegasos, averaged": own.PegasosClassifier(lam=lam, steps=EPOCHS * n, sampling="new permutation", iterate="average"),
        "Dual coordinate ascent": own.DualCoordinateAscentClassifier(lam=lam, steps=EPOCHS * n, sampling="new permutation"),
    }

    def objective(model) -> float:
        loss = np.maximum(0, 1 - y * model.decision_function(X)).mean()
        return 0.5 * lam * float((model.coef_ ** 2).sum()) + loss

    table(f"{title}, λ = {lam:g}, {EPOCHS} passes", models, X, y, Z, z, rounds, "SGDClassifier", objective)


def curved(title: str, train, test, rounds: int, gamma: float = 8.0) -> None:
    n, kernel, C = len(train[1]), f"rbf(gamma={gamma})", 10.0
    models = {
        "SVC": SVC(C=C, gamma=gamma),
        "SMO": own.SequentialMinimalOptimisationClassifier(lam=1 / (C * n), kernel=kernel, steps=2 * n),
        "Incremental SVM": own.IncrementalSVMClassifier(C=C, kernel=kernel, K=10, gradients="cached"),
        "Budgeted SGD, B = 100": own.BudgetedSGDClassifier(lam=1 / (C * n), kernel=kernel, B=100),
        "Pegasos": own.PegasosClassifier(lam=1 / (C * n), kernel=kernel, steps=2 * n),
    }
    table(f"{title}, Gaussian kernel, C = {C:g}", models, *train, *test, rounds, "SVC", None)


def table(title: str, models: dict, X, y, Z, z, rounds: int, peer: str, objective) -> None:
    times = {name: [] for name in models}
    for k in range(rounds + 1):
        for name, model in models.items():
            began = time.perf_counter()
            model.fit(X, y)
            if k > 0:  # the first one compiles
                times[name].append(time.perf_counter() - began)
    print(f"\n{title}\n{'':34}{'seconds':>10}{'ratio':>8}{'test error':>12}{'objective':>11}{'vectors':>9}")
    for name, model in models.items():
        seconds = median(times[name])
        vectors = "" if objective or not hasattr(model, "support_vectors_") else str(model.support_vectors_.shape[0])
        print(f"{name:34}{seconds:10.3f}{seconds / median(times[peer]):8.2f}{1 - model.score(Z, z):12.2%}"
              f"{f'{objective(model):.5f}' if objective else '':>11}{vectors:>9}", flush=True)


if __name__ == "__main__":
    main()
