"""Lemmas of the SBP paper that can be touched, against a few lines of NumPy."""

import numpy as np
import pytest

from svmviz.papers.evidence.experiment import Results, named
from svmviz.papers.evidence.verdicts import AS, NOT
from svmviz.papers.incremental.table import TABLE, Counted, Passed
from svmviz.papers.incremental.verdicts import on_table_1
from svmviz.papers.sbp import lemmas
from svmviz.theory import bounds
from tests.tools.cases import together
from tests.tools.rotation import by_turns


def level(c, volume):
    """By sorting: the k lowest are under water."""
    s = np.sort(c)
    return min((volume + s[:k].sum()) / k for k in range(1, s.size + 1))


@pytest.mark.parametrize("t", [0, 1, 40, 199])
@pytest.mark.parametrize("toward", lemmas.TARGETS)
def test_the_level_stays_below_its_tangent(t, toward):
    trace = lemmas.RUN.trace()
    known, volume, s = lemmas.directions(trace, t), 5.0, np.linspace(-1, 2, 61)
    c, v = known["w"], known[toward]
    found = lemmas.slope(c, v, volume, s)
    expected = [level(c + at * (v - c), volume) for at in s]
    p = (c <= level(c, volume)) / (c <= level(c, volume)).sum()
    assert found.level == pytest.approx(expected, abs=1e-12)
    assert found.tangent == pytest.approx(level(c, volume) + s * (p @ (v - c)), abs=1e-12)
    assert (found.level <= found.tangent + 1e-12).all()
    low, high = found.same
    inside = (s >= low) & (s <= high)
    assert low <= 0 <= high and inside.any()
    assert found.level[inside] == pytest.approx(found.tangent[inside], abs=1e-12)
    for end in (low - 1e-3, high + 1e-3):
        if np.isfinite(end):
            beyond = lemmas.slope(c, v, volume, end)
            assert beyond.level[0] < beyond.tangent[0]


def test_lemma_3_1_holds_for_any_responses():
    rng = np.random.default_rng(0)
    for _ in range(500):
        n = int(rng.integers(1, 9))
        c, v = rng.normal(size=(2, n)).round(1)  # with ties
        found = lemmas.slope(c, v, float(rng.choice([0.0, 0.3, 5.0])), [-1.0, 1.0])
        assert (found.level <= found.tangent + 1e-12).all()


@together("eps", [0.001, 0.1, 0.5, 1.0])
@together("loss", [0.0, 0.01, 0.05, 0.95])
@together("norm", [1.0, 10.0, 100.0])
def test_section_3_5_keeps_what_it_needs(norm, loss, eps):
    found = bounds.learning(norm, loss, eps)
    assert found.n == pytest.approx((loss + eps) / eps * norm**2 / eps)
    assert found.printed == pytest.approx(eps / 2 / (norm * (loss + eps / 2)))
    assert found.eps <= min(found.printed, 1 / (2 * norm)) and (found.eps < found.printed) == (
        loss < eps / 2
    )
    assert (
        found.norm <= 2 * norm * (1 + 1e-12) and found.loss <= loss + eps / 2 + 1e-12
    )  # (3.6), by Lemma 2.1
    short = lambda T: 3 / np.sqrt(T) + 2 / T  # noqa: E731
    assert short(found.steps) <= found.eps * (1 + 1e-9) and short(found.steps - 1) > found.eps
    assert bounds.lemma_3_2(min(found.steps, 10**6), 1.0).value[-1] == pytest.approx(
        short(min(found.steps, 10**6))
    )


def test_steps_for_refuses_what_asks_for_nothing():
    assert bounds.steps_for(5.0) == 1
    with pytest.raises(ValueError, match="must be positive"):
        bounds.steps_for(0.0)
    with pytest.raises(ValueError, match="must be positive"):
        bounds.learning(0.0, 0.1, 0.1)


@pytest.mark.parametrize(
    ("n", "eps"), by_turns([(10, 0.5), (10, 0.001), (30, 0.01), (300, 0.1)], 5)
)
def test_lemma_e_1_a_good_dual_and_a_bad_primal(n, eps):
    X, y = lemmas.separable(n)
    u = np.array([1.0, 0.0])
    assert (y * (X @ u) >= 1).all()
    found, lam = lemmas.accuracy(n, eps), 2 * eps
    Q, alpha = np.outer(y, y) * (X @ X.T), np.zeros(n)
    for _ in range(3000):
        for i in range(n):
            alpha[i] = np.clip(alpha[i] + (1 - Q[i] @ alpha) / Q[i, i], 0, 1 / (lam * n))
        half = alpha @ Q @ alpha / 2
        dual, primal = lam * (alpha.sum() - half), lam * half + np.maximum(0, 1 - Q @ alpha).mean()
        if primal - dual < 1e-7:
            break
    assert found.dual == pytest.approx(dual, abs=1e-6) and found.primal == pytest.approx(
        1 - primal, abs=1e-6
    )
    assert 0 < found.dual <= eps and found.primal >= 1 - eps


def test_table_1_is_counted():
    counts = {f"{name}, counted": Counted(*row[1:4]) for name, row in TABLE.items()}
    runs = {named(f"{name}, one pass", 0): Passed(0.15, 100, 10_000) for name in TABLE}
    said = on_table_1(Results(counts | runs, (0,)))
    assert [one.outcome for one in said.verdicts] == [
        AS
    ] * 6 and "15.00 % test errors" in said.notes[0]
    other = counts | {"mnist, counted": Counted(60_000, 10_000, 784)}
    assert [one.outcome for one in on_table_1(Results(other | runs, (0,))).verdicts] == [AS] * 5 + [
        NOT
    ]
