"""Where things stand on the stage: no label on another, beyond its canvas or under a control, no title cut, every panel within the
window, at every size, for every solver, at all beats of some steps. Read from the page: what is written on a canvas is noted down."""

import pytest
from test_browser import quiet, until, visit  # noqa: F401  visit is a fixture

MOONS = "data=moons&n=200&noise=0.22&data_seed=1"
RUNS = {
    "Pegasos": "solver=pegasos&data=blobs&n=150&lam=0.05&project=1&T=300&t=9",
    "Pegasos, Gaussian": f"solver=pegasos&{MOONS}&kernel=rbf(gamma=3.0)&lam=0.005&k=4&iterate=average&T=600&t=152&change=100:lam=0.01",
    "SBP": f"solver=sbp&{MOONS}&kernel=rbf(gamma=3.0)&nu=0.05&seed=2&T=600&t=152",
    "SBP, little water": f"solver=sbp&{MOONS}&kernel=rbf(gamma=3.0)&nu=0.0005&seed=2&T=600&t=400",
    "SBP with a bias": f"solver=sbp&{MOONS}&kernel=rbf(gamma=3.0)&nu=0.05&seed=2&T=600&bias=1&t=152",
    "SDCA": f"solver=sdca&{MOONS}&kernel=rbf(gamma=2.0)&lam=0.01&T=600&t=150",
    "SMO": f"solver=smo&{MOONS}&kernel=rbf(gamma=2.0)&lam=0.01&T=300&t=80",
    "Perceptron": f"solver=perceptron&{MOONS}&kernel=rbf(gamma=2.0)&T=400&t=90",
    "Fourier features": f"solver=fourier&{MOONS}&lam=0.01&gamma=2.0&features=30&T=600&t=150",
    "BSGD": "solver=bsgd&data=checkerboard&seed=7&T=2000&lam=0.001&B=20&kernel=rbf(gamma=3.0)&t=562",
    "BSGD, six classes": "solver=bsgd&data=pinwheel&classes=6&multiclass=1&T=600&t=400",
    "Incremental SVM": f"solver=incremental&{MOONS}&kernel=rbf(gamma=2.0)&teacher=active&T=150&t=90",
    "SIMBA": "solver=simba&data=rare&nu=0.001&T=120&t=60",
    "SIMBA, two features": "solver=simba&T=120&t=60",
}

# Paint some moments, and note every text with its box in the window: where it is on another, cut, or under a control.
FAULTS = """steps => {
  const proto = CanvasRenderingContext2D.prototype, { fillText } = proto, { curves, frame, run } = svmviz, found = new Set();
  const seen = e => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0;
  const controls = [...frame.querySelectorAll("select, button, .tools, .foot, .key, .rounds")].filter(seen)
    .map(e => ({ name: e.className || e.tagName, box: e.getBoundingClientRect() }));
  let texts = [];
  proto.fillText = function (words, x, y) {
    const canvas = this.canvas === curves.future ? curves.sheet.canvas : this.canvas, place = canvas.getBoundingClientRect();
    if (place.width && words.trim() && this.globalAlpha > .1) {
      const m = this.measureText(words), { a, d, e, f } = this.getTransform(), r = this.canvas.width / place.width;
      const left = place.left + (e + a * (x - m.actualBoundingBoxLeft)) / r, right = place.left + (e + a * (x + m.actualBoundingBoxRight)) / r;
      const top = place.top + (f + d * (y - m.actualBoundingBoxAscent)) / r, bottom = place.top + (f + d * (y + m.actualBoundingBoxDescent)) / r;
      texts.push({ words, canvas, place, left, right, top, bottom });
    }
    return fillText.call(this, words, x, y);
  };
  const over = (a, b, by = 1) => a.left < b.right - by && b.left < a.right - by && a.top < b.bottom - by && b.top < a.bottom - by;
  const check = () => {
    texts = [];
    curves.key = curves.theme = null;
    if (svmviz.mechanism.choice) svmviz.mechanism.choice.painted = null;
    svmviz.paint();
    const at = `step ${svmviz.t}, ${svmviz.view().beat}`;
    const said = (what, ...of) => found.add(`${what}: ${of.join(" | ")}`.replace(/\\d[\\d.\\u2009]*/g, "#") + ` (${at})`);
    texts.forEach((t, k) => {
      const where = t.canvas.parentElement.className;
      if (t.left < t.place.left - 1 || t.right > t.place.right + 1 || t.top < t.place.top - 1.5 || t.bottom > t.place.bottom + 1.5) said("cut", where, t.words);
      for (const c of controls) if (over(t, c.box) && !c.box.contains) said("under a control", where, t.words, c.name);
      for (const other of texts.slice(k + 1)) if (other.canvas === t.canvas && over(t, other)) said("over each other", where, t.words, other.words);
    });
    for (const e of frame.querySelectorAll("h2, h3 b, .caption, .paper, .lines code, .lines output, .hint, .legend, .why, dt, dd, select")) {
      if (seen(e) && (e.scrollWidth > e.clientWidth + 1 && e.clientWidth || e.scrollHeight > e.clientHeight + 3 && e.clientHeight)) said("cut title", e.className || e.tagName, e.textContent.slice(0, 60));
    }
    const why = frame.querySelector(".why"), bar = frame.querySelector(".transport").getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(why);
    if (seen(why) && range.getBoundingClientRect().bottom > bar.top - 1) said("the sentence meets the transport", why.textContent);
  };
  try {
    for (const t of steps) {
      svmviz.seek(Math.max(0, Math.min(t, run.T) - 1));
      if (t === 0) check();
      else for (let k = 0; k < 12 && svmviz.t < run.T + 1; k++) {
        svmviz.beat(1);
        if (svmviz.t > t) break;
        check();
        if (svmviz.phase === 1) break;
      }
    }
  } finally { proto.fillText = fillText; }
  return [...found];
}"""

SIZES = {"desk": (1440, 900), "tablet": (1024, 768), "zoomed": (720, 450)}
