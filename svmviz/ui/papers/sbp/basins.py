"""Figures 1 and 4 of the SBP paper, to be played with: water over the responses of a real run."""

from functools import cache

import numpy as np

from svmviz.maths import kernels
from svmviz.papers.sbp import basins
from svmviz.run.recipe import Recipe
from svmviz.ui.papers import blocks as ui
from svmviz.views import basins as views
from svmviz.work.words import signed

WATER = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
ONE = Recipe(
    data="moons",
    data_params={"n": 100, "noise": 0.25},
    solver="sbp",
    steps=200,
    params={"nu": 0.05, "kernel": kernels.rbf(2.0), "iterate": "last"},
).checked()
TWO = Recipe(
    data="imbalanced",
    data_params={"n": 80, "share": 0.3},
    solver="sbp",
    steps=200,
    params={"nu": 0.15, "bias": True, "iterate": "last"},
).checked()


@cache
def responses(biased: bool) -> tuple[np.ndarray, np.ndarray]:
    """c_i = y_i <w, phi(x_i)> after every step, without the bias, and the labels."""
    recipe = TWO if biased else ONE
    trace, problem = recipe.trace(), recipe.problem()
    return (
        np.array(
            [problem.y * (trace.f(t, problem.X) - trace.b(t)) for t in range(trace.steps + 1)]
        ),
        problem.y,
    )


def water() -> ui.Blocks:
    """Figure 1."""
    n = ONE.data_params["n"]
    yield ui.Header("Figure 1: water over the responses")
    yield ui.Caption(
        f"The paper shows a drawing; here: a run of SBP on two moons, {n} points, noise 0.25,"
        " Gaussian kernel with γ = 2, ν = 0.05, seed 0."
    )
    t, nu = yield ui.Row(
        (
            ui.Slider("Step of the run", 0, ONE.steps, 40, 1, "sbp.step"),
            ui.Scale("Slack ν that is poured over it", WATER, 0.05, "sbp.nu", "{:g}".format),
        )
    )
    all_c, y = responses(False)
    pool = basins.filled(all_c[t], n * nu)
    low, high = bounds(all_c[t], basins.filled(all_c[t], n * 0.3).gamma)
    high = max(high, pool.gamma + 0.05)
    yield ui.Chart(lambda look: views.basin(look, pool, y, low, high), "sbp.water")
    yield ui.Text(
        f"Volume nν = {n * nu:.3g}: the water stands at **γ = {signed(f'{pool.gamma:.3f}')}**;"
        f" {pool.wet} of {n} are not above it, and each is drawn with probability 1/{pool.wet}."
        + " Without water only the lowest can be drawn: the batch perceptron."
        * (nu == 0)
    )
    yield ui.links({"this run": ONE})


def bounds(c: np.ndarray, level: float) -> tuple[float, float]:
    """An axis that holds the ground and the usual water."""
    low, high = float(c.min()), max(float(c.max()), level)
    room = 0.08 * (high - low) or 0.1
    return low - room, high + room


def bias() -> ui.Blocks:
    """Figure 4."""
    all_c, y = responses(True)
    c, n = all_c[-1], len(y)
    volume = n * TWO.params["nu"]
    best = basins.best_bias(c, y, volume)
    yield ui.Header("Figure 4: two basins and the bias")
    yield ui.Caption(
        "The paper shows a drawing; here: a run of SBP with bias on imbalanced Gaussians,"
        f" {int((y > 0).sum())} points of class +1 and {int((y < 0).sum())} of class −1, linear"
        f" kernel, ν = {TWO.params['nu']:g}, seed 0, after step {TWO.steps}."
    )
    span = 1.5
    away = yield ui.Slider("Tilt: b away from its optimum", -span, span, 0.0, 0.05, "sbp.tilt")
    tilt = basins.tilted(c, y, volume, best[1] + away)
    biases = np.sort(np.append(np.linspace(best[1] - span, best[1] + span, 160), best[1]))
    levels = basins.levels(c, y, volume, biases)
    low, high = float((c - span).min()) - 0.2, float((c + abs(best[1])).max()) + 0.5
    yield ui.Row(
        (
            ui.Chart(lambda look: views.two_basins(look, tilt, low, high), "sbp.tilt.basins"),
            ui.Chart(
                lambda look: views.over_bias(look, biases, levels, tilt, best), "sbp.tilt.curve"
            ),
        ),
        (3, 2),
    )
    (plus, minus), at = tilt.wet, signed(f"b = {tilt.b:.3f}")
    level = signed(f"{tilt.gamma:.3f}")
    if plus != minus:
        more, way = ("+1", "Raising") if plus > minus else ("−1", "Lowering")
        yield ui.Text(
            f"{at}: the water covers **{plus}** of class +1 and **{minus}** of class −1, so that"
            f" class {more} holds the level down, by {best[0] - tilt.gamma:.3f}. {way} b lifts it."
        )
    elif best[0] - tilt.gamma < 1e-9:
        yield ui.Text(
            f"{at}: the water covers **{plus} of each class**, and no other b lifts the level above"
            f" **{level}**."
        )
    else:
        yield ui.Text(f"{at}: the water covers {plus} of each class at the level {level}.")
    yield ui.links({"this run": TWO})
