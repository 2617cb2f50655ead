"""Where each solver is first met, in a real browser: something is to be seen, it plays by itself,
and any key ends that.
"""

import re

import pytest
from playwright.sync_api import expect

from svmviz.run.view import SHOWN, opened
from svmviz.solvers import SOLVERS
from tests.browser.page import look, quiet, rests_at, until

INKED = """() => [...svmviz.frame.querySelectorAll(".mechanism canvas")].filter(c => c.offsetParent).map(c => {
    const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height), seen = new Set();
    let inked = 0;
    for (let k = 0; k < data.length; k += 4)
        if (data[k + 3]) { inked++; seen.add(data[k] << 16 | data[k + 1] << 8 | data[k + 2]); }
    return [inked / (c.width * c.height), seen.size];
})"""


@pytest.mark.long
@pytest.mark.parametrize("key", SOLVERS)
def test_at_its_opening_a_solver_shows_its_mechanism_and_names_what_happens(show, key):
    recipe, view = opened(key)
    query = recipe.query() | {"t": str(view["t"]), "beat": view["beat"]}
    page = show("&".join(f"{name}={value}" for name, value in query.items()))
    assert look(page, "view().beat") == view["beat"] and look(page, "t") == view["t"]
    panels = page.evaluate(INKED)
    assert panels and all(share > 0.005 and colours > 8 for share, colours in panels), panels
    said = page.locator(".why").inner_text()
    assert said == recipe.trace().why(view["t"]).replace("*", "") or len(said) > 40
    assert "Nothing has been" not in said


def choose(page, title: str) -> None:
    page.get_by_role("combobox", name="solver").click()
    page.get_by_role("option", name=title, exact=True).click()
    expect(page.locator("h2").first).to_have_text(title)


@pytest.mark.always
def test_choosing_a_solver_opens_it_plays_three_steps_and_waits(visit):
    page, (recipe, view) = visit("", pace=4), opened("sbp")
    choose(page, SOLVERS["sbp"].title)
    until(page, "svmviz.playing && svmviz.until === value", view["t"] + SHOWN)
    assert look(page, "slow") and look(page, "run.T") == recipe.steps
    rests_at(page, view["t"] + SHOWN)
    quiet(page)
    expect(page).to_have_url(re.compile(rf"[?&]t={view['t'] + SHOWN}&"))
    assert look(page, "showing") is None
    page.keyboard.press("Space")  # goes on as ever
    until(page, "svmviz.playing && !svmviz.until")
    page.keyboard.press("Space")
    until(page, "!svmviz.playing")


@pytest.mark.parametrize(
    "what", ["Space", *(pytest.param(key, marks=pytest.mark.long) for key in ("g", "click"))]
)
def test_any_key_or_click_ends_it(visit, what):
    page, t = visit(""), opened("smo")[1]["t"]
    choose(page, SOLVERS["smo"].title)
    until(page, "svmviz.playing")
    page.mouse.click(720, 60) if what == "click" else page.keyboard.press(what)
    until(page, "!svmviz.playing && !svmviz.stepping")
    assert t <= look(page, "t") < t + SHOWN and not look(page, "until")


@pytest.mark.long
def test_with_reduced_motion_it_stands_still_and_own_data_are_left_alone(visit):
    page, view = visit("solver=sbp", reduced_motion="reduce"), opened("sbp")[1]
    assert look(page, "t") == view["t"] and look(page, "view().beat") == view["beat"]
    assert look(page, "showing") is None and not look(page, "playing")
    page = visit("data=moons&n=50&T=30&t=9")
    choose(page, SOLVERS["sbp"].title)
    quiet(page)
    assert (
        look(page, "t") == 0
        and look(page, "run.query.data") == "moons"
        and not look(page, "playing")
    )
