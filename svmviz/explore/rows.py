"""What is measured of a fit, a row each, and the key by which a row is found again.

The key is a digest of all that the numbers depend on: data, solver, parameters, steps, fold, seed,
version. Other ranges, other measures or another order of the cells leave it as it is.

A row of an optimum stands beside those of the fits: its seed is `OPTIMUM`, its steps are 0, and
`primal` is P*.
"""

import csv
import io
import struct
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from svmviz.explore.spec import Spec
from svmviz.run.recipe import STEPS
from svmviz.solvers import SOLVERS

FORMAT = 1  # of the rows: another one makes all keys new
VERSION = sys.modules["svmviz"].__version__  # of the whole package, which no room imports
OPTIMUM = -1  # the seed of rows that hold P*
FINE, DIVERGED, REFUSED, UNSETTLED = range(4)
WORDS = "fine", "diverged", "refused", "not settled"  # for each of these
# times P(0): a step of 1/(λt) may lift P by 1/λ, and comes down again; what is above this does not
FAR = 1e9
MEASURES = {  # what can be shown of a cell
    "error": "test error",
    "train_error": "training error",
    "suboptimality": "P − P*",
    "primal": "P(w)",
    "norm": "‖w‖",
    "gap": "duality gap",
    "vectors": "support vectors",
    "kernel_evals": "kernel evaluations",
    "features_read": "features read",
    "seconds": "seconds",
}
MEASURED = np.dtype(
    [
        ("status", "i1"),
        ("tested", "i4"),
        *((name, "f8") for name in MEASURES if name != "suboptimality"),
    ]
)
ROW = np.dtype(
    [
        ("key", "V16"),
        ("cell", "i4"),
        ("steps", "i4"),
        ("fold", "i2"),
        ("seed", "i8"),
        *MEASURED.descr,
    ]
)


class Task(NamedTuple):
    key: bytes
    cell: int
    steps: int
    fold: int
    seed: int


@dataclass(frozen=True, eq=False)
class Rows:
    """Many rows, and why those were refused that were. Numbers that there are not are NaN: P of a
    solver without λ, the gap of one that knows no dual.
    """

    table: np.ndarray  # (m,) of dtype `ROW`
    reasons: dict[bytes, str]  # by key

    def __len__(self) -> int:
        return len(self.table)

    def places(self) -> dict[bytes, int]:
        """Where each row stands, by key."""
        return {key: k for k, key in enumerate(self.table["key"].tolist())}

    def matching(self, spec: Spec) -> "Rows":
        """The rows that this sweep would compute, each in the cell where it has it."""
        there, found, tasks = self.places(), [], []
        for task in possible(spec):
            if (k := there.get(task.key)) is not None:
                found.append(k)
                tasks.append(task)
        table = self.table[found]
        for name in ("cell", "steps", "fold", "seed"):
            table[name] = [getattr(task, name) for task in tasks]
        return Rows(
            table, {task.key: self.reasons[task.key] for task in tasks if task.key in self.reasons}
        )


def to_csv(spec: Spec, rows: Rows) -> str:
    """The rows as a table for others, with what was swept in front; P* stands where the seed is
    missing.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = ["steps", "fold", "seed", *MEASURED.names[1:]]
    writer.writerow([*(axis.name for axis in spec.axes if axis.name != STEPS.name), *names, "said"])
    for row, key in zip(rows.table, rows.table["key"].tolist(), strict=True):
        setting = [
            value for name, value in spec.setting(int(row["cell"])).items() if name != STEPS.name
        ]
        said = rows.reasons.get(
            key, WORDS[row["status"]] if row["status"] in (DIVERGED, UNSETTLED) else ""
        )
        numbers = {name: row[name].item() for name in names}
        if numbers["seed"] == OPTIMUM:
            numbers["seed"] = ""
        writer.writerow(
            [*setting, *("" if value != value else value for value in numbers.values()), said]
        )
    return out.getvalue()


def none() -> Rows:
    return Rows(np.empty(0, ROW), {})


def joined(parts: Iterable[Rows]) -> Rows:
    """All of them, one after the other."""
    parts = list(parts)
    reasons = {key: text for part in parts for key, text in part.reasons.items()}
    return Rows(
        np.concatenate([part.table for part in parts]) if parts else np.empty(0, ROW), reasons
    )


class Keys:
    """The tasks of a sweep, cell by cell."""

    def __init__(self, spec: Spec):
        self.spec, solver = spec, SOLVERS[spec.recipe.solver]
        self.written = {p.name: p.write for p in solver.params}
        divided = f"{spec.folds} folds" if spec.held_out is None else f"{spec.held_out!r} held out"
        about = repr((FORMAT, VERSION, solver.key, divided, spec.fold_seed)).encode()
        self.base = blake2b(about + spec.data, digest_size=16)

    def tasks(self, cell: int, steps: int | None = None) -> Iterator[Task]:
        """Of a cell, with so many steps in place of its own: fold by fold, the seeds of a fold
        together, as they have the kernel values of its rows in common.
        """
        params = self.spec.params(cell)
        steps = self.spec.steps(cell) if steps is None else steps
        begun, best = self.base.copy(), self.base.copy()
        text = "&".join(f"{name}={self.written[name](value)}" for name, value in params.items())
        begun.update(f"{text}&T={steps}".encode())
        best.update(text.encode())
        for fold in range(self.spec.splits):
            for seed in self.spec.seeds:
                yield Task(keyed(begun, fold, seed), cell, steps, fold, seed)
            if self.spec.optimum:
                yield Task(keyed(best, fold, OPTIMUM), cell, 0, fold, OPTIMUM)


def keyed(begun, fold: int, seed: int) -> bytes:
    found = begun.copy()
    found.update(struct.pack("<iq", fold, seed))
    return found.digest()


def possible(spec: Spec) -> Iterator[Task]:
    """All tasks that a sweep may come to; successive halving will do without many of them."""
    keys, several = Keys(spec), len(spec.rungs) > 1
    for rung, (_, steps) in enumerate(spec.rungs):
        for cell in spec.cells.tolist():
            yield from (
                task
                for task in keys.tasks(cell, steps if several else None)
                if rung == 0 or task.seed != OPTIMUM
            )
