"""What the benchmarks in a real browser share: a page with a probe in it, and the runs that are
looked at.

Chromium runs without a GPU, so that drawing is software raster, at 1440 x 900. Timestamps are taken
inside the page.
"""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.harness import FLAGS, Report, Server, chromium, serve
from svmviz.maths import kernels
from svmviz.run.recipe import Recipe
from svmviz.solvers.bsgd.solver import PRESETS

VIEWPORT = {"width": 1440, "height": 900}
LINEAR = Recipe("blobs", {"n": 500, "noise": 1.1}, params={"lam": 0.01}, steps=1000).checked()
GAUSSIAN = Recipe(
    "moons", {"n": 500}, params={"lam": 0.01, "kernel": kernels.rbf(2.0)}, steps=1000
).checked()
LARGE = replace(GAUSSIAN, data_params=GAUSSIAN.data_params | {"n": 2000})
CURVE, SURFACE = (
    Recipe(
        data, {"n": 500}, "regression", {"lam": 0.01, "kernel": kernels.rbf(2.0)}, steps=1000
    ).checked()
    for data in ("sine", "surface")
)
FOUR_CLASSES = Recipe(
    "ring",
    {"n": 500, "classes": 4},
    "classes",
    {"lam": 0.01, "kernel": kernels.rbf(2.0)},
    steps=1000,
).checked()
BUDGETED = {  # as many steps as the page allows
    name: replace(recipe, steps=min(1000, recipe.most_steps()))
    for name, recipe in (
        (
            name,
            Recipe(
                "checkerboard",
                {"n": 1000},
                "bsgd",
                {"B": 500, "kernel": kernels.rbf(3.0)} | PRESETS[name],
            ).checked(),
        )
        for name in ("BPegasos + merge", "Tightest Perceptron", "Projectron++", "BPA-NN")
    )
}
EXACT = Recipe(
    "checkerboard", {"n": 500}, "idsvm", {"kernel": kernels.rbf(3.0)}, steps=500
).checked()

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
  // `waited` becomes the ms from the next such event to the end of the first frame in which `condition` holds.
  wait: (event, condition) => {
    let start;
    addEventListener(event, () => { start = performance.now(); }, { capture: true, once: true });
    probe.waited = new Promise((done, fail) => {
      setTimeout(() => fail(new Error(`nothing came of the ${event} for a minute`)), 60_000);
      const look = () => (start === undefined || !condition() ? requestAnimationFrame(look)
        : probe.painted().then(now => done(now - start)));
      look();
    });
  },
  nextRun: event => {
    const { id } = svmviz.run, paint = Object.getPrototypeOf(svmviz).paint;
    let shown = false;
    svmviz.paint = function (...given) {
      paint.apply(this, given);
      shown = this.run.id !== id;
      if (shown) delete this.paint;
    };
    probe.wait(event, () => shown);
  },
  keyframes: () => { while (svmviz.engine.prepare(1000) || svmviz.mechanism.ahead?.(1000)); },
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


class Bench(NamedTuple):
    report: Report
    effort: Any  # how often things are repeated, in the benchmark's own terms
    browser: Browser
    server: Server

    @contextmanager
    def page(self, recipe: Recipe | None = None, server: Server | None = None) -> Iterator[Page]:
        """The Playground in a browser that has seen nothing yet; without a recipe, the opening
        example.
        """
        with self.context(VIEWPORT) as context:
            yield visit(context.new_page(), server or self.server, recipe)

    @contextmanager
    def context(self, viewport: dict[str, int]) -> Iterator[BrowserContext]:
        """A browser that has seen nothing yet, with the probe in its pages."""
        context = self.browser.new_context(viewport=viewport, bypass_csp=True)
        context.add_init_script(PROBE)
        try:
            yield context
        finally:
            context.close()


def visit(page: Page, server: Server, recipe: Recipe | None = None) -> Page:
    page.goto(f"{server.address}/?{urlencode(recipe.query())}" if recipe else server.address)
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=60_000)
    return page


def main_thread(page: Page) -> Callable[[], np.ndarray]:
    """Starts to count the processor time of the page's main thread, which other work on the machine
    prolongs far less than it does the time on the clock. The function returned gives ms so far:
    all, in script, in style and layout.
    """
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def read() -> np.ndarray:
        now = {
            item["name"]: 1000 * item["value"]
            for item in session.send("Performance.getMetrics")["metrics"]
        }
        layout = now["LayoutDuration"] + now["RecalcStyleDuration"]
        return np.array([now["TaskDuration"], now["ScriptDuration"], layout])

    start = read()
    return lambda: read() - start


def run(
    title: str,
    quick: Any,
    full: Any,
    measures: tuple[Callable[[Bench], None], ...],
    alone: Callable[[Report, Any], None] | None = None,
) -> None:
    """The command line of a benchmark; `alone` comes first, while neither a server nor a browser
    shares the processor.
    """
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument(
        "--quick", action="store_true", help="fewer repeats, for a look at the whole"
    )
    effort, path = quick if parser.parse_args().quick else full, chromium()
    if path is None:
        raise SystemExit(
            "It needs Chromium: apt-get install chromium-headless-shell, or set SVMVIZ_CHROMIUM to"
            " its path"
        )
    report = Report(title)
    if alone:
        alone(report, effort)
    with serve() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        bench = Bench(report, effort, browser, server)
        for measure in measures:
            measure(bench)
        browser.close()
    report.close()
