"""Losses as plain values that compiled code branches on: what a margin m costs, and how steeply.

    hinge            max(0, 1 - m) squared hinge    max(0, 1 - m)²
    without 1/2, as LIBLINEAR has it smoothed hinge   0 from 1 on, (1 - m)²/(2 s) down to 1 - s,
    below that 1 - m - s/2     Shalev-Shwartz, Zhang 2013 logistic         log(1 + exp(-m)), the
    natural logarithm

A loss is a NamedTuple with an integer `kind`, like a kernel. All of these fall and are convex; only
the hinge has a kink, and there its slope is 0: a margin of exactly 1 costs nothing. The conjugate
is taken at -a, because a falling loss has no other:

    conjugate(a) = sup over m of (-a m - value(m)),    so that    value(m) + conjugate(a) >= -a m,

with equality where a = -slope(m). In the dual a is a coefficient as a share of C = 1/(λn): w = C Σ
a_i y_i phi(x_i), and

    D(a) = -1/n Σ conjugate(a_i) - λ/2 |w|²,    0 <= a_i <= steepest.

Those of a regression are functions of the residual r = f - y of a real target, and rise on either
side:

    epsilon-insensitive   max(0, |r| - ε)                            the table of the Pegasos paper
    forgets the absolute value squared               r²/2

Their slopes, and so their shares a, have both signs, with coef_i = C a_i, and -conjugate(a_i) + a_i
y_i in D.

The functions take that number and know nothing of labels. `standing` makes it of y and f, `lever`
says how it grows with f, and `off` which predictions are errors; of several classes it would be the
lead of the true one over the best of the others.

>>> value(logistic(), 0.0), slope(smoothed_hinge(0.5), 0.75), conjugate(squared_hinge(), 2.0)
(0.6931471805599453, -0.5, -1.0)
>>> print(smoothed_hinge(0.5))
smoothed hinge(s=0.5)
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from svmviz.maths.machine.elementary import exp, log, log_of
from svmviz.maths.machine.jit import bare
from svmviz.work.words import brief

KINDS = HINGE, SQUARED, SMOOTHED, LOGISTIC, TUBE, SQUARE = range(6)
NAMES = ("hinge", "squared hinge", "smoothed hinge", "logistic")  # of a margin
OF_RESIDUALS = ("epsilon-insensitive", "squared")
VALUE, SLOPE, CURVATURE, CONJUGATE = range(4)
# of target and tube: many a solution lies on the rim, and counts as within whatever rounding says
RIM = 1e-6
ROUNDING = 1e-9  # of C: what a coefficient may be beyond the end of its box


class Loss(NamedTuple):
    kind: int
    # where the smoothed hinge bends: between 1 - s and 1; of a residual, what counts as close: ε
    s: float

    def __str__(self) -> str:
        name = "ε" if self.residual else "s"
        return (*NAMES, *OF_RESIDUALS)[self.kind] + (
            f"({name}={self.s!r})" if self.kind in (SMOOTHED, TUBE) else ""
        )

    @property
    def residual(self) -> bool:
        """Whether it is of f - y, not of y f."""
        return self.kind >= TUBE

    @property
    def steepest(self) -> float:
        """The largest slope downwards, which is the largest share in the dual, too."""
        return math.inf if self.kind in (SQUARED, SQUARE) else 1.0


def hinge() -> Loss:
    """max(0, 1 - m)"""
    return Loss(HINGE, 1.0)


def squared_hinge() -> Loss:
    """max(0, 1 - m)²"""
    return Loss(SQUARED, 1.0)


def smoothed_hinge(s: float = 1.0) -> Loss:
    """The hinge with its kink bent over a length of s."""
    if not 0 < s < math.inf:
        raise ValueError(f"s must be positive and finite, got {brief(s)}")
    return Loss(SMOOTHED, float(s))


def logistic() -> Loss:
    """log(1 + exp(-m))"""
    return Loss(LOGISTIC, 1.0)


def epsilon_insensitive(epsilon: float = 0.1) -> Loss:
    """max(0, |r| - ε)"""
    if not 0 <= epsilon < math.inf:
        raise ValueError(f"epsilon must be finite and not negative, got {brief(epsilon)}")
    return Loss(TUBE, float(epsilon))


def squared(epsilon: float = 0.1) -> Loss:
    """r²/2, of which ε says only what counts as close"""
    return epsilon_insensitive(epsilon)._replace(kind=SQUARE)


def loss_of(params: Mapping[str, Any]) -> Loss:
    """The loss that a solver's parameters name; the hinge where they name none.

    >>> print(
    ...     loss_of({"lam": 0.1}), loss_of({"loss": "smoothed hinge", "smoothing": 2.0}), sep=", "
    ... )
    hinge, smoothed hinge(s=2.0)
    """
    if params.get("loss") in OF_RESIDUALS:
        return (epsilon_insensitive, squared)[OF_RESIDUALS.index(params["loss"])](params["epsilon"])
    kind = NAMES.index(params.get("loss", NAMES[HINGE]))
    return smoothed_hinge(params.get("smoothing", 1.0)) if kind == SMOOTHED else Loss(kind, 1.0)


def bounded(params: Mapping[str, Any]) -> bool:
    """Whether no slope of the loss is steeper than 1, as the theorems on stochastic steps ask.
    Where one is, a step may make many times of w what it was, and the next one more: it outgrows
    all numbers, unless a ball keeps it.

    >>> bounded({"lam": 0.1}), bounded({"loss": "squared hinge"})
    (True, False)
    """
    return loss_of(params).steepest <= 1.0


def in_ball(params: Mapping[str, Any]) -> bool:
    """Whether w is kept in the ball that w* lies in: where that is asked for, and where it must
    be.
    """
    return params["project"] or not bounded(params)


@bare
def short(m):
    """What a margin lacks of 1: its hinge loss"""
    return max(0.0, 1.0 - m)


@bare
def log1p(x):
    """log(1 + x), with all its digits where x is small"""
    return log_of(x, 0.0) if -0.29 < x < 0.41 else log(1.0 + x)


@bare
def standing(loss, y, f):
    """What the loss is of: the margin y f of a label, the residual f - y of a target"""
    return f - y if loss.kind >= TUBE else y * f


@bare
def lever(loss, y):
    """By how much that grows with f"""
    return 1.0 if loss.kind >= TUBE else y


@bare
def off(loss, y, f):
    """Whether f is an error: on the wrong side, or further from the target than ε"""
    return (
        abs(f - y) > loss.s + RIM * (loss.s + abs(y))
        if loss.kind >= TUBE
        else (f >= 0.0) != (y > 0.0)
    )


@bare
def value(loss, m):
    """What a margin, or a residual, of m costs"""
    if loss.kind == HINGE:
        return short(m)
    if loss.kind == TUBE:
        return max(0.0, abs(m) - loss.s)
    if loss.kind == SQUARE:
        return 0.5 * m * m
    if loss.kind == SQUARED:
        return short(m) * short(m)
    if loss.kind == SMOOTHED:
        return 1.0 - m - 0.5 * loss.s if m <= 1.0 - loss.s else short(m) * short(m) / (2.0 * loss.s)
    return log1p(exp(-m)) if m > 0.0 else log1p(exp(m)) - m


@bare
def slope(loss, m):
    """By how much the loss changes per unit of m: for a margin never above 0"""
    if loss.kind == HINGE:
        return -1.0 if m < 1.0 else 0.0
    if loss.kind == TUBE:
        return (1.0 if m > 0.0 else -1.0) if abs(m) > loss.s else 0.0
    if loss.kind == SQUARE:
        return m
    if loss.kind == SQUARED:
        return -2.0 * short(m)
    if loss.kind == SMOOTHED:
        return -1.0 if m <= 1.0 - loss.s else -short(m) / loss.s
    return -exp(-m) / (1.0 + exp(-m)) if m > 0.0 else -1.0 / (1.0 + exp(m))


@bare
def curvature(loss, m):
    """By how much the slope changes per unit of margin at m; on a kink, as beyond it"""
    if loss.kind == SQUARED:
        return 2.0 if m < 1.0 else 0.0
    if loss.kind == SQUARE:
        return 1.0
    if loss.kind == SMOOTHED:
        return 1.0 / loss.s if 1.0 - loss.s < m < 1.0 else 0.0
    if loss.kind == LOGISTIC:
        e = exp(-abs(m))
        return e / ((1.0 + e) * (1.0 + e))
    return 0.0


@bare
def conjugate(loss, a):
    """sup over m of (-a m - value(m)): infinite where a is no slope of the loss"""
    if loss.kind == TUBE:
        return loss.s * abs(a) if abs(a) <= 1.0 else np.inf
    if loss.kind == SQUARE:
        return 0.5 * a * a
    if not 0.0 <= a or (a > 1.0 and loss.kind != SQUARED):
        return np.inf
    if loss.kind == HINGE:
        return -a
    if loss.kind == SQUARED:
        return 0.25 * a * a - a
    if loss.kind == SMOOTHED:
        return 0.5 * loss.s * a * a - a
    return 0.0 if a == 0.0 or a == 1.0 else a * log(a) + (1.0 - a) * log1p(-a)


@bare
def share(loss, alpha, C):
    """A coefficient as a share of C, with what rounding put beyond the end of its box put back"""
    a = alpha / C
    if loss.kind == TUBE and -1.0 - ROUNDING <= a < -1.0:
        return -1.0
    return 1.0 if 1.0 < a <= 1.0 + ROUNDING and loss.kind != SQUARED and loss.kind != SQUARE else a


@bare
def fill(what, loss, x, out):
    for i in range(out.size):
        if what == VALUE:
            out[i] = value(loss, x[i])
        elif what == SLOPE:
            out[i] = slope(loss, x[i])
        elif what == CURVATURE:
            out[i] = curvature(loss, x[i])
        else:
            out[i] = conjugate(loss, x[i])


def each(what: int, loss: Loss, x: np.ndarray) -> np.ndarray:
    """The value, slope or curvature at every margin of an array, or the conjugate at every share.

    >>> each(VALUE, hinge(), np.array([[0.25, 3.0]]))
    array([[0.75, 0.  ]])
    """
    out = np.empty_like(x)
    fill(what, loss, x.ravel("K"), out.ravel("K"))
    return out


def hinges(m: np.ndarray) -> np.ndarray:
    """The hinge loss of every margin of an array."""
    return each(VALUE, hinge(), m)
