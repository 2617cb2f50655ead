"""Who has the keys: the stage, once the pointer has let a control go; a control reached by the keyboard; every field."""

from playwright.sync_api import expect
from test_browser import MOONS, button, film, look, quiet, rests_at, slider, until, visit  # noqa: F401  visit is a fixture

HELD = """() => {
  let held = document.activeElement;
  while (held?.shadowRoot?.activeElement) held = held.shadowRoot.activeElement;
  return held.matches(".stage") ? "stage" : held.getAttribute("role") ?? held.type ?? held.tagName;
}"""


def held_by(page, who: str) -> None:
    page.wait_for_function(f"who => ({HELD})() === who", arg=who)


def plays_and_steps(page) -> None:
    """Space plays and pauses, arrows step: nothing else has the keys."""
    for playing in (True, False):
        page.keyboard.press("Space")
        until(page, "svmviz.playing === value", playing)
    t = look(page, "t")
    page.keyboard.press("ArrowLeft")
    rests_at(page, t - 1)


def rail(page, name: str, share: float) -> None:
    """Click on the rail of a slider in the sidebar."""
    box = slider(page, name).locator("xpath=ancestor::*[@data-testid='stSlider']").bounding_box()
    page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] - 12)


def test_what_the_pointer_used_gives_the_keys_back(visit):  # noqa: F811
    page = visit(f"{MOONS}&t=60")
    rail(page, "regularisation", 0.7)
    until(page, "svmviz.run.segments.length === 2")
    held_by(page, "stage")
    lam = look(page, "run.segments.at(-1).lam")
    plays_and_steps(page)
    button(page, "One step (→)").click()  # on the transport, after a slider
    page.keyboard.press("ArrowRight")
    until(page, "svmviz.phase === 1 && !svmviz.stepping")
    quiet(page)
    assert look(page, "run.segments.map(s => s.lam)") == [0.01, lam], "an arrow turned the slider"
    page.locator("label").filter(has_text="project onto the ball").click()
    until(page, "svmviz.run.segments.at(-1).project")
    plays_and_steps(page)
    page.get_by_role("combobox", name="iterate").click()
    held_by(page, "combobox")
    page.get_by_role("option", name="average").click()
    until(page, "svmviz.run.segments.at(-1).iterate === 'average'")
    plays_and_steps(page)
    page.get_by_test_id("stNumberInputStepUp").last.click()
    until(page, "svmviz.run.seed === 6")
    plays_and_steps(page)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("e => { e.focus(); return getComputedStyle(e).outlineStyle; }") == "none"


def test_undo_is_not_pressed_again_by_space(visit):  # noqa: F811
    page = visit(f"{MOONS}&t=60")
    page.keyboard.press("e")
    plane = page.locator(".plane canvas").bounding_box()
    for k in range(3):
        page.mouse.click(plane["x"] + plane["width"] * (0.3 + 0.1 * k), plane["y"] + plane["height"] * 0.93)
        until(page, "svmviz.run.undo === value", k + 1)
    button(page, "Undo").first.click()
    until(page, "svmviz.run.undo === 2")
    plays_and_steps(page)
    for name in ("Flip", "−1", "Brush"):
        button(page, name).first.click()
        held_by(page, "stage")
    quiet(page)
    assert look(page, "run.undo") == 2


def test_a_slider_reached_by_the_keyboard_keeps_its_arrows_and_a_field_all_keys(visit):  # noqa: F811
    page = visit(f"{MOONS}&t=60")
    page.get_by_role("combobox", name="solver").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate(HELD) == "range":
            break
    held_by(page, "range")
    page.keyboard.press("ArrowRight")
    until(page, "svmviz.run.segments.at(-1).lam === 0.015")
    assert look(page, "t") == 60 and page.evaluate(HELD) == "range"
    page.keyboard.press("Space")  # which no slider needs
    assert film(page)[-1]["playing"]
    page.keyboard.press("Space")
    seed = page.get_by_role("spinbutton", name="run seed")
    seed.click()
    page.keyboard.press("End")
    page.keyboard.type("7")
    assert film(page)[-1].items() >= {"t": look(page, "t"), "playing": False}.items()
    expect(seed).to_have_value("57")
    held_by(page, "number")
    page.locator(".count").click()  # anywhere on the stage
    held_by(page, "stage")
    plays_and_steps(page)
    button(page, "Play").focus()
    page.keyboard.press("Tab")
    expect(button(page, "One step (→)")).to_be_focused()
    assert page.evaluate("getComputedStyle(svmviz.root.querySelector('.forward')).outlineStyle") == "solid"
