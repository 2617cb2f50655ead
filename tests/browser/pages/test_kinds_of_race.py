"""Races of real targets, of several classes and of sentences in a real browser."""

import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
from playwright.sync_api import expect

from svmviz.race import card as racecard
from svmviz.race import start
from tests.browser.page import look, quiet, until
from tests.browser.pages.test_race import choice

WAVE = "data=sine&n=80&lam=0.01&kernel=rbf(gamma=2.0)&epsilon=0.2&length=400&seeds=2"
RING = "data=ring&n=90&lam=0.01&kernel=rbf(gamma=1.0)&length=300&seeds=2"
SENTENCES = "data=tagging&n=120&lam=0.05&length=200&seeds=1&lanes=classes,sequences"
STANDING = "svmviz.lanes.every(lane => lane.t === lane.stepAt(svmviz.axes.x, svmviz.cost))"


def agrees(page, link: str) -> None:
    """f of every lane is Python's, at the same cost."""
    card = racecard.read(dict(parse_qsl(link)))[0]
    page.evaluate("svmviz.seek(60, true)")
    until(page, STANDING)
    assert look(page, "lanes.map(lane => lane.spec.key)") == [*card.rivals]
    for k, rival in enumerate(card.line_up()):
        t, f = page.evaluate(
            "k => [svmviz.lanes[k].t, [...svmviz.lanes[k].engine.state(svmviz.lanes[k].t, 0).f]]", k
        )
        mine = start(card.problem, rival, 0).f(t, card.problem.X).reshape(card.problem.n, -1).T
        theirs = np.reshape(f, (len(mine), -1))[
            :, : card.problem.n
        ]  # without places for vectors made on the way
        assert np.allclose(theirs, mine, rtol=1e-4, atol=1e-3), rival.key


def colours(page) -> list[int]:
    return page.evaluate("""() => svmviz.lanes.map(({ sheet: { canvas } }) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size;
    })""")


@pytest.mark.long
def test_a_race_of_real_targets(race):
    page = race(WAVE, seeds=2)
    agrees(page, WAVE)
    assert (
        look(page, "lanes.every(lane => lane.run.graph && lane.world.grid.ys.length === 1)")
        and min(colours(page)) > 10
    )
    expect(page.locator(".lane .error").first).to_have_text(re.compile(r"RMSE \d"))
    expect(page.locator(".numbers")).to_contain_text("RMSE of the optimum")
    choice(page, "RMSE").click()
    expect(page.locator(".chart h3 b")).to_have_text("RMSE on unseen points")
    expect(page.locator(".chart .caption")).to_contain_text("in units of the target")
    expect(choice(page, "γ(w)")).to_have_count(0)
    until(page, "new URL(location).searchParams.get('y') === 'rmse'")
    page.locator(".lane").nth(1).click()
    until(page, "svmviz.run?.solver?.key === 'svr'")
    page.go_back()
    until(page, "svmviz.lanes?.length === 4 && svmviz.axes.y === 'rmse'")
    quiet(page)


@pytest.mark.long
def test_a_race_of_several_classes(race):
    page = race(RING, seeds=2)
    agrees(page, RING)
    assert look(page, "lanes.every(lane => lane.run.scores === 3)") and min(colours(page)) > 10
    expect(page.locator(".lane .gap").first).to_contain_text("P − P* =")
    expect(page.locator(".lane .error").first).to_contain_text("%")


@pytest.mark.long
def test_a_race_of_sentences(race):
    page = race(SENTENCES, seeds=1)
    agrees(page, SENTENCES)
    expect(page.locator(".lane .gap").nth(1)).to_have_text("a P of its own")
    expect(page.locator(".lane .error").nth(1)).to_contain_text("%")
