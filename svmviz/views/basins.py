"""Figures 1 and 4 of the SBP paper: ground, water and level; the two basins of a bias."""

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from svmviz.papers.sbp.basins import Basin, Tilted
from svmviz.views.theme import Theme, curve, dots, figure, note, stroke
from svmviz.work.words import signed


def basin(theme: Theme, pool: Basin, y: np.ndarray, low: float, high: float) -> go.Figure:
    """Responses in rising order with the water over them, and below each the probability with which
    it is drawn.
    """
    fig = make_subplots(
        rows=2, cols=1, shared_xaxes=True, row_heights=[0.74, 0.26], vertical_spacing=0.06
    )
    fig.update_layout(figure(theme, "", "", log_x=False, log_y=False).layout)
    look = figure(theme, "", "", log_x=False, log_y=False).layout.xaxis.to_plotly_json()
    x = np.arange(1, len(pool.ground) + 1)
    columns(fig, theme, x, pool.ground, pool.gamma, y[pool.order], low, row=1, col=1)
    surface(fig, theme, pool.gamma, signed(f"γ = {pool.gamma:.3f}"), row=1, col=1)
    fig.add_bar(
        x=x,
        y=pool.p,
        width=1.0,
        marker={"color": theme.surface, "line": {"width": 0}},
        row=2,
        col=1,
        meta="p*",
        hovertemplate="place %{x}: p = %{y:.4f}<extra></extra>",
    )
    fig.update_layout(
        height=470, barmode="overlay", bargap=0, margin={"l": 60, "r": 84, "t": 12, "b": 44}
    )
    for row, title in ((1, "response c"), (2, "p*")):
        below = "examples, the lowest response first" if row == 2 else ""
        font = {"color": theme.ink, "size": 14}
        fig.update_xaxes(
            look | {"showgrid": False, "title": {"text": below, "font": font}}, row=row, col=1
        )
        fig.update_yaxes(look | {"title": {"text": title, "font": font}}, row=row, col=1)
    fig.update_yaxes(range=[low, high], row=1, col=1)
    fig.update_yaxes(range=[0, 1.15 * pool.p.max()], nticks=3, row=2, col=1)
    fig.update_xaxes(range=[0.4, len(x) + 0.6])
    return fig


def two_basins(theme: Theme, tilt: Tilted, low: float, high: float) -> go.Figure:
    """One basin for each class, mirrored so that the lowest of both face each other, under one
    level.
    """
    fig = figure(theme, "", "response with bias, c + yb", log_x=False, log_y=False)
    for ground, label in ((tilt.plus, 1.0), (tilt.minus, -1.0)):
        x = -label * np.arange(1, len(ground) + 1)
        columns(fig, theme, x, ground, tilt.gamma, np.full(len(x), label), low)
        colour, wet = (theme.plus, tilt.wet[0]) if label > 0 else (theme.minus, tilt.wet[1])
        note(
            fig,
            f"class {'+1' if label > 0 else '−1'}: {wet} of {len(x)} wet",
            colour,
            15,
            x=0,
            y=0,
            yref="paper",
            yshift=-24,
            xshift=-12 if label > 0 else 12,
            xanchor="right" if label > 0 else "left",
        )
    surface(fig, theme, tilt.gamma, signed(f"γ = {tilt.gamma:.3f}"))
    sides = [
        max(len(side), 0.6 * max(len(tilt.plus), len(tilt.minus))) + 0.6
        for side in (tilt.plus, tilt.minus)
    ]
    fig.update_layout(
        height=400, barmode="overlay", bargap=0, margin={"l": 60, "r": 84, "t": 12, "b": 40}
    )
    fig.update_xaxes(range=[-sides[0], sides[1]], showticklabels=False, showgrid=False)
    fig.update_yaxes(range=[low, high])
    return fig


def over_bias(
    theme: Theme, biases: np.ndarray, levels: np.ndarray, tilt: Tilted, best: tuple[float, float]
) -> go.Figure:
    """The level as a function of the bias, its maximum, and where we stand."""
    fig = figure(theme, "bias b", "level γ(b)", log_x=False, log_y=False)
    curve(fig, "level γ(b)", biases, levels, line=stroke(theme.surface))
    fig.add_hline(y=best[0], line=stroke(theme.optimum, 1.5, "6px,4px"))
    note(
        fig,
        signed(f"largest: {best[0]:.3f} at b = {best[1]:.3f}"),
        theme.optimum,
        13,
        x=0.5,
        xref="paper",
        y=best[0],
        yshift=18,
    )
    dots(fig, [tilt.b], [tilt.gamma], theme.ink, 12)
    spread = float(np.ptp(levels)) or 1.0
    fig.update_layout(height=400, margin={"l": 60, "r": 16, "t": 12, "b": 48})
    fig.update_yaxes(range=[levels.min() - 0.05 * spread, best[0] + 0.2 * spread])
    return fig


def columns(fig, theme, x, ground, gamma, y, low, **place) -> None:
    """The ground as bars, in the colour of the class where it is under water, and the water above
    it.
    """
    wet = ground < gamma
    colours = np.where(wet, np.where(y > 0, theme.plus, theme.minus), theme.floor)
    fig.add_bar(
        x=x,
        y=ground - low,
        base=low,
        width=1.0,
        customdata=ground,
        meta="response",
        **place,
        marker={"color": colours.tolist(), "line": {"width": 0}},
        hovertemplate="response %{customdata:.3f}<extra></extra>",
    )
    fig.add_bar(
        x=x[wet],
        y=gamma - ground[wet],
        base=ground[wet],
        width=1.0,
        meta="level",
        **place,
        marker={"color": theme.water, "line": {"width": 0}},
        hovertemplate="slack %{y:.3f}<extra></extra>",
    )


def surface(fig, theme, gamma: float, text: str, **place) -> None:
    fig.add_hline(y=gamma, line=stroke(theme.surface, 2.75), **place)
    note(
        fig, text, theme.surface, x=1.0, xref="x domain", y=gamma, xanchor="left", xshift=6, **place
    )
