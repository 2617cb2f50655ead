"""What tests of the app in a browser do with a page: look into its stage, wait, press, slide, read
its address.

The mounted stage is `svmviz` in the page. Functions that wait do so for what must come, never for
the clock.
"""

import itertools
import json
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import numpy as np
from playwright.sync_api import expect

ROOT = Path(__file__).parents[2]
MOONS = "data=moons&n=150&noise=0.15&data_seed=1&lam=0.01&seed=5&T=300"
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "user_agent": "Mozilla/5.0 (Linux; Android 15) Chrome/150 Mobile",
}
RACE = "data=moons&n=80&noise=0.2&data_seed=1&lam=0.01&kernel=rbf(gamma=2.0)&length=400&seeds=3"
FIVE = f"{RACE}&lanes=pegasos,sbp,pegasos-average,sbp-last,pegasos-k10"
SHOWN = itertools.count()  # runs that were given to the one stage
expect.set_options(timeout=60_000)  # other work may share the machine


def quiet(page):
    page.wait_for_function(
        "document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'"
    )


def uploader(page):
    """Return the place for a file on a page that has said all it has to say; a stage that is about
    to go has one of its own, for storyboards.
    """
    quiet(page)
    return page.get_by_test_id("stFileUploader").locator("input[type=file]")


def grid_words(table) -> list[str]:
    """Return the cells of a table, which is a canvas with a hidden copy of its text, and the heads
    of its columns.
    """
    cells = table.locator("canvas [role=columnheader], canvas [role=gridcell]")
    expect(cells.first).to_be_attached()
    return cells.all_text_contents()


def look(page, expression: str):
    return page.evaluate(f"svmviz.{expression}")


def until(page, condition: str, value=None):
    page.wait_for_function(f"value => {condition}", arg=value)


def is_no_wider(page):
    """Wait until nothing makes the page scroll sideways: formulas and tables take their place after
    they are there.
    """
    until(
        page,
        """[document.documentElement, document.querySelector("[data-testid=stMain]")]
        .every(e => !e || e.scrollWidth <= e.clientWidth)""",
    )


def film(page, frames: int = 2) -> list[dict]:
    """Where the stage stood in each of so many animation frames."""
    return page.evaluate(
        """frames => new Promise(done => {
        const seen = [], look = () => {
            const { t, phase, draws, playing, presenting } = svmviz;
            seen.push({ t, phase, draws, playing, presenting });
            seen.length < frames ? requestAnimationFrame(look) : done(seen);
        };
        requestAnimationFrame(look);
    })""",
        frames,
    )


def rests_at(page, t: int):
    """Wait until the stage has come to rest after step t, and says so."""
    until(
        page, "svmviz.t === value && svmviz.phase === 1 && !svmviz.stepping && !svmviz.playing", t
    )
    expect(page.locator(".count .t")).to_have_text(str(t))
    told = (
        f"from step {t + 1} on"
        if page.evaluate("svmviz.view().changed")
        else f"step {t}"
        if t
        else "before the first step"
    )
    expect(page.locator(".code .caption")).to_have_text(told)
    expect(scrubber(page)).to_have_attribute("aria-valuenow", str(t))


def state(page, t: int | None = None) -> dict[str, list[float]]:
    """What the player makes of step t, of the one shown by default, and where the cells of its
    field lie: the layout may still settle by a pixel, so that both are read at once.
    """
    return json.loads(
        page.evaluate(
            """t => {
        const { engine } = svmviz, { coef, f, field } = engine.state(t ?? svmviz.t, 0);
        const plain = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
        return JSON.stringify({ coef, f, field, ...engine.grid }, plain);
    }""",
            t,
        )
    )  # as text: thousands of numbers one by one take longer than the picture


def some_cells(
    shown: dict[str, list[float]], rng, count: int = 20
) -> tuple[np.ndarray, np.ndarray]:
    """Some cells of the field, and where they lie."""
    xs, ys = np.array(shown["xs"]), np.array(shown["ys"])
    cells = rng.integers(0, xs.size * ys.size, count)
    return cells, np.column_stack([xs[cells % xs.size], ys[cells // xs.size]])


def past(page, t: int) -> list[list[float]]:
    """What was recorded of the first t steps of a run that draws one example a step."""
    return page.evaluate(
        "t => ['drawn', 'objective', 'wrong'].map(name => Array.from(svmviz.run[name].slice(0,"
        " t)))",
        t,
    )


def button(page, name: str):
    return page.get_by_role("button", name=name)


def picture(page, kind: str = "PNG", of: str = "The whole stage"):
    """What the Save dialog gives as a picture."""
    page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Of", exact=True).select_option(of)
    dialog.get_by_role("radio", name=kind).click()
    with page.expect_download() as found:
        dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog).to_have_count(0)
    return found.value


def scrubber(page):
    return page.get_by_role("slider", name="Step", exact=True)


def slider(page, name: str):
    return page.get_by_role("slider", name=name).and_(page.locator("input"))


def slide(page, name: str, key: str, value: str) -> None:
    """Move a slider, and see the server know of it, which writes its value behind its name:
    Streamlit waits a moment before it tells, and a click may come first.
    """
    slider(page, name).press(key)
    expect(slider(page, f"{name} {value}")).to_be_attached()


def query(page) -> dict[str, str]:
    """The address bar, once it has followed to the step shown."""
    until(page, "new URL(location).searchParams.get('t') === String(svmviz.t)")
    quiet(page)
    return dict(parse_qsl(urlsplit(page.url).query))


def raise_lam(page):
    """One notch up from 0.01: a change at the step where the player is."""
    slider(page, "regularisation").press("ArrowRight")
    until(page, "svmviz.run.segments.at(-1).params.lam === 0.015")
    quiet(page)
