"""Explicit sequences instead of chance: the examples that each step looks at, or what is known of a
stream and its draws.
"""

from typing import Any, NamedTuple

import numpy as np

from svmviz.data.problem import Problem
from svmviz.work.words import brief, whole

LIMIT_STEPS = 1_000_000
STREAM = "knows no stream, so that nothing can be picked or chosen"
REFUSED = {
    "order": "chooses its examples itself and takes no order",
    "columns": "draws no columns",
    "picks": STREAM,
    "chosen": STREAM,
}


def within(name: str, given, count: int) -> np.ndarray:
    """Indices of so many examples or features, checked."""
    given = np.asarray(given)
    if given.dtype.kind not in "iuf" or not np.array_equal(given, np.trunc(given)):
        raise ValueError(f"{name} must hold whole numbers")
    if given.size and not (0 <= given.min() and given.max() < count):
        raise ValueError(
            f"{name} must hold indices from 0 to {count - 1}, got {given.min()} to {given.max()}"
        )
    return given.astype(np.int64)


class Given(NamedTuple):
    """What somebody gives a run instead of chance."""

    problem: Problem
    # examples, one for each step or a row of them; where they arrive one by one, in which order
    order: Any = None
    columns: Any = None  # a feature for each step
    picks: Any = None  # (steps, K) coefficients that are moved after each arrival
    chosen: Any = ()  # (t, example) that somebody hands over himself in step t
    active: Any = ()  # (t, examples) that take part from step t + 1 on

    def stages(self) -> tuple[tuple[int, np.ndarray], ...]:
        """Return (t, examples) of `active` with its steps and indices checked."""
        found = []
        for t, rows in self.active:
            rows = within("active", rows, self.problem.n)
            if rows.ndim != 1 or not rows.size:
                raise ValueError(
                    "active must name at least one example that takes part, as a list of indices"
                )
            found.append((whole("the step of active", t, 0, LIMIT_STEPS), rows))
        return tuple(found)

    def allowed(self, title: str, takes: tuple[str, ...]) -> None:
        """Refuse what a solver does not take."""
        for name, why in REFUSED.items():
            value = getattr(self, name)
            if name not in takes and value is not None and (name != "chosen" or len(value)):
                raise ValueError(f"{title} {why}")

    def examples(self, k: int, start: int, stop: int) -> np.ndarray:
        """(stop - start, k) examples of the order, checked."""
        order = np.asarray(self.order)
        if order.ndim == 1 and k > 1 and order.size >= stop * k:
            order = order[: order.size // k * k].reshape(-1, k)
        order = order.reshape(len(order), -1)
        if order.shape[1] != k:
            raise ValueError(f"order must hold {k} examples per step, got {order.shape[1]}")
        if len(order) < stop:
            raise ValueError(f"order must hold at least {stop} steps, got {len(order)}")
        return self.present(
            np.ascontiguousarray(within("order", order, self.problem.n)[start:stop]), start
        )

    def present(self, asked: np.ndarray, start: int) -> np.ndarray:
        """Return the examples that the steps after `start` ask for, (steps, k); a ValueError if one
        takes no part then.
        """
        since, rows = max(
            ((t, rows) for t, rows in self.active if t <= start),
            key=lambda stage: stage[0],
            default=(0, None),
        )
        if rows is not None and not (there := np.isin(asked, rows)).all():
            step, place = np.argwhere(~there)[0]
            raise ValueError(
                f"step {start + step + 1} asks for example {asked[step, place]}, which takes no"
                f" part from step {since + 1} on"
            )
        return asked

    def features(self, start: int, stop: int) -> np.ndarray:
        """The features of the steps after `start`, checked."""
        columns = within("columns", self.columns, self.problem.d).ravel()
        if len(columns) < stop:
            raise ValueError(f"columns must hold at least {stop} steps, got {len(columns)}")
        return columns[start:stop]

    def streamed(self, chances: np.ndarray, start: int, K: int) -> np.ndarray:
        """Chances that decide on a stream in the steps after `start`, with what is known of it put
        in.
        """
        stop, picks, chosen, n = start + len(chances), self.picks, self.chosen, self.problem.n
        if self.order is not None:
            order = within("order", self.order, n).ravel()
            if len(set(order.tolist())) < order.size:
                raise ValueError("order must hold each example once at most: it arrives only once")
            self.present(order[start:stop, None], start)
            chosen = list(enumerate(order.tolist(), start=1))
        if picks is not None:
            picks = within("picks", picks, n)
            if picks.ndim != 2 or picks.shape[1] != K or len(picks) < stop:
                raise ValueError(
                    f"picks must hold {K} examples for each of {stop} steps, got {picks.shape}"
                )
            picks = self.present(picks[start:stop], start)
        within("chosen", [i for _, i in chosen], n)
        return named(chances, [(t - 1 - start, i) for t, i in chosen if start < t <= stop], picks)


def examples(
    active: np.ndarray, params: dict, chance, start: int, stop: int, given: Given
) -> np.ndarray:
    """(stop - start, k) examples: those that are given, or drawn from the active ones as `sampling`
    says.
    """
    k = params.get("k", 1)
    if given.order is not None:
        return given.examples(k, start, stop)
    return active[chance.examples(len(active), start, stop, k, params["sampling"])]


def named(chances: np.ndarray, stream=(), picks=None) -> np.ndarray:
    """Rows of chances that decide on an example and on draws, with some of them named: the integer
    part is 1 + i for example i and 0 for none; the fraction stays, lest i cannot be had. `stream`
    holds (row, example) pairs, `picks` all draws.

    >>> named(np.array([[0.25, 0.5]]), [(0, 7)], np.array([[3]]))
    array([[8.25, 4.5 ]])
    """
    out = np.array(chances)
    for row, i in stream:
        if row < len(out):
            out[row, 0] += 1 + i
    if picks is not None:
        out[:, 1 : 1 + picks.shape[1]] += 1 + picks[: len(out)]
    return out


def write(chosen) -> str:
    """What a visitor handed over, as text for a link; `read` gives it back.

    >>> read(write(((3, 17), (4, 0))))
    ((3, 17), (4, 0))
    """
    return ";".join(f"{t}:{i}" for t, i in chosen)


def read(text: str) -> tuple[tuple[int, int], ...]:
    """(t, example) pairs in the order of their steps."""
    found = []
    for item in filter(None, text.split(";")):
        t, _, i = item.partition(":")
        if not (t.isdecimal() and i.isdecimal() and len(t) < 8 and len(i) < 8):
            raise ValueError(
                f"a choice reads 40:3, the step and the point counted from 0, got {brief(item)!r}"
            )
        found.append((int(t), int(i)))
    if any(t < 1 for t, _ in found) or [t for t, _ in found] != sorted({t for t, _ in found}):
        raise ValueError(
            "choices must stand in the order of their steps, from step 1 on, one for each"
        )
    return tuple(found)
