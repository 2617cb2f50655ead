"""Quiz me in a real browser: right and wrong, by pointer and by keyboard alone, on a phone, before
an audience; and that nobody sees the answer before.
"""

import json

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from tests.browser.page import MOONS, PHONE, is_no_wider, look, slider, until
from tests.browser.test_axe import ALL, FOUND, NOT_OURS

pytestmark = pytest.mark.long

BASIN = "data=banana&n=80&data_seed=4&solver=sbp&nu=0.05&kernel=rbf(gamma=1.0)&seed=1&T=120&t=20"
MERGING = (
    "solver=bsgd&data=checkerboard&n=400&seed=7&T=400&lam=0.001&B=20&kernel=rbf(gamma=3.0)&t=340"
)
ASK = """kind => {
    const { quiz, run, t } = svmviz;
    quiz.counts = new Map(run.questions.map(question => [question.kind, question.kind === kind ? 0 : 9]));
    quiz.put(quiz.later(t));
}"""  # the next question of this kind


def begun(page, kind: str = "") -> dict:
    """The quiz is on, with a question that is open."""
    page.keyboard.press("q")
    until(page, "svmviz.quiz.on && svmviz.asking?.open")
    if kind:
        page.evaluate(ASK, kind)
        until(page, "svmviz.asking.asked.kind === value", kind)
    return page.evaluate(
        "(({ t, truth, form, options }) => ({ t, truth, form, options }))(svmviz.asking.asked)"
    )


def score(page):
    return page.locator(".count .score")


def told(page):
    return page.locator(".verdict")


def checked(page, t: int, whole: bool = False) -> None:
    """The step was played: to its end, or as far as all is as the question found it."""
    until(page, "svmviz.t === value && !svmviz.stepping", t)
    assert (look(page, "phase") == 1) == whole


def test_a_right_answer_by_pointer(visit):
    page = visit(BASIN)
    page.get_by_role("button", name="Quiz me").click()
    until(page, "svmviz.asking?.open")
    asked = page.evaluate("({ ...svmviz.asking.asked })")
    assert asked["kind"] == "wet"
    check = page.get_by_role("button", name="Check")
    expect(check).to_be_disabled()
    first, *rest = asked["truth"]
    place = page.evaluate(
        """k => {
        const { plane, asking } = svmviz, [x, y] = asking.asked.options[k].place;
        const box = plane.sheet.canvas.getBoundingClientRect();
        return [box.left + plane.x(x), box.top + plane.y(y)];
    }""",
        first,
    )
    page.mouse.click(*place)  # on the plane
    until(page, "svmviz.asking.picks.includes(value)", first)
    for k in rest:  # in the list
        page.locator(".answer").nth(k).click()
    expect(page.get_by_role("button", name=f"Check {len(asked['truth'])} picks")).to_be_enabled()
    page.get_by_role("button", name="Check").click()
    checked(page, 21)
    expect(told(page)).to_contain_text("found, none too many.")
    expect(score(page)).to_have_text("1 of 1 right")
    expect(page.locator('.answer[data-state="found"]')).to_have_count(len(asked["truth"]))
    assert page.evaluate("svmviz.frame.dataset.covers === undefined")
    page.get_by_role("button", name="Next question").click()
    until(page, "svmviz.asking?.open && svmviz.asking.asked.t >= 21")
    page.get_by_role("button", name="End", exact=True).click()
    until(page, "!svmviz.quiz.on && svmviz.asking === null && svmviz.limit === Infinity")


def test_a_wrong_answer_by_keyboard_alone_and_nobody_goes_past(visit):
    page = visit(BASIN)
    asked = begun(page)
    for key in ("ArrowRight", "Space", "End", ".", "Shift+ArrowRight"):
        page.keyboard.press(key)
        expect(page.locator(".toast")).to_have_text("Check your answer first")
        assert look(page, "t") == 20 and not look(page, "playing")
    box = page.locator(".scrub").bounding_box()
    page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2)
    chart = page.locator("section.curves canvas").bounding_box()
    page.mouse.click(chart["x"] + 0.8 * chart["width"], chart["y"] + chart["height"] / 2)
    assert look(page, "t") == 20
    page.keyboard.press("ArrowLeft")  # looking back is no secret
    until(page, "svmviz.t === 19")
    page.keyboard.press("ArrowRight")
    checked(page, 20, whole=True)
    for name in ("mechanism", "numbers"):
        assert name in look(page, "frame.dataset.covers")
    wrong = next(k for k in range(6) if k not in asked["truth"])
    page.keyboard.press(str(wrong + 1))
    expect(page.locator(".answer").nth(wrong)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    checked(page, 21)
    expect(told(page)).to_contain_text("one too many.")
    expect(told(page)).to_be_focused()
    expect(page.locator(".answer").nth(wrong)).to_have_attribute("data-state", "extra")
    expect(score(page)).to_have_text("0 of 1 right")
    page.keyboard.press("Enter")  # on to the next
    until(page, "svmviz.asking?.open")
    assert look(page, "t") >= 21
    page.keyboard.press("q")
    until(page, "!svmviz.quiz.on")
    expect(score(page)).to_be_hidden()
    t = look(page, "t")
    page.keyboard.press("ArrowRight")
    checked(page, t + 1, whole=True)


INKS = """() => {  // colours of a chart in the columns after the present step, away from the words in their middle
    const { curves, t, run } = svmviz, { sheet, bottom, axes } = curves, { ratio, w } = sheet;
    const from = (curves.x(run.axes[axes.x](t)) + 4) * ratio, half = bottom * ratio / 2 - 14 * ratio;
    const { data } = sheet.g.getImageData(from, 4, w * ratio - from, half);
    return new Set(new Uint32Array(data.buffer)).size;
}"""


@pytest.mark.parametrize(
    "query", [BASIN, "solver=incremental&t=20"]
)  # a chart of layers, and one that a panel paints
def test_no_curve_shows_what_comes_after_the_step_that_is_asked_about(visit, query):
    page = visit(query)
    until(page, f"({INKS})() > 3")
    begun(page)
    page.evaluate(ASK, "wet" if "sbp" in query else "alpha")
    until(page, f"svmviz.asking.open && !svmviz.asking.covers('curves') && ({INKS})() === 1")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    until(page, f"svmviz.asking.verdict && ({INKS})() > 3")


def test_a_pair_is_drawn_by_pointer_and_by_keys(visit):
    page = visit(MERGING)
    asked = begun(page, "pair")
    ends = page.evaluate(
        """rows => {
        const { plane, run } = svmviz, box = plane.sheet.canvas.getBoundingClientRect();
        return rows.map(row => [box.left + plane.x(run.points[2 * row]), box.top + plane.y(run.points[2 * row + 1])]);
    }""",
        asked["truth"],
    )
    page.mouse.move(*ends[0])
    page.mouse.down()
    page.mouse.move(*ends[1], steps=4)
    page.mouse.up()
    until(page, "svmviz.asking.picks.length === 2")
    page.keyboard.press("m")
    page.keyboard.press("Escape")  # ends the walk among vectors, not the quiz
    until(page, "!svmviz.asking.moving")
    assert look(page, "quiz.on") and look(page, "plane.tip.hidden")
    page.keyboard.press("Enter")
    checked(page, asked["t"] + 1)
    expect(told(page)).to_contain_text("The solver's pair.")
    expect(page.locator("table.cost")).to_contain_text("cost ‖Δ‖²")
    page.evaluate(ASK, "pair")
    until(page, "svmviz.asking.open")
    for key in ("m", "ArrowRight", "ArrowRight", "Enter", "ArrowRight", "Enter", "Enter"):
        page.keyboard.press(key)
    until(page, "svmviz.asking.verdict")
    expect(score(page)).to_contain_text("of 2")


def test_the_line_is_dragged_and_may_be_turned_by_keys(visit):
    page = visit(MOONS + "&t=9")
    begun(page, "line")
    start = page.evaluate("svmviz.asking.asked.line.start.angle")
    page.keyboard.press("m")
    page.keyboard.press("ArrowLeft")
    until(page, "svmviz.asking.straight?.angle > value", start)
    assert look(page, "t") == look(page, "asking.asked.t")  # the arrows were not the stage's
    page.evaluate("""() => {
        const { asking } = svmviz, { angle, offset } = asking.asked.truth;
        asking.lay(angle, [offset * Math.cos(angle), offset * Math.sin(angle)]);
    }""")
    page.keyboard.press("Enter")
    until(page, "svmviz.asking.verdict")
    expect(told(page)).to_contain_text("Close.")


def test_escape_ends_it_and_then_what_was_before(visit):
    page = visit(BASIN)
    page.keyboard.press("f")
    begun(page)
    page.keyboard.press("Escape")
    until(page, "!svmviz.quiz.on && svmviz.asking === null && svmviz.limit === Infinity")
    assert look(page, "presenting")
    page.keyboard.press("Escape")
    until(page, "!svmviz.presenting")


@pytest.mark.parametrize("key", ["perceptron", "incremental", "smo"])
def test_every_solver_asks_one_question_after_the_other(visit, key):
    page = visit(f"solver={key}&data=moons&n=60&seed=2&T=120&t=8")
    begun(page)
    for _ in range(4):
        t = look(page, "asking.asked.t")
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        until(page, "svmviz.asking.verdict && !svmviz.stepping")
        page.keyboard.press("Enter")
        until(page, "svmviz.asking?.open")
        assert look(page, "asking.asked.t") > t
    expect(score(page)).to_contain_text("of 4")


def test_another_run_is_asked_about_anew(visit):
    page = visit(BASIN)
    begun(page)
    slider(page, "slack ν").press("ArrowRight")
    until(
        page, "svmviz.run.segments.length === 2 && svmviz.asking?.open && svmviz.limit === svmviz.t"
    )
    page.locator(".stage").focus()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    until(page, "svmviz.asking.verdict")


def test_on_a_phone_answers_are_keys_that_a_finger_meets(visit):
    page = visit(BASIN, has_touch=True, **PHONE)
    page.get_by_role("button", name="Quiz me").tap()
    until(page, "svmviz.asking?.open")
    for k, box in enumerate(page.locator(".answer").all()):
        size = box.bounding_box()
        assert size["height"] >= 48 and size["width"] >= 44, k
    is_no_wider(page)
    for k in look(page, "asking.asked.truth"):
        page.locator(".answer").nth(k).tap()
    page.get_by_role("button", name="Check").tap()
    until(page, "svmviz.asking.verdict?.right")
    expect(told(page)).to_be_in_viewport()
    expect(page.get_by_role("button", name="Next question")).to_be_visible()


def test_before_an_audience_enter_reveals(visit):
    page = visit(BASIN, reduced_motion="reduce")
    page.keyboard.press("f")
    begun(page)
    page.keyboard.press("Enter")  # nobody has answered
    checked(page, 21)
    expect(told(page)).to_contain_text("The answer:")
    expect(score(page)).to_be_hidden()  # and nothing is counted
    page.keyboard.press("Enter")
    until(page, "svmviz.asking?.open")
    assert look(page, "presenting")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_nothing_to_say_of_a_question_or_its_verdict(visit, scheme):
    page = visit(BASIN, color_scheme=scheme, reduced_motion="reduce")
    page.evaluate(AXE_SCRIPT)
    begun(page)
    page.keyboard.press("1")
    for _ in range(2):
        until(page, "!svmviz.stepping")
        found = page.evaluate(FOUND, [ALL, NOT_OURS])
        assert not found, json.dumps(found, indent=1)
        page.keyboard.press("Enter")
