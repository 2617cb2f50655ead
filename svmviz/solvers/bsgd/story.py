"""The sentences, questions and symbols of budgeted SGD."""

import numpy as np

from svmviz.record.questions import PAYS
from svmviz.record.sentences import Sentence, Sentences
from svmviz.record.solver import Question
from svmviz.record.symbols import CONSTANT, Symbol, shared
from svmviz.solvers.bsgd.maintenance import strategies

POINT = "Point {i} ({label}) has margin *{margin:.2f}*{over}"
FULL, COST = "Full: {name_m}", "‖Δ‖² = *{degradation:.3g}*"
WHY = Sentences(
    start=Sentence(
        "Nothing has been seen yet: w = 0, and there is no support vector.",
        "Nothing seen yet.",
        "w = Σ α[j] K(x[j], ·) = 0: there is no j.",
    ),
    free=Sentence(
        POINT + ", {enough}.",
        "Far enough: nothing to learn.",
        "{score} = *{margin:.2f}*{above}: α[t] = 0.",
    ),
    added=Sentence(
        POINT + "{lack}: a new vector of weight {weight}.",
        "{where}: a new vector.",
        "{score} = *{margin:.2f}*{below}: α[t] = {come}.",
    ),
    whole=Sentence(
        POINT + ", below 1: a new vector, just heavy enough for a margin of 1.",
        "Too close: just enough of it.",
        "{score} = *{margin:.2f}* < 1: |α[t]| = ℓ/‖x‖² = {tau:.3g} < C = {C:.3g}.",
    ),
    capped=Sentence(
        POINT + ", below 1: a new vector of weight C = {C:.3g}. A margin of 1 would take more.",
        "Too close: cut at C.",
        "{score} = *{margin:.2f}* < 1: |α[t]| = C = {C:.3g} ≤ ℓ/‖x‖².",
    ),
    implicit=Sentence(
        POINT
        + ", below 1 + ηλ: a new vector of weight {tau:.3g}, just enough for a margin of 1 once all"
        " have shrunk.",
        "Too close: just enough of it.",
        "{score} = *{margin:.2f}* < 1 + ηλ: |α[t]| = (1 + ηλ − {score})/‖x‖²/(1 + ηλ) = {tau:.3g}.",
    ),
    cut=Sentence(
        POINT + ", below 1 + ηλ: a new vector, as heavy as one step may make it.",
        "Too close: cut at η.",
        "{score} = *{margin:.2f}* < 1 + ηλ: |α[t]| = η/(1 + ηλ) = {tau:.3g}, η = {eta:.3g}.",
    ),
    folded=Sentence(
        POINT
        + "{lack}, but it lies in the span of {b} support vector{b:s}: its weight flows there, "
        "costing ‖Δ‖² = {degradation:.3g}.",
        "{where}, but spanned by the others.",
        "{score} = *{margin:.2f}*{below}: α ← α + α[t] K⁻¹ K[·, t], α[t] = {come}; ‖Δ‖² ="
        " {degradation:.3g}.",
    ),
    nearly=Sentence(
        POINT
        + "{lack}, but is only δ = {by:.3g} from what the others span, at most ε = {eps:.3g}: its"
        " weight flows to them, costing ‖Δ‖² = {degradation:.3g}.",
        "{where}, but nothing new: it flows to the others.",
        "{score} = *{margin:.2f}*{below}, δ = {by:.3g} ≤ ε = {eps:.3g}: α ← α + α[t] K⁻¹ K[·, t],"
        " α[t] = {come}; ‖Δ‖² = δ² α[t]² = {degradation:.3g}.",
    ),
    no_room=Sentence(
        POINT
        + "{lack} and is δ = {by:.3g} away from what the others span, but there is no room: its"
        " weight flows to the others, costing ‖Δ‖² = {degradation:.3g}.",
        "{where}, and no room: it flows to the others.",
        "{score} = *{margin:.2f}*{below}, δ = {by:.3g} > ε = {eps:.3g}, {b} vector{b:s} = B: α ← α"
        " + α[t] K⁻¹ K[·, t], α[t] = {come}; ‖Δ‖² = δ² α[t]² = {degradation:.3g}.",
    ),
    leant=Sentence(
        POINT
        + ", right, but below 1: no new vector, but a step of τ = {tau:.3g} along what the others"
        " span of it.",
        "Right, but close: a small step.",
        "0 < {score} = *{margin:.2f}* < 1, 1 − {score} > δ/ε = {by:.3g}/{eps:.3g}: α ← α + τ y K⁻¹"
        " K[·, t], τ = {tau:.3g}; ‖Δ‖² = {degradation:.3g}.",
    ),
    shrunk=Sentence("", "", "Old α: {factor} α = {shrink:.3f} α."),
    room=Sentence("Support vectors now: {b} of {B}.", "", "{b} vector{b:s} ≤ B = {B}."),
    removed=Sentence(
        FULL + " goes, and " + COST + " with it{instead}.",
        "Full: {name_m} goes.",
        "p = {name_m}: ‖Δ‖² = α[p]² K[p, p]{product} = *{degradation:.3g}*.",
    ),
    easy=Sentence(
        "Without it its own margin is {by:.2f}: no other has a larger one without itself.",
        "",
        "max y[j] (f(x[j]) − α[j] K[j, j]) = {by:.2f}, at p.",
    ),
    errs=Sentence(
        "Without it {by:.0f} of the vectors would be on the wrong side; without any other no"
        " fewer.",
        "",
        "min over j of #(i: y[i] (f(x[i]) − α[j] K[i, j]) ≤ 0) = {by:.0f}, at p.",
    ),
    counted=Sentence(
        "Without it {by:.0f} of the examples that vectors stand for would be wrong; without any"
        " other no fewer.",
        "",
        "min over j of counted mistakes of f − α[j] K[j, ·] = {by:.0f}, at p.",
    ),
    projected=Sentence(
        FULL + " goes, its weight flows to the others, costing " + COST + "{instead}.",
        "Full: {name_m} flows to the others.",
        "p = {name_m}: Δα = α[p] K⁻¹ K[·, p], ‖Δ‖² = α[p]²/Q[p, p]{product} = *{degradation:.3g}*.",
    ),
    handed=Sentence(
        FULL
        + " goes, and point {i} takes over what it can of its weight, which costs "
        + COST
        + "{instead}.",
        "Full: {name_m} goes, the newcomer takes over.",
        "p = {name_m}: Δα[t] = α[p] K[p, t]/K[t, t], ‖Δ‖² = α[p]² (K[p, p] − K[p, t]²/K[t, t]) ="
        " *{degradation:.3g}*.",
    ),
    shared=Sentence(
        FULL
        + " goes, and its neighbour, {name_n}, and point {i} take over, which costs "
        + COST
        + "{instead}.",
        "Full: {name_m} goes, neighbour and newcomer take over.",
        "p = {name_m}: projected on {name_n} and point {i}, ‖Δ‖² = α[p]² ‖rest‖² ="
        " *{degradation:.3g}*.",
    ),
    merged=Sentence(
        FULL + " and {name_n} merge{spot}, costing " + COST + "{instead}.",
        "Full: {name_m} and {name_n} merge.",
        "h = {h:.3f}: {heir}‖Δ‖² = α[m]² + α[n]² + 2 α[m] α[n] K[m, n] − α[z]² ="
        " *{degradation:.3g}*.",
    ),
    alone=Sentence(
        FULL + " has no partner on its side and goes, and " + COST + " with it.",
        "Full: {name_m}, alone, goes.",
        "m = {name_m}, no j with α[m] α[j] > 0: ‖Δ‖² = α[m]² K[m, m]{product} ="
        " *{degradation:.3g}*.",
    ),
    frozen=Sentence(
        "The budget of {b} support vector{b:s} is full: learning has stopped.",
        "Full: learning has stopped.",
        "{b} vector{b:s} ≥ B = {B}: α stays as it is.",
    ),
    forgot=Sentence(
        "Before that all shrink by φ = {phi:.3f} to lose less.",
        "",
        "Before that: α ← φ α = {phi:.3f} α.",
    ),
    pulled=Sentence(
        "w is shortened to U = {U:g}.", "", "α ← U/‖w‖ α = {U:g}/{long:.3g} α = {pull:.3f} α."
    ),
)
QUESTIONS = (
    PAYS._replace(
        ask="Which of these points would become support vectors if they came next?",
        right="Whoever has a margin {asked} does, on the right side too. {drew}",
        wrong=(
            "The side does not decide, the margin does: whoever has one {asked} does."
            " {mistaken}{drew}"
        ),
    ),
    Question(
        "leaves",
        "Point {i} ({label}) comes in, and that is one more than {B}. {who}",
        "Choose one. {itself} equals the oldest goes.",
        "{reason} {cost}",
        "{mistaken}{reason} {cost}",
        "choose",
    ),
    Question(
        "pair",
        "Point {i} ({label}) comes in, and that is one more than {B}. Which pair would you merge?",
        "Draw a line between two vectors of one sign. The price is ‖Δ‖², how far w moves.",
        "{compared} {rank} {removal}",
        "{compared} {rank} {removal}",
        "look",
    ),
)
SYMBOLS = (
    *shared("t y w f λ K ℓ ℓ′ s P P*"),
    CONSTANT[1],
    Symbol("i", "example that came", "number of the example of this step", "{i}", "drawn"),
    Symbol("x", "example", "features of an example or of a vector", "", "drawn"),
    Symbol("j", "a support vector", "runs over the slots of the rack", "", "rack"),
    Symbol(
        "η", "step length", "weight with which a new vector comes in", "{eta:.3g}", "drawn rack"
    ),
    Symbol("η₀", "step length at first", "η is this, for Norma divided by √t", "{eta_0:.3g}"),
    Symbol(
        "α",
        "coefficients",
        "weight of each support vector, with its sign",
        "{vectors} of them",
        "rack support",
    ),
    Symbol("B", "budget", "support vectors that may stay", "{B}", "rack"),
    Symbol("β", "margin asked for", "up to this margin the Perceptron learns", "{beta:.3g}"),
    Symbol("U", "radius", "w is pulled back to this length", "{U:.3g}"),
    Symbol("m", "who merges", "the lighter one of the pair", "{name_m}", "pair"),
    Symbol("n", "its partner", "the vector that it costs least to merge with", "{name_n}", "pair"),
    Symbol("z", "merged vector", "takes the place of m and n", "{name_z}", "pair"),
    Symbol("h", "place of z", "on the way from n (0) to m (1)", "{h:.3f}", "pair"),
    Symbol("p", "who goes", "the vector that is taken off the rack", "{name_m}", "pair"),
    Symbol(
        "Δ", "damage", "change of w that maintenance causes", "‖Δ‖² = {degradation:.3g}", "pair"
    ),
    Symbol("Q", "inverse of K", "of the kernel between the support vectors"),
    Symbol("ε", "sparsity", "newcomers no farther from the others do not come in", "{eps:.3g}"),
    Symbol("δ", "distance", "of the newcomer from the span of the others", "{by:.3g}", "pair"),
    Symbol(
        "τ",
        "small step",
        "how much of the projection is added within the margin",
        "{tau:.3g}",
        "drawn",
    ),
    Symbol("C", "aggressiveness", "the most that one example may change", "{C:.3g}"),
    Symbol("φ", "forgetting", "all coefficients shrink by this first", "{phi:.3f}", "rack"),
    Symbol("e", "class vector", "1 for one class, 0 for the others"),
    Symbol("r", "rival", "the other class that scores highest", "", "boundary"),
)
SAID = {
    strategies.REMOVED: WHY.removed,
    strategies.PROJECTED: WHY.projected,
    strategies.MERGED_TWO: WHY.merged,
    strategies.ALONE: WHY.alone,
    strategies.FROZEN: WHY.frozen,
}
WHY_P = {"remove easiest": WHY.easy, "remove by errors": WHY.errs, "remove by counts": WHY.counted}


def spoken(params, out, adds, shrink, t) -> np.ndarray:
    """Which sentences each step t speaks; `out` are the learner's columns."""
    happened, steps, keep = out.event.astype(int), out.eta > 0, params["maintenance"]
    said = SAID | ({strategies.REMOVED: WHY.removed | WHY_P[keep]} if keep in WHY_P else {})
    if keep == "project on newcomer":
        said[strategies.PROJECTED] = WHY.handed
    added, folded = np.full(happened.size, WHY.added), np.full(happened.size, WHY.folded)
    if keep == "project on neighbour":
        said[strategies.PROJECTED] = np.where(out.n < 0, WHY.handed, WHY.shared)
    if keep == "project newcomer":
        folded = np.where((out.by <= params["eps"]) | (out.by == 0), WHY.nearly, WHY.no_room)
    if params["rule"] == "passive-aggressive":
        added = np.where(out.eta < params["C"], WHY.whole, WHY.capped)
    if params["rule"] == "implicit":
        most = params["eta"] / np.sqrt(t) * shrink
        added = np.where(out.eta < most * (1 - 1e-12), WHY.implicit, WHY.cut)
    quiet = {strategies.FOLDED: folded, strategies.LEANT: WHY.leant, strategies.FROZEN: 0}
    spoke = np.where(steps, added, WHY.free)
    for event, sentence in quiet.items():
        spoke = np.where(happened == event, sentence, spoke)
    for event, sentence in said.items():
        spoke |= np.where(happened == event, sentence, 0)
    spoke |= np.where(adds & (happened == strategies.NOTHING) & (keep != "none"), WHY.room, 0)
    return (
        spoke
        | np.where(shrink < 1.0, WHY.shrunk, 0)
        | np.where(out.phi < 1.0, WHY.forgot, 0)
        | np.where(out.pull < 1.0, WHY.pulled, 0)
    )
