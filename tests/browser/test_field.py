"""The race of the whole field in a real browser: groups, planes of runs that make vectors, one curve among many."""

from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import expect

from svmviz.race import field, lanes, runs
from tests.browser.test_playground import COLD, look
from tests.browser.test_race import cells, race  # noqa: F401  a fixture

CARD = field.card()
FEW = tuple(key for keys in field.groups(CARD.line_up()).values() for key in keys[:2])  # of each group
LINK = urlencode(field.link() | {"lanes": ",".join(FEW), "seeds": "1", "length": "300"})


@pytest.fixture(scope="module")
def chosen():
    return CARD.__class__(CARD.base, FEW, 1, 300)


def test_lanes_stand_in_groups_and_their_planes_are_those_of_their_runs(race, chosen):  # noqa: F811
    page = race(LINK, seeds=1)
    titles = [field.OVERFLOWS[name] for name in field.grouped(chosen.line_up())]
    assert len(FEW) > lanes.USUAL and page.locator(".lanes .group h3").all_inner_texts() == titles
    page.evaluate("svmviz.seek(svmviz.run.T)")
    for rival in chosen.line_up():
        t, places, shown = cells(page, rival.key)
        expected = runs.start(chosen.problem, rival, 0).f(t, places)
        assert t > 100 and np.abs(expected).max() > 0
        assert np.abs(shown - expected).max() <= 1e-6 * np.abs(expected).max(), rival.title


@pytest.mark.parametrize("size", ((1440, 900), pytest.param((1024, 768), marks=pytest.mark.long), (390, 844)))
def test_every_lane_has_room_and_the_one_in_focus_stands_out(race, size):  # noqa: F811
    page = race(LINK, seeds=1, viewport={"width": size[0], "height": size[1]})
    boxes = [lane.bounding_box() for lane in page.locator(".lanes .lane").all()]
    assert all(box["width"] >= 60 and box["x"] >= 0 and box["x"] + box["width"] <= size[0] for box in boxes)
    assert page.locator(".race .chart .view").bounding_box()["height"] >= 120
    assert look(page, "lit") is None
    page.locator(".lanes .lane").nth(3).focus()
    page.wait_for_function("svmviz.lit?.spec.key === svmviz.lanes[3].spec.key")
    page.locator(".lanes .lane").nth(3).blur()
    page.wait_for_function("svmviz.lit === null")


def test_the_field_is_one_click_away_from_any_race(race):  # noqa: F811
    page = race("data=moons&n=40&lanes=pegasos&seeds=1&length=100", seeds=1)
    page.get_by_role("button", name=field.TITLE).click()
    page.wait_for_function("count => svmviz.lanes.length === count && !svmviz.data.stale", arg=len(CARD.rivals), timeout=COLD)
    assert look(page, "axes") == field.VIEW
    expect(page.locator(".lanes .group")).to_have_count(len(field.OVERFLOWS))
