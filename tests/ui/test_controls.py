"""The sidebar's controls show the parameters that are in force, whatever was changed before."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from svmviz import ui

APP = str(Path(__file__).parents[2] / "app.py")
LATER = {"data": "moons", "n": "150", "noise": "0.15", "data_seed": "1", "lam": "0.01", "seed": "5", "T": "300", "t": "59",
         "change": "60:project=1;80:lam=0.5"}


def controls(app) -> dict:
    """Return what the controls of the solver's parameters show, by the parameter that each key ends with."""
    widgets = [*app.sidebar.toggle, *app.sidebar.selectbox, *app.sidebar.select_slider, *app.sidebar.slider]
    return {widget.key.rpartition(".")[2]: widget.value for widget in widgets}


def test_controls_after_a_change_at_an_earlier_step_show_what_is_in_force():
    ui.compilation().join()
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params.update(LATER)
    app.run()
    assert controls(app)["project"] is True and controls(app)["lam"] == 0.5
    next(menu for menu in app.sidebar.selectbox if menu.key.endswith(".iterate")).set_value("average").run()
    recipe = app.session_state.visit.recipe
    assert recipe.changes == ((59, {"iterate": "average"}),)
    shown = controls(app)
    assert {name: shown[name] for name in recipe.current if name in shown and name != "kernel"} == {
        name: value for name, value in recipe.current.items() if name in shown and name != "kernel"}
    assert shown["project"] is False and shown["lam"] == 0.01
    said = " ".join(warning.value for warning in app.sidebar.warning)
    assert "Forgotten" in said and "project onto the ball at step 60, regularisation at step 80" in said
    app.run()
    assert app.session_state.visit.recipe == recipe, "no control asks for what was forgotten"
