"""Before others: the presenter's view, a panel alone, a light, a black screen, a code for phones,
the stage on other pages, and a server that goes away.
"""

import os
import re
import signal
from contextlib import ExitStack
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from benchmarks.harness import serve
from tests.browser.page import MOONS, button, look, quiet, until
from tests.conftest import COLD

LINK = f"{MOONS}&T=300&t=40"


def words(page) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(page.url).query).items()}


def copied(page) -> dict[str, str]:
    """The words of the link to what is shown."""
    return {
        name: values[-1]
        for name, values in parse_qs(urlsplit(look(page, "dialogs.address()")).query).items()
    }


def shown(page) -> list[str]:
    """The panels that are seen."""
    return page.evaluate(
        """[...svmviz.frame.querySelectorAll("section")].filter(e => e.checkVisibility())
        .map(e => e.className.split(" ")[0])"""
    )


@pytest.mark.long
def test_presenting_is_in_the_link(visit):
    page = visit(LINK)
    assert "present" not in words(page) and "present" not in copied(page)
    page.keyboard.press("f")
    until(page, "location.search.includes('present=1')")
    assert copied(page)["present"] == "1"
    page.keyboard.press(
        "ArrowRight"
    )  # the server writes the address of the next step, and knows nothing of it
    until(
        page,
        "new URLSearchParams(location.search).get('t') === '41' &&"
        " location.search.includes('present=1')",
    )
    page.reload()
    until(page, "globalThis.svmviz?.presenting && svmviz.t === 41")
    box = page.evaluate("Object.values(svmviz.frame.getBoundingClientRect().toJSON()).slice(0, 4)")
    assert box == [0, 0, 1440, 900]
    page.keyboard.press("f")
    until(page, "!location.search.includes('present')")
    page.keyboard.press("ArrowRight")
    until(page, "new URLSearchParams(location.search).get('t') === '42'")
    quiet(page)
    assert "present" not in words(page)


@pytest.mark.long
def test_panels_that_came_in_while_it_is_presented_are_in_the_link_and_in_moments(visit):
    page = visit(f"{LINK}&present=1", fresh=True)
    assert "curves" not in shown(page)
    page.keyboard.press("c")
    until(page, "location.search.includes('also=curves')")
    assert "curves" in shown(page) and copied(page)["also"] == "curves"
    page.keyboard.press("b")
    moment = page.evaluate("svmviz.board.board.moments.at(-1).link")
    assert "also=curves" in moment
    page.keyboard.press("p")
    until(page, "location.search.includes('also=curves,code')")
    page.evaluate("svmviz.board.go(0)")
    until(page, "location.search.includes('also=curves') && !location.search.includes('code')")
    page.reload()
    until(page, "globalThis.svmviz?.presenting && svmviz.draws > 0")
    assert "curves" in shown(page)
    page.keyboard.press("f")
    until(page, "!location.search.includes('also')")


@pytest.mark.long
def test_a_title_makes_its_panel_fill_the_stage(visit):
    page = visit(LINK)
    usual = shown(page)
    page.locator("section.plane h3 b").click()
    assert shown(page) == ["plane"] and words(page)["zoom"] == copied(page)["zoom"] == "plane"
    wide, whole = (page.locator(name).bounding_box() for name in ("section.plane .view", ".stage"))
    assert wide["width"] > 0.95 * whole["width"] and wide["height"] > 0.7 * whole["height"]
    page.keyboard.press("Escape")
    assert shown(page) == usual and "zoom" not in words(page)
    page.locator("section.curves .zoomer").focus()  # curves have a menu for a title
    page.keyboard.press("Enter")
    assert shown(page) == ["curves"]
    page.keyboard.press("f")
    until(page, "svmviz.presenting")
    assert shown(page) == ["curves"]
    page.reload()
    until(page, "globalThis.svmviz?.presenting && svmviz.hall.zoomed === 'curves'")
    page.locator("section.curves h3 .caption").click()
    assert set(shown(page)) == {"plane", "mechanism", "code"}


@pytest.mark.long
def test_a_light_while_s_is_held_and_black_until_any_key(visit):
    page = visit(LINK)
    page.mouse.move(500, 400)
    page.keyboard.down("s")
    veil = page.locator(".veil")
    expect(veil).to_be_visible()
    page.mouse.move(640, 300)
    dot = page.locator(".veil i").bounding_box()
    assert (dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2) == (640, 300)
    assert "transparent" in veil.evaluate(
        "e => getComputedStyle(e).background"
    ) or "rgba(0, 0, 0, 0)" in veil.evaluate("e => getComputedStyle(e).background")
    page.keyboard.up("s")
    expect(veil).to_be_hidden()
    dark = page.locator(".black")
    for key in ("v", "."):
        if key == ".":
            page.keyboard.press("f")  # what a clicker sends; else a beat
        page.keyboard.press(key)
        expect(dark).to_be_visible()
        assert list(dark.bounding_box().values()) == [0, 0, 1440, 900]
        page.keyboard.press("ArrowRight")
        expect(dark).to_be_hidden()
        assert look(page, "t") == 40 and not look(page, "stepping")  # that key did nothing else
    page.keyboard.press("ArrowDown")
    assert look(page, "t") == 41 and look(page, "phase") < 1  # a beat


@pytest.mark.long
def test_the_code_for_phones_holds_the_link(visit):
    page = visit(f"{LINK}&present=1")
    page.keyboard.press("i")
    code = page.locator("canvas.qr")
    expect(code).to_be_visible()
    link = look(page, "dialogs.address({})")
    # read it as it is drawn: the same modules as those of the link
    assert (
        page.evaluate(
            """async link => {
        const { correction, generate } = await import(`${svmvizLibraries}lean-qr.js`);
        const canvas = svmviz.root.querySelector("canvas.qr");
        const code = generate(link, { minCorrectionLevel: correction.L, maxCorrectionLevel: correction.Q });
        const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let other = canvas.width === code.size + 8 ? 0 : -1;
        for (let y = 0; y < code.size; y++) for (let x = 0; x < code.size; x++)
            other += (data[4 * ((y + 4) * width + x + 4)] < 128) !== code.get(x, y);
        return other;
    }""",
            link,
        )
        == 0
    )
    assert code.bounding_box()["width"] > 500
    expect(page.locator(".phones p").first).to_contain_text(urlsplit(page.url).netloc)
    page.keyboard.press("Escape")
    expect(code).to_be_hidden()
    assert look(page, "presenting")
    page.evaluate("svmviz.run.query.edits = 'x'.repeat(2000)")
    page.keyboard.press("i")
    expect(page.locator(".toast")).to_contain_text("too many for a code")


def test_a_stage_is_embedded_with_the_panels_and_controls_that_its_link_names(visit):
    page = visit(
        f"{LINK}&embed=true&panels=plane,curves&controls=play,scrub,foo",
        fresh=True,
        viewport={"width": 800, "height": 450},
    )
    for name in ("stHeader", "stSidebar"):
        expect(page.get_by_test_id(name)).to_be_hidden()
    assert shown(page) == ["plane", "curves"]
    assert list(page.locator(".stage").bounding_box().values()) == [0, 0, 800, 450]
    seen = page.evaluate(
        """[...svmviz.frame.querySelectorAll(".transport :is(button, select, .scrub), .actions button")]
        .filter(e => e.checkVisibility()).map(e => e.className)"""
    )
    assert seen == ["play", "scrub"]
    expect(page.locator(".unknown")).to_contain_text("“foo”")
    page.keyboard.press("ArrowRight")  # no steps here
    assert look(page, "t") == 40
    button(page, "Play").click()
    until(page, "svmviz.t > 40")
    assert words(page) == words(page) | {"embed": "true", "panels": "plane,curves"}


@pytest.mark.long
@pytest.mark.parametrize("link", ["race?panels=chart", "lessons?lesson=sbp&card=2"])
def test_races_and_lessons_are_embedded_too(visitor, server, link):
    page = visitor(viewport={"width": 900, "height": 560})
    page.goto(f"{server}/{link}&embed=true")
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
    for name in ("stHeader", "stSidebar"):
        expect(page.get_by_test_id(name)).to_be_hidden()
    frame = page.locator(".stage").bounding_box()
    assert frame["y"] == 0 and frame["x"] + frame["width"] == 900
    if "race" in link:
        expect(page.locator(".lanes")).to_be_hidden()
        expect(page.locator("section.chart canvas")).to_be_visible()
    else:
        assert page.locator("aside.card h2").bounding_box()["x"] >= 0


@pytest.mark.long
def test_a_teacher_ticks_what_students_may_touch(visit):
    page = visit(LINK)
    page.locator(".actions .ways").click()
    page.get_by_role("radio", name="For students").click()
    expect(page.locator("dialog")).to_contain_text("a guide, not a lock")
    for box in page.locator("dialog fieldset:last-of-type label").all():
        box.locator("input").set_checked(
            box.inner_text() in ("Single steps", "Parameters of the solver")
        )
    link = page.locator("dialog textarea").input_value()
    assert parse_qs(urlsplit(link).query)["controls"] == ["step,knobs"]
    page.goto(link)
    until(page, "globalThis.svmviz?.draws > 0 && svmviz.t === 40")
    quiet(page)
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar.get_by_text("regularisation")).to_be_visible()
    for gone in (
        sidebar.get_by_text("Data", exact=True),
        sidebar.get_by_role("combobox", name="solver"),
        button(page, "Play"),
        page.locator(".actions"),
    ):
        expect(gone).to_be_hidden()
    page.keyboard.press(" ")
    assert not look(page, "playing")
    page.keyboard.press("ArrowRight")
    until(
        page,
        "new URLSearchParams(location.search).get('t') === '41' &&"
        " location.search.includes('controls=')",
    )


@pytest.mark.long
def test_the_stage_plays_on_without_its_server_and_comes_back_to_the_moment(browser, tmp_path):
    """The real server, killed while a page plays, and started again."""
    with ExitStack() as started:
        first = started.enter_context(serve(tmp_path / "first.txt"))
        page = browser.new_context(
            viewport={"width": 1280, "height": 800}, bypass_csp=True
        ).new_page()
        page.goto(f"{first.address}/?{LINK}&T=2000")
        page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
        quiet(page)
        assert look(page, "server") == "here"
        page.evaluate("""() => {                             // whatever box is ever seen is noted
            Object.assign(globalThis, { boxes: [], made: 0 });
            const look = () => document.querySelectorAll("[role=dialog]");
            new MutationObserver(() => {
                made += look().length;
                requestAnimationFrame(() => {
                    for (const box of look()) if (box.checkVisibility()) boxes.push(box.textContent);
                });
            }).observe(document.body, { childList: true, subtree: true });
        }""")
        page.keyboard.press(" ")
        until(page, "svmviz.t > 41")
        os.kill(first.pid, signal.SIGKILL)
        until(page, "svmviz.server === 'away'")
        mark = page.locator(".away")
        expect(mark).to_have_text("Server away: playing what is here")
        gone = look(page, "t")
        until(page, "made > 0 && svmviz.t > value", gone)  # Streamlit has had its say
        assert page.evaluate("boxes") == []
        expect(page.locator(".transport .fork")).to_have_attribute(
            "title", re.compile("needs the server")
        )
        page.locator(".transport .play").click()  # the page is not deaf
        until(page, "!svmviz.playing && !svmviz.stepping")
        rests = look(page, "t")
        assert words(page)["t"] == "40"  # which nobody has written yet
        started.enter_context(serve(tmp_path / "second.txt", int(first.address.rpartition(":")[2])))
        until(page, "svmviz.server === 'here'")
        expect(mark).to_be_hidden()
        page.wait_for_function(
            "t => new URLSearchParams(location.search).get('t') === t", arg=str(rests), timeout=COLD
        )
        assert look(page, "t") == rests and page.evaluate("boxes") == []
        quiet(page)
        before = look(page, "run.id")
        slider = page.get_by_role("slider", name=re.compile("regularisation"))
        slider.focus()
        page.keyboard.press("ArrowRight")
        until(page, "svmviz.run.id !== value", before)
        assert look(page, "t") == rests
        page.context.close()
