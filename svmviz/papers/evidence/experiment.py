"""An experiment of a paper as a value: its runs by name and seed, what they say about the claims,
and what it depends on.

Pages, the command `svmviz papers record` and the tests all take it from here. A run is a task that
anybody may carry out, in any order; of a computation that was stopped those seeds count of which
all runs are there.
"""

import ast
import threading
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from svmviz.papers.evidence.verdicts import Found

PACKAGE = Path(__file__).parents[2]
# What every experiment is computed with, apart from its solvers.
BASE = (
    "maths",
    "data",
    "theory",
    "record/changes.py",
    "record/measure.py",
    "record/metrics.py",
    "record/outcome.py",
    "record/replay.py",
    "record/responses.py",
    "record/solver.py",
    "record/trace.py",
    "papers/evidence/costs.py",
)

Tasks = Mapping[str, Callable[[], Any]]
Keep = Callable[
    [Hashable, Callable[[], Any]], Any
]  # (key, task) -> its result, computed once for all who ask


def none(keep: Keep) -> Tasks:
    return {}


class Results(NamedTuple):
    """What was found, by task, and the seeds that are complete."""

    found: Mapping[str, Any]
    seeds: tuple[int, ...]

    def one(self, label: str) -> Any:
        """What belongs to no seed."""
        return self.found[label]

    def of(self, label: str) -> list:
        """A run by seeds; who leaves nothing to chance has one."""
        return [
            self.found[named(label, seed)]
            for seed in self.seeds
            if named(label, seed) in self.found
        ]

    def table(self, label: str, field: str = "") -> np.ndarray:
        """Return a run by seeds as numbers, or a field of it."""
        return np.array([getattr(one, field) if field else one for one in self.of(label)], float)

    def tables(self, field: str = "") -> dict[str, np.ndarray]:
        """Return all runs, or a field of them, by label."""
        return {label: self.table(label, field) for label in self.labels}

    @property
    def labels(self) -> tuple[str, ...]:
        """Of all runs, in order."""
        return tuple(
            dict.fromkeys(parted(name)[0] for name in self.found if parted(name)[1] is not None)
        )


class Experiment(NamedTuple):
    key: str  # such as sbp.figure2.a9a
    data: str  # in words
    each: Callable[[int, Keep], Tasks]  # the runs of a seed
    judge: Callable[[Results], Found]
    seeds: int = 10
    shared: Callable[[Keep], Tasks] = (
        none  # what belongs to no seed; runs that need it keep it under `known_as`
    )
    kinds: tuple[type, ...] = ()  # named tuples among the results
    code: tuple[str, ...] = ()  # files and folders besides BASE
    folder: str = ""  # in the data folder, where it needs one
    clocks: frozenset[str] = frozenset()  # names of fields that a clock has a say in
    sized: Callable[[int], "Experiment"] | None = None  # the same on so many rows or examples
    size: int = 0  # rows or examples, where they are not the usual ones

    def of_size(self, size: int) -> "Experiment":
        """Return the same on so many rows or examples; of 0 the usual ones."""
        if size and not self.sized:
            raise ValueError(f"{self.key} cannot be recorded on another number of rows")
        return self.sized(size)._replace(size=size) if size and self.sized else self

    def tasks(self, keep: Keep) -> Tasks:
        """All of them by name, one seed after the other."""
        seeded = {
            named(label, seed): task
            for seed in range(self.seeds)
            for label, task in self.each(seed, keep).items()
        }
        return {**self.shared(keep), **seeded}

    def task(self, name: str, keep: Keep) -> Callable[[], Any]:
        """One of them."""
        label, seed = parted(name)
        return (self.shared(keep) if seed is None else self.each(seed, keep))[label]

    def results(self, found: Mapping[str, Any]) -> Results | None:
        """What can be shown of what was found, in the order of the tasks, whichever came first;
        nothing until one seed is complete.
        """

        def complete(seed: int) -> bool:
            return all(named(label, seed) in found for label in self.each(seed, alone))

        seeds = tuple(filter(complete, range(self.seeds)))
        if not seeds or any(label not in found for label in self.shared(alone)):
            return None
        return Results(self.in_order(found), seeds)

    def in_order(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was found in the order of the tasks, whichever came first."""
        return {name: found[name] for name in self.tasks(alone) if name in found}

    def compute(self) -> Results | None:
        """All of it here and now, one run after the other."""
        return self.results({name: task() for name, task in self.tasks(Memo()).items()})

    def digest(self) -> str:
        """What tells the code that it is computed with from other code."""
        return digest((*BASE, *self.code))


def known_as(key: str, label: str) -> str:
    """Under which what belongs to no seed is kept."""
    return f"{key} {label}"


def named(label: str, seed: int) -> str:
    return f"{label} #{seed}"


def parted(name: str) -> tuple[str, int | None]:
    """Label and seed of a task.

    >>> parted(named("SBP", 3)), parted("facts")
    (('SBP', 3), ('facts', None))
    """
    label, mark, seed = name.rpartition(" #")
    return (label, int(seed)) if mark else (name, None)


def alone(key: Hashable, task: Callable[[], Any]) -> Any:
    """Where nothing is kept."""
    return task()


class Memo:
    """A `Keep` that forgets nothing; whoever asks for what is being computed waits for it."""

    def __init__(self):
        self.lock, self.locks, self.results = threading.Lock(), {}, {}

    def __call__(self, key: Hashable, task: Callable[[], Any]) -> Any:
        with self.lock:
            mine = self.locks.setdefault(key, threading.Lock())
        with mine:
            if key not in self.results:
                self.results[key] = task()
            return self.results[key]


@cache
def digest(places: tuple[str, ...]) -> str:
    """Of the syntax of these files and folders, without comments and texts: a sentence in other
    words is no other code.
    """
    found = blake2b(digest_size=8)
    for path in sorted({path for place in places for path in sources(PACKAGE / place)}):
        found.update(path.relative_to(PACKAGE).as_posix().encode() + syntax(path))
    return found.hexdigest()


def sources(place: Path) -> list[Path]:
    """Of a folder all that computes: not the files of words, not what reads visitors' files, and
    not what theorems promise.
    """
    if not place.is_dir():
        return [place]
    return [
        path
        for path in place.rglob("*.py")
        if path.name not in ("story.py", "values.py")
        and not {"uploads", "bounds"} & {*path.relative_to(PACKAGE).parts}
    ]


def worded(part: ast.stmt) -> bool:
    if not isinstance(part, ast.Assign | ast.AnnAssign):
        return False
    constants = {type(node.value) for node in ast.walk(part) if isinstance(node, ast.Constant)}
    return constants == {str} and not any(isinstance(node, ast.Lambda) for node in ast.walk(part))


@cache
def syntax(path: Path) -> bytes:
    """Kinds of nodes, names and numbers, in order; the same in every version of Python. What a
    module gives a name to and has texts, but no number and no function in it, is a text as well.
    """
    tree, parts = ast.parse(path.read_text(encoding="utf-8")), []
    tree.body = [part for part in tree.body if not worded(part)]
    for node in ast.walk(tree):
        text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        parts.append(type(node).__name__)
        parts += [
            repr(value)
            for name, value in ast.iter_fields(node)
            if isinstance(value, str | int | float) and not text and name != "kind"
        ]
    return blake2b(" ".join(parts).encode(), digest_size=16).digest()
