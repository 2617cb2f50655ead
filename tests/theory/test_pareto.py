"""The front between norm and loss: exact optima of the slack-constrained problem, and the way from
λ to ν and back.
"""

import numpy as np
import pytest

from svmviz import make_problem
from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.maths.water import water_level, water_level_with_bias
from svmviz.theory import pareto, reference

CASES = [
    (plane.blobs(n=40, seed=1), None),
    (plane.blobs(n=60, noise=2.0, seed=4), None),
    (plane.moons(n=40, noise=0.22, seed=3), kernels.rbf(4.0)),
    (plane.circles(n=50, seed=2), kernels.poly(2)),
]


def level(problem, K, coef, nu, bias):
    c, volume = problem.y * (K @ coef), problem.n * nu
    return water_level_with_bias(c, problem.y, volume)[0] if bias else water_level(c, volume)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("nu", [0.0, 1e-3, 0.02, 0.3, 5.0])
@pytest.mark.parametrize("problem, kernel", CASES, ids=["blobs", "overlapping", "moons", "rings"])
def test_the_optimum_is_feasible_and_proves_itself(problem, kernel, nu, bias):
    best, K = (
        pareto.slack_optimum(problem, nu, kernel, bias),
        kernels.gram(kernel or kernels.linear(), problem.X),
    )
    assert best.coef @ K @ best.coef <= 1 + 1e-9 and best.norm == pytest.approx(
        np.sqrt(best.coef @ K @ best.coef), abs=1e-9
    )
    assert level(problem, K, best.coef, nu, bias) == pytest.approx(best.level, abs=1e-9)
    assert -1e-12 <= best.gap <= 1e-10


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("nu", [0.0, 0.02, 0.3])
def test_no_other_vector_in_the_ball_does_better(nu, bias):
    for problem, _ in CASES[:2]:
        best, f = pareto.slack_optimum(problem, nu, None, bias), []
        for radius in (1.0, 0.1, max(best.norm, 1e-3)):
            for angle in np.linspace(0, 2 * np.pi, 721):
                c = problem.y * (problem.X @ (radius * np.array([np.cos(angle), np.sin(angle)])))
                f.append(
                    water_level_with_bias(c, problem.y, problem.n * nu)[0]
                    if bias
                    else water_level(c, problem.n * nu)
                )
        assert (
            best.level >= max(f) - 1e-9 and best.level - max(f) <= 0.02
        )  # a search that fine comes that close


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("problem, kernel", CASES[:3], ids=["blobs", "overlapping", "moons"])
@pytest.mark.parametrize("lam", [1.0, 0.1, 0.01])
def test_the_optimum_for_lam_is_that_for_its_nu(problem, kernel, lam, bias):
    svm, nu = (
        reference.optimum(problem, lam, kernel, bias),
        pareto.nu_from_lam(problem, lam, kernel, bias),
    )
    assert nu == pytest.approx(svm.hinge / svm.norm)
    slack = pareto.slack_optimum(problem, nu, kernel, bias)
    assert slack.level == pytest.approx(1 / svm.norm, rel=1e-7)
    back = pareto.lam_from_nu(problem, nu, kernel, bias)
    assert pareto.nu_from_lam(problem, back, kernel, bias) == pytest.approx(nu, rel=1e-8)


def test_too_little_slack_for_data_that_no_line_separates():
    problem = make_problem([[1.0], [2.0], [-1.0], [0.5]], [1, 1, -1, -1])
    losses = [
        np.maximum(0, 1 - problem.y * w * problem.X[:, 0]).mean() for w in np.linspace(-5, 5, 10001)
    ]
    best = pareto.slack_optimum(problem, 0.01)
    assert (
        best.level == pytest.approx(0.01 / min(losses), rel=1e-6)
        and best.lam == 0
        and best.norm < 1
    )
    assert pareto.slack_optimum(problem, 0.0).level == 0.0


def test_the_front_falls_and_nothing_lies_below_it():
    problem, kernel = plane.moons(n=40, noise=0.22, seed=3), kernels.rbf(2.0)
    points = pareto.front(problem, kernel)
    norm, hinge = (np.array([getattr(p, name) for p in points]) for name in ("norm", "hinge"))
    assert (
        (np.diff(norm) >= -1e-9).all()
        and (np.diff(hinge) <= 1e-9).all()
        and (np.diff([p.nu for p in points]) <= 1e-9).all()
    )
    for p in points[::6]:
        svm = reference.optimum(problem, p.lam, kernel)
        assert p.norm == pytest.approx(svm.norm, abs=1e-5) and p.hinge == pytest.approx(
            svm.hinge, abs=1e-5
        )


def test_what_makes_no_sense_is_refused():
    problem = CASES[0][0]
    with pytest.raises(ValueError, match="nu must be at least 0, got -1"):
        pareto.slack_optimum(problem, -1)
    one = make_problem([[0.0], [0.0]], [1, -1])
    with pytest.raises(ValueError, match="has no nu"):
        pareto.nu_from_lam(one, 1.0)
