"""The race of the whole field in a real browser: groups, planes of runs that make vectors, one
curve among many.
"""

from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import expect

from svmviz.race import field, lanes, runs
from tests.browser.page import look
from tests.browser.pages.test_race import cells
from tests.conftest import COLD
from tests.tools.variants import seldom

CARD = field.card()
FEW = tuple(
    key for keys in field.groups(CARD.line_up()).values() for key in keys[:2]
)  # of each group
LINK = urlencode(field.link() | {"lanes": ",".join(FEW), "seeds": "1", "length": "300"})


@pytest.fixture(scope="module")
def chosen():
    return CARD.__class__(CARD.base, FEW, 1, 300)


def test_lanes_stand_in_groups_and_their_planes_are_those_of_their_runs(race, chosen):
    page = race(LINK, seeds=1)
    titles = [field.OVERFLOWS[name] for name in field.grouped(chosen.line_up())]
    assert len(FEW) > lanes.USUAL and page.locator(".lanes .group h3").all_inner_texts() == titles
    page.evaluate("svmviz.seek(svmviz.run.T)")
    for rival in chosen.line_up():
        t, places, shown = cells(page, rival.key)
        expected = runs.start(chosen.problem, rival, 0).f(t, places)
        assert t > 100 and np.abs(expected).max() > 0
        assert np.abs(shown - expected).max() <= 1e-6 * np.abs(expected).max(), rival.title


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)], ids=str)
def test_every_lane_has_room_and_the_one_in_focus_stands_out(race, size):
    page = race(LINK, seeds=1, viewport={"width": size[0], "height": size[1]})
    boxes = [lane.bounding_box() for lane in page.locator(".lanes .lane").all()]
    assert all(
        box["width"] >= 60 and box["x"] >= 0 and box["x"] + box["width"] <= size[0] for box in boxes
    )
    assert page.locator(".race .chart .view").bounding_box()["height"] >= 120
    assert look(page, "lit") is None
    page.locator(".lanes .lane").nth(3).focus()
    page.wait_for_function("svmviz.lit?.spec.key === svmviz.lanes[3].spec.key")
    page.locator(".lanes .lane").nth(3).blur()
    page.wait_for_function("svmviz.lit === null")


def test_a_line_or_a_name_in_the_chart_says_whose_it_is(race):
    page = race(LINK, seeds=1)
    named = look(page, "chart.ends.placed.filter(end => end.lane).map(end => end.lane.spec.key)")
    assert sorted(named) == sorted(FEW)
    heights = sorted(look(page, "chart.ends.placed.map(end => end.y)"))
    assert min(np.diff(heights)) >= 0.99 * look(page, "chart.ends.slot"), "names lie on each other"
    view = page.locator(".race .chart .view").bounding_box()

    def point(place: str):
        x, y = page.evaluate(place)
        page.mouse.move(view["x"] + x, view["y"] + y)

    point(
        "[svmviz.chart.ends.right + 40, svmviz.chart.ends.placed.find(end => end.lane &&"
        " !end.column).y]"
    )
    page.wait_for_function(
        "svmviz.lit === svmviz.chart.ends.placed.find(end => end.lane && !end.column).lane"
    )
    expect(page.locator(".lanes .lane.lit")).to_have_count(1)
    point("[svmviz.chart.x(svmviz.x.at(-1)), svmviz.chart.heightOf(svmviz.lanes[4], svmviz.run.T)]")
    page.wait_for_function(
        "svmviz.chart.heightOf(svmviz.lit, svmviz.run.T) "
        "=== svmviz.chart.heightOf(svmviz.lanes[4], svmviz.run.T)"
    )
    page.mouse.move(view["x"] + 60, view["y"] + view["height"] + 30)
    page.wait_for_function("svmviz.lit === null")
    expect(page.locator(".lanes .lane.lit")).to_have_count(0)


def test_one_length_is_told_of_one_stream(race):
    page = race(LINK, seeds=1)
    expect(page.locator(".transport .T")).to_have_text("/ 300")
    expect(page.locator(".transport .legend")).to_have_text(
        f"all {len(FEW)} end together, after 300 steps"
    )


@pytest.mark.parametrize("width", seldom((1024, 1440, 390), 3))
def test_the_bar_lies_on_nothing(race, width):
    page = race(LINK, seeds=1, viewport={"width": width, "height": 844})
    page.evaluate("""() => {  // a race of few steps is over before one has looked
        const bar = document.createElement("div");
        bar.className = "st-key-race_progress";
        document.querySelector(".st-key-race").parentElement.append(bar);
    }""")
    bar = page.locator(".st-key-race_progress").bounding_box()
    names = "stTopNavLink", "stTopNavSection", "stExpandSidebarButton"
    others = [
        *map(page.get_by_test_id, names),
        page.get_by_role("button", name="Copy link"),
        *map(page.locator, (".race header h2", ".race .numbers dt")),
    ]
    assert sum(other.count() for other in others) > 4
    for box in filter(None, (place.bounding_box() for other in others for place in other.all())):
        assert (
            box["x"] >= bar["x"] + bar["width"]
            or box["x"] + box["width"] <= bar["x"]
            or box["y"] >= bar["y"] + bar["height"]
            or box["y"] + box["height"] <= bar["y"]
        )
    if width > 700:
        expect(page.locator(".race .paper")).to_be_hidden()
    page.evaluate("document.querySelector('.st-key-race_progress').remove()")  # nobody else would


@pytest.mark.long
def test_the_field_is_one_click_away_from_any_race(race):
    page = race("data=moons&n=40&lanes=pegasos&seeds=1&length=100", seeds=1)
    page.get_by_role("button", name=field.TITLE).click()
    page.wait_for_function(
        "count => svmviz.lanes.length === count && !svmviz.data.stale",
        arg=len(CARD.rivals),
        timeout=COLD,
    )
    assert look(page, "axes") == field.VIEW
    expect(page.locator(".lanes .group")).to_have_count(len(field.OVERFLOWS))
