"""Lemmas of the SBP paper: the level under its tangent, what learning takes, a good dual beside a
bad primal.
"""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from svmviz.views.theme import Theme, curve, dots, figure, label_end, note, stroke

HEIGHT = 320


def line(
    fig: go.Figure,
    x,
    y,
    name: str,
    colour: str,
    dash: str = "solid",
    width: float = 2.5,
    end: bool = True,
    log: bool = False,
) -> None:
    """A curve with its name at its end."""
    curve(fig, name, x, y, line=stroke(colour, width, dash))
    if end:
        at = (
            (float(np.log10(x[-1])), float(np.log10(y[-1])))
            if log
            else (float(x[-1]), float(y[-1]))
        )
        label_end(fig, name, colour, x=at[0], y=at[1])


def tangent(
    theme: Theme,
    s: np.ndarray,
    level: np.ndarray,
    slope: np.ndarray,
    here: tuple[float, float, float],
) -> go.Figure:
    """Lemma 3.1: the level from w to v under its tangent, and how far apart they are `here`: s,
    level and tangent there.
    """
    fig = figure(theme, "from w (0) to v (1)", "level", log_x=False, log_y=False)
    line(fig, s, slope, "tangent at w", theme.bound, "dot")
    line(fig, s, level, "level γ", theme.ink)
    at, low, high = here
    fig.add_scatter(
        x=[at, at],
        y=[low, high],
        mode="lines+markers",
        line=stroke(theme.minus, 2),
        hoverinfo="skip",
        marker={"size": 10, "color": [theme.ink, theme.bound]},
        showlegend=False,
    )
    for where, name in ((0.0, "w"), (1.0, "v")):
        fig.add_vline(x=where, line=stroke(theme.optimum, 1.25, "6px,4px"))
        note(
            fig,
            name,
            theme.optimum,
            x=where,
            y=0.0,
            yref="paper",
            yanchor="bottom",
            xanchor="left",
            xshift=5,
        )
    fig.update_layout(height=HEIGHT)
    fig.update_xaxes(range=[float(s[0]), float(s[-1])])
    return fig


def sizes(theme: Theme, rows: Mapping[str, float]) -> go.Figure:
    """Numbers of very different size as bars on a log axis."""
    fig = figure(theme, "", "", log_y=False)
    for name, value in rows.items():
        fig.add_bar(
            y=[name],
            x=[value],
            orientation="h",
            width=0.55,
            marker={"color": theme.plus, "opacity": 0.85},
            hovertemplate=f"{name}: {value:.3g}<extra></extra>",
        )
    top = float(np.ceil(np.log10(max(rows.values()))))
    fig.update_layout(height=32 * len(rows) + 44, margin={"l": 84, "r": 24, "t": 4, "b": 32})
    fig.update_yaxes(autorange="reversed", showgrid=False)
    fig.update_xaxes(range=[0.0, top], dtick=1 if top <= 8 else 2)
    return fig


def dual_and_primal(
    theme: Theme,
    eps: np.ndarray,
    dual: np.ndarray,
    primal: np.ndarray,
    here: tuple[float, float, float],
) -> go.Figure:
    """Lemma E.1: what α = 0 lacks in the dual and in the primal over ε, with what the lemma says of
    both, and `here`: ε and both of them there.
    """
    fig = figure(theme, "ε, with λ = 2ε", "suboptimality of α = 0")
    line(fig, eps, 1 - eps, "1 − ε", theme.bound, "dot", end=False)
    line(fig, eps, eps, "ε", theme.bound, "dot", end=False)
    line(fig, eps, primal, "primal", theme.minus, log=True)
    line(fig, eps, dual, "dual", theme.ink, log=True)
    at, low, high = here
    dots(fig, [at, at], [low, high], [theme.ink, theme.minus], 11)
    middle = eps[len(eps) // 3]
    for value, name in ((1 - middle, "at least 1 − ε"), (middle, "at most ε")):
        note(
            fig,
            name,
            theme.bound,
            x=float(np.log10(middle)),
            y=float(np.log10(value)),
            xanchor="left",
            yanchor="top",
            xshift=10,
        )
    fig.update_layout(height=HEIGHT)
    fig.update_xaxes(range=[float(np.log10(eps[0])), float(np.log10(eps[-1]))])
    return fig
