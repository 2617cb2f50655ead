"""Where things stand on the stage: no label on another, beyond its canvas or under a control, no
title cut, no sentence on the transport, at every size, for every solver, at all beats of some
steps. What is written on a canvas is noted as it comes.
"""

import re

import pytest
from playwright.sync_api import expect

from svmviz.solvers import SOLVERS
from tests.browser.page import PHONE, button, look, slider, until
from tests.conftest import COLD

pytestmark = pytest.mark.long
MOONS = "data=moons&n=200&noise=0.22&data_seed=1"
RUNS = {
    "Pegasos": "solver=pegasos&data=blobs&n=150&lam=0.05&project=1&T=300&t=9",
    "Pegasos, Gaussian": (
        f"solver=pegasos&{MOONS}&kernel=rbf(gamma=3.0)&lam=0.005&k=4&iterate=average&T=600&t=152"
        "&change=100:lam=0.01"
    ),
    "SBP": f"solver=sbp&{MOONS}&kernel=rbf(gamma=3.0)&nu=0.05&seed=2&T=600&t=152",
    "SBP, little water": f"solver=sbp&{MOONS}&kernel=rbf(gamma=3.0)&nu=0.0005&seed=2&T=600&t=400",
    "SBP with a bias": (
        f"solver=sbp&{MOONS}&kernel=rbf(gamma=3.0)&nu=0.05&seed=2&T=600&bias=1&t=152"
    ),
    "SDCA": f"solver=sdca&{MOONS}&kernel=rbf(gamma=2.0)&lam=0.01&T=600&t=150",
    "SMO": f"solver=smo&{MOONS}&kernel=rbf(gamma=2.0)&lam=0.01&T=300&t=250",
    "Perceptron": f"solver=perceptron&{MOONS}&kernel=rbf(gamma=2.0)&T=400&t=90",
    "Fourier features": f"solver=fourier&{MOONS}&lam=0.01&gamma=2.0&features=30&T=600&t=150",
    "BSGD": (
        "solver=bsgd&data=checkerboard&seed=7&T=2000&lam=0.001&B=20&kernel=rbf(gamma=3.0)&t=562"
    ),
    "BSGD, six classes": "solver=bsgd&data=pinwheel&classes=6&multiclass=1&T=600&t=400",
    "Incremental SVM": (
        f"solver=incremental&{MOONS}&kernel=rbf(gamma=2.0)&teacher=active&T=150&t=90"
    ),
    "SIMBA": "solver=simba&data=rare&nu=0.001&T=120&t=60",
    "SIMBA, two features": "solver=simba&T=120&t=60",
}
RUNS |= {
    SOLVERS[key].title: f"solver={key}&{MOONS}&T=400&t=90"
    for key in SOLVERS
    if not any(f"solver={key}&" in run for run in RUNS.values())
}
SIZES = {
    "desk": (1440, 900),
    "tablet": (1024, 768),
    "200 %": (720, 450),
    "presenter": (1440, 900),
    "small presenter": (1024, 768),
    "presenter, curve": (1024, 768),
    "presenter, code": (1024, 768),
    "large presenter, code": (1920, 1080),
}

# Paint some moments, and note every text with its box in the window: where it is on another, cut,
# or under a control.
FAULTS = """steps => {
  const proto = CanvasRenderingContext2D.prototype, { fillText } = proto, { curves, frame, run } = svmviz, found = new Set();
  const seen = e => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0;
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const TITLES = "h2, h3, h3 b, .caption, .paper, .lines li, .lines code, .lines output, .hint, .legend, .why, dt, dd, select";
  let texts = [];
  proto.fillText = function (words, x, y) {
    const canvas = this.canvas === curves.layers.future ? curves.sheet.canvas : this.canvas,
      place = canvas.getBoundingClientRect();
    if (place.width && words.trim() && this.globalAlpha > .1) {
      const m = this.measureText(words), { a, d, e, f } = this.getTransform(), r = this.canvas.width / place.width;
      const across = px => place.left + (e + a * px) / r, down = py => place.top + (f + d * py) / r;
      texts.push({ words, canvas, place,
        left: across(x - m.actualBoundingBoxLeft), right: across(x + m.actualBoundingBoxRight),
        top: down(y - m.actualBoundingBoxAscent), bottom: down(y + m.actualBoundingBoxDescent) });
    }
    return fillText.call(this, words, x, y);
  };
  const check = () => {
    svmviz.paint();
    svmviz.layout();                                         // as when a sentence has taken room from the panels
    texts = [];
    curves.key = curves.theme = null;                        // what is kept is painted anew
    if (svmviz.mechanism.choice) svmviz.mechanism.choice.painted = null;
    svmviz.paint();
    const at = `step ${svmviz.t}, ${svmviz.view().beat}`, said = (...what) => found.add(`${what.join(" | ")} (${at})`);
    const controls = [...frame.querySelectorAll("select, button:not(.theorem), .tools, .foot, .key, .rounds")].filter(seen)
      .map(e => ({ name: e.className || e.tagName, box: e.getBoundingClientRect() }));
    texts.forEach((t, k) => {
      const { words, place } = t, where = t.canvas.parentElement.className;
      const aside = t.left < place.left - 1 || t.right > place.right + 1;
      if (aside || t.top < place.top - 1.5 || t.bottom > place.bottom + 1.5) said("cut", where, words);
      for (const c of controls) if (over(t, c.box)) said("under a control", where, words, c.name);
      const wider = { ...t, left: t.left - 3, right: t.right + 3 };                  // side by side they need a gap
      for (const other of texts.slice(k + 1)) {
        if (other.canvas === t.canvas && over(wider, other)) said("over each other", where, words, other.words);
      }
    });
    for (const e of frame.querySelectorAll("canvas")) {      // one that is older than the panel shows an old picture
      const { clientWidth: wide, clientHeight: tall } = e.parentElement;
      const other = Math.abs(e.clientWidth - wide) > 1 || Math.abs(e.clientHeight - tall) > 1;
      if (seen(e) && other) said("of another size", e.parentElement.className, e.clientWidth, e.clientHeight, wide, tall);
    }
    for (const e of frame.querySelectorAll(TITLES)) {
      const wide = e.clientWidth && e.scrollWidth > e.clientWidth + 1;
      const tall = !e.matches("li") && e.clientHeight && e.scrollHeight > e.clientHeight + 3;
      if (seen(e) && (wide || tall)) said("cut title", e.className || e.tagName, e.textContent);
    }
    const why = frame.querySelector(".why"), bar = frame.querySelector(".transport"), range = document.createRange();
    range.selectNodeContents(why);
    const scrolls = getComputedStyle(bar).position === "sticky";         // the page under it
    if (seen(why) && !scrolls && range.getBoundingClientRect().bottom > bar.getBoundingClientRect().top - 1) {
      said("the sentence meets the transport", why.textContent);
    }
  };
  try {
    for (const t of steps) {
      svmviz.seek(Math.max(0, Math.min(t, run.T) - 1));
      if (t === 0) check();
      else for (let k = 0; k < 12; k++) {
        svmviz.beat(1);
        if (svmviz.t > t) break;
        check();
        if (svmviz.phase === 1) break;
      }
    }
  } finally { proto.fillText = fillText; }
  return [...found];
}"""

SETTLED = """new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
    svmviz.layout();
    requestAnimationFrame(done);
})))"""


def resize(page, width: int, height: int, presenting: bool = False, key: str = "") -> None:
    """Give the window another size, press the key of a panel if there is one, and wait until the
    stage has taken all that.
    """
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(
        "on => { if (svmviz.presenting) svmviz.present(); if (on) svmviz.present(); }", presenting
    )
    until(page, "innerWidth === value[0] && innerHeight === value[1]", [width, height])
    if key:
        page.keyboard.press(key)
    page.evaluate(SETTLED)


@pytest.mark.parametrize("link", RUNS.values(), ids=RUNS)
def test_no_words_are_cut_or_on_others_at_any_size(show, link):
    page = show(link)
    t, T = look(page, "t"), look(page, "run.T")
    found = {}
    for name, size in SIZES.items():
        resize(
            page,
            *size,
            presenting="presenter" in name,
            key={"curve": "c", "code": "p"}.get(name.rpartition(", ")[2], ""),
        )
        found[name] = page.evaluate(
            FAULTS, [t, T] if "," in name else [0, 1, 2, t, t + 1, T] if name == "desk" else [0, t]
        )
    found = {name: faults for name, faults in found.items() if faults}
    assert not found, found


# The heights at which the values of the curves are written, step by step: [of the dot, of the
# words].
VALUES = """() => {
  const { curves } = svmviz, proto = CanvasRenderingContext2D.prototype, { arc, fillText } = proto, all = [];
  for (let t = 1; t <= svmviz.run.T; t++) {
    const dots = [], words = [];
    svmviz.seek(t);
    svmviz.paint();
    proto.arc = function (x, y, ...rest) { dots.push(y); return arc.call(this, x, y, ...rest); };
    proto.fillText = function (said, x, y) { words.push({ said, y: y - 5 }); return fillText.call(this, said, x, y); };
    try {
      curves.paint({ ...svmviz.view(), theme: curves.theme });
    } finally { Object.assign(proto, { arc, fillText }); }
    all.push({ t, dots, words });
  }
  return all;
}"""


@pytest.mark.parametrize("size", [(390, 844), (820, 1180), (1440, 900)], ids=str)
def test_a_value_stands_beside_its_own_dot(show, size):
    page = show("solver=pegasos&data=blobs&n=150&lam=0.05&T=120")
    resize(page, *size)
    written = 0
    for step in page.evaluate(VALUES):
        if len(step["dots"]) == len(step["words"]) == 2:
            (a, b), (other, own) = (
                sorted(step["dots"]),
                sorted(step["words"], key=lambda w: float(w["said"].replace("−", "-"))),
            )
            assert b - a < 1 or own["y"] < other["y"], step
            written += 1
    assert written > 20


@pytest.mark.parametrize("size", [(1024, 768), (1440, 900), (1920, 1080)], ids=str)
def test_the_presenter_shows_curve_and_code_together(show, size):
    page = show("data=moons&n=700&lam=0.7&T=3000&t=700&solver=sdca")
    page.evaluate(
        "svmviz.seek(1 + svmviz.run.delta.findLastIndex(v => v === 0))"
    )  # a step that ends after its third line
    resize(page, *size, presenting=True, key="c")
    page.keyboard.press("p")
    lines = page.locator(".lines li")
    expect(page.locator("section.curves")).to_be_visible()
    expect(page.locator("section.plane")).to_be_hidden()
    assert page.locator("section.curves").bounding_box()["width"] > 0.4 * size[0]
    for line in lines.all():
        assert line.is_visible() and line.locator("code").evaluate(
            "e => e.scrollWidth <= e.clientWidth"
        ), line.text_content()
    page.keyboard.press("p")
    ran = lines.evaluate_all("rows => rows.map(e => e.className).lastIndexOf('ran')")
    assert ran == 2
    assert lines.evaluate_all(
        "rows => rows.filter(e => e.offsetHeight).map(e => +e.dataset.n)"
    ) == [ran + 1]
    expect(page.locator("section.curves")).to_be_visible()


@pytest.mark.parametrize("key", ["", "c", "p"], ids=["mechanism", "curve", "code"])
def test_every_solver_can_come_on_whatever_the_presenter_shows(show, key):
    """What is painted for the first time may be hidden."""
    page = show(RUNS["Perceptron"])
    resize(page, 1024, 768, presenting=True, key=key)
    for name, link in RUNS.items():
        show(link)
        page.evaluate(SETTLED)
        assert look(page, "presenting") and page.locator(".why").text_content(), name
        if key:
            page.keyboard.press(key)  # and then seen
            page.evaluate(SETTLED)
            page.keyboard.press(key)
            page.evaluate(SETTLED)
        assert page.locator(".fault:visible").count() == 0, name


# Menus of the sidebar that cut what is chosen, and help that lies on its label.
SIDEBAR = """() => {
    const all = (place, from = document.querySelector("[data-testid=stSidebar]")) => [...from.querySelectorAll(place)];
    const box = element => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect();
    };
    const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const cut = all("input[role=combobox]").filter(e => e.scrollWidth > e.clientWidth).map(e => e.value);
    const hidden = all("label").filter(label => {
        const [help] = all("[data-testid=stTooltipIcon] svg", label), [words] = all("p", label);
        return help && words && over(help.getBoundingClientRect(), box(words));
    }).map(label => label.innerText);
    return [cut, hidden];
}"""


def test_the_sidebar_cuts_no_menu_and_hides_no_label(visit):
    page = visit(RUNS["SMO"])
    assert page.evaluate(SIDEBAR) == [[], []]
    slider(page, "regularisation").focus()
    page.keyboard.press("ArrowRight")
    value = page.locator("[data-focus-visible] [data-testid=stSliderThumbValue]")
    expect(value).to_be_visible()
    assert value.evaluate("e => getComputedStyle(e).backgroundColor") not in (
        "transparent",
        "rgba(0, 0, 0, 0)",
    )
    page.get_by_role("combobox", name="solver").click()
    option = page.get_by_role("option", name=SOLVERS["smo"].title).locator("[data-item-hl]")
    assert option.evaluate("e => e.scrollWidth <= e.clientWidth")


# Actions of the stage over words of the menu beside them.
OVER_THE_MENU = """() => {
    const box = element => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect();
    };
    const shown = [...svmviz.frame.querySelectorAll(".actions button")].filter(e => e.checkVisibility());
    const first = Math.min(...shown.map(e => e.getBoundingClientRect().left));
    return [...document.querySelectorAll("[data-testid=stTopNavLink], [data-testid=stTopNavSection]")]
        .filter(e => box(e).right > first).map(e => e.innerText);
}"""


def test_the_actions_leave_room_for_the_menu(visit):
    page = visit(RUNS["SMO"])
    for width in (1440, 1401, 1400, 1271, 1270, 1191, 1190, 1121, 1120, 1061, 1060, 1024):
        page.set_viewport_size({"width": width, "height": 768})
        page.wait_for_function(
            "width => svmviz.frame.getBoundingClientRect().right <= width", arg=width
        )
        page.wait_for_function(f"!({OVER_THE_MENU})().length")


# What a finger finds 21 px to each side of the middle of every control that is shown, once it is
# scrolled to. What the keyboard walks through lets a finger pass to the picture under it.
TOO_SMALL = """() => {
  const { root, frame } = svmviz, tree = root.getRootNode(), found = [];
  const shown = e => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0;
  const own = ":is(button, select, [role=slider]):not(.walk, .sym, .stop, .zoomer)"; // the last is for the keyboard
  for (const control of [...frame.querySelectorAll(own)].filter(shown)) {
    control.scrollIntoView({ block: "center" });
    const { left, right, top, bottom } = control.getBoundingClientRect(), x = (left + right) / 2, y = (top + bottom) / 2;
    for (const [dx, dy] of [[0, 0], [-21, 0], [21, 0], [0, -21], [0, 21]]) {
      const hit = tree.elementFromPoint(x + dx, y + dy);
      if (!control.contains(hit)) found.push(`${control.className || control.textContent}: ${dx}, ${dy} is ${hit?.className}`);
    }
  }
  frame.scrollIntoView();
  return found;
}"""

# The sentence, title and numbers in the window as it is, and the transport under them.
FOLD = """() => {
  const box = name => svmviz.root.querySelector(name).getBoundingClientRect(), range = document.createRange();
  range.selectNodeContents(svmviz.root.querySelector(".why"));
  const { top, bottom } = range.getBoundingClientRect(), bar = box(".transport");
  const header = document.querySelector("[data-testid=stHeader]").getBoundingClientRect().bottom;
  return { title: box("h2").bottom, header, numbers: box(".numbers").top, plane: box(".plane canvas").bottom, top, bottom,
           bar: bar.top, end: bar.bottom };
}"""


def test_a_phone_shows_the_sentence_at_once_and_has_room_for_a_finger(visit):
    page = visit("", **PHONE, has_touch=True)
    for run in ("", "SBP", "BSGD", "SIMBA", "Incremental SVM"):
        if run:
            page.goto(page.url.partition("?")[0] + "?" + RUNS[run])
            page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
        fold = page.evaluate(FOLD)
        assert fold["title"] <= fold["header"] <= fold["numbers"] < fold["plane"] < fold["top"], (
            run,
            fold,
        )
        assert fold["bottom"] <= fold["bar"] < fold["end"] <= 844, (run, fold)
        assert page.evaluate(TOO_SMALL) == [], run
    page.goto(page.url.partition("?")[0] + "?" + RUNS["SBP"])
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
    button(page, "Draw").click()
    button(page, "How γ is found").click()
    page.evaluate(SETTLED)
    assert page.evaluate(TOO_SMALL) == []


@pytest.mark.parametrize("size", [(1024, 768), (1366, 768), (1920, 1080), (390, 844)], ids=str)
def test_cost_figures_cover_no_counter_and_drawing_tools_two_rows_at_most(show, size):
    page = show("solver=simba&T=60&t=20")
    resize(page, *size)
    page.keyboard.press("e")
    page.evaluate(SETTLED)
    title, tools = (page.locator(f".plane {name}").bounding_box() for name in ("h3 b", ".tools"))
    one = page.locator(".tools button").first.bounding_box()["height"]
    assert (
        tools["height"] <= (1.1 if size[0] > 1100 else 2.2) * one
        and tools["y"] < title["y"] + 2 * one
    )
    page.keyboard.press("e")
    for presenting in (False, True)[: 1 if size[0] < 500 else 2]:
        resize(page, *size, presenting=presenting)
        page.keyboard.press("o")
        page.evaluate(SETTLED)
        costs = page.locator(".costs").bounding_box()
        for name in (".count", ".scrub", ".play"):
            assert costs["y"] + costs["height"] <= page.locator(name).bounding_box()["y"], name
        page.keyboard.press("o")


@pytest.mark.parametrize("size", [(820, 1180), (844, 390), (390, 844)], ids=str)
def test_beside_an_open_sidebar_the_transport_can_be_reached(show, size):
    page = show(RUNS["Pegasos"])
    resize(page, *size)
    assert page.evaluate("svmviz.frame.classList.contains('narrow')")
    for name in ("One step back", "Play", "One step (→)"):
        control = button(page, name).element_handle()
        assert control.evaluate("""e => {
            const { left, right, top, bottom } = e.getBoundingClientRect(), at = [(left + right) / 2, (top + bottom) / 2];
            const root = e.getRootNode();
            return document.elementFromPoint(...at) === root.host && e.contains(root.elementFromPoint(...at));
        }"""), name


def test_slim_panels_tell_what_removal_would_have_cost_too(show):
    page = show(RUNS["BSGD"])
    for name in ("desk", "tablet", "200 %", "presenter", "small presenter"):
        resize(page, *SIZES[name], presenting="presenter" in name)
        words = page.evaluate("""() => {
            const { choice } = svmviz.mechanism, { g } = choice.curve, said = [];
            g.fillText = words => said.push(words);
            choice.painted = null;
            svmviz.paint();
            delete g.fillText;
            return said.join("; ");
        }""")
        assert "h* = 0.165" in words and re.search(
            r"remov(al|ing m|ing m instead): 3\.17", words
        ), name


@pytest.mark.parametrize("loss", ["hinge", "squared hinge", "smoothed hinge", "logistic"])
def test_the_loss_is_named_where_it_is_drawn_on_every_screen(show, loss):
    page = show(f"loss={loss}&{MOONS}&T=60&t=30")
    for width, height in ((1440, 900), (1024, 768), (390, 844)):
        resize(page, width, height)
        said = page.evaluate("svmviz.root.querySelector('.mechanism .caption').textContent")
        assert f"{loss} loss" in said, (width, said)


@pytest.mark.parametrize("key", SOLVERS)
def test_the_first_picture_of_a_solver_has_room_on_a_phone(show, key):
    page = show(f"solver={key}&T=60&t=30")
    resize(page, 390, 844)
    assert (
        page.evaluate(
            "Math.max(...svmviz.mechanism.sheets.map(sheet => sheet.canvas.clientHeight))"
        )
        > 100
    )


def test_label_on_the_hinge_is_written_over_the_line_of_the_drawn_point(page, server):
    page.goto(f"{server}/?data=moons&n=60&lam=0.05&T=40&t=31")
    until(page, "globalThis.svmviz?.run && svmviz.t === 31 && svmviz.draws > 0")
    said = page.evaluate("""async () => {
      const said = [];
      for (const { g } of svmviz.mechanism.sheets)
        for (const [name, what] of [["fillText", words => words], ["setLineDash", dash => dash.join()]]) {
          const real = g[name];
          g[name] = function (...given) { said.push(what(given[0])); return real.apply(this, given); };
        }
      svmviz.repaint();
      await new Promise(done => setTimeout(done, 600));
      return said;
    }""")
    pays = max(k for k, words in enumerate(said) if " pay" in words)
    assert said.index("2,3") < pays and "2,3" not in said[pays:]
