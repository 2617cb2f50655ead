"""Optima of badly scaled problems: solved where arithmetic allows it, and certified in any case.
Proofs are recomputed with 80 digits, by other formulas than those that found them.
"""

import itertools
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from svmviz import make_problem
from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.solvers.simba import optimum as capped
from svmviz.theory import certificate, interior, pareto, reference
from tests.tools.cases import together
from tests.tools.rotation import by_turns
from tests.tools.variants import seldom

NEAR = plane.moons(n=20, noise=0.3, seed=0)
FAR = plane.blobs(n=20, noise=2.0, seed=4)
DATA = {
    "moons": NEAR,
    "blobs": FAR,
    "far from the origin": make_problem(NEAR.X + 100.0, NEAR.y),
    "in five dimensions": make_problem(np.random.default_rng(0).normal(size=(20, 5)), FAR.y),
    "separable": plane.blobs(n=20, noise=0.3, seed=1),
}
KERNELS = {
    "linear": kernels.linear(),
    "quadratic": kernels.poly(2),
    "cubic": kernels.poly(3, 0.5, 2.0),
    "to the tenth": kernels.poly(10),
}
SCALES = 1e-3, 1.0, 260.0, 1e5


def exactly(values) -> np.ndarray:
    """The same numbers as decimals, in which sums and products lose nothing that matters"""
    return np.array([Decimal(float(v)) for v in np.ravel(values)], dtype=object).reshape(
        np.shape(values)
    )


def kernel_values(kernel, X, Z):
    inner = X @ Z.T
    return (
        inner
        if kernel.kind == kernels.LINEAR
        else (Decimal(kernel.gamma) * inner + Decimal(kernel.coef0)) ** kernel.degree
    )


def lifted(kernel, X):
    """phi(x): a component for every way to choose factors of (c + g x_1 z_1 + ... + g x_d z_d) ^
    degree
    """
    if kernel.kind == kernels.LINEAR:
        return X
    factors = [[Decimal(kernel.coef0)] * len(X)] + [
        [x * x * Decimal(kernel.gamma) for x in column] for column in X.T
    ]
    signs = [[1] * len(X)] + [[1 if x >= 0 else -1 for x in column] for column in X.T]
    out = []
    for chosen in itertools.combinations_with_replacement(range(len(factors)), kernel.degree):
        ways = (
            len(set(itertools.permutations(chosen)))
            if kernel.degree < 6
            else math.factorial(kernel.degree)
            // math.prod(math.factorial(chosen.count(j)) for j in set(chosen))
        )
        out.append(
            [
                (ways * math.prod(factors[j][i] for j in chosen)).sqrt()
                * math.prod(signs[j][i] for j in chosen)
                for i in range(len(X))
            ]
        )
    return np.array(out, dtype=object).T


def proof(problem, kernel, lam, best):
    """P of the w that was found, and D of its alpha, lowered by what a sum of coefficients other
    than 0 may be worth
    """
    X, y, n, lam = exactly(problem.X), exactly(problem.y), problem.n, Decimal(lam)
    K, coef = kernel_values(kernel, X, X), exactly(best.coef)
    if best.lifted is None:
        f, square = K @ coef, coef @ K @ coef
    else:
        w = exactly(best.lifted)
        f, square = lifted(kernel, X) @ w, w @ w
    hinge = sum(max(Decimal(0), 1 - v) for v in y * (f + Decimal(best.b))) / n
    loose = 2 * abs(sum(coef) * Decimal(best.b)) if best.b else 0
    return lam / 2 * square + hinge, lam * (sum(exactly(best.alpha)) - coef @ K @ coef / 2 - loose)


@pytest.mark.parametrize(
    ("scale", "data"),
    by_turns(
        [
            (scale, data) if k % 2 == 0 else pytest.param(scale, data, marks=pytest.mark.long)
            for k, scale in enumerate(SCALES)
            for data in DATA
        ],
        4,
    ),
)
@together("kernel", KERNELS)
@together("bias", [False, True])
def test_what_is_said_of_an_optimum_is_true_however_data_are_scaled(data, kernel, scale, bias):
    problem, kernel = make_problem(DATA[data].X * scale, DATA[data].y), KERNELS[kernel]
    for lam in (1.0, 1e-3, 1e-6):
        best = reference.optimum(problem, lam, kernel, bias)
        assert (
            np.isfinite(best.within)
            and best.alpha.min() >= 0
            and best.alpha.max() <= (1 + 1e-15) / (lam * problem.n)
        )
        with localcontext(prec=80):
            P, D = map(float, proof(problem, kernel, lam, best))
        assert P == pytest.approx(best.primal, rel=1e-13, abs=best.rounding)
        assert P - best.within <= D + 1e-15, (
            "the true minimum lies between D and P, and `within` may not say less"
        )
        assert best.within <= 1 + 1e-12, "w = 0 is never that far"


@pytest.mark.parametrize("data", by_turns(["separable", "moons", "blobs", "in five dimensions"], 3))
@together("scale, kernel", itertools.product([1e-3, 1.0, 260.0], ["linear", "quadratic", "cubic"]))
@together("lam, bias", itertools.product([1.0, 1e-3, 1e-6], [False, True]))
def test_polynomials_on_pixels_have_an_exact_optimum(data, scale, kernel, lam, bias):
    best = reference.optimum(
        make_problem(DATA[data].X * scale, DATA[data].y), lam, KERNELS[kernel], bias
    )
    assert best.exact and best.within <= max(1e-6 * best.primal, 1e-12)


def test_the_optimum_that_was_nothing():
    problem = make_problem(
        plane.blobs(n=60, noise=2.0, seed=4).X * 260, plane.blobs(n=60, noise=2.0, seed=4).y
    )
    best = reference.optimum(problem, 0.001, kernels.poly(3))
    assert best.primal < 0.4 and best.norm > 0 and best.gap <= 1e-9 * best.primal
    f = certificate.decision(problem, kernels.poly(3), best, problem.X)
    assert np.maximum(0, 1 - problem.y * f).mean() == pytest.approx(best.hinge, abs=1e-9)


def test_what_is_not_exact_says_so():
    problem = make_problem(FAR.X + 1e3, FAR.y)
    best = reference.optimum(problem, 1e-6, kernels.poly(10))
    assert not best.exact and best.within > 0.01 * best.primal
    assert reference.optimum(FAR, 0.01, kernels.poly(3)).exact


def test_features_are_those_of_the_kernel():
    X, Z = (np.random.default_rng(k).normal(size=(7, 3)) for k in range(2))
    for kernel in (
        kernels.linear(),
        kernels.poly(1, 2.0, 3.0),
        kernels.poly(4, 0.3, 1.5),
        kernels.poly(3, 1.0, 0.0),
    ):
        phi, psi = (interior.features(kernel, rows) for rows in (X, Z))
        assert phi.shape[1] == interior.components(kernel, 3)
        np.testing.assert_allclose(phi @ psi.T, kernels.gram(kernel, X, Z), rtol=1e-12, atol=1e-12)
    assert interior.components(kernels.rbf(1.0), 3) == math.inf


@pytest.mark.parametrize(
    "kernel",
    by_turns(
        [kernels.poly(10, 1.0, 1e300), kernels.poly(9, 1.0, 1e30), kernels.poly(3, 1e200, 0.0)], 2
    ),
    ids=str,
)
@pytest.mark.parametrize("bias", [False, True])
def test_kernel_values_beyond_all_bounds_leave_numbers(kernel, bias):
    best, slack = (
        reference.optimum(NEAR, 0.01, kernel, bias),
        pareto.slack_optimum(NEAR, 0.05, kernel, bias),
    )
    assert (
        np.isfinite([*best[:7], best.within]).all()
        and np.isfinite(best.coef).all()
        and best.primal <= 1
    )
    assert np.isfinite([slack.level, slack.norm, slack.b]).all() and np.isfinite(slack.coef).all()
    assert not slack.exact or slack.within <= 1e-6 * abs(slack.level) + 1e-14 * slack.unit


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("nu", [0.0, 1e-3, 0.3])
@pytest.mark.parametrize("factor", [2.0**-40, 2.0**40])
def test_the_best_level_grows_with_the_data(factor, nu, bias):
    plain = pareto.slack_optimum(FAR, nu, None, bias)
    large = pareto.slack_optimum(make_problem(factor * FAR.X, FAR.y), factor * nu, None, bias)
    assert large.level == pytest.approx(factor * plain.level, rel=1e-9, abs=1e-12 * factor)
    assert large.exact and plain.exact
    np.testing.assert_allclose(large.w, plain.w, atol=1e-6)
    assert large.lam == pytest.approx(factor**2 * plain.lam, rel=1e-6)
    best = capped.optimum(make_problem(factor * FAR.X, FAR.y), factor * nu, bias)
    assert best.exact and best.level == pytest.approx(
        factor * capped.optimum(FAR, nu, bias).level, rel=1e-6, abs=1e-9 * factor
    )


@pytest.mark.parametrize(
    ("lam", "data", "kernel", "bias"),
    by_turns(
        seldom(
            [  # every two of them meet
                (lam, data, kernel, bias)
                for i, data in enumerate(("moons", "blobs", "separable"))
                for j, kernel in enumerate(("linear", "quadratic", "cubic"))
                for lam in (1.0, 1e-3)
                for bias in ((True, False) if (i + j) % 2 == 0 else (False, True))
            ],
            4,
        ),
        4,
    ),
)
def test_both_problems_agree_on_long_rows(data, kernel, lam, bias):
    """Lemma 2.1: the optimum for λ, made a unit vector, is the one for ν = L / |w|, of level 1 /
    |w|.
    """
    problem, kernel = make_problem(DATA[data].X * 260, DATA[data].y), KERNELS[kernel]
    svm = reference.optimum(problem, lam, kernel, bias)
    slack = pareto.slack_optimum(problem, svm.hinge / svm.norm, kernel, bias)
    assert slack.level == pytest.approx(1 / svm.norm, rel=1e-5) and slack.exact
