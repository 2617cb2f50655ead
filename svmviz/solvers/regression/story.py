"""The story of Pegasos for regression: pseudo-code, sentences and the values in them."""

import numpy as np

from svmviz.maths import sampling
from svmviz.maths.losses import TUBE, in_ball, loss_of
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.symbols import CONSTANT, Symbol, shared
from svmviz.theory import regression

SHRINKS = "w only shrinks, by 1 − 1/t = {shrink:.3f}."
SHRUNK = "(1 − 1/{t}) w = {shrink:.3f} w"
RESIDUAL = "r = f(x) − y = {f:.3g} − {target:.3g} = *{r:.3g}*"
STEP = "η = 1/(λt) = {eta:.3g}: w ← (1 − 1/{t}) w − η ℓ′(r) x = {shrink:.3f} w "
WHY = Sentences(
    start=Sentence(
        "Nothing has been drawn yet: f = 0 everywhere, and that costs {first:.3g} on average.",
        "Nothing drawn yet.",
        "w = 0: r = −y for all points, and P = λ/2 · 0 + mean ℓ(−y) = {first:.3g}.",
    ),
    inside=Sentence(
        "At point {i} f is {f:.3g} and the target {target:.3g}: the residual *{r:.3g}* is within ε"
        " = {epsilon:.3g}, and " + SHRINKS,
        "In the tube: only shrink.",
        RESIDUAL + ", |r| ≤ ε: w ← " + SHRUNK + ".",
    ),
    low=Sentence(
        "At point {i} f is {f:.3g}, too low for the target {target:.3g} (residual *{r:.3g}*): a"
        " step of η = {eta:.3g} lifts it.",
        "Below its target: lift f.",
        RESIDUAL + " < −ε, ℓ′ = −1, " + STEP + "+ {step:.3g} x.",
    ),
    high=Sentence(
        "At point {i} f is {f:.3g}, too high for the target {target:.3g} (residual *{r:.3g}*): a"
        " step of η = {eta:.3g} lowers it.",
        "Above its target: lower f.",
        RESIDUAL + " > ε, ℓ′ = 1, " + STEP + "− {step:.3g} x.",
    ),
    all_inside=Sentence(
        "All {k} points drawn lie in the tube (largest residual *{r:.3g}*, point {i}): " + SHRINKS,
        "All in the tube: only shrink.",
        "max |r| = |*{r:.3g}*| ≤ ε: w ← " + SHRUNK + ".",
    ),
    some=Sentence(
        "*{hits}* of {k} points outside the tube (largest residual *{r:.3g}*, point {i}): each"
        " pulls f to itself, by η/k = {eta_k:.3g}.",
        "{hits} of {k} outside: f is pulled.",
        "|r| > ε for *{hits}* of {k}: w ← {shrink:.3f} w − (η/k) Σ sign(r) x over these, η/k ="
        " {eta_k:.3g}.",
    ),
    by_size=Sentence(
        "At point {i} f is {f:.3g} and the target {target:.3g}: a step of η|r| = {step:.3g} along"
        " x, against the residual *{r:.3g}*.",
        "Against the residual.",
        RESIDUAL + " = ℓ′(r), " + STEP + "− ({eta:.3g} · {r:.3g}) x.",
    ),
    all_by_size=Sentence(
        "Each of {k} points pulls f to itself, by η/k = {eta_k:.3g} times its residual (largest"
        " *{r:.3g}*, point {i}).",
        "All pull, the far ones more.",
        "w ← {shrink:.3f} w − (η/k) Σ r x, η/k = {eta_k:.3g}.",
    ),
    pulled=Sentence(
        "w is pulled back onto the ball, from {norm_added:.3g≠radius} to {radius:.3g≠norm_added}.",
        "Back onto the ball.",
        "‖w‖ > ρ: w ← {radius:.3g≠norm_added}/{norm_added:.3g≠radius} w.",
    ),
)
Y = Symbol("y", "target", "number that f should be at an example", "{target:.3g}", "drawn")
R = Symbol("r", "residual", "f(x) − y: above 0 f is too high", "{r:.3g}", "drawn hinge")
EPSILON = Symbol(
    "ε", "half width of the tube", "residuals up to this count as close", "{epsilon:.3g}", "hinge"
)
ALPHA = Symbol(
    "α",
    "coefficients",
    "how much of each example w is made of",
    "{support} of them not 0",
    "support alphas",
)
COST = Symbol("ℓ", "loss", "what an example pays for its residual", "", "hinge")
SYMBOLS = (
    *shared("t i j n x w w̄ λ η K P P* w*"),
    *CONSTANT,
    Y,
    R,
    EPSILON,
    ALPHA,
    COST,
    Symbol("f", "prediction", "what is said of the target at x", "", "boundary"),
    Symbol("ℓ′", "slope of the loss", "how fast the loss grows with the residual", "", "hinge"),
    Symbol(
        "ρ", "radius of the ball", "√(mean loss of f = 0, over λ): holds w*", "{radius:.3g}", "step"
    ),
    Symbol("k", "mini-batch", "examples drawn in a step", "{k}", "drawn"),
    Symbol("A", "examples drawn", "those that this step looks at", "", "drawn"),
)


def lines(params) -> Lines:
    """Return Fig. 1, 2 or 3, with the loss of the parameters."""
    one, kernelised, tube = (
        params["k"] == 1,
        params["kernel"] is not None,
        loss_of(params).kind == TUBE,
    )
    inner, add = ("Σ α[j] K[j, i]", "α[i] ← α[i] − ") if kernelised else ("⟨w, x[i]⟩", "w ← w − ")
    whom = (
        ("if |r| > ε: " if tube else "")
        if one
        else "for i in A, |r| > ε: "
        if tube
        else "for i in A: "
    )
    much = (
        ("η" if one else "(η/k)") + (" sign(r)" if tube else " r") + ("" if kernelised else " x[i]")
    )
    listed = Lines(
        draw=Line(sampling.written(params["sampling"], params["k"]), "{drawn}", "draw"),
        measure=Line(f"r ← {inner} − y[i], η ← 1/(λt)", "r = {r:.3g}, η = {eta:.3g}", "measure"),
        shrink=Line(
            "α ← (1 − 1/t) α" if kernelised else "w ← (1 − 1/t) w",
            "‖w‖ = {norm_shrunk:.3g}",
            "shrink",
        ),
        add=Line(whom + add + much, "‖w‖ = {norm_added:.3g}", "add"),
    )
    if not in_ball(params):
        return listed
    pull = "α ← min(1, ρ/‖w‖) α" if kernelised else "w ← min(1, ρ/‖w‖) w"
    return listed | Lines(project=Line(pull, "‖w‖ = {norm:.3g}", "project"))


def reach(problem, params, active) -> float:
    """The radius of the ball that w* lies in."""
    return regression.radius(
        problem._replace(X=problem.X[:1], y=problem.y[active]), params["lam"], loss_of(params)
    )


def values(trace, t) -> dict:
    """The live quantities of step t. For a mini-batch, the example with the largest residual stands
    for it.
    """
    segment = trace.segment(t)
    record, row, params = segment.record, t - segment.start - 1, segment.params
    if t == 0:
        return {"t": 0, "first": float(trace.metrics["hinge"][0])}
    worst = int(np.argmax(np.abs(record.margin[row])))
    i, k, r = int(record.drawn[row, worst]), record.drawn.shape[1], float(record.margin[row, worst])
    norm, pull, eta = (
        trace.metrics["norm"],
        float(record.own["project"][row]),
        1.0 / (params["lam"] * t),
    )
    target, shrink = float(trace.problem.y[i]), 1.0 - 1.0 / t
    return {
        "t": t,
        "i": i + 1,
        "k": k,
        "drawn": f"i = {i + 1}" if k == 1 else f"{k} points",
        "target": target,
        "r": r,
        "f": r + target,
        "hits": int((record.delta[row] != 0.0).sum()),
        "eta": eta,
        "eta_k": eta / k,
        "shrink": shrink,
        "norm_shrunk": shrink * trace.before("norm", t),
        "norm_added": float(norm[t]) / pull,
        "norm": float(norm[t]),
        "radius": reach(trace.problem, params, segment.active),
        "step": float(np.abs(record.delta[row]).sum()) / pull,
    }
