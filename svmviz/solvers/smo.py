"""Sequential minimal optimisation: the smallest set of dual coefficients that can move, chosen by
what the move gains.

    D(alpha) = λ (Σ alpha_i - 1/2 |w|²),   w = Σ alpha_i y_i phi(x_i),   0 <= alpha_i <= C = 1/(λ
    n),

and Σ alpha_i y_i = 0 if there is a bias b. Platt: "Fast training of support vector machines using
sequential minimal optimization", 1998; Fan, Chen, Lin: "Working set selection using second order
information for training support vector machines", JMLR 6 (2005), WSS 2; a rival of the stochastic
batch perceptron (Section 4.3).

In terms of coef = y alpha, which lies between 0 and y C, the gradient of D / λ is  g = y - f  with
f = Σ coef_j K(x_j, .): what can rise asks for b >= g, what can fall for b <= g. With a bias a pair
moves, one up and one down by as much: i with the largest g that can rise, and the j that can fall
with the largest (g_i - g_j)² / (K_ii + K_jj - 2 K_ij). Without one a single coefficient moves, the
one whose exact step within its box gains most. b is the middle of what all ask for. Responses are
kept for every example: a step evaluates the kernel columns of what it moves, n values each, and
none is remembered; K(x_i, x_i) is computed once and not counted. Chance has no part in it. Nothing
moves once no g differs by more than `TOLERANCE`.
"""

from typing import Any, NamedTuple

import numpy as np

from svmviz.data.params import Param
from svmviz.maths import kernels, matrix
from svmviz.maths.machine.jit import bare, jit
from svmviz.record import questions
from svmviz.record.changes import each
from svmviz.record.outcome import Record
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Algorithm, Goal, Solver, Story, Uses
from svmviz.record.symbols import Symbol, shared
from svmviz.solvers.sdca import LAM, ROUNDING, shrunk
from svmviz.theory import reference

TOLERANCE = 1e-10  # with λ n C = 1 the duality gap is no larger
FLAT = 1e-12  # curvature of a direction that has none


def lines(params) -> Lines:
    """Return a step on a pair or, without a bias, on one coefficient."""
    if not params["bias"]:
        return Lines(
            draw=Line(
                "i ← argmax gain of a step on α[i] alone", "i = {i}, m = {margin:.3f}", "draw"
            ),
            clip=Line(
                "α ← clip(α[i] + (1 − m)/K[i, i], 0, C)", "α = {new:.3g}, C = {C:.3g}", "clip"
            ),
            add=Line("f ← f + (α − α[i]) y[i] K[i, ·], α[i] ← α", "{evals} kernel evals", "add"),
        )
    return Lines(
        draw=Line("i ← argmax g over what can rise", "i = {i}, g = {g:.3f}", "draw"),
        partner=Line("j ← argmax (g[i] − g[j])²/κ, can fall", "j = {j}, g = {g_j:.3f}", "measure"),
        clip=Line("δ ← min((g[i] − g[j])/κ, room in both boxes)", "δ = {move:.3g}", "clip"),
        add=Line("β[i] ← β[i] + δ, β[j] ← β[j] − δ, β = yα", "α = {new:.3g}, {new_j:.3g}", "add"),
        lift=Line("g ← g − δ (K[i, ·] − K[j, ·])", "{evals} kernel evals", "lift"),
        offset=Line("b ← middle of what all ask for", "b = {b:.3f}", "offset"),
    )


WHY = Sentences(
    start=Sentence(
        "Nothing has moved yet: every α is 0, so that w = 0, and the dual stands at 0 while the"
        " primal is 1.",
        "Nothing moved yet.",
        "α = 0: w = 0, D = 0, P = 1.",
    ),
    pair=Sentence(
        "Point {i} ({label}) asks for b ≥ {g:.5g}, point {j} ({label_j}) for b ≤ {g_j:.5g}: they"
        " disagree by *{apart:.3g}*.",
        "Points {i} and {j} disagree most.",
        "g[i] = {g:.3g}, g[j] = {g_j:.3g}: g[i] − g[j] = *{apart:.3g}*, "
        "κ = K[i, i] + K[j, j] − 2 K[i, j] = {kappa:.3g}.",
    ),
    agree=Sentence(
        "Moving their coefficients by {move:.3g} makes them agree.",
        "Now they agree.",
        "δ = (g[i] − g[j])/κ = {move:.3g}: β[i] + δ, β[j] − δ.",
    ),
    stopped=Sentence(
        "Their boxes allow a move of {move:.3g}, and {left:.3g} is left between them.",
        "The boxes stop them.",
        "δ = room in the boxes = {move:.3g} < (g[i] − g[j])/κ: {left:.3g} is left.",
    ),
    single=Sentence(
        "No α gains more than that of point {i} ({label}), margin *{margin:.3f}*: it moves from"
        " {old:.3g≠new} to {new:.3g≠old}.",
        "Point {i} gains most.",
        "Largest gain of D: α = {old:.3g≠new}, m = *{margin:.3f}*, K[i, i] = {K_ii:.3g}: α + (1 −"
        " m)/K[i, i].",
    ),
    to_one=Sentence(
        "That brings the margin to exactly 1.", "To a margin of 1.", "α ← {new:.3g≠old}, m = 1."
    ),
    to_end=Sentence(
        "There its box ends, with the margin at {lifted:.3f}.",
        "Its box ends there.",
        "Clipped to [0, C] = [0, {C:.3g}]: α ← {new:.3g≠old}, m = {lifted:.3f}.",
    ),
    optimal=Sentence(
        "Optimal to 10⁻¹⁰: no step within the boxes raises the dual, and nothing moves.",
        "Optimal: nothing moves.",
        "Largest violation < 10⁻¹⁰: δ = 0.",
    ),
    shrunk=Sentence(
        "Before that the box had become smaller, or the coefficients were no longer allowed: all"
        " were scaled by {factor:.3f}.",
        "All α scaled first.",
        "Before that: α ← {factor:.3f} α.",
    ),
)
QUESTIONS = (
    questions.ALPHA,
    questions.Question(
        "mover",
        "{which} of these coefficients {moves} in step {step}?",
        "{picks}. A coefficient can gain if its margin is off and its box leaves room.",
        "{reason} {mistaken}",
        "{reason} {mistaken}",
        "clip",
    ),
    questions.GAP,
)
SYMBOLS = (
    *shared("t i n x y w f m λ K b C P P* D"),
    Symbol("j", "partner", "the example whose α falls as the other rises", "{j}", "drawn"),
    Symbol(
        "g",
        "asked bias",
        "the b for which this margin would be 1",
        "{g:.3f} of example {i}",
        "drawn",
    ),
    Symbol("κ", "curvature", "squared distance of both examples, as the kernel sees it"),
    Symbol("δ", "move", "how far both coefficients move", "{move:.3g}", "alphas"),
    Symbol(
        "α",
        "coefficients",
        "how much of each example w is made of",
        "{new:.3g} of example {i}",
        "alphas",
    ),
    Symbol(
        "β", "signed coefficients", "y α: the coefficient with the sign of its class", "", "alphas"
    ),
)


@bare
def ends(coef, lo, hi, g):
    """The largest g that can rise and where, the smallest that can fall and where: b should lie
    between them
    """
    i, j = -1, -1
    for k in range(g.size):
        if coef[k] < hi[k] and (i < 0 or g[k] > g[i]):
            i = k
        if coef[k] > lo[k] and (j < 0 or g[k] < g[j]):
            j = k
    return i, j


@bare
def middle(g, i, j):
    if i < 0 or j < 0:  # a single class has but one end
        return g[max(i, j)]
    return 0.5 * (g[i] + g[j])


@bare
def partner(coef, lo, g, K_i, diagonal, i):
    """The j that can fall with the largest second-order gain, and the curvature along the pair"""
    j, best, kappa = -1, 0.0, FLAT
    for k in range(g.size):
        if coef[k] > lo[k] and g[k] < g[i]:
            curvature = max(diagonal[i] + diagonal[k] - 2.0 * K_i[k], FLAT)
            gain = (g[i] - g[k]) ** 2 / curvature
            if gain > best:
                j, best, kappa = k, gain, curvature
    return j, kappa


@bare
def single(coef, lo, hi, g, diagonal):
    """The coefficient whose exact step within its box gains most, and the step"""
    i, best, move = 0, 0.0, 0.0
    for k in range(g.size):
        t = g[k] / max(diagonal[k], FLAT)
        t = min(max(t, lo[k] - coef[k]), hi[k] - coef[k])
        gain = t * (g[k] - 0.5 * t * diagonal[k])
        if gain > best:
            i, best, move = k, gain, t
    return i, move if abs(g[i]) > TOLERANCE else 0.0


@bare
def landed(coef, lo, hi):
    """The end of the box for what is there but for rounding, which would leave room for a step that
    moves nothing
    """
    near = ROUNDING * (hi - lo)
    return hi if hi - coef <= near else lo if coef - lo <= near else coef


class Steps(NamedTuple):
    """What each step leaves behind, of both of the pair where there is a bias."""

    index: np.ndarray  # (steps, 1 or 2) who moves
    margin: np.ndarray  # (steps, 1 or 2) responses before
    delta: np.ndarray  # (steps, 1 or 2)
    whole: np.ndarray  # (steps,) the step before the boxes
    b: np.ndarray  # (steps,)
    kernel_evals: np.ndarray  # (steps,)


@jit
def steps(rows, kernel, bias, lo, hi, coef, f, g, diagonal, out):
    """All iterations on the examples of `rows`"""
    n, index, margin, delta, whole = g.size, out.index, out.margin, out.delta, out.whole
    K_i, K_j = np.empty(n), np.empty(n)
    for s in range(index.shape[0]):
        evaluations = 0
        if bias:
            i, j = ends(coef, lo, hi, g)
            if i < 0 or j < 0 or g[i] - g[j] <= TOLERANCE:
                i, j, move = max(i, 0), max(j, 0), 0.0
                whole[s] = 0.0
            else:
                kernels.column(kernel, rows, i, K_i)
                j, kappa = partner(coef, lo, g, K_i, diagonal, i)
                kernels.column(kernel, rows, j, K_j)
                whole[s] = (g[i] - g[j]) / kappa
                move, evaluations = min(whole[s], min(hi[i] - coef[i], coef[j] - lo[j])), 2 * n
            index[s, 1], margin[s, 1] = j, f[j]
        else:
            i, move = single(coef, lo, hi, g, diagonal)
            whole[s] = g[i] / max(diagonal[i], FLAT)
            if move != 0.0:
                kernels.column(kernel, rows, i, K_i)
                evaluations = n
        index[s, 0], margin[s, 0], out.kernel_evals[s] = i, f[i], evaluations
        delta[s, 0] = move
        coef[i] = landed(coef[i] + move, lo[i], hi[i])
        if bias:
            delta[s, 1] = -move
            coef[j] = landed(coef[j] - move, lo[j], hi[j])
        if move != 0.0:
            for k in range(n):
                change = move * (K_i[k] - K_j[k]) if bias else move * K_i[k]
                f[k] += change
                g[k] -= change
        i, j = ends(coef, lo, hi, g)
        out.b[s] = middle(g, i, j) if bias else 0.0


def run(problem, params, order, start, active) -> tuple[Record, Any]:
    """Steps t + 1, t + 2, ... from where the segment begins; it chooses its examples itself."""
    kernel, bias, count = params["kernel"] or kernels.linear(), params["bias"], len(order)
    C = 1.0 / (params["lam"] * active.size)
    X, y = problem.X if active.size == problem.n else problem.X[active], problem.y[active]
    lo, hi, factor = np.minimum(0.0, y * C), np.maximum(0.0, y * C), np.ones(count)
    factor[0] = shrunk(problem, start.coef, active, C, bias)
    coef, rows = factor[0] * start.coef[active], matrix.rows(X)
    if (
        start.state is not None
        and factor[0] == 1.0
        and start.state[0] == kernel
        and np.array_equal(start.state[1], active)
    ):
        coef, f, g = (
            kept.copy() for kept in start.state[2]
        )  # after a step two g tie, and rounding decides
    else:
        f = kernels.responses(kernel, X, coef) + 0.0
        g = y - f
    for k in range(active.size):
        coef[k] = landed(coef[k], lo[k], hi[k])
    wide = (count, 2 if bias else 1)
    out = Steps(
        np.empty(wide, np.int64),
        np.empty(wide),
        np.empty(wide),
        np.empty(count),
        np.empty(count),
        np.empty(count, np.int64),
    )
    steps(rows, kernel, bias, lo, hi, coef, f, g, kernels.diagonal(kernel, rows), out)

    moved, met = out.delta[:, 0] != 0.0, np.abs(out.delta[:, 0]) < np.abs(out.whole) * (1 - 1e-12)
    if bias:
        why = WHY.pair | np.where(met, WHY.stopped, WHY.agree)
    else:
        why = WHY.single | np.where(met, WHY.to_end, WHY.to_one)
    why = np.where(moved, why, WHY.optimal) | np.where(factor < 1.0, WHY.shrunk, 0)
    entries = X.nnz if hasattr(X, "nnz") else X.size
    drawn = active[out.index]
    return Record(
        drawn,
        y[out.index] * out.margin + 0.0,
        each(factor, drawn, out.delta),
        lines(params).ran(count, clip=moved, add=moved, lift=moved),
        why,
        out.kernel_evals,
        out.kernel_evals // active.size * entries,
        {"b": out.b},
    ), (kernel, active, (coef, f, g))


def values(trace, t) -> dict:
    """The live quantities of step t; those that end in _j belong to the partner."""
    if t == 0:
        return {"t": 0}
    segment = trace.segment(t)
    record, row, problem = segment.record, t - segment.start - 1, trace.problem
    places, change, factor, coef = (
        record.drawn[row],
        record.delta[row],
        float(record.factor[row]),
        trace.at(t - 1).coef,
    )
    y, old = problem.y[places], factor * np.abs(coef[places])
    new, g = np.abs(factor * coef[places] + change), y - y * record.margin[row]
    K = kernels.gram(trace.kernel(t), problem.X[places])
    move, apart, kappa = (
        float(abs(change[0])),
        float(g[0] - g[-1]),
        float(K[0, 0] + K[-1, -1] - 2 * K[0, -1]),
    )
    return {
        "t": t,
        "i": int(places[0]) + 1,
        "j": int(places[-1]) + 1,
        "hits": int((change != 0).sum()),
        "label": "+1" if y[0] > 0 else "−1",
        "label_j": "+1" if y[-1] > 0 else "−1",
        "margin": float(record.margin[row, 0]),
        "old": float(old[0]),
        "new": float(new[0]),
        "new_j": float(new[-1]),
        "g": float(g[0]),
        "g_j": float(g[-1]),
        "C": 1.0 / (segment.params["lam"] * len(segment.active)),
        "move": move,
        "apart": apart,
        "left": max(0.0, apart - move * kappa),
        "kappa": kappa,
        "K_ii": float(K[0, 0]),
        "b": float(trace.scalars["b"][t]),
        "lifted": float(record.margin[row, 0] + y[0] * change[0] * K[0, 0]),
        "evals": int(record.kernel_evals[row]),
        "factor": factor,
    }


def draw(active, params, chance, start, stop, given) -> np.ndarray:
    """Nothing: it chooses its examples itself."""
    return np.zeros((stop - start, 1))


SMO = Solver(
    key="smo",
    title="Sequential minimal optimisation",
    paper="Platt 1998; Fan, Chen, Lin 2005",
    params=(
        LAM,
        Param(
            "kernel",
            "K",
            None,
            help="The responses are kept for every example, whatever the kernel.",
            title="kernel",
        ),
        Param(
            "bias",
            "b",
            True,
            help="Add a constant b that is not regularised: then coefficients move in pairs.",
            title="unregularised bias",
        ),
    ),
    algorithm=Algorithm(
        draw=draw,
        run=run,
        work=lambda n, d, params: 2 * n * (kernels.COST if params["kernel"] else d),
        start=lambda problem, params, active: {"b": 0.0},
        entered=lambda problem, params, active, entry: {
            "b": entry.own["b"] if params["bias"] else 0.0
        },
        takes=(),
        chance=False,
    ),
    story=Story(
        figure=lambda params: "WSS 2" if params["bias"] else "WSS 2 without bias",
        lines=lines,
        why=WHY,
        values=values,
        questions=QUESTIONS,
        symbols=SYMBOLS,
    ),
    goal=Goal(
        dual=True,
        optimum=lambda problem, params: reference.optimum(
            problem, params["lam"], params["kernel"], params["bias"]
        ),
    ),
    # two points that disagree about b, and by how much their α must move
    uses=Uses(
        opening="data=moons&n=120&noise=0.2&lam=0.01&kernel=rbf(gamma=2.0)&T=120&t=21&beat=clip",
        fit_tol=1e-3,
    ),
)
