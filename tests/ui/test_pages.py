"""The pages as scripts, without a browser: they render, they answer, they refuse with a
sentence.
"""

import json
import struct
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from svmviz.data.bundled import BUNDLED
from svmviz.maths import kernels
from svmviz.papers.pegasos import experiments
from svmviz.player.ready import opening
from svmviz.run.recipe import SOURCES, from_query
from svmviz.run.visit.after import after
from svmviz.ui.jobs.compiling import compilation
from svmviz.ui.shell.frame import plain
from tests.tools.rotation import at_times, by_turns
from tests.tools.variants import seldom
from tests.ui.here import here  # noqa: F401  a fixture

APP = str(Path(__file__).parents[2] / "app.py")


@pytest.fixture
def app():
    compilation().join()
    return AppTest.from_file(APP, default_timeout=60)


def component(app):
    return app.get("bidi_component")[0].proto


def test_the_first_visit_opens_on_the_prepared_example(app):
    app.run()
    assert not app.exception and not app.warning
    assert (
        app.session_state.visit.recipe == opening.OPENING
        and app.session_state.visit.view["t"] == opening.VIEW["t"]
    )
    assert len(component(app).bytes) > 4000


def test_a_link_opens_its_run_at_its_step(app):
    app.query_params.update(
        {
            "data": "xor",
            "n": "60",
            "kernel": "rbf(gamma=3.0)",
            "lam": "0.02",
            "T": "90",
            "t": "41",
            "x": "epochs",
            "change": "20:lam=0.1",
        }
    )
    app.run()
    assert not app.exception and not app.warning
    recipe = app.session_state.visit.recipe
    assert (
        recipe.data == "xor"
        and recipe.params["kernel"] == kernels.rbf(3.0)
        and recipe.changes == ((20, {"lam": 0.1}),)
    )
    assert app.session_state.visit.view["t"] == 41 and app.session_state.visit.view["x"] == "epochs"


def test_a_link_to_a_step_beyond_the_run_makes_the_run_longer(app):
    app.query_params.update({"data": "blobs", "T": "50", "t": "75"})
    app.run()
    assert app.session_state.visit.recipe.steps == 75


def test_a_bad_link_is_answered_beside_the_controls(app):
    app.query_params.update({"lam": "abc", "t": "xyz", "foo": "<b>1</b>"})
    app.run()
    words = " ".join(w.value for w in app.sidebar.warning)
    assert not app.exception and "got 'abc'" in words and "'xyz'" in words and "'foo'" in words
    assert len(component(app).bytes) > 4000


def test_another_data_set_keeps_the_parameters_and_starts_afresh(app):
    app.run()
    app.sidebar.selectbox[0].set_value("moons").run()
    recipe = app.session_state.visit.recipe
    assert (
        not app.exception
        and recipe.data == "moons"
        and recipe.params["project"]
        and recipe.changes == ()
    )
    assert app.session_state.visit.view["t"] == 0


def header(app) -> dict:
    message = component(app).bytes
    (length,) = struct.unpack_from("<I", message)
    return json.loads(message[4 : 4 + length])


def test_a_parameter_holds_from_where_the_player_was_last_seen_in_one_run_of_the_script(app):
    app.run()
    before = app.session_state.visit.recipe
    next(s for s in app.sidebar.select_slider if "regularisation" in s.label).set_value(0.2).run()
    now = app.session_state.visit
    assert now.recipe == before.changed(opening.VIEW["t"], {"lam": 0.2})
    assert (
        header(app)["knob"] == {"id": 1, "t": opening.VIEW["t"]}
        and len(header(app)["segments"]) == 2
    )


def test_a_parameter_of_a_run_that_takes_long_waits_for_the_player_to_name_the_step(app):
    app.query_params.update(
        {"data": "moons", "n": "2000", "T": "600", "t": "30", "kernel": "rbf(gamma=1.0)", "k": "8"}
    )
    app.run()
    before = app.session_state.visit.recipe
    next(s for s in app.sidebar.select_slider if "regularisation" in s.label).set_value(0.2).run()
    assert app.session_state.visit.recipe == before and header(app)["knob"] == {"id": 1, "t": None}


def test_data_and_seed_take_effect_at_once(app):
    app.run()
    next(s for s in app.sidebar.slider if "noise" in s.label).set_value(0.5).run()
    next(n for n in app.sidebar.number_input if n.label == "run seed").set_value(11).run()
    recipe = app.session_state.visit.recipe
    assert recipe.data_params["noise"] == 0.5 and recipe.seed == 11 and not app.exception


def test_fewer_points_than_a_mini_batch_make_the_mini_batch_smaller(app):
    app.query_params.update({"data": "blobs", "n": "200", "k": "150"})
    app.run()
    next(s for s in app.sidebar.select_slider if "points" in s.label).set_value(100).run()
    assert not app.exception and not app.error and app.session_state.visit.recipe.params["k"] == 100


def test_a_run_that_is_too_long_is_refused_and_can_be_taken_back(app):
    app.query_params.update(
        {"data": "blobs", "n": "5000", "T": "20000", "kernel": "rbf(gamma=1.0)", "k": "1000"}
    )
    app.run()
    assert "lower the number of points" in app.error[0].value and not app.exception
    app.button[0].click().run()
    assert not app.error and len(component(app).bytes) > 4000


def test_widgets_show_the_recipe_whatever_the_link_says(app):
    app.query_params.update(
        {"lam": "0.0123", "seed": "77", "kernel": "poly(degree=2, gamma=0.5, coef0=1.0)", "k": "6"}
    )
    app.run()
    assert not app.exception and not app.warning
    assert next(s for s in app.sidebar.select_slider if "regularisation" in s.label).value == 0.0123
    assert (
        app.session_state.visit.knob is None
        and app.session_state.visit.recipe
        == from_query(
            {
                "lam": "0.0123",
                "seed": "77",
                "kernel": "poly(degree=2, gamma=0.5, coef0=1.0)",
                "k": "6",
            }
        )[0]
    )


def test_restart_takes_what_was_moved_just_before(app):
    app.query_params.update(
        {"data": "moons", "n": "60", "T": "40", "lam": "0.01", "seed": "5", "change": "20:lam=0.02"}
    )
    app.run()
    next(s for s in app.sidebar.select_slider if "regularisation" in s.label).set_value(0.05)
    next(b for b in app.sidebar.button if b.label == "Restart").click().run()  # both in one message
    recipe = app.session_state.visit.recipe
    assert (
        not app.exception
        and recipe.params["lam"] == 0.05
        and not recipe.changes
        and app.session_state.visit.view["t"] == 0
    )


@at_times()
def test_a_run_that_takes_long_is_named_and_the_old_picture_is_called_so(app, monkeypatch):
    said = []
    monkeypatch.setattr("streamlit.spinner", lambda words: said.append(words) or nullcontext())
    app.query_params.update(
        {"data": "moons", "n": "2000", "T": "500", "t": "30", "kernel": "rbf(gamma=2.0)", "k": "8"}
    )
    app.run()
    assert said == ["Running 500 steps of Pegasos on 2000 points …"]
    next(n for n in app.sidebar.number_input if n.label == "run seed").set_value(11).run()
    assert said[1:] == [
        "Running 500 steps of Pegasos on 2000 points … The picture is still the one before."
    ]
    app.query_params.update({"T": "600", "seed": "11"})
    app.run()
    assert said[2:] == [
        "Running 600 steps of Pegasos on 2000 points … What is there of it can be played."
    ]


def test_two_sessions_do_not_share_a_recipe():
    first, second = (AppTest.from_file(APP, default_timeout=60).run() for _ in range(2))
    first.sidebar.selectbox[0].set_value("circles").run()
    second.run()
    assert (
        first.session_state.visit.recipe.data == "circles"
        and second.session_state.visit.recipe == opening.OPENING
    )


def gathered(app, name: str):
    """The page, once a figure of it has been computed, or has been stopped."""
    flow = app.session_state.flows[name]
    while flow.running:
        for job in tuple(flow.jobs):
            assert job.ended.wait(60)
    return app.run()


def source(app, name: str) -> str:
    """What the line below a figure says."""
    at = next(
        k for k, item in enumerate(every(app.main)) if getattr(item, "key", None) == f"{name}.go"
    )
    return next(item.value for item in reversed(every(app.main)[:at]) if item.type == "caption")


def every(block) -> list:
    """All elements of a page, in order."""
    return [
        item
        for child in block.children.values()
        for item in (every(child) if hasattr(child, "children") else [child])
    ]


def test_a_link_to_an_article_that_holds_more_is_answered_above_it(app):
    app.run()
    app.switch_page("pages/sbp.py")
    app.query_params["day"] = "<b>xx</b>"
    app.run()
    assert [w.value for w in app.main.warning] == [
        plain("The link holds 'day', which means nothing here.")
    ]
    assert not app.exception and len(component(app).bytes) > 4000


@pytest.fixture
def two_seeds(monkeypatch):
    """Figure 8 of Pegasos, a fifth of it."""
    monkeypatch.setattr(experiments, "FIGURE_8", experiments.FIGURE_8._replace(seeds=2))


def test_figures_of_a_paper_stand_there_at_once_and_a_recording_of_other_code_is_marked(
    app, monkeypatch
):
    paper(app, "pegasos")
    known = {chart.key for chart in charts(app)}
    assert not app.exception and known >= {
        "pegasos.figure6.chart",
        "pegasos.figure7.chart",
        "pegasos.figure7.k.chart",
        "pegasos.figure8.chart",
        "pegasos.figure9.documents.fixed.chart",
    }
    assert sum("Measured." in m.value and "with replacement" in m.value for m in app.markdown) == 1
    words = source(app, "pegasos.figure8")
    assert words.startswith("recorded with version 0.1.0: 10 seeds, ") and "other code" not in words
    monkeypatch.setattr("svmviz.papers.evidence.experiment.digest", lambda places: "another")
    assert source(app.run(), "pegasos.figure8").endswith("**recorded with other code**")


@at_times()
def test_a_figure_that_is_computed_again_stands_where_it_stood_until_it_is_taken_back(
    app, two_seeds
):
    paper(app, "pegasos")
    stood = place_of(app.main, "plotly_chart")
    app.button(key="pegasos.figure8.go").click().run()
    gathered(app, "pegasos.figure8")
    assert (
        not app.exception and place_of(app.main, "plotly_chart") == stood
    )  # else it would be seen twice for a while
    words = source(app, "pegasos.figure8")
    assert words.startswith("computed here just now: 2 seeds, ") and words.endswith(
        "; the same numbers as recorded"
    )
    assert any("over 2 seeds" in c.value for c in app.caption)
    app.button(key="pegasos.figure8.back").click().run()
    assert source(app, "pegasos.figure8").startswith("recorded with version") and not app.exception


@at_times(3)
def test_what_was_stopped_shows_the_seeds_it_has(app, two_seeds, monkeypatch):
    first = experiments.FIGURE_8

    def each(seed, keep):
        def waiting(task):
            while seed:
                pass
            return task()

        return {label: partial(waiting, task) for label, task in first.each(seed, keep).items()}

    monkeypatch.setattr(experiments, "FIGURE_8", first._replace(each=each))
    paper(app, "pegasos")
    app.button(key="pegasos.figure8.go").click().run()
    flow = app.session_state.flows["pegasos.figure8"]
    while len(flow.found) < 5:  # what is shared, and the first seed
        assert flow.running
    app.run()
    assert flow.running
    assert (
        sum(opacity < 0.3 for opacity in opacities(app, "pegasos.figure8.chart")) > 3
    )  # recorded curves, faint
    app.button(key="pegasos.figure8.stop").click().run()
    gathered(app, "pegasos.figure8")
    assert "stopped after 1 of 2 seeds" in source(app, "pegasos.figure8") and not app.exception
    assert any("over 1 seed" in c.value for c in app.caption)


def opacities(app, key: str) -> list[float]:
    """Of the curves of a figure."""
    chart = json.loads(next(one for one in charts(app) if one.key == key).proto.spec)
    return [trace.get("opacity", 1.0) for trace in chart["data"]]


@pytest.mark.long
def test_a_figure_is_computed_on_a_file_of_ones_own(app):
    from svmviz.data.plane import Dataset, gauss
    from svmviz.data.problem import Private
    from svmviz.run.visit.events import Files

    paper(app, "pegasos")
    assert "pegasos.figure8.own.go" not in [b.key for b in app.button]
    few = gauss(n=60)
    many = {n: Private(np.tile(few.X, (n // 60, 1)), np.tile(few.y, n // 60)) for n in (15_000, 60)}
    files = {
        f"own:{n}": Dataset(f"own:{n}", f"{n} *rows*", lambda n=n: many[n], (), "") for n in many
    }
    app.session_state.visit = after(app.session_state["visit"], Files(files, {}, False))
    app.run()
    app.button(key="pegasos.figure8.own.go").click().run()
    gathered(app, "pegasos.figure8")
    assert not app.exception and "60 \\*rows\\*, only for you: 10 seeds" in source(
        app, "pegasos.figure8"
    )
    assert "numbers" not in source(app, "pegasos.figure8")
    files = {key: files[key] for key in reversed(files)}  # the latest is too long
    app.session_state.visit = after(app.session_state["visit"], Files(files, {}, False))
    app.button(key="pegasos.figure7.own.go").click().run()
    assert not app.exception and "2 passes over 15000 points are more" in app.warning[0].value


def charts(app) -> list:
    """The paper's own; theorems that can be touched have others."""
    return [chart for chart in app.get("plotly_chart") if not chart.key.startswith("promise.")]


def place_of(block, kind: str) -> list[int]:
    """The way through the page to the first element of a kind."""
    for k, child in block.children.items():
        if child.type == kind:
            return [k]
        if hasattr(child, "children") and (below := place_of(child, kind)):
            return [k, *below]
    return []


def test_streamlit_still_has_the_switch_that_the_guard_turns_off():
    assert isinstance(PagesManager.uses_pages_directory, bool | None)


def test_the_gallery_shows_every_set_and_links_to_it(app):
    app.run()
    app.switch_page("pages/data.py").run()
    assert not app.exception and len(app.get("image")) == len(SOURCES)
    links = [link.proto for link in app.get("page_link")]
    assert [link.label for link in links] == [f"**{source.title}**" for source in SOURCES.values()]


@pytest.mark.parametrize("key", by_turns(sorted(BUNDLED, key="iris".__ne__), 5))
def test_measured_data_play_on_their_components_and_on_two_features(app, key):
    app.query_params.update({"data": key, "n": "60", "T": "40"})
    app.run()
    assert not app.exception and not app.warning and len(component(app).bytes) > 4000
    app.query_params.update({"data": key, "n": "60", "T": "40", "plane": "2,1"})
    app.run()
    assert not app.exception and not app.warning and app.session_state.visit.recipe.plane == "2,1"


def paper(app, page="sbp"):
    app.run()
    return app.switch_page(f"pages/{page}.py").run()


@pytest.fixture(scope="module")
def sbp():
    """The page of SBP, opened once; each test moves its own sliders."""
    from svmviz.ui.papers import articles

    compilation().join()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(articles, "ALONE", 0.0)
        app = paper(AppTest.from_file(APP, default_timeout=60))
    assert not app.exception and len(charts(app)) == 7
    return app


@at_times()
def test_the_page_of_sbp_answers_its_sliders(sbp):
    for nu, step in ((0.0, 0), (1.0, 200)):
        sbp.select_slider(key="sbp.nu").set_value(nu)
        sbp.slider(key="sbp.step").set_value(step).run()
        assert not sbp.exception and any(
            f"Volume nν = {100 * nu:.3g}" in m.value for m in sbp.markdown
        )
    sbp.slider(key="sbp.tilt").set_value(-1.5).run()
    words = next(m.value for m in sbp.markdown if m.value.startswith("b ="))
    assert "Raising b lifts it" in words and not sbp.exception
    sbp.slider(key="sbp.tilt").set_value(0.0).run()
    assert any("of each class**" in m.value for m in sbp.markdown)


def test_figure_1_says_what_the_trace_recorded(sbp):
    from svmviz.ui.papers.sbp import basins

    sbp.select_slider(key="sbp.nu").set_value(basins.ONE.params["nu"])
    sbp.slider(key="sbp.step").set_value(40).run()
    trace = basins.ONE.trace()
    said = next(m.value for m in sbp.markdown if "the water stands at" in m.value)
    assert f"γ = {trace.scalars['level'][40]:.3f}" in said
    assert f"{int(trace.scalars['wet'][41])} of 100" in said  # counted when step 41 draws


@pytest.mark.parametrize(
    "eps, norm, loss, words",
    seldom(
        [
            (0.001, 1.0, 0.0, "smallest"),
            (1.0, 100.0, 0.95, "largest"),
            (0.05, 10.0, 0.95, "that is here"),
            (1.0, 1.0, 0.0, "that is here"),
        ],
        4,
    ),
)
def test_table_1_calculates(sbp, eps, norm, loss, words):
    from svmviz.papers.evidence import costs
    from svmviz.theory import bounds

    sbp.select_slider(key="sbp.eps").set_value(eps)
    sbp.slider(key="sbp.norm").set_value(norm)
    sbp.slider(key="sbp.loss").set_value(loss).run()
    assert not sbp.exception and any(words in m.value for m in sbp.markdown)
    assert [m.value for m in sbp.metric][-3:] == [
        costs.power(v) for v in bounds.table_1(norm, loss, eps).values()
    ]


@pytest.mark.long
def test_the_experiments_of_sbp_are_recorded_and_can_be_computed(app, here, monkeypatch, tmp_path):  # noqa: F811
    from svmviz.papers.sbp import datasets
    from svmviz.papers.sbp import experiments as sbp_experiments

    monkeypatch.setattr(datasets, "FOLDER", tmp_path)  # as if only the app's own data were there
    monkeypatch.setattr(sbp_experiments, "SEEDS", 2)
    monkeypatch.setattr(sbp_experiments, "PAIRS", (1, 8))
    monkeypatch.setattr(
        datasets, "STAND_INS", (datasets.STAND_INS[0]._replace(rows=150), *datasets.STAND_INS[1:])
    )
    paper(app)
    assert len(charts(app)) == 7 and app.selectbox(key="sbp.data").value == "a9a"
    assert (
        sum("svmviz comes without a9a" in c.value for c in app.caption) == 3
    )  # shown, but not to be computed
    assert "sbp.figure2.a9a.go" not in [b.key for b in app.button]
    app.selectbox(key="sbp.data").set_value("digits").run()
    for name in ("sbp.figure2.digits", "sbp.figure3.digits", "sbp.libsvm.digits"):
        app.button(key=f"{name}.go").click().run()
        gathered(app, name)
        assert not app.exception and f"{name}.stop" not in [b.key for b in app.button]
        assert "**other** numbers than recorded" in source(app, name)  # of other rows
    assert "but for the clock" in source(app, "sbp.libsvm.digits")
    assert len(charts(app)) == 7
    assert sum(m.value.startswith("**Published.**") for m in app.markdown) == 3
    assert sum(m.value.startswith("**Measured.**") for m in app.markdown) == 3
    assert {"SBP", "SMO"} <= {link.proto.label for link in app.get("page_link")}
    app.segmented_control(key="sbp.figure2.digits.counting").set_value("on demand").run()
    assert not app.exception and any("summed up" in m.value for m in app.markdown)


def test_links_of_the_experiments_open_in_the_playground(app):
    from svmviz.papers.sbp import datasets, figures

    for recipe in figures.recipes(datasets.STAND_INS[0], 0.002).values():
        read, messages = from_query(recipe.query())
        assert read == recipe and not messages


@at_times()
@pytest.mark.parametrize(
    ("C", "alpha", "gap", "bound"),
    seldom([(1.5, 0.4, 0.66, 1.08), (0.7, 0.7, 0.0, 0.0), (0.7, 0.0, 0.7, 1.1228)], 3),
)
def test_the_lemma_can_be_touched(app, C, alpha, gap, bound):
    paper(app, "incremental")
    assert not app.exception and len(charts(app)) == 6
    app.segmented_control(key="incremental.C").set_value(C).run()
    app.slider(key=f"incremental.alpha.{C}").set_value(alpha).run()
    words = next(m.value for m in app.markdown if m.value.startswith("At α"))
    assert f"the gap is **{gap:.3f}**" in words and f"**{bound:.3f}**" in words
    assert sum(c.value.startswith("recorded with version") for c in app.caption) == 6


@at_times()
def test_figure_1_of_simba_can_be_computed_and_section_5_calculates(
    app, here, monkeypatch, tmp_path
):  # noqa: F811
    from svmviz.papers.evidence import costs
    from svmviz.papers.sbp import datasets
    from svmviz.papers.simba import datasets as simba_sets
    from svmviz.papers.simba import experiments as simba_experiments
    from svmviz.theory import bounds

    monkeypatch.setattr(datasets, "FOLDER", tmp_path)  # as if only generated data were there
    monkeypatch.setattr(simba_experiments, "SEEDS", {"rare": 2})
    small = simba_sets.RARE | {"n": 60, "d": 50}
    first = simba_sets.GENERATED[0]._replace(
        load=simba_sets.generated(simba_sets.many_features.rare, small, 200),
        reads=2e4,
        nus=(1e-3, 1e-2),
        lams=(1e-3, 1e-2),
    )
    monkeypatch.setattr(simba_sets, "GENERATED", (first, *simba_sets.GENERATED[1:]))
    paper(app, "simba")
    app.selectbox(key="simba.data").set_value("rare").run()
    app.button(key="simba.figure1.rare.go").click().run()
    gathered(app, "simba.figure1.rare")
    assert not app.exception and len(charts(app)) == 2
    said = next(m.value for m in app.markdown if "Lowest mean error" in m.value)
    assert "Lowest mean error: SIMBA" in said and "times as much as SIMBA" in said
    labels = [link.proto.label for link in app.get("page_link")]
    assert {"SIMBA", "Pegasos", "Perceptron"} <= set(labels)
    app.segmented_control(key="simba.figure1.rare.counting").set_value("cells").run()
    assert not app.exception
    app.segmented_control(key="simba.section3.rare.field").set_value("short_alone").run()
    assert not app.exception and any("in the end (w̄, ξ̄) is short" in m.value for m in app.markdown)
    app.select_slider(key="simba.d").set_value(100).run()
    here = bounds.corollary_5_1(10.0, 100.0, 0.01, 0.0)
    assert [m.value for m in app.metric] == [
        costs.power(here[name]) for name in ("n", "online", "SIMBA")
    ]
    assert any("nothing to gain" in m.value for m in app.markdown)


def test_a_solver_suggests_data_and_the_visitor_decides(app):
    app.query_params.update({"data": "moons", "n": "60", "T": "30"})
    app.run()
    before = app.session_state.visit.recipe
    next(s for s in app.sidebar.selectbox if s.label == "solver").set_value("bsgd").run()
    recipe = app.session_state.visit.recipe
    assert recipe.data == before.data and recipe.solver == "bsgd"  # nothing changed unasked
    next(b for b in app.sidebar.button if b.label == "Show it on: Checkerboard").click().run()
    recipe = app.session_state.visit.recipe
    assert (
        not app.exception
        and recipe.data == "checkerboard"
        and recipe.params["B"] == 20
        and recipe.solver == "bsgd"
    )
    assert not any("Show it on" in b.label for b in app.sidebar.button)


def test_a_preset_goes_on_being_shown_until_a_parameter_is_turned(app):
    app.query_params.update(
        {"solver": "bsgd", "data": "moons", "T": "60", "rule": "margin Perceptron", "U": "3.0"}
    )
    app.run()

    def menu():
        return next(s for s in app.sidebar.selectbox if s.label == "preset")

    assert menu().value == "set by hand"
    menu().set_value("Stoptron").run()
    recipe = app.session_state.visit.recipe
    assert (
        not app.exception and menu().value == "Stoptron" and recipe.params["maintenance"] == "stop"
    )
    assert recipe.params["U"] == 0.0
    assert recipe.query()["lam"] == "0.01"  # hidden, and still in the link


@pytest.mark.long
@pytest.mark.parametrize("name", ["pegasos", "sbp", "simba", "incremental"])
def test_theorems_answer_wherever_one_drags_to(app, name):
    def touchable(kind):
        return [
            one
            for one in getattr(app, kind)
            if one.key.startswith("promise.") and one.key != "promise.simba.n"
        ]
        # AppTest cannot set a select slider whose options are written otherwise than they are

    paper(app, name)
    for ends in (
        (0, 0),
        (1, 1),
        (0, 1),
        (1, 0),
    ):  # all at one end, then neighbours at different ones
        for k, slider in enumerate(touchable("slider")):
            slider.set_value((slider.min, slider.max)[ends[k % 2]])
        for k, slider in enumerate(touchable("select_slider")):
            slider.set_value(slider.options[-ends[k % 2]])
        for turn in range(
            max((len(choice.options) for choice in touchable("segmented_control")), default=1)
        ):
            for choice in touchable("segmented_control"):
                choice.set_value(choice.options[turn % len(choice.options)])
            app.run()
            assert not app.exception, (ends, turn)


@at_times(3)
def test_lemmas_of_sbp_say_what_is_reckoned_and_where_they_do_not_hold(sbp):
    from svmviz.papers.evidence import costs
    from svmviz.papers.sbp import lemmas
    from svmviz.theory import bounds

    said = lambda words: next(m.value for m in sbp.markdown if m.value.startswith(words))  # noqa: E731
    found = bounds.learning(10.0, 0.05, 0.05)
    assert [m.value for m in sbp.metric][:3] == [
        costs.power(found.n),
        f"{found.eps:.3g}",
        costs.power(found.steps),
    ]
    assert "as printed" not in said("**Section 3.5.**")
    sbp.slider(key="promise.sbp.paid").set_value(0.0)
    sbp.select_slider(key="promise.sbp.excess").set_value(0.5).run()
    assert "would be 1/0" in said("**Section 3.5.**") and "promises nothing here" in said(
        "**Section 3.5.**"
    )
    sbp.slider(key="promise.sbp.s").set_value(0.0).run()
    assert "here they are" in said("**Lemma 3.1.**")
    sbp.select_slider(key="promise.sbp.dual").set_value(0.1).run()
    lemma = lemmas.accuracy(100, 0.1)
    assert f"**{lemma.dual:.3g}** in the dual" in said(
        "**Lemma E.1.**"
    ) and f"**{lemma.primal:.3g}**" in said("**Lemma E.1.**")
