"""What browser tests stand on: a running app, a real browser, and a page that must stay free of
errors.

    def test_title(page, server):
        page.goto(server)
        ...

Tests that use them are marked `browser`. Without a browser they are skipped, except under CI, where
they fail.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import settings

from benchmarks.harness import (
    FLAGS,
    ROOT,
    START_SECONDS,
    chromium,
    free_port,
    healthy,
    serve,
    serve_hall,
)
from deploy.serve import MISSING, haproxy
from tests.tools.rotation import in_turn, turn

try:
    import fcntl
except ImportError:  # Windows: each worker has a server of its own
    fcntl = None

SERVER_LOG = pytest.StashKey[Path]()
FAILED = pytest.StashKey[bool]()
DESK = {"width": 1440, "height": 900}
COLD = 180_000  # ms: the first visitor after an installation waits for the compiler
LAUNCHED: list[subprocess.Popen] = []  # servers that this process has started for others, too
COMMITS = 16  # in a row run all browser tests that are not long by themselves
# pages that one process of the browser shows: what they leave behind is collected late, and then
# slowly
BEARS = 25

# The first example of a property may pay for compilation, so time per example says nothing.
settings.register_profile("svmviz", deadline=None)
settings.load_profile("svmviz")


@pytest.fixture(autouse=True)
def nobody_waits_for_a_stage(monkeypatch):
    """Without a browser no stage of an article will ever say that it has moved."""
    if articles := sys.modules.get("svmviz.ui.papers.articles"):
        monkeypatch.setattr(articles, "ALONE", 0.0)


def pytest_addoption(parser):
    parser.addoption(
        "--part-of",
        type=int,
        default=1,
        metavar="N",
        help="of the chosen tests one in N: which ones, the commit decides",
    )


def pytest_terminal_summary(terminalreporter, config):
    """Say what rotated, in quiet runs, too: which turn it was, and which part of the chosen
    tests.
    """
    every = config.getoption("--part-of")
    part = f", part {turn() % every + 1} of {every} of the chosen tests" if every > 1 else ""
    terminalreporter.write_line(
        f"turn {turn()} (the commit decides; SVMVIZ_TURN names another){part}"
    )


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(config, items):
    """Mark the tests that need a browser and put them last: they are slow, and Playwright's event
    loop, which runs in this thread until the session ends, would forbid others to start their own.
    Among them the walk, which takes longest, comes first, so that nobody waits for it at the end.

    Of those that are neither `long` nor `always` one in `COMMITS` is not long, by turns.
    """
    for item in items:
        if {"browser", "server"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)
            if not (
                item.get_closest_marker("always")
                or item.get_closest_marker("long")
                or in_turn(item.nodeid, COMMITS)
            ):
                item.add_marker(pytest.mark.long)
    items.sort(
        key=lambda item: (
            item.get_closest_marker("browser") is not None,
            item.path.name != "test_walk.py",
        )
    )
    left = [item for item in items if not in_turn(item.nodeid, config.getoption("--part-of"))]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in {*left}]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Show the end of the server's output under a failed test: the page itself tells visitors no
    details.
    """
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    if (
        report.failed
        and "server" in getattr(item, "fixturenames", ())
        and SERVER_LOG in item.config.stash
    ):
        report.sections.append(
            ("Streamlit server", item.config.stash[SERVER_LOG].read_text(errors="replace")[-5000:])
        )
    return report


def unavailable(reason: str):
    """A test with a browser, or with HAProxy, cannot run: a gap that a person may accept, but not
    CI.
    """
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


@pytest.fixture(scope="session")
def chrome():
    """Start browsers: a function of the name of a way to launch one, and its options."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        unavailable("Browser tests need Playwright: pip install -r requirements.txt")
    path = chromium()
    if path is None:
        unavailable(
            "Browser tests need Chromium: apt-get install chromium-headless-shell, or set"
            " SVMVIZ_CHROMIUM to its path"
        )
    with sync_playwright() as playwright:
        yield lambda way, *args, **options: getattr(playwright.chromium, way)(
            *args, executable_path=path, **options
        )


@pytest.fixture(scope="session")
def browser(chrome):
    """Its contexts know nothing of each other, and each loads and compiles the app anew."""
    with chrome("launch", args=FLAGS) as launched:
        yield launched


@pytest.fixture(scope="session")
def profile(chrome, server, tmp_path_factory):
    """A browser that keeps Streamlit's scripts, which take a second to load and to compile: on
    disk, and compiled in the one process that all of its pages share. The first page stays, so that
    this process does.
    """
    folder = tmp_path_factory.mktemp("profile")
    with chrome(
        "launch_persistent_context",
        folder,
        args=[*FLAGS, "--process-per-site"],
        viewport=DESK,
        bypass_csp=True,
    ) as context:
        context.pages[0].goto(f"{server}/_stcore/health")
        yield context


def listen(page, tell) -> None:
    """Tell what is written to the console of a page as an error or thrown in it. Whoever waits for
    something on it waits as long as for a cold start: with other work on the machine a page full of
    charts keeps its browser busy for half a minute.
    """
    page.set_default_timeout(COLD)
    page.on(
        "console",
        lambda m: (
            tell(f"{m.text} ({m.location['url']})")
            if m.type == "error" and not re.search(r"/\w+/_stcore/", m.location["url"])
            else None
        ),
    )  # Streamlit looks for itself below a page
    page.on("pageerror", lambda error: tell(str(error)))


def swept(context, origin: str):
    """A new page of a visitor who was never here: all that a page can leave behind is gone. Now and
    then the process is a new one, too.
    """
    context.shown = getattr(context, "shown", 0) + 1
    if context.shown % BEARS == 0:
        first = context.new_page()
        for page in context.pages[:-1]:
            page.close()
        first.goto(f"{origin}/_stcore/health")
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    session.detach()
    return page


@pytest.fixture(scope="session")
def server(request, tmp_path_factory):
    """The address of the app, started on a free port: by this process for itself, or for all
    workers of xdist by the first of them that asks for it.
    """
    if fcntl and "PYTEST_XDIST_WORKER" in os.environ:
        with shared(tmp_path_factory.getbasetemp().parent) as (address, log):
            request.config.stash[SERVER_LOG] = log
            yield address
    else:
        log = request.config.stash[SERVER_LOG] = tmp_path_factory.mktemp("server") / "output.txt"
        with serve(log) as started:
            yield started.address


@contextmanager
def shared(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the address of the app that all processes with this folder use, and its log. Each user
    holds a lock, which the system takes from a process that dies; the last user ends the app.
    """
    log, known = folder / "server.txt", folder / "server.json"
    with (folder / "server.door").open("w") as door, (folder / "server.users").open("w") as users:
        with alone(door):
            if not known.exists() or not healthy(json.loads(known.read_text())["port"]):
                port, pid = launch(log)
                known.write_text(json.dumps({"port": port, "pid": pid}))
            fcntl.flock(users, fcntl.LOCK_SH)
            found = json.loads(known.read_text())
        try:
            yield f"http://127.0.0.1:{found['port']}", log
        finally:
            with alone(door):
                fcntl.flock(users, fcntl.LOCK_UN)
                if nobody(users) and known.exists():
                    known.unlink()
                    with suppress(ProcessLookupError):
                        os.kill(found["pid"], signal.SIGTERM)


@contextmanager
def alone(door) -> Iterator[None]:
    """Let no other process into a block with the lock `door`."""
    fcntl.flock(door, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(door, fcntl.LOCK_UN)


def nobody(users) -> bool:
    """Return whether no process holds the lock of users."""
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def launch(log: Path) -> tuple[int, int]:
    """Start the app; return its port and the id of its process, which outlives this one if others
    use it.
    """
    port = free_port()
    with log.open("ab") as output:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "streamlit",
                "run",
                "app.py",
                "--server.headless",
                "true",
                "--server.address",
                "127.0.0.1",
                "--server.port",
                str(port),
            ],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    LAUNCHED.append(process)  # nobody waits for it here: others may use it for longer
    deadline = time.monotonic() + START_SECONDS
    while not healthy(port):
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            pytest.fail(
                f"The server was not up after {START_SECONDS} s:\n{log.read_text(errors='replace')}"
            )
        time.sleep(0.02)
    return port, process.pid


@pytest.fixture(scope="session")
def hall(tmp_path_factory):
    """The app as `make serve` runs it, two processes behind HAProxy."""
    if haproxy() is None:
        unavailable(MISSING)
    with serve_hall(tmp_path_factory.mktemp("hall") / "output.txt") as opened:
        yield opened


@pytest.fixture
def visitor(request, profile, server):
    """Open pages of visitors of their own, with options such as color_scheme="dark"; the test fails
    if anything was written to the console of any of them as an error or thrown in it. The first one
    has the profile that is swept between tests, if its window is all that is special about it;
    others meet in no browser.
    """
    opened, errors = [], []

    def arrive(viewport=DESK, **options):
        if opened or options:
            opened.append(
                request.getfixturevalue("browser").new_context(
                    viewport=viewport, bypass_csp=True, **options
                )
            )
            page = opened[-1].new_page()
        else:
            page = swept(profile, server)
            opened.append(page)
            page.set_viewport_size(viewport)
        listen(page, errors.append)
        return page

    arrive.errors = errors  # a test may clear what it has provoked
    yield arrive
    for page_or_context in opened:
        page_or_context.close()
    if errors:
        pytest.fail("The page reported errors:\n" + "\n".join(errors))


@pytest.fixture(scope="session")
def bench(browser, server):
    """A page whose stage is given one run after the other, and the errors that it reports."""
    page, errors = browser.new_context(viewport=DESK, bypass_csp=True).new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(server)
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
    page.wait_for_function(
        "document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'"
    )
    yield page, errors
    page.context.close()


@pytest.fixture
def page(visitor):
    """A fresh page of one visitor."""
    return visitor()
