"""How soon the page of a paper moves, and how smoothly its small stages play, measured in a real
browser.

    python -m benchmarks.app.pages [--quick]

Starts the app on a free port and Chromium without a GPU at 1440 x 900. What is measured, and how:

* opening: from the first frame in which the title of an article is there to the first in which one
  of its stages has moved, that is, is at another step or at another phase of one; beside it from
  the browser's own first paint, which is Streamlit's, and from the first picture of the stage. A
  page is opened once before, so that nothing is computed for the first time;
* first screen: the part of the window's height that the first stage and the text beside or below it
  take there;
* playing: the time between animation frames while all stages of an article, three to seven, have
  been told to play; each is brought to the middle of the window in turn, and the slowest place
  counts. Stages out of sight sleep.

Timestamps are taken inside the page.
"""

from typing import NamedTuple

import numpy as np
from playwright.sync_api import Page

from benchmarks.app.browser import VIEWPORT, Bench, run
from benchmarks.harness import median, p95
from svmviz.lessons.articles import PAPERS, article


class Effort(NamedTuple):
    """How often things are repeated."""

    loads: int
    seconds: float  # of playback


FULL, QUICK = Effort(5, 6), Effort(2, 3)

OPENING = """
globalThis.seen = {};
const stages = () => [...(globalThis.svmvizFigures ?? [])].filter(stage => stage.draws);
const place = ({ t, phase }) => `${t} ${phase}`;
const look = now => {
  if (document.querySelector(".st-key-article h1")) seen.title ??= now;
  for (const stage of stages()) {
    seen.stage ??= now;
    stage.first ??= place(stage);
    if (place(stage) !== stage.first) seen.moved ??= now;
  }
  if (!seen.moved) requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
FIRST_SCREEN = """() => {
  const inside = element => {
    const { top, bottom } = element.getBoundingClientRect();
    return Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)) / innerHeight;
  };
  const most = found => Math.max(...found.map(inside));
  const text = document.querySelectorAll(".st-key-lead, [class*=st-key-prose-] [data-testid=stMarkdown]");
  return { text: [...text].map(inside).reduce((a, b) => a + b), stage: most([...svmvizFigures].map(stage => stage.frame)) };
}"""
PLAY = """async ([k, seconds]) => {
  const top = stage => stage.frame.getBoundingClientRect().top;
  const stages = [...svmvizFigures].sort((a, b) => top(a) - top(b));
  stages[k].frame.scrollIntoView({ block: "center" });
  await probe.pause(300);
  for (const stage of stages) Object.assign(stage, { loop: true, speed: 1 }).toggle(true);
  await probe.pause(300);
  const before = stages.map(stage => stage.draws), start = performance.now(), intervals = [];
  let last = await new Promise(requestAnimationFrame);
  while (performance.now() < start + 1000 * seconds) {
    const now = await new Promise(requestAnimationFrame);
    intervals.push(now - last);
    last = now;
  }
  return { intervals, playing: stages.length, draw: stages.filter((stage, k) => stage.draws > before[k]).length };
}"""


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.wait_for_function("globalThis.seen?.moved", timeout=120_000)
    return page


def opening(bench: Bench) -> None:
    bench.report.section(f"title to first movement, median of {bench.effort.loads}")
    for name in PAPERS:
        seen = []
        for k in range(bench.effort.loads + 1):
            with bench.context(VIEWPORT) as context:
                context.add_init_script(OPENING)
                page = opened(context.new_page(), f"{bench.server.address}/{name}")
                paint = page.evaluate(
                    "performance.getEntriesByName('first-contentful-paint')[0].startTime"
                )
                if k:
                    seen.append(page.evaluate("seen") | {"paint": paint})
        first, title, stage, moved = (
            np.array([one[what] for one in seen]) for what in ("paint", "title", "stage", "moved")
        )
        bench.report.add(name, median(moved - title) / 1000, "s", most=1)
        bench.report.add(
            f"{name}, from the first picture of its stage", median(moved - stage) / 1000, "s"
        )
        bench.report.add(
            f"{name}, from the browser's first paint", median(moved - first) / 1000, "s"
        )


def first_screen(bench: Bench) -> None:
    bench.report.section("first screen, as shares of its height")
    for name in PAPERS:
        with bench.context(VIEWPORT) as context:
            context.add_init_script(OPENING)
            share = opened(context.new_page(), f"{bench.server.address}/{name}").evaluate(
                FIRST_SCREEN
            )
        bench.report.add(f"{name}, stage", share["stage"], least=0.3)
        bench.report.add(f"{name}, text", share["text"], least=0.05)


def all_stages(bench: Bench) -> None:
    bench.report.section(
        "all stages of an article play; the slowest place of the page at 1440 x 900"
    )
    for name in PAPERS:
        there = sum(section.scene is not None for section in article(name).sections)
        with bench.context(VIEWPORT) as context:
            context.add_init_script(OPENING)
            page = opened(context.new_page(), f"{bench.server.address}/{name}")
            page.wait_for_function(
                "n => svmvizFigures.size === n && [...svmvizFigures].every(one => one.draws)",
                arg=there,
            )
            page.wait_for_timeout(3000)  # charts below are drawn meanwhile
            played = [page.evaluate(PLAY, [k, bench.effort.seconds]) for k in range(there)]
        slowest = min(played, key=lambda one: 1000 / np.mean(one["intervals"]))
        title = f"{name}, {there} stages play, {slowest['draw']} of them in sight"
        bench.report.add(title, 1000 / np.mean(slowest["intervals"]), "fps", least=50)
        bench.report.add(f"{name}, p95", p95(slowest["intervals"]), "ms")


if __name__ == "__main__":
    run("svmviz pages of papers", QUICK, FULL, (opening, first_screen, all_stages))
