"""Explore as a script, without a browser: links, faults beside their controls, what is kept and
what is not.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from svmviz.explore import Axis, Spec, Table
from svmviz.run.recipe import Recipe
from svmviz.run.view import opened
from svmviz.solvers import SOLVERS
from svmviz.ui.explore import drafts, files, sweeping
from svmviz.ui.jobs import scope
from svmviz.ui.jobs.compiling import compilation
from tests.player.test_explorewire import SPEC, rows_of
from tests.tools.rotation import at_times
from tests.tools.variants import seldom

APP = str(Path(__file__).parents[2] / "app.py")
LINK = {
    "data": "moons",
    "n": "60",
    "T": "50",
    "kernel": "rbf(gamma=2.0)",
    "seeds": "0-1",
    "folds": "3",
    "sweep": "lam:0.001:1.0:4:log;gamma:0.1:100.0:5:log",
}


@pytest.fixture
def page(monkeypatch):
    """The page at a link; no process is started for it."""
    compilation().join()
    monkeypatch.setattr(sweeping, "processes", lambda: type("Idle", (), {"width": 2})())
    app = AppTest.from_file(APP, default_timeout=120)
    app.session_state["tab_asked"] = True  # no browser is there to be asked for a file

    def opened(**query):
        app.query_params.update(LINK | query)
        app.switch_page("pages/explore.py")
        return app.run()

    return opened


def said(app) -> str:
    return " ".join(warning.value.replace("\\", "") for warning in app.warning)


def test_a_link_becomes_controls_and_a_picture(page):
    app = page()
    assert not app.exception and not app.warning
    assert app.session_state["explore.shown"].spec.shape == (4, 5)
    assert [box.value for box in app.text_input] == ["0.001", "1", "0.1", "100"]
    assert "20 cells × 3 folds × 2 seeds = 120 fits of 40 rows" in app.sidebar.caption[-1].value
    assert app.get("bidi_component")[-1].proto.bytes


def test_faults_stand_in_words_and_the_picture_stays(page):
    app = page()
    app.text_input[1].set_value("abc").run()
    assert "To: lam must be a number, got 'abc'." in said(app) and app.session_state[
        "explore.shown"
    ].spec.shape == (4, 5)
    app.text_input[1].set_value("0.0001").run()
    assert "the range must rise" in said(app) and not app.exception
    app.text_input[1].set_value("1").run()
    assert not app.warning and not app.exception


@pytest.mark.parametrize(
    ("query", "sentence"),
    seldom(
        [
            ({"sweep": "nosuch:1:2:3:log"}, "'nosuch' cannot be swept here"),
            ({"folds": "0"}, "folds must be a whole number"),
            ({"measure": "beauty"}, "measure was replaced by its default"),
            ({"cell": "-4"}, "cell was replaced by its default"),
            ({"data": "upload:x.csv"}, "upload it on the Data page"),
            ({"nonsense": "1"}, "means nothing here"),
            ({"solver": "sequences"}, ""),
            ({"data": "pinwheel"}, "choose other data, or another solver"),
        ],
        3,
    ),
)
def test_whatever_a_link_holds_has_an_answer(page, query, sentence):
    app = page(**query)
    assert not app.exception and sentence in said(app)


@pytest.mark.parametrize(
    "query",
    seldom(
        [
            {"held_out": "0.3", "measure": "suboptimality"},
            {"edit": "0:3.5:0.25,1.5,1"},
            {"sweep": "kernel:[none|rbf(gamma=2.0)];T:20:40:3:linear"},
            {
                "sweep": "lam:0.001:1.0:4:log;gamma:0.1:10.0:3:log;k:1:3:3:linear",
                "by": "halving",
                "draws": "12",
                "factor": "2",
            },
            {"data": "diabetes", "solver": "svr", "sweep": "epsilon:0.1:1:3:log"},
            {"solver": "sbp", "sweep": "nu:0.01:0.3:3:log;bias:[0|1]"},
        ],
        3,
    ),
)
def test_all_kinds_of_sweeps_have_a_page(page, query):
    app = page(**query)
    assert not app.exception and not app.warning, said(app)
    assert app.get("bidi_component")[-1].proto.bytes


@at_times()
def test_what_takes_too_long_says_so_and_offers_less(page):
    app = page(
        n="2000",
        T="20000",
        sweep="lam:0.001:1:31:log;gamma:0.1:100:31:log",
        seeds="0-19",
        folds="20",
    )
    assert "fits, which would take about" in said(app)
    less = next(button for button in app.button if button.label.startswith("Take "))
    less.click().run()
    assert not app.warning and not app.exception


def test_a_cluster_that_does_not_answer_is_said_beside_its_choice(page, monkeypatch):
    monkeypatch.setenv(sweeping.CLUSTER, "tcp://127.0.0.1:1")
    monkeypatch.setattr(sweeping.explore, "dask", refuse)
    app = page()
    assert not app.warning and [radio.options for radio in app.radio] == [
        ["this machine", "a Dask cluster"]
    ]
    app.radio[0].set_value("cluster").run()
    assert (
        "No Dask scheduler answers at tcp" in said(app).replace("\u2060", "") and not app.exception
    )
    app.radio[0].set_value("machine").run()
    assert not app.warning


def refuse(address: str):
    raise ValueError(f"no Dask scheduler answers at {address}")


@pytest.mark.parametrize(
    "key", [key for key, solver in SOLVERS.items() if not solver.space.chained]
)
def test_every_solver_has_axes_that_can_be_swept(key):
    """About its own opening, whatever data it has there."""
    draft = drafts.of_recipe(opened(key)[0])
    assert draft.spec.faults() == [] and 1 <= len(draft.spec.axes) <= 2
    again, _, messages = drafts.read(draft.link(), {})
    assert again == draft and messages == []


def test_the_largest_that_goes_is_the_largest():
    axes = Axis("lam", 1e-4, 1.0, 31), Axis("k", 1, 100, 31)
    spec = Spec(Recipe("moons", {"n": 200}, steps=1000), axes, (0, 1, 2)).checked()
    words, less = drafts.largest(spec, 0.3, 2)
    assert (
        drafts.too_long(spec, 0.3, 2)
        and not drafts.too_long(less, 0.3, 2)
        and words.startswith("Take ")
    )
    more = replace(less, axes=tuple(replace(axis, count=axis.count + 1) for axis in less.axes))
    assert drafts.too_long(more.checked(), 0.3, 2)


def test_rows_are_kept_up_to_a_bound_and_found_again(monkeypatch):
    monkeypatch.setitem(scope.MOST, "rows", (300, 300))
    store, rows = scope.made("rows", False), rows_of(SPEC)
    sweeping.add(store, SPEC, rows)
    sweeping.add(store, SPEC, rows)
    assert len(sweeping.kept(SPEC, store)) == len(rows), "each once"
    wider = replace(SPEC, axes=(SPEC.axes[0], Axis("gamma", 0.1, 100.0, 9))).checked()
    assert len(sweeping.kept(wider, store)) == len(rows), "every other value is one of before"
    other = replace(SPEC, fold_seed=1).checked()
    sweeping.add(store, other, rows)
    assert sweeping.source(SPEC) not in store.results and sweeping.source(other) in store.results
    for _ in range(3):
        sweeping.add(store, other, rows)
    assert len(store.get(sweeping.source(other))) == 4, (
        "the latest sweep stays, however large it is"
    )


def test_the_table_as_csv_and_as_parquet():
    table = Table(SPEC, rows_of(SPEC, 0.5))
    lines = files.to_csv(table).splitlines()
    assert lines[0].startswith("cell,lam,gamma,state,error,error_se") and len(lines) == 21
    assert lines[1].split(",")[:4] == ["0", "0.001", "0.1", "diverged"] and lines[20].split(",")[
        3:5
    ] == ["to come", ""]
    assert float(lines[8].split(",")[4]) == table.mean()[7]
    store = scope.made("rows", False)
    sweeping.add(store, SPEC, rows_of(SPEC, 0.5))
    spec, rows = files.results.read(files.to_parquet(SPEC, store), None)
    assert spec == SPEC and np.array_equal(rows.table["error"], rows_of(SPEC, 0.5).table["error"])
