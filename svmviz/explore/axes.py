"""What can be swept: the parameters of a solver, those of its kernel, and the number of steps.

A range is cut into values of six digits, so that a wider or finer one has many of them in common
with the one before, and what was computed for these is used again.

>>> Axis("lam", 0.01, 1.0, 5).values(Param("lam", "λ", 0.05, 1e-6, 10.0, log=True))
(0.01, 0.0316228, 0.1, 0.316228, 1.0)
>>> Axis("k", 1, 4, 9).values(Param("k", "k", 1, 1, 5000))
(1, 2, 3, 4)
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from svmviz.data.params import Param
from svmviz.maths import kernels
from svmviz.run.recipe import STEPS, Recipe
from svmviz.solvers import SOLVERS
from svmviz.work.words import brief, whole

LEAST, MOST = 3, 31  # values of a range
OF_KERNEL = {
    "gamma": Param(
        "gamma",
        "γ",
        1.0,
        1e-6,
        1e6,
        "Width of the kernel: larger, narrower.",
        log=True,
        title="kernel: γ",
    ),
    "degree": Param(
        "degree", "p", 3, 1, 10, "Degree of the polynomial kernel.", title="kernel: degree"
    ),
    "coef0": Param(
        "coef0",
        "c₀",
        1.0,
        0.0,
        1e6,
        "What the polynomial kernel adds to the product.",
        title="kernel: constant",
    ),
}


@dataclass(frozen=True)
class Axis:
    """A parameter by its name, and what it takes: a range, or choices where these are given."""

    name: str
    low: float | None = None
    high: float | None = None
    count: int = 11
    log: bool | None = (
        None  # whether the range is cut evenly on a log scale; None: as the parameter is declared
    )
    choices: tuple = ()

    def values(self, param: Param) -> tuple:
        """All values, checked; a `ValueError` says what is wrong, beginning with the name of the
        parameter.
        """
        try:
            return self._chosen(param) if self.choices or not ranges(param) else self._range(param)
        except ValueError as error:
            text = str(error)
            raise ValueError(
                text if text.startswith((param.name, shown(param))) else f"{shown(param)}: {text}"
            ) from None

    def _chosen(self, param: Param) -> tuple:
        found = tuple(dict.fromkeys(map(param.check, self.choices or options(param))))
        if not 2 <= len(found) <= MOST:
            raise ValueError(f"choose 2 to {MOST} different values, got {len(found)}")
        return found

    def _range(self, param: Param) -> tuple:
        low = param.check(param.default if self.low is None else self.low)
        high = param.check(param.default if self.high is None else self.high)
        if not low < high:
            raise ValueError(f"the range must rise, got {brief(low)} to {brief(high)}")
        count = whole(f"{shown(param)}: the number of values", self.count, LEAST, MOST)
        if self.scale(param) and low <= 0:
            raise ValueError(f"on a log scale the range must begin above 0, got {brief(low)}")
        cut = (np.geomspace if self.scale(param) else np.linspace)(low, high, count)
        number = (
            (lambda v: int(round(v)))
            if isinstance(param.default, int)
            else (lambda v: float(f"{v:.6g}"))
        )
        return tuple(
            dict.fromkeys(param.check(min(max(number(v), low), high)) for v in cut.tolist())
        )

    def scale(self, param: Param) -> bool:
        """Whether its scale is a log scale."""
        return param.log if self.log is None else self.log


def shown(param: Param) -> str:
    """How it is called beside its control."""
    return param.symbol or param.title or param.name


def ranges(param: Param) -> bool:
    """Whether it is a number, which has a range."""
    return not (param.is_kernel or param.options or isinstance(param.default, bool))


def options(param: Param) -> tuple:
    """What there is to choose from, where nobody says what to try."""
    return (False, True) if isinstance(param.default, bool) else param.options


def sweepable(recipe: Recipe) -> dict[str, Param]:
    """What may be swept, by name, the solver's parameters first; of those that do nothing beside
    the others none.

    >>> list(sweepable(Recipe(params={"kernel": "rbf(gamma=2.0)"}).checked()))[:4]
    ['lam', 'gamma', 'kernel', 'loss']
    """
    found, solver, now = {}, SOLVERS[recipe.solver], recipe.current
    for param in solver.params:
        if param.text is None and param.matters(now) and not param.name.endswith("seed"):
            if param.is_kernel and now[param.name] is not None:
                found |= {name: OF_KERNEL[name] for name in kernels.FIELDS[now[param.name].kind]}
            found[param.name] = param
    return found | {STEPS.name: STEPS}


def applied(params: Mapping[str, Any], name: str, value: Any) -> dict[str, Any]:
    """The parameters with one of them set, or a number of their kernel.

    >>> applied({"kernel": kernels.rbf(1.0)}, "gamma", 3.0)
    {'kernel': Kernel(kind=1, gamma=3.0, degree=1, coef0=0.0, plus=0.0)}
    """
    if name in params:
        return dict(params) | {name: value}
    return dict(params) | {"kernel": params["kernel"]._replace(**{name: value})}


def usual_range(param: Param, now: Any) -> tuple[float, float]:
    """Where a range may begin and end if nobody says: two powers of ten about the present value, or
    half and twice as much.

    >>> usual_range(Param("lam", "λ", 0.05, 1e-6, 10.0, log=True), 0.05)
    (0.0005, 5.0)
    """
    wide = 100.0 if param.log else 2.0
    low, high = max(param.low, now / wide), min(param.high, now * wide if now else param.high)
    return (
        (math.floor(low), math.ceil(high))
        if isinstance(param.default, int)
        else (float(f"{low:.3g}"), float(f"{high:.3g}"))
    )
