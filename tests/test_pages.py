"""The pages as scripts, without a browser: they render, they answer, they refuse with a sentence."""

from pathlib import Path

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from svmviz import parts, ui
from svmviz.bundled import BUNDLED
from svmviz.player import opening
from svmviz.recipe import SOURCES, from_query

APP = str(Path(__file__).parents[1] / "app.py")


@pytest.fixture
def app():
    ui.start_warm_up().join()
    return AppTest.from_file(APP, default_timeout=60)


def component(app):
    return app.get("bidi_component")[0].proto


def test_the_first_visit_opens_on_the_prepared_example(app):
    app.run()
    assert not app.exception and not app.warning
    assert app.session_state.recipe == opening.OPENING and app.session_state.view["t"] == opening.VIEW["t"]
    assert len(component(app).bytes) > 4000


def test_a_link_opens_its_run_at_its_step(app):
    app.query_params.update({"data": "xor", "n": "60", "kernel": "rbf(gamma=3.0)", "lam": "0.02", "T": "90", "t": "41",
                             "x": "epochs", "change": "20:lam=0.1"})
    app.run()
    assert not app.exception and not app.warning
    recipe = app.session_state.recipe
    assert recipe.data == "xor" and recipe.params["kernel"] == parts.rbf(3.0) and recipe.changes == ((20, {"lam": 0.1}),)
    assert app.session_state.view["t"] == 41 and app.session_state.view["x"] == "epochs"


def test_a_link_to_a_step_beyond_the_run_makes_the_run_longer(app):
    app.query_params.update({"data": "blobs", "T": "50", "t": "75"})
    app.run()
    assert app.session_state.recipe.steps == 75


def test_a_bad_link_is_answered_beside_the_controls(app):
    app.query_params.update({"lam": "abc", "t": "xyz", "foo": "<b>1</b>"})
    app.run()
    words = " ".join(w.value for w in app.sidebar.warning)
    assert not app.exception and "got 'abc'" in words and "'xyz'" in words and "'foo'" in words
    assert len(component(app).bytes) > 4000


def test_another_data_set_keeps_the_parameters_and_starts_afresh(app):
    app.run()
    app.sidebar.selectbox[0].set_value("moons").run()
    recipe = app.session_state.recipe
    assert not app.exception and recipe.data == "moons" and recipe.params["project"] and recipe.changes == ()
    assert app.session_state.view["t"] == 0


def test_a_parameter_waits_for_the_player_to_name_the_step(app):
    app.run()
    before = app.session_state.recipe
    next(s for s in app.sidebar.select_slider if "regularisation" in s.label).set_value(0.2).run()
    assert app.session_state.recipe == before and app.session_state.pending["new"] == {"lam": 0.2}


def test_data_and_seed_take_effect_at_once(app):
    app.run()
    next(s for s in app.sidebar.slider if "noise" in s.label).set_value(0.5).run()
    next(n for n in app.sidebar.number_input if n.label == "run seed").set_value(11).run()
    recipe = app.session_state.recipe
    assert recipe.data_params["noise"] == 0.5 and recipe.seed == 11 and not app.exception


def test_fewer_points_than_a_mini_batch_make_the_mini_batch_smaller(app):
    app.query_params.update({"data": "blobs", "n": "200", "k": "150"})
    app.run()
    next(s for s in app.sidebar.select_slider if "points" in s.label).set_value(100).run()
    assert not app.exception and not app.error and app.session_state.recipe.params["k"] == 100


def test_a_run_that_is_too_long_is_refused_and_can_be_taken_back(app):
    app.query_params.update({"data": "blobs", "n": "5000", "T": "20000", "kernel": "rbf(gamma=1.0)", "k": "1000"})
    app.run()
    assert "lower the number of points" in app.error[0].value and not app.exception
    app.button[0].click().run()
    assert not app.error and len(component(app).bytes) > 4000


def test_widgets_show_the_recipe_whatever_the_link_says(app):
    app.query_params.update({"lam": "0.0123", "seed": "77", "kernel": "poly(degree=2, gamma=0.5, coef0=1.0)", "k": "6"})
    app.run()
    assert not app.exception and not app.warning
    assert next(s for s in app.sidebar.select_slider if "regularisation" in s.label).value == 0.0123
    assert app.session_state.pending is None and app.session_state.recipe == from_query(
        {"lam": "0.0123", "seed": "77", "kernel": "poly(degree=2, gamma=0.5, coef0=1.0)", "k": "6"})[0]


def test_two_sessions_do_not_share_a_recipe():
    first, second = (AppTest.from_file(APP, default_timeout=60).run() for _ in range(2))
    first.sidebar.selectbox[0].set_value("circles").run()
    second.run()
    assert first.session_state.recipe.data == "circles" and second.session_state.recipe == opening.OPENING


def test_the_page_of_the_paper_computes_on_demand(app):
    app.run()
    app.switch_page("pages/pegasos.py").run()
    assert not app.exception and not app.get("plotly_chart")
    next(b for b in app.button if b.label == "Compute").click().run()
    assert not app.exception and len(app.get("plotly_chart")) == 1
    assert any("Measured." in m.value and "with replacement" in m.value for m in app.markdown)


def test_streamlit_still_has_the_switch_that_the_guard_turns_off():
    assert isinstance(PagesManager.uses_pages_directory, bool | None)


def test_the_gallery_shows_every_set_and_links_to_it(app):
    app.run()
    app.switch_page("pages/data.py").run()
    assert not app.exception and len(app.get("image")) == len(SOURCES)
    links = [link.proto for link in app.get("page_link")]
    assert [link.label for link in links] == [f"**{source.title}**" for source in SOURCES.values()]


@pytest.mark.parametrize("key", BUNDLED)
def test_measured_data_play_on_their_components_and_on_two_features(app, key):
    app.query_params.update({"data": key, "n": "60", "T": "40"})
    app.run()
    assert not app.exception and not app.warning and len(component(app).bytes) > 4000
    app.query_params.update({"data": key, "n": "60", "T": "40", "plane": "2,1"})
    app.run()
    assert not app.exception and not app.warning and app.session_state.recipe.plane == "2,1"
