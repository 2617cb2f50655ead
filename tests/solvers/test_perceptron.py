"""The Perceptron against the paper in NumPy, and its mistakes against their bound."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel

import svmviz
from svmviz.data import edits, plane
from svmviz.maths import kernels
from svmviz.player.wire import run
from svmviz.solvers import SOLVERS
from svmviz.theory import bounds, pareto, reference
from tests.tools.rotation import by_turns

PERCEPTRON = SOLVERS["perceptron"]
KERNELS = {
    "none": (None, linear_kernel),
    "linear": (kernels.linear(), linear_kernel),
    "Gaussian": (kernels.rbf(2.0), lambda X, Z: rbf_kernel(X, Z, gamma=2.0)),
}


def paper(K, y, order):
    """Section 4.5 on the Gram matrix: all alpha, and where mistakes were made."""
    alpha, seen, wrong = np.zeros(len(y)), [np.zeros(len(y))], []
    for i in order:
        wrong.append(y[i] * (K[i] @ (y * alpha)) <= 0)
        alpha = alpha + wrong[-1] * np.eye(len(y))[i]
        seen.append(alpha)
    return np.array(seen), np.array(wrong)


@pytest.mark.parametrize("sampling", ["new permutation", "fixed permutation"])
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("form", ["dense", "CSR"])
def test_every_step_is_the_papers(form, name, sampling):
    kernel, oracle = KERNELS[name]
    rng = np.random.default_rng(3)
    X = rng.normal(size=(50, 4)) * (rng.random((50, 4)) < 0.7)
    X[7] = 0.0  # always a mistake where the kernel is linear
    y = np.where(X @ rng.normal(size=4) + 0.5 * rng.normal(size=50) > 0, 1.0, -1.0)
    problem = svmviz.make_problem(sp.csr_array(X) if form == "CSR" else X, y)
    trace = PERCEPTRON.trace(problem, steps=170, seed=4, kernel=kernel, sampling=sampling)
    alpha, wrong = paper(oracle(X, X), y, trace.drawn[1:])
    assert all((trace.at(t).alpha == alpha[t]).all() for t in range(171))
    assert (trace.metrics["mistakes"][1:] == np.cumsum(wrong)).all() and trace.metrics["mistakes"][
        0
    ] == 0
    assert (trace.metrics["pass"][1:] == 1 + np.arange(170) // 50).all()
    assert sorted(trace.drawn[1:51]) == list(range(50)) == sorted(trace.drawn[51:101])
    assert (trace.drawn[1:51] == trace.drawn[51:101]).all() == (sampling == "fixed permutation")
    assert abs(trace.f(170, problem.X) - oracle(X, X) @ (y * alpha[-1])).max() <= 1e-10
    support = (alpha[:-1] != 0).sum(axis=1) * (kernel is not None)
    assert (np.diff(trace.metrics["kernel_evals"]) == support).all()


@pytest.mark.parametrize(
    ("make", "kernel"),
    by_turns(
        itertools.product(
            [plane.moons, plane.xor, plane.circles], [kernels.rbf(1.0), None, kernels.poly(2)]
        ),
        4,
    ),
)
def test_the_mistake_bound_holds_at_every_step_of_the_first_pass_for_every_u(make, kernel):
    problem, rng = make(n=120, seed=5), np.random.default_rng(0)
    r, K = bounds.radius(problem, kernel), kernels.gram(kernel or kernels.linear(), problem.X)
    optima = [reference.optimum(problem, lam, kernel).coef for lam in (1.0, 0.05, 0.002)]
    for seed in range(5):
        trace = PERCEPTRON.trace(problem, steps=120, seed=seed, kernel=kernel)
        made, order = trace.metrics["mistakes"][1:], trace.drawn[1:]
        for u in [
            np.zeros(120),
            *optima,
            *(rng.normal(size=(5, 120)) * 10.0 ** rng.uniform(-3, 0, (5, 1))),
        ]:
            losses = np.maximum(0, 1 - problem.y * (K @ u))
            bound = bounds.mistakes(losses[order], np.sqrt(max(0, u @ K @ u)), r)
            n, norm = 120, bound.constants["norm"]
            L = losses.mean()
            assert bound.value[-1] == pytest.approx(
                n * L + r * norm * np.sqrt(n * L) + r**2 * norm**2
            )
            assert (made <= bound.value * (1 + 1e-12)).all()
        drawn = trace.solver.goal.bound(trace)
        assert drawn.holds and (made <= drawn.value).all()
        best = [
            bounds.mistakes(np.maximum(0, 1 - problem.y * u.f)[order], u.norm, r).value[-1]
            for u in pareto.front(problem, kernel, lams=(1.0, 0.1, 0.01, 1e-3, 1e-4))
        ]
        assert drawn.value[-1] == pytest.approx(min(best))


def test_the_bound_ends_with_the_first_pass_and_every_later_step_says_so():
    trace = PERCEPTRON.trace(plane.moons(n=40), steps=100)
    assert trace.solver.goal.bound(trace).t.tolist() == list(range(1, 41))
    assert "guarantee" not in trace.why(40)
    assert "Pass 2: the guarantee was for the first" in trace.why(41)
    assert not bounds.mistakes([1.0], 1.0, 1.0, first_pass=False).holds
    changed = PERCEPTRON.trace(
        plane.moons(n=40), steps=100, changes=[(15, {"kernel": kernels.rbf(1.0)})]
    )
    assert changed.solver.goal.bound(changed).t[-1] == 15


def test_mistakes_are_counted_on_through_changes_of_the_data():
    problem, active = edits.apply(plane.moons(n=40), [edits.edit(30, [3, 4], [(0.5, 0.5, 1)])])
    trace = PERCEPTRON.trace(problem, steps=80, active=active)
    made = sum((s.record.delta != 0).sum() for s in trace.segments)
    assert trace.metrics["mistakes"][-1] == made == abs(trace.at(80).coef).sum()


def test_what_travels_names_no_optimum_and_counts_mistakes():
    header = run.pack(PERCEPTRON.trace(plane.moons(n=40), steps=100)).header
    assert header["segments"][0]["optimum"] is None and header["bound"]["name"]
    assert header["arrays"]["objective"] == ["float32", 101] and header["arrays"]["bound_t"] == [
        "uint8",
        40,
    ]
    assert "mistakes" not in header["arrays"]
