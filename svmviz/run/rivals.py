"""Rivals of a run, beside it: the same examples in the same order, under parameters that the solver
names.

>>> from svmviz import SOLVERS, datasets
>>> trace = SOLVERS["bsgd"].trace(datasets.moons(n=60), steps=80, B=5)
>>> {label: int(other.scalars["n_sv"][-1]) for label, other in runs(trace).items()}
{'no budget': 20, 'remove smallest, B = 5': 5}
"""

from typing import NamedTuple

import numpy as np

from svmviz.record import metrics
from svmviz.record.trace import Trace

# steps times points to measure on, for each run beside the run: about a tenth of a second
WORK = 10_000_000


class Rivals(NamedTuple):
    """What the run itself is called beside its rivals, why there are none if so, and of each run
    and error by label.
    """

    own: str
    left_out: str
    runs: dict[str, Trace]
    errors: dict[str, np.ndarray]  # (T + 1,) on the rows that it is measured on


def beside(trace: Trace, test=None) -> Rivals | None:
    """The rivals of a run, if its solver names any; their error is that on `test` where there is
    one.
    """
    own = own_label(trace)
    if not own:
        return None
    missing = left_out(trace, (test or trace.problem).n)
    found = {} if missing else runs(trace)
    return Rivals(
        own,
        missing,
        found,
        {
            label: other.metrics["error"] if test is None else metrics.error_on(other, test)
            for label, other in found.items()
        },
    )


def own_label(trace: Trace) -> str:
    """What the run itself is called beside the others."""
    return next((label for label, change in _named(trace).items() if not change), "")


def left_out(trace: Trace, points: int) -> str:
    """Why there are no rivals, in words; nothing where there are some, or none to name."""
    if len(_named(trace)) < 2 or trace.steps * points <= WORK:
        return ""
    return f"no other runs beside it: {trace.steps} steps on {points} points take too long"


def runs(trace: Trace) -> dict[str, Trace]:
    """The rivals of a run by label, changed on the way and on edited data as the run itself was."""
    first, *later = trace.segments
    active = [(s.start, s.active) for s in trace.segments]
    return {
        label: trace.solver.trace(
            trace.problem,
            trace.steps,
            trace.seed,
            active=active,
            changes=[(s.start, s.params | change) for s in later],
            **first.params | change,
        )
        for label, change in _named(trace).items()
        if change
    }


def _named(trace: Trace) -> dict[str, dict]:
    return trace.solver.uses.rivals(trace.params())


def spread(steps: int, count: int) -> np.ndarray:
    """Some of the steps: so many evenly over the run, and as many evenly over its logarithm."""
    return np.unique(
        np.concatenate([np.linspace(1, steps, count), np.geomspace(1, steps, count)]).astype(int)
    )


def possible(trace: Trace) -> bool:
    """Whether there is anything to compare: SIMBA on columns and rows, with the same parameters all
    along.
    """
    first = trace.segments[0]
    return (
        trace.solver.algorithm.record == "estimates"
        and len(trace.segments) == 1
        and first.active.size == trace.problem.n
        and not (first.params["exact_p"] or first.params["exact_margins"])
    )
