"""Solvers are compiled behind the first page: who comes next, who waits for what, and what he sees
meanwhile.
"""

import threading
from importlib import import_module
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from svmviz.lessons.articles import PAPERS, article
from svmviz.player.ready import compiling, opening, openings, warm
from svmviz.player.ready.compiling import ORDER, Compilation, Queue
from svmviz.solvers import SOLVERS
from tests.tools.rotation import by_turns

APP = str(Path(__file__).parents[2] / "app.py")
PATIENCE = 60  # seconds after which a test gives up


def taken(queue: Queue) -> list[str]:
    return [queue.take() for _ in range(len(queue.waiting))]


def test_every_solver_has_its_place_in_the_queue():
    assert sorted(ORDER) == sorted(SOLVERS)


def test_whoever_asks_first_is_served_first():
    queue = Queue("abcdef")
    queue.ask("e")
    queue.ask("c", "e")
    queue.ask("b")
    assert taken(queue) == ["e", "c", "b", "a", "d", "f"]
    assert queue.take() is None


def test_what_is_ready_or_under_way_is_not_taken_again():
    queue = Queue("abc", ready="b")
    assert queue.take() == "a"
    queue.ask("a", "b")
    assert taken(queue) == ["c"] and queue.working == ["a", "c"]
    queue.done("a")
    assert queue.ready == {"a", "b"} and queue.working == ["c"]


class Slow:
    """A worker that goes on when it is told to, and notes what it was given."""

    def __init__(self, log: list, go: threading.Semaphore, able: bool = True):
        self.log, self.go, self.able = log, go, able

    def compile(self, key: str) -> bool:
        self.log.append(key)
        return self.go.acquire(timeout=PATIENCE) and self.able

    def close(self) -> None:
        self.log.append("closed")


def settled(under_way: Compilation, condition) -> None:
    with under_way.news:
        assert under_way.news.wait_for(condition, PATIENCE)


def test_a_solver_that_somebody_waits_for_is_next_and_each_is_compiled_once():
    log, go, loaded = [], threading.Semaphore(0), []
    under_way = Compilation(Queue(ORDER), 1, lambda: Slow(log, go), loaded.append)
    under_way.ask(ORDER[6])
    go.release(2)
    settled(under_way, lambda: len(under_way.queue.ready) == 2)
    assert not under_way.ready() and under_way.ready(ORDER[6]) == (log[1] == ORDER[6])
    under_way.ask(ORDER[7])
    go.release(len(ORDER))
    under_way.join()
    assert (
        under_way.ready()
        and sorted(log) == sorted([*ORDER, "closed"])
        and sorted(loaded) == sorted(ORDER)
    )


def test_nothing_is_started_where_everything_is_ready():
    under_way = Compilation(Queue(ORDER, ORDER), 2, lambda: pytest.fail("a worker was started"))
    under_way.join()
    assert under_way.ready() and not under_way.threads


def test_a_worker_that_ended_is_replaced_and_nobody_waits_for_ever():
    log, go = [], threading.Semaphore(100)
    under_way = Compilation(Queue(ORDER), 2, lambda: Slow(log, go, able=False))
    under_way.join()
    assert under_way.ready() and log.count("closed") == len(ORDER)


class Unready:
    """Some solvers are ready, the others never will be; a page that waits is looked at once."""

    def __init__(self, *ready: str):
        self.queue, self.asked = Queue(ORDER, ready), []
        self.queue.take()

    def ready(self, *keys: str) -> bool:
        return self.queue.ready.issuperset(keys or ORDER)

    def ask(self, *keys: str) -> None:
        self.asked += keys
        self.queue.ask(*keys)

    def wait(self, seconds: float) -> None:
        st.stop()


@pytest.fixture
def app(monkeypatch):
    """A page of the app while solvers are being compiled."""

    def opened(*ready: str, **query: str):
        unready = Unready(*ready)
        for module in ("jobs.compiling", "shell.frame"):
            monkeypatch.setattr(
                import_module(f"svmviz.ui.{module}"), "compilation", lambda: unready
            )
        app = AppTest.from_file(APP, default_timeout=60)
        app.query_params.update(query)
        return app.run(), unready

    return opened


def wait_of(app) -> list[str]:
    return [html.proto.body for html in app.get("html") if 'class="compiling"' in html.proto.body]


def test_the_opening_picture_waits_for_nothing(app):
    shown, unready = app()
    assert not shown.exception and not wait_of(shown) and not unready.asked
    assert (
        shown.session_state.visit.recipe == opening.OPENING
        and len(shown.get("bidi_component")[0].proto.bytes) > 4000
    )


def test_a_solver_that_is_not_ready_shows_how_far_it_is_in_place_of_any_stage(app):
    shown, unready = app("pegasos", solver="sbp")
    (text,) = wait_of(shown)
    assert not shown.exception and not shown.get("bidi_component") and unready.asked == ["sbp"]
    assert (
        "Stochastic Batch Perceptron" in text.partition("</h3>")[0]
        and "Ready meanwhile: Pegasos." in text
    )
    assert (
        text.count("<li") == len(SOLVERS)
        and text.count('data-state="ready"') == 1
        and "<progress" in text
    )


def test_there_are_enough_points_for_the_batches_of_every_solver():
    defaults = {
        key: {param.name: param.default for param in solver.params}
        for key, solver in SOLVERS.items()
    }
    assert all(given.get("k", 1) <= 4 * warm.COPIES for given in defaults.values()), defaults


def test_a_solver_that_is_ready_can_be_used_meanwhile(app):
    warm.show("perceptron")
    shown, _ = app("perceptron", solver="perceptron", data="blobs", n="40", T="20")
    assert (
        not shown.exception
        and not wait_of(shown)
        and len(shown.get("bidi_component")[0].proto.bytes) > 1000
    )


@pytest.mark.parametrize("name", by_turns([*PAPERS, "race"], 3))
def test_pages_that_compute_say_what_they_wait_for(app, name):
    shown, unready = app()
    shown = shown.switch_page(f"pages/{name}.py").run()
    (text,) = wait_of(shown)
    assert not shown.exception and unready.asked and "functions are done" in text


@pytest.mark.parametrize("name", by_turns(PAPERS, 3))
def test_an_article_is_read_and_its_first_stage_plays_while_its_solver_is_compiled(app, name):
    shown = app()[0].switch_page(f"pages/{name}.py").run()
    scenes = [section.scene for section in article(name).sections if section.scene]
    played = [one for one in shown.get("bidi_component") if len(one.proto.bytes) > 1000]
    assert len(played) == sum(scene.recipe in openings.recorded().values() for scene in scenes)
    assert played[0].key == f"figure.{name}.0"
    assert [item.value for item in shown.header][1:-1] == [
        section.title for section in article(name).sections[1:]
    ]
    assert not shown.get("plotly_chart")


@pytest.mark.parametrize("name", ["data", "stream"])
def test_pages_that_compute_on_demand_do_not_wait(app, name):
    shown, unready = app()
    shown = shown.switch_page(f"pages/{name}.py").run()
    assert not shown.exception and not wait_of(shown) and not unready.asked


def test_a_stream_that_was_asked_for_waits_for_its_solver(app):
    shown, unready = app()
    shown = shown.switch_page("pages/stream.py").run()
    next(button for button in shown.button if button.label == "Start").click().run()
    assert not shown.exception and wait_of(shown) and unready.asked == ["bsgd"]


def test_functions_are_counted():
    done, known = compiling.functions()
    assert 0 <= done <= known and known > 150
