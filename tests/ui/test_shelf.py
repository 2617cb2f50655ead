"""A visitor's files: found again by the tab that holds the key, bounded, and in no memory that
visitors share.
"""

import functools
import gc
import sys
import types
from pathlib import Path

import numpy as np
import pytest
from streamlit.runtime import caching
from streamlit.testing.v1 import AppTest

from svmviz.data.edits import apply, edit
from svmviz.data.plane import Dataset
from svmviz.data.problem import Private, make_problem
from svmviz.maths import kernels
from svmviz.run.streams.streamed import Streamed
from svmviz.run.visit.after import Visit
from svmviz.theory import reference
from svmviz.ui.jobs.compiling import compilation
from svmviz.ui.visit.shelf import AFTER, Shelf, shelf, size
from svmviz.work import memo
from tests.tools.rotation import at_times, by_turns

APP = str(Path(__file__).parents[2] / "app.py")
ROWS = 347  # nothing else in the app, or left in its memory by another test, has as many rows


def mine(n: int = ROWS, key: str = "upload:mine") -> Dataset:
    rng = np.random.default_rng(5)
    problem = Private(*make_problem(rng.normal(size=(n, 2)).round(4), np.arange(n) % 2))
    return Dataset(key, "mine.csv", lambda: problem, (), "Your file.", ("a", "b"))


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_files_outlive_their_session_by_some_minutes():
    clock, there = Clock(), {"first"}
    shelf = Shelf(clock, there.__contains__)
    shelf.put("key", {"own": {"upload:mine": mine()}}, "first")
    clock.now = 10 * AFTER
    shelf.look()
    assert shelf.places, "as long as somebody is there, they stay"
    there.clear()
    clock.now += AFTER - 1
    assert shelf.get("key", "second"), "a page that was loaded anew is another session"
    there.add("second")
    clock.now += AFTER + 1
    assert shelf.get("key", "second")
    there.clear()
    clock.now += AFTER + 1
    shelf.look()
    assert not shelf.places, "nobody need come for that"


def test_another_key_finds_nothing():
    shelf = Shelf()
    shelf.put("key", {"own": {}}, "me")
    assert (
        shelf.get("kez", "you") is None
        and shelf.get("", "you") is None
        and shelf.holder("key") == "me"
    )
    assert b"key" not in list(shelf.places)  # the key itself is not even kept
    shelf.drop("key")
    assert shelf.get("key", "me") is None


def test_who_looked_longest_ago_goes_first():
    shelf = Shelf(room=3 * size({"own": {"a": mine()}}), most=10)
    for k in range(3):
        shelf.put(f"key {k}", {"own": {"a": mine()}}, "me")
    assert shelf.get("key 0", "me")
    shelf.put("key 3", {"own": {"a": mine()}}, "me")
    assert [bool(shelf.get(f"key {k}", "me")) for k in range(4)] == [True, False, True, True]
    few = Shelf(most=2)
    for k in range(3):
        few.put(f"key {k}", {}, "me")
    assert len(few.places) == 2


def test_private_data_stay_private_when_points_are_drawn_or_left_out():
    problem, _ = apply(mine().problem(), [edit(3, [0], [(1.0, 1.0, 1)])])
    assert problem.private and problem._replace(X=problem.X[:9], y=problem.y[:9]).private
    assert not make_problem(*problem).private


def test_the_memory_of_optima_has_nothing_of_private_data():
    asked = []

    @memo.lately
    def find(given, lam):
        asked.append(lam)
        return reference.optimum.__wrapped__(given, lam)

    for _ in range(2):
        find(mine().problem(), 0.1)
    assert asked == [0.1, 0.1]


def reachable(roots):
    """All that can be reached from these, but for other libraries, the shelf itself and what is
    running.
    """
    seen, left = {}, list(roots)
    while left:
        thing = left.pop()
        if id(thing) in seen or isinstance(
            thing, (types.FrameType, Shelf, str, int, float, type(None))
        ):
            continue
        if isinstance(thing, types.ModuleType) and not thing.__name__.startswith("svmviz"):
            continue
        if isinstance(thing, (types.FunctionType, type)) and not (
            thing.__module__ or ""
        ).startswith("svmviz"):
            continue
        seen[id(thing)] = thing
        left += gc.get_referents(thing)
        if isinstance(thing, functools._lru_cache_wrapper):
            left += gc.get_referents(thing)
    return seen.values()


def shared():
    """What all visitors share: modules of the app with everything in them, and Streamlit's
    caches.
    """
    modules = [module for name, module in sys.modules.items() if name.split(".")[0] == "svmviz"]
    return reachable(
        [
            *modules,
            *(vars(part) for part in vars(caching).values() if isinstance(part, types.ModuleType)),
        ]
    )


def of_mine(found) -> list:
    """Arrays with as many rows as my file has, runs on as many examples, and bytes that hold one of
    its rows.
    """
    row = mine().problem().X[7]
    written = row.tobytes(), row.astype(np.float32).tobytes()
    return [
        thing
        for thing in found
        if isinstance(thing, np.ndarray)
        and ROWS in thing.shape
        or isinstance(thing, dict)
        and isinstance(thing.get("n"), int)
        and thing["n"] == ROWS
        or isinstance(thing, bytes)
        and any(part in thing for part in written)
    ]


def visited(page: str = "", **query: str) -> AppTest:
    """My file on a page."""
    compilation().join()
    app = AppTest.from_file(APP, default_timeout=120)
    app.session_state["visit"] = Visit(own={"upload:mine": mine()})
    app.session_state["stream.recipe"] = Streamed.of("upload:mine", {"upload:mine": mine()})
    app.query_params.update(query)
    app.run()
    if page:
        app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    return app


@pytest.mark.parametrize("solver", by_turns(["pegasos", "sbp", "simba", "bsgd"], 5))
def test_no_shared_memory_holds_the_data_or_what_was_computed_from_them(solver):
    kernel = {} if solver == "simba" else {"kernel": str(kernels.rbf(1.0))}
    app = visited(data="upload:mine", solver=solver, T="50", t="20", **kernel)
    assert app.session_state.visit.recipe.problem().n == ROWS
    del app
    gc.collect()
    assert not of_mine(shared())


@at_times()
def test_no_shared_memory_holds_a_race_or_a_stream_of_them():
    app = visited("race", data="upload:mine")
    app.sidebar.selectbox[0].set_value("upload:mine").run()
    assert (
        not app.exception
        and app.session_state["card"].base.problem().n == ROWS
        and app.session_state["stores"]["races"].results
    )
    app.switch_page("pages/stream.py").run()
    next(button for button in app.button if button.label == "Start").click().run()
    assert not app.exception and app.session_state["flows"]["stream"].job.ended.wait(60)
    del app
    gc.collect()
    assert not of_mine(shared())


@at_times(2)
def test_a_file_that_is_forgotten_is_nowhere():
    app = visited(data="upload:mine", T="50", t="20")
    shelf().put("key", {"own": app.session_state.visit.own}, "me")
    app.session_state["tab_key"] = "key"
    assert of_mine(reachable([app.session_state]))
    app.switch_page("pages/data.py").run()
    app.button(key="upload.forget").click().run()
    assert (
        not app.exception
        and not shelf().places
        and not any(button.key == "upload.forget" for button in app.button)
    )
    assert not of_mine(reachable([app.session_state]))
    app.switch_page("pages/playground.py").run()
    assert not app.exception and app.session_state.visit.recipe.own is None


def test_the_search_would_find_what_is_shared():
    """Public data of the same size are there, so that the test above can fail."""
    compilation().join()
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params.update(
        {
            "data": "blobs",
            "n": str(ROWS),
            "solver": "pegasos",
            "T": "50",
            "kernel": "rbf(gamma=1.0)",
        }
    )
    app.run()
    assert not app.exception and of_mine(shared())


def test_a_link_to_a_file_waits_for_the_tab_and_then_says_whose_it_is():
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params.update({"data": "upload:mine", "T": "50", "t": "20"})
    app.run()
    assert not app.exception and not app.warning and app.query_params["data"] == "upload:mine"
    app.session_state["tab_asked"] = True  # the tab answered that it has no key
    app.run()
    assert any("stays with the visitor" in warning.value for warning in app.warning)
