"""Solvers on data that are too large to be recorded: the same algorithms, for whom only the end counts.

`task` says what a fit is asked for and what it leaves. A trainer carries one out; whoever has none of its own runs as on the
stage, stretch by stretch, and what its steps left is forgotten (`recorded`). Kernel values come from `maths.engine`.
"""

from collections.abc import Callable

from svmviz.record.solver import Solver
from svmviz.train import bsgd, incremental, pegasos, recorded, sbp, sdca, smo
from svmviz.train.task import LATE, Learnt, Task

TRAINERS: dict[str, Callable[[Solver, Task], Learnt]] = {
    "bsgd": bsgd.train, "incremental": incremental.train, "pegasos": pegasos.train, "sbp": sbp.train, "sdca": sdca.train,
    "smo": smo.train}


def train(solver: Solver, task: Task) -> Learnt:
    """Carry a task out, by the trainer that the solver has."""
    return TRAINERS.get(solver.key, recorded.train)(solver, task)


__all__ = ["LATE", "Learnt", "TRAINERS", "Task", "train"]
