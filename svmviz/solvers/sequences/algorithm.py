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

from svmviz.data.constant import constant_of
from svmviz.maths import matrix
from svmviz.maths.machine.jit import bare, jit
from svmviz.maths.viterbi import dearest, viterbi
from svmviz.record.changes import Changes
from svmviz.record.outcome import Made, Record, columns
from svmviz.solvers.classes.losses import numbered
from svmviz.solvers.classes.solver import Model, add, scale
from svmviz.solvers.sequences.story import LINES, WHY, pair_name, sentences_of

TAGS = 6  # at most: each pair has a number of its own


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
    out = columns(
        Columns,
        count,
        whole=("n_sv",),
        margin=np.empty((count, L)),
        amount=np.zeros((count, L, tags)),
        pairs=np.empty((count, tags, tags)),
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


def work(n, d, params) -> int:
    """The scores of all sentences, for the curves."""
    return 2 * n * d
