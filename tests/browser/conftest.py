"""Pages of the app at a link, ready to be looked at: in the tab that tests share, or in one of
their own where the loading itself is asked about.
"""

import base64
from urllib.parse import parse_qsl

import pytest

from svmviz.player.wire import run
from svmviz.player.wire.message import told
from svmviz.run.link import SEEN, VIEW_KEYS
from svmviz.run.recipe import from_query
from svmviz.run.view import ANEW
from tests.browser.page import FIVE, MOONS, SHOWN, quiet, until
from tests.browser.tab import HURRY, USES, Tab, kind
from tests.conftest import COLD, DESK, FAILED

# What a report of a failure says of the page.
STATE = """() => {
  const app = document.querySelector("[data-testid=stApp]"), s = globalThis.svmviz;
  return JSON.stringify({ at: location.href, ...app?.dataset, stage: s && [s.gone, s.t, s.draws, s.run?.id, s.data?.seeds],
    said: document.querySelector("[data-testid=stMain]")?.innerText.slice(0, 400),
    socket: globalThis.tab?.socket() });
}"""


@pytest.fixture(scope="session")
def tabs(browser, server):
    """Return a function that gives the tab of a kind: the one in use, or a new one if that is
    broken or has served enough.
    """
    contexts, kept = {}, {}

    def give(options: dict) -> Tab:
        of = "phone" if options else "desk"
        if of not in contexts:
            contexts[of] = browser.new_context(**{"viewport": DESK} | options, bypass_csp=True)
        if of in kept and (kept[of].broken or kept[of].uses >= USES):
            kept.pop(of).close()
        if of in kept and not kept[of].left():
            kept.pop(of).close()
        if of not in kept:
            kept[of] = Tab(contexts[of], server)
        return kept[of]

    yield give
    for context in contexts.values():
        context.close()


@pytest.fixture
def arrive(request, visitor, server):
    """Return a function that brings a new visitor to a link, a path with its query.

    The first visitor of a test has the tab, if neither `fresh=True` nor an option asks for a page
    that nobody had. The others have browsers of their own; one that comes `instead` of the first
    has the tab, and the first is gone. `pace` is how many times as fast the page's clock goes.
    """
    used, errors = [], []

    def arrive(link: str, fresh: bool = False, instead: bool = False, pace: float = 1, **options):
        if used and instead:
            used[0].leave()
        elif fresh or used or kind(**options) is None:
            page = visitor(**options)
            if pace != 1:
                page.add_init_script(f"({HURRY})({pace})")
            page.goto(f"{server}{link}")
            return page
        else:
            used.append(request.getfixturevalue("tabs")(kind(**options)))
        return used[0].arrive(link, errors, pace, **options)

    arrive.errors = errors  # a test may clear what it has provoked
    yield arrive
    for tab in used:
        if request.node.stash.get(FAILED, False) or errors:
            print("The page, when the test had failed:", tab.page.evaluate(STATE))
            tab.broken = True
        else:
            tab.leave()
    if errors:
        pytest.fail("The page reported errors:\n" + "\n".join(errors))


@pytest.fixture
def visit(arrive):
    """Open a link of the Playground as a new visitor; then the stage is painted and the server has
    nothing more to say.
    """

    def visit(link: str = MOONS, **options):
        page = arrive(f"/?{link}", **options)
        page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
        quiet(page)
        return page

    return visit


@pytest.fixture
def study(arrive):
    """Open a lesson as a new visitor; its card is there. Its steps are played four times as
    fast.
    """

    def study(query: str, pace: float = 4, **options):
        page = arrive(f"/lessons?{query}", pace=pace, **options)
        if query:
            page.wait_for_function("globalThis.svmviz?.standing", timeout=COLD)
        else:
            page.wait_for_selector(".lessons a", timeout=COLD)
        quiet(page)
        return page

    return study


@pytest.fixture
def race(arrive):
    """Open a race as a new visitor; then all of its seeds have come in."""

    def race(link: str = FIVE, seeds: int = 3, **options):
        page = arrive(f"/race?{link}", **options)
        page.wait_for_function(
            "seeds => globalThis.svmviz?.draws > 0 && svmviz.data?.seeds >= seeds",
            arg=seeds,
            timeout=COLD,
        )
        if seeds > 1:
            quiet(page)
        return page

    return race


@pytest.fixture
def show(bench):
    """Give a stage that is already there a run, as the server would, and see it painted: for tests
    that ask what the player makes of it, not how it comes to the page. The link is read as the
    Playground reads it.
    """
    page, errors = bench
    errors.clear()

    def show(link: str = MOONS):
        query = dict(parse_qsl(link))
        recipe, messages = from_query(query, VIEW_KEYS)
        assert not messages
        view = (
            ANEW
            | {name: query[name] for name in SEEN if name in query}
            | {"serial": f"{link} {next(SHOWN)}"}
        )
        data = told(recipe, run.pack_recipe(recipe), view | {"t": int(view["t"])})
        page.evaluate(
            """text => svmviz.update({
            data: Uint8Array.from(atob(text), letter => letter.charCodeAt(0)), setStateValue() {}, setTriggerValue() {},
        }, false).then(() => svmviz.paint())""",
            base64.b64encode(data).decode(),
        )
        until(page, "svmviz.serial === value", view["serial"])
        return page

    yield show
    page.set_viewport_size(DESK)
    page.evaluate("""() => {
        if (svmviz.presenting) svmviz.present();
        svmviz.toggle(false);
        Object.assign(svmviz, { speed: 1, loop: false });
    }""")
    assert not errors, errors
