"""Recorded experiments: one file each, in `recorded/`, with what it was run on. `svmviz papers
record` writes them.

A file is JSON. Results are nested tuples, lists, dicts, texts and numbers; arrays are taken out of
them, and their bytes stand compressed at the end. Nothing in a file is ever executed: only named
tuples that the experiment names are made.
"""

import base64
import json
import math
import zlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from svmviz.papers.evidence.experiment import Experiment, parted

FOLDER = Path(__file__).parents[1] / "recorded"
TYPES = ("<f8", "<i8", "|b1")
SAME = 1e-9  # two numbers that no clock has a say in


class Recording(NamedTuple):
    """What was found, and on what."""

    key: str
    version: str
    data: str
    seeds: int
    seconds: float  # of one processor, for all runs together
    cores: int
    processor: str
    date: str
    digest: str
    found: Mapping[str, Any]

    def stale(self, experiment: Experiment) -> bool:
        """Whether it was recorded with other code."""
        return self.digest != experiment.digest()


# --- results as JSON ------------------------------------------------------------------------------


def encode(value: Any, kinds: tuple[type, ...], taken: list[np.ndarray]) -> Any:
    """A value for JSON; its arrays go to `taken`, in order."""
    if isinstance(value, np.generic):
        value = value.item()
    if (
        value is None
        or isinstance(value, str | bool | int)
        or (isinstance(value, float) and math.isfinite(value))
    ):
        return value
    if isinstance(value, float):
        return {"float": repr(value)}
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "fib":
            raise TypeError(f"an array of {value.dtype} cannot be recorded")
        kind = dict(zip("fib", TYPES, strict=True))[value.dtype.kind]
        taken.append(np.ascontiguousarray(value, kind))
        return {kind: list(value.shape)}
    if isinstance(value, dict):
        return {
            "dict": [
                [encode(key, kinds, taken), encode(item, kinds, taken)]
                for key, item in value.items()
            ]
        }
    if isinstance(value, list):
        return [encode(item, kinds, taken) for item in value]
    if isinstance(value, tuple) and (type(value) is tuple or type(value) in kinds):
        return {type(value).__name__: [encode(item, kinds, taken) for item in value]}
    raise TypeError(f"a {type(value).__name__} cannot be recorded")


def decode(text: Any, kinds: tuple[type, ...], numbers: Mapping[str, Iterator]) -> Any:
    """The value that was encoded; `numbers` are those of its arrays by type, in order."""
    if isinstance(text, list):
        return [decode(item, kinds, numbers) for item in text]
    if not isinstance(text, dict):
        return text
    ((kind, parts),) = text.items()
    if kind == "float":
        return float(parts)
    if kind in TYPES:
        return np.fromiter(numbers[kind], kind, math.prod(parts)).reshape(parts)
    if kind == "dict":
        return {decode(key, kinds, numbers): decode(item, kinds, numbers) for key, item in parts}
    items = [decode(item, kinds, numbers) for item in parts]
    return tuple(items) if kind == "tuple" else {one.__name__: one for one in kinds}[kind](*items)


def pack(value: Any, kinds: tuple[type, ...] = ()) -> dict[str, Any]:
    """A value as JSON knows it."""
    taken: list[np.ndarray] = []
    found = encode(value, kinds, taken)
    pools = {
        kind: squeeze(
            np.concatenate(
                [np.empty(0, kind), *(array.ravel() for array in taken if array.dtype == kind)]
            )
        )
        for kind in TYPES
    }
    return {"found": found, "numbers": {kind: pool for kind, pool in pools.items() if pool}}


def unpack(packed: Mapping[str, Any], kinds: tuple[type, ...] = ()) -> Any:
    return decode(
        packed["found"],
        kinds,
        {kind: iter(spread(kind, packed["numbers"].get(kind, []))) for kind in TYPES},
    )


def squeeze(numbers: np.ndarray) -> list[str]:
    """Numbers as a text; where most are there more than once, as errors on so many test rows are,
    as two: all that differ, and which of them comes where.
    """
    if numbers.dtype.itemsize < 8:
        return [text(numbers)] if numbers.size else []
    different, place = np.unique(numbers.view(np.uint64), return_inverse=True)
    if 2 * different.size > numbers.size:
        return [text(numbers)] if numbers.size else []
    return [text(different), text(place.astype("<u4"))]


def spread(kind: str, pool: list[str]) -> np.ndarray:
    values = array_of(pool[0], kind) if pool else np.empty(0, kind)
    return values[array_of(pool[1], "<u4")] if len(pool) > 1 else values


def text(numbers: np.ndarray) -> str:
    """First bytes of all numbers, then second bytes ...: neighbours that are alike make it
    small.
    """
    raw = numbers.view(np.uint8).reshape(-1, numbers.itemsize).T.tobytes()
    return base64.b85encode(zlib.compress(raw, 9)).decode()


def array_of(written: str, kind: str) -> np.ndarray:
    planes = np.frombuffer(zlib.decompress(base64.b85decode(written)), np.uint8).reshape(
        np.dtype(kind).itemsize, -1
    )
    return np.ascontiguousarray(planes.T).reshape(-1).view(kind)


# --- files ----------------------------------------------------------------------------------------


def write(recording: Recording, kinds: tuple[type, ...], folder: Path | None = None) -> Path:
    said = recording._asdict()
    path = (folder or FOLDER) / f"{recording.key}.json"
    said |= pack(said.pop("found"), kinds)
    path.write_text(
        json.dumps(said, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n",
        encoding="utf-8",
    )
    return path


def read(experiment: Experiment, folder: Path | None = None) -> Recording | None:
    """What was recorded of an experiment; nothing if that was never done."""
    path = (folder or FOLDER) / f"{experiment.key}.json"
    return _read(path, path.stat().st_mtime_ns, experiment.kinds) if path.exists() else None


@lru_cache(maxsize=128)
def _read(path: Path, changed: int, kinds: tuple[type, ...]) -> Recording:
    said = json.loads(path.read_text(encoding="utf-8"))
    found = unpack({name: said.pop(name) for name in ("found", "numbers")}, kinds)
    return Recording(**said, found=found)


# --- numbers one by one ---------------------------------------------------------------------------


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], np.ndarray]]:
    """All numbers in a result, each array with the names that lead to it."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        value = value._asdict()
    if isinstance(value, list | tuple):
        value = {str(k): item for k, item in enumerate(value)}
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(
                item, (*path, *(map(str, key) if isinstance(key, tuple) else (str(key),)))
            )
    elif value is not None and not isinstance(value, str):
        yield path, np.asarray(value, float)


def difference(a: Any, b: Any, clocks: frozenset[str] = frozenset()) -> float:
    """The largest difference of two results, relative where numbers exceed 1; infinite if one has
    what the other has not.
    """
    one, two = (
        {path: array for path, array in leaves(value) if not clocks & {*path}} for value in (a, b)
    )
    if one.keys() != two.keys() or any(one[path].shape != two[path].shape for path in one):
        return math.inf
    return max((apart(one[path], two[path]) for path in one), default=0.0)


def apart(a: np.ndarray, b: np.ndarray) -> float:
    with np.errstate(invalid="ignore"):
        gap = np.where(
            (a == b) | (np.isnan(a) & np.isnan(b)), 0.0, np.abs(a - b) / np.maximum(1.0, np.abs(b))
        )
    return float(np.nan_to_num(gap, nan=math.inf, posinf=math.inf).max(initial=0.0))


def table(found: Mapping[str, Any]) -> str:
    """Every number on a line of its own, as CSV."""
    lines = ["run,seed,quantity,place,value"]
    for name, value in found.items():
        label, seed = parted(name)
        for path, array in leaves(value):
            head = f"{quoted(label)},{'' if seed is None else seed},{quoted(' '.join(path))}"
            lines += [
                f"{head},{' '.join(map(str, place))},{number!r}"
                for place, number in zip(
                    np.ndindex(array.shape), array.ravel().tolist(), strict=True
                )
            ]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if {*text} & {*',"\n'} else text
