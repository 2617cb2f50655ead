"""A parameter of a solver or of a data set, declared once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from svmviz.maths import kernels, losses
from svmviz.maths.kernels import text as kerneltext
from svmviz.work.words import brief


@dataclass(frozen=True)
class Param:
    """One parameter of a solver, declared once: widget, check, link and help follow from it.

    The type of `default` is the type of the parameter; `None` or a kernel stands for a kernel (None
    is the linear one), a non-empty `options` for a choice.

    >>> Param("lam", "λ", 0.01, 1e-6, 1.0).check(-1)
    Traceback (most recent call last):
    ...
    ValueError: lam must lie in [1e-06, 1.0], got -1
    """

    name: str
    symbol: str
    default: Any
    low: float | None = None
    high: float | None = None
    help: str = ""
    log: bool = False
    options: tuple[str, ...] = ()
    title: str = ""
    # its options as buttons: their first words, and below them what tells those apart that share
    # one
    buttons: bool = False
    # links and scripts do not name its default: those made before there was this parameter mean it
    tacit: bool = False
    text: Callable[[Any], str] | None = None  # of a text: what it is kept as, or a ValueError
    when: Callable[[Mapping[str, Any]], bool] | None = (
        None  # (params) -> whether it does anything there; else it is not shown
    )

    @property
    def is_kernel(self) -> bool:
        return self.default is None or isinstance(self.default, kernels.Kernel)

    def named(self, value) -> bool:
        """Whether links and scripts say that it has this value."""
        return not self.tacit or value != self.default

    def matters(self, params: Mapping[str, Any]) -> bool:
        """Whether this parameter does anything beside these; one that does not keeps its value, and
        its place in a link.

        >>> Param("eta", "η", 1.0, when=lambda params: params["rule"] == "Norma").matters(
        ...     {"rule": "Pegasos"}
        ... )
        False
        """
        return self.when is None or self.when(params)

    def check(self, value):
        if self.is_kernel:
            return (
                value
                if value is None or isinstance(value, kernels.Kernel)
                else kerneltext.parse_kernel(str(value))
            )
        if self.text:
            return self.text(value)
        if self.options:
            if value not in self.options:
                raise ValueError(
                    f"{self.name} must be one of {', '.join(self.options)}, got {brief(value)!r}"
                )
            return value
        if isinstance(self.default, bool):
            if value not in (True, False):
                raise ValueError(f"{self.name} must be True or False, got {brief(value)!r}")
            return bool(value)
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"{self.name} must be a number, got {brief(value)!r}") from None
        if not self.low <= number <= self.high:
            raise ValueError(
                f"{self.name} must lie in [{self.low}, {self.high}], got {brief(value)}"
            )
        if isinstance(self.default, int) and number != int(number):
            raise ValueError(f"{self.name} must be a whole number, got {brief(value)}")
        return type(self.default)(number)

    def accepts(self, value) -> bool:
        """Whether `check` has nothing to say against this value.

        >>> Param("lam", "λ", 0.01, 1e-6, 1.0).accepts(2.0)
        False
        """
        try:
            self.check(value)
        except ValueError:
            return False
        return True

    def read(self, text: str):
        """The value that `write` put into a link."""
        if self.is_kernel and text == "none":
            return None
        if isinstance(self.default, bool):
            return self.check({"1": True, "0": False}.get(text, text))
        return self.check(text)

    def write(self, value) -> str:
        if isinstance(value, bool):
            return str(int(value))
        return "none" if value is None else str(value)


def of_loss(
    matters: Callable[[Mapping[str, Any]], bool] = lambda params: True,
) -> tuple[Param, Param]:
    """The parameters that `losses.loss_of` reads, of a solver that works on any loss where
    `matters` says so.
    """
    smoothed = losses.NAMES[losses.SMOOTHED]
    return (
        Param(
            "loss",
            "",
            losses.NAMES[losses.HINGE],
            options=losses.NAMES,
            title="loss",
            tacit=True,
            when=matters,
            help=(
                "What a margin costs. The hinge gives a support vector machine, the logistic loss"
                " logistic regression. Slopes of the squared hinge have no bound: where w takes"
                " steps against them, it is kept in a ball."
            ),
        ),
        Param(
            "smoothing",
            "s",
            1.0,
            0.01,
            10.0,
            "The smoothed hinge bends between margins 1 − s and 1.",
            log=True,
            title="smoothing",
            tacit=True,
            when=lambda params: params["loss"] == smoothed and matters(params),
        ),
    )


TOPS: dict[str, Callable[[Any], float]] = {  # (problem) -> what is more than that does nothing new
    "k": lambda problem: problem.n,
    "epsilon": lambda problem: float(f"{np.ptp(problem.y):.2g}"),
}


def offered(param: Param, problem) -> Param:
    """The parameter as a control offers it on these data: up to the number of points, or the span
    of the targets. A link may hold more.

    >>> from svmviz.data.targets import sine
    >>> offered(Param("k", "k", 1, 1, 5000), sine(n=40)).high
    40
    """
    top = TOPS[param.name](problem) if param.name in TOPS else 0
    return replace(param, high=min(param.high, top)) if top and param.high is not None else param
