"""The story of Pegasos for sequences: pseudo-code, sentences and the values in them."""

import numpy as np

from svmviz.record import questions
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Question
from svmviz.record.symbols import CONSTANT, Symbol, shared
from svmviz.solvers.classes.losses import numbered

LINES = Lines(
    draw=Line("draw a sentence x, y of L points", "points {i} to {last}", "draw"),
    measure=Line("ŷ ← argmax Δ(ŷ, y) + s(x, ŷ), by Viterbi", "{hits} of {L} differ", "measure"),
    shrink=Line("w, v ← (1 − 1/t) (w, v), η ← 1/(λt)", "η = {eta:.3g}", "shrink"),
    come=Line("w[y[j]] ← w[y[j]] + η x[j] for each j", "+ {eta:.3g} x", "add"),
    go=Line("w[ŷ[j]] ← w[ŷ[j]] − η x[j] for each j", "− {eta:.3g} x", "add"),
    pairs=Line("the same for v and each pair of tags, by η", "‖w, v‖ = {norm:.2f}", "add"),
)
WHY = Sentences(
    start=Sentence(
        "Nothing has been drawn yet: all taggings tie, and a sentence pays {first:.3g}, 1 for each"
        " of its tags.",
        "Nothing drawn yet.",
        "w = 0, v = 0: s(x, ŷ) = 0 for all ŷ, and P = λ/2 · 0 + L = {first:.3g}.",
    ),
    free=Sentence(
        "Points {i} to {last}: the true tags lead every other tagging by the number of tags that it"
        " has wrong: w and v only shrink, by 1 − 1/t = {shrink:.3f}.",
        "Far enough ahead: only shrink.",
        "Δ(ŷ, y) + s(x, ŷ) ≤ s(x, y) for all ŷ: w, v ← {shrink:.3f} (w, v).",
    ),
    pays=Sentence(
        "Points {i} to {last}: with 1 more for each of *{hits}* wrong tags another tagging leads"
        " the true one by {cost:.2f}: w and v step by η = {eta:.3g} from that to the true one.",
        "{hits} of {L} tags wrong: a step from ŷ to y.",
        "Δ(ŷ, y) + s(x, ŷ) − s(x, y) = {hits} + ({behind:.2f}) = *{cost:.2f}* > 0: w, v ←"
        " {shrink:.3f} (w, v) + {eta:.3g} (φ(x, y) − φ(x, ŷ)).",
    ),
)
SYMBOLS = (
    *shared("t i λ η P P*"),
    *CONSTANT,
    Symbol("n", "number of points", "how many points take part", "{n}", "plane"),
    Symbol("x", "sentence", "its points, one behind the other", "", "drawn"),
    Symbol("j", "place", "runs over the points of the sentence"),
    Symbol("y", "true tags", "one for each point of the sentence", "", "drawn"),
    Symbol(
        "ŷ",
        "tagging found",
        "highest score, with 1 more for each wrong tag",
        "{hits} of {L} differ",
        "drawn",
    ),
    Symbol("w", "weights of points", "a row for each tag", "", "boundary"),
    Symbol("v", "weights of pairs", "a number for each pair of tags that follow", "", "step"),
    Symbol("s", "score of a tagging", "that of its points and of its pairs together"),
    Symbol("φ", "features of a tagging", "points by their tags, and counts of pairs"),
    Symbol("Δ", "wrong tags", "how many tags of a tagging are wrong", "{hits}"),
    Symbol("L", "length", "points of a sentence", "{L}", "drawn"),
)
QUESTIONS = (
    Question(
        "tags",
        "Points {i} to {last} are the next sentence. How many tags of ŷ, the tagging that costs"
        " most, are wrong?",
        "Each wrong tag is worth 1 more; where nothing leads the true tags, ŷ is these.",
        "{so}",
        "{so}",
    ),
    questions.CHANGES,
)


def sentences_of(active: np.ndarray, L: int) -> np.ndarray:
    """(m, L) the points of each sentence; where there are fewer than L, they are one."""
    L = min(L, len(active))
    return np.ascontiguousarray(active[: len(active) // L * L].reshape(-1, L))


def pair_name(a: int, b: int) -> str:
    """What the weight of tag b after tag a is called among a run's quantities."""
    return f"pair_{a}_{b}"


def first(problem, params, active) -> dict[str, float]:
    """Where w = 0: each tag of a sentence pays 1, and the first tag is everybody's."""
    sentences, tags = sentences_of(active, params["length"]), range(problem.classes)
    wrong, L = float((numbered(problem)[sentences] != 0).mean()), float(sentences.shape[1])
    return {
        "cost": 0.0,
        "hits": 0,
        "hinge": L,
        "norm": 0.0,
        "error": wrong,
        "n_sv": 0,
        "primal": L,
    } | {pair_name(a, b): 0.0 for a in tags for b in tags}


def values(trace, t) -> dict:
    """The live quantities of step t."""
    segment = trace.segment(t)
    record, s, params, n = (
        segment.record,
        t - segment.start - 1,
        segment.params,
        len(segment.active),
    )
    if t == 0:
        return {"t": 0, "n": n, "L": record.drawn.shape[1], "first": float(record.drawn.shape[1])}
    drawn, cost, hits = record.drawn[s], float(record.own["cost"][s]), int(record.own["hits"][s])
    return {
        "t": t,
        "n": n,
        "L": len(drawn),
        "i": int(drawn[0]) + 1,
        "last": int(drawn[-1]) + 1,
        "cost": cost,
        "hits": hits,
        "behind": cost - hits,
        "margin": float(record.margin[s].min()),
        "eta": 1.0 / (params["lam"] * t),
        "shrink": 1.0 - 1.0 / t,
        "norm": float(trace.metrics["norm"][t]),
    }
