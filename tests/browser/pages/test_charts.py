"""Plotly charts in a real browser: what a pointer is told, curves that are hidden, zoom and back,
pictures and tables.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.page import quiet
from tests.conftest import COLD

NAMES = ["with replacement", "new permutation", "fixed permutation"]
FIGURE_8 = ".st-key-pegasos-figure8-chart"
CHART = f"document.querySelector('{FIGURE_8} .js-plotly-plot')"


def plot(page, server):
    """Figure 8 of Pegasos."""
    page.goto(f"{server}/pegasos")
    chart = page.locator(f"{FIGURE_8} .js-plotly-plot")
    expect(chart.locator(".legendtext")).to_have_text(NAMES, timeout=COLD)
    quiet(page)
    chart.scroll_into_view_if_needed()
    return chart


def tools(page):
    return page.locator(".st-key-pegasos-figure8-tools")


@pytest.mark.long
def test_a_chart_tells_its_values_hides_a_curve_and_comes_back_from_a_zoom(page, server):
    chart = plot(page, server)
    area = chart.locator(".nsewdrag").bounding_box()
    middle = area["x"] + area["width"] / 2, area["y"] + area["height"] / 2
    page.mouse.move(*middle)
    expect(chart.locator(".hoverlayer")).to_contain_text(re.compile("permutation|replacement"))
    expect(chart.locator(".hoverlayer")).to_contain_text("1st to 9th decile")

    chart.locator(".legendtoggle").first.click()
    drawn = f"{CHART}._fullData.filter(d => d.visible === true).map(d => d.legendgroup)"
    page.wait_for_function(f"!{drawn}.includes('{NAMES[0]}')")
    expect(chart.locator(".scatterlayer text", has_text=NAMES[0])).to_have_count(0)

    whole, ticks = (
        tools(page).get_by_role("button", name="Whole view"),
        chart.locator(".xtick text"),
    )
    expect(whole).to_be_hidden()
    before = ticks.all_text_contents()
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 150, middle[1] + 60, steps=5)
    page.mouse.up()
    expect(whole).to_be_visible()
    assert ticks.all_text_contents() != before
    whole.click()
    expect(whole).to_be_hidden()
    expect(ticks).to_have_text(before)


@pytest.mark.long
def test_names_stand_at_the_ends_of_curves_where_there_is_room_for_them(visitor, server):
    page = visitor(viewport={"width": 390, "height": 844})  # a slim window, not a phone
    chart = plot(page, server)
    names, room = (
        chart.locator(".scatterlayer text"),
        f"{CHART}._fullLayout.xaxis._length > .7 * {CHART}.clientWidth",
    )
    expect(names).to_have_count(0)
    page.wait_for_function(room)
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(names).to_have_count(len(NAMES))
    page.wait_for_function(f"{CHART}._fullLayout._size.r >= 100")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(names).to_have_count(0)
    page.wait_for_function(room)


@pytest.mark.long
def test_a_chart_is_taken_away_as_a_picture_and_as_a_table(page, server):
    plot(page, server)
    for kind, begin in (
        ("SVG", b"<svg"),
        ("PNG", b"\x89PNG"),
        ("CSV", b'curve,"passes over the data, kT/n",'),
    ):
        with page.expect_download() as taken:
            tools(page).get_by_role("button", name=kind, exact=True).click()
        assert taken.value.suggested_filename == f"svmviz-pegasos-figure8.{kind.lower()}"
        assert taken.value.path().read_bytes().startswith(begin)
    rows = [line.split(",") for line in taken.value.path().read_text().splitlines()[1:]]
    assert {row[0] for row in rows} == {*NAMES}
    assert all(float(low) <= float(value) <= float(high) for _, _, value, low, high in rows)
