"""Explore in a real browser: a map that fills, stops and goes on, its cursor, its planes, and where
it leads.
"""

import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
from playwright.sync_api import expect

from svmviz.explore import Table, results, sweep
from svmviz.explore import rows as store
from svmviz.ui.explore import drafts, files
from tests.browser.page import PHONE, is_no_wider, look, quiet, until, uploader
from tests.browser.pages.test_data import file, table
from tests.conftest import COLD
from tests.explore.here import Here
from tests.player.test_explorewire import rows_of

RUN = "data=moons&n=60&noise=0.3&T=60&kernel=rbf(gamma=2.0)&seeds=0-1&folds=2"
TWO = f"{RUN}&sweep=lam:0.001:1:3:log;gamma:0.1:10:3:log"
SLOW = (
    RUN.replace("T=60", "T=20000").replace("n=60", "n=1000")
    + "&sweep=lam:0.001:1:9:log;gamma:0.1:10:9:log"
)
MANY = f"{RUN}&sweep=lam:0.001:1:5:log;gamma:0.1:10:5:log;k:1:5:3:linear&by=random&draws=12"
FULL = "svmviz.data.counts.complete === svmviz.data.counts.cells"


@pytest.fixture
def explore(arrive):
    """Open a sweep as a new visitor, and have it carried out if that is wanted."""

    def explore(link: str = TWO, begin: bool = True, **options):
        page = arrive(f"/explore?{link}", **options)
        page.wait_for_function("globalThis.svmviz?.cells && svmviz.draws > 0", timeout=COLD)
        quiet(page)
        if begin and not page.evaluate(FULL):
            button(page, re.compile("Start|Compute")).click()
            page.wait_for_function(FULL, timeout=COLD)
            quiet(page)
        return page

    return explore


def button(page, name):
    return page.locator(".sweepbar").get_by_role("button", name=name)


def corner(page) -> list[float]:
    """Where the map begins on its canvas, and how large a cell is."""
    return page.evaluate("(({left, top, wide, tall}) => [left, top, wide, tall])(svmviz.map)")


def looked(page, cell: int) -> None:
    """The plane of a cell has come."""
    until(page, "svmviz.cursor === value && svmviz.data.look?.cell === value", cell)


def test_a_map_fills_and_its_numbers_are_those_of_python(explore):
    page = explore(begin=False)
    expect(page.locator(".sweepbar b")).to_have_text("Nothing is computed yet")
    button(page, "Start").click()
    page.wait_for_function(FULL, timeout=COLD)
    expect(page.locator(".sweepbar b")).to_have_text("9 cells, 36 fits")
    expect(page.get_by_role("gridcell", name=re.compile("lowest error"))).to_have_count(1)
    spec = drafts.read(dict(parse_qsl(TWO)), {})[0].spec
    found = Table(spec, store.joined(sweep(spec, Here())))
    assert np.allclose(page.evaluate("[...svmviz.data.error]"), found.mean(), atol=1e-7)
    assert look(page, "data.best") == found.best
    looked(page, found.best)
    with page.expect_download() as taken:
        page.get_by_role("button", name="CSV").click()
    mine, theirs = (
        [
            line.rsplit(",", 2)[0] for line in text.splitlines()
        ]  # but for the seconds, which stand last
        for text in (taken.value.path().read_text(), files.to_csv(found))
    )
    assert mine == theirs


@pytest.mark.long
def test_the_cursor_goes_by_keys_and_pointer(explore):
    page = explore()
    page.keyboard.press("Home")
    best = look(page, "data.best")
    looked(page, best)
    for key, by in (("ArrowDown", -3), ("ArrowLeft", -1), ("ArrowRight", 1), ("ArrowUp", 3)):
        before = look(page, "cursor")
        row, column = divmod(before, 3)
        inside = 0 <= row + by // 3 < 3 if abs(by) == 3 else 0 <= column + by < 3
        page.keyboard.press(key)
        looked(page, before + by if inside else before)
    pinned = look(page, "cursor")
    x, y, wide, tall = corner(page)
    box = page.locator(".heat canvas").bounding_box()
    page.mouse.move(box["x"] + x + 2.5 * wide, box["y"] + y + 0.5 * tall)
    looked(page, 8)
    page.mouse.move(5, 5)
    looked(page, pinned)
    page.mouse.click(box["x"] + x + 0.5 * wide, box["y"] + y + 0.5 * tall)
    page.mouse.move(5, 5)
    looked(page, 6)
    button(page, "Take the sparsest").click()
    looked(page, look(page, "data.sparsest"))


@pytest.mark.always
def test_a_cell_opens_in_the_playground_and_back_returns(explore):
    page = explore()
    page.keyboard.press("ArrowLeft")
    cell = look(page, "cursor")
    looked(page, cell)
    page.keyboard.press("Enter")
    page.wait_for_function(
        "globalThis.svmviz?.engine && !svmviz.gone && svmviz.draws > 0", timeout=COLD
    )
    setting = look(page, "run.segments[0].params")
    page.go_back()
    page.wait_for_function(
        "globalThis.svmviz?.cells && !svmviz.gone && svmviz.draws > 0", timeout=COLD
    )
    assert look(page, "data.counts.complete") == 9
    looked(page, cell)
    row, column = divmod(cell, 3)
    values = look(page, "data.axes.map(axis => axis.values)")
    assert (setting["lam"], setting["kernel"]["gamma"]) == (values[0][row], values[1][column])
    assert look(page, "data.cross") == [row, column], "the Playground is where it was opened"


@pytest.mark.long
def test_the_lowest_races_against_the_cell_under_the_cursor(explore):
    page = explore()
    page.keyboard.press("Home")
    expect(button(page, "Race lowest")).to_be_disabled()
    cell = page.evaluate(
        "(() => { const cell = (svmviz.data.best + 1) % 9; svmviz.pin(cell); return cell; })()"
    )
    looked(page, cell)
    button(page, "Race lowest").click()
    page.wait_for_function(
        "globalThis.svmviz?.lanes?.length === 2 && !svmviz.gone && svmviz.draws > 0", timeout=COLD
    )
    first, second = look(page, "lanes.map(lane => lane.spec.key)")
    assert first == "pegasos" and second.startswith("pegasos[")
    page.go_back()
    page.wait_for_function(
        "globalThis.svmviz?.cells && !svmviz.gone && svmviz.draws > 0", timeout=COLD
    )
    looked(page, cell)


@pytest.mark.long
def test_other_ranges_use_what_is_there_and_a_bad_one_is_answered(explore):
    page = explore()
    field = page.get_by_label("γ to")
    field.fill("1000")
    field.press("Enter")
    until(page, "svmviz.data.axes[1].values.at(-1) === 1000 && svmviz.data.counts.complete === 6")
    expect(button(page, "Compute the other 3")).to_be_visible()
    field.fill("0.01")
    field.press("Enter")
    expect(page.get_by_text("the range must rise")).to_be_visible()
    expect(button(page, "Start")).to_be_disabled()
    page.go_back()
    until(page, f"svmviz.data.axes[1].values.at(-1) === 10 && {FULL}")


@pytest.mark.long
def test_stop_keeps_what_there_is_and_leaving_ends_it(explore):
    page = explore(SLOW, begin=False)
    button(page, "Start").click()
    page.wait_for_function("svmviz.data.counts.complete > 0", timeout=COLD)
    button(page, "Stop").click()
    until(page, "svmviz.data.state === 'stopped'")
    there = look(page, "data.counts.complete")
    assert 0 < there < 81
    button(page, re.compile("Compute")).click()
    until(page, "svmviz.data.state === 'running' && svmviz.data.counts.complete >= value", there)
    page.get_by_role("link", name="Data", exact=True).click()
    page.get_by_role("heading", name="Your own file").wait_for()
    page.get_by_role("link", name="Explore", exact=True).click()
    until(
        page, "svmviz.cells && !svmviz.gone && svmviz.draws > 0 && svmviz.data.state !== 'running'"
    )
    assert there <= look(page, "data.counts.complete") < 81


@pytest.mark.long
def test_many_parameters_are_lines_that_a_brush_thins_out(explore):
    page = explore(MANY)
    expect(page.locator(".coordinates canvas")).to_be_visible()
    expect(page.locator(".heat")).to_be_hidden()
    box = page.locator(".coordinates canvas").bounding_box()
    x, top, bottom = page.evaluate("(({xs, top, bottom}) => [xs[0], top, bottom])(svmviz.parallel)")
    page.mouse.move(box["x"] + x, box["y"] + bottom - 2)
    page.mouse.down()
    page.mouse.move(box["x"] + x, box["y"] + (top + bottom) / 2, steps=3)
    page.mouse.up()
    low, high = look(page, "parallel.brushes[0]")
    assert low < 0.1 and abs(high - 0.5) < 0.05
    page.keyboard.press("ArrowDown")
    until(page, "svmviz.pinned !== null && svmviz.pinned !== svmviz.data.best")


@pytest.mark.long
def test_own_data_and_a_file_of_results(explore, tmp_path):
    page = explore(begin=False)
    page.get_by_role("link", name="Data", exact=True).click()
    expect(
        page.get_by_text("Your own file")
    ).to_be_visible()  # Explore takes files, too: of results
    uploader(page).set_input_files(file(table()))
    page.get_by_role("button", name="Open in the Playground").click()
    page.wait_for_function(
        "globalThis.svmviz?.engine && !svmviz.gone && svmviz.draws > 0", timeout=COLD
    )
    page.get_by_role("link", name="Explore", exact=True).click()
    page.get_by_role("button", name="Take the Playground's run").click()
    until(page, "svmviz.cells && !svmviz.gone && svmviz.data.query.data.startsWith('upload:')")
    button(page, "Start").click()
    page.wait_for_function("svmviz.data.counts.complete > 0", timeout=COLD)
    button(page, "Stop").click()
    spec = drafts.read(
        {
            "data": "moons",
            "n": "60",
            "T": "30",
            "sweep": "lam:0.001:1:4:log;k:1:5:5:linear",
            "seeds": "0-1",
        },
        {},
    )
    rows, path = rows_of(spec[0].spec), tmp_path / "results.parquet"
    results.write(path, results.specfile.write(spec[0].spec), store.joined([rows]))
    page.get_by_text("open results").click()
    page.locator("[data-testid=stSidebar] input[type=file]").set_input_files(path)
    until(page, f"svmviz.data.shape.join() === '4,5' && {FULL}")
    assert (
        abs(look(page, "data.error[7]") - np.mean(rows.table["error"][rows.table["cell"] == 7]))
        < 1e-6
    )


@pytest.mark.long
def test_on_a_phone_a_tap_shows_the_card_and_charts_are_tabs(explore):
    page = explore(**PHONE, has_touch=True)
    assert look(page, "narrow")
    box = page.locator(".heat canvas").bounding_box()
    x, y, wide, tall = corner(page)
    page.touchscreen.tap(box["x"] + x + 0.5 * wide, box["y"] + y + 0.5 * tall)
    looked(page, 6)
    expect(page.locator(".slice.first")).to_be_visible()
    page.get_by_role("tab", name="Size").click()
    expect(page.locator(".sizes")).to_be_visible()
    expect(page.locator(".slice.first")).to_be_hidden()
    is_no_wider(page)
