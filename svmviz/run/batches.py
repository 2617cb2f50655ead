"""Mini-batches that the data can fill, however many points come and go on the way."""

from collections.abc import Mapping
from typing import Any

Changes = tuple[tuple[int, Mapping[str, Any]], ...]


def fitted(params: Mapping[str, Any], changes: Changes, points: Mapping[int, int]) -> tuple[dict[str, Any], Changes]:
    """Parameters and their changes with no k above the number of points, which `points` has by the step after which it holds.

    >>> fitted({"k": 5}, ((7, {"k": 9}),), {0: 20, 4: 2, 6: 20})
    ({'k': 5}, ((4, {'k': 2}), (7, {'k': 9})))
    """
    planned = {0: dict(params)} | {t: dict(new) for t, new in changes}
    k, there = params.get("k", 1), points[0]
    for t in sorted({*planned, *points}):
        k, there = planned.get(t, {}).get("k", k), points.get(t, there)
        if k > there:
            k = there
            planned.setdefault(t, {})["k"] = k
    return planned.pop(0), tuple(sorted(planned.items()))
