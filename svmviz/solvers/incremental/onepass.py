"""One pass over data that are too large to be recorded: the same compiled rounds, keeping only what
the variant needs.

With *computed* and *cached* gradients the responses of all examples seen are kept up to date, with
LASVM those of the support vectors. Kernel values are kept in a bounded room and come again from
there, to the last bit what they would be without it. What is counted is what the variant would
need, see `solvers.incremental`, not what was computed. A pass may go on from where another one
ended, with more examples if there are any.
"""

import time
from typing import NamedTuple

import numpy as np

from svmviz.maths import kernels, matrix, sampling
from svmviz.solvers.incremental import LASVM_SEEN, blocks, rounds
from svmviz.solvers.incremental import model as state
from svmviz.solvers.incremental.solver import INCREMENTAL, codes

CHUNK = 1000  # rounds between two looks at the clock
MEGABYTES = 512.0  # of kernel values, as in the paper


class Begun(NamedTuple):
    """Where a pass ended, to go on from there."""

    t: int  # rounds so far
    coef: np.ndarray  # (n,) y alpha
    f: np.ndarray  # (n,) their responses, NaN where nobody knows them
    support: np.ndarray  # (m,) the support vectors, in their slots
    queue: np.ndarray  # examples that take part: those that have arrived, then all others
    seen: int  # how many those are
    named: bool = (
        False  # whether the others come in the order of the queue, whatever the teacher says
    )


class Run(NamedTuple):
    """What a pass leaves behind."""

    coef: np.ndarray  # (n,) y alpha
    average: np.ndarray  # (n,) of the last round, which is what predicts
    kernel_evals: int  # every one
    pairs: int  # distinct ones
    selection: int  # those that the teacher spent
    seconds: float
    left: Begun | None = None  # at the end, to go on from


def run(
    problem,
    seed: int = 0,
    steps: int | None = None,
    watch=None,
    megabytes: float = MEGABYTES,
    begun: Begun | None = None,
    **given,
) -> Run:
    """Pass over the examples once, or over `steps` of them. `watch(t, run)` is told every thousand
    rounds. Up to so many megabytes of kernel values are kept; sparse examples that are not very
    sparse are laid out side by side beside them. `begun` is what an earlier pass left, if this one
    is to go on from there.

    >>> from svmviz import datasets
    >>> int(np.count_nonzero(run(datasets.gauss(n=100), C=1.0, K=5).coef)) > 20
    True
    """
    problem, params = INCREMENTAL.lifted(problem, INCREMENTAL.check(given))
    (algorithm, variant, teacher), kernel, K = (
        codes(params),
        params["kernel"] or kernels.linear(),
        params["K"],
    )
    begun = begun or nothing(problem.n)
    if params["algorithm"] == "batch":
        begun = begun._replace(seen=begun.queue.size)
    rows, steps, chance = matrix.rows(problem.X), steps or problem.n, sampling.Chance(seed)
    mode = state.SUPPORT_ONLY if variant >= LASVM_SEEN else state.SEEN_ONLY
    model = state.empty(problem.X, kernel, mode, K, begun.queue, megabytes=megabytes)
    resume(model, begun, problem.X, kernel, rows, mode)
    size, began = (
        (params["pool"] if params["teacher"] in ("active", "adversary") else 0),
        time.perf_counter(),
    )
    for start in range(0, steps, CHUNK):
        count = min(CHUNK, steps - start)
        order = chance.numbers(begun.t + start, begun.t + start + count, 1 + K + size)
        if begun.named:
            coming = begun.queue[begun.seen + start : begun.seen + start + count]
            order[: coming.size, 0] = 1 + coming
        rounds.rounds(
            model,
            problem.y,
            params["C"],
            K,
            kernel,
            rows,
            mode,
            variant,
            algorithm,
            True,
            teacher,
            size,
            order,
            rounds.empty(count, K, size),
        )
        done = outcome(model, time.perf_counter() - began)
        if watch is not None:
            watch(start + count, done)
    seen, many = int(model.count[state.SEEN]), model.count[state.N_SV]
    return done._replace(
        left=Begun(
            begun.t + steps, done.coef, model.f, model.support[:many].copy(), model.queue, seen
        )
    )


def nothing(n: int) -> Begun:
    """Nobody of n examples has arrived."""
    return Begun(0, np.zeros(n), np.zeros(n), np.zeros(0, np.int64), np.arange(n), 0)


def resume(model, begun: Begun, X, kernel, rows, mode: int) -> None:
    """The model stands where a pass ended; responses of its members that are not known are
    computed.
    """
    many = begun.support.size
    model.coef[:], model.f[:], model.support[:many] = begun.coef, begun.f, begun.support
    model.slot[begun.support], model.count[[state.SEEN, state.N_SV]] = (
        np.arange(many),
        (
            begun.seen,
            many,
        ),
    )
    members = model.queue[: begun.seen] if mode == state.SEEN_ONLY else begun.support
    if np.isnan(model.f[members]).any():
        model.f[:] = kernels.responses(kernel, X, begun.coef)
    if mode == state.SEEN_ONLY:
        blocks.put_all(model.arrived, rows, members)
    blocks.put_all(model.vectors, rows, begun.support)


def outcome(model, seconds: float) -> Run:
    average, many = model.coef.copy(), model.count[state.RECENT]
    np.subtract.at(average, model.recent[:many], model.held[:many])
    counted = (int(model.count[place]) for place in (state.EVALS, state.PAIRS, state.SELECTION))
    return Run(model.coef.copy(), average, *counted, seconds)
