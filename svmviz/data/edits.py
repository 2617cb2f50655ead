"""Data that change while a run goes on: points are dropped and added, and nothing that was computed
is touched.

All points that ever were make one problem, the *union*; what changes is which of them are active. A
point that is moved or flipped is dropped and comes back as another one. A dropped point is never
drawn again and no longer counts in loss, error and optimum, but what it taught stays in w until the
steps shrink it away, as it would for a solver that meets changing data.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from svmviz.data.problem import Problem, make_problem
from svmviz.work.words import brief

MOST = 500  # points added in one run: what a link can hold


class Edit(NamedTuple):
    """After step t these points go, by their place in the union, and these come: (x, y, label)."""

    t: int
    drop: tuple[int, ...]
    add: tuple[tuple[float, float, int], ...]


def nearest(value) -> float:
    return float(np.float32(round(float(value), 4)))


def edit(t, drop: Iterable[int], add: Iterable[Sequence[float]]) -> Edit:
    """An edit with its numbers checked, and rounded to what the browser computes with."""
    with np.errstate(over="ignore"):  # what is too large for float32 is refused
        rows = tuple((nearest(x), nearest(y), int(label)) for x, y, label in add)
    gone = tuple(sorted({int(i) for i in drop}))
    if gone and gone[0] < 0:
        raise ValueError("points are counted from 0")
    if not all(abs(value) < 1e6 for row in rows for value in row) or not all(
        row[2] in (-1, 1) for row in rows
    ):
        raise ValueError(
            "a point needs two finite coordinates below a million and a label of -1 or 1"
        )
    return Edit(int(t), gone, rows)


def apply(base: Problem, edits: Sequence[Edit]) -> tuple[Problem, list[tuple[int, np.ndarray]]]:
    """The union, and which of its points are active from which step on.

    >>> problem, active = apply(
    ...     make_problem([[0, 0], [1, 1]], [-1, 1]), [edit(5, [0], [(2.0, 2.0, -1)])]
    ... )
    >>> problem.n, [(t, rows.tolist()) for t, rows in active]
    (3, [(0, [0, 1]), (5, [1, 2])])
    """
    added = [row for e in edits for row in e.add]
    if len(added) > MOST:
        raise ValueError(f"at most {MOST} points can be added to a run, got {len(added)}")
    if base.real or base.d != 2 or not edits:
        return base, []
    X = np.vstack([base.X, np.array([row[:2] for row in added]).reshape(-1, 2)])
    problem = type(base)(
        *make_problem(X, np.concatenate([base.y, [row[2] for row in added]]))
    )  # private stays private
    alive, count, stages = np.arange(problem.n) < base.n, base.n, {0: np.arange(base.n)}
    for e in edits:
        if any(i >= count or not alive[i] for i in e.drop):
            raise ValueError(f"the edit after step {e.t} drops a point that is not there")
        alive[list(e.drop)] = False
        alive[count : count + len(e.add)] = True
        count += len(e.add)
        stages[e.t] = np.flatnonzero(alive)
    for t, rows in stages.items():
        if len({*problem.y[rows]}) < 2:
            raise ValueError(f"both classes need a point, but after step {t} only one has any")
    return problem, sorted(stages.items())


def write(edits: Sequence[Edit]) -> str:
    """The edits as text for a link; `read` gives them back."""
    rows = (
        "!".join(f"{round(x, 4):g},{round(y, 4):g},{label}" for x, y, label in e.add) for e in edits
    )
    return ";".join(
        f"{e.t}:{'.'.join(map(str, e.drop))}:{added}" for e, added in zip(edits, rows, strict=True)
    )


def read(text: str) -> tuple[Edit, ...]:
    """
    >>> read(write((edit(5, [0, 3], [(0.5, -1.25, 1)]),)))
    (Edit(t=5, drop=(0, 3), add=((0.5, -1.25, 1),)),)
    """
    found = []
    for item in filter(None, text.split(";")):
        try:
            t, drop, add = item.split(":")
            rows = (
                [
                    (float(x), float(y), int(c))
                    for x, y, c in (row.split(",") for row in add.split("!"))
                ]
                if add
                else []
            )
            step, gone = int(t), [int(i) for i in drop.split(".")] if drop else []
        except ValueError:
            raise ValueError(f"an edit reads 40:3.5:0.25,1.5,1, got {brief(item)!r}") from None
        try:
            found.append(edit(step, gone, rows))
        except ValueError as error:
            raise ValueError(f"{error}, got {brief(item)!r}") from None
    if any(e.t < 0 for e in found) or [e.t for e in found] != sorted(e.t for e in found):
        raise ValueError("edits must stand in the order of their steps")
    return tuple(found)
