"""Pegasos for sequences (Section 5, Example 5): stochastic sub-gradient descent on

    P(w, v) = λ/2 (|w|² + |v|²) + 1/m Σ max over ŷ of (Δ(ŷ, y) + s(x, ŷ) - s(x, y)),
    s(x, y) = Σ_j <w[y_j], x_j> + Σ_j v[y_j-1, y_j],

where x is one of m sentences of L points, y its tags, Δ the number of tags that are wrong, w has a
row for each tag and v a number for each pair of tags that follow each other. Shalev-Shwartz,
Singer, Srebro, Cotter: "Pegasos", Mathematical Programming 127 (2011). The maximum is found by
Viterbi's algorithm (`viterbi`). L points in a row are a sentence; what is left over takes no part.

Each point is an example and each tag a class: what a step does to w is recorded as that of
`classes` is, v as own quantities.
"""

from typing import NamedTuple

import numpy as np

from svmviz.data.constant import constant_of, of_bias
from svmviz.data.params import Param
from svmviz.maths import matrix, sampling
from svmviz.maths.machine.jit import bare, jit
from svmviz.maths.viterbi import dearest, viterbi
from svmviz.record import questions
from svmviz.record.changes import Changes
from svmviz.record.outcome import Made, Record
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import Algorithm, Goal, Question, Solver, Space, Story, Uses
from svmviz.record.symbols import CONSTANT, Symbol, shared
from svmviz.solvers.classes.losses import numbered
from svmviz.solvers.classes.solver import Model, add, scale
from svmviz.theory import chains

TAGS = 6  # at most: each pair has a number of its own
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


class Columns(NamedTuple):
    """What each step leaves behind."""

    margin: np.ndarray  # (T, L) how far the true tag of each point leads by its own score
    amount: np.ndarray  # (T, L, tags)
    pairs: np.ndarray  # (T, tags, tags) v
    cost: np.ndarray  # (T,) what the sentence pays
    hits: np.ndarray  # (T,) tags of ŷ that are wrong
    hinge: np.ndarray  # (T,) mean loss of all sentences
    norm: np.ndarray
    error: np.ndarray  # (T,) share of wrong tags where each sentence has its best tagging
    n_sv: np.ndarray


@bare
def score(model, rows, sentence, out):
    """The scores of all tags at the places of a sentence"""
    for j in range(sentence.size):
        for c in range(out.shape[1]):
            out[j, c] = model.number[0] * matrix.dot(rows, sentence[j], model.u[c])


@bare
def tags_of(y, sentence, out):
    for j in range(sentence.size):
        out[j] = int(y[sentence[j]])


@jit
def judge(model, pairs, rows, y, sentences, out, s):
    """What w and v are worth on all sentences"""
    L, tags = sentences.shape[1], pairs.shape[0]
    f, costly, true, path = (
        np.empty((L, tags)),
        np.empty((L, tags)),
        np.empty(L, np.int64),
        np.empty(L, np.int64),
    )
    total, wrong, norm2 = 0.0, 0, 0.0
    for m in range(sentences.shape[0]):
        score(model, rows, sentences[m], f)
        tags_of(y, sentences[m], true)
        total += dearest(f, pairs, true, costly, path)
        viterbi(f, pairs, path)
        for j in range(L):
            wrong += path[j] != true[j]
    for c in range(tags):
        norm2 += model.number[0] * model.number[0] * matrix.inner(
            model.u[c], model.u[c]
        ) + matrix.inner(pairs[c], pairs[c])
    out.hinge[s], out.error[s], out.norm[s] = (
        total / sentences.shape[0],
        wrong / sentences.size,
        np.sqrt(norm2),
    )


@jit
def steps(model, pairs, rows, y, lam, order, sentences, start, out):
    """All iterations, each written into its row of the columns"""
    (count, L), tags = order.shape, pairs.shape[0]
    f, costly, true, path = (
        np.empty((L, tags)),
        np.empty((L, tags)),
        np.empty(L, np.int64),
        np.empty(L, np.int64),
    )
    for s in range(count):
        t, amount = start + s + 1, out.amount[s]
        eta, shrink = 1.0 / (lam * t), 1.0 - 1.0 / t
        score(model, rows, order[s], f)
        tags_of(y, order[s], true)
        out.cost[s] = dearest(f, pairs, true, costly, path)
        scale(model, shrink)
        pairs *= shrink
        for j in range(L):
            best = -np.inf
            for c in range(tags):
                best = max(best, f[j, c]) if c != true[j] else best
            out.margin[s, j] = f[j, true[j]] - best + 0.0
            if path[j] != true[j]:
                out.hits[s] += 1
                amount[j, true[j]], amount[j, path[j]] = eta, -eta
                add(model, rows, False, order[s, j], amount[j])
            if j > 0:
                pairs[true[j - 1], true[j]] += eta
                pairs[path[j - 1], path[j]] -= eta
        out.pairs[s], out.n_sv[s] = pairs, model.used.sum()
        judge(model, pairs, rows, y, sentences, out, s)


def sentences_of(active: np.ndarray, L: int) -> np.ndarray:
    """(m, L) the points of each sentence; where there are fewer than L, they are one."""
    L = min(L, len(active))
    return np.ascontiguousarray(active[: len(active) // L * L].reshape(-1, L))


def draw(active, params, chance, start, stop, given) -> np.ndarray:
    """(stop - start, L) the points of a sentence for each step."""
    if given.order is not None:
        return given.examples(params["length"], start, stop)
    sentences = sentences_of(active, params["length"])
    return sentences[chance.examples(len(sentences), start, stop, 1, params["sampling"])[:, 0]]


class State(NamedTuple):
    model: Model
    pairs: np.ndarray

    @property
    def coef(self) -> np.ndarray:
        return self.model.coef


def begin(problem, start) -> State:
    n, tags = problem.n, problem.classes
    coef, used, pairs = np.zeros((n, tags)), np.zeros(n, np.bool_), np.zeros((tags, tags))
    if start.state is not None:
        coef[:], used[:], pairs[:] = start.state.coef, start.state.model.used, start.state.pairs
    u = np.stack([matrix.combined(problem.X, coef[:, c].copy()) for c in range(tags)])
    return State(Model(coef, u, used, np.array([1.0, 0.0])), pairs)


def run(problem, params, order, start, active) -> tuple[Record, State]:
    """Steps t + 1, t + 2, ... from where the segment begins."""
    (count, L), tags, t = order.shape, problem.classes, start.t
    suits(problem, params)
    state = begin(problem, start)
    out = Columns(
        np.empty((count, L)),
        np.zeros((count, L, tags)),
        np.empty((count, tags, tags)),
        *np.zeros((5, count)),
        np.zeros(count, np.int64),
    )
    steps(
        state.model,
        state.pairs,
        matrix.rows(problem.X),
        numbered(problem),
        params["lam"],
        order,
        sentences_of(active, L),
        t,
        out,
    )
    out.cost[out.hits == 0] = 0.0  # where ŷ is y; what is left is rounding
    pays, hit = out.hits > 0, (out.amount != 0.0).any(axis=2)
    changes = Changes(
        1.0 - 1.0 / np.arange(t + 1, t + count + 1),
        np.concatenate([[0], np.cumsum(hit.sum(axis=1))]),
        order[hit],
        out.amount[hit],
        np.zeros(0, np.bool_),
    )
    own = {name: getattr(out, name) for name in ("cost", "hits", "hinge", "norm", "error", "n_sv")}
    own |= {"primal": params["lam"] / 2 * out.norm**2 + out.hinge}
    own |= {pair_name(a, b): out.pairs[:, a, b] for a in range(tags) for b in range(tags)}
    width = problem.d - (constant_of(params) > 0.0)
    return (
        Record(
            order,
            out.margin,
            changes,
            LINES.ran(count, come=pays, go=pays, pairs=pays),
            np.where(pays, WHY.pays, WHY.free),
            np.zeros(count, np.int64),
            matrix.features_read(problem.X, order),
            own,
            Made(problem.X[:0, :width], np.empty((0, 2), np.int64)),
        ),
        state,
    )


def suits(problem, params) -> None:
    """Refuse data of too many tags."""
    if problem.classes > TAGS:
        raise ValueError(
            f"Pegasos for sequences knows up to {TAGS} tags, and these data have {problem.classes}"
            " classes"
        )


def pair_name(a: int, b: int) -> str:
    """What the weight of tag b after tag a is called among a run's quantities."""
    return f"pair_{a}_{b}"


def tagged(trace, t: int, X) -> np.ndarray:
    """(rows of X,) the tags that w and v after step t give to rows in whole sentences, each with
    its best tagging.
    """
    tags, L = range(trace.scores), trace.params(t)["length"]
    pairs = np.array([[trace.scalars[pair_name(a, b)][t] for b in tags] for a in tags])
    f, path = trace.f(t, X), np.empty((len(X) // L, L), np.int64)
    for place, scores in zip(path, f.reshape(-1, L, trace.scores), strict=True):
        viterbi(np.ascontiguousarray(scores), pairs, place)
    return path.ravel()


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


def work(n, d, params) -> int:
    """The scores of all sentences, for the curves."""
    return 2 * n * d


SEQUENCES = Solver(
    key="sequences",
    title="Pegasos for sequences",
    paper="Shalev-Shwartz, Singer, Srebro, Cotter 2011",
    params=(
        Param(
            "lam",
            "λ",
            0.05,
            1e-6,
            10.0,
            "Weight of the regulariser, of w and v together.",
            log=True,
            title="regularisation",
        ),
        Param("length", "L", 8, 2, 50, "So many points in a row are a sentence.", title="length"),
        *of_bias(),
        Param(
            "sampling",
            "",
            sampling.SCHEMES[0],
            options=sampling.SCHEMES,
            title="sampling",
            help="How sentences are drawn.",
        ),
    ),
    algorithm=Algorithm(run=run, work=work, draw=draw, start=first, suits=suits),
    story=Story(
        figure=lambda params: "Section 5, Example 5",
        lines=lambda params: LINES,
        why=WHY,
        values=values,
        questions=QUESTIONS,
        symbols=SYMBOLS,
    ),
    goal=Goal(
        optimum=lambda problem, params: chains.optimum(problem, params["lam"], params["length"])
    ),
    space=Space(multiclass=True, every_class=True, chained=True),
    uses=Uses(opening="data=tagging&n=240&data_seed=0&lam=0.05&seed=1&T=120&t=45&beat=measure"),
)
