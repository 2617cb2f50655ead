"""Every colour that a Plotly figure uses, for light and dark pages: the tokens of the stage."""

from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmviz.views.looks import LOOKS
from svmviz.work.words import RAISED, SMALL, THIN

NAMES = {
    "SBP": "sbp",
    "Pegasos": "pegasos",
    "SDCA": "sdca",
    "SMO": "smo",
    "Perceptron": "perceptron",
    "Fourier features": "fourier",
    "SIMBA": "simba",
    "LIBSVM": "smo",
}  # LIBSVM is an SMO; the two never meet in a figure


class Theme(NamedTuple):
    ink: str
    muted: str
    grid: str
    optimum: str
    bound: str
    plus: str
    minus: str
    floor: str
    water: str
    surface: str
    band: str
    series: tuple[str, ...]  # told apart by dash and marker too
    solvers: dict[str, str]  # by name, on every page the same
    classes: tuple[str, ...]  # where there are more than two


LIGHT = Theme(
    "#1B2430",
    "#616C7C",
    "#EBEEF2",
    "#667085",
    "#7237D6",
    "#1F6FBF",
    "#D9650B",
    "#7C8899",
    "rgba(0,150,152,.26)",
    "#007C82",
    "#EEF1F5",
    ("#1B2430", "#1F6FBF", "#A34700", "#007C82", "#8E2A5E"),
    {name: LOOKS[key].light for name, key in NAMES.items()},
    (
        "#1F6FBF",
        "#D9650B",
        "#0B8F6A",
        "#7A3FA8",
        "#C79A00",
        "#8A1F3D",
        "#4DB4E6",
        "#5E7319",
        "#DE7FB0",
        "#5B6573",
    ),
)
DARK = Theme(
    "#F1F4F8",
    "#9BA6B5",
    "#222933",
    "#A3AEBD",
    "#BCA2FF",
    "#5AA9F2",
    "#FF9A45",
    "#5A6A80",
    "rgba(38,198,194,.27)",
    "#3ED6CF",
    "#1C232D",
    ("#F1F4F8", "#5AA9F2", "#FFB273", "#3ED6CF", "#E58FBF"),
    {name: LOOKS[key].dark for name, key in NAMES.items()},
    (
        "#5AA9F2",
        "#FF9A45",
        "#35C79A",
        "#B98BEB",
        "#F0CB4A",
        "#E0637F",
        "#9BDCFA",
        "#A9BF55",
        "#F7B3D5",
        "#AEB8C6",
    ),
)
DASHES = (
    "solid",
    "dash",
    "dot",
    "dashdot",
    "longdash",
    "longdashdot",
    "2px,3px,8px,3px",
    "14px,3px,2px,3px,2px,3px",
)
MARKERS = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star", "pentagon")
SHAPES = {
    "SBP": "triangle-up",
    "Pegasos": "square",
    "SDCA": "pentagon",
    "SMO": "star",
    "Perceptron": "triangle-down",
    "SIMBA": "hexagon2",
    "Fourier features": "x",
    "LIBSVM": "star",
}
GLYPHS = {
    "triangle-up": "▲",
    "square": "■",
    "pentagon": "⬟",
    "star": "★",
    "triangle-down": "▼",
    "hexagon2": "⬢",
    "x": "✕",
}
FAINT = 0.3
LEGEND = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": 14}}
POWERS = {
    f"{m * 10.0**e:.{max(0, -e)}f}": f"{m}·10".removeprefix("1·") + str(e).translate(RAISED)
    for m in (1, 2, 5)
    for e in (*range(-9, -2), *range(3, 16))
}  # what a log axis writes instead


def percent(low: float, high: float) -> str:
    """The format of about five shares between two: as many decimals as tell them apart.

    >>> percent(0.2, 0.9), percent(0.855, 0.862), percent(0.5, 0.5)
    ('.0%', '.1%', '.0%')
    """
    step = 100 * (high - low) / 5
    if not step > 0:
        return ".0%"
    power = 10.0 ** np.floor(np.log10(step))
    tick = next(
        m * power for m in (1, 2, 5, 10) if m * power >= step * 0.999
    )  # as plotly rounds it
    return f".{max(0, round(-np.floor(np.log10(tick * 1.001))))}%"


def figure(theme: Theme, x: str, y: str, log_x: bool = True, log_y: bool = True) -> go.Figure:
    """An empty figure in the look of the stage: no box, quiet grid; a click in the legend hides and
    shows a curve.
    """
    axis = {
        "gridcolor": theme.grid,
        "zeroline": False,
        "color": theme.muted,
        "title_font": {"color": theme.ink, "size": 14},
        "tickfont": {"size": 13},
    }
    scale = {True: {"type": "log", "tickformat": "~r", "labelalias": POWERS}, False: {}}
    return go.Figure(
        layout={
            "height": 380,
            "margin": {"l": 60, "r": 130, "t": 16, "b": 48},
            "legend": LEGEND,
            "separators": f".{THIN}",
            "hoverdistance": 60,
            "hoverlabel": {"font": {"size": 14}},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"size": 14, "color": theme.ink, "family": "Source Sans, sans-serif"},
            "xaxis": axis | scale[log_x] | {"title": {"text": x}},
            "yaxis": axis | scale[log_y] | {"title": {"text": y}},
        }
    )


# --- curves; what has the same name is hidden and shown together ----------------------------------


def curve(
    fig: go.Figure,
    name: str,
    x,
    y,
    spread: tuple | None = None,
    *,
    y_format: str = "",
    legend: bool = True,
    mode: str = "lines",
    **look,
) -> None:
    """A curve that tells its values, with those below and above it (`spread`) where it is a median,
    and is in the table.
    """
    tall = y_format or number(y)
    between = (
        f"<br>1st to 9th decile: %{{customdata[0]:{tall}}} to %{{customdata[1]:{tall}}}"
        if spread
        else ""
    )
    fig.add_scatter(
        x=x,
        y=y,
        mode=mode,
        name=name,
        legendgroup=name,
        meta=name,
        showlegend=legend,
        customdata=np.column_stack(spread) if spread else None,
        hovertemplate=f"{name}<br>%{{x:{number(x)}}}: %{{y:{tall}}}{between}<extra></extra>",
        **look,
    )


def band(
    fig: go.Figure,
    name: str,
    x: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    colour: str,
    opacity: float,
) -> None:
    """The area between the deciles of a curve."""
    fig.add_scatter(
        x=np.r_[x, x[::-1]],
        y=np.r_[low, high[::-1]],
        fill="toself",
        fillcolor=colour,
        opacity=opacity,
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
        legendgroup=name,
        showlegend=False,
    )


def stroke(colour: str, width: float = 2.5, dash: str | None = None) -> dict[str, Any]:
    """The look of a line."""
    return {"color": colour, "width": width, "dash": dash}


def dots(fig: go.Figure, x, y, colour, size: int, **look) -> None:
    """Points that say nothing by themselves, such as where one stands on a curve."""
    marker = {"color": colour, "size": size}
    fig.add_scatter(
        x=x, y=y, mode="markers", hoverinfo="skip", showlegend=False, marker=marker, **look
    )


def note(fig: go.Figure, text: str, colour: str, size: int = 14, **place) -> None:
    """Words in a figure."""
    fig.add_annotation(text=text, showarrow=False, font={"color": colour, "size": size}, **place)


def label_end(fig: go.Figure, text: str, colour: str, x: float, y: float, name: str = "") -> None:
    """The name of a curve at its end; x and y as those of an annotation."""
    across, up = (
        [10.0**value if axis.type == "log" else value]
        for value, axis in ((x, fig.layout.xaxis), (y, fig.layout.yaxis))
    )
    fig.add_scatter(
        x=across,
        y=up,
        mode="text",
        text=[f"\u2003{text}"],
        textposition="middle right",
        cliponaxis=False,
        textfont={"color": colour, "size": 14},
        hoverinfo="skip",
        legendgroup=name or text,
        showlegend=False,
    )


def number(values) -> str:
    """The format in which values are told: three digits that matter, thousands apart.

    >>> number([0.5, 2e6]), number([1e-9, 0.1])
    (',.3~r', '.3~g')
    """
    known = np.abs(np.asarray(values, float))
    return ".3~g" if np.any((known > 0) & (known < SMALL)) else ",.3~r"


def decades(axis, data) -> float:
    """That a log axis reaches over; where it has no range yet, Plotly leaves some room at both
    ends.
    """
    if axis.range:
        return abs(axis.range[1] - axis.range[0])
    values = np.concatenate([np.asarray(each, float) for each in data])
    values = values[np.isfinite(values) & (values > 0)]
    return 1.1 * float(np.log10(values.max() / values.min())) if values.size else 0.0


def over(fig: go.Figure, behind: go.Figure) -> go.Figure:
    """A figure, with the curves of another one faintly behind its own."""
    curves = [trace for trace in behind.data if trace.type == "scatter" and trace.mode != "text"]
    for trace in curves:
        trace.update(
            opacity=FAINT * (1.0 if trace.opacity is None else trace.opacity),
            name=None,
            meta=None,
            showlegend=False,
            hoverinfo="skip",
            hovertemplate=None,
        )
    return go.Figure([*curves, *fig.data], fig.layout)


def finished(fig: go.Figure, phone: bool = False) -> go.Figure:
    """With as many powers of ten as fit, and a legend where there is something to choose. On a
    phone, whose width names at the ends of curves would take, these are left out, and a finger
    scrolls the page instead of zooming.
    """
    if phone:
        fig.layout.dragmode = False
        kept = [trace for trace in fig.data if trace.type != "scatter" or trace.mode != "text"]
        if len(kept) < len(fig.data):
            fig = go.Figure(kept, fig.layout).update_layout(
                margin={"r": 16}, height=fig.layout.height + 60
            )
    fig.for_each_trace(lambda trace: trace.update(showlegend=bool(trace.showlegend and trace.name)))
    for letter in "xy":
        if (axis := fig.layout[f"{letter}axis"]).type == "log":
            axis.nticks = int(
                np.clip(np.ceil(decades(axis, [trace[letter] for trace in fig.data])), 3, 8)
            )
    many = sum(trace.showlegend for trace in fig.data) > 1
    return fig.update_layout(showlegend=many)
