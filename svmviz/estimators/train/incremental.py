"""Approximate incremental SVMs without a record: `lasvm` where only support vectors count, else one
pass that keeps the responses of all seen (`onepass`).
"""

from svmviz.estimators.train import lasvm, seen
from svmviz.estimators.train.task import Learnt, Task
from svmviz.record.solver import Solver
from svmviz.solvers.incremental import onepass


def train(solver: Solver, task: Task) -> Learnt:
    """As many rounds more; a record would follow the responses of all examples besides."""
    problem, begun = seen.begin(task)
    if lasvm.fits(task.params):
        return lasvm.train(task, problem, begun)
    begun = only(begun)
    watch = (
        None
        if task.watch is None
        else lambda t, run: task.watch(t, {"kernel_evals": run.kernel_evals})
    )
    found = onepass.run(problem, task.seed, task.steps, watch, task.megabytes, begun, **task.params)
    return seen.learnt(task, problem, None, found.left, found.average, found.kernel_evals)


def only(begun: onepass.Begun) -> onepass.Begun:
    """The same without those who have arrived and were not kept."""
    gone = begun.queue < 0
    return begun._replace(queue=begun.queue[~gone], seen=begun.seen - int(gone.sum()))
