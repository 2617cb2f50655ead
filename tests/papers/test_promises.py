"""Theorems that can be touched: terms add up, runs lie below what is promised of them, everywhere
one can drag to.
"""

import itertools

import numpy as np
import pytest

from svmviz.maths import kernels
from svmviz.papers.promises import GHOSTS, THEOREMS, Promise, grouped, so_far
from svmviz.papers.simba.estimates import estimates
from svmviz.theory import reference
from tests.tools.variants import seldom

CORNERS = [
    (key, dict(zip([knob.name for knob in theorem.knobs], values, strict=True)))
    for key, theorem in THEOREMS.items()
    for values in itertools.product(
        *((knob.options[0], knob.options[-1]) for knob in theorem.knobs)
    )
]


@pytest.mark.parametrize(
    ("key", "values"),
    seldom(CORNERS, 4),
    ids=[f"{key}-{'-'.join(map(str, v.values()))}" for key, v in CORNERS],
)
def test_terms_are_the_bound_and_runs_keep_it(key, values):
    theorem = THEOREMS[key]
    assert theorem.recipe(values).quick()
    promises = theorem.promised(theorem.runs(values), values)
    for promise in promises:
        assert promise.bound.t[-1] == values["T"] and promise.runs.shape == (
            GHOSTS,
            values["T"] + 1,
        )
        assert sum(promise.terms.values()) == pytest.approx(promise.value, rel=1e-12)
        if key != "variance_mw":  # p may do better than any single row
            assert (promise.runs[:, 1:] >= -1e-9).all(), "no run is better than the optimum"
        if promise.chance is None:  # in expectation
            assert promise.runs[:, -1].mean() <= promise.value
        else:
            assert (promise.runs[:, -1] <= promise.value).mean() >= promise.chance
    assert [term for row in grouped(promises).values() for term in row] and len(
        grouped(promises)
    ) <= len(promises)


def small(key: str, T: int) -> tuple[list, dict[str, float], list[Promise]]:
    theorem = THEOREMS[key]
    values = {knob.name: knob.value for knob in theorem.knobs} | {"T": T}
    traces = theorem.runs(values)
    return traces, values, theorem.promised(traces, values)


def test_what_lies_above_is_told_in_times():
    _, _, (first, sure) = small("sbp", 1000)
    assert sure.value > first.value
    assert first.times() == pytest.approx(first.value / np.median(first.runs[:, -1]))


def test_lemma_2_of_pegasos_is_about_the_mean_of_all_iterates():
    traces, values, promises = small("pegasos", 60)
    lemma, (X, y), lam = promises[1], traces[0].problem, values["lam"]
    assert lemma.bound.name == "Lemma 2" and lemma.chance == 1 - values["delta"]
    W = np.array([traces[0].at(t).w for t in range(60)])  # w_1 = 0, ..., w_60
    P = lam / 2 * (W**2).sum(axis=1) + np.maximum(0, 1 - y * (W @ X.T)).mean(axis=1)
    assert lemma.runs[0, -1] == pytest.approx(
        (P - reference.optimum(traces[0].problem, lam).primal).mean(), rel=1e-9
    )
    c = 4 * max(1.0, np.linalg.norm(X, axis=1).max()) ** 2
    assert lemma.value == pytest.approx(
        21 * c * np.log(60 / values["delta"]) / (lam * 60), rel=1e-12
    )
    average = promises[2]
    assert (
        average.terms == lemma.terms and (average.runs[:, -1] <= lemma.runs[:, -1] + 1e-12).all()
    )  # P is convex


def test_section_4_1_on_a_fixed_set_in_a_few_lines():
    K, C = 150, 1.0
    traces, _, (gap, dual, average) = small("fixed_set", K)
    X, y = traces[0].problem
    Q = np.outer(y, y) * np.exp(-1.0 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    alpha, alphas = np.zeros(y.size), []
    for i in traces[0].drawn[1:, 1] if traces[0].drawn.ndim == 2 else traces[0].drawn[1:]:
        alphas.append(alpha.copy())
        alpha[i] = np.clip(alpha[i] + 1 - Q[i] @ alpha, 0, C)
    best = reference.optimum(traces[0].problem, 1 / (C * y.size), kernels.rbf(1.0)).primal
    A, mean = np.array(alphas), np.mean(alphas, axis=0)
    P = lambda a: (a @ Q @ a / 2 + C * np.maximum(0, 1 - Q @ a).sum()) / (C * y.size)  # noqa: E731
    D = lambda a: (a.sum() - a @ Q @ a / 2) / (C * y.size)  # noqa: E731
    assert gap.runs[0, -1] == pytest.approx(np.mean([P(a) - D(a) for a in A]), rel=1e-9)
    assert dual.runs[0, -1] == pytest.approx(best - D(A[-1]), rel=1e-7)
    assert average.runs[0, -1] == pytest.approx(P(mean) - best, rel=1e-7)
    x = best * C * y.size / K
    assert (
        gap.value == dual.value == average.value == pytest.approx(np.sqrt(2 * x) + x / C, rel=1e-9)
    )


def test_lemma_4_2_is_about_the_player_of_p_in_real_runs():
    T = 120
    traces, values, (lemma,) = small("variance_mw", T)
    v, n = estimates(traces), traces[0].problem.n
    eta = np.sqrt(np.log(n) / T)
    assert v.shape == (GHOSTS, T, n) and abs(v).max() <= 1 / eta
    lost, most = [], []
    for trace, seen in zip(traces, v, strict=True):
        q, earned, spread = np.ones(n), 0.0, 0.0
        for t in range(T):
            p = q / q.sum()
            assert trace.scalars["p"][t + 1] == pytest.approx(
                p[trace.drawn[t + 1]], rel=1e-8
            )  # it is the run's own
            earned, spread = earned + p @ seen[t], spread + p @ seen[t] ** 2
            q *= 1 - eta * seen[t] + (eta * seen[t]) ** 2
        lost.append((earned - np.maximum(seen, -1 / eta).sum(axis=0).min()) / T)
        most.append((np.log(n) / eta + eta * spread) / T)
    assert np.all(np.array(lost) <= most)
    assert lemma.runs[:, -1] == pytest.approx(lost, rel=1e-9, abs=1e-12)
    assert lemma.value == pytest.approx(np.mean(most), rel=1e-9)


def test_the_mean_so_far_is_that_of_what_came_before():
    assert so_far(np.array([[1.0, 3.0, 5.0]])).tolist() == [[1.0, 1.0, 2.0]]
