"""Numbers as short as they can be without being others, and how they are laid out to travel."""

import zlib

import numpy as np
import scipy.sparse as sp

LARGE = (
    2**18
)  # bytes: a table of measured numbers, in which looking for repeats takes long and finds only runs
# of the steps: a quantity that differs from 1 in fewer of them travels as places and values
FEW = 0.25


def thinned(name: str, values: np.ndarray) -> dict[str, np.ndarray]:
    """A quantity of the solver: what is 1 nearly always as places and values, whole numbers as
    such, else as it is.
    """
    away = np.flatnonzero(values != 1.0)
    if away.size < FEW * values.size:
        return {f"{name}_at": smallest(away), f"{name}_value": values[away].astype(np.float64)}
    if (values == np.rint(values)).all() and values.min() >= 0:
        return {name: smallest(values.astype(np.int64))}
    return {name: values.astype(np.float32)}


def exact(X: np.ndarray) -> np.ndarray:
    """float32 where that loses nothing, else float64."""
    with np.errstate(
        over="ignore"
    ):  # what is too large for float32 becomes infinite there, and so is not equal
        short = X.astype(np.float32)
    return short if (short == X).all() else X


def cells(X) -> dict[str, np.ndarray]:
    """A table of data: its cells, or where most are 0 those that are not, with their columns and
    how many each row has.
    """
    n, d = X.shape
    if sp.issparse(X) and d > 2 and 2 * X.nnz < n * d:
        return {
            "X_value": exact(X.data),
            "X_column": smallest(X.indices),
            "X_stored": smallest(np.diff(X.indptr)),
        }
    return {"X": exact(X.toarray() if sp.issparse(X) else np.asarray(X, np.float64)).ravel()}


def smallest(values: np.ndarray) -> np.ndarray:
    """The narrowest unsigned integers that hold the values."""
    high = int(values.max(initial=0))
    return values.astype(np.uint8 if high < 2**8 else np.uint16 if high < 2**16 else np.uint32)


def signed(values: np.ndarray) -> np.ndarray:
    """The same for rows of a table, and -1 for none."""
    return values.astype(np.int16 if values.max(initial=0) < 2**15 else np.int32)


def body(arrays: dict[str, np.ndarray]) -> tuple[dict[str, list], bytes]:
    """Kind and size of each array in their order, and all of them deflated: first bytes of all
    numbers of an array together, then the second ones, and so on, for those resemble each other.
    """
    layout = {name: [array.dtype.name, array.size] for name, array in arrays.items()}
    flat = (np.ascontiguousarray(array).ravel() for array in arrays.values())
    raw = b"".join(a.view(np.uint8).reshape(a.size, a.itemsize).T.tobytes() for a in flat)
    deflate = zlib.compressobj(strategy=zlib.Z_RLE if len(raw) > LARGE else zlib.Z_DEFAULT_STRATEGY)
    return layout, deflate.compress(raw) + deflate.flush()


def arrays(layout: dict[str, list], packed: bytes) -> dict[str, np.ndarray]:
    """The way back, as the player goes it.

    >>> arrays(*body({"a": np.array([1.5, -2.0]), "b": np.array([3], np.uint8)}))
    {'a': array([ 1.5, -2. ]), 'b': array([3], dtype=uint8)}
    """
    found, raw, at = {}, np.frombuffer(zlib.decompress(packed), np.uint8), 0
    for name, (kind, size) in layout.items():
        width = np.dtype(kind).itemsize
        found[name] = (
            np.ascontiguousarray(raw[at : at + size * width].reshape(width, size).T)
            .view(kind)
            .ravel()
        )
        at += size * width
    return found
