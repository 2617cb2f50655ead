"""Figures of the BSGD paper: accuracy over the budget, gains of more passes, vectors as pictures, a
stream as it runs.
"""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmviz.views.curves import bands
from svmviz.views.theme import Theme, curve, dots, figure, note, percent, stroke

GAP = 2  # pixels of a picture between two pictures


def over_budget(
    theme: Theme, sizes: Sequence[int], accuracy: np.ndarray, unbudgeted: float
) -> go.Figure:
    """Figure 2: (seeds, sizes) accuracies, and that of Pegasos without a budget as the dashed
    line.
    """
    x = np.asarray(sizes, float)
    every = np.r_[np.quantile(accuracy, [0.1, 0.9], axis=0).ravel(), unbudgeted]
    fig = bands(
        theme, x, {"merge": accuracy}, "budget B", "test accuracy", log_y=False, y_format=".1%"
    )
    fig.update_yaxes(tickformat=percent(np.nanmin(every), np.nanmax(every)))
    curve(
        fig,
        f"Pegasos without a budget: {unbudgeted:.1%}",
        x[[0, -1]],
        [unbudgeted] * 2,
        y_format=".2%",
        line=stroke(theme.optimum, 1.5, "6px,4px"),
    )
    fig.update_layout(margin={"r": 70})
    return fig


def gains(theme: Theme, table: dict[str, np.ndarray]) -> go.Figure:
    """Figure 3: gain of five passes in points, of each shuffle, by data set; a bar for their
    mean.
    """
    fig = figure(theme, "", "gain in points", log_x=False, log_y=False)
    names, means = list(table), [100 * float(values.mean()) for values in table.values()]
    fig.add_bar(
        x=names,
        y=means,
        marker={"color": [theme.plus if m > 0 else theme.minus for m in means]},
        width=0.5,
        meta="mean",
        hovertemplate="%{x}: %{y:.2f} points<extra></extra>",
    )
    fig.add_scatter(
        x=[name for name, values in table.items() for _ in values],
        y=[100 * float(v) for values in table.values() for v in values],
        mode="markers",
        meta="shuffle",
        hovertemplate="%{x}, one shuffle: %{y:.2f} points<extra></extra>",
        marker={"color": theme.ink, "size": 7, "symbol": "circle-open"},
    )
    fig.add_hline(y=0, line=stroke(theme.ink, 1))
    fig.update_layout(margin={"r": 20})
    fig.update_yaxes(ticksuffix="", tickformat="+.1f")
    return fig


def grid_of(theme: Theme, rows: Sequence[tuple[str, np.ndarray, Sequence[str]]]) -> go.Figure:
    """Figure 7: one row of pictures per run, named at its left, a word over each picture."""
    height, width = rows[0][1].shape[1:]
    tall, wide = height + 2 * GAP + 2, width + GAP
    most = max(len(images) for _, images, _ in rows)
    canvas = np.full((len(rows) * tall, most * wide - GAP), np.nan)
    fig = figure(theme, "", "", log_x=False, log_y=False)
    for r, (name, images, words) in enumerate(rows):
        top = r * tall + GAP + 2
        for c, (image, word) in enumerate(zip(images, words, strict=True)):
            spread = float(image.max() - image.min()) or 1.0
            canvas[top : top + height, c * wide : c * wide + width] = (image - image.min()) / spread
            note(
                fig,
                word,
                theme.muted,
                13,
                x=c * wide + (width - 1) / 2,
                y=top - 1,
                yanchor="bottom",
            )
        note(
            fig, name, theme.ink, x=0, xref="paper", y=top + height / 2, xanchor="right", xshift=-8
        )
    fig.add_heatmap(
        z=canvas, colorscale=[[0, theme.band], [1, theme.ink]], showscale=False, hoverinfo="skip"
    )
    fig.update_xaxes(visible=False, constrain="domain")
    fig.update_yaxes(visible=False, autorange="reversed", scaleanchor="x")
    fig.update_layout(height=92 * len(rows) + 20, margin={"l": 110, "r": 8, "t": 8, "b": 8})
    return fig


def live(
    theme: Theme,
    x: np.ndarray,
    y: np.ndarray,
    title: str,
    colour: str,
    end: float,
    y_format: str,
    low: float | None = None,
) -> go.Figure:
    """One quantity of a stream as it runs; the axis reaches to where the stream will end."""
    fig = figure(theme, "examples", title, log_x=False, log_y=False)
    curve(fig, title, x, y, y_format=y_format, line=stroke(colour))
    dots(fig, x[-1:], y[-1:], colour, 9, cliponaxis=False)
    fig.update_xaxes(range=[0, end], tickformat=",~r", nticks=5)
    known = y[np.isfinite(y)]
    bottom = min(low, float(known.min())) if low is not None and known.size else 0.0
    top = float(known.max()) if known.size else 1.0
    ticks = percent(bottom, top) if y_format.endswith("%") else y_format
    fig.update_yaxes(range=[bottom, top + 0.08 * (top - bottom or 1.0)], tickformat=ticks, nticks=5)
    fig.update_layout(height=240, margin={"l": 64, "r": 16, "t": 12, "b": 44})
    return fig
