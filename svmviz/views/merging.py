"""Two vectors that merge: what is lost wherever z lies."""

import numpy as np
import plotly.graph_objects as go

from svmviz.views.theme import Theme, curve, figure, stroke

SHOWN = 1.7  # of the loss of removal: what is more is not drawn


def over_place(
    theme: Theme, z: np.ndarray, lost: np.ndarray, best: tuple[float, float], r: float, same: bool
) -> go.Figure:
    """Loss over the place of z, the best of them, and both vectors on the floor; n is at 0, m at
    r.
    """
    fig = figure(
        theme,
        "place of z; n is at 0, in widths of the kernel",
        "‖Δ‖² / |α<sub>m</sub>|²",
        log_x=False,
        log_y=False,
    )
    shown = lost <= 1.02 * SHOWN
    low, high = min(-1.2, best[0] - 0.5), max(r + 1.2, best[0] + 0.5)
    inside = (z >= low) & (z <= high)
    curve(fig, "z there", z[inside], np.where(shown, lost, np.nan)[inside], line=stroke(theme.ink))
    curve(fig, "m removed", [low, high], [1.0, 1.0], line=stroke(theme.optimum, 1.75, "6px,4px"))
    for name, at, colour in (("n", 0.0, theme.plus), ("m", r, theme.plus if same else theme.minus)):
        fig.add_scatter(
            x=[at],
            y=[0.0],
            mode="markers+text",
            text=[name],
            textposition="top center",
            showlegend=False,
            hovertemplate=f"{name} at {at:.2f}<extra></extra>",
            cliponaxis=False,
            textfont={"size": 15, "color": theme.ink},
            marker={"size": 15 if name == "n" else 11, "color": colour},
        )
    fig.add_scatter(
        x=[best[0]],
        y=[best[1]],
        mode="markers+text",
        text=["z"],
        textposition="top center",
        showlegend=False,
        hovertemplate=f"best z at {best[0]:.2f}: {best[1]:.3f}<extra></extra>",
        cliponaxis=False,
        textfont={"size": 15, "color": theme.ink},
        marker={"size": 12, "color": theme.ink, "symbol": "diamond"},
    )
    fig.update_xaxes(range=[low, high])
    fig.update_yaxes(range=[-0.08, SHOWN])
    fig.update_layout(height=340, margin={"r": 24})
    return fig
