"""Random Fourier features: the map against its definition and the kernel, the run against linear
Pegasos on mapped data.
"""

import numpy as np
import pytest
import scipy.sparse as sp

import svmviz
from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.player.wire import run
from svmviz.solvers import SOLVERS, fourier
from svmviz.theory import reference

FOURIER, PEGASOS = SOLVERS["fourier"], SOLVERS["pegasos"]
MAP = {"gamma": 1.5, "features": 40, "map_seed": 3}


def paper(X, v, sigma):
    """Appendix A, coordinate by coordinate."""
    out = np.empty((len(X), 2 * len(v)))
    for i, direction in enumerate(v):
        out[:, 2 * i] = np.cos(X @ direction / sigma) / np.sqrt(len(v))
        out[:, 2 * i + 1] = np.sin(X @ direction / sigma) / np.sqrt(len(v))
    return out


@pytest.mark.parametrize("form", ["dense", "CSR"])
def test_the_map_is_the_papers_and_its_rows_have_norm_1(form):
    X = np.random.default_rng(0).normal(size=(30, 5))
    v, sigma = np.random.default_rng(3).normal(size=(40, 5)), 1 / np.sqrt(2 * MAP["gamma"])
    mapped = fourier.features(sp.csr_array(X) if form == "CSR" else X, MAP)
    assert abs(mapped - paper(X, v, sigma)).max() <= 1e-6  # directions are rounded to float32
    rounded = fourier.waves(5, MAP)
    assert (
        abs(mapped - paper(X, rounded * sigma, sigma)).max() <= 1e-14
        and (rounded == rounded.astype(np.float32)).all()
    )
    assert abs((mapped**2).sum(axis=1) - 1).max() <= 1e-14
    assert (fourier.waves(5, MAP | {"features": 10}) == rounded[:10]).all()


@pytest.mark.parametrize("k", [5, 50, 200])
def test_inner_products_of_the_map_are_the_kernel_within_the_error_of_sampling(k):
    problem, gamma = plane.moons(n=25, seed=1), 2.0
    K = kernels.gram(kernels.rbf(gamma), problem.X)
    seen = []
    for seed in range(300):
        mapped = fourier.features(problem.X, {"gamma": gamma, "features": k, "map_seed": seed})
        seen.append(mapped @ mapped.T)
    squared = ((problem.X[:, None] - problem.X[None]) ** 2).sum(axis=2)
    deviation = np.sqrt(
        ((1 + np.exp(-4 * gamma * squared)) / 2 - K**2).clip(0) / k
    )  # cos² has mean (1 + K(2x, 2z)) / 2
    assert (abs(np.mean(seen, axis=0) - K) <= 5 * deviation / np.sqrt(300) + 1e-6).all()
    assert np.std(seen, axis=0) == pytest.approx(deviation, rel=0.25, abs=1e-6)


@pytest.mark.parametrize(
    "options", [{}, {"project": True, "lam": 0.5}, {"sampling": "new permutation"}], ids=str
)
@pytest.mark.parametrize("form", ["dense", "CSR"])
def test_it_is_linear_pegasos_on_mapped_data_at_every_step(form, options):
    base = plane.moons(n=50, seed=2)
    problem = svmviz.make_problem(sp.csr_array(base.X) if form == "CSR" else base.X, base.y)
    trace = FOURIER.trace(problem, steps=300, seed=4, **MAP, **options)
    plain = PEGASOS.trace(
        svmviz.make_problem(fourier.features(base.X, MAP), base.y), steps=300, seed=4, **options
    )
    assert (trace.drawn == plain.drawn).all()
    for t in range(0, 301, 10):
        assert abs(trace.at(t).w - plain.at(t).w).max() <= 1e-10
        assert (
            abs(trace.f(t, base.X[:5]) - plain.f(t, fourier.features(base.X[:5], MAP))).max()
            <= 1e-10
        )
    for name in ("primal", "primal_average", "norm", "error"):
        assert abs(trace.metrics[name] - plain.metrics[name]).max() <= 1e-10, name
    best = reference.optimum(plain.problem, trace.params()["lam"])
    assert trace.solver.optimum(problem, trace.params()).primal == pytest.approx(
        best.primal, abs=1e-12
    )


def test_cost_is_counted_as_in_the_appendix():
    trace = FOURIER.trace(plane.moons(n=60), steps=50, features=20)
    assert (trace.metrics["inner_products"][1:] == 60 * 20).all() and trace.metrics["kernel_evals"][
        -1
    ] == 0
    assert "60 · 20 = 1200 inner products" in trace.why(1, "maths") and "inner" not in trace.why(
        2, "maths"
    )


def test_the_theorem_of_pegasos_holds_with_radius_1():
    trace = FOURIER.trace(plane.moons(n=60), steps=2000, lam=0.05)
    bound, best = (
        trace.solver.goal.bound(trace),
        trace.solver.optimum(trace.problem, trace.params()),
    )
    assert bound.constants["R"] == 1.0 and bound.holds
    assert (trace.metrics["primal_average"][3:] - best.primal <= bound.value).all()


def test_another_map_on_the_way_keeps_the_coefficients():
    trace = FOURIER.trace(
        plane.moons(n=60), steps=200, **MAP, changes=[(100, {"features": 10}), (150, {"lam": 0.2})]
    )
    X = fourier.features(trace.problem.X, trace.params(120))
    assert X.shape == (60, 20) and abs(trace.at(120).w - X.T @ trace.at(120).coef).max() <= 1e-14
    assert (np.flatnonzero(trace.scalars["inner_products"]) == [1, 101, 151]).all()
    header = run.pack(trace).header
    assert [s["waves"] for s in header["segments"]] == [40, 10, 10] and header["arrays"]["waves"][
        1
    ] == 2 * (40 + 10 + 10)


def test_many_waves_come_close_to_the_kernel():
    problem = plane.moons(n=80, seed=3)
    exact = reference.optimum(problem, 0.05, kernels.rbf(1.0))
    error = {}
    for k in (5, 200):
        params = FOURIER.check({"lam": 0.05, "gamma": 1.0, "features": k})
        error[k] = abs(FOURIER.optimum(problem, params).primal - exact.primal)
    assert error[200] < 0.02 < error[5]
