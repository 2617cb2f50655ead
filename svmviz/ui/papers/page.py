"""The blocks of a paper's page (`blocks`), drawn with Streamlit."""

from typing import Any

import streamlit as st

from svmviz.papers.evidence import recording
from svmviz.ui.controls.charts import chart, theme
from svmviz.ui.jobs.compiling import needed
from svmviz.ui.papers import blocks as ui
from svmviz.ui.papers.evidence import evidence
from svmviz.ui.shell.frame import on_phone


def draw(block: Any) -> Any:
    """Draw a block; returns the value of a control."""
    match block:
        case ui.Header(text, anchor, level):
            (st.title if level == 1 else st.header)(text, anchor=anchor)
        case ui.Text(text):
            st.markdown(text)
        case ui.Caption(text, width):
            st.caption(text, width=width)
        case ui.Chart(drawing, key, behind):
            chart(drawing(theme()), key, behind and behind(theme()))
        case ui.Table():
            table(block)
        case ui.Metric(label, value, formula):
            st.metric(label, value)
            if formula:
                st.markdown(f"${formula}$")
        case ui.Style(css):
            st.html(f"<style>{css}</style>")
        case ui.Group(blocks, key, line):
            with st.container(
                key=key, horizontal=line, vertical_alignment="center" if line else "top"
            ):
                ui.each(blocks, draw)
        case ui.Fold(label, blocks):
            with st.expander(label):
                ui.each(blocks, draw)
        case ui.Row(blocks, widths, alignment):
            places = st.columns(widths or len(blocks), vertical_alignment=alignment)

            def at(k: int, block: Any) -> Any:
                with places[k]:
                    return draw(block)

            return ui.in_row(block, at)
        case ui.Choice():
            return choice(block)
        case ui.Slider(label, low, high, value, step, key):
            return st.slider(label, low, high, value, step, key=key)
        case ui.Scale(label, options, value, key, named):
            return st.select_slider(label, options, value, key=key, format_func=named)
        case ui.Link(page, label, query, icon, side):
            st.page_link(
                f"pages/{page}.py",
                label=label,
                query_params=dict(query),
                icon=icon,
                icon_position=side,
            )
        case ui.Needed(solver):
            needed(solver)
        case ui.Live(act):
            return act()
        case ui.Take():
            take(block)
        case ui.Figure():
            evidence(block, draw)
        case _:
            raise TypeError(f"{type(block).__name__} is no block")
    return None


def table(one: ui.Table) -> None:
    if one.narrow and on_phone():
        ui.each(one.narrow, draw)
        return
    pinned = {
        title: st.column_config.TextColumn(pinned=not on_phone(), width=width)
        for title, width in one.pinned.items()
    }
    height = 36 * (len(one.rows) + 1) + 2 if one.whole else "auto"
    st.dataframe(
        one.rows, hide_index=True, width="stretch", height=height, column_config=pinned or None
    )


def choice(one: ui.Choice) -> Any:
    options = list(one.options)
    if one.menu:
        at = options.index(one.first)
        return st.selectbox(
            one.label, options, at, key=one.key, format_func=one.named, help=one.help
        )
    return st.segmented_control(
        one.label,
        options,
        default=one.first,
        required=True,
        key=one.key,
        format_func=one.named,
        help=one.help,
        label_visibility="collapsed" if one.silent else "visible",
    )


def take(one: ui.Take) -> None:
    key = one.experiment.key
    with st.popover("Python", type="tertiary", key=f"{key}.python"):
        st.code(script(key))
    st.download_button(
        "CSV of every seed",
        lambda: recording.table(one.experiment.in_order(one.found)),
        f"{key}.csv",
        "text/csv",
        key=f"{key}.csv",
        type="tertiary",
        on_click="ignore",
    )


def script(key: str) -> str:
    """Return a script that reads a recorded experiment, and computes it anew."""
    return (
        "from svmviz.papers import catalogue\n"
        "from svmviz.papers.evidence import recording\n\n"
        f'figure = catalogue.EXPERIMENTS["{key}"]\n'
        "recording.read(figure).found  # what is recorded, by run and seed\n"
        "figure.compute().found  # the same anew"
    )
