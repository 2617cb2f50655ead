"""Moments are collected, ordered, kept, and gone through with the keys of a clicker; slides and
pages need no network.
"""

import re

import pytest
from playwright.sync_api import expect

from svmviz import cli
from svmviz.run.storyboard import Board, Moment, packed, read, unpacked, write
from tests.browser.page import button, film, look, quiet, until
from tests.browser.tab import HURRY

MOONS, BLOBS = "data=moons&n=60&solver=pegasos&T=80", "data=blobs&n=40&solver=sbp&T=50"
EVIL = "<img src=x onerror=alert(1)>"
BOARD = Board(
    "Talk",
    (
        Moment(f"{MOONS}&t=12", "First", f"one {EVIL}"),
        Moment(f"{MOONS}&t=70&beat=add", "", "two"),
        Moment(f"{BLOBS}&t=9", EVIL),
        Moment("data=gone&t=1", "", "lost"),
    ),
)


def shots(page):
    return page.locator(".board .shot")


def steps(page) -> list[str]:
    return [
        re.search(r"\bt=(\d+)", link)[1]
        for link in look(page, "board.board.moments.map(m => m.link)")
    ]


def at(page, k: int, t: int) -> None:
    """On this moment, at rest."""
    until(page, "svmviz.board.board.at === value", k)
    until(page, "!svmviz.board.wanted && svmviz.t === value && !svmviz.stepping", t)


def collected(page) -> None:
    """Three moments of one run."""
    for key in (None, "ArrowRight", "End"):
        if key:
            page.keyboard.press(key)
            until(page, "!svmviz.stepping")
        page.keyboard.press("b")
    expect(shots(page)).to_have_count(3)


@pytest.mark.long
def test_moments_are_collected_ordered_and_kept(visit):
    page = visit(f"{MOONS}&t=12")
    page.keyboard.press("Shift+B")
    expect(page.locator(".board .empty")).to_contain_text("Press B")
    collected(page)
    assert steps(page) == ["12", "13", "80"]
    page.get_by_label("Note, for you alone").fill(f" the end {EVIL}\n\n")
    page.get_by_label("Heading, for the audience").fill(EVIL)
    page.get_by_label("Title of the storyboard").fill("Talk")
    page.get_by_label("Title of the storyboard").press("Enter")
    expect(shots(page).nth(2)).to_contain_text(EVIL)
    shots(page).nth(2).drag_to(shots(page).nth(0))
    until(page, "svmviz.board.board.at === 0")
    assert steps(page) == ["80", "12", "13"]
    shots(page).nth(0).focus()
    page.keyboard.press("Shift+ArrowRight")
    assert steps(page) == ["12", "80", "13"]
    page.keyboard.press("Delete")
    expect(shots(page)).to_have_count(2)
    button(page, "Undo").click()
    assert steps(page) == ["12", "80", "13"]
    assert page.locator(".board img[onerror]").count() == 0
    page.reload()
    until(page, "globalThis.svmviz?.board?.board.moments.length === 3")
    board = read(look(page, "board.board.text"))
    assert (board.title, board.moments[1].title, board.moments[1].note) == (
        "Talk",
        EVIL,
        f" the end {EVIL}",
    )
    expect(page.locator(".board .shot img")).to_have_count(3)
    page.keyboard.press("f")
    expect(page.locator(".board")).to_be_hidden()
    expect(button(page, "Moment")).to_be_hidden()


@pytest.mark.long
def test_what_is_selected_is_on_stage_and_the_audience_reads_its_heading(visit):
    page = visit(f"{MOONS}&t=12")
    collected(page)
    page.get_by_label("Heading, for the audience").fill("The end")
    shots(page).nth(1).click()
    at(page, 1, 13)
    button(page, "Delete").click()
    at(page, 1, 80)
    button(page, "Undo").click()
    assert steps(page) == ["12", "13", "80"]
    until(page, "svmviz.board.board.at === 2")
    until(page, "new URLSearchParams(location.search).get('t') === '80'")
    page.reload()
    page.wait_for_function(
        "globalThis.svmviz?.board?.board.at === 2"
    )  # and the next press goes on from there
    page.keyboard.press("f")
    expect(page.locator(".heading")).to_have_text("The end")
    expect(page.locator("header h2")).to_be_hidden()
    page.keyboard.press("f")
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keys")).to_be_in_viewport()  # not scrolled to its end
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("svmviz.present()")  # which a phone could not leave again
    expect(page.locator(".toast")).to_contain_text("wider screen")
    assert not look(page, "presenting")


@pytest.mark.long
def test_a_clicker_goes_from_moment_to_moment(visit):
    page = visit(f"{MOONS}&t=12")
    collected(page)
    page.keyboard.press("PageUp")
    at(page, 1, 13)
    page.keyboard.press("PageDown")
    between = {frame["t"] for frame in film(page, 40)} - {13, 80}
    assert between and all(13 < t < 80 for t in between), "it does not jump"
    at(page, 2, 80)
    page.keyboard.press("PageUp")
    at(page, 1, 13)
    page.keyboard.press("PageUp")
    at(page, 0, 12)
    page.keyboard.press("PageUp")
    expect(page.locator(".toast")).to_have_text("This is the first moment")
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    notes = opened.value
    expect(notes.locator("header")).to_contain_text("Moment 1 of 3")
    notes.keyboard.press("PageDown")
    at(page, 1, 13)
    expect(notes.locator("header")).to_contain_text("Moment 2 of 3")


@pytest.mark.long
def test_a_link_opens_the_moments_and_a_lost_one_does_not_stop_the_talk(visit):
    page = visit(f"{MOONS}&t=12#board={packed(BOARD)}")
    at(page, 0, 12)
    assert "#" not in page.url
    expect(shots(page)).to_have_count(4)
    page.keyboard.press("PageDown")
    at(page, 1, 70)
    until(page, "svmviz.view().beat === 'add'")
    page.keyboard.press("PageDown")
    until(page, "svmviz.run.solver.key === 'sbp'")
    at(page, 2, 9)
    page.keyboard.press("PageDown")
    expect(page.locator(".board li .wrong")).to_contain_text("there are no such data")
    at(page, 3, 9)
    assert look(page, "run.solver.key") == "sbp"
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    until(page, "svmviz.run.solver.key === 'pegasos'")
    at(page, 1, 70)


@pytest.mark.long
def test_a_storyboard_is_saved_and_opened_again(visit, tmp_path):
    page = visit(f"{BLOBS}&t=3")
    page.keyboard.press("Shift+B")
    files = page.locator(".board input[type=file]")
    broken = tmp_path / "broken.txt"
    broken.write_text("# A\nwords\n", encoding="utf-8")
    files.set_input_files(broken)
    expect(page.get_by_role("dialog")).to_contain_text(
        "line 2: “words” stands before the link of a moment"
    )
    button(page, "Close").click()
    talk = tmp_path / "talk.txt"
    talk.write_text(write(BOARD), encoding="utf-8")
    files.set_input_files(talk)
    until(page, "svmviz.run.solver.key === 'pegasos'")
    at(page, 0, 12)
    quiet(page)
    for what, name in (
        ("file", "talk.txt"),
        ("slides", "talk.zip"),
        ("page", "talk.html"),
        ("lesson", "talk.md"),
    ):
        button(page, "Save as …").click()
        with page.expect_download() as taken:
            page.locator(f"dialog .{what}").click()
        assert taken.value.suggested_filename == name
        if what == "file":
            assert taken.value.path().read_text(encoding="utf-8") == write(BOARD)
        elif what in ("slides", "page"):
            expect(page.get_by_role("dialog")).to_contain_text(
                "Moment 4: This moment cannot be shown"
            )
            button(page, "Close").click()
        expect(button(page, "Save as …")).to_be_enabled()
    page.evaluate("navigator.clipboard.writeText = async words => { globalThis.copied = words; }")
    button(page, "Save as …").click()
    page.locator("dialog .link").click()
    until(page, "globalThis.copied")
    assert unpacked(page.evaluate("copied").partition("#board=")[2]) == BOARD
    page.get_by_role("link", name="Lessons", exact=True).click()
    card = re.compile(r"# Talk\n.*## First\nrun: data=moons.*\nt: 12\n", re.DOTALL)
    expect(page.get_by_label("Its text")).to_have_value(card)


@pytest.fixture
def without_network(browser):
    """A page that reaches nothing but files, and reports no error; it goes from moment to moment
    four times as fast.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True)
    context.add_init_script(f"({HURRY})(4)")
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    yield page
    context.close()
    assert not errors


def soon(frame, expression: str, value) -> None:
    """The content policy of a saved page allows no condition that a browser could wait for: it is
    asked again and again.
    """
    for _ in range(1200):
        if (found := frame.evaluate(f"globalThis.svmviz?.run ? {expression} : null")) == value:
            return
        frame.page.wait_for_timeout(25)
    assert found == value


def made(tmp_path, name: str):
    file = tmp_path / "talk.txt"
    file.write_text(write(BOARD), encoding="utf-8")
    assert cli.main(["slides", str(file), "-o", str(tmp_path / name)]) == 0
    return tmp_path / name


def test_slides_go_through_the_moments_without_a_network(without_network, tmp_path):
    page = without_network
    page.goto((made(tmp_path, "deck") / "index.html").as_uri())
    expect(page.locator("section.present h1")).to_have_text("Talk")

    def player():
        expect(page.locator("section.present iframe")).to_be_visible()
        return page.locator("section.present iframe").element_handle().content_frame()

    page.keyboard.press("PageDown")
    expect(page.locator("section.present h2")).to_have_text("First")
    soon(player(), "[svmviz.t, svmviz.presenting]", [12, True])
    page.keyboard.press("PageDown")
    soon(player(), "[svmviz.t, svmviz.view().beat]", [70, "add"])
    expect(page.locator("section.present h2")).to_be_hidden()
    player().locator("canvas").first.click()  # the player has the keys now
    page.keyboard.press("PageDown")
    expect(page.locator("section.present h2")).to_have_text(EVIL)
    soon(player(), "[svmviz.t, svmviz.run.solver.key]", [9, "sbp"])
    page.keyboard.press("PageDown")
    expect(page.locator("section.present p").first).to_contain_text("This moment cannot be shown")
    for _ in range(2):
        page.keyboard.press("PageUp")
    soon(player(), "[svmviz.t, svmviz.view().beat]", [70, "add"])
    page.keyboard.press("PageUp")
    soon(player(), "svmviz.t", 12)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("t")
    soon(player(), "document.documentElement.className", "dark")
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    expect(opened.value.locator(".speaker-controls-notes .value")).to_have_text(f"one {EVIL}")


def test_f_in_a_clicked_player_of_a_slide_fills_the_screen(without_network, tmp_path):
    page = without_network
    page.goto((made(tmp_path, "deck") / "index.html").as_uri())
    page.keyboard.press("PageDown")
    player = page.locator("section.present iframe").element_handle().content_frame()
    expect(player.locator(".hint")).to_contain_text("F fills the screen")
    player.locator("canvas").first.click()
    page.keyboard.press("f")
    for _ in range(400):
        if page.evaluate("Boolean(document.fullscreenElement)"):
            break
        page.wait_for_timeout(25)
    assert page.evaluate("Boolean(document.fullscreenElement)")
    assert player.evaluate("svmviz.presenting")


@pytest.mark.long
def test_a_page_goes_through_the_moments_without_a_network(without_network, tmp_path):
    page = without_network
    page.goto(made(tmp_path, "talk.html").as_uri())
    soon(page.main_frame, "[svmviz.t, svmviz.board.board.at]", [12, 0])
    for key, t, k in (
        ("PageDown", 70, 1),
        ("PageDown", 9, 2),
        ("PageDown", 9, 3),
        ("PageUp", 9, 2),
        ("PageUp", 70, 1),
    ):
        page.keyboard.press(key)
        soon(page.main_frame, "[svmviz.t, svmviz.board.board.at]", [t, k])
    expect(page.locator(".board .about")).to_have_text("two")
    expect(shots(page)).to_have_count(4)
    soon(page.main_frame, "location.hash", "#moment=2")
    page.reload()
    soon(page.main_frame, "[svmviz.t, svmviz.board.board.at]", [70, 1])
