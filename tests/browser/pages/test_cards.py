"""A card beside its stage at three sizes: all of its height is used, the verdict can be read, words
and picture are of one state, and nothing that is written on a canvas is cut.
"""

import pytest
from playwright.sync_api import expect

from svmviz import lessons
from tests.browser.page import PHONE, look, quiet, until
from tests.browser.pages.test_lessons import ANSWER, on_card
from tests.tools.variants import seldom

SIZES = {
    "wide": {},
    "slim": {"viewport": {"width": 1024, "height": 768}},
    "phone": {**PHONE, "has_touch": True},
}
BOXES = """() => Object.fromEntries(Object.entries({
    card: ".card", scroll: ".card .scroll", moves: ".card .moves", tally: ".card .tally", verdict: ".card .verdict",
    plane: "section.plane canvas", mechanism: "section.mechanism canvas", rack: ".view.rack"
}).flatMap(([name, where]) => {
    const part = svmviz.root.querySelector(where);
    if (!part?.offsetParent && name !== "card") return [];
    const { top, bottom, height } = part.getBoundingClientRect();
    return [[name, { top, bottom, height, more: part.scrollHeight - part.clientHeight }]];
}))"""
# whatever is written on a canvas must be inside it, and what begins on the plane inside the plane
CUT = """(() => {
  const fill = CanvasRenderingContext2D.prototype.fillText;
  globalThis.cutWords = new Set();
  CanvasRenderingContext2D.prototype.fillText = function (words, x, y, ...more) {
    const m = this.measureText(words), { a: s } = this.getTransform(), { canvas } = this, plane = globalThis.svmviz?.plane;
    const left = x - m.actualBoundingBoxLeft, right = x + m.actualBoundingBoxRight;
    const top = y - m.actualBoundingBoxAscent, bottom = y + m.actualBoundingBoxDescent;
    const frames = [[0, canvas.width / s, 0, canvas.height / s]];
    if (plane?.frame && plane.sheet.canvas === canvas && bottom < plane.frame.h + 1 && right > plane.frame.left + 1)
      frames.push([plane.frame.left, plane.frame.left + plane.frame.w, 0, plane.frame.h]);
    for (const [l, r, t, b] of frames)
      if (canvas.isConnected && Math.max(l - left, right - r, t - top, bottom - b) > 1) cutWords.add(words);
    return fill.call(this, words, x, y, ...more);
  };
})()"""
PLACE = """i => {
    const { plane, run } = svmviz, box = plane.sheet.canvas.getBoundingClientRect();
    return [box.left + plane.x(run.points[2 * i]), box.top + plane.y(run.points[2 * i + 1])];
}"""


def answered(page, right: bool = False) -> None:
    until(page, "svmviz.asker.open")
    page.evaluate(ANSWER, right)
    page.locator(".card .on").click()
    until(page, "svmviz.asker.verdict && !svmviz.stepping")


@pytest.mark.parametrize(
    "size",
    [size if size == "wide" else pytest.param(size, marks=pytest.mark.long) for size in SIZES],
)
@pytest.mark.parametrize(("key", "card"), seldom([("sbp", 3), ("sbp", 9), ("bsgd", 7)]))
def test_a_card_has_the_whole_height_and_its_verdict_is_in_sight(study, key, card, size):
    page = study(f"lesson={key}&card={card}", **SIZES[size])
    answered(page)
    boxes, height = page.evaluate(BOXES), page.viewport_size["height"]
    assert abs(boxes["card"]["bottom"] - height) < 1
    assert (
        page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") <= height
        or size == "phone"
    )
    last = boxes.get("tally", boxes["moves"])
    assert (
        height - 24 < last["bottom"] <= height
        and abs(boxes["scroll"]["bottom"] - boxes["moves"]["top"]) < 1
    )
    assert (
        boxes["scroll"]["top"] <= boxes["verdict"]["top"]
        and boxes["verdict"]["bottom"] <= boxes["scroll"]["bottom"] + 1
    )
    if size == "wide":
        assert boxes["scroll"]["more"] <= 0, "there is room for all of it"


@pytest.mark.parametrize(
    ("key", "card", "panel"),
    [
        ("sbp", 3, "mechanism"),
        *(
            pytest.param(*what, marks=pytest.mark.long)
            for what in [
                ("sbp", 9, "mechanism"),
                ("bsgd", 5, "rack"),
                ("bsgd", 7, "mechanism"),
                ("pegasos", 9, "mechanism"),
                ("simba", 4, "mechanism"),
                ("incremental", 9, "mechanism"),
            ]
        ),
    ],
)
def test_on_a_phone_the_mechanism_is_seen_above_the_verdict(study, key, card, panel):
    page = study(f"lesson={key}&card={card}", **SIZES["phone"])
    answered(page)
    boxes = page.evaluate(BOXES)
    assert boxes["card"]["height"] <= 0.5 * page.viewport_size["height"]
    for box in (boxes["plane"], boxes[panel]):
        assert box["height"] > 90 and box["top"] >= 0 and box["bottom"] <= boxes["card"]["top"] + 1
    page.locator(".card .grip").click()
    expect(page.locator(".card .tally")).to_be_visible()  # the whole card


@pytest.mark.parametrize("motion", seldom(["no-preference", "reduce"]))
def test_words_and_picture_are_of_the_state_that_was_asked_about(study, motion):
    page = study("lesson=sbp&card=3", reduced_motion=motion)
    wet = look(page, "view().now.k")
    answered(page, right=True)
    assert (
        look(page, "t") == 21
        and look(page, "view().shown") == 0
        and look(page, "view().now.k") == wet
    )
    expect(page.locator(".numbers dd").first).to_have_text(f"{wet} / 80")
    expect(page.locator(".card .verdict")).to_contain_text(f"Of the {wet} under water")
    expect(page.locator(".card .after")).to_contain_text(f"Each of the {wet} points under water")
    assert look(page, "asker.here")
    take = page.get_by_role("button", name="Take the step")
    take.click()
    until(page, "svmviz.phase === 1 && !svmviz.stepping && svmviz.view().now.k !== value", wet)
    assert look(page, "t") == 21 and not look(page, "asker.here")  # the badges are gone
    expect(take).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    until(page, "svmviz.t === 20 && svmviz.asker.here")


def test_the_rack_holds_those_who_are_there_before_somebody_comes(study):
    page = study("lesson=bsgd&card=3")
    answered(page)
    assert look(page, "view().shown") == 0
    weights = look(page, "mechanism.rack.rows.map(row => svmviz.view().now.coef[row])")
    assert len(weights) == 20 and all(weights)
    expect(page.locator("section.plane h3 .caption")).to_contain_text("20 vectors before step 36")


def test_what_is_covered_leaves_no_name_without_its_value_and_no_panel_without_its_title(study):
    page = study("lesson=incremental&card=3")
    until(page, "svmviz.asker.open")
    expect(page.locator(".numbers dt").first).to_be_hidden()
    expect(page.locator("section.mechanism b").filter(visible=True)).to_have_text(["Stream"])
    page.evaluate("svmviz.go(8)")
    on_card(page, 8)
    until(page, "svmviz.asker.open")
    expect(page.locator("section.mechanism b").filter(visible=True)).to_have_text(["Pool of 30"])
    expect(page.locator(".card .answer .words").first).to_contain_text("machine says")


def test_a_step_that_takes_everybody_rings_nobody(study):
    page = study("lesson=svm&card=5")
    assert look(page, "view().values.k") == 40 and look(page, "view().drawn") == []
    expect(page.locator("section.plane .key .now")).to_be_hidden()


def test_a_tap_tells_whether_a_point_is_under_water(study):
    page = study("lesson=sbp&card=1", **SIZES["phone"])
    i = look(page, "view().drawn[0]")
    page.touchscreen.tap(*page.evaluate(PLACE, i))
    c, wet = page.evaluate(
        "i => { const { now } = svmviz.view(); return [now.c[i], now.wet[i]]; }", i
    )
    expect(page.locator("section.plane .tip")).to_contain_text(
        f"c = {c:.3f}, {'under water' if wet else 'dry'}"
    )
    assert look(page, "linked") == i


def test_the_dot_of_the_present_card_begins_it_anew(study):
    page = study("lesson=sbp&card=3")
    answered(page)
    page.locator(".dots .here").click()
    until(page, "svmviz.asker.open && svmviz.t === 20")
    expect(page.locator(".card .answer")).to_have_count(6)


@pytest.mark.long
@pytest.mark.parametrize("size", ["wide", "phone"])
@pytest.mark.parametrize("key", lessons.LESSONS)
def test_no_word_on_a_canvas_is_cut(study, key, size):
    page = study(f"lesson={key}&card=1", **SIZES[size])
    page.evaluate(CUT)
    for k in range(len(lessons.lesson(key).cards)):
        page.evaluate("k => svmviz.go(k)", k)
        on_card(page, k)
        quiet(page)
        draws = page.evaluate("() => { cutWords.clear(); svmviz.repaint(); return svmviz.draws; }")
        until(page, "svmviz.draws > value", draws)
        assert not page.evaluate("[...cutWords]"), f"card {k + 1}"


LIT = """name => {
    const { lighting, plane, mechanism } = svmviz;
    const sheet = name === "drawn" ? plane.sheet : mechanism.sheet, cover = lighting.covers.get(sheet);
    const { width, height } = cover;
    const [all, shown] = [sheet.canvas, cover].map(c => c.getContext("2d").getImageData(0, 0, width, height).data);
    const said = sheet.g.written.find(({ words }) => words === (name === "drawn" ? `i = ${svmviz.view().drawn[0] + 1}` : name));
    const g = document.createElement("canvas").getContext("2d");
    g.font = said.font;
    g.textAlign = said.align;
    const m = g.measureText(said.words), lit = [];
    for (let x = said.x - m.actualBoundingBoxLeft; x < said.x + m.actualBoundingBoxRight; x++)
        for (let y = said.y - m.actualBoundingBoxAscent; y < said.y; y++) {
            const at = 4 * (Math.round(y * sheet.ratio) * width + Math.round(x * sheet.ratio)) + 3;
            if (all[at]) lit.push(shown[at] === all[at]);
        }
    return lit;
}"""


@pytest.mark.parametrize(
    ("query", "words"), [("lesson=sbp&card=2", "level γ"), ("lesson=pegasos&card=1", "drawn")]
)
def test_words_that_the_light_meets_are_lit_whole(study, query, words):
    lit = study(query).evaluate(LIT, words)
    assert len(lit) > 50 and all(lit)
