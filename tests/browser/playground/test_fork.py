"""Two runs on one clock, and the run before as a ghost, in a real browser."""

import base64
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect

from svmviz.player.wire import fork as forkwire
from svmviz.player.wire import run as wire
from svmviz.player.wire.message import told
from svmviz.run import fork
from svmviz.run.recipe import from_query
from svmviz.run.view import ANEW
from tests.browser.page import SHOWN, button, look, quiet, slider, until
from tests.conftest import DESK

RUN = {
    "data": "moons",
    "n": "90",
    "noise": "0.25",
    "lam": "0.02",
    "kernel": "rbf(gamma=2.0)",
    "T": "160",
}
GIVE = """async text => {
    const data = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    await svmviz.update({ data, setStateValue() {}, setTriggerValue: (...said) => (globalThis.asked = said) }, false);
    svmviz.paint();
}"""


@pytest.fixture
def give(bench):
    """Give the stage that is there a run, with another beside it or alone, as the server would."""
    page, errors = bench
    errors.clear()

    def give(query=RUN, t: int = 120, split: fork.Fork | None = None, serial: str = ""):
        recipe = from_query(query)[0]
        view = ANEW | {"t": t, "serial": serial or f"fork {next(SHOWN)}"}
        beside = b""
        if split:
            other = split.branch(recipe)
            sent = wire.encode(wire.pack_recipe(other), id=other.key(), query=other.query())
            beside = forkwire.beside(recipe, split, sent, recipe.trace(), other.trace())
        more = {"fork": len(beside), "races": True} if split else {}
        data = told(recipe, wire.pack_recipe(recipe), view, forks=True, **more)
        page.evaluate(GIVE, base64.b64encode(data + beside).decode())
        return page, recipe

    yield give
    page.set_viewport_size(DESK)
    give()
    assert not errors, errors


def text(page, name: str) -> list[str]:
    return [words.strip() for words in page.locator(f".stage {name}").all_inner_texts()]


@pytest.mark.parametrize("solver", ("idsvm", "incremental", "tvm"))
def test_without_lam_a_fork_compares_what_was_recorded(give, solver):
    query = {"data": "moons", "n": "60", "solver": solver, "kernel": "rbf(gamma=2.0)", "T": "60"}
    recipe, split = fork.forked(from_query(query)[0], None, 30)
    page, _ = give(query, 60, split)
    rows = {row.split("\t")[0]: row.split("\t")[1:] for row in text(page, ".fork-what tbody tr")}
    assert rows["mean loss"][
        0
    ] == f"{recipe.trace().metrics['hinge'][60]:.3f}" and "two scales" not in str(rows)
    if solver != "tvm":  # what it works on is the loss itself
        found = next(cells[0] for name, cells in rows.items() if name.startswith("P"))
        assert found == f"{recipe.trace().scalars['primal'][60]:.3f}"


def test_both_are_shown_and_told_apart(give):
    recipe, split = fork.forked(from_query(RUN)[0], None, 40)
    split = split.turned(recipe, {"lam": 0.002})
    page, _ = give(split=split)
    a, b, X, y = (
        recipe.trace(),
        split.branch(recipe).trace(),
        recipe.problem().X,
        recipe.problem().y,
    )
    f, g = a.f(120, X), b.f(120, X)
    flipped, right = (f >= 0) != (g >= 0), (g >= 0) == (y > 0)
    expect(page.locator(".fork-key .right")).to_have_text(f"{(flipped & right).sum()} now right")
    expect(page.locator(".fork-key .wrong")).to_have_text(f"{(flipped & ~right).sum()} now wrong")
    rows = {row.split("\t")[0]: row.split("\t")[1:] for row in text(page, ".fork-what tbody tr")}
    assert rows["λ after step 40"] == ["0.02", "0.002", "÷ 10"]
    assert rows["mean loss"][:2] == [f"{run.metrics['hinge'][120]:.3f}" for run in (a, b)]
    assert rows["P(w), own λ"] == [
        *(f"{run.metrics['primal'][120]:.3f}" for run in (a, b)),
        "two scales",
    ]
    gap = next(cells for name, cells in rows.items() if name.startswith("P(w) −"))
    assert gap[2] == "two scales", "each is above an optimum of its own"
    assert rows["support vectors"][1] == str(np.count_nonzero(b.coef(120)))
    page.keyboard.press("q")
    expect(page.locator(".toast")).to_have_text("Q is for one run alone: Keep B, or Drop B, first")
    assert text(page, ".both [role=radio]") == [
        "loss",
        "error",
        "‖w‖",
    ], "P(w) has another λ in each"
    assert page.locator(".fork-said p").count() == 2 and look(page, "plane.sheet.visible") is False
    page.keyboard.press("Home")
    until(page, "svmviz.t === 0")
    expect(page.locator(".fork-key .right")).to_have_text("0 now right")
    page.keyboard.press("d")
    expect(page.locator("[data-branch=a]")).to_be_hidden()
    page.keyboard.press("d")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("tab", name="Difference").click()
    expect(page.locator("[data-branch=b]")).to_be_hidden()
    expect(page.locator("[data-branch=difference] canvas")).to_be_visible()
    page.get_by_role("tab", name="B", exact=True).click()
    page.keyboard.press("x")
    assert page.evaluate("asked") == ["branch", {"id": recipe.key(), "what": "swap", "t": 0}]


def test_label_of_change_at_fork_keeps_clear_of_flag_and_rail(give):
    recipe, split = fork.forked(from_query(RUN)[0], None, 40)
    recipe, split = split.turned(recipe, {"kernel": "rbf(gamma=0.5)"}).swapped(recipe)
    page, _ = give(recipe.query(), split=split)
    for present in (False, True):
        until(page, "svmviz.presenting === value", present)
        beside, above = page.evaluate("""() => {
            const box = name => svmviz.root.querySelector(name).getBoundingClientRect();
            const [rail, label] = [box(".second-rail"), box(".marks .change span")];
            return [label.left - rail.left - 11, rail.top - label.bottom];  // the flag is 11 px wide
        }""")
        assert beside > 0 and above > 0, f"presented: {present}"
        page.keyboard.press("f")


def test_the_run_before_stays_as_a_ghost_until_it_is_dismissed(give):
    page, recipe = give(serial="one")
    assert page.locator(".former").is_hidden()
    page, turned = give(RUN | {"change": "60:lam=0.5"}, serial="one")
    note, ghost = page.locator(".former"), "svmviz.ghost.run?.id"
    expect(note).to_contain_text("before → now")
    assert page.evaluate(ghost) == recipe.key() and look(page, "curves.former.at.length") >= 160
    give(RUN | {"change": "60:lam=0.5", "T": "320"}, serial="one")
    assert page.evaluate(ghost) == recipe.key(), "a run that goes on changes nothing"
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()
    until(page, "svmviz.curves.former === null")
    give(RUN | {"lam": "0.1"}, serial="one")
    assert page.evaluate(ghost)
    page.get_by_role("button", name="Away with the run before").click()
    expect(note).to_be_hidden()
    for other in (RUN | {"seed": "3"}, RUN | {"n": "80"}):
        give(serial="one")
        give(other, serial="one")
        assert not page.evaluate(ghost), "other data, or other draws, are another run"


@pytest.mark.parametrize(
    ("name", "kernel"),
    [
        pytest.param("regularisation", "rbf(gamma=2.0)", marks=pytest.mark.long),
        ("kernel width", "rbf(gamma=2.0)"),
        pytest.param("constant", "poly(degree=2)", marks=pytest.mark.long),
    ],
)
def test_a_slider_that_is_dragged_shows_where_the_run_would_end(visit, name, kernel):
    page = visit(f"data=moons&n=60&lam=0.02&kernel={kernel}&T=90&t=30")
    box = slider(page, name).locator("xpath=../..").bounding_box()  # its thumb
    x, y, note = (
        box["x"] + box["width"] / 2,
        box["y"] + box["height"] / 2,
        page.locator(".companion.preview"),
    )
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y, steps=4)
    until(page, "svmviz.preview.on && svmviz.preview.asked === ''")
    expect(note).to_contain_text("at the end with")
    assert look(page, "run.segments.length") == 1, "what is on stage stays as it is"
    at, id = look(page, "preview.at"), look(page, "preview.run.id")
    page.mouse.move(x, y, steps=4)
    expect(note).to_be_hidden()
    page.mouse.move(x + 30, y, steps=4)
    until(
        page, "svmviz.preview.on && svmviz.preview.asked === '' && svmviz.preview.at === value", at
    )
    page.mouse.up()
    until(page, "svmviz.run.id === value && !svmviz.preview.on", id)
    expect(page.locator(".former")).to_contain_text("before")


@pytest.mark.long
def test_a_run_is_forked_turned_shared_taken_back_and_kept(visit):
    page = visit("data=moons&n=100&lam=0.02&kernel=rbf(gamma=2.0)&T=200&t=40")
    before = page.evaluate("Array.from(svmviz.run.objective)")
    page.keyboard.press("k")
    until(page, "svmviz.forking.on")
    quiet(page)
    forked = page.evaluate(
        "[svmviz.run.id === svmviz.forking.fork.run.id, svmviz.forking.fork.differences.length]"
    )
    assert forked == [True, 0], "B starts as A"
    knob = slider(page, "regularisation")
    knob.press("ArrowLeft")
    until(page, "svmviz.forking.fork?.differences.length === 1")
    quiet(page)
    assert page.evaluate("Array.from(svmviz.run.objective)") == before, "A is left alone"
    query = dict(parse_qsl(urlsplit(page.url).query))
    assert query["fork"] == "40" and query["other"].startswith("40:lam=") and "change" not in query
    script = look(page, "run.python")
    assert "a = svmviz" in script and "b = svmviz" in script
    page.reload()
    until(page, "globalThis.svmviz?.forking?.fork?.differences.length === 1")
    quiet(page)
    page.keyboard.press("x")
    until(page, "svmviz.run.segments.length === 2 && svmviz.forking.fork.run.segments.length === 1")
    page.go_back()
    until(page, "svmviz.run.segments.length === 1 && svmviz.forking.fork.run.segments.length === 2")
    button(page, "Keep B").click()
    until(page, "!svmviz.forking.on && svmviz.run.segments.length === 2")
    page.go_back()
    until(page, "svmviz.forking.on && svmviz.run.segments.length === 1")
    quiet(page)
    button(page, "Race both").click()
    until(page, "svmviz.lanes?.length === 2")
    assert [words.split(",")[0] for words in page.locator(".lane .head b").all_inner_texts()] == [
        "Pegasos",
        "Pegasos",
    ]
