"""Merging with other radial kernels, and any two vectors, against brute force."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.distance import cdist

from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.run.streams import stream
from svmviz.solvers import SOLVERS
from svmviz.solvers.bsgd import budget
from svmviz.solvers.bsgd.maintenance import radial, strategies
from tests.solvers.bsgd.test_budget import KINDS, weights
from tests.solvers.bsgd.test_learner import assert_is_the_papers, blobs
from tests.tools.rotation import at_times, by_turns, sized, turn

BSGD = SOLVERS["bsgd"]
ORACLES = {
    kernels.LAPLACIAN: lambda X, Z, gamma: np.exp(-gamma * cdist(X, Z, "cityblock")),
    kernels.IMQ: lambda X, Z, gamma: 1 / np.sqrt(1 + gamma * cdist(X, Z, "sqeuclidean")),
    kernels.RBF: lambda X, Z, gamma: np.exp(-gamma * cdist(X, Z, "sqeuclidean")),
}
MADE = {kernels.LAPLACIAN: kernels.laplacian, kernels.IMQ: kernels.imq, kernels.RBF: kernels.rbf}
OTHERS = pytest.mark.parametrize(
    "kind", [kernels.LAPLACIAN, kernels.IMQ], ids=["Laplacian", "inverse multiquadric"]
)
rng = np.random.default_rng(11)


def pair(kind: str) -> tuple:
    """x_m, x_n, a_m, a_n, gamma: near, far and between, for two classes and for more."""
    c = int(rng.integers(2, 6)) if kind in ("any", "Crammer-Singer") or rng.random() < 0.4 else 1
    x, way = rng.normal(size=3), rng.normal(size=3)
    return x, x + way / np.linalg.norm(way), *weights(kind, c), 10 ** rng.uniform(-3, 3)


PAIRS = [pair(kind) for kind in KINDS for _ in range(340)]


def loss(kind, x_m, x_n, a_m, a_n, gamma, z, plus=0.0):
    """|Delta|² for each row of z with its best coefficients, from kernel values alone."""
    k, p, q = (
        ORACLES[kind](np.atleast_2d(x), np.atleast_2d(y), gamma) + plus
        for x, y in ((x_m, x_n), (z, x_m), (z, x_n))
    )
    gained = ((p * a_m + q * a_n) ** 2).sum(axis=1) / (1 + plus)
    return ((a_m**2).sum() + (a_n**2).sum()) * (1 + plus) + 2 * (a_m @ a_n) * k.item() - gained


@OTHERS
def test_a_merged_pair_is_the_best_of_all_places_on_the_line(kind):
    assert len(PAIRS) >= 2000
    for x_m, x_n, a_m, a_n, gamma in PAIRS[(kind + turn()) % 6 :: 6]:
        got, size = budget.merge_pair(x_m, x_n, a_m, a_n, gamma, kind=kind), a_m @ a_m + a_n @ a_n
        h = np.concatenate(
            [
                np.linspace(-0.5, 1.5, 401),
                np.geomspace(1e-9, 1, 60),
                1 - np.geomspace(1e-9, 1, 60),
                -np.geomspace(0.5, 1e3, 100),
                1 + np.geomspace(0.5, 1e3, 100),
            ]
        )
        every = loss(kind, x_m, x_n, a_m, a_n, gamma, h[:, None] * x_m + (1 - h[:, None]) * x_n)
        assert got.degradation == pytest.approx(
            loss(kind, x_m, x_n, a_m, a_n, gamma, got.z).item(), abs=1e-13 * size
        )
        assert got.degradation <= every.min() + 1e-13 * size, (x_m, x_n, a_m, a_n, gamma)
        if a_m @ a_n >= 0:
            assert 0 <= got.h <= 1 and (got.h <= 0.5) == (a_m @ a_m <= a_n @ a_n * (1 + 1e-12))


@OTHERS
def test_no_vector_off_the_line_is_better(kind):
    for x_m, x_n, a_m, a_n, gamma in [p for p in PAIRS if 0.05 < p[4] < 5][::25]:
        got, size = budget.merge_pair(x_m, x_n, a_m, a_n, gamma, kind=kind), a_m @ a_m + a_n @ a_n
        around = (
            got.z
            + np.random.default_rng(0).normal(size=(2000, 3)) * np.geomspace(1e-3, 3, 2000)[:, None]
        )
        assert got.degradation <= loss(kind, x_m, x_n, a_m, a_n, gamma, around).min() + 1e-13 * size
        if kind == kernels.IMQ:
            found = minimize(
                lambda z, *given: loss(kind, *given, z).item(),
                got.z + 0.05,
                (x_m, x_n, a_m, a_n, gamma),
            )
            assert got.degradation <= found.fun + 1e-12 * size


def test_with_the_laplacian_kernel_the_lighter_vector_is_projected_on_the_heavier():
    for x_m, x_n, a_m, a_n, gamma in PAIRS:
        got = budget.merge_pair(x_m, x_n, a_m, a_n, gamma, kind=kernels.LAPLACIAN)
        light, heavy, place = (
            (a_m, a_n, x_n) if a_m @ a_m <= a_n @ a_n * (1 + 1e-12) else (a_n, a_m, x_m)
        )
        k = np.exp(-gamma * abs(x_m - x_n).sum())
        assert np.array_equal(got.z, place) and np.allclose(
            got.a_z, heavy + k * light, rtol=1e-12, atol=1e-14
        )
        assert got.degradation == pytest.approx((light @ light) * (1 - k * k), rel=1e-9, abs=1e-15)


def test_two_hills_and_one_with_the_inverse_multiquadric():
    """Equal weights of one sign: the middle is best up to L = 2, as for the Gaussian, where k is
    1/sqrt(3).
    """
    for L, middle in ((1.999, True), (2.001, False)):
        h = budget.merge_pair([0.0], [np.sqrt(L)], 1.0, 1.0, 1.0, kind=kernels.IMQ).h
        assert (h == 0.5) == middle and 0 < h <= 0.5


@at_times(4)
@pytest.mark.parametrize("many", sized(500, 1500))
def test_its_slope_changes_sign_once_in_the_half_beside_the_heavier_vector(many):
    h = np.concatenate([np.geomspace(1e-9, 1e-3, 300), np.linspace(1e-3, 0.5, 1500)[1:-1]])
    for k in range(many):
        root, L = (
            1.0 if k % 3 == 0 else rng.random(),
            (10 ** rng.uniform(-3, 4) if k % 2 else rng.uniform(0.3, 6)),
        )
        A, D = root**2, root * rng.choice([0.0, 1.0, rng.random()])
        G = np.array([radial.slope(A, D, 1.0, L, value)[0] for value in h])
        assert (np.diff(np.sign(G[abs(G) > 1e-13 * h])) != 0).sum() <= 1


@OTHERS
def test_with_a_constant_feature_too(kind):
    for plus in (0.25, 4.0):
        for x_m, x_n, a_m, a_n, gamma in [p for p in PAIRS if len(p[2]) == 1 and p[2] @ p[3] > 0][
            ::9
        ]:
            got, size = (
                budget.merge_pair(x_m, x_n, a_m, a_n, gamma, plus=plus, kind=kind),
                a_m @ a_m + a_n @ a_n,
            )
            h = np.linspace(0, 1, 801)[:, None]
            every = loss(kind, x_m, x_n, a_m, a_n, gamma, h * x_m + (1 - h) * x_n, plus)
            assert got.degradation <= every.min() + 1e-13 * size * (1 + plus)
            here = loss(kind, x_m, x_n, a_m, a_n, gamma, got.z, plus).item()
            assert got.degradation == pytest.approx(here, abs=1e-13 * size * (1 + plus))


# In a run -----------------------------------------------------------------------------------------


@OTHERS
@pytest.mark.parametrize("pairs", budget.PAIRS)
@pytest.mark.parametrize(
    "classes, rule, constant",
    by_turns([(2, "margin Perceptron", 0.5), (3, "Norma", 0.0), (2, "Pegasos", 0.0)], 2),
)
def test_every_step_is_that_of_the_transcription(kind, pairs, classes, rule, constant):
    U, kernel = 2.5 if rule == "margin Perceptron" else 0.0, MADE[kind](1.5)
    more = {"intercept": "constant feature", "constant": constant} if constant else {}
    trace = BSGD.trace(
        blobs(classes=classes),
        steps=150,
        seed=1,
        rule=rule,
        B=7,
        lam=0.05,
        U=U,
        eta=0.5,
        kernel=kernel,
        pairs=pairs,
        **more,
    )
    assert_is_the_papers(
        trace,
        lambda X, Z: ORACLES[kind](X, Z, 1.5) + constant**2,
        keep="merge",
        B=7,
        rule=rule,
        U=U,
        eta=0.5,
        plus=constant**2,
        kind=kind,
        any_two=pairs == "all",
    )
    assert (trace.scalars["event"] == strategies.MERGED_TWO).sum() > 15


@pytest.mark.parametrize(
    ("classes", "search"), by_turns(itertools.product([2, 3], budget.SEARCHES), 3)
)
def test_any_two_with_the_gaussian_kernel_is_the_transcription(classes, search):
    trace = BSGD.trace(
        blobs(n=60, classes=classes),
        steps=200,
        seed=2,
        B=8,
        lam=0.05,
        kernel=kernels.rbf(1.5),
        pairs="all",
        search=search,
    )
    assert_is_the_papers(
        trace, lambda X, Z: ORACLES[kernels.RBF](X, Z, 1.5), keep="merge", B=8, any_two=True
    )


@pytest.mark.parametrize("kind", MADE)
def test_any_two_lose_no_more_than_the_smallest_and_its_partner_would(kind):
    trace = BSGD.trace(
        plane.moons(n=120, seed=3), steps=400, B=10, lam=0.01, kernel=MADE[kind](2.0), pairs="all"
    )
    other = 0
    for t in np.flatnonzero(trace.scalars["event"] == strategies.MERGED_TWO):
        over, lost = trace.overflow(t), trace.scalars["degradation"][t]
        usual = budget.candidates(over.vectors, over.coef, 2.0, kind=kind)
        if usual.best >= 0:
            least = usual.degradation[list(usual.n).index(usual.best)]
            assert lost <= least * (1 + 1e-9)
            other += lost < least * (1 - 1e-6)
        grown = len(over.row)
        assert trace.segments[0].record.kernel_evals[t - 1] == grown - 1 + grown * (grown - 1) // 2
    assert other > 20


@pytest.mark.parametrize("kind", MADE)
def test_a_stream_merges_as_a_run_does(kind):
    given = {"B": 10, "lam": 0.01, "kernel": MADE[kind](2.0), "pairs": "all"}
    problem = plane.moons(n=150, seed=4)
    trace = BSGD.trace(problem, order=np.arange(150), **given)
    found = stream.run([(problem.X, problem.y)], given)
    f = kernels.responses(given["kernel"], found.model.vectors, found.model.coef, problem.X)
    assert abs(f.ravel() - trace.f(150, problem.X)).max() <= 1e-9 and found.E_bar == pytest.approx(
        trace.scalars["E_bar"][-1]
    )
