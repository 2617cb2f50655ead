"""Generated tables of many features: what they promise of their margin, their noise and their
rows.
"""

import numpy as np
import pytest
import scipy.sparse as sp

from svmviz.data import many_features
from svmviz.data.many_features import FAMILIES
from svmviz.papers.evidence.costs import settled
from svmviz.papers.simba import datasets, figures
from svmviz.run.recipe import Recipe
from svmviz.solvers.simba import learn
from svmviz.theory import pareto
from tests.tools.rotation import at_times


@pytest.mark.parametrize("key", FAMILIES)
def test_the_same_arguments_give_the_same_rows_and_more_points_keep_the_first(key):
    make = FAMILIES[key].make
    (X, y), (again, _), (more, labels), (other, _) = (
        make(n=n, seed=seed) for n, seed in ((40, 3), (40, 3), (60, 3), (40, 4))
    )
    X, again, more, other = (a.toarray() if sp.issparse(a) else a for a in (X, again, more, other))
    assert (
        np.array_equal(X, again) and np.array_equal(X, more[:40]) and np.array_equal(y, labels[:40])
    )
    assert not np.array_equal(X, other) and set(y) == {-1.0, 1.0}
    assert np.array_equal(X, X.astype(np.float32))
    noisy, flipped = make(n=400, noise=0.25, seed=3), make(n=400, noise=0.0, seed=3)
    assert abs(np.mean(noisy.y != flipped.y) - 0.25) < 0.1 and abs(noisy.X - flipped.X).max() == 0


def test_a_direction_of_ten_features_has_the_margin_it_says():
    problem = many_features.direction(n=60, d=50, margin=0.2)
    assert pareto.slack_optimum(problem, 0.0).level >= 0.2 - 1e-6
    sparse = many_features.direction(n=60, d=50, sparsity=0.8)
    assert 0.15 < (sparse.X != 0).mean() < 0.45


def test_rare_groups_are_as_many_as_asked_for_and_have_features_of_their_own():
    X, y = many_features.rare(n=500, d=300, groups=3, share=0.03, margin=1.5)
    common = (y[:, None] * X).mean(axis=0)
    common[np.argsort(abs(common))[:-10]] = 0.0
    along = y * (X @ common) / np.linalg.norm(common)
    assert np.count_nonzero(along < 0.75) == 15 and abs(along[along > 0.75] - 1.5).max() < 0.15
    strange = (y[:, None] * X)[along < 0.75]
    kinds = set().union(*(np.argsort(abs(strange[k::3].sum(axis=0)))[-10:] for k in range(3)))
    assert len(kinds) == 30 and not kinds & set(np.flatnonzero(common))
    assert (
        pareto.slack_optimum(many_features.rare(n=100, d=150), 0.0).level > 0.5
    )  # a plane gets all of them right


@at_times()
def test_on_rare_groups_simba_reads_several_times_less_than_its_rivals_at_their_best():
    setting = datasets.settings()["rare"]._replace(nus=(1e-3,), lams=(1e-3, 1e-2, 1e-1))
    found = figures.on_fresh_tables(setting, many_features.rare, datasets.RARE, range(10))
    cost = {
        name: min(settled(grid, errors.mean(axis=0), 0.002) for _, grid, errors in ways)
        for name, ways in found.items()
    }
    assert cost["SIMBA"] <= 0.2 * datasets.RARE["n"] * datasets.RARE["d"]
    assert cost["Pegasos"] >= 2.5 * cost["SIMBA"] and cost["Perceptron"] >= 3.5 * cost["SIMBA"]


def test_documents_have_length_one_and_some_words_that_all_have():
    problem = many_features.documents(n=200, d=400)
    assert np.allclose(problem.X.multiply(problem.X).sum(axis=1), 1, atol=1e-6)
    common = np.sort((problem.X.toarray() != 0).mean(axis=0))
    assert common[-1] > 0.9 and np.median(common) < 0.1


def test_the_page_refuses_a_table_that_would_not_travel():
    with pytest.raises(ValueError, match="at most 500000 values"):
        Recipe("direction", {"n": 2000, "d": 1000}, "simba").checked().trace()


@pytest.mark.parametrize("solver", ["simba", "pegasos", "perceptron"])
def test_a_long_run_is_the_recorded_one(solver):
    from svmviz.solvers import SOLVERS

    problem = many_features.documents(n=60, d=80)
    trace = SOLVERS[solver].trace(problem, 120, 5)
    iterate = "average" if solver == "simba" else "last"
    for seen in learn.LEARNERS[solver](problem, {}, [1, 7, 120], 5):
        assert abs(seen.w - problem.X.T @ trace.coef(seen.t, iterate)).max() <= 1e-9 * max(
            1.0, abs(seen.w).max()
        )
        assert seen.reads == trace.metrics["features_read"][seen.t]
        assert (
            seen.error(problem.X, problem.y)
            == trace.metrics["error_average" if solver == "simba" else "error"][seen.t]
        )


def test_where_the_table_is_large_and_noise_low_simba_has_learnt_before_it_has_read_a_tenth():
    ready = figures.prepare(datasets.settings()["direction"])
    run = figures.curve(ready, "simba", 1e-3, 0, reads=0.1 * ready.problem.X.size)
    assert run.entries[-1] <= 0.1 * ready.problem.X.size and run.error[-1] <= 0.01
