"""The figures of the paper on incremental SVMs as numbers: the lemma, the verdicts, the links."""

import numpy as np
import pytest

from svmviz.papers.incremental import figures
from svmviz.run.recipe import from_query
from svmviz.views import tracking as views
from svmviz.views.curves import bands
from svmviz.views.theme import DARK, LIGHT, POWERS, finished


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
    for recipes in (
        figures.FIGURE_2,
        figures.FIGURE_3,
        figures.FIGURE_4,
        figures.FIGURE_5,
        figures.FIGURE_6,
    ):
        for recipe in recipes.values():
            recipe.allowed()
            assert from_query(recipe.query()) == (recipe, [])


def test_the_views_draw_gaps_over_draws_and_curves_that_end_early():
    table = np.full((3, len(figures.DRAWS)), 1.0) / np.array(figures.DRAWS, float)
    assert views.over_draws(
        DARK, np.array(figures.DRAWS, float), table, -1.0, 2, table[:, 2:-1] / 2
    ).data
    falling = np.full((3, figures.COSTS.size), np.nan)
    falling[:, 5:20] = np.linspace(0.5, 0.05, 15)
    runs = {name: falling for name in figures.FIGURE_6}
    fig = bands(LIGHT, figures.COSTS, runs, "cost", "error", log_y=False)
    ends = [trace.y[0] for trace in fig.data if trace.mode == "text"]
    assert np.isfinite(ends).all()  # a curve that ends early has its name at its end


def test_curves_of_small_runs():
    small = figures.BOARD.with_params(teacher="active", K=5)
    small = type(small)(
        **{**small.__dict__, "steps": 60, "data_params": {"n": 200, "noise": 0.0, "seed": 0}}
    )
    cost = figures.cost_curve(small)
    assert cost.shape == (2, figures.COSTS.size) and np.isfinite(cost).any(axis=1).all()
    assert np.nanmax(cost) <= 1.0 and np.nanmin(cost) < 0.45
    curve = figures.gap_curve(small)
    assert curve.shape == (figures.BLOCKS,) and curve.mean() == pytest.approx(
        figures.mean_gap(small)[0], rel=1e-9
    )


def test_on_a_phone_names_stand_above_the_figure():
    values = np.ones((3, 5))
    fig = bands(LIGHT, np.arange(1.0, 6.0), {"one": values, "other": 2 * values}, "x", "y")
    wide, narrow = finished(fig), finished(fig, phone=True)
    assert [text.strip() for text in names(wide)] == ["one", "other"] and not names(narrow)
    assert narrow.layout.margin.r < wide.layout.margin.r / 4 and narrow.layout.dragmode is False
    assert [trace.name for trace in narrow.data if trace.showlegend] == [
        "one",
        "other",
    ] and narrow.layout.showlegend
    two_decades = fig.update_xaxes(range=[0, 2.5])
    assert (
        finished(two_decades).layout.xaxis.nticks == 3
    )  # powers of ten alone, or with 2 and 5 where there are few


def names(fig) -> list[str]:
    return [trace.text[0] for trace in fig.data if trace.mode == "text"]


def test_a_click_in_the_legend_hides_a_curve_with_its_band_and_its_name():
    fig = finished(
        bands(
            LIGHT,
            np.array([1.0, 1e3]),
            {"one": np.ones((3, 2)), "other": 2 * np.ones((3, 2))},
            "x",
            "y",
        )
    )
    groups = [trace.legendgroup for trace in fig.data]
    assert (
        groups == ["one"] * 4 + ["other"] * 4 and sum(trace.showlegend for trace in fig.data) == 2
    )
    told = next(trace for trace in fig.data if trace.customdata is not None)
    assert "1st to 9th decile" in told.hovertemplate and np.array_equal(
        told.customdata, np.ones((2, 2))
    )
    assert POWERS["1000"] == "10³" and POWERS["0.002"] == "2·10⁻³" and "100" not in POWERS
