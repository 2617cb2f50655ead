"""Figures of the paper on approximate incremental SVMs: the duality lemma, and the gap over K."""

import numpy as np
import plotly.graph_objects as go

from svmviz.views.theme import LEGEND, Theme, curve, dots, figure, note, stroke


def lemma(
    theme: Theme, alpha: np.ndarray, curves: dict[str, np.ndarray], here: float, C: float
) -> go.Figure:
    """Figure 1: gap, bound and suboptimality over the one alpha, and where it stands now."""
    fig = figure(theme, "α", "", log_x=False, log_y=False)
    looks = {
        "gap": (theme.ink, "solid"),
        "bound": (theme.bound, "dot"),
        "suboptimality": (theme.plus, "dash"),
    }
    for name, values in curves.items():
        colour, dash = looks[name]
        curve(fig, name, alpha, values, line=stroke(colour, dash=dash))
        at = float(np.interp(here, alpha, values))
        dots(fig, [here], [at], colour, 11, legendgroup=name)
    fig.add_vline(x=here, line=stroke(theme.ink, 1.25))
    best = min(1.0, C)
    fig.add_vline(x=best, line=stroke(theme.optimum, 1.5, "6px,4px"))
    note(fig, "α*", theme.optimum, x=best, y=1.0, yref="paper", xanchor="right", xshift=-5)
    fig.update_xaxes(range=[0, C])
    fig.update_yaxes(rangemode="tozero")
    fig.update_layout(height=340, margin={"r": 20})
    return fig


def over_draws(
    theme: Theme, Ks: np.ndarray, gaps: np.ndarray, slope: float, first: int, processed: np.ndarray
) -> go.Figure:
    """Figure 4: (seeds, K) mean gaps on log axes; the line fitted from place `first` on, and slopes
    -1 and -1/2 beside it. From there on also what Algorithm 2 has where it was `processed`.
    """
    fig = figure(theme, "K, draws per example", "mean gap / (C t)")
    low, middle, high = np.quantile(gaps, [0.1, 0.5, 0.9], axis=0)
    centre, at = (np.exp(np.log(values[first:]).mean()) for values in (middle, Ks))
    every, Ks = Ks, Ks[first:]
    for value, words, dash in (
        (-1.0, "slope −1: K ~ 1/ε", "6px,4px"),
        (-0.5, "slope −1/2: Corollary 4", "2px,4px"),
    ):
        curve(fig, words, Ks, centre * (Ks / at) ** value, line=stroke(theme.optimum, 1.5, dash))
    curve(
        fig,
        f"fit: slope {slope:.2f}".replace("-", "−"),
        Ks,
        centre * (Ks / at) ** slope,
        line=stroke(theme.plus),
    )
    other = np.quantile(processed, [0.1, 0.5, 0.9], axis=0)
    curve(
        fig,
        "Algorithm 2",
        Ks[: other.shape[1]],
        other[1],
        (other[0], other[2]),
        mode="lines+markers",
        line={"color": theme.minus},
        marker={"symbol": "diamond", "size": 10},
    )
    curve(
        fig,
        "Algorithm 1",
        every,
        middle,
        (low, high),
        mode="markers",
        marker={"color": theme.ink, "size": 10},
        error_y={"array": high - middle, "arrayminus": middle - low, "color": theme.ink},
    )
    fig.update_layout(height=420, margin={"r": 20}, legend=LEGEND | {"traceorder": "reversed"})
    fig.update_xaxes(tickvals=every, ticktext=[f"{K:g}" for K in every])
    return fig
