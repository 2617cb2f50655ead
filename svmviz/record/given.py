"""Explicit sequences instead of chance: the examples that each step looks at, or what is known of a stream and its draws."""

import numpy as np

from svmviz.maths.words import brief


def within(name: str, given, count: int) -> np.ndarray:
    """Indices of so many examples or features, checked."""
    given = np.asarray(given)
    if given.dtype.kind not in "iuf" or not np.array_equal(given, np.trunc(given)):
        raise ValueError(f"{name} must hold whole numbers")
    if given.size and not (0 <= given.min() and given.max() < count):
        raise ValueError(f"{name} must hold indices from 0 to {count - 1}, got {given.min()} to {given.max()}")
    return given.astype(np.int64)


def replayed(order: np.ndarray, problem, params: dict, start: int, stop: int) -> np.ndarray:
    """(stop - start, k) examples of an order, checked."""
    k = params.get("k", 1)
    if order.ndim == 1 and k > 1 and order.size >= stop * k:
        order = order[: order.size // k * k].reshape(-1, k)
    order = order.reshape(len(order), -1)
    if order.shape[1] != k:
        raise ValueError(f"order must hold {k} examples per step, got {order.shape[1]}")
    if len(order) < stop:
        raise ValueError(f"order must hold at least {stop} steps, got {len(order)}")
    return np.ascontiguousarray(within("order", order, problem.n)[start:stop])


def cells(order, columns, problem, params: dict, start: int, stop: int):
    """The rows and the features of the steps after `start`, checked; None for what is left to chance."""
    if columns is not None:
        columns = within("columns", columns, problem.d).ravel()
        if len(columns) < stop:
            raise ValueError(f"columns must hold at least {stop} steps, got {len(columns)}")
        columns = columns[start:stop]
    return None if order is None else replayed(order, problem, params, start, stop)[:, 0], columns


def streamed(chances: np.ndarray, start: int, problem, params: dict, order, picks, chosen) -> np.ndarray:
    """Chances that decide on a stream in the steps after `start`, with what is known of it put in."""
    stop = start + len(chances)
    if order is not None:
        order = within("order", order, problem.n).ravel()
        if len(set(order.tolist())) < order.size:
            raise ValueError("order must hold each example once at most: it arrives only once")
        chosen = list(enumerate(order.tolist(), start=1))
    if picks is not None:
        picks = within("picks", picks, problem.n)
        if picks.ndim != 2 or picks.shape[1] != params["K"] or len(picks) < stop:
            raise ValueError(f"picks must hold {params['K']} examples for each of {stop} steps, got {picks.shape}")
        picks = picks[start:stop]
    within("chosen", [i for _, i in chosen], problem.n)
    return named(chances, [(t - 1 - start, i) for t, i in chosen if start < t <= stop], picks)


def named(chances: np.ndarray, stream=(), picks=None) -> np.ndarray:
    """Rows of chances that decide on an example and on draws, with some of them named: the integer part is 1 + i for example
    i and 0 for none; the fraction stays, lest i cannot be had. `stream` holds (row, example) pairs, `picks` all draws.

    >>> named(np.array([[0.25, 0.5]]), [(0, 7)], np.array([[3]]))
    array([[8.25, 4.5 ]])
    """
    out = np.array(chances)
    for row, i in stream:
        if row < len(out):
            out[row, 0] += 1 + i
    if picks is not None:
        out[:, 1:1 + picks.shape[1]] += 1 + picks[:len(out)]
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
            raise ValueError(f"a choice reads 40:3, the step and the point counted from 0, got {brief(item)!r}")
        found.append((int(t), int(i)))
    if any(t < 1 for t, _ in found) or [t for t, _ in found] != sorted({t for t, _ in found}):
        raise ValueError("choices must stand in the order of their steps, from step 1 on, one for each")
    return tuple(found)
