"""Solvers on data that are too large to be recorded: the same algorithms, for whom only the end
counts.

`task` says what a fit is asked for and what it leaves. A trainer carries one out; whoever has none
of its own runs as on the stage, stretch by stretch, and what its steps left is forgotten
(`recorded`). Kernel values come from `maths.engine`.
"""

from collections.abc import Callable

from svmviz.estimators.train import idsvm, incremental, pegasos, recorded, sbp, sdca, smo, tvm
from svmviz.estimators.train.bsgd import fit
from svmviz.estimators.train.task import LATE, Learnt, Task
from svmviz.maths import kernels
from svmviz.record.solver import Solver

TRAINERS: dict[str, Callable[[Solver, Task], Learnt]] = {
    "bsgd": fit.train,
    "idsvm": idsvm.train,
    "incremental": incremental.train,
    "pegasos": pegasos.train,
    "sbp": sbp.train,
    "sdca": sdca.train,
    "smo": smo.train,
    "tvm": tvm.train,
}
TOLERANT = ("sdca", "smo")  # trainers that know a tolerance


def train(solver: Solver, task: Task) -> Learnt:
    """Carry a task out, by the trainer that the solver has; a Gram matrix is read as on the
    stage.
    """
    kernel = task.params.get("kernel")
    given = kernel is not None and kernel.kind == kernels.PRECOMPUTED
    return (recorded.train if given else TRAINERS.get(solver.key, recorded.train))(solver, task)


__all__ = ["LATE", "Learnt", "TOLERANT", "TRAINERS", "Task", "train"]
