"""The page of the BSGD paper and the Stream page as scripts, and the runs that flow behind them."""

import os
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from svmviz.papers.bsgd import experiments, figures
from svmviz.papers.evidence.verdicts import SIGNS
from svmviz.papers.sbp import datasets
from svmviz.run.recipe import SOURCES, Recipe
from svmviz.run.streams import streamed
from svmviz.run.streams.streamed import Streamed
from svmviz.ui.jobs.flows import ENDED, FAILED, STOPPED, Flow, Gathering
from svmviz.ui.jobs.workers import Workers
from svmviz.ui.papers.bsgd import figures as bsgd
from svmviz.ui.papers.bsgd import table3
from svmviz.work.hands import Hands
from tests.tools.rotation import at_times, by_turns
from tests.ui.here import here  # noqa: F401  a fixture
from tests.ui.test_pages import app, gathered, paper, source  # noqa: F401  app is a fixture


def over(flow: Flow) -> Flow:
    """The flow, once it has come to an end."""
    assert flow.job.ended.wait(60)
    return flow


@pytest.fixture(scope="module")
def hands():
    found = Hands(2)
    yield found
    for hand in found.idle:
        hand.kill()
    if found.nursery.door:
        found.nursery.door.close()


@pytest.fixture
def workers(hands):
    return Workers(hands, 2)


def test_a_flow_keeps_what_comes_and_ends_with_its_items(workers):
    flow = over(Flow(partial(range, 5), None, workers, "a"))
    assert flow.found == [0, 1, 2, 3, 4] and flow.state == ENDED and not flow.running


def endless():
    for k in count():
        yield k
        while k == 3:
            pass


def test_a_stopped_flow_keeps_what_it_has(workers):
    flow = Flow(endless, None, workers, "a")
    while len(flow.found) < 4:
        assert flow.running
    flow.stop()
    assert over(flow).state == STOPPED and flow.found == [0, 1, 2, 3]


def test_a_flow_whose_visitor_has_gone_ends_by_itself(hands):
    nobody = Workers(hands, 1, lambda visitor: False, clock=count(step=10).__next__)
    flow = over(Flow(endless, None, nobody, "a"))
    assert flow.state == STOPPED and not flow.running


def test_a_flow_says_what_was_refused(workers):
    def refused():
        yield 1
        raise ValueError("B must be positive, got -1")

    flow = over(Flow(refused, None, workers, "a"))
    assert flow.state == FAILED and flow.error == "B must be positive, got -1" and flow.found == [1]


def test_a_flow_whose_process_dies_keeps_what_it_has_and_says_so(workers):
    def fatal():
        yield 1
        os._exit(1)

    flow = over(Flow(fatal, None, workers, "a"))
    assert flow.state == FAILED and "has ended" in flow.error and flow.found == [1]


def all_over(gathering: Gathering) -> Gathering:
    while gathering.running:
        for job in tuple(gathering.jobs):
            assert job.ended.wait(60)
    return gathering


def test_tasks_are_gathered_two_at_a_time(workers):
    most = []

    def task(name, known):
        return name.upper()

    found = Gathering({name: partial(task, name) for name in "abcdefgh"}, None, workers, "a")
    while found.running:
        most.append(len(workers.turns.running))
    assert (
        found.state == ENDED
        and found.found == {name: name.upper() for name in "abcdefgh"}
        and max(most) <= 2
    )


def test_tasks_know_what_the_shared_ones_have_found(workers):
    tasks = {"facts": lambda known: 7, "more": lambda known: 8} | {
        k: lambda known, k=k: known | {"k": k} for k in range(3)
    }
    found = all_over(Gathering(tasks, None, workers, "a", ("facts", "more")))
    assert found.state == ENDED and all(
        found.found[k] == {"facts": 7, "more": 8, "k": k} for k in range(3)
    )


def test_tasks_that_are_stopped_keep_what_they_have_and_one_that_fails_ends_them(hands, workers):
    def forever(known):
        while True:
            pass

    tasks = {"a": lambda known: 1, "b": forever, "c": forever, "d": forever, "e": lambda known: 2}
    stopped = Gathering(tasks, None, workers, "a")
    while not stopped.found:
        assert stopped.running
    stopped.stop()
    assert all_over(stopped).state == STOPPED and stopped.found == {"a": 1}

    def refused(known):
        raise ValueError("no such data")

    failed = all_over(
        Gathering({"a": refused, "b": forever, "c": forever, "d": forever}, None, workers, "a")
    )
    assert failed.state == FAILED and failed.error == "no such data"
    nobody = Workers(hands, 1, lambda visitor: False, clock=count(step=10).__next__)
    assert all_over(Gathering({"a": forever, "b": forever}, None, nobody, "a")).state == STOPPED


def finished(app, name):  # noqa: F811
    """The page, once a computation of its visitor's is over."""
    over(app.session_state.flows[name])
    return app.run()


def framed(app, column: str):  # noqa: F811
    """The first table with such a column."""
    return next(table.value for table in app.dataframe if column in table.value)


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Only the app's own data, and little of them."""
    monkeypatch.setattr(datasets, "FOLDER", tmp_path)
    monkeypatch.setattr(experiments, "SHUFFLES", 2)
    monkeypatch.setattr(experiments, "SWEPT", dict.fromkeys(experiments.SWEPT, 302))
    monkeypatch.setattr(figures, "EVOLVING", {"checkerboard": 1501, "waveform": 401})
    monkeypatch.setattr(figures, "ROWS", 302)


FIGURES = (
    "figure2.waveform",
    "figure3",
    "figure4.checkerboard",
    "figure5.checkerboard",
    "figure6",
    "figure7.digits",
)


@pytest.mark.long
def test_every_figure_of_bsgd_is_there_and_can_be_computed(app, small, here):  # noqa: F811
    paper(app, "bsgd")
    assert (
        not app.exception
        and len(app.get("plotly_chart")) == 7
        and any("Satimage" in c.value for c in app.caption)
    )
    for start in ("**Published.**", "**Measured.**"):
        assert sum(m.value.startswith(start) for m in app.markdown) == 11
    app.segmented_control(key="bsgd.figure2.data").set_value("waveform")
    app.segmented_control(key="bsgd.figure7.data").set_value("Digits of scikit-learn").run()
    for name in FIGURES:
        app.button(key=f"bsgd.{name}.go").click().run()
        gathered(app, f"bsgd.{name}")
        assert not app.exception and len(app.get("plotly_chart")) == 7
        assert "computed here just now: 2 seeds" in source(app, f"bsgd.{name}")
    for quantity in bsgd.QUANTITIES:
        app.segmented_control(key="bsgd.figure4.checkerboard.quantity").set_value(quantity).run()
        assert not app.exception
    app.segmented_control(key="bsgd.figure5.data").set_value("waveform").run()
    assert not app.exception and any("well ahead of projection" in m.value for m in app.markdown)


@at_times()
def test_table_4_fills_and_says_what_it_found(app, small, here):  # noqa: F811
    paper(app, "bsgd")
    app.select_slider(key="bsgd.length").set_value(20_000)
    app.button(key="bsgd.table4.go").click().run()  # before the page has heard of the slider
    assert app.session_state.flows["bsgd.table4"].what["of"] == 20_000
    finished(app, "bsgd.table4")
    assert not app.exception
    table, last = framed(app, "Ē, published"), app.session_state.flows["bsgd.table4"].found[-1]
    assert list(table["accuracy, published"][:2]) == ["79.19 %", "90.32 %"]
    assert list(table["measured"]) == [f"{100 * point.accuracy:.2f} %" for point in last.values()]
    assert all(
        text.endswith(" ?") for text in [*table["difference"], *table["Ē, difference"]]
    )  # one stream
    judged = next(
        m.value
        for m in app.markdown
        if m.value.startswith("| Claim |") and "A smaller Ē" in m.value
    )
    assert judged.count("**? cannot be told**") == 6 and "as published**" not in judged
    assert list(table["vectors"]) == [str(point.n_sv) for point in last.values()]
    assert any("measured after 20\u202f000" in m.value for m in app.markdown)


@pytest.mark.long
def test_several_streams_can_tell(app, small, here):  # noqa: F811
    paper(app, "bsgd")
    app.select_slider(key="bsgd.length").set_value(20_000)
    app.selectbox(key="bsgd.streams").set_value(3).run()
    app.button(key="bsgd.table4.go").click().run()
    finished(app, "bsgd.table4")
    assert not app.exception and app.session_state.flows["bsgd.table4"].what == {
        "of": 60_000,
        "each": 20_000,
    }
    assert any(c.value.startswith("60\u202f000 examples in") for c in app.caption)
    judged = next(
        m.value
        for m in app.markdown
        if m.value.startswith("| Claim |") and "A smaller Ē" in m.value
    )
    assert (
        "over 3 seeds" in str([c.value for c in app.caption])
        and judged.count("**= as published**") >= 3
    )
    assert (
        "[" in framed(app, "Ē, published")["measured"][0]
        and "no interval" not in framed(app, "Ē, published")["measured"][0]
    )


@at_times()
def test_tables_stand_there_as_recorded_table_3_for_all_data_and_for_one(app, small):  # noqa: F811
    paper(app, "bsgd")
    four, whole = framed(app, "Ē, published"), framed(app, "Banana")
    assert not any(
        "…" in text for table in (four, whole) for text in table.astype(str).to_numpy().ravel()
    )
    assert "[" in four["measured"][0] and set(whole["B"]) == {"none", "100", "500"}
    assert list(whole["algorithm"][:2]) == ["LIBSVM", "IDSVM"] and {
        "Gauss",
        "Letter",
        "Waveform",
    } <= set(whole)
    assert all(text.endswith(tuple(SIGNS.values())) for text in whole["Gauss"]) and "(81.2)" in str(
        list(whole["Gauss"])
    )
    app.selectbox(key="bsgd.table3.data").set_value("gauss").run()
    table = framed(app, "chosen")
    assert (
        not app.exception
        and {*table["B"]} == {"none", "100", "500"}
        and len(table) == len(table3.table.cells("gauss"))
    )
    merged = table[(table["algorithm"] == "BPegasos + merge") & (table["B"] == "100")].iloc[0]
    assert (
        merged["published"] == "81.22 %"
        and " % [" in merged["measured"]
        and merged["difference"].endswith("points")
    )
    assert merged["vectors, measured"].startswith("100 of ") and merged["chosen"].startswith(
        "γd = "
    )
    assert set(table["verdict"]) <= {"= as published", "≠ not as published", "? cannot be told"}


@pytest.mark.long
def test_table_3_of_one_data_set_can_be_computed(app, small, here, monkeypatch):  # noqa: F811
    tuning, table = table3.tuning, table3.table
    few = dict.fromkeys(("ON_A_BUDGET", "EVER_LONGER", "BY_SMO"), tuning.Effort(120, 120))
    for name, value in (few | {"BEST": 1, "FOLDS": 3}).items():
        monkeypatch.setattr(tuning, name, value)
    for name, value in {"WIDTHS": (2.0,), "LONG": 300, "SHUFFLES": 2}.items():
        monkeypatch.setattr(table, name, value)
    paper(app, "bsgd")
    app.selectbox(key="bsgd.table3.data").set_value("gauss").run()
    app.button(key="bsgd.table3.gauss.go").click().run()
    gathered(app, "bsgd.table3.gauss")
    assert not app.exception and "computed here just now: 2 seeds" in source(
        app, "bsgd.table3.gauss"
    )


@pytest.mark.long
def test_only_one_computation_of_a_visitor_runs(app, small):  # noqa: F811
    paper(app, "bsgd")
    app.select_slider(key="bsgd.length").set_value(10_000_000).run()
    app.button(key="bsgd.table4.go").click().run()
    assert app.session_state.flows["bsgd.table4"].running
    app.segmented_control(key="bsgd.figure7.data").set_value("Digits of scikit-learn").run()
    app.button(key="bsgd.figure7.digits.go").click().run()
    assert app.session_state.flows["bsgd.table4"].state == STOPPED
    gathered(app, "bsgd.figure7.digits")
    assert any(c.value.startswith("Stopped after") for c in app.caption)


@pytest.mark.long
def test_leaving_the_page_ends_the_run(app, small):  # noqa: F811
    paper(app, "bsgd")
    app.select_slider(key="bsgd.length").set_value(10_000_000).run()
    app.button(key="bsgd.table4.go").click().run()
    flow = app.session_state.flows["bsgd.table4"]
    assert flow.running
    app.switch_page("pages/sbp.py").run()
    assert over(flow).state == STOPPED


def stream(app):  # noqa: F811
    return paper(app, "stream")


def control(app, kind: str, label: str):  # noqa: F811
    """A control of the sidebar by what its label begins with, which goes on with its value."""
    return next(item for item in getattr(app.sidebar, kind) if item.label.startswith(label))


def test_a_stream_runs_to_its_end(app):  # noqa: F811
    stream(app)
    assert not app.exception and not app.error
    control(app, "select_slider", "examples").set_value(10_000)
    app.button(key="stream.go").click().run()
    finished(app, "stream")
    assert not app.exception and len(app.get("plotly_chart")) == 4
    last = app.session_state.flows["stream"].found[-1]
    assert [m.value for m in app.metric][:2] == [
        f"{100 * last.accuracy:.2f} %",
        "100",
    ] and last.examples == 10_000


@pytest.mark.parametrize(
    "key", by_turns(["digits-all", "moons", "waves", "ring", "cancer"], 5, always=0)
)
def test_other_data_stream_too(app, key):  # noqa: F811
    stream(app)
    control(app, "selectbox", "data").set_value(key).run()
    if key in ("waves", "moons", "ring"):
        control(app, "select_slider", "examples").set_value(10_000).run()
    app.button(key="stream.go").click().run()
    finished(app, "stream")
    assert not app.exception and not app.error and app.session_state.flows["stream"].state == ENDED


@pytest.mark.long
def test_a_stream_without_a_budget_has_an_end(app):  # noqa: F811
    stream(app)
    control(app, "selectbox", "preset").set_value("Pegasos").run()
    assert (
        any("without a budget" in e.value for e in app.error)
        and app.button(key="stream.go").disabled
    )
    control(app, "select_slider", "examples").set_value(10_000).run()
    app.button(key="stream.go").click().run()
    finished(app, "stream")
    vectors = [point.n_sv for point in app.session_state.flows["stream"].found]
    assert not app.error and vectors[-1] > 500 and vectors == sorted(vectors)


def test_the_playground_hands_its_run_over(app):  # noqa: F811
    app.query_params.update(
        {
            "data": "moons",
            "n": "60",
            "noise": "0.3",
            "solver": "bsgd",
            "B": "7",
            "lam": "0.02",
            "T": "30",
        }
    )
    app.run()
    app.button(key="stage.stream").click().run()
    app.switch_page("pages/stream.py").run()  # here a script cannot do it by itself
    assert not app.exception
    assert control(app, "selectbox", "data").value == "moons"
    control(app, "select_slider", "examples").set_value(10_000).run()
    app.button(key="stream.go").click().run()
    finished(app, "stream")
    assert app.session_state.flows["stream"].found[-1].n_sv == 7
    assert any("B \\= 7" in m.value and "λ \\= 0\\.02" in m.value for m in app.markdown)


@at_times(3)
def test_a_stream_has_a_link_and_is_found_again_on_return(app):  # noqa: F811
    stream(app)
    control(app, "select_slider", "examples").set_value(20_000).run()
    control(app, "selectbox", "data").set_value("moons").run()
    control(app, "select_slider", "budget").set_value(50).run()
    query = dict(app.query_params)
    assert (query["data"], query["examples"], query["B"]) == ("moons", "20000", "50")
    paper(app, "sbp")
    stream(app)
    found = app.session_state["stream.recipe"]
    assert (found.data, found.examples, found.params["B"]) == (
        "moons",
        20_000,
        50,
    ) and found.query() == query
    fresh = AppTest.from_file(str(Path(__file__).parents[2] / "app.py"), default_timeout=60)
    fresh.run()
    fresh.query_params.update(query)
    fresh.switch_page("pages/stream.py").run()
    assert (
        not fresh.exception and not fresh.warning and fresh.session_state["stream.recipe"] == found
    )


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"foo": "1"}, "which means nothing here"),
        ({"examples": "-5"}, "examples must lie in"),
        ({"data": "<b>"}, "must be one of"),
        ({"B": ["2", "3"]}, "more than once"),
    ],
    ids=str,
)
def test_what_a_link_to_a_stream_gets_wrong_is_said(app, query, words):  # noqa: F811
    app.query_params.update(query)
    stream(app)
    assert (
        not app.exception
        and not app.error
        and any(words in w.value.replace("\\", "") for w in app.warning)
    )


@pytest.mark.parametrize(
    "data", ["standard", "moons", "pinwheel", "digits", "digits-all", "cancer"]
)
def test_a_link_to_a_stream_says_all_of_it(data):
    start = Streamed.of(data, seed=3)
    for other in (
        start,
        replace(start, params=dict(start.params) | {"rule": "Norma", "B": 7}),
        start.on("waves"),
    ):
        assert streamed.from_query(other.query(), {}) == (other, [])
    assert "stays with the visitor" in streamed.from_query({"data": "whole:0123"}, {})[1][0]
    played = Recipe(data, solver="bsgd", params={"B": 9}).checked() if data in SOURCES else None
    if played:
        brought = streamed.from_recipe(played, {})
        assert brought.params["B"] == 9 and streamed.from_query(brought.query(), {}) == (
            brought,
            [],
        )
