"""Which part of what is too much for one run comes now: the commit decides, and the report's header
says it.

Where every commit would compute the same again, each takes a share of it, so that the commits of a
week have computed all. SVMVIZ_TURN names another turn than that of the commit.
"""

import os
import subprocess
import zlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@cache
def turn() -> int:
    """Return the number of this turn: that of the commits so far, 0 where there is no
    repository.
    """
    if given := os.environ.get("SVMVIZ_TURN"):
        return int(given)
    try:
        counted = subprocess.run(
            ["git", "rev-list", "--count", "HEAD"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return 0
    return int(counted.stdout)


def in_turn(name: str, every: int = 5, at: int | None = None) -> bool:
    """Return whether it is the turn of `name`, one in `every`; over `every` turns in a row each
    name has its turn once.

    >>> [
    ...     sum(in_turn(name, 5, at) for at in range(7, 12))
    ...     for name in ("pegasos: rbf", "sbp: linear")
    ... ]
    [1, 1]
    """
    return (zlib.crc32(name.encode()) - (turn() if at is None else at)) % every == 0


def at_times(every: int = 4) -> Callable[[Callable], Callable]:
    """Mark a test as long, except in one commit out of `every`."""
    return lambda test: test if in_turn(test.__name__, every) else pytest.mark.long(test)


def by_turns(cases: Iterable, every: int = 4, always: int = 1) -> list:
    """Return the cases of a test as its parameters: quick are the first `always` and, in turn, one
    of every `every` others.

    The rest are long, and so stays what is marked already.

    >>> [len(case.marks) for case in by_turns("abcdefgh", every=7)].count(0)
    2
    """
    new = [case for case in cases if not hasattr(case, "marks")]
    return [
        pytest.param(
            *(case if type(case) is tuple else (case,)),
            marks=[] if k < always or (k + turn()) % every == 0 else pytest.mark.long,
        )
        for k, case in enumerate(new)
    ] + [case for case in cases if hasattr(case, "marks")]


def sized(quick: int, whole: int) -> list:
    """Return the sizes of a test as its parameters: the quick one, and among the long tests the
    whole one.
    """
    return [quick, pytest.param(whole, marks=pytest.mark.long)]
