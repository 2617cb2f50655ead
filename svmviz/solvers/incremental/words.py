"""How the incremental SVM speaks of itself: its pseudo-code, its sentences and the live values in them."""

import numpy as np

from svmviz.maths.words import written
from svmviz.record.questions import ALPHA, GAP
from svmviz.record.solver import Line, Question
from svmviz.record.symbols import Symbol, shared

POOL, TAKE, PROCESS, DRAW, STEP, AVERAGE = (1 << bit for bit in range(6))
TAKES = {
    "random": "take any unseen, α[t] ← 0", "as given": "take the next, α[t] ← 0",
    "active": "take the one with the smallest |f(x)|",
    "adversary": "take the one with the smallest y f(x)", "you": "take the one that you click, or any",
}


def listing(params) -> list[tuple[int, Line]]:
    """The algorithm that these parameters select; each line with what runs it."""
    batch, out = params["algorithm"] == "batch", []
    drawn = "support vectors" if params["gradients"].endswith("support vectors") else "n" if batch else "seen"
    if params["teacher"] in ("active", "adversary") and not batch:
        out.append((POOL, Line(f"pool ← {params['pool']} unseen examples", "{unseen} unseen", "pool")))
    if not batch:
        told = "i = {i}, f = {score:.3f}" if out else "i = {i}"
        out.append((TAKE, Line(TAKES[params["teacher"]], told, "take")))
    if params["algorithm"] == "Algorithm 2":
        out.append((PROCESS, Line("PROCESS: α[t] ← clip(g/k[t, t], 0, C)", "g = {g:.2f}, α = {alpha:.3g}", "process")))
    out += [(DRAW, Line(f"repeat K times: draw i among the {drawn}", "K = {K}", "draw")),
            (STEP, Line("α[i] ← clip(α[i] + g[i]/k[i, i], 0, C)", "{moved} of {K} move", "step"))]
    if not batch:
        out.append((AVERAGE, Line("w̄ ← average of the K iterates", "gap {gap:.3g}", "average")))
    return out


def lines(params) -> tuple[Line, ...]:
    return tuple(line for _, line in listing(params))


def ran(params, own) -> np.ndarray:
    """Which lines each round ran: nobody arrives once all have, and a draw at the end of its box moves nothing."""
    new = own["arrived"] > 0
    what = DRAW | AVERAGE | np.where(own["moved"] > 0, STEP, 0) | np.where(new, TAKE | PROCESS, 0) | np.where(
        new & (own["by_hand"] == 0), POOL, 0)
    return written(listing(params), what)


WHY = (
    "Nothing has been seen yet: every α is 0, so that w = 0; divided by C t the primal is 1 and the dual 0.",
    "Point {i} ({label}) arrives, number {seen}, as chance has it.",
    "Point {i} ({label}) arrives, number {seen}, the next in the file.",
    "Of the {pooled} unseen points in the pool, {i} ({label}) lies closest to the boundary: |f| = *{distance:.3f}*.",
    "Of the {pooled} unseen points in the pool, {i} ({label}) hurts most: y f = *{hurt:.3f}*.",
    "You chose point {i} ({label}), number {seen}.",
    "PROCESS: its margin is *{margin:.2f}*, so its α goes from 0 to {alpha:.3g}.",
    "PROCESS: its margin *{margin:.2f}* is at least 1, so its α stays at 0.",
    "Its α is 0 until it is drawn.",
    "{moved} of {K} draws move an α; the gap is *{gap:.3g}*, and was {gap_before:.3g}.",
    "None of the {K} draws moves: each α that was drawn rests at an end of its box or is best as it is.",
    "All {seen} points have arrived: only draws are left.",
    "All {seen} points are there from the beginning: a round is {K} draws among them.",
    "Before that the box had become smaller, or a support vector was taken away: all α were scaled by {factor:.3f}.",
)
QUESTIONS = (
    ALPHA._replace(ask="Point {i} ({label}) arrives, with α = 0. What does PROCESS make of its α?",
                   how="It is ringed. α goes to where the margin is 1, or to the end of its box, C = {C:.3g}."),
    GAP._replace(ask="Round {step} is next: does the gap, divided by C t, rise or fall?",
                 how="The gap is {old:.3g} now. {arrives}"),
    Question(
        "pick", "Which of these points of the pool does the teacher take?",
        "Choose one. The teacher takes the one {wish}.",
        "{letter} has {measure} = {least:.3g}, the smallest of the {pooled} in the pool; the next has {second:.3g}.",
        "{mistaken}{letter} has {measure} = {least:.3g}, the smallest of the {pooled} in the pool.", "take"),
)
SYMBOLS = (
    *shared("i n x y w f"),
    Symbol("t", "round", "number of the round; t arrived in it", "{t}"),
    Symbol("C", "top of the box", "the most that one α may be", "{C:.3g}", "alphas"),
    Symbol("K", "draws", "coordinate steps in a round", "{K}", "alphas"),
    Symbol("k", "kernel", "inner product of two examples, after the feature map"),
    Symbol("g", "gradient", "1 − y f: above 0 its α should rise", "{g:.2f}", "drawn alphas"),
    Symbol("α", "coefficients", "how much of each example w is made of", "{support} of them not 0", "alphas"),
    Symbol("w̄", "average of the round", "mean over its K draws: what is put out", "", "boundary"),
    Symbol("P", "primal objective", "of the examples seen, divided by C t", "", "curves"),
    Symbol("P*", "optimum", "lowest P of the examples seen", "", "curves"),
    Symbol("D", "dual objective", "never above P*; α makes it as large as possible", "", "gap"),
)
(START, BY_CHANCE, IN_ORDER, CLOSEST, HURTS, CHOSEN, PROCESSED, PASSED, WAITS, SOME, NONE, ENDED, BATCH, SHRUNK) = (
    1 << bit for bit in range(14))
COMES = {"random": BY_CHANCE, "as given": IN_ORDER, "active": CLOSEST, "adversary": HURTS, "you": BY_CHANCE}


def spoken(params, own, delta, factor) -> np.ndarray:
    """Which sentences each round speaks."""
    new, batch = own["arrived"] > 0, params["algorithm"] == "batch"
    out = np.where(new, np.where(own["by_hand"] > 0, CHOSEN, COMES[params["teacher"]]), BATCH if batch else ENDED)
    if params["algorithm"] == "Algorithm 2":
        out |= np.where(new, np.where(delta[:, 0] != 0.0, PROCESSED, PASSED), 0)
    elif not batch:
        out |= np.where(new, WAITS, 0)
    return out | np.where(own["moved"] > 0, SOME, NONE) | np.where(factor < 1.0, SHRUNK, 0)


def values(trace, t) -> dict:
    """The live quantities of round t."""
    if t == 0:
        return {"t": 0}
    segment = trace.segment(t)
    record, s, own = segment.record, t - segment.start - 1, trace.scalars
    i, margin, score = int(record.drawn[s, 0]), float(record.margin[s, 0]), float(own["score"][t])
    y, seen = float(trace.problem.y[i]), int(own["seen"][t])
    pooled = int((record.own["pool"][s] >= 0).sum())
    return {
        "t": t, "i": i + 1, "label": "+1" if y > 0 else "−1", "margin": margin, "g": 1.0 - margin, "seen": seen,
        "unseen": len(segment.active) - seen + int(own["arrived"][t]), "pooled": pooled, "score": score,
        "distance": abs(score), "hurt": y * score, "alpha": abs(float(record.delta[s, 0])),
        "moved": int(own["moved"][t]), "gap": float(own["gap"][t]), "gap_before": trace.before("gap", t),
        "factor": float(record.factor[s]), "hits": int(own["moved"][t]),
    }
