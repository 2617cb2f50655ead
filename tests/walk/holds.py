"""What must hold whenever the app has come to rest, whoever did what before.

The page is read once (`READ`), and what it says is compared with itself and with what Python
computes from its own link.
"""

from collections import OrderedDict

import numpy as np

from svmviz.record.trace import Trace
from svmviz.run.link import VIEW_KEYS
from svmviz.run.recipe import SOURCES, Recipe, from_query
from svmviz.solvers import SOLVERS
from svmviz.ui.controls.widgets import written
from tests.tools.saying import NUMBER, read, same_words

TIGHT = 90  # px: less than a caption needs, which then is in the title alone
AFFORDABLE = 2e7  # points times steps times features that are run again for every check

READ = r"""() => {
  const shown = element => element?.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const texts = name => [...document.querySelectorAll(`[data-testid=${name}]`)].filter(shown).map(e => e.innerText);
  const page = {
    exceptions: texts("stException"), alerts: texts("stAlert"),
    broken: /encountered an error|has been redacted/.test(document.body.innerText),
    path: location.pathname, query: Object.fromEntries(new URL(location).searchParams), stage: null,
    words: document.body.innerText.match(/\b(NaN|undefined|Infinity|\[object \w+\])\b/)?.[0] ?? "",
  };
  const side = document.querySelector("[data-testid=stSidebar]");
  const named = (name, value) => Object.fromEntries([...side?.querySelectorAll(`[data-testid=${name}]`) ?? []].filter(shown)
    .map(e => [e.querySelector("label")?.innerText ?? "", value(e)]));
  page.controls = { ...named("stSlider", () => ""), ...named("stSelectbox", e => e.querySelector("input")?.value),
    ...named("stCheckbox", e => e.querySelector("input")?.checked) };
  const s = globalThis.svmviz;
  if (!s || s.gone || !s.root?.isConnected || !s.run || !s.draws) return page;
  if (globalThis.svmvizFigures?.has(s)) return page;  // in an article, whose address says nothing of it
  const root = s.root, text = name => root.querySelector(name)?.textContent ?? "";
  const colours = canvas => {
    if (!canvas?.width || !canvas.height) return 0;
    const small = new OffscreenCanvas(48, 48).getContext("2d");
    small.drawImage(canvas, 0, 0, 48, 48);
    return new Set(new Uint32Array(small.getImageData(0, 0, 48, 48).data.buffer)).size;
  };
  const cells = [...root.querySelectorAll(".numbers > div")].filter(cell => !cell.hidden);
  const numbers = cells.map(({ children: [name, value] }) => [name.textContent, value.textContent]);
  const live = [".numbers", ".lanes"].map(name => root.querySelector(name)?.innerText ?? "").join(" ");
  page.stage = {
    race: !s.engine, covered: Boolean(s.asking || s.quiz?.on || s.lesson),
    t: s.t, T: s.run.T, phase: s.phase, playing: s.playing || s.data?.state === "running", stepping: Boolean(s.stepping),
    id: s.run.id, title: text("h2"), count: text(".count .t"), caption: text(".code .caption"), why: text(".why"), numbers,
    depth: s.depth, forked: Boolean(s.forking?.on), both: s.forking?.on ? s.forking.words : "",
    room: root.querySelector(".code .caption")?.clientWidth ?? 0,
    words: live.match(/\b(NaN|undefined|Infinity)\b/)?.[0] ?? "",
    now: root.querySelector(".scrub")?.getAttribute("aria-valuenow"),
    canvases: [...root.querySelectorAll("canvas")].filter(shown).map(colours), spoken: text(".spoken"),
  };
  if (s.engine && s.phase >= 1) {
    const { f } = s.engine.state(s.t, 0);
    Object.assign(page.stage, { scores: s.run.scores, n: s.run.n, f: f.length < 20000 ? [...f] : null });
  }
  return page;
}"""


class Broken(AssertionError):
    """Something that must hold does not."""


def hold(condition, words: str) -> None:
    if not condition:
        raise Broken(words)


def everywhere(page: dict) -> None:
    """On every page: no error box, no word that only a fault writes."""
    hold(not page["exceptions"], f"an error box: {page['exceptions']}")
    hold(not page["broken"], "the app has encountered an error")
    hold(not page["words"], f"the page says {page['words']}")


def in_itself(stage: dict) -> None:
    """The parts of the stage speak of the same step and show something."""
    hold(
        max(stage["canvases"], default=0) > 2,
        f"the stage shows nothing: colours on its canvases {stage['canvases']}",
    )
    hold(not stage["words"], f"the title row or a lane says {stage['words']}")
    if stage["forked"]:
        hold(
            stage["spoken"] == stage["both"],
            f"of both runs {stage['spoken']!r} is spoken, and {stage['both']!r} is written",
        )
        return
    if (
        stage["race"] or stage["covered"] or stage["playing"] or stage["stepping"]
    ):  # a question hides what would answer it
        return
    t = str(stage["t"])
    hold(
        stage["count"].replace("\u202f", "") == t,
        f"the transport says step {stage['count']}, the stage is at {t}",
    )
    hold(stage["now"] == t, f"the slider says step {stage['now']}, the stage is at {t}")
    behind = stage["t"] + 1  # a change
    said = (
        f"step {t}" if stage["t"] else "before the first step",
        f"from step {behind} on",
        f"from {behind}",
    )
    hold(
        stage["caption"].replace("\u202f", "").startswith(said)
        or not stage["caption"]
        and stage["room"] < TIGHT,
        f"the code says {stage['caption']!r}, the stage is at {t}",
    )
    why, spoken = (stage[name].replace("\xa0", " ") for name in ("why", "spoken"))
    hold(why == spoken, f"the sentence is {why!r}, and {spoken!r} is spoken")
    order(dict(stage["numbers"]))


def order(numbers: dict[str, str]) -> None:
    """No displayed objective beats its displayed optimum, up to the digits that are shown."""
    for best, sense in (("P*", 1), ("γ*", -1)):
        exact = next(
            (text for name, text in numbers.items() if best in name and "within" not in text), None
        )
        now = next(
            (
                text
                for name, text in numbers.items()
                if best[0] in name and "*" not in name and "−" not in name
            ),
            None,
        )
        if exact and now and NUMBER.search(exact) and NUMBER.search(now):
            (a, da), (b, db) = read(now), read(exact)
            hold(
                sense * (a - b) >= -1.01 * max(da, db),
                f"the title row has {now} beside its optimum {exact}: {numbers}",
            )


def controls(page: dict, recipe: Recipe, t: int) -> None:
    """The sidebar shows the parameters that are in force after step t."""
    held = recipe.in_force(t)
    there = {
        " ".join(name.replace("\u202f", " ").split()): value
        for name, value in page["controls"].items()
    }
    for param in SOLVERS[recipe.solver].params:
        value, label = held[param.name], f"{param.title} {param.symbol}".strip()
        if param.is_kernel or param.text or not param.matters(held):
            continue
        if isinstance(value, bool) or param.options:
            hold(
                there.get(label, value) == value,
                f"{label} is {value}, and its control shows {there.get(label)}",
            )
        else:
            shown = [
                name
                for name in there
                if name.startswith(f"{label} ") and NUMBER.fullmatch(name[len(label) + 1 :])
            ]
            wanted = f"{label} {' '.join(written(value).split())}"
            hold(not shown or wanted in shown, f"{label} is {value}, and its control shows {shown}")


class Oracle:
    """The traces of the latest links, as Python computes them."""

    def __init__(self, most: int = 6):
        self.known: OrderedDict[str, Trace] = OrderedDict()
        self.most = most

    def trace(self, recipe: Recipe) -> Trace | None:
        key = recipe.key()
        if key not in self.known:
            try:
                problem = recipe.problem()
                if problem.n * recipe.steps * min(problem.d, 50) > AFFORDABLE:
                    return None
                self.known[key] = recipe.trace()
            except ValueError as error:
                raise Broken(f"the stage plays what Python refuses: {error}") from None
            while len(self.known) > self.most:
                self.known.popitem(last=False)
        self.known.move_to_end(key)
        return self.known[key]

    def agrees(self, page: dict) -> None:
        """Title, state, sentence and objective are those of the link in the address bar, computed
        by Python.
        """
        stage, query = page["stage"], page["query"]
        hold(
            query.get("t", "0") == str(stage["t"]),
            f"the address says t = {query.get('t')}, the stage is at {stage['t']}",
        )
        if query.get("data", "").startswith("upload:") or query.get("data", "blobs") not in SOURCES:
            return
        recipe, messages = from_query(query, VIEW_KEYS)
        hold(
            not messages, f"the address that the app wrote holds what it does not take: {messages}"
        )
        hold(
            stage["title"] == SOLVERS[recipe.solver].title,
            f"the address says {recipe.solver}, the title {stage['title']}",
        )
        hold(
            stage["T"] == recipe.steps,
            f"the address says T = {recipe.steps}, the stage has {stage['T']}",
        )
        if not stage["forked"]:
            controls(page, recipe, stage["t"])
        trace = self.trace(recipe)
        if trace is None or stage.get("f") is None:
            return
        t = stage["t"]
        n = trace.problem.n  # the player has places for vectors made on the way, too
        hold(stage["n"] == n, f"the address says n = {n}, the stage has {stage['n']}")
        mine = np.reshape(stage["f"], (stage["scores"], -1))[:, :n]
        alike(mine, trace.f(t, trace.problem.X).reshape(n, -1).T, f"f at step {t}")
        behind = t in [
            segment.start for segment in trace.segments[1:]
        ]  # it speaks of what comes next
        if not (stage["covered"] or stage["forked"] or behind):
            same_words(stage["why"], trace.why(t, stage["depth"]))
        sound(trace, t)


def alike(mine: np.ndarray, theirs: np.ndarray, what: str) -> None:
    apart, scale = np.abs(mine - theirs).max(initial=0.0), np.abs(theirs).max(initial=0.0) or 1.0
    hold(apart <= 1e-5 * scale, f"{what} differs from Python's by {apart:.3g} of {scale:.3g}")


def sound(trace: Trace, t: int) -> None:
    """P is finite and never beats its optimum, and no duality gap is negative."""
    found, params = trace.metrics, trace.segment(t).params
    hold(
        np.isfinite(found[trace.solver.goal.objective][t]),
        f"{trace.solver.goal.objective} at step {t} is no number",
    )
    if "gap" in found:
        hold(found["gap"][t] >= -1e-9, f"the duality gap at step {t} is {found['gap'][t]}")
    if len(trace.segments) > 1 or trace.problem.n > 300 or trace.solver.goal.tracked:
        return
    problem, rows = (
        trace.problem,
        trace.segment(t).active,
    )  # without points that were erased before the first step
    best = trace.solver.optimum(problem._replace(X=problem.X[rows], y=problem.y[rows]), params)
    if best is not None and best.gap < 1e-9:
        sign = -1 if trace.solver.goal.maximises else 1
        now, exact = (
            found[trace.solver.goal.objective][t],
            getattr(best, trace.solver.goal.objective),
        )
        hold(
            sign * (now - exact) >= -1e-9 * max(1.0, abs(exact)),
            f"{now} beats the optimum {exact} at step {t}",
        )
