"""Symbols answer the pointer, a finger and the keyboard, and light what they are."""

from playwright.sync_api import expect

from tests.browser.page import PHONE


def meaning(page):
    """What is said of a symbol."""
    return page.locator(".meaning")


def test_a_symbol_answers_the_pointer_lights_its_thing_and_follows_the_run(visit):
    page = visit("t=9")
    answer = meaning(page)
    page.locator(".lines .sym[data-mark='η']").first.hover()
    expect(answer).to_contain_text("step length")
    expect(page.locator("section.plane")).to_have_class("plane dim")
    first = answer.locator("output").inner_text()
    page.keyboard.press("End")
    expect(answer.locator("output")).not_to_have_text(first)
    page.keyboard.press("Escape")
    expect(answer).to_be_hidden()
    expect(page.locator(".dim")).to_have_count(0)


def test_the_keyboard_walks_symbols_from_one_stop_and_g_lists_them(visit):
    page = visit("t=9")
    answer = meaning(page)
    expect(page.locator(".stop")).to_have_count(1)
    page.locator(".stop").focus()
    first = answer.locator(".mark").inner_text()
    page.keyboard.press("ArrowRight")
    expect(answer.locator(".mark")).not_to_have_text(first)
    step = page.evaluate("svmviz.t")
    page.keyboard.press("Escape")
    expect(answer).to_be_hidden()
    assert page.evaluate("svmviz.t") == step
    page.keyboard.press("g")
    expect(page.locator("dialog tr")).to_have_count(page.evaluate("svmviz.run.symbols.length"))
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()


def test_a_theorem_tells_its_formula_with_numbers_and_what_it_assumes(visit):
    page = visit("solver=sbp&T=120&t=20")
    answer = meaning(page)
    page.locator(".theorem").hover()
    expect(answer).to_contain_text("3r/√t + 2r/t")
    expect(answer).to_contain_text("/√20")
    expect(answer.locator("li")).to_have_count(1)


def test_a_tap_on_a_phone_answers_and_a_tap_elsewhere_ends_it(visit):
    page = visit("t=9", has_touch=True, **PHONE)
    answer = meaning(page)
    page.locator(".numbers .sym").first.tap()
    expect(answer).to_be_visible()
    box = answer.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    page.locator(".count").tap()
    expect(answer).to_be_hidden()
