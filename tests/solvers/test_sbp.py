"""SBP against the paper in ten lines of NumPy, against exact optima, and against what its lemmas
promise.
"""

import itertools

import numpy as np
import pytest

from svmviz import make_problem
from svmviz.data import edits, plane
from svmviz.maths import kernels
from svmviz.solvers import SOLVERS
from svmviz.solvers.sbp import algorithm as sbp
from svmviz.theory import bounds, pareto, reference
from tests.tools.rotation import by_turns

SBP = SOLVERS["sbp"]
KERNELS = [None, kernels.rbf(4.0), kernels.poly(2, 0.5, 1.0)]
PROBLEM = plane.moons(n=40, noise=0.22, seed=3)
UNEQUAL = plane.imbalanced(n=40, seed=1)


def gram(kernel, problem=PROBLEM):
    return kernels.gram(kernel or kernels.linear(), problem.X)


def one_basin(c, volume):
    """The level by sorting: the smallest mean height that leaves everything above it dry."""
    s = np.sort(c)
    levels = (volume + np.cumsum(s)) / np.arange(1, s.size + 1)
    return (
        s[0]
        if volume == 0
        else next(g for g, above in zip(levels, [*s[1:], np.inf], strict=True) if g <= above)
    )


def two_basins(c, y, volume):
    """gamma = min over k of (volume + the k lowest of both classes) / 2k, and the interval of b
    that reaches it.
    """
    a, b = np.sort(c[y > 0]), np.sort(c[y < 0])
    ks = np.arange(1, min(a.size, b.size) + 1)
    values = (volume + np.cumsum(a)[ks - 1] + np.cumsum(b)[ks - 1]) / (2 * ks)
    k = ks[values.argmin()]
    above = lambda s: s[k] if k < s.size else np.inf  # noqa: E731
    gamma = values.min()
    low = max(a[k - 1], 2 * gamma - above(b))
    high = min(above(a), 2 * gamma - b[k - 1])
    return gamma, gamma - high, gamma - low, k


def paper(K, y, drawn):
    """Algorithm 1 for a given sequence of examples: alpha and c after every step, in the paper's
    own variables.
    """
    alpha, c, out = np.zeros(y.size), np.zeros(y.size), [(np.zeros(y.size), np.zeros(y.size))]
    r2, eta_0 = 0.0, 1 / np.sqrt(K.diagonal().max())
    for t, i in enumerate(drawn, start=1):
        eta = eta_0 / np.sqrt(t)
        r2 = r2 + 2 * eta * c[i] + eta**2 * K[i, i]
        alpha[i] += eta
        c = c + eta * y[i] * y * K[i]
        if r2 > 1:
            alpha, c, r2 = alpha / np.sqrt(r2), c / np.sqrt(r2), 1.0
        out.append((alpha.copy(), c.copy()))
    return [np.array(part) for part in zip(*out, strict=True)]


@pytest.mark.parametrize(
    ("nu", "kernel"),
    by_turns(itertools.product([0.05, 0.0, 1e-9, 3.0], KERNELS), 4, always=3),
    ids=str,
)
def test_every_step_is_the_papers(kernel, nu):
    trace, y = SBP.trace(PROBLEM, steps=300, seed=2, nu=nu, kernel=kernel), PROBLEM.y
    K = gram(kernel)
    alpha, c = paper(K, y, trace.drawn[1:])
    means = np.cumsum(c, axis=0) / np.maximum(1, np.arange(301))[:, None]
    for t in range(301):
        assert abs(trace.at(t).alpha - alpha[t]).max() <= 1e-10
        assert trace.scalars["level"][t] == pytest.approx(one_basin(c[t], 40 * nu), abs=1e-10)
        assert trace.scalars["level_average"][t] == pytest.approx(
            one_basin(means[t], 40 * nu), abs=1e-10
        )
        if t:
            gamma, i = one_basin(c[t - 1], 40 * nu), trace.drawn[t]
            assert (
                c[t - 1][i] <= gamma + 1e-12
                and trace.scalars["wet"][t] == (c[t - 1] <= gamma + 1e-12).sum()
            )
    norm2 = np.einsum("ti,ij,tj->t", y * alpha, K, y * alpha)
    assert abs(trace.metrics["norm"] ** 2 - norm2).max() <= 1e-10 and norm2.max() <= 1 + 1e-10
    assert (trace.metrics["kernel_evals"] == 40 * np.arange(301)).all()


@pytest.mark.parametrize("problem", [PROBLEM, UNEQUAL], ids=["equal", "unequal"])
@pytest.mark.parametrize("nu", [0.0, 0.05, 3.0])
def test_with_a_bias_both_classes_have_equally_many_under_water(problem, nu):
    kernel, y = kernels.rbf(2.0), problem.y
    trace = SBP.trace(problem, steps=300, seed=1, nu=nu, kernel=kernel, bias=True)
    alpha, c = paper(gram(kernel, problem), y, trace.drawn[1:])
    for t in range(301):
        assert abs(trace.at(t).alpha - alpha[t]).max() <= 1e-10
        gamma, low, high, k = two_basins(c[t], y, problem.n * nu)
        assert (
            trace.scalars["level"][t] == pytest.approx(gamma, abs=1e-10)
            and low - 1e-9 <= trace.at(t).b <= high + 1e-9
        )
        if t < 300:
            i, same = trace.drawn[t + 1], y == y[trace.drawn[t + 1]]
            assert np.sort(c[t][same])[:k].max() >= c[t][i] - 1e-12
    share = (y[trace.drawn[1:]] > 0).mean()
    assert abs(share - 0.5) < 4 * np.sqrt(0.25 / 300)  # a fair coin, whatever the classes' sizes


@pytest.mark.parametrize("bias", [False, True])
def test_each_that_is_under_water_is_drawn_as_often(bias):
    c = np.array([0.3, 0.1, 0.1, 0.7, 0.1, 0.2, 0.2, 0.2])  # ties at the edge of the water
    y = np.array([1.0, -1, 1, -1, -1, 1, -1, -1])
    gamma, b, k, top_plus, top_minus = sbp.pour(c, y, 0.35, bias, np.empty(8))
    counts = np.zeros(8, int)
    for coin in (0.0, 0.9) if bias else (0.0,):
        for u in (np.arange(k) + 0.5) / k:
            counts[sbp.drawn_from(c, y, bias, k, top_plus, top_minus, coin, u)] += 1
    assert counts.max() == 1 and counts.sum() == (2 * k if bias else k)
    if bias:
        assert y @ counts == 0 and k == two_basins(c, y, 0.35)[3]
    else:
        assert (counts == (c <= gamma)).all()


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(
    "problem, kernel, steps, lam",
    [
        (plane.blobs(n=40, seed=1), None, 500, 0.1),
        (PROBLEM, kernels.rbf(1.0), 10_000, 0.1),
        (plane.circles(n=40, seed=2), kernels.rbf(1.0), 10_000, 0.1),
    ],
    ids=["linear", "Gaussian", "rings"],
)
def test_it_comes_within_one_percent_and_rescaled_within_three_of_the_svm(
    problem, kernel, steps, lam, bias
):
    svm = reference.optimum(problem, lam, kernel, bias)
    nu = pareto.nu_from_lam(problem, lam, kernel, bias)
    best = pareto.slack_optimum(problem, nu, kernel, bias)
    assert best.gap <= 1e-9 and best.level == pytest.approx(1 / svm.norm, rel=1e-6)
    trace = SBP.trace(problem, steps=steps, seed=0, nu=nu, kernel=kernel, bias=bias)
    assert 0.99 * best.level <= trace.scalars["level_average"][-1] <= best.level + 1e-9
    coef, b = sbp.rescaled(trace, steps)
    K = gram(kernel, problem)
    f = K @ coef + b
    assert np.sqrt(coef @ K @ coef) == pytest.approx(svm.norm, rel=0.03)
    assert np.maximum(0, 1 - problem.y * f).mean() == pytest.approx(svm.hinge, rel=0.03)
    assert np.maximum(0, 1 - problem.y * f).mean() == pytest.approx(
        nu / trace.scalars["level_average"][-1], rel=1e-9
    )


def test_a_column_is_lifted_before_all_is_scaled():
    trace = SBP.trace(PROBLEM, 60, nu=0.05, kernel=kernels.rbf(2.0))
    scaled = [t for t in range(2, 61) if trace.scalars["project"][t] < 1.0]
    assert scaled
    for t in scaled:
        found, i = SBP.story.values(trace, t), int(trace.drawn[t])
        assert found["lifted"] == pytest.approx(found["margin"] + found["eta"])  # K(x, x) = 1
        now = trace.problem.y[i] * trace.f(t, trace.problem.X[i : i + 1], "last")[0]
        assert found["scale"] * found["lifted"] == pytest.approx(now)


def test_without_slack_it_is_the_batch_perceptron_and_finds_the_hard_margin():
    problem = plane.separable(n=40, seed=1)
    trace = SBP.trace(problem, steps=3000, nu=0.0)
    _, c = paper(gram(None, problem), problem.y, trace.drawn[1:])
    assert all(
        c[t][trace.drawn[t + 1]] == pytest.approx(c[t].min(), abs=1e-12) for t in range(3000)
    )
    hard = pareto.slack_optimum(problem, 0.0)
    assert (
        hard.level > 0
        and 0.97 * hard.level <= trace.scalars["level_average"][-1] <= hard.level + 1e-12
    )


def test_a_level_that_is_not_positive_is_never_divided_by():
    problem = make_problem([[1.0], [2.0], [1.5], [0.5]], [1, 1, -1, -1])  # no w separates these
    trace = SBP.trace(problem, steps=50, nu=0.0)
    assert trace.scalars["level_average"][-1] <= 0
    with pytest.raises(ValueError, match="turn the predictor round"):
        sbp.rescaled(trace, 50)


@pytest.mark.parametrize("kernel", [None, kernels.rbf(2.0)], ids=str)
def test_the_average_is_that_of_the_iterates_after_each_step(kernel):
    trace = SBP.trace(PROBLEM, steps=60, nu=0.1, kernel=kernel, iterate="average")
    coefs = np.array([trace.at(t).coef for t in range(61)])
    for t in (1, 2, 30, 60):
        assert abs(trace.coef(t) - coefs[1 : t + 1].mean(axis=0)).max() <= 1e-14
        f = gram(kernel) @ trace.coef(t)
        assert abs(trace.f(t, PROBLEM.X) - f).max() <= 1e-12
        assert trace.metrics["error_average"][t] == ((f >= 0) != (PROBLEM.y > 0)).mean()


@pytest.mark.parametrize("bias", [False, True])
def test_changes_on_the_way_go_on_from_where_the_run_was(bias):
    kernel, drop = kernels.rbf(2.0), [0, 5, 6]
    problem, active = edits.apply(PROBLEM, [edits.edit(40, drop, [(0.5, 0.5, 1), (1.0, -0.5, -1)])])
    trace = SBP.trace(
        problem,
        steps=90,
        nu=0.02,
        kernel=kernel,
        bias=bias,
        active=active,
        changes=[(60, {"nu": 0.3})],
    )
    rows, coef = active[1][1], [trace.at(t).coef for t in range(91)]
    K = kernels.gram(kernel, problem.X)
    assert not set(trace.drawn[41:]) & set(drop)
    for t, nu in ((41, 0.02), (59, 0.02), (61, 0.3), (90, 0.3)):
        for w, name in ((coef[t], "level"), (np.mean(coef[1 : t + 1], axis=0), "level_average")):
            c = (problem.y * (K @ w))[rows]
            exact = (
                two_basins(c, problem.y[rows], rows.size * nu)[0]
                if bias
                else one_basin(c, rows.size * nu)
            )
            assert trace.scalars[name][t] == pytest.approx(exact, abs=1e-10)


def test_an_explicit_order_is_followed():
    order = np.random.default_rng(0).integers(0, 40, 50)
    trace = SBP.trace(PROBLEM, order=order, nu=0.1, kernel=kernels.rbf(1.0))
    assert (trace.drawn[1:] == order).all()
    assert (
        abs(trace.at(50).alpha - paper(gram(kernels.rbf(1.0)), PROBLEM.y, order)[0][50]).max()
        <= 1e-12
    )


@pytest.mark.parametrize("kernel", [None, kernels.rbf(2.0)], ids=str)
def test_lemma_3_2_holds_on_the_average_over_seeds(kernel):
    best = pareto.slack_optimum(PROBLEM, 0.05, kernel).level
    runs = [
        SBP.trace(PROBLEM, 400, seed, nu=0.05, kernel=kernel).scalars["level_average"][1:]
        for seed in range(20)
    ]
    gaps = best - np.mean(runs, axis=0)
    bound = bounds.sbp(SBP.trace(PROBLEM, 400, nu=0.05, kernel=kernel))
    assert (gaps > -1e-12).all() and (gaps <= bound.value).all() and bound.holds
    assert (
        bounds.lemma_3_2(100, 1.0, delta=0.1).value[-1]
        > bounds.lemma_3_2(100, 1.0).value[-1]
        == pytest.approx(0.32)
    )


def test_lemma_2_1_holds_for_what_is_not_yet_optimal():
    kernel, lam = kernels.rbf(1.0), 0.05
    svm, nu = reference.optimum(PROBLEM, lam, kernel), pareto.nu_from_lam(PROBLEM, lam, kernel)
    best = pareto.slack_optimum(PROBLEM, nu, kernel).level
    trace = SBP.trace(PROBLEM, steps=3000, nu=nu, kernel=kernel)
    seen = 0
    for t in range(50, 3001, 50):
        gamma = trace.scalars["level_average"][t]
        eps = best - gamma
        if gamma > 0 and eps * svm.norm < 1:
            norm, loss = bounds.lemma_2_1(svm.norm, svm.hinge, eps)
            seen += 1
            assert (
                trace.metrics["norm_average"][t] / gamma <= norm + 1e-9
                and nu / gamma <= loss + 1e-9
            )
    assert seen > 40


def test_table_1_crosses_where_the_paper_says():
    easy, hard = (
        bounds.table_1(norm=10.0, loss=0.001, eps=0.01),
        bounds.table_1(norm=10.0, loss=0.5, eps=0.001),
    )
    assert (
        easy["SBP"] < easy["dual decomposition"] < easy["SGD"]
    )  # eps = Ω(L): the more data, the larger the lead
    assert easy["SBP"] == pytest.approx(1.1**3 * 1e4 / 0.01)
    assert hard["SBP"] / hard["dual decomposition"] == pytest.approx(
        0.501
    )  # they meet where loss + eps is 1
    assert hard["SBP"] / hard["SGD"] == pytest.approx(0.501**2)
    with pytest.raises(ValueError, match="must be positive"):
        bounds.table_1(1.0, 0.1, 0.0)
