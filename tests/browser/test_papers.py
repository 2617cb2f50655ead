"""The pages of papers in a real browser: reached through the menu, computed on demand, stopped by a click."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_playground import PHONE


def in_menu(page, paper: str) -> None:
    page.get_by_test_id("stTopNavSection").filter(has_text="Papers").click()
    page.get_by_role("menuitem", name=paper, exact=True).click()


@pytest.fixture
def sbp(page, server):
    page.goto(server)
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=60_000)  # while the page loads, the menu comes and goes
    in_menu(page, "Stochastic Batch Perceptron")
    expect(page.locator(".js-plotly-plot")).to_have_count(4, timeout=60_000)
    return page


def test_the_tilt_moves_the_basins(sbp):
    words = sbp.get_by_text(re.compile("^b = "))
    expect(words).to_contain_text("of each class")
    tilt = sbp.get_by_role("slider", name="Tilt: b away from its optimum")
    tilt.focus()
    for _ in range(16):
        tilt.press("ArrowRight")
    expect(words).to_contain_text("Lowering b lifts it")


def test_a_figure_can_be_stopped_and_computed(sbp):
    compute = sbp.get_by_role("button", name="Compute")
    compute.first.click()
    sbp.get_by_role("button", name="Stop").click()
    expect(compute).to_have_count(3, timeout=30_000)
    compute.nth(2).click()
    expect(sbp.get_by_text("Measured.")).to_be_visible(timeout=600_000)  # many seconds of work, which others may share
    expect(sbp.get_by_role("button", name="Stop")).to_have_count(0)


def test_a_paper_fits_a_phone(visitor, server):
    page = visitor(viewport={"width": 390, "height": 844})
    page.goto(server)
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=60_000)
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_role("link", name="Stochastic Batch Perceptron", exact=True).click()
    expect(page.locator(".js-plotly-plot")).to_have_count(4, timeout=60_000)
    assert page.get_by_test_id("stMain").evaluate("e => e.scrollWidth <= e.clientWidth")


def test_the_lemma_of_incremental_svms_follows_its_slider(page, server):
    page.goto(server)
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=60_000)
    in_menu(page, "Incremental SVMs")
    words = page.get_by_text(re.compile("^At α = "))
    expect(words).to_contain_text("the gap is 0.660", timeout=60_000)
    expect(page.locator(".katex-error")).to_have_count(0)
    expect(page.locator(".katex")).to_have_count(4)
    alpha = page.get_by_role("slider", name="α")
    alpha.focus()
    alpha.press("ArrowRight")
    expect(words).to_contain_text("At α = 0.41 the gap is 0.643")
    page.get_by_role("radio", name="0.7").click()
    expect(words).to_contain_text("one step goes to C at once")


def test_a_figure_has_room_on_a_phone(visitor, server):
    page = visitor(**PHONE)
    page.goto(f"{server}/incremental")
    page.locator("[class*=st-key-figure-Figure-3] button").click(timeout=60_000)
    expect(page.get_by_text("From one sixth to the next the gap goes")).to_be_visible(timeout=120_000)
    width = "[...document.querySelectorAll('.js-plotly-plot')].at(-1)._fullLayout._size.w"
    page.wait_for_function(f"{width} > 0.6 * innerWidth")
    expect(page.locator(".js-plotly-plot").last.locator(".legendtext")).to_have_text(["random", "active"])
