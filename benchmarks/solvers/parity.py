"""Part of `benchmarks.app.player`: whether the player shows the numbers that Python computes, and
keeps them.
"""

import json

import numpy as np

from benchmarks.app.browser import GAUSSIAN, LINEAR, Bench
from svmviz.maths import kernels
from svmviz.player.ready import opening
from svmviz.run.recipe import Recipe, from_query

VARIETY = {  # recipes that reach every branch of the replay
    "opening example": opening.OPENING,
    "linear": LINEAR,
    "Gaussian": GAUSSIAN,
    "polynomial, projected": Recipe(
        "circles", params={"kernel": kernels.poly(2), "project": True}, steps=600
    ),
    "Laplacian, averaged": Recipe(
        "xor", params={"kernel": kernels.laplacian(), "iterate": "average"}, steps=600
    ),
    "batches of 10, averaged": Recipe("banana", params={"k": 10, "iterate": "average"}, steps=600),
    "random iterate": Recipe(
        "moons", params={"kernel": kernels.rbf(), "iterate": "random"}, steps=600
    ),
    "13 features": Recipe("wine", params={"kernel": kernels.rbf(0.1)}, steps=600),
    "SBP": Recipe("moons", solver="sbp", params={"kernel": kernels.rbf()}, steps=600),
    "SBP with bias, averaged": Recipe(
        "moons",
        solver="sbp",
        params={"kernel": kernels.rbf(), "bias": True, "iterate": "average"},
        steps=600,
    ),
    "dual coordinate ascent": Recipe(
        "moons", solver="sdca", params={"kernel": kernels.rbf()}, steps=600
    ),
    "SMO with bias": Recipe("moons", solver="smo", params={"kernel": kernels.rbf()}, steps=600),
    "Perceptron": Recipe("xor", solver="perceptron", params={"kernel": kernels.rbf()}, steps=600),
    "Fourier, 13 features": Recipe(
        "wine", solver="fourier", params={"gamma": 0.1, "iterate": "average"}, steps=600
    ),
    "incremental, active": Recipe(
        "gauss", {"n": 500}, "incremental", {"teacher": "active"}, steps=400
    ),
    "incremental, K changes": Recipe(
        "moons", solver="incremental", changes=((100, {"K": 30}), (200, {"C": 0.1})), steps=300
    ),
    "incremental, linear, last": Recipe(
        "wine", solver="incremental", params={"kernel": None, "iterate": "last"}, steps=250
    ),
    "incremental, linear": Recipe(
        "blobs", solver="incremental", params={"kernel": None}, steps=150
    ),
    "batch": Recipe(
        "moons", solver="incremental", params={"algorithm": "batch", "K": 20}, steps=200
    ),
    "BSGD": Recipe("moons", solver="bsgd", params={"kernel": kernels.rbf()}, steps=600),
    "BSGD, ten classes": Recipe(
        "pinwheel", {"classes": 10}, "bsgd", {"kernel": kernels.rbf(4.0)}, steps=600
    ),
    "changes on the way": Recipe(
        "moons", changes=((200, {"kernel": kernels.rbf()}), (400, {"lam": 0.01})), steps=600
    ),
}

READ = """steps => JSON.stringify({
  query: svmviz.run.query, scores: svmviz.run.scores, xs: [...svmviz.engine.grid.xs], ys: [...svmviz.engine.grid.ys],
  states: steps.map(t => {
    const { f, field, coef } = svmviz.engine.state(t);       // before a stage scales them for the eye, as that of SBP does
    return { f: [...f], field: [...field], coef: [...coef] };
  }),
})"""


def parity(bench: Bench) -> None:
    bench.report.section(
        f"parity with Python, largest relative difference at {bench.effort.steps} random steps"
    )
    rng = np.random.default_rng(0)
    for title, recipe in VARIETY.items():
        recipe = recipe.checked()
        steps = rng.integers(0, recipe.steps + 1, bench.effort.steps).tolist()
        with bench.page(recipe) as page:
            seen = json.loads(page.evaluate(READ, steps))
        told = from_query(seen["query"])[0]
        trace = told.trace()
        plane, cells = (
            told.look(trace.problem),
            np.stack(np.meshgrid(seen["xs"], seen["ys"]), axis=-1).reshape(-1, 2),
        )
        places = np.vstack([trace.problem.X, plane.origin + cells @ plane.basis])
        read = [
            {name: np.reshape(s[name], (seen["scores"], -1)).T for name in ("f", "field", "coef")}
            for s in seen["states"]
        ]
        n, rows = (
            trace.problem.n,
            len(read[0]["coef"]),
        )  # rows of a table that grows: the player holds all of them
        f = [trace.f(t, places).reshape(len(places), -1) for t in steps]
        coef = [np.zeros((rows, seen["scores"])) for _ in steps]
        for t, out in zip(steps, coef, strict=True):
            held = trace.coef(t).reshape(-1, seen["scores"])
            out[: len(held)] = held
        bench.report.add(
            f"{title}, f", apart(f, [np.vstack([s["f"][:n], s["field"]]) for s in read]), most=1e-6
        )
        bench.report.add(
            f"{title}, coefficients", apart(coef, [s["coef"] for s in read]), most=1e-6
        )


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
        bench.report.add(
            f"{title}, bits that differ in Python", differing_bits(here, again), most=0
        )


def differing_bits(here, there) -> int:
    return int(
        np.bitwise_count(np.asarray(here).view(np.uint64) ^ np.asarray(there).view(np.uint64)).sum()
    )


def remounts(bench: Bench, reruns: int = 5) -> None:
    """Coming to rest at another step makes the script run again: the link in the address bar
    follows it.
    """
    bench.report.section("reruns of the script")
    with bench.page(GAUSSIAN) as page:
        for t in np.linspace(100, 900, reruns).astype(int).tolist():
            page.evaluate("t => svmviz.seek(t, true)", t)
            page.wait_for_function(
                "t => new URL(location).searchParams.get('t') === String(t)", arg=t
            )
        bench.report.add(
            f"remounts in {reruns} unrelated reruns", page.evaluate("svmviz.mounts") - 1, most=0
        )
