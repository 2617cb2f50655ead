"""NORMA, online learning in a space of functions: SGD on the regularised soft margin loss,

    λ/2 |w|² + 1/n Σ max(0, ρ - y_i f(x_i)),      f(x) = <w, phi(x)> + b.

A step shrinks all terms of w by 1 - η_t λ. If y_i f(x_i) < ρ, it adds η_t y_i phi(x_i) to w and
η_t y_i to b, which is never shrunk. The steps have one length, η_t = η, or become shorter,
η_t = η/√t.

Kivinen, Smola, Williamson: "Online learning with kernels", IEEE Transactions on Signal Processing
52 (2004), Section III. The paper says ≤ ρ, which differs on ties only. As terms shrink, old ones
may be dropped: budgeted SGD with the rule "Norma" and removal of the oldest does that. The
objective is P for ρ = 1 only; then the exact optimum is known.
"""

import numpy as np

from svmviz.author import (
    Algorithm,
    Goal,
    Line,
    Lines,
    Param,
    Record,
    Sentence,
    Sentences,
    Solver,
    Story,
    Symbol,
    Uses,
    add,
    bare,
    each,
    expansion,
    kernels,
    matrix,
    questions,
    reference,
    respond,
    sampling,
    scale,
    shared,
)

SCHEDULES = SLOWER, CONSTANT = "1/√t", "constant"
SHRUNK = "w ← (1 − ηλ) w = {factor:.4g} w"
WHY = Sentences(
    start=Sentence(
        "Nothing has been drawn yet: w = 0 and b = 0 leave every point a loss of ρ.",
        "Nothing drawn yet.",
        "w = 0, b = 0: m = 0 for all x, and each pays ρ.",
    ),
    free=Sentence(
        "Point {i} ({label}) has margin *{margin:.2f}*, at least ρ = {rho:g}: it costs nothing, and"
        " w only shrinks, by 1 − ηλ = {factor:.4g}.",
        "Far enough: only shrink.",
        "m = y f(x) = *{margin:.2f}* ≥ ρ = {rho:g}: " + SHRUNK + ".",
    ),
    pays=Sentence(
        "Point {i} ({label}) has margin *{margin:.2f}*, below ρ = {rho:g}: w shrinks and takes a"
        " step of η = {eta:.3g} along y x.",
        "Too close: shrink and add it.",
        "m = y f(x) = *{margin:.2f}* < ρ = {rho:g}: " + SHRUNK + " + {eta:.3g} y x.",
    ),
    moves=Sentence(
        "b takes the same step and does not shrink: it is now {b:.3f}.",
        "b moves, too.",
        "b ← b + η y = {b:.3f}.",
    ),
)


def lines(params) -> Lines:
    inner = "Σ α[j] y[j] K[j, i]" if params["kernel"] else "⟨w, x[i]⟩"
    rate = "" if params["schedule"] == CONSTANT else "η ← η₀/√t, "
    inner = f"({inner} + b)" if params["bias"] else inner
    common = Lines(
        draw=Line(sampling.written(params["sampling"]), "i = {i}", "draw"),
        measure=Line(f"m ← y[i] {inner}", "m = {margin:.2f}", "measure"),
        shrink=Line(f"{rate}w ← (1 − ηλ) w", "× {factor:.4g}", "shrink"),
        add=Line("if m < ρ: w ← w + η y[i] x[i]", "‖w‖ = {norm:.2f}", "add"),
    )
    move = Lines(move=Line("if m < ρ: b ← b + η y[i]", "b = {b:.3f}", "add"))
    return common | move if params["bias"] else common


@bare
def steps(at, y, lam, rho, rate, biased, order, b, margin, delta, kernel_evals, features):
    """Take all steps, each written into its row of the columns; `b` begins with the present one."""
    for s in range(order.shape[0]):
        i = order[s, 0]
        f, kernel_evals[s] = respond(at, i)
        margin[s, 0] = y[i] * (f + b[s]) + 0.0  # a zero has no sign
        delta[s, 0] = rate[s] * y[i] if margin[s, 0] < rho else 0.0
        b[s + 1] = b[s] + delta[s, 0] if biased else 0.0
        features[s] = matrix.nonzeros(at.rows, i)
        scale(at, 1.0 - rate[s] * lam)
        add(at, i, delta[s, 0])


def run(problem, params, order, start, active) -> tuple[Record, tuple[float, float]]:
    """Take steps t + 1, t + 2, ... from where the segment begins; hand on b, and the sum of those
    before each step so far.
    """
    at, count = expansion(problem.X, params["kernel"], start.coef.copy()), len(order)
    t = start.t + np.arange(1, count + 1)
    rate = params["eta"] / (np.ones(count) if params["schedule"] == CONSTANT else np.sqrt(t))
    b, before = np.zeros(count + 1), 0.0
    if start.state is not None:
        b[0], before = start.state
    if not params["bias"]:
        b[0] = 0.0
    margin, delta = np.empty((count, 1)), np.empty((count, 1))
    kernel_evals, features = np.zeros(count, np.int64), np.zeros(count, np.int64)
    steps(
        at,
        problem.y,
        params["lam"],
        params["rho"],
        rate,
        params["bias"],
        order,
        b,
        margin,
        delta,
        kernel_evals,
        features,
    )
    pays, factor = delta[:, 0] != 0.0, 1.0 - rate * params["lam"]
    total = before + np.cumsum(b[:-1])
    moves = pays & params["bias"]
    record = Record(
        drawn=order,
        margin=margin,
        changes=each(factor, order, delta),
        lines=lines(params).ran(count, add=pays, move=pays),
        why=np.where(pays, WHY.pays, WHY.free) | np.where(moves, WHY.moves, 0),
        kernel_evals=kernel_evals,
        features_read=features,
        own={"eta": rate, "factor": factor, "b": b[1:], "b_average": total / t},
    )
    return record, (b[-1], total[-1])


def refuse(params) -> None:
    if params["eta"] * params["lam"] >= 1.0:
        raise ValueError(
            f"ηλ must be below 1, or w would swing beyond 0, got {params['eta'] * params['lam']:g};"
            " lower η or λ"
        )


def optimum(problem, params):
    """Return the exact minimiser where the objective is P, that is for ρ = 1."""
    if params["rho"] != 1.0:
        return None
    return reference.optimum(problem, params["lam"], params["kernel"], bias=params["bias"])


NORMA = Solver(
    key="norma",
    title="NORMA",
    paper="Kivinen, Smola, Williamson 2004",
    params=(
        Param(
            "lam",
            "λ",
            0.01,
            1e-6,
            10.0,
            "Weight of the regulariser.",
            log=True,
            title="regularisation",
        ),
        Param("eta", "η", 0.5, 1e-4, 100.0, "Length of the first step.", log=True, title="step"),
        Param(
            "schedule",
            "",
            SLOWER,
            options=SCHEDULES,
            title="step length",
            help="All steps of length η, or shorter ones with time, η/√t.",
        ),
        Param(
            "rho",
            "ρ",
            1.0,
            0.0,
            10.0,
            "An example with a larger margin costs nothing. P counts margins below 1 all the same.",
            title="soft margin",
        ),
        Param(
            "bias", "b", True, help="Whether f has a constant b, which is not shrunk.", title="bias"
        ),
        Param(
            "kernel",
            "K",
            None,
            help="Without a kernel w is a vector; with one it is a sum over examples.",
            title="kernel",
        ),
        Param(
            "sampling",
            "",
            sampling.SCHEMES[1],
            options=sampling.SCHEMES,
            title="sampling",
            help="How examples are drawn. The paper takes them as they come.",
        ),
        Param(
            "iterate",
            "",
            "last",
            options=("last", "average"),
            title="iterate",
            help="Which w and b are drawn: the last, or the mean of all so far.",
        ),
    ),
    algorithm=Algorithm(
        run=run,
        work=lambda n, d, params: n * (1 + kernels.COST * (params["kernel"] is not None)) + d,
        start=lambda problem, params, active: {
            "eta": params["eta"],
            "factor": 1.0,
            "b": 0.0,
            "b_average": 0.0,
        },
        entered=lambda problem, params, active, entry: {
            "b": entry.own["b"] if params["bias"] else 0.0
        },
        refuse=refuse,
    ),
    story=Story(
        figure=lambda params: "Section III",
        lines=lines,
        why=WHY,
        questions=(questions.SWING, questions.ANSWER, questions.LINE),
        symbols=(
            *shared("t i j n x y w w̄ f m λ η α K b P P*"),
            Symbol("ρ", "soft margin", "an example with a larger margin costs nothing", "{rho:g}"),
            Symbol("η₀", "first step", "length of the first step", ""),
        ),
    ),
    goal=Goal(optimum=optimum),
    # few points of one class: b moves away from the others, and keeps what w forgets
    uses=Uses(
        weighs=True,
        opening="data=imbalanced&n=120&noise=1.1&share=0.2&lam=0.02&seed=1&T=200&t=40&beat=add",
    ),
)
