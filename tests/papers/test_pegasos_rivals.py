"""Rivals of Pegasos that have no stage: each against the paper in a few lines of NumPy, and against
an exact optimum.
"""

import numpy as np
import pytest

from svmviz.data import plane
from svmviz.data.problem import Problem
from svmviz.maths import kernels, sampling
from svmviz.papers.evidence.experiment import Results, named
from svmviz.papers.pegasos import rivals, runs, throughput
from svmviz.papers.rivals import cutting_planes, lasvm, schedules
from svmviz.solvers import SOLVERS
from svmviz.theory import reference

PROBLEM = plane.blobs(n=60, noise=1.0, seed=1)
LAM, T = 0.05, 400


def by_hand(eta: np.ndarray, seed: int = 0) -> np.ndarray:
    """Section 7.6: w after the last step."""
    X, y, w = PROBLEM.X, PROBLEM.y, np.zeros(PROBLEM.d)
    for i, step in zip(sampling.draw(PROBLEM.n, eta.size, seed=seed)[:, 0], eta, strict=True):
        pays = y[i] * (w @ X[i]) < 1
        w = (1 - step * LAM) * w + step * y[i] * X[i] * pays
    return w


@pytest.mark.parametrize("eta", [schedules.norma(LAM, T), np.full(T, 0.3)], ids=["Norma", "Zhang"])
def test_steps_of_any_length_are_those_of_the_paper(eta):
    found = schedules.run(PROBLEM, LAM, eta, [1, T // 2, T])
    assert found.shape == (PROBLEM.d, 3)
    for column, steps in enumerate((1, T // 2, T)):
        assert found[:, column] == pytest.approx(by_hand(eta[:steps]), rel=1e-9)


def test_steps_that_shrink_like_one_over_t_are_pegasos_and_equal_ones_are_its_rival():
    pegasos = SOLVERS["pegasos"].trace(PROBLEM, T, 0, lam=LAM)
    assert schedules.run(PROBLEM, LAM, 1 / (LAM * np.arange(1.0, T + 1)), [T])[
        :, 0
    ] == pytest.approx(pegasos.at(T).w, rel=1e-9)
    zhang = SOLVERS["sgd"].trace(PROBLEM, T, 0, lam=LAM, eta=0.3)
    assert schedules.run(PROBLEM, LAM, np.full(T, 0.3), [T])[:, 0] == pytest.approx(
        zhang.at(T).w, rel=1e-9
    )


def test_the_p_of_norma_minimises_its_bound():
    """Theorem 4 of Kivinen, Smola and Williamson is p + (2 + 1/(2√T))/(4p) or so in p: least where
    both terms are alike.
    """
    p = np.linspace(0.3, 1.2, 9001)
    for steps in (100, 10_000):
        assert schedules.norma_p(steps) == pytest.approx(
            p[np.argmin(p + (2 + 0.5 / np.sqrt(steps)) / (4 * p))], abs=1e-3
        )
        assert 0.7 < schedules.norma_p(steps) < 0.716


# --- LASVM ----------------------------------------------------------------------------------------

MOONS = plane.moons(n=60, noise=0.3, seed=0)
K = kernels.gram(kernels.rbf(2.0), MOONS.X)
ORDER = np.concatenate([np.random.default_rng(seed).permutation(MOONS.n) for seed in range(2)])


def lasvm_by_hand(order, C: float, tau: float, bias: bool):
    """PROCESS and REPROCESS as printed, with a gradient that is computed anew each time; the origin
    is member −1.
    """
    y, alpha, S = np.append(MOONS.y, 0.0), np.zeros(MOONS.n + 1), [] if bias else [-1]
    G, low, high = np.pad(K, (0, 1)), np.minimum(0, C * y), np.maximum(0, C * y)
    low[-1], high[-1] = -np.inf, np.inf

    def pair():
        g = y - G @ alpha
        rising, falling = [s for s in S if alpha[s] < high[s]], [s for s in S if alpha[s] > low[s]]
        top, bottom = (
            max(g[rising]) - 1e-12,
            min(g[falling]) + 1e-12,
        )  # a pair that has moved has the same g
        return next(s for s in rising if g[s] >= top), next(s for s in falling if g[s] <= bottom), g

    def move(i, j, g):
        step = min(
            (g[i] - g[j]) / (G[i, i] + G[j, j] - 2 * G[i, j]), high[i] - alpha[i], alpha[j] - low[j]
        )
        alpha[[i, j]] += step, -step
        for end in (0.0, C, -C):  # rounding leaves nobody next to the end of a box
            alpha[:-1][np.abs(alpha[:-1] - end) < 1e-12] = end

    if bias:
        S += [order[np.flatnonzero(MOONS.y[order] == label)[0]] for label in (1, -1)]
    cost = 0
    for k in order:
        if k not in S:
            cost += len(S) - (not bias)
            S.append(k)
            i, j, g = pair()
            i, j = (k, j) if y[k] > 0 else (i, k)
            if g[i] - g[j] > tau:
                move(i, j, g)
        i, j, g = pair()
        if g[i] - g[j] > tau:
            move(i, j, g)
            i, j, g = pair()
            S = [
                s
                for s in S
                if alpha[s] or y[s] == 0 or not (g[s] >= g[i] if y[s] < 0 else g[s] <= g[j])
            ]
    return alpha[:-1], cost


@pytest.mark.parametrize("bias", [False, True])
def test_lasvm_processes_and_reprocesses_as_printed(bias):
    C, order = 1 / (0.02 * MOONS.n), ORDER[:70]
    alpha, cost = lasvm_by_hand(order, C, 1e-3, bias)
    found = lasvm.run(MOONS, kernels.rbf(2.0), 0.02, order, [1, cost], bias, most=0)
    assert found.alpha == pytest.approx(alpha, abs=1e-9) and (found.cost, found.seen) == (cost, 2)
    looked_up = lasvm.run(
        Problem(kernels.numbered(K), MOONS.y),
        kernels.precomputed(),
        0.02,
        order,
        [1, cost],
        bias,
        most=0,
    )
    assert np.array_equal(looked_up.alpha, found.alpha) and looked_up.cost == cost


@pytest.mark.parametrize("bias", [False, True])
def test_lasvm_finishes_at_the_optimum(bias):
    found = lasvm.run(MOONS, kernels.rbf(2.0), 0.02, ORDER, [], bias, tau=1e-7)
    best = reference.optimum(MOONS, 0.02, kernels.rbf(2.0), bias)
    f = K @ found.alpha + found.b
    primal = 0.01 * found.alpha @ K @ found.alpha + np.maximum(0, 1 - MOONS.y * f).mean()
    assert primal - best.primal < 1e-5 and found.violated <= 1e-7
    assert found.b == pytest.approx(best.b, abs=1e-4) and (
        not bias or abs(found.alpha.sum()) < 1e-12
    )


# --- cutting planes -------------------------------------------------------------------------------


def test_cutting_planes_close_in_on_the_optimum_from_both_sides():
    found, best = cutting_planes.run(PROBLEM, LAM, 60), reference.optimum(PROBLEM, LAM)
    assert found.primal[-1] == pytest.approx(best.primal, abs=1e-8) and found.below[
        -1
    ] == pytest.approx(best.primal, abs=1e-8)
    assert (np.diff(found.below) > -1e-12).all() and (found.primal >= best.primal - 1e-12).all()
    assert (found.below <= best.primal + 1e-12).all() and found.primal[0] == 1.0  # w = 0


def test_a_plane_lies_below_the_mean_loss_and_the_last_w_is_the_lowest_point_over_all_of_them():
    X, y = PROBLEM
    found = cutting_planes.run(PROBLEM, LAM, 4)
    pays = y[:, None] * (X @ found.w[:, :-1]) < 1
    a, b = -(X.T @ (pays * y[:, None])) / y.size, pays.mean(axis=0)

    def model(w):
        return LAM / 2 * w @ w + max(0.0, (w @ a + b).max())

    rng, last = np.random.default_rng(0), found.w[:, -1]
    for w in rng.normal(0, 3, (200, 2)):
        assert (w @ a + b <= np.maximum(0, 1 - y * (X @ w)).mean() + 1e-12).all()
    assert model(last) == pytest.approx(found.below[-1], abs=1e-9)
    assert all(model(last + step) >= model(last) - 1e-12 for step in rng.normal(0, 0.1, (200, 2)))


# --- Tables 1 and 2 -------------------------------------------------------------------------------


def test_a_rival_has_arrived_where_it_first_lacks_less_than_what_is_safe():
    """ε is the least gap of any w that errs too often; who leaves nothing to chance has one run for
    both seeds.
    """
    nan, inf = np.nan, np.inf

    def run(gap, error):
        return rivals.Course(np.array(gap), np.array(error))

    found = {
        "costs": np.array([1.0, 10.0, 100.0]),
        "optimum": runs.Least(0.3, 0.10, 0.0),
        named("Pegasos", 0): run([0.5, 0.2, 0.05], [0.4, 0.12, 0.1]),
        named("SMO", 0): run([nan, 0.9, 0.01], [nan, 0.5, 0.1]),
        named("Pegasos", 1): run([0.5, 0.15, 0.3], [0.4, 0.1, 0.2]),
    }
    results = Results(found, (0, 1))
    eps = rivals.threshold(results)
    assert eps == 0.2 and rivals.courses(results, "gap")["SMO"].shape == (2, 3)
    arrived = rivals.reached(results, eps)
    assert arrived["Pegasos"][0].tolist() == [100.0, 10.0] and arrived["Pegasos"][1].tolist() == [
        0.1,
        0.1,
    ]
    assert arrived["SMO"][0].tolist() == [100.0, 100.0]
    assert rivals.reached(results, 0.0)["SMO"][0].tolist() == [inf, inf]


@pytest.mark.parametrize("kernel", [None, kernels.precomputed()], ids=["linear", "kernel"])
def test_what_w_is_worth_is_what_the_trace_says(kernel):
    points = Problem(kernels.numbered(K), MOONS.y) if kernel else MOONS
    at = runs.Ready(points, kernel, K if kernel else MOONS.X, MOONS.y, 0.02)
    best, run = runs.least(at), runs.trace(at, "pegasos", 200, 0)
    found = runs.after(at, run, [1, 50, 200], best)
    exact = reference.optimum(MOONS, 0.02, kernels.rbf(2.0) if kernel else None)
    assert best.primal == pytest.approx(exact.primal, abs=1e-9)
    assert found.gap == pytest.approx(run.metrics["primal"][[1, 50, 200]] - exact.primal, abs=1e-9)
    assert found.error == pytest.approx(
        run.metrics["error"][[1, 50, 200]]
    )  # tested on the same rows
    assert runs.spent(run)[-1] == (run.metrics["kernel_evals"][-1] if kernel else 200)


# --- seconds --------------------------------------------------------------------------------------


def test_seconds_are_what_was_counted_over_what_a_second_is_worth():
    """Of two who cost the same the one whose inner products take ten times as long is ten times as
    late.
    """
    setting = rivals.LINEAR[0]
    fast, slow = (rivals.Course(np.array([0.9, 0.01]), np.array([0.5, 0.1])) for _ in range(2))
    found = {"costs": np.array([1e3, 1e5]), "optimum": runs.Least(0.3, 0.1, 0.0)}
    found |= {
        named(name, seed): run
        for seed in range(6)
        for name, run in (("Pegasos", fast), ("SDCA", slow))
    }
    results = Results(found, tuple(range(6)))
    (counted,), (timed,) = (
        rivals.judge(setting, results, speeds).verdicts
        for speeds in (None, {"Pegasos": 1e6, "SDCA": 1e5})
    )
    assert counted.measured.startswith("100 thousand against 100 thousand: 1 times")
    assert timed.measured.startswith("1 s against 0.1 s: 10 times") and (
        timed.low,
        timed.high,
    ) == pytest.approx((10.0, 10.0))


@pytest.mark.parametrize(
    ("name", "gamma"),
    [("Pegasos", 0.0), ("Pegasos", 2.0), ("SDCA", 0.0), ("SDCA", 2.0), ("SMO", 2.0)],
)
def test_who_is_timed_makes_the_steps_of_a_run(name, gamma):
    at = runs.Ready(MOONS, kernels.rbf(gamma) if gamma else None, MOONS.X, MOONS.y, 0.02)
    solver, given = rivals.RUN_BY[name]
    spent = runs.spent(runs.trace(at, solver, 90, 4, **given))
    found = throughput.clocked(throughput.stepped(at, solver, 90, 4, **given), 90)
    assert (
        found.products == spent[-1]
        and throughput.stepped(at, solver, 90, 4, **given)(30) == spent[30]
    )
    assert found.seconds > 0


def test_rates_are_what_was_counted_in_a_second_by_seed():
    setting = throughput.KERNEL[0]
    found = {
        named(throughput.labelled(setting, name), seed): throughput.Rate(
            100 * (k + 1), 0.5 * (seed + 1)
        )
        for seed in range(2)
        for k, name in enumerate(rivals.rivals(setting))
    }
    rates = throughput.per_second(Results(found, (0, 1)), setting)
    assert rates["Pegasos"].tolist() == [200.0, 100.0] and rates["LASVM"].tolist() == [800.0, 400.0]
    assert throughput.speeds(Results(found, (0, 1)), setting)["SDCA"] == 300.0
