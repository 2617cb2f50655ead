"""The race in a real browser: lanes at one cost, axis and metric, bands that come in, stopping,
opening a lane.
"""

import csv
import re
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect

from svmviz.race import card as racecard
from svmviz.solvers import SOLVERS
from tests.browser.page import FIVE, RACE, button, film, is_no_wider, look, quiet, slider, until
from tests.conftest import COLD

SLOW = (
    "data=moons&n=1500&lam=0.001&kernel=rbf(gamma=4.0)&length=20000&seeds=8"
    "&lanes=pegasos,sbp,pegasos-average,sbp-last,pegasos-k10"
)
STOP_AT_ONCE = """() => {
    const button = () => document.querySelector(".st-key-race-stop button");
    const click = () => button() && (watch.disconnect(), button().click());
    const watch = new MutationObserver(click);
    watch.observe(document.body, {subtree: true, childList: true, characterData: true});
    click();
}"""  # a hand from outside may come too late: fast machines are done within a second or two


def scrubber(page):
    return page.get_by_role("slider", name="Cost", exact=True)


def choice(page, name: str):
    return page.get_by_role("radio", name=name, exact=True)


def stop(page):
    return page.get_by_role("button", name="Stop", exact=True)


def steps(page) -> list[int]:
    return look(page, "lanes.map(lane => lane.t)")


def paid(page) -> list[list[float]]:
    """For each lane what its step cost on the axis shown, what the next one would, and what there
    is to spend.
    """
    return look(
        page,
        "lanes.map(lane => [0, 1].map(k => lane.run.axes[svmviz.axes.x](Math.min(lane.t + k,"
        " lane.run.T))).concat(svmviz.cost))",
    )


@pytest.mark.always
def test_five_lanes_stand_at_the_same_cost(race):
    page = race()
    expect(page.locator(".lane")).to_have_count(5)
    expect(page.locator(".paper")).to_contain_text("numbers the median of 3 seeds")
    for t in (0, 40, look(page, "run.T")):
        page.evaluate("t => svmviz.seek(t, true)", t)
        until(page, "svmviz.t === value && !svmviz.playing", t)
        page.wait_for_function("draws => svmviz.draws > draws", arg=look(page, "draws") - 1)
        until(
            page, "svmviz.lanes.every(lane => lane.t === lane.stepAt(svmviz.axes.x, svmviz.cost))"
        )
        for now, after, cost in paid(page):
            assert now <= cost * (1 + 1e-9) and (
                after > cost or after == now or t == look(page, "run.T")
            )
    assert len({*steps(page)}) > 2, "equal cost is not equal steps"


def cells(page, key: str, t: int | None = None) -> tuple[int, np.ndarray, np.ndarray]:
    """The step of a lane, or this one, the places of its plane's cells, and f there."""
    shown = page.evaluate(
        """([key, given]) => {
        const lane = svmviz.lanes.find(lane => lane.spec.key === key);
        const { xs, ys } = lane.world.grid;
        const t = given ?? lane.t;
        return { t, xs: [...xs], ys: [...ys], field: [...lane.engine.state(t, 0).field] };
    }""",
        [key, t],
    )
    return (
        shown["t"],
        np.array([[x, y] for y in shown["ys"] for x in shown["xs"]]),
        np.array(shown["field"]),
    )


def test_the_planes_agree_with_python(race):
    page = race()
    card = racecard.read(dict(parse_qsl(FIVE)))[0]
    page.evaluate("svmviz.seek(60, true)")
    until(page, "svmviz.lanes.every(lane => lane.t === lane.stepAt(svmviz.axes.x, svmviz.cost))")
    for k, lane in enumerate(card.line_up()):
        t, places, f = cells(page, lane.key)
        trace = SOLVERS[lane.solver].trace(card.problem, lane.steps, 0, **lane.params)
        assert f == pytest.approx(trace.f(t, places), abs=1e-4)
        if lane.key == "sbp":
            factor = page.evaluate("k => svmviz.lanes[k].factor(svmviz.lanes[k].t)", k)
            assert factor == pytest.approx(1 / trace.scalars["level_average"][t], rel=1e-5)


def test_one_scrubber_moves_all_lanes_and_the_words(race):
    page = race()
    page.keyboard.press("Home")
    until(page, "svmviz.t === 0")
    before, words = steps(page), page.locator(".lane .foot").all_inner_texts()
    box = scrubber(page).bounding_box()
    page.mouse.click(box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2)
    until(page, "svmviz.t === Math.round(.8 * svmviz.run.T)")
    until(page, "svmviz.lanes.every((lane, k) => lane.t > value[k])", before)
    assert all(
        a != b for a, b in zip(words, page.locator(".lane .foot").all_inner_texts(), strict=True)
    )
    expect(scrubber(page)).to_have_attribute(
        "aria-valuetext", page.locator(".count .t").inner_text() + " evaluations"
    )
    until(page, "new URL(location).searchParams.get('t') === String(svmviz.t)")


@pytest.mark.long
def test_another_axis_another_cost(race):
    page = race()
    for name, axis in [
        ("updates", "steps"),
        ("features read", "features_read"),
        ("seconds", "seconds"),
        ("epochs", "epochs"),
    ]:
        choice(page, name).click()
        until(page, "svmviz.axes.x === value", axis)
        expect(choice(page, name)).to_have_attribute("aria-checked", "true")
        expect(page.locator(".numbers dt").last).to_have_text(name)
        until(
            page, "svmviz.lanes.every(lane => lane.t === lane.stepAt(svmviz.axes.x, svmviz.cost))"
        )
        assert all(now <= cost * (1 + 1e-9) for now, _, cost in paid(page))
    choice(page, "updates").click()
    until(page, "new Set(svmviz.lanes.map(lane => lane.t)).size === 1")
    quiet(page)
    until(page, "new URL(location).searchParams.get('x') === 'steps'")


def test_another_metric(race):
    page = race()
    for name, title in [
        ("test error", "Test error"),
        ("γ(w)", "Margin after slack"),
        ("vectors", "Support vectors"),
    ]:
        choice(page, name).click()
        expect(page.locator(".chart h3 b")).to_have_text(title)
    expect(choice(page, "gap")).to_have_count(
        int(any(SOLVERS[key].goal.dual for key in ("pegasos", "sbp")))
    )
    choice(page, "test error").click()
    expect(page.locator(".chart .caption")).to_contain_text("1000 fresh points")


@pytest.mark.long
def test_keys_play_and_step_and_stay_out_of_fields(race):
    page = race()
    page.keyboard.press("Home")
    for key, t in [
        ("ArrowRight", "1"),
        ("ArrowRight", "2"),
        ("ArrowLeft", "1"),
        ("End", "svmviz.run.T"),
        ("Shift+ArrowLeft", "svmviz.run.T - Math.round(svmviz.run.T / 10)"),
        ("Home", "0"),
    ]:
        page.keyboard.press(key)
        until(page, f"svmviz.t === {t}")
    page.keyboard.press("Space")
    until(page, "svmviz.playing && svmviz.t > 3")
    page.keyboard.press("Space")
    until(page, "!svmviz.playing && Number.isInteger(svmviz.t)")
    quiet(page)
    still = film(page, 10)
    assert all(frame["draws"] == still[3]["draws"] for frame in still[3:]), (
        "nothing is drawn after Pause"
    )
    page.keyboard.press("m")
    until(page, "svmviz.axes.y === 'error'")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("next cost axis")
    button(page, "Close").click()
    t = look(page, "t")
    page.get_by_role("spinbutton", name="data seed").click()
    page.keyboard.press("Home")
    page.keyboard.press("m")
    assert look(page, "t") == t and look(page, "axes.y") == "error"


@pytest.mark.long
def test_a_race_can_be_stopped_and_gone_on_with(race):
    page = race(SLOW, seeds=1)  # shown as soon as seed 0 is there
    page.evaluate(STOP_AT_ONCE)
    expect(button(page, "Run the other")).to_be_visible(timeout=COLD)
    quiet(page)
    seeds = 8 - int(re.search(r"\d+", button(page, "Run the other").inner_text())[0])
    assert 1 <= seeds < 8
    until(page, "svmviz.data.seeds === value", seeds)
    expect(stop(page)).to_have_count(0)
    page.keyboard.press("Home")
    until(page, "svmviz.t === 0")
    quiet(page)
    assert look(page, "data.seeds") == seeds, "stopped means stopped"
    button(page, "Run the other").click()
    page.wait_for_function("svmviz.data.seeds === 8", timeout=COLD)
    expect(button(page, "Run the other")).to_have_count(0)


def test_a_click_opens_the_run_in_the_playground(race):
    page = race()
    page.evaluate("svmviz.seek(70, true)")
    until(page, "svmviz.lanes[1].t === svmviz.lanes[1].stepAt(svmviz.axes.x, svmviz.cost)")
    quiet(page)
    t = steps(page)[1]
    page.evaluate("globalThis.left = svmviz")
    page.locator(".lane").nth(1).click()
    until(
        page,
        "svmviz?.run?.solver?.key === 'sbp' && svmviz.run.segments && svmviz.t === value &&"
        " svmviz.draws > 0",
        t,
    )
    until(page, "left.gone")  # it hears no more keys
    quiet(page)
    query = dict(parse_qsl(urlsplit(page.url).query))
    card = racecard.read(dict(parse_qsl(FIVE)))[0]
    assert (
        query["solver"] == "sbp"
        and query["iterate"] == "average"
        and float(query["nu"]) == pytest.approx(card.nu)
    )
    page.get_by_role("link", name="Race", exact=True).click()
    until(page, "svmviz?.lanes?.length === 5 && svmviz.t === 70")


@pytest.mark.long
def test_back_from_a_lane_that_was_opened_leads_to_the_race_as_it_was(race):
    page = race()
    page.evaluate("svmviz.seek(70, true)")
    until(page, "new URL(location).searchParams.get('t') === '70'")
    quiet(page)
    link = page.url
    page.locator(".lane").nth(1).click()
    until(
        page,
        "location.pathname !== '/race' && svmviz?.run?.solver?.key === 'sbp' && svmviz.draws > 0",
    )
    quiet(page)
    page.go_back()
    until(page, "svmviz?.lanes?.length === 5 && svmviz.t === 70")
    until(page, "location.href === value", link)
    quiet(page)
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    assert look(page, "lanes.map(lane => lane.spec.key)") == [
        "pegasos",
        "sbp",
        "pegasos-average",
        "sbp-last",
        "pegasos-k10",
    ]


@pytest.mark.long
def test_lanes_come_and_go_and_the_link_restores_the_race(race):
    page = race(f"{RACE}&lanes=pegasos,sbp")
    page.get_by_test_id("stSidebar").get_by_text("Pegasos, average").click()
    until(page, "svmviz.lanes.length === 3 && svmviz.data.seeds === 3")
    page.evaluate("svmviz.seek(1, true)")
    until(page, "new URL(location).searchParams.get('t') === '1'")
    quiet(page)
    link = page.url
    other = race(urlsplit(link).query)
    assert look(other, "lanes.map(lane => lane.spec.key)") == ["pegasos", "sbp", "pegasos-average"]
    assert look(other, "t") == 1 and look(other, "axes") == look(page, "axes")


# Names and figures of lanes that are cut, or lie over the lane beside them.
CUT = """() => svmviz.lanes.flatMap(({ box }) => [...box.querySelectorAll("b, .error, .vectors")]
    .filter(e => {
        const range = document.createRange();
        range.selectNodeContents(e);
        const words = range.getBoundingClientRect(), lane = box.getBoundingClientRect(), view = box.querySelector(".view");
        const line = e.closest(".head") ? view.getBoundingClientRect().top : lane.bottom;
        return words.right > lane.right + 1 || words.bottom > line + 1 || e.scrollWidth > e.clientWidth + 1 && e.clientWidth;
    }).map(e => e.textContent)).concat([...svmviz.frame.querySelectorAll(".caption, .paper, .legend")]
    .filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent))"""


@pytest.mark.long
def test_names_are_whole_and_words_follow_the_numbers(race):
    page = race(f"{RACE}&lanes=pegasos,smo,fourier,bsgd,incremental,pegasos-average&t=2")
    for size, presenting in [
        ((1440, 900), False),
        ((1024, 768), False),
        ((1024, 768), True),
        ((1440, 900), True),
        ((390, 844), False),
    ]:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate("on => { if (svmviz.presenting !== on) svmviz.present(); }", presenting)
        until(page, "innerWidth === value", size[0])
        page.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        assert page.evaluate(CUT) == [], (size, presenting)
    page.set_viewport_size({"width": 1440, "height": 900})
    paper, chart, legend = (
        page.locator(place) for place in (".paper", ".chart .caption", ".legend")
    )

    # One vector; an optimum that is not proven.
    page.evaluate("""() => {
        svmviz.data[`${svmviz.axes.x}.pegasos.n_sv`].fill(1);
        svmviz.data.optimum.unproven = .0131;
        svmviz.repaint();
    }""")
    expect(page.locator(".lane .vectors").first).to_have_text("1 vector")
    expect(page.locator(".lane .gap").first).to_contain_text("P − P* ≈")
    expect(page.locator(".numbers dt").first).to_have_text("P*, within 0.013")
    expect(chart).to_contain_text(re.compile(r"with P\* = 0\.\d+ within 0\.013"))

    # Another axis, other lanes: who ends it is said.
    ends = "svmviz.data.ends[svmviz.axes.x]"
    first = page.evaluate(f"svmviz.lanes.find(lane => lane.spec.key === {ends}).spec.title")
    expect(legend).to_contain_text(f"{first} ends first, after")
    at = look(page, "x.at(-1)")
    page.get_by_test_id("stSidebar").get_by_text(first, exact=True).click()
    until(page, "svmviz.lanes.length === 5 && svmviz.data.seeds === 3")
    other = page.evaluate(f"svmviz.lanes.find(lane => lane.spec.key === {ends}).spec.title")
    assert look(page, "x.at(-1)") != at and other != first
    expect(legend).to_contain_text(f"{other} ends first, after")
    quiet(page)


@pytest.mark.long
def test_until_the_new_race_is_there_the_old_one_says_that_it_is_old(race):
    page = race(SLOW.replace("seeds=8", "seeds=1"), seeds=1)
    page.evaluate("""() => {
        const { frame } = svmviz, [paper, spoken] = [".paper", ".spoken"].map(place => frame.querySelector(place));
        globalThis.said = [];
        const note = () => said.push([paper.textContent, spoken.textContent, frame.className]);
        new MutationObserver(note).observe(frame, { subtree: true, childList: true, characterData: true, attributes: true });
    }""")
    slider(page, "regularisation λ").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "Number(svmviz.data.query.lam) > .001 && !svmviz.data.stale", timeout=COLD
    )
    old = [
        frame
        for frame in page.evaluate("said")
        if frame[0].startswith("Result of λ = 0.001; running λ = 0.00")
    ]
    assert (
        old
        and all("stale" in name for *_, name in old)
        and any("Result of λ" in spoken for _, spoken, _ in old)
    )
    expect(page.locator(".paper")).to_contain_text("equal cost for all")
    quiet(page)


@pytest.mark.long
def test_the_curves_can_be_taken_away(race):
    page = race()
    with page.expect_download() as download:
        button(page, "Curves as CSV").click()
    rows = list(csv.DictReader(download.value.path().read_text().splitlines()))
    assert {row["lane"] for row in rows} == set(look(page, "lanes.map(lane => lane.spec.key)"))


@pytest.mark.parametrize(
    "size, scrolls", [((1440, 900), False), ((1024, 768), False), ((390, 844), True)], ids=str
)
def test_it_fits(race, size, scrolls):
    page = race(viewport={"width": size[0], "height": size[1]})
    main = "document.querySelector('[data-testid=stMain]')"
    is_no_wider(page)
    assert (page.evaluate(f"{main}.scrollHeight - {main}.clientHeight") > 2) == scrolls
    box = button(page, "Play (Space)").bounding_box()
    assert box["y"] + box["height"] <= size[1] and box["x"] >= 0
