"""IDSVM without a record: as on the stage, and a batch comes to all that came before it, none of
whom is ever forgotten.
"""

import numpy as np
import scipy.sparse as sp

from svmviz.estimators.train import recorded
from svmviz.estimators.train.task import Learnt, Task
from svmviz.maths import matrix
from svmviz.record.solver import Solver
from svmviz.solvers.idsvm.solver import worth
from svmviz.solvers.idsvm.story import APART


def train(solver: Solver, task: Task) -> Learnt:
    """As many examples more; what a batch adds to is the exact optimum of all batches before."""
    old, new = task.state, task.problem
    if task.order is None or old is None:
        return certified(recorded.train(solver, task))
    parts = old.problem.X, new.X
    X = matrix.stacked([*map(sp.csr_array, parts)] if any(map(sp.issparse, parts)) else parts)
    both = new._replace(X=X, y=np.concatenate([old.problem.y, new.y]))

    def wider(values: np.ndarray) -> np.ndarray:
        return np.concatenate([values, np.zeros(new.n, values.dtype)])

    own = old.own._replace(
        **{name: wider(getattr(old.own, name)) for name in ("alpha", "g", "where")}
    )
    state = old._replace(problem=both, coef=wider(old.coef), total=wider(old.total), own=own)
    order = task.order + old.problem.n
    return certified(
        recorded.train(solver, task._replace(problem=both, state=state, order=order))
    )._replace(rows=None)


def certified(found: Learnt) -> Learnt:
    """What was learnt, and whether it is the optimum: rounding may keep it from that."""
    problem, own = found.state.problem, found.state.own
    primal, dual = worth(problem, own.kernel, own.C, own.member, own.alpha, own.g)
    return found._replace(
        converged=bool(primal - dual <= APART * (own.C * own.member.size + primal))
    )
