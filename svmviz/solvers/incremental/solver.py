"""Approximate incremental SVMs: examples arrive one by one, and a few exact coordinate steps after
each keep the gap closed.

    P_t(w) = 1/2 |w|² + C Σ_{i<=t} max(0, 1 - y_i <w, phi(x_i)>),  D_t(alpha) = Σ alpha_i - 1/2
    |w(alpha)|²,  0 <= alpha_i <= C.

Usunier, Bordes, Bottou: "Guarantees for approximate incremental SVMs", AISTATS 2010, Algorithms 1
and 2, their batch counterpart (Section 6) and the cheaper variants of Section 5 (`rounds`). Names
are the paper's: C, K, t, g = 1 - y f.

One step of the trace is one round: an example arrives, PROCESS moves its alpha (Algorithm 2), then
K draws among those seen (REPROCESS). What is put out is the average of the K iterates of the round.
`primal`, `dual` and `gap` belong to it, on the examples seen so far and divided by C t: then w = 0
has primal 1, and the λ of the other solvers is 1/(C t), which shrinks as examples arrive. Once all
have arrived, rounds go on without a newcomer. Loss and error count all points, unseen ones too.

Section 5.2 can be read in two ways. *LASVM, all seen*: draws are among all seen, and an alpha of 0
is passed over, yet the draw counts. *LASVM, support vectors*: only these are drawn. Either way an
example whose alpha is 0 never comes back. Kernel values are counted as the chosen variant would
need them: every one, and the distinct pairs among them; K(x, x) is not counted.
"""

from typing import Any

import numpy as np

from svmviz.data.constant import of_bias
from svmviz.data.params import Param
from svmviz.maths import kernels, losses, matrix
from svmviz.record.changes import Mean, each
from svmviz.record.outcome import Record
from svmviz.record.solver import Algorithm, Goal, Solver, Story, Uses
from svmviz.record.symbols import CONSTANT
from svmviz.solvers.incremental import ALGORITHMS, BATCH, GRADIENTS, LASVM_SEEN, PROCESS, TEACHERS
from svmviz.solvers.incremental import model as state
from svmviz.solvers.incremental import rounds as of
from svmviz.solvers.incremental.story import QUESTIONS, SYMBOLS, WHY, lines, ran, spoken, values
from svmviz.solvers.sdca.algorithm import shrunk
from svmviz.theory import bounds, optima, reference

RECORDED = 40_000_000  # draws that one run may record (about a gigabyte)
OWN = (
    "primal",
    "dual",
    "gap",
    "ascent",
    "primal_last",
    "gap_last",
    "cost",
    "gain",
    "score",
    "arrived",
    "moved",
    "n_0",
    "n_C",
    "seen",
    "pairs",
    "selection",
)  # of what a round leaves behind
LOOKING = ("active", "adversary")  # teachers that look at a pool


def codes(params) -> tuple[int, int, int]:
    """Algorithm, variant and teacher as compiled code knows them; refuses what does not go
    together.
    """
    algorithm, variant = ALGORITHMS.index(params["algorithm"]), GRADIENTS.index(params["gradients"])
    if variant >= LASVM_SEEN and algorithm != PROCESS:
        raise ValueError(
            f"{params['gradients']} passes over examples whose α is 0, so that only PROCESS, and"
            f" with it Algorithm 2, can let one in, got {params['algorithm']}"
        )
    return algorithm, variant, TEACHERS.index(params["teacher"])


def begin(problem, params, start, active, factor: float) -> state.Model:
    """The model where a segment begins; whoever has arrived stays so."""
    kernel, room = params["kernel"] or kernels.linear(), params["K"]
    if start.state is not None:
        room = max(room, start.state[1].size)
    model = state.empty(
        problem.X, kernel, state.EVERYONE, room, active, start.state and start.state[3].copy()
    )
    if start.state is not None:
        queue, recent, held, _, pairs, many = start.state
        seen, waiting = queue[:many], queue[many:]
        model.recent[: recent.size], model.held[: recent.size], model.count[state.RECENT] = (
            recent,
            factor * held,
            recent.size,
        )
        still = seen[np.isin(seen, active)]
        model.queue[:] = np.concatenate(
            [still, waiting[np.isin(waiting, active)], np.setdiff1d(active, queue)]
        )
        model.place[model.queue] = np.arange(active.size)
        model.count[[state.SEEN, state.PAIRS]] = still.size, pairs
    if params["algorithm"] == ALGORITHMS[BATCH]:
        model.count[state.SEEN] = active.size
    coef = factor * start.coef
    used = np.flatnonzero(coef)
    model.coef[:], model.support[: used.size], model.slot[used] = coef, used, np.arange(used.size)
    model.count[state.N_SV] = used.size
    if used.size:
        mean = coef.copy()
        np.subtract.at(mean, recent, factor * held)
        model.f[:], model.h[:] = kernels.responses(
            kernel, problem.X, np.stack([coef, mean], axis=1)
        ).T
    return model


def run(problem, params, order, start, active) -> tuple[Record, Any]:
    """Steps t + 1, t + 2, ... from where the segment begins."""
    algorithm, variant, teacher = codes(params)
    rows, kernel, C, K = (
        matrix.rows(problem.X),
        params["kernel"] or kernels.linear(),
        params["C"],
        params["K"],
    )
    count = len(order)
    size = params["pool"] if params["teacher"] in LOOKING else 0
    if count * (K + 1 + size) > RECORDED:
        raise ValueError(
            f"recording {count} steps of {K} draws takes too much memory; lower the steps or K, or"
            " run one pass"
        )
    factor = np.ones(count)
    factor[0] = shrunk(problem, start.coef, active, C)
    model = begin(problem, params, start, active, factor[0])
    out = of.empty(count, K, size)
    if not of.rounds(
        model,
        problem.y,
        C,
        K,
        kernel,
        rows,
        state.EVERYONE,
        variant,
        algorithm,
        params["kernel"] is not None,
        teacher,
        size,
        order,
        out,
    ):
        raise ValueError("picks must name examples that have arrived")
    margin = out.margin
    margin += 0.0  # a zero has no sign
    recent, held = (
        model.recent[: model.count[state.RECENT]],
        model.held[: model.count[state.RECENT]],
    )
    handed_on = (model.queue, recent, held, model.bits, *model.count[[state.PAIRS, state.SEEN]])
    named = (
        (order[:, 0] >= 1.0)
        & (out.drawn[:, 0] == order[:, 0].astype(np.int64) - 1)
        & (out.arrived > 0)
    )
    own = {name: getattr(out, name) for name in OWN} | {
        "score": np.nan_to_num(out.score),
        "by_hand": named * 1.0,
        "pool": out.pool,
    }
    read = (out.evals if params["kernel"] is not None else K + 1) * problem.d
    return (
        Record(
            out.drawn,
            margin,
            each(factor, out.drawn, out.delta),
            ran(params, own),
            spoken(params, own, out.delta, factor, start.t > 0),
            out.evals,
            read * np.ones(count, np.int64),
            own,
        ),
        handed_on,
    )


def averages(params) -> Mean:
    """A move in draw k is missing from k - 1 of the K iterates of its round; the batch counterpart
    puts its last one out.
    """
    K = params["K"]
    return Mean(
        late=(
            np.zeros(K + 1)
            if params["algorithm"] == ALGORITHMS[BATCH]
            else np.maximum(0, np.arange(K + 1) - 1) / K
        )
    )


def draw(active, params, chance, start, stop, given) -> np.ndarray:
    """Chances: one for the example that arrives, K for the draws after it, and those that choose a
    pool; or what is given.
    """
    size = params["pool"] if params["teacher"] in LOOKING else 0
    return given.streamed(chance.numbers(start, stop, 1 + params["K"] + size), start, params["K"])


def start(problem, params, active) -> dict[str, float]:
    """w = 0 with nothing seen: as P_t / (C t) is 1 for w = 0 whatever t, so it is here."""
    zero = (
        "dual",
        "ascent",
        "cost",
        "gain",
        "score",
        "moved",
        "n_0",
        "n_C",
        "pairs",
        "selection",
        "by_hand",
    )
    seen = active.size if params["algorithm"] == ALGORITHMS[BATCH] else 0
    one = ("primal", "gap", "primal_last", "gap_last", "arrived")
    return dict.fromkeys(zero, 0.0) | dict.fromkeys(one, 1.0) | {"seen": seen}


def entered(problem, params, active, entry) -> dict[str, float]:
    """Primal of the w̄ that a segment begins with, dual of what its boxes allow of it, on those who
    have arrived and stay.
    """
    queue, *_, many = entry.state
    seen = (
        active if params["algorithm"] == ALGORITHMS[BATCH] else np.intersect1d(queue[:many], active)
    )
    C, norm2 = params["C"], max(0.0, matrix.inner(entry.mean, entry.f_mean))
    hinge = float(losses.hinges(problem.y[seen] * entry.f_mean[seen]).sum())
    primal, dual = (
        0.5 * norm2 + C * hinge,
        entry.factor * matrix.inner(problem.y, entry.mean) - 0.5 * entry.factor**2 * norm2,
    )
    scale = C * max(seen.size, 1)
    return {
        "primal": primal / scale,
        "dual": dual / scale,
        "gap": (primal - dual) / scale,
        "seen": seen.size,
    }


def work(n, d, params) -> int:
    """A draw that moves, about every other, brings the responses of all points up to date, and the
    curves do so once more.
    """
    return n * (params["K"] + 2) + kernels.COST * n


def figure(params) -> str:
    return (
        "batch counterpart of Algorithm 1"
        if params["algorithm"] == "batch"
        else params["algorithm"]
    )


INCREMENTAL = Solver(
    key="incremental",
    title="Incremental SVM",
    paper="Usunier, Bordes, Bottou 2010",
    params=(
        Param(
            "algorithm",
            "",
            ALGORITHMS[1],
            options=ALGORITHMS,
            title="algorithm",
            help=(
                "Algorithm 2 moves the α of the newcomer first (PROCESS). Batch: all are there from"
                " the beginning."
            ),
        ),
        Param("C", "C", 1.0, 1e-3, 1e5, "Upper end of the box of every α.", log=True, title="box"),
        Param(
            "K",
            "K",
            5,
            1,
            1000,
            "Coordinate steps after each arrival.",
            log=True,
            title="draws per example",
        ),
        Param(
            "kernel",
            "k",
            kernels.rbf(1.0),
            title="kernel",
            help="The theorems need k(x, x) of at most 1.",
        ),
        *of_bias(),
        Param(
            "teacher",
            "",
            TEACHERS[0],
            options=TEACHERS,
            title="teacher",
            when=lambda params: params["algorithm"] != "batch",
            help=(
                "Who says which example comes next: chance, their order, whoever lies closest to"
                " the boundary (active), whoever hurts most (adversary), or you, by a click on the"
                " plane."
            ),
        ),
        Param(
            "pool",
            "",
            50,
            1,
            500,
            "Unseen examples that the teacher looks at.",
            log=True,
            title="pool",
            when=lambda params: params["teacher"] in LOOKING and params["algorithm"] != "batch",
        ),
        Param(
            "gradients",
            "g",
            GRADIENTS[0],
            options=GRADIENTS,
            title="gradients",
            when=lambda params: params["kernel"] is not None,
            help=(
                "Section 5: computed when needed, kept for all seen, or kept for support vectors"
                " only, as LASVM does."
            ),
        ),
        Param(
            "iterate",
            "",
            "average",
            options=("average", "last"),
            title="iterate",
            help="Which α is drawn: the average of the round, which is put out, or the last.",
        ),
    ),
    algorithm=Algorithm(
        draw=draw,
        run=run,
        work=work,
        start=start,
        entered=entered,
        refuse=codes,
        takes=("order", "picks", "chosen"),
        record="arrivals",
    ),
    story=Story(
        figure=figure,
        lines=lines,
        why=WHY,
        values=values,
        questions=QUESTIONS,
        symbols=(*SYMBOLS, *CONSTANT),
    ),
    goal=Goal(
        averages=averages,
        dual=True,
        optimum=lambda problem, params: reference.optimum(
            problem, 1.0 / (params["C"] * problem.n), params["kernel"]
        ),
        bound=bounds.incremental,
        tracked=optima.tracked,
        error="error_average",
    ),
    # the least certain of a pool arrives, and one sees who owns the gap
    uses=Uses(
        opening="data=gauss&n=400&noise=0.6&teacher=active&pool=40&seed=0&T=200&t=56&beat=take",
        fit_defaults={"K": 100},
        fit_steps=lambda n, params: n,
    ),  # 5 can be followed by eye, and leave the gap open
)
