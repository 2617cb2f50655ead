"""Mini-batches that the data can fill, however many points come and go on the way."""

from collections.abc import Mapping
from operator import itemgetter
from typing import Any

Changes = tuple[tuple[int, Mapping[str, Any]], ...]


def fitted(
    params: Mapping[str, Any], changes: Changes, points: Mapping[int, int]
) -> tuple[dict[str, Any], Changes]:
    """Parameters and their changes with no k above the number of points, which `points` has by the
    step after which it holds.

    >>> fitted({"k": 5}, ((7, {"k": 9}),), {0: 20, 4: 2, 6: 20})
    ({'k': 5}, ((4, {'k': 2}), (7, {'k': 9})))
    >>> fitted({"k": 5, "lam": 0.1}, ((0, {"lam": 1.0}),), {0: 3})
    ({'k': 3, 'lam': 0.1}, ((0, {'lam': 1.0}),))
    """
    first, later = dict(params), {t: dict(new) for t, new in changes}
    there = points[0]
    if first.get("k", 1) > there:
        first["k"] = there
    k = first.get("k", 1)
    for t in sorted({*later, *points}):
        k, there = later.get(t, {}).get("k", k), points.get(t, there)
        if k > there:
            k = there
            later.setdefault(t, {})["k"] = k
    return first, tuple(sorted(later.items(), key=itemgetter(0)))
