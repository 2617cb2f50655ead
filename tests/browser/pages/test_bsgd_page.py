"""The page of the BSGD paper and the Stream page in a real browser: figures, tables that fill,
streams that are stopped.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.page import grid_words, is_no_wider, slide, slider
from tests.browser.pages.test_papers import in_menu

LONG = 120_000  # milliseconds to wait for a condition at most


@pytest.fixture
def bsgd(visit):
    page = visit("")
    in_menu(page, "Budgeted SGD")
    expect(page.get_by_role("heading", name="Budgeted SGD")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(7, timeout=LONG)
    return page


@pytest.fixture
def stream(arrive):
    page = arrive("/stream")
    expect(page.get_by_role("button", name="Start")).to_be_visible(timeout=LONG)
    return page


def seen(page) -> int:
    """Examples that the bar counts."""
    words = page.get_by_test_id("stProgress").inner_text()
    return int(re.match(r"([\d\u202f]+) of", words)[1].replace("\u202f", ""))


def table_4(page) -> list[str]:
    """Return the cells of the table below the heading of Table 4."""
    below = (
        "//*[self::h2 or self::h3][starts-with(., 'Table"
        " 4')]/following::*[@data-testid='stDataFrame'][1]"
    )
    return grid_words(page.locator(below))


@pytest.mark.long
def test_a_figure_is_there_and_its_runs_open(bsgd):
    expect(
        bsgd.get_by_text(re.compile("Vectors left by projection are training examples"))
    ).to_be_visible(timeout=LONG)
    bsgd.get_by_role("link", name="merge", exact=True).first.click()
    bsgd.wait_for_function(
        "globalThis.svmviz?.run?.solver.key === 'bsgd' && svmviz.draws > 0 && !svmviz.gone",
        timeout=LONG,
    )
    assert "maintenance=merge" in bsgd.url and "data=checkerboard" in bsgd.url


@pytest.mark.long
def test_the_menu_marks_the_paper(bsgd):
    section = bsgd.get_by_test_id("stTopNavSection")
    assert section.evaluate("e => getComputedStyle(e).borderBottomStyle") == "solid"
    bsgd.get_by_role("link", name="Data", exact=True).click()
    expect(bsgd.get_by_role("heading", name="Your own file")).to_be_visible()
    assert section.evaluate("e => parseFloat(getComputedStyle(e).borderBottomWidth)") == 0


@pytest.mark.long
def test_table_4_fills_while_it_runs_and_can_be_stopped(bsgd):
    slider(bsgd, "Length of the stream").press("End")
    expect(bsgd.locator(".st-key-bsgd-table4-go button")).to_have_text(
        "Run 10\u202f000\u202f000 examples"
    )
    bsgd.locator(".st-key-bsgd-table4-go button").click()
    expect(bsgd.get_by_text(re.compile("of 10\u202f000\u202f000 examples, about"))).to_be_visible(
        timeout=LONG
    )
    expect(bsgd.locator(".st-key-bsgd-table4-go button")).to_be_disabled()
    first = seen(bsgd)
    bsgd.wait_for_function(
        """first => {
        const words = document.querySelector('[data-testid=stProgress]')?.innerText ?? '';
        return Number(words.split(' of ')[0].replaceAll('\\u202f', '')) > first;
    }""",
        arg=first,
        timeout=LONG,
    )
    assert any(re.fullmatch(r"0\.\d{3}", cell) for cell in table_4(bsgd))  # E-bar so far
    bsgd.get_by_role("button", name="Stop").click()
    expect(
        bsgd.get_by_text(re.compile("^Stopped after .* what had been found by then is kept"))
    ).to_be_visible(timeout=LONG)
    expect(bsgd.get_by_test_id("stProgress")).to_have_count(0)
    expect(bsgd.locator(".st-key-bsgd-table4-go button")).to_be_enabled()
    assert any(re.fullmatch(r"0\.\d{3}", cell) for cell in table_4(bsgd))


def test_a_stream_is_drawn_while_it_runs_and_kept_when_stopped(stream):
    slide(stream, "examples", "End", "10 000 000")
    stream.get_by_role("button", name="Start").click()
    expect(stream.get_by_text(re.compile("of 10\u202f000\u202f000 examples"))).to_be_visible(
        timeout=LONG
    )
    expect(stream.locator(".js-plotly-plot")).to_have_count(4, timeout=LONG)
    drawn = "document.querySelector('.js-plotly-plot')?.calcdata?.[0].length > 1"
    stream.wait_for_function(drawn, timeout=LONG)
    stream.get_by_role("button", name="Stop").click()
    kept = stream.get_by_text(re.compile("^Stopped after"))
    expect(kept).to_be_visible(timeout=LONG)
    expect(stream.get_by_role("button", name="Start")).to_be_enabled()
    expect(stream.locator(".js-plotly-plot")).to_have_count(4)
    stream.wait_for_function(drawn)
    words = kept.inner_text()
    stream.get_by_role("button", name="Start").hover()
    assert kept.inner_text() == words  # nothing runs on behind it


def test_leaving_ends_a_stream(stream):
    slide(stream, "examples", "End", "10 000 000")
    stream.get_by_role("button", name="Start").click()
    expect(stream.get_by_text(re.compile("of 10\u202f000\u202f000 examples"))).to_be_visible(
        timeout=LONG
    )
    stream.get_by_role("link", name="Data", exact=True).click()
    expect(stream.get_by_role("heading", name="Your own file")).to_be_visible()
    stream.get_by_role("link", name="Stream", exact=True).click()
    expect(stream.get_by_text(re.compile("^Stopped after"))).to_be_visible(timeout=LONG)


@pytest.mark.long
def test_the_playground_hands_its_run_to_a_stream(page, server):
    page.goto(f"{server}/?data=moons&n=60&solver=bsgd&B=7&T=30")
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=60_000)
    page.get_by_role("button", name="Run it as a stream").click()
    expect(page.get_by_role("button", name="Start")).to_be_visible(timeout=LONG)
    slide(page, "examples", "Home", "10 000")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text(re.compile("^10\u202f000 examples in"))).to_be_visible(timeout=LONG)
    expect(page.get_by_text("B = 7")).to_be_visible()
    expect(page.get_by_test_id("stMetricValue").nth(1)).to_have_text("7")


@pytest.mark.long
def test_the_address_of_a_stream_holds_its_settings_wherever_one_comes_from(stream):
    holds = "value => new URL(location).searchParams.get('B') === value"
    stream.wait_for_function(holds, arg="100")
    slider(stream, "budget").press("ArrowRight")
    stream.wait_for_function(holds, arg="150")
    stream.get_by_role("link", name="Race", exact=True).click()
    expect(stream.locator(".stage.race")).to_be_visible(timeout=LONG)
    stream.get_by_role("link", name="Stream", exact=True).click()
    stream.wait_for_function(holds, arg="150")
    stream.reload()
    expect(stream.get_by_role("slider", name=re.compile("budget.*150")).first).to_be_attached(
        timeout=LONG
    )
    stream.go_back()  # one press
    expect(stream.locator(".stage.race")).to_be_visible(timeout=LONG)


@pytest.mark.parametrize("path", [pytest.param("bsgd", marks=pytest.mark.long), "stream"])
def test_it_fits_a_phone(arrive, path):
    page = arrive(f"/{path}", viewport={"width": 390, "height": 844})
    expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=LONG)
    expect(
        page.get_by_role("button", name={"bsgd": "CSV", "stream": "Start"}[path]).first
    ).to_be_visible(timeout=LONG)
    is_no_wider(page)
