"""Pegasos: stochastic sub-gradient descent on  P(w) = λ/2 |w|² + 1/n Σ loss(y_i <w, x_i>),  by
default the hinge.

Shalev-Shwartz, Singer, Srebro, Cotter: "Pegasos: primal estimated sub-gradient solver for SVM",
Mathematical Programming 127 (2011): Fig. 1 (basic), Fig. 2 (mini-batches of k), Fig. 3
(kernelised), Section 2.4 (sparse).

Names are the paper's: lam, eta = 1/(lam t), k, A_t (`batch`). The weights are kept as w = a v
(Section 2.4), so that shrinking costs one multiplication. Without a kernel v lives in R^d; with
one, v holds the coefficients of w = a Σ v_j phi(x_j). Fig. 3 as printed sums y_{i_t} instead of y_j
and scales by 1/(λt) instead of 1/(λ(t-1)); the form here has the iterates of Fig. 1, as the paper's
text says it should. Another loss (`losses`) adds an example by as much as it falls with the margin,
-η loss'(m) y x, where the hinge adds η y x or nothing.
"""

import math
from typing import NamedTuple

import numpy as np

from svmviz.data.constant import of_bias
from svmviz.data.params import Param, of_loss
from svmviz.maths import kernels, matrix, sampling
from svmviz.maths.kernels import grams
from svmviz.maths.losses import (
    HINGE,
    LOGISTIC,
    bounded,
    in_ball,
    lever,
    loss_of,
    slope,
    standing,
    value,
)
from svmviz.maths.machine.jit import bare, jit
from svmviz.record import questions
from svmviz.record.changes import each
from svmviz.record.outcome import Record
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Algorithm, Goal, Solver, Story, Uses
from svmviz.record.symbols import CONSTANT, Symbol, shared
from svmviz.theory import biases, bounds, reference
from svmviz.work.words import times


def lines(params) -> Lines:
    """Return Fig. 1, 2 or 3, whichever the parameters select."""
    one, kernelised, hinge = (
        params["k"] == 1,
        params["kernel"] is not None,
        loss_of(params).kind == HINGE,
    )
    inner = " Σ α[j] y[j] K[j, i]" if kernelised else "⟨w, x[i]⟩"
    much = ("+ η" if hinge else "− η ℓ′(m)").replace("η", "η" if one else "(η/k)")
    whom = (
        ("if m < 1: " if hinge else "")
        if one
        else "for i in A, m < 1: "
        if hinge
        else "for i in A: "
    )
    add = f"{whom}α[i] ← α[i] {much}" if kernelised else f"{whom}w ← w {much} y[i] x[i]"
    listed = Lines(
        draw=Line(sampling.written(params["sampling"], params["k"]), "{drawn}", "draw"),
        measure=Line(f"m ← y[i]{inner}, η ← 1/(λt)", "m = {margin:.2f}, η = {eta:.3g}", "measure"),
        shrink=Line(
            "α ← (1 − 1/t) α" if kernelised else "w ← (1 − 1/t) w",
            "‖w‖ = {norm_shrunk:.2f}",
            "shrink",
        ),
        add=Line(add, "‖w‖ = {norm_added:.2f}", "add"),
    )
    if not in_ball(params):
        return listed
    pull = "α ← min(1, r/‖w‖) α" if kernelised else "w ← min(1, r/‖w‖) w"
    return listed | Lines(project=Line(pull, "‖w‖ = {norm:.2f}", "project"))


SHRINKS = "w only shrinks, by 1 − 1/t = {shrink:.3f}."
PULLS = Sentence(
    "It is pulled back onto the ball, from {norm_added:.2f≠radius} to {radius:.2f≠norm_added}.",
    "Back onto the ball.",
    "‖w‖ > r: w ← {radius:.2f≠norm_added}/{norm_added:.2f≠radius} w.",
)
SHRUNK = "(1 − 1/{t}) w = {shrink:.3f} w"
ADDED = "(1 − 1/{t}) w + "
STEPS = (
    "m = y f(x) = *{margin:.2f}* < 1, η = 1/(λt) = 1/({lam:.3g} · {t}): w ← "
    + ADDED
    + "η y x = {shrink:.3f} w + {eta:.3g} y x."
)
WHY = Sentences(
    start=Sentence(
        "Nothing has been drawn yet: w = 0, so every point has margin 0 and pays a loss of"
        " {first:.3g}.",
        "Nothing drawn yet.",
        "w = 0: f(x) = 0 for all x, and P = λ/2 · 0 + ℓ(0) = {first:.3g}.",
    ),
    free=Sentence(
        "Point {i} ({label}) has margin *{margin:.2f}*, {enough}, and " + SHRINKS,
        "Far enough: only shrink.",
        "m = y f(x) = *{margin:.2f}*, ℓ′(m) = 0: w ← " + SHRUNK + ", ‖w‖ = {norm_shrunk:.3f}.",
    ),
    inside=Sentence(
        "Point {i} ({label}) is on the right side, but its margin *{margin:.2f}* is below 1: "
        "w takes a step of η = {eta:.3g} towards it.",
        "Right side, but too close: swing.",
        STEPS,
    ),
    wrong=Sentence(
        "Point {i} ({label}) is on the wrong side, margin *{margin:.2f}*: w takes a step of η ="
        " {eta:.3g} along y x.",
        "Wrong side: swing.",
        STEPS,
    ),
    all_free=Sentence(
        "Each of the {k} {batch} has margin at least 1 (lowest *{margin:.2f}*, point {i}): "
        + SHRINKS,
        "All far enough: only shrink.",
        "min m = *{margin:.2f}* ≥ 1: w ← " + SHRUNK + ", ‖w‖ = {norm_shrunk:.3f}.",
    ),
    some_pay=Sentence(
        "*{hits}* of {k} {batch} with a margin below 1 (lowest *{margin:.2f}*, point {i}): "
        "w takes a step of η/k = {eta_k:.3g} along each y x.",
        "{hits} of {k} too close: swing.",
        "m < 1 for *{hits}* of {k}, η/k = 1/(λtk): w ← "
        + ADDED
        + "(η/k) Σ y x over these = {shrink:.3f} w + {eta_k:.3g} Σ y x.",
    ),
    pulled=PULLS,
    falls=Sentence(
        "Point {i} ({label}) has margin *{margin:.2f}*, where the loss falls with slope {fall:.3g}:"
        " w takes a step of {times}η = {step:.3g} along y x.",
        "The loss falls that way: swing.",
        "m = y f(x) = *{margin:.2f}*, −ℓ′(m) = {fall:.3g}, η = 1/(λt) = {eta:.3g}: w ← "
        + ADDED
        + "(−ℓ′(m)) η y x = {shrink:.3f} w + {step:.3g} y x.",
    ),
    all_fall=Sentence(
        "At the {k} {batch} the loss falls with slope {fall:.3g} on average (lowest margin"
        " *{margin:.2f}*): each adds η/k = {eta_k:.3g} times its slope along y x.",
        "The losses fall that way: swing.",
        "−ℓ′(m) = {fall:.3g} on average, η/k = 1/(λtk): w ← "
        + ADDED
        + "(η/k) Σ (−ℓ′(m)) y x, η/k = {eta_k:.3g}.",
    ),
    falls_pulled=PULLS,  # again, as sentences are spoken in order and the pull comes last
)
SYMBOLS = (
    *shared("t i j n x y w w̄ f m λ η α K ℓ ℓ′ s r P P* w*"),
    *CONSTANT,
    Symbol("k", "mini-batch", "examples drawn in a step", "{k}", "drawn"),
    Symbol("A", "examples drawn", "those that this step looks at", "", "drawn"),
)


class Weights(NamedTuple):
    """w = a v, with |w|² kept where the projection needs it."""

    v: np.ndarray  # (d,) or, with a kernel, (n,)
    state: np.ndarray  # (2,) a and |w|²


@bare
def respond(w, rows, kernelised, kernel, i):
    """<w, phi(x_i)> and the kernel evaluations it took"""
    if not kernelised:
        return w.state[0] * matrix.dot(rows, i, w.v), 0
    total, evaluations = kernels.expansion(kernel, rows, w.v, i)
    return w.state[0] * total, evaluations


@bare
def scale(w, factor):
    """w ← factor w; a must stay divisible, so a factor of 0 (the first step) or thousands of
    projections go into v
    """
    w.state[0] *= factor
    w.state[1] *= factor * factor
    if w.state[0] < 1e-100:
        for j in range(w.v.size):
            w.v[j] *= w.state[0]
        w.state[0] = 1.0


@bare
def add(w, rows, kernelised, i, c):
    """w ← w + c phi(x_i)"""
    if kernelised:
        w.v[i] += c / w.state[0]
    else:
        matrix.axpy(rows, i, c / w.state[0], w.v)


@bare
def track_norm(w, rows, kernel, diagonal, batch, response, delta, e):
    """|w + c phi(x_i)|² = |w|² + 2 c <w, phi(x_i)> + c² K_ii, where w already holds the examples
    before e of the batch; returns the kernel evaluations that these cross terms took.
    """
    inner, evaluations = response[e], 0
    for earlier in range(e):
        if delta[earlier] != 0.0:
            inner += delta[earlier] * kernels.k(kernel, rows, batch[earlier], rows, batch[e])
            evaluations += 1
    w.state[1] += 2.0 * delta[e] * inner + delta[e] ** 2 * diagonal[batch[e]]
    return evaluations


@bare
def step(
    rows,
    y,
    lam,
    loss,
    radius,
    project,
    kernelised,
    kernel,
    diagonal,
    w,
    batch,
    t,
    response,
    margin,
    delta,
):
    """One iteration t on the examples `batch`: measure, shrink, add, project.

    Leaves the margins under w_t and the coefficients added to w in `margin` and `delta`; returns
    the factor of the projection and the kernel evaluations.
    """
    k, cost = batch.size, 0
    eta, shrink = 1.0 / (lam * t), 1.0 - 1.0 / t
    for e in range(k):
        response[e], evaluations = respond(w, rows, kernelised, kernel, batch[e])
        margin[e] = standing(loss, y[batch[e]], response[e])
        cost += evaluations
    scale(w, shrink)
    for e in range(k):
        response[e] *= shrink
        down = slope(loss, margin[e])
        delta[e] = -(eta / k * lever(loss, y[batch[e]]) * down) if down != 0.0 else 0.0
        if delta[e] != 0.0:
            add(w, rows, kernelised, batch[e], delta[e])
            if project:
                evaluations = track_norm(w, rows, kernel, diagonal, batch, response, delta, e)
                cost += evaluations if kernelised else 0
    pull = 1.0
    if project and w.state[1] > radius * radius:
        pull = radius / math.sqrt(w.state[1])
        scale(w, pull)
        w.state[1] = radius * radius
        for e in range(k):
            delta[e] *= pull
    return pull, cost


@jit
def steps(
    rows,
    y,
    lam,
    loss,
    radius,
    project,
    kernelised,
    kernel,
    diagonal,
    w,
    order,
    start,
    margin,
    delta,
    pull,
    kernel_evals,
):
    """All iterations, each written into its row of the columns"""
    response = np.empty(order.shape[1])
    for s in range(order.shape[0]):
        pull[s], kernel_evals[s] = step(
            rows,
            y,
            lam,
            loss,
            radius,
            project,
            kernelised,
            kernel,
            diagonal,
            w,
            order[s],
            start + s + 1,
            response,
            margin[s],
            delta[s],
        )


class Path(NamedTuple):
    """What the steps of a stretch looked at, and did."""

    margin: np.ndarray  # (T, k)
    delta: np.ndarray  # (T, k)
    pull: np.ndarray  # (T,) factor of the projection
    kernel_evals: np.ndarray  # (T,)

    @property
    def pays(self) -> np.ndarray:
        return (self.delta != 0.0).any(axis=1)

    def record(self, problem, order, t, listed: Lines, why) -> Record:
        factor = (1.0 - 1.0 / np.arange(t + 1, t + len(order) + 1)) * self.pull
        return Record(
            order,
            self.margin,
            each(factor, order, self.delta),
            listed.ran(len(order), add=self.pays, project=self.pull < 1.0),
            why,
            self.kernel_evals,
            matrix.features_read(problem.X, order),
            {"project": self.pull},
        )


def walk(problem, params, loss, radius, order, start) -> Path:
    """Steps t + 1, t + 2, ... from where the segment begins; w stays in the ball of this radius, if
    it is projected.
    """
    kernelised, count, t, coef = params["kernel"] is not None, len(order), start.t, start.coef
    rows, kernel = grams.read(
        params["kernel"] or kernels.linear(), problem.X, worth=2 * count >= problem.n
    )
    margin, delta = np.empty(order.shape), np.empty(order.shape)
    pull, kernel_evals = np.empty(count), np.zeros(count, np.int64)
    v = coef.copy() if kernelised else matrix.combined(rows, coef)
    norm2, diagonal = 0.0, np.empty(0)
    if in_ball(params):  # the only one to ask for them
        norm2 = (
            kernels.squared_norm(params["kernel"], problem.X, coef)
            if kernelised
            else matrix.inner(v, v)
        )
        diagonal = kernels.diagonal(kernel, rows)
    w = Weights(v, np.array([1.0, norm2]))
    steps(
        rows,
        problem.y,
        params["lam"],
        loss,
        radius,
        in_ball(params),
        kernelised,
        kernel,
        diagonal,
        w,
        order,
        t,
        margin,
        delta,
        pull,
        kernel_evals,
    )
    return Path(margin, delta, pull, kernel_evals)


def run(problem, params, order, start, active) -> tuple[Record, None]:
    loss = loss_of(params)
    path = walk(problem, params, loss, 1.0 / math.sqrt(params["lam"]), order, start)
    k, pulled = order.shape[1], WHY.pulled if loss.kind == HINGE else WHY.falls_pulled
    if k == 1:
        paid = (
            np.where(path.margin[:, 0] < 0.0, WHY.wrong, WHY.inside)
            if loss.kind == HINGE
            else WHY.falls
        )
        why = np.where(path.pays, paid, WHY.free)
    else:
        why = np.where(
            path.pays, WHY.some_pay if loss.kind == HINGE else WHY.all_fall, WHY.all_free
        )
    why |= np.where(path.pull < 1.0, pulled, 0)
    return path.record(problem, order, start.t, lines(params), why), None


def work(n, d, params) -> int:
    return params["k"] * (n * kernels.COST if params["kernel"] else d)


def optimum(problem, params):
    return reference.optimum(problem, params["lam"], params["kernel"], loss=loss_of(params))


def values(trace, t) -> dict:
    """The live quantities of step t. For a mini-batch, the example with the lowest margin stands
    for it.
    """
    segment = trace.segment(t)
    record, row, params = segment.record, t - segment.start - 1, segment.params
    if t == 0:
        return {"t": 0, "first": value(loss_of(params), 0.0)}
    worst = int(np.argmin(record.margin[row]))
    i, k = int(record.drawn[row, worst]), record.drawn.shape[1]
    norm, pull, eta = (
        trace.metrics["norm"],
        float(record.own["project"][row]),
        1.0 / (params["lam"] * t),
    )
    shrink, step = 1.0 - 1.0 / t, float(np.abs(record.delta[row]).sum()) / pull
    different = np.unique(record.drawn[row]).size
    return {
        "t": t,
        "i": i + 1,
        "k": k,
        "label": "+1" if trace.problem.y[i] > 0 else "−1",
        "drawn": (
            f"i = {i + 1}"
            if k == 1
            else f"{k} points"
            if different == k
            else f"{k} draws, {different} points"
        ),
        "batch": "points" if different == k else "draws",
        "hits": int((record.delta[row] != 0.0).sum()),
        "margin": float(record.margin[row, worst]),
        "eta": eta,
        "eta_k": eta / k,
        "shrink": shrink,
        "norm_shrunk": shrink * trace.before("norm", t),
        "norm_added": float(norm[t]) / pull,
        "norm": float(norm[t]),
        "radius": 1.0 / math.sqrt(params["lam"]),
        "step": step,
        "fall": step / eta,
        "times": times(step / eta),
        "enough": (
            "so large that it costs next to nothing"
            if loss_of(params).kind == LOGISTIC
            else "at least 1: it costs nothing"
        ),
    }


def figure(params) -> str:
    if params["kernel"] is not None:
        return "Figure 3, corrected"
    return "Figure 1" if params["k"] == 1 else "Figure 2"


PEGASOS = Solver(
    key="pegasos",
    title="Pegasos",
    paper="Shalev-Shwartz, Singer, Srebro, Cotter 2011",
    params=(
        Param(
            "lam",
            "λ",
            0.05,
            1e-6,
            10.0,
            "Weight of the regulariser. Smaller: longer w, thinner margin, slower run.",
            log=True,
            title="regularisation",
        ),
        Param(
            "kernel",
            "K",
            None,
            help="Without a kernel w is a vector; with one it is a sum over examples (Fig. 3).",
            title="kernel",
        ),
        *of_loss(),
        *of_bias(),
        Param(
            "k",
            "k",
            1,
            1,
            5000,
            "Examples per step (Fig. 2). With k = n every step sees all the data.",
            log=True,
            title="mini-batch",
        ),
        Param(
            "project",
            "",
            False,
            help=(
                "Pull w back onto the ball of radius 1/√λ after each step (optional line of Fig."
                " 1). With the squared hinge, whose slopes have no bound, that is always done."
            ),
            title="project onto the ball",
            when=bounded,
        ),
        Param(
            "sampling",
            "",
            sampling.SCHEMES[0],
            options=sampling.OF_BATCHES,
            title="sampling",
            help=(
                "How examples are drawn. With replacement each step draws anew, k different ones; a"
                " multi-set may hold one more than once, and counts it as often (Section 2.3). The"
                " theorems cover these two. Or the data are gone through in random order (Section"
                " 7.5)."
            ),
        ),
        Param(
            "iterate",
            "",
            "last",
            options=("last", "average", "random"),
            title="iterate",
            help=(
                "Which w predicts: the last, the mean of w(1) … w(t) (Corollaries 1, 2) or a random"
                " one (Lemma 3)."
            ),
        ),
    ),
    algorithm=Algorithm(run=run, work=work, start=lambda problem, params, active: {"project": 1.0}),
    story=Story(
        figure=figure,
        lines=lines,
        why=WHY,
        values=values,
        questions=(questions.SWING, questions.PAYS, questions.ANSWER, questions.LINE),
        symbols=SYMBOLS,
    ),
    goal=Goal(optimum=optimum, beside=biases.without_a_price, bound=bounds.pegasos),
    # all three beats, a point on the wrong side, a long step, and the pull back onto the ball
    uses=Uses(
        weighs=True,
        opening=(
            "data=blobs&n=120&noise=1.1&data_seed=0&lam=0.05&project=1&seed=3&T=120&t=9&beat=add"
        ),
    ),
)
