"""Lessons in the browser: each walked through whole, answered rightly and wrongly, by the keyboard
alone and on a phone; what is left is found again; an own lesson is written, checked and opened.
"""

import re

import pytest
from playwright.sync_api import expect

from svmviz import lessons
from tests.browser.page import PHONE, is_no_wider, look, quiet, until
from tests.conftest import COLD

ANSWER = """right => {
  const { asker } = svmviz, { asked } = asker, { form, truth, options } = asked;
  const other = options.map((_, k) => k).filter(k => ![truth].flat().includes(k));
  if (form === "many") asker.picks = right ? [...truth] : other.slice(0, 1);
  else if (form === "one" || form === "choice") asker.picks = right ? [truth].flat() : other.slice(0, 1);
  else if (form === "pair") asker.picks = right ? [...truth] : wrongPair(asked);
  else if (form === "number") asker.number = right ? truth : asked.range.low;
  else asker.straight = right ? truth : { angle: truth.angle + 1.2, offset: truth.offset };
  asker.show();
  function wrongPair({ options, mates, truth }) {
    for (const { row } of options)
      for (const [k, may] of mates(row).entries())
        if (may && options[k].row !== row && ![row, options[k].row].every(r => truth.includes(r)))
          return [row, options[k].row];
    return [...truth];
  }
}"""


def on_card(page, k: int) -> None:
    """Wait until a card is shown with its text."""
    until(page, "svmviz.k === value && svmviz.ready && svmviz.standing", k)
    expect(page.locator(".card .place")).to_have_text(
        f"{k + 1} of {look(page, 'lesson.cards.length')}"
    )
    expect(page.locator(".card .text")).not_to_contain_text(
        "…"
    )  # it is computed, and so is the optimum


def onward(page, by_keys: bool) -> None:
    if by_keys:
        page.keyboard.press("Enter")
    else:
        page.locator(".card .on").click()


def walk(page, right: bool, by_keys: bool = False) -> list[bool]:
    """From the first card to the last; says which questions were answered rightly."""
    verdicts = []
    for k in range(look(page, "lesson.cards.length")):
        on_card(page, k)
        kind = look(page, f"lesson.cards[{k}].kind")
        if kind == "predict":
            until(page, "svmviz.asker.open")
            t = look(page, "t")
            page.keyboard.press("ArrowRight")
            assert look(page, "t") == t, "the answer can be seen before it is given"
            if by_keys and look(page, "asker.asked.form") in ("many", "one", "choice"):
                page.keyboard.press("1")
            else:
                page.evaluate(ANSWER, right)
            onward(page, by_keys)
            until(page, "svmviz.asker.verdict && !svmviz.stepping && !svmviz.playing")
            verdicts.append(look(page, "asker.verdict.right"))
            expect(page.locator(".card .verdict")).not_to_be_empty()
        elif kind == "task" and right:
            page.evaluate("svmviz.solve()")
            until(page, "svmviz.held")
            expect(page.locator(".card .status")).to_have_text("done")
        if k + 1 < look(page, "lesson.cards.length"):
            page.evaluate("svmviz.playing && svmviz.toggle(false)")
            onward(page, by_keys)
    return verdicts


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(key, marks=pytest.mark.always if key == "sbp" else pytest.mark.long)
        for key in lessons.LESSONS
    ],
)
def test_a_lesson_answered_rightly(study, key):
    page = study(f"lesson={key}&card=1")
    assert all(walk(page, right=True))
    assert page.evaluate(
        "key => JSON.parse(localStorage['svmviz.lessons'])[key].done.length", key
    ) == len(lessons.lesson(key).cards)


@pytest.mark.long
@pytest.mark.parametrize("key", lessons.LESSONS)
def test_a_lesson_answered_wrongly(study, key):
    page = study(f"lesson={key}&card=1", color_scheme="dark")
    assert not all(walk(page, right=False))


@pytest.mark.long
@pytest.mark.parametrize("key", lessons.LESSONS)
def test_a_lesson_by_the_keyboard_alone(study, key):
    walk(study(f"lesson={key}&card=1"), right=True, by_keys=True)


@pytest.mark.long
@pytest.mark.parametrize("key", lessons.LESSONS)
def test_a_lesson_on_a_phone(study, key):
    page = study(f"lesson={key}&card=1", **PHONE)
    walk(page, right=True)
    is_no_wider(page)


def test_who_leaves_and_returns_goes_on_where_he_was(study, server):
    page = study("lesson=sbp&card=2")
    page.locator(".card .on").click()
    on_card(page, 2)
    expect(page).to_have_url(f"{server}/lessons?lesson=sbp&card=3")
    page.locator(".card .leave").click()
    link = page.locator(".lessons a").filter(has_text="The water level")
    expect(link).to_contain_text("Go on")
    link.click()
    on_card(page, 2)
    page.reload()
    page.wait_for_function("globalThis.svmviz?.standing", timeout=COLD)
    on_card(page, 2)


@pytest.mark.long
def test_back_leads_from_card_to_card_and_to_the_list_and_over_a_run_that_was_played(study, server):
    page = study("")
    page.locator(".lessons a").filter(has_text="The water level").click()
    on_card(page, 0)
    page.locator(".card .on").click()
    on_card(page, 1)
    page.get_by_role("button", name="Let me play").click()
    page.get_by_role("link", name="Back to card 2").click()
    on_card(page, 1)
    quiet(page)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    page.go_back()
    expect(page.get_by_role("link", name="Back to card 2")).to_be_visible()
    quiet(page)
    page.go_back()
    on_card(page, 1)
    quiet(page)
    expect(page.get_by_text("means nothing here")).to_have_count(0)
    for _ in range(3):  # behind it: the run on its way, card 2, card 1
        page.go_back()
        quiet(page)
    expect(page.locator(".lessons a").first).to_be_visible()
    expect(page).to_have_url(f"{server}/lessons?")


def test_card_to_card_on_one_run_nothing_is_mounted_anew(study):
    page = study("lesson=sbp&card=1")
    mounts = look(page, "mounts")
    page.locator(".card .on").click()
    on_card(page, 1)
    page.locator(".card .back").click()
    on_card(page, 0)
    quiet(page)
    assert look(page, "mounts") == mounts and look(page, "k") == 0


TURN = """(box, value) => {
    box.value = value;
    for (const name of ["input", "change"]) box.dispatchEvent(new Event(name));
}"""


def test_a_task_is_done_by_turning_its_knob_neither_too_little_nor_too_much(study):
    page = study("lesson=sbp&card=8")
    status, knob = page.locator(".card .status"), page.locator(".card .knob input")
    expect(page.locator(".card .text")).to_contain_text("32 to 48 of them")
    expect(status).to_have_text("not yet")
    knob.evaluate(TURN, 0.9)
    until(page, "svmviz.view().now.k > 48")
    expect(status).to_have_text("not yet")
    knob.evaluate(
        TURN,
        page.evaluate("""() => {
        const { low, high } = svmviz.lesson.cards[7].knob[0], floor = Math.max(low, high * 1e-6);
        return Math.log(0.1 / floor) / Math.log(high / floor);
    }"""),
    )
    expect(status).to_have_text("done")
    assert 32 <= look(page, "view().now.k") <= 48
    expect(page.locator(".card .after")).to_contain_text("units of water")


def test_what_is_said_of_a_run_goes_with_it_and_what_was_done_stays_done(study):
    page = study("lesson=field&card=3")
    status, after, knob = (
        page.locator(f".card {place}") for place in (".status", ".after", ".knob select")
    )
    knob.select_option("remove by counts")
    expect(status).to_have_text("done")
    expect(after).to_contain_text("With remove by counts")
    knob.select_option("remove oldest")
    expect(status).to_have_text("done before, not with this")
    expect(after).to_be_empty()
    assert look(page, "held"), "the task is open again"
    expect(page.locator(".card .dots .here")).to_have_attribute("aria-label", re.compile("done$"))
    knob.select_option("remove by errors")
    expect(after).to_contain_text("With remove by errors")
    expect(status).to_have_text("done")


def test_water_that_is_only_supposed_does_no_task(study):
    page = study("lesson=sbp&card=8")
    page.evaluate("""() => {
        const { now } = svmviz.view();
        let nu = 0.05;
        while (now.pour(nu * now.count).k < now.count / 2) nu += 0.001;
        svmviz.suppose({ params: { nu } });
    }""")
    until(page, "svmviz.view().now.k >= 40 && svmviz.view().now.k <= 48")
    expect(page.locator(".card .status")).to_have_text("not yet")


def test_the_knob_follows_water_that_was_pulled(study):
    page = study("lesson=sbp&card=8")
    shown = page.locator(".card .knob output")
    expect(shown).to_have_text("0.05")
    page.evaluate("svmviz.mechanism.pour(0.06); svmviz.mechanism.letGo()")
    expect(shown).to_have_text("0.06")
    assert page.locator(".card .knob input").get_attribute("aria-valuetext") == "0.06"


def test_a_knob_that_keys_turn_is_asked_for_once_it_rests(study):
    page = study("lesson=bsgd&card=10")
    page.evaluate("""() => {
        const { tell } = svmviz;
        svmviz.told = [];
        svmviz.tell = (name, at) => (svmviz.told.push(at), tell(name, at));
    }""")
    page.locator(".card .knob input").focus()
    shown = page.evaluate("""() => {
        const root = svmviz.root, box = root.querySelector(".card .knob input");
        for (let k = 0; k < 5; k++) box.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
        return root.querySelector(".card .knob output").textContent;
    }""")
    assert shown == "15", "one by one, and at once"
    expect(page.locator(".card .status")).to_have_text("done")
    assert [at["turned"] for at in look(page, "told")] == [{"B": 15}]


def test_a_hint_stays_within_its_card(study):
    page = study("lesson=bsgd&card=10")
    page.evaluate("svmviz.card.hint(svmviz.lesson.cards[9].hint)")
    hint, card = (page.locator(name).bounding_box() for name in (".card .task .hint", ".card"))
    assert hint["x"] + hint["width"] <= card["x"] + card["width"]
    assert page.locator(".card .task .hint").evaluate(
        "hint => hint.scrollWidth <= hint.clientWidth"
    )


def test_enter_leaves_no_open_task_behind(study):
    page = study("lesson=sbp&card=10")
    page.keyboard.press("Enter")
    expect(page.locator(".toast")).to_have_text(
        "The task is open: the button “Next lesson” leaves it"
    )
    quiet(page)
    assert look(page, "lesson.key") == "sbp" and look(page, "k") == 9
    page.evaluate("svmviz.solve()")
    until(page, "svmviz.held")
    page.keyboard.press("Enter")
    until(page, "svmviz.lesson?.key === value", lessons.LESSONS[lessons.LESSONS.index("sbp") + 1])


def test_questions_answered_rightly_are_counted_and_remembered(study):
    page = study("lesson=sbp&card=3")
    tally = page.locator(".card .tally")
    expect(tally).to_be_empty()
    until(page, "svmviz.asker.open")
    page.evaluate(ANSWER, False)
    page.locator(".card .on").click()
    expect(tally).to_have_text("Answered rightly so far: 0 of 1.")
    page.evaluate("svmviz.go(5)")
    until(page, "svmviz.asker.open && svmviz.k === 5")
    page.evaluate(ANSWER, True)
    page.locator(".card .on").click()
    expect(tally).to_have_text("Answered rightly so far: 1 of 2.")
    page.reload()
    page.wait_for_function("globalThis.svmviz?.standing", timeout=COLD)
    expect(tally).to_have_text("Answered rightly so far: 1 of 2.")


def test_let_me_play_and_back_to_the_card(study, server):
    page = study("lesson=sbp&card=2")
    page.locator(".card .free").click()
    page.wait_for_url(f"{server}/?*solver=sbp*t=20*")
    until(page, "svmviz.t === 20 && svmviz.run.solver.key === 'sbp' && !svmviz.lesson")
    quiet(page)
    page.get_by_role("link", name="Back to card 2 of the lesson").click()
    page.wait_for_url(f"{server}/lessons?lesson=sbp&card=2")
    on_card(page, 1)


NOWHERE = [
    ("lesson=spb", "did you mean sbp?"),
    ("lesson=sbp&card=99", "cards 1 to 10"),
    ("lesson=sbp&z=1", "means nothing here"),
]
WINDOWS = [390, 844], [1440, 900], [1024, 768]  # of which the quick tests have each once


@pytest.mark.parametrize(
    ("query", "said", "viewport"),
    [
        pytest.param(
            query, said, window, marks=() if k == j else pytest.mark.long, id=f"{query}-{window[0]}"
        )
        for k, (query, said) in enumerate(NOWHERE)
        for j, window in enumerate(WINDOWS)
    ],
)
def test_a_link_that_leads_nowhere_is_answered(arrive, query, said, viewport):
    page = arrive(
        f"/lessons?{query}", viewport=dict(zip(("width", "height"), viewport, strict=True))
    )
    expect(page.get_by_text(said)).to_be_in_viewport(timeout=COLD)
    if "lesson=sbp" in query:
        page.locator(".card .on").click()
        expect(page.get_by_text(said)).to_have_count(0)  # it was about the link


OWN = (
    "# Mine\n\n## First\nrun: data=moons&n=60&solver=sbp&T=40\nt: 10\n\nLook: {wet} of {n} are"
    " wet.\n"
)


def test_an_own_lesson_is_checked_opened_and_holds_no_markup(study):
    page = study("")
    page.get_by_text("Your own lesson").click()
    box = page.get_by_label("Its text")
    box.fill(OWN.replace("t: 10", "t: 99"))
    page.get_by_role("button", name="Check it and open it").click()
    expect(
        page.get_by_text("line 5, card “First”: t: t must be a whole number from 0 to 40, got 99")
    ).to_be_visible()
    box.fill(OWN.replace("Look", "<img src=x onerror=alert(1)> Look"))
    page.get_by_role("button", name="Check it and open it").click()
    on_card(page, 0)
    text = page.locator(".card .text")
    expect(text).to_contain_text("<img src=x onerror=alert(1)> Look:")
    assert page.locator(".card .text img").count() == 0
