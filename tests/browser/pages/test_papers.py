"""The pages of papers in a real browser: reached through the menu, as recorded, computed again,
stopped by a click.
"""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.page import PHONE, is_no_wider, uploader


def in_menu(page, paper: str) -> None:
    page.get_by_test_id("stTopNavSection").filter(has_text="Papers").click()
    page.get_by_role("menuitem", name=paper, exact=True).click()


@pytest.fixture
def sbp(page, server):
    page.goto(server)
    page.wait_for_function(
        "globalThis.svmviz?.draws > 0", timeout=60_000
    )  # while the page loads, the menu comes and goes
    in_menu(page, "Stochastic Batch Perceptron")
    expect(page.locator(".js-plotly-plot")).to_have_count(12, timeout=60_000)
    return page


@pytest.mark.long
def test_the_tilt_moves_the_basins(sbp):
    words = sbp.get_by_text(re.compile("^b = "))
    expect(words).to_contain_text("of each class")
    tilt = sbp.get_by_role("slider", name="Tilt: b away from its optimum")
    tilt.focus()
    for _ in range(16):
        tilt.press("ArrowRight")
    expect(words).to_contain_text("Lowering b lifts it")


def below(page, figure: str):
    """The line below a figure."""
    return page.locator(f".st-key-source-{figure.replace('.', '-')}")


@pytest.mark.long
def test_a_figure_is_stopped_in_the_middle_and_keeps_its_seeds(page, server):
    page.goto(f"{server}/incremental")
    line = below(page, "incremental.figure4")
    expect(line).to_contain_text("recorded with version", timeout=60_000)
    expect(page.locator(".js-plotly-plot")).to_have_count(8, timeout=60_000)
    line.get_by_role("button", name="compute it again").click()
    expect(line).to_contain_text(re.compile(r"shown: [1-8] of 10 seeds"), timeout=600_000)
    expect(page.locator(".js-plotly-plot")).to_have_count(8)  # none is there twice, none has gone
    line.get_by_role("button", name="Stop").click()
    expect(line).to_contain_text(
        re.compile(r"computed here just now: stopped after \d of 10 seeds"), timeout=120_000
    )
    expect(line).to_contain_text("; the same numbers as recorded")
    expect(page.locator(".js-plotly-plot")).to_have_count(8)
    line.get_by_role("button", name="show the recording").click()
    expect(line).to_contain_text("recorded with version", timeout=60_000)


@pytest.mark.long
def test_a_figure_is_computed_again_and_its_numbers_are_taken_away(page, server):
    page.goto(f"{server}/pegasos")
    line = below(page, "pegasos.figure8")
    line.get_by_role("button", name="compute it again").click(timeout=60_000)
    expect(line).to_contain_text("computed here just now: 10 seeds", timeout=600_000)
    expect(line).to_contain_text("; the same numbers as recorded")
    expect(below(page, "pegasos.figure7")).to_contain_text("recorded with version")
    with page.expect_download() as taken:
        line.get_by_role("button", name="CSV").click()
    assert (
        taken.value.path().read_text().startswith("run,seed,quantity,place,value\npasses,,,0,1.0\n")
    )


@pytest.mark.long
def test_a_figure_is_computed_on_a_file_of_ones_own(page, server):
    page.goto(f"{server}/data")
    rng = np.random.default_rng(0)
    rows = "\n".join(f"{x:.3f},{z:.3f},{'ab'[int(x + z > 0)]}" for x, z in rng.normal(size=(60, 2)))
    uploader(page).set_input_files(
        {"name": "mine.csv", "mimeType": "text/csv", "buffer": f"x,z,class\n{rows}".encode()}
    )
    page.get_by_role("button", name="Open in the Playground").click(timeout=60_000)
    page.wait_for_function("globalThis.svmviz?.run?.n === 60 && svmviz.draws > 0", timeout=60_000)
    in_menu(page, "Pegasos")
    line = below(page, "pegasos.figure8")
    line.get_by_role("button", name="on my data").click(timeout=60_000)
    expect(line).to_contain_text(
        re.compile(r"computed here on mine.*, only for you: 10 seeds"), timeout=600_000
    )
    line.get_by_role("button", name="show the recording").click()
    expect(line).to_contain_text("recorded with version", timeout=60_000)


@pytest.mark.long
def test_a_paper_fits_a_phone(visitor, server):
    page = visitor(viewport={"width": 390, "height": 844})
    page.goto(server)
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=60_000)
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_role("link", name="Stochastic Batch Perceptron", exact=True).click()
    expect(page.locator(".js-plotly-plot")).to_have_count(12, timeout=60_000)
    is_no_wider(page)


@pytest.mark.long
def test_the_lemma_of_incremental_svms_follows_its_slider(page, server):
    page.goto(server)
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=60_000)
    in_menu(page, "Incremental SVMs")
    words = page.get_by_text(re.compile("^At α = "))
    expect(words).to_contain_text("the gap is 0.660", timeout=60_000)
    expect(page.locator(".katex-error")).to_have_count(0)
    expect(page.locator(".katex")).to_have_count(5)
    alpha = page.get_by_role("slider", name="α")
    alpha.focus()
    alpha.press("ArrowRight")
    expect(words).to_contain_text("At α = 0.41 the gap is 0.643")
    page.get_by_role("radio", name="0.7").click()
    expect(words).to_contain_text("one step goes to C at once")


@pytest.mark.long
def test_a_figure_has_room_on_a_phone(visitor, server):
    page = visitor(**PHONE)
    page.goto(f"{server}/incremental")
    expect(page.get_by_text("From one sixth to the next the gap goes")).to_be_visible(
        timeout=120_000
    )
    expect(page.locator(".js-plotly-plot")).to_have_count(8, timeout=60_000)
    width = "document.querySelectorAll('.js-plotly-plot')[4]._fullLayout._size.w"
    page.wait_for_function(f"{width} > 0.6 * innerWidth")
    expect(page.locator(".js-plotly-plot").nth(4).locator(".legendtext")).to_have_text(
        ["random", "active"]
    )
    is_no_wider(page)
