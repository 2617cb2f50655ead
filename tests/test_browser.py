"""The app as visitors use it, by mouse, keyboard and touch, in a real browser.

The mounted stage is `svmviz` in the page; tests look into it where the screen alone says too little. They wait for what
must come, never for the clock, and count frames, never milliseconds.
"""

import io
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from svmviz.recipe import from_query

ROOT = Path(__file__).parent.parent
COLD = 180_000  # ms: the first visitor after an installation waits for the compiler
LINK = "data=moons&n=150&noise=0.15&data_seed=1&lam=0.01&seed=5&T=300"
AXES = ("epochs", "examples", "features_read", "steps")
NUMBER = re.compile(r"[−-]?\d+(?:\.\d+)?")

expect.set_options(timeout=20_000)  # other work may share the machine


def go(page, address: str):
    """Open an address and wait until the stage is painted and the server has nothing more to say."""
    page.goto(address)
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
    quiet(page)
    return page


def quiet(page):
    page.wait_for_function("document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'")


def film(page, frames: int = 2) -> list[dict]:
    """Where the stage stood in each of so many animation frames."""
    return page.evaluate("""frames => new Promise(done => {
        const seen = [], look = () => {
            const { t, phase, draws, playing, stepping, presenting } = svmviz;
            seen.push({ t, phase, draws, playing, stepping, presenting });
            seen.length < frames ? requestAnimationFrame(look) : done(seen);
        };
        requestAnimationFrame(look);
    })""", frames)


def rests_at(page, t: int):
    """Wait until the stage has come to rest after step t, and says so."""
    page.wait_for_function("t => svmviz.t === t && svmviz.phase === 1 && !svmviz.stepping && !svmviz.playing", arg=t)
    expect(page.locator(".count .t")).to_have_text(str(t))
    expect(page.locator(".code .caption")).to_have_text(f"step {t}" if t else "before the first step")
    expect(scrubber(page)).to_have_attribute("aria-valuenow", str(t))


def state(page, t: int | None = None) -> dict:
    """What the player makes of step t, of the one shown by default."""
    return page.evaluate("""t => {
        const state = svmviz.engine.state(t ?? svmviz.t, 0);
        return Object.fromEntries(["coef", "w", "f", "field"].map(name => [name, Array.from(state[name])]));
    }""", t)


def past(page, t: int) -> list:
    """What the run recorded of steps 1 .. t of a run that draws one example a step."""
    return page.evaluate("t => ['drawn', 'primal', 'wrong'].map(name => Array.from(svmviz.run[name].slice(0, t)))", t)


def look(page, expression: str):
    return page.evaluate(f"svmviz.{expression}")


def button(page, name: str):
    return page.get_by_role("button", name=name)


def scrubber(page):
    return page.get_by_role("slider", name="Step", exact=True)


def regularisation(page):
    return page.get_by_role("slider", name="regularisation")


def address_follows(page) -> str:
    """Wait until the address bar names the step shown, and return the address."""
    page.wait_for_function("new URL(location).searchParams.get('t') === String(svmviz.t)")
    quiet(page)
    return page.url


def change_regularisation(page):
    """One notch up, which becomes a change at the step where the player is."""
    changes = look(page, "run.segments.length")
    regularisation(page).press("ArrowRight")
    page.wait_for_function("changes => svmviz.run.segments.length > changes", arg=changes)
    quiet(page)


def assert_alike(said: str, expected: str):
    """The same words, and numbers that differ at most in their last digit, for the player computes from float32."""
    assert NUMBER.sub("#", said) == NUMBER.sub("#", expected.replace("*", ""))
    for a, b in zip(NUMBER.findall(said), NUMBER.findall(expected), strict=True):
        last = 10.0 ** -len(a.partition(".")[2])
        assert abs(float(a.replace("−", "-")) - float(b.replace("−", "-"))) < 1.01 * last, (said, expected)


@pytest.fixture
def stage(page, server):
    """The page before the first of 300 steps on two moons."""
    return go(page, f"{server}/?{LINK}")


# The clock --------------------------------------------------------------------------------------------------------------


def test_play_advances_and_after_pause_no_frame_is_drawn(stage):
    button(stage, "Play").click()
    stage.wait_for_function("svmviz.t > 1")
    button(stage, "Pause").click()
    expect(button(stage, "Play")).to_be_visible()
    paused = look(stage, "draws")
    address_follows(stage)
    still = film(stage, 10)
    assert still[0]["draws"] - paused <= 2, "more than the last picture and one for the server's answer"
    assert all(frame == still[2] for frame in still[2:])


def test_one_step_forward_and_one_back_by_button_and_by_key(stage):
    forward, back = button(stage, "One step (→)"), button(stage, "One step back")
    for move, t in [(forward.click, 1), (lambda: stage.keyboard.press("ArrowRight"), 2), (forward.click, 3),
                    (back.click, 2), (lambda: stage.keyboard.press("ArrowLeft"), 1), (back.click, 0), (back.click, 0)]:
        move()
        rests_at(stage, t)


def test_steps_back_and_forward_again_lead_to_the_same_bits(page, server):
    go(page, f"{server}/?{LINK}&kernel=rbf(gamma=2.0)&iterate=average&t=70")
    before = state(page)
    for key in ["ArrowLeft"] * 12 + ["ArrowRight"] * 12:  # over the keyframe at step 64
        page.keyboard.press(key)
    rests_at(page, 70)
    assert state(page) == before != state(page, 58)


def test_dragging_the_slider_scrubs(stage):
    box = scrubber(stage).bounding_box()
    x, y = (lambda share: box["x"] + share * box["width"]), box["y"] + box["height"] / 2
    stage.mouse.move(x(0.1), y)
    stage.mouse.down()
    for share, t in [(0.3, 90), (0.8, 240), (0.6, 180)]:
        stage.mouse.move(x(share), y, steps=4)
        rests_at(stage, t)
    stage.mouse.up()
    stage.mouse.move(x(0.2), y)
    address_follows(stage)
    rests_at(stage, 180)


def test_keys_lead_to_the_ends_and_by_whole_epochs(stage):
    for key, t in [("End", 300), ("Shift+ArrowLeft", 150), ("ArrowLeft", 149), ("Shift+ArrowRight", 299), ("Home", 0),
                   ("Shift+ArrowRight", 150)]:
        stage.keyboard.press(key)
        rests_at(stage, t)


def test_comma_and_full_stop_move_by_beats_from_line_to_line(page, server):
    go(page, f"{server}/?{LINK}&project=1&t=40")
    active = page.locator(".lines li.active")
    for key, lines in [(".", "12345"), (",", "4321")]:
        for line in lines:
            page.keyboard.press(key)
            expect(active).to_have_attribute("data-n", line)
            assert look(page, "t") == 41
    page.keyboard.press(",")
    rests_at(page, 40)
    expect(active).to_have_count(0)


def test_speed_sets_the_pace_and_a_fast_step_has_no_beats(stage):
    stage.keyboard.press("Space")
    slow = film(stage, 60)
    assert slow[-1]["t"] <= 16 and any(frame["phase"] < 1 for frame in slow)  # a frame counts for 250 ms at most
    stage.keyboard.press("Space")
    stage.keyboard.press("Home")
    stage.get_by_label("Speed").select_option("1000")
    rests_at(stage, 0)
    stage.keyboard.press("Space")
    fast = film(stage, 60)
    assert fast[-1]["t"] > 100 and all(frame["phase"] == 1 for frame in fast)
    expect(stage.locator(".lines li.active")).to_have_count(0)


def test_plus_and_minus_change_the_speed_within_its_ends(stage):
    for key, speed in [("-", 1), ("+", 2), ("+", 4), ("=", 8), ("-", 4)]:
        stage.keyboard.press(key)
        expect(stage.get_by_label("Speed")).to_have_value(str(speed))
        assert look(stage, "speed") == speed


def test_keys_are_ignored_while_a_field_has_the_focus(stage):
    field = stage.get_by_role("spinbutton", name="run seed")
    for key in ("Space", "ArrowRight", "ArrowLeft", "Home", "End", ".", "f"):
        field.press(key)
        assert film(stage)[-1].items() >= {"t": 0, "phase": 1, "playing": False, "presenting": False}.items()
    stage.locator(".count").click()
    stage.keyboard.press("Space")
    assert film(stage)[-1]["playing"]


def test_space_on_a_focused_button_presses_it_and_nothing_else(stage):
    button(stage, "One step (→)").focus()
    stage.keyboard.press("Space")
    rests_at(stage, 1)
    button(stage, "Play").focus()
    for playing in (True, False):
        stage.keyboard.press("Space")
        assert film(stage)[-1]["playing"] == playing


def test_with_reduced_motion_a_step_jumps_to_its_end(visitor, server):
    page = go(visitor(reduced_motion="reduce"), f"{server}/?{LINK}")
    page.keyboard.press("ArrowRight")
    rests_at(page, 1)
    page.evaluate("dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' })), globalThis.at = { ...svmviz }")
    assert page.evaluate("[at.t, at.phase, at.stepping]") == [2, 1, False]
    page.keyboard.press("Space")
    page.wait_for_function("svmviz.t > 2")
    assert all(frame["phase"] == 1 for frame in film(page, 20))


# Curves -----------------------------------------------------------------------------------------------------------------


def test_a_click_on_the_curve_jumps_to_that_step_on_every_axis(stage):
    for axis, t in zip(AXES, (20, 45, 3, 33), strict=True):
        stage.get_by_label("Horizontal axis").select_option(axis)
        stage.wait_for_function("axis => svmviz.curves.x.d1 === svmviz.run.axes[axis](svmviz.run.T)", arg=axis)
        x = stage.evaluate("([axis, t]) => svmviz.curves.x(svmviz.run.axes[axis](t))", [axis, t])
        stage.locator(".curves canvas").click(position={"x": x, "y": 40})
        rests_at(stage, t)
        address_follows(stage)
        assert dict(parse_qsl(urlsplit(stage.url).query))["x"] == axis


def test_the_metric_menu_changes_the_curve(stage):
    for metric, words, scale in [("objective", "P(w), exact P*", "y.d1 > 1"), ("error", "share of points", "error"),
                                 ("suboptimality", "P(w) − P*", "error === false")]:
        stage.get_by_label("Curve", exact=True).select_option(metric)
        expect(stage.locator(".curves .caption")).to_contain_text(words)
        assert look(stage, f"curves.{scale}")


# Changes of parameters, and runs without an end -------------------------------------------------------------------------


def test_a_change_of_regularisation_keeps_the_past_and_can_be_undone(page, server):
    go(page, f"{server}/?{LINK}&t=40")
    run, steps = look(page, "run.id"), past(page, 40)
    change_regularisation(page)
    assert past(page, 40) == steps
    assert past(page, 300) != steps
    assert look(page, "run.segments.map(s => s.start)") == [0, 40]
    expect(page.locator(".marks .change")).to_have_text(["λ 0.015"])
    rests_at(page, 40)
    expect(button(page, "Restart")).to_be_visible()
    button(page, "Undo").click()
    page.wait_for_function("id => svmviz.run.id === id", arg=run)
    rests_at(page, 40)
    expect(page.locator(".marks .change")).to_have_count(0)
    expect(regularisation(page)).to_have_attribute("aria-valuetext", "0.01")


def test_restart_takes_the_changed_parameters_from_the_first_step_on(page, server):
    go(page, f"{server}/?{LINK}&t=40")
    change_regularisation(page)
    button(page, "Restart").click()
    rests_at(page, 0)
    assert look(page, "run.segments.map(s => s.lam)") == [0.015]
    expect(page.locator(".marks .change")).to_have_count(0)
    expect(button(page, "Undo")).to_have_count(0)


def test_a_change_while_playing_falls_where_the_player_is_and_it_plays_on(stage):
    stage.get_by_label("Speed").select_option("8")
    stage.keyboard.press("Space")
    stage.wait_for_function("svmviz.t >= 5")
    early = look(stage, "t")
    change_regularisation(stage)
    late, start = look(stage, "t"), look(stage, "run.segments[1].start")
    assert early <= start <= late
    stage.wait_for_function("t => svmviz.t > t && svmviz.playing", arg=late)


def test_near_its_end_the_run_grows_and_plays_on(page, server):
    go(page, f"{server}/?{LINK}&t=295")
    steps = past(page, 300)
    page.get_by_label("Speed").select_option("60")
    page.keyboard.press("Space")
    page.wait_for_function("svmviz.t > 310 && svmviz.playing")
    page.keyboard.press("Space")
    assert past(page, 300) == steps
    length = look(page, "run.T")
    assert length in (600, 1200, 2400)
    expect(page.get_by_role("slider", name="steps")).to_have_attribute("aria-valuetext", str(length))
    assert look(page, "mounts") == 1


def test_reruns_of_the_script_do_not_remount_the_stage(stage):
    stage.evaluate("globalThis.canvas = svmviz.plane.sheet.canvas")
    stage.get_by_label("Speed").select_option("4")
    stage.keyboard.press("End")  # the server hears of the new step
    address_follows(stage)
    stage.keyboard.press("Home")
    address_follows(stage)
    change_regularisation_at_start = regularisation(stage)
    change_regularisation_at_start.press("ArrowRight")
    stage.wait_for_function("svmviz.run.segments[0].lam === 0.015")
    assert look(stage, "mounts") == 1
    assert stage.evaluate("canvas === svmviz.plane.sheet.canvas && canvas.isConnected")
    expect(stage.get_by_label("Speed")).to_have_value("4")


# Links ------------------------------------------------------------------------------------------------------------------

RUNS = {
    "linear": "lam=0.01",
    "Gaussian": "lam=0.01&kernel=rbf(gamma=2.0)",
    "polynomial": "lam=0.1&kernel=poly(degree=3, gamma=0.5, coef0=1.0)&sampling=without replacement",
    "Laplacian": "lam=0.005&kernel=laplacian(gamma=1.5)",
    "mini-batches": "lam=0.02&k=10",
    "projection": "lam=0.1&k=3&project=1&kernel=rbf(gamma=5.0)",
    "average": "lam=0.01&kernel=rbf(gamma=2.0)&iterate=average",
    "random iterate": "lam=0.01&iterate=random",
    "changes": "lam=0.01&change=60:lam=0.1;130:k=5;200:kernel=rbf(gamma=3.0);250:iterate=average",
    "random iterate across kernels": "lam=0.01&iterate=random&kernel=rbf(gamma=1.0)&change=150:kernel=laplacian(gamma=2.0)",
}


@pytest.mark.parametrize("given", RUNS.values(), ids=RUNS)
def test_player_and_python_agree_at_random_steps_after_random_seeks(page, server, given):
    link = f"data=moons&n=150&noise=0.2&data_seed=3&seed=7&T=300&{given}"
    recipe, messages = from_query(dict(parse_qsl(link)))
    trace, rng = recipe.trace(), np.random.default_rng(len(given))
    assert not messages
    go(page, f"{server}/?{link}&t=137&x=examples")
    rests_at(page, 137)
    assert look(page, "axes.x") == "examples"
    xs, ys = (np.array(page.evaluate(f"Array.from(svmviz.engine.grid.{name})")) for name in ("xs", "ys"))
    for t in [137, *rng.integers(1, 301, 6).tolist(), 0]:
        page.evaluate("t => svmviz.seek(t)", t)
        rests_at(page, t)
        shown, cells = state(page), rng.integers(0, xs.size * ys.size, 20)
        places = np.column_stack([xs[cells % xs.size], ys[cells // xs.size]])
        for name, mine, theirs in [("coef", shown["coef"], trace.coef(t)), ("f", shown["f"], trace.f(t, trace.problem.X)),
                                   ("field", np.array(shown["field"])[cells], trace.f(t, places))]:
            assert np.abs(mine - theirs).max() <= 1e-6 * np.abs(theirs).max(), (name, t)
        assert_alike(page.locator(".why").inner_text(), trace.why(t))


def test_the_address_bar_leads_another_visitor_to_the_same_picture(stage, visitor):
    stage.get_by_label("Horizontal axis").select_option("epochs")
    stage.keyboard.press("End")
    for _ in range(3):
        stage.keyboard.press("ArrowLeft")
    rests_at(stage, 297)
    other = go(visitor(), address_follows(stage))
    rests_at(other, 297)
    for what in ("run.id", "axes"):
        assert look(other, what) == look(stage, what)
    assert state(other) == state(stage)


def test_copy_link_copies_the_run_the_step_and_the_beat(visitor, server):
    page = go(visitor(permissions=["clipboard-read", "clipboard-write"]), f"{server}/?{LINK}&t=40")
    page.keyboard.press("ArrowLeft")
    for _ in range(2):
        page.keyboard.press(".")
    button(page, "Copy link").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    query = dict(parse_qsl(urlsplit(link).query))
    assert (query["lam"], query["t"], query["beat"]) == ("0.01", "40", "measure")
    other = go(visitor(), link)
    expect(other.locator(".lines li.active")).to_have_attribute("data-n", "2")
    assert [look(other, w) for w in ("run.id", "t", "phase")] == [look(page, w) for w in ("run.id", "t", "phase")]


def test_a_link_that_makes_no_sense_is_answered_in_sentences_beside_a_stage(page, server):
    go(page, f"{server}/?lam=abc&n=-4&foo=1&t=xyz&change=nonsense&x=up&beat=off")
    alerts = page.get_by_role("alert")
    for words in ("lam must be a number, got 'abc'", "n must lie in [2, 5000], got -4", "'foo'", "got 'xyz'", "got 'nonsense'"):
        expect(alerts.filter(has_text=words)).to_be_visible()
    rests_at(page, 0)


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "![x](x)", "[x](http://example.com)", "<b>x</b>", "**x**"])
def test_text_in_a_link_stays_text(page, server, text):
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    page.goto(server)
    keys = ("data", "kernel", "t", "change", "x", "beat", "foo")
    query = page.evaluate("([keys, text]) => new URLSearchParams(keys.map(key => [key, text])).toString()", [keys, text])
    go(page, f"{server}/?{query}")
    alerts = page.get_by_role("alert")
    expect(alerts.filter(has_text=text)).to_have_count(5)
    assert page.locator("img[src=x], a[href*='example.com']").count() == 0
    assert alerts.locator("b, strong, img, a").count() == 0


# Visitors ---------------------------------------------------------------------------------------------------------------


def test_another_page_and_back_keeps_every_value(page, server):
    go(page, f"{server}/?{LINK}&t=40")
    change_regularisation(page)
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    page.locator(".count").click()
    page.keyboard.press("Shift+ArrowRight")
    rests_at(page, 190)
    address, run = address_follows(page), look(page, "run.id")
    page.get_by_role("link", name="Pegasos, the paper").click()
    page.wait_for_function("svmviz.gone")
    page.get_by_role("link", name="Playground").click()
    page.wait_for_function("svmviz.draws > 0 && !svmviz.gone")
    assert look(page, "run.id") == run
    rests_at(page, 190)
    expect(regularisation(page)).to_have_attribute("aria-valuetext", "0.015")
    expect(page).to_have_url(address)


def test_two_visitors_do_not_see_each_other(visitor, server):
    first, second = go(visitor(), server), go(visitor(), server)
    prepared, t = look(second, "run.id"), look(second, "t")
    first.get_by_role("combobox", name="data").click()
    first.get_by_role("option", name="Two moons").click()
    first.wait_for_function("svmviz.run.id.includes('moons')")
    first.get_by_label("Speed").select_option("60")
    button(first, "Play").click()
    first.wait_for_function("svmviz.t > 20")
    mine = look(first, "run.query")
    regularisation(second).press("ArrowRight")
    second.wait_for_function("svmviz.run.segments.length === 2")
    assert look(second, "t") == t
    assert look(second, "run.query.data") == "blobs"
    assert look(first, "run.query") | {"T": ""} == mine | {"T": ""}  # it may have grown meanwhile
    assert look(go(visitor(), server), "run.id") == prepared


# To take away -----------------------------------------------------------------------------------------------------------


def test_python_shows_a_script_that_prints_the_sentence_of_this_step(page, server):
    go(page, f"{server}/?{LINK}&project=1&kernel=rbf(gamma=2.0)&change=30:lam=0.05&t=41")
    button(page, "Python").click()
    dialog = page.get_by_role("dialog")
    script = dialog.locator("pre").inner_text()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    rests_at(page, 41)
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert run.returncode == 0, run.stderr
    assert_alike(page.locator(".why").inner_text(), run.stdout.splitlines()[0])


def test_png_is_a_picture_of_the_stage(stage):
    with stage.expect_download() as download:
        button(stage, "PNG").click()
    assert download.value.suggested_filename == "pegasos-step-0.png"
    data = Path(download.value.path()).read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    assert picture.width >= 1000
    assert len(picture.getcolors(picture.width * picture.height)) > 100
    corner = picture.crop((picture.width // 2, picture.height // 2, picture.width, picture.height * 9 // 10))
    assert len(corner.getcolors(corner.width * corner.height)) > 2, "no pseudo-code in the picture"


def test_the_table_holds_a_row_for_every_step(stage):
    with stage.expect_download() as download:
        button(stage, "Trace as CSV").click()
    rows = Path(download.value.path()).read_text().splitlines()
    assert rows[0].startswith("t,drawn,")
    assert [int(row.split(",")[0]) for row in rows[1:]] == list(range(301))


# How it looks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_stage_wears_the_colours_of_the_page(visitor, server, scheme):
    page = go(visitor(color_scheme=scheme), f"{server}/?{LINK}")
    tokens = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["theme"][scheme]
    assert look(page, "frame.classList.contains('dark')") == (scheme == "dark")
    assert look(page, "theme.bg") == tokens["backgroundColor"]
    assert look(page, "theme.ink") == tokens["textColor"]


def test_everything_fits_a_laptop_without_scrolling(stage):
    inner, outer = stage.evaluate("""[document.scrollingElement, document.querySelector("[data-testid=stMain]")]
        .map(e => [[e.scrollWidth, e.scrollHeight], [e.clientWidth, e.clientHeight]])""")
    assert inner[0] == inner[1] == [1440, 900]
    assert outer[0] == outer[1]


@pytest.mark.parametrize("leave", ["f", "Escape"])
def test_presenter_mode_fills_the_window_with_larger_type(stage, leave):
    def seen():
        return stage.evaluate("""() => {
            const { x, y, width, height } = svmviz.frame.getBoundingClientRect(), why = svmviz.root.querySelector(".why");
            const bare = [[20, 20], [100, 450], [700, 20]].every(p => document.elementFromPoint(...p).shadowRoot
                ?.contains(svmviz.frame) || svmviz.frame.contains(document.elementFromPoint(...p)));
            return { box: [x, y, width, height], bare, size: parseFloat(getComputedStyle(why).fontSize) };
        }""")

    before = seen()
    assert not before["bare"]
    stage.keyboard.press("f")
    during = seen()
    assert during["box"] == [0, 0, 1440, 900] and during["bare"]
    assert during["size"] >= 1.3 * before["size"]
    stage.keyboard.press(leave)
    assert seen() == before


def test_a_phone_shows_the_stage_in_one_column_and_plays_by_touch(visitor, server):
    phone = {"width": 390, "height": 844}
    page = go(visitor(viewport=phone, has_touch=True, is_mobile=True), f"{server}/?{LINK}")
    button(page, "Play").tap()
    page.wait_for_function("svmviz.t > 1 && svmviz.playing")
    button(page, "Pause").tap()
    expect(button(page, "Play")).to_be_visible()
    for tab, shown in [("Code", ".lines"), ("Beats", ".view.beats"), ("Curve", "section.curves canvas")]:
        page.get_by_role("tab", name=tab).tap()
        for panel in (".lines", ".view.beats", "section.curves canvas"):
            expect(page.locator(panel)).to_be_visible(visible=panel == shown)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.evaluate("""[...svmviz.frame.querySelectorAll("*")].filter(e => !e.closest(".spoken, svg")
            && e.getBoundingClientRect().right > 390.5).map(e => e.outerHTML.slice(0, 80))""") == []
