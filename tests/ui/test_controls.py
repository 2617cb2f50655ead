"""The sidebar's controls show the parameters that are in force, whatever was changed before."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from svmviz.ui.jobs.compiling import compilation

APP = str(Path(__file__).parents[2] / "app.py")
LATER = {
    "data": "moons",
    "n": "150",
    "noise": "0.15",
    "data_seed": "1",
    "lam": "0.01",
    "seed": "5",
    "T": "300",
    "t": "59",
    "change": "60:project=1;80:lam=0.5",
}


def controls(app) -> dict:
    """Return what the controls of the solver's parameters show, by the parameter that each key ends
    with.
    """
    widgets = [
        *app.sidebar.toggle,
        *app.sidebar.selectbox,
        *app.sidebar.select_slider,
        *app.sidebar.slider,
    ]
    return {widget.key.rpartition(".")[2]: widget.value for widget in widgets}


def opened(**query) -> AppTest:
    """Return the app at a link."""
    compilation().join()
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params.update(LATER | query)
    return app.run()


def warned(app) -> str:
    """Return what stands above the controls."""
    return " ".join(warning.value for warning in app.sidebar.warning)


def test_controls_after_a_change_at_an_earlier_step_show_what_is_in_force():
    app = opened()
    assert controls(app)["project"] is False and controls(app)["lam"] == 0.01, (
        "at step 59 neither change is in force"
    )
    next(menu for menu in app.sidebar.selectbox if menu.key.endswith(".iterate")).set_value(
        "average"
    ).run()
    recipe = app.session_state.visit.recipe
    assert recipe.changes == ((59, {"iterate": "average"}),)
    shown = controls(app)
    assert {name: shown[name] for name in recipe.current if name in shown and name != "kernel"} == {
        name: value for name, value in recipe.current.items() if name in shown and name != "kernel"
    }
    assert shown["project"] is False and shown["lam"] == 0.01
    assert "Forgotten" in warned(
        app
    ) and "project onto the ball at step 60, regularisation at step 80" in warned(app)
    app.run()
    assert app.session_state.visit.recipe == recipe, "no control asks for what was forgotten"


def test_what_the_turned_knob_itself_forgets_is_said_at_once_and_no_longer_than_it_is_news():
    app = opened(change="80:lam=0.5")
    knob = next(
        knob
        for knob in [*app.sidebar.select_slider, *app.sidebar.slider]
        if knob.key.endswith(".lam")
    )
    knob.set_value(0.1).run()
    assert app.session_state.visit.recipe.changes == ((59, {"lam": 0.1}),)
    assert "Forgotten" in warned(app) and "regularisation at step 80" in warned(app)
    next(menu for menu in app.sidebar.selectbox if menu.key.endswith(".iterate")).set_value(
        "average"
    ).run()
    assert "Forgotten" not in warned(app)


def test_undo_beside_the_sentence_brings_back_what_was_forgotten():
    app = opened()
    planned = app.session_state.visit.recipe
    assert not [button for button in app.button if button.key == "answers.back"]
    next(menu for menu in app.sidebar.selectbox if menu.key.endswith(".iterate")).set_value(
        "average"
    ).run()
    app.button("answers.back").click().run()
    assert (
        app.session_state.visit.recipe == planned
        and not warned(app)
        and controls(app)["iterate"] == "last"
    )
