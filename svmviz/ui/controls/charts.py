"""What pages are made of besides stages: a column of text, and charts that do not move."""

from pathlib import Path

import streamlit as st

from svmviz.player import mount
from svmviz.ui.shell.frame import on_phone
from svmviz.views.theme import DARK, LIGHT, Theme, finished, over

TEXT = Path(__file__).parents[2] / "text"


def centred():
    """A column in the middle of the page that is comfortable to read."""
    return st.container(horizontal_alignment="center").container(width=860)


def document(name: str) -> None:
    """The text of a page."""
    with centred():
        st.markdown((TEXT / f"{name}.md").read_text(encoding="utf-8"))


def theme() -> Theme:
    return DARK if st.context.theme.type == "dark" else LIGHT


def chart(fig, key: str, behind=None) -> None:
    """A figure, with another one faintly behind it, and what can be done with it below."""
    if behind is not None:
        fig = over(fig, behind)
    st.plotly_chart(
        finished(fig, on_phone()), key=f"{key}.chart", config={"displayModeBar": False}, theme=None
    )
    mount.tools()(key=f"{key}.tools", data=tools_of(fig, key))


def tools_of(fig, key: str) -> dict[str, str | bool]:
    """What the tools below a chart are told: the name of its files, and whether it has numbers."""
    numbers = any(trace.meta for trace in fig.data)
    return {"file": f"svmviz-{key.replace('.', '-')}", "numbers": numbers}
