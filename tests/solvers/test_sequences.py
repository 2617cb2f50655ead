"""Pegasos for sequences: Viterbi's algorithm against all taggings there are, the paper's Example 5
with these in NumPy, the optimum by another solver, and what neighbours are good for.
"""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize

from svmviz.data.many_classes import tagging
from svmviz.data.problem import Problem
from svmviz.maths.viterbi import dearest, total, viterbi
from svmviz.solvers import SOLVERS
from svmviz.solvers.sequences.algorithm import tagged
from svmviz.solvers.sequences.story import pair_name

SEQUENCES, SENTENCES = SOLVERS["sequences"], tagging(n=80, seed=2)


def features(x, y, tags) -> np.ndarray:
    """φ(x, y): points by their tags, then counts of pairs."""
    pairs = np.zeros((tags, tags))
    np.add.at(pairs, (y[:-1], y[1:]), 1.0)
    return np.concatenate(
        [np.stack([x[y == c].sum(axis=0) for c in range(tags)]).ravel(), pairs.ravel()]
    )


def all_of(x, y, tags) -> tuple[np.ndarray, np.ndarray]:
    """Of every tagging how many tags are wrong, and by how much its features differ from those of
    the true one.
    """
    every = np.array(list(product(range(tags), repeat=len(y))))
    own = features(x, y, tags)
    return (every != y).sum(axis=1).astype(float), np.array(
        [features(x, other, tags) - own for other in every]
    )


def test_viterbi_finds_what_trying_all_taggings_finds():
    rng, path, costly = np.random.default_rng(0), np.empty(5, np.int64), np.empty((5, 3))
    every = np.array(list(product(range(3), repeat=5)))
    for _ in range(60):
        scores, pairs, true = (
            rng.normal(size=(5, 3)).round(1),
            rng.normal(size=(3, 3)).round(1),
            rng.integers(3, size=5),
        )
        sums = np.array([total(scores, pairs, other) for other in every])
        assert (
            viterbi(scores, pairs, path)
            == pytest.approx(sums.max())
            == pytest.approx(total(scores, pairs, path))
        )
        with_costs = sums + (every != true).sum(axis=1)
        loss = dearest(scores, pairs, true, costly, path)
        assert loss == pytest.approx(with_costs.max() - total(scores, pairs, true), abs=1e-12)
        assert loss == pytest.approx(
            (path != true).sum() + total(scores, pairs, path) - total(scores, pairs, true),
            abs=1e-12,
        )


def test_a_run_is_that_of_the_paper_and_its_slopes_lie_below_the_loss():
    L, lam, rng = 4, 0.1, np.random.default_rng(1)
    starts = rng.integers(20, size=60) * L
    trace = SEQUENCES.trace(SENTENCES, order=starts[:, None] + np.arange(L), length=L, lam=lam)
    w, y = np.zeros(3 * 2 + 9), SENTENCES.y.astype(int)
    for t, i in enumerate(starts, start=1):
        wrong, more = all_of(SENTENCES.X[i : i + L], y[i : i + L], 3)
        value = wrong + more @ w
        best = np.argmax(value)
        w_new = (1 - 1 / t) * w - (more[best] / (lam * t) if value[best] > 0 else 0.0)
        assert trace.scalars["cost"][t] == pytest.approx(max(0.0, value[best]), rel=1e-9, abs=1e-9)
        other = rng.normal(size=w.size)
        assert (wrong + more @ other).max() >= value[best] + more[best] @ (other - w) - 1e-9
        w = w_new
    assert (SENTENCES.X.T @ trace.coef(60)).T.ravel() == pytest.approx(w[:6], rel=1e-9, abs=1e-9)
    assert [
        trace.scalars[pair_name(a, b)][60] for a in range(3) for b in range(3)
    ] == pytest.approx(w[6:], rel=1e-9, abs=1e-9)
    losses = [
        max(0.0, (wrong + more @ w).max())
        for wrong, more in (
            all_of(SENTENCES.X[i : i + L], y[i : i + L], 3) for i in range(0, 80, L)
        )
    ]
    assert trace.metrics["primal"][60] == pytest.approx(lam / 2 * w @ w + np.mean(losses), rel=1e-9)


def test_the_optimum_is_that_of_another_solver_and_is_reached():
    small, lam = Problem(SENTENCES.X[:9], np.where(SENTENCES.y[:9] > 0, 1.0, -1.0)), 0.3
    parts = [all_of(small.X[i : i + 3], (small.y[i : i + 3] > 0).astype(int), 2) for i in (0, 3, 6)]
    limits = [
        {
            "type": "ineq",
            "fun": lambda z, k=k, wrong=wrong, more=more: z[8 + k] - wrong - more @ z[:8],
        }
        for k, (wrong, more) in enumerate(parts)
    ]
    exact = minimize(
        lambda z: lam / 2 * z[:8] @ z[:8] + z[8:].mean(),
        np.r_[np.zeros(8), np.full(3, 3.0)],
        method="SLSQP",
        constraints=limits,
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert SEQUENCES.optimum(
        small, SEQUENCES.check({"lam": lam, "length": 3})
    ).primal == pytest.approx(exact.fun, rel=1e-5)
    best, trace = (
        SEQUENCES.optimum(SENTENCES, SEQUENCES.check({"lam": 0.5})),
        SEQUENCES.trace(SENTENCES, 1500, lam=0.5),
    )
    gap = trace.metrics["primal"] - best.primal
    assert best.exact and gap.min() > -best.within and gap[-200:].mean() < 0.02 * best.primal


def test_neighbours_help_on_sentences_that_nobody_has_seen():
    train, fresh = tagging(n=240, seed=0), tagging(n=2000, seed=1)
    tagger, alone = (
        SEQUENCES.trace(train, 600, lam=0.05),
        SOLVERS["classes"].trace(train, 4000, lam=0.05),
    )
    with_context = (tagged(tagger, 600, fresh.X) != fresh.y).mean()
    assert with_context < 0.75 * (alone.f(4000, fresh.X).argmax(axis=1) != fresh.y).mean()
    assert (tagged(tagger, 600, train.X) != train.y).mean() == tagger.metrics["error"][600]


def test_few_points_are_one_sentence_and_too_many_tags_are_refused():
    assert SEQUENCES.trace(Problem(SENTENCES.X[:9], SENTENCES.y[:9]), 5, length=20).drawn.shape == (
        6,
        9,
    )
    with pytest.raises(ValueError, match="up to 6 tags, and these data have 7"):
        SEQUENCES.trace(Problem(np.eye(7)[np.arange(14) % 7], np.arange(14.0) % 7), 5)
