"""How long a visitor waits for data of their own, measured in a real browser against the budgets of
the design.

    python -m benchmarks.solvers.data [--quick]

What is measured, and how:

* real files: a9a, pendigits and usps as plain CSV and LIBSVM text, each chosen on the Data page by
  a visitor who has seen nothing but the Playground; from the choice to the report, from the click
  on Open to the first frame of the stage, and then some steps are played. The data lie in
  ../shared/data or where SVMVIZ_DATA says; without them this part is left out;
* 5 MB of CSV: the same, and the sum of both waits, each time with another file;
* a point more: from the press of the mouse on the plane to the end of the frame that shows the run
  with that point, in the middle of a run of 1000 steps.

Every random choice has a fixed seed.
"""

import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from playwright.sync_api import Page
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from benchmarks.app.browser import GAUSSIAN, LINEAR, Bench, main_thread, run
from benchmarks.harness import ROOT, median, p95

SHARED = Path(os.environ.get("SVMVIZ_DATA", ROOT.parent / "shared" / "data"))
WIDTHS = 8, 12, 24, 50, 100  # features of the generated files
BYTES = 5 * 2**20
SCENES = {  # and the budget in ms; up to 2000 points the exact optimum is found anew each time
    "linear, 500 points": (LINEAR, 300),
    "Gaussian, 500 points": (GAUSSIAN, 300),
    **{
        f"{name}, {n} points": (replace(recipe, data_params=recipe.data_params | {"n": n}), 400)
        for n in (1950, 2000)
        for name, recipe in (("linear", LINEAR), ("Gaussian", GAUSSIAN))
    },
}


class Effort(NamedTuple):
    """How often things are repeated."""

    files: int
    points: int
    steps: int  # played


FULL, QUICK = Effort(20, 40, 300), Effort(5, 10, 60)

# The report is there when the table of it is drawn and the button below it can be pressed.
REPORT = """() => probe.wait("change", () => {
  const tables = document.querySelectorAll("[data-testid=stDataFrame]"), buttons = [...document.querySelectorAll("button")];
  return tables.length && [...tables].every(table => table.querySelector("canvas"))
    && buttons.some(button => button.textContent === "Open in the Playground");
})"""
OPEN = """() => probe.wait("click", () => svmviz.draws && svmviz.run.query.data.startsWith("upload:"))"""
PLAYED = """async steps => {
  svmviz.setSpeed(60);
  svmviz.toggle(true);
  while (svmviz.t < Math.min(steps, svmviz.run.T)) await probe.frames(1);
  const { intervals, t, run: { n, d } } = svmviz;
  svmviz.toggle(false);
  return { intervals, t, n, d };
}"""


def quiet(page: Page) -> None:
    page.wait_for_function(
        "document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'"
    )


@contextmanager
def opened(bench: Bench, path: Path) -> Iterator[tuple[Page, float, float]]:
    """A new visitor who opens this file: the page, s until the report, s until the first frame."""
    with bench.page() as page:
        quiet(page)
        page.get_by_role("link", name="Data", exact=True).click()
        page.locator("input[type=file]").wait_for(state="attached")
        quiet(page)
        page.evaluate(REPORT)
        page.locator("input[type=file]").set_input_files(path)
        report = page.evaluate("probe.waited") / 1000
        quiet(page)
        page.evaluate(OPEN)
        page.get_by_role("button", name="Open in the Playground").click()
        yield page, report, page.evaluate("probe.waited") / 1000


# Real files ---------------------------------------------------------------------------------------


def real_sets() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    X, y = load_svmlight_file(str(SHARED / "a9a" / "a9a.train.bz2"), n_features=123)
    yield "a9a", X.toarray(), y
    for name in ("pendigits", "usps"):
        with np.load(SHARED / name / f"{name}.npz") as held:
            yield name, held["X_train"], held["y_train"]


def real_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Each set, all its training rows, as two plain text files."""
    for name, X, y in real_sets():
        path = folder / f"{name}.csv"
        cells = np.char.mod("%g", X) if X.dtype != np.float32 else X.astype(str)
        lines = (
            ",".join([*row, f"{label:g}"]) for row, label in zip(cells.tolist(), y, strict=True)
        )
        path.write_text(
            "\n".join([",".join([*(f"f{k + 1}" for k in range(X.shape[1])), "label"]), *lines, ""])
        )
        yield f"{name}.csv", path
        path = folder / f"{name}.libsvm"
        dump_svmlight_file(X.astype(float), y.astype(float), str(path), zero_based=False)
        yield f"{name}.libsvm", path


def real(bench: Bench) -> None:
    bench.report.section(
        f"real files to the report, from Open to the first frame, then {bench.effort.steps} steps"
    )
    if not SHARED.is_dir():
        bench.report.note(f"left out: no folder {SHARED}; SVMVIZ_DATA can name another")
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, path in real_files(Path(folder)):
            with opened(bench, path) as (page, report, first):
                played = page.evaluate(PLAYED, bench.effort.steps)
            title = f"{name}, {path.stat().st_size / 2**20:.1f} MB"
            bench.report.add(f"{title}, report", report, "s")
            bench.report.add(f"{title}, first frame", first, "s")
            bench.report.add(
                f"{title}, {played['n']} x {played['d']}, {played['t']} steps played",
                1000 / np.mean(played["intervals"]),
                "fps",
            )


# A file of 5 MB -----------------------------------------------------------------------------------


def generated(seed: int) -> bytes:
    """A table of numbers with a class in its last column, as long as fits."""
    rng, width = np.random.default_rng(seed), WIDTHS[seed % len(WIDTHS)]
    X = rng.standard_normal((BYTES // (9 * width), width))
    text = io.StringIO()
    text.write(",".join([*(f"x{k + 1}" for k in range(width)), "label"]) + "\n")
    np.savetxt(
        text,
        np.column_stack([X, X @ rng.standard_normal(width) > 0]),
        fmt=["%.6f"] * width + ["%d"],
        delimiter=",",
    )
    data = text.getvalue().encode()[:BYTES]
    return data[: data.rindex(b"\n") + 1]


def megabytes(bench: Bench) -> None:
    bench.report.section(f"5 MB of CSV to the first frame, {bench.effort.files} files")
    reports, firsts = [], []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(bench.effort.files):
            path = Path(folder) / f"{seed}.csv"
            path.write_bytes(generated(seed))
            with opened(bench, path) as (_page, report, first):
                reports.append(report)
                firsts.append(first)
            path.unlink()
    bench.report.add("from the choice to the report, median", median(reports), "s")
    bench.report.add("from Open to the first frame, median", median(firsts), "s")
    both = np.add(reports, firsts)
    bench.report.add("both, median", median(both), "s")
    bench.report.add("both, p95", p95(both), "s", most=3)


# A point more -------------------------------------------------------------------------------------


PLACE = """shares => {
  const { plane } = svmviz, { left, w, h } = plane.frame, box = plane.sheet.canvas.getBoundingClientRect();
  const places = shares.map(([x, y]) => [left + x * w, y * h]);
  const [x, y] = places.find(([x, y]) => plane.nearest(x, y) < 0);       // on a point, a press would take hold of it
  return [box.left + x, box.top + y];
}"""


def points(bench: Bench) -> None:
    bench.report.section(f"a point more to the redraw, {bench.effort.points} points")
    rng = np.random.default_rng(0)
    for title, (recipe, most) in SCENES.items():
        times = []
        with bench.page(recipe) as page:
            page.evaluate("svmviz.seek(500, true)")
            page.wait_for_function("new URL(location).searchParams.get('t') === '500'")
            page.keyboard.press("e")
            quiet(page)
            work, used = main_thread(page), bench.server.cpu_seconds()
            for _ in range(bench.effort.points):
                quiet(page)
                shares = rng.uniform(
                    (0.02, 0.15), 0.98, (500, 2)
                )  # of the plane, below the strip of tools
                place = page.evaluate(PLACE, shares.tolist())
                page.mouse.move(*place)
                page.evaluate("probe.nextRun('pointerdown')")
                page.mouse.click(*place)
                times.append(page.evaluate("probe.waited"))
            quiet(page)
            page_ms, server_ms = (
                work()[0] / len(times),
                1000 * (bench.server.cpu_seconds() - used) / len(times),
            )
        bench.report.add(f"{title}, median", median(times), "ms")
        bench.report.add(f"{title}, p95", p95(times), "ms", most=most)
        bench.report.note(
            f"  processor time, hardly prolonged by other work: server {server_ms:.0f} ms, page"
            f" {page_ms:.0f} ms"
        )


if __name__ == "__main__":
    run("svmviz data", QUICK, FULL, (points, megabytes, real))
