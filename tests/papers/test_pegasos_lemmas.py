"""What is touched on the page of Pegasos, against a few lines of NumPy."""

import itertools

import numpy as np
import pytest

from svmviz.papers.pegasos import lemmas
from svmviz.papers.pegasos.losses import LOSSES
from svmviz.solvers import SOLVERS
from svmviz.theory.bounds.pegasos import theorem_1

LAM, T = 0.05, 300


def costs(points, path, w) -> float:
    """Σ f_t(w) over the examples of a run."""
    X, y = points.X[path.drawn], points.y[path.drawn]
    return sum(LAM / 2 * w @ w + max(0.0, 1 - b * (w @ x)) for x, b in zip(X, y, strict=True))


@pytest.mark.parametrize("order", lemmas.ORDERS)
@pytest.mark.parametrize("name", lemmas.TARGETS)
def test_regret_lies_below_the_sum_of_the_proof_and_that_below_the_lemma(order, name):
    points = lemmas.problem()
    path = lemmas.pegasos(points, LAM, T, order)
    u = lemmas.target(points, LAM, path, name)
    found = lemmas.regret(points, LAM, path, u)
    own = sum(
        LAM / 2 * w @ w + max(0.0, 1 - points.y[i] * (w @ points.X[i]))
        for w, i in zip(path.w[:-1], path.drawn, strict=True)
    )
    assert found.paid[-1] == pytest.approx(own - costs(points, path, u), rel=1e-9)
    assert (found.paid <= found.telescoped + 1e-9).all() and (found.telescoped <= found.bound).all()
    assert found.bound[2:] == pytest.approx(
        theorem_1(T, LAM, found.G / 2).value * np.arange(3, T + 1)
    )


def test_the_run_behind_the_lemmas_is_pegasos():
    points = lemmas.problem()
    trace = SOLVERS["pegasos"].trace(points, T, 0, lam=LAM)
    assert lemmas.pegasos(points, LAM, T).w[-1] == pytest.approx(trace.at(T).w, rel=1e-9)


@pytest.mark.parametrize("lam", [0.01, 0.5])
def test_stopping_by_chance_is_good_enough_half_of_the_time(lam):
    points = lemmas.problem()
    found = lemmas.stopping(points, lam, T)
    trace = SOLVERS["pegasos"].trace(points, T, 0, lam=lam)
    best = trace.solver.optimum(points, trace.params()).primal
    assert found.gap == pytest.approx(trace.metrics["primal"][:-1] - best, abs=1e-9)
    assert 0.5 <= found.share <= 1 and found.attempts <= 2
    tries = np.concatenate([lemmas.tried(found, 2, seed) for seed in range(500)])
    assert tries.min() >= 1 and tries.max() <= T
    assert (found.gap[tries - 1] <= found.good).mean() == pytest.approx(found.share, abs=0.05)


def test_the_noise_of_a_batch_is_that_over_all_batches():
    points = lemmas.problem()
    five = lemmas.Problem(points.X[:5], points.y[:5])
    slopes = -five.y[:, None] * five.X  # at w = 0 all of them pay
    for kind, all_of_them in (
        (lemmas.DISTINCT, itertools.combinations(range(5), 2)),
        (lemmas.REPEATED, itertools.product(range(5), repeat=2)),
    ):
        away = [slopes[list(batch)].mean(axis=0) - slopes.mean(axis=0) for batch in all_of_them]
        assert lemmas.noise(five, np.zeros(2), 2)[kind] == pytest.approx(
            np.mean([one @ one for one in away])
        )
    assert lemmas.noise(points, np.zeros(2), points.n)[lemmas.DISTINCT] == 0.0


def test_batches_of_all_examples_are_sub_gradient_descent():
    points = lemmas.problem()
    trace = SOLVERS["pegasos"].trace(points, 40, 0, lam=LAM, k=points.n)
    assert lemmas.batched(points, LAM, 40, points.n, False) == pytest.approx(
        trace.metrics["primal"][1:], rel=1e-9
    )
    assert lemmas.batched(points, LAM, 40, points.n, True) != pytest.approx(
        trace.metrics["primal"][1:], rel=1e-2
    )


def test_both_ways_of_descending_go_along_gradients_of_the_same_objective():
    K, y = lemmas.curved(12)
    alpha, i, h = np.random.default_rng(0).normal(size=12), 3, 1e-6

    def one(a):  # λ/2 αᵀKα and the loss of example i
        return LAM / 2 * a @ K @ a + max(0.0, 1 - y[i] * (K[i] @ a))

    gradient = LAM * K @ alpha - (y[i] * (K[i] @ alpha) < 1) * y[i] * K[i]
    assert gradient == pytest.approx(
        [(one(alpha + h * e) - one(alpha - h * e)) / (2 * h) for e in np.eye(12)], abs=1e-6
    )
    step = np.array([1.0, 0.5])
    looks = np.array([1, 2])
    one_step = {way: lemmas.descend(K, y, LAM, step, looks, 0, way)[0] for way in (False, True)}
    i = lemmas.sampling.draw(12, 2)[0, 0]
    assert one_step[False] == pytest.approx(lemmas.primal(K, y, LAM, y[i] * np.eye(12)[i]))
    assert one_step[True] == pytest.approx(lemmas.primal(K, y, LAM, y[i] * K[i]))


@pytest.mark.parametrize("name", LOSSES)
def test_a_sub_gradient_lies_below_its_loss(name):
    """On 10 000 pairs of scores, ties among them."""
    loss, rng = LOSSES[name], np.random.default_rng(0)
    if not loss.scores:
        y, (z, u) = rng.choice([-1.0, 1.0], 10_000), rng.normal(0, 3, (2, 10_000)).round(1)
        assert (loss.value(u, y) >= loss.value(z, y) + loss.slope(z, y) * (u - z) - 1e-12).all()
        return
    for z, u, y in zip(
        *rng.normal(0, 2, (2, 10_000, 4)).round(1), rng.integers(0, 4, 10_000), strict=True
    ):
        assert loss.value(u, y) >= loss.value(z, y) + loss.slope(z, y) @ (u - z) - 1e-12
