"""One pass over data that are too large to be recorded: the same compiled rounds, keeping only what the variant needs.

With *computed* and *cached* gradients the responses of all examples seen are kept up to date, with LASVM those of the support
vectors. Kernel values are kept in a bounded room and come again from there, to the last bit what they would be without it.
What is counted is what the variant would need, see `solvers.incremental`, not what was computed.
"""

import time
from typing import NamedTuple

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.solvers.incremental import LASVM_SEEN, blocks, rounds
from svmviz.solvers.incremental import model as state
from svmviz.solvers.incremental.solver import INCREMENTAL, codes

CHUNK = 1000  # rounds between two looks at the clock
MEGABYTES = 512.0  # of kernel values, as in the paper


class Run(NamedTuple):
    """What a pass leaves behind."""

    coef: np.ndarray  # (n,) y alpha
    average: np.ndarray  # (n,) of the last round, which is what predicts
    kernel_evals: int  # every one
    pairs: int  # distinct ones
    selection: int  # those that the teacher spent
    seconds: float


def run(problem, seed: int = 0, steps: int | None = None, watch=None, megabytes: float = MEGABYTES, **given) -> Run:
    """Pass over the examples once, or over `steps` of them. `watch(t, run)` is told every thousand rounds. Up to so many
    megabytes of kernel values are kept; sparse examples that are not very sparse are laid out side by side beside them.

    >>> from svmviz import datasets
    >>> int(np.count_nonzero(run(datasets.gauss(n=100), C=1.0, K=5).coef)) > 20
    True
    """
    if not 0 <= megabytes < float("inf"):
        raise ValueError(f"megabytes must be finite and at least 0, got {megabytes}")
    problem, params = INCREMENTAL.lifted(problem, INCREMENTAL.check(given))
    (algorithm, variant, teacher), kernel, K = codes(params), params["kernel"] or kernels.linear(), params["K"]
    rows, everyone = matrix.rows(problem.X), np.arange(problem.n)
    mode = state.SUPPORT_ONLY if variant >= LASVM_SEEN else state.SEEN_ONLY
    model = state.empty(problem.X, kernel, mode, K, everyone, megabytes=megabytes)
    rng, steps = np.random.default_rng(seed), steps or problem.n
    if params["algorithm"] == "batch":
        model.count[state.SEEN] = problem.n
        blocks.put_all(model.arrived, rows, model.queue)
    size, began = params["pool"] if params["teacher"] in ("active", "adversary") else 0, time.perf_counter()
    for start in range(0, steps, CHUNK):
        count = min(CHUNK, steps - start)
        rounds.rounds(model, problem.y, params["C"], K, kernel, rows, mode, variant, algorithm, True, teacher, size,
                      rng.random((count, 1 + K + size)), rounds.empty(count, K, size))
        done = outcome(model, time.perf_counter() - began)
        if watch is not None:
            watch(start + count, done)
    return done


def outcome(model, seconds: float) -> Run:
    average, many = model.coef.copy(), model.count[state.RECENT]
    np.subtract.at(average, model.recent[:many], model.held[:many])
    counted = (int(model.count[place]) for place in (state.EVALS, state.PAIRS, state.SELECTION))
    return Run(model.coef.copy(), average, *counted, seconds)
