"""On a beamer: at every usual size of one, no two texts of the stage overlap, none is cut, and all
are large enough for the last row. Every text is measured as it is drawn, those of the page with
those of the canvases.
"""

import random

import pytest

from tests.browser.page import look
from tests.browser.playground.test_layout import RUNS, SETTLED, resize
from tests.browser.test_offline import FIVE, OTHERS, PST

BEAMERS = [(1024, 768), (1280, 800), (1920, 1080), (1400, 1050)]
SMALLEST = 1 / 50  # of the picture's height: what is read in the last row

# Paint each [step, beat], and say which texts lie on each other, are cut or are small, with their
# boxes in the window.
TEXTS = """([moments, smallest]) => {
  const proto = CanvasRenderingContext2D.prototype, { fillText } = proto, { frame } = svmviz, found = new Set();
  const layers = new Map(svmviz.curves ? [[svmviz.curves.layers.future, svmviz.curves.sheet.canvas]] : []);
  const HIDDEN = ".spoken, .pointed, .stop, .zoomer, option, svg, dialog, .toast, [aria-live]";
  let texts = [];
  proto.fillText = function (words, x, y) {
    const canvas = layers.get(this.canvas) ?? this.canvas, place = canvas.getBoundingClientRect();
    if (place.width && words.trim() && this.globalAlpha > .1) {
      const m = this.measureText(words), { a, d, e, f } = this.getTransform(), r = this.canvas.width / place.width;
      const across = px => place.left + (e + a * px) / r, down = py => place.top + (f + d * py) / r;
      const view = canvas.parentElement.getBoundingClientRect();
      texts.push({ words, of: canvas, where: canvas.parentElement.className, place: view,
        size: parseFloat(this.font.match(/([\\d.]+)px/)[1]) * d / r,
        left: across(x - m.actualBoundingBoxLeft), right: across(x + m.actualBoundingBoxRight),
        top: down(y - m.actualBoundingBoxAscent), bottom: down(y + m.actualBoundingBoxDescent) });
    }
    return fillText.call(this, words, x, y);
  };
  const seen = e => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const over = (a, b) => a.left < b.right - 1.5 && b.left < a.right - 1.5 && a.top < b.bottom - 1.5 && b.top < a.bottom - 1.5;
  const page = () => {
    const walker = document.createTreeWalker(svmviz.root, NodeFilter.SHOW_TEXT), range = document.createRange();
    while (walker.nextNode()) {
      const node = walker.currentNode, { parentElement: e } = node;
      if (!node.data.trim() || e.matches("style") || e.closest(HIDDEN) || !seen(e)) continue;
      range.selectNodeContents(node);
      let place = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
      for (let up = e; up && up !== svmviz.root; up = up.parentElement) {
        if (getComputedStyle(up).overflowX === "visible") continue;
        const b = up.getBoundingClientRect();
        place = { left: Math.max(place.left, b.left), top: Math.max(place.top, b.top),
          right: Math.min(place.right, b.right), bottom: Math.min(place.bottom, b.bottom) };
      }
      for (const b of range.getClientRects()) {
        const lean = 0.2 * b.height;                         // what is above and below the letters
        if (b.width > 1) texts.push({ words: node.data.trim(), of: e, where: e.className || e.tagName, place,
          size: parseFloat(getComputedStyle(e).fontSize),
          left: b.left, right: b.right, top: b.top + lean, bottom: b.bottom - lean });
      }
    }
    for (const e of frame.querySelectorAll("select")) {
      if (!seen(e)) continue;
      const b = e.getBoundingClientRect();
      texts.push({ words: e.selectedOptions[0]?.textContent ?? "", of: e, where: `select ${e.className}`,
        size: parseFloat(getComputedStyle(e).fontSize), place: { left: 0, top: 0, right: innerWidth, bottom: innerHeight },
        left: b.left + 3, right: b.right - 3, top: b.top + 4, bottom: b.bottom - 4 });
    }
  };
  const check = () => {
    svmviz.paint();
    svmviz.layout();                                         // as when a sentence has taken room from the panels
    texts = [];
    if (svmviz.curves) svmviz.curves.key = svmviz.curves.theme = null;       // what is kept is painted anew
    if (svmviz.mechanism?.choice) svmviz.mechanism.choice.painted = null;
    svmviz.paint();
    page();
    const at = svmviz.view ? `step ${svmviz.t}, ${svmviz.view().beat}` : `stop ${svmviz.t}`;
    const said = (...what) => found.add(`${what.join(" | ")} (${at})`);
    texts.forEach((t, k) => {
      const { place } = t;
      const aside = Math.max(place.left - t.left, t.right - place.right);
      const beyond = Math.max(place.top - t.top, t.bottom - place.bottom);
      if (aside > 1.5 || beyond > 2) said("cut", t.where, t.words, `by ${Math.max(aside, beyond).toFixed(1)} px`);
      if (t.size < smallest * innerHeight - .05) said("small", t.where, t.words, t.size);
      for (const other of texts.slice(k + 1)) {
        if (over(t, other)) said("over each other", t.where, t.words, other.where, other.words);
      }
    });
    const why = frame.querySelector(".why");
    if (why && seen(why) && why.scrollHeight > why.clientHeight + 3) said("cut", "why", why.textContent);
    return texts.length;
  };
  let count = 0;
  try {
    for (const [t, beats, dark] of moments) {
      frame.classList.toggle("dark", dark);
      svmviz.seek(t);
      if (svmviz.view) for (let k = 0; k < beats; k++) svmviz.beat(1);
      count += check();
    }
  } finally { proto.fillText = fillText; frame.classList.remove("dark"); }
  return [count, [...found]];
}"""


def moments(name: str, T: int, many: int) -> list[tuple[int, int, bool]]:
    """Random steps and beats, the same for a name on every machine, each in both themes."""
    chance = random.Random(name)
    return [
        (t, k, dark)
        for t, k in [(chance.randint(0, T - 1), chance.randint(0, 5)) for _ in range(many)]
        for dark in (False, True)
    ]


def faults(page, name: str, sizes, many: int, keys: str = "") -> dict:
    """What is wrong, by size; every text of every moment was looked at."""
    found = {}
    for size in sizes:
        resize(page, *size, presenting=True, key=keys)
        count, said = page.evaluate(TEXTS, [moments(name, look(page, "run.T"), many), SMALLEST])
        assert count > 10 * many
        found[size] = said
    return {size: said for size, said in found.items() if said}


@pytest.mark.parametrize("key", [*FIVE, PST, *OTHERS])
def test_every_solver_is_legible_on_the_smallest_beamer(show, key):
    name, link = next((name, link) for name, link in RUNS.items() if f"solver={key}&" in link)
    found = faults(show(link), name, BEAMERS[:1], 3)
    assert not found, found


@pytest.mark.long
@pytest.mark.parametrize("name", RUNS)
def test_no_two_texts_overlap_on_any_beamer_at_any_step(show, name):
    page = show(RUNS[name])
    found = faults(page, name, BEAMERS, 20)
    found |= {
        f"{size} {key}": said
        for key in "cp"
        for size, said in faults(page, name, BEAMERS, 5, key).items()
    }
    page.evaluate(SETTLED)
    assert not found, found
