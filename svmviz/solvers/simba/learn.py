"""Runs on data too large to keep every step: SIMBA, Pegasos and the Perceptron with the same
compiled steps as in the recorded runs, looked at after given numbers of steps, with the features
that they have read.

All count alike: reading a row or a column costs its entries, all of them where the matrix is dense
and the stored ones where it is sparse; drawing, and looking at w or p, costs nothing.

>>> from svmviz import datasets
>>> for seen in simba(datasets.separable(n=50), {"nu": 0.01}, [10, 100]):
...     print(seen.t, seen.reads)
10 520
100 5200
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from svmviz.data.problem import Problem
from svmviz.maths import kernels, matrix, sampling
from svmviz.maths.kernels.weights import expansion
from svmviz.maths.losses import loss_of
from svmviz.record.given import Given
from svmviz.solvers import SOLVERS
from svmviz.solvers import perceptron as rule
from svmviz.solvers.pegasos import algorithm as descent
from svmviz.solvers.simba import loop
from svmviz.solvers.simba import start as begin
from svmviz.solvers.simba.solver import draw


class Seen(NamedTuple):
    """How a run stands after t steps."""

    t: int
    reads: int  # features read so far
    w: np.ndarray  # (d,) that predicts
    b: float = 0.0

    def error(self, Z, z) -> float:
        """The share of these rows on the wrong side."""
        return float(((Z @ self.w + self.b >= 0) != (z > 0)).mean())


def stretches(times: Sequence[int]):
    """(start, stop) of each stretch between two looks."""
    return zip([0, *times[:-1]], times, strict=True)


def simba(
    problem: Problem, params: Mapping[str, Any], times: Sequence[int], seed: int = 0
) -> Iterator[Seen]:
    """The averaged w and b of SIMBA, in units of the data."""
    params, (X, y), R = SOLVERS["simba"].check(params), problem, begin.radius(problem.X)
    how, everyone = begin.rule(params, problem.n, R, watched=False), np.arange(problem.n)
    state, twins = begin.prepared(X, y, how, R, everyone, None), begin.twins(X)
    given, reads = draw(everyone, params, sampling.Chance(seed), 0, times[-1], Given(problem)), 0
    for start, stop in stretches(times):
        out = loop.empty(stop - start)
        loop.steps(*twins, y, 1.0 / R, matrix.entries(X), how, state, given[start:stop], start, out)
        reads += int(out.features.sum())
        yield Seen(
            stop, reads, (state.number[0] * state.u - state.lag) / stop, R * state.number[2] / stop
        )


def pegasos(
    problem: Problem, params: Mapping[str, Any], times: Sequence[int], seed: int = 0
) -> Iterator[Seen]:
    """The last w of Pegasos without a kernel."""
    params, rows = SOLVERS["pegasos"].check(params), matrix.rows(problem.X)
    linear, w = kernels.linear(), descent.Weights(np.zeros(problem.d), np.array([1.0, 0.0]))
    diagonal, order, reads = (
        kernels.diagonal(linear, rows),
        draws(problem.n, times, params["sampling"], seed),
        0,
    )
    lam, y = params["lam"], problem.y
    radius, project, loss = 1.0 / math.sqrt(lam), params["project"], loss_of(params)
    at = descent.Setting(rows, y, lam, loss, radius, project, False, linear, diagonal)
    for start, stop in stretches(times):
        descent.steps(at, w, order[start:stop], start, descent.empty((stop - start, 1)))
        reads += int(matrix.features_read(problem.X, order[start:stop]).sum())
        yield Seen(stop, reads, w.state[0] * w.v)


def perceptron(
    problem: Problem, params: Mapping[str, Any], times: Sequence[int], seed: int = 0
) -> Iterator[Seen]:
    """The last w of the Perceptron without a kernel."""
    params, at, reads = (
        SOLVERS["perceptron"].check(params),
        expansion(problem.X, None, np.zeros(problem.n)),
        0,
    )
    order = draws(problem.n, times, params["sampling"], seed)
    for start, stop in stretches(times):
        margin, delta = np.empty((2, stop - start, 1))
        evals, features = np.zeros((2, stop - start), np.int64)
        rule.steps(at, problem.y, order[start:stop], margin, delta, evals, features)
        reads += int(features.sum())
        yield Seen(stop, reads, at.w)


def draws(n: int, times: Sequence[int], scheme: str, seed: int) -> np.ndarray:
    return sampling.draw(n, times[-1], 1, scheme, seed)


LEARNERS = {"simba": simba, "pegasos": pegasos, "perceptron": perceptron}
