"""Solvers on data that are too large to be recorded: the same algorithms, for whom only the end
counts.

`task` says what a fit is asked for and what it leaves. A trainer carries one out; whoever has none
of its own runs as on the stage, stretch by stretch, and what its steps left is forgotten
(`recorded`). Kernel values come from `maths.engine`.
"""

from collections.abc import Callable
from typing import NamedTuple

from svmviz.estimators.train import idsvm, incremental, pegasos, recorded, sbp, sdca, smo, tvm
from svmviz.estimators.train.bsgd import fit
from svmviz.estimators.train.task import LATE, Learnt, Task
from svmviz.maths import kernels
from svmviz.record.solver import Solver


class Trainer(NamedTuple):
    """How a solver is trained, and which arguments of a classifier its trainer understands."""

    train: Callable[[Solver, Task], Learnt] = recorded.train
    tolerant: bool = False  # `tol`
    caches: bool = False  # `cache_size`
    remembers: bool = True  # and the solver itself keeps kernel values, too
    online: bool = False  # `partial_fit`: batches, one after the other
    means: bool = True  # the mean over the last half of the steps, where the solver knows one


TRAINERS = {
    "bsgd": Trainer(fit.train, online=True),
    "idsvm": Trainer(idsvm.train, online=True),
    "incremental": Trainer(incremental.train, caches=True, online=True, means=False),
    "pegasos": Trainer(pegasos.train, online=True),
    "perceptron": Trainer(online=True),
    "sbp": Trainer(sbp.train, caches=True, remembers=False),
    "sdca": Trainer(sdca.train, tolerant=True),
    "smo": Trainer(smo.train, tolerant=True, caches=True),
    "tvm": Trainer(tvm.train, online=True),
}


def trainer(solver: Solver) -> Trainer:
    """Return the trainer of a solver: its recorded run, where it has none of its own."""
    return TRAINERS.get(solver.key, Trainer())


def train(solver: Solver, task: Task) -> Learnt:
    """Carry a task out, by the trainer that the solver has; a Gram matrix is read as on the
    stage.
    """
    kernel = task.params.get("kernel")
    given = kernel is not None and kernel.kind == kernels.PRECOMPUTED
    return (Trainer() if given else trainer(solver)).train(solver, task)


__all__ = ["LATE", "Learnt", "TRAINERS", "Task", "train", "trainer"]
