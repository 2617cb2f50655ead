"""Words of a visitor's file, its name or a link stay words: on every page, in every dialog and in
every export.

The file's names and classes are all that HTML, Markdown and Streamlit's own additions to it would
act upon. Whatever came of them would set `pwned`, ask for a page of evil.invalid, or stand in the
document as an element that nobody here makes.
"""

import ast
import csv
import io
from urllib.parse import urlencode, urlsplit
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from svmviz.data.uploads import clean
from svmviz.ui.shell.frame import JOINER
from tests.browser.page import MOONS, button, grid_words, look, picture, quiet, until
from tests.browser.pages.test_data import data_page, open_in_playground, place_of, upload

pytestmark = pytest.mark.long
NAMES = (
    "<img src=x onerror=pwned=1>",
    "<script>pwned=1</script>",
    "![x](http://evil.invalid/x.png)",
    "[y](javascript:pwned=1) **b** `c`",
    ":smile: :material/home: :streamlit:",
    "$x^2$ www.evil.invalid -> a@evil.invalid",
    '=HYPERLINK("http://evil.invalid")',
)
CLASSES = "<svg onload=pwned=1>{step} :smile:", "@SUM(1) <b onclick=pwned=1>fox</b>"
FILE = "<iframe src=javascript:pwned=1>{step}.csv"
BACKWARDS = "\u202egnp.exe"  # would turn round what stands behind it

STRANGERS = """() => {
  const found = [], roots = [document];
  for (const root of roots) for (const element of root.querySelectorAll("*")) {
    if (element.shadowRoot) roots.push(element.shadowRoot);
    if (element.tagName === "IFRAME") found.push(element.outerHTML);
    if (element.tagName === "SCRIPT" && element.textContent.includes("pwned")) found.push("script");
    if (element.closest("b, strong, code, em")?.textContent.includes("fox")) found.push(element.outerHTML);
    if (element.matches("img[alt='Streamlit logo'], [aria-label='home icon'], .katex")) found.push(element.outerHTML);
    for (const { name, value } of element.attributes) {
      const address = ["src", "href", "srcset", "action"].includes(name);
      if (name.startsWith("on") || address && /evil|pwned|^x$/.test(value)) found.push(element.outerHTML);
    }
  }
  if ("pwned" in globalThis) found.push("pwned");
  return found;
}"""


def astray(address) -> bool:
    """Whether something of the file was taken for an address."""
    return (
        address.hostname != "127.0.0.1"
        and address.scheme in ("http", "https")
        or address.path.endswith("/x")
    )


@pytest.fixture
def watch():
    """Watch a page; what it returns fails unless the page is as it should be."""

    def watch(page):
        seen = []
        page.on("dialog", lambda dialog: (seen.append(dialog.message), dialog.dismiss()))
        page.on("popup", lambda popup: seen.append(popup.url))
        page.on(
            "request",
            lambda request: seen.append(request.url) if astray(urlsplit(request.url)) else None,
        )

        def harmless(formulas: bool = False):  # a paper has formulas of its own
            strangers = [
                found for found in page.evaluate(STRANGERS) if not (formulas and "katex" in found)
            ]
            assert strangers == [] and seen == []

        return harmless

    return watch


def table(names=NAMES, classes=CLASSES, rows: int = 60) -> bytes:
    rng, text = np.random.default_rng(0), io.StringIO()
    writer = csv.writer(text)
    writer.writerow([*names, f"kind{BACKWARDS}"])
    for k in range(rows):
        writer.writerow([*np.round(rng.normal(k % 2, 1, len(names)), 3), classes[k % 2]])
    return text.getvalue().encode()


def chosen(page) -> list[str]:
    """What the boxes to choose from show."""
    return page.locator("[data-testid=stSelectbox] input").evaluate_all(
        "boxes => boxes.map(box => box.value)"
    )


def downloaded(page, name: str) -> list[list[str]]:
    with page.expect_download() as download:
        button(page, name).click()
    return list(csv.reader(io.StringIO(download.value.path().read_text(encoding="utf-8"))))


def only_numbers(rows: list[list[str]]) -> None:
    """No cell can be a formula: numbers below names of our own."""
    head, *body = rows
    assert all(name.isidentifier() for name in head) and len(body) > 1
    for row in body:
        for cell in row:
            assert not cell or float(cell) is not None


def test_the_data_page_shows_them_as_they_are(visit, watch):
    page = visit(fresh=True)  # which is watched
    harmless = watch(page)
    data_page(page)
    upload(page, table(), FILE)
    expect(
        page.get_by_role("button", name=f"Remove {FILE}")
    ).to_be_visible()  # the name itself is shortened in the middle
    expect(page.get_by_test_id("stSelectbox").nth(1).locator("input")).to_have_value(
        f"{CLASSES[1]} (30 rows)"
    )
    page.get_by_test_id("stSelectbox").first.locator("input").click()
    for name in NAMES:
        expect(page.get_by_role("option", name=clean(name), exact=True)).to_be_visible()
    expect(page.get_by_role("option", name="kind�gnp.exe", exact=True)).to_be_visible()
    harmless()
    page.keyboard.press("Escape")
    assert set(NAMES[:3]) <= set(grid_words(page.get_by_test_id("stDataFrame").nth(0)))
    assert any(
        repr(CLASSES[0])[1:-1] in words
        for words in grid_words(page.get_by_test_id("stDataFrame").nth(1))
    )
    expect(page.get_by_role("button", name="Download")).to_have_count(
        0
    )  # of the table: it would hold formulas as they came
    harmless()


def test_a_complaint_quotes_them(visit, watch):
    page = visit(fresh=True)  # which is watched
    harmless = watch(page)
    data_page(page)
    alert = "document.querySelector('[data-testid=stAlert]')?.innerText"
    for word in (*NAMES[:-1], *CLASSES, "www.evil.invalid/<-", "https://evil.invalid"):
        upload(page, table(NAMES[:2], (word, word)))
        until(page, f"{alert}.replaceAll({JOINER!r}, '').includes(value)", f"'{word}'")
        expect(page.get_by_test_id("stAlert").filter(has_text="one class only")).to_be_visible()
        harmless()


def test_the_playground_shows_them_as_they_are(visit, watch):
    page = visit(fresh=True)  # which is watched
    harmless = watch(page)
    data_page(page)
    upload(page, table(), FILE)
    open_in_playground(page, 60)
    harmless()
    sidebar = page.get_by_test_id("stSidebar")
    assert clean(FILE) in chosen(page)
    sidebar.get_by_test_id("stSelectbox").filter(has_text="plane").locator("input").click()
    page.get_by_role("option", name="two features").click()
    until(page, "svmviz.run.plane.axes.join() === value", ",".join(NAMES[:2]))
    quiet(page)
    sidebar.get_by_test_id("stSelectbox").filter(has_text="up").last.locator("input").click()
    page.get_by_role("option", name=NAMES[4], exact=True).click()
    until(page, "svmviz.run.plane.axes[1] === value", NAMES[4])
    quiet(page)
    harmless()

    page.mouse.move(*place_of(page, 3))
    expect(page.locator(".tip")).to_contain_text("class")
    harmless()
    assert Image.open(picture(page).path()).format == "PNG"
    ElementTree.parse(picture(page, "SVG").path())
    only_numbers(downloaded(page, "Trace as CSV"))
    button(page, "Copy link").click()
    expect(page.locator(".toast:not([hidden]), dialog[open]").first).to_be_visible()
    harmless()


def test_the_script_holds_them_as_strings(visit, watch):
    page = visit(fresh=True)  # which is watched
    harmless = watch(page)
    data_page(page)
    upload(page, table(), FILE)
    open_in_playground(page, 60)
    button(page, "Python").click()
    script = page.locator("dialog pre").inner_text()
    strings = {node.value for node in ast.walk(ast.parse(script)) if isinstance(node, ast.Constant)}
    assert {FILE, CLASSES[1], f"kind{BACKWARDS}"} <= strings and BACKWARDS not in script
    assert f"trace.why({look(page, 't')})" in script
    harmless()


def test_drawn_points_go_out_as_numbers(visit, watch):
    page = visit(fresh=True)  # which is watched
    harmless = watch(page)
    data_page(page)
    upload(page, table(NAMES[5:]), FILE)
    open_in_playground(page, 60)
    assert look(page, "run.plane.axes") == [clean(name) for name in NAMES[5:]]
    only_numbers(downloaded(page, "Data as CSV"))
    harmless()


def test_other_pages_know_nothing_of_them(visit, watch):
    page = visit(fresh=True)  # which is watched
    harmless = watch(page)
    data_page(page)
    upload(page, table(), FILE)
    open_in_playground(page, 60)
    for paper in ("Pegasos", "Stochastic Batch Perceptron", "Budgeted SGD"):
        page.get_by_test_id("stTopNavSection").filter(has_text="Papers").click()
        page.get_by_role("menuitem", name=paper, exact=True).click()
        expect(page.get_by_role("button", name="CSV").first).to_be_visible()
        harmless(formulas=True)
        assert not any(word in page.content() for word in ("pwned", "evil"))
    page.get_by_role("link", name="Race", exact=True).click()
    until(page, "globalThis.svmviz?.draws > 0 && !svmviz.gone")
    harmless()
    data_page(page)
    harmless()


def test_a_stream_of_the_file_shows_its_name_as_it_is(visit, watch):
    page = visit(fresh=True)  # which is watched
    harmless = watch(page)
    data_page(page)
    upload(page, table(), FILE)
    page.get_by_role("button", name="Stream all rows").click()
    expect(page.get_by_role("heading", name="Stream", exact=True)).to_be_visible()
    assert f"{clean(FILE)}, all rows" in chosen(page)
    page.get_by_role("button", name="Start").click()
    words = page.get_by_text("all rows:", exact=False)
    expect(words).to_be_visible()
    expect(page.get_by_text("in less than a second", exact=False)).to_be_visible()
    assert clean(FILE) in words.inner_text().replace(JOINER, "")
    harmless()


def test_a_link_is_answered_with_its_words(visit, watch, visitor, server):
    page = visitor()
    harmless = watch(page)
    page.goto(
        f"{server}/?{MOONS}&{urlencode({NAMES[0]: '1', 'sampling': NAMES[2], 'edit': NAMES[4]})}"
    )
    until(page, "globalThis.svmviz?.draws > 0")
    quiet(page)
    words = " ".join(page.get_by_test_id("stAlert").all_inner_texts()).replace(JOINER, "")
    assert all(name in words for name in (NAMES[0], NAMES[2], NAMES[4]))
    harmless()
