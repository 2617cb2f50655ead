"""Pegasos against the paper transcribed in NumPy, its own closed forms, and its theorems."""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import laplacian_kernel, linear_kernel, polynomial_kernel, rbf_kernel

import svmviz
from svmviz.data import plane
from svmviz.maths import kernels, sampling
from svmviz.solvers import SOLVERS
from svmviz.theory import bounds, reference
from tests.tools.rotation import at_times, by_turns, sized
from tests.tools.variants import seldom

PEGASOS = SOLVERS["pegasos"]
KERNELS = {
    "linear": (kernels.linear(), linear_kernel),
    "Gaussian": (kernels.rbf(2.0), lambda X, Z: rbf_kernel(X, Z, gamma=2.0)),
    "polynomial": (
        kernels.poly(3, 0.5, 1.0),
        lambda X, Z: polynomial_kernel(X, Z, degree=3, gamma=0.5, coef0=1.0),
    ),
    "Laplacian": (kernels.laplacian(1.5), lambda X, Z: laplacian_kernel(X, Z, gamma=1.5)),
}


def paper(X, y, lam, order, project=False, w=0.0, first=1):
    """Fig. 1 and Fig. 2: all iterates w_1 .. w_{T+1}, or those from step `first` on at `w`."""
    iterates = [w + np.zeros(X.shape[1])]
    w = iterates[0]
    for t, A in enumerate(order, start=first):
        hit = y[A] * (X[A] @ w) < 1
        w = (1 - 1 / t) * w + (y[A][:, None] * X[A])[hit].sum(axis=0) / (lam * t * len(A))
        if project and np.linalg.norm(w) > 1 / np.sqrt(lam):
            w = w / np.linalg.norm(w) / np.sqrt(lam)
        iterates.append(w)
    return np.array(iterates)


def kernelised_paper(K, y, lam, order, project=False):
    """Fig. 3 with y_j in the sum and the factor 1/(λ(t-1)), written on coefficients so that it also
    takes a projection.
    """
    a, iterates = np.zeros(len(y)), [np.zeros(len(y))]
    for t, A in enumerate(order, start=1):
        hit = A[y[A] * (K[A] @ a) < 1]
        a = (1 - 1 / t) * a
        np.add.at(a, hit, y[hit] / (lam * t * len(A)))
        norm = np.sqrt(a @ K @ a)
        if project and norm > 1 / np.sqrt(lam):
            a = a / norm / np.sqrt(lam)
        iterates.append(a)
    return np.array(iterates)


def data(n=60, d=5, seed=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6)
    X[7] = 0.0  # a zero row is drawn like any other
    return X, np.where(X @ rng.normal(size=d) + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)


@pytest.mark.parametrize("project", [False, True])
@pytest.mark.parametrize("k", [1, 4, 60])
@pytest.mark.parametrize("form", ["dense", "CSR"])
def test_every_step_is_the_papers(form, k, project):
    X, y = data()
    problem = svmviz.make_problem(sp.csr_array(X) if form == "CSR" else X, y)
    trace = PEGASOS.trace(problem, steps=300, seed=5, lam=0.02, k=k, project=project)
    order = np.array([np.atleast_1d(a) for a in trace.drawn[1:]])
    expected = paper(X, y, 0.02, order, project)
    assert max(abs(trace.at(t).w - expected[t]).max() for t in range(301)) <= 1e-10
    assert abs(trace.metrics["norm"] - np.linalg.norm(expected, axis=1)).max() <= 1e-10
    hinge = np.maximum(0, 1 - y * (expected @ X.T)).mean(axis=1)
    assert abs(trace.metrics["primal"] - 0.01 * (expected**2).sum(axis=1) - hinge).max() <= 1e-10
    average = np.cumsum(expected, axis=0)[:-1] / np.arange(1, 301)[:, None]
    hinge = np.maximum(0, 1 - y * (average @ X.T)).mean(axis=1)
    assert (
        abs(trace.metrics["primal_average"][1:] - 0.01 * (average**2).sum(axis=1) - hinge).max()
        <= 1e-10
    )


@pytest.mark.parametrize(
    ("k", "project"), by_turns([(4, True), (1, True), (1, False), (4, False)], 3)
)
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("form", ["dense", "CSR"])
def test_every_kernelised_step_is_the_papers(form, name, k, project):
    X, y = data()
    kernel, oracle = KERNELS[name]
    problem = svmviz.make_problem(sp.csr_array(X) if form == "CSR" else X, y)
    trace = PEGASOS.trace(problem, steps=300, seed=5, lam=0.02, k=k, project=project, kernel=kernel)
    K = oracle(X, X)
    expected = kernelised_paper(
        K, y, 0.02, np.array([np.atleast_1d(a) for a in trace.drawn[1:]]), project
    )
    assert max(abs(trace.at(t).coef - expected[t]).max() for t in range(301)) <= 1e-10
    f = expected @ K
    assert abs(trace.f(300, problem.X) - f[300]).max() <= 1e-10
    norm2 = np.einsum("ti,ti->t", expected, f)
    assert abs(trace.metrics["norm"] - np.sqrt(np.maximum(norm2, 0))).max() <= 1e-8
    primal = 0.01 * norm2 + np.maximum(0, 1 - y * f).mean(axis=1)
    assert abs(trace.metrics["primal"] - primal).max() <= 1e-10
    undecided = (abs(f) < 1e-12).mean(
        axis=1
    )  # the zero row: f = coef0³ Σ coef is 0 whenever the classes are level
    assert (
        abs(trace.metrics["error"] - ((f >= 0) != (y > 0)).mean(axis=1)) <= undecided + 1e-15
    ).all()
    assert (trace.metrics["n_sv"] == (expected != 0).sum(axis=1)).all()


@pytest.mark.parametrize("kernel", [None, kernels.linear()], ids=str)
def test_thousands_of_projections_do_not_underflow(kernel):
    X, y = data()
    X *= 10
    trace = PEGASOS.trace(
        svmviz.make_problem(X, y), steps=4000, seed=1, lam=1e-6, project=True, kernel=kernel
    )
    assert np.log10(trace.scalars["project"]).sum() < -330  # the scale alone would not fit a float
    expected = paper(X, y, 1e-6, trace.drawn[1:, None], project=True)
    assert (
        max(abs(trace.at(t).w - expected[t]).max() for t in range(0, 4001, 50))
        <= 1e-10 * abs(expected).max()
    )


@pytest.mark.parametrize("options", [{}, {"project": True}, {"k": 5}])
def test_kernelised_with_a_linear_kernel_is_the_primal_one(options):
    problem = plane.blobs(n=80, seed=2)
    primal = PEGASOS.trace(problem, steps=500, lam=0.01, **options)
    dual = PEGASOS.trace(problem, steps=500, lam=0.01, kernel=kernels.linear(), **options)
    assert max(abs(primal.at(t).w - dual.at(t).w).max() for t in range(501)) <= 1e-10
    assert primal.metrics["kernel_evals"][-1] == 0 and dual.metrics["kernel_evals"][-1] > 0


def test_counts_are_alpha_of_figure_3():
    problem = plane.moons(n=50)
    trace = PEGASOS.trace(problem, steps=200, lam=0.05, kernel=kernels.rbf(1.0))
    assert (
        abs(trace.counts(200) / (0.05 * 200) - trace.at(200).alpha).max() <= 1e-12
    )  # equation (13)


def test_kernel_evaluations_are_the_support_vectors_at_each_check():
    trace = PEGASOS.trace(plane.moons(n=50), steps=200, lam=0.05, kernel=kernels.rbf(1.0))
    assert (np.diff(trace.metrics["kernel_evals"])[1:] == trace.metrics["n_sv"][1:-1]).all()


def test_features_read_are_the_stored_entries():
    X, y = data()
    dense = PEGASOS.trace(svmviz.make_problem(X, y), steps=50, k=2)
    sparse = PEGASOS.trace(svmviz.make_problem(sp.csr_array(X), y), steps=50, k=2)
    assert (dense.metrics["features_read"] == 10 * np.arange(51)).all()
    assert (
        np.diff(sparse.metrics["features_read"])
        == (X != 0).sum(axis=1)[sparse.drawn[1:]].sum(axis=1)
    ).all()


def test_an_explicit_order_replays_it():
    X, y = data()
    order = [3, 0, 7, 3, 3, 59, 12]
    trace = PEGASOS.trace(svmviz.make_problem(X, y), order=order, lam=0.1)
    assert trace.steps == 7 and trace.drawn[1:].tolist() == order
    assert abs(trace.at(7).w - paper(X, y, 0.1, np.array(order)[:, None])[7]).max() <= 1e-12
    batches = PEGASOS.trace(svmviz.make_problem(X, y), order=[[3, 0], [7, 7], [1, 2]], lam=0.1, k=2)
    assert (
        abs(batches.at(3).w - paper(X, y, 0.1, np.array([[3, 0], [7, 7], [1, 2]]))[3]).max()
        <= 1e-12
    )


@pytest.mark.parametrize("order", [[3, 60], [-1, 2], [[1, 2], [3, 4]], [1]])
def test_an_order_that_does_not_fit_is_refused(order):
    with pytest.raises(ValueError, match="order must hold"):
        PEGASOS.trace(svmviz.make_problem(*data()), order=order, steps=2)


def test_the_random_iterate_is_one_of_those_passed():
    trace = PEGASOS.trace(plane.moons(n=40), steps=60, iterate="random")
    Z = trace.problem.X[:5]
    for t in (1, 2, 30, 60):
        r = trace.random_iterate(t)
        assert 0 <= r < t and np.array_equal(trace.f(t, Z), trace.f(r, Z, iterate="last"))
    assert len({trace.random_iterate(t) for t in range(30, 61)}) > 10


def test_a_change_of_lambda_leaves_the_past_alone_and_takes_effect_next():
    X, y = data()
    problem = svmviz.make_problem(X, y)
    before = PEGASOS.trace(problem, steps=100, lam=0.1)
    after = PEGASOS.trace(problem, steps=100, lam=0.1, changes=[(40, {"lam": 0.01})])
    assert all(np.array_equal(before.at(t).w, after.at(t).w) for t in range(41))
    assert (before.drawn == after.drawn).all()
    w = before.at(40).w
    for t in range(41, 101):
        i = after.drawn[t]
        w = (1 - 1 / t) * w + (y[i] * X[i] / (0.01 * t) if y[i] * (X[i] @ w) < 1 else 0)
        assert abs(after.at(t).w - w).max() <= 1e-10
    assert after.params(40)["lam"] == 0.1 and after.params(41)["lam"] == 0.01


def test_coefficients_carry_over_when_the_kernel_changes():
    problem = plane.moons(n=60)
    trace = PEGASOS.trace(
        problem,
        steps=120,
        lam=0.02,
        project=True,
        changes=[(60, {"kernel": kernels.rbf(3.0), "k": 3})],
    )
    a, K, y = trace.at(60).coef, rbf_kernel(problem.X, gamma=3.0), problem.y
    for t in range(61, 121):
        A = trace.drawn[t]
        hit = A[y[A] * (K[A] @ a) < 1]
        a = (1 - 1 / t) * a
        a[hit] += y[hit] / (0.02 * t * 3)
        a = a * min(1.0, 1 / np.sqrt(0.02) / np.sqrt(a @ K @ a))
        assert abs(trace.at(t).coef - a).max() <= 1e-10
    assert abs(trace.metrics["norm"][120] - np.sqrt(a @ K @ a)) <= 1e-10


# The theorems -------------------------------------------------------------------------------------

LAMBDAS = (0.3, 0.05, 0.01)


@pytest.mark.parametrize("project", [False, True])
@pytest.mark.parametrize("lam", LAMBDAS)
def test_the_averaged_iterate_stays_inside_corollary_1(lam, project):
    problem = plane.blobs(n=100, seed=1)
    optimum, R = reference.optimum(problem, lam=lam), bounds.radius(problem)
    bound = bounds.corollary_1(1000, lam, R, project)
    for seed in range(20):
        trace = PEGASOS.trace(problem, steps=1000, seed=seed, lam=lam, project=project)
        assert (trace.metrics["primal_average"][bound.t] - optimum.primal <= bound.value).all()
    full = PEGASOS.trace(problem, steps=1000, lam=lam, project=project, k=100)
    assert (full.metrics["primal_average"][bound.t] - optimum.primal <= bound.value).all()


def gaussian_cloud(n=200, d=20):
    """In few dimensions the average first sheds its huge early iterates, at about 1/T²: there the
    rate of the theorem shows only after some 10 000 steps. In twenty dimensions, or with a Gaussian
    kernel, it shows from the start.
    """
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) / np.sqrt(d)
    return svmviz.make_problem(
        X, np.where(X @ rng.normal(size=d) + 0.5 * rng.normal(size=n) > 0, 1, -1)
    )


@at_times(4)
@pytest.mark.parametrize("lam", seldom((0.1, 0.03, 0.01), 3))
@pytest.mark.parametrize(
    "problem, kernel",
    [(gaussian_cloud(), None), (plane.blobs(n=100, seed=1), kernels.rbf(1.0))],
    ids=["linear", "Gaussian"],
)
@pytest.mark.parametrize("seeds", sized(10, 20))
def test_suboptimality_of_the_average_falls_at_the_promised_rate(problem, kernel, lam, seeds):
    optimum = reference.optimum(problem, lam=lam, kernel=kernel).primal
    bound = bounds.corollary_1(10_000, lam, bounds.radius(problem, kernel))
    runs = (
        np.array(
            [
                PEGASOS.trace(problem, steps=10_000, seed=seed, lam=lam, kernel=kernel).metrics[
                    "primal_average"
                ]
                for seed in range(seeds)
            ]
        )
        - optimum
    )
    assert (runs[:, bound.t] <= bound.value).all()
    T = np.unique(np.geomspace(100, 10_000, 40).astype(int))
    slope = np.polyfit(np.log(T), np.log(runs[:, T].mean(axis=0)), 1)[0]
    assert -1.2 <= slope <= -0.5


@pytest.mark.parametrize("project", [False, True])
@pytest.mark.parametrize("kind", ["drawn", "one example for ever", "worst margin first"])
def test_theorem_1_holds_surely_for_any_sequence(kind, project):
    problem, lam, T = plane.imbalanced(n=60, seed=4), 0.02, 400
    optimum = reference.optimum(problem, lam=lam)
    if kind == "drawn":
        order = sampling.draw(60, T, seed=3)[:, 0].tolist()
    elif kind == "one example for ever":
        order = [0] * T
    else:
        order, w = [], np.zeros(2)
        for t in range(1, T + 1):
            order.append(int(np.argmin(problem.y * (problem.X @ w))))
            w = paper(problem.X, problem.y, lam, [order[-1:]], project, w, t)[-1]
    trace = PEGASOS.trace(problem, order=order, lam=lam, project=project)
    x, y, step = problem.X[order], problem.y[order], np.arange(1, T + 1)
    W = np.array([trace.at(t).w for t in range(T)])
    ours = 0.5 * lam * (W**2).sum(axis=1) + np.maximum(0, 1 - y * (W * x).sum(axis=1))
    best = 0.5 * lam * optimum.norm**2 + np.maximum(0, 1 - y * (x @ optimum.w))
    bound = bounds.theorem_1(T, lam, bounds.radius(problem), project)
    regret = (np.cumsum(ours - best) / step)[bound.t - 1]
    assert (regret <= bound.value).all()


def test_lemmas_2_and_3_hold_in_their_share_of_runs():
    problem, lam, T = plane.blobs(n=80, seed=5), 0.05, 500
    optimum, R = reference.optimum(problem, lam=lam).primal, bounds.radius(problem)
    lemma, random = bounds.lemma_2(T, lam, R), bounds.lemma_3(T, lam, R)
    inside_mean, inside_random = [], []
    for seed in range(20):
        trace = PEGASOS.trace(problem, steps=T, seed=seed, lam=lam)
        primal = trace.metrics["primal"]
        inside_mean.append(primal[:T].mean() - optimum <= lemma.value[-1])
        inside_random.append(primal[trace.random_iterate(T)] - optimum <= random.value[-1])
    assert np.mean(inside_mean) >= 0.95 and np.mean(inside_random) >= 0.5
    assert lemma.holds and bounds.corollary_2(T, lam, R).value[-1] == lemma.value[-1]


@pytest.mark.parametrize("kernel", [None, kernels.rbf(1.0)], ids=["linear", "kernel"])
def test_a_multi_set_counts_an_example_as_often_as_it_was_drawn(kernel):
    """Figure 2 on multi-sets, with the ball, as a sum over draws."""
    problem, lam, T, k = plane.moons(n=20, seed=2), 0.02, 60, 12
    trace = PEGASOS.trace(
        problem, T, 3, lam=lam, k=k, sampling="multi-set", project=True, kernel=kernel
    )
    K, drawn = (
        kernels.gram(kernel or kernels.linear(), problem.X),
        sampling.draw(20, T, k, "multi-set", 3),
    )
    assert np.array_equal(trace.segments[0].record.drawn, drawn) and np.unique(drawn[-1]).size < k
    coef, pulled = np.zeros(20), 0
    for t, batch in enumerate(drawn, start=1):
        pays = problem.y[batch] * (K[batch] @ coef) < 1
        coef *= 1 - 1 / t
        np.add.at(coef, batch[pays], problem.y[batch[pays]] / (lam * t * k))
        norm = np.sqrt(coef @ K @ coef)
        pulled += norm > 1 / np.sqrt(lam)
        coef *= min(1.0, 1 / (np.sqrt(lam) * norm))
        assert trace.at(t).coef == pytest.approx(coef, abs=1e-12)
    assert pulled and "draws" in trace.why(T) and bounds.pegasos(trace).holds
    every = PEGASOS.trace(problem, T, k=20, sampling="multi-set", kernel=kernel)
    assert bounds.pegasos(every).name == "Theorem 1"  # k = n draws are not all examples


def test_bounds_say_which_assumption_fails():
    problem = plane.blobs(n=50)
    fixed = PEGASOS.trace(problem, steps=50, sampling="fixed permutation")
    assert not bounds.pegasos(fixed).holds and "with replacement" in bounds.pegasos(fixed).broken
    assert "1/4" in bounds.corollary_2(100, 0.5, 1.0).broken
    assert bounds.pegasos(PEGASOS.trace(problem, steps=50, k=50)).name == "Corollary 1"
    changed = PEGASOS.trace(problem, steps=50, changes=[(20, {"lam": 0.5})])
    assert bounds.pegasos(changed).t[-1] == 20


def test_constants_of_theorem_1():
    assert bounds.gradient_constant(0.04, 3.0, project=True) == pytest.approx(3.2**2)
    assert bounds.gradient_constant(0.04, 3.0, project=False) == 36.0
    bound = bounds.theorem_1(1000, 0.04, 3.0)
    assert bound.t[0] == 3 and bound.value[-1] == pytest.approx(
        36 * (1 + np.log(1000)) / (2 * 0.04 * 1000)
    )


def test_the_page_says_what_is_proved_and_how_long_a_step_is():
    text = " ".join(
        (Path(svmviz.__file__).parent / "text" / "pegasos.md").read_text(encoding="utf-8").split()
    )
    assert (
        "of length η = 1/(λt)" in text
        and "times that of x" in text
        and "for λ ≤ 1/4 and R ≥ 1" in text
    )
    assert "Theorem 1 itself holds for any order of the examples" in text
    problem = plane.moons(n=20, seed=0)
    trace = PEGASOS.trace(problem, steps=1, lam=0.1)  # from w = 0, so that nothing shrinks
    i = int(np.ravel(trace.drawn[1])[0])
    assert np.linalg.norm(problem.X.T @ trace.coef(1)) == pytest.approx(
        np.linalg.norm(problem.X[i]) / 0.1
    )
