"""Lemmas of the Pegasos paper: regret below what is promised, runs that are stopped by chance, a
loss and its tangent.
"""

import numpy as np
import plotly.graph_objects as go

from svmviz.views.theme import Theme, curve, dots, figure, label_end, stroke

HEIGHT = 340


def regret(
    theme: Theme, paid: np.ndarray, telescoped: np.ndarray, bound: np.ndarray, here: int
) -> go.Figure:
    """Lemma 1 over t = 1, 2, ...: what was paid more than u, the sum of the proof, the bound; where
    one stands `here`.
    """
    fig = figure(theme, "steps", "paid more than u, in all")
    t = np.arange(1, paid.size + 1)
    shown = np.unique(np.geomspace(1, t[-1], 200).astype(int)) - 1
    least = 1e-4 * float(bound[-1])
    height, gap = np.inf, 0.075 * float(np.log10(bound[-1] / least))
    for name, values, colour, dash in (
        ("Lemma 1", bound, theme.bound, "dot"),
        ("its proof", telescoped, theme.plus, "dash"),
        ("regret", paid, theme.ink, "solid"),
    ):
        drawn = np.where(values > least, values, np.nan)[shown]
        curve(fig, name, t[shown], drawn, line=stroke(colour, dash=dash))
        if np.isfinite(drawn[-1]):
            height = min(
                float(np.log10(drawn[-1])), height - gap
            )  # names must not cover each other
            label_end(fig, name, colour, x=float(np.log10(t[-1])), y=height)
    fig.add_vline(x=here, line=stroke(theme.ink, 1.25))
    fig.update_layout(height=HEIGHT)
    fig.update_xaxes(range=[0.0, float(np.log10(t[-1]))])
    return fig


def stopping(theme: Theme, gap: np.ndarray, good: float, stops: np.ndarray) -> go.Figure:
    """What w lacks after each step, what is good enough, and where attempts stopped."""
    fig = figure(theme, "step after which the run is stopped", "P(w) − P*", log_x=False)
    t = np.arange(1, gap.size + 1)
    curve(fig, "w(t)", t, np.maximum(gap, 1e-6), line=stroke(theme.floor, 1.25))
    curve(fig, "twice the mean", [1, gap.size], [good, good], line=stroke(theme.bound, 2, "dot"))
    for k, at in enumerate(stops):
        found = float(gap[at - 1])
        fig.add_scatter(
            x=[int(at)],
            y=[max(found, 1e-6)],
            mode="markers+text",
            text=[f"{k + 1}"],
            textposition="top center",
            name=f"attempt {k + 1}",
            hovertemplate=f"attempt {k + 1}: step {at}, {found:.3g}<extra></extra>",
            showlegend=False,
            textfont={"size": 14, "color": theme.ink},
            marker={
                "size": 13,
                "color": theme.plus if found <= good else theme.minus,
                "symbol": "circle" if found <= good else "x",
            },
        )
    fig.update_layout(height=HEIGHT)
    return fig


def loss(
    theme: Theme, name: str, z: np.ndarray, values: np.ndarray, here: tuple[float, float, float]
) -> go.Figure:
    """A loss over z with its tangent `here`: z, value and slope."""
    fig = figure(theme, "z", "loss", log_x=False, log_y=False)
    at, value, slope = here
    ends = np.array([z[0], z[-1]])
    curve(fig, name, z, values, line=stroke(theme.ink))
    curve(fig, "tangent", ends, value + slope * (ends - at), line=stroke(theme.bound, 2, "dash"))
    dots(fig, [at], [value], theme.bound, 12)
    top = float(values.max())
    fig.update_layout(height=HEIGHT, margin={"r": 24})
    fig.update_yaxes(range=[-0.15 * top, 1.05 * top])
    fig.update_xaxes(range=ends.tolist())
    return fig
