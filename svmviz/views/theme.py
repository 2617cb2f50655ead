"""Every colour that a Plotly figure uses, for light and dark pages: the tokens of the stage."""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmviz.views.looks import LOOKS

NAMES = {"SBP": "sbp", "Pegasos": "pegasos", "SDCA": "sdca", "SMO": "smo", "Perceptron": "perceptron",
         "Fourier features": "fourier", "SIMBA": "simba", "LIBSVM": "smo"}  # LIBSVM is an SMO; the two never meet in a figure


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


LIGHT = Theme("#1B2430", "#616C7C", "#EBEEF2", "#667085", "#7237D6", "#1F6FBF", "#D9650B", "#7C8899", "rgba(0,150,152,.26)",
              "#007C82", "#EEF1F5", ("#1B2430", "#1F6FBF", "#A34700", "#007C82", "#8E2A5E"),
              {name: LOOKS[key].light for name, key in NAMES.items()},
              ("#1F6FBF", "#D9650B", "#0B8F6A", "#7A3FA8", "#C79A00", "#8A1F3D", "#4DB4E6", "#5E7319", "#DE7FB0", "#5B6573"))
DARK = Theme("#F1F4F8", "#9BA6B5", "#222933", "#A3AEBD", "#BCA2FF", "#5AA9F2", "#FF9A45", "#5A6A80", "rgba(38,198,194,.27)",
             "#3ED6CF", "#1C232D", ("#F1F4F8", "#5AA9F2", "#FFB273", "#3ED6CF", "#E58FBF"),
             {name: LOOKS[key].dark for name, key in NAMES.items()},
             ("#5AA9F2", "#FF9A45", "#35C79A", "#B98BEB", "#F0CB4A", "#E0637F", "#9BDCFA", "#A9BF55", "#F7B3D5", "#AEB8C6"))
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
MARKERS = ("circle", "diamond", "square", "triangle-up", "cross")
SHAPES = {"SBP": "triangle-up", "Pegasos": "square", "SDCA": "pentagon", "SMO": "star", "Perceptron": "triangle-down",
          "SIMBA": "hexagon2",
          "Fourier features": "x", "LIBSVM": "star"}
GLYPHS = {"triangle-up": "▲", "square": "■", "pentagon": "⬟", "star": "★", "triangle-down": "▼", "hexagon2": "⬢", "x": "✕"}
FAINT = 0.3
LEGEND = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": 14}, "itemclick": False,
          "itemdoubleclick": False}


def percent(low: float, high: float) -> str:
    """The format of about five shares between two: as many decimals as tell them apart.

    >>> percent(0.2, 0.9), percent(0.855, 0.862), percent(0.5, 0.5)
    ('.0%', '.1%', '.0%')
    """
    step = 100 * (high - low) / 5
    if not step > 0:
        return ".0%"
    power = 10.0 ** np.floor(np.log10(step))
    tick = next(m * power for m in (1, 2, 5, 10) if m * power >= step * 0.999)  # as plotly rounds it
    return f".{max(0, round(-np.floor(np.log10(tick * 1.001))))}%"


def figure(theme: Theme, x: str, y: str, log_x: bool = True, log_y: bool = True) -> go.Figure:
    """An empty figure in the look of the stage: no box, quiet grid, no legend (`label_end` names curves)."""
    axis = {"gridcolor": theme.grid, "zeroline": False, "color": theme.muted, "title_font": {"color": theme.ink, "size": 14},
            "tickfont": {"size": 13}}
    scale = {True: {"type": "log", "dtick": 1, "exponentformat": "power"}, False: {}}
    return go.Figure(layout={
        "height": 380, "margin": {"l": 60, "r": 130, "t": 16, "b": 48}, "showlegend": False,
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"size": 14, "color": theme.ink, "family": "Source Sans, sans-serif"},
        "xaxis": axis | scale[log_x] | {"title": {"text": x}}, "yaxis": axis | scale[log_y] | {"title": {"text": y}},
    })


def ticks(low: float, high: float) -> dict:
    """For a log axis of less than two decades, where powers of ten alone would leave it almost bare.

    >>> ticks(0.02, 0.3)["ticktext"], ticks(1, 1000)
    (['0.02', '0.05', '0.1', '0.2'], {})
    """
    if high >= 100 * low:
        return {}
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    shown = [text for e in powers for text in (f"{m}e{e}" for m in (1, 2, 5)) if low <= float(text) <= high]
    return {"tickvals": [float(text) for text in shown], "ticktext": [f"{float(text):g}" for text in shown]}


def label_end(fig: go.Figure, text: str, colour: str, **place) -> None:
    """The name of a curve at its end."""
    fig.add_annotation(name="end", text=text, showarrow=False, xanchor="left", xshift=8, **place,
                       font={"color": colour, "size": 14})


def over(fig: go.Figure, behind: go.Figure) -> go.Figure:
    """A figure, with the curves of another one faintly behind its own."""
    curves = [trace for trace in behind.data if trace.type == "scatter"]
    for trace in curves:
        trace.update(opacity=FAINT * (1.0 if trace.opacity is None else trace.opacity), name=None, showlegend=False,
                     hoverinfo="skip", hovertemplate=None)
    return go.Figure([*curves, *fig.data], fig.layout)


def narrowed(fig: go.Figure) -> go.Figure:
    """For a phone, whose width names at the ends of curves would take: they stand above the figure."""
    kept = [note for note in fig.layout.annotations if note.name != "end"]
    if len(kept) < len(fig.layout.annotations):
        fig.layout.annotations = kept
        fig.for_each_trace(lambda trace: trace.update(showlegend=trace.name is not None))
        fig.update_layout(showlegend=True, legend=LEGEND, margin={"r": 16}, height=fig.layout.height + 60)
    return fig
