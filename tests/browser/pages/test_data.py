"""A visitor's own file, the gallery and measured data, in a real browser."""

import csv
import io
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect

from svmviz.data import uploads
from svmviz.solvers import SOLVERS
from tests.browser.page import (
    button,
    film,
    look,
    query,
    quiet,
    raise_lam,
    slide,
    state,
    until,
    uploader,
)
from tests.conftest import COLD, SERVER_LOG
from tests.tools.saying import same_words


def table(
    rows: int = 80,
    names=("length", "width", "height", "kind"),
    classes=("fox", "wolf"),
    seed: int = 0,
) -> bytes:
    rng, text = np.random.default_rng(seed), io.StringIO()
    writer = csv.writer(text)
    writer.writerow(names)
    for k in range(rows):
        side = 1 if k % 2 else -1
        writer.writerow([*np.round(rng.normal([side, -side, 0.0]), 3), classes[k % 2]])
    return text.getvalue().encode()


def file(data: bytes, name: str = "animals.csv") -> dict:
    return {"name": name, "mimeType": "text/csv", "buffer": data}


def data_page(page):
    """By the navigation, as a visitor goes there: a session keeps its run on the way."""
    page.get_by_role("link", name="Data", exact=True).click()
    uploader(page).wait_for(state="attached", timeout=COLD)
    quiet(page)


def upload(page, data: bytes, name: str = "animals.csv"):
    uploader(page).set_input_files(file(data, name))
    quiet(page)


def open_in_playground(page, rows: int):
    button(page, "Open in the Playground").click()
    until(page, "globalThis.svmviz?.run?.n === value && svmviz.draws > 0", rows)
    quiet(page)


@pytest.mark.always
def test_an_uploaded_table_plays_and_agrees_with_python(visit):
    page = visit()
    data_page(page)
    upload(page, table())
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
    open_in_playground(page, 80)
    assert page.get_by_test_id("stMain").evaluate(
        "e => e.scrollHeight <= e.clientHeight"
    )  # what keeps the file takes no room
    built = uploads.build(
        uploads.read(table(), "animals.csv"), label="kind", positive="wolf", cap=500
    )
    trace = SOLVERS["pegasos"].trace(
        built.problem,
        look(page, "run.T"),
        look(page, "run.seed"),
        lam=look(page, "run.segments[0].params.lam"),
    )
    shown = state(page, 100)
    assert np.allclose(
        shown["f"],
        trace.f(100, built.problem.X),
        atol=1e-6 * abs(trace.f(100, built.problem.X)).max(),
    )
    assert look(page, "t") == 80  # opened after one pass
    page.keyboard.press("ArrowRight")
    until(page, "svmviz.t === 81 && svmviz.phase === 1")
    same_words(page.locator(".why").inner_text(), trace.why(81))


@pytest.mark.long
def test_rows_set_apart_measure_the_test_error(visit):
    page = visit("data=blobs&solver=sbp&nu=0.1&T=50")
    data_page(page)
    upload(page, table())
    for share in ("0.05", "0.1", "0.15", "0.2", "0.25"):
        slide(page, "test share", "ArrowRight", share)
    button(page, "Open in the Playground").click()
    until(page, "globalThis.svmviz?.run?.n_test > 0 && svmviz.run.solver.key === 'sbp'")
    quiet(page)
    chosen = {
        "label": "kind",
        "positive": "wolf",
        "cap": 500,
        "test_share": look(page, "run.n_test") / 80,
    }
    built = uploads.build(uploads.read(table(), "animals.csv"), **chosen)
    trace = SOLVERS["sbp"].trace(built.problem, look(page, "run.T"), look(page, "run.seed"), nu=0.1)
    page.keyboard.press("End")
    until(page, "svmviz.t === svmviz.run.T && svmviz.phase === 1")
    wrong = ((trace.f(trace.steps, built.test.X) >= 0) != (built.test.y > 0)).mean()
    expect(page.locator(".numbers")).to_contain_text(f"test error{100 * wrong:.1f} %")
    page.locator("select.metric").select_option("test")
    expect(page.locator(".curves .caption")).to_have_text(f"share of {built.test.n} rows set apart")


def test_bad_files_are_answered_and_leave_the_run_alone(visit):
    page = visit()
    before = look(page, "run.id")
    data_page(page)
    for data, words in (
        (b"", "empty"),
        (b"PK\x03\x04" + bytes(40), "ZIP"),
        (b"a,b\n1,2\n3\n", "Row 3 has 1 field"),
        (table(classes=("fox", "fox")), "fox"),
        (b"\x00\xff\x00\xfe" * 50, "not text"),
    ):
        upload(page, data)
        expect(page.get_by_test_id("stAlert").filter(has_text=words)).to_be_visible()
    page.get_by_role("link", name="Playground", exact=True).click()
    until(page, "svmviz?.run?.id === value", before)


@pytest.mark.long
def test_the_declared_choices_are_on_the_page_and_reach_the_run(visit):
    page = visit()
    data_page(page)
    upload(page, table())
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
    quiet(page)
    scaling = page.get_by_test_id("stSelectbox").filter(has_text="scaling").locator("input")
    scaling.evaluate(
        "e => e.scrollIntoView({ block: 'center' })"
    )  # a menu closes where the page moves under it
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    scaling.click()
    page.get_by_role("option", name="standardise").click()
    page.get_by_role("spinbutton", name="data seed").fill("7")
    page.get_by_role("spinbutton", name="data seed").press("Enter")
    slide(page, "test share", "ArrowRight", "0.05")
    open_in_playground(page, 76)
    button(page, "Python").click()
    expect(page.locator("dialog pre")).to_contain_text(
        "scaling='standardise', cap=500, test_share=0.05, seed=7"
    )


@pytest.mark.long
def test_a_file_stays_with_its_tab_and_is_there_again_after_a_reload(
    visit, visitor, server, request
):
    page = visit()
    data_page(page)
    upload(page, table())
    open_in_playground(page, 80)
    raise_lam(page)
    until(page, "new URL(location).searchParams.get('data')?.startsWith('upload:')")
    link, shown = query(page), seen_of(page)
    mine = page.url
    page.reload()
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
    quiet(page)
    assert seen_of(page) == shown and query(page) == link
    expect(page.get_by_test_id("stAlert")).to_have_count(0)

    beside = page.context.new_page()  # a tab of the same browser
    stranger = visitor()
    for other in (beside, stranger):
        other.goto(mine)
        other.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
        expect(other.get_by_test_id("stAlert").first).to_contain_text(
            "stays with the visitor who uploaded it"
        )
        assert other.evaluate("svmviz.run.n") != 80
    beside.close()

    data_page(page)
    page.reload()
    button(page, "Forget it").click()
    expect(button(page, "Forget it")).to_have_count(0)
    page.goto(mine)
    expect(page.get_by_test_id("stAlert").first).to_contain_text(
        "stays with the visitor who uploaded it"
    )
    assert "Traceback" not in request.config.stash[SERVER_LOG].read_text()


def seen_of(page) -> dict:
    """The run on the stage and where it stands."""
    return page.evaluate(
        "({ id: svmviz.run.id, t: svmviz.t, objective: Array.from(svmviz.run.objective) })"
    )


@pytest.mark.long
def test_a_link_opened_in_a_tab_with_a_file_is_kept_when_one_comes_back(visit, server):
    page = visit()
    data_page(page)
    upload(page, table())
    open_in_playground(page, 80)
    page.goto(f"{server}/?solver=sdca&lam=0.1&n=80&t=20")
    until(page, "globalThis.svmviz?.run?.solver.key === 'sdca'")
    quiet(page)
    data_page(page)
    page.get_by_role("link", name="Playground", exact=True).click()
    until(
        page,
        "globalThis.svmviz?.run?.solver.key === 'sdca' && svmviz.run.n === 80 && svmviz.t === 20",
    )


def test_the_gallery_opens_a_set(visit):
    page = visit()
    data_page(page)
    page.get_by_role("link", name="Two spirals").click()
    until(page, "svmviz?.run?.query?.data === 'spirals'")
    assert look(page, "t") == look(
        page, "run.n"
    )  # after one pass: at the first step there is nothing to see


def test_digits_show_themselves_under_the_pointer(visit):
    page = visit("data=digits&n=100&lam=0.01&T=50&t=20")
    x, y = page.evaluate("""() => {
        const box = svmviz.plane.sheet.canvas.getBoundingClientRect(), { points } = svmviz.run;
        return [box.left + svmviz.plane.x(points[6]), box.top + svmviz.plane.y(points[7])];
    }""")
    page.mouse.move(x, y)
    expect(page.locator(".tip")).to_contain_text("class")
    assert page.locator(".tip canvas").evaluate("c => [c.width, c.height]") == [8, 8]
    expect(page.locator(".plane .caption")).to_contain_text("the slice through the mean")


def test_two_features_can_span_the_plane(visit):
    page = visit("data=iris&lam=0.01&T=50&plane=2,3&t=30")
    assert page.evaluate("[...svmviz.run.plane.axes]") == ["petal length", "petal width"]


# Drawing on the plane -----------------------------------------------------------------------------


def on_plane(page, x: float, y: float) -> tuple[float, float]:
    """Where a share of the width and height of the plane lies on the screen."""
    box = page.evaluate(
        "(({ left, top }) => [left, top])(svmviz.plane.sheet.canvas.getBoundingClientRect())"
    )
    frame = look(page, "plane.frame")
    return box[0] + frame["left"] + x * frame["w"], box[1] + y * frame["h"]


def place_of(page, i: int) -> list[float]:
    return page.evaluate(
        """i => {
        const { left, top } = svmviz.plane.sheet.canvas.getBoundingClientRect(), { points } = svmviz.run;
        return [left + svmviz.plane.x(points[2 * i]), top + svmviz.plane.y(points[2 * i + 1])];
    }""",
        i,
    )


def alive(page) -> int:
    return page.evaluate("svmviz.run.counts.at(-1)")


DRAWN = "data=blobs&n=60&lam=0.02&T=200&t=50"


def test_points_are_added_moved_flipped_and_erased_and_the_run_goes_on(visit):
    page = visit(DRAWN)
    before = page.evaluate("Array.from(svmviz.run.objective.slice(0, 51))")
    page.keyboard.press("e")
    until(page, "svmviz.plane.editor.on")
    film(page)  # its tools have taken their room
    page.mouse.click(*on_plane(page, 0.06, 0.9))
    until(page, "svmviz.run.counts.at(-1) === 61")
    assert look(page, "run.y[60]") == 1 and look(page, "t") == 50
    page.get_by_role("button", name="−1", exact=True).click()
    page.mouse.click(*on_plane(page, 0.9, 0.93))
    until(page, "svmviz.run.counts.at(-1) === 62 && svmviz.run.y[61] === -1")
    x, y = place_of(page, 4)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 30, steps=4)
    page.mouse.up()
    until(page, "!svmviz.run.masks.at(-1)[4]")
    quiet(page)
    moved = place_of(page, look(page, "run.n") - 1)
    assert abs(moved[0] - x - 40) < 1.5 and abs(moved[1] - y - 30) < 1.5 and alive(page) == 62
    page.get_by_role("button", name="Flip", exact=True).click()
    page.mouse.click(*place_of(page, 60))
    until(page, "!svmviz.run.masks.at(-1)[60] && svmviz.run.y[svmviz.run.n - 1] === -1")
    page.get_by_role("button", name="Erase", exact=True).click()
    page.mouse.click(*place_of(page, 61))
    until(page, "svmviz.run.counts.at(-1) === 61")
    quiet(page)
    assert page.evaluate("Array.from(svmviz.run.objective.slice(0, 51))") == before
    expect(page.locator(".marks .change")).to_have_count(1)
    assert look(page, "t") == 50 and look(page, "mounts") == 1


def test_strokes_can_be_undone_and_done_again(visit):
    page = visit(DRAWN)
    page.get_by_role("button", name="Draw", exact=True).click()
    tools = page.locator(".tools")
    expect(tools.get_by_role("button", name="Undo")).to_be_disabled()
    tools.get_by_role("button", name="Brush").click()
    page.mouse.click(*on_plane(page, 0.08, 0.5))
    until(page, "svmviz.run.counts.at(-1) === 67")
    quiet(page)
    drawn = look(page, "run.id")
    tools.get_by_role("button", name="Undo").click()
    until(page, "svmviz.run.counts.at(-1) === 60")
    quiet(page)
    tools.get_by_role("button", name="Redo").click()
    until(page, "svmviz.run.id === value", drawn)
    quiet(page)
    tools.get_by_role("button", name="Clear").click()
    until(page, "svmviz.run.counts.at(-1) === 2")


@pytest.mark.long
def test_quick_strokes_all_count(visit):
    page = visit(DRAWN)
    page.keyboard.press("e")
    until(page, "svmviz.plane.editor.on")
    film(page)
    spots = [on_plane(page, x, y) for x in (0.06, 0.12) for y in (0.9, 0.8)]
    for spot in spots:  # none waits for the answer to the one before
        page.mouse.click(*spot)
    until(page, "svmviz.run.undo === 4 && svmviz.run.strokes === 4")
    for key in ("z", "z", "z", "y", "y"):
        page.keyboard.press(f"Control+{key}")
    until(page, "svmviz.run.strokes === 9")
    assert (
        look(page, "run.undo") == 3
        and look(page, "run.redo") == 1
        and not look(page, "plane.editor.queue.length")
    )


def test_a_link_holds_the_drawn_points(visit):
    page = visit(DRAWN)
    page.keyboard.press("e")
    page.mouse.click(*on_plane(page, 0.06, 0.9))
    until(page, "svmviz.run.counts.at(-1) === 61")
    quiet(page)
    until(page, "new URL(location).searchParams.has('edit')")
    drawn, link = look(page, "run.id"), urlsplit(page.url).query
    other = visit(link, instead=True)
    assert look(other, "run.id") == drawn and alive(other) == 61


def test_a_click_without_the_pencil_draws_nothing(visit):
    page = visit(DRAWN)
    page.mouse.click(*on_plane(page, 0.06, 0.9))
    page.keyboard.press("ArrowRight")
    until(page, "svmviz.t === 51 && svmviz.phase === 1")
    quiet(page)
    assert alive(page) == 60
