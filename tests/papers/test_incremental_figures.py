"""The figures of the paper on incremental SVMs as numbers: the lemma, the verdicts, the links."""

import numpy as np
import pytest

from svmviz.papers import incremental_figures as figures
from svmviz.run.recipe import from_query
from svmviz.views import tracking as views
from svmviz.views.curves import bands
from svmviz.views.theme import DARK, LIGHT, narrowed


@pytest.mark.parametrize("C", [1.5, 0.7])
def test_the_lemma_bounds_the_gap_and_the_gap_the_suboptimality(C):
    alpha = np.union1d(np.linspace(0.0, C, 501), [min(1.0, C)])
    gap, bound, suboptimality = figures.lemma(alpha, C)
    primal, dual = alpha**2 / 2 + C * np.maximum(0, 1 - alpha), alpha - alpha**2 / 2
    assert gap == pytest.approx(primal - dual, abs=1e-12)
    assert suboptimality == pytest.approx(primal - primal.min(), abs=1e-12)
    assert (suboptimality <= gap + 1e-12).all() and (gap <= bound + 1e-12).all()
    best = figures.lemma(min(1.0, C), C)
    assert max(best.gap[0], best.bound[0]) < 1e-12  # exact there
    assert views.lemma(LIGHT, alpha, figures.lemma(alpha, C)._asdict(), 0.4, C).data


def test_every_run_of_a_figure_opens_in_the_playground():
    for recipes in (figures.FIGURE_2, figures.FIGURE_3, figures.FIGURE_4, figures.FIGURE_5, figures.FIGURE_6):
        for recipe in recipes.values():
            recipe.allowed()
            assert from_query(recipe.query()) == (recipe, [])


def test_the_views_draw_gaps_over_draws_and_curves_that_end_early():
    table = np.full((3, len(figures.DRAWS)), 1.0) / np.array(figures.DRAWS, float)
    assert views.over_draws(DARK, np.array(figures.DRAWS, float), table, -1.0, 2, table[:, 2:-1] / 2).data
    falling = np.full((3, figures.COSTS.size), np.nan)
    falling[:, 5:20] = np.linspace(0.5, 0.05, 15)
    runs = {name: falling for name in figures.FIGURE_6}
    fig = bands(LIGHT, figures.COSTS, runs, "cost", "error", log_y=False)
    assert np.isfinite([note.y for note in fig.layout.annotations]).all()  # a curve that ends early has its name at its end


def test_curves_of_small_runs():
    small = figures.BOARD.with_params(teacher="active", K=5)
    small = type(small)(**{**small.__dict__, "steps": 60, "data_params": {"n": 200, "noise": 0.0, "seed": 0}})
    cost = figures.cost_curve(small)
    assert cost.shape == (2, figures.COSTS.size) and np.isfinite(cost).any(axis=1).all()
    assert np.nanmax(cost) <= 1.0 and np.nanmin(cost) < 0.45
    curve = figures.gap_curve(small)
    assert curve.shape == (figures.BLOCKS,) and curve.mean() == pytest.approx(figures.mean_gap(small)[0], rel=1e-9)


def test_on_a_phone_names_stand_above_the_figure():
    values = np.ones((3, 5))
    fig = bands(LIGHT, np.arange(1.0, 6.0), {"one": values, "other": 2 * values}, "x", "y")
    assert [note.text for note in fig.layout.annotations] == ["one", "other"] and not fig.layout.showlegend
    room = fig.layout.margin.r
    narrow = narrowed(fig)
    assert not narrow.layout.annotations and narrow.layout.showlegend and narrow.layout.margin.r < room / 4
    assert [trace.name for trace in narrow.data if trace.showlegend] == ["one", "other"]
    free = views.lemma(LIGHT, np.linspace(0, 1, 9), figures.lemma(np.linspace(0, 1, 9), 1.0)._asdict(), 0.4, 1.0)
    assert len(narrowed(free).layout.annotations) == 4 and not free.layout.showlegend  # names inside it stay
