"""How fast and how faithful the player is, measured in a real browser against the budgets of the design.

    python -m benchmarks.player [--quick]

Starts the app on a free port and Chromium without a GPU, so that drawing is software raster, at 1440 x 900. What is
measured, and how:

* playback: the time between animation frames while a run plays; the JavaScript time of a draw, by part; and the
  processor time of the page's main thread, raster included, for which 60 fps leave 16.7 ms;
* Pause: draws and steps in the 30 animation frames after it; the one draw that shows the state at rest is not counted;
* scrub: from a jump to a random step, at a random moment between two frames, until the frame that shows it is painted;
* payload: the bytes that the component receives;
* page load: from the start of the navigation to the first frame of the stage;
* a warm parameter change: run, metrics, exact optimum and packing in this process, each for a λ never used before; and
  from a key on the λ slider to the first frame of the new run;
* parity: f at all examples and all cells of the field, and the coefficients, against Python's at random steps;
* back and forward: single steps back, then the same number on, against the state before;
* remounts: how often the stage was built anew while Streamlit ran the script again for another reason.

Timestamps are taken inside the page. Every random choice has a fixed seed.
"""

import argparse
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.harness import Report, Server, median, p95, serve
from svmviz import jit, parts
from svmviz.player import opening, wire
from svmviz.recipe import Recipe, from_query

FLAGS = ("--headless=new --no-sandbox --disable-gpu --disable-background-networking --disable-component-update "
         "--disable-sync --no-first-run").split()
VIEWPORT = {"width": 1440, "height": 900}
POINT_BYTES = 12  # the budget allows these for every example, on top of what the steps take

LINEAR = Recipe("blobs", {"n": 500, "noise": 1.1}, params={"lam": 0.01}, steps=1000).checked()
GAUSSIAN = Recipe("moons", {"n": 500}, params={"lam": 0.01, "kernel": parts.rbf(2.0)}, steps=1000).checked()
LARGE = replace(GAUSSIAN, data_params=GAUSSIAN.data_params | {"n": 2000})
VARIETY = {  # recipes that reach every branch of the replay
    "opening example": opening.OPENING,
    "linear": LINEAR,
    "Gaussian": GAUSSIAN,
    "polynomial, projected": Recipe("circles", params={"kernel": parts.poly(2), "project": True}, steps=600),
    "Laplacian, averaged": Recipe("xor", params={"kernel": parts.laplacian(), "iterate": "average"}, steps=600),
    "batches of 10, averaged": Recipe("banana", params={"k": 10, "iterate": "average"}, steps=600),
    "random iterate": Recipe("moons", params={"kernel": parts.rbf(), "iterate": "random"}, steps=600),
    "13 features": Recipe("wine", params={"kernel": parts.rbf(0.1)}, steps=600),
    "dual coordinate ascent": Recipe("moons", solver="sdca", params={"kernel": parts.rbf()}, steps=600),
    "SMO with bias": Recipe("moons", solver="smo", params={"kernel": parts.rbf()}, steps=600),
    "Perceptron": Recipe("xor", solver="perceptron", params={"kernel": parts.rbf()}, steps=600),
    "Fourier, 13 features": Recipe("wine", solver="fourier", params={"gamma": 0.1, "iterate": "average"}, steps=600),
    "changes on the way": Recipe("moons", changes=((200, {"kernel": parts.rbf()}), (400, {"lam": 0.01})), steps=600),
}

PROBE = """
globalThis.probe = {
  pause: ms => new Promise(done => setTimeout(done, ms)),
  frames: async count => { while (count-- > 0) await new Promise(requestAnimationFrame); },
  // The end of the next frame: a message sent from an animation frame is handled once that frame is painted.
  painted: () => new Promise(done => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.now());
    port2.postMessage(null);
  })),
  first: new Promise(done => {
    const look = () => (globalThis.svmviz?.draws ? done(performance.now()) : requestAnimationFrame(look));
    look();
  }),
  keyframes: () => { while (svmviz.engine.prepare(1000)); },
  // Times methods of the stage until `stop`, which gives the ms that each took per draw.
  timer: methods => {
    const spent = {}, { draws } = svmviz;
    for (const [name, owner, method] of methods) {
      spent[name] = 0;
      owner[method] = (...given) => {
        const start = performance.now(), result = Object.getPrototypeOf(owner)[method].apply(owner, given);
        spent[name] += performance.now() - start;
        return result;
      };
    }
    const stop = () => {
      for (const [name, owner, method] of methods) {
        delete owner[method];
        spent[name] /= svmviz.draws - draws;
      }
      return spent;
    };
    return { stop };
  },
};
"""


class Effort(NamedTuple):
    """How often things are repeated."""

    seconds: float  # of playback
    jumps: int
    loads: int
    changes: int  # of λ in this process
    steps: int  # compared for parity


FULL, QUICK = Effort(6, 60, 5, 30, 30), Effort(2, 15, 2, 8, 8)


class Bench(NamedTuple):
    report: Report
    effort: Effort
    browser: Browser
    server: Server

    @contextmanager
    def page(self, recipe: Recipe | None = None, server: Server | None = None) -> Iterator[Page]:
        """The Playground in a browser that has seen nothing yet; without a recipe, the opening example."""
        context = self.browser.new_context(viewport=VIEWPORT)
        context.add_init_script(PROBE)
        try:
            yield visit(context.new_page(), server or self.server, recipe)
        finally:
            context.close()


def visit(page: Page, server: Server, recipe: Recipe | None = None) -> Page:
    page.goto(f"{server.address}/?{urlencode(recipe.query())}" if recipe else server.address)
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=60_000)
    return page


# Playing -------------------------------------------------------------------------------------------------------------


PLAY = """async ([speed, seconds, loop]) => {
  const { plane, mechanism, curves, code } = svmviz;
  probe.keyframes();
  svmviz.loop = loop;                                        // else the player would ask for more steps near the end
  svmviz.seek(0);
  svmviz.setSpeed(speed);
  await probe.frames(2);
  const timer = probe.timer([["draw", svmviz, "paint"], ["state", svmviz, "view"], ["plane", plane, "paint"],
    ["mechanism", mechanism, "paint"], ["curves", curves, "paint"], ["code", code, "paint"]]);
  svmviz.toggle(true);
  await probe.pause(1000 * seconds);
  const { intervals, run: { T } } = svmviz;                  // a new array is begun when it plays again
  svmviz.toggle(false);
  return { intervals, T, spent: timer.stop() };
}"""


def playback(bench: Bench) -> None:
    bench.report.section("playback, field of 60 x 60 cells (the budget for 2000 points was set for 100 x 100)")
    for title, recipe, speed, fps, interval in (
        ("Gaussian, 500 points, 60 steps/s", GAUSSIAN, 60, 55, 25),
        ("Gaussian, 500 points, 500 steps/s", GAUSSIAN, 500, 55, 25),
        ("linear, 500 points, 1 step/s", LINEAR, 1, 55, 25),  # slow enough for beats and tweens
        ("Gaussian, 2000 points, 60 steps/s", LARGE, 60, 45, None),
    ):
        with bench.page(recipe) as page:
            page.evaluate("probe.keyframes()")
            work = main_thread(page)
            played = page.evaluate(PLAY, [speed, bench.effort.seconds, True])
            total, script, layout = work() / len(played["intervals"])
        bench.report.add(title, 1000 / np.mean(played["intervals"]), "fps", least=fps)
        bench.report.add(f"{title}, p95", p95(played["intervals"]), "ms", most=interval)
        bench.report.add(f"{title}, JavaScript per draw", played["spent"].pop("draw"), "ms")
        bench.report.note("  of which " + ", ".join(f"{part} {ms:.2f}" for part, ms in played["spent"].items()))
        bench.report.add(f"{title}, processor time per draw", total, "ms")
        rest = total - script - layout
        bench.report.note(f"  of which script {script:.2f}, layout {layout:.2f}, raster and the rest {rest:.2f}")


def main_thread(page: Page) -> Callable[[], np.ndarray]:
    """Starts to count the processor time of the page's main thread, which other work on the machine prolongs far less
    than it does the time on the clock. The function returned gives ms so far: all, in script, in style and layout."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def read() -> np.ndarray:
        now = {item["name"]: 1000 * item["value"] for item in session.send("Performance.getMetrics")["metrics"]}
        layout = now["LayoutDuration"] + now["RecalcStyleDuration"]
        return np.array([now["TaskDuration"], now["ScriptDuration"], layout])

    start = read()
    return lambda: read() - start


def growth(bench: Bench) -> None:
    with bench.page(GAUSSIAN) as page:
        played = page.evaluate(PLAY, [500, max(bench.effort.seconds, 4), False])
    title = f"Gaussian, 500 points, run grows to {played['T']} steps"
    bench.report.add(title, 1000 / np.mean(played["intervals"]), "fps")
    bench.report.add(f"{title}, longest interval", max(played["intervals"]), "ms")


PAUSE = """async () => {
  svmviz.seek(0);
  svmviz.setSpeed(60);
  svmviz.toggle(true);
  await probe.pause(500);
  svmviz.toggle(false);
  const { draws, t } = svmviz;
  await probe.frames(30);
  return { draws: svmviz.draws - draws, steps: svmviz.t - t };
}"""


def pause(bench: Bench) -> None:
    bench.report.section("pause")
    with bench.page(GAUSSIAN) as page:
        after = page.evaluate(PAUSE)
    bench.report.add("frames drawn after Pause, beyond the one at rest", max(0, after["draws"] - 1), most=0)
    bench.report.add("steps taken after Pause", after["steps"], most=0)


SCRUB = """async ([jumps, fresh]) => {
  const times = [];
  if (!fresh) probe.keyframes();
  for (const [share, delay] of jumps) {
    await probe.pause(delay);
    if (fresh) {                                             // as right after a load: at the start, nothing prepared
      Object.assign(svmviz, { engine: null, t: 0 });
      svmviz.layout();
    }
    const start = performance.now();
    svmviz.seek(share * svmviz.run.T);
    times.push(await probe.painted() - start);
  }
  return times;
}"""


def scrub(bench: Bench) -> None:
    bench.report.section("scrub to paint, at random moments between two frames")
    rng = np.random.default_rng(0)
    jumps = (rng.random((bench.effort.jumps, 2)) * [1, 17]).tolist()  # where to, and how many ms after a frame
    scenes = {"linear, 500 points": LINEAR, "Gaussian, 500 points": GAUSSIAN, "Gaussian, 2000 points": LARGE}
    for title, recipe in scenes.items():
        with bench.page(recipe) as page:
            for fresh in (True, False):
                times = page.evaluate(SCRUB, [jumps, fresh])
                when = "right after the load" if fresh else "after idle"
                bench.report.add(f"{title}, {when}, p50", median(times), "ms")
                bench.report.add(f"{title}, {when}, p95", p95(times), "ms", most=50)


# What travels, and how soon ------------------------------------------------------------------------------------------


PAYLOAD = """() => {
  const { data, run } = svmviz, header = 4 + new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  return { total: data.length, header, n: run.n, thousands: run.T / 1000 };
}"""


def payload(bench: Bench) -> None:
    bench.report.section(f"payload, 500 points, 1000 steps; beyond {POINT_BYTES} B per point")
    for title, recipe in (("linear", LINEAR), ("Gaussian", GAUSSIAN)):
        with bench.page(recipe) as page:
            sent = page.evaluate(PAYLOAD)
        arrays = sent["total"] - sent["header"] - POINT_BYTES * sent["n"]
        bench.report.add(f"{title}, arrays per 1000 steps", arrays / sent["thousands"], "B", most=30_000)
        bench.report.add(f"{title}, header, whatever the number of steps", sent["header"], "B")


def page_load(bench: Bench) -> None:
    bench.report.section(f"page load to first frame, opening example, median of {bench.effort.loads}")
    warm, cold, fresh = [], [], []
    for _ in range(bench.effort.loads):
        with bench.page() as page:
            cold.append(page.evaluate("probe.first"))
            warm.append(visit(page.context.new_page(), bench.server).evaluate("probe.first"))
        with serve() as server, bench.page(server=server) as page:
            fresh.append(page.evaluate("probe.first"))
    bench.report.add("second load in a browser", median(warm) / 1000, "s", most=1.5)
    bench.report.add("first load in a browser", median(cold) / 1000, "s", most=4)
    bench.report.add("first load in a browser from a server just started", median(fresh) / 1000, "s", most=4)


# A parameter changes -------------------------------------------------------------------------------------------------


def answer(recipe: Recipe) -> bytes:
    """What the server makes of a recipe that it has not seen before."""
    trace = recipe.trace()
    packed = wire.pack(trace, recipe.look(trace.problem), recipe.source.image)
    return wire.encode(packed, id=json.dumps(recipe.query()), query=recipe.query(), python=recipe.python("{step}"),
                       view=opening.VIEW, pending=None, final=False, invite=False)


def server_time(report: Report, effort: Effort) -> None:
    report.section(f"a warm parameter change at the server, {effort.changes} values of λ")
    jit.warm_up()
    for title, recipe in (("opening example", opening.OPENING), ("Gaussian, 500 points, 1000 steps", GAUSSIAN),
                          ("Gaussian, 2000 points, 1000 steps", LARGE)):
        times = []
        for lam in np.geomspace(0.002, 0.5, effort.changes):
            start = time.perf_counter()
            answer(replace(recipe, params=recipe.params | {"lam": float(lam)}))
            times.append(1000 * (time.perf_counter() - start))
        report.add(f"{title}, median", median(times), "ms", most=300)
        report.add(f"{title}, p95", p95(times), "ms", most=300)


AWAIT_CHANGE = """() => {
  const { id } = svmviz.run, paint = Object.getPrototypeOf(svmviz).paint;
  globalThis.changed = new Promise(done => {
    let start;
    addEventListener("keydown", () => { start = performance.now(); }, { capture: true, once: true });
    svmviz.paint = function (...given) {
      paint.apply(this, given);
      if (this.run.id === id) return;
      delete this.paint;
      probe.painted().then(now => done(now - start));
    };
  });
}"""


def slider(bench: Bench) -> None:
    bench.report.section(f"a key on the λ slider to the first frame of the new run, median of {bench.effort.loads}")
    for title, recipe in (("opening example", None), ("Gaussian, 500 points, 1000 steps", GAUSSIAN)):
        times = []
        with bench.page(recipe) as page:
            knob = page.get_by_role("slider", name=re.compile("regularisation"))
            for _ in range(bench.effort.loads):
                page.evaluate(AWAIT_CHANGE)
                knob.press("ArrowRight")
                times.append(page.evaluate("changed"))
        bench.report.add(title, median(times), "ms")


# The same numbers ----------------------------------------------------------------------------------------------------


READ = """steps => JSON.stringify({
  query: svmviz.run.query, xs: [...svmviz.engine.grid.xs], ys: [...svmviz.engine.grid.ys],
  states: steps.map(t => {
    svmviz.seek(t);
    svmviz.paint();
    const { f, field, coef } = svmviz.view().after;
    return { f: [...f, ...field], coef: [...coef] };
  }),
})"""


def parity(bench: Bench) -> None:
    bench.report.section(f"parity with Python, largest relative difference at {bench.effort.steps} random steps")
    rng = np.random.default_rng(0)
    for title, recipe in VARIETY.items():
        recipe = recipe.checked()
        steps = rng.integers(0, recipe.steps + 1, bench.effort.steps).tolist()
        with bench.page(recipe) as page:
            seen = json.loads(page.evaluate(READ, steps))
        told = from_query(seen["query"])[0]
        trace = told.trace()
        plane, cells = told.look(trace.problem), np.stack(np.meshgrid(seen["xs"], seen["ys"]), axis=-1).reshape(-1, 2)
        places = np.vstack([trace.problem.X, plane.origin + cells @ plane.basis])
        f = [trace.f(t, places) for t in steps]
        coef = [trace.coef(t) for t in steps]
        bench.report.add(f"{title}, f", apart(f, [s["f"] for s in seen["states"]]), most=1e-6)
        bench.report.add(f"{title}, coefficients", apart(coef, [s["coef"] for s in seen["states"]]), most=1e-6)


def apart(here, there) -> float:
    """The largest difference, relative to the largest value."""
    here, there = np.asarray(here), np.asarray(there)
    return float(np.abs(here - there).max() / np.abs(here).max())


BACK_AND_FORWARD = """count => {
  const read = () => { const { f, field, coef } = svmviz.view().after; return [...coef, ...f, ...field]; };
  svmviz.seek(0.8 * svmviz.run.T);
  const here = read();
  for (const by of [-1, 1]) for (let k = 0; k < count; k++) { svmviz.seek(svmviz.t + by); svmviz.paint(); }
  const again = read();
  return Math.max(...here.map((v, k) => Math.abs(v - again[k])));
}"""


def back_and_forward(bench: Bench, count: int = 200) -> None:
    bench.report.section(f"{count} steps back, then {count} forward")
    for title, recipe in (("linear", LINEAR), ("Gaussian", GAUSSIAN)):
        with bench.page(recipe) as page:
            apart = page.evaluate(BACK_AND_FORWARD, count)
        bench.report.add(f"{title}, largest difference in the player", apart, most=1e-9)
        trace, t = recipe.trace(), recipe.steps
        here = [trace.coef(s) for s in range(t, t - count, -1)]
        again = [trace.coef(s) for s in range(t - count + 1, t + 1)][::-1]
        bench.report.add(f"{title}, bits that differ in Python", differing_bits(here, again), most=0)


def differing_bits(here, there) -> int:
    return int(np.bitwise_count(np.asarray(here).view(np.uint64) ^ np.asarray(there).view(np.uint64)).sum())


def remounts(bench: Bench, reruns: int = 5) -> None:
    """Coming to rest at another step makes the script run again: the link in the address bar follows it."""
    bench.report.section("reruns of the script")
    with bench.page(GAUSSIAN) as page:
        for t in np.linspace(100, 900, reruns).astype(int).tolist():
            page.evaluate("t => svmviz.seek(t, true)", t)
            page.wait_for_function("t => new URL(location).searchParams.get('t') === String(t)", arg=t)
        bench.report.add(f"remounts in {reruns} unrelated reruns", page.evaluate("svmviz.mounts") - 1, most=0)


def chromium() -> str:
    names = ("chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("SVMVIZ_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        raise SystemExit("This benchmark needs Chromium: apt-get install chromium, or set SVMVIZ_CHROMIUM to its path")
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer repeats, for a look at the whole")
    effort = QUICK if parser.parse_args().quick else FULL
    path, report = chromium(), Report("svmviz player")
    server_time(report, effort)  # first, while neither a server nor a browser shares the processor
    with serve() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        bench = Bench(report, effort, browser, server)
        for measure in (slider, page_load, payload, playback, growth, pause, scrub, parity, back_and_forward, remounts):
            measure(bench)
        browser.close()
    report.close()


if __name__ == "__main__":
    main()
