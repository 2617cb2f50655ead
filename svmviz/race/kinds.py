"""The kind of problem that data have. It says who may take part in a race, what is common to all of
them, what they are measured against, and how far off a predictor is on points that nobody has seen.

>>> from svmviz.data import many_classes, plane, targets
>>> [of(data).words for data in (plane.moons(n=10), targets.sine(n=10), many_classes.ring(n=10))]
['two classes', 'real targets', 'several classes']
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from svmviz.data.bundled import ALL, BUNDLED
from svmviz.data.many_classes import MULTICLASS
from svmviz.data.params import Param
from svmviz.data.problem import Problem
from svmviz.data.targets import REGRESSION
from svmviz.maths import losses
from svmviz.record.solver import Solver
from svmviz.record.trace import Trace
from svmviz.solvers import SOLVERS
from svmviz.theory import reference
from svmviz.theory.certificate import Optimum

TINY = 1e-9  # of the largest: a coefficient that rounding has left


class Yardstick(NamedTuple):
    """How far off a predictor is: its name in tables and links, and what the page calls it."""

    key: str
    short: str  # under a lane
    title: str  # on points that nobody has seen
    trained: str  # on the examples themselves, where there are no others
    told: str  # before the points that it is measured on
    share: bool  # from 0 to 1, said in percent; else a number in the units of the target


ERROR = Yardstick("error", "error", "Test error", "Training error", "share of ", True)
RMSE = Yardstick(
    "rmse",
    "RMSE",
    "RMSE on unseen points",
    "RMSE on the examples",
    "in units of the target, on ",
    False,
)


@dataclass(frozen=True)
class Kind:
    key: str
    words: str  # what the data have
    solver: str  # whose parameters the common ones are
    common: tuple[str, ...]  # these of them, λ and kernel first
    lam: float  # where nobody says another
    admits: Callable[[Solver], bool]
    yardstick: Yardstick
    error: Callable[[np.ndarray, np.ndarray], np.ndarray]  # (f, y) -> (m,), with f of m states
    loss: Callable[[Trace, np.ndarray, np.ndarray], np.ndarray]  # (trace, f, y) -> (m,) means
    dual: Callable[
        [Trace, np.ndarray, np.ndarray, float], np.ndarray
    ]  # (trace, coef, |w|², λ) -> (m,) D
    optimum: Callable[[Problem, Mapping[str, Any]], Optimum]
    vectors: Callable[[Optimum], int]
    slack: bool = False  # whether there is a ν that belongs to λ
    empty: str = "lower λ"  # what to do where w = 0 is the optimum

    @property
    def params(self) -> tuple[Param, ...]:
        """The declarations of what is common."""
        known = {p.name: p for p in SOLVERS[self.solver].params}
        told = "The same for all; ν and C follow from it." if self.slack else "The same for all."
        return (
            replace(known["lam"], low=1e-4, high=1.0, help=told),
            *(known[name] for name in self.common[1:]),
        )

    def terms(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """What is common besides λ and kernel."""
        return {name: params[name] for name in self.common[2:]}

    def checked(self, lam: float, kernel, **terms) -> dict[str, Any]:
        """All parameters of the solver that stands for this kind."""
        return SOLVERS[self.solver].check({"lam": lam, "kernel": kernel, **terms})


def hinge_of_labels(trace: Trace, f: np.ndarray, y: np.ndarray) -> np.ndarray:
    return losses.hinges(y * f).mean(axis=1)


def of_residuals(trace: Trace, f: np.ndarray, y: np.ndarray) -> np.ndarray:
    return losses.each(losses.VALUE, trace.solver.loss(trace.params()), f - y).mean(axis=1)


def of_scores(trace: Trace, f: np.ndarray, y: np.ndarray) -> np.ndarray:
    """As `maths.contest` has it; none where what an example costs is no function of its own
    scores.
    """
    if trace.solver.space.chained:
        return np.full(len(f), np.nan)
    params, y = trace.params(), y.astype(int)
    behind = f - f[:, np.arange(y.size), y, None]
    if trace.solver.loss(params).kind == losses.LOGISTIC:
        return logsumexp(behind, axis=2).mean(axis=1)
    return (behind + trace.solver.goal.costs(params, f.shape[2])[y]).max(axis=2).mean(axis=1)


def dual_of_labels(trace: Trace, coef: np.ndarray, norm2: np.ndarray, lam: float) -> np.ndarray:
    """Of all examples: one that has not arrived yet has alpha = 0, which is allowed."""
    return lam * (coef @ trace.problem.y - norm2 / 2)


def dual_of_residuals(trace: Trace, coef: np.ndarray, norm2: np.ndarray, lam: float) -> np.ndarray:
    y, shares = trace.problem.y, lam * trace.problem.n * coef
    worth = shares * y - losses.each(losses.CONJUGATE, trace.solver.loss(trace.params()), shares)
    return worth.mean(axis=1) - lam / 2 * norm2


def no_dual(trace: Trace, coef: np.ndarray, norm2: np.ndarray, lam: float) -> np.ndarray:
    return np.full(norm2.size, np.nan)


def many(best: Optimum) -> int:
    """Examples whose coefficients are not 0, of either sign or of any class."""
    size = np.abs(best.coef).reshape(len(best.coef), -1).max(axis=1)
    return int((size > TINY * size.max()).sum())


TWO = Kind(
    "two",
    "two classes",
    "pegasos",
    ("lam", "kernel"),
    0.002,
    lambda solver: not solver.space.real,
    ERROR,
    lambda f, y: ((f >= 0) != (y > 0)).mean(axis=1),
    hinge_of_labels,
    dual_of_labels,
    lambda problem, params: reference.optimum(problem, params["lam"], params["kernel"]),
    lambda best: int((best.alpha > 0).sum()),
    slack=True,
)
TARGETS = Kind(
    "targets",
    "real targets",
    "regression",
    ("lam", "kernel", "loss", "epsilon"),
    0.01,
    lambda solver: solver.space.real,
    RMSE,
    lambda f, y: np.sqrt(((f - y) ** 2).mean(axis=1)),
    of_residuals,
    dual_of_residuals,
    SOLVERS["regression"].optimum,
    many,
    empty="lower λ or ε",
)
CLASSES = Kind(
    "classes",
    "several classes",
    "classes",
    ("lam", "kernel", "loss", "costs"),
    0.01,
    lambda solver: solver.space.multiclass,
    ERROR,
    lambda f, y: (f.argmax(axis=2) != y).mean(axis=1),
    of_scores,
    no_dual,
    SOLVERS["classes"].optimum,
    many,
)
KINDS = {kind.key: kind for kind in (TWO, TARGETS, CLASSES)}


def of(problem: Problem) -> Kind:
    """The kind of a problem."""
    return TARGETS if problem.real else CLASSES if problem.classes > 2 else TWO


def of_data(data: str, positive: str = "", own=None) -> Kind:
    """The same of data by name, of which all classes may be told apart, and which need not be made
    for that.
    """
    if own is not None:
        return of(own.problem())
    several = data in MULTICLASS or positive == ALL and data in BUNDLED
    return TARGETS if data in REGRESSION else CLASSES if several else TWO
