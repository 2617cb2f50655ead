"""Test error of several solvers over what it cost, and what bounds say that it should cost."""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmviz.views.theme import (
    DASHES,
    GLYPHS,
    SHAPES,
    Theme,
    band,
    curve,
    dots,
    figure,
    label_end,
    note,
    percent,
    stroke,
)


class Run(NamedTuple):
    """One curve: errors of each seed over x, up to the place `end`; dashed from the cost `solid`
    on.
    """

    name: str
    x: np.ndarray
    error: np.ndarray  # (seeds, len(x))
    end: int
    solid: float = np.inf
    label: str = ""
    dots: bool = False


def errors(
    theme: Theme,
    runs: list[Run],
    x_title: str,
    best: float,
    top: float,
    log_x: bool = True,
    best_name: str = "optimum",
    mark: tuple[float, str] | None = None,
) -> go.Figure:
    """Medians with bands; the error of the optimum as the dashed base line. Labels stand at the
    ends, apart from each other.
    """
    fig = figure(theme, x_title, "test error", log_x=log_x, log_y=False)
    least = min(best, *(float(np.median(run.error, axis=0).min()) for run in runs))
    low = max(0.0, least - 0.08 * (top - least))
    fig.update_yaxes(range=[low, top], tickformat=percent(low, top))
    left, right = min(run.x[0] for run in runs), max(run.x[-1] for run in runs)
    curve(
        fig,
        best_name,
        [left, right],
        [best, best],
        y_format=".2%",
        line=stroke(theme.optimum, 1.5, "6px,4px"),
    )
    if mark:
        fig.add_vline(x=mark[0], line=stroke(theme.ink, 1.25))
        note(fig, mark[1], theme.ink, 13, x=mark[0], y=1.0, yref="paper", xanchor="left", xshift=6)
    wanted = [(best, best_name, best_name, theme.optimum)]
    for run in runs:
        colour, x, name = theme.solvers[run.name], run.x[: run.end + 1], run.label or run.name
        lower, middle, upper = np.quantile(run.error[:, : run.end + 1], [0.1, 0.5, 0.9], axis=0)
        if len(run.error) > 1:
            band(fig, name, x, *np.clip([lower, upper], low, top), colour, 0.08)
        first = int(np.searchsorted(x, run.solid, side="right"))
        for part, dash in ((slice(0, first), "solid"), (slice(max(0, first - 1), None), "4px,3px")):
            if len(x[part]) > 1:
                curve(
                    fig,
                    name,
                    x[part],
                    middle[part],
                    (lower[part], upper[part]) if len(run.error) > 1 else None,
                    y_format=".2%",
                    legend=False,
                    mode="lines+markers" if run.dots else "lines",
                    line=stroke(colour, dash=dash),
                    marker={"size": 6, "symbol": SHAPES[run.name]},
                )
        fig.add_scatter(
            x=x[-1:],
            y=middle[-1:],
            name=name,
            legendgroup=name,
            showlegend=True,
            mode="lines+markers",
            hoverinfo="skip",
            cliponaxis=False,
            line=stroke(colour, dash="solid" if first > 1 else "4px,3px"),
            marker={"color": colour, "size": 10, "symbol": SHAPES[run.name]},
        )
        wanted.append((float(middle[-1]), name, f"{GLYPHS[SHAPES[run.name]]} {name}", colour))
    ends = [float(np.log10(x)) if log_x else float(x) for x in (left, right)]
    fig.update_xaxes(range=ends)  # names stand in the margin
    for height, (_, name, text, colour) in zip(
        apart([w[0] for w in wanted], low, top), wanted, strict=True
    ):
        label_end(fig, text, colour, ends[1], height, name)
    return fig


def apart(values, low: float, top: float) -> list[float]:
    """Heights near the values that leave room for a line of text each, inside the axis."""
    gap = 0.065 * (top - low)
    order = np.argsort(values, kind="stable")
    heights = np.clip(np.array(values, float)[order], low, top)
    for k in range(1, len(heights)):
        heights[k] = max(heights[k], heights[k - 1] + gap)
    heights -= max(0.0, heights[-1] - top)
    for k in range(len(heights) - 2, -1, -1):
        heights[k] = min(heights[k], heights[k + 1] - gap)
    out = np.empty(len(values))
    out[order] = heights
    return out.tolist()


def runtimes(
    theme: Theme, eps: np.ndarray, bounds: dict[str, np.ndarray], here: float, cross: float
) -> go.Figure:
    """Table 1 as curves over the wanted accuracy, with the place where they meet."""
    fig = figure(theme, "ε, the error wanted above L*", "kernel evaluations, up to constants")
    fig.add_vline(x=here, line=stroke(theme.ink, 1.25))
    if eps[0] < cross < eps[-1]:
        fig.add_vline(x=cross, line=stroke(theme.optimum, 1.5, "6px,4px"))
        note(
            fig,
            "L* + ε = 1: they meet",
            theme.optimum,
            13,
            x=np.log10(cross),
            y=1.0,
            yref="paper",
            xanchor="right",
            xshift=-6,
            yshift=-2,
        )
    for k, (name, values) in enumerate(bounds.items()):
        colour = theme.series[(3, 2, 1)[k]]
        curve(fig, name, eps, values, line=stroke(colour, dash=DASHES[k]))
        at = float(np.exp(np.interp(np.log(here), np.log(eps), np.log(values))))
        dots(fig, [here], [at], colour, 10, legendgroup=name)
    fig.update_layout(margin={"r": 24})
    return fig
