"""Lemmas of the SBP paper as numbers: the slope of the level (Lemma 3.1), and a good dual with a
bad primal (Lemma E.1).
"""

from typing import NamedTuple

import numpy as np

from svmviz.data.problem import Problem, make_problem
from svmviz.maths import kernels
from svmviz.maths.water import water_level
from svmviz.papers.sbp.basins import filled
from svmviz.record.trace import Trace
from svmviz.run.recipe import Recipe
from svmviz.theory import reference

RUN = Recipe(
    "moons", {"n": 100, "noise": 0.15}, "sbp", {"nu": 0.05, "kernel": kernels.rbf(2.0)}, steps=200
).checked()
TARGETS = ("the optimum", "the next w", "a v by chance")


class Slope(NamedTuple):
    """The level along the line from w to v, and the tangent at w."""

    s: np.ndarray  # 0 at w, 1 at v
    level: np.ndarray
    tangent: np.ndarray
    wet: int  # columns under water at w
    same: tuple[float, float]  # as long as these columns are the ones under water, both are one


def slope(c: np.ndarray, toward: np.ndarray, volume: float, s) -> Slope:
    """Lemma 3.1 for responses c of w and those of v: f(v) <= f(w) + Σ p*_i (c_i(v) − c_i(w)), with
    p* uniform on all that the water reaches.

    >>> found = slope(np.array([0.0, 1.0]), np.array([2.0, 0.0]), 0.5, [0.0, 0.5, 1.0])
    >>> found.level.tolist(), found.tangent.tolist(), found.same
    ([0.5, 1.0, 0.5], [0.5, 1.5, 2.5], (-inf, 0.16666666666666666))
    """
    c, change, s = (
        np.asarray(c, float),
        np.asarray(toward, float) - c,
        np.atleast_1d(np.asarray(s, float)),
    )
    basin = filled(c, volume)
    wet = np.zeros(c.size, bool)
    wet[basin.order[: basin.wet]] = True
    rise = float(change[wet].mean())
    level = np.array([water_level(c + at * change, volume) for at in s])
    return Slope(
        s, level, basin.gamma + s * rise, basin.wet, unchanged(c - basin.gamma, change - rise, wet)
    )


def unchanged(above: np.ndarray, change: np.ndarray, wet: np.ndarray) -> tuple[float, float]:
    """Between which s nobody crosses the surface: `above` it now, by `change` more for each unit of
    s.
    """
    leaving = np.where(wet, change, -change)  # the wet rise above it, the dry sink below it
    with np.errstate(divide="ignore", invalid="ignore"):
        s = -above / change
    ahead, behind = s[leaving > 0], s[leaving < 0]
    return float(behind.max(initial=-np.inf)), float(ahead.min(initial=np.inf))


def directions(trace: Trace, t: int) -> dict[str, np.ndarray]:
    """Responses of w after step t, which is not the last, and of each v that a line may lead to;
    |v| is at most 1.
    """
    problem, kernel, params = trace.problem, trace.kernel(t), trace.params(t)
    best = trace.solver.optimum(problem, params)
    coef = np.random.default_rng(t).normal(size=problem.n)
    gram = kernels.gram(kernel, problem.X)
    chance = coef / np.sqrt(coef @ gram @ coef)
    found = best.coef, trace.coef(t + 1, "last"), chance
    return {"w": problem.y * trace.f(t, problem.X, "last")} | {
        name: problem.y * (gram @ of) for name, of in zip(TARGETS, found, strict=True)
    }


# Lemma E.1 ----------------------------------------------------------------------------------------


class Accuracy(NamedTuple):
    """Of α = 0, and so of w = 0, with λ = 2ε."""

    dual: float  # D* − D(0)
    primal: float  # P(0) − P*


def separable(n: int, seed: int = 0) -> Problem:
    """A sample on which u = (1, 0) pays nothing: every y <u, x> is at least 1."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    return make_problem(np.c_[y * (1 + 0.5 * rng.random(n)), rng.normal(size=n)], y)


def accuracy(n: int, eps: float) -> Accuracy:
    """What α = 0 lacks in the dual and in the primal: P* and 1 − P*, by the exact optimum.

    >>> found = accuracy(40, 0.01)
    >>> found.dual <= 0.01, found.primal >= 0.99
    (True, True)
    """
    best = reference.optimum(separable(n), 2 * eps).primal
    return Accuracy(best, 1.0 - best)
