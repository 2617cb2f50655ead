"""A theorem that can be touched: its bound over a crowd of runs, and the terms that it is made
of.
"""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from svmviz.views.theme import Theme, curve, figure, label_end, note, stroke

LEAST = 1e-9  # what is drawn of a run that has reached the optimum


def over_runs(
    theme: Theme,
    t: np.ndarray,
    bound: np.ndarray,
    runs: np.ndarray,
    quantity: str,
    name: str,
    unit: str = "steps",
) -> go.Figure:
    """The bound, dotted, over the runs, which are thin, and their median."""
    fig = figure(theme, unit, quantity)
    steps = np.arange(1, runs.shape[1])
    drawn = np.unique(np.geomspace(1, max(1, steps[-1]), 200).astype(int))
    each, median = f"{len(runs)} runs", f"median of {len(runs)} runs"
    for k, run in enumerate(runs):
        fig.add_scatter(
            x=drawn,
            y=np.maximum(run[drawn], LEAST),
            mode="lines",
            line=stroke(theme.floor, 1),
            opacity=0.35,
            hoverinfo="skip",
            name=each,
            legendgroup=each,
            meta=f"run {k + 1}",
            showlegend=k == 0,
        )
    middle = np.maximum(np.median(runs, axis=0)[drawn], LEAST)
    curve(fig, median, drawn, middle, line=stroke(theme.ink))
    curve(fig, name, t, bound, line=stroke(theme.bound, dash="dot"))
    label_end(fig, name, theme.bound, x=float(np.log10(t[-1])), y=float(np.log10(bound[-1])))
    label_end(fig, median, theme.ink, x=float(np.log10(drawn[-1])), y=float(np.log10(middle[-1])))
    fig.update_layout(height=320)
    fig.update_xaxes(range=[0.0, float(np.log10(t[-1]))])  # names stand in the margin
    return fig


def terms(theme: Theme, rows: Mapping[str, Mapping[str, float]]) -> go.Figure:
    """For each bound a bar of its terms, one behind the other: its length is their sum."""
    fig = figure(theme, "", "", log_x=False, log_y=False)
    colours = theme.bound, theme.plus, theme.minus
    for name, parts in rows.items():
        at = 0.0
        for k, (term, value) in enumerate(parts.items()):
            fig.add_bar(
                y=[name],
                x=[value],
                base=[at],
                orientation="h",
                meta=term,
                width=0.5,
                marker={"color": colours[k], "opacity": 0.85},
                hovertemplate=f"{name}: {term} = {value:.3g}<extra></extra>",
                text=[f"{term} = {value:.3g}"],
                textposition="inside",
                insidetextanchor="middle",
                textfont={"size": 13},
            )
            at += value
        note(fig, f"{at:.3g}", theme.ink, x=at, y=name, xanchor="left", xshift=6)
    fig.update_layout(
        barmode="overlay",
        uniformtext={"minsize": 11, "mode": "hide"},
        height=52 * len(rows) + 60,
        margin={"l": 96, "r": 56, "t": 4, "b": 32},
    )
    fig.update_yaxes(autorange="reversed", showgrid=False)
    fig.update_xaxes(rangemode="tozero")
    return fig
