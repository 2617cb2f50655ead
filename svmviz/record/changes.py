"""What the steps of a stretch did to the coefficients: the one language in which runs are recorded,
replayed and sent.

Rows 0 .. n - 1 are the examples, further rows are vectors made on the way. A step multiplies all
coefficients by its factor and then raises those of a few rows, in order. `replay` says what comes
of that, step by step and to the last digit; `settled` what is left in the end, without looking at
every row in every step.

>>> changes = each(np.array([1.0, 0.5]), np.array([[0], [2]]), np.array([[4.0], [1.0]]))
>>> settled(changes, np.zeros(3), np.zeros(3))
(array([2., 0., 1.]), array([4., 0., 0.]))
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths.machine.jit import bare


class Changes(NamedTuple):
    """The changes of all steps, one behind the other."""

    factor: np.ndarray  # (T,) in step s every coefficient is multiplied by this ...
    first: np.ndarray  # (T + 1,) ... and then changes first[s] .. first[s + 1] - 1 follow:
    row: np.ndarray  # (E,) the coefficient of this row ...
    amount: np.ndarray  # (E, scores) ... is raised by this, one number for each score,
    gone: (
        np.ndarray
    )  # (E,) and after the step the row is not in use any more; empty where all rows stay

    @property
    def steps(self) -> int:
        return self.factor.size

    def of(self, s: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows and amounts of step s, counted from 0, of a run with one score."""
        part = slice(self.first[s], self.first[s + 1])
        return self.row[part], self.amount[part, 0]

    def between(self, a: int, b: int) -> "Changes":
        """Those of the steps from a on and before b."""
        return self._replace(factor=self.factor[a:b], first=self.first[a : b + 1])

    def step(self) -> np.ndarray:
        """(E,) the step that each belongs to, counted from 0."""
        return np.repeat(np.arange(self.steps), np.diff(self.first))


def each(factor: np.ndarray, row: np.ndarray, amount: np.ndarray) -> Changes:
    """Changes of a run on examples, as many in every step: (T, k) rows and amounts, of which some
    may be 0.
    """
    steps, k = row.shape
    return Changes(
        factor,
        np.arange(0, steps * k + 1, k),
        row.ravel(),
        np.ascontiguousarray(amount).reshape(-1, 1),
        np.zeros(0, np.bool_),
    )


def gathered(factor: np.ndarray, row: np.ndarray, amount: np.ndarray, gone: np.ndarray) -> Changes:
    """Changes out of tables with room for more: (T, m) rows, -1 where there is none, (T, m, scores)
    amounts.
    """
    there = row >= 0
    first = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    return Changes(factor, first, row[there], amount[there], gone[there])


def joined(parts: list[Changes]) -> Changes:
    """Changes of stretches that follow each other, as of one."""
    ends = np.cumsum([0, *(len(part.row) for part in parts)])
    first = [part.first[:-1] + end for part, end in zip(parts, ends[:-1], strict=True)]
    return Changes(
        np.concatenate([part.factor for part in parts]),
        np.concatenate([*first, ends[-1:]]),
        *(np.concatenate([part[k] for part in parts]) for k in (2, 3, 4)),
    )


class Mean(NamedTuple):
    """Which iterates the averaged one is the mean of: those before each step so far, or those
    `after` it. With `late` it is the mean of one step's own: (m,) the share of them that came
    before change e of the step.
    """

    after: bool = False
    late: np.ndarray = np.zeros(0)


BEFORE, AFTER = Mean(), Mean(after=True)


def averaged(
    mean: Mean, coef: np.ndarray, total: np.ndarray, t: int, row: np.ndarray, amount: np.ndarray
) -> np.ndarray:
    """The averaged iterate after step t: from the last one, the sum of those before each step, and
    the changes of step t.
    """
    if mean.late.size:
        out = coef.copy()
        np.subtract.at(out, row, mean.late * amount * (t > 0))
        return out
    return (total + coef if mean.after else total) / max(t, 1)


@bare
def backwards(changes, raised, summed):
    """From the last step back: what is left of each change in the end, and how often the sum of the
    iterates before each step has met it. Returns both for what was there before
    """
    keep, met = 1.0, 0.0
    for s in range(changes.factor.size - 1, -1, -1):
        for e in range(changes.first[s], changes.first[s + 1]):
            raised[changes.row[e]] += keep * changes.amount[e, 0]
            summed[changes.row[e]] += met * changes.amount[e, 0]
        met = 1.0 + changes.factor[s] * met
        keep *= changes.factor[s]
    return keep, met


def settled(changes: Changes, coef: np.ndarray, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients and the sum of the iterates before each step, after all steps, from those before
    them.
    """
    raised, summed = np.zeros(coef.size), np.zeros(coef.size)
    keep, met = backwards(changes, raised, summed)
    return keep * coef + raised, total + (met * coef + summed)
