"""Curves of several runs, each a median over seeds with a band from the first to the ninth decile."""

import numpy as np
import plotly.graph_objects as go

from svmviz.views.theme import DASHES, MARKERS, Theme, figure, label_end, ticks


def bands(theme: Theme, x: np.ndarray, runs: dict[str, np.ndarray], x_title: str, y_title: str, log_y: bool = True,
          y_format: str = "", log_x: bool = True) -> go.Figure:
    """`runs[name]` holds one row of values over `x` for each seed; NaN where there is none."""
    fig = figure(theme, x_title, y_title, log_x, log_y)
    scale, along = (np.log10 if log else np.asarray for log in (log_y, log_x))
    every = np.concatenate([np.quantile(values, [0.1, 0.9], axis=0).ravel() for values in runs.values()])
    gap = 0.065 * float(scale(np.nanmax(every)) - scale(np.nanmin(every)))  # labels at the ends must not cover each other
    heights, last = {}, -np.inf
    ends = {name: int(np.flatnonzero(np.isfinite(np.median(values, axis=0)))[-1]) for name, values in runs.items()}
    for value, name in sorted((float(np.median(values[:, ends[name]])), name) for name, values in runs.items()):
        last = max(float(scale(value)), last + gap)
        heights[name] = last
    for k, (name, values) in enumerate(runs.items()):
        colour = theme.series[k % len(theme.series)]
        low, middle, high = np.quantile(values, [0.1, 0.5, 0.9], axis=0)
        known, end = np.isfinite(middle), ends[name]
        fig.add_scatter(x=np.r_[x[known], x[known][::-1]], y=np.r_[low[known], high[known][::-1]], fill="toself",
                        fillcolor=colour, opacity=0.12, line={"width": 0}, hoverinfo="skip", mode="lines")
        fig.add_scatter(x=x, y=middle, name=name, mode="lines", line={"color": colour, "width": 2.5, "dash": DASHES[k]},
                        hovertemplate=f"{name}<br>%{{x:.4g}}: %{{y:{y_format or '.3g'}}}<extra></extra>")
        fig.add_scatter(x=x[end:end + 1], y=middle[end:end + 1], mode="markers", hoverinfo="skip", cliponaxis=False,
                        marker={"color": colour, "size": 9, "symbol": MARKERS[k]})
        label_end(fig, name, colour, x=float(along(x[end])), y=heights[name])
    first = min(int(np.flatnonzero(np.isfinite(np.median(values, axis=0)))[0]) for values in runs.values())
    fig.update_xaxes(range=[float(along(x[place])) for place in (first, max(ends.values()))])  # names stand in the margin
    if log_y:
        fig.update_yaxes(ticks(np.nanmin(every), np.nanmax(every)))
    if y_format:
        fig.update_yaxes(tickformat=y_format)
    return fig
