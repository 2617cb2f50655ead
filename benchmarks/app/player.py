"""How fast and how faithful the player is, measured in a real browser against the budgets of the
design.

    python -m benchmarks.app.player [--quick]

Starts the app on a free port and Chromium without a GPU, so that drawing is software raster, at
1440 x 900. What is measured, and how:

* playback: the time between animation frames while a run plays; the JavaScript time of a draw, by
  part; and the processor time of the page's main thread, raster included, for which 60 fps leave
  16.7 ms;
* Pause: draws and steps in the 30 animation frames after it; the one draw that shows the state at
  rest is not counted;
* scrub: from a jump to a random step, at a random moment between two frames, until the frame that
  shows it is painted;
* payload: the bytes that the component receives;
* page load: from the start of the navigation to the first frame of the stage;
* a warm parameter change: run, metrics, exact optimum and packing in this process, each for a λ
  never used before; and from a key on the λ slider to the first frame of the new run;
* parity: f at all examples and all cells of the field, and the coefficients, against Python's at
  random steps;
* back and forward: single steps back, then the same number on, against the state before;
* remounts: how often the stage was built anew while Streamlit ran the script again for another
  reason.

Timestamps are taken inside the page. Every random choice has a fixed seed.
"""

from typing import NamedTuple

import numpy as np

from benchmarks.app.browser import (
    BUDGETED,
    CURVE,
    EXACT,
    FOUR_CLASSES,
    GAUSSIAN,
    LARGE,
    LINEAR,
    SURFACE,
    Bench,
    main_thread,
    run,
)
from benchmarks.app.latency import cards, page_load, payload, server_time, slider
from benchmarks.harness import median, p95
from benchmarks.solvers.parity import back_and_forward, parity, remounts


class Effort(NamedTuple):
    """How often things are repeated."""

    seconds: float  # of playback
    jumps: int
    loads: int
    changes: int  # of λ in this process
    steps: int  # compared for parity


FULL, QUICK = Effort(6, 60, 5, 30, 30), Effort(2, 15, 2, 8, 8)


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


# The run itself as the one before, with kernel values of its own, as after another kernel.
GHOST = "svmviz.ghost.keep(svmviz.run); svmviz.ghost.replay().columns = new Map();"
FORK = "svmviz.forking.split('fork'); while (!svmviz.forking.on) await probe.pause(50);"


def playback(bench: Bench) -> None:
    bench.report.section(
        "playback, field of 60 x 60 cells (the budget for 2000 points was set for 100 x 100)"
    )
    for title, recipe, speed, fps, interval, first in (
        ("Gaussian, 500 points, 60 steps/s", GAUSSIAN, 60, 55, 25, ""),
        ("Gaussian, 500 points, 500 steps/s", GAUSSIAN, 500, 55, 25, ""),
        ("linear, 500 points, 1 step/s", LINEAR, 1, 55, 25, ""),  # slow enough for beats and tweens
        ("Gaussian, 2000 points, 60 steps/s", LARGE, 60, 45, None, ""),
        ("regression over one feature, 500 points, 60 steps/s", CURVE, 60, 55, 25, ""),
        ("regression over two, 500 points, 60 steps/s", SURFACE, 60, 55, 25, ""),
        ("four classes, 500 points, 60 steps/s", FOUR_CLASSES, 60, 55, 25, ""),
        ("Gaussian, 500 points, 60 steps/s, with a ghost", GAUSSIAN, 60, 55, 25, GHOST),
        ("Gaussian, 2000 points, 60 steps/s, with a ghost", LARGE, 60, 45, None, GHOST),
        ("Gaussian, 500 points, 60 steps/s, forked", GAUSSIAN, 60, 55, 25, FORK),
        *(
            (f"{name}, B = 500, 1000 points, 60 steps/s", recipe, 60, 45, None, "")
            for name, recipe in BUDGETED.items()
        ),
        ("IDSVM, 500 points, 60 steps/s", EXACT, 60, 55, 25, ""),
        ("IDSVM, 500 points, 1 step/s", EXACT, 1, 55, 25, ""),
    ):
        with bench.page(recipe) as page:
            page.evaluate(f"async () => {{ {first} }}")
            page.evaluate("probe.keyframes()")
            work = main_thread(page)
            played = page.evaluate(PLAY, [speed, bench.effort.seconds, True])
            total, script, layout = work() / len(played["intervals"])
        bench.report.add(title, 1000 / np.mean(played["intervals"]), "fps", least=fps)
        bench.report.add(f"{title}, p95", p95(played["intervals"]), "ms", most=interval)
        bench.report.add(f"{title}, JavaScript per draw", played["spent"].pop("draw"), "ms")
        bench.report.note(
            "  of which " + ", ".join(f"{part} {ms:.2f}" for part, ms in played["spent"].items())
        )
        bench.report.add(f"{title}, processor time per draw", total, "ms")
        rest = total - script - layout
        bench.report.note(
            f"  of which script {script:.2f}, layout {layout:.2f}, raster and the rest {rest:.2f}"
        )


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
    bench.report.add(
        "frames drawn after Pause, beyond the one at rest", max(0, after["draws"] - 1), most=0
    )
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
    jumps = (
        rng.random((bench.effort.jumps, 2)) * [1, 17]
    ).tolist()  # where to, and how many ms after a frame
    scenes = {
        "linear, 500 points": LINEAR,
        "Gaussian, 500 points": GAUSSIAN,
        "Gaussian, 2000 points": LARGE,
        "regression, 500 points": CURVE,
        "four classes, 500 points": FOUR_CLASSES,
    }
    for title, recipe in scenes.items():
        with bench.page(recipe) as page:
            for fresh in (True, False):
                times = page.evaluate(SCRUB, [jumps, fresh])
                when = "right after the load" if fresh else "after idle"
                bench.report.add(f"{title}, {when}, p50", median(times), "ms")
                bench.report.add(f"{title}, {when}, p95", p95(times), "ms", most=50)


MEASURES = (
    slider,
    page_load,
    cards,
    payload,
    playback,
    growth,
    pause,
    scrub,
    parity,
    back_and_forward,
    remounts,
)

if __name__ == "__main__":
    run("svmviz player", QUICK, FULL, MEASURES, alone=server_time)
