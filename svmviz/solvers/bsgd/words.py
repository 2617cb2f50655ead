"""How budgeted SGD speaks of itself: its pseudo-code, its sentences and the live values in them."""

import numpy as np

from svmviz.maths.losses import HINGE, LOGISTIC, loss_of, slope
from svmviz.maths.words import fill, times
from svmviz.record.questions import PAYS
from svmviz.record.solver import Line, Question, Sentence
from svmviz.record.symbols import CONSTANT, Symbol, shared
from svmviz.solvers.bsgd import learner, strategies
from svmviz.solvers.bsgd.prices import prices

DRAW, MEASURE, SHRINK, ADD, CHOOSE, LOOK, TAKE, PULL = (1 << bit for bit in range(8))


def forgets(params) -> bool:
    """Only the Perceptron that removes the oldest vector forgets; elsewhere the switch does nothing."""
    return params["forget"] and params["rule"] == "margin Perceptron" and params["maintenance"] == "remove oldest"


def any_two(params) -> bool:
    """Whether all pairs are looked at, not only those of the smallest vector."""
    return params["maintenance"] == "merge" and params["pairs"] == "all"


def weighs(params) -> bool:
    """Whether an example is added with the slope of its loss, which the hinge has not in degrees."""
    return not (params["rule"] == "margin Perceptron" or params["multiclass"] or loss_of(params).kind == HINGE)


def listing(params) -> list[tuple[int, Line]]:
    """Algorithm 1 with the maintenance and the rule that these parameters select; each line with what runs it."""
    many, kind, perceptron = params["multiclass"], params["maintenance"], params["rule"] == "margin Perceptron"
    rates = {"Pegasos": "1/(λt)", "Norma": "η₀/√t"}
    out = [
        (DRAW, Line("receive (x[t], y[t])", "i = {i}", "draw")),
        (MEASURE, Line(*(("margin ← f[y](x) − max f[r](x)", "margin = {margin:.2f}") if many else
                         ("f ← Σ α[j] K(x[j], x[t])", "y f = {margin:.2f}")), "measure")),
    ]
    if not perceptron:
        out.append((SHRINK, Line(f"α ← (1 − ηλ) α,  η = {rates[params['rule']]}", "1 − ηλ = {shrink:.3f}", "shrink")))
    asked = f"{params['beta']:g}" if perceptron else "1"
    add = "α[t] ← η (e[y] − e[r])" if many else "α[t] ← η y[t]"
    below = f"{'≤' if asked == '0' else '<'} {asked}"
    add = "α[t] ← −η ℓ′(y f) y[t]" if weighs(params) else f"if {'margin' if many else 'y f'} {below}: {add}"
    out.append((ADD, Line(add, "η = {eta:.3g}, vectors = {grown}", "add")))
    if kind.startswith("remove"):
        which = {"smallest": "argmin |α[j]|² K[j, j]", "oldest": "the oldest", "random": "any of the old"}[kind[7:]]
        shrunk = "α ← φ α, " if forgets(params) else ""
        out += [(CHOOSE, Line(f"if vectors > B: p ← {which}", "p = {name_m}", "choose")),
                (TAKE, Line(f"{shrunk}drop α[p]", "‖Δ‖² = {degradation:.3g}", "take"))]
    elif kind.startswith("project"):
        which = "argmin |α[j]|² K[j, j]" if kind == "project smallest" else "argmin |α[j]|²/Q[j, j]"
        out += [(CHOOSE, Line(f"if vectors > B: p ← {which}", "p = {name_m}", "choose")),
                (LOOK, Line("Δα ← α[p] K⁻¹ K[·, p]", "to {others} vectors", "look")),
                (TAKE, Line("α ← α + Δα, drop α[p]", "‖Δ‖² = {degradation:.3g}", "take"))]
    elif kind == "merge":
        value = "n = {name_n}, h = {h:.3f}"
        two = ("if vectors > B: weigh all pairs", "{grown} vectors"), ("m, n, h ← argmin ‖Δ‖² over all pairs", value)
        one = ("if vectors > B: m ← argmin |α[j]|²", "m = {name_m}"), ("n, h ← argmin ‖Δ‖² over partners", value)
        chosen, looked = two if any_two(params) else one
        out += [(CHOOSE, Line(*chosen, "choose")), (LOOK, Line(*looked, "look")),
                (TAKE, Line("z ← h x[m] + (1 − h) x[n]", "‖Δ‖² = {degradation:.3g}", "take"))]
    if perceptron and params["U"]:
        out.append((PULL, Line("α ← min(1, U/‖w‖) α", "‖w‖ = {norm:.2f}", "project")))
    return out


def lines(params) -> tuple[Line, ...]:
    return tuple(line for _, line in listing(params))


POINT = "Point {i} ({label}) has margin *{margin:.2f}*{over}"
FULL, COST = "Full: {name_m}", "‖Δ‖² = *{degradation:.3g}*"
WHY = (
    Sentence("Nothing has been seen yet: w = 0, and there is no support vector.", "Nothing seen yet.",
             "w = Σ α[j] K(x[j], ·) = 0: there is no j."),
    Sentence(POINT + ", {enough}.", "Far enough: nothing to learn.", "{score} = *{margin:.2f}*{above}: α[t] = 0."),
    Sentence(POINT + "{lack}: a new vector of weight {weight}.", "Too close: a new vector.",
             "{score} = *{margin:.2f}*{below}: α[t] = {come}."),
    Sentence("", "", "Old α: (1 − ηλ) α = {shrink:.3f} α."),
    Sentence("Support vectors now: {b} of {B}.", "", "{b} vectors ≤ B = {B}."),
    Sentence(FULL + " goes, and " + COST + " with it{instead}.", "Full: {name_m} goes.",
             "p = {name_m}: ‖Δ‖² = α[p]² K[p, p]{product} = *{degradation:.3g}*."),
    Sentence(FULL + " goes, its weight flows to the {others} others, costing " + COST + "{instead}.",
             "Full: {name_m} flows to the others.",
             "p = {name_m}: Δα = α[p] K⁻¹ K[·, p], ‖Δ‖² = α[p]²/Q[p, p]{product} = *{degradation:.3g}*."),
    Sentence(FULL + " and {name_n} merge{spot}, costing " + COST + "{instead}.", "Full: {name_m} and {name_n} merge.",
             "h = {h:.3f}: {heir}‖Δ‖² = α[m]² + α[n]² + 2 α[m] α[n] K[m, n] − α[z]² = *{degradation:.3g}*."),
    Sentence(FULL + " has no partner on its side and goes, and " + COST + " with it.", "Full: {name_m}, alone, goes.",
             "m = {name_m}, no j with α[m] α[j] > 0: ‖Δ‖² = α[m]² K[m, m]{product} = *{degradation:.3g}*."),
    Sentence(POINT + "{lack}, but the {b} support vectors span it: its weight flows to them, costing ‖Δ‖² = {degradation:.3g}.",
             "Too close, but spanned by the others.",
             "{score} = *{margin:.2f}*{below}: α ← α + α[t] K⁻¹ K[·, t], α[t] = {come}; ‖Δ‖² = {degradation:.3g}."),
    Sentence("There are {b} support vectors, as many as there may be: learning has stopped.", "Full: learning has stopped.",
             "{b} vectors ≥ B = {B}: α stays as it is."),
    Sentence("Before that all shrink by φ = {phi:.3f} to lose less.", "", "Before that: α ← φ α = {phi:.3f} α."),
    Sentence("w is shortened to U = {U:g}.", "", "α ← U/‖w‖ α = {U:g}/{long:.3g} α = {pull:.3f} α."),
)
QUESTIONS = (
    PAYS._replace(ask="Which of these points would become support vectors if they came next?",
                  right="Whoever has a margin {asked} does, on the right side too. {drew}",
                  wrong="The side does not decide, the margin does: whoever has one {asked} does. {mistaken}{drew}"),
    Question(
        "leaves", "Point {i} ({label}) comes in, and that is one more than {B}. {who}",
        "Choose one. Point {i} itself may be it; of equals the oldest goes.",
        "{reason} {cost}", "{mistaken}{reason} {cost}", "choose"),
    Question(
        "pair", "Point {i} ({label}) comes in, and that is one more than {B}. Which pair would you merge?",
        "Draw a line between two vectors of one sign. The price is ‖Δ‖², how far w moves.",
        "{compared} {rank} {removal}", "{compared} {rank} {removal}", "look"),
)
SYMBOLS = (
    *shared("t y w f λ K ℓ ℓ′ s P P*"), CONSTANT[1],
    Symbol("i", "example that came", "number of the example of this step", "{i}", "drawn"),
    Symbol("x", "example", "features of an example or of a vector", "", "drawn"),
    Symbol("j", "a support vector", "runs over the slots of the rack", "", "rack"),
    Symbol("η", "step length", "weight with which a new vector comes in", "{eta:.3g}", "drawn rack"),
    Symbol("η₀", "step length at first", "η is this, for Norma divided by √t", "{eta_0:.3g}"),
    Symbol("α", "coefficients", "weight of each support vector, with its sign", "{vectors} of them", "rack support"),
    Symbol("B", "budget", "support vectors that may stay", "{B}", "rack"),
    Symbol("β", "margin asked for", "up to this margin the Perceptron learns", "{beta:.3g}"),
    Symbol("U", "radius", "w is pulled back to this length", "{U:.3g}"),
    Symbol("m", "who merges", "the lighter one of the pair", "{name_m}", "pair"),
    Symbol("n", "its partner", "the vector that it costs least to merge with", "{name_n}", "pair"),
    Symbol("z", "merged vector", "takes the place of m and n", "{name_z}", "pair"),
    Symbol("h", "place of z", "on the way from n (0) to m (1)", "{h:.3f}", "pair"),
    Symbol("p", "who goes", "the vector that is taken off the rack", "{name_m}", "pair"),
    Symbol("Δ", "damage", "change of w that maintenance causes", "‖Δ‖² = {degradation:.3g}", "pair"),
    Symbol("Q", "inverse of K", "of the kernel between the support vectors"),
    Symbol("φ", "forgetting", "all coefficients shrink by this first", "{phi:.3f}", "rack"),
    Symbol("e", "class vector", "1 for one class, 0 for the others"),
    Symbol("r", "rival", "the other class that scores highest", "", "boundary"),
)
START, FREE, ADDED, SHRUNK, ROOM, REMOVED, PROJECTED, MERGED, ALONE, FOLDED, FROZEN, FORGOT, PULLED = (
    1 << bit for bit in range(13))
SAID = {strategies.REMOVED: REMOVED, strategies.PROJECTED: PROJECTED, strategies.MERGED_TWO: MERGED, strategies.ALONE: ALONE,
        strategies.FROZEN: FROZEN}


def spoken(params, happened, adds, steps, shrink, phi, pull) -> np.ndarray:
    """Which sentences each step speaks."""
    folded = happened == strategies.FOLDED
    out = np.where(steps, np.where(folded, FOLDED, ADDED), FREE)
    out = np.where(happened == strategies.FROZEN, 0, out)
    for event, sentence in SAID.items():
        out |= np.where(happened == event, sentence, 0)
    limited = params["maintenance"] != "none"
    out |= np.where(adds & (happened == strategies.NOTHING) & limited, ROOM, 0)
    return out | np.where(shrink < 1.0, SHRUNK, 0) | np.where(phi < 1.0, FORGOT, 0) | np.where(pull < 1.0, PULLED, 0)


def name_of(trace, row: int) -> str:
    """What a row of the table is called in a sentence."""
    n = trace.problem.n
    return "nothing" if row < 0 else f"point {row + 1}" if row < n else f"vector {row - n + 1}"


def label_of(trace, i: int) -> str:
    return class_of(trace, trace.problem.y[i])


def class_of(trace, y) -> str:
    return f"class {int(y)}" if trace.problem.classes > 2 else "+1" if y > 0 else "−1"


def judged(params, loss) -> dict[str, str]:
    """What is said beside a margin: what it is called, what it lacks, and below or above what it is."""
    asked = params["beta"] if params["rule"] == "margin Perceptron" else 1.0
    below, above = (" ≤ 0", " > 0") if asked == 0 else (f" < {asked:g}", f" ≥ {asked:g}")
    if loss.kind != HINGE:
        below = ""
    never = loss.kind == LOGISTIC  # without a slope
    return {
        "score": "f[y] − f[r]" if params["multiclass"] else "y f",
        "lack": "" if not below else f", below {asked:g}" if asked else ", not above 0",
        "below": below, "above": ", −ℓ′(y f) ≈ 0" if never else above,
        "enough": "so large that it is worth no vector" if never else f"at least {asked:g}: it costs nothing",
    }


def arrived(params, t: int, y: float, fall: float) -> dict[str, str | float]:
    """With which weight an example comes in where the loss `fall`s so steeply: in words, and as a formula."""
    rule = learner.RULE_NAMES.index(params["rule"])
    eta = [1.0 / (params["lam"] * t), params["eta"] / t**0.5, params["eta"]][rule]
    part = 1.0 if params["multiclass"] else fall * y
    told = {"t": t, "lam": params["lam"], "step": fall * eta, "top": part * (params["eta"] if rule else 1.0), "new": part * eta}
    formula = "η (e[y] − e[r]), η = " if params["multiclass"] else "−η ℓ′ y = " if weighs(params) else "η y = "
    reckoned = ("{top:.3g}/({lam:.3g} · {t}) = ", "{top:.3g}/√{t} = ", "")[rule]
    return {"eta": eta, "weight": fill(times(fall) + "η = {step:.3g}", told),
            "come": fill(formula + reckoned + "{new:.3g}", told)}


def weighed(trace, t: int, kind: int, lost: float) -> dict[str, str]:
    """What the maintenance of step t would have cost otherwise, and the terms of what it did cost."""
    found, merged = prices(trace, t), kind == strategies.MERGED_TWO
    if found is None:
        return {"instead": "", "heir": "", "product": ""}
    told = found._asdict() | dict(zip(("a_m", "a_n", "a_z"), found.sizes, strict=False)) | dict(
        zip("pq", found.shares, strict=False))
    told["rest"] = lost / max(told["a_m"] ** 2, 1e-300) if kind == strategies.PROJECTED else found.own
    instead = {
        strategies.MERGED_TWO: "; removal would cost {removal:.3g}" if found.second is None else
        "; the next partner would cost {second:.3g}, removal {removal:.3g}",
        strategies.REMOVED: "; the lightest other would cost {second:.3g}",
        strategies.PROJECTED: "; removal would cost {removal:.3g}"}.get(kind, "")
    heir = "α[z] = {p:.3f} α[m] + {q:.3f} α[n], " if trace.scores > 1 else (
        "|α[z]| = {p:.3f} · {a_m:.3g} + {q:.3f} · {a_n:.3g} = {a_z:.3g}, ")
    return {"instead": fill(instead, told), "heir": fill(heir, told) if merged else "",
            "product": "" if merged else fill(" = {a_m:.3g}² · {rest:.3g}", told)}


def spot(trace, own) -> str:
    """Where z lies, if that is in the place of one of the two."""
    heir = own["n"] if own["h"] == 0.0 else own["m"] if own["h"] == 1.0 else -1
    return f" where {name_of(trace, int(heir))} is" if heir >= 0 else ""


def values(trace, t) -> dict:
    """The live quantities of step t; those of the maintenance speak of its last event."""
    if t == 0:
        return {"t": 0}
    segment = trace.segment(t)
    record, s, params = segment.record, t - segment.start - 1, segment.params
    own = {name: float(column[s]) for name, column in record.own.items()}
    i, margin, loss = int(record.drawn[s, 0]), float(record.margin[s, 0]), trace.solver.loss(params)
    b, rival = int(own["n_sv"]), class_of(trace, own["rival"]) if params["multiclass"] else ""
    fall = -slope(loss, margin) if loss.kind != HINGE else 1.0
    return own | judged(params, loss) | arrived(params, t, float(trace.problem.y[i]), fall) | weighed(
        trace, t, int(own["event"]), own["degradation"]) | {
        "t": t, "i": i + 1, "label": label_of(trace, i), "margin": margin, "b": b, "over": f" over {rival}" if rival else "",
        "shrink": float(record.factor[s]) / (own["pull"] * own["phi"]), "long": params["U"] / own["pull"],
        "hits": int(own["added"]), "grown": int(trace.metrics["n_sv"][t - 1] + own["added"]), "others": b,
        "norm": float(trace.metrics["norm"][t]),
        **{f"name_{which}": name_of(trace, int(own[which])) for which in "mnz"},
        "spot": spot(trace, own) if own["event"] == strategies.MERGED_TWO else "",
    }
