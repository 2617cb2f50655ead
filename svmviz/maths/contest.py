"""What an example pays where every class has a score f, and the highest wins.

    hinge       max over r of (δ(r, y) + f_r - f_y),  δ(y, y) = 0       cost-sensitive; Crammer and
    Singer with δ = 1 logistic    log Σ_r exp(f_r - f_y)
    multi-class log-loss

δ is a table with a row for the true class y and a column for the class r that y is taken for: what
that mistake costs. Who does not lead r by δ(r, y) pays the rest; a lead of exactly that costs
nothing.
"""

import math

import numpy as np

from svmviz.maths.losses import LOGISTIC, Loss
from svmviz.maths.machine.elementary import exp, log
from svmviz.maths.machine.jit import bare
from svmviz.work.words import brief

MOST_CLASSES, MOST_COST = 100, 1000.0
CERTAIN = 1e-12  # a log-loss that is worth no step
FORM = (
    "costs reads 0,1,4/1,0,1/1,1,0: a row for each true class, and in it what it costs to take that"
    " for each class"
)


def even(classes: int) -> np.ndarray:
    """The table in which every mistake costs 1.

    >>> even(2)
    array([[0., 1.],
           [1., 0.]])
    """
    return 1.0 - np.eye(classes)


def read(text: str, classes: int) -> np.ndarray:
    """The table that a checked text stands for; no text is the even one."""
    if not text:
        return even(classes)
    found = np.array([[float(cell) for cell in row.split(",")] for row in text.split("/")])
    if len(found) != classes:
        raise ValueError(f"costs is a table of {len(found)} classes, and these data have {classes}")
    return found


def write(table: np.ndarray) -> str:
    """A table as a text for a link; nothing for the even one.

    >>> write(np.array([[0.0, 2.0], [1.0, 0.0]])), write(even(3))
    ('0,2/1,0', '')
    """
    return (
        ""
        if np.array_equal(table, even(len(table)))
        else "/".join(",".join(f"{v:g}" for v in row) for row in table)
    )


def checked(text) -> str:
    """The text of a table of costs, as `write` would write it.

    >>> checked("0, 2.0 / 1, 0")
    '0,2/1,0'
    """
    if not str(text).strip():
        return ""
    try:
        rows = [[float(cell) for cell in row.split(",")] for row in str(text).split("/")]
    except ValueError:
        raise ValueError(f"{FORM}; got {brief(text)!r}") from None
    if not 2 <= len(rows) <= MOST_CLASSES or any(len(row) != len(rows) for row in rows):
        raise ValueError(f"{FORM}, as many of them as there are rows; got {brief(text)!r}")
    table = np.array(rows)
    if not ((table >= 0.0) & (table <= MOST_COST)).all():
        raise ValueError(f"costs must lie from 0 to {MOST_COST:g}, got {brief(text)!r}")
    if table.diagonal().any():
        raise ValueError(f"costs must be 0 where a class is taken for itself, got {brief(text)!r}")
    return write(table)


@bare
def rival_of(costs, f, i, y):
    """Of the classes other than y the one with the highest score and cost, the first of several,
    and by how much that is above the score of y; f has a row for each class
    """
    r, most = -1, 0.0
    for c in range(f.shape[0]):
        if c != y and (r < 0 or costs[y, c] + f[c, i] > most):
            r, most = c, costs[y, c] + f[c, i]
    return r, most - f[y, i]


@bare
def log_loss(f, i, y):
    """log Σ exp(f_r - f_y)"""
    most, total = f[0, i], 0.0
    for c in range(1, f.shape[0]):
        most = max(most, f[c, i])
    for c in range(f.shape[0]):
        total += exp(f[c, i] - most)
    return log(total) + (most - f[y, i])


@bare
def paid(loss, costs, f, i, y):
    """The loss of point i of class y"""
    if loss.kind == LOGISTIC:
        return log_loss(f, i, y)
    _, lack = rival_of(costs, f, i, y)
    return max(0.0, lack)


@bare
def falls(loss, costs, f, i, y, out):
    """By how much the loss falls with each score: a sub-gradient, turned round. These sum to 0"""
    if loss.kind != LOGISTIC:
        r, lack = rival_of(costs, f, i, y)
        for c in range(f.shape[0]):
            out[c] = 0.0
        if lack > 0.0:
            out[y], out[r] = 1.0, -1.0
        return
    whole = log_loss(f, i, y)
    for c in range(f.shape[0]):
        out[c] = (
            (1.0 if c == y else 0.0) - exp((f[c, i] - f[y, i]) - whole) if whole > CERTAIN else 0.0
        )


def at_rest(loss: Loss, costs: np.ndarray, y: np.ndarray) -> float:
    """The mean loss where all scores are 0.

    >>> from svmviz.maths.losses import hinge
    >>> at_rest(hinge(), np.array([[0.0, 2.0], [1.0, 0.0]]), np.array([0.0, 1.0, 1.0]))
    1.3333333333333333
    """
    return (
        math.log(len(costs))
        if loss.kind == LOGISTIC
        else float(costs.max(axis=1)[y.astype(int)].mean())
    )
