"""What a visitor meets behind a link, in a real browser: every solver, an answer that cannot be
read, and the way back.
"""

import pytest
from playwright.sync_api import expect

from svmviz.solvers import SOLVERS
from tests.browser.page import FIVE, MOONS, quiet, until
from tests.conftest import COLD
from tests.tools.variants import seldom

# How many points of each class a visitor sees before the first step, when the plane itself has no
# colour: a pixel in the middle of a mark is more blue than red, or the other way round.
SEEN = """() => {
    const { plane: { sheet: { canvas, g, ratio }, x, y }, run } = svmviz, seen = [0, 0];
    const { data, width } = g.getImageData(0, 0, canvas.width, canvas.height), at = v => Math.round(ratio * v);
    for (let i = 0; i < run.n; i++) {
        const pixel = 4 * (at(y(run.points[2 * i + 1])) * width + at(x(run.points[2 * i])));
        if (run.y[i] * (data[pixel + 2] - data[pixel]) > 15) seen[+(run.y[i] > 0)]++;
    }
    return seen;
}"""

# The answer that the stage has, once more: as it came, or with numbers of a kind that no player
# knows.
SEND = """async spoilt => {
    globalThis.sent ??= svmviz.bytes ?? svmviz.data;
    const data = sent.slice(), end = 4 + new DataView(data.buffer).getUint32(0, true);
    const text = new TextDecoder("latin1").decode(data.subarray(0, end)), at = text.lastIndexOf('"float');
    if (spoilt) data.set(new TextEncoder().encode('"int64"  '), at);
    await svmviz.update({ ...svmviz, data }, false);
}"""


def choose_solver(page, key: str):
    page.get_by_test_id("stSidebar").get_by_role("combobox", name="solver").click()
    page.get_by_role("option", name=SOLVERS[key].title, exact=True).click()
    page.wait_for_function(
        "key => svmviz.run?.solver.key === key && svmviz.engine", arg=key, timeout=COLD
    )
    quiet(page)


@pytest.mark.long
def test_every_solver_shows_its_points(visit):
    page = visit("solver=perceptron&n=200")
    for key in (
        "perceptron",
        *(key for key, solver in SOLVERS.items() if key != "perceptron" and not solver.space.real),
    ):
        if key != "perceptron":
            choose_solver(page, key)
        until(
            page, f"({SEEN})().every(seen => seen > 50)"
        )  # of a hundred each; some lie under others
        expect(page.locator(".fault")).to_be_hidden()


@pytest.mark.parametrize("link", seldom([f"/?{MOONS}", f"/race?{FIVE}"]), ids=["a run", "a race"])
def test_an_answer_that_cannot_be_read_is_said_on_the_stage(arrive, link):
    page = arrive(link)
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
    quiet(page)
    fault = page.get_by_role("alert").filter(has_text="could not read what the server sent")
    expect(fault).to_be_hidden()
    with page.expect_console_message(lambda message: "int64" in message.text):
        page.evaluate(SEND, True)
    expect(fault).to_contain_text("Reload the page")
    expect(fault).to_contain_text("an array of int64, which the player does not know")
    page.evaluate(SEND, False)
    expect(fault).to_be_hidden()
    page.evaluate(SEND, True)
    fault.get_by_role("button", name="Reload").click()
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
    expect(fault).to_be_hidden()
    arrive.errors[:] = [words for words in arrive.errors if "int64" not in words]


def test_a_player_that_cannot_be_loaded_is_said(visitor, server):
    page = visitor()
    page.route("**/player.json", lambda route: route.abort())
    page.goto(f"{server}/?{MOONS}&change=10:lam=0.1")
    expect(page.get_by_role("alert").filter(has_text="could not be loaded")).to_be_visible(
        timeout=COLD
    )
    page.unroute("**/player.json")
    page.get_by_role("button", name="Restart").click()  # new data: it is tried again
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
    expect(page.get_by_role("alert").filter(has_text="could not be loaded")).to_have_count(0)
    visitor.errors[:] = [
        words for words in visitor.errors if "player.json" not in words and "fetch" not in words
    ]


def stands(page, path: str, solver: str = ""):
    """Wait until the page of this path is there, with the run of this solver where it has one."""
    page.wait_for_function("path => location.pathname === path", arg=path)
    if solver:
        page.wait_for_function(
            "key => globalThis.svmviz?.run?.solver?.key === key && !svmviz.gone",
            arg=solver,
            timeout=COLD,
        )
    else:
        expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible()
    quiet(page)


def spelt(page):
    """Wait until the address names all that there is to name."""
    page.wait_for_function(
        "new URLSearchParams(location.search).has('T') || location.search.includes('lanes=')"
    )


@pytest.mark.long
def test_one_press_of_back_leads_back(visitor, server):
    page = visitor()
    page.goto(f"{server}/data")
    stands(page, "/data")
    page.goto(f"{server}/?{MOONS}")  # a link, opened from elsewhere
    stands(page, "/", "pegasos")
    spelt(page)
    page.go_back()
    stands(page, "/data")
    page.get_by_role("link", name="Two moons", exact=True).click()  # a link within
    stands(page, "/", "pegasos")
    spelt(page)
    choose_solver(page, "sdca")  # a move of the visitor
    page.wait_for_function("location.search.includes('solver=sdca')")
    page.go_back()
    stands(page, "/", "pegasos")
    expect(page.get_by_test_id("stSidebar").get_by_role("combobox", name="solver")).to_have_value(
        "Pegasos"
    )
    page.go_forward()
    stands(page, "/", "sdca")
    page.get_by_role("link", name="Race", exact=True).click()
    page.wait_for_function("globalThis.svmviz?.data?.rivals && !svmviz.gone", timeout=COLD)
    spelt(page)
    page.go_back()  # between pages
    stands(page, "/", "sdca")
    page.get_by_role("link", name="Data", exact=True).click()
    stands(page, "/data")
    page.get_by_role("link", name="Playground", exact=True).click()  # as it was left, and spelt out
    stands(page, "/", "sdca")
    spelt(page)
    page.go_back()
    stands(page, "/data")
