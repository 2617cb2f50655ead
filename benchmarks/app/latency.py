"""Part of `benchmarks.app.player`: how much travels, and how long one waits for it."""

import json
import re
import time
from dataclasses import replace

import numpy as np

from benchmarks.app.browser import CURVE, FOUR_CLASSES, GAUSSIAN, LARGE, LINEAR, Bench, visit
from benchmarks.harness import Report, median, p95, serve
from svmviz.player.ready import opening
from svmviz.player.ready.warm import show
from svmviz.player.wire import run
from svmviz.run.recipe import Recipe

POINT_BYTES = 12  # the budget allows these for every example, on top of what the steps take

PAYLOAD = """() => {
  const { data, run } = svmviz, header = 4 + new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  return { total: data.length, header, n: run.n, thousands: run.T / 1000 };
}"""


def payload(bench: Bench) -> None:
    bench.report.section(f"payload, 500 points, 1000 steps; beyond {POINT_BYTES} B per point")
    for title, recipe in (
        ("linear", LINEAR),
        ("Gaussian", GAUSSIAN),
        ("regression", CURVE),
        ("four classes", FOUR_CLASSES),
    ):
        with bench.page(recipe) as page:
            sent = page.evaluate(PAYLOAD)
        arrays = sent["total"] - sent["header"] - POINT_BYTES * sent["n"]
        bench.report.add(
            f"{title}, arrays per 1000 steps", arrays / sent["thousands"], "B", most=30_000
        )
        bench.report.add(f"{title}, header, whatever the number of steps", sent["header"], "B")


def page_load(bench: Bench) -> None:
    bench.report.section(
        f"page load to first frame, opening example, median of {bench.effort.loads}"
    )
    warm, cold, fresh = [], [], []
    for _ in range(bench.effort.loads):
        with bench.page() as page:
            cold.append(page.evaluate("probe.first"))
            warm.append(visit(page.context.new_page(), bench.server).evaluate("probe.first"))
        with serve() as server, bench.page(server=server) as page:
            fresh.append(page.evaluate("probe.first"))
    bench.report.add("second load in a browser", median(warm) / 1000, "s", most=1.5)
    bench.report.add("first load in a browser", median(cold) / 1000, "s", most=4)
    bench.report.add(
        "first load in a browser from a server just started", median(fresh) / 1000, "s", most=4
    )


def cards(bench: Bench) -> None:
    bench.report.section("card to card of a lesson, click to the frame that shows it")
    waited = {True: [], False: []}
    with bench.page() as page:
        page.goto(f"{bench.server.address}/lessons?lesson=sbp&card=1")
        page.wait_for_function("globalThis.svmviz?.standing", timeout=60_000)
        for k in [*range(1, page.evaluate("svmviz.lesson.cards.length")), 0] * 2:
            same = page.evaluate("k => svmviz.lesson.cards[k].id === svmviz.run.id", k)
            page.evaluate("k => probe.wait('click', () => svmviz.k === k && svmviz.ready)", k)
            page.locator(".card .dots button").nth(k).click()
            waited[same].append(page.evaluate("probe.waited"))
    bench.report.add("on the same run, p95", p95(waited[True]), "ms", most=300)
    bench.report.add("to another run, p95", p95(waited[False]), "ms", most=600)


def answer(recipe: Recipe) -> bytes:
    """What the server makes of a recipe that it has not seen before, as it makes it: data and
    kernel it may have.
    """
    return run.encode(
        run.pack_recipe(recipe),
        id=json.dumps(recipe.query()),
        query=recipe.query(),
        python=recipe.python("{step}"),
        view=dict(opening.VIEW),
        knob=None,
        final=False,
        invite=False,
    )


def server_time(report: Report, effort) -> None:
    report.section(f"a warm parameter change at the server, {effort.changes} values of λ")
    show("pegasos")
    for title, recipe in (
        ("opening example", opening.OPENING),
        ("Gaussian, 500 points, 1000 steps", GAUSSIAN),
        ("Gaussian, 2000 points, 1000 steps", LARGE),
    ):
        times = []
        for lam in np.geomspace(0.002, 0.5, effort.changes):
            start = time.perf_counter()
            answer(replace(recipe, params=recipe.params | {"lam": float(lam)}))
            times.append(1000 * (time.perf_counter() - start))
        report.add(f"{title}, median", median(times), "ms", most=300)
        report.add(f"{title}, p95", p95(times), "ms", most=300)


def slider(bench: Bench) -> None:
    bench.report.section(
        f"a key on the λ slider to the first frame of the new run, median of {bench.effort.loads}"
    )
    for title, recipe in (
        ("opening example", None),
        ("Gaussian, 500 points, 1000 steps", GAUSSIAN),
    ):
        times = []
        with bench.page(recipe) as page:
            knob = page.get_by_role("slider", name=re.compile("regularisation"))
            for _ in range(bench.effort.loads):
                page.evaluate("probe.nextRun('keydown')")
                knob.press("ArrowRight")
                times.append(page.evaluate("probe.waited"))
        bench.report.add(title, median(times), "ms")
