"""Pegasos for several classes: the paper's Examples 3 and 4 in a few lines of NumPy, their
sub-gradients, and their optima by scikit-learn.
"""

import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from svmviz.data import many_classes, plane
from svmviz.data.problem import Problem
from svmviz.maths import contest, kernels
from svmviz.maths.losses import hinge, logistic
from svmviz.solvers import SOLVERS
from svmviz.solvers.classes.losses import radius_of
from svmviz.theory import several

CLASSES, RING = SOLVERS["classes"], many_classes.ring(n=60, noise=0.8)
COSTS = "0,3,1/1,0,2/0.5,1,0"


def loss(f, y, costs, soft) -> np.ndarray:
    """(n,) of scores (n, classes)."""
    behind = f - f[np.arange(len(y)), y, None]
    return np.log(np.exp(behind).sum(axis=1)) if soft else (behind + costs[y]).max(axis=1)


def fall(f, y, costs, soft) -> np.ndarray:
    """Minus a sub-gradient, for one example: e_y - e_r, ties at y, or e_y - p."""
    e = np.eye(len(f))
    if soft:
        return e[y] - np.exp(f) / np.exp(f).sum()
    asked = costs[y] + f
    return e[y] - e[y if asked[y] >= asked.max() else np.argmax(asked)]


def paper(problem, order, lam, costs, soft=False, project=False) -> np.ndarray:
    """W (classes, d) after these steps."""
    y, W = problem.y.astype(int), np.zeros((problem.classes, problem.d))
    radius = np.sqrt(loss(np.zeros((problem.n, problem.classes)), y, costs, soft).mean() / lam)
    for t, batch in enumerate(order, start=1):
        raised = sum(
            np.outer(fall(W @ problem.X[i], y[i], costs, soft), problem.X[i]) for i in batch
        )
        W = (1 - 1 / t) * W + raised / (lam * t * len(batch))
        if project:
            W *= min(1.0, radius / np.linalg.norm(W))
    return W


@pytest.mark.parametrize("kernel", [None, kernels.poly(1, 1.0, 0.0)], ids=["w", "coefficients"])
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"costs": COSTS, "k": 3},
        {"loss": "logistic", "project": True, "lam": 0.5},
        {"costs": COSTS, "project": True, "k": 2, "lam": 0.5},
    ],
    ids=str,
)
def test_a_run_is_that_of_the_paper(given, kernel):
    given = {"k": 1, "lam": 0.05, "costs": "", "loss": "hinge", "project": False} | given
    order = np.random.default_rng(1).integers(60, size=(150, given["k"]))
    trace = CLASSES.trace(RING, order=order, kernel=kernel, **given)
    W = paper(
        RING,
        order,
        given["lam"],
        contest.read(given["costs"], 3),
        given["loss"] == "logistic",
        given["project"],
    )
    assert (trace.scalars["project"] < 1).any() == given["project"]
    assert RING.X.T @ trace.coef(150) == pytest.approx(W.T, rel=1e-9, abs=1e-11)
    assert trace.f(150, RING.X) == pytest.approx(RING.X @ W.T, rel=1e-9, abs=1e-11)
    lam, costs, y = given["lam"], contest.read(given["costs"], 3), RING.y.astype(int)
    cost = loss(RING.X @ W.T, y, costs, given["loss"] == "logistic").mean()
    assert trace.metrics["primal"][-1] == pytest.approx(lam / 2 * (W**2).sum() + cost, rel=1e-9)


@pytest.mark.parametrize("kind", [hinge(), logistic()], ids=str)
def test_sub_gradients_lie_below_the_loss(kind):
    rng, out = np.random.default_rng(0), np.empty(4)
    costs = rng.integers(4, size=(4, 4)) * (1.0 - np.eye(4))
    f, g = rng.normal(scale=2.0, size=(2, 4, 10_000)).round(1)  # rounded: many tie
    for i, y in enumerate(rng.integers(4, size=10_000).tolist()):
        contest.falls(kind, costs, f, i, y, out)
        least = contest.paid(kind, costs, f, i, y) - out @ (g[:, i] - f[:, i])
        assert contest.paid(kind, costs, g, i, y) >= least - 1e-12
        assert abs(out.sum()) < 1e-12 and out @ out <= 2 + 1e-12


@pytest.mark.parametrize("lam", [0.5, 0.01])
def test_optima_are_those_of_scikit_learn(lam):
    y, how = (
        RING.y.astype(int),
        {
            "C": 1 / (lam * RING.n),
            "fit_intercept": False,
            "max_iter": 100_000,
            "tol": 1e-9,
        },
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        found = {
            hinge(): LinearSVC(multi_class="crammer_singer", **how),
            logistic(): LogisticRegression(**how),
        }
        for kind, peer in found.items():
            W, best = peer.fit(RING.X, y).coef_, several.optimum(RING, lam, None, kind)
            primal = (
                lam / 2 * (W**2).sum()
                + loss(RING.X @ W.T, y, contest.even(3), kind == logistic()).mean()
            )
            assert best.within < 1e-9 and primal == pytest.approx(best.primal, rel=1e-6)
            assert RING.X.T @ best.coef == pytest.approx(W.T, abs=1e-3)


def test_the_optimum_with_costs_is_proved_and_reached_at_the_rate_of_the_theorem():
    given = {"costs": COSTS, "lam": 0.05}
    best, trace = CLASSES.optimum(RING, CLASSES.check(given)), CLASSES.trace(RING, 4000, **given)
    bound, gap = CLASSES.goal.bound(trace), trace.metrics["primal"] - best.primal
    assert best.exact and (gap > -best.within).all() and gap[1000:].max() < 0.05
    mean = np.cumsum(gap[:-1])[bound.t - 1] / bound.t
    longest = np.linalg.norm(RING.X, axis=1).max()
    assert (mean < bound.value).all() and bound.constants["R"] == pytest.approx(
        np.sqrt(2) * longest
    )
    even = CLASSES.optimum(RING, CLASSES.check({"lam": 0.05}))
    assert abs(best.primal - even.primal) > 0.01  # costs matter


def test_two_classes_are_pegasos_with_half_of_lambda():
    moons = plane.moons(n=40, seed=1)
    several_, one = (
        CLASSES.trace(moons, 200, 3, lam=0.2),
        SOLVERS["pegasos"].trace(moons, 200, 3, lam=0.1),
    )
    lead = np.diff(several_.f(200, moons.X), axis=1)[:, 0]
    assert lead == pytest.approx(one.f(200, moons.X), rel=1e-9)
    assert several_.metrics["primal"] == pytest.approx(one.metrics["primal"], rel=1e-9)


def test_the_ball_is_that_of_the_loss():
    """Of twelve classes the best w of the log-loss lies outside of 1/√λ (P9), and inside of the
    ball that is taken.
    """
    problem, params = (
        Problem(2.0 * np.eye(12), np.arange(12.0)),
        CLASSES.check({"loss": "logistic", "lam": 0.1}),
    )
    best, radius = CLASSES.optimum(problem, params), radius_of(problem, params, np.arange(12))
    assert (
        radius == pytest.approx(np.sqrt(np.log(12) / 0.1)) and 1 / np.sqrt(0.1) < best.norm < radius
    )


@pytest.mark.parametrize(
    "text, why",
    [
        ("0,1/1", "as many"),
        ("0,a/1,0", "costs reads"),
        ("1,1/1,0", "taken for itself"),
        ("0,-1/1,0", "from 0 to 1000"),
        ("0,nan/1,0", "from 0 to 1000"),
        ("7", "as many"),
    ],
)
def test_costs_that_are_none_are_refused(text, why):
    with pytest.raises(ValueError, match=why):
        CLASSES.check({"costs": text})


def test_costs_of_other_classes_are_refused():
    with pytest.raises(ValueError, match="a table of 2 classes, and these data have 3"):
        CLASSES.trace(RING, 5, costs="0,2/1,0")
    assert CLASSES.check({"costs": "0, 1.0,1/1,0 ,1/ 1,1,0"})["costs"] == ""
