"""What browser tests stand on: a running app, a real browser, and a page that must stay free of errors.

    def test_title(page, server):
        page.goto(server)
        ...

Tests that use them are marked `browser`. Without a browser they are skipped, except under CI, where they fail.
"""

import os
import re
from pathlib import Path

import pytest
from hypothesis import settings

from benchmarks.harness import FLAGS, chromium, serve

SERVER_LOG = pytest.StashKey[Path]()

# The first example of a property may pay for compilation, so time per example says nothing.
settings.register_profile("svmviz", deadline=None)
settings.load_profile("svmviz")


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items):
    """Mark the tests that need a browser and put them last: they are slow, and Playwright's event loop, which runs in
    this thread until the session ends, would forbid others to start their own."""
    for item in items:
        if {"browser", "server"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Show the end of the server's output under a failed test: the page itself tells visitors no details."""
    report = yield
    if report.failed and "server" in getattr(item, "fixturenames", ()) and SERVER_LOG in item.config.stash:
        report.sections.append(("Streamlit server", item.config.stash[SERVER_LOG].read_text(errors="replace")[-5000:]))
    return report


def unavailable(reason: str):
    """A browser test cannot run: a gap that a person may accept, but not CI."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


@pytest.fixture(scope="session")
def browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        unavailable("Browser tests need Playwright: pip install -r requirements.txt")
    path = chromium()
    if path is None:
        unavailable("Browser tests need Chromium: apt-get install chromium, or set SVMVIZ_CHROMIUM to its path")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def server(request, tmp_path_factory):
    """The address of the app, started for this test session on a free port."""
    log = request.config.stash[SERVER_LOG] = tmp_path_factory.mktemp("server") / "output.txt"
    with serve(log) as started:
        yield started.address


@pytest.fixture
def visitor(browser):
    """Open pages of visitors of their own, with options such as color_scheme="dark"; the test fails if anything was
    written to the console of any of them as an error or thrown in it."""
    contexts, errors = [], []

    def arrive(**options):
        contexts.append(browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options}))
        page = contexts[-1].new_page()
        page.on("console", lambda m: errors.append(f"{m.text} ({m.location['url']})") if m.type == "error"
                and not re.search(r"/\w+/_stcore/", m.location["url"]) else None)  # Streamlit looks for itself below a page
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield arrive
    for context in contexts:
        context.close()
    if errors:
        pytest.fail("The page reported errors:\n" + "\n".join(errors))


@pytest.fixture
def page(visitor):
    """A fresh page of one visitor."""
    return visitor()
