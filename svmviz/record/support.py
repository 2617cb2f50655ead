"""The support vectors after a step. Rows 0 .. n - 1 are the examples, further ones were made on the
way (`trace.Made`); a row whose coefficients are gone is no support vector any more; an example may
come back, a vector that was made does not.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.record.slots import Frame


class Support(NamedTuple):
    """The support vectors after a step, in no particular order."""

    row: np.ndarray  # (b,)
    coef: np.ndarray  # (b,), or (b, classes)
    vectors: np.ndarray  # (b, d)
    since: np.ndarray  # (b,) the step in which each came
    merged: np.ndarray  # (b,) how many mergings made it


def squeezed(coef: np.ndarray) -> np.ndarray:
    """Without the axis of scores where there is one score."""
    return coef[:, 0] if coef.shape[1] == 1 else coef


def coordinates(X, made, rows: np.ndarray) -> np.ndarray:
    """(len(rows), d) the vectors of these rows: examples, then what was made."""
    out, old = np.empty((rows.size, X.shape[1])), rows < X.shape[0]
    for which, table, at in ((old, X, rows), (~old, made, rows - X.shape[0])):
        part = table[at[which]]
        out[which] = part.toarray() if sp.issparse(part) else part
    return out


def mergings(n: int, parents: np.ndarray) -> np.ndarray:
    """(n + M,) how many mergings made each row.

    >>> mergings(3, np.array([[0, 1], [3, 2], [1, -1]]))
    array([0, 0, 0, 1, 2, 0])
    """
    count = np.zeros(n + len(parents), np.int64)
    for k, (m, other) in enumerate(parents.tolist()):
        count[n + k] = count[m] + count[other] + 1 if other >= 0 else 0
    return count


def overflow(record, s: int, t: int, before: Frame) -> Frame:
    """The frame in the midst of step t, which is number s of a record whose steps `pull` w back and
    may have `added` a vector: w has shrunk, the example is in, the budget is exceeded, w not pulled
    back.
    """
    changes, pull = record.changes, record.own["pull"][s]
    coef = before.coef * (changes.factor[s] / pull)
    if not record.own["added"][s]:
        return before._replace(coef=coef)
    r, added = int(changes.row[changes.first[s]]), changes.amount[changes.first[s]] / pull
    if r in before.row:
        coef[before.row == r] += added
        return before._replace(coef=coef)
    return before._replace(
        row=np.append(before.row, r),
        coef=np.vstack([coef, added]),
        since=np.append(before.since, t),
    )
