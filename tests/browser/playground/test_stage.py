"""The app as visitors use it, by mouse, keyboard and touch, in a real browser.

The mounted stage is `svmviz` in the page; tests look into it where the screen alone says too
little. They wait for what must come, never for the clock, and count frames, never milliseconds.
"""

import io
import itertools
import re
import tomllib
from contextlib import redirect_stdout
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from svmviz.player.mount import loader
from svmviz.run.recipe import from_query
from svmviz.ui.shell.frame import JOINER
from tests.browser.page import (
    button,
    film,
    is_no_wider,
    look,
    past,
    picture,
    query,
    quiet,
    raise_lam,
    rests_at,
    scrubber,
    slider,
    some_cells,
    state,
    until,
)
from tests.conftest import COLD
from tests.tools.saying import same_words

ROOT = Path(__file__).parents[3]
MOONS = "data=moons&n=150&noise=0.15&data_seed=1&lam=0.01&seed=5&T=300"
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "user_agent": "Mozilla/5.0 (Linux; Android 15) Chrome/150 Mobile",
}
SHOWN = itertools.count()  # runs that were given to the one stage
expect.set_options(timeout=20_000)  # other work may share the machine


# The clock ----------------------------------------------------------------------------------------


@pytest.mark.always
def test_play_advances_and_after_pause_no_frame_is_drawn(visit):
    page = visit()
    button(page, "Play").click()
    until(page, "svmviz.t > 1")
    button(page, "Pause").click()
    expect(button(page, "Play")).to_be_visible()
    until(page, "!svmviz.stepping")  # the beat ends
    paused = look(page, "draws")
    query(page)
    still = film(page, 12)
    assert still[2]["draws"] - paused <= 2, (
        "more than the last picture and one for the answer of the server"
    )
    assert all(frame == still[2] for frame in still[2:])


def test_one_step_forward_and_one_back_by_button_and_by_key(show):
    page = show()
    forward, back = button(page, "One step (→)"), button(page, "One step back")
    for move, t in [
        (forward.click, 1),
        (lambda: page.keyboard.press("ArrowRight"), 2),
        (forward.click, 3),
        (back.click, 2),
        (lambda: page.keyboard.press("ArrowLeft"), 1),
        (back.click, 0),
        (back.click, 0),
    ]:
        move()
        rests_at(page, t)


def test_steps_back_and_forward_again_lead_to_the_same_bits(show):
    page = show(f"{MOONS}&kernel=rbf(gamma=2.0)&iterate=average&t=70")
    before = state(page)
    for key in ["ArrowLeft"] * 12 + ["ArrowRight"] * 12:  # over the keyframe at step 64
        page.keyboard.press(key)
    rests_at(page, 70)
    assert state(page) == before != state(page, 58)


def test_the_slider_and_keys_lead_to_any_step(visit):
    page = visit()
    box = scrubber(page).bounding_box()
    x, y = (lambda share: box["x"] + share * box["width"]), box["y"] + box["height"] / 2
    page.mouse.move(x(0.1), y)
    page.mouse.down()
    for share, t in [(0.3, 90), (0.8, 240), (0.6, 180)]:
        page.mouse.move(x(share), y, steps=4)
        rests_at(page, t)
    page.mouse.up()
    page.mouse.move(x(0.2), y)
    assert query(page)["t"] == "180", "it moved after it was let go"
    for key, t in [
        ("End", 300),
        ("Shift+ArrowLeft", 150),
        ("ArrowLeft", 149),
        ("Shift+ArrowRight", 299),
        ("Home", 0),
        ("Shift+ArrowRight", 150),
    ]:
        page.keyboard.press(key)
        rests_at(page, t)


def test_comma_and_full_stop_move_by_beats_from_line_to_line(show):
    page = show(f"{MOONS}&project=1&t=40")
    active = page.locator(".lines li.active")
    for key, lines in [(".", "12345"), (",", "4321")]:
        for line in lines:
            page.keyboard.press(key)
            expect(active).to_have_attribute("data-n", line)
            assert look(page, "t") == 41
    page.keyboard.press(",")
    rests_at(page, 40)
    expect(active).to_have_count(0)


def test_the_line_marked_as_next_is_one_that_will_run(show):
    page = show(f"{MOONS}&project=1")
    all_lines = page.locator(".lines li").count()
    t = page.evaluate(
        "all => svmviz.run.lines.findIndex((bits, t) => t && bits !== 2 ** all - 1)", all_lines
    )
    page.evaluate("t => svmviz.seek(t - 1)", t)
    seen = []
    while not seen or look(page, "phase") < 1:
        page.keyboard.press(".")
        seen += [int(row.get_attribute("data-n")) for row in page.locator(".lines li.next").all()]
        assert look(page, "t") == t
    assert seen and all(
        page.evaluate("([t, n]) => svmviz.run.lines[t] >> n - 1 & 1", [t, n]) for n in seen
    )


def test_speed_sets_the_pace_and_a_fast_step_has_no_beats(show):
    page = show()
    speed = page.get_by_label("Speed")
    page.keyboard.press("Space")
    slow = film(page, 60)
    assert slow[-1]["t"] <= 16 and any(
        frame["phase"] < 1 for frame in slow
    )  # a frame counts for 250 ms at most
    page.keyboard.press("Space")
    page.keyboard.press("Home")
    speed.select_option("1000")
    page.keyboard.press("Space")
    fast = film(page, 60)
    assert fast[-1]["t"] > 100 and all(frame["phase"] == 1 for frame in fast)
    expect(page.locator(".lines li.active")).to_have_count(0)
    for key, expected in [
        ("-", 500),
        ("-", 250),
        ("+", 500),
        *[("+", s) for s in (1000, 2000, 4000, 4000)],
    ]:
        page.keyboard.press(key)
        expect(speed).to_have_value(str(expected))
        assert look(page, "speed") == expected


def test_keys_belong_to_the_field_or_button_that_has_the_focus(visit):
    page = visit()
    field = page.get_by_role("spinbutton", name="run seed")
    for key in ("Space", "ArrowRight", "ArrowLeft", "Home", "End", ".", "f"):
        field.press(key)
        assert (
            film(page)[-1].items()
            >= {
                "t": 0,
                "phase": 1,
                "playing": False,
                "presenting": False,
            }.items()
        )
    button(page, "One step (→)").focus()
    page.keyboard.press("Space")
    rests_at(page, 1)
    button(page, "Play").focus()
    for playing in (True, False):
        page.keyboard.press("Space")
        assert film(page)[-1]["playing"] == playing
    page.locator(".count").click()  # on nothing: now they are the stage's
    page.keyboard.press("Space")
    assert film(page)[-1]["playing"]


PAUSED = """async phases => {
    const wait = async done => { while (!done()) await new Promise(requestAnimationFrame); };
    const said = () => [...svmviz.root.querySelectorAll(".numbers, .lines")].map(e => e.innerText).join();
    const found = [];
    for (const phase of phases) {
        svmviz.seek(9);
        svmviz.toggle(true);
        Object.assign(svmviz, { t: 9, phase });
        svmviz.toggle(false);
        await wait(() => !svmviz.stepping);
        const { beat } = svmviz.view(), at = svmviz.phase, before = said();
        svmviz.seek(30);
        svmviz.obey({ ...svmviz.run, view: { t: 9, beat: beat === "rest" ? "" : beat, x: "steps", y: "",
                      serial: svmviz.serial + 1 } });
        svmviz.paint();
        found.push({ phase, at, end: svmviz.endOf(beat), before, after: said() });
    }
    return found;
}"""


def test_pause_lets_the_beat_end_and_a_link_leads_to_the_same_numbers(show):
    page = show("solver=pegasos&data=blobs&n=150&lam=0.05&project=1&T=60&t=9")
    for found in page.evaluate(PAUSED, [0.02, 0.3, 0.77, 0.97]):
        assert found["at"] == found["end"] >= found["phase"], found
        assert found["before"] and found["after"] == found["before"], found


def test_who_is_sent_elsewhere_while_a_beat_ends_gets_there(show):
    page = show("solver=pegasos&data=blobs&n=150&lam=0.05&project=1&T=60&t=9")
    page.evaluate(
        """() => { svmviz.toggle(true); Object.assign(svmviz, { t: 9, phase: .3 }); svmviz.toggle(false);
        svmviz.obey({ ...svmviz.run, view: { t: 30, beat: "", x: "steps", y: "", serial: svmviz.serial + 1 } });
        svmviz.repaint(); }"""
    )
    rests_at(page, 30)


def test_a_step_that_has_begun_is_ended_first(show):
    page = show("solver=pegasos&data=blobs&n=150&lam=0.05&project=1&T=60&t=9&beat=add")
    page.keyboard.press("ArrowRight")
    rests_at(page, 9)
    page.keyboard.press("ArrowRight")
    rests_at(page, 10)


def test_with_reduced_motion_a_step_jumps_to_its_end(visit):
    page = visit(reduced_motion="reduce")
    at_once = page.evaluate("""() => {
        dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
        return [svmviz.t, svmviz.phase, svmviz.stepping];
    }""")
    assert at_once == [1, 1, False]
    page.keyboard.press("Space")
    until(page, "svmviz.t > 2")
    assert all(frame["phase"] == 1 for frame in film(page, 20))


# Curves -------------------------------------------------------------------------------------------


@pytest.mark.long
def test_menus_change_the_curve_and_a_click_on_it_jumps_to_that_step(visit):
    page = visit()
    for axis, t in [("epochs", 20), ("examples", 45), ("features_read", 3), ("steps", 33)]:
        page.get_by_label("Horizontal axis").select_option(axis)
        until(page, "svmviz.curves.x.d1 === svmviz.run.axes[value](svmviz.run.T)", axis)
        x = page.evaluate("([axis, t]) => svmviz.curves.x(svmviz.run.axes[axis](t))", [axis, t])
        page.locator(".curves canvas").click(position={"x": x, "y": 40})
        rests_at(page, t)
        assert query(page)["x"] == axis
    for metric, words in [
        ("objective", "P(w), exact"),
        ("error", "share of points"),
        ("suboptimality", "P(w) − P*"),
    ]:
        page.get_by_label("Curve", exact=True).select_option(metric)
        expect(page.locator(".curves .caption")).to_contain_text(words)
        until(page, "svmviz.curves.error === value", metric == "error")


def test_a_run_that_is_at_its_optimum_from_the_first_step_has_a_curve_without_a_scale(show):
    """Nothing above zero to draw: the ticks of such a scale were counted without end."""
    page = show("data=blobs&n=2&noise=0.0&solver=smo&lam=1.5&T=20&t=3")
    rests_at(page, 3)
    assert page.evaluate("svmviz.curves.y.d0 > 0 && svmviz.curves.y.d1 < Infinity")


# Changes of parameters, and runs without an end ---------------------------------------------------


@pytest.mark.always
def test_a_change_keeps_the_past_and_can_be_undone_or_taken_from_the_start(visit):
    page = visit(f"{MOONS}&t=39")
    page.keyboard.press("ArrowRight")
    query(page)
    run, steps, changes = look(page, "run.id"), past(page, 40), page.locator(".marks .change")
    raise_lam(page)
    rests_at(page, 40)
    assert look(page, "run.segments.map(s => s.start)") == [0, 40]
    assert past(page, 40) == steps
    expect(changes).to_have_text(["λ 0.015"])
    for name in ("Restart", "Undo"):
        assert button(page, name).first.evaluate(
            "e => e.checkVisibility({ opacityProperty: true })"
        ), name
    button(page, "Undo").click()
    until(page, "svmviz.run.id === value", run)
    rests_at(page, 40)
    expect(changes).to_have_count(0)
    expect(slider(page, "regularisation")).to_have_attribute("aria-valuetext", "0.01")
    raise_lam(page)
    button(page, "Restart").click()
    rests_at(page, 0)
    assert "change" not in query(page)
    expect(changes).to_have_count(0)
    assert look(page, "run.segments.map(s => s.params.lam)") == [0.015]


def test_a_change_while_playing_falls_where_the_player_is_and_it_plays_on(visit):
    page = visit()
    page.get_by_label("Speed").select_option("8")
    page.keyboard.press("Space")
    until(page, "svmviz.t >= 5")
    early = look(page, "t")
    raise_lam(page)
    late = look(page, "t")
    assert early <= look(page, "run.segments[1].start") <= late
    until(page, "svmviz.t > value && svmviz.playing", late)


COUNT = """() => {
  const { send } = WebSocket.prototype;
  globalThis.told = 0;
  WebSocket.prototype.send = function (message) { told++; return send.call(this, message); };
}"""


def test_a_knob_is_one_message_at_rest_and_two_while_it_plays_and_one_entry_of_the_history(visit):
    page = visit(f"{MOONS}&t=40", fresh=True)  # whose history is short
    page.evaluate(COUNT)
    raise_lam(page)
    rests_at(page, 40)
    assert page.evaluate("told") == 1 and look(page, "run.segments.map(s => s.start)") == [0, 40]
    page.locator(".count").click()
    page.get_by_label("Speed").select_option("8")
    page.keyboard.press("Space")
    until(page, "svmviz.t >= 45")
    early, entries = page.evaluate("told = 0, [svmviz.t, history.length]")
    slider(page, "regularisation").press("ArrowRight")
    until(page, "svmviz.run.segments.length === 3")
    assert page.evaluate("told") == 2 and early <= look(page, "run.segments[2].start") <= look(
        page, "t"
    )
    quiet(page)
    assert page.evaluate("history.length") == entries + 1
    page.go_back()
    until(page, "svmviz.run.segments.length === 2")
    assert look(page, "run.segments.map(s => s.start)") == [0, 40]


def test_near_its_end_the_run_grows_and_plays_on(visit):
    page = visit(f"{MOONS}&t=295")
    steps = past(page, 300)
    page.get_by_label("Speed").select_option("60")
    page.keyboard.press("Space")
    until(page, "svmviz.t > 310 && svmviz.playing")
    page.keyboard.press("Space")
    assert past(page, 300) == steps
    length = query(page)["T"]
    assert length in ("600", "1200") and look(page, "run.T") == int(length)
    expect(slider(page, "steps")).to_have_attribute("aria-valuetext", length)
    assert look(page, "mounts") == 1


def test_keys_at_the_end_do_not_disturb_how_the_run_grows(visit):
    page = visit()
    page.evaluate("svmviz.seek(300, true)")
    for key in ("ArrowLeft", "ArrowRight") * 2:
        page.keyboard.press(key)
    until(page, "svmviz.run.T !== 300")
    rests_at(page, 300)
    length = query(page)["T"]
    assert length in ("600", "1200") and look(page, "run.T") == int(length)
    expect(slider(page, "steps")).to_have_attribute("aria-valuetext", length)


def test_a_run_that_is_made_shorter_is_seen_at_its_end_and_the_address_says_so(visit):
    page = visit(f"{MOONS}&t=290")
    slider(page, "steps").press("Home")
    until(page, "svmviz.run.T < 290 && svmviz.t === svmviz.run.T")
    quiet(page)
    assert query(page)["t"] == query(page)["T"] == str(look(page, "run.T"))
    slider(page, "steps").press("ArrowRight")
    until(page, "svmviz.t < svmviz.run.T")
    quiet(page)
    assert query(page)["t"] == str(look(page, "t"))


def test_reruns_of_the_script_leave_the_stage_in_place(visit):
    page = visit()
    page.evaluate("globalThis.canvas = svmviz.plane.sheet.canvas")
    page.get_by_label("Speed").select_option("4")
    for key in ("End", "Home"):
        page.keyboard.press(key)
        query(page)  # the script has run
    raise_lam(page)
    assert look(page, "mounts") == 1
    assert page.evaluate("canvas === svmviz.plane.sheet.canvas && canvas.isConnected")
    expect(page.get_by_label("Speed")).to_have_value("4")


def test_a_call_that_newer_data_overtook_does_not_end_the_stage(visit):
    """Streamlit calls the component for each message and, where the next one came before that was
    done, ends the call at once; calls for one place share one stage.
    """
    page = visit()
    page.evaluate(
        """async text => {
        const { default: call } = await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
        const parentElement = document.body.appendChild(document.createElement("div")), { bytes: data } = svmviz;
        const overtaken = call({ parentElement, data });
        globalThis.end = call({ parentElement, data: data.slice() });
        overtaken();
    }""",
        loader("stage"),
    )
    until(page, "svmviz.mounts === 2 && svmviz.run && !svmviz.gone")
    page.evaluate("svmviz.root.parentNode.remove(), end()")
    until(page, "svmviz.gone")


def test_the_curve_goes_back_to_suboptimality_once_there_is_an_optimum_again(show):
    page = show("data=moons&n=60&solver=sdca&lam=0.01&T=50&t=20")
    assert look(page, "axes.y") == "suboptimality"
    page.evaluate("""() => {
        for (const segment of svmviz.run.segments) segment.optimum = null;          // as where none was found in time
        svmviz.curves.prepare(svmviz.run, svmviz.axes, svmviz.panel);
    }""")
    assert look(page, "axes.y") == "objective"
    page = show("data=moons&n=50&solver=sdca&lam=0.01&T=50&t=20")
    assert look(page, "axes.y") == "suboptimality"
    page = show("data=moons&n=50&solver=sdca&lam=0.01&T=50&t=20&y=objective")
    assert look(page, "axes.y") == "objective"  # by the visitor's own choice


# Links --------------------------------------------------------------------------------------------

RUNS = {  # what is on screen; test_player.py has many more without one
    "average": "lam=0.01&kernel=rbf(gamma=2.0)&iterate=average",
    "changes": "lam=0.01&change=60:lam=0.1;130:k=5;200:kernel=rbf(gamma=3.0);250:iterate=average",
    "SMO without bias": "solver=smo&bias=0&lam=0.05&change=140:bias=1",
    "Fourier features": (
        "solver=fourier&lam=0.01&gamma=2.0&features=30&change=150:features=12;220:iterate=average"
    ),
}


@pytest.mark.parametrize("given", RUNS.values(), ids=RUNS)
def test_player_and_python_agree_at_random_steps_after_random_seeks(show, given):
    link = f"data=moons&n=150&noise=0.2&data_seed=3&seed=7&T=300&{given}"
    recipe, messages = from_query(dict(parse_qsl(link)))
    trace, rng = recipe.trace(), np.random.default_rng(len(given))
    assert not messages
    page = show(f"{link}&t=137&x=examples")
    rests_at(page, 137)
    assert look(page, "axes.x") == "examples"
    for t in [137, *rng.integers(1, 301, 6).tolist(), 0]:
        page.evaluate("t => svmviz.seek(t)", t)
        rests_at(page, t)
        shown = state(page)
        cells, places = some_cells(shown, rng)
        for mine, theirs in [
            (shown["coef"], trace.coef(t)),
            (shown["f"], trace.f(t, trace.problem.X)),
            (np.array(shown["field"])[cells], trace.f(t, places)),
        ]:
            assert np.abs(mine - theirs).max() <= 1e-6 * np.abs(theirs).max()
        same_words(page.locator(".why").inner_text(), trace.why(t))


@pytest.mark.always
def test_the_address_bar_leads_another_visitor_to_the_same_picture(visit):
    page = visit()
    page.get_by_label("Horizontal axis").select_option("epochs")
    for key in ("End", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    rests_at(page, 298)
    link, here, shown = (
        urlencode(query(page)),
        [look(page, what) for what in ("run.id", "axes")],
        state(page),
    )
    other = visit(link, instead=True)
    rests_at(other, 298)
    assert [look(other, what) for what in ("run.id", "axes")] == here
    assert state(other) == shown


def test_the_back_button_of_the_browser_leads_to_the_step_before(visit):
    page = visit()
    for key in ("End", "Home"):
        page.keyboard.press(key)
        query(page)
    page.go_back()
    rests_at(page, 300)
    assert query(page)["t"] == "300"


@pytest.mark.parametrize(
    "solver",
    ["solver=pegasos", "solver=bsgd&kernel=none&maintenance=none"],
    ids=["Pegasos", "BSGD"],
)
def test_a_margin_of_exactly_one_costs_nothing_on_the_stage_either(show, solver):
    """Two points whose margins are 1 to the last bit after the first step, so that the second one
    only shrinks w.
    """
    link = f"data=blobs&n=2&noise=0&lam=2&T=4&{solver}"
    page, trace = show(f"{link}&t=1"), from_query(dict(parse_qsl(link)))[0].trace()
    assert trace.segments[0].record.margin[1, 0] == 1.0
    skipped = {}
    for t in (1, 2, 3):
        rests_at(page, t)
        same_words(page.locator(".why").inner_text(), trace.why(t))
        now = page.evaluate("(({ hinge, paying }) => ({ hinge, paying }))(svmviz.view().now)")
        assert now == {
            "hinge": pytest.approx(trace.metrics["hinge"][t], abs=1e-6),
            "paying": 0 if t == 1 else 2,
        }
        assert (
            "n_sv" not in trace.scalars or look(page, f"run.n_sv[{t}]") == trace.scalars["n_sv"][t]
        )
        skipped[t] = set(page.locator(".lines li.skipped").all_inner_texts())
        page.keyboard.press("ArrowRight")
    assert skipped[1] == skipped[3] < skipped[2]  # the line that adds


@pytest.mark.long
def test_copy_link_copies_the_run_the_step_and_the_beat(visit):
    page = visit(f"{MOONS}&t=39", permissions=["clipboard-read", "clipboard-write"])
    for _ in range(2):
        page.keyboard.press(".")
    button(page, "Copy link").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    link = urlsplit(page.evaluate("navigator.clipboard.readText()")).query
    assert dict(parse_qsl(link)).items() >= {"lam": "0.01", "t": "40", "beat": "measure"}.items()
    other = visit(link)
    expect(other.locator(".lines li.active")).to_have_attribute("data-n", "2")
    assert [look(other, what) for what in ("run.id", "t")] == [
        look(page, what) for what in ("run.id", "t")
    ]


@pytest.mark.parametrize("options", [{}, {"has_touch": True, **PHONE}], ids=["desk", "phone"])
def test_a_link_that_makes_no_sense_is_answered_in_sentences_beside_a_stage(visit, options):
    page = visit("lam=abc&n=-4&foo=1&t=xyz&change=nonsense&x=up&beat=off", **options)
    for words in (
        "lam must be a number, got 'abc'",
        "n must lie in [2, 5000], got -4",
        "holds 'foo'",
        "got 'xyz'",
        "got 'nonsense'",
    ):
        expect(page.get_by_role("alert").filter(has_text=words)).to_be_in_viewport()
    rests_at(page, 0)


def test_text_in_a_link_stays_text(visit):
    texts = {
        "data": "<img src=x onerror=hit=1>",
        "kernel": "![a](x)",
        "t": "[a](//example.com)",
        "lam": "<b>b</b>",
        "change": "**c**",
        "noise": "$d$ :red[e]",
    }
    page = visit(urlencode(texts | {"x": texts["data"], "beat": texts["data"], texts["data"]: "1"}))
    alerts = page.get_by_role("alert")
    expect(alerts.filter(has_text="means nothing here").first).to_be_visible()
    words = " ".join(alerts.all_inner_texts()).replace(JOINER, "")
    assert all(text in words for text in texts.values())
    assert page.locator("img[src$=x], a[href*='example.com']").count() == 0
    assert alerts.locator("b, strong, .katex, [class*=colored]").count() == 0
    assert page.evaluate("globalThis.hit === undefined")


# Visitors -----------------------------------------------------------------------------------------


def test_another_page_and_back_keeps_every_value(visit):
    page = visit(f"{MOONS}&t=40")
    raise_lam(page)
    page.locator(".count").click()
    page.keyboard.press("Shift+ArrowRight")
    rests_at(page, 190)
    address, run = query(page), look(page, "run.id")
    page.get_by_test_id("stTopNavSection").filter(has_text="Papers").click()
    stage = page.evaluate_handle("svmviz")
    page.get_by_role("menuitem", name="Pegasos", exact=True).click()
    until(page, "value.gone", stage)
    page.get_by_role("link", name="Playground", exact=True).click()
    until(page, "svmviz.draws > 0 && !svmviz.gone")
    assert look(page, "run.id") == run
    rests_at(page, 190)
    expect(slider(page, "regularisation")).to_have_attribute("aria-valuetext", "0.015")
    assert query(page) == address


@pytest.mark.long
def test_what_the_stage_says_while_another_page_comes_does_not_lead_back(visit):
    page = visit(f"{MOONS}&t=40")
    page.get_by_test_id("stTopNavSection").filter(has_text="Papers").click()
    stage = page.evaluate_handle("svmviz")
    page.get_by_role("menuitem", name="Pegasos", exact=True).evaluate("""link => {
        link.click();
        svmviz.setStateValue("view", { ...svmviz.whereabouts(), t: 41, knob: svmviz.answered });
    }""")
    until(page, "value.gone", stage)
    quiet(page)
    expect(page).to_have_url(re.compile("/pegasos$"))


@pytest.mark.long
def test_the_visitor_of_a_test_finds_nothing_of_those_before(profile, visitor, server):
    kept = """async () => [localStorage.length, sessionStorage.length,
        (await caches.keys()).length, (await indexedDB.databases()).length]"""
    before = profile.new_page()
    before.goto(f"{server}/_stcore/health")
    before.evaluate("""async () => {
        localStorage.a = sessionStorage.a = document.cookie = "a=1; max-age=600";
        await caches.open("a");
        await new Promise(done => { indexedDB.open("a").onsuccess = done; });
    }""")
    assert all(before.evaluate(kept)) and profile.cookies()
    before.close()
    page = visitor()
    assert page.context is profile and not profile.cookies()
    page.goto(f"{server}/_stcore/health")
    assert page.evaluate(kept) == [0, 0, 0, 0]


@pytest.mark.long
def test_two_visitors_do_not_see_each_other(visit):
    first, second = visit(""), visit("")
    prepared, t = look(second, "run.id"), look(second, "t")
    first.get_by_role("combobox", name="data").click()
    first.get_by_role("option", name="Two moons").click()
    until(first, "svmviz.run.query.data === 'moons'")
    button(first, "Play").click()
    until(first, "svmviz.t > 1")
    slider(second, "regularisation").press("ArrowRight")
    until(second, "svmviz.run.segments.length === 2")
    assert (look(second, "run.query.data"), look(second, "t"), look(second, "playing")) == (
        "blobs",
        t,
        False,
    )
    assert (look(first, "run.query.data"), look(first, "run.segments.length")) == ("moons", 1)
    assert look(visit(""), "run.id") == prepared


# To take away -------------------------------------------------------------------------------------


def test_python_shows_a_script_that_prints_the_sentence_of_this_step(show):
    page = show(f"{MOONS}&project=1&kernel=rbf(gamma=2.0)&change=30:lam=0.05&t=41")
    button(page, "Python").click()
    dialog = page.get_by_role("dialog")
    script = dialog.locator("pre").inner_text()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    with redirect_stdout(io.StringIO()) as printed:
        exec(script, {"__name__": "__main__"})  # nothing but what it imports itself
    same_words(page.locator(".why").inner_text(), printed.getvalue().splitlines()[0])


# What is written into pictures, and all that can be pressed.
WRITTEN = """() => {
    const proto = CanvasRenderingContext2D.prototype, { fillText } = proto;
    globalThis.written = [];
    proto.fillText = function (words, ...at) {
        if (!this.canvas.isConnected) written.push(words);
        return fillText.call(this, words, ...at);
    };
    return [...svmviz.frame.querySelectorAll("button, .speed")].map(e => e.selectedOptions?.[0].text ?? e.textContent)
        .filter(words => words.trim());
}"""


def test_a_picture_shows_no_buttons_and_says_what_it_is(visit):
    page = visit(f"{MOONS}&solver=sbp&nu=0.05&kernel=rbf(gamma=2.0)&t=40")
    buttons = page.evaluate(WRITTEN)
    assert {"Draw", "Sorted", "Save", "1 step/s"} <= {*buttons}
    download = picture(page)
    words = page.evaluate("written")
    assert not {"Draw", "Sorted", "Save", "PNG", "Python", "Copy", "Present", "step/s"} & {*words}
    link = page.evaluate("svmviz.dialogs.address()")
    told = "".join(words)
    assert (
        "Two moons, points = 150, noise = 0.15, data seed = 1; run seed 5; after step 40 of 300"
        in told
        and link in told
    )
    with Image.open(download.path()) as image:  # room for the lines below, none for the transport
        panels = page.evaluate(
            "svmviz.frame.querySelector('.transport').getBoundingClientRect().top"
            " - svmviz.frame.getBoundingClientRect().top"
        )
        assert image.height / 2 == pytest.approx(panels + 2 * 24 + 3 * 18, abs=20)


def test_picture_and_table_can_be_downloaded(visit):
    page = visit(f"{MOONS}&t=40")
    png = picture(page)
    assert png.suggested_filename == "pegasos-step-40.png"
    with Image.open(png.path()) as image:
        assert image.format == "PNG" and image.width >= 1000
        pixels = np.asarray(image.convert("RGB"))
    middle, upper = pixels.shape[1] // 2, pixels.shape[0] * 6 // 10
    plane, mechanism, curves, code = (
        half
        for row in (pixels[:upper], pixels[upper:])
        for half in (row[:, :middle], row[:, middle:])
    )
    for panel, token, least in [
        (plane, "plus", 2000),
        (plane, "minus", 2000),
        (mechanism, "plus", 500),
        (curves, "bound", 500),
        (code, "ink", 500),
    ]:  # a legend alone has less of it
        colour = tuple(bytes.fromhex(look(page, f"theme.{token}")[1:]))
        assert (np.abs(panel - np.array(colour)) <= 60).all(axis=2).sum() > least, token
    assert button(page, "Trace as CSV").first.evaluate(
        "e => e.checkVisibility({ opacityProperty: true })"
    )
    with page.expect_download() as table:
        button(page, "Trace as CSV").click()
    rows = Path(table.value.path()).read_text().splitlines()
    assert rows[0].startswith("t,drawn,")
    assert [int(row.split(",")[0]) for row in rows[1:]] == list(range(301))


# How it looks -------------------------------------------------------------------------------------


@pytest.mark.always
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_stage_wears_the_colours_of_the_page_and_needs_no_scrollbar(visit, scheme):
    page = visit(color_scheme=scheme)
    tokens = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["theme"][scheme]
    assert look(page, "frame.classList.contains('dark')") == (scheme == "dark")
    assert (look(page, "theme.bg"), look(page, "theme.ink")) == (
        tokens["backgroundColor"].lower(),
        tokens["textColor"].lower(),
    )
    for frame in ("html", "[data-testid=stMain]"):
        hidden = page.locator(frame).evaluate(
            "e => [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight]"
        )
        assert hidden == [0, 0], frame


def test_presenter_mode_fills_the_window_with_larger_type(show):
    page = show()

    def seen():
        return page.evaluate("""() => {
            const { x, y, width, height } = svmviz.frame.getBoundingClientRect(), host = svmviz.root.getRootNode().host;
            const covers = [[20, 20], [100, 450], [700, 20]].map(p => document.elementFromPoint(...p) === host);
            return [[x, y, width, height], covers, parseFloat(getComputedStyle(svmviz.code.why).fontSize)];
        }""")

    usual, size = seen(), seen()[-1]
    for leave in ("f", "Escape"):
        page.keyboard.press("f")
        box, covers, larger = seen()
        assert box == [0, 0, 1440, 900] and all(covers) and larger >= 1.3 * size
        page.keyboard.press(leave)
        assert seen() == usual != (box, covers, larger)


def test_on_a_first_visit_the_thumb_stands_where_the_run_does(visit):
    page = visit("")
    expect(page.locator(".hint.invite")).to_be_visible()  # it takes room from the bar
    until(
        page,
        """(() => {
        const [bar, thumb] = [".scrub", ".thumb"].map(name => svmviz.frame.querySelector(name).getBoundingClientRect());
        const share = (thumb.left + thumb.width / 2 - bar.left) / bar.width;
        return svmviz.t > 0 && Math.abs(share - svmviz.t / svmviz.run.T) * bar.width < 1;
    })()""",
    )


@pytest.mark.always
def test_a_phone_shows_one_column_and_plays_by_touch(visit):
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    button(page, "Play").tap()
    until(page, "svmviz.t > 1 && svmviz.playing")
    button(page, "Pause").tap()
    expect(button(page, "Play")).to_be_visible()
    panels = {"Code": ".lines", "Beats": ".view.beats", "Curve": "section.curves canvas"}
    for tab in panels:
        page.get_by_role("tab", name=tab).tap()
        for name, panel in panels.items():
            expect(page.locator(panel)).to_be_visible(visible=name == tab)
        assert page.locator(".lines code").evaluate_all(
            "all => all.every(e => e.scrollWidth <= e.clientWidth)"
        )
        is_no_wider(page)
        assert (
            page.evaluate(
                """[...svmviz.frame.querySelectorAll("*")].filter(e => !e.closest(".spoken, svg")
            && e.getBoundingClientRect().right > 390.5).map(e => e.outerHTML.slice(0, 80))"""
            )
            == []
        )


def test_playground_is_found_by_its_name_too(arrive):
    page = arrive("/playground", fresh=True)
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
    quiet(page)
    expect(page.get_by_text("Page not found")).to_have_count(0)
