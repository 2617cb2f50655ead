"""What the runs of a race are worth at some of their steps, all measured alike.

What is measured is the w a solver *predicts* with. SBP predicts by w / gamma(w), with the level
gamma, and only where that is positive: before, it has no P. A perceptron predicts by its w, which
nobody asked to be short. Who tags sentences has a P of sentences, and is compared by its errors
only.
"""

from collections.abc import Sequence

import numpy as np

from svmviz.data.problem import Problem
from svmviz.maths import kernels
from svmviz.maths.water import water_level, water_level_with_bias
from svmviz.race import kinds
from svmviz.race.kinds import TWO, Kind
from svmviz.record import metrics
from svmviz.record.trace import Trace
from svmviz.solvers.sequences.algorithm import tagged
from svmviz.work import limits


@limits.ONE_THREAD
def measure(
    trace: Trace, lam: float, nu: float, times: Sequence[int], test: Problem | None = None
) -> dict[str, np.ndarray]:
    """P(w), how far off it is on unseen points, gap and number of vectors after each of some steps,
    all under this λ; and, of two classes, f(w) under this ν. `test` defaults to the examples
    themselves.
    """
    kind, (X, y) = kinds.of(trace.problem), trace.problem
    b = np.array([trace.b(t) for t in times])
    if trace.made:
        f, coef = decisions(trace, X, times, kind), None
        norm2 = trace.metrics["norm"][np.asarray(times)] ** 2  # of all rows
        norm2 = (
            norm2 * trace.scores if kind is TWO else norm2
        )  # of w₊ - w₋ = 2 w₊ where there are two
    else:
        coef = np.array([trace.coef(t) for t in times])
        f = responses(trace, X, coef) + b[:, None]  # (m, n)
        norm2 = np.maximum(0.0, (coef * (f - b[:, None])).sum(axis=1))
    scale = predictor_scale(trace, times)
    primal = lam / 2 * scale**2 * norm2 + kind.loss(
        trace, scale.reshape(-1, *[1] * (f.ndim - 1)) * f, y
    )
    gap = (
        primal - kind.dual(trace, coef, norm2, lam)
        if trace.solver.goal.dual
        else np.full(len(times), np.nan)
    )
    level = {"level": levels(trace, f - b[:, None], norm2, nu)} if kind.slack else {}
    if test is not None:
        f = (
            decisions(trace, test.X, times, kind)
            if coef is None
            else responses(trace, test.X, coef) + b[:, None]
        )
    used = (
        trace.metrics["n_sv"][np.asarray(times)] if coef is None else np.count_nonzero(coef, axis=1)
    )
    return {
        "primal": primal,
        kind.yardstick.key: off(trace, test or trace.problem, times, f, kind),
        **level,
        "gap": gap,
        "n_sv": used.astype(float),
    }


def levels(trace: Trace, f: np.ndarray, norm2: np.ndarray, nu: float) -> np.ndarray:
    """The water level of each state, on or in the unit ball, where f(w) is defined."""
    y, bias = trace.problem.y, trace.params().get("bias", False)
    inside = f / np.maximum(1.0, np.sqrt(norm2))[:, None]
    return np.array(
        [
            (
                water_level_with_bias(y * c, y, nu * y.size)[0]
                if bias
                else water_level(y * c, nu * y.size)
            )
            for c in inside
        ]
    )


def off(trace: Trace, points: Problem, times, f: np.ndarray, kind: Kind) -> np.ndarray:
    """How far off the predictors with these decision values are; of who tags sentences, by whole
    sentences.
    """
    if not trace.solver.space.chained or kind is TWO:
        return kind.error(f, points.y)
    L = trace.params()["length"]
    rows = points.n // L * L
    return np.array([(tagged(trace, t, points.X[:rows]) != points.y[:rows]).mean() for t in times])


def decisions(trace: Trace, Z, times, kind: Kind) -> np.ndarray:
    """Decision values of a run that keeps a score for each class, or makes vectors: of two classes
    one number a point.
    """
    f = metrics.responses(trace, Z, times)
    return of_two(f) if kind is TWO else f


def of_two(f: np.ndarray) -> np.ndarray:
    """Decision values of two classes where each has a score."""
    return f if f.ndim == 2 else f[..., 1] - f[..., 0]


def responses(trace: Trace, Z, coef: np.ndarray) -> np.ndarray:
    """(len(coef), rows of Z) decision values without the bias, of many states at once."""
    X, Z, kernel = trace.features(trace.problem.X, 0), trace.features(Z, 0), trace.kernel(0)
    if kernel.kind == kernels.LINEAR:
        return np.asarray((Z @ (X.T @ coef.T)).T)
    used = np.flatnonzero(coef.any(axis=0))
    return (
        coef[:, used] @ kernels.gram(kernel, X[used], Z)
        if used.size
        else np.zeros((len(coef), Z.shape[0]))
    )


def predictor_scale(trace: Trace, times) -> np.ndarray:
    """By what w is multiplied before it predicts: 1 / gamma(w) where the solver works on the level,
    NaN where that is not positive, else 1.
    """
    if trace.solver.goal.objective != "level":
        return np.ones(len(times))
    level = trace.scalars["level_average" if trace.params()["iterate"] == "average" else "level"][
        np.asarray(times)
    ]
    return np.divide(1.0, level, out=np.full(level.size, np.nan), where=level > 0)
