"""The app behind its proxy in a browser: its rules let everything run that a page needs, frames are
for embed=true, and a killed process is not the end.
"""

import os
import signal
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.conftest import DESK

READY = "[data-testid=stApp][data-test-script-state=notRunning]"


@pytest.fixture
def guest(browser):
    """A page, and what it reports as errors: whatever the rules forbid is among them. (Playwright's
    own waiting for a function needs what they forbid, so these tests wait for elements.)
    """
    context, errors = browser.new_context(viewport=DESK), []
    page = context.new_page()
    page.on(
        "console",
        lambda m: (
            errors.append(m.text)
            if m.type == "error" and "/_stcore/" not in m.location["url"]
            else None
        ),
    )
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page, errors
    context.close()


def holds(page, condition):
    """Wait until it does."""
    for _ in range(600):
        if page.evaluate(condition):
            return True
        page.wait_for_timeout(50)
    return False


@pytest.mark.parametrize("door", ["server", pytest.param("hall", marks=pytest.mark.long)])
def test_pages_run_within_the_rules(request, guest, door):
    page, errors = guest
    found = request.getfixturevalue(door)
    address = getattr(found, "address", found)
    page.goto(f"{address}/?data=moons&solver=sbp&t=20")
    assert holds(page, "globalThis.svmviz?.t === 20")
    page.goto(f"{address}/data")
    page.locator("[data-testid=stFileUploader] input").set_input_files(
        {
            "name": "mine.csv",
            "mimeType": "text/csv",
            "buffer": b"a,b,label\n" + b"0,1,1\n1,0,-1\n0.2,0.9,1\n0.8,0.3,-1\n" * 10,
        }
    )
    page.get_by_role("button", name="Open in the Playground").click()
    assert holds(page, "globalThis.svmviz?.run?.query?.data?.startsWith('upload:')")
    assert not errors


@pytest.fixture
def course(hall, tmp_path):
    """A page of somebody else's that has two of ours in frames."""
    (tmp_path / "index.html").write_text(
        f"""<iframe id="open" src="{hall.address}/?embed=true"></iframe>
        <iframe id="closed" src="{hall.address}/"></iframe>"""
    )
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=tmp_path)
    ) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{other.server_port}/"
        other.shutdown()


@pytest.mark.long
def test_only_what_is_made_for_it_shows_in_a_frame_of_another_site(guest, course):
    page, errors = guest
    page.goto(course)
    page.frame_locator("#open").locator("[data-testid=stApp]").wait_for()
    assert page.frame_locator("#closed").locator("[data-testid=stApp]").count() == 0
    assert any("frame-ancestors" in error for error in errors)


def test_after_a_kill_the_page_is_at_the_same_step_again(guest, hall):
    page, _ = guest
    page.goto(f"{hall.address}/?data=banana&n=100&solver=sbp&T=300&t=37")
    assert holds(page, "globalThis.svmviz?.t === 37")
    page.locator(READY).wait_for()
    name = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "svmviz")
    with page.expect_websocket():
        os.kill(hall.apps[int(name[-1])].pid, signal.SIGKILL)
    page.locator(READY).wait_for()  # another one has it, or the one that was started in its place
    assert holds(page, "globalThis.svmviz?.t === 37")
