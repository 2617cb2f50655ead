"""IDSVM: the exact SVM of the examples that have come, and of those left when some go.

    P_t(w) = 1/2 |w|² + C Σ_{i<=t} max(0, 1 - y_i <w, phi(x_i)>),  D_t(alpha) = Σ alpha_i - 1/2
    |w(alpha)|²,  0 <= alpha_i <= C.

Cauwenberghs, Poggio: "Incremental and decremental support vector machine learning", NIPS 2000; a
rival in the BSGD paper of Wang, Crammer and Vucetic, there as here without a bias (footnote 3), so
that no bordered system is needed (`path`).

One step of the trace is one example. Its alpha rises from 0 until its margin is 1 or its box ends,
and the margin vectors move along, so that those learnt before stay optimal at every moment:
`primal` and `dual` of those learnt so far, divided by C times their number, are equal but for
rounding after every step. An example that comes again changes nothing. Points that are taken away
are unlearnt along the same path before the next step; a new C or kernel moves everybody to its
optimum. The memory grows with the square of the examples: all kernel values among them are kept.
K(x, x) is not counted.
"""

from typing import NamedTuple

import numpy as np

from svmviz.data.constant import kernel_of, of_bias
from svmviz.data.params import Param
from svmviz.maths import kernels, matrix, sampling
from svmviz.maths.dual import objectives
from svmviz.maths.losses import short
from svmviz.maths.machine.jit import bare
from svmviz.record.changes import Changes
from svmviz.record.outcome import Record
from svmviz.record.solver import Algorithm, Goal, Solver, Story, Uses
from svmviz.solvers.idsvm import log as bends
from svmviz.solvers.idsvm import path, story
from svmviz.theory import reference

MOST = 10_000  # examples whose kernel values can be kept
ROOM = 2000, 400_000  # events of a step that are told, and alphas at them


class State(NamedTuple):
    """What a segment hands on: all but what follows from the examples."""

    kernel: kernels.Kernel
    C: float
    member: np.ndarray
    margin: np.ndarray
    alpha: np.ndarray  # (n,)
    g: np.ndarray  # (n,)
    where: np.ndarray  # (n,)
    R: np.ndarray  # the inverse


def suits(problem, params) -> None:
    if problem.n > MOST:
        raise ValueError(
            f"IDSVM keeps all kernel values among the examples, and {problem.n} are too many; "
            f"take at most {MOST}"
        )


@bare
def meet(box, kernel, rows, y, c):
    """Row and column of Q of example c, with those who are there and itself"""
    for p in range(box.count[path.N_MEMBERS]):
        j = box.member[p]
        box.Q[c, j] = y[c] * y[j] * kernels.k(kernel, rows, c, rows, j)
        box.Q[j, c] = box.Q[c, j]
    box.Q[c, c] = kernels.k(kernel, rows, c, rows, c)


@bare
def meet_all(box, kernel, rows, y):
    """Q of all who are there"""
    for p in range(box.count[path.N_MEMBERS]):
        meet(box, kernel, rows, y, box.member[p])


def begin(
    rows, y, kernel, C: float, state: State | None, active: np.ndarray
) -> tuple[path.Box, int]:
    """The box where a segment begins, and what was said to happen before its first step."""
    box, said = path.empty(y.size), 0
    box.C[:] = C
    if state is None:
        return box, said
    many, margins = state.member.size, state.margin.size
    for name in ("member", "margin", "alpha", "g", "where"):
        kept = getattr(state, name)
        getattr(box, name)[: kept.size] = kept
    box.R[:margins, :margins] = state.R
    box.count[[path.N_MEMBERS, path.N_MARGIN]] = many, margins
    meet_all(box, kernel, rows, y)
    quiet, gone = bends.empty(), np.setdiff1d(state.member, active)
    if (state.kernel, state.C) != (kernel, C):
        path.unsettle(box, box.C)
        path.settle(box, quiet)
        said |= story.WHY.moved if many else 0
    for c in gone.tolist():
        path.unlearn(box, c, quiet)
    return box, said | (story.WHY.forgot if gone.size else 0)


def worth(problem, kernel, C: float, there, alpha, g) -> tuple[float, float]:
    """P and D of those learnt. Without a kernel there is a w that the alphas make: where columns
    differ much in scale, sums of kernel values have lost it.
    """
    coef, f = problem.y * alpha, problem.y * (g + 1.0)
    if kernel.kind != kernels.LINEAR:
        return objectives(problem.y, C, there, there.size, coef, f)
    w, b = matrix.combined(problem.X, coef), kernel.plus * kernels.total(coef)
    f = kernels.responses(kernel, problem.X, coef)
    hinge, alphas = sums(problem.y, there, alpha, f)
    norm2 = matrix.inner(w, w) + b * kernels.total(coef)
    return 0.5 * norm2 + C * hinge, alphas - 0.5 * norm2


@bare
def sums(y, there, alpha, f):
    """Σ hinge loss and Σ alpha of those who are there"""
    hinge = total = 0.0
    for p in range(there.size):
        i = there[p]
        hinge += short(y[i] * f[i])
        total += alpha[i]
    return hinge, total


def raised(held: np.ndarray, coef: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose coefficient is another than the one that is `held`, and what must be added to get
    it, which is done.
    """
    rows = np.flatnonzero(coef != held)
    more = coef[rows] - held[rows]
    for other in (
        np.nextafter(more, np.inf),
        np.nextafter(more, -np.inf),
    ):  # rounding must not miss the end of a box
        more = np.where(
            (held[rows] + more != coef[rows]) & (held[rows] + other == coef[rows]), other, more
        )
    held[rows] += more
    return rows, more


def run(problem, params, order, start, active) -> tuple[Record, State]:
    """Steps t + 1, t + 2, ... from where the segment begins."""
    suits(problem, params)
    rows, y, kernel, C, count = (
        matrix.rows(problem.X),
        problem.y,
        params["kernel"] or kernels.linear(),
        params["C"],
        len(order),
    )
    box, said = begin(rows, y, kernel, C, start.state, active)
    log, held = bends.empty(*ROOM), start.coef.copy()
    own = {name: np.zeros(count) for name in (*FIRST, "events")}
    margin, evals, changed, found = np.empty((count, 1)), np.zeros(count, np.int64), [], []
    for s, c in enumerate(order[:, 0].tolist()):
        log.count[:] = 0
        members = box.count[path.N_MEMBERS]
        if box.where[c] == path.ABSENT:
            own["arrived"][s], evals[s] = 1.0, members
            meet(box, kernel, rows, y, c)
            margin[s] = path.respond(box, c) + 1.0
            path.learn(box, c, log)
        else:
            margin[s] = box.g[c] + 1.0
        many, there = log.count[bends.N_EVENTS], box.member[: box.count[path.N_MEMBERS]]
        found.append(
            [
                log.slot[:many].copy(),
                log.to[:many].copy(),
                log.at[:many].copy(),
                np.diff(log.last[:many], prepend=0),
                *(part[: log.count[bends.N_KNOTS]].copy() for part in (log.knot, log.value)),
            ]
        )
        others = log.slot[:many] != c
        primal, dual = worth(problem, kernel, C, there, box.alpha, box.g)
        scale, sizes = C * there.size, np.bincount(box.where[there], minlength=5)
        for name, value in {
            "events": many,
            "end": box.where[c],
            "left": (others & (log.to[:many] != path.MARGIN)).sum(),
            "joined": (others & (log.to[:many] == path.MARGIN)).sum(),
            "lifted": y[c] * (box.g[c] + 1.0),
            "seen": there.size,
            "n_margin": sizes[path.MARGIN],
            "n_error": sizes[path.ERROR],
            "n_rest": sizes[path.REST],
            "primal": primal / scale,
            "dual": dual / scale,
            "gap": (primal - dual) / scale,
        }.items():
            own[name][s] = value
        changed.append(raised(held, y * box.alpha))
    firsts = [np.concatenate([[0], np.cumsum([part[k].size for part in found])]) for k in (0, 4)]
    told = {"bend_first": firsts[0], "knot_first": firsts[1]} | {
        name: np.concatenate([part[k] for part in found])
        for k, name in enumerate(
            ("bend_row", "bend_to", "bend_alpha", "bend_knots", "knot_row", "knot_value")
        )
    }
    amounts = np.concatenate([more for _, more in changed])[:, None]
    changes = Changes(
        np.ones(count),
        np.concatenate([[0], np.cumsum([which.size for which, _ in changed])]),
        np.concatenate([which for which, _ in changed]),
        amounts,
        np.zeros(0, np.bool_),
    )
    came, moved = own["arrived"] > 0, own["events"] > 0
    record = Record(
        order,
        margin + 0.0,
        changes,
        story.lines(params).ran(count, measure=came, turn=moved, move=moved, change=moved),
        story.spoken(own, said),
        evals,
        evals * problem.d,
        own | told,
    )
    margins = box.margin[: box.count[path.N_MARGIN]]
    return record, State(
        kernel,
        C,
        there.copy(),
        margins.copy(),
        box.alpha,
        box.g,
        box.where,
        box.R[: margins.size, : margins.size].copy(),
    )


FIRST = {
    "arrived": 1.0,
    "end": 0.0,
    "left": 0.0,
    "joined": 0.0,
    "lifted": 0.0,
    "seen": 0.0,
    "n_margin": 0.0,
    "n_error": 0.0,
    "n_rest": 0.0,
    "primal": 1.0,
    "dual": 0.0,
    "gap": 1.0,
    "events": 0.0,
}


def entered(problem, params, active, entry) -> dict[str, float]:
    """What the state is worth that a segment begins with: P of w, D of what its boxes allow, on
    those who stay.
    """
    seen, C = np.intersect1d(entry.state.member, active), params["C"]
    stay = np.zeros(problem.n)
    stay[seen] = np.clip(entry.coef[seen], -C, C)
    f = kernels.responses(kernel_of(params), problem.X, stay)
    primal, _ = objectives(problem.y, C, seen, seen.size, entry.coef, entry.f)
    _, dual = objectives(problem.y, C, seen, seen.size, stay, f)
    scale = C * max(seen.size, 1)
    return {
        "primal": primal / scale,
        "dual": dual / scale,
        "gap": (primal - dual) / scale,
        "seen": seen.size,
    }


def tracked(trace) -> tuple[np.ndarray, np.ndarray]:
    """The optimum of those learnt after every step: P itself, as the gap certifies."""
    return np.arange(1, trace.steps + 1), trace.scalars["primal"][1:]


IDSVM = Solver(
    key="idsvm",
    title="IDSVM",
    paper="Cauwenberghs, Poggio 2000",
    params=(
        Param("C", "C", 2.0, 1e-3, 1e5, "Upper end of the box of every α.", log=True, title="box"),
        Param(
            "kernel",
            "K",
            kernels.rbf(1.0),
            title="kernel",
            help="All its values among those learnt are kept.",
        ),
        Param(
            "sampling",
            "",
            sampling.SCHEMES[1],
            options=sampling.SCHEMES,
            title="sampling",
            help=(
                "In which order examples come. Who comes again changes nothing: one pass is enough."
            ),
        ),
        *of_bias(),
    ),
    algorithm=Algorithm(
        run=run,
        suits=suits,
        work=lambda n, d, params: 40 * n + kernels.COST * n,
        start=lambda problem, params, active: FIRST,
        entered=entered,
        record="path",
    ),
    story=Story(
        figure=lambda params: "Exact path, without bias",
        lines=story.lines,
        why=story.WHY,
        values=story.values,
        questions=story.QUESTIONS,
        symbols=story.SYMBOLS,
    ),
    goal=Goal(
        dual=True,
        optimum=lambda problem, params: reference.optimum(
            problem, 1.0 / (params["C"] * problem.n), params["kernel"]
        ),
        tracked=tracked,
    ),
    # a newcomer on its way, margin vectors moving with it, and one about to leave
    uses=Uses(
        opening="data=moons&n=120&noise=0.25&C=2&kernel=rbf(gamma=2.0)&seed=0&T=120&t=36&beat=path",
        fit_steps=lambda n, params: n,
    ),
)
