"""Figures 1 and 4 of the SBP paper, to be played with: water over the responses of a real run."""

import numpy as np
import streamlit as st

from svmviz.maths import kernels
from svmviz.papers.sbp import basins
from svmviz.run.recipe import Recipe
from svmviz.ui.controls.charts import chart, theme
from svmviz.ui.papers.page import column, links
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


@st.cache_resource(max_entries=4, show_spinner=False)
def responses(link: str, _recipe: Recipe) -> tuple[np.ndarray, np.ndarray]:
    """c_i = y_i <w, phi(x_i)> after every step, without the bias, and the labels."""
    trace, problem = _recipe.trace(), _recipe.problem()
    return (
        np.array(
            [problem.y * (trace.f(t, problem.X) - trace.b(t)) for t in range(trace.steps + 1)]
        ),
        problem.y,
    )


def water() -> None:
    """Figure 1."""
    with column():
        st.header("Figure 1: water over the responses")
        n = ONE.data_params["n"]
        st.caption(
            f"The paper shows a drawing; here: a run of SBP on two moons, {n} points, noise 0.25,"
            " Gaussian kernel with γ = 2, ν = 0.05, seed 0."
        )
        left, right = st.columns(2)
        t = left.slider("Step of the run", 0, ONE.steps, 40, key="sbp.step")
        nu = right.select_slider(
            "Slack ν that is poured over it",
            WATER,
            0.05,
            key="sbp.nu",
            format_func=lambda v: f"{v:g}",
        )
        all_c, y = responses(ONE.key(), ONE)
        pool = basins.filled(all_c[t], n * nu)
        low, high = bounds(all_c[t], basins.filled(all_c[t], n * 0.3).gamma)
        chart(views.basin(theme(), pool, y, low, max(high, pool.gamma + 0.05)), "sbp.water")
        drawn = (
            f"{pool.wet} of {n} are not above it, and each is drawn with probability 1/{pool.wet}"
        )
        st.markdown(
            f"Volume nν = {n * nu:.3g}: the water stands at **γ = {signed(f'{pool.gamma:.3f}')}**;"
            f" {drawn}."
            + (
                " Without water only the lowest can be drawn: the batch perceptron."
                if nu == 0
                else ""
            )
        )
        links({"this run": ONE})


def bounds(c: np.ndarray, level: float) -> tuple[float, float]:
    """An axis that holds the ground and the usual water."""
    low, high = float(c.min()), max(float(c.max()), level)
    room = 0.08 * (high - low) or 0.1
    return low - room, high + room


def bias() -> None:
    """Figure 4."""
    with column():
        st.header("Figure 4: two basins and the bias")
        all_c, y = responses(TWO.key(), TWO)
        c, n = all_c[-1], len(y)
        volume = n * TWO.params["nu"]
        best = basins.best_bias(c, y, volume)
        st.caption(
            "The paper shows a drawing; here: a run of SBP with bias on imbalanced Gaussians,"
            f" {int((y > 0).sum())} points of class +1 and {int((y < 0).sum())} of class −1, linear"
            f" kernel, ν = {TWO.params['nu']:g}, seed 0, after step {TWO.steps}."
        )
        span = 1.5
        away = st.slider("Tilt: b away from its optimum", -span, span, 0.0, 0.05, key="sbp.tilt")
        tilt = basins.tilted(c, y, volume, best[1] + away)
        biases = np.sort(np.append(np.linspace(best[1] - span, best[1] + span, 160), best[1]))
        low, high = float((c - span).min()) - 0.2, float((c + abs(best[1])).max()) + 0.5
        left, right = st.columns([3, 2])
        with left:
            chart(views.two_basins(theme(), tilt, low, high), "sbp.tilt.basins")
        with right:
            chart(
                views.over_bias(theme(), biases, basins.levels(c, y, volume, biases), tilt, best),
                "sbp.tilt.curve",
            )
        (plus, minus), at = tilt.wet, signed(f"b = {tilt.b:.3f}")
        if plus == minus:
            st.markdown(
                f"{at}: the water covers **{plus} of each class**, and no other b lifts the level"
                f" above **{signed(f'{tilt.gamma:.3f}')}**."
                if best[0] - tilt.gamma < 1e-9
                else (
                    f"{at}: the water covers {plus} of each class at the level"
                    f" {signed(f'{tilt.gamma:.3f}')}."
                )
            )
        else:
            more, way = ("+1", "Raising") if plus > minus else ("−1", "Lowering")
            st.markdown(
                f"{at}: the water covers **{plus}** of class +1 and **{minus}** of class −1, so"
                f" that class {more} holds the level down, by {best[0] - tilt.gamma:.3f}. {way} b"
                " lifts it."
            )
        links({"this run": TWO})
