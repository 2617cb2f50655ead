"""Numbers as short as they can be without being others."""

import numpy as np

FEW = 0.25  # of the steps: a quantity that differs from 1 in fewer of them travels as places and values


def thinned(name: str, values: np.ndarray) -> dict[str, np.ndarray]:
    """A quantity of the solver: what is 1 nearly always as places and values, whole numbers as such, else as it is."""
    away = np.flatnonzero(values != 1.0)
    if away.size < FEW * values.size:
        return {f"{name}_at": smallest(away), f"{name}_value": values[away]}
    if (values == np.rint(values)).all() and values.min() >= 0:
        return {name: smallest(values.astype(np.int64))}
    return {name: values.astype(np.float32)}


def exact(X: np.ndarray) -> np.ndarray:
    """float32 where that loses nothing, else float64."""
    with np.errstate(over="ignore"):  # what is too large for float32 becomes infinite there, and so is not equal
        short = X.astype(np.float32)
    return short if (short == X).all() else X


def smallest(values: np.ndarray) -> np.ndarray:
    """The narrowest unsigned integers that hold the values."""
    high = int(values.max(initial=0))
    return values.astype(np.uint8 if high < 2**8 else np.uint16 if high < 2**16 else np.uint32)


def signed(values: np.ndarray) -> np.ndarray:
    """The same for rows of a table, and -1 for none."""
    return values.astype(np.int16 if values.max(initial=0) < 2**15 else np.int32)


def grained(values: np.ndarray) -> tuple[np.ndarray, float] | None:
    """Whole numbers of two bytes and their unit, a power of two, where that loses nothing; else None.

    >>> ints, unit = grained(np.array([0.5, -0.25, 0.0]))
    >>> (ints * unit).tolist(), ints.dtype.name
    ([0.5, -0.25, 0.0], 'int16')
    >>> grained(np.array([0.1])) is None
    True
    """
    most = float(np.abs(values).max(initial=0.0))
    if values.dtype.kind != "f" or not 0.0 < most < np.inf:
        return None
    unit = 2.0 ** np.ceil(np.log2(most / 32767))
    counts = values / unit
    whole = counts.astype(np.int16)
    return (whole, float(unit)) if (whole == counts).all() else None
