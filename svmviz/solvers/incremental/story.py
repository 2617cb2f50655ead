"""How the incremental SVM speaks of itself: its pseudo-code, its sentences and the live values in
them.
"""

import numpy as np

from svmviz.maths import kernels, matrix
from svmviz.record.questions import ALPHA, GAP
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Question
from svmviz.record.symbols import Symbol, shared

TAKES = {
    "random": "take any unseen, α[t] ← 0",
    "as given": "take the next, α[t] ← 0",
    "active": "take the one with the smallest |f̄(x)|",
    "adversary": "take the one with the smallest y f̄(x)",
    "you": "take the one that you click, or any",
}


def lines(params) -> Lines:
    """Return the algorithm that the parameters select."""
    batch, out = params["algorithm"] == "batch", {}
    drawn = (
        "support vectors"
        if params["gradients"].endswith("support vectors")
        else "n"
        if batch
        else "seen"
    )
    if params["teacher"] in ("active", "adversary") and not batch:
        out["pool"] = Line(f"pool ← {params['pool']} unseen examples", "{unseen} unseen", "pool")
    if not batch:
        told = "i = {i}, f̄ = {score:.3f}" if out else "i = {i}"
        out["take"] = Line(TAKES[params["teacher"]], told, "take")
    if params["algorithm"] == "Algorithm 2":
        text = "PROCESS: α[t] ← clip(g/k[t, t], 0, C)"
        out["process"] = Line(text, "g = {g:.2f}, α = {alpha:.3g}", "process")
    out["draw"] = Line(f"repeat K times: draw i among the {drawn}", "K = {K}", "draw")
    out["step"] = Line("α[i] ← clip(α[i] + g[i]/k[i, i], 0, C)", "{moved} of {K} move", "step")
    if not batch:
        out["average"] = Line("w̄ ← average of the K iterates", "gap {gap:.3g}", "average")
    return Lines(**out)


def ran(params, own) -> np.ndarray:
    """Return which lines each round ran. Nothing arrives once all examples have, and a draw at the
    end of its box moves nothing.
    """
    new = own["arrived"] > 0
    pool, step = new & (own["by_hand"] == 0), own["moved"] > 0
    return lines(params).ran(new.size, pool=pool, take=new, process=new, step=step)


UP, DOWN = "The gap rises.", "The gap falls."
ARRIVED = (
    "gap/(C t) = ({waited} · {gap_before:.3g≠gap} + {cost:.3f})/{seen} = {gap_with:.3g}, then "
    "*{gap:.3g≠gap_before}*."
)
PRICE = (
    "P − D = {primal:.3g=dual+gap} − {dual:.3g=primal-gap} = *{gap:.3g=primal-dual}*, was"
    " {gap_before:.3g≠gap}."
)
CLIP = "α = clip((1 − y f)/k, 0, C) = clip({g:.3f}/{k_ii:.3g}, 0, {C:.3g}) = {alpha:.3g}."
WHY = Sentences(
    start=Sentence(
        "Nothing has been seen yet: every α is 0, so that w = 0; divided by C t the primal is 1 and"
        " the dual 0.",
        "Nothing seen yet.",
        "α = 0, w = 0: P = 1, D = 0.",
    ),
    by_chance=Sentence(
        "Point {i} ({label}) arrives by chance.",
        "Chance brings a newcomer.",
        "i = {i}, one of {unseen} unseen.",
    ),
    in_order=Sentence(
        "Point {i} ({label}) arrives, the next in the file.",
        "The next one arrives.",
        "i = {i}, the first of {unseen} unseen.",
    ),
    closest=Sentence(
        "Point {i} ({label}) lies closest to the boundary: |f̄| = *{distance:.3f}*.",
        "Closest to the boundary: taken.",
        "|f̄| = *{distance:.3f}*, the least of {pooled}.",
    ),
    hurts=Sentence(
        "Point {i} ({label}) hurts most: y f̄ = *{hurt:.3f}*.",
        "Hurts most: taken.",
        "y f̄ = *{hurt:.3f}*, the least of {pooled}.",
    ),
    chosen=Sentence(
        "You chose point {i} ({label}).", "You chose it.", "i = {i}, one of {unseen} unseen."
    ),
    ended=Sentence(
        "All {seen} points have arrived.", "Only draws are left.", "All {seen} are seen."
    ),
    batch=Sentence(
        "A round is {K} {draws} among all {seen} points.",
        "Draws among all.",
        "All {seen} are seen.",
    ),
    shrunk=Sentence(
        "First all α were scaled by {factor:.3f} to fit their boxes.",
        "",
        "First α ← {factor:.3f} α.",
    ),
    processed=Sentence("Its margin *{margin:.2f}* lifts its α to {alpha:.3g}.", "α rises.", CLIP),
    passed=Sentence("Its margin *{margin:.2f}* ≥ 1 leaves its α at 0.", "α stays 0.", CLIP),
    lifted=Sentence("Its α rises to {alpha:.3g}.", "α rises.", CLIP),
    left=Sentence("Margin ≥ 1: α stays 0.", "α stays 0.", CLIP),
    waits=Sentence(
        "Its α is 0 until it is drawn.",
        "It waits.",
        "α = 0, g = 1 − y f = 1 − {margin:.3f} = {g:.3f}.",
    ),
    some=Sentence(
        "{moved} of {K} {draws} moved an α.",
        "",
        "{moved} of {K}: α[i] ← clip(α[i] + g[i]/k[i, i], 0, C).",
    ),
    none=Sentence(
        "No draw moves its α: each is at an end of its box, or best already.",
        "Nothing moves.",
        "No draw moves an α.",
    ),
    costly=Sentence(
        "It costs w̄ {cost:.3f}, and the round wins only {won:.3f}: the gap rises to *{gap:.3g}*.",
        UP,
        ARRIVED,
    ),
    spoilt=Sentence(
        "It costs w̄ {cost:.3f}, and the round loses {lost:.3f}: the gap rises to *{gap:.3g}*.",
        UP,
        ARRIVED,
    ),
    easy=Sentence(
        "It costs w̄ {cost:.3f}, less than the mean {gap_before:.3g≠gap}: the gap falls to"
        " *{gap:.3g≠gap_before}*.",
        DOWN,
        ARRIVED,
    ),
    paid=Sentence(
        "It costs w̄ {cost:.3f}, and the round wins {won:.3f}: the gap falls to *{gap:.3g}*.",
        DOWN,
        ARRIVED,
    ),
    rose=Sentence(
        "The gap rises from {gap_before:.3g≠gap} to *{gap:.3g≠gap_before}*: P rose more than D.",
        UP,
        PRICE,
    ),
    fell=Sentence(
        "The gap falls from {gap_before:.3g≠gap} to *{gap:.3g≠gap_before}*.", DOWN, PRICE
    ),
    plain=Sentence("The gap is *{gap:.3g≠gap_before}*, was {gap_before:.3g≠gap}.", "", PRICE),
)
QUESTIONS = (
    ALPHA._replace(
        ask="Point {i} ({label}) arrives, with α = 0. What does PROCESS make of its α?",
        how="It is ringed. α goes to where the margin is 1, or to the end of its box, C = {C:.3g}.",
    ),
    GAP._replace(
        ask="Round {step} is next: does the gap, divided by C t, rise or fall?",
        how="The gap is {old:.3g} now. {arrives}",
    ),
    Question(
        "pick",
        "Which of these points of the pool does the teacher take?",
        "Choose one. The teacher takes the one {wish}.",
        "Number {number} has {measure} = {least:.3g}, the smallest of the {pooled} in the pool; the"
        " next has {second:.3g}.",
        "{mistaken}Number {number} has {measure} = {least:.3g}, the smallest of the {pooled} in the"
        " pool.",
        "take",
    ),
)
SYMBOLS = (
    *shared("i n x y w"),
    Symbol("f", "decision value of w", "above 0 means class +1; w as it is now", "", "boundary"),
    Symbol(
        "f̄",
        "decision value of w̄",
        "what the last round put out; teachers look at it",
        "",
        "boundary",
    ),
    Symbol("t", "round", "number of the round; t arrived in it", "{t}"),
    Symbol("C", "top of the box", "the most that one α may be", "{C:.3g}", "alphas"),
    Symbol("K", "draws", "coordinate steps in a round", "{K}", "alphas"),
    Symbol("k", "kernel", "inner product of two examples, after the feature map"),
    Symbol("g", "gradient", "1 − y f: above 0 its α should rise", "{g:.2f}", "drawn alphas"),
    Symbol(
        "α",
        "coefficients",
        "how much of each example w is made of",
        "{support} of them not 0",
        "alphas",
    ),
    Symbol("w̄", "average of the round", "mean over its K draws: what is put out", "", "boundary"),
    Symbol("P", "primal objective", "of the examples seen, divided by C t", "", "curves"),
    Symbol("P*", "optimum", "lowest P of the examples seen", "", "curves"),
    Symbol("D", "dual objective", "never above P*; α makes it as large as possible", "", "gap"),
)
COMES = {
    "random": WHY.by_chance,
    "as given": WHY.in_order,
    "active": WHY.closest,
    "adversary": WHY.hurts,
    "you": WHY.by_chance,
}
ROUNDED = 1e-12  # of a gap: what rounding may do


def spoken(params, own, delta, factor, begun) -> np.ndarray:
    """Which sentences each round speaks; `begun` says that it is not the first of the run."""
    new, batch, looks = (
        own["arrived"] > 0,
        params["algorithm"] == "batch",
        COMES[params["teacher"]] in (WHY.closest, WHY.hurts),
    )
    out = np.where(
        new,
        np.where(own["by_hand"] > 0, WHY.chosen, COMES[params["teacher"]]),
        WHY.batch if batch else WHY.ended,
    )
    if params["algorithm"] == "Algorithm 2":
        told = (
            np.where(looks & (own["by_hand"] == 0), WHY.lifted, WHY.processed),
            np.where(looks & (own["by_hand"] == 0), WHY.left, WHY.passed),
        )
        out |= np.where(new, np.where(delta[:, 0] != 0.0, *told), 0)
    elif not batch:
        out |= np.where(new, WHY.waits, 0)
    out |= np.where(new, 0, np.where(own["moved"] > 0, WHY.some, WHY.none)) | np.where(
        factor < 1.0, WHY.shrunk, 0
    )
    return out | reasons(own, new, np.nan if begun else 1.0)


def reasons(own, new, first) -> np.ndarray:
    """Why the gap rose or fell in each round, given that before the first, NaN where it was that of
    another problem.

    The gap divided by C t is a mean over those seen, and the newcomer's part of it is what it costs
    w̄, since its α is 0: t gap_t = (t - 1) gap_{t-1} + cost - won, where the round won what it took
    from the gap of all t. So the gap rises where cost - won is above the mean before; where it
    falls, the larger of mean - cost and won is named.
    """
    gap, before, seen = own["gap"], np.concatenate([[first], own["gap"][:-1]]), own["seen"]
    won = (seen - new) * before + own["cost"] - seen * gap
    rises, falls = gap > before + ROUNDED, gap < before - ROUNDED
    more = np.diff(own["primal"], prepend=first) > 0.0
    came = np.where(
        rises,
        np.where(won >= 0.0, WHY.costly, WHY.spoilt),
        np.where(before - own["cost"] >= won, WHY.easy, WHY.paid),
    )
    alone = np.where(falls, WHY.fell, np.where(more, WHY.rose, WHY.plain))
    return np.where(rises | falls, np.where(new, came, alone), WHY.plain)


def values(trace, t) -> dict:
    """The live quantities of round t."""
    if t == 0:
        return {"t": 0}
    segment = trace.segment(t)
    record, s, own = segment.record, t - segment.start - 1, trace.scalars
    i, margin, score = int(record.drawn[s, 0]), float(record.margin[s, 0]), float(own["score"][t])
    y, seen = float(trace.problem.y[i]), int(own["seen"][t])
    pooled, came = int((record.own["pool"][s] >= 0).sum()), int(own["arrived"][t] > 0)
    gap, before = (
        0.0 if abs(of) <= ROUNDED else of for of in (float(own["gap"][t]), trace.before("gap", t))
    )
    cost, primal = float(own["cost"][t]), float(own["primal"][t])
    k_ii = float(kernels.diagonal(trace.kernel(t), matrix.rows(trace.problem.X[i : i + 1]))[0])
    together = ((seen - came) * before + cost) / seen
    return {
        "t": t,
        "i": i + 1,
        "label": "+1" if y > 0 else "−1",
        "margin": margin,
        "g": 1.0 - margin,
        "k_ii": k_ii,
        "seen": seen,
        "waited": seen - came,
        "unseen": len(segment.active) - seen + came,
        "pooled": pooled,
        "score": score,
        "distance": abs(score),
        "hurt": y * score,
        "alpha": abs(float(record.delta[s, 0])),
        "moved": int(own["moved"][t]),
        "gap": gap,
        "gap_before": before,
        "gap_with": together,
        "cost": cost,
        "won": seen * (together - gap),
        "lost": seen * (gap - together),
        "primal": primal,
        "dual": primal - gap,
        "factor": float(record.factor[s]),
        "draws": "draw" if segment.params["K"] == 1 else "draws",
        "hits": int(own["moved"][t]),
    }
