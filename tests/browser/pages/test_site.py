"""A site without a server, shown by a plain file server below a path, with no other host within
reach: lessons are walked through, articles read, runs of the gallery chosen.
"""

import os
import pickle
import re
import threading
import zlib
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from svmviz import lessons
from svmviz.lessons.articles import PAPERS
from svmviz.solvers import SOLVERS
from svmviz.ui import site
from tests.browser.page import is_no_wider
from tests.browser.pages.test_lessons import walk
from tests.browser.tab import HURRY
from tests.browser.test_axe import ALL, FOUND
from tests.conftest import DESK, alone

MOST = 25_000_000  # bytes of a whole site
HOME = "https://svm.example.org"
CHARTS = "() => [...document.querySelectorAll('[data-chart]')].map(e => e.dataset.chart).join()"
SMALL = {"only_lessons": ["sbp"], "papers": ["incremental"], "solvers": ["chw"]}


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


def served(folder: Path, files: dict[str, bytes]):
    """The address of a site, which does not stand at the top of its server."""
    site.write(files, folder / "course" / "svm")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}/course/svm"


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A site of one lesson, one paper and one solver; the worker that asks first builds it for
    all.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return site.build(HOME, **SMALL)
    kept = tmp_path_factory.getbasetemp().parent / "small-site.pickle"
    with kept.with_suffix(".door").open("w") as door, alone(door):
        if not kept.exists():
            kept.write_bytes(pickle.dumps(site.build(HOME, **SMALL)))
        return pickle.loads(kept.read_bytes())


@pytest.fixture(scope="session")
def address(small, tmp_path_factory):
    server, found = served(tmp_path_factory.mktemp("site"), small)
    yield found
    server.shutdown()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    files = site.build()
    server, found = served(tmp_path_factory.mktemp("whole"), files)
    yield files, found
    server.shutdown()


@pytest.fixture
def visit(browser):
    """Open a page where no other host answers; nothing may be asked of one, and nothing may go
    wrong. Its content policy is not in force unless it is asked for, as it keeps out what waits in
    the page, and axe.
    """
    contexts, faults = [], []

    def visit(link: str, viewport=DESK, bypass_csp=True, pace: float = 1, **options):
        contexts.append(browser.new_context(viewport=viewport, bypass_csp=bypass_csp, **options))
        host = link.split("/")[2]

        def answer(route):
            if route.request.url.split("/")[2:3] == [host] or route.request.url.startswith(
                ("data:", "blob:")
            ):
                route.continue_()
            else:
                faults.append(f"asked for {route.request.url}")
                route.abort()

        contexts[-1].route("**/*", answer)
        if pace != 1:
            contexts[-1].add_init_script(f"({HURRY})({pace})")
        page = contexts[-1].new_page()
        page.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "response", lambda r: faults.append(f"{r.status} {r.url}") if r.status >= 400 else None
        )
        page.goto(link)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not faults


def axe(page) -> list[str]:
    if not page.evaluate("Boolean(globalThis.axe)"):
        page.evaluate(AXE_SCRIPT)
    return page.evaluate(FOUND, [ALL, []])


def read(page) -> None:
    """From top to bottom, until every stage and every chart is there."""
    page.wait_for_function("globalThis.svmvizFigures?.size > 0")
    left = (
        "() => [...document.querySelectorAll('[data-run], [data-chart]')].find(e =>"
        " !e.dataset.made)"
    )
    while (next_one := page.evaluate_handle(left).as_element()) is not None:
        next_one.scroll_into_view_if_needed()
        page.wait_for_function("e => e.dataset.made", arg=next_one)
    assert page.evaluate("[...svmvizFigures].every(({ run }) => run)")
    is_no_wider(page)


def test_a_lesson_is_walked_through(visit, address):
    page = visit(f"{address}/lesson-sbp.html", pace=4)
    page.wait_for_function("globalThis.svmviz?.standing")
    assert all(walk(page, right=True))
    assert axe(page) == []
    page.locator(".card .on").click()  # there is no next lesson here
    page.wait_for_url(f"{address}/index.html#lessons")


@pytest.mark.long
def test_an_article_is_read_and_what_was_recorded_chosen(visit, address):
    page = visit(f"{address}/index.html")
    page.wait_for_function("[...globalThis.svmvizFigures ?? []].some(({ draws }) => draws > 0)")
    assert axe(page) == []
    page.get_by_role("link", name="Incremental").click()
    read(page)
    assert axe(page) == []
    before = page.evaluate(CHARTS)
    page.get_by_label("every evaluation").check()
    page.wait_for_function(f"old => ({CHARTS})() !== old", arg=before)
    read(page)
    expect(page.get_by_label("every evaluation")).to_be_checked()
    expect(page.get_by_label("every evaluation")).to_be_focused()
    page.get_by_label("distinct pairs").check()
    page.wait_for_function(f"old => ({CHARTS})() === old", arg=before)
    page.get_by_role("button", name="Dark").click()
    page.wait_for_function("document.querySelector('[data-chart]').layout.font.color === '#F1F4F8'")


@pytest.mark.long
def test_the_content_policy_lets_all_of_it_work(visit, address):
    page = visit(f"{address}/paper-incremental.html", bypass_csp=False)
    for chart in page.locator("[data-chart]").all():
        chart.scroll_into_view_if_needed()
        expect(chart.locator(".main-svg").first).to_be_visible()
    expect(page.get_by_role("button", name="CSV").first).to_be_visible()
    page.goto(f"{address}/gallery-chw.html")
    expect(page.get_by_role("button", name="Play (Space)")).to_be_visible()
    page.goto(f"{address}/lesson-sbp.html#card=3")
    expect(page.locator(".card .place")).to_have_text("3 of 10")


def test_what_needs_the_app_leads_there(visit, address):
    page = visit(f"{address}/paper-incremental.html")
    again = page.get_by_role("link", name="compute it again (in the app)").first
    expect(again).to_have_attribute("href", f"{HOME}/incremental")
    expect(page.get_by_role("link", name="Who is taken?")).to_have_count(0)
    page.get_by_role("button", name="Open in the Playground").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("Not on this page")
    expect(page.get_by_role("dialog").get_by_role("button", name="Open the app")).to_be_visible()


def test_a_run_of_the_gallery_is_chosen_and_stands_in_the_address(visit, address):
    page = visit(f"{address}/gallery-chw.html")
    page.wait_for_function("globalThis.svmviz?.draws > 0")
    first, t = page.evaluate("[svmviz.run.id, svmviz.t]")
    assert axe(page) == []
    page.get_by_label("Two circles").check()
    page.wait_for_function("id => svmviz.run.id !== id", arg=first)
    assert page.evaluate("svmviz.t") == t and "data=circles" in page.url
    there = page.evaluate("svmviz.run.id")
    page.evaluate("svmviz.seek(7, true)")
    page.wait_for_url("**t=7*")
    other = visit(page.url)
    other.wait_for_function("id => globalThis.svmviz?.run?.id === id && svmviz.t === 7", arg=there)
    expect(other.get_by_label("Two circles")).to_be_checked()


def test_every_address_in_a_page_is_one_of_a_file(small):
    for name, data in small.items():
        if not (page := name.endswith(".html")) and not name.startswith("files/parts/"):
            continue
        assert not page or b"script-src 'self';" in data
        text = (data if page else zlib.decompress(data)).decode()
        for link in re.findall(r'(?:href|src|data-run|data-chart)="([^"]*)"', text):
            path = link.partition("#")[0].partition("?")[0]
            assert not path or path in small or link.startswith((HOME, "https://")), (
                f"{name} leads to {link}"
            )


def test_other_files_are_not_written_over(small, tmp_path):
    site.fits(tmp_path / "new")
    site.write(small, tmp_path)
    site.fits(tmp_path)  # a former site
    site.write({name: data for name, data in small.items() if name != "lesson-sbp.html"}, tmp_path)
    assert not (tmp_path / "lesson-sbp.html").exists() and (tmp_path / "index.html").exists()
    (tmp_path / site.LIST).unlink()
    with pytest.raises(ValueError, match="other files"):
        site.fits(tmp_path)
    site.fits(tmp_path, force=True)


@pytest.mark.long
def test_the_whole_site(visit, whole):
    """One test, as the site takes minutes to build: it is small, every lesson is walked through,
    every article read, every value of the gallery's grids chosen.
    """
    files, address = whole
    assert sum(map(len, files.values())) < MOST
    for key in lessons.LESSONS:
        page = visit(f"{address}/lesson-{key}.html")
        page.wait_for_function("globalThis.svmviz?.standing")
        assert all(walk(page, right=True)), key
        page.context.close()
    for name, look in product(
        PAPERS, ({}, {"color_scheme": "dark", "viewport": {"width": 390, "height": 844}})
    ):
        page = visit(f"{address}/paper-{name}.html", **look)
        read(page)
        assert axe(page) == [], (name, look)
        for choice in page.evaluate(
            "[...document.querySelectorAll('fieldset[data-choice]')].map(f => f.dataset.choice)"
        ):
            last = page.locator(f"fieldset[data-choice='{choice}'] input").last
            if last.count():  # another choice may have brought others in its place
                last.check()
                expect(page.locator("[aria-busy=true]")).to_have_count(0)
        read(page)
        page.context.close()
    for key in SOLVERS:
        page = visit(f"{address}/gallery-{key}.html")
        page.wait_for_function("globalThis.svmviz?.draws > 0")
        for label in page.evaluate(
            "[...document.querySelectorAll('.picker input:not(:checked)')].map(e => [e.name,"
            " e.value])"
        ):
            before = page.evaluate("svmviz.run.id")
            page.locator(f".picker [name='{label[0]}'][value='{label[1]}']").check()
            page.wait_for_function("id => svmviz.run.id !== id", arg=before)
        expect(page.locator(".fault")).to_be_hidden()
        page.context.close()
