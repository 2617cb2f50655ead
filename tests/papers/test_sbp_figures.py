"""The experiments of the SBP paper: the precomputed kernel changes no trace, and each figure says
what its numbers say.
"""

import numpy as np
import pytest

from svmviz.data import plane
from svmviz.data.problem import Problem
from svmviz.maths import kernels, water
from svmviz.maths.kernels.text import parse_kernel
from svmviz.papers.sbp import basins, datasets, figures, verdicts
from svmviz.papers.sbp.datasets import Setting
from svmviz.record import metrics
from svmviz.solvers import SOLVERS
from svmviz.theory import reference
from svmviz.views import basins as basin_views
from svmviz.views import errors as error_views
from svmviz.views.theme import DARK, LIGHT
from tests.tools import forked
from tests.tools.rotation import at_times

PROBLEM = plane.moons(n=60, noise=0.25, seed=2)
TEST = plane.moons(n=40, noise=0.25, seed=3)
KERNEL = kernels.rbf(2.0)


def looked_up(problem: Problem) -> Problem:
    return Problem(kernels.numbered(kernels.gram(KERNEL, problem.X)), problem.y)


def small(n: int = 120) -> Setting:
    train, test = plane.moons(n=n, noise=0.3, seed=0), plane.moons(n=200, noise=0.3, seed=1)
    return Setting("small", "Small", lambda: (*train, *test), 2.0, 0.2, 10.0, n, "nothing")


@pytest.fixture(scope="module")
def ready():
    return figures.prepare(small(), epochs=4)


@pytest.mark.parametrize(
    "key, given",
    [
        ("pegasos", {"lam": 0.05}),
        ("pegasos", {"lam": 0.05, "k": 3, "project": True}),
        ("sbp", {"nu": 0.05}),
        ("sbp", {"nu": 0.02, "bias": True}),
        ("sdca", {"lam": 0.02}),
        ("smo", {"lam": 0.02}),
        ("smo", {"lam": 0.02, "bias": False}),
        ("perceptron", {}),
    ],
)
def test_a_precomputed_kernel_changes_nothing_and_is_counted_as_if_computed(key, given):
    if key not in SOLVERS:
        pytest.skip(f"no {key}")
    a = SOLVERS[key].trace(PROBLEM, 200, 1, kernel=KERNEL, **given)
    b = SOLVERS[key].trace(looked_up(PROBLEM), 200, 1, kernel=kernels.precomputed(), **given)
    assert np.array_equal(a.at(200).coef, b.at(200).coef) and np.array_equal(a.drawn, b.drawn)
    for name in ("kernel_evals", "examples", "inner_products", "primal", "error", "norm"):
        assert np.array_equal(a.metrics[name], b.metrics[name]), name
    rows = kernels.numbered(kernels.gram(KERNEL, TEST.X, PROBLEM.X), first=-1)
    assert a.f(150, TEST.X) == pytest.approx(b.f(150, rows), abs=1e-13)
    times = [0, 3, 70, 200]
    assert np.array_equal(
        metrics.error_on(a, TEST, times), metrics.error_on(b, Problem(rows, TEST.y), times)
    )


def test_precomputed_rows_know_their_columns_in_any_choice():
    X, K = looked_up(PROBLEM).X, kernels.gram(KERNEL, PROBLEM.X)
    some, others = np.array([5, 3, 59]), np.array([0, 58])
    assert np.array_equal(
        kernels.gram(kernels.precomputed(), X[some], X[others]), K[np.ix_(some, others)]
    )
    test = kernels.numbered(K[:4], first=-1)
    assert np.array_equal(kernels.gram(kernels.precomputed(), test, X[some]), K[:4][:, some])
    assert np.array_equal(kernels.gram(kernels.precomputed(), X[some], test), K[some][:, :4])
    assert np.isnan(kernels.gram(kernels.precomputed(), test, test)).all()  # nobody knows these


def test_precomputed_optimum_is_the_same():
    a, b = (
        reference.optimum(p, 0.02, k)
        for p, k in ((PROBLEM, KERNEL), (looked_up(PROBLEM), kernels.precomputed()))
    )
    assert a.primal == pytest.approx(b.primal, abs=1e-12) and b.gap < 1e-10


def test_no_link_and_no_menu_offers_a_precomputed_kernel():
    with pytest.raises(ValueError, match="kernel must be one of"):
        parse_kernel("precomputed()")
    assert (
        len(kernels.TITLES) == len(kernels.KERNELS)
        and str(kernels.precomputed()) == "precomputed()"
    )


SIGNATURES = """
import numpy as np
from svmviz import datasets, parts
from svmviz.data.problem import Problem
from svmviz.solvers import SOLVERS
from svmviz.solvers.pegasos import algorithm as pegasos
from svmviz.solvers.sbp import algorithm as sbp
p = datasets.moons(n=20)
q = Problem(parts.numbered(parts.gram(parts.rbf(1.0), p.X)), p.y)
for problem, kernel in ((p, parts.rbf(1.0)), (q, parts.precomputed())):
    for key in ("pegasos", "sbp"):
        SOLVERS[key].trace(problem, 5, kernel=kernel)
print(len(pegasos.steps.signatures), len(sbp.steps.signatures))
"""


@at_times()
def test_a_precomputed_kernel_compiles_nothing_anew():
    out = forked.run(SIGNATURES).stdout
    assert out.split() == ["1", "1"]


def test_the_gaussian_is_1_on_the_diagonal_to_the_last_digit():
    import scipy.sparse as sp

    K = np.exp(-2.0 * ((TEST.X[:, None] - PROBLEM.X) ** 2).sum(axis=2))
    for form in (np.asfortranarray, sp.csr_array):
        assert figures.gaussian(2.0, form(TEST.X), form(PROBLEM.X)) == pytest.approx(K, abs=1e-12)
        assert (np.diag(figures.gaussian(2.0, form(PROBLEM.X), form(PROBLEM.X))) == 1.0).all()


@pytest.mark.parametrize("key", figures.RIVALS)
def test_a_run_measures_what_error_on_measures(ready, key):
    curve = figures.run(ready, key, seed=1, epochs=4)
    given = figures.params(key, ready.lam, ready.nu, kernels.precomputed())
    trace = SOLVERS[key].trace(ready.problem, 4 * ready.problem.n, 1, **given)
    test = Problem(kernels.numbered(ready.test, first=-1), ready.z)
    cost = metrics.costs(trace)["kernel_evals"]
    for at in (0, 20, 40):
        t = int(np.flatnonzero(cost <= ready.grid[at])[-1])
        found, iterate = curve.error["last", "on demand"][at], "last"
        if ready.grid[at] > cost[-1]:
            assert np.isnan(found)
        else:
            assert found == metrics.error_on(trace, test, [t], iterate)[0]
    if key in ("sbp", "smo"):  # these keep all responses anyway
        assert np.array_equal(*(curve.error["last", c] for c in figures.COUNTINGS), equal_nan=True)
    assert curve.first_pass["on demand"] == cost[ready.problem.n]


def test_nu_belongs_to_the_optimum_and_long_runs_come_near_its_error(ready):
    best = reference.optimum(ready.problem, ready.lam, kernels.precomputed())
    assert ready.nu == pytest.approx(best.hinge / best.norm)
    curve = figures.run(ready, "sbp", 0, epochs=40)
    last = curve.error["average", "kept"][~np.isnan(curve.error["average", "kept"])][-1]
    assert abs(last - ready.best) < 0.03


def test_many_fourier_features_come_near_the_kernel(ready):
    assert abs(figures.fourier_error(ready, 512, 0) - ready.best) < 0.04
    assert figures.fourier_error(ready, 1, 0) > ready.best


def test_libsvm_and_sbp_are_timed_on_the_same_rows():
    timed = figures.against_libsvm(small(), seed=0)
    assert timed.seconds > 0 and timed.step > 0 and 0 < timed.error < 0.3
    assert all(values.shape == figures.FRACTIONS.shape for values in timed.sbp.values())


def test_stand_ins_are_what_the_playground_shows():
    for setting in datasets.STAND_INS:
        recipes = figures.recipes(setting, 0.01)
        X, y, Z, _ = setting.load()
        assert list(recipes) == list(figures.RIVALS.values()) and Z.shape[0] >= 500
        for recipe in recipes.values():
            assert recipe.checked() == recipe and recipe.steps <= recipe.most_steps()
        problem = recipes["SBP"].problem()
        assert np.array_equal(problem.X, X) and np.array_equal(problem.y, y)
    assert figures.recipes(datasets.PAPER[0], 0.01) == {}


@pytest.mark.parametrize("volume", [0.0, 1e-17, 0.5, 6.0, 1e6])
def test_figure_1_is_the_water_of_the_solver(volume):
    c = np.random.default_rng(0).normal(size=50)
    c[:5] = c[5]  # ties
    pool = basins.filled(c, volume)
    assert pool.gamma == water.water_level(c, volume) and np.array_equal(pool.ground, np.sort(c))
    assert pool.p.sum() == pytest.approx(1) and pool.wet >= 1
    assert np.maximum(0, pool.gamma - c).sum() == pytest.approx(volume, abs=1e-9)
    assert set(pool.p[pool.ground > pool.gamma]) <= {0.0}


@pytest.mark.parametrize("volume", [0.0, 0.3, 5.0, 200.0])
def test_figure_4_has_its_maximum_where_the_solver_has_its_bias(volume):
    rng = np.random.default_rng(1)
    c, y = rng.normal(size=41), np.where(np.arange(41) < 11, 1.0, -1.0)
    gamma, b = basins.best_bias(c, y, volume)
    biases = b + np.linspace(-3, 3, 61)
    levels = basins.levels(c, y, volume, biases)
    best = basins.tilted(c, y, volume, b)
    assert best.gamma == pytest.approx(gamma) and levels.max() <= gamma + 1e-12
    assert (
        best.wet[0] == best.wet[1] or volume == 200.0
    )  # a whole class under water: the other may be as well
    for tilt in (basins.tilted(c, y, volume, b - 1), basins.tilted(c, y, volume, b + 1)):
        assert tilt.gamma == water.water_level(c + y * tilt.b, volume) <= gamma + 1e-12
        assert tilt.wet == (
            ((c + tilt.b)[y > 0] < tilt.gamma).sum(),
            ((c - tilt.b)[y < 0] < tilt.gamma).sum(),
        )


def test_figures_call_the_optimum_exact_only_where_that_is_proven(monkeypatch):
    assert figures.facts(figures.prepare(small())).unproven == 0
    found = reference.optimum
    monkeypatch.setattr(reference, "optimum", lambda *given: found(*given)._replace(gap=0.0131))
    left = figures.facts(figures.prepare(small())).unproven
    assert left == pytest.approx(0.0131)
    grid, first = np.geomspace(1e3, 1e6, 31), dict.fromkeys(("SBP", "Pegasos"), 3e4)
    errors, ks = dict.fromkeys(first, np.full((3, 31), 0.1)), [1, 4]
    for unproven, word in (
        (0.0, "the exact optimum has 10.0%"),
        (left, "a w whose P is within 0.013 of the least has 10.0%"),
    ):
        said = [
            " ".join(found.notes)
            for found in (
                verdicts.on_rivals(grid, errors, 0.1, first, unproven),
                verdicts.on_fourier(
                    grid, errors["SBP"], ks, np.full((3, 2), 0.1), 1000, 0.1, True, unproven
                ),
                verdicts.on_fourier(
                    grid,
                    np.full((3, 31), 0.4),
                    ks,
                    np.full((3, 2), 0.4),
                    1000,
                    0.1,
                    False,
                    unproven,
                ),
            )
        ]
        assert all(word in words and ("exact" in words) == (unproven == 0) for words in said), said


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_views_draw_the_numbers_they_are_given(theme):
    pool = basins.filled([0.3, -0.2, 0.1], 0.4)
    fig = basin_views.basin(theme, pool, np.array([1.0, -1.0, 1.0]), -0.5, 1.0)
    assert np.allclose(np.add(fig.data[0].base, fig.data[0].y), pool.ground) and np.array_equal(
        fig.data[2].y, pool.p
    )
    assert np.sum(fig.data[1].y) == pytest.approx(0.4)  # the water
    tilt = basins.tilted([0.3, -0.2, 0.1], np.array([1.0, -1.0, 1.0]), 0.4, 0.1)
    assert (
        "class +1: 1 of 2 wet" in str(basin_views.two_basins(theme, tilt, -1, 1))
        or tilt.wet[0] != 1
    )
    x = np.geomspace(1e3, 1e6, 10)
    runs = [error_views.Run(name, x, np.full((3, 10), 0.2), 7, solid=1e5) for name in theme.solvers]
    drawn = error_views.errors(theme, runs, "cost", 0.1, 0.5)
    ends = [trace.y[0] for trace in drawn.data if trace.mode == "text"]
    assert len(ends) == len({*ends}) == len(theme.solvers) + 1  # no label on another
    heights = error_views.apart([0.2] * 8, 0.0, 0.5)
    assert min(np.diff(sorted(heights))) > 0.03 and max(heights) <= 0.5 + 1e-9
