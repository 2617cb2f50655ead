"""Who has the keys: the stage, once the pointer has let a control go; a control reached by the
keyboard; every field. And what the keyboard alone can do: points, drawing, water and partners.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.page import MOONS, button, film, look, quiet, rests_at, slider, until
from tests.conftest import COLD

BASIN = "solver=sbp&data=moons&n=200&noise=0.22&data_seed=1&kernel=rbf(gamma=3.0)&nu=0.05&seed=2&T=600&t=152"
MERGING = "solver=bsgd&data=checkerboard&seed=7&T=2000&lam=0.001&B=20&kernel=rbf(gamma=3.0)&t=562"

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


@pytest.mark.always
def test_what_the_pointer_used_gives_the_keys_back(visit):
    page = visit(f"{MOONS}&t=60")
    rail(page, "regularisation", 0.7)
    until(page, "svmviz.run.segments.length === 2")
    held_by(page, "stage")
    lam = look(page, "run.segments.at(-1).params.lam")
    plays_and_steps(page)
    button(page, "One step (→)").click()  # on the transport, after a slider
    page.keyboard.press("ArrowRight")
    until(page, "svmviz.phase === 1 && !svmviz.stepping")
    quiet(page)
    assert look(page, "run.segments.map(s => s.params.lam)") == [
        0.01,
        lam,
    ], "an arrow turned the slider"
    page.locator("label").filter(has_text="project onto the ball").click()
    until(page, "svmviz.run.segments.at(-1).params.project")
    plays_and_steps(page)
    iterate = page.get_by_role("combobox", name="iterate")
    iterate.evaluate(
        "one => one.scrollIntoView({ block: 'center' })"
    )  # a list that is scrolled closes
    iterate.click()
    held_by(page, "combobox")
    page.get_by_role("option", name="average").click()
    until(page, "svmviz.run.segments.at(-1).params.iterate === 'average'")
    plays_and_steps(page)
    page.get_by_test_id("stNumberInputStepUp").last.click()
    until(page, "svmviz.run.seed === 6")
    plays_and_steps(page)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("e => { e.focus(); return getComputedStyle(e).outlineStyle; }") == "none"


@pytest.mark.long
def test_undo_is_not_pressed_again_by_space(visit):
    page = visit(f"{MOONS}&t=60")
    page.keyboard.press("e")
    plane = page.locator(".plane canvas").bounding_box()
    for k in range(3):
        page.mouse.click(
            plane["x"] + plane["width"] * (0.3 + 0.1 * k), plane["y"] + plane["height"] * 0.93
        )
        until(page, "svmviz.run.undo === value", k + 1)
    button(page, "Undo").first.click()
    until(page, "svmviz.run.undo === 2")
    plays_and_steps(page)
    for name in ("Flip", "−1", "Brush"):
        button(page, name).first.click()
        held_by(page, "stage")
    quiet(page)
    assert look(page, "run.undo") == 2
    for key, left in (
        ("Control+z", 1),
        ("Control+z", 0),
        ("Control+z", 0),
        ("Control+Shift+z", 1),
        ("Control+y", 2),
    ):
        page.keyboard.press(key)
        until(page, "svmviz.run.undo === value", left)
    quiet(page)


def test_nothing_is_told_of_a_point_that_was_erased(visit):
    page = visit(f"{MOONS}&t=60")
    page.keyboard.press("e")
    plane = page.locator(".plane canvas").bounding_box()
    at = plane["x"] + plane["width"] * 0.3, plane["y"] + plane["height"] * 0.93
    page.mouse.click(*at)
    until(page, "svmviz.run.undo === 1")
    button(page, "Erase").first.click()
    page.mouse.move(*at)
    expect(page.locator(".plane .tip")).to_be_visible()
    page.mouse.click(*at)
    until(page, "svmviz.run.undo === 2")
    expect(page.locator(".plane .tip")).to_be_hidden()
    quiet(page)


def test_a_slider_reached_by_the_keyboard_keeps_its_arrows_and_a_field_all_keys(visit):
    page = visit(f"{MOONS}&t=60")
    page.get_by_role("combobox", name="solver").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate(HELD) == "range":
            break
    held_by(page, "range")
    page.keyboard.press("ArrowRight")
    until(page, "svmviz.run.segments.at(-1).params.lam === 0.015")
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
    assert (
        page.evaluate("getComputedStyle(svmviz.root.querySelector('.forward')).outlineStyle")
        == "solid"
    )


def tab_to(page, what: str) -> None:
    """Press Tab until this has the focus, and see that an outline shows it: its own, or that of the
    picture under it.
    """
    for _ in range(70):
        page.keyboard.press("Tab")
        if page.evaluate(
            "what => Boolean(svmviz.root.getRootNode().activeElement?.matches(what))", what
        ):
            break
    assert page.evaluate(
        """what => {
        const held = svmviz.root.getRootNode().activeElement;
        return held?.matches(what) && [held, held.parentElement].some(e => getComputedStyle(e).outlineStyle === "solid");
    }""",
        what,
    ), what


@pytest.mark.long
def test_points_are_walked_and_drawn_by_the_keyboard_alone(visit):
    page, told = visit(f"{MOONS}&t=60"), lambda: page.locator(".plane .pointed").text_content()
    tab_to(page, ".cross")
    drawn = look(page, "view().drawn[0]")
    assert told().startswith(f"point {drawn + 1}, class") and look(page, "linked") == drawn
    seen = {drawn}
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowUp"):
        before = look(page, "plane.cross.pixel")
        page.keyboard.press(key)
        after, i = look(page, "plane.cross.pixel"), look(page, "linked")
        axis, sign = {
            "ArrowRight": (0, 1),
            "ArrowLeft": (0, -1),
            "ArrowDown": (1, 1),
            "ArrowUp": (1, -1),
        }[key]
        assert sign * (after[axis] - before[axis]) > 0 and told().startswith(
            f"point {i + 1}, class"
        ), key
        seen.add(i)
    assert len(seen) > 2
    rests_at(page, 60)  # arrows belonged to the plane
    page.keyboard.press("Space")
    until(page, "svmviz.playing")  # all other keys are those of the stage
    page.keyboard.press("Space")
    page.keyboard.press("Home")
    rests_at(page, 0)
    page.keyboard.press("e")
    until(
        page, "svmviz.plane.editor.on && svmviz.root.getRootNode().activeElement.matches('.cross')"
    )
    expect(page.locator(".cross i")).to_be_visible()
    count = "view().mask.reduce((sum, alive) => sum + alive, 0)"
    points, speed = look(page, count), look(page, "speed")
    page.evaluate(
        "() => { const { cross, x, y } = svmviz.plane; cross.at = [x.back(40), y.back(20)]; }"
    )  # into a corner
    for press in ("ArrowRight", "Shift+ArrowDown"):
        page.keyboard.press(press)
    assert look(page, "plane.cross.pixel.map(Math.round)") == [52, 22] and told().endswith(
        "nothing here"
    )
    for key, said, label in (("+", "+1 added at", 1), ("-", "−1 added at", -1)):
        page.keyboard.press(key)
        assert told().startswith(said)
        points += 1
        until(page, f"svmviz.{count} === value", points)
        quiet(page)
        near = look(page, "plane.nearest(...svmviz.plane.cross.pixel)")
        assert look(page, f"run.y[{near}]") == label
        for _ in range(3):
            page.keyboard.press("ArrowRight")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Delete")
    until(page, f"svmviz.{count} === value", points - 1)
    assert told().startswith("removed at") and look(page, "speed") == speed
    page.keyboard.press("Delete")
    assert told().startswith("nothing to do")
    page.keyboard.press("Escape")
    held_by(page, "stage")
    assert not look(page, "plane.editor.on")
    quiet(page)
    page.keyboard.press("ArrowRight")
    rests_at(page, 1)
    page.keyboard.press("?")
    for words in (
        "from point to point",
        "move the cross",
        "add a point of class",
        "what if another",
        "more, less of it",
    ):
        expect(page.locator("dialog .keys")).to_contain_text(words)


@pytest.mark.long
def test_water_and_partners_obey_the_keyboard_and_canvases_say_what_they_show(visit):
    page = visit(BASIN)
    until(page, "!svmviz.run.later")
    name = lambda of: page.locator(f"{of} canvas").get_attribute("aria-label")  # noqa: E731
    assert "level 0.322, 109 of 200 under it; Stochastic Batch Perceptron, step 152 of 600" in name(
        ".basin"
    )
    assert "200 examples, 6 on the wrong side, drawn now: point 115" in name(".plane")
    assert "Suboptimality, " in name("section.curves")
    tab_to(page, ".surface")
    page.keyboard.down("ArrowUp")
    until(page, "svmviz.supposed?.params.nu === 0.06")
    expect(page.locator(".spoken")).to_contain_text("With ν = 0.06")
    page.keyboard.up("ArrowUp")
    until(page, "svmviz.run.segments.length === 2 && svmviz.run.segments[1].params.nu === 0.06")
    quiet(page)
    assert "water ν 0.06" in name(".basin")
    page.locator(".count").click()
    page.keyboard.press("ArrowRight")
    rests_at(page, 153)
    assert "step 153 of 600" in name(".basin") and "step 153 of 600" in name(".plane")
    page.evaluate("""() => {
        globalThis.renamed = 0;
        for (const canvas of svmviz.root.querySelectorAll("canvas")) {
            new MutationObserver(all => { renamed += all.length; }).observe(canvas, { attributeFilter: ["aria-label"] });
        }
        svmviz.setSpeed(60);
    }""")
    page.keyboard.press("Space")
    until(page, "svmviz.t > 190")
    assert page.evaluate("renamed") <= 3 * 2, "names change in every frame"
    page.goto(page.url.partition("?")[0] + f"?{MERGING}")
    page.wait_for_function(
        "globalThis.svmviz?.draws > 0 && svmviz.run.solver.key === 'bsgd'", timeout=COLD
    )
    quiet(page)
    assert "20 of 20 slots in use; Budgeted SGD, step 562 of 2000" in name(".rack")
    page.locator(".count").click()
    tab_to(page, ".ranked .walk")
    value = lambda: page.locator(".ranked .walk").get_attribute("aria-valuetext")  # noqa: E731
    taken = value()
    assert taken.startswith("taken: point 129") or taken.startswith("taken: vector 129"), taken
    page.keyboard.press("ArrowDown")
    other = look(page, "supposed.row")
    expect(page.locator(".spoken")).to_contain_text("What if point 255 had merged with")
    assert not value().startswith("taken") and "if this one were taken" in name(".choice")
    page.keyboard.press("ArrowDown")
    assert look(page, "supposed.row") != other
    page.keyboard.press("Escape")
    until(page, "!svmviz.supposed")
    rests_at(page, 562)
    tab_to(page, ".rack .walk")
    page.keyboard.press("End")
    assert (
        page.locator(".rack .walk").get_attribute("aria-valuetext")
        == page.locator(".mechanism .tip").inner_text()
    )
    newest = page.evaluate("svmviz.mechanism.rack.rows.at(-1) + 1 - svmviz.run.n")
    expect(page.locator(".mechanism .tip")).to_contain_text(
        f"vector {newest}, " if newest > 0 else "point "
    )
