"""Curves of several runs, each a median over seeds with a band from the first to the ninth
decile.
"""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from svmviz.views.theme import DASHES, MARKERS, Theme, band, curve, figure, label_end, stroke


def bands(
    theme: Theme,
    x: np.ndarray | Mapping[str, np.ndarray],
    runs: dict[str, np.ndarray],
    x_title: str,
    y_title: str,
    log_y: bool = True,
    y_format: str = "",
    log_x: bool = True,
) -> go.Figure:
    """`runs[name]` holds one row of values over `x`, or over `x[name]`, for each seed; NaN where
    there is none.
    """
    places = x if isinstance(x, Mapping) else dict.fromkeys(runs, x)
    fig = figure(theme, x_title, y_title, log_x, log_y)
    scale, along = (np.log10 if log else np.asarray for log in (log_y, log_x))
    every = np.concatenate(
        [np.quantile(values, [0.1, 0.9], axis=0).ravel() for values in runs.values()]
    )
    gap = 0.065 * float(
        scale(np.nanmax(every)) - scale(np.nanmin(every))
    )  # labels at the ends must not cover each other
    heights, last = {}, -np.inf
    ends = {
        name: int(np.flatnonzero(np.isfinite(np.median(values, axis=0)))[-1])
        for name, values in runs.items()
    }
    for value, name in sorted(
        (float(np.median(values[:, ends[name]])), name) for name, values in runs.items()
    ):
        last = max(float(scale(value)), last + gap)
        heights[name] = last
    for k, (name, values) in enumerate(runs.items()):
        colour = theme.series[k % len(theme.series)]
        low, middle, high = np.quantile(values, [0.1, 0.5, 0.9], axis=0)
        x, known, end = places[name], np.isfinite(middle), ends[name]
        line = {"color": colour, "width": 2.5, "dash": DASHES[k]}
        band(fig, name, x[known], low[known], high[known], colour, 0.12)
        curve(
            fig,
            name,
            x,
            middle,
            (low, high),
            y_format=".2%" if y_format.endswith("%") else "",
            legend=False,
            line=line,
        )
        fig.add_scatter(
            x=x[end : end + 1],
            y=middle[end : end + 1],
            mode="lines+markers",
            hoverinfo="skip",
            cliponaxis=False,
            name=name,
            legendgroup=name,
            showlegend=True,
            line=line,
            marker={"color": colour, "size": 9, "symbol": MARKERS[k]},
        )
        label_end(fig, name, colour, x=float(along(x[end])), y=heights[name])
    starts = {
        name: int(np.flatnonzero(np.isfinite(np.median(values, axis=0)))[0])
        for name, values in runs.items()
    }
    left, right = (
        float(
            along(pick(places[name][at] for name, at in those.items()))
        )  # names stand in the margin
        for pick, those in ((min, starts), (max, ends))
    )
    hair = 1e-9 * (
        right - left
    )  # what lies outside is not drawn, and the browser's logarithms end in other digits
    fig.update_xaxes(range=[left - hair, right + hair])
    if y_format:
        fig.update_yaxes(tickformat=y_format)
    return fig


def guided(
    fig: go.Figure, theme: Theme, name: str, x: np.ndarray, y: np.ndarray, start: float
) -> go.Figure:
    """The same with a dotted line that shows how a power of x would go on from `start`."""
    fig.add_scatter(
        x=x,
        y=y * (start / y[0]),
        mode="lines",
        name=name,
        hoverinfo="skip",
        showlegend=True,
        line=stroke(theme.optimum, 1.5, "2px,4px"),
    )
    return fig
