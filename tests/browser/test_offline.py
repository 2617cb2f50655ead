"""Pages that were taken along: with the network off, from a file, they play what the app plays."""

import json
import re
import time
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.base import AXE_SCRIPT

from svmviz import SOLVERS, datasets, lessons
from svmviz.player.files import page as pages
from svmviz.player.files.lesson import of_lesson
from svmviz.player.files.race import of_race
from svmviz.race.card import read
from svmviz.run import fork
from svmviz.run.recipe import Recipe, from_query
from svmviz.run.view import opened
from tests.browser import firefox
from tests.browser.page import PHONE, quiet
from tests.browser.pages.test_race import cells
from tests.browser.test_axe import ALL, COLOURS, FOUND
from tests.conftest import COLD, DESK, unavailable
from tests.player.test_parity import added_up, left_of

AT_MOST, DRAWN = (
    450_000,
    8,
)  # bytes: of 1000 steps that draw an example each; of each further one that a step draws
PATIENCE = 30  # seconds
RACE = "data=moons&n=60&noise=0.2&lam=0.01&kernel=rbf(gamma=2.0)&length=300&seeds=2&lanes=pegasos,sbp,sdca"

FIVE = ["pegasos", "sbp", "simba", "bsgd", "incremental"]
PST = pytest.param("pst", marks=pytest.mark.long)
OTHERS = [pytest.param(key, marks=pytest.mark.long) for key in SOLVERS if key not in (*FIVE, "pst")]


def until(page, expression: str, value=True):
    """Until an expression has a value: a page whose policy forbids evaluation has nothing that
    could wait inside.
    """
    end = time.monotonic() + PATIENCE
    while (found := page.evaluate(expression)) != value:
        assert time.monotonic() < end, f"{expression} is {found}, not {value}"
    return found


@pytest.fixture
def taken(browser, tmp_path):
    """Open a page from a file where there is no network; whatever it reports fails the test."""
    contexts, said = [], []

    def opened(text: str, at: str = "", **options):
        path = tmp_path / f"page-{len(contexts)}.html"
        path.write_text(text, encoding="utf-8")
        contexts.append(browser.new_context(**{"viewport": DESK} | options, offline=True))
        page = contexts[-1].new_page()
        page.on(
            "console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on(
            "request",
            lambda request: (
                said.append(request.url) if not re.match("file:|blob:|data:", request.url) else None
            ),
        )
        page.goto(f"{path.as_uri()}{at}")
        until(page, "globalThis.svmviz?.draws > 0")
        return page

    opened.said = said
    yield opened
    for context in contexts:
        context.close()
    assert not said


def recipe_of(text: str) -> Recipe:
    recipe, said = from_query(dict(part.split("=", 1) for part in text.split("&")))
    assert not said
    return recipe.checked()


def agree(page, trace, steps, engine: str = "svmviz.engine") -> None:
    """The decision values of all points are Python's, and so is the sentence."""
    summed = added_up(trace)
    for t in steps:
        theirs = trace.f(t, trace.problem.X)
        mine = np.array(page.evaluate(f"Array.from({engine}.state({t}).f)"))
        if theirs.ndim > 1 and mine.size == len(
            theirs
        ):  # of two classes the player keeps the difference
            theirs = theirs[:, 1] - theirs[:, 0]
        mine = (
            mine.reshape(-1, trace.problem.n).T if theirs.ndim > 1 else mine[: trace.problem.n]
        )  # before what was merged
        assert np.abs(mine - theirs).max() <= left_of(trace, t, summed[t], theirs)


@pytest.mark.parametrize(
    "key",
    [pytest.param(key, marks=pytest.mark.always if key == "sbp" else ()) for key in FIVE]
    + [PST, *OTHERS],
)
def test_every_solver_plays_from_a_file(taken, key):
    recipe, _ = opened(key)
    trace, rng = recipe.trace(), np.random.default_rng(len(key))
    page = taken(pages.of_recipe(recipe), "#t=3")
    assert page.evaluate("[svmviz.t, svmviz.run.T, svmviz.run.solver.key]") == [
        3,
        recipe.steps,
        key,
    ]
    steps = rng.integers(1, recipe.steps + 1, 4).tolist()
    agree(page, trace, steps)
    page.keyboard.press("ArrowRight")
    until(page, "svmviz.t", 4)
    page.keyboard.press("ArrowLeft")
    until(page, "svmviz.t", 3)
    page.evaluate(f"svmviz.seek({steps[0]}, true)")
    until(page, f"location.hash.includes('t={steps[0]}')")
    page.keyboard.press("Space")
    until(page, "svmviz.playing || svmviz.t === svmviz.run.T")


@pytest.mark.parametrize("key", FIVE + OTHERS)  # which reads all examples in every step
def test_a_thousand_steps_of_any_solver_fit(key):
    recipe, said = from_query({"solver": key, "T": "1000"})
    assert not said and recipe.steps == 1000
    further = recipe.params.get("k", 1) - 1
    assert len(pages.of_recipe(recipe).encode()) <= AT_MOST + 1000 * DRAWN * further


def test_themes_panels_and_dialogs_work_without_a_server(taken):
    page = taken(
        pages.of_recipe(opened("pegasos")[0], home="https://svm.example/"), color_scheme="light"
    )
    assert page.evaluate("document.documentElement.className") == ""
    page.get_by_role("button", name="Dark").click()
    until(
        page,
        "svmviz.frame.classList.contains('dark') && document.documentElement.className === 'dark'",
    )
    page.reload()  # what was chosen is kept
    until(page, "globalThis.svmviz?.draws > 0")
    assert page.evaluate("svmviz.frame.classList.contains('dark')")
    page.get_by_label("curve", exact=False).first.select_option("error")
    until(page, "svmviz.axes.y", "error")
    page.get_by_role("button", name="Python").click()
    assert "SOLVERS" in page.locator("dialog pre").inner_text()
    page.keyboard.press("Escape")
    page.evaluate("svmviz.setTriggerValue('restart')")
    page.evaluate("svmviz.setTriggerValue('edit')")
    assert "this page holds no more" in page.locator("dialog").inner_text()
    assert page.get_by_role("button", name="Open the app").is_visible()


def test_a_fork_plays_both_of_its_runs(taken):
    recipe = recipe_of("solver=pegasos&T=80")
    recipe, found, said = fork.read({"fork": "20", "other": "20:lam=0.5"}, recipe)
    page = taken(pages.of_recipe(recipe, {"t": 40}, found))
    assert not said and page.evaluate("svmviz.forking.fork.t") == 20
    steps = np.random.default_rng(1).integers(1, 81, 4).tolist()
    agree(page, recipe.trace(), steps)
    agree(page, found.branch(recipe).trace(), steps, "svmviz.forking.engine")


def test_a_race_runs_on_every_axis(taken):
    card, said = read(dict(part.split("=", 1) for part in RACE.split("&")))
    page = taken(of_race(card))
    assert not said and page.evaluate("svmviz.lanes.map(lane => lane.spec.key)") == [
        "pegasos",
        "sbp",
        "sdca",
    ]
    for rival in card.line_up():
        trace = card.recipe(rival, rival.steps).trace()
        for t in (1, rival.steps // 2, rival.steps):
            _, places, shown = cells(page, rival.key, t)
            assert (
                np.abs(shown - trace.f(t, places)).max() <= 1e-6 * np.abs(trace.f(t, places)).max()
            )
    page.evaluate("svmviz.seek(20, true)")
    until(page, "svmviz.lanes.every(lane => lane.t === lane.stepAt(svmviz.axes.x, svmviz.cost))")


@pytest.mark.long
def test_a_lesson_asks_and_judges(taken):
    key = "pegasos"
    lesson = lessons.lesson(key)
    page = taken(of_lesson(key))
    asked = 0
    for k, card in enumerate(lesson.cards):
        until(page, "svmviz.k", k)
        agree(page, card.recipe.trace(), [card.recipe.steps // 3 + 1])
        page.evaluate(f"location.hash = '#card={k + 2}'")
        asked += bool(card.ask)
    assert asked > 2
    first = next(k for k, card in enumerate(lesson.cards) if card.ask)
    page.evaluate(f"location.hash = '#card={first + 1}'")
    until(page, "svmviz.k", first)
    page.locator(".question button, .question [role=radio]").first.click()
    page.get_by_role("button", name="Check").click()
    until(page, "document.querySelector('.verdict')?.textContent.length > 0")


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_axe_finds_nothing_on_a_page_taken_along(taken, options):
    text = {
        "a run": pages.of_recipe(opened("sbp")[0], home="https://svm.example/"),
        "a lesson": of_lesson("sbp", card=2),
    }
    found = {}
    for name, shown in text.items():
        page = taken(shown, **options, bypass_csp=True)  # for axe itself, which comes from outside
        page.evaluate(AXE_SCRIPT)
        for scheme, asked in {"light": ALL, "dark": COLOURS}.items():
            page.emulate_media(color_scheme=scheme)
            until(
                page, f"svmviz.frame.classList.contains('dark') === {json.dumps(scheme == 'dark')}"
            )
            found[f"{name}, {scheme}"] = page.evaluate(FOUND, [asked, []])
    assert not any(found.values()), json.dumps(found, indent=1)


def test_the_policy_of_a_page_lets_nothing_in(taken):
    page = taken(pages.of_recipe(opened("pegasos")[0]), bypass_csp=False)
    refused = page.evaluate("""() => new Promise(resolve => {
        const found = [];
        addEventListener("securitypolicyviolation", event => {
            found.push(event.effectiveDirective);
            if (found.length === 3) resolve(found.sort());
        });
        document.body.append(Object.assign(document.createElement("script"), { textContent: "globalThis.inside = true" }));
        document.body.append(Object.assign(document.createElement("img"), { src: "https://svm.example/a.png" }));
        fetch("https://svm.example/").catch(() => {});
    })""")
    assert (
        refused == ["connect-src", "img-src", "script-src-elem"]
        and page.evaluate("globalThis.inside") is None
    )
    taken.said.clear()


def test_words_of_a_visitor_are_no_markup(taken):
    title = "</title></script><script>globalThis.inside = true</script>"
    page = taken(
        pages.of_trace(SOLVERS["pegasos"].trace(datasets.moons(n=20), steps=30, lam=0.1), title)
    )
    assert page.title() == title and page.evaluate("globalThis.inside") is None
    assert page.locator("header.bar h1").inner_text() == title


def test_a_run_in_a_notebook_is_a_frame_that_plays(browser, tmp_path):
    trace = SOLVERS["sbp"].trace(datasets.moons(n=20), steps=30, nu=0.1)
    Path(tmp_path, "notebook.html").write_text(
        f"<!doctype html><title>Notebook</title>{trace._repr_html_()}", encoding="utf-8"
    )
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(Path(tmp_path, "notebook.html").as_uri())
    frame = page.frames[1]
    until(frame, "globalThis.svmviz?.draws > 0")
    agree(frame, trace, [7, 30])
    context.close()


def test_firefox_opens_a_page_from_a_file(tmp_path):
    if not firefox.found():
        unavailable("Firefox is not there: apt-get install firefox-esr")
    recipe, _ = opened("bsgd")
    Path(tmp_path, "run.html").write_text(pages.of_recipe(recipe), encoding="utf-8")
    Path(tmp_path, "lesson.html").write_text(of_lesson("sbp"), encoding="utf-8")
    with firefox.firefox(tmp_path / "profile") as tab:
        tab.goto(f"{Path(tmp_path, 'run.html').as_uri()}#t=5")
        until(tab, "globalThis.svmviz?.draws > 0")
        assert tab.evaluate("svmviz.t") == 5
        agree(tab, recipe.trace(), [5, recipe.steps])
        tab.evaluate("svmviz.seek(9, true)")
        until(tab, "svmviz.t", 9)
        tab.goto(Path(tmp_path, "lesson.html").as_uri())
        until(tab, "globalThis.svmviz?.draws > 0 && svmviz.k === 0")


@pytest.mark.parametrize(
    "link", ["?solver=pegasos&T=80&t=30&fork=20&other=20:lam=0.5", f"race?{RACE}"]
)
def test_the_app_saves_what_is_on_the_stage(arrive, taken, link):
    page = arrive(f"/{link}")
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
    quiet(page)
    with page.expect_download() as started:
        page.evaluate("svmviz.savePage()")
    text = Path(started.value.path()).read_text(encoding="utf-8")
    saved = taken(text)
    assert saved.evaluate("svmviz.t") == page.evaluate("svmviz.t")
    assert started.value.suggested_filename.startswith("svmviz-")
    if "fork" in link:
        recipe, found, _ = fork.read(
            {"fork": "20", "other": "20:lam=0.5"}, recipe_of("solver=pegasos&T=80")
        )
        agree(saved, found.branch(recipe).trace(), [25, 70], "svmviz.forking.engine")
    else:
        assert saved.evaluate("svmviz.data.about") == page.evaluate("svmviz.data.about")


@pytest.mark.long
def test_the_app_gives_a_lesson_away(page, server, taken):
    page.goto(f"{server}/lessons?lesson=sbp&card=2")
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
    quiet(page)
    page.evaluate("svmviz.savePage()")
    with page.expect_download() as started:
        page.get_by_test_id("stDialog").get_by_role("button", name="Download").click()
    saved = taken(Path(started.value.path()).read_text(encoding="utf-8"))
    assert saved.evaluate("[svmviz.k, svmviz.lesson.cards.length]") == [
        1,
        len(lessons.lesson("sbp").cards),
    ]
