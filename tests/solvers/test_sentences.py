"""What SBP, SIMBA and the incremental SVM say of a step beyond its own numbers is true: computed
anew, by brute force.
"""

import re
from collections import Counter

import numpy as np
import pytest

from svmviz.data import many_features, plane, targets
from svmviz.maths import kernels
from svmviz.maths.water import water_level, water_level_with_bias
from svmviz.record.sentences import DEPTHS, Sentence, Sentences
from svmviz.solvers import SOLVERS
from svmviz.solvers.pegasos import algorithm, story
from svmviz.theory import optima
from tests.solvers.test_contract import VARIANTS
from tests.tools.rotation import by_turns, turn

INCREMENTAL, SBP, SIMBA = (SOLVERS[key] for key in ("incremental", "sbp", "simba"))
GAUSS, MOONS = plane.gauss(n=150, seed=1), plane.moons(n=60, seed=2)
BATCH = {"algorithm": "batch"}


def alone(words: str) -> re.Pattern:
    """A clause of a sentence, whatever its numbers."""
    return re.compile(re.escape(words).replace("\\#", r"[−\d.·⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+"))


RISES = {
    "costly": alone("It costs w̄ #, and the round wins only #: the gap rises to #."),
    "spoilt": alone("It costs w̄ #, and the round loses #: the gap rises to #."),
    "rose": alone("The gap rises from # to #: P rose more than D."),
}
FALLS = {
    "easy": alone("It costs w̄ #, less than the mean #: the gap falls to #."),
    "paid": alone("It costs w̄ #, and the round wins #: the gap falls to #."),
    "fell": alone("The gap falls from # to #."),
}
STAYS = {"plain": alone("The gap is #, was #.")}


def worth(trace, G, t: int, rows: np.ndarray, C: float) -> tuple[float, float]:
    """P and D of what round t put out, on these examples, as sums over them."""
    y, coef = trace.problem.y, trace.coef(t, "average")
    f = G @ coef
    half = coef @ f / 2
    return half + C * np.maximum(0.0, 1.0 - y * f)[rows].sum(), (y * coef).sum() - half


@pytest.mark.parametrize(
    "params",
    by_turns(
        [
            {},
            {"changes": [(60, {"C": 0.3}), (90, {"K": 9}), (120, BATCH)]},
            {"K": 1, "C": 3.0},
            {"algorithm": "Algorithm 1", "K": 3},
            BATCH,
            {"teacher": "active", "pool": 9},
            {"teacher": "adversary"},
            {"kernel": None, "gradients": "LASVM, all seen"},
        ],
        4,
        always=2,
    ),
    ids=str,
)
def test_the_gap_rises_and_falls_for_the_reason_that_is_given(params):
    trace = INCREMENTAL.trace(GAUSS, 200, 4, iterate="average", **params)
    order, said, G = optima.arrivals(trace), Counter(), kernels.gram(trace.kernel(1), GAUSS.X)
    starts = [segment.start for segment in trace.segments[1:]]
    for t in range(1, 201):
        rows, C, told = (
            optima.seen(trace, order, t),
            trace.params(t)["C"],
            trace.why(t).replace("*", ""),
        )
        (name,) = [name for name, words in (RISES | FALLS | STAYS).items() if words.search(told)]
        said[name] += 1
        if t - 1 in starts:  # before that there was another problem
            assert name == "plain"
            continue
        old = rows[order[rows] < t]
        new, m = rows[order[rows] == t], rows.size
        (P, D), (P_with, D_old) = (worth(trace, G, step, rows, C) for step in (t, t - 1))
        P_old, _ = worth(trace, G, t - 1, old, C)
        gap, together = (P - D) / (C * m), (P_with - D_old) / (C * m)
        before = (P_old - D_old) / (C * old.size) if old.size else 1.0
        won, mean = m * (together - gap), trace.scalars["gap"][t - 1]
        cost = np.maximum(0.0, 1.0 - GAUSS.y[new] * (G[new] @ trace.coef(t - 1, "average"))).sum()
        values = INCREMENTAL.story.values(trace, t)
        found = [
            values[name]
            for name in ("gap", "gap_with", "gap_before", "won", "lost", "cost", "primal", "dual")
        ]
        assert found == pytest.approx(
            [gap, together, before, won, -won, cost, P / (C * m), D / (C * m)], abs=1e-9
        )
        assert m * gap == pytest.approx(
            old.size * mean + cost - won, abs=1e-9
        )  # what the sentence rests on
        if name in STAYS:
            assert abs(gap - mean) <= 1e-9 or (gap > mean and P <= P_old and not new.size)
            continue
        assert (gap > mean) == (name in RISES) and bool(new.size) == (name not in ("rose", "fell"))
        if name == "costly":
            assert cost > won + mean and won >= -1e-12
        elif name == "spoilt":
            assert won < 1e-12 and cost - won > mean
        elif name == "easy":
            assert cost < mean and mean - cost >= won - 1e-12  # that is most of it
        elif name == "paid":
            assert won > max(0.0, cost - mean, mean - cost) - 1e-12
        elif name == "rose":
            assert P - P_old > max(0.0, D - D_old) - 1e-9
    if params == {}:
        assert min(said[name] for name in (*RISES, *FALLS)) >= 3 and said["plain"] <= 3


def weights(trace):
    """p before each step of SIMBA, and |u| and u after it: every q multiplied out from the columns
    that were read.
    """
    (X, y), params, n = trace.problem, trace.params(), trace.problem.n
    R = np.sqrt((X**2).sum(axis=1).max())
    log_q, u, volume = np.zeros(n), np.zeros(X.shape[1]), n * params["nu"] / R
    for t in range(1, trace.steps + 1):
        p = np.exp(log_q - log_q.max())
        p /= p.sum()
        xi, order, full = np.zeros(n), np.lexsort((np.arange(n), -log_q)), min(n, int(volume / 2.0))
        xi[order[:full]], xi[order[full : full + 1]] = 2.0, min(2.0, volume - 2.0 * full)
        balance = p @ y if params["bias"] else 0.0
        b = 0.0 if abs(balance) < 1e-12 else np.sign(balance)
        i = trace.drawn[t]
        u = u + y[i] * X[i] / R
        unit, eta = 1.0 / max(np.sqrt(2.0 * t), np.linalg.norm(u)), np.sqrt(np.log(n) / t)
        j = int(trace.scalars["column"][t]) - 1
        margin = X @ u * unit if params["exact_margins"] else X[:, j] * unit * (u @ u) / u[j]
        z = np.clip(eta * (y * margin / R + xi + y * b), -1.0, 1.0)
        log_q = log_q + np.log(1.0 - z + z * z)
        yield t, p, u, j, unit * (u @ u) / u[j]


@pytest.mark.parametrize(
    "params", by_turns([{"bias": True}, {}, {"nu": 0.4}, {"exact_margins": True}], 3), ids=str
)
@pytest.mark.parametrize(
    "problem", [MOONS, many_features.rare(n=60, d=30, seed=1)], ids=["moons", "rare"]
)
def test_a_row_has_the_chance_that_past_judgements_made_of_an_even_share(problem, params):
    trace, said = SIMBA.trace(problem, 150, 3, **params), Counter()
    for t, p, u, j, gain in weights(trace):
        values, told, even = (
            SIMBA.story.values(trace, t),
            trace.why(t),
            problem.n * p[trace.drawn[t]],
        )
        assert values["even"] == pytest.approx(even, rel=1e-6)
        assert values["length"] == pytest.approx(np.linalg.norm(u), rel=1e-9)
        assert values["root"] ** 2 == pytest.approx(2 * t)
        if j >= 0:
            assert (
                values["gain"] == pytest.approx(gain, rel=1e-6)
                and values["judge"] == f"Column {j + 1}"
            )
        way = "raised" if even > 1.25 else "lowered" if even < 0.8 else "about"
        said[way] += 1
        assert [word for word in ("raised", "lowered", "about") if f" {word} " in told] == [way]
    assert min(said[way] for way in ("raised", "lowered", "about")) > 0


def test_where_p_is_exact_the_chance_is_that_of_those_under_water():
    for bias in (False, True):
        trace = SIMBA.trace(MOONS, 60, 3, exact_p=True, bias=bias)
        for t in range(1, 61):
            c = MOONS.y * trace.f(t - 1, MOONS.X, "last") - MOONS.y * trace.b(t - 1, "last")
            if bias:
                gamma, b = water_level_with_bias(c, MOONS.y, MOONS.n * trace.params()["nu"])
                c = c + MOONS.y * b
            else:
                gamma = water_level(c, MOONS.n * trace.params()["nu"])
            values = SIMBA.story.values(trace, t)
            least, most = ((c <= gamma + far).sum() for far in (-1e-9, 1e-9))
            assert least <= values["under"] <= most and values["even"] == pytest.approx(
                MOONS.n / values["under"]
            )
            assert f"as the water covers {values['under']} of {MOONS.n}" in trace.why(t)


@pytest.mark.parametrize(
    "params",
    [
        {"nu": 0.05},
        {"kernel": kernels.rbf(4.0)},
        {"bias": True, "kernel": kernels.rbf(1.0)},
        {"nu": 0.0, "kernel": kernels.rbf(4.0)},
        {"changes": [(70, {"nu": 0.5})]},
    ],
    ids=str,
)
def test_the_level_goes_where_the_sentence_says_and_never_falls_unless_a_column_sank(params):
    trace, said = SBP.trace(MOONS, 150, 5, **params), Counter()
    G = kernels.gram(trace.kernel(1), MOONS.X)
    for t in range(1, 151):
        volume, bias = MOONS.n * trace.params(t)["nu"], trace.params(t)["bias"]
        old, new = (MOONS.y * (G @ trace.at(step).coef) for step in (t - 1, t))
        before, after = (
            water_level_with_bias(c, MOONS.y, volume)[0] if bias else water_level(c, volume)
            for c in (old, new)
        )
        values, told = SBP.story.values(trace, t), trace.why(t)
        assert values["gamma_after"] == pytest.approx(after, abs=1e-9) and values[
            "gamma"
        ] == pytest.approx(before, abs=1e-9)
        assert (new < old - 1e-12).sum() <= values["sank"] <= (new < old + 1e-12).sum()
        assert values["eta_0"] == pytest.approx(1.0 / np.sqrt(G.diagonal().max()))
        assert values["K_ii"] == G[trace.drawn[t], trace.drawn[t]]
        assert values["scaled"] == pytest.approx(
            new[trace.drawn[t]], abs=1e-9
        )  # where the chain of the maths ends
        for way, holds in (("rises to", after > before), ("falls to", after < before)):
            if f"The level {way} {after:.3f}".replace("-", "−") in told:
                assert holds and after > 0.0 and (way == "rises to" or values["sank"] > 0)
                said[way] += 1
        assert ("does not separate" in told) == (after <= 0.0)
    assert min(said["rises to"], said["falls to"]) > 0


@pytest.mark.parametrize("solver", [SBP, SIMBA, INCREMENTAL], ids=lambda solver: solver.key)
def test_one_is_not_called_many_and_short_is_a_few_words(solver):
    for params in VARIANTS[solver.key][turn() % 3 :: 3]:
        trace = solver.trace(plane.moons(n=80, seed=3), 120, 2, **params)
        for t in range(121):
            assert len(trace.why(t, "short")) <= 60
            for depth in DEPTHS:
                told = trace.why(t, depth)
                assert not re.search(r"(?<![\w.·/])1 (are|were|columns|draws|have)\b", told), told


@pytest.mark.parametrize("key", [key for key in SOLVERS if key not in ("pegasos", "sequences")])
def test_sentence_inserted_into_pegasos_changes_no_other_solver(key, monkeypatch):
    problem = targets.sine(n=20) if SOLVERS[key].space.real else MOONS
    before = SOLVERS[key].trace(problem, 12, 3)
    entries = list(story.WHY.items())
    longer = Sentences(**dict([*entries[:2], ("new", Sentence("Something else.")), *entries[2:]]))
    monkeypatch.setattr(algorithm, "WHY", longer)
    monkeypatch.setattr(story, "WHY", longer)
    after = SOLVERS[key].trace(problem, 12, 3)
    assert after.column("why").tolist() == before.column("why").tolist()
    said = [(before.why(t), after.why(t)) for t in range(1, 13)]
    assert all(then == now for then, now in said)
